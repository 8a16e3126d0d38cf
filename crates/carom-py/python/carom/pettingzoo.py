"""Games of several agents by PettingZoo's parallel API.

>>> from carom.pettingzoo import AirHockey
>>> env = AirHockey(goals=3)
>>> seen, _ = env.reset(seed=1)
>>> seen, rewards, terminated, truncated, _ = env.step({agent: [0.0, 0.0] for agent in env.agents})
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import ParallelEnv

from .gym import AirHockeyEnv

Array = npt.NDArray[np.float32]
_AGENTS = ("left", "right")


class AirHockey(ParallelEnv[str, Array, Array]):  # type: ignore[misc, unused-ignore]
    """Air hockey for two: the table of ``carom/AirHockey-v0``, which each sees from its own side, as if it
    played on the left. Who wins a goal has 1, who loses it -1, and a foul costs ``foul=0.1``; ``goals=7``,
    ``limit=3000``."""

    metadata: dict[str, Any] = {"name": "carom_air_hockey_v0", "render_modes": ["rgb_array", "human"]}

    def __init__(
        self, render_mode: str | None = None, *, goals: int = 7, foul: float = 0.1, limit: int = 3000
    ) -> None:
        self._env = AirHockeyEnv(render_mode, opponent="agent", goals=goals, foul=foul, limit=limit)
        self.render_mode = render_mode
        self.possible_agents = list(_AGENTS)
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: spaces.Box(-np.inf, np.inf, (13,), np.float32) for agent in _AGENTS
        }
        self.action_spaces = {agent: spaces.Box(-1.0, 1.0, (2,), np.float32) for agent in _AGENTS}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Array], dict[str, dict[str, Any]]]:
        seen, _ = self._env.reset(seed=seed, options=options)
        self.agents = list(_AGENTS)
        return self._each(seen), {agent: {} for agent in _AGENTS}

    def step(
        self, actions: dict[str, Array]
    ) -> tuple[
        dict[str, Array], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        left, right = (np.asarray(actions[agent], np.float32) for agent in _AGENTS)
        # Half a turn of the table leaves what is ahead, and changes what is to the left.
        both = np.concatenate([left, right * np.array([1, -1], np.float32)])
        seen, reward, terminated, truncated, _ = self._env.step(both)
        agents = self.agents
        if terminated or truncated:
            self.agents = []
        return (
            self._each(seen),
            {"left": reward, "right": -reward},
            dict.fromkeys(agents, terminated),
            dict.fromkeys(agents, truncated),
            {agent: {} for agent in agents},
        )

    def render(self) -> Any:
        return self._env.render()

    def close(self) -> None:
        self._env.close()

    def _each(self, seen: Array) -> dict[str, Array]:
        turned = -np.concatenate([seen[:4], seen[8:12], seen[4:8], seen[12:]])
        return {"left": seen, "right": turned}


__all__ = ["AirHockey"]

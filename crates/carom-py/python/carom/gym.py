"""Environments of Gymnasium on exact worlds: single, and many in one call.

Importing this module registers ``carom/PodArena-v0``, ``carom/AirHockey-v0`` and ``carom/Discs-v0``:

>>> import carom.gym, gymnasium
>>> env = gymnasium.make("carom/AirHockey-v0")
>>> envs = gymnasium.make_vec("carom/PodArena-v0", num_envs=8, laps=1)

An episode depends on its seed and on the actions alone: not on the machine, nor on the number of threads.
The single environment with seed s plays the episodes of the one among many whose seed is s."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ._core import Batch, Scene, World
from .errors import CaromError
from .scenes import scene as _scene

Array = npt.NDArray[Any]
Make = Callable[[int, int, str], Batch]

_WIDTH = 640


def _spaces(batch: Batch) -> tuple[spaces.Box, spaces.Box]:
    seen, done = batch.widths
    observation = spaces.Box(-np.inf, np.inf, (seen,), np.float32)
    return observation, spaces.Box(-1.0, 1.0, (done,), np.float32)


class _Env(gymnasium.Env[Array, Array]):
    """One environment."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "human"], "render_fps": 30}

    def __init__(self, make: Make, render_mode: str | None) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            allowed = str(self.metadata["render_modes"])
            message = f"render_mode is {render_mode!r}, allowed are {allowed}"
            raise CaromError(message, "render_mode", render_mode, allowed)
        self.render_mode = render_mode
        self._batch = make(1, 1, AutoresetMode.DISABLED.value)
        self.observation_space, self.action_space = _spaces(self._batch)
        self._is_seeded = False
        self._window: Any = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is None and not self._is_seeded:
            seed = int(self.np_random.integers(2**63))
        self._is_seeded = True
        observations = self._batch.reset([seed], np.ones(1, np.bool_))
        self._show()
        return observations[0], {}

    def step(self, action: Array) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        row = np.ascontiguousarray(action, np.float32).reshape(1, -1)
        observations, rewards, terminated, truncated, _ = self._batch.step(row)
        self._show()
        return observations[0], float(rewards[0]), bool(terminated[0]), bool(truncated[0]), {}

    def render(self) -> Any:
        return self._batch.render(0, _WIDTH) if self.render_mode == "rgb_array" else None

    def _show(self) -> None:
        if self.render_mode != "human":
            return
        pygame = importlib.import_module("pygame")
        pixels = self._batch.render(0, _WIDTH).swapaxes(0, 1)
        if self._window is None:
            pygame.display.init()
            self._window = pygame.display.set_mode(pixels.shape[:2])
        pygame.event.pump()
        pygame.surfarray.blit_array(self._window, pixels)
        pygame.display.flip()

    def close(self) -> None:
        if self._window is not None:
            importlib.import_module("pygame").display.quit()
            self._window = None


class _VectorEnv(VectorEnv[Array, Array, Array]):
    """Many environments, which step in one call of Rust."""

    metadata: dict[str, Any] = {
        "render_modes": ["rgb_array"],
        "render_fps": 30,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self, make: Make, num_envs: int, threads: int, autoreset_mode: AutoresetMode, render_mode: str | None
    ) -> None:
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "autoreset_mode": autoreset_mode}
        self._batch = make(num_envs, threads, autoreset_mode.value)
        self.single_observation_space, self.single_action_space = _spaces(self._batch)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._is_seeded = False

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        seeds: list[int | None]
        if seed is None and not self._is_seeded:
            seeds = [int(seed) for seed in self.np_random.integers(2**63, size=self.num_envs)]
        elif seed is None:
            seeds = [None] * self.num_envs
        elif isinstance(seed, int):
            seeds = [seed + index for index in range(self.num_envs)]
        else:
            seeds = list(seed)
        self._is_seeded = True
        mask = np.ones(self.num_envs, np.bool_)
        if options is not None and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
                allowed = f"an array of {self.num_envs} booleans, one of them true"
                message = f"reset_mask is {mask!r}, allowed is {allowed}"
                raise CaromError(message, "reset_mask", str(mask), allowed)
        return self._batch.reset(seeds, np.ascontiguousarray(mask)), {}

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        rows = np.ascontiguousarray(actions, np.float32).reshape(self.num_envs, -1)
        observations, rewards, terminated, truncated, last = self._batch.step(rows)
        infos: dict[str, Any] = {}
        if last is not None:
            over = terminated | truncated
            infos = {"final_obs": last, "_final_obs": over, "final_info": {}, "_final_info": over}
        return observations, rewards, terminated, truncated, infos

    def render(self) -> Any:
        if self.render_mode != "rgb_array":
            return None
        return tuple(self._batch.render(index, _WIDTH) for index in range(self.num_envs))


def _pods(opponents: int, driver: str, laps: int, limit: int, course: str) -> Make:
    def make(num_envs: int, threads: int, mode: str) -> Batch:
        return Batch.pods(
            num_envs, threads, mode, opponents=opponents, driver=driver, laps=laps, limit=limit, course=course
        )

    return make


class PodArenaEnv(_Env):
    """A race of pods around checkpoints; a step is a turn of a second.

    An action is a turn of up to 18° to either side, and the thrust: 0 at -1, 200 at 1. What is seen, in
    thousands: heading, the next two checkpoints from here, position, velocity, and those of each opponent
    from here. The reward is progress in checkpoints, with a share of the way to the next. Opponents are up
    to three of the game's own pilots (``driver="drift"``: they only drift); ``course="fixed"`` is one
    course for all episodes."""

    def __init__(
        self,
        render_mode: str | None = None,
        *,
        opponents: int = 3,
        driver: str = "pilot",
        laps: int = 2,
        limit: int = 300,
        course: str = "random",
    ) -> None:
        super().__init__(_pods(opponents, driver, laps, limit, course), render_mode)


class PodArenaVectorEnv(_VectorEnv):
    """Many of ``PodArenaEnv``."""

    def __init__(
        self,
        num_envs: int = 1,
        render_mode: str | None = None,
        *,
        threads: int = 1,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        opponents: int = 3,
        driver: str = "pilot",
        laps: int = 2,
        limit: int = 300,
        course: str = "random",
    ) -> None:
        make = _pods(opponents, driver, laps, limit, course)
        super().__init__(make, num_envs, threads, autoreset_mode, render_mode)


def _hockey(opponent: str, goals: int, limit: int) -> Make:
    def make(num_envs: int, threads: int, mode: str) -> Batch:
        return Batch.hockey(num_envs, threads, mode, opponent=opponent, goals=goals, limit=limit)

    return make


class AirHockeyEnv(_Env):
    """Air hockey on the left side; a step is 0.03 s.

    An action is where the mallet is sent in its half: the first number from the own goal line to the
    middle, the second from side to side. What is seen: position and velocity of puck, own mallet and the
    other one, in metres. The reward is 1 for a goal and -1 for one of the opponent: the game's own pilot,
    ``"still"``, or a second ``"agent"`` with two more numbers of the action, whose reward is the opposite
    one."""

    def __init__(
        self, render_mode: str | None = None, *, opponent: str = "pilot", goals: int = 7, limit: int = 3000
    ) -> None:
        super().__init__(_hockey(opponent, goals, limit), render_mode)


class AirHockeyVectorEnv(_VectorEnv):
    """Many of ``AirHockeyEnv``."""

    def __init__(
        self,
        num_envs: int = 1,
        render_mode: str | None = None,
        *,
        threads: int = 1,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        opponent: str = "pilot",
        goals: int = 7,
        limit: int = 3000,
    ) -> None:
        super().__init__(_hockey(opponent, goals, limit), num_envs, threads, autoreset_mode, render_mode)


def _discs(
    world: World | Scene | str | os.PathLike[str],
    agents: Sequence[int],
    rewards: Mapping[int, float],
    **rules: Any,
) -> Make:
    if not isinstance(world, World):
        world = (world if isinstance(world, Scene) else _scene(world)).build()
    if len(world) == 0:
        raise CaromError("world has no discs, allowed is one at least", "world", 0, "one disc at least")
    handles = [int(world.ids[agent]) for agent in agents]
    own = world

    def make(num_envs: int, threads: int, mode: str) -> Batch:
        return Batch.discs(num_envs, threads, mode, world=own, agents=handles, rewards=dict(rewards), **rules)

    return make


class DiscsEnv(_Env):
    """A world of one's own, or a scene: the ``agents`` among its discs, by their places in ``ids``, are
    pushed.

    An action is a push for each agent, of which ``push`` is the largest change of velocity in a step of
    ``dt`` seconds. What is seen: position and velocity of each disc of the start. Rewards come from a
    verdict table: a rule sets a timer with a note, and ``rewards`` says what the note is worth; those in
    ``ends`` end the episode. ``impact_reward`` is for each impact of an agent with a disc. Agents start
    with velocities up to ``start_speed``, by the seed."""

    def __init__(
        self,
        world: World | Scene | str | os.PathLike[str],
        render_mode: str | None = None,
        *,
        agents: Sequence[int] = (0,),
        dt: float = 0.1,
        push: float = 1.0,
        max_speed: float = 10.0,
        start_speed: float = 0.0,
        limit: int = 1000,
        rewards: Mapping[int, float] | None = None,
        ends: Iterable[int] = (),
        impact_reward: float = 0.0,
    ) -> None:
        make = _discs(
            world,
            agents,
            rewards or {},
            dt=dt,
            push=push,
            max_speed=max_speed,
            start_speed=start_speed,
            limit=limit,
            ends=list(ends),
            impact_reward=impact_reward,
        )
        super().__init__(make, render_mode)


class DiscsVectorEnv(_VectorEnv):
    """Many of ``DiscsEnv``."""

    def __init__(
        self,
        num_envs: int = 1,
        render_mode: str | None = None,
        *,
        world: World | Scene | str | os.PathLike[str],
        threads: int = 1,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        agents: Sequence[int] = (0,),
        dt: float = 0.1,
        push: float = 1.0,
        max_speed: float = 10.0,
        start_speed: float = 0.0,
        limit: int = 1000,
        rewards: Mapping[int, float] | None = None,
        ends: Iterable[int] = (),
        impact_reward: float = 0.0,
    ) -> None:
        make = _discs(
            world,
            agents,
            rewards or {},
            dt=dt,
            push=push,
            max_speed=max_speed,
            start_speed=start_speed,
            limit=limit,
            ends=list(ends),
            impact_reward=impact_reward,
        )
        super().__init__(make, num_envs, threads, autoreset_mode, render_mode)


IDS = ("carom/PodArena-v0", "carom/AirHockey-v0", "carom/Discs-v0")

for _id in IDS:
    if _id not in gymnasium.registry:
        _name = _id.split("/")[1].removesuffix("-v0")
        gymnasium.register(
            _id,
            entry_point=f"carom.gym:{_name}Env",
            vector_entry_point=f"carom.gym:{_name}VectorEnv",
        )

__all__ = [
    "IDS",
    "AirHockeyEnv",
    "AirHockeyVectorEnv",
    "DiscsEnv",
    "DiscsVectorEnv",
    "PodArenaEnv",
    "PodArenaVectorEnv",
]

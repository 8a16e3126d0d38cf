"""Environments of Gymnasium on exact worlds: single, and many in one call.

Importing this module registers the environments in ``IDS``:

>>> import carom.gym, gymnasium
>>> env = gymnasium.make("carom/AirHockey-v0")
>>> envs = gymnasium.make_vec("carom/PodArena-v0", num_envs=8, laps=1)

An episode depends on its seed and on the actions alone: not on the machine, nor on the number of threads.
The single environment with seed s plays the episodes of the one among many whose seed is s."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

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
    """One environment: ``render_mode``, and the rules as keywords."""

    rules: ClassVar[Callable[..., Make]]
    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "human"], "render_fps": 30}

    def __init__(self, render_mode: str | None = None, **rules: Any) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            allowed = str(self.metadata["render_modes"])
            message = f"render_mode is {render_mode!r}, allowed are {allowed}"
            raise CaromError(message, "render_mode", render_mode, allowed)
        self.render_mode = render_mode
        self._batch = type(self).rules(**rules)(1, 1, AutoresetMode.DISABLED.value)
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
    """Many environments, which step in one call of Rust on ``threads``."""

    rules: ClassVar[Callable[..., Make]]
    metadata: dict[str, Any] = {
        "render_modes": ["rgb_array"],
        "render_fps": 30,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        render_mode: str | None = None,
        *,
        threads: int = 1,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        **rules: Any,
    ) -> None:
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "autoreset_mode": autoreset_mode}
        self._batch = type(self).rules(**rules)(num_envs, threads, autoreset_mode.value)
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


def _pods(
    *, opponents: int = 3, driver: str = "pilot", laps: int = 2, limit: int = 300, course: str = "random"
) -> Make:
    return partial(Batch.pods, opponents=opponents, driver=driver, laps=laps, limit=limit, course=course)


class PodArenaEnv(_Env):
    """A race of pods around checkpoints; a step is a turn of a second.

    An action is a turn of up to 18° to either side, and the thrust: 0 at -1, 200 at 1. What is seen, in
    thousands: heading, the next two checkpoints from here, position, velocity, and those of each opponent
    from here. The reward is progress in checkpoints, with a share of the way to the next. ``opponents``, up
    to three, are the game's own pilots (``driver="drift"``: they only drift); ``course="fixed"`` is one
    course for all episodes; ``laps=2``, ``limit=300``."""

    rules = staticmethod(_pods)


class PodArenaVectorEnv(_VectorEnv):
    """Many of ``PodArenaEnv``."""

    rules = staticmethod(_pods)


def _hockey(
    *,
    opponent: str = "pilot",
    goals: int = 7,
    foul: float = 0.1,
    control: str = "place",
    hold: int = 1,
    limit: int = 3000,
) -> Make:
    return partial(
        Batch.hockey, opponent=opponent, goals=goals, foul=foul, control=control, hold=hold, limit=limit
    )


class AirHockeyEnv(_Env):
    """Air hockey on the left side; a step is ``hold=1`` turns of 0.03 s, for which the action holds.

    An action is where the mallet is sent in its half: the first number from the own goal line to the
    middle, the second from side to side. With ``control="way"`` it is the displacement of the mallet in each
    turn, as a fraction of the largest one: 0.12 m, at 4 m/s. What is seen: position and velocity of puck, own
    mallet and the other one, in metres, and the seconds that are left to play the puck over the middle, below
    0 for those of the opponent. Who keeps the puck for seven seconds fouls, and the other side serves.

    The reward is 1 for a goal, less ``foul=0.1`` for a foul, and the opposite for those of the ``opponent``:
    the game's own ``"pilot"``, ``"still"``, or a second ``"agent"`` with two more numbers of the action
    (``carom.pettingzoo`` has it as two agents); ``goals=7``, ``limit=3000`` turns."""

    rules = staticmethod(_hockey)


class AirHockeyVectorEnv(_VectorEnv):
    """Many of ``AirHockeyEnv``."""

    rules = staticmethod(_hockey)


def _breakout(*, balls: int = 3, limit: int = 10_000) -> Make:
    return partial(Batch.breakout, balls=balls, limit=limit)


class BreakoutEnv(_Env):
    """Breakout: 60 bricks in six rows, a round paddle; a step is 1/30 s.

    The action is where the paddle is sent, from side to side; it goes at most 20 a second, of a field that is
    10 wide. What is seen, in tens: position and velocity of the ball and place of the paddle, from the
    middle; the balls left; for each brick whether it stands. The reward is the points of bricks: 1, 4 and 7
    in each two rows, from below. The ball is faster after 4 returns, and again after 12. The game is over
    with the last of ``balls=3``, or the last brick."""

    rules = staticmethod(_breakout)


class BreakoutVectorEnv(_VectorEnv):
    """Many of ``BreakoutEnv``."""

    rules = staticmethod(_breakout)


def _pinball(*, balls: int = 3, limit: int = 10_000) -> Make:
    return partial(Batch.pinball, balls=balls, limit=limit)


class PinballEnv(_Env):
    """Pinball; a step is 0.02 s.

    An action has five numbers: left and right flipper, pressed where positive; the speed of a launch, when
    the ball lies in the lane; a push of the table, which counts if its length is over a half, and once in
    three seconds. What is seen: position and velocity of the ball, in tens; the angles of the flippers;
    whether the ball is in play, in the lane, whether the table may be pushed; which of the three targets
    stand. The reward is points in hundreds: 10 for a slingshot, 100 for a bumper, 500 for a target, 5000 for
    all three. The seed varies launches by 2 %. The game is over with the last of ``balls=3``."""

    rules = staticmethod(_pinball)


class PinballVectorEnv(_VectorEnv):
    """Many of ``PinballEnv``."""

    rules = staticmethod(_pinball)


def _nine_ball(*, opponent: str = "scripted", spread: float = 3.0, limit: int = 100) -> Make:
    return partial(Batch.nine_ball, opponent=opponent, spread=spread, limit=limit)


class NineBallEnv(_Env):
    """Nine-ball by the rules of the World Pool-Billiard Association; a step is a shot.

    An action has seven numbers: the direction in units of π; the speed of the cue from 0.5 to 10 m/s; where
    the tip meets the ball to the right and up, in units of what does not slip off; the elevation of the cue
    from 0 to 0.5, more where something is in its way; and where the cue ball goes if it is in hand, across
    and along the table (behind the head string for the break). What is seen: position from the centre, in
    metres, of the cue ball and of each ball with whether it is on the table; that of the ball that is on;
    cue ball in hand, and behind the head string; fouls in a row of the own and of the other player; who it
    is. The reward is 1 for a game won, -1 for one lost, 0.1 for each ball potted without a foul, -0.1 for a
    foul. The ``opponent`` plays between the steps: ``"scripted"``, ``spread`` times as far off what it means
    as a good player; or with ``"agent"`` each step is of the player whose turn it is. There are no
    push-outs."""

    rules = staticmethod(_nine_ball)


class NineBallVectorEnv(_VectorEnv):
    """Many of ``NineBallEnv``."""

    rules = staticmethod(_nine_ball)


def _discs(
    *,
    world: World | Scene | str | os.PathLike[str],
    agents: Sequence[int] = (0,),
    dt: float = 0.1,
    push: float = 1.0,
    max_speed: float = 10.0,
    start_speed: float = 0.0,
    limit: int = 1000,
    rewards: Mapping[int, float] | None = None,
    ends: Iterable[int] = (),
    impact_reward: float = 0.0,
) -> Make:
    if not isinstance(world, World):
        world = (world if isinstance(world, Scene) else _scene(world)).build()
    if len(world) == 0:
        raise CaromError("world has no discs, allowed is one at least", "world", 0, "one disc at least")
    return partial(
        Batch.discs,
        world=world,
        agents=[int(world.ids[agent]) for agent in agents],
        dt=dt,
        push=push,
        max_speed=max_speed,
        start_speed=start_speed,
        limit=limit,
        rewards=dict(rewards or {}),
        ends=list(ends),
        impact_reward=impact_reward,
    )


class DiscsEnv(_Env):
    """A ``world`` of one's own, or a scene: the ``agents=(0,)`` among its discs, by their places in ``ids``,
    are pushed.

    An action is a push for each agent, of which ``push=1.0`` is the largest change of velocity in a step of
    ``dt=0.1`` seconds, up to ``max_speed=10.0``. What is seen: position and velocity of each disc of the
    start. Rewards come from a verdict table: a rule sets a timer with a note, and ``rewards`` says what the
    note is worth; those in ``ends`` end the episode, as ``limit=1000`` steps do. ``impact_reward`` is for
    each impact of an agent with a disc. Agents start with velocities up to ``start_speed``, by the seed."""

    rules = staticmethod(_discs)


class DiscsVectorEnv(_VectorEnv):
    """Many of ``DiscsEnv``."""

    rules = staticmethod(_discs)


_NAMES = ("PodArena", "AirHockey", "Breakout", "Pinball", "NineBall", "Discs")
IDS = tuple(f"carom/{_name}-v0" for _name in _NAMES)

for _id, _name in zip(IDS, _NAMES, strict=True):
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id,
            entry_point=f"carom.gym:{_name}Env",
            vector_entry_point=f"carom.gym:{_name}VectorEnv",
        )

__all__ = [
    "IDS",
    "AirHockeyEnv",
    "AirHockeyVectorEnv",
    "BreakoutEnv",
    "BreakoutVectorEnv",
    "DiscsEnv",
    "DiscsVectorEnv",
    "NineBallEnv",
    "NineBallVectorEnv",
    "PinballEnv",
    "PinballVectorEnv",
    "PodArenaEnv",
    "PodArenaVectorEnv",
]

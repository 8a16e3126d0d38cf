"""The environments: Gymnasium's own checks, and what the engine promises besides."""

from __future__ import annotations

import warnings
from typing import Any

import carom
import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from carom import Disc, Wall, World
from carom.gym import IDS
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

GOAL, WALL = 1, 2


def goal_world() -> World:
    """A box with a goal on the right, which ends the episode."""
    world = World(
        verdicts=[
            {
                "second": {"user_data": GOAL},
                "verdict": "bounce",
                "commands": [{"do": "set_timer", "seconds": 0, "note": 5}],
            }
        ]
    )
    world.add_wall(Wall.container((0, 0), (8, 6), user_data=WALL))
    world.add_wall(Wall.segment((7.5, 2), (7.5, 4), user_data=GOAL))
    world.insert(Disc((2, 3), 0.3))
    world.insert_many(np.array([[4.0, 1.0], [4.0, 3.2], [4.0, 5.0]]), 0.4)
    return world


def options_of(name: str) -> dict[str, Any]:
    if name == "carom/Discs-v0":
        rules = {"rewards": {5: 10.0}, "ends": [5], "impact_reward": -0.5}
        return {"world": goal_world(), "start_speed": 2.0, "limit": 40, **rules}
    return {"limit": 40}


def vector(name: str, num_envs: int, **options: Any) -> Any:
    mode = "vector_entry_point"
    return gymnasium.make_vec(name, num_envs=num_envs, vectorization_mode=mode, **options_of(name), **options)


def actions_of(env: Any, steps: int, seed: int = 0) -> npt.NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, (steps, *env.action_space.shape)).astype(np.float32)


@pytest.mark.parametrize("name", IDS)
def test_gymnasium_finds_nothing_wrong(name: str) -> None:
    env = gymnasium.make(name, render_mode="rgb_array", **options_of(name))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*infinity.*")
        check_env(env.unwrapped, skip_render_check=True)
    env.reset(seed=1)
    frame = env.render()
    assert isinstance(frame, np.ndarray) and frame.shape[1:] == (640, 3) and frame.std() > 1


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_many_are_the_single_ones(name: str, mode: AutoresetMode) -> None:
    """Against Gymnasium's own vector of single environments, with the same seeds and actions."""
    many = vector(name, 3, autoreset_mode=mode)
    own = [lambda: gymnasium.make(name, disable_env_checker=True, **options_of(name))] * 3
    theirs = SyncVectorEnv(own, autoreset_mode=mode)
    assert many.observation_space == theirs.observation_space and many.action_space == theirs.action_space
    for a, b in zip(many.reset(seed=7), theirs.reset(seed=7), strict=True):
        assert np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b
    ends = 0
    for actions in actions_of(many, 120):
        a, b = many.step(actions), theirs.step(actions)
        for x, y in zip(a[:4], b[:4], strict=True):
            assert np.array_equal(x, y) and x.dtype == y.dtype
        over = a[2] | a[3]
        ends += int(over.sum())
        if mode == AutoresetMode.SAME_STEP and over.any():
            assert np.array_equal(a[4]["_final_obs"], b[4]["_final_obs"])
            for index in np.flatnonzero(over):
                assert np.array_equal(a[4]["final_obs"][index], b[4]["final_obs"][index])
        if mode == AutoresetMode.DISABLED and over.any():
            mask = {"reset_mask": over}
            assert np.array_equal(many.reset(options=dict(mask))[0], theirs.reset(options=dict(mask))[0])
    assert ends >= 6


@pytest.mark.parametrize("name", IDS)
def test_the_number_of_threads_changes_no_bit(name: str) -> None:
    one, many = vector(name, 70), vector(name, 70, threads=4)
    assert np.array_equal(one.reset(seed=3)[0], many.reset(seed=3)[0])
    for actions in actions_of(one, 60):
        for a, b in zip(one.step(actions)[:4], many.step(actions)[:4], strict=True):
            assert np.array_equal(a, b)


@pytest.mark.parametrize("name", IDS)
def test_seeds_say_which_episode_it_is(name: str) -> None:
    env = gymnasium.make(name, **options_of(name))
    first = env.reset(seed=5)[0]
    other = env.reset()[0]
    assert np.array_equal(env.reset(seed=5)[0], first) and np.array_equal(env.reset()[0], other)
    if name != "carom/AirHockey-v0":
        assert not np.array_equal(first, other) and not np.array_equal(env.reset(seed=6)[0], first)


def test_an_episode_that_is_over_is_not_stepped_where_nothing_resets_it() -> None:
    envs = vector("carom/Discs-v0", 2, autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=1)
    with pytest.raises(carom.CaromError, match="reset_mask"):
        for actions in actions_of(envs, 60):
            envs.step(actions)
    with pytest.raises(carom.CaromError):
        envs.reset(options={"reset_mask": np.zeros(2, np.bool_)})


def test_rewards_are_those_of_the_verdict_table() -> None:
    rules = {"rewards": {5: 10.0}, "ends": [5]}
    options: dict[str, Any] = {**rules, "limit": 100, "impact_reward": -0.5, "push": 2.0}
    env = gymnasium.make("carom/Discs-v0", world=goal_world(), **options)
    env.reset(seed=1)
    # Straight to the goal, through the disc in the way.
    total, steps = 0.0, 0
    while True:
        _, reward, terminated, truncated, _ = env.step(np.array([1.0, 0.0], np.float32))
        total, steps = total + float(reward), steps + 1
        if terminated or truncated:
            break
    assert terminated and total == 9.5 and steps < 20


def test_a_pilot_that_drives_at_the_checkpoints_gets_on() -> None:
    env = gymnasium.make("carom/PodArena-v0", opponents=0, laps=1)
    seen, _ = env.reset(seed=3)
    total, over = 0.0, False
    while not over:
        heading, goal = seen[0:2], seen[2:4] - 3 * seen[8:10]
        turn = np.arctan2(heading[0] * goal[1] - heading[1] * goal[0], heading @ goal) / (np.pi / 10)
        thrust = 1.0 if abs(turn) < 5 else -1.0
        action = np.clip(np.array([turn, thrust], np.float32), -1, 1)
        seen, reward, terminated, truncated, _ = env.step(action)
        total, over = total + float(reward), terminated or truncated
    # All four checkpoints of the lap, each of which is worth 1.
    assert terminated and total > 3.9


def test_two_agents_play_air_hockey() -> None:
    env = gymnasium.make("carom/AirHockey-v0", opponent="agent")
    seen, _ = env.reset(seed=1)
    assert env.action_space.shape == (4,) and seen.shape == (12,)
    for _ in range(10):
        seen = env.step(np.array([1.0, 0.5, -1.0, -0.5], np.float32))[0]
    assert seen[5] > 0.1 and seen[9] < -0.1


@pytest.mark.parametrize(
    ("field", "name", "options"),
    [
        ("driver", "carom/PodArena-v0", {"driver": "none"}),
        ("opponents", "carom/PodArena-v0", {"opponents": 4}),
        ("opponent", "carom/AirHockey-v0", {"opponent": "x"}),
        ("dt", "carom/Discs-v0", {"world": goal_world(), "dt": 0.0}),
        ("world", "carom/Discs-v0", {"world": World()}),
    ],
)
def test_options_that_are_refused(field: str, name: str, options: dict[str, Any]) -> None:
    with pytest.raises(carom.CaromError) as refused:
        gymnasium.make(name, **options)
    assert refused.value.field == field

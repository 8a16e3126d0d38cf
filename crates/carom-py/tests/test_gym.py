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
    # A ball of breakout or pinball is lost within some hundreds of steps, a shot is a step of nine-ball.
    return {"limit": {"carom/NineBall-v0": 4}.get(name, 40)}


def vector(name: str, num_envs: int, **options: Any) -> Any:
    mode = "vector_entry_point"
    options = {**options_of(name), **options}
    return gymnasium.make_vec(name, num_envs=num_envs, vectorization_mode=mode, **options)


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
    # The first two begin with the same table for all seeds, and differ in what happens on it.
    if name not in ("carom/AirHockey-v0", "carom/Pinball-v0"):
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
    assert env.action_space.shape == (4,) and seen.shape == (13,)
    for _ in range(10):
        seen = env.step(np.array([1.0, 0.5, -1.0, -0.5], np.float32))[0]
    assert seen[5] > 0.1 and seen[9] < -0.1


def test_an_action_of_air_hockey_holds_for_some_turns() -> None:
    options: dict[str, Any] = {"opponent": "agent", "limit": 61}
    each, held = (gymnasium.make("carom/AirHockey-v0", hold=hold, **options) for hold in (1, 3))
    each.reset(seed=1)
    held.reset(seed=1)
    rng, gained = np.random.default_rng(3), 0.0
    for turn in range(61):
        if turn % 3 == 0:
            action = rng.uniform(-1, 1, 4).astype(np.float32)
            held_seen, reward, _, held_over, _ = held.step(action)
            gained += float(reward)
        seen, reward, _, over, _ = each.step(action)
        gained -= float(reward)
        if turn % 3 == 2:
            assert np.array_equal(seen, held_seen) and not held_over
    # The last one is cut off by the limit, of turns.
    assert np.array_equal(seen, held_seen) and over and held_over and gained == 0.0


def test_a_mallet_of_air_hockey_is_steered_by_its_way() -> None:
    env = gymnasium.make("carom/AirHockey-v0", opponent="agent", control="way")
    seen, _ = env.reset(seed=1)
    before = seen[[4, 5, 8, 9]]
    for _ in range(2):
        seen = env.step(np.array([-0.5, 0.25, 0.5, -0.8], np.float32))[0]
    # A turn at full speed is 0.12 m; ahead is away from the own goal.
    gone = 0.24 * np.array([-0.5, 0.25, -0.5, -0.8])
    assert np.allclose(seen[[4, 5, 8, 9]] - before, gone, atol=1e-6)


def test_who_keeps_the_puck_in_air_hockey_loses_it() -> None:
    env = gymnasium.make("carom/AirHockey-v0", opponent="still", foul=0.25)
    seen, _ = env.reset(seed=1)
    assert np.isclose(seen[12], 7.0)
    # 234 steps of 0.03 s are 7.02 s; the mallet stays away from the puck.
    rewards = [float(env.step(np.array([-1.0, 1.0], np.float32))[1]) for _ in range(234)]
    assert rewards == [0.0] * 233 + [-0.25]
    # The other one serves a second later.
    for _ in range(40):
        seen = env.step(np.array([-1.0, 1.0], np.float32))[0]
    assert seen[0] > 0 and -7 < seen[12] < -6.5


def test_a_ball_of_breakout_takes_bricks_and_is_lost_without_a_paddle() -> None:
    env = gymnasium.make("carom/Breakout-v0", balls=1)
    for seed in range(4):
        seen, _ = env.reset(seed=seed)
        assert seen[6:].sum() == 60 and seen[5] == 1
        total, over = 0.0, False
        while not over:
            # Where the ball comes down, or else away from it.
            action = seen[0] if seed % 2 == 0 else -np.sign(seen[0] or 1.0) * 1.0
            seen, reward, terminated, truncated, _ = env.step(np.array([action * 10 / 3.8], np.float32))
            total, over = total + float(reward), terminated or truncated
        points = np.repeat([1, 1, 4, 4, 7, 7], 10)
        assert total == ((1 - seen[6:]) * points).sum()
        assert (total > 5) == (seed % 2 == 0)


def test_the_paddle_says_where_the_ball_goes() -> None:
    """On the left of the paddle it goes to the left."""
    for side in (-1, 1):
        env = gymnasium.make("carom/Breakout-v0")
        seen, _ = env.reset(seed=2)
        while seen[3] < 0:
            action = np.array([(10 * seen[0] - 0.6 * side) / 3.8], np.float32)
            seen = env.step(action)[0]
        assert np.sign(seen[2]) == side and np.isclose(np.hypot(seen[2], seen[3]), 0.6)


def test_pinball_launches_scores_and_ends() -> None:
    env = gymnasium.make("carom/Pinball-v0", balls=1)
    seen, _ = env.reset(seed=1)
    assert seen[7] == 1 and (seen[9:12] == 1).all()
    total, over = 0.0, False
    while not over:
        seen, reward, terminated, truncated, _ = env.step(np.array([-1, -1, 0.7, 0, 0], np.float32))
        total, over = total + float(reward), terminated or truncated
    assert terminated and total > 0


def test_nine_ball_is_judged_by_the_rules() -> None:
    env = gymnasium.make("carom/NineBall-v0", opponent="agent")
    seen, _ = env.reset(seed=1)
    assert seen[33] == 1 and (seen[2:30:3] == 1).all() and seen[36] == 0
    # Away from the rack, three times: three fouls, between which the other player fouls as well.
    away = np.array([-0.5, -0.9, 0, 0, -1, 0, 0], np.float32)
    for shot in range(5):
        seen, reward, terminated, _, _ = env.step(away)
        assert np.isclose(float(reward), -1.1 if shot == 4 else -0.1) and terminated == (shot == 4)
        if shot < 4:
            assert seen[32] == 1 and seen[36] == (shot + 1) % 2


def test_the_scripted_player_of_nine_ball_wins_against_nonsense() -> None:
    envs = vector("carom/NineBall-v0", 40, limit=1000)
    envs.reset(seed=5)
    won = lost = 0
    for actions in actions_of(envs, 30):
        rewards, terminated = envs.step(actions)[1:3]
        won += int((rewards[terminated] > 0.5).sum())
        lost += int((rewards[terminated] < -0.5).sum())
    # By three fouls in a row nonsense loses soon; it may win if the other player fouls three times.
    assert lost > 40 and lost > 10 * won


def test_air_hockey_of_pettingzoo() -> None:
    test = pytest.importorskip("pettingzoo.test")
    from carom.pettingzoo import AirHockey

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        test.parallel_api_test(AirHockey(limit=50), num_cycles=200)
        test.parallel_seed_test(AirHockey)
    env = AirHockey()
    seen, _ = env.reset(seed=1)
    # Both do the same from their own side: the table stays as it is when it is turned.
    for _ in range(20):
        seen = env.step({agent: np.array([0.5, 0.5], np.float32) for agent in env.agents})[0]
    assert np.allclose(seen["left"][4:8], seen["right"][4:8]) and seen["left"][5] > 0.1


@pytest.mark.parametrize(
    ("field", "name", "options"),
    [
        ("balls", "carom/Pinball-v0", {"balls": 0}),
        ("opponent", "carom/NineBall-v0", {"opponent": "none"}),
        ("spread", "carom/NineBall-v0", {"spread": -1.0}),
        ("driver", "carom/PodArena-v0", {"driver": "none"}),
        ("opponents", "carom/PodArena-v0", {"opponents": 4}),
        ("opponent", "carom/AirHockey-v0", {"opponent": "x"}),
        ("foul", "carom/AirHockey-v0", {"foul": -1.0}),
        ("control", "carom/AirHockey-v0", {"control": "x"}),
        ("hold", "carom/AirHockey-v0", {"hold": 0}),
        ("dt", "carom/Discs-v0", {"world": goal_world(), "dt": 0.0}),
        ("world", "carom/Discs-v0", {"world": World()}),
        ("agents", "carom/Discs-v0", {"world": goal_world(), "agents": ()}),
    ],
)
def test_options_that_are_refused(field: str, name: str, options: dict[str, Any]) -> None:
    with pytest.raises(carom.CaromError) as refused:
        gymnasium.make(name, **options)
    assert refused.value.field == field

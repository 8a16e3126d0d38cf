"""Players for the environments of `carom.gym`: random ones, scripted ones, and those of `ppo.py`.

    python players.py                        # what random and scripted players get
    python players.py pods.npz carom/PodArena-v0 --set opponents=1

A player takes observations, a row for each environment, and gives actions.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import Any

import carom.gym  # noqa: F401
import gymnasium
import numpy as np
import numpy.typing as npt
from carom import Disc, Wall, World

Array = npt.NDArray[np.float32]
Player = Callable[[Array], npt.NDArray[Any]]


def random_player(width: int, seed: int = 0) -> Player:
    rng = np.random.default_rng(seed)
    return lambda seen: rng.uniform(-1, 1, (len(seen), width))


def trained_player(path: str) -> tuple[Player, dict[str, Any]]:
    """The mean of a policy that `ppo.py` has saved, and the options of the environment of its training."""
    with np.load(path) as file:
        saved = dict(file)

    def play(seen: Array) -> npt.NDArray[Any]:
        rows = np.clip((seen - saved["mean"]) / saved["deviation"], -10, 10)
        for k in range(3):
            rows = rows @ saved[f"weight{k}"].T + saved[f"bias{k}"]
            rows = np.tanh(rows) if k < 2 else rows
        return np.asarray(rows)

    return play, dict(json.loads(str(saved["options"])))


def race(seen: Array) -> npt.NDArray[Any]:
    """Steers at the next checkpoint against the drift, and brakes in turns."""
    heading, goal = seen[:, 0:2], seen[:, 2:4] - 3 * seen[:, 8:10]
    cross = heading[:, 0] * goal[:, 1] - heading[:, 1] * goal[:, 0]
    turn = np.arctan2(cross, (heading * goal).sum(axis=1)) / (np.pi / 10)
    return np.stack([turn, np.where(abs(turn) < 5, 1.0, -1.0)], axis=1)


def defend(seen: Array) -> npt.NDArray[Any]:
    """Stands where the puck comes, and strikes it from behind when it is slow and near."""
    puck, velocity, own = seen[:, 0:2], seen[:, 2:4], seen[:, 4:6]
    x = np.full(len(seen), -0.9)
    time = np.clip((x - puck[:, 0]) / np.minimum(velocity[:, 0], -0.1), 0, 1)
    y = np.clip(puck[:, 1] + time * velocity[:, 1], -0.3, 0.3)
    strikes = (puck[:, 0] < -0.05) & (np.hypot(*velocity.T) < 1.5)
    is_behind = own[:, 0] < puck[:, 0] - 0.02
    x = np.where(strikes, np.where(is_behind, puck[:, 0] + 0.1, puck[:, 0] - 0.2), x)
    y = np.where(strikes, puck[:, 1], y)
    return np.stack([1 + x / 0.6, y / 0.6], axis=1)


def catch(seen: Array) -> npt.NDArray[Any]:
    """Goes to where the ball comes down, off the sides, and meets it a little beside its middle."""
    x, y, vx, vy = (10 * seen[:, k] for k in range(4))
    time = np.where(vy < 0, (y - 0.7) / np.maximum(-vy, 0.5), 0)
    # The way between the sides, unfolded.
    folded = np.mod(x + vx * time + 4.85, 19.4)
    meets = np.where(folded < 9.7, folded, 19.4 - folded) - 4.85
    return np.asarray(np.clip((meets + 0.25 * np.sin(3 * seen[:, 5] + 7 * y)) / 3.8, -1, 1))[:, None]


def flip(seen: Array) -> npt.NDArray[Any]:
    """Flips when the ball is above a flipper, and pushes the table when it lies still."""
    x, y, vx, vy = (10 * seen[:, k] for k in range(4))
    near = (y > 1.6) & (y < 3.2) & (vy < 4)
    left, right = (near & (side > -0.2) & (side < 2.2) for side in (-x, x))
    lies = np.hypot(vx, vy) < 0.05
    fill = np.full(len(seen), 0.65)
    return np.stack([np.where(left, 1, -1), np.where(right, 1, -1), fill, 0.3 * lies, 0.9 * lies], axis=1)


POCKETS = np.array([(x, y) for x in (-0.655, 0.655) for y in (-1.29, 0.0, 1.29)])
BALL = 0.05715


def pot(seen: Array) -> npt.NDArray[Any]:
    """Plays the ball that is on at the pocket with the smallest cut; with the cue ball in hand, straight."""
    actions = np.zeros((len(seen), 7))
    for row, action in zip(seen.astype(float), actions, strict=True):
        cue, ball = row[0:2], row[30:32]
        action[4] = -1
        if row[33]:
            action[1:3], action[5:7], cue = (0.9, 0.0), (0.0, 1.0), np.array([0.0, -0.63])
            action[0] = np.arctan2(*(ball - cue)[::-1]) / np.pi
            continue
        ways = POCKETS - ball
        ways /= np.linalg.norm(ways, axis=1)[:, None]
        if row[32]:
            way = ways[np.argmin(np.linalg.norm(POCKETS - ball, axis=1))]
            cue = np.clip(ball - 0.35 * way, [-0.6, -1.24], [0.6, 1.24])
            action[5:7] = cue / [0.606, 1.241]
        aims = ball - BALL * ways - cue
        cuts = (aims * ways).sum(axis=1) / np.linalg.norm(aims, axis=1)
        aim = aims[np.argmax(cuts)]
        action[0], action[1] = np.arctan2(aim[1], aim[0]) / np.pi, -0.45
    return actions


def push(seen: Array) -> npt.NDArray[Any]:
    """Pushes the first disc to the goal, which is on the right, at half height."""
    return np.stack([np.ones(len(seen)), 3 - seen[:, 1] - seen[:, 3]], axis=1)


def goal_world() -> World:
    """A box with a goal on the right, and three discs in the way."""
    timer = {"do": "set_timer", "seconds": 0, "note": 5}
    world = World(verdicts=[{"second": {"user_data": 1}, "verdict": "bounce", "commands": [timer]}])
    world.add_wall(Wall.container((0, 0), (8, 6)))
    world.add_wall(Wall.segment((7.5, 2), (7.5, 4), user_data=1))
    world.insert(Disc((2, 3), 0.3))
    world.insert_many(np.array([[4.0, 1.0], [4.0, 3.2], [4.0, 5.0]]), 0.4)
    return world


SCRIPTED: dict[str, tuple[Player, dict[str, Any]]] = {
    "carom/PodArena-v0": (race, {"opponents": 1}),
    "carom/AirHockey-v0": (defend, {}),
    "carom/Breakout-v0": (catch, {}),
    "carom/Pinball-v0": (flip, {}),
    "carom/NineBall-v0": (pot, {}),
    "carom/Discs-v0": (push, {"world": goal_world(), "rewards": {5: 10.0}, "ends": [5], "start_speed": 1.0}),
}


def score(
    name: str, player: Player, options: dict[str, Any], episodes: int = 100
) -> tuple[float, float, float]:
    """Mean return of first episodes with its standard error, and their mean length."""
    envs: Any = gymnasium.make_vec(
        name, num_envs=episodes, vectorization_mode="vector_entry_point", threads=2, **options
    )
    seen, _ = envs.reset(seed=10_000)
    returns, lengths, over = np.zeros(episodes), np.zeros(episodes), np.zeros(episodes, np.bool_)
    while not over.all():
        actions = np.clip(player(seen), -1, 1).astype(np.float32)
        seen, rewards, terminated, truncated, _ = envs.step(actions)
        returns += np.where(over, 0, rewards)
        lengths += ~over
        over |= terminated | truncated
    return float(returns.mean()), float(returns.std() / episodes**0.5), float(lengths.mean())


def at_table(player: Player, options: dict[str, Any]) -> Player:
    """A player of air hockey by the places where its mallet is sent, turn by turn, whatever it decides by."""
    turn, decided = 0, np.zeros((0, 2))

    def play(seen: Array) -> npt.NDArray[Any]:
        nonlocal turn, decided
        if turn % options.get("hold", 1) == 0:
            decided = np.clip(player(seen), -1, 1)
        turn += 1
        if options.get("control", "place") == "place":
            return decided
        return (seen[:, 4:6] + 0.12 * decided) / 0.6 + np.array([1, 0])

    return play


def duel(left: Player, right: Player, games: int) -> tuple[float, float]:
    """Air hockey of two players: the mean score of the left one with its standard error. The game itself has
    no chance, so both play a little beside what they mean, by 12 mm."""
    envs: Any = gymnasium.make_vec(
        "carom/AirHockey-v0",
        num_envs=games,
        vectorization_mode="vector_entry_point",
        threads=2,
        opponent="agent",
    )
    seen, _ = envs.reset(seed=10_000)
    scores, over, rng = np.zeros(games), np.zeros(games, np.bool_), np.random.default_rng(0)
    while not over.all():
        # Each sees the table from its own side: half a turn leaves what is ahead, and changes what is to the
        # left.
        turned = -np.concatenate([seen[:, :4], seen[:, 8:12], seen[:, 4:8], seen[:, 12:]], axis=1)
        both = np.concatenate([left(seen), right(turned) * np.array([1, -1])], axis=1)
        both += rng.normal(0, 0.02, both.shape)
        seen, rewards, terminated, truncated, _ = envs.step(np.clip(both, -1, 1).astype(np.float32))
        scores += np.where(over, 0, rewards)
        over |= terminated | truncated
    return float(scores.mean()), float(scores.std() / games**0.5)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("policy", nargs="?")
    parser.add_argument("env", nargs="?")
    parser.add_argument("--set", action="append", default=[], metavar="RULE=VALUE")
    parser.add_argument("--episodes", type=int, default=100)
    args = parser.parse_args()
    print(f"{'environment':22}{'player':12}{'return':>9}{'error':>8}{'steps':>9}")
    for name in [args.env] if args.env else list(SCRIPTED):
        scripted, options = SCRIPTED[name]
        for rule in args.set:
            rule_name, _, value = rule.partition("=")
            options[rule_name] = int(value) if value.lstrip("-").isdigit() else value
        width = gymnasium.make(name, **options).action_space.shape or (0,)
        players = {"random": (random_player(width[0]), options), "scripted": (scripted, options)}
        if args.policy:
            trained, learned_with = trained_player(args.policy)
            steered = {rule: learned_with[rule] for rule in ("control", "hold") if rule in learned_with}
            players["trained"] = trained, options | steered
        for kind, (player, own_options) in players.items():
            mean, error, length = score(name, player, own_options, args.episodes)
            print(f"{name:22}{kind:12}{mean:9.2f}{error:8.2f}{length:9.1f}", flush=True)
        if args.policy and name == "carom/AirHockey-v0":
            mean, error = duel(at_table(*players["trained"]), at_table(scripted, {}), args.episodes)
            print(f"{'':22}{'trained against scripted':24}{mean:.2f} ± {error:.2f}")


if __name__ == "__main__":
    main()

"""Carom beside other Python packages: the same work in turn in one process, CPU time, medians and ratios.

    pip install 'carom-physics[gym]' pymunk billiards pooltool-billiards envpool Box2D
    pip install hardspheres-2d   # wants Python 3.13 and a Rust toolchain
    python peers.py              # what is not installed is left out
    python peers.py breaks       # a part: empty, gases, breaks, environments

A ratio is the time of the other one over that of Carom, each the median of the rounds. The packages do not
all do the same: what steps through time misses impacts, and what each environment simulates differs.
"""

from __future__ import annotations

import importlib.util
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

ROUNDS = 5
FRAME = 1 / 60


def seconds(work: Callable[[], float]) -> float:
    """CPU seconds of a unit of work, which says how many units it was."""
    start = time.process_time()
    units = work()
    return (time.process_time() - start) / units


def in_turn(title: str, unit: str, ours: Callable[[], float], others: dict[str, Callable[[], float]]) -> None:
    """Measures all of them once to warm up, then in turn."""
    works = {"carom": ours, **others}
    for work in works.values():
        work()
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            times[name].append(seconds(work))
    medians = {name: statistics.median(of) for name, of in times.items()}
    print(f"{title}, µs of CPU {unit}", flush=True)
    for name, median in medians.items():
        print(f"  {name:<34} {1e6 * median:>12.3f}   {median / medians['carom']:>8.2f} ×", flush=True)


def has(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def start(n: int, packing: float = 0.3) -> tuple[float, Any, Any]:
    """The side of a box, and places on a square grid and velocities of discs of radius ½ in it."""
    side = float(np.sqrt(n * np.pi / 4 / packing))
    across = int(np.ceil(np.sqrt(n)))
    grid = np.stack(np.meshgrid(np.arange(across), np.arange(across)), axis=-1).reshape(-1, 2)[:n]
    places = (grid + 0.5) * (side / across)
    return side, places, np.random.default_rng(1).normal(size=(n, 2))


def gas(n: int, until: float) -> None:
    """Elastic discs in a box, frame by frame."""
    side, places, velocities = start(n)

    def carom() -> float:
        from carom import Wall, World

        world = World(record_events=False)
        world.add_wall(Wall.container((0, 0), (side, side)))
        world.insert_many(places, 0.5, velocities=velocities)
        for frame in range(1, round(until / FRAME) + 1):
            world.advance_to(frame * FRAME)
        counted.append(world.counters.disc_impacts)
        return until

    def pymunk(steps: int) -> float:
        import pymunk

        space = pymunk.Space()
        corners = [(0, 0), (side, 0), (side, side), (0, side)]
        for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
            wall = pymunk.Segment(space.static_body, a, b, 0)
            wall.elasticity = 1
            space.add(wall)
        for place, velocity in zip(places, velocities, strict=True):
            body = pymunk.Body(1, 1)
            body.position, body.velocity = tuple(place), tuple(velocity)
            shape = pymunk.Circle(body, 0.5)
            shape.elasticity, shape.friction = 1, 0
            space.add(body, shape)
        for _ in range(round(until / FRAME) * steps):
            space.step(FRAME / steps)
        kept.append(sum(0.5 * body.velocity.length_squared for body in space.bodies))
        return until

    def billiards() -> float:
        import billiards

        walls = [billiards.InfiniteWall(*ends) for ends in (
            ((0, 0), (side, 0)), ((side, 0), (side, side)), ((side, side), (0, side)), ((0, side), (0, 0))
        )]
        world = billiards.Billiard(obstacles=walls)
        for place, velocity in zip(places, velocities, strict=True):
            world.add_ball(tuple(place), tuple(velocity), 0.5)
        world.evolve(until)
        return until

    def hardspheres() -> float:
        from hardspheres_2d import HardSpheres
        from hardspheres_2d._core import update_spheres_from_bin

        spheres = HardSpheres(places.tolist(), velocities.tolist(), 0.0, 0.5, side, [1.0] * n, 1e9, 0.0)
        while spheres.t < until:
            update_spheres_from_bin(spheres)
        return until

    counted: list[int] = []
    kept: list[float] = []
    others: dict[str, Callable[[], float]] = {}
    if has("pymunk"):
        others["pymunk, 1 step a frame"] = lambda: pymunk(1)
        others["pymunk, 10 steps a frame"] = lambda: pymunk(10)
    if has("billiards"):
        others["billiards, from event to event"] = billiards
    if has("hardspheres_2d"):
        others["hardspheres-2d, event to event"] = hardspheres
    in_turn(f"{n} elastic discs in a box, {until:g} s", "a second", carom, others)
    print(f"  carom: {counted[0]} impacts of discs")
    energy = 0.5 * float((velocities**2).sum())
    if kept:
        one, ten = (left / energy for left in kept[:2])
        print(f"  pymunk keeps {one:.3f} of the energy with 1 step, {ten:.3f} with 10")


def gases() -> None:
    gas(16, 5.0)
    gas(100, 2.0)


def empty() -> None:
    """A call that has nothing to do."""
    from carom import World

    calls = 20_000
    world = World()

    def carom() -> float:
        for _ in range(calls):
            world.advance(FRAME)
        return calls

    others: dict[str, Callable[[], float]] = {}
    if has("pymunk"):
        import pymunk

        space = pymunk.Space()

        def stepped() -> float:
            for _ in range(calls):
                space.step(FRAME)
            return calls

        others["pymunk"] = stepped
    in_turn("an empty world goes on by a frame", "a call", carom, others)


def breaks() -> None:
    """Nine-ball breaks with spin, cloth and cushions, to rest."""
    from carom.billiards import SHOT, Game, simulate_many

    game = Game("9-ball", seed=1)

    def shots(count: int) -> Any:
        table = np.zeros(count, dtype=SHOT)
        table["speed"], table["seed"] = 8.0, np.arange(count)
        table["direction"] = np.pi / 2 + np.random.default_rng(1).normal(0, 0.005, count)
        return table

    def carom() -> float:
        simulate_many(game, shots(400), threads=1)
        return 400

    def one_by_one() -> float:
        for k in range(20):
            Game("9-ball", seed=k).simulate(8.0, direction=np.pi / 2 + 0.005)
        return 20

    others: dict[str, Callable[[], float]] = {"carom, one by one, recorded": one_by_one}
    if has("pooltool"):
        import pooltool

        def broken() -> float:
            for k in range(4):
                table = pooltool.Table.default()
                balls = pooltool.get_rack(pooltool.GameType.NINEBALL, table)
                cue = pooltool.Cue(cue_ball_id="cue")
                system = pooltool.System(cue=cue, table=table, balls=balls)
                system.cue.set_state(V0=8, phi=90 + 0.3 * (k - 1.5))
                pooltool.simulate(system, inplace=True)
            return 4

        others["pooltool"] = broken
    in_turn("a nine-ball break", "a break", carom, others)


def steps_of(envs: Any, actions: Any, steps: int) -> Callable[[], float]:
    envs.reset(seed=1)

    def work() -> float:
        for _ in range(steps):
            envs.step(actions)
        return steps * envs.num_envs

    return work


def environments() -> None:
    """Vector environments, observation and reward included, with the same actions at each step."""
    import gymnasium
    from carom import Disc, Wall, World

    import carom.gym  # noqa: F401

    def world(n: int) -> Any:
        side, places, _ = start(n)
        made = World()
        made.add_wall(Wall.container((0, 0), (side, side)))
        for place in places:
            made.insert(Disc(tuple(place), 0.5))
        return made

    many = 256
    rng = np.random.default_rng(1)

    def ours(name: str, steps: int, **options: Any) -> Callable[[], float]:
        envs = gymnasium.make_vec(name, num_envs=many, vectorization_mode="vector_entry_point", **options)
        low, high = envs.single_action_space.low, envs.single_action_space.high
        actions = rng.uniform(low, high, (many, *low.shape)).astype(np.float32)
        return steps_of(envs, actions, steps)

    others: dict[str, Callable[[], float]] = {
        "carom/Discs-v0, 16 discs": ours("carom/Discs-v0", 30, world=world(16), start_speed=1.0),
        "carom/PodArena-v0": ours("carom/PodArena-v0", 100),
        "carom/AirHockey-v0": ours("carom/AirHockey-v0", 30),
    }
    bits = rng.integers(0, 2, many)
    cart = gymnasium.make_vec("CartPole-v1", num_envs=many, vectorization_mode="vector_entry_point")
    others["Gymnasium CartPole-v1, in numpy"] = steps_of(cart, bits, 100)
    one_by_one = gymnasium.make_vec("CartPole-v1", num_envs=16, vectorization_mode="sync")
    others["Gymnasium CartPole-v1, one by one"] = steps_of(one_by_one, bits[:16], 100)
    if has("envpool"):
        import envpool

        pool = envpool.make_gymnasium("CartPole-v1", num_envs=many, num_threads=1)
        pool.reset()

        def pooled() -> float:
            for _ in range(100):
                pool.step(bits)
            return 100 * many

        others["EnvPool CartPole-v1, 1 thread"] = pooled
    if has("Box2D"):
        lander = gymnasium.make_vec("LunarLander-v3", num_envs=16, vectorization_mode="sync")
        others["Gymnasium LunarLander-v3, by Box2D"] = steps_of(lander, rng.integers(0, 4, 16), 20)
    four = ours("carom/Discs-v0", 100, world=world(4), start_speed=1.0)
    in_turn("environments; carom is Discs-v0 of 4 discs", "a step", four, others)


PARTS: dict[str, Callable[[], None]] = {
    "empty": empty,
    "gases": gases,
    "breaks": breaks,
    "environments": environments,
}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()

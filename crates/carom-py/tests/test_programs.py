"""Random programs of calls: looking, saving and copying change no bit of what follows."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import carom
import numpy as np
import pytest
from carom import Disc, Region, Wall, World

Call = Callable[[World], object]

WORLDS: list[dict[str, Any]] = [
    {},
    {"gravity": (0, -1)},
    {"rough": (0.4, 0.3)},
    {"verdicts": [{"second": {"is": "wall"}, "verdict": "restitution", "restitution": 0.8}]},
    {"restitution": "minimum", "simultaneous": "one_by_one"},
]


def call(rng: np.random.Generator) -> Call:
    """A call that refuses nothing, or does so without a trace."""
    x, y, speed = rng.uniform(0.5, 15.5), rng.uniform(0.5, 8.5), rng.normal(size=2)
    index, amount = int(rng.integers(1 << 30)), float(rng.uniform(0.1, 0.5))

    def some(world: World) -> int:
        return int(world.ids[index % max(len(world), 1)]) if len(world) else 12345

    calls: list[Call] = [
        lambda world: world.insert(Disc((x, y), amount, velocity=speed, restitution=0.9)),
        lambda world: world.advance(amount),
        lambda world: world.step_event(),
        lambda world: world.until(amount, kinds=["impact"]),
        lambda world: world.set_velocity(some(world), speed),
        lambda world: world.set_position(some(world), (x, y)),
        lambda world: world.set_mass(some(world), amount),
        lambda world: world.set_radius(some(world), amount),
        lambda world: world.apply_impulse(some(world), speed),
        lambda world: world.set_enabled(some(world), index % 2 == 0),
        lambda world: world.remove(some(world)),
        lambda world: world.set_timer(amount, index),
        lambda world: world.add_region(Region.disc((x, y), amount)),
        lambda world: world.set_velocities(world.velocities * amount),
        lambda world: world.scale_velocities(1 + amount),
        lambda world: world.add_wall(Wall.disc((x, y), amount / 2, restitution=0.9)),
    ]
    return calls[int(rng.integers(len(calls)))]


def made(options: dict[str, Any], seed: int) -> tuple[World, list[Call]]:
    rng = np.random.default_rng(seed)
    world = World(**options)
    world.add_wall(Wall.container((0, 0), (16, 9), restitution=0.9))
    places = np.stack(np.meshgrid(np.arange(2, 14, 3), np.arange(2, 8, 2)), axis=-1).reshape(-1, 2)
    world.insert_many(places, 0.4, velocities=rng.normal(size=places.shape))
    return world, [call(rng) for _ in range(60)]


def perform(world: World, each: Call) -> str:
    try:
        each(world)
    except carom.CaromError as error:
        return type(error).__name__ + str(error.field)
    return "done"


def look(world: World) -> None:
    """Asks all that can be asked."""
    assert len(world.positions) == len(world.velocities) == len(world)
    world.event_list, world.events, world.walls, world.regions, world.timers  # noqa: B018
    world.next_event()
    world.nearest((5, 5), 3)
    world.cast_rays([[8, 4.5]], [[1, 0.1]])
    if len(world):
        world.forecast(int(world.ids[0]), 2.0)


@pytest.mark.parametrize("options", WORLDS)
@pytest.mark.parametrize("seed", range(4))
def test_looking_and_saving_change_nothing(options: dict[str, Any], seed: int) -> None:
    (plain, calls), (watched, _) = made(options, seed), made(options, seed)
    for number, each in enumerate(calls):
        look(watched)
        if number % 3 == 0:
            watched = pickle.loads(pickle.dumps(watched))
        elif number % 7 == 0:
            watched = copy.deepcopy(watched)
        assert perform(plain, each) == perform(watched, each)
        assert plain.checksum() == watched.checksum(), plain.diff(watched)
    assert plain.now > 1 and plain.counters.events > 0


def test_a_refused_call_leaves_no_trace() -> None:
    refused = 0
    for seed in range(20):
        world, calls = made({}, seed)
        for each in calls:
            before = world.checksum()
            if perform(world, each) != "done":
                refused += 1
                assert world.checksum() == before
    assert refused > 10

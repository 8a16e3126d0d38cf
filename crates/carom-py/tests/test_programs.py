"""Random programs of calls: looking, saving and copying change no bit of what follows."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any, NamedTuple

import carom
import numpy as np
from carom import Disc, Region, Wall, World
from hypothesis import given, settings
from hypothesis import strategies as st

WORLDS: list[dict[str, Any]] = [
    {},
    {"gravity": (0, -1)},
    {"rough": (0.4, 0.3)},
    {"verdicts": [{"second": {"is": "wall"}, "verdict": "restitution", "restitution": 0.8}]},
    {"restitution": "minimum", "simultaneous": "one_by_one"},
]


class Call(NamedTuple):
    """A call that refuses nothing, or does so without a trace."""

    name: str
    place: tuple[float, float]
    speed: tuple[float, float]
    amount: float
    number: int

    def disc(self, world: World) -> int:
        return int(world.ids[self.number % len(world)]) if len(world) else 12345


CALLS: dict[str, Callable[[World, Call], object]] = {
    "insert": lambda world, c: world.insert(Disc(c.place, c.amount, velocity=c.speed, restitution=0.9)),
    "advance": lambda world, c: world.advance(c.amount),
    "step_event": lambda world, c: world.step_event(),
    "until": lambda world, c: world.until(c.amount, kinds=["impact"]),
    "set_velocity": lambda world, c: world.set_velocity(c.disc(world), c.speed),
    "set_position": lambda world, c: world.set_position(c.disc(world), c.place),
    "set_mass": lambda world, c: world.set_mass(c.disc(world), c.amount),
    "set_radius": lambda world, c: world.set_radius(c.disc(world), c.amount),
    "apply_impulse": lambda world, c: world.apply_impulse(c.disc(world), c.speed),
    "set_enabled": lambda world, c: world.set_enabled(c.disc(world), c.number % 2 == 0),
    "remove": lambda world, c: world.remove(c.disc(world)),
    "set_timer": lambda world, c: world.set_timer(c.amount, c.number),
    "add_region": lambda world, c: world.add_region(Region.disc(c.place, c.amount)),
    "set_velocities": lambda world, c: world.set_velocities(world.velocities * c.amount),
    "scale_velocities": lambda world, c: world.scale_velocities(1 + c.amount),
    "add_wall": lambda world, c: world.add_wall(Wall.disc(c.place, c.amount / 2, restitution=0.9)),
}

# Round numbers among all others: there several things happen at one instant.
COORDINATES = st.one_of(st.sampled_from([2.0, 4.0, 4.5, 5.0, 8.0]), st.floats(0.5, 15.5))
SPEEDS = st.one_of(st.sampled_from([0.0, 1.0, -1.0, 2.0]), st.floats(-3, 3))
PROGRAMS = st.lists(
    st.builds(
        Call,
        st.sampled_from(sorted(CALLS)),
        st.tuples(COORDINATES, COORDINATES),
        st.tuples(SPEEDS, SPEEDS),
        st.one_of(st.sampled_from([0.25, 0.5]), st.floats(0.1, 0.5)),
        st.integers(0, 1 << 30),
    ),
    min_size=1,
    max_size=40,
)
# The same programs in every run.
same = settings(derandomize=True, deadline=None, database=None, max_examples=60)


def made(options: dict[str, Any]) -> World:
    world = World(**options)
    world.add_wall(Wall.container((0, 0), (16, 9), restitution=0.9))
    places = np.stack(np.meshgrid(np.arange(2, 14, 3), np.arange(2, 8, 2)), axis=-1).reshape(-1, 2)
    speeds = np.random.default_rng(1).normal(size=places.shape)
    world.insert_many(places, 0.4, velocities=speeds)
    return world


def perform(world: World, call: Call) -> str:
    try:
        CALLS[call.name](world, call)
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


@same
@given(st.sampled_from(WORLDS), PROGRAMS)
def test_looking_and_saving_change_nothing(options: dict[str, Any], program: list[Call]) -> None:
    plain, watched = made(options), made(options)
    for step, call in enumerate([*program, Call("advance", (1, 1), (0, 0), 20.0, 0)]):
        look(watched)
        if step % 3 == 0:
            watched = pickle.loads(pickle.dumps(watched))
        elif step % 7 == 0:
            watched = copy.deepcopy(watched)
        assert perform(plain, call) == perform(watched, call)
        assert plain.checksum() == watched.checksum(), plain.diff(watched)
    assert plain.now >= 20


@same
@given(st.sampled_from(WORLDS), PROGRAMS)
def test_a_refused_call_leaves_no_trace(options: dict[str, Any], program: list[Call]) -> None:
    world = made(options)
    answers = []
    for call in [*program, Call("add_wall", (8, 4), (0, 0), -1.0, 0)]:
        before = world.checksum()
        answers.append(perform(world, call))
        assert answers[-1] == "done" or world.checksum() == before
    assert answers[-1] == "CaromErrorradius"

"""Laws of the engine that must hold through Python, and the manners of the package."""

from __future__ import annotations

import copy
import gc
import math
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import carom
import numpy as np
import pytest
from carom import Disc, EventKind, Region, Wall, World


def box(**options: Any) -> World:
    world = World(**options)
    world.add_wall(Wall.container((0, 0), (16, 9)))
    return world


def gas(n: int = 60, seed: int = 1, **options: Any) -> World:
    """Discs on a lattice with random velocities."""
    world = box(**options)
    rng = np.random.default_rng(seed)
    places = np.stack(np.meshgrid(np.arange(1, 15), np.arange(1, 8)), axis=-1).reshape(-1, 2)[:n]
    world.insert_many(places, 0.3, velocities=rng.normal(size=(n, 2)))
    return world


def test_times_of_impact_are_those_of_the_formula() -> None:
    world = World()
    world.add_wall(Wall.container((0, 0), (4, 2)))
    world.insert(Disc((1, 1), 0.5, velocity=(2, 0)))
    done = world.advance(3.0)
    # (4 - 0.5 - 1) / 2 s to the wall, and (4 - 2 * 0.5) / 2 s across.
    assert (done.end, done.time, done.events) == ("reached", 3.0, 2)
    assert world.events["time"].tolist() == [1.25, 2.75]
    assert (world.events["impulse"] == 4.0).all()
    assert (world.events["kind"] == EventKind.IMPACT).all()


def test_events_as_objects_say_what_the_array_says() -> None:
    world = gas()
    world.advance(5.0)
    rows, objects = world.events, world.event_list
    assert len(rows) == len(objects) == world.event_count > 100
    for row, event in zip(rows, objects, strict=True):
        assert event.kind == EventKind(row["kind"]).name.lower()
        assert event.time == row["time"] and event.a == row["a"]
        assert event.b == (("disc", "wall")[row["b_kind"] - 1], row["b"], row["part"])
        assert event.normal == tuple(row["normal"]) and event.after == tuple(map(tuple, row["after"]))


def test_cuts_of_time_change_no_bit() -> None:
    at_once, in_frames, by_events = gas(), gas(), gas()
    at_once.advance_to(5.0)
    for frame in range(1, 301):
        in_frames.advance_to(frame / 60)
    while (following := by_events.next_event()) and float(following[0]) <= 5.0:
        by_events.step_event()
    by_events.advance_to(5.0)
    assert at_once.checksum() == in_frames.checksum() == by_events.checksum()
    assert at_once.diff(in_frames) is None


def test_a_long_call_is_cut_into_slices_without_a_trace() -> None:
    long, short = gas(seed=3), gas(seed=3)
    assert long.advance(500.0).events > 21_000
    for _ in range(500):
        short.advance_to(short.now + 1)
    assert long.checksum() == short.checksum()
    assert long.event_count == len(long.events) > 21_000


def test_energy_and_momentum_are_kept() -> None:
    world = gas()
    before = world.kinetic_energy
    world.advance(10.0)
    assert math.isclose(world.kinetic_energy, before, rel_tol=1e-12)
    energies = 0.5 * world.masses * (world.velocities**2).sum(axis=1)
    assert world.kinetic_energy == pytest.approx(energies.sum())
    assert world.momentum == pytest.approx(tuple(world.velocities.sum(axis=0)))


def test_the_budget_ends_a_call_and_the_next_goes_on() -> None:
    world, other = gas(budget=10), gas()
    while world.advance_to(2.0).end == "out_of_budget":
        pass
    other.advance_to(2.0)
    assert world.budget == 10
    assert np.array_equal(world.positions, other.positions)


def test_arrays_are_read_only_and_stay_what_they_were() -> None:
    world = gas()
    before = world.positions
    kept = before.copy()
    assert world.positions is before
    with pytest.raises(ValueError):
        before[0, 0] = 1.0
    view = world.velocities[3:5]
    speeds = view.copy()
    world.advance(1.0)
    assert np.array_equal(before, kept) and np.array_equal(view, speeds)
    assert not np.array_equal(world.positions, kept)
    now = world.positions
    del world
    gc.collect()
    assert now.shape == (60, 2) and now.dtype == np.float64 and np.isfinite(now).all()


def test_bulk_setters_are_all_or_nothing() -> None:
    world = gas()
    before = world.checksum()
    velocities = world.velocities.copy()
    velocities[59, 1] = np.nan
    with pytest.raises(carom.CaromError) as refused:
        world.set_velocities(velocities)
    assert refused.value.field == "velocity.y"
    radii = np.full(60, 0.2)
    radii[59] = -1
    with pytest.raises(carom.CaromError):
        world.set_radii(radii)
    with pytest.raises(carom.CaromError, match="at row 0") as refused:
        world.insert_many(np.array([[20, 20], [20.1, 20]]), 0.5)
    assert refused.value.field == "overlap" and refused.value.row == 0
    with pytest.raises(carom.CaromError):
        world.set_masses([1.0, 2.0])
    assert world.checksum() == before and len(world) == 60
    world.set_radii(np.full(60, 0.2))
    world.set_masses(2.0)
    world.set_velocities(np.zeros((1, 2)), world.ids[:1])
    assert (world.radii == 0.2).all() and (world.masses == 2).all() and (world.velocities[0] == 0).all()
    world.set_positions(world.positions[::-1])
    assert np.array_equal(world.user_data, np.zeros(60))


@pytest.mark.parametrize(
    ("field", "call"),
    [
        ("radius", lambda world: world.insert(Disc((5, 5), -1))),
        ("position.x", lambda world: world.insert(Disc((math.nan, 5), 1))),
        ("mass", lambda world: world.insert(Disc((5, 5), 1, mass=-1))),
        ("dt", lambda world: world.advance(-1)),
        ("time", lambda world: world.advance_to(-1)),
        ("restitution", lambda _: Wall.segment((0, 0), (1, 0), restitution=2)),
        ("scheduler", lambda _: World(scheduler="quick")),  # type: ignore[arg-type]
        ("friction", lambda world: world.insert(Disc((5, 5), 1, friction=0.1))),
        ("angular_velocity", lambda world: world.insert(Disc((5, 5), 1, angular_velocity=1))),
        ("rolling_resistance", lambda _: Disc((5, 5), 1, roughness=(0.1, 0), rolling_resistance=-1)),
        ("rolling_resistance", lambda _: Disc((5, 5), 1, rolling_resistance=0.1)),
        ("rolling_resistance", lambda _: Wall.segment((0, 0), (1, 0), rolling_resistance=0.1)),
        ("rolling_resistance", lambda _: World(rolling_resistance=0.1)),
        (
            "rolling_resistance",
            lambda world: world.insert(Disc((5, 5), 1, roughness=(0, 0), rolling_resistance=0.1)),
        ),
        ("surface_speed", lambda _: Wall.segment((0, 0), (1, 0), surface_speed=math.nan)),
        ("surface_speed", lambda world: world.add_wall(Wall.segment((0, 0), (1, 0), surface_speed=1))),
        ("forces", lambda _: World(forces=False, gravity=(0, -1))),
        ("verdicts[0].verdict", lambda _: World(verdicts=[{"verdict": "bounze"}])),
        ("a key of verdicts[0]", lambda _: World(verdicts=[{"verdict": "bounce", "speed2": 1}])),
        ("verdicts[0].speed", lambda _: World(verdicts=[{"verdict": "kick", "speed": -1}])),
        ("kind", lambda world: world.until(1, kinds=["impakt"])),
    ],
)
def test_errors_name_field_value_and_what_is_allowed(field: str, call: Callable[[World], object]) -> None:
    world = box()
    before = world.checksum()
    with pytest.raises(ValueError) as refused:
        call(world)
    assert isinstance(refused.value, carom.CaromError)
    assert refused.value.field == field
    assert refused.value.value is not None and refused.value.allowed
    assert field in str(refused.value)
    assert pickle.loads(pickle.dumps(refused.value)).field == field
    assert world.checksum() == before


def test_a_stale_handle_is_a_key_error() -> None:
    world = box()
    first = world.insert(Disc((5, 5), 1))
    world.remove(first)
    second = world.insert(Disc((5, 5), 1))
    assert first != second and first not in world and second in world and world.get(first) is None
    for call in (world.__getitem__, world.remove, lambda disc: world.set_mass(disc, 1.0)):
        with pytest.raises(KeyError) as refused:
            call(first)
        assert isinstance(refused.value, carom.StaleHandle) and isinstance(refused.value, carom.CaromError)
    with pytest.raises(KeyError):
        world.remove_wall(12345)
    with pytest.raises(KeyError):
        world.remove_region(0)
    with pytest.raises(TypeError):
        world.insert(Disc((1, 2, 3), 1))


def test_snapshots_go_on_with_the_same_bits() -> None:
    for world in (gas(), gas(gravity=(0, -1)), gas(rough=(0.3, 0.5)), gas(drag=0.1)):
        world.set_timer(3.0, 7)
        world.add_region(Region.disc((8, 4), 2))
        world.advance(2.0)
        copies: list[World] = [
            World.from_bytes(world.to_bytes()),
            pickle.loads(pickle.dumps(world)),
            copy.deepcopy(world),
            copy.copy(world),
        ]
        world.advance(3.0)
        for other in copies:
            assert other.checksum() != world.checksum()
            other.advance(3.0)
            assert other.checksum() == world.checksum(), world.diff(other)
            assert np.array_equal(other.events, world.events) or other.event_count > 0
    with pytest.raises(carom.CaromError):
        World.from_bytes(b"carom1\0nothing")


def test_a_pickle_goes_to_another_process() -> None:
    world = gas()
    code = (
        "import pickle, sys; w = pickle.load(sys.stdin.buffer); w.advance(2.0); print(w.checksum())"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, input=pickle.dumps(world), capture_output=True, check=True)
    world.advance(2.0)
    assert int(done.stdout) == world.checksum()


def test_ctrl_c_ends_a_long_call() -> None:
    world = gas(seed=5, record_events=False, budget=2**62)
    main = threading.main_thread().ident
    assert main is not None
    # A shell starts what it runs beside itself with the signal ignored, and Python leaves that so.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.3, lambda: signal.pthread_kill(main, signal.SIGINT)).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            world.advance(1e6)
    finally:
        signal.signal(signal.SIGINT, before)
    # It stands after some event, and goes on.
    assert world.now > 0 and world.budget == 2**62
    energy = world.kinetic_energy
    world.advance(1.0)
    assert math.isclose(world.kinetic_energy, energy, rel_tol=1e-9)


def test_long_calls_release_the_gil() -> None:
    # However fast the machine is, there is a call that is long enough for another thread to count meanwhile.
    world = gas(seed=6, record_events=False)
    counted = 0
    seconds = 200.0
    while counted <= 3 and seconds < 1e5:
        thread = threading.Thread(target=world.advance, args=(seconds,))
        thread.start()
        counted = 0
        while thread.is_alive():
            counted += 1
            time.sleep(0.001)
        thread.join()
        seconds *= 2
    assert counted > 3


def test_worlds_in_threads_do_not_disturb_each_other() -> None:
    wanted = gas(seed=7)
    wanted.advance(100.0)
    worlds = [gas(seed=7) for _ in range(4)]
    threads = [threading.Thread(target=world.advance, args=(100.0,)) for world in worlds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {world.checksum() for world in worlds} == {wanted.checksum()}


def test_worlds_can_be_extended_and_weakly_referenced() -> None:
    class Named(World):
        name = "a"

    world = Named()
    reference = weakref.ref(world)
    assert reference() is world and world.name == "a"
    del world
    gc.collect()
    assert reference() is None


def test_until_stops_at_the_first_event_that_is_wanted() -> None:
    world = World()
    cue = world.insert(Disc((0, 0), 0.5, velocity=(4, 0)))
    target = world.insert(Disc((5, 0), 0.5))
    world.set_timer(0.5, 3)
    done = world.until(60, kinds=["impact"], involving=target)
    assert (done.end, done.time) == ("stopped", 1.0)
    assert world.event_list[-1].b == ("disc", target, 0)
    world = World()
    world.insert(Disc((0, 0), 0.5, velocity=(4, 0)))
    world.set_timer(0.5, 3)
    assert world.until(60, when=lambda event: event.note == 3).time == 0.5
    world.set_timer(0.5, 3)
    with pytest.raises(ZeroDivisionError):
        world.until(60, when=lambda event: 1 / 0)
    assert world.now == 1.0


def test_timers_and_exact_times() -> None:
    world = World(start=1 / 3)
    timer = world.set_timer(0.1, 5)
    [(listed, at)] = world.timers
    assert listed == timer and isinstance(at, carom.Time)
    world.advance_to(at)
    assert world.exact_now == at and float(at) == world.now
    [event] = world.event_list
    assert (event.kind, event.note, event.timer) == ("timer", 5, timer)
    assert not world.cancel_timer(timer)
    assert at <= world.exact_now and hash(at) == hash(world.exact_now)


def test_what_moves_arrives() -> None:
    world = World()
    mallet = world.insert(Disc((0, 0), 0.5, kinematic=True))
    puck = world.insert(Disc((2, 0), 0.5))
    assert world[mallet].mass == math.inf
    arrival = world.move_to(mallet, (1.3, 0), 0.1)
    assert world[mallet].target == (1.3, 0)
    world.advance_to(arrival)
    assert world[mallet].position == (1.3, 0) and world[puck].velocity == (26, 0)
    wall = world.add_wall(Wall.segment((-5, -1), (-5, 1)))
    world.advance_to(world.move_wall(wall, (1, 0), 0.5))
    assert [event.kind for event in world.event_list] == ["wall_moved"]
    assert world.walls[wall].shape == ("segment", {"a": (-4, -1), "b": (-4, 1)})
    assert world.wall_motion(wall) == ((1, 0), (0, 0), (1, 0))
    arm = world.add_wall(Wall.arm((0, 5), 1, 0.1, 0))
    world.advance_to(world.turn_arm(arm, 0.5, 2.0))
    assert world.arm(arm) == (0.5, 0, 0.5)


def test_regions_see_who_enters() -> None:
    world = World()
    ball = world.insert(Disc((0, 0), 0.5, velocity=(1, 0)))
    goal = world.add_region(Region.rectangle((2, -1), (3, 1), user_data=9))
    world.advance(2.5)
    assert world.inside(goal).tolist() == [ball] and world.is_inside(goal, ball)
    world.advance(2.5)
    [left] = world.event_list
    assert (left.kind, left.time, left.region, left.cause) == ("left", 3.0, goal, "motion")
    assert list(world.regions) == [goal] and world.regions[goal].user_data == 9
    world.remove_region(goal)


def test_queries_and_their_batches_agree() -> None:
    world = gas()
    [near] = world.nearest((8.2, 4.2))
    assert near.body is not None and near.body[0] == "disc"
    assert world.overlap_point(world.positions[0], only="discs") == [("disc", int(world.ids[0]), 0)]
    assert len(world.overlap_box((0.5, 0.5), (2.5, 2.5), only="discs")) == 4
    angles = np.linspace(0, 2 * np.pi, 50)
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    origins = np.full((50, 2), 4.5)
    hits = world.cast_rays(origins, directions)
    for origin, direction, row in zip(origins, directions, hits, strict=True):
        hit = world.cast_ray(origin, direction)
        assert hit is not None and hit.distance == row["distance"]
        assert hit.body == (("disc", "wall")[row["kind"] - 1], row["body"], row["part"])
    assert world.ray_hits((4.5, 4.5), (1, 0))[-1].body[0] == "wall"
    cast = world.cast_disc((4.5, 4.5), 0.1, (3, 0))
    assert cast is not None and cast.seconds > 0
    with pytest.raises(TypeError):
        world.overlap_point((0, 0), excludes=3)


def test_forecasts_are_what_happens() -> None:
    world = gas()
    disc = int(world.ids[0])
    path = world.forecast(disc, 3.0)
    batch = world.forecasts(disc, [world[disc].velocity, (1, 1)], 3.0)
    assert [piece.end for piece in batch[0].pieces] == [piece.end for piece in path.pieces]
    before = world.checksum()
    assert world.forecast(disc, 3.0, velocity=(5, 0)).pieces[0].velocity == (5, 0)
    assert world.checksum() == before
    world.advance(3.0)
    assert path.end == "time" and path.pieces[-1].end_position == world[disc].position


def test_a_timeline_goes_back_with_the_same_bits() -> None:
    world = gas()
    timeline = carom.Timeline(world)
    timeline.go_to(2.0)
    there = timeline.world.checksum()
    timeline.go_to(9.0)
    timeline.go_to(2.0)
    assert timeline.world.checksum() == there
    timeline.step_back()
    timeline.go_to_event(5)
    assert timeline.event == 5 and timeline.last_event > 5
    edited = timeline.world
    edited.set_velocity(int(edited.ids[0]), (9, 9))
    timeline.edit(edited)
    assert timeline.world[int(edited.ids[0])].velocity == (9, 9)


def test_forces_rest_and_friction() -> None:
    world = World(gravity=(0, -2))
    world.add_wall(Wall.half_plane((0, 0), (0, 1), restitution=0))
    ball = world.insert(Disc((0, 4.5), 0.5, restitution=0))
    world.advance(3.0)
    # A fall by 4 takes 2 s, and then it lies.
    assert world[ball].velocity == (0, 0) and world.held_to(ball)[0][0] == "wall"
    assert "held" in {event.kind for event in world.event_list}
    world.gravity = (0, 0)
    assert world.gravity == (0, 0)
    table = World(weight=10)
    slider = table.insert(Disc((0, 0), 1, velocity=(2, 0), friction=0.1))
    table.advance(5.0)
    # It stops after v / (mu g) = 2 s and v² / (2 mu g) = 2 m.
    assert table[slider].position[0] == pytest.approx(2, abs=1e-12)
    assert [(event.kind, event.time) for event in table.event_list] == [("change", 2.0)]
    assert [event.change for event in table.event_list] == ["stops"]
    table.set_forces(slider, friction=0.2)
    assert table[slider].friction == 0.2 and table[slider].gravity_scale == 1


def test_a_speed_limit() -> None:
    world = World(forces=True)
    ship = world.insert(Disc((0, 0), 0.5, acceleration=(2, 0), speed_limit=4))
    world.advance(5.0)
    # At the limit after 2 s, 4 from the start, and on with 4.
    assert (world[ship].position, world[ship].velocity) == ((16, 0), (4, 0))
    assert [(event.change, event.time) for event in world.event_list] == [("reaches_limit", 2.0)]
    world.set_forces(ship, speed_limit=6)
    world.advance(2.0)
    assert (world[ship].speed_limit, world[ship].velocity) == (6, (6, 0))
    with pytest.raises(ValueError, match="speed_limit"):
        world.set_forces(ship, speed_limit=-1)
    with pytest.raises(ValueError, match="speed_limit"):
        World().insert(Disc((0, 0), 0.5, speed_limit=4))


def test_growth_periods_and_drag() -> None:
    world = World(period=(10, 10), growth=0.1)
    world.insert(Disc((9, 5), 0.5, velocity=(2, 0)))
    world.advance(1.0)
    assert world.radii[0] == pytest.approx(0.55)
    assert world.positions[0].tolist() == [1, 5] and world.unwrapped_positions[0].tolist() == [11, 5]
    world.growth = 0
    assert world.growth == 0 and world.period == (10, 10)
    slow = World(drag=1.0)
    slow.insert(Disc((0, 0), 1, velocity=(1, 0)))
    slow.advance(1.0)
    assert slow.velocities[0, 0] == pytest.approx(math.exp(-1))

"""Rules of games: verdict tables, and functions as the slow door."""

from __future__ import annotations

import math
import pickle
from collections.abc import Mapping
from typing import Any

import carom
import numpy as np
import pytest
from carom import Disc, Encounter, Wall, World

BALL, BUMPER, BRICK, BULLET = 1, 2, 3, 4


def test_a_bumper_kicks_a_brick_breaks_and_a_bullet_is_gone() -> None:
    world = World(
        verdicts=[
            {
                "second": {"user_data": BUMPER},
                "verdict": "kick",
                "speed": 2,
                "commands": [{"do": "set_timer", "seconds": 0, "note": 100}],
            },
            {
                "first": {"user_data": BALL},
                "second": {"user_data": BRICK},
                "min_speed": 2.5,
                "verdict": "bounce_and_remove",
                "which": "second",
            },
            {"first": {"user_data": BULLET}, "verdict": "remove", "which": "first"},
        ]
    )
    world.add_wall(Wall.disc((0, 0), 1, user_data=BUMPER))
    brick = world.add_wall(Wall.segment((4, -1), (4, 1), user_data=BRICK))
    ball = world.insert(Disc((2, 0), 0.5, velocity=(-1, 0), user_data=BALL))
    world.advance(1.0)
    assert world[ball].velocity == (3, 0)
    assert [event.note for event in world.event_list if event.kind == "timer"] == [100]
    world.advance(1.0)
    assert brick not in world.walls and world[ball].velocity == (5, 0)
    bullet = world.insert(Disc((9, 0), 0.1, velocity=(-20, 0), user_data=BULLET))
    world.advance(1.0)
    assert bullet not in world and "removed" in {event.kind for event in world.event_list}


def test_verdicts_take_sides_and_commands_edit() -> None:
    world = World(
        verdicts=[
            {
                "first": {"is": "disc", "user_data": (1, 5)},
                "second": {"is": "disc", "team": 7},
                "verdict": "capture",
                "which": "first",
                "commands": [
                    {"do": "set_user_data", "of": "second", "user_data": 8},
                    {"do": "insert", "at": "first", "disc": Disc((0, 3), 0.25, user_data=77)},
                ],
            },
            {"second": {"is": "wall"}, "toward": (0, 1), "verdict": "pass"},
            {"second": {"is": "wall"}, "verdict": "restitution", "restitution": 0.5},
        ]
    )
    hole = world.insert(Disc((0, 0), 1, team=7, mass=math.inf))
    ball = world.insert(Disc((5, 0), 0.5, velocity=(-1, 0), user_data=3))
    world.advance(4.0)
    assert not world[ball].enabled and world[hole].user_data == 8
    [new] = [disc for disc in world if world[disc].user_data == 77]
    assert world[new].position == (1.5, 3)
    world.clear()
    world.add_wall(Wall.segment((-2, 2), (2, 2)))
    up = world.insert(Disc((0, 0), 0.5, velocity=(0, 1)))
    down = world.insert(Disc((1.5, 5), 0.5, velocity=(0, -1)))
    world.advance(4.0)
    assert world[up].velocity == (0, 1) and world[down].velocity == (0, 0.5)
    assert "passed" in {event.kind for event in world.event_list}


def test_tables_go_into_snapshots() -> None:
    world = World(verdicts=[{"verdict": "restitution", "restitution": 0.5}])
    world.add_wall(Wall.half_plane((0, 0), (1, 0)))
    world.insert(Disc((3, 0), 1, velocity=(-1, 0)))
    loaded = pickle.loads(pickle.dumps(world))
    loaded.advance(3.0)
    assert loaded.velocities.tolist() == [[0.5, 0]]
    world.set_verdicts([])
    world.advance(3.0)
    assert world.velocities.tolist() == [[1, 0]]


def test_a_function_judges_what_no_rule_fits() -> None:
    seen: list[Encounter] = []

    def judge(met: Encounter) -> Mapping[str, Any] | None:
        seen.append(met)
        return {"verdict": "kick", "speed": 1} if met.approach_speed < 2 else None

    world = World(judge=judge)
    world.add_wall(Wall.container((0, 0), (4, 4)))
    ball = world.insert(Disc((2, 2), 1, velocity=(1, 0), mass=3))
    world.advance(1.0)
    assert world[ball].velocity == (-2, 0)
    world.advance(1.5)
    assert world[ball].velocity == (2, 0)
    assert [met.time for met in seen] == [1.0, 2.0]
    assert seen[0].a == ("disc", ball, 0) and seen[0].b[0] == "wall" and seen[0].masses[0] == 3
    with pytest.raises(carom.CaromError):
        pickle.dumps(world)


def test_what_a_function_raises_ends_the_call_at_that_event() -> None:
    def judge(met: Encounter) -> None:
        raise RuntimeError("no")

    world = World(judge=judge)
    world.add_wall(Wall.container((0, 0), (4, 4)))
    world.insert(Disc((2, 2), 1, velocity=(1, 0)))
    with pytest.raises(RuntimeError):
        world.advance(100.0)
    assert world.now == 1.0
    with pytest.raises(RuntimeError):
        world.step_event()
    before = world.checksum()
    with pytest.raises(RuntimeError):
        world.forecast(int(world.ids[0]), 10.0)
    with pytest.raises(RuntimeError):
        world.forecasts(int(world.ids[0]), [(1, 0), (0, 1)], 10.0)
    assert world.checksum() == before
    with pytest.raises(carom.CaromError):
        carom.Timeline(world)

    world = World(judge=lambda met: {"verdict": "kik"})
    world.insert_many([[0, 0], [3, 0]], 1, velocities=[[1, 0], [0, 0]])
    with pytest.raises(carom.CaromError) as refused:
        world.advance(2.0)
    assert refused.value.field == "the verdict.verdict"


def test_a_world_with_rules_that_never_fit_is_one_without() -> None:
    def world(**options: Any) -> World:
        world = World(**options)
        world.add_wall(Wall.container((0, 0), (10, 10)))
        rng = np.random.default_rng(2)
        places = np.stack(np.meshgrid(np.arange(1, 9), np.arange(1, 9)), axis=-1).reshape(-1, 2)
        world.insert_many(places, 0.3, velocities=rng.normal(size=(64, 2)))
        world.advance(5.0)
        return world

    plain = world()
    ruled = world(verdicts=[{"first": {"user_data": 99}, "verdict": "pass"}])
    judged = world(judge=lambda met: None)
    assert np.array_equal(plain.positions, ruled.positions)
    assert np.array_equal(plain.positions, judged.positions)

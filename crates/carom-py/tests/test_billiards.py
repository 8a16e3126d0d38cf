"""Billiards through Python."""

from __future__ import annotations

import math
from collections.abc import Callable

import carom
import numpy as np
import pytest
from carom import billiards
from carom.billiards import SHOT, Game, simulate_many

UP = math.pi / 2


def test_a_break_meets_the_apex_ball_first() -> None:
    game = Game("9-ball", seed=1)
    assert game.labels[:2] == ["cue", "1"] and game.positions.shape == (10, 2)
    outcome = game.shoot(9.0, direction=UP)
    assert outcome.first_hit == "1" and outcome.is_over and outcome.duration > 1
    assert len(outcome.hits) > 9 and outcome.impacts > 9
    for label, pocket, time in outcome.potted:
        assert not game.on_table[game.labels.index(label)] and 1 <= pocket <= 6 and time < outcome.duration


def test_a_struck_ball_rolls_at_five_sevenths_of_its_speed() -> None:
    # Struck at its centre a ball slides without spin, until friction has made it roll at 5/7 v.
    game = Game.of_balls({"cue": (0.625, 0.25)}, table="pool-9ft")
    recording = game.simulate(0.5, direction=UP)
    rolls = next(time for time, what, _ in recording.events if what == "rolls")
    states = recording.states(np.array([0.0, rolls, recording.outcome.duration]))
    speeds = np.linalg.norm(states["velocities"][:, 0], axis=1)
    assert speeds[1] == pytest.approx(5 / 7 * speeds[0], rel=1e-12) and speeds[2] == 0
    # It turns about the axis across its way, at v / R.
    assert states["spins"].shape == (3, 1, 3)
    assert np.linalg.norm(states["spins"][1, 0]) == pytest.approx(speeds[1] / 0.028575, rel=1e-6)
    # A game is not changed by a simulation, and its result is that of the shot.
    assert game.positions[0].tolist() == [0.625, 0.25]
    played = game.copy()
    played.shoot(0.5, direction=UP)
    assert np.array_equal(played.positions, recording.after.positions)
    assert np.allclose(states["positions"][-1], played.positions)


def test_pictures_and_movies_of_shots() -> None:
    recording = Game(seed=3).simulate(4.0, direction=UP)
    assert recording.draw(width=200, title="a break").png.startswith(b"\x89PNG")
    assert recording._repr_png_().startswith(b"\x89PNG")
    assert recording.movie(width=64, speed=20, frames_per_second=5).gif.startswith(b"GIF89a")


def test_many_shots_are_the_single_ones_on_any_number_of_threads() -> None:
    rng = np.random.default_rng(1)
    shots = np.zeros(100, dtype=SHOT)
    shots["speed"] = rng.uniform(4, 9, 100)
    shots["direction"] = UP + rng.normal(0, 0.01, 100)
    shots["side"] = rng.uniform(-0.3, 0.3, 100)
    shots["seed"] = np.arange(100)
    game = Game("9-ball")
    one = simulate_many(game, shots, threads=1)
    for threads in (2, 5, None):
        other = simulate_many(game, shots, threads=threads)
        assert np.array_equal(one.rows, other.rows)
        assert np.array_equal(one.positions, other.positions, equal_nan=True)
    for index in (0, 17, 99):
        shot, row = shots[index], one.rows[index]
        single = Game("9-ball", seed=int(shot["seed"]))
        outcome = single.shoot(shot["speed"], direction=shot["direction"], side=shot["side"])
        assert row["duration"] == outcome.duration and row["events"] == outcome.events
        assert row["potted_count"] == len(outcome.potted) and row["cushions"] == len(outcome.cushions)
        potted = {label for bit, label in enumerate(single.labels) if int(row["potted"]) >> bit & 1}
        assert potted == {label for label, _, _ in outcome.potted}
        assert single.labels[row["first_hit"]] == outcome.first_hit
        assert np.array_equal(one.positions[index], single.positions, equal_nan=True)


def test_columns_by_name_and_miscues() -> None:
    game = Game.of_balls({"cue": (0.6, 0.6), "1": (0.6, 1.5)})
    direction = game.aim_at("cue", "1", (0.0, 2.54))
    assert direction is not None
    played = simulate_many(game, {"speed": 3.0, "direction": direction, "side": np.array([0.0, 0.2, 0.6])})
    assert played.rows["status"].tolist() == [0, 0, 1]
    assert played.rows["first_hit"].tolist()[:2] == [1, 1]
    assert np.isnan(played.positions[2]).all()


def test_refusals_name_what_is_wrong() -> None:
    game = Game()
    calls: dict[str, Callable[[], object]] = {
        "rack": lambda: Game("7-ball"),
        "speed": lambda: game.shoot(-1.0),
        "ball": lambda: game.shoot(1.0, ball="17"),
        "side, height": lambda: game.shoot(1.0, side=0.9),
        "balls": lambda: Game.of_balls({"cue": (9, 9)}),
        "overlap": lambda: Game.of_balls({"cue": (0.5, 0.5), "1": (0.51, 0.5)}),
        "shots": lambda: simulate_many(game, {"sped": 1.0}),
    }
    for field, call in calls.items():
        with pytest.raises(carom.CaromError) as refused:
            call()
        assert refused.value.field == field and refused.value.allowed
    with pytest.raises(carom.CaromError) as refused:
        simulate_many(game, {"speed": np.array([1.0, 99.0])})
    assert refused.value.row == 1 and str(refused.value).endswith("(at row 1)")
    with pytest.raises(carom.CaromError):
        simulate_many(Game.of_balls({"cue": (0.6, 0.6)}), {"speed": 1.0, "seed": 3})
    assert set(billiards.RACKS) and all(Game(rack) for rack in billiards.RACKS)
    assert all(Game.of_balls({"cue": (0.6, 0.6)}, table) for table in billiards.TABLES)

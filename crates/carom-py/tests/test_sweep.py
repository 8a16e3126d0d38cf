"""Sweeps: the same rows however they are cut, resumed, or spread over workers."""

from __future__ import annotations

import importlib.util
import math
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import carom
import numpy as np
import pyarrow.parquet as pq
import pytest
from carom import Disc, Wall, World
from carom.sweep import Study, grid, random, run_chunk, sobol, sweep

UP = math.pi / 2


def fall(row: Mapping[str, Any], rng: np.random.Generator) -> dict[str, float]:
    """When a ball that is dropped with a random speed lands."""
    if row["height"] < 0:
        raise ValueError("below the floor")
    world = World(gravity=(0, -2.0))
    world.add_wall(Wall.half_plane((0, 0), (0, 1)))
    speed = rng.random()
    world.insert(Disc((0, row["height"] + 0.5), 0.5, velocity=(0, -speed)))
    return {"speed": speed, "time": world.until(60, kinds=["impact"]).time}


HEIGHTS = np.linspace(1, 5, 37)


def test_rows_are_those_of_the_formula_however_they_are_cut() -> None:
    results = [sweep(fall, {"height": HEIGHTS}, seed=4, chunk=chunk, threads=3) for chunk in (1, 5, 37, 1000)]
    assert len({result.digest() for result in results}) == 1
    table = results[0].table.to_pydict()
    assert table["row"] == list(range(37)) and table["height"] == HEIGHTS.tolist()
    # h = v t + t² with g = 2.
    for height, speed, time in zip(table["height"], table["speed"], table["time"], strict=True):
        assert speed * time + time * time == pytest.approx(height, rel=1e-12)
    assert sweep(fall, {"height": HEIGHTS}, seed=5).digest() != results[0].digest()


def test_rows_that_fail_are_reported_and_the_others_go_on() -> None:
    heights = HEIGHTS.copy()
    heights[[3, 20]] = -1
    result = sweep(fall, {"height": heights}, chunk=7)
    assert [(row["row"], row["height"], row["error"]) for row in result.failed] == [
        (3, -1, "ValueError: below the floor"),
        (20, -1, "ValueError: below the floor"),
    ]
    assert result.table["time"].null_count == 2
    # So it is in batches, of which one row is refused.
    speeds = np.full(20, 5.0)
    speeds[11] = 99.0
    shots = sweep("breaks", {"speed": speeds, "direction": np.full(20, UP)}, chunk=8)
    [failed] = shots.failed
    assert failed["row"] == 11 and "speed is 99" in failed["error"]
    assert shots.table["duration"].null_count == 1


def test_a_second_run_does_only_what_is_missing(tmp_path: Path) -> None:
    calls: list[float] = []
    lock = threading.Lock()

    def counted(row: Mapping[str, Any], rng: np.random.Generator) -> dict[str, float]:
        with lock:
            calls.append(row["x"])
        return {"y": row["x"] + rng.random()}

    first = sweep(counted, grid(x=range(20)), out=tmp_path, chunk=4)
    assert first.folder is not None and len(calls) == 20
    parts = sorted(first.folder.glob("*.parquet"))
    assert len(parts) == 5 and len(pq.read_table(first.folder)) == 20
    parts[2].unlink()
    (first.folder / ".part-unfinished").touch()
    again = sweep(counted, grid(x=range(20)), out=tmp_path, chunk=4)
    assert sorted(calls[20:]) == [8, 9, 10, 11]
    assert again.digest() == first.digest()
    # Another plan has another folder.
    other = sweep(counted, grid(x=range(21)), out=tmp_path, chunk=4)
    assert other.folder != first.folder and len(calls) == 24 + 21


def test_breaks_have_the_bits_of_single_shots() -> None:
    rows = 40
    parameters = random(rows, seed=1, speed=(6.0, 9.0), direction=(UP - 0.01, UP + 0.01))
    result = sweep("breaks", parameters, chunk=16)
    game = carom.billiards.Game("9-ball", seed=17, gap=1e-4)
    outcome = game.shoot(parameters["speed"][17], direction=parameters["direction"][17])
    row = result.table.slice(17, 1).to_pylist()[0]
    assert row["duration"] == outcome.duration and row["potted_count"] == len(outcome.potted)
    assert result.table.schema.field("speed").metadata == {b"unit": b"m/s"}
    assert sweep("breaks", parameters, chunk=7, threads=1).digest() == result.digest()


def test_parameters() -> None:
    table = grid(a=[1, 2], b=["x", "y", "z"])
    assert table["a"].tolist() == [1, 1, 1, 2, 2, 2] and table["b"].tolist() == ["x", "y", "z"] * 2
    few, many = random(5, seed=3, x=(2, 4)), random(50, seed=3, x=(2, 4))
    assert np.array_equal(few["x"], many["x"][:5]) and (many["x"] >= 2).all() and (many["x"] < 4).all()
    if importlib.util.find_spec("scipy"):
        even = sobol(16, x=(0, 1), y=(5, 6))
        # One point in each sixteenth.
        assert sorted((even["x"] * 16).astype(int)) == list(range(16)) and (even["y"] >= 5).all()


@pytest.mark.parametrize(
    ("field", "call"),
    [
        ("study", lambda: sweep("brakes", {"x": [1]})),
        ("parameters", lambda: sweep(fall, {"x": [1], "y": [1, 2]})),
        ("parameters", lambda: sweep(fall, {})),
        ("chunk", lambda: sweep(fall, {"x": [1]}, chunk=0)),
        ("backend", lambda: sweep(fall, {"x": [1]}, backend="dask")),  # type: ignore[arg-type]
        ("out", lambda: sweep(fall, {"x": [1]}, backend="ray")),
        ("results", lambda: sweep(lambda row, rng: {"x": 1}, {"x": [1]})),
    ],
)
def test_what_is_refused(field: str, call: Callable[[], object]) -> None:
    with pytest.raises(carom.CaromError) as refused:
        call()
    assert refused.value.field == field


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="Ray is not there")
def test_ray_gives_the_same_rows(tmp_path: Path) -> None:
    parameters = random(200, seed=2, speed=(6.0, 9.0), direction=(UP - 0.01, UP + 0.01))
    local = sweep("breaks", parameters, chunk=50)
    spread = sweep("breaks", parameters, chunk=50, out=tmp_path, backend="ray", threads=2)
    assert spread.digest() == local.digest()


def test_a_chunk_is_a_function_for_any_backend() -> None:
    plan = carom.sweep.Plan(Study("fall", fall), {"height": HEIGHTS}, 4, 10)
    assert [len(run_chunk(plan, *ends)) for ends in plan.chunks()] == [10, 10, 10, 7]

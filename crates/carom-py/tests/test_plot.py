"""Plots on Matplotlib's axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from carom import Disc, Wall, World, plot

WALLS = [
    (Wall.segment((0, 0), (1, 0)), (0.0, 0.0, 1.0, 0.0)),
    (Wall.polyline([(0, 0), (1, 0), (1, 2)]), (0.0, 0.0, 1.0, 2.0)),
    (Wall.polygon([(0, 0), (1, 0), (1, 2)]), (0.0, 0.0, 1.0, 2.0)),
    (Wall.rectangle((1, 1), (2, 4)), (1.0, 1.0, 2.0, 4.0)),
    (Wall.disc((3, 4), 2), (1.0, 2.0, 5.0, 6.0)),
    (Wall.arc((0, 0), 2, 0, np.pi), (-2.0, 0.0, 2.0, 2.0)),
    (Wall.stadium((0, 0), 3, 1), (-4.0, -1.0, 4.0, 1.0)),
    (Wall.capsule((0, 0), (3, 0), 0.5), (-0.5, -0.5, 3.5, 0.5)),
    (Wall.arm((0, 0), 3, 0.5, np.pi / 2), (-0.5, -0.5, 0.5, 3.5)),
]


@pytest.mark.parametrize(("wall", "wanted"), WALLS)
def test_outlines_reach_as_far_as_walls_do(wall: Wall, wanted: tuple[float, ...]) -> None:
    points = plot.outline(wall)
    assert np.allclose([*points.min(axis=0), *points.max(axis=0)], wanted, atol=1e-12)


def test_what_is_drawn_is_where_it_is() -> None:
    figure: Any = pytest.importorskip("matplotlib.figure").Figure()
    axes = figure.subplots()
    world = World(gravity=(0, -1))
    world.add_wall(Wall.half_plane((0, 0), (0, 1)))
    world.add_wall(Wall.container((0, 0), (20, 10)))
    cue = world.insert(Disc((4, 5), 0.5, velocity=(3, 1)))
    plot.world(axes, world, values=[1.0])
    drawn = plot.paths(axes, world.forecasts(cue, np.array([[3.0, 1.0], [1.0, 0.0]]), max_time=2.0))
    (first, _) = drawn.get_segments()
    # s = v t + g t² / 2 of a ball thrown, until it meets the floor.
    time = (first[:60, 0] - 4) / 3
    assert np.allclose(first[:60, 1], 5 + time - time**2 / 2)
    assert len(plot.paths(axes, np.zeros((5, 3, 2))).get_segments()) == 3
    figure.canvas.draw()
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    assert left <= 0 and right >= 20 and low <= 0 and high >= 10

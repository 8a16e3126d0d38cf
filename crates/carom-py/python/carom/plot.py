"""Worlds on axes of Matplotlib.

>>> from matplotlib import pyplot
>>> from carom import plot
>>> figure, axes = pyplot.subplots()
>>> plot.world(axes, world)                                  # walls and discs
>>> plot.paths(axes, world.forecasts(cue, velocities))       # where a disc would go
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._core import Forecast, Wall, World

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection, PatchCollection

_TURN = 2 * np.pi
_CHORDS = 64


def discs(axes: Axes, world: World, values: npt.ArrayLike | None = None, **style: Any) -> PatchCollection:
    """All discs, in the order of ``world.ids``; ``values`` are coloured by the ``cmap`` of ``style``."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle

    circles = [Circle(tuple(at), radius) for at, radius in zip(world.positions, world.radii, strict=True)]
    drawn = PatchCollection(circles, **{"edgecolor": "0.2", "linewidth": 0.8, **style})
    if values is not None:
        drawn.set_array(np.asarray(values))
    axes.add_collection(drawn)
    _fit(axes)
    return drawn


def walls(axes: Axes, world: World, **style: Any) -> LineCollection:
    """All walls but half-planes, which are drawn without end beside them."""
    from matplotlib.collections import LineCollection

    style = {"colors": "0.1", "linewidths": 1.5, **style}
    lines = []
    for wall in world.walls.values():
        name, numbers = wall.shape
        if name == "half_plane":
            (x, y), (right, up) = numbers["point"], numbers["normal"]
            axes.axline((x, y), (x - up, y + right), color=style["colors"], linewidth=style["linewidths"])
        else:
            lines.append(outline(wall))
    drawn = LineCollection(lines, **style)
    axes.add_collection(drawn)
    _fit(axes)
    return drawn


def outline(wall: Wall) -> npt.NDArray[np.float64]:
    """The line of a wall as points; rounds are chords, half-planes have none."""
    name, has = wall.shape
    if name in ("segment", "one_sided_segment"):
        return np.array([has["a"], has["b"]])
    if name in ("polyline", "polygon"):
        points = np.asarray(has["points"], float)
        return points if name == "polyline" else np.vstack([points, points[:1]])
    if name == "container":
        (left, low), (right, high) = has["min"], has["max"]
        return np.array([(left, low), (right, low), (right, high), (left, high), (left, low)])
    if name in ("disc", "circle"):
        return _round(has["center"], has["radius"], 0, _TURN)
    if name == "arc":
        return _round(has["center"], has["radius"], has["start"], has["sweep"])
    if name == "stadium":
        middle, half = np.array(has["center"]), np.array([has["half_length"], 0.0])
        first, other = middle + half, middle - half
    elif name == "capsule":
        first, other = np.array(has["a"]), np.array(has["b"])
    elif name == "arm":
        first = np.array(has["pivot"])
        first, other = first + has["length"] * np.array([np.cos(has["angle"]), np.sin(has["angle"])]), first
    else:
        return np.empty((0, 2))
    along = np.arctan2(*(first - other)[::-1])
    ends = [
        _round(first, has["radius"], along - _TURN / 4, _TURN / 2),
        _round(other, has["radius"], along + _TURN / 4, _TURN / 2),
    ]
    return np.vstack([*ends, ends[0][:1]])


def paths(
    axes: Axes, ways: Forecast | Iterable[Forecast] | npt.NDArray[Any], **style: Any
) -> LineCollection:
    """Paths that are forecast, curved ones as chords, or positions at times: shape (times, discs, 2)."""
    from matplotlib.collections import LineCollection

    if isinstance(ways, np.ndarray):
        lines = list(np.swapaxes(ways, 0, 1))
    else:
        lines = [_path(way) for way in ([ways] if isinstance(ways, Forecast) else ways)]
    drawn = LineCollection(lines, **{"linewidths": 0.8, **style})
    axes.add_collection(drawn)
    _fit(axes)
    return drawn


def world(axes: Axes, world: World, values: npt.ArrayLike | None = None) -> None:
    """Walls and discs."""
    walls(axes, world)
    discs(axes, world, values)


def _path(way: Forecast) -> npt.NDArray[np.float64]:
    points = []
    for piece in way.pieces:
        count = _CHORDS if any(piece.acceleration) else 2
        seconds = np.linspace(piece.start, piece.end, count)[:, None] - piece.time
        start, speed, bend = (np.array(v) for v in (piece.position, piece.velocity, piece.acceleration))
        points.append(start + speed * seconds + bend * seconds**2 / 2)
    return np.vstack(points) if points else np.empty((0, 2))


def _round(
    center: npt.ArrayLike, radius: float, start: float, sweep: float
) -> npt.NDArray[np.float64]:
    angles = start + np.linspace(0, sweep, _CHORDS + 1)
    return np.asarray(center) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _fit(axes: Axes) -> None:
    axes.set_aspect("equal")
    axes.autoscale_view()


__all__ = ["discs", "outline", "paths", "walls", "world"]

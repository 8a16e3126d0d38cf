"""What is measured in gases: pressure, structure and order; and frames for OVITO and ASE.

Samples are positions as ``World.positions`` has them, ``period`` is that of the world.

>>> from carom import World, observe
>>> import numpy as np
>>> world = World(period=(8, 8))
>>> places = np.stack(np.meshgrid(np.arange(8), np.arange(8)), axis=-1).reshape(-1, 2)
>>> ids = world.insert_many(places, 0.4, velocities=np.random.default_rng(1).normal(size=(64, 2)))
>>> z, error = observe.pressure(world, windows=50, seconds=1.0)
>>> 2 < z < 6 and error < 0.2
True
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ._core import World
from ._core import bond_order as _bond_order
from ._core import pressure as _pressure
from ._core import radial as _radial
from ._core import xyz as _xyz
from .errors import CaromError
from .typing import Floats, Vector

Period = tuple[float | None, float | None]


def pressure(world: World, windows: int, seconds: float) -> tuple[float, float]:
    """Runs a periodic gas for ``windows`` times ``seconds``: its compressibility βPA/N by the virial, and
    the standard error of that by blocks. Releases the GIL; events are not kept."""
    return _pressure(world, windows, seconds)


def radial(
    samples: npt.ArrayLike,
    longest: float,
    bins: int,
    *,
    sides: Vector | None = None,
    period: Period = (None, None),
) -> tuple[Floats, Floats]:
    """The radial distribution g up to ``longest``: the edges of the bins, and g in each.

    ``samples`` has the shape (times, discs, 2), or (discs, 2); ``sides`` are those of the rectangle, by
    default the period."""
    given: npt.NDArray[Any] = np.asarray(samples, np.float64)
    if given.ndim == 2:
        given = given[np.newaxis]
    return _radial(given, longest, bins, sides=_sides(sides, period), period=period)


def bond_order(
    positions: npt.ArrayLike, fold: int = 6, *, period: Period = (None, None)
) -> npt.NDArray[np.complex128]:
    """The order ψ of the bonds of each disc with its Voronoi neighbours; with ``fold`` 6 the hexatic one.
    The global order is the mean."""
    parts = _bond_order(np.asarray(positions, np.float64), fold, period=period)
    return parts.view(np.complex128)[:, 0]


def xyz(world: World, bounds: tuple[Vector, Vector] | None = None) -> str:
    """The present as a frame in the extended XYZ format, which OVITO and ASE read: positions, velocities,
    radii and masses. ``bounds`` are the corners of the rectangle, by default the period."""
    return _xyz(world, ((0.0, 0.0), _sides(None, world.period)) if bounds is None else bounds)


def write_xyz(path: str | os.PathLike[str], frames: Iterable[str]) -> None:
    """Writes frames one after another, as they come."""
    with Path(path).open("w") as file:
        for frame in frames:
            file.write(frame)


def _sides(sides: Vector | None, period: Period) -> Vector:
    if sides is not None:
        return sides
    x, y = period
    if x is None or y is None:
        allowed = "the sides of a rectangle, or a period along both axes"
        raise CaromError(f"sides are missing, allowed are {allowed}", "sides", "missing", allowed)
    return (x, y)


__all__ = ["bond_order", "pressure", "radial", "write_xyz", "xyz"]

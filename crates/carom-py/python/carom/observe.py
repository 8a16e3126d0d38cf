"""What is measured in gases: pressure, structure, order, diffusion, temperature; and frames for OVITO and
ASE.

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
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._core import World
from ._core import bond_order as _bond_order
from ._core import displacement as _displacement
from ._core import pressure as _pressure
from ._core import radial as _radial
from ._core import read_xyz as _read_xyz
from ._core import structure_factor as _structure_factor
from ._core import temperature as _temperature
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
    return _radial(_many(samples), longest, bins, sides=_sides(sides, period), period=period)


def structure_factor(
    samples: npt.ArrayLike, longest: float, *, period: tuple[float, float]
) -> tuple[Floats, Floats, npt.NDArray[np.uint64]]:
    """The structure factor S(k) of a periodic rectangle for wave vectors up to ``longest``, 1/m, in bins of
    2π over the shorter side: the mean length k of the wave vectors of each, S, and how many vectors there
    are, of each pair ±k one. ``samples`` as of ``radial``. For k to 0 it is the compressibility, in units of
    that of the ideal gas. O(N K²) a sample, with K bins."""
    (k, s), waves = _structure_factor(_many(samples), longest, period=period)
    return k, s, waves


def displacement(samples: npt.ArrayLike, longest: int, *, spacing: int = 1) -> Floats:
    """The mean squared displacement after 0, 1, … ``longest`` samples, in the mean over discs and over all
    origins of time; NaN where there are not as many samples. ``samples`` are ``unwrapped_positions`` at equal
    intervals, of shape (times, discs, 2); each ``spacing``-th is an origin. The slope over four times the
    interval is the coefficient of diffusion."""
    return _displacement(_many(samples), longest, spacing)


def temperature(world: World) -> float:
    """The temperature as an energy, kT = 2K/D, over the discs of finite mass. Along each axis along which the
    world is periodic it is relative to the velocity of the centre of mass, with one degree of freedom less.
    That of a granular gas is this one, too: called from time to time it shows how a gas cools."""
    return _temperature(world.masses, world.velocities, world.period)


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


class Frame(NamedTuple):
    """A frame that was read. What the file does not have is ``None``; other columns are in ``columns``."""

    time: float
    origin: tuple[float, float]
    """The lower left corner of the rectangle."""
    sides: tuple[float, float]
    period: Period
    positions: Floats
    velocities: Floats | None = None
    radii: Floats | None = None
    masses: Floats | None = None
    ids: npt.NDArray[np.uint64] | None = None
    columns: Mapping[str, Floats] = MappingProxyType({})


def read_xyz(path: str | os.PathLike[str]) -> list[Frame]:
    """Reads the frames of a file as ``write_xyz`` writes them, with the columns in any order: the same bits
    come back. A file that is malformed is refused with the number of the line."""

    def frame(read: dict[str, Any]) -> Frame:
        named = {name: read.pop(name) for name in Frame._fields if name in read}
        return Frame(**{name: _pair(value) for name, value in named.items()}, columns=read)

    return [frame(read) for read in _read_xyz(Path(path).read_text())]


def _pair(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _many(samples: npt.ArrayLike) -> Floats:
    given: npt.NDArray[Any] = np.asarray(samples, np.float64)
    return given[np.newaxis] if given.ndim == 2 else given


def _sides(sides: Vector | None, period: Period) -> Vector:
    if sides is not None:
        return sides
    x, y = period
    if x is None or y is None:
        allowed = "the sides of a rectangle, or a period along both axes"
        raise CaromError(f"sides are missing, allowed are {allowed}", "sides", "missing", allowed)
    return (x, y)


__all__ = [
    "Frame",
    "bond_order",
    "displacement",
    "pressure",
    "radial",
    "read_xyz",
    "structure_factor",
    "temperature",
    "write_xyz",
    "xyz",
]

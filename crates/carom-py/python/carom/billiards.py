"""Billiards: tables, racks, shots, and many shots at once on all cores.

Lengths are in metres from the lower left corner of the table, between the noses of the cushions; speeds in
m/s, angles in radians. ``side`` and ``height`` say where the tip meets the ball, in radii of it: right
english and follow; below 0 left english and draw.

>>> from carom import billiards
>>> game = billiards.Game("9-ball", seed=1)
>>> outcome = game.shoot(9.0, direction=1.5708)
>>> outcome.first_hit
'1'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._core import Game, Outcome, Recording
from ._core import simulate_many as _simulate_many
from .errors import CaromError
from .typing import Floats

RACKS = ("8-ball", "9-ball", "10-ball", "straight-pool", "snooker", "three-cushion")
TABLES = ("pool-7ft", "pool-8ft", "pool-9ft", "snooker-12ft", "carom-10ft")

SHOT = np.dtype(
    [(name, "f8") for name in ("speed", "direction", "side", "height", "elevation")] + [("seed", "u8")]
)
"""A shot as a row of a structured array; ``seed`` is that of the rack."""

_NUMBERS = ("speed", "direction", "side", "height", "elevation")


class Simulated(NamedTuple):
    """What came of many shots."""

    rows: npt.NDArray[np.void]
    """``duration`` to rest; ``events`` and ``impacts``; ``potted``, a bit for each ball in the order of
    ``Game.labels``, and ``potted_count``; ``first_hit``, the number of a ball or -1; ``cushions``, how
    many hits; ``status``, 0 if it was played and 1 if it is a miscue."""
    positions: Floats
    """Where the balls are after each shot: shape (shots, balls, 2), NaN for what is potted."""


def simulate_many(
    game: Game,
    shots: npt.NDArray[np.void] | Mapping[str, npt.ArrayLike],
    *,
    threads: int | None = None,
) -> Simulated:
    """Plays many shots, each from where the balls of ``game`` are, or of its rack by ``seed``.

    ``shots`` has columns ``speed``, ``direction``, ``side``, ``height``, ``elevation`` and ``seed``: a
    structured array, or arrays and numbers by name; all but ``speed`` may be left out. The result does not
    depend on the number of threads, which is that of the cores by default. Releases the GIL."""
    names = shots.dtype.names or () if isinstance(shots, np.ndarray) else tuple(shots)
    known = SHOT.names or ()
    for name in names:
        if name not in known:
            raise CaromError(f"shots has a column {name!r}, allowed are {known}", "shots", name, str(known))
    if "speed" not in names:
        raise CaromError("shots has no column 'speed'", "shots", "missing", "a column 'speed'")
    columns: list[Any] = [shots[name] if name in names else 0.0 for name in _NUMBERS]
    numbers = np.broadcast_arrays(*columns, *([shots["seed"]] if "seed" in names else []))
    table = np.ascontiguousarray(np.stack([np.ravel(column) for column in numbers[:5]], axis=1), np.float64)
    seeds = np.ascontiguousarray(np.ravel(numbers[5]), np.uint64) if "seed" in names else None
    return Simulated(*_simulate_many(game, table, seeds, threads))


__all__ = ["RACKS", "SHOT", "TABLES", "Game", "Outcome", "Recording", "Simulated", "simulate_many"]

"""Billiards: tables, racks, shots, matches by the rules, help with aiming, and many shots at once on all
cores.

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

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._core import (
    EightBall,
    FirstContact,
    Game,
    Next,
    NineBall,
    Outcome,
    Pot,
    Recording,
    Ruling,
    Snooker,
    Spread,
    ThreeCushion,
)
from ._core import pots as _pots
from ._core import search as _search
from ._core import simulate_many as _simulate_many
from .errors import CaromError
from .matches import GAMES, Match, Turn
from .typing import Floats

RACKS = ("8-ball", "9-ball", "10-ball", "straight-pool", "snooker", "three-cushion")
TABLES = ("pool-7ft", "pool-8ft", "pool-9ft", "snooker-12ft", "carom-10ft")

SHOT = np.dtype(
    [(name, "f8") for name in ("speed", "direction", "side", "height", "elevation")] + [("seed", "u8")]
)
"""A shot as a row of a structured array; ``seed`` is that of the rack."""

TOURNAMENT = Spread.tournament()
"""That of the tournaments of computer pool: 0.125° in direction and 0.1° in elevation, 0.075 m/s, and half a
millimetre in both directions of the tip on a pool ball."""

_NUMBERS = ("speed", "direction", "side", "height", "elevation")
_STROKE = ("speed", "side", "height", "elevation")


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
    known = SHOT.names or ()
    columns = _columns("shots", shots, known)
    seeds = np.ascontiguousarray(columns["seed"], np.uint64) if "seed" in columns else None
    return Simulated(*_simulate_many(game, _table(columns, _NUMBERS), seeds, threads))


def pots(
    game: Game,
    balls: Sequence[str] | None = None,
    *,
    speed: float,
    side: float = 0.0,
    height: float = 0.0,
    elevation: float = 0.0,
    meet_first: Sequence[str] = (),
    kicks: int | None = None,
    banks: int | None = None,
    cue_ball: str = "cue",
) -> list[Pot]:
    """The shots that pot one of ``balls`` with a stroke; by default of all that are on the table. Each has
    been played. ``meet_first`` are the balls that may be met first, by default all; ``kicks`` and ``banks``
    are how many cushions the cue ball meets before its first ball, and the ball; ``None`` allows any number.
    Releases the GIL."""
    wished = (_wanted(game, balls, cue_ball), list(meet_first), cue_ball, kicks, banks)
    return _pots(game, wished, [speed, side, height, elevation])


def search(
    game: Game,
    balls: Sequence[str] | None = None,
    *,
    meet_first: Sequence[str] = (),
    kicks: int | None = None,
    banks: int | None = None,
    cue_ball: str = "cue",
    strokes: npt.NDArray[np.void] | Mapping[str, npt.ArrayLike] | None = None,
    spread: Spread = TOURNAMENT,
    simulations: int = 1500,
    seed: int = 1,
    threads: int | None = None,
    seconds: float | None = None,
) -> list[Pot]:
    """The shots that a player with a ``spread`` is most likely to make, the most likely first: all shots of
    ``pots``, each simulated again and again with errors of that size.

    ``strokes`` has columns ``speed``, ``side``, ``height`` and ``elevation``, as ``simulate_many`` takes
    them; by default they are two level ones of 1.5 and 3 m/s through the centre. The same search gives the same
    answer on any number of threads. With ``seconds`` it ends after that time instead of after
    ``simulations``, and cannot be repeated. Releases the GIL."""
    wished = (_wanted(game, balls, cue_ball), list(meet_first), cue_ball, kicks, banks)
    table = None if strokes is None else _table(_columns("strokes", strokes, _STROKE), _STROKE)
    return _search(game, wished, table, spread, simulations, seed, threads, seconds)


def _wanted(game: Game, balls: Sequence[str] | None, cue_ball: str) -> list[str]:
    if balls is not None:
        return list(balls)
    return [label for label, lies in zip(game.labels, game.on_table) if lies and label != cue_ball]


def _columns(
    what: str, given: npt.NDArray[np.void] | Mapping[str, npt.ArrayLike], known: tuple[str, ...]
) -> dict[str, npt.NDArray[Any]]:
    """The columns that are given, all as long as the longest."""
    names = given.dtype.names or () if isinstance(given, np.ndarray) else tuple(given)
    for name in names:
        if name not in known:
            raise CaromError(f"{what} has a column {name!r}, allowed are {known}", what, name, str(known))
    if "speed" not in names:
        raise CaromError(f"{what} has no column 'speed'", what, "missing", "a column 'speed'")
    columns = np.broadcast_arrays(*[given[name] for name in names])
    return {name: np.ravel(column) for name, column in zip(names, columns)}


def _table(columns: Mapping[str, npt.NDArray[Any]], names: tuple[str, ...]) -> Floats:
    """These columns side by side; 0 for what is left out."""
    zeros = np.zeros_like(columns["speed"], np.float64)
    table = np.stack([columns.get(name, zeros) for name in names], axis=1)
    return np.ascontiguousarray(table, np.float64)


__all__ = [
    "GAMES",
    "RACKS",
    "SHOT",
    "TABLES",
    "TOURNAMENT",
    "EightBall",
    "FirstContact",
    "Game",
    "Match",
    "Next",
    "NineBall",
    "Outcome",
    "Pot",
    "Recording",
    "Ruling",
    "Simulated",
    "Snooker",
    "Spread",
    "ThreeCushion",
    "Turn",
    "pots",
    "search",
    "simulate_many",
]

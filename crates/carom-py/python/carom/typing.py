"""Names of types for annotations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, Union

import numpy as np
import numpy.typing as npt

Vector: TypeAlias = Union[Sequence[float], npt.NDArray[np.floating[Any]]]
"""A point or a vector: two numbers."""
Pair: TypeAlias = tuple[float, float]
"""A point or a vector, as it is given back."""
Body: TypeAlias = tuple[Literal["disc", "wall"], int, int]
"""What something meets: its kind, its handle, and which part of a wall."""
Roughness: TypeAlias = tuple[float, float]
"""The coefficient of friction, and the tangential restitution from -1 to 1."""
Rules: TypeAlias = Iterable[Mapping[str, Any]]
"""A verdict table: see the guide."""

Floats: TypeAlias = npt.NDArray[np.float64]
Handles: TypeAlias = npt.NDArray[np.uint64]

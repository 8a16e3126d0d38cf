"""Why a call was refused. The world is as it was before."""

from __future__ import annotations


class CaromError(ValueError):
    """A value that is not allowed, or a call that cannot be carried out."""

    field: str | None
    """Which value, such as ``radius`` or ``velocity.x``."""
    value: float | int | str | None
    """What was given."""
    allowed: str | None
    """What would have been accepted."""
    row: int | None = None
    """In which row of a bulk call."""

    def __init__(
        self,
        message: str,
        field: str | None = None,
        value: float | int | str | None = None,
        allowed: str | None = None,
    ) -> None:
        super().__init__(message, field, value, allowed)
        self.field = field
        self.value = value
        self.allowed = allowed

    def __str__(self) -> str:
        where = "" if self.row is None else f" (at row {self.row})"
        return f"{self.args[0]}{where}"


class StaleHandle(CaromError, KeyError):
    """A handle that names nothing, or nothing any more."""

    __str__ = CaromError.__str__


class SceneError(CaromError):
    """A scene that cannot be read or built; ``field`` is the place in the file."""

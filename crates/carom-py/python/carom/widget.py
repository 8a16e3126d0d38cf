"""A world in a notebook, to be played and touched; ``carom.view`` makes it.

Python has the world, and the page draws it: the page asks for one thing at a time, and is answered with the
state after it, as arrays."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from anywidget import AnyWidget

from ._core import Disc, World, shown
from .errors import CaromError
from .past import Past
from .plot import outline
from .typing import Pair, Vector

_ENDS = {
    "out_of_budget": "More events than the budget of the world: it goes on with the next frame.",
    "crushed": "The world has stopped: something is crushed.",
    "jammed": "The world has stopped: it is jammed.",
    "outgrown": "The world has stopped: the discs have outgrown it.",
}
_SPACING = 0.2
"""Seconds of playing between two copies of the past."""


class View(AnyWidget):
    """The widget of ``carom.view``."""

    _esm = Path(__file__).with_name("widget.js")
    # One that was refused is closed, too.
    _forget: Callable[[], None] = staticmethod(lambda: None)

    def __init__(
        self,
        world: World,
        *,
        colours: str | Sequence[str | None] | None = None,
        bounds: tuple[Vector, Vector] | None = None,
        background: str = "white",
        title: str | None = None,
        speed: float = 1.0,
    ) -> None:
        if not speed > 0:
            raise CaromError(f"speed is {speed}, allowed is a number above 0", "speed", speed, "above 0")
        corners, _, surface = shown(world, colours, bounds, background)
        super().__init__()
        self.world = world
        self.speed = speed
        self._colours, self._bounds, self._background = colours, corners, background
        self._layout = {
            "bounds": [number for corner in corners for number in corner],
            "period": list(world.period),
            "background": surface,
            "title": title or "",
            "speed": speed,
        }
        self._origin = np.mean(corners, axis=0)
        self._past = Past(world)
        self._ids = world.ids
        self._sent: dict[str, Any] = {}
        self.on_msg(self._asked)
        self._forget = _after_cells(self)

    def refresh(self) -> None:
        """Shows the world as it is now."""
        if self._past.is_foreign(self.world):
            self._past.begin(self.world)
        self._answer({}, {})

    def close(self) -> None:
        """Takes it away from the page."""
        self._forget()
        super().close()

    def _asked(self, _: object, asked: dict[str, Any], buffers: object) -> None:
        """Does what the page asks for, part by part, and answers with the state after it."""
        if self._past.is_foreign(self.world):
            self._past.begin(self.world)
        if asked.get("full"):
            self._sent = {}
        told: dict[str, Any] = {"said": "", "refused": False, "stops": False}
        for part, do in self._parts.items():
            if part in asked:
                try:
                    said = do(self, asked)
                except Exception as error:  # noqa: BLE001
                    # A judge that is a function may raise anything; the page says it, and waits no longer.
                    named = "" if isinstance(error, CaromError) else f"{type(error).__name__}: "
                    said, told["refused"] = f"{named}{error}", True
                told["said"] = " ".join(filter(None, [told["said"], said]))
                told["stops"] |= part == "seconds" and bool(said) and said != _ENDS["out_of_budget"]
        self._answer(asked, told)

    def _go_to(self, asked: dict[str, Any]) -> None:
        """To a share of what was played."""
        start, end, share = self._past.start, self._past.end, float(asked["go_to"])
        at = float(start) + (float(end) - float(start)) * share
        self._past.go_to(self.world, end if share >= 1 else start if share <= 0 else at)

    def _hold(self, asked: dict[str, Any]) -> None:
        """A disc is where the pointer is; while the world plays it stands there, or follows."""
        index, x, y = asked["hold"]
        id, seconds = self._id(index), asked.get("seconds")
        if seconds is None:
            self.world.set_position(id, (x, y))
        elif self._disc(id).kinematic:
            self.world.move_to(id, (x, y), seconds)
        else:
            self.world.set_position(id, (x, y))
            self.world.set_velocity(id, (0.0, 0.0))
        self._past.begin(self.world)

    def _throw(self, asked: dict[str, Any]) -> None:
        index, *velocity = asked["throw"]
        id = self._id(index)
        if not self._disc(id).kinematic:
            self.world.set_velocity(id, velocity)
            self._past.begin(self.world)

    def _play(self, asked: dict[str, Any]) -> str | None:
        done = self.world.advance(float(asked["seconds"]))
        self._past.went_on(self.world, _SPACING * self.speed)
        return _ENDS.get(done.end)

    def _step(self, asked: dict[str, Any]) -> str:
        done = self.world.step_event()
        self._past.went_on(self.world, _SPACING * self.speed)
        if not done.events:
            return "There is no next event."
        kinds = [event.kind for event in self.world.event_list]
        return f"{', '.join(kinds) or 'event'} at {self.world.now:.6g} s".capitalize()

    def _set_speed(self, asked: dict[str, Any]) -> None:
        self.speed = float(asked["speed"])

    _parts: dict[str, Callable[[View, dict[str, Any]], str | None]] = {
        "speed": _set_speed,
        "go_to": _go_to,
        "hold": _hold,
        "throw": _throw,
        "seconds": _play,
        "event": _step,
    }

    def _id(self, index: int) -> int:
        """The handle of a disc that the page knows by its place in what it was sent."""
        return int(self._ids[index])

    def _disc(self, id: int) -> Disc:
        return self.world[id]

    def _answer(self, asked: dict[str, Any], told: dict[str, Any]) -> None:
        world, past = self.world, self._past
        self._ids = world.ids
        state: dict[str, Any] = {
            "n": asked.get("n"),
            "now": world.now,
            "start": float(past.start),
            "end": float(past.end),
            **told,
        }
        if not self._sent:
            state["layout"] = self._layout
        parts = {"positions": np.asarray(world.positions - self._origin, np.float32)}
        parts.update(self._changed())
        if "walls" in parts:
            state["walls"] = self._sent["kinds"]
        state["parts"] = list(parts)
        self.send(state, [np.ascontiguousarray(part).tobytes() for part in parts.values()])

    def _changed(self) -> dict[str, npt.NDArray[Any]]:
        """What seldom changes, if it has."""
        world, sent = self.world, self._sent
        changed: dict[str, npt.NDArray[Any]] = {}
        radii = np.asarray(world.radii, np.float32)
        known = sent.get("radii", ())
        if not np.array_equal(radii, known) or not sent:
            if len(radii) != len(known) or not sent:
                changed["colours"] = shown(world, self._colours, self._bounds, self._background)[1]
            changed["radii"] = sent["radii"] = radii
        # Once they were sent they are sent on: back at the beginning they are 0 again.
        if "angles" in sent or world.angles.any():
            changed["angles"] = sent["angles"] = np.asarray(world.angles, np.float32)
        walls = [wall.shape for wall in world.walls.values()]
        if walls != sent.get("walls"):
            sent["walls"] = walls
            lines = [_line(wall.shape, outline(wall)) - self._origin for wall in world.walls.values()]
            sent["kinds"] = [[shape[0], len(line)] for shape, line in zip(walls, lines, strict=True)]
            changed["walls"] = np.asarray(np.concatenate([np.empty((0, 2)), *lines]), np.float32)
        return changed


def _line(shape: tuple[str, dict[str, Any]], line: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The points of a wall; of a half-plane one of its edge, and one on its free side."""
    name, has = shape
    if name != "half_plane":
        return line
    point: Pair = has["point"]
    return np.array([point, np.add(point, has["normal"])])


def _after_cells(view: View) -> Callable[[], None]:
    """Shows after each cell what that has done to the world. Gives what ends it."""
    try:
        from IPython.core.getipython import get_ipython
    except ImportError:
        return lambda: None
    shell, seen = get_ipython(), weakref.ref(view)
    if shell is None:
        return lambda: None

    def after(*_: object) -> None:
        shown = seen()
        if shown is not None and shown._past.is_foreign(shown.world):
            shown.refresh()

    shell.events.register("post_run_cell", after)

    def forget() -> None:
        if after in shell.events.callbacks["post_run_cell"]:
            shell.events.unregister("post_run_cell", after)

    return forget


__all__ = ["View"]

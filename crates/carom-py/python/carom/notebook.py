"""Worlds in notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ._core import World
from .typing import Vector

if TYPE_CHECKING:
    from .widget import View


def view(
    world: World,
    *,
    colours: str | Sequence[str | None] | None = None,
    bounds: tuple[Vector, Vector] | None = None,
    background: str = "white",
    title: str | None = None,
    speed: float = 1.0,
) -> View:
    """A world in a notebook, to be played and touched; wants the extra ``notebook``.

    It plays at ``speed`` seconds of the world a second, steps to the next event, and goes back through what
    it has played. A disc can be dragged: it is put where the pointer is, and thrown when it is let go while
    the world plays; a kinematic disc is sent after the pointer. It is this world, no copy of it: what is done
    here is done to ``world``, and what other cells do to it is seen here. ``colours``, ``bounds``,
    ``background`` and ``title`` are those of ``World.draw``. What is refused is said below."""
    try:
        from .widget import View
    except ImportError as error:
        wanted = "carom.view wants anywidget: pip install 'carom-physics[notebook]'"
        raise ImportError(wanted) from error
    return View(world, colours=colours, bounds=bounds, background=background, title=title, speed=speed)


__all__ = ["view"]

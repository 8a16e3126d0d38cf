"""Event-driven physics for discs in the plane.

Times of impact are exact, there is no time step, and the bits are the same on every machine.

>>> import carom
>>> world = carom.World()
>>> box = world.add_wall(carom.Wall.container((0, 0), (4, 2)))
>>> ball = world.insert(carom.Disc((1, 1), 0.5, velocity=(2, 0)))
>>> world.advance(3.0).events
2
>>> world.events["time"].tolist()
[1.25, 2.75]
"""

from enum import IntEnum

from ._core import (
    Advance,
    Counters,
    Disc,
    DiscHit,
    Encounter,
    Event,
    Forecast,
    Movie,
    Nearest,
    PathPiece,
    Picture,
    RayHit,
    Region,
    Scene,
    Time,
    Timeline,
    Wall,
    World,
    scene_names,
)
from .errors import CaromError, SceneError, StaleHandle
from .notebook import view
from .scenes import run, scene


class EventKind(IntEnum):
    """What the field ``kind`` of ``World.events`` says."""

    IMPACT = 0
    CHANGE = 1
    CRUSHED = 2
    HELD = 3
    LET_GO = 4
    RELEASED = 5
    TIMER = 6
    MOVE_BLOCKED = 7
    TURNED = 8
    TURN_BLOCKED = 9
    WALL_MOVED = 10
    WALL_BLOCKED = 11
    ENTERED = 12
    LEFT = 13
    OTHER = 14
    GROWTH_ENDED = 15
    PASSED = 16
    CAPTURED = 17
    REMOVED = 18
    WALL_REMOVED = 19
    INSERTED = 20
    REFUSED = 21


NONE = 2**64 - 1
"""What stands for no handle in arrays."""

__all__ = [
    "NONE",
    "Advance",
    "CaromError",
    "Counters",
    "Disc",
    "DiscHit",
    "Encounter",
    "Event",
    "EventKind",
    "Forecast",
    "Movie",
    "Nearest",
    "PathPiece",
    "Picture",
    "RayHit",
    "Region",
    "Scene",
    "SceneError",
    "StaleHandle",
    "Time",
    "Timeline",
    "Wall",
    "World",
    "run",
    "scene",
    "scene_names",
    "view",
]

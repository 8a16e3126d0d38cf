"""What the extension module has.

Handles are whole numbers, good for one world for as long as what they name is there."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, final

import numpy as np
import numpy.typing as npt
from typing_extensions import Self, disjoint_base

from .typing import Body, Floats, Handles, Pair, Roughness, Rules, Vector

__all__ = [
    "Advance",
    "Batch",
    "Counters",
    "Disc",
    "DiscHit",
    "EightBall",
    "Encounter",
    "Event",
    "FirstContact",
    "Forecast",
    "Game",
    "Movie",
    "Nearest",
    "Next",
    "NineBall",
    "Outcome",
    "PathPiece",
    "Picture",
    "Pot",
    "RayHit",
    "Recording",
    "Region",
    "Ruling",
    "Scene",
    "Snooker",
    "Spread",
    "ThreeCushion",
    "Time",
    "Timeline",
    "Wall",
    "World",
    "bond_order",
    "displacement",
    "pots",
    "pressure",
    "radial",
    "read_xyz",
    "scene_names",
    "search",
    "shown",
    "simulate_many",
    "structure_factor",
    "temperature",
    "xyz",
]

@final
class Time:
    """A time to the last bit: ``epoch + offset`` seconds, which as one number would be rounded."""

    @property
    def epoch(self) -> float:
        """The seconds at which its epoch begins, exact in binary."""
    @property
    def offset(self) -> float:
        """The seconds since then."""
    def __float__(self) -> float: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __lt__(self, other: Time, /) -> bool: ...
    def __le__(self, other: Time, /) -> bool: ...
    def __gt__(self, other: Time, /) -> bool: ...
    def __ge__(self, other: Time, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Disc:
    """A disc: to be inserted, or as it was when a world was asked."""

    def __new__(
        cls,
        position: Vector,
        radius: float,
        *,
        velocity: Vector = ...,
        mass: float | None = None,
        restitution: float = 1.0,
        user_data: int = 0,
        overlap: bool = False,
        sensor: bool | Literal["no", "yes", "among_sensors"] = ...,
        kinematic: bool = False,
        max_speed: float = ...,
        membership: int = ...,
        mask: int = ...,
        team: int = 0,
        acceleration: Vector = ...,
        gravity_scale: float = 1.0,
        friction: float = 0.0,
        speed_limit: float = ...,
        angle: float = 0.0,
        angular_velocity: float = 0.0,
        inertia: float = 0.5,
        roughness: Roughness | None = None,
        rolling_resistance: float = 0.0,
    ) -> Self:
        """``acceleration``, ``gravity_scale``, ``friction`` with the table and ``speed_limit``, up to which
        these accelerate the disc (not ``max_speed``, of a kinematic disc), need a world with forces;
        ``angle``, ``angular_velocity``, ``inertia`` (of ``m r²``), ``roughness`` and
        ``rolling_resistance`` one with rough discs. The mass is 1, and infinite for a kinematic disc.

        A disc without ``roughness`` has that of the world, with the rolling resistance of the world.
        ``rolling_resistance`` is a part of ``roughness``, and is refused without it. It is a coefficient
        without unit, from 0 to 1e15 (0): what rolls is braked by a moment of at most this times the radius
        times the normal force. Of two surfaces the geometric mean counts, 0 if one is 0."""

    @property
    def position(self) -> Pair:
        """Its centre; in a periodic world the place inside of the periods."""
    @property
    def unwrapped_position(self) -> Pair:
        """Its centre, with all periods that it has crossed counted."""
    @property
    def velocity(self) -> Pair:
        """Its velocity."""
    @property
    def total_acceleration(self) -> Pair:
        """The acceleration on its present path: of gravity, forces, friction and what it is held to."""
    @property
    def target(self) -> Pair | None:
        """Where a kinematic disc is sent, if it is on its way."""
    @property
    def enabled(self) -> bool:
        """Whether it is on the plane: see ``World.set_enabled``."""
    @property
    def radius(self) -> float:
        """Its radius, >= 0: a disc of radius 0 is a point."""
    @property
    def mass(self) -> float:
        """Its mass: 0 for a tracer, which moves nothing; ``inf`` for what nothing moves."""
    @property
    def restitution(self) -> float:
        """Its coefficient of restitution, from 0 to 1. Which counts of two, ``World(restitution=...)``
        says."""
    @property
    def user_data(self) -> int:
        """The number that it carries for you, 0 to 2**64 - 1."""
    @property
    def overlap(self) -> bool:
        """Whether it may be put where it overlaps something."""
    @property
    def sensor(self) -> str:
        """``"no"``, ``"yes"`` or ``"among_sensors"``: a sensor moves as others do, collides with nothing, and
        reports which discs overlap it; with the last, other sensors of that kind, too."""
    @property
    def kinematic(self) -> bool:
        """Whether it goes where it is sent, and nothing stops it."""
    @property
    def max_speed(self) -> float:
        """The speed of a kinematic disc that ``move_to`` may ask for at most."""
    @property
    def membership(self) -> int:
        """The groups to which it belongs, a bit for each."""
    @property
    def mask(self) -> int:
        """The groups that it meets, a bit for each: two meet where each is in a group of the other
        one's mask."""
    @property
    def team(self) -> int:
        """Its team: discs of one team, other than 0, pass through each other."""
    @property
    def acceleration(self) -> Pair:
        """The acceleration that it has of its own."""
    @property
    def gravity_scale(self) -> float:
        """By which multiple of gravity it is accelerated."""
    @property
    def friction(self) -> float:
        """Its coefficient of friction with the table, for worlds with ``weight``."""
    @property
    def speed_limit(self) -> float:
        """The speed up to which forces accelerate it."""
    @property
    def angle(self) -> float:
        """By how much it is turned, rad."""
    @property
    def angular_velocity(self) -> float:
        """How fast it turns, rad/s, counterclockwise."""
    @property
    def inertia(self) -> float:
        """Its moment of inertia by ``m r²``."""
    @property
    def roughness(self) -> Roughness | None:
        """Its own friction and tangential restitution; ``None`` for those of the world."""
    @property
    def rolling_resistance(self) -> float:
        """That of its own roughness; 0 if it has none of its own."""

@final
class Wall:
    """A wall: to be put up, or as it was when a world was asked.

    All forms take ``restitution`` (1), ``user_data`` (0), ``membership`` and ``mask`` (all groups),
    ``team`` (0) and ``max_speed`` (of ``move_wall``).

    In worlds of rough discs they also take ``roughness`` (that of the world), ``rolling_resistance`` (0; a
    part of ``roughness``, as of ``Disc``) and ``surface_speed``, in m/s from -1e15 to 1e15 (0): the speed at
    which the surface runs along the wall, as that of a conveyor. What lies on it is carried to its right
    where the speed is positive, seen with the wall below: the surface of a pillar turns clockwise, that of
    a room counterclockwise."""

    @staticmethod
    def half_plane(point: Vector, normal: Vector, **options: Any) -> Wall:
        """Solid behind a line; the normal points to the free side."""
    @staticmethod
    def segment(a: Vector, b: Vector, **options: Any) -> Wall:
        """A line with two sides."""
    @staticmethod
    def one_sided_segment(a: Vector, b: Vector, **options: Any) -> Wall:
        """Stops what comes from its left, looking from ``a`` to ``b``."""
    @staticmethod
    def disc(center: Vector, radius: float, **options: Any) -> Wall:
        """A fixed disc, hit from outside."""
    @staticmethod
    def circle(center: Vector, radius: float, **options: Any) -> Wall:
        """A round room, hit from inside."""
    @staticmethod
    def arc(center: Vector, radius: float, start: float, sweep: float, **options: Any) -> Wall:
        """A part of a circle from the angle ``start`` on by ``sweep`` radians, hit from both sides."""
    @staticmethod
    def polyline(points: Sequence[Vector] | Floats, **options: Any) -> Wall:
        """Segments from point to point, an array of shape (n, 2)."""
    @staticmethod
    def polygon(points: Sequence[Vector] | Floats, **options: Any) -> Wall:
        """A closed polyline, hit from both sides."""
    @staticmethod
    def rectangle(min: Vector, max: Vector, **options: Any) -> Wall:
        """An obstacle along the axes, hit from outside."""
    @staticmethod
    def container(min: Vector, max: Vector, **options: Any) -> Wall:
        """A rectangular room."""
    @staticmethod
    def arm(pivot: Vector, length: float, radius: float, angle: float, **options: Any) -> Wall:
        """A flipper, which turns about its pivot."""
    @staticmethod
    def capsule(a: Vector, b: Vector, radius: float, **options: Any) -> Wall:
        """A straight bar with round ends, hit from outside: a paddle."""
    @staticmethod
    def stadium(center: Vector, half_length: float, radius: float, **options: Any) -> Wall:
        """A room of two half-circles and the lines between them."""
    @property
    def shape(self) -> tuple[str, dict[str, Any]]:
        """Its form: the name, and the numbers by their names."""
    @property
    def restitution(self) -> float:
        """Its coefficient of restitution."""
    @property
    def user_data(self) -> int:
        """The number that it carries for you."""
    @property
    def membership(self) -> int:
        """The groups to which it belongs."""
    @property
    def mask(self) -> int:
        """The groups that it meets."""
    @property
    def team(self) -> int:
        """Its team: discs of the same team, other than 0, pass through it."""
    @property
    def max_speed(self) -> float:
        """The speed that ``World.move_wall`` may ask for at most."""
    @property
    def roughness(self) -> Roughness | None:
        """Its own friction and tangential restitution; ``None`` for those of the world."""
    @property
    def rolling_resistance(self) -> float:
        """That of its own roughness; 0 if it has none of its own."""
    @property
    def surface_speed(self) -> float:
        """The speed of its surface, m/s."""

@final
class Region:
    """A part of the plane that reports which discs enter and leave it, and touches none of them.

    All forms take ``carrier`` (the disc that carries it), ``extent`` (``"centre"`` or ``"edge"``: what of
    a disc is to be inside), ``sensors`` (whether it sees sensors), ``user_data``, ``membership``, ``mask``
    and ``team``."""

    @staticmethod
    def disc(center: Vector, radius: float, **options: Any) -> Region:
        """All that is inside of a circle."""
    @staticmethod
    def rectangle(min: Vector, max: Vector, **options: Any) -> Region:
        """All that is inside of a rectangle along the axes."""
    @staticmethod
    def half_plane(point: Vector, normal: Vector, **options: Any) -> Region:
        """All that is behind a line; the normal leads out of it."""
    @staticmethod
    def segment(a: Vector, b: Vector, **options: Any) -> Region:
        """A light barrier, seen by edges."""
    @staticmethod
    def wall(wall: int, **options: Any) -> Region:
        """What is solid of a wall, seen by edges."""
    @property
    def shape(self) -> str:
        """The name of its form."""
    @property
    def carrier(self) -> int | None:
        """The disc that carries it."""
    @property
    def extent(self) -> str:
        """``"centre"`` or ``"edge"``: what of a disc is to be inside."""
    @property
    def sensors(self) -> bool:
        """Whether it sees sensors."""
    @property
    def user_data(self) -> int:
        """The number that it carries for you."""

@final
class Advance:
    """How a call ended."""

    @property
    def end(self) -> str:
        """``"reached"`` as asked; ``"stopped"`` by ``until``; ``"out_of_budget"``: calling again goes on;
        ``"crushed"``, ``"jammed"``, ``"outgrown"``."""
    @property
    def time(self) -> float:
        """The time that was reached."""
    @property
    def exact_time(self) -> Time:
        """The same to the last bit."""
    @property
    def events(self) -> int:
        """How many there were; a group of impacts is one."""

@final
class Event:
    """Something that happened. What an event of its kind does not have is ``None``."""

    @property
    def kind(self) -> str:
        """``"impact"``, ``"held"``, …: the names of ``EventKind`` in small letters."""
    @property
    def time(self) -> float:
        """When it happened."""
    @property
    def exact_time(self) -> Time:
        """The same to the last bit."""
    @property
    def a(self) -> int | None:
        """The disc: of an impact the one that was inserted first, or that hit the wall."""
    @property
    def b(self) -> Body | None:
        """What it met; of events of a wall that wall."""
    @property
    def group(self) -> int | None:
        """Impacts of one instant that share discs have the same."""
    @property
    def point(self) -> Pair | None:
        """Where they touch; the position of a disc; how far a wall has moved."""
    @property
    def normal(self) -> Pair | None:
        """Unit normal from ``a`` to ``b``."""
    @property
    def target(self) -> Pair | None:
        """Where a disc or wall was to be that has been blocked."""
    @property
    def approach_speed(self) -> float | None:
        """The speed at which the two approached, along the normal."""
    @property
    def impulse(self) -> float | None:
        """The impulse along the normal."""
    @property
    def angle(self) -> float | None:
        """Of an arm."""
    @property
    def before(self) -> tuple[Pair, Pair] | None:
        """Velocities of ``a`` and ``b`` before an impact."""
    @property
    def after(self) -> tuple[Pair, Pair] | None:
        """Velocities of ``a`` and ``b`` after an impact."""
    @property
    def velocity(self) -> Pair | None:
        """Of the disc, for all kinds but impacts."""
    @property
    def user_data(self) -> tuple[int, int]:
        """What ``a`` and ``b`` carry for you."""
    @property
    def region(self) -> int | None:
        """The region that was entered or left."""
    @property
    def timer(self) -> int | None:
        """The timer that rang."""
    @property
    def by(self) -> int | None:
        """What crushes the disc."""
    @property
    def note(self) -> int | None:
        """Of a timer."""
    @property
    def cause(self) -> str | None:
        """Why a disc entered or left: ``"motion"``, or which edit it was."""
    @property
    def change(self) -> str | None:
        """How a motion changes: ``"stops"`` by friction, ``"reaches_limit"`` of the speed, ``"resumes"``."""
    @property
    def what(self) -> str | None:
        """What of a verdict was refused."""
    @property
    def reason(self) -> str | None:
        """Why it was refused."""

@final
class Encounter:
    """Two bodies that meet, as ``judge`` is shown them."""

    @property
    def time(self) -> float:
        """When they meet."""
    @property
    def a(self) -> Body:
        """The disc that was inserted first, or that meets the wall."""
    @property
    def b(self) -> Body:
        """What it meets."""
    @property
    def user_data(self) -> tuple[int, int]:
        """What the two carry for you."""
    @property
    def positions(self) -> tuple[Pair, Pair]:
        """Their centres; of a wall the point of contact."""
    @property
    def velocities(self) -> tuple[Pair, Pair]:
        """Their velocities before; of a wall that of its surface at the point of contact."""
    @property
    def masses(self) -> tuple[float, float]:
        """Their masses; ``inf`` for a wall."""
    @property
    def point(self) -> Pair:
        """Where they touch."""
    @property
    def normal(self) -> Pair:
        """Unit normal from ``a`` to ``b``."""
    @property
    def approach_speed(self) -> float:
        """The speed at which they approach, along the normal."""
    @property
    def restitution(self) -> float:
        """The restitution with which they would bounce."""
    @property
    def stopping_impulse(self) -> float:
        """The impulse that stops their approach, without restitution."""

@final
class Nearest:
    @property
    def body(self) -> Body:
        """The disc or wall."""
    @property
    def distance(self) -> float:
        """From the point to its surface; 0 inside."""
    @property
    def point(self) -> Pair:
        """The point of its surface that is nearest."""

@final
class RayHit:
    @property
    def body(self) -> Body:
        """The disc or wall that is hit."""
    @property
    def distance(self) -> float:
        """The way of the ray to it."""
    @property
    def point(self) -> Pair:
        """Where it is hit."""
    @property
    def normal(self) -> Pair | None:
        """Towards the side from which the ray comes; ``None`` if it starts inside."""

@final
class DiscHit:
    @property
    def body(self) -> Body:
        """The disc or wall that is hit."""
    @property
    def time(self) -> Time:
        """When it is hit."""
    @property
    def seconds(self) -> float:
        """In how many seconds."""
    @property
    def position(self) -> Pair:
        """Where the centre of the disc that is cast is then."""
    @property
    def point(self) -> Pair:
        """Where the two touch."""
    @property
    def normal(self) -> Pair:
        """Unit normal from the disc that is cast to what it hits."""

@final
class PathPiece:
    """A piece of a path: ``position + velocity s + acceleration s² / 2``, s seconds after ``time``."""

    @property
    def start(self) -> float:
        """When it begins."""
    @property
    def end(self) -> float:
        """When it ends."""
    @property
    def exact_end(self) -> Time:
        """The same to the last bit."""
    @property
    def time(self) -> float:
        """The time from which on ``s`` counts."""
    @property
    def position(self) -> Pair:
        """The centre at ``time``."""
    @property
    def velocity(self) -> Pair:
        """The velocity at ``time``."""
    @property
    def acceleration(self) -> Pair:
        """The acceleration, which is constant on the piece."""
    @property
    def end_position(self) -> Pair | None:
        """The centre at the end, if the piece ends."""
    @property
    def met(self) -> tuple[Body, Pair] | None:
        """What the disc meets at the end, and where."""

@final
class Forecast:
    @property
    def pieces(self) -> list[PathPiece]:
        """The pieces of the path, one after another."""
    @property
    def end(self) -> str:
        """``"time"``, ``"impacts"``, ``"removed"`` or ``"stopped"``."""

@final
class Counters:
    """What has been counted since the start."""

    @property
    def events(self) -> int:
        """Events; a group of impacts is one."""
    @property
    def disc_impacts(self) -> int:
        """Impacts of two discs."""
    @property
    def wall_impacts(self) -> int:
        """Impacts with walls."""
    @property
    def groups(self) -> int:
        """Groups of more than two bodies that were resolved together."""
    @property
    def changes(self) -> int:
        """Changes of motion without an impact, such as stops by friction."""
    @property
    def slides(self) -> int:
        """Chords along the inside of curves."""
    @property
    def made_plastic(self) -> int:
        """Impacts that the rule against inelastic collapse made plastic."""
    @property
    def ledger(self) -> float:
        """How kinetic energy has changed, by all events."""

@disjoint_base
class World:
    """Owns discs and walls, advances to the next event, resolves it.

    Arrays have a row for each disc, in the order of ``ids``. They are read-only, and stay what they were
    for as long as someone holds them. ``world[disc]`` is a disc as it is now; iterating gives handles."""

    def __new__(
        cls,
        *,
        gravity: Vector | None = None,
        weight: float = 0.0,
        forces: bool | None = None,
        rough: Roughness | None = None,
        rolling_resistance: float = 0.0,
        period: tuple[float | None, float | None] = ...,
        drag: float = 0.0,
        growth: float = 0.0,
        start: float = 0.0,
        epoch: float = ...,
        time_scale: float = 1.0,
        restitution: Literal["geometric_mean", "minimum", "maximum", "average", "product"] = "geometric_mean",
        simultaneous: Literal["together", "one_by_one"] = "together",
        crush: Literal["give_way", "stop"] = "give_way",
        collapse: tuple[float, int] | None = ...,
        sliding: tuple[float, float] | None = ...,
        rest: tuple[float, float, int] | None = ...,
        budget: int = 10_000_000,
        record_events: bool = True,
        scheduler: Literal["fastest", "table", "grid"] = "fastest",
        verdicts: Rules | None = None,
        judge: Callable[[Encounter], Mapping[str, Any] | None] | None = None,
    ) -> Self:
        """``gravity``, ``weight`` (which presses discs onto a table on which they slide), ``verdicts``,
        ``judge`` and ``rough`` (friction and tangential restitution of discs that turn) make a world with
        forces. ``rolling_resistance``, a coefficient from 0 to 1e15, goes with ``rough``: both hold for discs
        and walls that have no ``roughness`` of their own. ``collapse`` is a contact time and a number of
        impacts, ``sliding`` two angles, ``rest`` a height, a gap and a number of impacts; ``None`` turns them
        off."""

    def __len__(self) -> int: ...
    def __contains__(self, disc: int, /) -> bool: ...
    def __getitem__(self, disc: int, /) -> Disc: ...
    def __delitem__(self, disc: int, /) -> None: ...
    def __iter__(self) -> Iterator[int]: ...
    def __copy__(self) -> World: ...
    def __deepcopy__(self, _memo: dict[int, Any]) -> World: ...
    def copy(self) -> World:
        """The same world again, which goes its own way."""
    def copy_from(self, other: World) -> None:
        """Makes this world the same as another one, in the memory that it has."""
    def to_bytes(self) -> bytes:
        """All of the world; a loaded one goes on to the last bit as this one does. Worlds can be pickled,
        too."""
    @staticmethod
    def from_bytes(data: bytes) -> World:
        """The world that was saved by ``to_bytes``. Bytes that are not one are refused."""

    @property
    def now(self) -> float:
        """The present time."""
    @property
    def exact_now(self) -> Time:
        """The same to the last bit."""
    @property
    def gravity(self) -> Pair:
        """The acceleration of gravity; it can be set in worlds with forces."""
    @gravity.setter
    def gravity(self, gravity: Vector) -> None: ...
    @property
    def growth(self) -> float:
        """The rate at which radii grow now, 1/s."""
    @growth.setter
    def growth(self, rate: float) -> None: ...
    @property
    def period(self) -> tuple[float | None, float | None]:
        """The periods along x and y; ``None`` where it has none."""
    @property
    def budget(self) -> int:
        """Most events that one call resolves."""
    @budget.setter
    def budget(self, budget: int) -> None: ...
    @property
    def record_events(self) -> bool:
        """Whether ``events`` is written. Without, calls are a little faster."""
    @record_events.setter
    def record_events(self, record: bool) -> None: ...
    @property
    def time_scale(self) -> float:
        """How many seconds of the world pass in a second of ``advance``."""
    @time_scale.setter
    def time_scale(self, scale: float) -> None: ...
    def set_verdicts(self, verdicts: Rules) -> None:
        """Sets the rules by which those that meet are judged from now on."""

    def insert(self, disc: Disc) -> int:
        """Inserts a disc, and gives its handle."""
    def insert_many(
        self,
        positions: npt.ArrayLike,
        radii: npt.ArrayLike,
        *,
        velocities: npt.ArrayLike | None = None,
        masses: npt.ArrayLike | None = None,
        user_data: npt.ArrayLike | None = None,
        like: Disc | None = None,
    ) -> Handles:
        """Inserts many discs, all of them or none; ``like`` has all that is not given. Gives their
        handles."""
    def remove(self, disc: int) -> None:
        """Takes a disc away. Its handle names nothing any more."""
    def clear(self) -> None:
        """Takes all discs away; walls, regions and timers stay."""
    def get(self, disc: int) -> Disc | None:
        """A disc as it is now; ``None`` if the handle names none."""
    def set_position(self, disc: int, position: Vector) -> None:
        """Puts a disc elsewhere. Refused where it would overlap something and may not."""
    def set_velocity(self, disc: int, velocity: Vector) -> None:
        """Gives a disc another velocity."""
    def apply_impulse(self, disc: int, impulse: Vector) -> None:
        """Adds ``impulse / mass`` to the velocity of a disc."""
    def set_radius(self, disc: int, radius: float) -> None:
        """Gives a disc another radius. Refused where it would overlap something and may not."""
    def set_mass(self, disc: int, mass: float) -> None:
        """Gives a disc another mass, from 0 to ``inf``."""
    def set_restitution(self, disc: int, restitution: float) -> None:
        """Gives a disc another coefficient of restitution."""
    def set_user_data(self, disc: int, user_data: int) -> None:
        """Gives a disc another number to carry."""
    def set_overlap(self, disc: int, allowed: bool) -> None:
        """Says whether a disc may be put where it overlaps something."""
    def set_enabled(self, disc: int, enabled: bool) -> None:
        """Takes a disc off the plane, or puts it back. Off the plane it stands still, and nothing meets it.
        What it overlaps when it is back it passes through until they have parted."""
    def set_rules(
        self, disc: int, *, membership: int = ..., mask: int = ..., team: int = 0
    ) -> None:
        """Gives a disc other groups and another team; what is left out is as of a new disc."""
    def set_forces(
        self,
        disc: int,
        *,
        acceleration: Vector | None = None,
        gravity_scale: float | None = None,
        friction: float | None = None,
        speed_limit: float | None = None,
    ) -> None:
        """What is left out stays."""
    def set_spin(
        self,
        disc: int,
        *,
        angle: float | None = None,
        angular_velocity: float | None = None,
        inertia: float | None = None,
        roughness: Roughness | None = None,
        rolling_resistance: float | None = None,
    ) -> None:
        """What is left out stays."""
    def move_to(self, disc: int, target: Vector, seconds: float) -> Time:
        """Sends a kinematic disc to a place, where it arrives after ``seconds``. Gives the time then."""
    def move_to_until(self, disc: int, target: Vector, time: float | Time) -> Time:
        """As ``move_to``, with the time of arrival."""
    def exclude(self, a: int, b: int) -> bool:
        """Lets two discs pass through each other from now on; whether that is a change."""
    def include(self, a: int, b: int) -> bool:
        """Lets two discs meet again that were excluded; whether that is a change."""
    def is_excluded(self, a: int, b: int) -> bool:
        """Whether two discs were excluded."""
    def held_to(self, disc: int) -> list[Body]:
        """What a disc presses on now."""
    def scale_velocities(self, factor: float) -> None:
        """Multiplies all velocities by a factor >= 0: a thermostat, in one blow."""
    def push_apart(self) -> list[tuple[int, Pair, Pair]]:
        """Pushes discs apart that overlap, by the least moves: handle, from and to of each that has moved."""
    def separate_overlaps(self, speed: float) -> float:
        """Lets what overlaps part at this speed at least; gives the energy that it adds."""
    def state_at(self, disc: int, time: float | Time) -> tuple[Pair, Pair]:
        """Position and velocity on the present path of a disc at a time, before its next event."""

    @property
    def ids(self) -> Handles:
        """The handles of all discs, in the order of insertion: shape (n,)."""
    @property
    def positions(self) -> Floats:
        """The centres of all discs now: shape (n, 2)."""
    @property
    def unwrapped_positions(self) -> Floats:
        """The same, with all periods that they have crossed counted."""
    @property
    def velocities(self) -> Floats:
        """The velocities of all discs now: shape (n, 2)."""
    @property
    def radii(self) -> Floats:
        """The radii of all discs now: shape (n,)."""
    @property
    def masses(self) -> Floats:
        """The masses of all discs: shape (n,)."""
    @property
    def restitutions(self) -> Floats:
        """The coefficients of restitution of all discs: shape (n,)."""
    @property
    def user_data(self) -> npt.NDArray[np.uint64]:
        """The numbers that discs carry for you: shape (n,)."""
    @property
    def angles(self) -> Floats:
        """By how much discs are turned, rad, in a world of rough discs: shape (n,)."""
    @property
    def angular_velocities(self) -> Floats:
        """How fast they turn, rad/s: shape (n,)."""
    def set_positions(self, positions: npt.ArrayLike, ids: npt.ArrayLike | None = None) -> None:
        """Puts discs elsewhere at once, all or none: they may take each other's places."""
    def set_velocities(self, velocities: npt.ArrayLike, ids: npt.ArrayLike | None = None) -> None:
        """Gives discs other velocities, all or none: of all in the order of ``ids``, or of those that
        are named."""
    def set_radii(self, radii: npt.ArrayLike, ids: npt.ArrayLike | None = None) -> None:
        """Gives discs other radii, all or none."""
    def set_masses(self, masses: npt.ArrayLike, ids: npt.ArrayLike | None = None) -> None:
        """Gives discs other masses, all or none."""

    def add_wall(self, wall: Wall) -> int:
        """Puts up a wall, and gives its handle."""
    def remove_wall(self, wall: int) -> None:
        """Takes a wall down. Its handle names nothing any more."""
    @property
    def walls(self) -> dict[int, Wall]:
        """All walls as they are now, by handle."""
    def set_wall_restitution(self, wall: int, restitution: float) -> None:
        """Gives a wall another coefficient of restitution."""
    def set_wall_user_data(self, wall: int, user_data: int) -> None:
        """Gives a wall another number to carry."""
    def set_wall_rules(
        self, wall: int, *, membership: int = ..., mask: int = ..., team: int = 0
    ) -> None:
        """Gives a wall other groups and another team; what is left out is as of a new wall."""
    def set_wall_surface(
        self,
        wall: int,
        *,
        roughness: tuple[float, float] | None = None,
        rolling_resistance: float = 0.0,
        surface_speed: float = 0.0,
    ) -> None:
        """Gives a wall another surface: what is left out is as of a new ``Wall``."""
    def move_wall(self, wall: int, offset: Vector, seconds: float) -> Time:
        """Moves a wall to where it is ``offset`` from where it was put up, within ``seconds``; gives the time
        of arrival."""
    def move_wall_until(self, wall: int, offset: Vector, time: float | Time) -> Time:
        """As ``move_wall``, with the time of arrival."""
    def wall_motion(self, wall: int) -> tuple[Pair, Pair, Pair] | None:
        """How far it is from where it was put up, its velocity, and where it is sent."""
    def turn_arm(self, wall: int, angle: float, rate: float) -> Time:
        """Turns an arm to an angle at this rate, rad/s; gives the time of arrival."""
    def arm(self, wall: int) -> tuple[float, float, float] | None:
        """The angle of an arm, the rate at which it turns, and the angle to which it is sent."""

    def add_region(self, region: Region) -> int:
        """Adds a region, and gives its handle."""
    def set_region(self, id: int, region: Region) -> None:
        """Puts another region in the place of one, which keeps its handle."""
    def remove_region(self, id: int) -> None:
        """Takes a region away."""
    @property
    def regions(self) -> dict[int, Region]:
        """All regions, by handle."""
    def inside(self, region: int) -> Handles:
        """The discs that are inside of a region now."""
    def is_inside(self, region: int, disc: int) -> bool:
        """Whether a disc is inside of a region now."""
    def sensor_region(self, disc: int) -> int | None:
        """The region that a sensor carries, if it has one."""

    def set_timer(self, seconds: float, note: int = 0) -> int:
        """Sets a timer that rings after some seconds, with a note; gives its handle."""
    def set_timer_at(self, time: float | Time, note: int = 0) -> int:
        """The same, with the time."""
    def cancel_timer(self, timer: int) -> bool:
        """Takes a timer back; whether it was there."""
    @property
    def timers(self) -> list[tuple[int, Time]]:
        """The timers that are set, with the times at which they ring."""

    def advance(self, dt: float) -> Advance:
        """Advances by some seconds, events at the very end included. Long calls release the GIL, and end
        where Ctrl-C raises an exception: the world is then as it was after some event."""
    def advance_to(self, time: float | Time) -> Advance:
        """Advances to a time, events at that time included."""
    def until(
        self,
        dt: float,
        *,
        kinds: Sequence[str] = ...,
        involving: int | None = None,
        when: Callable[[Event], object] | None = None,
    ) -> Advance:
        """Advances by some seconds, or to the first event of these kinds, with this disc, for which
        ``when`` is true."""
    def step_event(self) -> Advance:
        """Advances to the next event, and resolves it."""
    def next_event(self) -> tuple[Time, str, int | None, Body | None, int | None] | None:
        """Time, kind, disc, what it meets, and the region or timer of the next event."""
    @property
    def events(self) -> npt.NDArray[np.void]:
        """The events of the last call that advanced the world, as a structured array. Fields: ``time``,
        and ``epoch`` and ``offset`` for the exact one; ``kind`` (``EventKind``); ``a``; ``b_kind`` (0
        none, 1 disc, 2 wall), ``b`` and ``part``; ``group``; ``other`` (region, timer, or what crushes);
        ``note`` of a timer; ``code`` (how a motion changes, cause of a crossing, what was refused);
        ``point``, ``normal``, ``target``, ``approach_speed``, ``impulse``, ``angle``; ``before`` and
        ``after``, velocities of ``a`` and ``b``; ``user_data`` of both. What does not apply is ``NONE`` in
        handles and NaN in numbers."""
    @property
    def event_list(self) -> list[Event]:
        """The same as objects."""
    @property
    def event_count(self) -> int:
        """How many there are in ``events``."""

    def overlap_point(self, point: Vector, **options: Any) -> list[Body]:
        """What a point is in. Queries take ``only`` (``"discs"`` or ``"walls"``), ``excluding`` (a disc),
        ``membership``, ``mask`` and ``team``."""
    def overlap_disc(self, center: Vector, radius: float, **options: Any) -> list[Body]:
        """What a disc would overlap or touch."""
    def overlap_box(self, min: Vector, max: Vector, **options: Any) -> list[Body]:
        """What a rectangle along the axes overlaps or touches."""
    def nearest(self, point: Vector, most: int = 1, **options: Any) -> list[Nearest]:
        """What is nearest to a point, at most so many, the nearest first."""
    def cast_ray(
        self, origin: Vector, direction: Vector, max_distance: float = ..., **options: Any
    ) -> RayHit | None:
        """The first that a ray hits."""
    def ray_hits(
        self, origin: Vector, direction: Vector, max_distance: float = ..., **options: Any
    ) -> list[RayHit]:
        """All that a ray hits, the first first."""
    def cast_rays(
        self, origins: npt.ArrayLike, directions: npt.ArrayLike, max_distance: float = ..., **options: Any
    ) -> npt.NDArray[np.void]:
        """The first thing that each of many rays meets: ``kind`` (0 nothing, 1 disc, 2 wall), ``part``,
        ``body``, ``distance``, ``point``, ``normal``. Releases the GIL."""
    def cast_disc(
        self,
        position: Vector,
        radius: float,
        velocity: Vector,
        max_time: float = ...,
        frozen: bool = False,
        **options: Any,
    ) -> DiscHit | None:
        """What a disc would meet first if it were inserted now."""
    def forecast(
        self,
        disc: int,
        max_time: float,
        *,
        max_impacts: int | None = None,
        frozen: bool = False,
        position: Vector | None = None,
        velocity: Vector | None = None,
    ) -> Forecast:
        """The path of a disc from the present on, or from another position or velocity. The world stays as
        it is."""
    def forecasts(
        self,
        disc: int,
        velocities: npt.ArrayLike,
        max_time: float,
        *,
        max_impacts: int | None = None,
        frozen: bool = False,
    ) -> list[Forecast]:
        """The same for each of many velocities. Releases the GIL."""

    @property
    def kinetic_energy(self) -> float:
        """The kinetic energy of the motion of centres, of all finite masses."""
    @property
    def energy(self) -> float:
        """The kinetic energy, with that of rotation, and the potential energy of gravity."""
    @property
    def momentum(self) -> Pair:
        """The momentum of all finite masses."""
    @property
    def rotational_energy(self) -> float:
        """The kinetic energy of rotation."""
    def angular_momentum(self, about: Vector) -> float:
        """The angular momentum of all finite masses about a point."""
    @property
    def counters(self) -> Counters:
        """What has been counted since the start."""
    def draw(
        self,
        *,
        width: int = 1200,
        colours: str | Sequence[str | None] | None = None,
        bounds: tuple[Vector, Vector] | None = None,
        background: str = "white",
        title: str | None = None,
    ) -> Picture:
        """A picture of the present. Colours are names or numbers of CSS: one, or one for each disc."""
    def _repr_png_(self) -> bytes: ...
    def movie(
        self,
        seconds: float,
        *,
        width: int = 640,
        frames_per_second: int = 25,
        speed: float = 1.0,
        colours: str | Sequence[str | None] | None = None,
        bounds: tuple[Vector, Vector] | None = None,
        background: str = "white",
        title: str | None = None,
    ) -> Movie:
        """The next seconds as a movie; the world stays as it is. At ``speed`` seconds of the world a second.
        Discs without a colour have distinct ones, and in crowds those of where they start. Releases the
        GIL."""
    def checksum(self) -> int:
        """A hash of all that the future depends on, the same on every machine."""
    def diff(self, other: World) -> str | None:
        """The first bit in which two worlds differ, in words."""

@final
class Timeline:
    """A world with its past: it goes to any time at which it has been, or on to a later one, with the same
    bits."""

    def __new__(cls, world: World, *, bytes: int = ...) -> Self: ...
    @property
    def world(self) -> World:
        """A copy of the world as it is now."""
    @property
    def now(self) -> float:
        """The present time."""
    @property
    def start(self) -> Time:
        """The first time to which it can go."""
    @property
    def end(self) -> Time:
        """The last time at which it has been."""
    @property
    def event(self) -> int:
        """The number of the last event up to the present, counted from 1."""
    @property
    def first_event(self) -> int:
        """The number of the first event to which it can go."""
    @property
    def last_event(self) -> int:
        """The number of the last event that it knows."""
    def go_to(self, time: float | Time) -> Advance:
        """Goes to a time, back or forth."""
    def advance(self, dt: float) -> Advance:
        """Goes on by some seconds."""
    def go_to_event(self, number: int) -> Advance:
        """Goes to just after an event."""
    def step(self) -> Advance:
        """Goes to just after the next event."""
    def step_back(self) -> Advance:
        """Goes to just after the event before."""
    def edit(self, world: World) -> None:
        """Takes an edited copy of the present for the present, and forgets the future."""

@final
class Picture:
    """A picture, which a notebook shows."""

    @property
    def png(self) -> bytes:
        """The bytes of a PNG file."""
    def _repr_png_(self) -> bytes: ...
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it as a PNG file."""

@final
class Movie:
    """A movie, which a notebook shows: an animated GIF."""

    @property
    def gif(self) -> bytes:
        """The bytes of a GIF file."""
    def _repr_html_(self) -> str: ...
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes it as a GIF file."""

@final
class Scene:
    """A scene: a file in TOML or JSON, which describes a world."""

    @staticmethod
    def named(name: str) -> Scene:
        """A scene that comes with the engine: see ``scene_names``."""
    @staticmethod
    def read(path: str | os.PathLike[str]) -> Scene:
        """The scene of a file."""
    @staticmethod
    def parse(text: str, name: str = "scene") -> Scene:
        """The scene of a text in TOML or JSON."""
    @property
    def name(self) -> str:
        """Its name."""
    @property
    def title(self) -> str:
        """Its title."""
    @property
    def description(self) -> str:
        """What it shows."""
    @property
    def text(self) -> str:
        """Its text."""
    @property
    def until(self) -> float:
        """The time at which a run ends."""
    @property
    def bounds(self) -> tuple[Pair, Pair] | None:
        """The part of the plane to show."""
    @property
    def colours(self) -> list[str | None]:
        """Of the discs, in the order of the ``ids`` of a new world."""
    def build(self, *, forces: bool = False) -> World:
        """Its world at the start; with ``forces`` one that has them, even if the scene has none."""

def shown(
    world: World,
    colours: str | Sequence[str | None] | None = None,
    bounds: tuple[Vector, Vector] | None = None,
    background: str = "white",
) -> tuple[tuple[Pair, Pair], npt.NDArray[np.uint8], str]:
    """What a picture would show: its corners, the colours of discs as rows of red, green and blue, and that
    of the background."""
def scene_names() -> list[str]:
    """The names of the scenes that come with the engine."""

@final
class Game:
    """Balls on a table: as they are racked, or at places of one's own."""

    def __new__(
        cls, rack: str = "9-ball", *, table: str | None = None, seed: int = 0, gap: float | None = None
    ) -> Self:
        """``gap`` is the most by which balls of the rack are apart."""
    @staticmethod
    def of_balls(balls: Mapping[str, Vector], table: str = "pool-9ft") -> Game:
        """Balls at these places, by label; the one that is struck is ``"cue"``."""
    @property
    def labels(self) -> list[str]:
        """Of the balls, in the order of all arrays."""
    @property
    def size(self) -> Pair:
        """Width and length between the noses of the cushions."""
    @property
    def positions(self) -> Floats:
        """Where balls are: shape (n, 2), in the order of ``labels``."""
    @property
    def on_table(self) -> list[bool]:
        """Which balls are on the table."""
    def place(self, ball: str, at: Vector) -> None:
        """Puts a ball somewhere on the table."""
    def spot(self, ball: str) -> Pair:
        """Puts a ball on its spot, or as near as there is room; gives the place."""
    def shoot(self, speed: float, **options: Any) -> Outcome:
        """Plays a shot to rest. ``speed`` is that of the cue; ``direction``, ``side``, ``height``,
        ``elevation``, ``ball`` and ``cue`` (a dict of ``mass``, ``end_mass``, ``miscue``, ``length``,
        ``tip_radius``, ``butt_radius``, ``contact_time``, ``follow_through``) may be given."""
    def simulate(self, speed: float, **options: Any) -> Recording:
        """The same on a copy, written down."""
    def aim_at(self, of: str, ball: str, target: Vector) -> float | None:
        """In which direction a ball is to go to drive another one to a place, if it can."""
    def first_contact(self, speed: float, **options: Any) -> FirstContact | None:
        """What a shot meets first, and what becomes of the two there; ``None`` if it meets no ball."""
    def least_elevation(self, speed: float, **options: Any) -> float | None:
        """The least elevation of the cue at which nothing is in its way; ``None`` where no cue gets there."""
    @property
    def pockets(self) -> Floats:
        """The centres of the pockets: shape (n, 2)."""
    def set_up(self, seed: int = 0) -> None:
        """Sets up the balls of its rack again, by another seed, which may change the order of ``labels``."""
    def copy_from(self, other: Game) -> None:
        """Makes this game the same as another one, in the memory that it has."""
    def copy(self) -> Game:
        """The same game again, which goes its own way."""
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: dict[int, Any]) -> Game: ...
    def checksum(self) -> int:
        """A hash of all that the future depends on."""

@final
class Outcome:
    """What came of a shot."""

    @staticmethod
    def of(ball: str) -> Outcome:
        """A stroke on a ball behind the head string after which nothing happens: for tests of rules. What is
        to happen instead is added."""
    def with_hit(self, ball: str, time: float) -> Outcome:
        """The same, in which the struck ball meets another one."""
    def with_cushion(self, ball: str, cushion: int, time: float, *, frozen: bool = False) -> Outcome:
        """The same, in which a ball meets a cushion, to which it may have been frozen."""
    def with_potted(self, ball: str, pocket: int, time: float) -> Outcome:
        """The same, in which a ball falls."""
    def with_call(self) -> Outcome:
        """The same, on which a referee calls a foul that only an eye sees."""
    @property
    def ball(self) -> str:
        """The ball that was struck."""
    @property
    def potted(self) -> list[tuple[str, int, float]]:
        """Label, pocket and time."""
    @property
    def first_hit(self) -> str | None:
        """The ball that it hit first."""
    @property
    def hits(self) -> list[tuple[str, str, float]]:
        """Which balls hit which, and when."""
    @property
    def cushions(self) -> list[tuple[str, int, float]]:
        """Which balls hit which cushions, and when."""
    @property
    def touching(self) -> list[str]:
        """The balls that the struck one touched before."""
    @property
    def tip(self) -> Literal["once", "stays_on", "again"]:
        """How the tip met the ball: once, still on it as that met a ball near by, or a second time."""
    @property
    def is_called(self) -> bool:
        """Whether a referee has called a foul."""
    @property
    def duration(self) -> float:
        """How many seconds it took until all was at rest."""
    @property
    def is_over(self) -> bool:
        """Whether all has come to rest."""
    @property
    def events(self) -> int:
        """How many events there were."""
    @property
    def impacts(self) -> int:
        """How many impacts of balls and cushions there were."""

@final
class Next:
    """What is to be done next in a game."""

    @property
    def kind(self) -> Literal["shoots", "chooses", "won", "drawn"]:
        """What it is."""
    @property
    def player(self) -> Literal["first", "second"] | None:
        """Who shoots, chooses or has won."""
    @property
    def cue_ball(self) -> Literal["lies", "in_hand", "behind_head_string", "in_d"] | None:
        """Where the cue ball is played from."""
    def place(self, game: Game, at: Vector) -> None:
        """Puts the cue ball of a game somewhere, if it is in hand and may be there."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class Ruling:
    """What the rules make of a shot."""

    @property
    def fouls(self) -> list[str]:
        """The fouls: ``"scratch"``, ``"no_contact"``, ``"wrong_ball"``, ``"no_cushion"``, ``"weak_break"``,
        ``"behind_head_string"``, ``"wrong_ball_falls"``, ``"touching_ball"``, ``"free_ball_snookers"``,
        ``"wrong_cue_ball"``, ``"double_hit"``, ``"push_stroke"``, ``"bad_placement"``, ``"called"``."""
    @property
    def reasons(self) -> list[str]:
        """The same as sentences."""
    @property
    def spotted(self) -> list[str]:
        """The labels of the balls that are put back."""
    @property
    def rerack(self) -> bool:
        """Whether all balls are set up anew."""
    @property
    def next(self) -> Next:
        """What is next."""

@final
class NineBall:
    """A game of nine-ball: World Pool-Billiard Association, The Rules of Play, sections 2 and 6. Players are
    ``"first"``, who breaks, and ``"second"``."""

    def __new__(cls) -> Self: ...
    @property
    def next(self) -> Next:
        """What is to be done."""
    @property
    def ball_on(self) -> str:
        """The ball that is to be met first."""
    @property
    def may_push_out(self) -> bool:
        """Whether the next shot may be a push-out."""
    def fouls(self, player: str) -> int:
        """Fouls in a row of a player: the third loses."""
    def judge(self, outcome: Outcome, *, push_out: bool = False) -> Ruling:
        """Judges a shot of the player whose turn it is."""
    def choose(self, shooter: str) -> Next:
        """Decides who shoots after a push-out of the other player."""
    def copy(self) -> NineBall:
        """The same again, which goes its own way."""
    def __copy__(self) -> NineBall: ...
    def __deepcopy__(self, _memo: dict[int, Any]) -> NineBall: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__ = None  # type: ignore[assignment]

@final
class EightBall:
    """A game of eight-ball: World Pool-Billiard Association, The Rules of Play, section 3."""

    def __new__(cls) -> Self: ...
    @property
    def next(self) -> Next:
        """What is to be done."""
    @property
    def is_break(self) -> bool:
        """Whether the next shot is a break."""
    @property
    def on_table(self) -> list[str]:
        """The balls on the table."""
    @property
    def choices(self) -> list[str]:
        """What can be chosen now: ``"accept"``, ``"cue_ball_in_hand"``, ``"break"``,
        ``"let_other_break"``."""
    def group(self, player: str) -> Literal["solids", "stripes"] | None:
        """The group of a player; ``None`` while the table is open."""
    def balls_on(self, player: str) -> list[str]:
        """The balls that a player may meet first."""
    def judge(
        self, outcome: Outcome, *, call: tuple[str, int] | Literal["safety"] | None = None
    ) -> Ruling:
        """Judges a shot of the player whose turn it is, who has called which ball falls into which pocket, or
        a safety. Without a call no shot but the break goes on."""
    def choose(self, choice: str) -> Ruling:
        """Decides, after a break, how it goes on."""
    def copy(self) -> EightBall:
        """The same again, which goes its own way."""
    def __copy__(self) -> EightBall: ...
    def __deepcopy__(self, _memo: dict[int, Any]) -> EightBall: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__ = None  # type: ignore[assignment]

@final
class Snooker:
    """A frame of snooker: World Professional Billiards and Snooker Association, Official Rules (2019)."""

    def __new__(cls) -> Self: ...
    @property
    def next(self) -> Next:
        """What is to be done."""
    @property
    def on(self) -> str:
        """What is on: ``"red"``, ``"any_colour"``, or the name of a colour."""
    @property
    def on_table(self) -> list[str]:
        """The balls on the table, reds first."""
    @property
    def balls_on(self) -> list[str]:
        """The balls that are on; all colours while one is to be nominated."""
    @property
    def has_free_ball(self) -> bool:
        """Whether the next player may nominate a free ball."""
    def points(self, player: str) -> int:
        """Points of a player."""
    def judge(self, outcome: Outcome, after: Game, *, nominated: str | None = None) -> Ruling:
        """Judges a stroke of the player whose turn it is. ``after`` is the table after it, before balls are
        put back; ``nominated`` is the colour that the player names, needed after a red."""
    def choose(self, striker: str) -> Next:
        """Decides who plays after a foul of the other player."""
    def replay(self, before: Snooker) -> Next:
        """After a miss: the player of before plays again, and the penalty stays. ``before`` is the frame
        before the stroke."""
    @staticmethod
    def spot(game: Game, balls: Sequence[str]) -> None:
        """Puts colours back on their spots, or where the rules say if these are taken."""
    def copy(self) -> Snooker:
        """The same again, which goes its own way."""
    def __copy__(self) -> Snooker: ...
    def __deepcopy__(self, _memo: dict[int, Any]) -> Snooker: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__ = None  # type: ignore[assignment]

@final
class ThreeCushion:
    """A game of three-cushion billiards: Union Mondiale de Billard, World Rules of Carom Billiard."""

    def __new__(
        cls, target: int = 50, *, equal_innings: bool = False, most_innings: int | None = None
    ) -> Self:
        """A game to ``target`` points, perhaps with as many innings for both, or ended after some."""
    @property
    def next(self) -> Next:
        """What is to be done."""
    @property
    def is_opening(self) -> bool:
        """Whether the next shot is from the starting position, at the red ball."""
    def ball_of(self, player: str) -> str:
        """The ball that a player strikes."""
    def points(self, player: str) -> int:
        """Points of a player."""
    def innings(self, player: str) -> int:
        """Turns at the table that a player has ended."""
    def judge(self, outcome: Outcome) -> Ruling:
        """Judges a shot of the player whose turn it is."""
    def set_up(self, game: Game) -> None:
        """Puts the balls in the starting position of the player whose turn it is."""
    def respot(self, game: Game) -> list[str]:
        """Puts the cue ball and the balls that it touches on their spots; gives those that were moved."""
    def copy(self) -> ThreeCushion:
        """The same again, which goes its own way."""
    def __copy__(self) -> ThreeCushion: ...
    def __deepcopy__(self, _memo: dict[int, Any]) -> ThreeCushion: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__ = None  # type: ignore[assignment]

@final
class Spread:
    """How far a player is off what is meant: standard deviations of normal, independent errors."""

    def __new__(
        cls,
        *,
        direction: float = 0.0,
        speed: float = 0.0,
        side: float = 0.0,
        height: float = 0.0,
        elevation: float = 0.0,
    ) -> Self: ...
    @property
    def direction(self) -> float:
        """Of the direction, rad."""
    @property
    def speed(self) -> float:
        """Of the speed of the cue, m/s."""
    @property
    def side(self) -> float:
        """Of the tip sideways, in radii."""
    @property
    def height(self) -> float:
        """Of the tip upwards, in radii."""
    @property
    def elevation(self) -> float:
        """Of the elevation, rad."""
    @staticmethod
    def tournament() -> Spread:
        """That of the tournaments of computer pool (AI Magazine 31 (4), 2010, p. 33)."""
    def scaled(self, factor: float) -> Spread:
        """All errors this many times as large."""
    def played(self, seed: int, number: int, speed: float, **options: Any) -> dict[str, Any]:
        """What a player makes of a shot, as keywords of ``Game.shoot``: with the errors of this number of a
        seed."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__ = None  # type: ignore[assignment]

@final
class Pot:
    """A shot that pots a ball."""

    @property
    def ball(self) -> str:
        """The ball that falls."""
    @property
    def pocket(self) -> int:
        """The pocket, by its number in ``Game.pockets``."""
    @property
    def route(self) -> str:
        """``"direct"``, ``"along_rail"``, ``"bank"``, ``"kick"``, ``"combination"``, ``"carom"``,
        ``"several"``."""
    @property
    def rail(self) -> Literal["head", "right", "foot", "left"] | None:
        """The rail along which it goes, or off which it or the cue ball comes."""
    @property
    def by(self) -> list[str]:
        """The other balls that take part."""
    @property
    def kicks(self) -> int:
        """How many cushions the cue ball meets before its first ball."""
    @property
    def banks(self) -> int:
        """How many cushions the ball meets."""
    @property
    def shot(self) -> dict[str, Any]:
        """The shot, as keywords of ``Game.shoot``."""
    @property
    def ghost(self) -> Pair:
        """Where the cue ball is as it meets its first ball, by geometry."""
    @property
    def cut(self) -> float:
        """The angle between the ways of what meets the ball and of the ball, by geometry, 0 to π/2."""
    @property
    def margin(self) -> float:
        """Half of the angle by which the ball may leave off the middle of its way, rad."""
    @property
    def distance(self) -> float:
        """How far cue ball and balls travel until then, by geometry."""
    @property
    def scratches(self) -> bool:
        """Whether the cue ball falls as well."""
    @property
    def probability(self) -> float | None:
        """The share of simulations in which it was made; ``None`` without a search."""
    @property
    def error(self) -> float | None:
        """The standard error of that; it is not 0 where all or none succeeded."""
    @property
    def simulations(self) -> int:
        """How many simulations there were."""

@final
class FirstContact:
    """What a shot meets first, and what becomes of the two there."""

    @property
    def ball(self) -> str:
        """The ball that is met."""
    @property
    def time(self) -> float:
        """Seconds since the stroke."""
    @property
    def cut(self) -> float:
        """The angle between the way of the struck ball and the line of centres; positive if the other one
        leaves to the left."""
    @property
    def deflection(self) -> float:
        """The angle by which the struck ball is deflected, from before to where it rolls in the end."""
    @property
    def positions(self) -> list[Pair]:
        """Where the struck ball and the other one are."""
    @property
    def velocities(self) -> list[Pair]:
        """Their velocities after it."""
    @property
    def rolling(self) -> list[Pair]:
        """The velocities with which they will roll, if they meet nothing until then."""

@final
class Recording:
    """A shot written down."""

    @property
    def outcome(self) -> Outcome:
        """What came of it."""
    @property
    def after(self) -> Game:
        """The table after it."""
    @property
    def events(self) -> list[tuple[float, str, list[int]]]:
        """Time, what happened, and the numbers of the balls."""
    def states(self, times: Floats) -> dict[str, Floats]:
        """``positions``, ``velocities`` and ``spins`` at times: shape (times, balls, 2 or 3). NaN off the
        table."""
    def draw(self, *, width: int = 1600, title: str | None = None) -> Picture:
        """The paths of all balls, as a picture."""
    def movie(self, *, width: int = 800, speed: float = 1.0, frames_per_second: int = 25) -> Movie:
        """A movie of it."""
    def _repr_png_(self) -> bytes: ...

def simulate_many(
    game: Game,
    shots: Floats,
    seeds: npt.NDArray[np.uint64] | None = None,
    threads: int | None = None,
) -> tuple[npt.NDArray[np.void], Floats]: ...

def pots(
    game: Game,
    wished: tuple[list[str], list[str], str, int | None, int | None],
    stroke: Sequence[float],
) -> list[Pot]: ...
def search(
    game: Game,
    wished: tuple[list[str], list[str], str, int | None, int | None],
    strokes: Floats | None,
    spread: Spread,
    simulations: int,
    seed: int,
    threads: int | None,
    seconds: float | None,
) -> list[Pot]: ...

@final
class Batch:
    """Environments side by side; ``carom.gym`` has classes for them."""

    @staticmethod
    def pods(
        num_envs: int,
        threads: int,
        mode: str,
        *,
        opponents: int,
        driver: str,
        laps: int,
        limit: int,
        course: str,
    ) -> Batch: ...
    @staticmethod
    def hockey(
        num_envs: int,
        threads: int,
        mode: str,
        *,
        opponent: str,
        goals: int,
        foul: float,
        control: str,
        hold: int,
        limit: int,
    ) -> Batch: ...
    @staticmethod
    def breakout(num_envs: int, threads: int, mode: str, *, balls: int, limit: int) -> Batch: ...
    @staticmethod
    def pinball(num_envs: int, threads: int, mode: str, *, balls: int, limit: int) -> Batch: ...
    @staticmethod
    def nine_ball(
        num_envs: int, threads: int, mode: str, *, opponent: str, spread: float, limit: int
    ) -> Batch: ...
    @staticmethod
    def discs(
        num_envs: int,
        threads: int,
        mode: str,
        *,
        world: World,
        agents: Sequence[int],
        dt: float,
        push: float,
        max_speed: float,
        start_speed: float,
        limit: int,
        rewards: Mapping[int, float],
        ends: Sequence[int],
        impact_reward: float,
    ) -> Batch: ...
    @property
    def widths(self) -> tuple[int, int]:
        """Numbers of an observation and of an action."""
    def reset(
        self, seeds: Sequence[int | None], mask: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.float32]:
        """Begins the episodes of those that the mask names; observations of all."""
    def step(
        self, actions: npt.NDArray[np.float32]
    ) -> tuple[
        npt.NDArray[np.float32],
        Floats,
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        npt.NDArray[np.float32] | None,
    ]:
        """A step of all: observations, rewards, which ended, which were cut, and the last observations
        of those."""
    def render(self, index: int = 0, width: int = 640) -> npt.NDArray[np.uint8]:
        """A picture of one of them: shape (height, width, 3)."""

def radial(
    samples: Floats,
    longest: float,
    bins: int,
    *,
    sides: Vector,
    period: tuple[float | None, float | None] = ...,
) -> tuple[Floats, Floats]: ...
def bond_order(
    positions: Floats, fold: int = 6, *, period: tuple[float | None, float | None] = ...
) -> Floats: ...
def pressure(world: World, windows: int, seconds: float) -> tuple[float, float]: ...
def structure_factor(
    samples: Floats, longest: float, *, period: tuple[float | None, float | None]
) -> tuple[tuple[Floats, Floats], npt.NDArray[np.uint64]]: ...
def displacement(samples: Floats, longest: int, spacing: int = 1) -> Floats: ...
def temperature(
    masses: Floats, velocities: Floats, period: tuple[float | None, float | None]
) -> float: ...
def read_xyz(text: str) -> list[dict[str, Any]]: ...
def xyz(world: World, bounds: tuple[Vector, Vector]) -> str: ...

"""Worlds in notebooks: what the page asks for, what it is sent, and what the world is then; and movies."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import carom
import numpy as np
import pytest
from carom import Disc, Wall, World
from carom.past import Past


def gas(**settings: Any) -> World:
    world = World(**settings)
    world.add_wall(Wall.container((0, 0), (8, 6)))
    places = np.stack(np.meshgrid(np.arange(1.0, 8.0), np.arange(1.0, 6.0)), axis=-1).reshape(-1, 2)
    world.insert_many(places, 0.3, velocities=np.random.default_rng(1).normal(size=places.shape))
    return world


class Page:
    """The other side: it asks, and keeps what it is sent."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch, **options: Any) -> None:
        pytest.importorskip("anywidget", reason="there is no anywidget here")
        self.view = carom.view(world, **options)
        self.state: dict[str, Any] = {}
        self.parts: dict[str, Any] = {}
        self.sent: list[str] = []
        monkeypatch.setattr(self.view, "send", self.receive)
        self.ask(full=True)

    def receive(self, state: dict[str, Any], buffers: list[bytes]) -> None:
        self.state, self.sent = {**self.state, **state}, state["parts"]
        for part, buffer in zip(self.sent, buffers, strict=True):
            self.parts[part] = np.frombuffer(buffer, np.uint8 if part == "colours" else np.float32)

    def ask(self, **asked: Any) -> str:
        self.view._handle_custom_msg({"n": 1, **asked}, [])
        return str(self.state["said"])

    @property
    def positions(self) -> Any:
        left, low, right, high = self.state["layout"]["bounds"]
        return self.parts["positions"].reshape(-1, 2) + [(left + right) / 2, (low + high) / 2]


def test_the_page_is_sent_what_draw_would_show(monkeypatch: pytest.MonkeyPatch) -> None:
    world = gas()
    colours = ["#d1495b", None] + ["gold"] * (len(world) - 2)
    page = Page(world, monkeypatch, colours=colours, background="#102030", title="A gas", speed=2.0)
    layout = page.state["layout"]
    assert layout["bounds"] == [0, 0, 8, 6] and layout["period"] == [None, None]
    assert (layout["background"], layout["title"], layout["speed"]) == ("#102030", "A gas", 2.0)
    # In single precision places in a room of 8 are right to its last bit, 2⁻²².
    assert np.abs(page.positions - world.positions).max() < 2.0**-22
    assert np.array_equal(page.parts["radii"], world.radii.astype(np.float32))
    rgb = page.parts["colours"].reshape(-1, 3).tolist()
    assert rgb[:3] == [[0xD1, 0x49, 0x5B], [0x3B, 0x6E, 0xA8], [255, 215, 0]]
    assert page.state["walls"] == [["container", 5]] and "angles" not in page.parts
    assert sorted(set(map(tuple, page.parts["walls"].reshape(-1, 2).tolist()))) == [
        (-4, -3), (-4, 3), (4, -3), (4, 3)
    ]
    # What has not changed is not sent again.
    page.ask(seconds=0.1)
    assert page.sent == ["positions"]
    for field, option in {"colours": "blau", "background": "blau"}.items():
        with pytest.raises(carom.CaromError) as refused:
            carom.view(world, **{field: option})  # type: ignore[arg-type]
        assert refused.value.field == field


def test_walls_angles_and_growing_discs_are_sent_as_they_change(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(growth=0.1)
    wall = world.add_wall(Wall.half_plane((0, 0), (0, 2)))
    world.insert(Disc((0, 1), 0.5))
    page = Page(world, monkeypatch)
    assert page.state["walls"] == [["half_plane", 2]] and "angles" not in page.parts
    page.ask(seconds=0.5)
    assert page.sent == ["positions", "radii"] and page.parts["radii"] == np.float32(world.radii[0])
    world.growth = 0.0
    world.move_wall(wall, (0, -1), 1.0)
    page.ask(seconds=0.5)
    assert page.sent == ["positions", "walls"]
    turning = World(rough=(0.5, 0.2))
    turning.insert(Disc((0, 1), 0.5, angle=1.0, angular_velocity=2.0))
    page = Page(turning, monkeypatch)
    page.ask(seconds=0.5)
    assert page.parts["angles"] == np.float32(2.0)


def test_playing_is_advancing_and_going_back_has_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    world = gas()
    page, other = Page(world, monkeypatch), copy.copy(world)
    sums = []
    for _ in range(60):
        page.ask(seconds=0.05)
        other.advance(0.05)
        sums.append(world.checksum())
        assert sums[-1] == other.checksum()
    assert page.state["now"] == world.now and page.state["start"] == 0 and page.state["end"] == world.now
    end = world.exact_now
    # A share of a power of two is a time that is met exactly.
    page.ask(go_to=0.5)
    half = gas()
    half.advance_to(float(end) * 0.5)
    assert world.checksum() == half.checksum() and page.state["end"] == float(end)
    page.ask(go_to=1.0)
    assert world.checksum() == sums[-1] and world.exact_now == end
    page.ask(go_to=0.0)
    assert world.checksum() == gas().checksum()
    # From the past it plays into the same future.
    world.advance_to(end)
    assert world.checksum() == sums[-1]


def test_a_step_is_one_event_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    world.add_wall(Wall.container((0, 0), (4, 2)))
    world.insert(Disc((1, 1), 0.5, velocity=(2, 0)))
    page = Page(world, monkeypatch)
    assert page.ask(event=True) == "Impact at 1.25 s" and world.now == 1.25
    empty = Page(World(), monkeypatch)
    assert empty.ask(event=True) == "There is no next event."


def test_what_is_dragged_is_there_and_is_thrown(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    world.add_wall(Wall.container((0, 0), (8, 6)))
    disc = world.insert(Disc((2, 3), 0.5, velocity=(1, 0)))
    world.insert(Disc((6, 3), 0.5))
    page = Page(world, monkeypatch)
    page.ask(hold=[0, 3.0, 4.0])
    assert world[disc].position == (3, 4) and world[disc].velocity == (1, 0) and page.state["said"] == ""
    assert np.allclose(page.positions[0], (3, 4))
    # An overlap is refused in words, and nothing has changed.
    checksum = world.checksum()
    assert "overlap" in page.ask(hold=[0, 6.1, 3.0]) and page.state["refused"]
    assert world.checksum() == checksum and world[disc].position == (3, 4)
    # While the world plays it stands where the pointer is, and the world goes on.
    page.ask(hold=[0, 4.0, 2.0], seconds=0.25)
    assert world[disc].position == (4, 2) and world[disc].velocity == (0, 0) and world.now == 0.25
    assert "overlap" in page.ask(hold=[0, 6.1, 3.0], seconds=0.25)
    assert world.now == 0.5 and not page.state["stops"]
    page.ask(throw=[0, 3.0, -1.0], seconds=0.5)
    assert world[disc].velocity == (3, -1) and world[disc].position == (5.5, 1.5)
    # Back through the throw, and forth again.
    checksum, end = world.checksum(), world.exact_now
    page.ask(go_to=0.5)
    assert world.now == 0.5 and world[disc].velocity == (3, -1)
    page.ask(go_to=0.3)
    assert world[disc].velocity == (0, 0) and world[disc].position == (4, 2)
    page.ask(go_to=1.0)
    assert world.checksum() == checksum and world.exact_now == end
    # A drag in the past makes another future.
    page.ask(go_to=0.5)
    page.ask(hold=[0, 2.0, 2.0])
    assert page.state["end"] == page.state["now"] == 0.5


def test_a_kinematic_disc_follows_the_pointer(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    mallet = world.insert(Disc((0, 0), 0.5, kinematic=True))
    puck = world.insert(Disc((2, 0), 0.5))
    page = Page(world, monkeypatch)
    page.ask(hold=[0, 1.5, 0.0], seconds=0.5)
    assert world[mallet].position == (1.5, 0)
    # It moves at 3 m/s, and the puck leaves at twice that.
    assert world[puck].velocity == pytest.approx((6, 0))


def test_other_cells_change_the_same_world(monkeypatch: pytest.MonkeyPatch) -> None:
    world = gas()
    page = Page(world, monkeypatch, colours="red")
    page.ask(seconds=0.5)
    first = int(world.ids[0])
    world.remove(first)
    world.insert(Disc((7.5, 0.4), 0.1))
    added = world.insert(Disc((7.5, 0.15), 0.1))
    page.view.refresh()
    assert page.sent == ["positions", "colours", "radii"] and len(page.positions) == len(world)
    assert page.parts["colours"].reshape(-1, 3)[-1].tolist() == [255, 0, 0]
    # What was removed behind the back of the page is a stale handle.
    world.remove(added)
    assert "does not exist" in page.ask(hold=[len(world), 1.0, 1.0])
    # And the past is that from before these edits.
    page.ask(go_to=0.5)
    assert first in world and world.now == 0.25


def test_what_stops_a_world_is_said_and_playing_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def judge(_: object) -> None:
        raise RuntimeError("no verdict")

    world = gas(judge=judge)
    page = Page(world, monkeypatch)
    assert page.ask(seconds=5.0) == "RuntimeError: no verdict" and page.state["stops"]
    slow = gas(budget=1)
    page = Page(slow, monkeypatch)
    assert "budget" in page.ask(seconds=5.0) and not page.state["stops"]
    with pytest.raises(carom.CaromError) as refused:
        carom.view(slow, speed=0.0)
    assert refused.value.field == "speed"


def test_the_past_keeps_few_copies_and_all_edits_that_are_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carom.past._DISCS", 40 * (len(gas()) + 100))
    world = gas()
    past, states = Past(world), {}
    rng = np.random.default_rng(3)
    for _ in range(600):
        world.advance(1 / 64)
        if rng.random() < 0.1:
            world.set_velocity(int(rng.choice(world.ids)), tuple(rng.normal(size=2)))
            past.begin(world)
        past.went_on(world, 0.0)
        states[world.now] = world.checksum()
    # About sixty edits, of which forty fit in.
    assert len(past._copies) == 40 and past.end == world.exact_now
    times = [time for time in states if time >= float(past.start)]
    assert 1 < float(past.start) < 6
    for time in rng.choice(times, 40):
        past.go_to(world, float(time))
        assert world.checksum() == states[float(time)]


def test_a_movie_is_of_the_next_seconds_and_changes_nothing(tmp_path: Path) -> None:
    for world in (gas(), gas(gravity=(0, -9.81)), gas(rough=(0.3, 0.2))):
        checksum = world.checksum()
        movie = world.movie(0.4, width=160, frames_per_second=10, title="A gas")
        assert world.checksum() == checksum and movie.gif.startswith(b"GIF89a")
        # As wide as it is asked to be, and five frames: at 0, 0.1, … 0.4 s.
        assert int.from_bytes(movie.gif[6:8], "little") == 160
        assert movie.gif.count(b"\x21\xf9\x04") == 5
        assert movie._repr_html_().startswith('<img alt="A movie of discs" src="data:image/gif;base64,R0lGOD')
        movie.save(tmp_path / "gas.gif")
        assert (tmp_path / "gas.gif").read_bytes() == movie.gif
        assert world.movie(0.4, width=160, frames_per_second=10, title="A gas").gif == movie.gif


def test_movies_that_cannot_be_are_refused() -> None:
    world = gas()
    calls: dict[str, Callable[[], object]] = {
        "seconds": lambda: world.movie(61.0),
        "width": lambda: world.movie(1.0, width=5),
        "frames_per_second": lambda: world.movie(1.0, frames_per_second=51),
        "speed": lambda: world.movie(1.0, speed=0.0),
        "colours": lambda: world.movie(1.0, colours="blau"),
    }
    for field, call in calls.items():
        with pytest.raises(carom.CaromError) as refused:
            call()
        assert refused.value.field == field and refused.value.allowed
    with pytest.raises(carom.CaromError) as refused:
        world.movie(-1.0)
    assert refused.value.field == "seconds"
    assert world.movie(61.0, speed=61.0, width=64, frames_per_second=2).gif
    with pytest.raises(carom.CaromError):
        gas(judge=lambda _: None).movie(1.0)


def test_hands_are_back_where_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(rough=(0.5, 0.0))
    world.insert(Disc((0, 0), 1.0, angular_velocity=2.0))
    page = Page(world, monkeypatch)
    page.ask(seconds=1.0)
    assert page.parts["angles"].any()
    page.ask(go_to=0.0)
    assert "angles" in page.sent and not page.parts["angles"].any()

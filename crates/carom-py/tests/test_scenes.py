"""Scenes as files, and pictures."""

from __future__ import annotations

import pickle
from pathlib import Path

import carom
import numpy as np
import pytest
from carom import World

ROOT = Path(__file__).parents[3]


def test_every_named_scene_can_be_read() -> None:
    names = carom.scene_names()
    assert "newtons-cradle" in names and len(names) >= 20
    for name in names:
        scene = carom.scene(name)
        assert scene.name == name and scene.until > 0 and scene.text


def test_a_scene_runs_to_its_end() -> None:
    world = carom.run("newtons-cradle")
    scene = carom.scene("newtons-cradle")
    assert world.now == scene.until and world.counters.disc_impacts >= 4
    assert len(scene.colours) == len(world)
    assert carom.run(scene, 1.0).now == 1.0
    # With forces, where there are none, the paths are the same.
    assert np.array_equal(carom.run(scene, forces=True).positions, world.positions)


def test_verdicts_of_a_scene_are_those_of_its_world() -> None:
    world = carom.scene("breakout").build()
    assert world.advance_to(60.0).end == "reached"
    bricks = [wall for wall in world.walls.values() if 5 <= wall.user_data <= 28]
    notes = [event.note for event in world.event_list if event.kind == "timer"]
    assert 0 < len(notes) == 24 - len(bricks)
    again = pickle.loads(pickle.dumps(world))
    for each in (world, again):
        each.advance(20.0)
    assert world.checksum() == again.checksum()


def test_named_scenes_have_the_events_that_rust_counts() -> None:
    golden = Path(__file__).parents[2] / "carom-scene" / "tests" / "golden.hashes"
    counted = {name: int(events) for name, events, _ in map(str.split, golden.read_text().splitlines())}
    few = {name: events for name, events in counted.items() if events < 1000}
    assert len(few) > 12
    for name, events in few.items():
        scene = carom.scene(name)
        world = scene.build()
        assert world.advance_to(scene.until).end == "reached" and len(world.events) == events, name


def test_a_scene_is_a_name_a_path_or_a_text(tmp_path: Path) -> None:
    text = carom.scene("newtons-cradle").text
    path = tmp_path / "own.toml"
    path.write_text(text)
    runs = [carom.run(given).checksum() for given in ("newtons-cradle", text, path, str(path))]
    assert len(set(runs)) == 1


def test_errors_of_scenes_say_where() -> None:
    with pytest.raises(carom.SceneError, match="newtons-cradle"):
        carom.scene("newton-cradle")
    text = carom.scene("newtons-cradle").text.replace("until = ", "until = -", 1)
    with pytest.raises(carom.SceneError) as refused:
        carom.scene(text).build()
    assert refused.value.field and "until" in refused.value.field and refused.value.allowed
    with pytest.raises(carom.SceneError):
        carom.scene("there/is/no/file.toml")


def test_pictures_are_png() -> None:
    scene = carom.scene("newtons-cradle")
    world = scene.build()
    picture = world.draw(width=300, colours=scene.colours, bounds=((-5, -5), (5, 5)), title="a")
    assert picture.png.startswith(b"\x89PNG") and picture._repr_png_() == picture.png
    assert world._repr_png_() == world.draw().png
    assert world.draw(colours="red").png != world.draw().png
    with pytest.raises(carom.CaromError) as refused:
        world.draw(colours="no colour")
    assert refused.value.field == "colours"
    with pytest.raises(carom.CaromError):
        World().draw(width=3)


def test_a_picture_is_saved(tmp_path: Path) -> None:
    picture = World().draw(width=64)
    picture.save(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes() == picture.png

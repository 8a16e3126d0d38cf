"""Worlds as files: the scenes that come with the engine, and one's own in TOML or JSON."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

from ._core import Scene, World, scene_names


def scene(given: str | os.PathLike[str]) -> Scene:
    """A scene by its name, by the path of a file, or by its text."""
    if isinstance(given, str):
        if "\n" in given or given.lstrip().startswith("{"):
            return Scene.parse(given)
        if given in scene_names() or not Path(given).exists():
            return Scene.named(given) if "." not in given and "/" not in given else Scene.read(given)
    return Scene.read(given)


def run(
    given: str | os.PathLike[str] | Scene,
    until: float | None = None,
    *,
    forces: bool = False,
    record_events: bool = True,
    progress: bool = False,
) -> World:
    """Builds a scene and runs it to a time, or to the end that it says itself.

    Ends earlier where the world does, as ``world.now`` tells. With ``progress`` there is a bar of tqdm;
    then only the events of the last hundredth are kept."""
    source = given if isinstance(given, Scene) else scene(given)
    world = source.build(forces=forces)
    world.record_events = record_events
    end = source.until if until is None else until
    if not progress:
        world.advance_to(end)
        return world
    tqdm = importlib.import_module("tqdm.auto").tqdm
    start = world.now
    for part in tqdm(range(1, 101), desc=source.name, unit="%"):
        world.advance_to(max(world.now, end if part == 100 else start + (end - start) * part / 100))
    return world


__all__ = ["run", "scene"]

"""What a world was, for those who go back."""

from __future__ import annotations

from ._core import Time, World
from .typing import Floats

_DISCS = 200_000
"""Discs in all copies together: some tens of megabytes."""


class Past:
    """Copies of a world at times, from which it can be played again to the last bit.

    It is told of what is done to the world, and notices what others have done to it meanwhile."""

    def __init__(self, world: World) -> None:
        self.end: Time = world.exact_now
        """The last time at which the world has been."""
        self._copies: list[tuple[World, bool]] = []
        self._seen: Floats | None = None
        self.begin(world)

    @property
    def start(self) -> Time:
        """The first time to which it can go."""
        return self._copies[0][0].exact_now

    def is_foreign(self, world: World) -> bool:
        """Whether the world has changed since it was last told of."""
        # A world makes a new array only when it has changed.
        return world.positions is not self._seen

    def begin(self, world: World) -> None:
        """The world has been edited: its future is another one from here on."""
        now = world.exact_now
        self._copies = [(copy, is_edit) for copy, is_edit in self._copies if copy.exact_now < now]
        self._keep(world, is_edit=True)
        self.end, self._seen = now, world.positions

    def went_on(self, world: World, seconds: float) -> None:
        """The world has been played on; there is to be a copy every few ``seconds``."""
        now = world.exact_now
        if self.end < now:
            self.end = now
        last = self._copies[-1][0]
        if last.exact_now < now and world.now - last.now >= seconds:
            self._keep(world, is_edit=False)
        self._seen = world.positions

    def go_to(self, world: World, time: float | Time) -> None:
        """Takes the world to a time at which it has been."""
        moment = float(time)
        before = [copy for copy, _ in self._copies if copy.now <= moment]
        start = before[-1] if before else self._copies[0][0]
        world.copy_from(start)
        if world.now < moment or (isinstance(time, Time) and world.exact_now < time):
            world.advance_to(time)
        self._seen = world.positions

    def _keep(self, world: World, *, is_edit: bool) -> None:
        self._copies.append((world.copy(), is_edit))
        most = min(max(_DISCS // (len(world) + 100), 16), 2000)
        while len(self._copies) > most:
            del self._copies[self._least_needed()]

    def _least_needed(self) -> int:
        """Of the copies that can be had again by playing, the nearest to that before it; else the oldest."""
        times = [copy.now for copy, _ in self._copies]
        gaps = [
            (times[k] - times[k - 1], k) for k in range(1, len(times) - 1) if not self._copies[k][1]
        ]
        return min(gaps)[1] if gaps else 0


__all__ = ["Past"]

"""Matches of billiards by their rules; ``carom.billiards`` has them."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Union

from ._core import EightBall, Game, Next, NineBall, Outcome, Ruling, Snooker, ThreeCushion
from .errors import CaromError
from .typing import Vector

GAMES = ("8-ball", "9-ball", "snooker", "three-cushion")
"""The games that have a rule book."""

Player = Literal["first", "second"]
Call = Union[tuple[str, int], Literal["safety"]]
Book = Union[NineBall, EightBall, Snooker, ThreeCushion]


class Turn(NamedTuple):
    """A shot of a match."""

    player: Player
    shot: dict[str, Any]
    """What was given to ``Match.shoot``: the stroke, and what was said before."""
    outcome: Outcome
    ruling: Ruling


class Match:
    """A game by its rules, on a table: who shoots, from where, at what, and what follows.

    The players are ``"first"``, who breaks, and ``"second"``. ``next`` says what is to be done. ``place``
    puts the cue ball where it is in hand, ``shoot`` plays, ``choose`` decides; balls that the rules put back are
    put back. What is refused leaves the match as it was.

    >>> from carom.billiards import Match
    >>> match = Match("9-ball", seed=1)
    >>> turn = match.shoot(0.5, direction=1.5708)
    >>> turn.ruling.fouls, match.player, match.cue_ball
    (['weak_break'], 'second', 'in_hand')
    """

    game: Game
    """The table. It is this one for the whole match."""
    rules: Book
    """The rule book, which says more: fouls in a row, groups, innings."""
    turns: list[Turn]
    """All shots so far."""

    def __init__(
        self,
        game: str = "9-ball",
        *,
        table: str | None = None,
        seed: int = 0,
        gap: float | None = None,
        target: int | None = None,
        equal_innings: bool = False,
        most_innings: int | None = None,
    ) -> None:
        """``game`` is one of ``GAMES``; ``table``, ``seed`` and ``gap`` are those of ``Game``. The last three
        are for three-cushion billiards: the points that win, 50 by default, as many innings for both, and
        after how many innings it ends."""
        points = {"target": target, "equal_innings": equal_innings or None, "most_innings": most_innings}
        self.rules = _book(game, {name: value for name, value in points.items() if value is not None})
        self.game = Game(game, table=table, seed=seed, gap=gap)
        self.turns = []
        self._seed = seed
        self._before: tuple[Game, Book] | None = None

    @property
    def next(self) -> Next:
        """What is to be done next."""
        return self.rules.next

    @property
    def player(self) -> Player | None:
        """Who shoots or chooses; ``None`` if it is over."""
        return None if self.is_over else self.next.player

    @property
    def cue_ball(self) -> Literal["lies", "in_hand", "behind_head_string", "in_d"] | None:
        """Where the cue ball is played from, if a player shoots."""
        return self.next.cue_ball

    @property
    def is_over(self) -> bool:
        """Whether it is won or drawn."""
        return self.next.kind in ("won", "drawn")

    @property
    def winner(self) -> Player | None:
        """Who has won."""
        return self.next.player if self.next.kind == "won" else None

    @property
    def score(self) -> tuple[int, int] | None:
        """The points of both, in games that count points."""
        if isinstance(self.rules, (Snooker, ThreeCushion)):
            return self.rules.points("first"), self.rules.points("second")
        return None

    @property
    def struck(self) -> str:
        """The label of the ball that the player strikes."""
        if isinstance(self.rules, ThreeCushion):
            return self.rules.ball_of(self.player or "first")
        return "cue"

    @property
    def balls_on(self) -> list[str]:
        """The labels of the balls that may be met first; none if it is over."""
        if self.is_over:
            return []
        if isinstance(self.rules, NineBall):
            return [self.rules.ball_on]
        if isinstance(self.rules, EightBall):
            return self.rules.balls_on(self.player or "first")
        if isinstance(self.rules, Snooker):
            return self.rules.balls_on
        return [ball for ball in ("cue", "yellow", "red") if self._may_meet(ball)]

    def _may_meet(self, ball: str) -> bool:
        is_opening = isinstance(self.rules, ThreeCushion) and self.rules.is_opening
        return ball == "red" if is_opening else ball != self.struck

    @property
    def choices(self) -> list[str]:
        """What ``choose`` takes now: in eight-ball what is made of a break, else the player who shoots."""
        if self.next.kind != "chooses":
            return []
        return self.rules.choices if isinstance(self.rules, EightBall) else ["first", "second"]

    def place(self, at: Vector) -> None:
        """Puts the cue ball somewhere, if it is in hand and may be there."""
        self.next.place(self.game, at)

    def shoot(
        self,
        speed: float,
        *,
        push_out: bool = False,
        call: Call | None = None,
        nominated: str | None = None,
        foul: bool = False,
        **options: Any,
    ) -> Turn:
        """Plays a shot of the player whose turn it is, and judges it. ``speed`` and ``options`` are those of
        ``Game.shoot``.

        What the player says before: in nine-ball ``push_out``; in eight-ball a ``call``, which is a ball and
        a pocket, or ``"safety"``; in snooker the ``nominated`` colour. With ``foul`` a referee calls a foul
        that only an eye sees."""
        player = self.player
        if player is None or self.next.kind != "shoots":
            raise CaromError(f"no shot is due: {self.next!r}", "next", self.next.kind, "shoots")
        said = {"push_out": push_out or None, "call": call, "nominated": nominated}
        said = {name: value for name, value in said.items() if value is not None}
        after, rules = self.game.copy(), self.rules.copy()
        outcome = after.shoot(speed, **{"ball": self.struck, **options})
        outcome = outcome.with_call() if foul else outcome
        ruling = _judged(rules, outcome, after, said)
        _follow(rules, after, ruling, self._seed + 1)
        self._before = (self.game.copy(), self.rules)
        self._take(rules, after, ruling.rerack)
        turn = Turn(player, {"speed": speed, **said, **options}, outcome, ruling)
        self.turns.append(turn)
        return turn

    def choose(self, choice: str) -> Next:
        """Decides what ``choices`` has: in nine-ball after a push-out, in snooker after a foul, in eight-ball
        after some breaks. Says what is next."""
        after, rules = self.game.copy(), self.rules.copy()
        if isinstance(rules, EightBall):
            ruling = rules.choose(choice)
            _follow(rules, after, ruling, self._seed + 1)
            self._take(rules, after, ruling.rerack)
        elif isinstance(rules, (NineBall, Snooker)):
            rules.choose(choice)
            self._take(rules, after, False)
        else:
            raise CaromError("there is no choice in three-cushion billiards", "choice", choice, "none")
        return self.next

    def replay(self) -> Next:
        """In snooker, after a foul that is a miss: puts the balls back to where they were before it, for the
        player of before. The penalty stays."""
        rules = self.rules.copy()
        if self._before is None or not isinstance(rules, Snooker) or not isinstance(self._before[1], Snooker):
            raise CaromError("balls are put back after a foul of snooker alone")
        rules.replay(self._before[1])
        self._take(rules, self._before[0], False)
        return self.next

    def respot(self) -> list[str]:
        """In three-cushion billiards: puts a cue ball that touches others on its spot, and these on theirs.
        Gives the balls that were moved."""
        if not isinstance(self.rules, ThreeCushion):
            raise CaromError("balls that touch are put on spots in three-cushion billiards alone")
        return self.rules.respot(self.game)

    def _take(self, rules: Book, table: Game, is_new_rack: bool) -> None:
        self.rules = rules
        self.game.copy_from(table)
        self._seed += is_new_rack

    def __repr__(self) -> str:
        return f"<carom.billiards.Match: {len(self.turns)} shots, {self.next!r}>"


def _book(game: str, points: dict[str, Any]) -> Book:
    if game == "three-cushion":
        return ThreeCushion(**points)
    for name, value in points.items():
        raise CaromError(f"{name} is for three-cushion billiards, not for {game}", name, value, "left out")
    if game not in GAMES:
        raise CaromError(f"there are no rules of {game!r}, there are {GAMES}", "game", game, str(GAMES))
    books: dict[str, type[Book]] = {"8-ball": EightBall, "9-ball": NineBall, "snooker": Snooker}
    return books[game]()


def _judged(rules: Book, outcome: Outcome, after: Game, said: dict[str, Any]) -> Ruling:
    """What the book makes of a shot; what is said that the game does not know is a refusal."""
    known = {NineBall: "push_out", EightBall: "call", Snooker: "nominated"}.get(type(rules))
    for name in said:
        if name != known:
            raise CaromError(f"{name} has no meaning in this game", name, str(said[name]), str(known))
    if isinstance(rules, Snooker):
        return rules.judge(outcome, after, **said)
    return rules.judge(outcome, **said)


def _follow(rules: Book, game: Game, ruling: Ruling, seed: int) -> None:
    """Puts balls back as a ruling says."""
    if ruling.rerack and isinstance(rules, ThreeCushion):
        rules.set_up(game)
    elif ruling.rerack:
        game.set_up(seed)
    elif isinstance(rules, Snooker):
        Snooker.spot(game, ruling.spotted)
    else:
        for ball in ruling.spotted:
            game.spot(ball)


__all__ = ["GAMES", "Match", "Turn"]

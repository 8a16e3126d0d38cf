"""Rule books, matches and aiming of billiards through Python."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import carom
import carom.gym
import gymnasium
import numpy as np
import pytest
from carom.billiards import (
    GAMES,
    TOURNAMENT,
    EightBall,
    Game,
    Match,
    NineBall,
    Outcome,
    Ruling,
    Spread,
    ThreeCushion,
    pots,
    search,
)

UP = math.pi / 2
RULINGS = Path(__file__).parents[2] / "carom-billiards" / "tests" / "rulings.txt"


def outcome(shot: str, own: str = "cue") -> Outcome:
    """A shot of the table of rulings: what happens, word by word."""
    told = Outcome.of(own)
    for word in shot.split():
        if word == "called":
            told = told.with_call()
        elif word[0] == ":":
            ball, _, pocket = word[1:].partition("@")
            told = told.with_potted(ball, int(pocket or 0), 0.5)
        elif word[0] == "|":
            ball = word[1:].rstrip("bf")
            told = told.with_cushion(ball, 0, 0.1 if word[-1] == "b" else 0.4, frozen=word[-1] == "f")
        else:
            for ball in word.split("&"):
                told = told.with_hit(ball, 0.2)
    return told


def nine(setup: str, shot: str, call: str) -> tuple[str, Ruling]:
    rules = NineBall()
    phase, _, gone = setup.partition(" -")
    if phase != "break":
        broken = outcome("1 |2 |3 |4 |5 " + " ".join(f":{ball}" for ball in gone.split(",") if ball))
        rules.judge(broken)
    if phase == "play":
        rules.judge(outcome("|cue").with_hit(rules.ball_on, 0.2))
    return rules.next.player or "", rules.judge(outcome(shot), push_out=call == "push")


def eight(setup: str, shot: str, call: str) -> tuple[str, Ruling]:
    rules = EightBall()
    if setup != "break":
        rules.judge(outcome("1 |1 |2 |3 |4"))
    for ball in {"solids": "1", "eight": "1234567"}.get(setup, ""):
        rules.judge(outcome(f"{ball} :{ball}"), call=(ball, 0))
    me, (ball, _, pocket) = rules.next.player or "", call.partition("@")
    if pocket:
        return me, rules.judge(outcome(shot), call=(ball, int(pocket)))
    return me, rules.judge(outcome(shot), call="safety" if call == "safe" else None)


def three(setup: str, shot: str, call: str) -> tuple[str, Ruling]:
    rules = ThreeCushion()
    if setup == "play":
        rules.judge(Outcome.of("cue").with_hit("red", 0.1).with_cushion("cue", 1, 0.2))
    me = rules.next.player or ""
    own = rules.ball_of(me)
    other = "yellow" if own == "cue" else "cue"
    letters, _, seen = shot.partition(" ")
    told = Outcome.of(own)
    for k, letter in enumerate(letters):
        if letter in "ry":
            told = told.with_hit("red" if letter == "r" else other, 0.1 * (k + 1))
        else:
            told = told.with_cushion(own, k % 4, 0.1 * (k + 1), frozen=letter == "f")
    return me, rules.judge(told.with_call() if "called" in seen else told)


Judges = Callable[[str, str, str], tuple[str, Ruling]]
BOOKS: dict[str, Judges] = {"nine": nine, "eight": eight, "three": three}
FROM = {"lies": "lies", "hand": "in_hand", "string": "behind_head_string"}


def test_rulings_are_those_of_the_table() -> None:
    # The table that the Rust rules are tested with, but for what only a whole shot can say.
    count = 0
    for line in RULINGS.read_text().splitlines():
        head, *columns = (column.strip() for column in line.split(";"))
        if head.partition(" ")[0] not in BOOKS or {"again", "on", "beyond"} & set(columns[1].split()):
            continue
        setup, shot, call, fouls, after, spotted = (*columns, "")[:6]
        count += 1
        if fouls == "error":
            with pytest.raises(carom.CaromError):
                BOOKS[head.partition(" ")[0]](setup, shot, call)
            continue
        me, ruling = BOOKS[head.partition(" ")[0]](setup, shot, call)
        named = "".join(word.title().replace("_", "") + " " for word in ruling.fouls).strip()
        assert named == fouls and len(ruling.reasons) == len(ruling.fouls), line
        who, what, *_ = after.split()
        assert (ruling.next.player == me) == (who == "me"), line
        kind = {"chooses": "chooses", "wins": "won"}.get(what, "shoots")
        assert (ruling.next.kind, ruling.next.cue_ball) == (kind, FROM.get(what)), line
        assert ruling.spotted == spotted.split(), line
    assert count >= 90, count


def easiest(match: Match, rng: np.random.Generator) -> tuple[float, str, int]:
    """The ball on that is cut least into a pocket: its direction with some error, the ball, the pocket."""
    game = match.game
    places = dict(zip(game.labels, game.positions))
    cue, best = places[match.struck], (math.inf, UP, match.balls_on[0], 0)
    for ball in match.balls_on:
        for pocket, at in enumerate(game.pockets):
            direction = game.aim_at(match.struck, ball, tuple(at))
            if direction is not None:
                way = at - places[ball]
                cut = abs((math.atan2(way[1], way[0]) - direction + math.pi) % (2 * math.pi) - math.pi)
                best = min(best, (cut, direction, ball, pocket))
    if best[0] > 1.0:
        way = places[best[2]] - cue
        best = (0.0, math.atan2(way[1], way[0]), *best[2:])
    return best[1] + rng.normal(0, 0.004), best[2], best[3]


def step(match: Match, rng: np.random.Generator) -> None:
    """What a simple player does."""
    if match.next.kind == "chooses":
        match.choose(match.choices[rng.integers(len(match.choices))])
        return
    width, length = match.game.size
    while match.cue_ball != "lies":
        heights = {"in_hand": length, "behind_head_string": 0.25 * length, "in_d": 0.737}
        at = (rng.uniform(0.3 * width, 0.7 * width), rng.uniform(0, heights[match.cue_ball or "in_hand"]))
        try:
            match.place(at)
            break
        except carom.CaromError:
            continue
    direction, ball, pocket = easiest(match, rng)
    if isinstance(match.rules, EightBall):
        match.shoot(8.0 if match.rules.is_break else 2.5, direction=direction, call=(ball, pocket))
    elif isinstance(match.rules, NineBall):
        push_out = match.rules.may_push_out and rng.random() < 0.5
        match.shoot(8.0 if not match.turns else 2.5, direction=direction, push_out=push_out)
    elif isinstance(match.rules, ThreeCushion):
        match.shoot(rng.uniform(2, 6), direction=rng.uniform(0, 2 * math.pi))
    else:
        nominated = ball if match.rules.on == "any_colour" else None
        match.shoot(2.5, direction=direction, nominated=nominated)


def played(game: str, seed: int, most: int) -> Match:
    match, rng = Match(game, seed=seed), np.random.default_rng(seed)
    while not match.is_over and len(match.turns) < most:
        step(match, rng)
    return match


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("game", ["8-ball", "9-ball"])
def test_a_whole_match_of_pool_ends_as_the_rules_say(game: str, seed: int) -> None:
    match = played(game, seed, 400)
    last = match.turns[-1]
    assert match.winner == last.ruling.next.player and match.player is None and match.balls_on == []
    potted = {label for label, _, _ in last.outcome.potted}
    if game == "8-ball":
        # The 8 falls, and wins exactly if it is called and no foul.
        called = last.shot.get("call")
        wins = not last.ruling.fouls and ("8", last.outcome.potted[-1][1]) == called
        assert "8" in potted and (match.winner == last.player) == wins
    else:
        # The 9 falls without a foul, or three fouls in a row lose.
        if last.ruling.fouls:
            assert [turn for turn in match.turns if turn.player == last.player][-3:][0].ruling.fouls
        assert (match.winner == last.player) == (not last.ruling.fouls) == ("9" in potted)
    for turn, after in zip(match.turns, match.turns[1:]):
        if turn.ruling.fouls and turn.ruling.next.kind == "shoots":
            assert after.player != turn.player
    with pytest.raises(carom.CaromError) as refused:
        match.shoot(1.0)
    assert refused.value.field == "next"
    # The table is what the rules have on it.
    if isinstance(match.rules, EightBall):
        lies = {label for label, on in zip(match.game.labels, match.game.on_table) if on and label != "cue"}
        assert lies == set(match.rules.on_table)


def test_a_frame_of_snooker_counts_what_falls() -> None:
    match = played("snooker", 3, 12)
    points = {"first": 0, "second": 0}
    value = {"yellow": 2, "green": 3, "brown": 4, "blue": 5, "pink": 6, "black": 7}
    before = (0, 0)
    rng = np.random.default_rng(5)
    while len(match.turns) < 30 and not match.is_over:
        before = match.score or before
        step(match, rng)
        turn = match.turns[-1]
        gained = [b - a for a, b in zip(before, match.score or before)]
        own = gained[turn.player == "second"]
        if turn.ruling.fouls:
            assert own == 0 and sum(gained) in (0, 4, 5, 6, 7)
        else:
            assert own == sum(value.get(label, 1) for label, _, _ in turn.outcome.potted)
        points[turn.player] += own
    assert sum(match.score or ()) > 0


def test_after_a_miss_of_snooker_the_balls_are_put_back() -> None:
    match = Match("snooker", seed=1)
    start = match.game.positions.copy()
    match.shoot(1.0, direction=0.0)
    assert match.score == (0, 4) and match.next.kind == "chooses" and match.choices == ["first", "second"]
    assert not np.array_equal(match.game.positions, start, equal_nan=True)
    assert match.replay().player == "first" and match.score == (0, 4)
    assert np.array_equal(match.game.positions, start)
    with pytest.raises(carom.CaromError):
        match.replay()


def test_three_cushion_goes_to_its_points_and_innings() -> None:
    match = Match("three-cushion", most_innings=3)
    assert match.balls_on == ["red"] and match.struck == "cue"
    rng = np.random.default_rng(1)
    while not match.is_over:
        step(match, rng)
        assert match.is_over or match.struck == {"first": "cue", "second": "yellow"}[match.player or "first"]
    assert isinstance(match.rules, ThreeCushion) and match.rules.innings("second") == 3
    first, second = match.score or (0, 0)
    winner = None if first == second else ("first" if first > second else "second")
    assert match.winner == winner and match.next.kind == ("won" if winner else "drawn")


def test_a_match_is_that_of_the_environment() -> None:
    # The environment judges shots by the Rust rules on a table of its own: the same shots, the same match.
    fouls = potted = 0
    for seed in range(6):
        env = gymnasium.make("carom/NineBall-v0", opponent="agent")
        seen, _ = env.reset(seed=seed)
        match, rng = Match("9-ball", seed=seed), np.random.default_rng(seed)
        is_over = False
        while not is_over:
            action = rng.uniform(-1, 1, 7).astype(np.float32)
            action[2:4] = 0
            direction, speed, _, _, elevation, x, y = (float(number) for number in action)
            width, length = match.game.size
            if match.cue_ball in ("in_hand", "behind_head_string"):
                up = 0.248 * (1.0 + y) - 1.0 if match.cue_ball == "behind_head_string" else y
                radius = 0.028575
                try:
                    across = 0.5 * width + (0.5 * width - radius) * x
                    match.place((across, 0.5 * length + (0.5 * length - radius) * up))
                except carom.CaromError:
                    if not match.game.on_table[0]:
                        match.game.spot("cue")
            stroke: dict[str, Any] = {"direction": math.pi * direction, "elevation": 0.5 * (1.0 + elevation) * 0.5}
            clear = match.game.least_elevation(0.5 + 0.5 * (1.0 + speed) * 9.5, **stroke)
            stroke["elevation"] = max(stroke["elevation"], clear or 0.0)
            turn = match.shoot(0.5 + 0.5 * (1.0 + speed) * 9.5, **stroke)
            seen, reward, is_over, _, _ = env.step(action)
            fouls, potted = fouls + bool(turn.ruling.fouls), potted + len(turn.outcome.potted)
            own = -0.1 if turn.ruling.fouls else 0.1 * len(turn.outcome.potted)
            won = {None: 0.0, turn.player: 1.0}.get(match.winner, -1.0)
            assert reward == pytest.approx(own + won) and is_over == match.is_over
            lies = np.array(match.game.on_table)
            balls = seen[:30].reshape(10, 3)
            assert np.array_equal(balls[:, 2] == 1, lies)
            centre = np.array(match.game.size) / 2
            assert np.array_equal(balls[lies, :2], (match.game.positions - centre)[lies].astype(np.float32))
    assert fouls > 20 and potted > 5


def test_what_is_refused_leaves_the_match_as_it_was() -> None:
    match = Match("8-ball", seed=2)
    calls: dict[str, Callable[[], object]] = {
        "game": lambda: Match("10-ball"),
        "target": lambda: Match("9-ball", target=3),
        "push_out": lambda: match.shoot(8.0, direction=UP, push_out=True),
        "call": lambda: match.shoot(8.0, direction=UP, call=("one", 2)),
        "speed": lambda: match.shoot(-1.0),
        "balls": lambda: match.place((0.6, 2.0)),
        "choice": lambda: match.choose("resign"),
        "player": lambda: EightBall().group("third"),
        "most_innings": lambda: ThreeCushion(most_innings=0),
    }
    rules, checksum = copy.copy(match.rules), match.game.checksum()
    for field, call in calls.items():
        with pytest.raises(carom.CaromError) as refused:
            call()
        assert refused.value.field == field and refused.value.allowed, field
    for call in (lambda: match.choose("accept"), match.replay, match.respot):
        with pytest.raises(carom.CaromError):
            call()
    assert match.rules == rules and match.game.checksum() == checksum and not match.turns
    snooker = Match("snooker")
    with pytest.raises(carom.CaromError) as refused:
        snooker.shoot(2.0, direction=UP, nominated="purple")
    assert refused.value.field == "nominated" and "yellow" in (refused.value.allowed or "")
    assert set(GAMES) == {"8-ball", "9-ball", "snooker", "three-cushion"}


def test_a_push_out_and_what_a_referee_calls() -> None:
    match, rng = Match("9-ball", seed=3), np.random.default_rng(1)
    while not (isinstance(match.rules, NineBall) and match.rules.may_push_out):
        match = Match("9-ball", seed=int(rng.integers(1000)))
        match.shoot(9.0, direction=UP)
    player = match.player
    # At no ball, which a push-out need not meet; the other player says who goes on.
    turn = match.shoot(0.3, direction=-UP, push_out=True)
    assert turn.ruling.fouls == [] and match.next.kind == "chooses" and match.player != player
    assert match.choose(player or "first").player == player
    turn = match.shoot(0.3, direction=-UP, foul=True)
    assert turn.outcome.is_called and turn.ruling.fouls == ["no_contact", "called"]
    assert turn.ruling.reasons == ["the cue ball meets no ball", "the referee calls a foul"]
    assert match.cue_ball == "in_hand" and match.player != player


def test_an_illegal_break_may_be_racked_again() -> None:
    match = Match("8-ball", seed=4)
    first = match.game.labels
    turn = match.shoot(0.5, direction=UP)
    assert turn.ruling.fouls == ["weak_break"] and match.player == "second"
    assert match.choices == ["accept", "break", "let_other_break"]
    after = match.choose("let_other_break")
    assert (after.player, after.cue_ball) == ("first", "behind_head_string") and after == match.next
    # Where the balls are racked is the same; which they are is of another seed.
    assert match.game.labels == Game("8-ball", seed=5).labels != first
    assert match.game.checksum() == Game("8-ball", seed=5).checksum()


def test_what_a_search_finds_is_made() -> None:
    game = Game.of_balls({"cue": (0.6, 0.6), "1": (0.9, 1.9), "2": (0.3, 1.2)})
    plain = pots(game, ["1"], speed=3.0)
    assert plain and all(pot.ball == "1" and pot.probability is None for pot in plain)
    for pot in plain:
        made = game.copy().shoot(**pot.shot)
        assert ("1", pot.pocket) in {(ball, pocket) for ball, pocket, _ in made.potted}
        assert ("cue" in {ball for ball, _, _ in made.potted}) == pot.scratches
    direct = next(pot for pot in plain if pot.route == "direct")
    assert 0 <= direct.cut < UP and direct.kicks == direct.banks == 0 and direct.rail is None
    contact = game.first_contact(**direct.shot)
    assert contact is not None and contact.ball == "1"
    # The two touch where they meet, two radii apart.
    (x, y), (u, v) = contact.positions
    assert math.hypot(u - x, v - y) == pytest.approx(2 * 0.028575, rel=1e-9)
    assert game.first_contact(1.0, direction=math.pi) is None
    assert game.least_elevation(1.0, direction=UP) == pytest.approx(0.0, abs=0.2)


def test_a_search_is_the_same_on_any_threads_and_its_shares_are_shares() -> None:
    game = Game.of_balls({"cue": (0.6, 0.6), "1": (0.9, 1.9)})
    strokes = {"speed": np.array([2.0])}
    found = [search(game, strokes=strokes, simulations=60, threads=threads) for threads in (1, 2)]
    told = [[(pot.shot, pot.pocket, pot.probability, pot.simulations) for pot in one] for one in found]
    assert told[0] == told[1] and told[0]
    shares = [pot.probability or 0.0 for pot in found[0]]
    assert all(0 <= share <= 1 for share in shares) and shares[0] == max(shares)
    best = found[0][0]
    assert best.route == "direct" and (best.error or 0) > 0 and best.simulations >= 15
    # A player without errors makes the best shot each time.
    sure = search(game, ["1"], strokes=strokes, simulations=8, spread=Spread())
    assert sure[0].probability == 1.0
    calls: dict[str, Callable[[], object]] = {
        "strokes": lambda: search(game, strokes={"speeds": 1.0}),
        "ball": lambda: search(game, ["7"], simulations=1),
        "seconds": lambda: search(game, strokes=strokes, seconds=-1.0),
    }
    for field, call in calls.items():
        with pytest.raises(carom.CaromError) as refused:
            call()
        assert refused.value.field == field


def test_a_spread_has_the_errors_of_its_size() -> None:
    many = [TOURNAMENT.played(1, k, 2.0, direction=0.5, ball="cue") for k in range(2000)]
    for name in ("direction", "speed"):
        off = np.array([shot[name] for shot in many]) - {"direction": 0.5, "speed": 2.0}[name]
        size = getattr(TOURNAMENT, name)
        # The standard deviation of a sample of n has an error of a part 1/√(2n) of it; five of these.
        assert abs(off.std() / size - 1) < 5 / math.sqrt(4000)
        assert abs(off.mean()) < 5 * size / math.sqrt(2000)
    assert TOURNAMENT.direction == pytest.approx(math.radians(0.125))
    assert TOURNAMENT.scaled(2.0).speed == 0.15 and TOURNAMENT.scaled(0.0) == Spread()
    assert Spread().played(1, 7, 2.0, side=0.1) == {
        "speed": 2.0, "direction": 0.0, "side": 0.1, "height": 0.0, "elevation": 0.0, "ball": "cue"
    }

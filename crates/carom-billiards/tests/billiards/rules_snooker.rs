//! Snooker: strokes made up for each rule, sights against a search over angles, and frames of simple players.

use crate::scripted::{aim, lies, place, put_in_hand, shot, take};
use crate::support::{lay, racked};
use carom_billiards::rules::{Colour, CueBall, Foul, Next, On, Player, Ruling, Snooker};
use carom_billiards::{BallHit, Error, Game, Layout, Outcome, Rack, Shot, Table};
use carom_engine::DVec2;
use carom_testkit::rng::{Rng, cases};

use Colour::{Black, Blue, Green, Pink, Yellow};
use Player::{First, Second};

fn rack() -> Game {
    racked(Rack::snooker(), 0.0, &Table::snooker_12ft(), 1)
}

/// A stroke that meets a ball first, and on which these fall.
fn stroke(first: &str, fallen: &[&str]) -> Outcome {
    let first = (!first.is_empty()).then(|| first.to_owned());
    Outcome { first_hit_at: first.as_ref().map(|_| 0.2), first_hit: first, ..shot(None, fallen, &[]) }
}

/// A frame with the balls on a table; what falls is taken from it, what is put back is put there.
struct Frame {
    rules: Snooker,
    game: Game,
}

impl Frame {
    fn new() -> Self {
        Frame { rules: Snooker::new(), game: rack() }
    }

    fn play(&mut self, nominated: Option<Colour>, outcome: &Outcome) -> Result<Ruling, Error> {
        outcome.potted.iter().for_each(|potted| take(&mut self.game, &potted.ball));
        let ruling = self.rules.judge(outcome, nominated, &self.game)?;
        Snooker::spot(&mut self.game, &ruling.spotted)?;
        if !lies(&self.game, Layout::CUE) {
            self.game.place(Layout::CUE, [0.9, 0.7]).unwrap();
        }
        self.agrees();
        Ok(ruling)
    }

    fn agrees(&self) {
        let balls = self.game.layout().balls.iter().map(|placed| placed.label.as_str());
        let mut on_table: Vec<&str> = balls.filter(|ball| *ball != "cue" && lies(&self.game, ball)).collect();
        let mut known = self.rules.on_table();
        on_table.sort_unstable();
        known.sort_unstable();
        assert_eq!(known, on_table);
    }

    fn points(&self) -> (u32, u32) {
        (self.rules.points(First), self.rules.points(Second))
    }

    /// Reds from the first to this one potted, each with a black.
    fn cleared(reds: u32) -> Frame {
        let mut frame = Frame::new();
        for red in 1..=reds {
            frame.play(None, &stroke("red 15", &[&format!("red {red}")])).unwrap();
            frame.play(Some(Black), &stroke("black", &["black"])).unwrap();
        }
        frame
    }
}

fn plays(player: Player) -> Next {
    Next::Shoots { player, cue_ball: CueBall::Lies }
}

/// Section 3, 3: reds and colours in turn, then the colours by their values: 147 in all.
#[test]
fn snooker_maximum() {
    let mut frame = Frame::cleared(15);
    assert_eq!((frame.points(), frame.rules.on()), ((120, 0), On::Colour(Yellow)));
    for colour in Colour::ALL {
        assert_eq!(frame.rules.next(), plays(First));
        assert_eq!(frame.rules.balls_on(), [colour.label()]);
        let ruling = frame.play(None, &stroke(colour.label(), &[colour.label()])).unwrap();
        assert!(ruling.fouls.is_empty() && ruling.spotted.is_empty());
    }
    assert_eq!((frame.points(), frame.rules.next()), ((147, 0), Next::Won { player: First }));
    assert!(frame.play(None, &stroke("black", &[])).is_err());
}

/// Two reds at once count two; a miss of the pot passes the turn, and after a colour the reds are on again.
#[test]
fn snooker_turns() {
    let mut frame = Frame::new();
    assert_eq!(frame.rules.next(), Next::Shoots { player: First, cue_ball: CueBall::InD });
    frame.play(None, &stroke("red 1", &["red 1", "red 4"])).unwrap();
    assert_eq!((frame.points(), frame.rules.on(), frame.rules.balls_on().len()), ((2, 0), On::AnyColour, 6));
    assert!(matches!(frame.play(None, &stroke("pink", &[])), Err(Error::OutOfTurn(_))));
    let ruling = frame.play(Some(Pink), &stroke("pink", &[])).unwrap();
    assert_eq!((ruling.next, frame.rules.on()), (plays(Second), On::Red));
    assert!(matches!(frame.play(Some(Pink), &stroke("pink", &[])), Err(Error::OutOfTurn(_))));
    frame.play(None, &stroke("red 2", &["red 2"])).unwrap();
    let ruling = frame.play(Some(Blue), &stroke("blue", &["blue"])).unwrap();
    assert_eq!(ruling.spotted, ["blue"]);
    assert_eq!((ruling.next, frame.points()), (plays(Second), (2, 6)));
    // The colour of the last red may be missed: the yellow is on.
    let mut frame = Frame::cleared(14);
    frame.play(None, &stroke("red 15", &["red 15"])).unwrap();
    frame.play(Some(Pink), &stroke("pink", &[])).unwrap();
    assert_eq!((frame.rules.on(), frame.rules.next()), (On::Colour(Yellow), plays(Second)));
}

/// Section 3, 10 and 11: each foul and what it costs, from a red and from a colour after one.
#[test]
fn snooker_fouls() {
    use Foul::{NoContact, Scratch, WrongBall, WrongBallFalls};
    for (nominated, first, fallen, fouls, penalty) in [
        (None, "", &[][..], &[NoContact][..], 4),
        (None, "yellow", &[], &[WrongBall], 4),
        (None, "blue", &[], &[WrongBall], 5),
        (None, "black", &["red 3"], &[WrongBall], 7),
        (None, "red 1", &["cue"], &[Scratch], 4),
        (None, "red 1", &["red 1", "cue"], &[Scratch], 4),
        (None, "red 1", &["pink"], &[WrongBallFalls], 6),
        (None, "blue", &["cue", "black"], &[Scratch, WrongBall, WrongBallFalls], 7),
        (Some(Pink), "", &[], &[NoContact], 6),
        (Some(Pink), "red 2", &[], &[WrongBall], 6),
        (Some(Yellow), "black", &[], &[WrongBall], 7),
        (Some(Black), "black", &["red 2", "cue"], &[Scratch, WrongBallFalls], 7),
        (Some(Green), "green", &["green", "yellow"], &[WrongBallFalls], 4),
        (Some(Blue), "blue", &["blue", "cue"], &[Scratch], 5),
    ] {
        let mut frame = Frame::new();
        if nominated.is_some() {
            frame.play(None, &stroke("red 15", &["red 15"])).unwrap();
        }
        let before = frame.rules.points(First);
        let ruling = frame.play(nominated, &stroke(first, fallen)).unwrap();
        assert_eq!(ruling.fouls, fouls, "{nominated:?} {first} {fallen:?}");
        assert_eq!(frame.points(), (before, penalty), "{nominated:?} {first} {fallen:?}");
        assert_eq!((ruling.next, frame.rules.on()), (Next::Chooses { player: Second }, On::Red));
        // Section 3, 13: either of the two plays.
        let cue_ball = if fallen.contains(&"cue") { CueBall::InD } else { CueBall::Lies };
        for player in [First, Second] {
            assert_eq!(frame.rules.clone().choose(player), Ok(Next::Shoots { player, cue_ball }));
        }
    }
    let mut frame = Frame::new();
    assert!(matches!(frame.play(None, &stroke("red 16", &[])), Err(Error::NoSuchBall { .. })));
    assert!(matches!(frame.rules.choose(First), Err(Error::OutOfTurn(_))));
}

/// Section 3, 6 and 8: two balls at once, and touching balls.
#[test]
fn snooker_touching_and_simultaneous() {
    let both = |first: &str, second: &str| {
        let hit = |ball: &str| BallHit { balls: ["cue".into(), ball.into()], time: 0.2 };
        Outcome { hits: vec![hit(first), hit(second)], ..stroke(first, &[]) }
    };
    let fouls = |outcome: &Outcome| Frame::new().play(None, outcome).unwrap().fouls;
    assert_eq!(fouls(&both("red 1", "red 2")), []);
    assert_eq!(fouls(&both("red 1", "pink")), [Foul::WrongBall]);
    let touching = |ball: &str, first: &str| Outcome { touching: vec![ball.into()], ..stroke(first, &[]) };
    // Away from a red that is touched: met already, whatever comes then.
    assert_eq!(fouls(&touching("red 1", "")), []);
    assert_eq!(fouls(&touching("red 1", "pink")), []);
    assert_eq!(fouls(&touching("red 1", "red 1")), [Foul::TouchingBall]);
    assert_eq!(fouls(&touching("pink", "")), [Foul::NoContact]);
    assert_eq!(fouls(&touching("pink", "red 1")), []);
    assert_eq!(fouls(&touching("pink", "pink")), [Foul::TouchingBall]);
}

/// Section 3, 7: own spot, the most valuable free one, towards the top cushion, below; never touching.
#[test]
fn snooker_spots() {
    let table = Table::snooker_12ft();
    let diameter = 2.0 * table.ball.radius;
    let spots: Vec<DVec2> = {
        let game = rack();
        Colour::ALL.iter().map(|colour| table.from_world(place(&game, colour.label()))).collect()
    };
    let off = |spot: usize, y: f64| spots[spot] + DVec2::new(0.0, y);
    let with_reds = |reds: &[DVec2]| {
        let reds = (1..).zip(reds).map(|(k, at)| (format!("red {k}"), *at));
        let beside = |k: usize| DVec2::new(0.3 + 0.1 * k as f64, 0.2);
        let colours =
            Colour::ALL.iter().enumerate().map(|(k, colour)| (colour.label().to_owned(), beside(k)));
        let cue = ("cue".to_owned(), DVec2::splat(0.2));
        lay(&table, [cue].into_iter().chain(reds).chain(colours)).build(&table).unwrap()
    };
    let put = |reds: &[DVec2], colours: &[Colour]| {
        let mut game = with_reds(reds);
        let labels: Vec<String> = colours.iter().map(|colour| colour.label().to_owned()).collect();
        Snooker::spot(&mut game, &labels).unwrap();
        colours.iter().map(|colour| table.from_world(place(&game, colour.label()))).collect::<Vec<_>>()
    };
    let near =
        |found: DVec2, expected: DVec2| assert!((found - expected).length() < 1e-12, "{found} {expected}");
    near(put(&[], &[Pink])[0], spots[4]);
    near(put(&[spots[4]], &[Pink])[0], spots[5]);
    near(put(&[spots[5], spots[4] + DVec2::new(diameter, 0.0)], &[Pink])[0], spots[3]);
    // The black first, onto its own spot; the pink onto the next.
    let both = put(&[spots[4]], &[Pink, Black]);
    near(both[1], spots[5]);
    near(both[0], spots[3]);
    near(put(&spots, &[Blue])[0], off(3, diameter + 1e-4));
    let mut all = spots.clone();
    all.push(off(3, 1.9 * diameter));
    near(put(&all, &[Blue])[0], off(3, 2.9 * diameter + 1e-4));
    let to_cushion = (1..6).map(|k| off(5, f64::from(k) * diameter));
    near(
        put(&spots.iter().copied().chain(to_cushion).collect::<Vec<_>>(), &[Black])[0],
        off(5, -diameter - 1e-4),
    );
    assert!(Snooker::spot(&mut with_reds(&spots), &["red 1".into()]).is_err());
}

/// Whether a ball from a place can be met at every point that faces it, by trying many aims.
fn sees_by_aims(from: DVec2, target: DVec2, others: &[DVec2], reach: f64) -> bool {
    let to = target - from;
    let half = (reach / to.length()).asin();
    let travel = |way: DVec2, ball: DVec2| {
        let (along, across) = ((ball - from).dot(way), (ball - from).perp_dot(way));
        (along > 0.0 && across.abs() < reach).then(|| along - (reach * reach - across * across).sqrt())
    };
    (-2000..=2000).all(|k| {
        let way = DVec2::from_angle(half * f64::from(k) / 2000.0 * (1.0 - 1e-9)).rotate(to.normalize());
        let own = travel(way, target).unwrap_or(f64::INFINITY);
        others.iter().all(|&ball| travel(way, ball).is_none_or(|other| other >= own))
    })
}

/// Sights by geometry are what a search over aims finds, with balls near each other.
#[test]
fn sights_are_what_aims_find() {
    let table = Table::snooker_12ft();
    let reach = 2.0 * table.ball.radius;
    let mut blocked = 0;
    for seed in 0..cases(400) {
        let rng = &mut Rng::new(seed);
        let mut layout = Layout::new();
        let mut places: Vec<DVec2> = Vec::new();
        while places.len() < 5 {
            let at = DVec2::new(rng.range(0.5, 1.1), rng.range(0.5, 1.1));
            if places.iter().all(|other| (*other - at).length() > 1.01 * reach) {
                layout = layout.with(places.len().to_string(), table.ball, at);
                places.push(at);
            }
        }
        let game = layout.build(&table).unwrap();
        let found = game.in_the_way("0", "1", &[]).unwrap();
        let expected = sees_by_aims(places[0], places[1], &places[2..], reach);
        assert_eq!(found.is_none(), expected, "seed {seed}: {found:?} {places:?}");
        blocked += u64::from(!expected);
        assert_eq!(game.in_the_way("0", "1", &["2", "3", "4"]).unwrap(), None);
    }
    assert!(blocked * 10 > cases(400) && blocked * 10 < 9 * cases(400), "{blocked}");
}

/// A foul and a miss: the balls are put back, the same player plays again at what was on, and the penalty
/// stays (section 3, 14).
#[test]
fn snooker_misses_are_played_again() {
    let mut frame = Frame::new();
    frame.play(None, &stroke("red 1", &["red 1"])).unwrap();
    let (before, balls) = (frame.rules.clone(), frame.game.clone());
    assert!(frame.rules.replay(&before).is_err());
    let ruling = frame.play(Some(Pink), &stroke("red 2", &["red 2"])).unwrap();
    assert_eq!((ruling.next, frame.points()), (Next::Chooses { player: Second }, (1, 6)));
    // The player who fouled has scored since the frame began.
    assert!(frame.rules.replay(&Snooker::new()).is_err());
    assert_eq!(frame.rules.replay(&before).unwrap(), plays(First));
    frame.game = balls;
    frame.agrees();
    assert_eq!((frame.points(), frame.rules.on()), ((1, 6), On::AnyColour));
    frame.play(Some(Pink), &stroke("pink", &["pink"])).unwrap();
    assert_eq!(frame.points(), (7, 6));
}

/// Section 2, 17 and section 3, 12: a free ball is given where geometry says so, to the other player alone.
#[test]
fn snooker_gives_free_balls() {
    let table = Table::snooker_12ft();
    let foul_at = |cue: [f64; 2]| {
        // Red 15 is the one that is left, straight up the table behind the brown.
        let mut balls = vec![("cue", cue), ("red 15", [0.889, 1.2])];
        balls.extend(Colour::ALL.iter().enumerate().map(|(k, colour)| {
            (colour.label(), if k == 2 { [0.889, 0.737] } else { [0.2, 1.0 + 0.3 * k as f64] })
        }));
        let mut frame = Frame::cleared(14);
        frame.game = lay(&table, balls).build(&table).unwrap();
        let ruling = frame.rules.judge(&stroke("", &[]), None, &frame.game).unwrap();
        assert_eq!(ruling.fouls, [Foul::NoContact]);
        frame
    };
    // Behind the brown; half behind it; clear of it.
    assert!(foul_at([0.889, 0.5]).rules.has_free_ball());
    assert!(foul_at([0.92, 0.5]).rules.has_free_ball());
    assert!(!foul_at([1.2, 0.737]).rules.has_free_ball());
    let mut frame = foul_at([0.889, 0.5]);
    let mut void = frame.rules.clone();
    void.choose(First).unwrap();
    assert!(!void.has_free_ball(), "played again by the offender");
    assert!(matches!(void.judge(&stroke("black", &[]), Some(Black), &frame.game), Err(Error::OutOfTurn(_))));
    frame.rules.choose(Second).unwrap();
    // Missed; met, but then it hides the red; met, and it does not.
    let judge = |nominated, first: &str, game: &Game| {
        frame.rules.clone().judge(&stroke(first, &[]), nominated, game).unwrap().fouls
    };
    let brown = Some(Colour::Brown);
    assert_eq!(judge(brown, "red 15", &frame.game), [Foul::WrongBall]);
    assert_eq!(judge(brown, "brown", &frame.game), [Foul::FreeBallSnookers]);
    let mut clear = frame.game.clone();
    clear.place("brown", [0.3, 0.5]).unwrap();
    assert_eq!(judge(brown, "brown", &clear), []);
    // Hidden by another ball than the free one.
    assert_eq!(judge(Some(Black), "black", &frame.game), []);
    // Potted: it counts as a red; both count two.
    for (fallen, points) in [(&["brown"][..], 1), (&["brown", "red 15"], 2), (&["red 15"], 1)] {
        let (mut rules, mut game) = (frame.rules.clone(), frame.game.clone());
        fallen.iter().for_each(|ball| take(&mut game, ball));
        let before = rules.points(Second);
        let ruling = rules.judge(&stroke("brown", fallen), brown, &game).unwrap();
        assert_eq!((rules.points(Second) - before, rules.on()), (points, On::AnyColour), "{fallen:?}");
        assert_eq!(ruling.spotted.len(), usize::from(fallen.contains(&"brown")));
    }
}

/// Section 2, 17 (a): in hand the cue ball is snookered if it is from everywhere in the D.
#[test]
fn snooker_free_balls_in_hand() {
    let table = Table::snooker_12ft();
    for (left, is_snookered) in [(0.0, true), (0.2, false)] {
        let mut balls = vec![("cue", [0.3, 0.3]), ("red 15", [0.889, 1.2])];
        let x = |k: usize| 0.889 - left + 0.053 * (k as f64 - 2.5);
        balls.extend(Colour::ALL.iter().enumerate().map(|(k, colour)| (colour.label(), [x(k), 1.1])));
        let mut frame = Frame::cleared(14);
        frame.game = lay(&table, balls).build(&table).unwrap();
        let ruling = frame.play(None, &stroke("red 15", &["cue"])).unwrap();
        assert_eq!((ruling.fouls, frame.rules.has_free_ball()), (vec![Foul::Scratch], is_snookered));
    }
}

/// Section 3, 12 (e): beside a colour, the free ball counts only if the colour has not fallen.
#[test]
fn snooker_free_balls_for_a_colour() {
    let mut frame = Frame::cleared(15);
    // The yellow behind the green.
    let table = frame.game.table().clone();
    for (ball, at) in [("cue", [0.3, 1.5]), ("green", [0.6, 1.5]), ("yellow", [0.9, 1.5])] {
        frame.game.place(ball, at).unwrap();
    }
    assert_eq!(table.ball.radius, 0.02625);
    frame.play(None, &stroke("", &[])).unwrap();
    assert!(frame.rules.has_free_ball());
    frame.rules.choose(Second).unwrap();
    for (fallen, on, back) in [
        (&["green"][..], On::Colour(Yellow), &["green"][..]),
        (&["green", "yellow"], On::Colour(Green), &["green"]),
        (&["yellow"], On::Colour(Green), &[]),
    ] {
        let mut frame = Frame { rules: frame.rules.clone(), game: frame.game.clone() };
        let before = frame.rules.points(Second);
        let ruling = frame.play(Some(Green), &stroke("green", fallen)).unwrap();
        assert_eq!(frame.rules.points(Second) - before, 2, "{fallen:?}");
        assert_eq!(ruling.spotted, back, "{fallen:?}");
        assert_eq!((frame.rules.on(), ruling.next), (on, plays(Second)), "{fallen:?}");
    }
}

/// Section 3, 4: the last black ends the frame, potted or fouled; level scores put it back, for whom the lot
/// names, and then it decides.
#[test]
fn snooker_ends() {
    // The first player pots all reds and these colours, the second one the colours in the end except for the
    // black.
    let last_black = |colours: &[Colour]| {
        let mut frame = Frame::new();
        for red in 1..=15 {
            let label = format!("red {red}");
            frame.play(None, &stroke(&label, &[&label])).unwrap();
            if let Some(colour) = colours.get(red - 1) {
                frame.play(Some(*colour), &stroke(colour.label(), &[colour.label()])).unwrap();
                continue;
            }
            frame.play(Some(Green), &stroke("green", &[])).unwrap();
            if red < 15 {
                frame.play(None, &stroke(&format!("red {}", red + 1), &[])).unwrap();
            }
        }
        for colour in &Colour::ALL[..5] {
            frame.play(None, &stroke(colour.label(), &[colour.label()])).unwrap();
        }
        frame
    };
    let copy = |frame: &Frame| Frame { rules: frame.rules.clone(), game: frame.game.clone() };
    let end = |frame: &Frame, outcome: &Outcome| {
        let mut frame = copy(frame);
        let ruling = frame.play(None, outcome).unwrap();
        (ruling.next, frame.points())
    };
    let won = |player| Next::Won { player };
    let frame = last_black(&[]);
    assert_eq!((frame.points(), frame.rules.next()), ((15, 20), plays(Second)));
    assert_eq!(end(&frame, &stroke("black", &[])), (plays(First), (15, 20)));
    assert_eq!(end(&frame, &stroke("black", &["black"])), (won(Second), (15, 27)));
    assert_eq!(end(&frame, &stroke("", &[])), (won(First), (22, 20)));
    assert_eq!(end(&frame, &stroke("black", &["black", "cue"])), (won(First), (22, 20)));
    // 27 to 20, and the black.
    let mut frame = last_black(&[Black, Blue]);
    let before = frame.rules.clone();
    let ruling = frame.play(None, &stroke("black", &["black"])).unwrap();
    assert_eq!((ruling.next, frame.points()), (Next::Chooses { player: First }, (27, 27)));
    assert_eq!(ruling.spotted, ["black"]);
    assert!(frame.rules.replay(&before).is_err());
    assert_eq!(frame.rules.balls_on(), ["black"]);
    let next = frame.rules.choose(Second).unwrap();
    assert_eq!(next, Next::Shoots { player: Second, cue_ball: CueBall::InD });
    assert_eq!(end(&frame, &stroke("black", &[])).0, plays(First));
    assert_eq!(end(&frame, &stroke("black", &["black"])), (won(Second), (27, 34)));
    assert_eq!(end(&frame, &stroke("", &["cue"])), (won(First), (34, 27)));
}

/// Frames of simple players run to their ends; the rules and the table agree on what lies there.
#[test]
fn snooker_frames_end() {
    let table = Table::snooker_12ft();
    let (mut strokes, mut won, mut free) = (0, [0, 0], 0);
    for seed in 0..cases(60) {
        let rng = &mut Rng::new(seed);
        let game = racked(Rack::snooker(), 1e-4, &table, seed);
        let mut frame = Frame { rules: Snooker::new(), game };
        let winner = loop {
            let cue_ball = match frame.rules.next() {
                Next::Won { player } => break player,
                Next::Chooses { player } => {
                    frame.rules.choose(if rng.chance(80) { player } else { player.other() }).unwrap();
                    continue;
                }
                Next::Shoots { cue_ball, .. } => cue_ball,
                next => unreachable!("{next:?}"),
            };
            put_in_hand(&mut frame.game, cue_ball, rng);
            let on = frame.rules.balls_on();
            let from = |ball: &str| place(&frame.game, ball).distance(place(&frame.game, "cue"));
            let mut ball = on.iter().min_by(|a, b| from(a).total_cmp(&from(b))).unwrap().clone();
            let mut nominated = None;
            if frame.rules.on() == On::AnyColour {
                nominated = Colour::ALL.into_iter().find(|colour| colour.label() == ball);
            } else if frame.rules.has_free_ball() {
                let in_the_way = frame.game.in_the_way("cue", &ball, &[]).unwrap();
                nominated = Colour::ALL.into_iter().find(|colour| in_the_way == Some(colour.label()));
                ball = nominated.map_or(ball, |colour| colour.label().into());
                free += 1;
            }
            let (shot, _): (Shot, usize) = aim(&frame.game, &ball, rng);
            let outcome = frame.game.shoot(&shot).unwrap();
            let ruling = frame.rules.judge(&outcome, nominated, &frame.game).unwrap();
            Snooker::spot(&mut frame.game, &ruling.spotted).unwrap();
            frame.agrees();
            strokes += 1;
            assert!(strokes < 3000 * (seed + 1), "seed {seed} goes on and on");
        };
        let of = |player| frame.rules.points(player);
        assert!(of(winner) > of(winner.other()));
        won[usize::from(winner == Second)] += 1;
    }
    assert!(won.iter().all(|&won| won > 0) && free > 0, "{won:?} in {strokes} strokes, {free} free balls");
    println!("{won:?} in {strokes} strokes, {free} free balls");
}

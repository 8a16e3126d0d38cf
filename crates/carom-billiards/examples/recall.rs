//! How many of the pots that a fan of directions finds are found by `Game::pots`, and what both take.
//!
//! ```text
//! cargo run --release -p carom-billiards --example recall -- \
//!     [POSITIONS] [STEP in mrad] [BALLS] [SEED] [FILE]
//! ```
//!
//! A pot is a ball and a pocket. The fan plays one speed in all directions; what it finds in one
//! direction alone is left out: no player is so exact. "straight" is what falls without a cushion
//! and another ball on the way, "all" is everything else as well, kisses and several cushions included.
//!
//! What cannot change the answer is not played. Of two directions side by side one has an even number, so
//! the others are played only beside one that pots something new; and nothing is played once every ball
//! has fallen into every pocket, but what may be straight. With a FILE what the fan finds is kept there, a
//! line for each position, and is not played again.

use carom_billiards::aim::{Stroke, Wish};
use carom_billiards::{BallState, DVec2, Error, Event, Game, Layout, MotionChange, Shot, StopReason, Table};
use carom_testkit::rng::Rng;
use std::collections::BTreeSet;
use std::io::Write;
use std::time::Instant;

const SPEED: f64 = 2.5;

/// A ball and a pocket, by their numbers; the cue ball is 0.
type Fell = (usize, usize);

fn position(table: &Table, balls: usize, rng: &mut Rng) -> Game {
    loop {
        let mut layout = Layout::new();
        for k in 0..=balls {
            let label = if k == 0 { "cue".to_owned() } else { k.to_string() };
            // One ball of four lies at a rail.
            let near = rng.unit() < 0.25;
            let inset = table.ball.radius + if near { 0.03 * rng.unit() } else { 0.0 };
            let mut at = [
                inset + (table.width - 2.0 * inset) * rng.unit(),
                inset + (table.length - 2.0 * inset) * rng.unit(),
            ];
            if near {
                let side = (4.0 * rng.unit()) as usize;
                at[side % 2] = if side < 2 { inset } else { [table.width, table.length][side % 2] - inset };
            }
            layout = layout.with(label, table.ball, at);
        }
        if let Ok(game) = layout.build(table) {
            return game;
        }
    }
}

/// What has come of a shot.
#[derive(Default)]
struct Played {
    fell: Vec<Fell>,
    /// The ball that the cue ball has met without a cushion, until it meets something itself.
    first: Option<usize>,
    /// Whether it is known whether that falls straight.
    is_decided: bool,
    straight: Option<Fell>,
}

impl Played {
    fn take(&mut self, event: &Event<MotionChange>, pockets: &[(DVec2, f64)]) {
        match event {
            Event::Impact(impact) => {
                let balls = impact.user_data.map(|note| note as usize);
                let balls = &balls[..if impact.b.disc().is_some() { 2 } else { 1 }];
                let met = balls.iter().copied().find(|ball| *ball != 0);
                match self.first {
                    _ if self.is_decided => {}
                    None if balls.contains(&0) => (self.first, self.is_decided) = (met, met.is_none()),
                    Some(first) if balls.contains(&first) => self.is_decided = true,
                    _ => {}
                }
            }
            Event::Captured(departure) => {
                let ball = departure.user_data as usize;
                let off = |at: DVec2, radius: f64| ((departure.position - at).length() - radius).abs();
                let offs = pockets.iter().map(|(at, radius)| off(*at, *radius)).enumerate();
                let pocket = offs.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(pocket, _)| pocket);
                self.fell.push((ball, pocket));
                let is_first = self.first == Some(ball);
                if is_first && !self.is_decided {
                    self.straight = Some((ball, pocket));
                }
                self.is_decided |= is_first || (ball == 0 && self.first.is_none());
            }
            _ => {}
        }
    }
}

/// A fan of directions on a position, and what is not found yet.
struct Fan {
    game: Game,
    trial: Game,
    pockets: Vec<(DVec2, f64)>,
    step: f64,
    /// What has fallen in two directions side by side, straight and any way.
    found: [BTreeSet<Fell>; 2],
    played: u64,
}

impl Fan {
    /// Plays a direction for as long as it may pot what is not found.
    fn play(&mut self, direction: i64) -> Result<Played, Error> {
        self.played += 1;
        let Fan { game, trial, pockets, found, .. } = self;
        trial.clone_from(game);
        let strike =
            Shot::new(SPEED).aimed_at(direction as f64 * self.step).strike(&game.layout().balls[0].ball)?;
        let cue = trial.discs()[0];
        trial.world_mut().set_extra(cue, BallState::turning(strike.spin))?;
        trial.world_mut().set_velocity(cue, strike.velocity)?;
        let mut played = Played::default();
        let is_open = |ball: &usize| (0..pockets.len()).any(|pocket| !found[1].contains(&(*ball, pocket)));
        let mut open: Vec<usize> = (1..game.discs().len()).filter(is_open).collect();
        loop {
            let world = trial.world_mut();
            let advance = world.advance_until_event(64.0, |event| {
                played.take(event, pockets);
                if let Event::Captured(departure) = event {
                    open.retain(|ball| *ball != departure.user_data as usize);
                }
                open.is_empty() && played.is_decided
            })?;
            if advance.end != StopReason::Reached || world.next_event().is_none() {
                return Ok(played);
            }
        }
    }

    /// Whether the cue ball meets a ball straight, or passes it by less than a hair.
    fn may_be_straight(&self, direction: f64) -> bool {
        let balls = &self.game.layout().balls;
        let (way, reach) = (DVec2::from_angle(direction), 2.0 * balls[0].ball.radius + 1e-6);
        balls[1..].iter().any(|ball| {
            let to = ball.at - balls[0].at;
            to.dot(way) > 0.0 && to.perp_dot(way).abs() < reach
        })
    }

    fn run(&mut self) -> Result<(), Error> {
        let count = (core::f64::consts::TAU / self.step) as i64;
        let (even, all) =
            (count.div_euclid(2) + count % 2, self.pockets.len() * (self.game.discs().len() - 1));
        // All numbers once, each far from the last ones: most pots are found by the first.
        let stride = (1..).map(|k| (0.618 * even as f64) as i64 + k).find(|k| gcd(*k, even) == 1);
        for k in 0..even {
            let direction = 2 * (k * stride.unwrap_or(1) % even);
            if self.found[1].len() == all && !self.may_be_straight(direction as f64 * self.step) {
                continue;
            }
            let played = self.play(direction)?;
            let is_new = [
                played.straight.is_some_and(|fell| !self.found[0].contains(&fell)),
                played.fell.iter().any(|fell| fell.0 != 0 && !self.found[1].contains(fell)),
            ];
            if is_new == [false, false] {
                continue;
            }
            for beside in [direction - 1, direction + 1].into_iter().filter(|k| (0..count).contains(k)) {
                let other = self.play(beside)?;
                self.found[0].extend(played.straight.filter(|_| other.straight == played.straight));
                let both = played.fell.iter().filter(|fell| fell.0 != 0 && other.fell.contains(fell));
                self.found[1].extend(both);
            }
        }
        Ok(())
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// What the fan finds, as a line of text and back: `1>0` any way, `1>0!` straight.
fn text(found: &[BTreeSet<Fell>; 2]) -> String {
    let each =
        |fell: &Fell| format!("{}>{}{}", fell.0, fell.1, ["", "!"][usize::from(found[0].contains(fell))]);
    found[1].iter().map(each).collect::<Vec<_>>().join(" ")
}

fn parsed(line: &str) -> [BTreeSet<Fell>; 2] {
    let number = |text: &str| text.parse().expect("a number");
    let mut found = [BTreeSet::new(), BTreeSet::new()];
    for pot in line.split_whitespace() {
        let (ball, pocket) = pot.trim_end_matches('!').split_once('>').expect("ball>pocket");
        found[1].insert((number(ball), number(pocket)));
        found[0].extend(pot.ends_with('!').then(|| (number(ball), number(pocket))));
    }
    found
}

fn main() -> Result<(), Error> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |k: usize, default: f64| words.get(k).map_or(default, |text| text.parse().expect("a number"));
    let (positions, step, balls, seed) =
        (number(0, 10.0), number(1, 0.5) * 1e-3, number(2, 4.0), number(3, 1.0));
    let kept = words.get(4).and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    let mut file = words.get(4).map(|file| {
        std::fs::OpenOptions::new().create(true).append(true).open(file).expect("a file that can be written")
    });
    let table = Table::pool_9ft();
    let rng = &mut Rng::new(seed as u64);
    let (mut known, mut hit, mut times, mut played) = ([0_u32; 2], [0_u32; 2], [0.0; 2], 0);
    let mut lines = kept.lines();
    for _ in 0..positions as usize {
        let game = position(&table, balls as usize, rng);
        let labels: Vec<String> = (1..=balls as usize).map(|k| k.to_string()).collect();
        let wish = Wish::pot(&labels.iter().map(String::as_str).collect::<Vec<_>>());
        let start = Instant::now();
        let found = if let Some(line) = lines.next() {
            parsed(line)
        } else {
            let (trial, pockets) = (game.clone(), table.pocket_circles());
            let found = [BTreeSet::new(), BTreeSet::new()];
            let mut fan = Fan { game: game.clone(), trial, pockets, step, found, played: 0 };
            fan.run()?;
            if let Some(file) = &mut file {
                writeln!(file, "{}", text(&fan.found)).expect("a file that can be written");
            }
            played += fan.played;
            fan.found
        };
        times[1] += start.elapsed().as_secs_f64();
        let start = Instant::now();
        let pots = game.pots(&wish, Stroke::new(SPEED))?;
        times[0] += start.elapsed().as_secs_f64();
        for fell in &found[1] {
            let is_found = pots.iter().any(|pot| pot.ball == fell.0.to_string() && pot.pocket == fell.1);
            let is_straight = found[0].contains(fell);
            for (k, is) in [is_straight, true].into_iter().enumerate() {
                known[k] += u32::from(is);
                hit[k] += u32::from(is && is_found);
            }
            if is_straight && !is_found {
                let lie = |k: usize| game.layout().balls[k].at;
                println!("missed: {} at {:?} into {}, cue at {:?}", fell.0, lie(fell.0), fell.1, lie(0));
            }
        }
    }
    for (k, what) in ["straight", "all"].into_iter().enumerate() {
        let share = 100.0 * f64::from(hit[k]) / f64::from(known[k].max(1));
        println!("{what}: {} of {} found, {share:.1} %", hit[k], known[k]);
    }
    let each = |time: f64| 1e3 * time / positions;
    let directions = played as f64 / positions;
    println!(
        "pots {:.2} ms, fan {:.0} ms a position, {directions:.0} directions",
        each(times[0]),
        each(times[1])
    );
    Ok(())
}

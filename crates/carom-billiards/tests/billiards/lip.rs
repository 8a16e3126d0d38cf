//! Pockets with a lip.

use crate::support::{assert_near, lay, now, one, racked, throw};
use carom_billiards::{
    Ball, BallState, Billiards, Game, Happening, Layout, Motion, MotionChange, PocketModel, Rack, Recording,
    Shot, Table,
};
use carom_engine::{DVec2, DiscId, Forecast, ForecastOptions, SchedulerKind, StopReason, World};
use carom_testkit::rng::{Rng, cases};

const G: f64 = 9.81;

fn table(pocket: PocketModel) -> Table {
    let mut table = Table::pool_9ft();
    table.physics.pocket = pocket;
    table
}

/// A ball that rolls without friction into the upper right corner, this many metres beside its middle. The
/// ledger of it closes.
fn into_the_corner(pocket: PocketModel, speed: f64, beside: f64) -> Recording {
    let table = table(pocket);
    let mut ball = Ball::POOL;
    (ball.coefficients.rolling, ball.coefficients.sliding) = (0.0, 0.0);
    let along = DVec2::splat(0.5_f64.sqrt());
    let at = table.from_world(table.pocket_circles()[5].0) - along * 0.4 + along.perp() * beside;
    let mut game = one(&table, ball, at.into());
    throw(&mut game, "cue", along * speed, BallState::rolling());
    let energy = game.energy();
    let recording = game.record_until(None, 0.5).unwrap();
    let gained = game.energy() - energy;
    assert_near(recording.ledger.total(), gained, 1e-12 * energy);
    recording
}

fn changes(recording: &Recording) -> Vec<MotionChange> {
    let of = |what| if let Happening::Change(change) = what { Some(change) } else { None };
    recording.moments.iter().filter_map(|moment| of(moment.what)).collect()
}

/// Depth of a fall of this many seconds.
fn depth(seconds: f64) -> f64 {
    0.5 * G * seconds * seconds
}

/// A ball that rolls straight in: over the lip where the mouth model pots it; at the liner after
/// `(2ρ − R)/u`; and a slow one is as deep as its radius after `√(2R/g)`, which pots it.
#[test]
fn straight_in() {
    let (radius, hole) = (Ball::POOL.radius, Table::pool_9ft().pockets.unwrap().corner.radius);
    let falls = (2.0 * radius / G).sqrt();
    for speed in [0.05, 0.5, 1.0, 1.2, 1.3, 2.0, 6.0] {
        let (mouth, lip) =
            [PocketModel::Mouth, PocketModel::Lip].map(|pocket| into_the_corner(pocket, speed, 0.0)).into();
        let of = |recording: &Recording| recording.outcome.potted.first().map(|potted| potted.time);
        if speed * 0.5 < 0.4 - hole {
            assert_eq!((of(&mouth), of(&lip)), (None, None));
            continue;
        }
        let over = lip.moments.iter().find(|moment| moment.what == Happening::OverLip).unwrap();
        assert_eq!(of(&mouth), Some(over.time));
        assert_eq!(over.balls[0].2.motion, Motion::Falling);
        let flies = (2.0 * hole - radius) / speed;
        let expected = if flies < falls { MotionChange::MeetsLiner } else { MotionChange::Drops };
        assert_eq!(changes(&lip)[0], expected, "{speed}");
        let first = lip.moments.iter().find(|moment| moment.what == Happening::Change(expected)).unwrap();
        assert_near(first.time - over.time, flies.min(falls), 1e-12);
        assert!(of(&lip).unwrap() <= over.time + falls + 1e-12);
    }
}

/// A fast ball comes back from the liner, at a fifth of its speed, and climbs over the lip or not: the blow
/// at the edge leaves the velocity across the line from edge to centre, and what climbs is a pendulum on top
/// of the edge, `θ̈ = (g/R) sin θ`, integrated here in steps.
#[test]
fn back_over_the_lip() {
    let (radius, hole) = (Ball::POOL.radius, Table::pool_9ft().pockets.unwrap().corner.radius);
    let way = 2.0 * hole - radius;
    let (mut stayed, mut came_back) = (0, 0);
    for k in 0..40 {
        let speed = 6.0 + 0.5 * f64::from(k);
        let back = 0.2 * speed;
        let lasts = way / speed + way / back;
        let (h, sinks) = (depth(lasts), G * lasts);
        let expected = (h < radius).then(|| {
            let mut angle = ((radius - h) / radius).acos();
            let mut rate = (back * angle.cos() - sinks * angle.sin()) / radius;
            let step = 1e-6;
            while angle > 0.0 && rate > 0.0 {
                rate -= step * G / radius * angle.sin();
                angle -= step * rate;
            }
            (rate > 0.0).then_some(rate * radius)
        });
        let recording = into_the_corner(PocketModel::Lip, speed, 0.0);
        let potted = !recording.outcome.potted.is_empty();
        match expected.flatten() {
            None => {
                assert!(potted, "{speed}");
                stayed += 1;
            }
            Some(left) => {
                assert!(!potted, "{speed}");
                let lip = Happening::Change(MotionChange::MeetsLip);
                let met = recording.moments.iter().find(|moment| moment.what == lip).unwrap();
                assert_near(met.balls[0].2.velocity.length(), left, 1e-4);
                came_back += 1;
            }
        }
    }
    assert!(stayed > 3 && came_back > 3, "{stayed} {came_back}");
}

/// A ball that lies before the hole hangs, however near; a touch pots it.
#[test]
fn hanging() {
    let table = table(PocketModel::Lip);
    let (center, radius) = table.pocket_circles()[5];
    let along = DVec2::splat(0.5_f64.sqrt());
    for before in [1e-9, 1e-6, 1e-3] {
        let at = table.from_world(center) - along * (radius + before);
        let mut game = lay(&table, [("cue", at - along * 0.3), ("1", at)]).build(&table).unwrap();
        assert_eq!(game.world_mut().next_event(), None);
        let outcome = game.shoot(&Shot::new(0.5).aimed_at(0.25 * core::f64::consts::PI)).unwrap();
        assert_eq!(outcome.potted.first().map(|potted| potted.ball.as_str()), Some("1"), "{before}");
        assert_eq!(outcome.potted[0].pocket, 5);
    }
}

/// A shot into a rack, fast, so that balls come over many lips.
fn played(seed: u64) -> (Game, Shot) {
    let rng = &mut Rng::new(seed);
    let name = rng.pick(&["pool-7ft", "pool-9ft", "snooker-12ft"]);
    let mut table = Table::named(name).unwrap();
    table.physics.pocket = PocketModel::Lip;
    let rack = if name == "snooker-12ft" { Rack::snooker() } else { Rack::nine_ball() };
    let game = racked(rack, 1e-5, &table, seed);
    (game, Shot::new(rng.range(4.0, 14.0)).aimed_at(rng.range(0.5, 2.6)))
}

/// A world that was saved and loaded.
#[cfg(feature = "serde")]
fn reloaded(world: &World<Billiards>) -> World<Billiards> {
    postcard::from_bytes(&postcard::to_stdvec(world).unwrap()).unwrap()
}

#[cfg(not(feature = "serde"))]
fn reloaded(world: &World<Billiards>) -> World<Billiards> {
    world.clone()
}

/// The balls that are over a hole.
fn falling(game: &Game) -> Vec<DiscId> {
    let falls = |&id: &DiscId| {
        let disc = game.world().get(id).unwrap();
        disc.is_enabled() && disc.extra().motion(disc.radius(), disc.velocity()) == Motion::Falling
    };
    game.discs().iter().copied().filter(falls).collect()
}

/// Law: the path that is forecast for a ball in mid-fall is the one that it takes, without a gap, to where it
/// lies in the pocket or on the table.
#[test]
fn forecasts_in_mid_fall() {
    let (mut forecast, mut potted, mut back) = (Forecast::new(), 0, 0);
    for (seed, beside) in (0..cases(60)).flat_map(|seed| [0.0, 0.01].map(|beside| (seed, beside))) {
        let rng = &mut Rng::new(seed);
        let table = table(PocketModel::Lip);
        let along = DVec2::splat(0.5_f64.sqrt());
        let at = table.from_world(table.pocket_circles()[5].0) - along * 0.3 + along.perp() * beside;
        let mut game = Layout::new().with("cue", Ball::POOL, at).build(&table).unwrap();
        let spin = if rng.chance(50) { BallState::rolling() } else { BallState::default() };
        throw(&mut game, "cue", along * rng.range(0.8, 16.0), spin);
        for _ in 0..100 {
            game.world_mut().advance(rng.range(0.001, 0.01)).unwrap();
            let Some(id) = falling(&game).pop() else { continue };
            let pieces = forecast.path(game.world(), id, &ForecastOptions::new(0.7)).unwrap();
            for pair in pieces.windows(2) {
                assert_eq!(pair[0].end, pair[1].start);
                let gap = pair[0].position_at(pair[0].end).distance(pair[1].position_at(pair[1].start));
                assert!(gap < 1e-14, "{seed}: {gap:e}");
            }
            let last = pieces.last().unwrap();
            let mut later = game.clone();
            later.world_mut().advance(0.7).unwrap();
            let disc = later.world().get(id).unwrap();
            assert!(last.position_at(later.world().now()).distance(disc.position()) < 1e-14, "{seed}");
            let then = forecast.world_then().unwrap().get(id).unwrap();
            assert_eq!((then.position(), then.is_enabled()), (disc.position(), disc.is_enabled()));
            if disc.is_enabled() { back += 1 } else { potted += 1 }
        }
    }
    assert!(potted > 30 && back > 10, "{potted} {back}");
}

/// Law: a game with lips does not depend on frames, clones, snapshots, schedulers and where it is cut, balls
/// in mid-fall included; the ledger closes; what does not lie in a pocket lies on the table, at rest.
#[test]
fn frames_and_clones() {
    let (mut fell, mut in_mid_fall) = (0, 0);
    for seed in 0..cases(20) {
        let (mut whole, shot) = played(seed);
        let mut cut = whole.clone();
        let recording = whole.record(&shot).unwrap();
        assert_eq!((recording.outcome.end, whole.energy()), (StopReason::Reached, 0.0), "{seed}");
        assert!(recording.ledger.total().abs() < 1e-12 * recording.ledger.cue, "{seed}");
        fell += recording.outcome.potted.len();
        let kinds = [SchedulerKind::Table, SchedulerKind::Grid, SchedulerKind::Fastest];
        cut.world_mut().set_scheduler(kinds[seed as usize % 3]).unwrap();
        let id = cut.discs()[0];
        let strike = shot.strike(&cut.layout().balls[0].ball).unwrap();
        cut.world_mut().set_extra(id, BallState::turning(strike.spin)).unwrap();
        cut.world_mut().set_velocity(id, strike.velocity).unwrap();
        while cut.world_mut().next_event().is_some() {
            let before = cut.clone();
            cut.world_mut().advance(0.01).unwrap();
            if !falling(&cut).is_empty() {
                in_mid_fall += 1;
                *cut.world_mut() = reloaded(cut.world());
            }
            if seed % 4 == 0 {
                cut = before;
                cut.world_mut().advance(0.01).unwrap();
            }
        }
        for (k, &id) in whole.discs().iter().enumerate() {
            let [a, b] = [whole.world().get(id).unwrap(), cut.world().get(cut.discs()[k]).unwrap()];
            assert_eq!((a.position(), a.is_enabled()), (b.position(), b.is_enabled()), "{seed} {k}");
            let beyond = (a.position().abs() - whole.table().centre()).max_element();
            let motion = a.extra().motion(a.radius(), a.velocity());
            let lies = beyond < 0.08 && motion == Motion::Resting;
            assert!(lies || !a.is_enabled(), "{seed}: {motion:?} {beyond}");
        }
    }
    assert!(fell > 10 && in_mid_fall > 10, "{fell} {in_mid_fall}");
}

/// Law: a ball that meets the lip and the liner, and no facing, stays a mirrored one to the last bit.
#[test]
fn mirrors() {
    for (k, beside) in (1..40).flat_map(|k| [0.0, 0.002, -0.004].map(|beside| (k, beside))) {
        let speed = 0.4 * f64::from(k);
        let [one, other] = [(5, 1.0), (2, -1.0)].map(|(pocket, side)| {
            let (table, mirror) = (table(PocketModel::Lip), DVec2::new(side, 1.0));
            let mut game = Layout::new().with("cue", Ball::POOL, table.centre()).build(&table).unwrap();
            let (center, id) = (table.pocket_circles()[pocket].0, game.discs()[0]);
            let along = DVec2::splat(0.5_f64.sqrt());
            let at = center + (along * -0.3 + along.perp() * beside) * mirror;
            game.world_mut().set_position(id, at).unwrap();
            throw(&mut game, "cue", along * mirror * speed, BallState::rolling());
            game.world_mut().advance(0.3).unwrap();
            let (at, velocity, _) = now(&game, "cue");
            (at * mirror, velocity * mirror, game.world().counters().events)
        });
        assert_eq!(one, other, "{speed} {beside}");
    }
}

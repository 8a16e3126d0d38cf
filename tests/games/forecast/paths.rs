//! The pieces of a path, evaluated at any time, are where the disc is then.

use crate::common::by::By;
use crate::common::grammar::Game;
use crate::common::rng::{Rng, cases};
use crate::forces::scene::{KINDS, heap, world};
use carom_engine::{
    DVec2, Disc, DiscId, Event, Forecast, ForecastOptions, Impact, Partner, PathEnd, PathPiece, Physics,
    Region, Settings, StopReason, Time, Wall, World,
};
use std::fmt::Debug;

fn bits(v: DVec2) -> [u64; 2] {
    [v.x.to_bits(), v.y.to_bits()]
}

/// What was seen of paths.
#[derive(Debug, Default)]
struct Tally {
    pieces: usize,
    met: usize,
    bent: usize,
}

/// What the disc meets by these events: of each group the contact with the largest impulse.
fn meetings<C>(events: &[Event<C>], id: DiscId) -> Vec<(Time, Partner, DVec2, DVec2)> {
    let mut impacts: Vec<Impact> = Vec::new();
    for impact in events.iter().filter_map(Event::impact).filter(|impact| impact.involves(id)) {
        match impacts.last_mut().filter(|last| last.group == impact.group) {
            Some(last) if impact.impulse <= last.impulse => {}
            Some(last) => *last = *impact,
            None => impacts.push(*impact),
        }
    }
    let meeting = |impact: &Impact| {
        let normal = if impact.a == id { -impact.normal } else { impact.normal };
        (impact.time, impact.other(id).unwrap(), impact.point, normal)
    };
    impacts.iter().map(meeting).collect()
}

/// Forecasts a path and lets it happen.
fn check<P>(by: By, world: &World<P>, id: DiscId, seconds: f64, rng: &mut Rng, tally: &mut Tally, what: &str)
where
    P: Physics + Debug,
{
    let (now, before) = (world.now(), world.clone());
    let mut forecast = Forecast::new();
    forecast.path(world, id, &ForecastOptions::new(seconds)).unwrap();
    assert_eq!(world.diff(&before), None, "{what}: the world has changed");
    assert!(forecast.is_current(world), "{what}");
    let path = forecast.pieces();
    let mut actual = world.clone();
    let (ended, events) = by.advance(&mut actual, seconds);
    let end = if ended.end == StopReason::Reached { PathEnd::Time } else { PathEnd::Stopped(ended.end) };
    assert_eq!(forecast.end(), end, "{what}");
    assert_eq!((path[0].start, path[path.len() - 1].end), (now, ended.time), "{what}");
    assert!(path.windows(2).all(|two| two[0].end == two[1].start), "{what}");
    let wanted = meetings(&events, id);
    let seen: Vec<_> = path
        .iter()
        .filter_map(|piece| {
            let met = piece.met?;
            Some((piece.end, met.body, met.point, met.normal))
        })
        .collect();
    assert_eq!(seen, wanted, "{what}");
    let mut times: Vec<Time> = path.iter().map(|piece| piece.start).collect();
    let span = ended.time.since(now);
    times.extend((0..20).map(|_| world.clock().after(now, rng.range(0.0, span))));
    times.sort_unstable();
    let mut moving = world.clone();
    for time in times.into_iter().filter(|time| *time <= ended.time) {
        moving.advance_to(time).unwrap();
        let piece = path.iter().rfind(|piece| piece.start <= time).unwrap();
        assert_there(piece, &moving, id, what);
    }
    tally.pieces += path.len();
    tally.met += seen.len();
    tally.bent += path.iter().filter(|piece| piece.acceleration != DVec2::ZERO).count();
}

#[track_caller]
fn assert_there<P: Physics>(piece: &PathPiece, world: &World<P>, id: DiscId, what: &str) {
    let (disc, now) = (world.get(id).unwrap(), world.now());
    let place = world.periods().wrap(piece.position_at(now)).0;
    if world.settings().drag == 0.0 {
        assert_eq!(bits(place), bits(disc.position()), "{what}: position at {}", now.as_secs());
        assert_eq!(bits(piece.velocity_at(now)), bits(disc.velocity()), "{what}: velocity");
        assert_eq!(bits(piece.acceleration), bits(disc.acceleration()), "{what}: acceleration");
        return;
    }
    // The lengths are up to 10, the speeds up to 10; some dozen roundings, and those of the exponential.
    let off = (world.periods().nearest(place - disc.position())).length();
    assert!(off < 1e-13, "{what}: {off} off at {}", now.as_secs());
    let off = (piece.velocity_at(now) - disc.velocity()).length();
    assert!(off < 1e-13, "{what}: velocity {off} off");
}

fn random(by: By, seed: u64, settings: Settings) -> (World, Vec<DiscId>, Rng) {
    let mut rng = Rng::new(seed);
    let mut world: World = Game::plain(&mut rng, by.settings(settings.with_budget(400))).world;
    let discs = world.ids().collect();
    if rng.chance(50) {
        world.advance(rng.range(0.0, 0.5)).unwrap();
    }
    (world, discs, rng)
}

fn check_random(by: By, cases: u64, settings: &Settings) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..cases {
        let (world, discs, mut rng) = random(by, seed, settings.clone());
        if discs.is_empty() {
            continue;
        }
        let id = rng.pick(&discs);
        check(by, &world, id, rng.range(0.0, 2.0), &mut rng, &mut tally, &format!("seed {seed}"));
    }
    tally
}

/// Walls of all forms, slides, groups, tracers and infinite masses among them.
#[test]
fn straight_paths_are_what_happens() {
    let settings = Settings::default();
    let table = check_random(By::Table, cases(150), &settings);
    let grid = check_random(By::Grid, cases(80), &settings);
    let rescan = check_random(By::Rescan, cases(40), &settings);
    for tally in [table, grid, rescan] {
        assert!(tally.pieces > tally.met && tally.met > 20, "{tally:?}");
    }
}

#[test]
fn paths_under_drag_are_what_happens_but_for_rounding() {
    for rate in [1e-3, 0.7, 30.0] {
        let tally = check_random(By::Table, cases(60), &Settings::default().with_drag(rate));
        assert!(tally.pieces > 60, "{tally:?}");
    }
}

fn periodic(by: By, seed: u64, growth: f64) -> Tally {
    let (mut rng, mut tally) = (Rng::new(seed), Tally::default());
    let mut world = by.world(Settings::default().with_period([Some(8.0), Some(6.0)]).with_budget(400));
    for k in 0..12_u32 {
        let place = DVec2::new(f64::from(k % 4), f64::from(k / 4)) * 2.0 + rng.vector(0.2);
        world.insert(Disc::new(place, 0.4).with_velocity(rng.vector(5.0))).unwrap();
    }
    world.set_growth(growth).unwrap();
    world.advance(0.3).unwrap();
    let ids: Vec<DiscId> = world.ids().collect();
    for id in ids.into_iter().take(4) {
        check(by, &world, id, 2.0, &mut rng, &mut tally, &format!("seed {seed}, {id:?}, growth {growth}"));
    }
    tally
}

#[test]
fn paths_over_edges_are_what_happens() {
    for seed in 0..cases(10) {
        let (table, grid) = (periodic(By::Table, seed, 0.0), periodic(By::Grid, seed, 0.0));
        assert!(table.met > 4 && grid.met == table.met, "{table:?}");
        assert!(periodic(By::Table, seed, 0.05).met > 4);
    }
}

fn accelerated(by: By, cases: u64) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..cases {
        let kind = KINDS[seed as usize % KINDS.len()];
        let mut world = world(seed, kind, [2, 5, 12][seed as usize / KINDS.len() % 3]);
        world.set_scheduler(by.kind()).unwrap();
        let (mut rng, ids) = (Rng::new(!seed), world.ids().collect::<Vec<_>>());
        let id = rng.pick(&ids);
        check(by, &world, id, 2.0, &mut rng, &mut tally, &format!("seed {seed}, {kind:?}"));
    }
    tally
}

/// Gravity, thrust and friction that stops.
#[test]
fn bent_paths_are_what_happens() {
    for tally in [
        accelerated(By::Table, cases(40)),
        accelerated(By::Grid, cases(30)),
        accelerated(By::Rescan, cases(15)),
    ] {
        assert!(tally.met > 30 && 2 * tally.bent > tally.pieces, "{tally:?}");
    }
}

fn at_rest(by: By, seed: u64) -> Tally {
    let (mut rng, mut tally) = (Rng::new(seed), Tally::default());
    let mut world = heap(seed, 6, 0.5);
    world.set_scheduler(by.kind()).unwrap();
    let ids: Vec<DiscId> = world.ids().collect();
    for _ in 0..4 {
        let id = rng.pick(&ids);
        check(by, &world, id, 15.0, &mut rng, &mut tally, &format!("seed {seed}, {id:?}"));
        world.advance(rng.range(3.0, 12.0)).unwrap();
    }
    tally
}

/// Discs that fall onto each other, press, roll off each other and come to rest.
#[test]
fn paths_of_heaps_are_what_happens() {
    for seed in 0..cases(6) {
        let (table, grid) = (at_rest(By::Table, seed), at_rest(By::Grid, seed));
        assert_eq!((table.pieces, table.met), (grid.pieces, grid.met));
        // Pieces of held motion end without a meeting.
        assert!(table.pieces > table.met + 40, "{table:?}");
    }
}

/// Each chord of a slide is a piece.
#[test]
fn slides_are_followed() {
    let mut world = World::new();
    world.add_wall(Wall::circle([0.0, 0.0], 10.0)).unwrap();
    let disc = Disc::new([2.0, 5.0], 0.5).with_velocity([3.0, 1.0]).with_restitution(0.0);
    let id = world.insert(disc).unwrap();
    let mut tally = Tally::default();
    check(By::Table, &world, id, 60.0, &mut Rng::new(1), &mut tally, "slide");
    assert!(tally.pieces > 1000 && tally.met == 1, "{tally:?}");
}

/// The first pieces of a longer path are those of a shorter one, and impacts end it where they happen.
#[test]
fn a_path_ends_with_the_impact_that_was_asked_for() {
    let mut ends = 0;
    for seed in 0..cases(60) {
        let (world, discs, mut rng) = random(By::Table, seed, Settings::default());
        let Some(&id) = discs.first() else { continue };
        let (mut forecast, mut whole) = (Forecast::new(), Forecast::new());
        let path = whole.path(&world, id, &ForecastOptions::new(2.0)).unwrap();
        let wanted = rng.below(4);
        let options = ForecastOptions::new(2.0).with_max_impacts(wanted);
        let part = forecast.path(&world, id, &options).unwrap();
        assert!(path.starts_with(part) || part[..part.len() - 1] == path[..part.len() - 1], "seed {seed}");
        let count = part.iter().filter(|piece| piece.met.is_some()).count();
        if forecast.end() == PathEnd::Impacts {
            assert_eq!(count, wanted, "seed {seed}");
            assert!(forecast.pieces().last().is_none_or(|piece| piece.met.is_some()), "seed {seed}");
            ends += 1;
        } else {
            assert!(count < wanted, "seed {seed}");
        }
    }
    assert!(ends > 20, "{ends}");
}

/// Without an end of the time it goes on as long as anything happens.
#[test]
fn a_path_without_an_end_is_followed_to_the_last_event() {
    let mut world = World::new();
    let id = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([3.0, 0.0])).unwrap();
    let pin = world.insert(Disc::new([4.0, 0.0], 0.5)).unwrap();
    let mut forecast = Forecast::new();
    let path = forecast.path(&world, id, &ForecastOptions::new(f64::INFINITY)).unwrap();
    assert_eq!(path.len(), 2);
    let met = path[0].met.unwrap();
    assert_eq!((met.body, met.point, met.normal), (Partner::Disc(pin), DVec2::new(3.5, 0.0), -DVec2::X));
    assert_eq!((path[0].end.as_secs(), path[1].end, path[1].velocity), (1.0, Time::NEVER, DVec2::ZERO));
    assert_eq!(forecast.end(), PathEnd::Time);
    // Discs that grow grow to some end.
    let mut growing = World::with_settings(Settings::default().with_period([Some(8.0), None])).unwrap();
    let grown = growing.insert(Disc::new([1.0, 0.0], 1.0).with_velocity([0.0, 1.0])).unwrap();
    growing.set_growth(0.5).unwrap();
    let path = forecast.path(&growing, grown, &ForecastOptions::new(f64::INFINITY)).unwrap();
    // It touches a point at most 0.49 periods away: a radius of 3.92, which began at 1 and grows by 0.5.
    assert!((path[0].end.as_secs() - 5.84).abs() < 1e-9, "{}", path[0].end.as_secs());
    assert_eq!(forecast.end(), PathEnd::Stopped(StopReason::Outgrown));
    // In a box there is no last event: the budget ends it.
    world.add_wall(Wall::container([-5.0, -5.0], [5.0, 5.0])).unwrap();
    world.set_budget(50);
    forecast.path(&world, id, &ForecastOptions::new(f64::INFINITY)).unwrap();
    assert_eq!(forecast.end(), PathEnd::Stopped(StopReason::OutOfBudget));
}

/// What changes no motion ends no piece: it crosses regions, after the last impact, too.
#[test]
fn regions_leave_a_path_as_it_is() {
    let mut world = World::new();
    world.add_wall(Wall::half_plane([9.0, 0.0], [-1.0, 0.0])).unwrap();
    let id = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.1])).unwrap();
    let mut forecast = Forecast::new();
    let options = ForecastOptions::new(20.0);
    let path = forecast.path(&world, id, &options).unwrap().to_vec();
    for x in [1.0, 3.0, 5.0, 7.0] {
        world.add_region(Region::disc([x, 0.5], 0.9)).unwrap();
    }
    assert_eq!(forecast.path(&world, id, &options).unwrap(), path);
    assert_eq!((path.len(), forecast.end()), (2, PathEnd::Time));
    assert!(world.state_at(id, 0.1).is_ok() && world.state_at(id, 2.0).is_err());
}

/// The aim of a shot: the copy is edited, not the world.
#[test]
fn an_edit_of_the_copy_leaves_the_world_alone() {
    let mut world = World::new();
    let cue = world.insert(Disc::new([0.0, 0.0], 0.5)).unwrap();
    let ball = world.insert(Disc::new([3.0, 0.0], 0.5)).unwrap();
    let before = world.clone();
    let mut forecast = Forecast::new();
    let options = ForecastOptions::new(4.0);
    let path = forecast.path_after(&world, cue, &options, |copy| copy.set_velocity(cue, [1.0, 0.0])).unwrap();
    assert_eq!(path[0].met.map(|met| met.body), Some(Partner::Disc(ball)));
    assert_eq!(world.diff(&before), None);
    let then = forecast.world_then().unwrap();
    assert_eq!((then.now().as_secs(), then.get(ball).unwrap().position().x), (4.0, 5.0));
    // A disc that the edit takes away has no path.
    let gone = forecast.path_after(&world, cue, &options, |copy| copy.remove(cue).map(|_| ()));
    assert!(gone.is_err() && forecast.pieces().is_empty());
}

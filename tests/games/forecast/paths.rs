//! The pieces of a path, evaluated at any time, are where the disc is then.

use crate::common::by::By;
use crate::common::grammar::Game;
use crate::common::rng::{Rng, cases};
use crate::forces::scene::{heap, world};
use carom_engine::{
    DVec2, Disc, DiscId, Event, Fields, Forecast, ForecastOptions, Impact, Partner, PathEnd, PathPiece,
    Physics, Region, Settings, StopReason, Time, Wall, World,
};

fn bits(v: DVec2) -> [u64; 2] {
    [v.x.to_bits(), v.y.to_bits()]
}

/// What was seen of paths.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) pieces: usize,
    pub(super) met: usize,
    bent: usize,
    pub(super) removed: usize,
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
        let normal = if impact.a == id { impact.normal } else { -impact.normal };
        (impact.time, impact.other(id).unwrap(), impact.point, normal)
    };
    impacts.iter().map(meeting).collect()
}

/// Forecasts a path and lets it happen.
fn check<P>(by: By, world: &World<P>, id: DiscId, seconds: f64, rng: &mut Rng, tally: &mut Tally, what: &str)
where
    P: Physics + Fields,
{
    let (now, before) = (world.now(), world.clone());
    let mut forecast = Forecast::new();
    forecast.path(world, id, &ForecastOptions::new(seconds)).unwrap();
    assert_eq!(world.diff(&before), None, "{what}: the world has changed");
    assert!(forecast.is_current(world), "{what}");
    let path = forecast.pieces();
    let mut actual = world.clone();
    let (ended, events) = by.advance(&mut actual, seconds);
    let removed = events.iter().find_map(|event| match event {
        Event::Removed(departure) if departure.disc == id => Some(departure.time),
        _ => None,
    });
    let end = match ended.end {
        _ if removed.is_some() => PathEnd::Removed,
        StopReason::Reached => PathEnd::Time,
        other => PathEnd::Stopped(other),
    };
    let last = removed.unwrap_or(ended.time);
    assert_eq!(forecast.end(), end, "{what}");
    assert_eq!((path[0].start, path[path.len() - 1].end), (now, last), "{what}");
    assert!(path.windows(2).all(|two| two[0].end == two[1].start), "{what}");
    let wanted = meetings(&events, id);
    let meeting = |piece: &PathPiece| piece.met.map(|met| (piece.end, met.body, met.point, met.normal));
    let seen: Vec<_> = path.iter().filter_map(meeting).collect();
    assert_eq!(seen, wanted, "{what}");
    let mut times: Vec<Time> = path.iter().map(|piece| piece.start).collect();
    let span = last.since(now);
    times.extend((0..20).map(|_| world.clock().after(now, rng.range(0.0, span))));
    times.sort_unstable();
    let mut moving = world.clone();
    for time in times.into_iter().filter(|time| removed.map_or(*time <= last, |gone| *time < gone)) {
        moving.advance_to(time).unwrap();
        let piece = path.iter().rfind(|piece| piece.start <= time).unwrap();
        assert_there(piece, &moving, id, what);
    }
    tally.removed += usize::from(removed.is_some());
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

/// Checks a path in each of this many worlds.
pub(super) fn check_all<P>(
    by: By,
    seeds: u64,
    seconds: fn(&mut Rng) -> f64,
    make: impl Fn(u64, &mut Rng) -> World<P>,
) -> Tally
where
    P: Physics + Fields,
{
    let mut tally = Tally::default();
    for seed in 0..seeds {
        let mut rng = Rng::new(seed);
        let mut world = make(seed, &mut rng);
        world.set_scheduler(by.kind()).unwrap();
        let ids: Vec<DiscId> = world.ids().collect();
        if !ids.is_empty() {
            let (id, seconds) = (rng.pick(&ids), seconds(&mut rng));
            check(by, &world, id, seconds, &mut rng, &mut tally, &format!("{by:?}, seed {seed}"));
        }
    }
    tally
}

fn random(settings: &Settings, rng: &mut Rng) -> World {
    let mut world: World = Game::plain(rng, settings.clone().with_budget(400)).world;
    if rng.chance(50) {
        world.advance(rng.range(0.0, 0.5)).unwrap();
    }
    world
}

/// Up to two seconds.
fn some(rng: &mut Rng) -> f64 {
    rng.range(0.0, 2.0)
}

/// Walls of all forms, slides, groups, tracers and infinite masses among them.
#[test]
fn straight_paths_are_what_happens() {
    for (by, seeds) in [(By::Table, 150), (By::Grid, 80), (By::Rescan, 40)] {
        let tally = check_all(by, cases(seeds), some, |_, rng| random(&Settings::default(), rng));
        assert!(tally.pieces > tally.met && tally.met > 20, "{by:?}: {tally:?}");
    }
}

#[test]
fn paths_under_drag_are_what_happens_but_for_rounding() {
    for rate in [1e-3, 0.7, 30.0] {
        let settings = Settings::default().with_drag(rate);
        let tally = check_all(By::Table, cases(60), some, |_, rng| random(&settings, rng));
        assert!(tally.pieces > 60, "{rate}: {tally:?}");
    }
}

#[test]
fn paths_over_edges_are_what_happens() {
    let periodic = |growth: f64, rng: &mut Rng| {
        let settings = Settings::default().with_period([Some(8.0), Some(6.0)]).with_budget(400);
        let mut world = World::with_settings(settings).unwrap();
        for k in 0..12_u32 {
            let place = DVec2::new(f64::from(k % 4), f64::from(k / 4)) * 2.0 + rng.vector(0.2);
            world.insert(Disc::new(place, 0.4).with_velocity(rng.vector(5.0))).unwrap();
        }
        world.set_growth(growth).unwrap();
        world.advance(0.3).unwrap();
        world
    };
    let [table, grid, growing] = [(By::Table, 0.0), (By::Grid, 0.0), (By::Table, 0.05)]
        .map(|(by, growth)| check_all(by, cases(40), |_| 2.0, |_, rng| periodic(growth, rng)).met);
    assert!(table > 50 && grid == table && growing > 50, "{table} {grid} {growing}");
}

/// Gravity, thrust and friction that stops.
#[test]
fn bent_paths_are_what_happens() {
    for (by, seeds) in [(By::Table, 40), (By::Grid, 30), (By::Rescan, 15)] {
        let tally =
            check_all(by, cases(seeds), |_| 2.0, |seed, _| world(seed, [2, 5, 12][seed as usize / 5 % 3]));
        assert!(tally.met > 30 && 2 * tally.bent > tally.pieces, "{by:?}: {tally:?}");
    }
}

/// Discs that fall onto each other, press, roll off each other and come to rest: at four times of each heap.
#[test]
fn paths_of_heaps_are_what_happens() {
    let [table, grid] = [By::Table, By::Grid].map(|by| {
        check_all(
            by,
            cases(24),
            |_| 15.0,
            |seed, rng| {
                let mut world = heap(seed / 4, 6, 0.5);
                world.advance((seed % 4) as f64 * rng.range(3.0, 12.0)).unwrap();
                world
            },
        )
    });
    assert_eq!((table.pieces, table.met), (grid.pieces, grid.met));
    // Pieces of held motion end without a meeting.
    assert!(table.pieces > table.met + 240, "{table:?}");
}

/// Each chord of a slide is a piece.
#[test]
fn slides_are_followed() {
    let tally = check_all(
        By::Table,
        1,
        |_| 60.0,
        |_, _| {
            let mut world = World::new();
            world.add_wall(Wall::circle([0.0, 0.0], 10.0)).unwrap();
            let disc = Disc::new([2.0, 5.0], 0.5).with_velocity([3.0, 1.0]).with_restitution(0.0);
            world.insert(disc).unwrap();
            world
        },
    );
    assert!(tally.pieces > 1000 && tally.met == 1, "{tally:?}");
}

/// The first pieces of a longer path are those of a shorter one, and impacts end it where they happen.
#[test]
fn a_path_ends_with_the_impact_that_was_asked_for() {
    let mut ends = 0;
    for seed in 0..cases(60) {
        let mut rng = Rng::new(seed);
        let world = random(&Settings::default(), &mut rng);
        let Some(id) = world.ids().next() else { continue };
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
    assert_eq!((met.body, met.point, met.normal), (Partner::Disc(pin), DVec2::new(3.5, 0.0), DVec2::X));
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

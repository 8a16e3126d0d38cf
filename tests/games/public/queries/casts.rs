//! The cast of a disc is the first impact of the same disc in the world, to the last bit.

use super::{KINDS, heavy, place, smooth};
use crate::common::by::By;
use crate::common::record::time_bits;
use crate::common::rng::{Rng, cases};
use carom_engine::{
    CastOptions, DVec2, Disc, DiscHit, DiscId, Error, Event, Impact, Partner, Physics, QueryFilter, Rules,
    Settings, Time, UpcomingKind, Wall, World,
};

fn shot<B: Default, X: Default>(rng: &mut Rng) -> Disc<B, X> {
    let speed = rng.pick(&[0.0, 1.0, 1.0, 20.0, 1e5]);
    let velocity = if rng.chance(30) { DVec2::X * speed } else { rng.vector(1.0) * speed };
    let disc = Disc::new(place(rng), rng.pick(&[0.0, 1e-9, 0.5, 0.5, 2.0])).with_velocity(velocity);
    let disc = disc.with_mass(rng.pick(&[1.0, 1.0, 0.0, f64::INFINITY])).with_overlap();
    if rng.chance(20) { disc.with_groups(rng.bits() as u32 & 7, rng.bits() as u32) } else { disc }
}

/// What a disc meets first in a world in which nothing else happens, and when; and the record of the impact,
/// if there is one: a group in which nothing pushes has none.
type First = (Partner, Time, Option<Impact>);

fn first_impact<P: Physics>(
    mut world: World<P>,
    disc: Disc<P::Body, P::Extra>,
    mut prepared: impl FnMut(&World<P>),
) -> Option<First> {
    let id = world.insert(disc).unwrap();
    // Has what was taken away resolved.
    _ = world.scheduled();
    let next = world.next_event();
    prepared(&world);
    let next = next?;
    let met = match next.kind {
        UpcomingKind::Discs(a, b) => Partner::Disc(if a == id { b } else { a }),
        UpcomingKind::Wall(_, wall, part) => Partner::Wall { wall, part },
        _ => return None,
    };
    let mut impacts = Vec::new();
    let see = &mut |event: &Event<P::Change>| impacts.extend(event.impact().copied());
    world.advance_to_with(next.time, see).unwrap();
    let impact = impacts.into_iter().find(|impact| impact.other(id) == Some(met) && impact.time == next.time);
    Some((met, next.time, impact))
}

/// What a disc meets first, found by worlds in which there is but one other disc, or walls alone. No answer
/// if a state was rewritten by what was taken away: rounding begins anew there.
fn oracle<P: Physics>(world: &World<P>, disc: Disc<P::Body, P::Extra>) -> Option<Option<First>> {
    let mut same_state = true;
    let mut alone = |left: Option<DiscId>| {
        let before = left.and_then(|id| world.get(id)).map(|disc| disc.state_time());
        let mut world = world.clone();
        for id in world.ids().filter(|&id| Some(id) != left).collect::<Vec<_>>() {
            world.remove(id).unwrap();
        }
        let walls: Vec<_> = world.walls().map(|(id, _)| id).filter(|_| left.is_some()).collect();
        for id in walls {
            world.remove_wall(id).unwrap();
        }
        first_impact(world, disc, |world| {
            same_state &= left.is_none_or(|id| world.get(id).map(|disc| disc.state_time()) == before);
        })
    };
    // By serial number, and discs before walls: the first of the earliest is meant. In these worlds nothing
    // has been removed, so slots are in the order of serial numbers.
    let mut met: Vec<_> = world.ids().filter_map(|id| alone(Some(id))).collect();
    met.extend(alone(None));
    same_state.then(|| met.into_iter().min_by(|a, b| a.1.cmp(&b.1)))
}

fn check<P: Physics>(world: &World<P>, disc: Disc<P::Body, P::Extra>, what: &str) -> Option<DiscHit> {
    let found = world.cast_disc(&disc, &CastOptions::new(), &QueryFilter::new()).unwrap();
    let Some((body, time, impact)) = oracle(world, disc)? else {
        assert_eq!(found, None, "{what}");
        return None;
    };
    let hit = found.unwrap_or_else(|| panic!("{what}: {body:?} at {time:?} was missed"));
    assert_eq!((hit.body, time_bits(hit.time)), (body, time_bits(time)), "{what}: {hit:?}");
    assert_eq!(hit.seconds, hit.time.since(world.now()), "{what}");
    if let Some(impact) = impact {
        let sign = if body.disc().is_some() { 1.0 } else { -1.0 };
        assert_eq!(
            (hit.normal, hit.point),
            (impact.normal * sign, impact.point),
            "{what}: {hit:?} {impact:?}"
        );
    }
    // The time is a bound of the search, which is part of it.
    let until =
        |max_time| world.cast_disc(&disc, &CastOptions::new().with_max_time(max_time), &QueryFilter::new());
    assert_eq!(until(hit.seconds), Ok(Some(hit)), "{what}");
    if hit.seconds > 0.0 {
        assert_eq!(until(hit.seconds * (1.0 - 1e-9)), Ok(None), "{what}");
    }
    Some(hit)
}

/// Casts this many shots at each of three times. Returns how many hit.
fn shoot<P: Physics>(mut world: World<P>, rng: &mut Rng, (dt, shots): (f64, u32), what: &str) -> usize {
    let mut hits = 0;
    for step in 0..3 {
        world.advance(dt).unwrap();
        // What is held begins anew where something is taken away.
        if P::ACCELERATED && world.ids().any(|id| world.held_to(id).next().is_some()) {
            break;
        }
        for _ in 0..shots {
            let disc = shot(rng);
            hits += usize::from(check(&world, disc, &format!("{what} step {step} {disc:?}")).is_some());
        }
    }
    hits
}

#[test]
fn a_cast_is_the_first_impact() {
    let (mut hits, mut bent) = (0, 0);
    for seed in 0..cases(60) {
        let (rng, kind) = (&mut Rng::new(seed), seed as usize % KINDS);
        hits += shoot(smooth(By::Grid, kind, rng), rng, (0.15, 6), &format!("seed {seed} kind {kind}"));
    }
    for seed in 0..cases(100) {
        let rng = &mut Rng::new(seed);
        bent += shoot(heavy(By::Grid, rng), rng, (0.1, 4), &format!("seed {seed}"));
    }
    assert!(hits > 400 && bent > 100, "{hits}, {bent} where discs accelerate");
}

/// Among discs that stand still it is the first impact in a world in which they do.
#[test]
fn a_frozen_cast_is_an_impact_among_discs_at_rest() {
    let mut hits = 0;
    for seed in 0..cases(100) {
        let mut rng = Rng::new(seed);
        let kind = seed as usize % 3;
        let mut world = smooth(By::Grid, kind, &mut rng);
        world.advance(0.3).unwrap();
        let mut still = World::with_settings(world.settings().clone()).unwrap();
        for (_, wall) in world.walls() {
            still.add_wall(wall.clone()).unwrap();
        }
        for (_, disc) in world.discs() {
            still.insert(disc.with_velocity([0.0, 0.0]).with_overlap()).unwrap();
        }
        for _ in 0..10 {
            let disc = shot(&mut rng);
            let options = CastOptions::new().with_frozen(true);
            let found = world.cast_disc(&disc, &options, &QueryFilter::new()).unwrap();
            let expected = still.cast_disc(&disc, &CastOptions::new(), &QueryFilter::new()).unwrap();
            let by_event = first_impact(still.clone(), disc, |_| {});
            assert_eq!(found.map(|hit| hit.body), by_event.map(|(body, ..)| body), "seed {seed} {disc:?}");
            let shown = |hit: DiscHit| (hit.position, hit.point, hit.normal);
            if let (Some(found), Some(expected)) = (found, expected) {
                hits += 1;
                let (one, other) = (shown(found), shown(expected));
                let near = |a: DVec2, b: DVec2| (a - b).length() < 1e-9;
                assert!((found.seconds - expected.seconds).abs() <= 1e-12 * (1.0 + found.seconds));
                assert!(near(one.0, other.0) && near(one.1, other.1), "seed {seed}: {found:?} {expected:?}");
            }
        }
    }
    assert!(hits > 500, "{hits}");
}

#[test]
fn rules_and_filters_of_casts() {
    let mut world = World::new();
    let friend = world.insert(Disc::new([3.0, 0.0], 1.0).with_team(1)).unwrap();
    let foe = world.insert(Disc::new([8.0, 0.0], 1.0).with_team(2)).unwrap();
    let tracer = world.insert(Disc::new([5.5, 0.0], 0.1).with_mass(0.0)).unwrap();
    let wall = world.add_wall(Wall::half_plane([20.0, 0.0], [-1.0, 0.0])).unwrap();
    let bullet = Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]);
    let met = |bullet: Disc, filter: QueryFilter<'_>| {
        world.cast_disc(&bullet, &CastOptions::new(), &filter).unwrap().map(|hit| (hit.body, hit.seconds))
    };
    let all = QueryFilter::new();
    assert_eq!(met(bullet, all), Some((Partner::Disc(friend), 1.5)));
    assert_eq!(met(bullet.with_team(1), all), Some((Partner::Disc(tracer), 4.9)));
    assert_eq!(met(bullet.with_team(1).with_mass(0.0), all), Some((Partner::Disc(foe), 6.5)));
    assert_eq!(met(bullet, all.excluding(friend)), Some((Partner::Disc(tracer), 4.9)));
    assert_eq!(met(bullet, all.with_team(2).excluding(tracer)), Some((Partner::Disc(friend), 1.5)));
    assert_eq!(met(bullet, all.only_walls()), Some((Partner::Wall { wall, part: 0 }, 19.5)));
    assert_eq!(met(bullet.with_rules(Rules::new().with_mask(0)), all), None);
    let is_foe = |body: Partner| body == Partner::Disc(foe);
    assert_eq!(met(bullet, all.with_predicate(&is_foe)), Some((Partner::Disc(foe), 6.5)));
}

#[test]
fn bad_casts_are_refused() {
    let settings = Settings::default().with_period([Some(10.0), None]);
    let world = World::with_settings(settings).unwrap();
    let cast = |disc: Disc, max_time: f64| {
        world.cast_disc(&disc, &CastOptions::new().with_max_time(max_time), &QueryFilter::new())
    };
    let good = Disc::new([0.0, 0.0], 1.0);
    for (disc, max_time, named) in [
        (Disc::new([f64::NAN, 0.0], 1.0), 1.0, "position.x"),
        (Disc::new([0.0, 0.0], -1.0), 1.0, "radius"),
        (good.with_velocity([0.0, f64::INFINITY]), 1.0, "velocity.y"),
        (good, f64::NAN, "max_time"),
        (good, -1.0, "max_time"),
    ] {
        let Err(Error::OutOfRange { field, .. }) = cast(disc, max_time) else { panic!("{named}") };
        assert_eq!(field, named);
    }
    let wide = cast(Disc::new([0.0, 0.0], 5.0), 1.0).unwrap_err();
    assert!(matches!(wide, Error::Inconsistent { field: "radius", .. }), "{wide:?}");
}

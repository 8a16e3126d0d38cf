//! Among discs that stand still: as in a world that is built so.

use super::plain;
use crate::common::by::By;
use crate::common::rng::{Rng, cases};
use crate::forces::scene::world;
use carom_engine::{DVec2, Disc, DiscId, Forecast, ForecastOptions, Partner, Physics, Settings, World};
use std::fmt::Debug;

/// Whether a disc of this mass is deflected by another of that.
fn is_deflected(own: f64, other: f64) -> bool {
    let is_finite = |mass: f64| mass > 0.0 && mass < f64::INFINITY;
    match own {
        0.0 => other > 0.0,
        f64::INFINITY => false,
        _ => is_finite(other) || other == f64::INFINITY,
    }
}

/// The same walls, the disc with the velocity, and as infinite masses at rest those that deflect it, put
/// there at the same time. Which disc is which.
fn built<P>(of: &World<P>, id: DiscId, velocity: DVec2) -> (World<P>, Vec<(DiscId, DiscId)>)
where
    P: Physics,
{
    let mut world: World<P> = World::with_physics(of.physics().clone(), of.settings().clone()).unwrap();
    for (_, wall) in of.walls() {
        world.add_wall(wall.clone()).unwrap();
    }
    world.advance_to(of.now()).unwrap();
    let own = of.get(id).unwrap().mass();
    let mut known = Vec::new();
    for (other, disc) in of.discs() {
        if other == id {
            known.push((other, world.insert(disc.with_velocity(velocity).with_overlap()).unwrap()));
        } else if is_deflected(own, disc.mass) {
            let still = disc.with_velocity(DVec2::ZERO).with_mass(f64::INFINITY).with_overlap();
            // Nor are they pushed by forces of their own.
            let still = still.with_body(P::Body::default());
            known.push((other, world.insert(still).unwrap()));
        }
    }
    (world, known)
}

/// Whether a disc overlaps another one, as a tracer does that was crushed. The two pass through each other
/// until they have parted. In a world that is built anew they would collide at once.
fn is_inside_another<P: Physics>(world: &World<P>, id: DiscId) -> bool {
    let own = world.get(id).unwrap();
    world.discs().any(|(other, disc)| {
        let gap = (disc.position - own.position()).length() - (disc.radius + own.radius());
        other != id && gap < -1e-9
    })
}

/// Returns how often one of the discs, thrown anyhow, met another one.
fn check<P>(world: &World<P>, rng: &mut Rng, what: &str) -> usize
where
    P: Physics + Debug,
{
    let ids: Vec<_> = world.ids().collect();
    if ids.is_empty() {
        return 0;
    }
    let (id, velocity) = (rng.pick(&ids), rng.vector(8.0));
    if is_inside_another(world, id) {
        return 0;
    }
    let (other, known) = built(world, id, velocity);
    let own = known.iter().find(|(of, _)| *of == id).unwrap().1;
    let (mut frozen, mut moving) = (Forecast::new(), Forecast::new());
    let options = ForecastOptions::new(2.0).with_max_impacts(20);
    let edit = |copy: &mut World<P>| copy.set_velocity(id, velocity);
    frozen.path_after(world, id, &options.with_frozen(true), edit).unwrap();
    let path = frozen.pieces();
    let wanted = moving.path(&other, own, &options).unwrap();
    for (k, (piece, wanted)) in path.iter().zip(wanted).enumerate() {
        let bodies = [piece.met, wanted.met].map(|met| met.map(|met| met.body));
        let renamed = bodies[0].map(|body| match body {
            Partner::Disc(disc) => {
                Partner::Disc(known.iter().find(|(of, _)| *of == disc).map_or(disc, |(_, to)| *to))
            }
            wall => wall,
        });
        assert_eq!(renamed, bodies[1], "{what}: piece {k}");
        let mut piece = *piece;
        piece.met = wanted.met;
        assert_eq!(piece, *wanted, "{what}: piece {k}");
    }
    assert_eq!((path.len(), frozen.end()), (wanted.len(), moving.end()), "{what}");
    // They stand where they stood.
    let then = frozen.world_then().unwrap();
    for (other, disc) in world.discs().filter(|(other, _)| *other != id) {
        assert_eq!(then.get(other).map(|disc| disc.position()), Some(disc.position), "{what}");
    }
    path.iter().filter(|piece| piece.met.is_some_and(|met| met.body.disc().is_some())).count()
}

#[test]
fn a_path_among_frozen_discs_is_that_among_infinite_masses_at_rest() {
    let met = [By::Table, By::Grid].map(|by| {
        let smooth = |seed| {
            let mut rng = Rng::new(seed);
            let world = plain(by, &mut rng, Settings::default().with_budget(400), 0.5);
            check(&world, &mut rng, &format!("seed {seed}"))
        };
        (0..cases(150)).map(smooth).sum::<usize>()
    });
    assert!(met[0] == met[1] && met[0] > 100, "{met:?} impacts");
}

/// Gravity does not move what stands still, nor does thrust.
#[test]
fn nothing_accelerates_frozen_discs() {
    let met =
        (0..cases(40)).map(|seed| check(&world(seed, 12), &mut Rng::new(!seed), &format!("seed {seed}")));
    let met: usize = met.sum();
    assert!(met > 60, "{met} impacts");
}

/// A tracer bounces off what stands still, an infinite mass goes through all.
#[test]
fn masses_decide_what_is_in_the_way() {
    for (own, other, meets) in [
        (1.0, 1.0, true),
        (1.0, 0.0, false),
        (1.0, f64::INFINITY, true),
        (0.0, 1.0, true),
        (0.0, 0.0, false),
        (f64::INFINITY, 1.0, false),
    ] {
        let mut world = World::new();
        let id = world.insert(Disc::new([0.0, 0.0], 0.5).with_mass(own).with_velocity([1.0, 0.0])).unwrap();
        let pin = Disc::new([3.0, 0.0], 0.5).with_mass(other).with_velocity([0.0, 9.0]);
        world.insert(pin).unwrap();
        let mut forecast = Forecast::new();
        let path = forecast.path(&world, id, &ForecastOptions::new(9.0).with_frozen(true)).unwrap();
        assert_eq!(path[0].met.is_some(), meets, "{own} at {other}");
        let end = path[path.len() - 1];
        assert_eq!(end.velocity.x, if meets { -1.0 } else { 1.0 }, "{own} at {other}");
    }
}

/// Radii do not grow meanwhile.
#[test]
fn nothing_grows_among_frozen_discs() {
    let mut world = World::new();
    let id = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    world.insert(Disc::new([4.0, 0.0], 0.5)).unwrap();
    world.set_growth(0.5).unwrap();
    world.advance(1.0).unwrap();
    let mut forecast = Forecast::new();
    let options = ForecastOptions::new(9.0).with_frozen(true);
    let path = forecast.path(&world, id, &options).unwrap();
    // Radii of 0.75, at 1 and 4.
    assert_eq!((path[0].end.as_secs(), world.growth() > 0.0), (2.5, true));
}

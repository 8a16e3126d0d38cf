//! Motions that change their law at the very instant of an impact: the same-impact rule holds, unless the
//! change leads the two back.

use crate::common::rng::{Rng, cases};
use crate::common::toys::{self, Extra, Laws, Toy};
use carom_engine::{DVec2, Disc, StopReason, Wall, World};

/// Discs of which some, those with a `1` of their own, are in tar, and stop at once when they are hit.
const TAR: Laws = Laws {
    next_change: |_, body, state| (body.own > 0.0 && state.velocity != DVec2::ZERO).then_some((0.0, 0)),
    change: |_, _, _, state| state.velocity = DVec2::ZERO,
    ..Laws::NONE
};

/// A change at the instant of an impact does not make the two meet again, though rounding leaves the
/// partner of a disc that stops approaching in every other case. Where the change really makes two approach,
/// they do meet.
#[test]
fn a_change_at_an_impact_does_not_repeat_it() {
    let mut remainders = 0;
    for seed in 0..cases(2000) {
        let mut rng = Rng::new(seed);
        let mut world: World<Toy> = toys::world(&TAR);
        world.set_budget(1000);
        // An elastic blow of an equal or lighter mass: it is all passed on, or thrown back, and there is one.
        let mass = rng.pick(&[1.0, 1.0, 0.3]);
        let blow = Disc::new(rng.vector(3.0), 0.5).with_mass(mass).with_velocity(rng.vector(4.0));
        let course = blow.position + blow.velocity * rng.range(0.5, 2.0);
        let across = blow.velocity.perp().normalize() * rng.range(-0.99, 0.99);
        let Ok(tar) = world.insert(Disc::new(course + across, 0.5).with_body(1.0)) else { continue };
        let Ok(ball) = world.insert(blow) else { continue };
        let (hit, stop) = (world.step_event(), world.step_event());
        assert_eq!((hit.events, stop.events, stop.time), (1, 1, hit.time), "seed {seed}");
        let apart = (world.get(tar).unwrap().position() - world.get(ball).unwrap().position()).normalize();
        remainders += u32::from(apart.dot(world.get(ball).unwrap().velocity()) > 0.0);
        let end = world.advance(10.0).unwrap();
        assert_eq!((end.end, end.events), (StopReason::Reached, 0), "seed {seed}: {:?}", world.events());
    }
    assert!(remainders > 100, "only {remainders} went on into the one in tar by a rounding");
    // The one in tar is struck by a heavier one, which goes on into it: as often as the masses say, each time
    // with (M − m)/(M + m) of its speed, until that is nothing.
    let mut world: World<Toy> = toys::world(&TAR);
    world.insert(Disc::new(DVec2::ZERO, 0.5).with_body(1.0)).unwrap();
    let heavy = Disc::new(DVec2::new(-2.0, 0.0), 0.5).with_velocity(DVec2::X).with_mass(3.0);
    let heavy = world.insert(heavy).unwrap();
    world.step_event();
    assert_eq!(world.get(heavy).unwrap().velocity(), DVec2::new(0.5, 0.0));
    world.step_event();
    world.step_event();
    assert_eq!(world.get(heavy).unwrap().velocity(), DVec2::new(0.25, 0.0));
}

/// Discs whose velocity is multiplied by their own factor at the instant at which they hit a wall, as often
/// as the count says; the amount is 1 when they have hit it.
const KICKBACK: Laws = Laws {
    next_change: |_, _, state| (state.extra.amount > 0.0).then_some((0.0, 0)),
    change: |_, _, body, state| {
        state.velocity *= body.own;
        state.extra = Extra::count(state.extra.count - 1);
    },
    wall: |_, _, _, _, a| a.extra.amount = f64::from(u8::from(a.extra.count > 0)),
    ..Laws::NONE
};

/// The same at walls: who is slowed down as it is hit has met the wall, and who is sent back to it meets it
/// again, each time; straight walls and round ones.
#[test]
fn a_change_at_a_wall_does_not_repeat_it_unless_it_leads_back() {
    for wall in [
        Wall::half_plane(DVec2::new(-1.0, 2.0), DVec2::new(1.0, 0.3)),
        Wall::segment(DVec2::new(-1.0, -9.0), DVec2::new(-1.3, 9.0)),
        Wall::disc(DVec2::new(-4.0, 0.5), 2.0),
        Wall::circle(DVec2::ZERO, 50.0),
    ] {
        for (factor, kicks, impacts) in [(0.5, 1, 1), (0.0, 1, 1), (1e-20, 1, 1), (-0.5, 1, 2), (-1.0, 2, 3)]
        {
            let mut world: World<Toy> = toys::world(&KICKBACK);
            world.add_wall(wall.clone()).unwrap();
            let disc = Disc::new(DVec2::new(3.0, 0.2), 0.5).with_velocity(DVec2::new(-1.0, 0.01));
            world.insert(disc.with_body(factor).with_extra(Extra::count(kicks))).unwrap();
            // Across the circle once, and not back.
            let end = world.advance(60.0).unwrap();
            let hits = world.events().iter().filter(|event| event.impact().is_some()).count();
            assert_eq!((end.end, hits), (StopReason::Reached, impacts), "{factor}, {:?}", wall.shape);
            world.assert_well_formed();
        }
    }
}

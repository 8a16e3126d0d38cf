//! Systems of one to three discs move as Coulomb's law says. The example `systems` plays as many as one
//! likes; these are some.

use carom_engine::DVec2;
use carom_fuzz::systems::{
    Body, KINDS, Shape, Surface, System, TOLERANCE, compared, integrated, system, times,
};

/// A system of each kind but two that take long: at seven times places, velocities and spins are within
/// [`TOLERANCE`], 5 · 10⁻⁵ of the speeds. Mirrors and other units give the same bits, and the other order of
/// insertion the same motion to 10⁻⁶.
#[test]
fn systems_move_as_the_law_says() {
    for number in [4, 7, 10, 19, 22, 30, 33, 34, 37, 47, 50, 51, 58, 62, 78, 93, 101] {
        let outcome = system(number);
        let kind = KINDS[number as usize % KINDS.len()];
        assert!(!outcome.is_off() && outcome.finest.is_none(), "system {number}, {kind}: {outcome:?}");
        assert_eq!((outcome.compared, outcome.aside), (7, None), "system {number}, {kind}");
    }
}

/// Systems in which the engine was wrong: a piece of motion ended with the contacts sticking that did at its
/// beginning (2364); a large disc stopped at once that a small one rolled on, as rolling is slow where one of
/// the radii is small (1164); friction under a heavy disc was of first order (1480, 862); friction without a
/// limit was lost beside unlike masses (1355, 3409); and so was that of a tracer which would be locked if
/// nothing moved (3488).
#[test]
fn systems_that_were_off_are_right() {
    for number in [862, 1164, 1355, 1480, 2364, 3409, 3488] {
        let outcome = system(number);
        assert!(!outcome.is_off() && outcome.compared > 0, "system {number}: {outcome:?}");
    }
}

/// A disc of radius 1 that slides on a floor at the speed 1, with μ = 0.2 and g = 10, rolls after
/// `q v/((1 + q) μ g)` seconds at `v/(1 + q)`, and has come `v t − ½ μ g t²` far by then.
#[test]
fn equations_of_motion_have_the_closed_form_of_a_disc_that_comes_to_roll() {
    let (gravity, friction, inertia) = (10.0, 0.2, 0.5);
    let rough = [friction, 0.0];
    let disc =
        Body { mass: 1.0, radius: 1.0, inertia, rough, place: DVec2::Y, velocity: DVec2::X, spin: 0.0 };
    let shape = Shape::Plane(DVec2::ZERO, DVec2::Y);
    let floor = Surface { shape, rough, belt: 0.0, velocity: DVec2::ZERO };
    let slide = friction * gravity;
    let ends = inertia / ((1.0 + inertia) * slide);
    let system = System {
        kind: 0,
        gravity: DVec2::new(0.0, -gravity),
        bodies: vec![disc],
        surfaces: vec![floor],
        unit: 0.3,
        seconds: 2.0 * ends,
    };
    let path = integrated(&system);
    assert_eq!((path.end, path.changes), (None, 2));
    for (time, motions) in times(&system).into_iter().zip(&path.samples) {
        let (slid, rolled) = (time.min(ends), (time - ends).max(0.0));
        let speed = 1.0 - slide * slid;
        let place = slid - 0.5 * slide * slid * slid + speed * rolled;
        let rim = -slide * slid / inertia;
        let motion = motions[0];
        let off = [motion.place.x - place, motion.velocity.x - speed, motion.spin - rim];
        assert!(off.iter().all(|off| off.abs() < 1e-10), "{time}: {off:?}");
    }
    let outcome = compared(&system);
    assert!(!outcome.is_off() && outcome.off < 1e-3 * TOLERANCE, "{outcome:?}");
}

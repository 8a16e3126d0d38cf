//! Whatever it is given, `advance` comes back, having said how far it got, and energy never rises.

use carom_engine::{
    Advance, CrushRule, DVec2, Disc, DiscId, Settings, Simultaneous, StopReason, Wall, World,
};

use crate::common::rng::Rng;
use carom_testkit::at;

const BUDGET: u64 = 5000;

fn world(simultaneous: Simultaneous) -> World {
    World::with_settings(
        Settings::default().with_simultaneous(simultaneous).with_budget(BUDGET).with_record_events(false),
    )
    .unwrap()
}

/// Runs in three calls, and checks what must hold after each, whatever the scene.
fn run(name: &str, world: &mut World, dt: f64) -> Advance {
    let mut energy = world.kinetic_energy();
    let mut end = None;
    for _ in 0..3 {
        let advance = world.advance(dt / 3.0).unwrap();
        assert!(advance.events <= BUDGET, "{name}");
        assert_eq!(
            advance.end == StopReason::OutOfBudget,
            advance.events == BUDGET && advance.end != StopReason::Reached
        );
        let now = world.kinetic_energy();
        // The sum itself rounds; impacts by an ulp each, at random.
        assert!(now <= energy * (1.0 + 1e-12), "{name}: energy rises from {energy} to {now}");
        energy = now;
        for (id, disc) in world.discs() {
            assert!(disc.position.is_finite() && disc.velocity.is_finite(), "{name}: {id}");
        }
        end = Some(advance);
    }
    world.assert_well_formed();
    let end = end.unwrap();
    println!("{name}: {:?} at {:e} s", end.end, end.time.as_secs());
    end
}

const BOTH: [Simultaneous; 2] = [Simultaneous::Together, Simultaneous::OneByOne];

/// A disc in a corridor as wide as itself, hit by others: one by one, an elastic blow would be passed from
/// wall to wall for ever at one instant. Racks that fill their box; wedges.
#[test]
fn locked_groups() {
    for e in [1.0, 0.5, 0.0] {
        for rule in BOTH {
            let mut w = world(rule);
            w.add_wall(Wall::container(at(0.0, 0.0), at(1.0, 20.0)).with_restitution(e)).unwrap();
            for (x, y, radius, velocity) in [
                (0.5, 5.0, 0.5, DVec2::ZERO),
                (0.4, 9.0, 0.4, at(0.0, -1.0)),
                (0.6, 12.0, 0.4, at(0.1, -1.0)),
            ] {
                let disc = Disc::new(at(x, y), radius).with_velocity(velocity).with_restitution(e);
                w.insert(disc).unwrap();
            }
            let end = run(&format!("corridor, e = {e}, {rule:?}"), &mut w, 50.0);
            assert!(rule == Simultaneous::Together || end.end == StopReason::Reached, "e = {e}: {end:?}");
            for (_, disc) in w.discs() {
                assert!((disc.position.x - 0.5).abs() <= 0.5 - disc.radius + 1e-14, "{rule:?}: {disc:?}");
            }
        }

        let mut w = world(Simultaneous::Together);
        w.add_wall(Wall::container(at(0.0, 0.0), at(3.0, 3.0)).with_restitution(e)).unwrap();
        for i in 0..9 {
            let place = at(f64::from(i % 3) + 0.5, f64::from(i / 3) + 0.5);
            let velocity = if i == 4 { at(0.7, 0.2) } else { DVec2::ZERO };
            w.insert(Disc::new(place, 0.5).with_velocity(velocity).with_restitution(e)).unwrap();
        }
        run(&format!("a full box of 9, e = {e}"), &mut w, 1.0);

        for angle in [1.0_f64, 0.3, 0.03, 1e-3] {
            let mut w = world(Simultaneous::Together);
            let (s, c) = (angle / 2.0).sin_cos();
            w.add_wall(Wall::half_plane(DVec2::ZERO, at(-s, c)).with_restitution(e)).unwrap();
            w.add_wall(Wall::half_plane(DVec2::ZERO, at(-s, -c)).with_restitution(e)).unwrap();
            // The wedge opens to the left.
            let disc = Disc::new(at(-1.5 / s, 0.01), 0.5).with_velocity(at(1.0, 0.001));
            w.insert(disc.with_restitution(e)).unwrap();
            run(&format!("wedge of {angle} rad, e = {e}"), &mut w, 3.0 / s);
        }
    }
}

/// A corridor as wide as the disc in it whose walls are out of parallel by less than rounding resolves, or a
/// little more: no infinite mass closes in, so nothing is crushed, whatever elimination makes of the two
/// normals.
#[test]
fn corridors_out_of_parallel() {
    for k in 0..60 {
        let tilt = [1.0, -1.0][k % 2] * 10.0_f64.powf(-17.0 + k as f64 / 6.0);
        for e in [1.0, 0.5, 0.0] {
            let mut w = world(Simultaneous::Together);
            w.add_wall(Wall::half_plane(at(0.0, 0.0), DVec2::X).with_restitution(e)).unwrap();
            w.add_wall(Wall::half_plane(at(1.0, 5.0), at(-1.0, tilt)).with_restitution(e)).unwrap();
            let locked = Disc::new(at(0.5, 5.0), 0.5).with_restitution(e).with_overlap();
            w.insert(locked.with_velocity(at(0.0, -tilt.signum()))).unwrap();
            let blow = Disc::new(at(0.4, 5.0 + tilt.signum() * 4.0), 0.4).with_restitution(e);
            w.insert(blow.with_velocity(at(0.1, -2.0 * tilt.signum()))).unwrap();
            let end = run(&format!("tilt {tilt:e}, e = {e}"), &mut w, 3.0);
            assert!(
                matches!(end.end, StopReason::Reached | StopReason::OutOfBudget),
                "tilt {tilt:e}, e = {e}"
            );
        }
    }
}

#[test]
fn plastic_everywhere() {
    let mut rng = Rng::new(2);
    for rule in BOTH {
        for walls in [
            Wall::container(DVec2::ZERO, at(10.0, 10.0)),
            Wall::circle(at(5.0, 5.0), 5.0),
            Wall::arc(at(5.0, 5.0), 5.0, 0.0, core::f64::consts::TAU),
            Wall::stadium(at(5.0, 5.0), 2.0, 3.0),
        ] {
            let mut w = world(rule);
            w.add_wall(walls.clone().with_restitution(0.0)).unwrap();
            for _ in 0..400 {
                let place = at(rng.range(2.0, 8.0), rng.range(2.0, 8.0));
                let disc = Disc::new(place, 0.3).with_velocity(rng.vector(1.0)).with_restitution(0.0);
                let _ = w.insert(disc);
            }
            run(&format!("e = 0, {} discs, {:?}, {rule:?}", w.len(), walls.shape), &mut w, 100.0);
        }
    }
}

/// Touching, at rest relative to each other: nothing happens. Points on one place: nothing.
#[test]
fn nothing_to_do() {
    let mut w = world(Simultaneous::Together);
    for i in 0..10 {
        w.insert(Disc::new(at(f64::from(i), 0.0), 0.5).with_velocity(at(3.0, 1.0))).unwrap();
        w.insert(Disc::new(at(0.0, -40.0), 0.0).with_velocity(at(f64::from(i), 0.0))).unwrap();
    }
    let end = w.advance(1e6).unwrap();
    assert_eq!((end.events, end.end), (0, StopReason::Reached));
}

/// Between closing infinite masses there is no answer, and what is inelastic is hit ever faster and joined
/// before: if they are not to give way the world stops as crushed, unchanged, as often as it is asked, until
/// an edit helps.
#[test]
fn crushed() {
    let jaw = |x: f64, v: f64| Disc::new(at(x, 0.0), 0.5).with_mass(f64::INFINITY).with_velocity(at(v, 0.0));
    for (gap, e) in [0.0, 0.25, 1.0].into_iter().flat_map(|gap| [1.0, 0.99, 0.95, 0.5, 0.0].map(|e| (gap, e)))
    {
        let what = format!("gap {gap}, e {e}");
        let stop = Settings::default().with_crush(CrushRule::Stop).with_budget(20_000);
        let mut w = World::with_settings(stop).unwrap();
        let between = Disc::new(DVec2::ZERO, 0.5).with_velocity(at(if e < 1.0 { 0.3 } else { 0.0 }, 0.0));
        let [left, middle, right] = [jaw(-1.0 - gap, 1.0), between, jaw(1.0 + gap, -1.0)]
            .map(|disc| w.insert(disc.with_restitution(e)).unwrap());
        let mut end = w.advance(10.0).unwrap();
        let mut calls = 0;
        while end.end == StopReason::OutOfBudget && calls < 20 {
            end = w.advance(1.0).unwrap();
            calls += 1;
        }
        assert!(matches!(end.end, StopReason::Crushed { .. }), "{what}: {end:?}");
        let slack = if e < 1.0 { 1e-6 } else { 1e-9 };
        assert!((end.time.as_secs() - gap).abs() < slack, "{what}: {end:?}");
        let before: Vec<(DiscId, Disc)> = w.discs().collect();
        for _ in 0..3 {
            let again = w.advance(10.0).unwrap();
            assert_eq!((again.end, again.events, again.time), (end.end, 0, end.time), "{what}");
            assert_eq!(w.discs().collect::<Vec<_>>(), before, "{what}");
        }
        w.assert_well_formed();
        // One jaw is taken away: it goes on.
        w.set_velocity(left, -DVec2::X).unwrap();
        w.set_velocity(middle, DVec2::ZERO).unwrap();
        assert_eq!(w.advance(0.1).unwrap().end, StopReason::Reached, "{what}");
        w.remove(right).unwrap();
        assert_eq!(w.advance(10.0).unwrap().end, StopReason::Reached, "{what}");
    }
}

/// Along the inside of a round wall at 10⁻⁸ rad without sliding, where a chord is no deeper than an ulp of
/// the coordinates: impacts without end, which the budget ends. How far they get is a matter of rounding;
/// speed and wall are kept.
#[test]
fn grazing_inside_a_circle() {
    for radius in [0.0, 0.5] {
        let honest = Settings::default().with_budget(BUDGET).with_sliding(None);
        let mut w = World::with_settings(honest).unwrap();
        w.add_wall(Wall::circle(DVec2::ZERO, 2.0)).unwrap();
        let room = 2.0 - radius;
        let alpha = 1e-8;
        w.insert(Disc::new(at(room, 0.0), radius).with_velocity(at(alpha, 1.0))).unwrap();
        let end = w.advance(10.0).unwrap();
        assert_eq!((end.end, end.events), (StopReason::OutOfBudget, BUDGET));
        let chords = end.time.as_secs() / (2.0 * room * alpha);
        println!("radius {radius}: {} impacts in the time of {chords} chords", end.events);
        for (_, disc) in w.discs() {
            assert!(disc.position.length() + radius < 2.0 + 1e-12);
            assert!((disc.velocity.length() - 1.0).abs() < 1e-12);
        }
    }
}

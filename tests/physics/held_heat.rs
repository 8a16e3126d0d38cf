//! What friction takes in contacts that are held, as the ledger has it.

use super::held_friction::{Rubbing, disc, world_of};
use carom_engine::{DVec2, Forces, Rest, Rough, RoughWall, Roughness, Settings, Spin, Wall, WallId, World};
use carom_testkit::at;
use std::f64::consts::PI;

/// What friction has taken up to now.
fn heat(world: &Rubbing) -> f64 {
    world.ledger().friction
}

/// All energy that there is.
fn energy(world: &Rubbing) -> f64 {
    world.energy() + world.rotational_energy()
}

fn floor(world: &mut Rubbing) -> WallId {
    world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0])).unwrap()
}

/// A disc that spins on a floor slips at `s = −R ω − μ g (1 + 1/q) t`, and friction takes `∫ μ m g s dt` up
/// to any time. All of it is ½ m (q R² ω²)/(1 + q), as the disc then rolls and nothing is taken. The ledger
/// is right between events, too, and closes.
#[test]
fn a_disc_that_comes_to_roll_loses_what_friction_takes() {
    let mut world = world_of(0.2);
    floor(&mut world);
    let mass = PI * 0.25;
    world.insert(disc(at(0.0, 0.5), 0.5).with_mass(mass).with_extra(Spin::new(-30.0))).unwrap();
    for k in 1..=50 {
        world.advance(0.1).unwrap();
        let t = 0.1 * f64::from(k);
        let slipped = t.min(2.5);
        let want = 2.0 * mass * (15.0 * slipped - 3.0 * slipped * slipped);
        assert!((heat(&world) - want).abs() <= 1e-13 * 18.75 * mass, "{t}: {} {want}", heat(&world));
        let ledger = world.ledger();
        assert!((world.kinetic_energy() - ledger.total).abs() <= 1e-13 * mass, "{t}");
        // The centre has what the force of friction does on it.
        assert!((ledger.forces - ledger.friction - world.kinetic_energy()).abs() <= 1e-12 * mass, "{t}");
    }
    assert!((heat(&world) - 37.5 * mass).abs() <= 1e-13 * 37.5 * mass);
}

/// A disc that rolls down a slope loses nothing, to the last bit; one that slides loses μ m g cos θ times
/// what it slips.
#[test]
fn what_rolls_loses_nothing() {
    for (friction, slipped) in [(0.3, 0.0), (0.1, 2.0 * (5.0 - 1.5 * 3.0_f64.sqrt()))] {
        let mut world = world_of(friction);
        let down = DVec2::from_angle((-30.0_f64).to_radians());
        world.add_wall(Wall::half_plane([0.0, 0.0], down.perp())).unwrap();
        world.insert(disc(down.perp() * 0.5, 0.5).with_mass(2.0)).unwrap();
        world.advance(2.0).unwrap();
        let want = 0.1 * 2.0 * 75.0_f64.sqrt() * slipped;
        assert!((heat(&world) - want).abs() <= 1e-12 * want, "{} {want}", heat(&world));
    }
}

/// A belt of speed `u` on which a disc is set takes `s = u − μ g (1 + 1/q) t` to end the slip: friction takes
/// ½ m u²/(1 + 1/q), whatever μ is. Once the disc rolls on the belt nothing more is taken.
#[test]
fn a_belt_heats_what_is_set_on_it() {
    for friction in [0.05, 0.4, 1.0] {
        let mut world = world_of(friction);
        let belt = RoughWall::default().with_surface_speed(3.0).unwrap();
        world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_surface(belt)).unwrap();
        world.insert(disc(at(0.0, 1.0), 1.0).with_mass(2.0)).unwrap();
        world.advance(4.0).unwrap();
        assert!((heat(&world) - 3.0).abs() <= 1e-12, "{friction}: {}", heat(&world));
    }
}

/// Rolling resistance takes all the energy of a disc that rolls to a stop: ½ m (1 + q) v².
#[test]
fn rolling_resistance_takes_the_energy_of_a_disc_that_stops() {
    let roughness = Roughness::new(0.5, 0.0).unwrap().with_rolling_resistance(0.03).unwrap();
    let forces = Forces::new().with_gravity([0.0, -10.0]).unwrap();
    let settings = Settings::default().with_rest(Some(Rest::strict()));
    let mut world = World::with_physics(Rough::new(forces, roughness), settings).unwrap();
    floor(&mut world);
    let rolling = disc(at(0.0, 1.0), 1.0).with_mass(2.0).with_velocity([1.5, 0.0]);
    world.insert(rolling.with_extra(Spin::new(-1.5))).unwrap();
    world.advance(60.0).unwrap();
    assert!((heat(&world) - 0.75 * 1.5 * 1.5 * 2.0).abs() <= 1e-12, "{}", heat(&world));
    assert_eq!(energy(&world), 2.0 * 10.0);
}

/// Edits in the middle of a slip lose none of it: the disc that goes, its floor, a push that lifts it off,
/// and a disc that is set beside it.
#[test]
fn edits_keep_what_friction_has_taken() {
    for edit in 0..5 {
        let mut world = world_of(0.2);
        let floor = floor(&mut world);
        let id = world.insert(disc(at(0.0, 0.5), 0.5).with_mass(1.0).with_extra(Spin::new(-30.0))).unwrap();
        world.advance(1.0).unwrap();
        match edit {
            0 => drop(world.remove(id).unwrap()),
            1 => drop(world.remove_wall(floor).unwrap()),
            2 => world.set_velocity(id, [0.0, 5.0]).unwrap(),
            3 => _ = world.insert(disc(at(-5.0, 0.5), 0.5)).unwrap(),
            _ => world = world.clone(),
        }
        assert!((heat(&world) - 24.0).abs() <= 1e-12, "{edit}: {}", heat(&world));
        world.advance(0.25).unwrap();
        // Off the floor nothing slips; on it the slip goes on.
        let want = if edit < 3 { 24.0 } else { 2.0 * (15.0 * 1.25 - 3.0 * 1.25 * 1.25) };
        assert!((heat(&world) - want).abs() <= 1e-12, "{edit}: {}", heat(&world));
    }
}

/// Of a disc that slides through a bowl, and of one that slides down beside another that it leans on, the
/// energy falls by what friction takes. Pieces along curves are right to the second order in 10⁻² rad: the
/// most that was found is 2·10⁻⁶.
#[test]
fn energy_falls_by_what_friction_takes() {
    for friction in [0.1, 0.3, 0.5] {
        let mut bowl = world_of(friction);
        bowl.add_wall(Wall::circle([0.0, 0.0], 5.0)).unwrap();
        bowl.insert(disc(at(0.0, -4.0), 1.0).with_velocity([6.0, 0.0])).unwrap();
        let mut slope = world_of(friction);
        let down = DVec2::from_angle((-60.0_f64).to_radians());
        slope.add_wall(Wall::half_plane([0.0, 0.0], down.perp())).unwrap();
        let radii = [0.5, 0.3];
        let apart = (0.8_f64 * 0.8 - 0.2 * 0.2).sqrt();
        for (radius, along) in radii.into_iter().zip([0.0, apart]) {
            slope.insert(disc(down.perp() * radius + down * along, radius)).unwrap();
        }
        for mut world in [bowl, slope] {
            let start = energy(&world);
            world.advance(0.3).unwrap();
            let (lost, taken) = (start - energy(&world), heat(&world));
            assert!(taken > 0.0 && (lost - taken).abs() <= 5e-6 * taken, "{friction}: {lost} {taken}");
        }
    }
}

//! Bodies that press on each other in narrow wedges, and where what carries a disc moves on: time goes on.

use super::scene::under;
use carom_engine::{DVec2, Disc, DiscForces, DiscId, Event, Forces, StopReason, Wall, WallShape, World};

fn world(gravity: [f64; 2]) -> World<Forces> {
    let mut world = under(gravity);
    world.set_budget(5_000);
    world
}

/// Advances, within the budget of events. The energy is what the ledger says.
fn advance(world: &mut World<Forces>, seconds: f64) {
    let report = world.advance(seconds).unwrap();
    assert_eq!(report.end, StopReason::Reached, "at {} s", world.now().as_secs());
    assert!((world.ledger().total - world.kinetic_energy()).abs() < 1e-12, "{:?}", world.ledger());
}

fn pushed(at: [f64; 2], radius: f64, acceleration: [f64; 2]) -> Disc<DiscForces> {
    let body = DiscForces { acceleration: acceleration.into(), ..DiscForces::default() };
    Disc::new(at, radius).with_body(body).with_restitution(0.0).with_overlap()
}

/// A disc that is pushed along the crescent between a ceiling and the inside of an arc, which is as wide at
/// its middle as the disc, stays where the two touch it: the crescent narrows to both sides.
#[test]
fn a_crescent_holds_the_disc_that_fits_its_middle() {
    let mut world = world([0.0, -1.0]);
    world.add_wall(Wall::segment([-1.0, -2.0], [1.0, -2.0])).unwrap();
    let arc = WallShape::Arc { center: DVec2::ZERO, radius: 3.0, start: 3.0, sweep: 3.4 };
    world.add_wall(Wall::new(arc)).unwrap();
    let disc =
        world.insert(pushed([-1.5811399184664343e-5, -2.5], 0.5, [-1.41, 1.319]).with_mass(2.0)).unwrap();
    advance(&mut world, 10.0);
    let state = world.get(disc).unwrap();
    assert!((state.position() - DVec2::new(0.0, -2.5)).length() < 2e-5, "{}", state.position());
    assert_eq!(state.velocity(), DVec2::ZERO);
}

/// Two discs on a floor, of which one pushes the other under the end of a wall that is as high above the
/// floor as that is wide.
#[test]
fn a_disc_is_pushed_under_the_end_of_a_wall_as_high_as_it_is_wide() {
    let mut world = world([0.0, -9.81]);
    world.add_wall(Wall::half_plane([0.0, -4.0], [0.0, 1.0])).unwrap();
    world.add_wall(Wall::segment([-2.0, -3.0], [2.0, -3.0])).unwrap();
    let ahead = world.insert(pushed([-2.0000048954810192, -3.5], 0.5, [0.0, 0.0]).with_mass(2.0)).unwrap();
    world
        .insert(pushed([-2.7071116766675667, -3.75], 0.25, [1.0902612627972896, -1.3173474650920802]))
        .unwrap();
    advance(&mut world, 1.0);
    assert_eq!(world.get(ahead).unwrap().position().y, -3.5);
}

/// A tracer between two discs that slide along a wall and away from it, so that it is squeezed out as between
/// the blades of scissors: it presses on them with 850 times the acceleration of gravity.
#[test]
fn a_tracer_is_squeezed_out_between_two_discs() {
    let mut world = world([-1.0, 0.0]);
    world.add_wall(Wall::half_plane([-4.0, 0.0], [1.0, 0.0])).unwrap();
    let mut insert = |at: [f64; 2], radius: f64, mass: f64, velocity: [f64; 2]| -> DiscId {
        let disc = Disc::new(at, radius).with_mass(mass).with_velocity(velocity).with_restitution(0.3);
        world.insert(disc.with_overlap()).unwrap()
    };
    let along = 0.28069768559740765;
    insert([-3.4997001765513533, 1.639619950670689], 0.5, 0.5, [-0.31508618342888217, 0.1691475620885495]);
    let under = insert([-3.75, 2.3466206567442627], 0.25, 1.0, [0.0, along]);
    let at = [-3.749800122886582, 2.3466913875495576];
    let tracer = insert(at, 0.25, 0.0, [-0.21004713927203705, 0.20630117618826754]);
    insert([-3.5, 0.6396199956176917], 0.5, 4.0, [0.0, 0.16905309185816705]);
    insert([-3.875, 2.7001740473375366], 0.125, 4.0, [0.0, along]);
    world.exclude(under, tracer).unwrap();
    advance(&mut world, 1.0);
}

/// A mover that stands before a disc at a wall goes on once that is gone, under a disc that lies on it: that
/// slides off it as off one at rest, with the opposite velocity. It leaves it where `v² = R g cos θ` with
/// `v² = v₀² + 2 R g (1 − cos θ)`, so at `cos θ = (2 + v₀²/(R g))/3`.
#[test]
fn what_lies_on_a_mover_that_goes_on_slides_off_it() {
    let g = 9.81;
    let mut world = world([0.0, -g]);
    world.add_wall(Wall::half_plane([2.0, 0.0], [-1.0, 0.0])).unwrap();
    let mover = Disc::new([0.0, 0.0], 1.0).with_mass(f64::INFINITY).with_velocity([1.0, 0.0]);
    let mover = world.insert(mover).unwrap();
    let weightless = DiscForces { gravity_scale: 0.0, ..DiscForces::default() };
    let between = world.insert(Disc::new([1.5, 0.0], 0.5).with_body(weightless)).unwrap();
    let rider = world.insert(Disc::new([0.0, 1.25], 0.25).with_restitution(0.0)).unwrap();
    advance(&mut world, 1.0);
    assert_eq!(world.held_to(rider).count(), 1);
    world.remove(between).unwrap();
    let ended = world.advance_until_event(2.0, |event| matches!(event, Event::LetGo(_))).unwrap();
    assert_eq!(ended.end, StopReason::Stopped);
    let d = world.get(rider).unwrap().position() - world.get(mover).unwrap().position();
    let (cos, expected) = (d.y / d.length(), (2.0 + 1.0 / (1.25 * g)) / 3.0);
    assert!((cos - expected).abs() < 1e-4, "left at {cos}, not {expected}");
    advance(&mut world, 5.0);
}

/// A disc that is outside of a bowl by 3·10⁻¹⁰, as held contacts may leave it, comes to rest at it and
/// swings: at speed v from the lowest point to `v²/(2 g)` above it.
#[test]
fn a_disc_that_is_a_little_outside_of_a_bowl_swings_in_it() {
    let mut world = world([0.0, -1.0]);
    world.add_wall(Wall::circle([0.0, 0.0], 4.25)).unwrap();
    let disc = Disc::new([0.0, -4.0 - 3e-10], 0.25).with_velocity([1.0, 0.0]).with_restitution(0.0);
    let disc = world.insert(disc.with_overlap()).unwrap();
    let mut highest = f64::NEG_INFINITY;
    for _ in 0..200 {
        advance(&mut world, 0.05);
        let at = world.get(disc).unwrap().position();
        // What it begins with, and 10⁻¹⁰ of the distance of centres within a piece.
        assert!((at.length() - 4.0).abs() < 3e-10 + 4e-10, "{at}");
        highest = highest.max(at.y);
    }
    assert_eq!(world.held_to(disc).count(), 1);
    assert!((highest + 3.5).abs() < 1e-3, "{highest}");
}

/// A disc that overlaps a round room smaller than itself, and is held in it, has pieces that end after they
/// begin: its next event is not past, and the world can be saved.
#[test]
fn a_disc_larger_than_its_room_has_pieces_of_some_length() {
    let mut world = world([0.0, 0.0]);
    world.add_wall(Wall::arc([0.0, 0.0], 0.3, 0.0, core::f64::consts::TAU)).unwrap();
    let disc = Disc::new([0.0, 0.037], 0.4).with_velocity([0.36, 0.0]).with_restitution(0.0);
    let disc = world.insert(disc.with_overlap()).unwrap();
    advance(&mut world, 1e-9);
    assert_eq!(world.held_to(disc).count(), 1);
    for _ in 0..20 {
        assert!(world.next_event().is_none_or(|next| next.time >= world.now()));
        serde_json::to_string(&world).unwrap();
        advance(&mut world, 0.05);
    }
}

//! The worlds that many programs have, compiled here once. Up to `opt-level = 1` a program uses what its
//! libraries have compiled of a generic type, and does not compile it again; so the test kit turns this on,
//! and a test run compiles the engine of smooth discs once and not for each example, library and test.
//! Nothing here is called.

use crate::{
    CastOptions, DVec2, Disc, DiscId, Error, Event, Forces, Overlap, Physics, QueryFilter, Ray, Region,
    Rules, SchedulerKind, Settings, Smooth, Wall, World,
};

/// For the compiler alone. A function that is put in its callers would be compiled in none.
#[inline(never)]
pub fn all() -> [*const (); 2] {
    [calls::<Smooth> as *const (), calls::<Forces> as *const ()]
}

/// What programs call of a world.
pub fn calls<P: Physics>(
    physics: P,
    disc: Disc<P::Body, P::Extra>,
    wall: Wall<P::Surface>,
    id: DiscId,
) -> Result<(), Error> {
    let mut world: World<P> = World::with_physics(physics, Settings::default())?;
    run(&mut world)?;
    edit(&mut world, disc, id)?;
    edit_walls(&mut world, wall, id)?;
    edit_all(&mut world)?;
    query(&world, disc)?;
    let mut other = world.clone();
    other.clone_from(&world);
    Ok(())
}

fn run<P: Physics>(world: &mut World<P>) -> Result<(), Error> {
    world.advance(0.0)?;
    world.advance_to(0.0)?;
    world.advance_to(world.now())?;
    world.advance_with(0.0, &mut |_: &Event<P::Change>| {})?;
    world.advance_until_event(0.0, |_| true)?;
    world.step_event();
    world.next_event();
    world.assert_well_formed();
    Ok(())
}

fn edit<P: Physics>(world: &mut World<P>, disc: Disc<P::Body, P::Extra>, id: DiscId) -> Result<(), Error> {
    world.insert(disc)?;
    world.remove(id)?;
    world.set_position(id, DVec2::ZERO)?;
    world.set_position(id, [0.0, 0.0])?;
    world.set_velocity(id, DVec2::ZERO)?;
    world.set_velocity(id, [0.0, 0.0])?;
    world.set_extra(id, disc.extra)?;
    world.set_body(id, disc.body)?;
    world.set_radius(id, 0.0)?;
    world.set_mass(id, 0.0)?;
    world.set_restitution(id, 0.0)?;
    world.set_user_data(id, 0)?;
    world.set_overlap(id, Overlap::Allow)?;
    world.set_rules(id, Rules::new())?;
    world.set_enabled(id, true)?;
    world.apply_impulse(id, DVec2::ZERO)?;
    world.move_to_until(id, DVec2::ZERO, 0.0)?;
    world.move_to_until(id, [0.0, 0.0], 0.0)?;
    world.exclude(id, id)?;
    world.include(id, id)?;
    Ok(())
}

fn edit_walls<P: Physics>(world: &mut World<P>, wall: Wall<P::Surface>, id: DiscId) -> Result<(), Error> {
    let wall = world.add_wall(wall)?;
    world.remove_wall(wall)?;
    world.set_wall_restitution(wall, 0.0)?;
    world.set_wall_rules(wall, Rules::new())?;
    world.move_wall_until(wall, DVec2::ZERO, 0.0)?;
    world.move_wall_until(wall, [0.0, 0.0], 0.0)?;
    world.turn_arm(wall, 0.0, 0.0)?;
    let region = world.add_region(Region::disc(DVec2::ZERO, 1.0))?;
    world.remove_region(region)?;
    _ = world.is_inside(region, id);
    Ok(())
}

fn edit_all<P: Physics>(world: &mut World<P>) -> Result<(), Error> {
    world.set_growth(0.0)?;
    world.scale_velocities(0.0)?;
    world.set_time_scale(1.0)?;
    world.set_scheduler(SchedulerKind::Grid)?;
    world.set_budget(1);
    world.set_record_events(false);
    world.set_timer(0.0, 0)?;
    world.push_apart()?;
    world.separate_overlaps(1.0)?;
    world.clear();
    Ok(())
}

fn query<P: Physics>(world: &World<P>, disc: Disc<P::Body, P::Extra>) -> Result<(), Error> {
    let filter = QueryFilter::new();
    world.cast_disc(&disc, &CastOptions::new(), &filter)?;
    world.cast_ray(&Ray::new(DVec2::ZERO, DVec2::X), &filter)?;
    world.overlap_disc(DVec2::ZERO, 1.0, &filter, &mut Vec::new())?;
    _ = (world.discs().count(), world.ids().count(), world.walls().count(), world.counters());
    _ = (world.kinetic_energy(), world.momentum(), world.energy(), world.ledger());
    Ok(())
}

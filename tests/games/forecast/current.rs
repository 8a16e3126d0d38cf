//! A forecast is current until something is edited or happens.

use carom_engine::{
    Collapse, Disc, DiscId, Forecast, ForecastOptions, Overlap, Region, Rules, Smooth, Wall, WallId, World,
};

fn small() -> (World, [DiscId; 2], WallId) {
    let mut world = World::new();
    let wall = world.add_wall(Wall::container([-9.0, -9.0], [9.0, 9.0])).unwrap();
    let discs = [0.0, 4.0].map(|x| world.insert(Disc::new([x, 0.0], 0.5)).unwrap());
    world.set_velocity(discs[0], [1.0, 0.0]).unwrap();
    world.add_region(Region::disc([0.0, 7.0], 1.0)).unwrap();
    (world, discs, wall)
}

type Edit = fn(&mut World, [DiscId; 2], WallId);

#[test]
fn every_edit_ends_a_forecast() {
    let edits: [Edit; 27] = [
        |world, _, _| _ = world.insert(Disc::new([0.0, 5.0], 0.5)).unwrap(),
        |world, discs, _| _ = world.remove(discs[1]).unwrap(),
        |world, discs, _| world.set_position(discs[0], [0.0, 1.0]).unwrap(),
        |world, discs, _| world.set_velocity(discs[0], [0.0, 1.0]).unwrap(),
        |world, discs, _| world.set_extra(discs[0], ()).unwrap(),
        |world, discs, _| world.set_body(discs[0], ()).unwrap(),
        |world, discs, _| world.set_radius(discs[0], 0.1).unwrap(),
        |world, discs, _| world.set_mass(discs[0], 3.0).unwrap(),
        |world, discs, _| world.set_mass(discs[0], 0.0).unwrap(),
        |world, discs, _| world.set_restitution(discs[0], 0.5).unwrap(),
        |world, discs, _| world.set_user_data(discs[0], 5).unwrap(),
        |world, discs, _| world.set_overlap(discs[0], Overlap::Allow).unwrap(),
        |world, discs, _| world.set_rules(discs[0], Rules::new().with_team(1)).unwrap(),
        |world, discs, _| _ = world.exclude(discs[0], discs[1]).unwrap(),
        |world, discs, _| world.apply_impulse(discs[0], [1.0, 0.0]).unwrap(),
        |world, discs, _| world.set_velocities(&[(discs[0], [1.0, 2.0].into())]).unwrap(),
        |world, discs, _| world.set_positions(&[(discs[0], [1.0, 2.0].into())]).unwrap(),
        |world, _, _| world.scale_velocities(2.0).unwrap(),
        |world, _, _| world.set_growth(0.1).unwrap(),
        |world, _, _| world.retain(|disc| disc.position().x > 1.0),
        |world, _, _| world.set_physics(Smooth).unwrap(),
        |world, _, _| _ = world.add_wall(Wall::disc([0.0, 6.0], 0.1)).unwrap(),
        |world, _, wall| _ = world.remove_wall(wall).unwrap(),
        |world, _, wall| world.set_wall_restitution(wall, 0.5).unwrap(),
        |world, _, wall| world.set_wall_user_data(wall, 5).unwrap(),
        |world, _, wall| world.set_wall_surface(wall, ()).unwrap(),
        |world, _, wall| world.set_wall_rules(wall, Rules::new().with_team(1)).unwrap(),
    ];
    let others: [Edit; 7] = [
        |world, _, _| _ = world.add_region(Region::disc([0.0, 0.0], 1.0)).unwrap(),
        |world, _, _| {
            let id = world.regions().next().map(|(id, _)| id).unwrap();
            world.set_region(id, Region::disc([0.0, 3.0], 1.0)).unwrap();
        },
        |world, _, _| {
            let id = world.regions().next().map(|(id, _)| id).unwrap();
            _ = world.remove_region(id).unwrap();
        },
        |world, _, _| world.set_budget(7),
        |world, _, _| world.set_collapse(None::<Collapse>).unwrap(),
        |world, _, _| world.clear(),
        |world, _, _| _ = world.advance(3.0).unwrap(),
    ];
    for (k, edit) in edits.into_iter().chain(others).enumerate() {
        let ((mut world, discs, wall), mut forecast) = (small(), Forecast::new());
        forecast.path(&world, discs[0], &ForecastOptions::new(1.0)).unwrap();
        let before = world.edits();
        assert!(forecast.is_current(&world));
        edit(&mut world, discs, wall);
        assert!(!forecast.is_current(&world) && world.edits() > before, "edit {k}");
    }
}

/// Edits without discs, too.
#[test]
fn edits_of_an_empty_world_count() {
    let mut world = World::new();
    let edits: [fn(&mut World); 3] = [
        |world| _ = world.add_wall(Wall::disc([0.0, 6.0], 0.1)).unwrap(),
        |world| world.set_physics(Smooth).unwrap(),
        |world| world.set_growth(0.1).unwrap(),
    ];
    for edit in edits {
        let before = world.edits();
        edit(&mut world);
        assert!(world.edits() > before);
    }
}

/// Time without an event leaves it current, and so does all that is only read or changes no path.
#[test]
fn reading_and_waiting_leave_a_forecast_current() {
    let ((mut world, discs, _), mut forecast) = (small(), Forecast::new());
    forecast.path(&world, discs[0], &ForecastOptions::new(1.0)).unwrap();
    world.advance(1.0).unwrap();
    world.next_event();
    world.state_at(discs[0], 1.5).unwrap();
    world.set_record_events(false);
    world.reserve(10);
    assert!(world.remove(discs[0]).is_ok_and(|disc| disc.position.x == 1.0));
    assert!(!forecast.is_current(&world));
}

/// Another world is another one, also a clone, one that is put in its place, and one that was overwritten
/// with an earlier state of itself.
#[test]
fn a_forecast_is_of_one_world() {
    let ((mut world, discs, _), mut forecast) = (small(), Forecast::new());
    let saved = world.clone();
    world.set_velocity(discs[0], [2.0, 0.0]).unwrap();
    forecast.path(&world, discs[0], &ForecastOptions::new(1.0)).unwrap();
    assert!(forecast.is_current(&world) && !forecast.is_current(&saved));
    assert!(!forecast.is_current(&world.clone()) && forecast.clone().is_current(&world));
    let edits = world.edits();
    world.clone_from(&saved);
    assert!(!forecast.is_current(&world) && world.edits() > edits);
    while world.edits() < edits + 10 {
        // The velocity that a disc has is no edit.
        world.set_velocity(discs[0], [3.0 + world.edits() as f64, 0.0]).unwrap();
        assert!(!forecast.is_current(&world));
    }
}

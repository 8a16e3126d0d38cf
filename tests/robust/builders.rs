//! Whatever a builder accepts works, and what does not is refused with a reason. Every number of every
//! builder is replaced by zeros, infinities, NaN and extreme numbers: each alone, and two at a time at
//! random. Every call returns without a panic, and all states stay finite.

use super::ranges::check;
use crate::common::stored::FORMATS;
use carom_engine::{
    CastOptions, Collapse, Command, DVec2, Disc, DiscForces, DiscId, Error, Forces, Forecast,
    ForecastOptions, QueryFilter, Ray, Region, Rest, Rough, RoughDisc, Roughness, Settings, Sliding, Spin,
    Wall, WallId, World,
};
use carom_testkit::grammar::Played;
use carom_testkit::odd::{Numbers, ODD, each_odd};

type Rubbing = Rough<Forces>;

type Door<P> = (&'static str, fn(&mut World<P>, &mut Numbers) -> Result<(), Error>);

/// A world in which much happens.
fn busy<P: Played>(world: &mut World<P>) -> Result<(), Error> {
    let body = |x: f64, y: f64| Disc::new([x, y], 0.25).with_velocity([0.5 - x, 1.0]);
    world.insert(body(0.5, 1.0))?;
    world.insert(body(1.5, 1.0).with_mass(3.0))?;
    world.insert(body(2.5, 1.0).with_mass(0.0))?;
    world.insert(Disc::new([0.5, 3.0], 0.25).kinematic())?;
    world.insert(Disc::new([2.5, 1.2], 0.25).with_overlap())?;
    world.add_wall(Wall::segment([0.0, 0.0], [4.0, 0.0]))?;
    world.add_wall(Wall::arm([3.5, 2.0], 0.4, 0.05, 0.0))?;
    world.add_region(Region::rectangle([0.0, 0.0], [2.0, 2.0]))?;
    world.set_budget(world.settings().budget.min(100));
    world.advance(0.01)?;
    Ok(())
}

fn disc<P: Played>(world: &World<P>, k: usize) -> DiscId {
    world.ids().nth(k).unwrap()
}

fn wall<P: Played>(world: &World<P>, k: usize) -> WallId {
    world.walls().nth(k).unwrap().0
}

/// Goes on for a while, each way that there is: whatever the world holds, it is well formed, loads as it was
/// saved, and can be asked what comes.
fn goes_on<P: Played>(world: &mut World<P>, what: &str) {
    for seconds in [0.0, 1e-3, 0.5] {
        // A scale of time may lead beyond the clock's horizon.
        if let Err(error) = world.advance(seconds) {
            says_why(&error, what);
        }
        check(world);
    }
    let saved = FORMATS[0].save(world);
    let loaded: World<P> = FORMATS[0].load(&saved).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert!(loaded.diff(world).is_none(), "{what}: loaded otherwise");
    if let Some(first) = world.ids().next() {
        let path = Forecast::new().path(world, first, &ForecastOptions::new(0.5)).map(<[_]>::len);
        path.map_or_else(|error| says_why(&error, what), drop);
    }
    world.next_event();
    check(world);
}

/// A refusal names something and is short.
fn says_why(error: &Error, what: &str) {
    let text = error.to_string();
    assert!(text.len() < 200 && text.len() > 15, "{what}: {text}");
    if let Error::OutOfRange { field, allowed: reason, .. } | Error::Inconsistent { field, reason, .. } =
        error
    {
        assert!(!field.is_empty() && !reason.is_empty(), "{what}: {error:?}");
    }
}

/// Tries a door with these odd numbers. How many it asks for.
fn knock<P: Played>(build: fn() -> World<P>, (name, door): Door<P>, odd: &[(usize, f64)]) -> usize {
    let what = format!("{name} with {odd:?}");
    let (mut world, numbers) = (build(), &mut Numbers { odd, next: 0 });
    let before = world.clone();
    match door(&mut world, numbers) {
        Ok(()) => goes_on(&mut world, &what),
        Err(error) => {
            assert!(!odd.is_empty(), "{what}: {error}");
            says_why(&error, &what);
            assert!(world.diff(&before).is_none(), "{what}: {error} has changed something");
        }
    }
    numbers.next
}

fn knock_at_all<P: Played>(build: fn() -> World<P>, doors: &[Door<P>]) {
    for &door in doors {
        println!("{}", door.0);
        each_odd(60, |odd| knock(build, door, odd));
    }
}

fn smooth() -> World {
    let mut world = World::new();
    busy(&mut world).unwrap();
    world
}

fn rubbing() -> World<Rubbing> {
    let forces = Forces::new().with_gravity([0.0, -1.0]).unwrap().with_weight(2.0).unwrap();
    let rough = Rough::new(forces, Roughness::new(0.5, 0.5).unwrap());
    let mut world = World::with_physics(rough, Settings::default()).unwrap();
    busy(&mut world).unwrap();
    world
}

fn add(world: &mut World, wall: Wall, n: &mut Numbers) -> Result<(), Error> {
    let wall = wall.with_restitution(n.get(0.5)).with_groups(n.few(1), n.few(1)).with_team(n.few(0));
    world.add_wall(wall).map(drop)
}

fn see(world: &mut World, region: Region, n: &mut Numbers) -> Result<(), Error> {
    let region = region.with_groups(n.few(1), n.few(1)).with_team(n.few(0)).with_user_data(n.count(7));
    let carried = world.add_region(region.carried_by(disc(world, 0)))?;
    world.remove_region(carried)?;
    world.add_region(region).map(drop)
}

#[test]
fn discs_walls_and_regions() {
    let discs: [Door<_>; 3] = [
        ("disc", |w, n| {
            let disc = Disc::new(n.place(1.0, 5.0), n.get(0.3)).with_velocity(n.place(1.0, -2.0));
            let disc = disc.with_mass(n.get(2.0)).with_restitution(n.get(0.7)).with_user_data(n.count(9));
            w.insert(disc.with_groups(n.few(1), n.few(1)).with_team(n.few(2))).map(drop)
        }),
        ("sensor", |w, n| {
            let disc = Disc::new(n.place(1.0, 1.0), n.get(0.3)).with_velocity(n.place(1.0, -2.0));
            w.insert(disc.with_mass(n.get(2.0)).with_sensor_among_sensors().with_overlap()).map(drop)
        }),
        ("kinematic disc", |w, n| {
            let disc = Disc::new(n.place(1.0, 5.0), n.get(0.3)).with_velocity(n.place(1.0, -2.0));
            w.insert(disc.kinematic().with_max_speed(n.get(3.0))).map(drop)
        }),
    ];
    let walls: [Door<_>; 10] = [
        ("half-plane", |w, n| add(w, Wall::half_plane(n.place(0.0, -1.0), n.place(0.5, 1.0)), n)),
        ("segment", |w, n| add(w, Wall::segment(n.place(-1.0, -1.0), n.place(5.0, -1.0)), n)),
        ("one-sided", |w, n| add(w, Wall::one_sided_segment(n.place(5.0, 2.0), n.place(-1.0, 2.0)), n)),
        ("disc", |w, n| add(w, Wall::disc(n.place(2.0, 4.0), n.get(0.5)), n)),
        ("circle", |w, n| add(w, Wall::circle(n.place(2.0, 2.0), n.get(8.0)), n)),
        ("arc", |w, n| add(w, Wall::arc(n.place(2.0, 2.0), n.get(4.0), n.get(1.0), n.get(2.0)), n)),
        ("polyline", |w, n| {
            add(w, Wall::polygon(&[n.place(-9.0, -9.0), n.place(9.0, -9.0), n.place(0.0, 9.0)]), n)
        }),
        ("container", |w, n| add(w, Wall::container(n.place(-1.0, -1.0), n.place(5.0, 5.0)), n)),
        ("arm", |w, n| add(w, Wall::arm(n.place(-2.0, 1.0), n.get(1.0), n.get(0.1), n.get(1.0)), n)),
        ("stadium", |w, n| add(w, Wall::stadium(n.place(2.0, 2.0), n.get(3.0), n.get(5.0)), n)),
    ];
    let regions: [Door<_>; 4] = [
        ("region", |w, n| see(w, Region::disc(n.place(1.0, 1.0), n.get(1.0)), n)),
        ("region by edge", |w, n| {
            see(w, Region::rectangle(n.place(0.0, 0.0), n.place(2.0, 2.0)).by_edge(), n)
        }),
        ("region behind a line", |w, n| see(w, Region::half_plane(n.place(1.0, 1.0), n.place(1.0, 1.0)), n)),
        ("beam", |w, n| see(w, Region::segment(n.place(0.0, 0.5), n.place(4.0, 0.5)), n)),
    ];
    knock_at_all(smooth, &discs);
    knock_at_all(smooth, &walls);
    knock_at_all(smooth, &regions);
    let none: [Door<_>; 2] = [
        ("empty lists", |w, _| {
            assert!(w.add_wall(Wall::polyline(&[DVec2::ONE; 0])).is_err());
            assert!(w.add_wall(Wall::polygon(&[DVec2::ONE])).is_err());
            w.set_velocities(&[])?;
            w.set_positions(&[])
        }),
        ("reserve", |w, n| {
            w.reserve(n.count(3).min(1 << 12) as usize);
            Ok(())
        }),
    ];
    knock_at_all(smooth, &none);
}

#[test]
fn edits_and_commands() {
    let edits: [Door<_>; 13] = [
        ("set_position", |w, n| w.set_position(disc(w, 0), n.place(0.6, 1.1))),
        ("set_velocity", |w, n| w.set_velocity(disc(w, 0), n.place(0.6, 1.1))),
        ("set_radius", |w, n| w.set_radius(disc(w, 0), n.get(0.1))),
        ("set_mass", |w, n| w.set_mass(disc(w, 0), n.get(0.1))),
        ("set_restitution", |w, n| w.set_restitution(disc(w, 0), n.get(0.1))),
        ("apply_impulse", |w, n| w.apply_impulse(disc(w, 1), n.place(0.1, 1.0))),
        ("set_velocities", |w, n| {
            w.set_velocities(&[(disc(w, 0), n.place(1.0, 0.0)), (disc(w, 1), n.place(0.0, 1.0))])
        }),
        ("set_positions", |w, n| {
            w.set_positions(&[(disc(w, 0), n.place(0.5, 1.2)), (disc(w, 1), n.place(1.5, 1.2))])
        }),
        ("scale_velocities", |w, n| w.scale_velocities(n.get(2.0))),
        ("set_time_scale", |w, n| w.set_time_scale(n.get(2.0))),
        ("set_collapse", |w, n| w.set_collapse(Some(Collapse::new(n.get(1e-9), n.few(3))))),
        ("separate_overlaps", |w, n| w.separate_overlaps(n.get(1.0)).map(drop)),
        ("set_wall_restitution", |w, n| w.set_wall_restitution(wall(w, 0), n.get(0.5))),
    ];
    let sent: [Door<_>; 13] = [
        ("move_to", |w, n| w.move_to_until(disc(w, 3), n.place(2.0, 3.0), n.get(0.5)).map(drop)),
        ("turn_arm", |w, n| w.turn_arm(wall(w, 1), n.get(0.5), n.get(2.0)).map(drop)),
        ("move_wall", |w, n| w.move_wall_until(wall(w, 0), n.place(0.1, -0.5), n.get(0.5)).map(drop)),
        ("set_timer", |w, n| w.set_timer(n.get(0.2), n.count(1)).map(drop)),
        ("set_timer_at", |w, n| w.set_timer_at(n.get(0.2), n.count(1)).map(drop)),
        ("command to move", |w, n| {
            let command = Command::MoveTo(disc(w, 3), n.place(2.0, 3.0), n.get(0.5));
            w.command_at(n.get(0.1), command).map(drop)
        }),
        ("command to turn", |w, n| {
            let command = Command::TurnArm(wall(w, 1), n.get(0.5), n.get(2.0));
            w.command_at(n.get(0.1), command).map(drop)
        }),
        ("command to move a wall", |w, n| {
            let command = Command::MoveWall(wall(w, 0), n.place(0.1, -0.5), n.get(0.5));
            w.command_at(n.get(0.1), command).map(drop)
        }),
        ("command to insert", |w, n| {
            let command = Command::Insert(Disc::new(n.place(1.0, 4.0), n.get(0.2)));
            w.command_at(0.1, command).map(drop)
        }),
        ("command to set a velocity", |w, n| {
            w.command_at(0.1, Command::SetVelocity(disc(w, 0), n.place(1.0, 0.0))).map(drop)
        }),
        ("command to set a position", |w, n| {
            w.command_at(0.1, Command::SetPosition(disc(w, 1), n.place(1.5, 1.5))).map(drop)
        }),
        ("command of an impulse", |w, n| {
            w.command_at(0.1, Command::ApplyImpulse(disc(w, 1), n.place(1.5, 1.5))).map(drop)
        }),
        ("command to set a timer", |w, n| {
            w.command_at(0.1, Command::SetTimer(n.get(0.1), n.count(1))).map(drop)
        }),
    ];
    knock_at_all(smooth, &edits);
    knock_at_all(smooth, &sent);
    let free = || {
        let mut world = smooth();
        world.remove_wall(wall(&world, 1)).unwrap();
        world
    };
    knock_at_all(free, &[("set_growth", |w, n| w.set_growth(n.get(0.1)))]);
}

#[test]
fn questions() {
    let asked: [Door<_>; 7] = [
        ("ray", |w, n| {
            let mut ray = Ray::new(n.place(-1.0, 1.0), n.place(1.0, 0.1));
            ray.max_distance = n.get(5.0);
            w.cast_ray(&ray, &QueryFilter::new()).map(drop)
        }),
        ("cast", |w, n| {
            let guest = Disc::new(n.place(-1.0, 1.0), n.get(0.1)).with_velocity(n.place(1.0, 0.0));
            let options = CastOptions::new().with_max_time(n.get(2.0));
            w.cast_disc(&guest.with_mass(n.get(1.0)), &options, &QueryFilter::new()).map(drop)
        }),
        ("nearest", |w, n| {
            let most = n.count(2) as usize;
            w.nearest(n.place(1.0, 1.0), most, &QueryFilter::new(), &mut Vec::new())
        }),
        ("overlaps", |w, n| {
            let filter = &QueryFilter::new();
            w.overlap_point(n.place(1.0, 1.0), filter, &mut Vec::new())?;
            w.overlap_disc(n.place(1.0, 1.0), n.get(1.0), filter, &mut Vec::new())?;
            w.overlap_box(n.place(0.0, 0.0), n.place(2.0, 2.0), filter, &mut Vec::new())
        }),
        ("forecast", |w, n| {
            let options = ForecastOptions::new(n.get(1.0)).with_max_impacts(n.count(3) as usize);
            let frozen = options.with_frozen(true);
            Forecast::new().path(w, disc(w, 0), &options)?;
            Forecast::new().path(w, disc(w, 0), &frozen).map(drop)
        }),
        ("first impact", |w, n| Forecast::new().first_impact(w, n.get(1.0), |_| false).map(drop)),
        ("state_at", |w, n| w.state_at(disc(w, 0), n.get(0.01)).map(drop)),
    ];
    knock_at_all(smooth, &asked);
}

#[test]
fn laws_of_discs_that_rub() {
    let doors: [Door<Rubbing>; 5] = [
        ("disc", |w, n| {
            let own = DiscForces {
                acceleration: n.place(0.0, 0.0),
                gravity_scale: n.get(0.0),
                friction: n.get(0.2),
                ..DiscForces::default()
            };
            let roughness = Some(Roughness::new(n.get(0.3), n.get(0.5))?);
            let body = RoughDisc { inertia: n.get(0.5), roughness, own };
            let disc = Disc::new([1.0, 5.0], 0.3).with_velocity(n.place(0.0, -3.0)).with_body(body);
            w.insert(disc.with_extra(Spin::new(n.get(2.0)).with_angle(n.get(1.0)))).map(drop)
        }),
        ("set_physics", |w, n| {
            let forces = Forces::new().with_gravity(n.place(0.0, -1.0))?.with_weight(n.get(2.0))?;
            w.set_physics(Rough::new(forces, Roughness::new(n.get(0.5), n.get(0.0))?))
        }),
        ("set_body", |w, n| {
            let own = DiscForces {
                acceleration: n.place(0.0, 0.0),
                gravity_scale: n.get(0.0),
                friction: n.get(0.2),
                ..DiscForces::default()
            };
            w.set_body(disc(w, 0), RoughDisc { inertia: n.get(0.5), roughness: None, own })
        }),
        ("set_body with a limit", |w, n| {
            let own = DiscForces {
                acceleration: n.place(1.0, -3.0),
                gravity_scale: n.get(0.5),
                speed_limit: n.get(2.0),
                ..DiscForces::default()
            };
            w.set_body(disc(w, 0), RoughDisc { own, ..RoughDisc::default() })
        }),
        ("set_extra", |w, n| w.set_extra(disc(w, 0), Spin::new(n.get(2.0)).with_angle(n.get(1.0)))),
    ];
    knock_at_all(rubbing, &doors);
}

/// A world with these settings, if they are in range, and as much in it as they let in.
fn with_settings<P: Played>(laws: P, n: &mut Numbers) -> Result<World<P>, Error> {
    let period = [Some(n.get(20.0)).filter(|_| !P::ACCELERATED), None];
    let mut settings = Settings::default().with_epoch(n.get(0.0009765625)).with_start(n.get(1.0));
    settings = settings.with_period(period).with_time_scale(n.get(1.0)).with_budget(n.count(100));
    settings = settings.with_collapse(Some(Collapse::new(n.get(1e-9), n.few(32))));
    settings = settings.with_sliding(Some(Sliding::new(n.get(1e-4), n.get(1e-6))));
    let mut rest = Rest::new(n.get(1e-4));
    (rest.gap, rest.impacts) = (n.get(1e-6), n.few(32));
    World::with_physics(laws, settings.with_rest(Some(rest)))
}

#[test]
fn settings() {
    each_odd(300, |odd| {
        let what = format!("settings with {odd:?}");
        let forces = Forces::new().with_gravity([0.0, -1.0]).unwrap();
        let [n, m] = &mut [Numbers { odd, next: 0 }, Numbers { odd, next: 0 }];
        tried(with_settings(Rough::new(forces, Roughness::SMOOTH), n), &what);
        tried(with_settings(carom_engine::Smooth, m), &what);
        n.next
    });
    for odd in ODD {
        tried(World::with_settings(Settings::default().with_drag(odd)), &format!("drag {odd:?}"));
    }
}

fn tried<P: Played>(world: Result<World<P>, Error>, what: &str) {
    match world {
        Err(error) => says_why(&error, what),
        Ok(mut world) => {
            if let Err(error) = busy(&mut world) {
                says_why(&error, what);
            }
            goes_on(&mut world, what);
        }
    }
}

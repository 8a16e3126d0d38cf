//! Periodic worlds in which paths bend: the events of an open world of copies, closed formulas, and no image
//! that is passed through. That all schedulers and cuts of time give the same bits, random games show
//! (`crates/carom-fuzz/tests/games.rs`).

use crate::common::by::By;
use crate::common::rng::{Rng, cases};
use carom_engine::{
    CastOptions, DVec2, Disc, DiscForces, Error, Event, Forces, Forecast, ForecastOptions, QueryFilter,
    Region, SchedulerKind, Settings, Wall, World,
};

fn plane(forces: Forces, period: [Option<f64>; 2]) -> World<Forces> {
    World::with_physics(forces, Settings::default().with_period(period)).unwrap()
}

fn falling(x: f64, y: f64) -> Forces {
    Forces::new().with_gravity([x, y]).unwrap()
}

fn pushed(acceleration: DVec2) -> DiscForces {
    DiscForces { acceleration, ..DiscForces::default() }
}

/// Discs at random places, with forces of their own or that slide, where there is room.
fn some_discs(rng: &mut Rng, world: &mut World<Forces>, side: f64, slide: bool) -> Vec<Disc<DiscForces>> {
    let mut discs = Vec::new();
    while discs.len() < 9 {
        let at = DVec2::new(rng.range(0.0, side), rng.range(0.0, side));
        let body = match slide {
            true => DiscForces { friction: rng.range(0.0, 0.2), ..DiscForces::default() },
            false if rng.chance(30) => DiscForces::default(),
            false => pushed(rng.vector(0.4)),
        };
        let disc = Disc::new(at, 1.1).with_velocity(rng.vector(1.0)).with_body(body);
        if world.insert(disc).is_ok() {
            discs.push(disc);
        }
    }
    discs
}

/// Until news of the edge can arrive, the middle of 7 × 7 copies in an open plane is the periodic world: with
/// a gravity and accelerations of each disc, and with friction until they stop.
#[test]
fn a_periodic_world_with_forces_is_an_open_one_of_copies() {
    let mut all = 0;
    for seed in 0..cases(9) {
        let mut rng = Rng::new(seed);
        let (side, slides) = (10.0, seed % 3 == 2);
        let forces = if slides { Forces::new().with_weight(2.0).unwrap() } else { falling(0.3, -0.5) };
        let mut periodic = plane(forces, [Some(side); 2]);
        let discs = some_discs(&mut rng, &mut periodic, side, slides);
        let mut copies = World::with_physics(forces, Settings::default()).unwrap();
        for (k, disc) in discs.iter().enumerate() {
            for i in -3..=3 {
                for j in -3..=3 {
                    let at = disc.position + side * DVec2::new(f64::from(i), f64::from(j));
                    let note = if (i, j) == (0, 0) { k as u64 + 1 } else { 0 };
                    copies.insert(disc.with_position(at).with_user_data(note)).unwrap();
                }
            }
        }
        // From the edge to the middle are three periods, and the discs are slower than 4 beside each other.
        let time = 5.0;
        periodic.advance(time).unwrap();
        copies.advance(time).unwrap();
        all += periodic.events().iter().filter(|event| matches!(event, Event::Impact(_))).count();
        let middle: Vec<_> = copies.discs().filter(|(_, disc)| disc.user_data > 0).collect();
        for (id, copy) in middle {
            let (own, disc) = periodic.discs().nth(copy.user_data as usize - 1).unwrap();
            let unwrapped = periodic.get(own).unwrap().unwrapped_position();
            // Chaos: a few collisions a disc, each with a factor of about ten.
            let off = (unwrapped - copy.position).length() + (disc.velocity - copy.velocity).length();
            assert!(off < 1e-7, "seed {seed}, {id}: {off:e} {unwrapped} {}", copy.position);
        }
    }
    assert!(all > 60, "{all}");
}

/// Whatever image comes near, none is passed through, and the ledger closes: looked at 200 times a second.
#[test]
fn no_image_is_tunneled_through() {
    let (mut all, mut cut) = (0, 0);
    for seed in 0..cases(12) {
        let mut rng = Rng::new(100 + seed);
        let period = [[Some(10.0), Some(10.0)], [Some(10.0), None], [None, Some(10.0)]][seed as usize % 3];
        let forces = if seed % 2 == 0 { falling(0.0, -3.0) } else { falling(2.0, 1.0) };
        let mut world = plane(forces, period);
        some_discs(&mut rng, &mut world, 10.0, false);
        let before = world.energy();
        let (mut events, mut pieces) = (0, 0);
        for _ in 0..cases(600) {
            events += world.advance(0.005).unwrap().events;
            let places: Vec<_> = world.discs().map(|(_, disc)| disc.position).collect();
            for (k, a) in places.iter().enumerate() {
                for b in &places[..k] {
                    let apart = world.periods().nearest(*b - *a).length();
                    assert!(apart > 2.2 * (1.0 - 1e-9), "seed {seed}: {apart} at {:?}", world.now());
                }
            }
            pieces = world.counters().pieces;
        }
        all += events;
        cut += pieces;
        let off = (world.energy() - before).abs();
        assert!(off < 1e-9 * world.kinetic_energy(), "seed {seed}: {off:e}");
    }
    assert!(all > 100 && cut > 20, "{all} {cut}");
}

/// Along a tube of length 10 a disc starts from rest with 2 m/s², and is `t²` far: it is beside a region of
/// radius 1 at 5 from `t² = 4 + 10 k` to `6 + 10 k`, however the path is cut.
#[test]
fn a_region_is_entered_by_each_of_its_images() {
    for by in [By::Table, By::Grid] {
        let settings = by.settings(Settings::default().with_period([Some(10.0), None]));
        let mut world = World::with_physics(falling(2.0, 0.0), settings).unwrap();
        world.insert(Disc::new([0.0, 0.0], 0.25)).unwrap();
        world.add_region(Region::disc([5.0, 0.0], 1.0)).unwrap();
        world.advance(13.0).unwrap();
        let crossings: Vec<_> = world
            .events()
            .iter()
            .filter_map(|event| match event {
                Event::Entered(crossing) => Some((true, crossing.time.as_secs())),
                Event::Left(crossing) => Some((false, crossing.time.as_secs())),
                _ => None,
            })
            .collect();
        assert_eq!(crossings.len(), 34, "{crossings:?}");
        for (k, (enters, time)) in crossings.into_iter().enumerate() {
            let far = 4.0 + 10.0 * (k / 2) as f64 + 2.0 * (k % 2) as f64;
            assert_eq!(enters, k % 2 == 0);
            assert!((time - far.sqrt()).abs() < 1e-13, "{k} {time} {}", far.sqrt());
        }
    }
}

/// `v²/(2 μ w)` = 112.5 in `v/(μ w)` = 15 s, eleven times around, and then it stands.
#[test]
fn a_disc_slides_around_until_it_stops() {
    let forces = Forces::new().with_weight(10.0).unwrap();
    let mut world = plane(forces, [Some(10.0), Some(7.0)]);
    let slides = DiscForces { friction: 0.1, ..DiscForces::default() };
    let id = world.insert(Disc::new([1.0, 1.0], 0.5).with_velocity([15.0, 0.0]).with_body(slides)).unwrap();
    world.advance(20.0).unwrap();
    let disc = world.get(id).unwrap();
    assert!((disc.unwrapped_position() - DVec2::new(113.5, 1.0)).length() < 1e-12);
    assert!((disc.position() - DVec2::new(3.5, 1.0)).length() < 1e-12);
    assert_eq!(disc.velocity(), DVec2::ZERO);
    assert!((disc.state_time().as_secs() - 15.0).abs() < 1e-12);
}

/// A disc that accelerates hits the image at (15, 10) of a disc at rest, and misses the images at (5, 0) and
/// (5, 10). `cast_disc` and a forecast find that impact.
#[test]
fn what_is_ahead_is_found_around_the_world() {
    let mut world = plane(Forces::new(), [Some(10.0); 2]);
    let thrust = DVec2::new(3.0, 2.0);
    let ship = Disc::new([0.0, 0.0], 0.5).with_body(pushed(thrust));
    let (way, thrust) = (DVec2::new(15.0, 10.0).length() - 1.0, thrust.length());
    let rock = world.insert(Disc::new([5.0, 0.0], 0.5)).unwrap();
    let frozen = CastOptions::new().with_frozen(true);
    let hit = world.cast_disc(&ship, &frozen, &QueryFilter::new()).unwrap().expect("it is ahead");
    let time = (2.0 * way / thrust).sqrt();
    assert!(hit.body.disc() == Some(rock) && (hit.seconds - time).abs() < 1e-13, "{hit:?} {time}");
    let id = world.insert(ship).unwrap();
    let mut forecast = Forecast::new();
    let path = forecast.path(&world, id, &ForecastOptions::new(9.0).with_max_impacts(1)).unwrap();
    let last = path.last().unwrap();
    assert!(path.len() == 2 && (last.end.as_secs() - time).abs() < 1e-13, "{path:?}");
    world.advance(time + 1e-9).unwrap();
    let impacts: Vec<_> = world.events().iter().filter(|event| matches!(event, Event::Impact(_))).collect();
    assert!((impacts[0].time().as_secs() - time).abs() < 1e-13, "{impacts:?}");
}

/// What rests over the border rests as it does in the middle, and wakes as it does there. Without
/// restitution: places differ by rounding, and bounces make that a matter of who leaves the heap.
#[test]
fn a_heap_rests_over_the_border() {
    let heap = |shift: f64, scheduler| {
        let settings = Settings::default().with_period([Some(20.0), None]).with_scheduler(scheduler);
        let mut world = World::with_physics(falling(0.0, -10.0), settings).unwrap();
        world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0])).unwrap();
        let disc = |x: f64, y: f64| Disc::new([shift + x, y], 1.0).with_restitution(0.0);
        // Between two fixed ones, so that it does not slide apart.
        world.insert(disc(-4.0, 1.0).with_mass(f64::INFINITY)).unwrap();
        world.insert(disc(4.0, 1.0).with_mass(f64::INFINITY)).unwrap();
        let mut ids = Vec::new();
        for (x, y) in [(-2.0, 1.2), (0.0, 1.5), (2.0, 1.1), (-0.9, 4.0), (0.9, 5.4), (0.1, 8.0)] {
            ids.push(world.insert(disc(x, y)).unwrap());
        }
        world.advance(6.0).unwrap();
        let at_rest = world.kinetic_energy();
        world.apply_impulse(ids[5], [1.0, 0.5]).unwrap();
        world.advance(6.0).unwrap();
        let place = |id| world.get(id).unwrap().unwrapped_position() - DVec2::new(shift, 0.0);
        (at_rest, world.kinetic_energy(), ids.into_iter().map(place).collect::<Vec<_>>())
    };
    for scheduler in [SchedulerKind::Table, SchedulerKind::Grid] {
        let (middle, border) = (heap(10.0, scheduler), heap(0.5, scheduler));
        assert!(middle.0 < 1e-9 && middle.1 < 1e-9 && border.0 < 1e-9 && border.1 < 1e-9, "{border:?}");
        for (one, other) in middle.2.iter().zip(&border.2) {
            assert!((*one - *other).length() < 1e-3, "{one} {other}");
        }
    }
}

/// Two that glide on the floor, held by it, meet over the border again and again.
#[test]
fn what_is_held_goes_around() {
    for by in [By::Table, By::Grid] {
        let settings = by.settings(Settings::default().with_period([Some(10.0), None]));
        let mut world = World::with_physics(falling(0.0, -10.0), settings).unwrap();
        world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0])).unwrap();
        let id = world.insert(Disc::new([1.0, 0.5], 0.5).with_velocity([3.0, 0.0])).unwrap();
        let other = world.insert(Disc::new([6.0, 0.5], 0.5).with_velocity([-1.0, 0.0])).unwrap();
        world.advance(0.0).unwrap();
        let (_, events) = by.advance(&mut world, 40.0);
        let times: Vec<_> = events
            .iter()
            .filter_map(|event| match event {
                Event::Impact(impact) if impact.b.disc().is_some() => Some(impact.time.as_secs()),
                _ => None,
            })
            .collect();
        // They swap their velocities at each meeting: 4 apart at first, and 8 around the world from then on.
        assert_eq!(times.len(), 20, "{times:?}");
        for (k, time) in times.into_iter().enumerate() {
            assert!((time - (1.0 + 2.0 * k as f64)).abs() < 1e-11, "{k} {time}");
        }
        for id in [id, other] {
            assert!((world.get(id).unwrap().position().y - 0.5).abs() < 1e-12);
        }
    }
}

/// Two that are so wide would touch by two images.
#[test]
fn a_period_is_four_radii_and_a_little() {
    let mut world = plane(falling(0.0, -1.0), [Some(4.0), None]);
    world.insert(Disc::new([1.0, 1.0], 0.97)).unwrap();
    let refused = world.insert(Disc::new([1.0, 9.0], 1.0));
    assert!(matches!(refused, Err(Error::Inconsistent { field: "radius", .. })), "{refused:?}");
    let id = world.insert(Disc::new([1.0, 9.0], 0.97)).unwrap();
    assert!(matches!(world.set_radius(id, 1.0), Err(Error::Inconsistent { field: "radius", .. })));
    // What does not accelerate may be as wide as before.
    let settings = Settings::default().with_period([Some(4.0), None]);
    World::with_settings(settings.clone()).unwrap().insert(Disc::new([1.0, 1.0], 1.9)).unwrap();
    let drag = World::with_physics(Forces::new(), settings.with_drag(1.0));
    assert!(matches!(drag, Err(Error::Inconsistent { field: "drag", .. })));
}

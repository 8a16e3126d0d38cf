//! Periods hardly longer than a diameter, where two discs meet by several of their images, now and then by
//! two at once.

use crate::common::by::By;
use crate::common::rng::{Rng, cases};
use crate::common::stored::Format;
use carom_engine::{DVec2, Disc, DiscId, Error, Settings, Simultaneous, StopReason, Wall, World};

fn channel(by: By, x: f64, y: Option<f64>) -> World {
    let mut world = by.world(Settings::default().with_period([Some(x), y]));
    if y.is_none() {
        world.add_wall(Wall::half_plane([0.0, 0.0], DVec2::Y)).unwrap();
        world.add_wall(Wall::half_plane([0.0, 9.0], DVec2::NEG_Y)).unwrap();
    }
    world
}

fn disc_at(mut disc: Disc, place: DVec2) -> Disc {
    disc.position = place;
    disc
}

/// The image of a disc's place that is nearest to another place.
fn beside(world: &World, id: DiscId, place: DVec2) -> DVec2 {
    let d = world.get(id).unwrap().position() - place;
    let [x, y] = world.settings().period.map(|period| period.unwrap_or(1e6));
    place + d - DVec2::new(x * (d.x / x).round(), y * (d.y / y).round())
}

/// Impacts up to which two worlds can be compared that differ by rounding. Each multiplies the difference by
/// some three, and 10⁻¹⁶ 3³⁰ is a fiftieth.
const MOST_COMPARED: u64 = 30;

/// A world is its threefold copy in a period three times as long, where no two meet by two images: impact by
/// impact, until roundings have grown.
#[test]
fn a_small_period_is_a_third_of_a_large_one() {
    let (mut impacts, mut worlds) = (0, 0);
    for seed in 0..cases(150) {
        let mut rng = Rng::new(seed);
        let x = rng.pick(&[2.05, 2.1, 2.3, 2.6, 3.0, 3.5, 3.9, 4.05]);
        let y = rng.pick(&[None, Some(9.0), Some(3.7)]);
        let by = rng.pick(&[By::Table, By::Grid]);
        let (mut one, mut three) = (channel(by, x, y), channel(By::Table, 3.0 * x, y));
        let mut ids = Vec::new();
        for _ in 0..4 {
            let place = DVec2::new(rng.range(0.0, x), rng.range(1.1, 7.9));
            let disc = Disc::new(place, rng.pick(&[1.0, 0.6])).with_velocity(rng.vector(1.0));
            let disc = disc.with_mass(rng.pick(&[1.0, 1.0, 2.5, f64::INFINITY]));
            let Ok(id) = one.insert(disc) else { continue };
            let copies =
                [0.0, 1.0, 2.0].map(|k| three.insert(disc_at(disc, place + DVec2::X * (k * x))).unwrap());
            ids.push((id, copies));
        }
        let mut last = 0;
        while one.now().as_secs() < 60.0 && one.counters().disc_impacts < 7 {
            one.advance(0.25).unwrap();
            three.advance(0.25).unwrap();
            let now = [&one, &three].map(|world| world.counters().disc_impacts);
            // What is caught in a gap that closes may have eighty in a quarter of a second.
            if now[0] > MOST_COMPARED {
                break;
            }
            assert_eq!(3 * now[0], now[1], "seed {seed}, period {x}, at {:?}", one.now());
            last = now[0];
            for (id, copies) in &ids {
                let disc = one.get(*id).unwrap();
                for copy in copies {
                    let place = beside(&one, *id, three.get(*copy).unwrap().position());
                    let off = place.distance(three.get(*copy).unwrap().position());
                    let turned = disc.velocity().distance(three.get(*copy).unwrap().velocity());
                    assert!(off < 1e-4 && turned < 1e-4, "seed {seed}, period {x}: {off:e} {turned:e}");
                }
            }
        }
        one.assert_well_formed();
        (impacts, worlds) = (impacts + last, worlds + u64::from(last > 0));
    }
    assert!(impacts > 400 && worlds > 60, "{impacts} in {worlds}");
}

/// One that falls between a disc and its image meets both at once, and goes back as it came.
///
/// At a distance of centres 2 in a period 3 the normals are (±¾, √7/4). Each pushes it by `j`, the velocity
/// −1 becomes 1: 2 j √7/4 = 2. From a disc of its own mass, which both pushes move, it gets half of that.
#[test]
fn both_images_are_met_at_once() {
    let settings = Settings::default().with_period([Some(3.0), None]);
    let one_by_one = settings.clone().with_simultaneous(Simultaneous::OneByOne);
    for (by, settings) in [
        (By::Table, &settings),
        (By::Grid, &settings),
        (By::Rescan, &settings),
        (By::Table, &one_by_one),
        (By::Grid, &one_by_one),
    ] {
        for (mass, after, push) in [(f64::INFINITY, [0.0, 1.0], 1.0), (1.0, [-1.0, 0.0], 0.5)] {
            let mut world = by.world(settings.clone());
            let a = world.insert(Disc::new([0.0, 0.0], 1.0).with_mass(mass)).unwrap();
            let b = Disc::new([1.5, 4.0], 1.0).with_velocity([0.0, -1.0]);
            let b = world.insert(b).unwrap();
            let (advance, events) = by.advance(&mut world, 5.0);
            assert_eq!((advance.events, events.len()), (1, 2), "{by:?}");
            let sides: Vec<f64> = events.iter().map(|event| event.impact().unwrap().normal.x).collect();
            assert!(
                (sides[0] + sides[1]).abs() < 1e-15 && (sides[0].abs() - 0.75).abs() < 1e-15,
                "{sides:?}"
            );
            for event in &events {
                let impact = event.impact().unwrap();
                assert!((impact.time.as_secs() - (4.0 - 7.0_f64.sqrt() / 2.0)).abs() < 1e-14);
                assert!((impact.impulse - push * 4.0 / 7.0_f64.sqrt()).abs() < 1e-14, "{impact:?}");
                // Midway between the two, on either side of the first.
                let off = beside_place(impact.point, impact.normal, 3.0);
                assert!(off < 1e-14, "{impact:?}");
            }
            for (id, speed) in [(a, after[0]), (b, after[1])] {
                let off = world.get(id).unwrap().velocity().distance(DVec2::new(0.0, speed));
                assert!(off < 1e-14, "{by:?}, {mass}: {off:e}");
            }
            world.assert_well_formed();
        }
    }
}

/// How far a place is from another one, or from an image of it along x.
fn beside_place(place: DVec2, other: DVec2, period: f64) -> f64 {
    let d = place - other;
    DVec2::new(d.x - period * (d.x / period).round(), d.y).length()
}

/// What would touch its own images is refused.
#[test]
fn a_disc_does_not_touch_its_own_images() {
    let mut world = channel(By::Grid, 2.0, None);
    let refused = |error| matches!(error, Error::Inconsistent { field: "radius", .. });
    assert!(refused(world.insert(Disc::new([0.0, 3.0], 0.99)).unwrap_err()));
    let id = world.insert(Disc::new([0.0, 3.0], 0.98)).unwrap();
    world.insert(Disc::new([0.0, 6.0], 0.98)).unwrap();
    assert!(refused(world.set_radius(id, 0.981).unwrap_err()));
}

/// Discs that touch more than 0.49 periods apart are too large to grow: the call ends where they are. Such a
/// world is saved and loaded, and takes no further large disc while it is to grow.
#[test]
fn what_is_too_large_to_grow_stays_as_it_is() {
    let mut world = By::Grid.world(Settings::default().with_period([Some(3.0), None]));
    let ids = [1.5, 6.0].map(|y| world.insert(Disc::new([0.0, y], 1.0)).unwrap());
    world.set_growth(0.1).unwrap();
    assert_eq!(world.advance(1.0).unwrap().end, StopReason::Outgrown);
    assert_eq!((world.now().as_secs(), world.get(ids[0]).unwrap().radius()), (0.0, 1.0));
    assert!(world.insert(Disc::new([0.0, 9.0], 1.0)).is_err());
    let mut world: World = Format::Json.load(&serde_json::to_vec(&world).unwrap()).unwrap();
    world.set_growth(0.0).unwrap();
    assert!(world.insert(Disc::new([0.0, 9.0], 1.0)).is_ok());
}

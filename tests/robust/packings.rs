//! The densest known packings of equal discs, to rounding: all touch, and nothing can move. Coordinates from
//! the tables of Specht (packomania.com): N discs in the circle of radius 1 or in the square of side 1.

use crate::common::rng::Rng;
use carom_engine::{DVec2, Disc, DiscId, Event, Partner, Wall, World};

/// The packings, and how many impacts of each are resolved. Those in a circle did not go on, the first impact
/// of a hundred discs took more than 25 s, and that of two hundred moved discs without saying by what.
const PACKINGS: [(&str, &str, usize); 5] = [
    ("cci10", include_str!("packings/cci10.txt"), 1000),
    ("cci30", include_str!("packings/cci30.txt"), 100),
    ("cci61", include_str!("packings/cci61.txt"), 40),
    ("csq100", include_str!("packings/csq100.txt"), 20),
    ("csq200", include_str!("packings/csq200.txt"), 5),
];

/// The centres of a packing, and the largest radius that they leave room for.
fn packing(name: &str, text: &str) -> (Vec<DVec2>, f64) {
    let place = |line: &str| {
        let mut numbers = line.split_whitespace().map(|number| number.parse().unwrap());
        DVec2::new(numbers.next().unwrap(), numbers.next().unwrap())
    };
    let places: Vec<DVec2> = text.lines().map(place).collect();
    let is_round = name.starts_with("cci");
    let room = |p: &DVec2| if is_round { 1.0 - p.length() } else { 0.5 - p.abs().max_element() };
    let mut radius = places.iter().map(room).fold(f64::INFINITY, f64::min);
    for (k, a) in places.iter().enumerate() {
        radius = places[..k].iter().fold(radius, |radius, b| radius.min(0.5 * a.distance(*b)));
    }
    (places, radius * (1.0 - 4.0 * f64::EPSILON))
}

/// With random velocities and e = 1 each impact is resolved, and says of all that it moves what has pushed
/// it: an impact names each disc whose velocity changes. Energy is kept, except for what the rules against
/// collapse and for what slides along a wall take, as the ledger says.
#[test]
fn densest_packings_go_on() {
    for (name, text, impacts) in PACKINGS {
        let (places, radius) = packing(name, text);
        let mut world = World::new();
        let wall = match name.starts_with("cci") {
            true => Wall::circle(DVec2::ZERO, 1.0),
            false => Wall::container([-0.5, -0.5], [0.5, 0.5]),
        };
        world.add_wall(wall.with_restitution(1.0)).unwrap();
        let mut rng = Rng::new(places.len() as u64);
        for place in places {
            world.insert(Disc::new(place, radius).with_velocity(rng.vector(1.0))).unwrap();
        }
        let energy = world.kinetic_energy();
        for _ in 0..impacts {
            let before: Vec<(DiscId, DVec2)> = world.discs().map(|(id, disc)| (id, disc.velocity)).collect();
            world.step_event();
            let is_named = |id: DiscId| {
                let names = |event: &Event| match event {
                    Event::Impact(impact) => impact.a == id || impact.b == Partner::Disc(id),
                    _ => false,
                };
                world.events().iter().any(names)
            };
            for (id, velocity) in before {
                let after = world.get(id).unwrap().velocity();
                // On the next chord along a wall a disc is as fast as before.
                let is_as_fast = (after.length() - velocity.length()).abs() <= 1e-14;
                let is_turned = world.counters().slides > 0 && is_as_fast;
                assert!(after == velocity || is_named(id) || is_turned, "{name}: {id} {velocity} {after}");
            }
        }
        assert!(world.counters().disc_impacts > 0, "{name}");
        let book = world.counters().ledger;
        let lost = book.collapse + book.restitution + book.slides;
        let off = (world.kinetic_energy() + lost - energy).abs();
        assert!(off <= 1e-12 * energy, "{name}: {off:e} of {energy}");
    }
}

//! The laws in worlds with drag, which run on a clock that slows down. That these go on with the same bits
//! from clones and snapshots, and event by event, random games show (`crates/carom-fuzz/tests/games.rs`).

use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, Settings, Smooth, Wall, World};

/// In some seconds the clock is renewed never, at times, and all the time.
const RATES: [f64; 4] = [0.3, 3.0, 20.0, 300.0];

/// What is a mirror image of another world about an axis through the origin stays one to the last bit.
#[test]
fn mirrored_worlds_stay_mirrored() {
    let mirrors: [fn(DVec2) -> DVec2; 3] =
        [|p| DVec2::new(-p.x, p.y), |p| DVec2::new(p.x, -p.y), |p| DVec2::new(p.y, p.x)];
    for seed in 73_000..73_000 + cases(40) {
        let mut rng = Rng::new(seed);
        let rate = rng.pick(&RATES);
        let settings = Settings::default().with_drag(rate);
        let mirror = rng.pick(&mirrors);
        let mut worlds: [World<Smooth>; 2] =
            core::array::from_fn(|_| World::with_settings(settings.clone()).unwrap());
        let room = Wall::container([-8.0, -8.0], [8.0, 8.0]).with_restitution(0.8);
        worlds.iter_mut().for_each(|world| _ = world.add_wall(room.clone()).unwrap());
        while worlds[0].len() < 16 {
            let (position, velocity) = (rng.vector(7.0).round(), rng.vector(90.0).round());
            let disc = Disc::new(position, 0.75).with_velocity(velocity).with_restitution(0.9);
            let mut image = disc;
            (image.position, image.velocity) = (mirror(position), mirror(velocity));
            assert_eq!(worlds[0].insert(disc).is_ok(), worlds[1].insert(image).is_ok());
        }
        for _ in 0..20 {
            let dt = rng.pick(&[0.01, 0.1, 0.5]);
            worlds.iter_mut().for_each(|world| _ = world.advance(dt).unwrap());
            for ((_, disc), (_, image)) in worlds[0].discs().zip(worlds[1].discs()) {
                assert_eq!((image.position, image.velocity), (mirror(disc.position), mirror(disc.velocity)));
            }
        }
    }
}

/// A disc goes v/k before it stands still: what is farther away is never reached, and the table says so.
#[test]
fn the_table_has_no_time_for_what_drag_does_not_let_happen() {
    let mut world = World::with_settings(Settings::default().with_drag(2.0)).unwrap();
    let [a, b] = [0.0, 6.0].map(|x| world.insert(Disc::new([x, 0.0], 1.0)).unwrap());
    for (speed, is_reached) in [(7.99, false), (8.01, true), (1e-300, false)] {
        world.set_velocity(a, [speed, 0.0]).unwrap();
        let next = world.next_event();
        let entry = world.table_entry(a, b).unwrap().unwrap();
        assert_eq!((next.is_some(), !entry.is_never()), (is_reached, is_reached), "{speed}");
        assert!(next.is_none_or(|next| next.time == entry));
    }
}

//! The gas: what is drawn is what the engine says, in slices of any size.

use super::Window;
use carom_engine::DVec2;
use carom_observe::{BondOrder, Weights};
use carom_viewer::{Gas, GasOptions, GasRoom};
use eframe::egui::{Key, pos2};

fn gas(count: usize, packing: f64, is_periodic: bool) -> Gas {
    let mut gas = Gas::new(GasOptions { count, packing, is_periodic, seed: 5 }).unwrap();
    gas.set_speed(4.0);
    gas
}

#[test]
fn slices_of_a_frame_give_the_bits_of_one_advance() {
    for is_periodic in [true, false] {
        let mut gas = gas(3000, 0.5, is_periodic);
        gas.set_speed(40.0);
        let mut world = gas.world().clone();
        let mut events = Vec::new();
        for frame in 1..=12 {
            // A clock that stops after this many slices more; 7000 events are asked for.
            let mut slices = 5 * (frame % 5) + 4;
            events.push(gas.frame(1.0 / 60.0, || {
                slices -= 1;
                slices >= 0
            }));
        }
        assert!(events.contains(&2000) && events.contains(&5000), "{events:?} {}", gas.message());
        world.set_budget(u64::MAX);
        world.advance_to(gas.world().now()).unwrap();
        let mut places = vec![DVec2::ZERO; world.len()];
        world.read_positions(&mut places).unwrap();
        assert_eq!(gas.places(), places);
        assert_eq!(gas.world().kinetic_energy().to_bits(), world.kinetic_energy().to_bits());
    }
}

#[test]
fn a_gas_that_cannot_keep_up_says_so() {
    let mut gas = gas(2000, 0.6, true);
    gas.set_speed(1000.0);
    (0..40).for_each(|_| _ = gas.frame(1.0 / 60.0, || false));
    // At most two hundred events a frame, where some 150 000 were asked for.
    assert!(gas.pace() < 0.05, "{}", gas.pace());
    gas.set_speed(0.01);
    (0..80).for_each(|_| _ = gas.frame(1.0 / 60.0, || false));
    assert!(gas.pace() > 0.99, "{}", gas.pace());
}

#[test]
fn the_order_of_tiles_is_that_of_all_discs_at_once() {
    // Three densities, so that cells are as uneven as in a dilute gas, and with lattices, too.
    for packing in [0.05, 0.44, 0.72] {
        let mut gas = gas(6000, packing, true);
        (0..20).for_each(|_| _ = gas.frame(1.0 / 60.0, || true));
        while gas.update_order() {}
        let all = BondOrder::new(gas.places(), *gas.world().periods(), 6, Weights::Equal).unwrap();
        let (psi, neighbours) = gas.order();
        for (disc, whole) in all.local().iter().enumerate() {
            let tile = DVec2::new(f64::from(psi[disc][0]), f64::from(psi[disc][1]));
            // Rounded to 24 bits.
            assert!((tile - *whole).length() < 1e-6, "{packing}: {disc} {tile} {whole}");
            assert_eq!(u32::from(neighbours[disc]), all.neighbours()[disc], "{packing}: {disc}");
        }
    }
}

#[test]
fn the_pressure_is_that_of_the_equation_of_state() {
    // At 0.3 Luding's equation is right to 10⁻³. Of 20 000 impacts the mean impulse is known to 0.5 %, by
    // the spread of u² over |u|, and the number in a fluid better than its root; three of both are 3 %.
    let mut gas = gas(1000, 0.3, true);
    (0..200).for_each(|_| _ = gas.frame(1.0 / 60.0, || true));
    let (measured, expected) = (gas.compressibility().unwrap(), gas.expected_compressibility());
    assert!((measured / expected - 1.0).abs() < 0.03, "{measured} {expected}");
    let last = gas.samples().back().unwrap();
    assert!(last.tally.impacts > 15_000 && last.drift.abs() < 1e-12, "{last:?}");
}

#[test]
fn words_say_which_gas_and_wrong_ones_are_refused() {
    let mut window = Window::new("gas of 500 0.2 walls");
    let room: &GasRoom = window.viewer.room().unwrap();
    let wanted = GasOptions { count: 500, packing: 0.2, is_periodic: false, seed: 1 };
    assert_eq!(room.gas().options(), wanted);
    for wrong in ["gas of 0", "gas 2000000", "gas 0.99", "gas -1", "gas nan", "gas of much", "gas 1e999"] {
        assert!(!window.viewer.open(wrong), "{wrong}");
        assert!(!window.viewer.message().is_empty(), "{wrong}");
    }
    for least in ["gas of 1", "gas of 1 walls", "gas of 2 0.2", "gas of 3 0.001 walls"] {
        let mut window = Window::new(least);
        (0..5).for_each(|_| window.frame(Vec::new()));
        assert!(window.describe()["time"].as_f64().unwrap() > 0.0, "{least}");
    }
}

#[test]
fn keys_and_drags_in_the_room_of_the_gas() {
    let mut window = Window::new("gas of 1000");
    for key in [Key::C, Key::C, Key::C, Key::C, Key::Plus, Key::F, Key::Home, Key::Space] {
        window.press(key);
        window.drag(pos2(300.0, 300.0), pos2(320.0, 350.0));
    }
    let shown = window.describe();
    assert_eq!((&shown["room"], &shown["playing"]), (&"gas".into(), &false.into()));
    window.press(Key::Space);
    (0..5).for_each(|_| window.frame(Vec::new()));
    assert!(window.describe()["time"].as_f64() > shown["time"].as_f64());
    assert!(window.viewer.open("two discs") && window.describe()["room"].is_null());
}

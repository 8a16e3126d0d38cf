//! What a forecast refuses.

use carom_engine::math::Shown;
use carom_engine::{Disc, Error, Forecast, ForecastOptions, Settings, Time, World};

/// Of paths, of first impacts and of states.
#[test]
fn times_out_of_range_are_refused() {
    let mut world = World::new();
    let id = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    let mut forecast = Forecast::new();
    for secs in [-1.0, f64::NAN, f64::NEG_INFINITY, 1e300] {
        let error = forecast.path(&world, id, &ForecastOptions::new(secs)).unwrap_err();
        assert!(error.to_string().contains(&format!("is {}", Shown(secs))), "{error}");
        assert!(forecast.pieces().is_empty() && !forecast.is_current(&world));
        assert!(forecast.first_impact(&world, secs, |_| true).is_err(), "{secs}");
        assert!(world.state_at(id, secs).is_err(), "{secs}");
    }
    assert!(forecast.first_impact(&world, f64::INFINITY, |_| true).is_err());
    assert!(world.state_at(id, f64::INFINITY).is_err() && world.state_at(id, Time::NEVER).is_err());
    assert_eq!(forecast.path(&world, id, &ForecastOptions::new(0.0)).map(<[_]>::len), Ok(1));
    let hours = World::with_settings(Settings::default().with_epoch(4096.0)).unwrap();
    assert!(world.state_at(id, hours.clock().at(5000.5)).is_err());
    assert_eq!(world.state_at(id, 1e9).map(|state| state.position.x), Ok(1e9));
}

#[test]
fn a_disc_that_is_gone_has_no_path_and_no_state() {
    let mut world = World::new();
    let id = world.insert(Disc::new([0.0, 0.0], 0.5)).unwrap();
    world.remove(id).unwrap();
    let mut forecast = Forecast::new();
    let refused = Err(Error::NoSuchDisc(id));
    assert_eq!(forecast.path(&world, id, &ForecastOptions::new(1.0)), refused);
    assert_eq!(world.state_at(id, 0.0).map(|_| &[][..]), refused);
}

/// The path that was there before is gone, too.
#[test]
fn what_an_edit_refuses_is_no_path() {
    let mut world = World::new();
    let id = world.insert(Disc::new([0.0, 0.0], 0.5)).unwrap();
    let mut forecast = Forecast::new();
    forecast.path(&world, id, &ForecastOptions::new(1.0)).unwrap();
    let options = ForecastOptions::new(1.0);
    let refused = forecast.path_after(&world, id, &options, |copy| copy.set_velocity(id, [f64::NAN, 0.0]));
    assert!(matches!(refused, Err(Error::OutOfRange { field: "velocity.x", .. })));
    assert!(forecast.pieces().is_empty() && !forecast.is_current(&world));
}

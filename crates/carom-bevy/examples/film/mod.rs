//! A moving picture of an app without a window: what the world looks like at the time of each frame.

use bevy_app::App;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use core::time::Duration;

/// An app whose time passes as [`frame`] says.
pub(crate) fn headless() -> App {
    let mut app = App::new();
    app.add_plugins(TimePlugin).insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app
}

/// Runs one frame that lasts this many microseconds.
pub(crate) fn frame(app: &mut App, micros: u64) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_micros(micros)));
    app.update();
}

/// Plays a number of seconds and writes what is between two corners as a GIF of 25 frames a second.
#[cfg(not(test))]
pub(crate) fn film<P: carom_bevy::carom::Physics + 'static>(
    app: &mut App,
    seconds: usize,
    [low, high]: [[f64; 2]; 2],
    file: &str,
) -> Result<(), Box<dyn core::error::Error>> {
    use carom_bevy::Physics;
    use carom_bevy::carom::{DVec2, DebugView};
    use carom_draw::{Sheet, Style, film_gif};

    let (low, high) = (DVec2::from_array(low), DVec2::from_array(high));
    let around = 0.03 * (high - low).max_element();
    let bounds = Some((low - around, high + around));
    let style = Style { bounds, width: 640, ..Style::default() };
    let mut worlds = Vec::new();
    for _ in 0..25 * seconds {
        frame(app, 40_000);
        worlds.push(app.world().resource::<Physics<P>>().world().clone());
    }
    let view = DebugView::nothing().with_discs(true).with_walls(true).with_regions(true);
    let gif = film_gif(worlds.len(), 25, |k| {
        let mut sheet = Sheet::new(&style)?;
        worlds[k].debug_draw(&view, &mut sheet);
        Ok(sheet)
    })?;
    std::fs::write(file, gif)?;
    println!("{file}: {seconds} s");
    Ok(())
}

//! Pictures (PNG) and movies (GIF) of disc worlds.
//!
//! A [`Recorder`] listens to a world while it runs and keeps the exact path of every disc: straight pieces
//! from impact to impact. From these it draws one picture of the whole run, or a movie in which every frame
//! shows its own moment exactly, however little happened between two frames or how much.
//!
//! ```
//! use carom_draw::{Look, MovieOptions, Recorder, Style, Surface};
//! use carom_engine::{DVec2, Disc, Wall, World};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut world = World::new();
//! world.add_wall(Wall::container(DVec2::ZERO, DVec2::new(2.0, 1.0)))?;
//! let cue = world.insert(Disc::new(DVec2::new(0.5, 0.5), 0.05).with_velocity(DVec2::new(3.0, 0.1)))?;
//! let one = world.insert(Disc::new(DVec2::new(1.5, 0.5), 0.05))?;
//!
//! let looks = vec![
//!     Look { colour: Some("ivory".parse()?), ..Look::default() },
//!     Look { colour: Some("#f2b705".parse()?), label: Some("1".into()), ..Look::default() },
//! ];
//! let style = Style { surface: Surface::Cloth("#1f7a66".parse()?), width: 800, ..Style::default() };
//! let mut recorder = Recorder::new(&world, &[cue, one], looks, style)?;
//! let run = world.advance_with(2.0, &mut recorder)?;
//! recorder.finish(&world);
//!
//! let png = recorder.picture_png()?;
//! let gif = recorder.movie_gif(&MovieOptions { width: 320, ..MovieOptions::default() })?;
//! # assert_eq!(run.end, carom_engine::StopReason::Reached);
//! # assert!(png.starts_with(b"\x89PNG") && gif.starts_with(b"GIF89a"));
//! # Ok(())
//! # }
//! ```
//!
//! On a [`Surface::Cloth`] the largest rectangular wall becomes a table with a wooden frame; everything else
//! is drawn as clean strokes, what is solid hatched. Many discs are drawn plainly: more than 40 without
//! ghosts of their starts and impact points, 400 and more without shadows.
//!
//! A [`Portrait`] shows discs at one moment, each in a colour that says something about it, and up to a
//! million of them.
//!
//! A [`Sheet`] is drawn stroke by stroke, for games, whose discs come and go, and for debugging: it is a
//! [`DebugDraw`](carom_engine::DebugDraw). [`film_gif`] makes a movie of such sheets.
//!
//! The same recording drawn by the same program gives the same bytes. Text is set in Noto Sans, which is part
//! of the program and under the SIL Open Font License 1.1.

mod ball;
mod canvas;
mod clip;
mod error;
mod film;
mod flatten;
mod legend;
mod lettering;
mod movie;
mod options;
mod outline;
mod palette;
mod picture;
mod portrait;
mod quantise;
mod recorder;
mod recording;
#[cfg(feature = "scene")]
mod scene;
mod sheet;
mod splat;
mod stage;
mod style;
mod table;
mod tiles;
mod track;
mod trail;
mod turned;
mod view;
mod wall;

#[cfg(test)]
mod demo;

pub use carom_colour::{Look, Rgb};
pub use error::DrawError;
pub use film::film_gif;
pub use options::MovieOptions;
pub use portrait::{Legend, Portrait};
pub use recorder::Recorder;
pub use sheet::Sheet;
pub use style::{Style, Surface};
pub use turned::Marks;

//! Pictures and movies of disc worlds.
#![allow(dead_code)]

mod ball;
mod canvas;
mod clip;
mod error;
mod legend;
mod lettering;
mod movie;
mod options;
mod outline;
mod palette;
mod picture;
mod quantise;
mod recording;
mod rgb;
mod stage;
mod style;
mod table;
mod track;
mod trail;
mod view;
mod wall;

pub use error::DrawError;
pub use options::MovieOptions;
pub use rgb::Rgb;
pub use style::{Look, Style, Surface};

pub use glam::DVec2;

#[cfg(test)]
mod demo;

//! From a scene to a picture and a movie.

use crate::error::CliError;
use crate::order;
use crate::order::Colour;
use crate::output::Replacement;
use crate::progress::Progress;
use carom_draw::{DrawError, MovieOptions, Portrait, Recorder};
use carom_engine::Physics;
use carom_scene::{Built, Scene};

/// The recorder that watches a run for its pictures.
pub(crate) fn recorder<P: Physics>(
    scene: &Scene,
    built: &Built<P>,
    width: Option<u32>,
    path: &str,
) -> Result<Recorder, CliError> {
    Recorder::of_scene(scene, built)
        .and_then(|recorder| match width {
            Some(width) => recorder.with_width(width),
            None => Ok(recorder),
        })
        .map_err(|error| failed(path, &error))
}

/// The discs as they are, coloured by the order around them.
pub(crate) fn coloured<P: Physics>(
    scene: &Scene,
    built: &Built<P>,
    colour: Colour,
    width: Option<u32>,
    to: &Replacement,
) -> Result<Portrait, CliError> {
    let order =
        order::colours(built, colour).map_err(|what| CliError::Draw { path: to.name().to_owned(), what })?;
    let portrait = Portrait::of_scene(scene, built, &order.colours, width);
    Ok(portrait.map_err(|error| failed(to.name(), &error))?.with_legend(order.legend))
}

pub(crate) fn write_picture(recorder: &Recorder, to: &Replacement) -> Result<(), CliError> {
    write(&recorder.picture_png().map_err(|error| failed(to.name(), &error))?, to)
}

pub(crate) fn write(bytes: &[u8], to: &Replacement) -> Result<(), CliError> {
    to.write(|out| out.write_all(bytes).map_err(|source| CliError::writing(to.name(), source)))
}

/// Writes what was drawn, if it is asked for.
pub(crate) fn write_drawn(
    to: Option<&Replacement>,
    draw: impl FnOnce() -> Result<Vec<u8>, DrawError>,
) -> Result<(), CliError> {
    let Some(to) = to else { return Ok(()) };
    write(&draw().map_err(|error| failed(to.name(), &error))?, to)
}

pub(crate) fn write_movie(
    recorder: &Recorder,
    options: &MovieOptions,
    to: &Replacement,
) -> Result<(), CliError> {
    let mut progress = Progress::new("drawing");
    to.write(|out| {
        let shown = &mut |frame: usize, frames: usize| {
            progress.at(frame as f64 / frames.max(1) as f64, || format!("frame {frame} of {frames}"));
        };
        recorder.write_movie(out, options, shown).map_err(|error| failed(to.name(), &error))
    })
}

pub(crate) fn failed(path: &str, error: &DrawError) -> CliError {
    CliError::Draw { path: path.to_owned(), what: error.to_string() }
}

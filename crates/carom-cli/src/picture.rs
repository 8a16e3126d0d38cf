//! From a scene to a picture and a movie.

use crate::args::Colour;
use crate::error::CliError;
use crate::order;
use crate::output::Output;
use crate::progress::Progress;
use carom_draw::{MovieOptions, Portrait, Recorder};
use carom_scene::{Built, Scene};

/// The recorder that watches a run for its pictures.
pub(crate) fn recorder(
    scene: &Scene,
    built: &Built,
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
pub(crate) fn write_coloured(
    scene: &Scene,
    built: &Built,
    colour: Colour,
    width: Option<u32>,
    mut output: Output,
) -> Result<(), CliError> {
    let order = order::colours(built, colour)
        .map_err(|what| CliError::Draw { path: output.path().to_owned(), what })?;
    let png = Portrait::of_scene(scene, built, &order.colours, width)
        .and_then(|portrait| portrait.with_legend(order.legend).png())
        .map_err(|error| failed(output.path(), &error))?;
    write(&png, &mut output)?;
    output.finish()
}

pub(crate) fn write_picture(recorder: &Recorder, mut output: Output) -> Result<(), CliError> {
    let png = recorder.picture_png().map_err(|error| failed(output.path(), &error))?;
    write(&png, &mut output)?;
    output.finish()
}

fn write(bytes: &[u8], output: &mut Output) -> Result<(), CliError> {
    std::io::Write::write_all(output, bytes).map_err(|source| CliError::writing(output.path(), source))
}

pub(crate) fn write_movie(recorder: &Recorder, speed: f64, mut output: Output) -> Result<(), CliError> {
    let options = MovieOptions { speed, ..MovieOptions::default() };
    let mut progress = Progress::new("drawing");
    let path = output.path().to_owned();
    recorder
        .write_movie(&mut output, &options, &mut |frame, frames| {
            progress.at(frame as f64 / frames.max(1) as f64, || format!("frame {frame} of {frames}"));
        })
        .map_err(|error| failed(&path, &error))?;
    output.finish()
}

fn failed(path: &str, error: &carom_draw::DrawError) -> CliError {
    CliError::Draw { path: path.to_owned(), what: error.to_string() }
}

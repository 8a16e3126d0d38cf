//! From a scene to a picture and a movie.

use crate::error::CliError;
use crate::output::Output;
use crate::progress::Progress;
use carom_draw::{MovieOptions, Recorder};
use carom_scene::{Built, Scene};

/// The recorder that watches a run for its pictures.
pub(crate) fn recorder(scene: &Scene, built: &Built, path: &str) -> Result<Recorder, CliError> {
    Recorder::of_scene(scene, built).map_err(|error| failed(path, &error))
}

pub(crate) fn write_picture(recorder: &Recorder, mut output: Output) -> Result<(), CliError> {
    let png = recorder.picture_png().map_err(|error| failed(output.path(), &error))?;
    std::io::Write::write_all(&mut output, &png)
        .map_err(|source| CliError::writing(output.path(), source))?;
    output.finish()
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

//! From a scene to a picture and a movie.

use crate::error::CliError;
use crate::output::Output;
use crate::progress::Progress;
use carom_draw::{Look, MovieOptions, Recorder, Rgb, Style, Surface};
use carom_scene::{Built, Colour, Scene, TableStyle};

/// Cloth of a table whose scene does not say.
const GREEN: Rgb = Rgb(0x1f, 0x6f, 0x4b);

/// The recorder that watches a run for its pictures.
pub(crate) fn recorder(scene: &Scene, built: &Built, path: &str) -> Result<Recorder, CliError> {
    let looks = built
        .looks
        .iter()
        .map(|look| Look {
            label: look.label.clone().filter(|label| !label.is_empty()),
            colour: look.colour.map(rgb),
            stripe: look.stripe,
        })
        .collect();
    Recorder::new(&built.world, &built.discs, looks, style(scene)).map_err(|error| failed(path, &error))
}

fn style(scene: &Scene) -> Style {
    let view = &scene.view;
    let cloth = view.cloth.map(rgb);
    Style {
        title: Some(if scene.title.is_empty() { scene.name.clone() } else { scene.title.clone() }),
        bounds: view.bounds.as_ref().map(|bounds| (bounds.min, bounds.max)),
        surface: match view.style {
            TableStyle::Table => Surface::Cloth(cloth.unwrap_or(GREEN)),
            TableStyle::Plain => cloth.map_or_else(Surface::default, Surface::Plain),
        },
        cushion: view.cushion.map(rgb),
        pockets: view.pockets.iter().map(|pocket| (pocket.center, pocket.radius)).collect(),
        ..Style::default()
    }
}

fn rgb(colour: Colour) -> Rgb {
    Rgb(colour.red, colour.green, colour.blue)
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

//! The line below a picture: what the marks mean, and the names of discs.

use glam::DVec2;

use crate::Surface;
use crate::ball::{Ball, Finish, Lettered, lettered};
use crate::canvas::Canvas;
use crate::lettering::{Anchor, Weight};
use crate::stage::{Stage, seconds};
use crate::trail::Trails;

/// What an entry of the legend shows before its words.
enum Key {
    Ghost,
    Trail,
    Dot,
    Ring,
    /// A disc's own colour, by its index.
    Disc(usize),
}

/// Draws the legend: as many entries as there is room for.
pub(crate) fn draw(canvas: &mut Canvas, stage: &Stage<'_>, trails: &Trails) {
    let Some(text) = stage.view.text else { return };
    let size = 0.86 * text;
    let left = stage.view.plot.min.x;
    let right = stage.view.plot.max.x;
    let line = 0.5 * (stage.view.plot.max.y + stage.view.sheet().max.y);
    let mut x = left;
    for (key, words) in entries(stage, trails) {
        let key_width = match key {
            Key::Trail => 1.9 * size,
            _ => 0.9 * size,
        };
        let words_width = stage.lettering.width(&words, size, Weight::Regular);
        let end = x + key_width + 0.45 * size + words_width;
        if end > right {
            break;
        }
        let middle = DVec2::new(x + 0.5 * key_width, line);
        draw_key(canvas, stage, &key, middle, key_width, size);
        // The middle of small letters on the line, not that of capitals: most of the words are small.
        let at = DVec2::new(x + key_width + 0.45 * size, line + 0.3 * size);
        stage.lettering.write(canvas, &words, at, Anchor::Left, size, Weight::Regular, stage.theme.grey);
        x = end + 1.6 * size;
    }
}

fn entries(stage: &Stage<'_>, trails: &Trails) -> Vec<(Key, String)> {
    let recording = stage.recording;
    let mut entries = Vec::new();
    if recording.end > 0.0 && !recording.actors.is_empty() {
        if stage.is_few() {
            entries.push((Key::Ghost, "start".to_owned()));
        }
        let whole = trails.from <= 0.0;
        let path =
            if whole { "path".to_owned() } else { format!("last {}", seconds(trails.to - trails.from, 2)) };
        entries.push((Key::Trail, path));
    }
    let marks = stage.legible_marks(trails.from, trails.to);
    let balls = matches!(recording.style.surface, Surface::Cloth(_));
    if marks.iter().any(|m| !m.at_wall) {
        entries.push((Key::Dot, if balls { "ball on ball" } else { "disc on disc" }.to_owned()));
    }
    if marks.iter().any(|m| m.at_wall) {
        let wall = match (balls, &stage.view.table) {
            (true, Some(_)) => "ball on cushion",
            (true, None) => "ball on wall",
            _ => "disc on wall",
        };
        entries.push((Key::Ring, wall.to_owned()));
    }
    let named = recording.actors.iter().enumerate().filter_map(|(k, actor)| {
        // Numbers that are too small to read tell nothing about a colour, either.
        let label = actor.look.label.as_deref().filter(|l| l.chars().count() > 2)?;
        let radius = stage.view.length(actor.radius);
        (lettered(label, radius, &stage.lettering) == Lettered::Nowhere).then_some(())?;
        Some((Key::Disc(k), stage.lettering.fitted(label, 1.0, Weight::Regular, 16.0)))
    });
    // More would not fit, whatever the width.
    entries.extend(named.take(40));
    entries
}

fn draw_key(canvas: &mut Canvas, stage: &Stage<'_>, key: &Key, at: DVec2, width: f64, size: f64) {
    let theme = &stage.theme;
    let sample = stage.colours.first().copied().unwrap_or(theme.ink);
    match key {
        Key::Ghost => {
            // On the page's colour, not the surface's: on a dark cloth the real one would be a dark blob
            // here.
            canvas.disc(at, 0.38 * size, theme.page.mix(theme.ink, 0.12), 1.0);
            canvas.circle(at, 0.38 * size, (0.07 * size).max(0.7), theme.page.mix(theme.ink, 0.5), 1.0);
        }
        Key::Trail => {
            let half = DVec2::new(0.5 * width, 0.0);
            let ink = |strength| theme.page.mix(theme.ink, strength);
            let fade = [(0.0, ink(0.15), 1.0), (1.0, ink(0.75), 1.0)];
            canvas.shaded_line(at - half, at + half, (0.14 * size).max(1.0), &fade);
        }
        Key::Dot | Key::Ring => {
            // On a chip of the surface, where they look as they do above.
            canvas.disc(at, 0.5 * size, theme.surface, 1.0);
            canvas.circle(at, 0.5 * size, (0.05 * size).max(0.6), theme.page.mix(theme.ink, 0.25), 1.0);
            if matches!(key, Key::Dot) {
                canvas.disc(at, 0.2 * size, theme.mark, 1.0);
            } else {
                canvas.circle(at, 0.24 * size, 0.12 * size, theme.mark, 1.0);
            }
        }
        Key::Disc(index) => {
            let colour = stage.colours.get(*index).copied().unwrap_or(sample);
            let stripe = stage.recording.actors.get(*index).is_some_and(|a| a.look.stripe);
            Ball {
                centre: at,
                radius: 0.4 * size,
                colour,
                stripe,
                label: None,
                finish: Finish::Round,
                turned: None,
            }
            .draw(canvas, &stage.lettering);
        }
    }
}

//! Trails: where the discs have been, fading with age.

use glam::DVec2;

use crate::Rgb;
use crate::canvas::{Canvas, Ends};
use crate::palette::Theme;
use crate::recording::Recording;
use crate::tiles::Tiles;
use crate::view::View;

/// A stretch of time whose paths are drawn, and how.
pub(crate) struct Trails {
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// Strength of the oldest and the newest, 0..=1.
    pub(crate) strength: (f64, f64),
    /// Width in pixels of the trail of a large disc.
    pub(crate) widest: f64,
    /// How much of the plot trails may cover, counting every crossing, 0..=1.
    pub(crate) ink: f64,
}

/// A straight part of a trail, in pixels.
struct Stretch {
    times: [f64; 2],
    ends: [DVec2; 2],
    width: f64,
    colour: Rgb,
}

/// Corners closer than this many pixels are drawn as one.
const DETAIL: f64 = 0.35;

/// How far a chord may be from its parabola, in pixels.
const FLATNESS: f64 = 0.1;

impl Trails {
    /// Width of the trail of a disc of this radius, both in pixels.
    fn width(&self, radius: f64) -> f64 {
        (0.5 * radius).clamp(0.7, self.widest.max(0.7))
    }

    /// Draws the trails. The strengths are colours mixed with the surface, not opacities: where a path
    /// crosses itself it does not darken, and the newer lies on the older.
    pub(crate) fn draw(
        &self,
        canvas: &mut Canvas,
        view: &View,
        theme: &Theme,
        recording: &Recording,
        colours: &[Rgb],
    ) {
        let span = self.to - self.from;
        if !(span > 0.0 && span.is_finite()) {
            return;
        }
        let tiles = Tiles::new(view, recording.periods);
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut corners: Vec<(f64, DVec2)> = Vec::new();
        let detail = FLATNESS / view.length(1.0);
        for (actor, &colour) in recording.actors.iter().zip(colours) {
            corners.clear();
            actor.track.corners(self.from, self.to, detail, &mut corners);
            corners.iter_mut().for_each(|(_, p)| *p = view.place(*p));
            thin_out(&mut corners);
            let width = self.width(view.length(actor.radius));
            for pair in corners.windows(2) {
                let ([begin, end], ends) = ([pair[0].0, pair[1].0], [pair[0].1, pair[1].1]);
                tiles.parts(ends, |shares, ends| {
                    let times = shares.map(|share| begin + (end - begin) * share);
                    stretches.push(Stretch { times, ends, width, colour });
                });
            }
        }
        stretches.sort_by(|a, b| a.times[1].total_cmp(&b.times[1]));
        for Stretch { times, ends, width, colour } in stretches {
            let at = |time: f64| {
                let share = ((time - self.from) / span).clamp(0.0, 1.0);
                theme.trail(colour, self.strength.0 + (self.strength.1 - self.strength.0) * share)
            };
            let (first, last) = (at(times[0]), at(times[1]));
            if first.distance(last) < 0.01 {
                canvas.line(&ends, width, Ends::Round, last, 1.0);
            } else {
                // Between the ends the gradient is linear in sRGB, the strength in Oklab: one more stop.
                let middle = at(0.5 * (times[0] + times[1]));
                let list = [(0.0, first, 1.0), (0.5, middle, 1.0), (1.0, last, 1.0)];
                canvas.shaded_line(ends[0], ends[1], width, &list);
            }
        }
    }

    /// The earliest moment from which all paths up to `to` can be drawn without covering the plot: a trail
    /// that hides the others tells nothing.
    pub(crate) fn legible_from(&self, view: &View, recording: &Recording) -> f64 {
        let room = self.ink * view.plot.size().x * view.plot.size().y;
        let ink = |from: f64| -> f64 {
            let each = recording
                .actors
                .iter()
                .map(|a| view.length(a.track.length(from, self.to)) * self.width(view.length(a.radius)));
            each.sum()
        };
        if ink(self.from) <= room {
            return self.from;
        }
        let (mut too_early, mut late) = (self.from, self.to);
        for _ in 0..30 {
            let middle = 0.5 * (too_early + late);
            if ink(middle) <= room {
                late = middle;
            } else {
                too_early = middle;
            }
        }
        late
    }
}

/// Removes corners that are too close to the one before to matter; the ends stay. Nothing is left of a path
/// that goes nowhere.
fn thin_out(corners: &mut Vec<(f64, DVec2)>) {
    let Some(&end) = corners.last() else { return };
    let mut kept: Option<DVec2> = None;
    corners.retain(|(_, p)| {
        let keep = p.is_finite() && kept.is_none_or(|k| (*p - k).length() > DETAIL);
        if keep {
            kept = Some(*p);
        }
        keep
    });
    // The last step may be shorter than the others, but one of no length would be a dot.
    if end.1.is_finite() && kept.is_some_and(|k| (end.1 - k).length() > 1e-3) {
        corners.push(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thinned(path: impl IntoIterator<Item = (f64, f64)>) -> Vec<f64> {
        let mut corners: Vec<_> = path.into_iter().map(|(t, x)| (t, DVec2::new(x, 0.0))).collect();
        thin_out(&mut corners);
        corners.into_iter().map(|(_, p)| p.x).collect()
    }

    #[test]
    fn corners_that_nobody_can_see_are_left_out() {
        let fine = thinned((0..=1000).map(|k| (f64::from(k), f64::from(k) * 0.01)));
        assert!(fine.len() <= 30, "{}", fine.len());
        assert_eq!((fine[0], fine[fine.len() - 1]), (0.0, 10.0));
        assert!(thinned([(0.0, 1.0), (5.0, 1.0)]).len() < 2, "a disc at rest leaves no trail");
        assert_eq!(thinned([(0.0, 1.0), (1.0, f64::NAN), (2.0, 3.0)]), [1.0, 3.0]);
        assert_eq!(thinned([(0.0, 1.0), (1.0, 1.1)]), [1.0, 1.1]);
    }
}

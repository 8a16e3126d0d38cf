//! Small plots.

use super::DiscRoom;
use crate::plot::{curve, place};
use crate::session::{Contacts, Sample};
use crate::style;
use eframe::egui::{self, Stroke, Ui};

impl DiscRoom {
    /// Energy, momentum, and the rate of events.
    pub(super) fn plots(&mut self, ui: &mut Ui) {
        let samples: Vec<Sample> = self.session.history().iter().copied().collect();
        let (Some(first), Some(last)) = (samples.first().copied(), samples.last().copied()) else { return };
        let series = |of: fn(&Sample) -> f64| {
            samples.iter().map(|sample| (sample.time, of(sample))).collect::<Vec<_>>()
        };
        // The sum over no discs is -0.
        ui.label(format!("energy {:.15e}", last.energy + 0.0));
        if first.energy != 0.0 {
            ui.label(format!("changed by {:.2e} of it", (last.energy - first.energy) / first.energy));
        }
        curve(ui, 34.0, &series(|sample| sample.energy), style::of_number(0), false);
        ui.label(format!("momentum {:.9}", last.momentum));
        curve(ui, 34.0, &series(|sample| sample.momentum), style::of_number(1), false);
        match self.session.closest() {
            Some(gap) if gap < 0.0 => _ = ui.label(format!("largest overlap {:.2e}", -gap)),
            Some(gap) => _ = ui.label(format!("no overlap; least gap {gap:.2e}")),
            None => {}
        }
        let rates: Vec<(f64, f64)> = samples
            .windows(9)
            .step_by(4)
            .filter_map(|few| {
                let (a, b) = (few.first()?, few.last()?);
                Some((b.time, b.events.saturating_sub(a.events) as f64 / (b.time - a.time)))
            })
            .collect();
        let rate = rates.last().map_or(0.0, |rate| rate.1);
        ui.label(format!("events in a second {rate:.1}"));
        curve(ui, 34.0, &rates, style::of_number(2), true);
    }

    /// The geometry of the pair: the distance over time, with its roots.
    pub(super) fn pair(&mut self, ui: &mut Ui) {
        let Some(pair) = self.session.pair() else { return };
        let now = self.session.world().now().as_secs();
        let is_open = self.session.world().settings().period == [None; 2];
        let which = if is_open { "" } else { "the nearest images of " };
        ui.label(format!("{which}discs {} and {}: {}", pair.a, pair.b, pair.says()));
        ui.label(match pair.discriminant {
            Some(discriminant) => format!("discriminant {discriminant:.6e}"),
            None => "their motion is not uniform".to_owned(),
        });
        let (enter, exit) = match pair.contacts {
            Contacts::Both(enter, exit) => (Some(enter), Some(exit)),
            Contacts::Graze(at) => (Some(at), None),
            Contacts::Never | Contacts::Always => (None, None),
        };
        ui.label(match (enter, exit) {
            (Some(enter), Some(f64::INFINITY)) => format!("they touch in {enter:.6} s, and stay"),
            (Some(enter), Some(exit)) => format!("they touch in {enter:.6} s and {exit:.6} s"),
            (Some(at), None) => format!("they graze in {at:.6} s"),
            _ => "they never touch".to_owned(),
        });
        if let Some(entry) = pair.entry {
            let (a, b) = (pair.a.slot().max(pair.b.slot()), pair.a.slot().min(pair.b.slot()));
            // Of one line, like the others, so that the panel stays where it is while they change.
            let text = if entry.is_finite() { format!("{entry:.9} s") } else { "never".to_owned() };
            let label = ui.label(format!("entry ({a}, {b}) of the table: {text}"));
            if entry.is_finite() {
                label.on_hover_text(format!("in {:.9} s", entry - now));
            }
        }
        let near = [enter, exit].into_iter().flatten().filter(|t| t.is_finite());
        let (low, high) = near.fold((-0.5, 2.0), |(low, high): (f64, f64), t| (low.min(t), high.max(t)));
        let margin = 0.15 * (high - low);
        let (low, high) = (low - margin, high + margin);
        let points: Vec<(f64, f64)> =
            (0..=160).map(|k| low + (high - low) * f64::from(k) / 160.0).map(|s| (s, pair.gap(s))).collect();
        ui.label("distance of the surfaces over time");
        let Some((rect, bounds)) = curve(ui, 90.0, &points, style::of_number(0), true) else { return };
        let painter = ui.painter_at(rect.expand(4.0));
        let (top, bottom) = (place(rect, bounds, (0.0, bounds[3])), place(rect, bounds, (0.0, bounds[2])));
        painter.line_segment([top, bottom], Stroke::new(1.0, ui.visuals().weak_text_color()));
        for (root, counts) in [(enter, enter.is_some_and(|t| t > 0.0)), (exit, false)] {
            let Some(root) = root else { continue };
            let at = place(rect, bounds, (root, 0.0));
            if counts {
                painter.circle_filled(at, 5.0, style::accent(self.is_dark));
            } else {
                painter.circle_stroke(at, 4.0, Stroke::new(1.5, style::ink(self.is_dark)));
            }
        }
        let text = egui::RichText::new("now is the upright line; the filled root counts").small();
        ui.label(text);
    }
}

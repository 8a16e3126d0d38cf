//! From world coordinates to pixels, and where things stand on the sheet.

use glam::DVec2;

use crate::clip::Area;
use crate::recording::Recording;

/// Where everything goes. Pixels count from the upper left corner, y downwards.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// What is shown of the world, in pixels.
    pub(crate) plot: Area,
    /// Height of ordinary text in pixels; `None` on sheets too small for any.
    pub(crate) text: Option<f64>,
    /// Pixels per unit of length.
    scale: f64,
    /// Centre of what is shown, in world units.
    centre: DVec2,
    /// The table's play field in pixels, with its outline's index.
    pub(crate) table: Option<(usize, Area)>,
}

/// Thickness of cushion and rail as shares of the table's shorter side, as real tables have them.
pub(crate) const CUSHION: f64 = 0.042;
pub(crate) const RAIL: f64 = 0.085;

impl View {
    /// Lays out a sheet of this width. `footer`: leave room for a line of legend below.
    pub(crate) fn new(recording: &Recording, width: u32, footer: bool) -> Self {
        let mut world = recording.bounds();
        // A table that is shown whole is shown with its frame, whatever the bounds: they speak of the field.
        let table = recording.table().filter(|(_, field)| world.contains_area(field));
        if let Some((_, field)) = &table {
            world = world.union(&field.grown((CUSHION + RAIL) * field.size().min_element()));
        } else if recording.is_framed() {
            // A closed wall is its own frame; its line lies around it.
            world = world.grown(0.003 * world.size().max_element());
        } else if recording.style.bounds.is_none() {
            // A period is shown as it is: what is beyond it is inside.
            let grown = world.grown(0.025 * world.size().max_element());
            world = recording.of_a_period(&grown);
        }
        let world = with_area(&world);

        let across = f64::from(width);
        let text = (width >= 240).then_some(5.5 + 0.0105 * across);
        let margin = (0.025 * across).max(2.0);
        let header = text.map_or(margin, |t| 1.3 * margin + 1.5 * t);
        let below = text.filter(|_| footer).map_or(margin, |t| 1.2 * margin + 1.5 * t);

        let room = across - 2.0 * margin;
        let size = world.size();
        // Neither a needle nor a tower.
        let scale = (room / size.x).min(1.25 * across / size.y);
        let tall = (size.y * scale).max(0.16 * room);
        let height = ((header + tall + below).round() as u32).clamp(1, width * 3 / 2);
        let plot = Area::new(DVec2::new(margin, header), DVec2::new(across - margin, header + tall));
        let mut view = Self { width, height, plot, text, scale, centre: world.centre(), table: None };
        view.table = table.map(|(k, field)| (k, view.area(&field)));
        view
    }

    /// The whole sheet.
    pub(crate) fn sheet(&self) -> Area {
        Area::new(DVec2::ZERO, DVec2::new(f64::from(self.width), f64::from(self.height)))
    }

    /// A place in pixels.
    pub(crate) fn place(&self, p: DVec2) -> DVec2 {
        // The difference first: far from the origin it is exact where the products would not be.
        let d = (p - self.centre) * self.scale;
        self.plot.centre() + DVec2::new(d.x, -d.y)
    }

    /// A direction in pixels, not scaled.
    pub(crate) fn direction(&self, d: DVec2) -> DVec2 {
        DVec2::new(d.x, -d.y)
    }

    /// A length in pixels.
    pub(crate) fn length(&self, l: f64) -> f64 {
        l * self.scale
    }

    fn area(&self, area: &Area) -> Area {
        let (a, b) = (self.place(area.min), self.place(area.max));
        Area::new(a.min(b), a.max(b))
    }

    /// Width of a line that is `share` thousandths of the sheet's width, at least `least` pixels.
    pub(crate) fn line(&self, share: f64, least: f64) -> f64 {
        (share * 1e-3 * f64::from(self.width)).max(least)
    }
}

/// The same area, with some extent in both directions if it had none.
fn with_area(area: &Area) -> Area {
    let (size, centre) = (area.size(), area.centre());
    let largest = size.max_element();
    // Less than this and neighbouring floats around the centre would be pixels apart.
    let least = centre.abs().max_element() * 1e-12;
    let half = if largest > least && largest.is_normal() {
        size * 0.5
    } else if least > 0.0 && least.is_normal() {
        DVec2::splat(least * 1e3)
    } else {
        DVec2::ONE
    };
    // A flat scene is as thin as this at most.
    let half = half.max(DVec2::splat(half.max_element() * 1e-3));
    Area::new(centre - half, centre + half)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Style;

    fn view_of(min: DVec2, max: DVec2, width: u32) -> View {
        let style = Style { bounds: Some((min, max)), ..Style::default() };
        View::new(&Recording::new(style, 0.0, 1), width, true)
    }

    #[test]
    fn corners_land_in_the_plot_and_up_is_up() {
        for (min, max) in [
            (DVec2::ZERO, DVec2::new(2.0, 1.0)),
            (DVec2::splat(1e9), DVec2::splat(1e9 + 1.0)),
            (DVec2::splat(-3e-14), DVec2::splat(3e-14)),
            (DVec2::splat(-1e150), DVec2::splat(1e150)),
            (DVec2::new(0.0, 0.0), DVec2::new(1.0, 500.0)),
            (DVec2::new(0.0, 0.0), DVec2::new(500.0, 1.0)),
            (DVec2::ZERO, DVec2::ZERO),
            (DVec2::splat(7e20), DVec2::splat(7e20)),
        ] {
            for width in [32, 640, 1600] {
                let view = view_of(min, max, width);
                let (a, b) = (view.place(min), view.place(max));
                let plot = view.plot.grown(1e-3);
                assert!(plot.contains(a) && plot.contains(b), "{min} {max}: {a} {b} not in {plot:?}");
                assert!(a.x <= b.x && a.y >= b.y);
                assert!(view.height <= width * 3 / 2 && view.height > 0);
                assert!(view.sheet().contains(view.plot.max), "{width} {view:?}");
            }
        }
    }

    #[test]
    fn a_unit_is_as_long_in_both_directions() {
        let view = view_of(DVec2::ZERO, DVec2::new(2.0, 1.0), 1000);
        let d = view.place(DVec2::new(1.0, 0.0)) - view.place(DVec2::new(0.0, 1.0));
        assert!((d.x - d.y).abs() < 1e-9 && (d.x - view.length(1.0)).abs() < 1e-9);
    }
}

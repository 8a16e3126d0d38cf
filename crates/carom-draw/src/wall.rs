//! Walls that are not a table's frame: clean strokes, solid sides shaded and hatched.

use carom_engine::WallShape;
use glam::DVec2;

use crate::canvas::{Canvas, Ends};
use crate::clip::{Area, half_plane};
use crate::outline::Outline as _;
use crate::palette::Theme;
use crate::recording::Recording;
use crate::view::View;

/// Fills what the walls enclose, or the whole plot where they do not, with the surface.
pub(crate) fn surface(canvas: &mut Canvas, view: &View, theme: &Theme, recording: &Recording) {
    let outlines = &recording.outlines;
    if !recording.is_framed() {
        // Solid half-planes reach into the corners of the plot, which then are square.
        let endless = outlines.iter().any(|o| matches!(o, WallShape::HalfPlane { .. }));
        let corner = if endless { 0.0 } else { view.line(6.0, 2.0) };
        canvas.rounded(&view.plot, corner, theme.surface, 1.0);
        let line = view.line(0.7, 0.8);
        canvas.rounded_line(
            &view.plot.grown(-0.5 * line),
            corner,
            line,
            theme.page.mix(theme.ink, 0.16),
            1.0,
        );
    }
    for outline in outlines.iter().filter(|o| o.encloses()) {
        canvas.polygon(&placed(view, outline), theme.surface, 1.0);
    }
}

/// Draws one wall.
pub(crate) fn draw(canvas: &mut Canvas, view: &View, theme: &Theme, outline: &WallShape) {
    let width = view.line(2.2, 1.4) * theme.wall_weight;
    match outline {
        WallShape::HalfPlane { point, normal } => {
            let free = view.direction(normal.normalize_or_zero());
            solid_side(canvas, view, theme, view.place(*point), free, width);
        }
        WallShape::OneSidedSegment { a, b } => {
            let (a, b) = (view.place(*a), view.place(*b));
            back_side(canvas, view, theme, a, b);
            canvas.line(&[a, b], width, Ends::Round, theme.wall, 1.0);
        }
        WallShape::Disc { center, radius } => {
            let (c, r) = (view.place(*center), view.length(*radius));
            canvas.disc(c, r, theme.solid, 1.0);
            hatch_disc(canvas, view, theme, c, r);
            // The line lies inside: a disc that touches the wall touches the line's edge.
            canvas.circle(c, (r - 0.5 * width).max(0.5), width, theme.wall, 1.0);
        }
        WallShape::Circle { center, radius } => {
            let (c, r) = (view.place(*center), view.length(*radius));
            canvas.circle(c, r + 0.5 * width, width, theme.wall, 1.0);
        }
        WallShape::Container { min, max } => {
            let (a, b) = (view.place(*min), view.place(*max));
            let around = Area::new(a.min(b), a.max(b)).grown(0.5 * width);
            closed_line(canvas, around.corners().to_vec(), width, theme);
        }
        WallShape::Arm { .. } | WallShape::Capsule { .. } => {
            let points = placed(view, outline);
            canvas.polygon(&points, theme.solid, 1.0);
            closed_line(canvas, points, width, theme);
        }
        _ if outline.is_closed() => closed_line(canvas, placed(view, outline), width, theme),
        _ => canvas.line(&placed(view, outline), width, Ends::Round, theme.wall, 1.0),
    }
}

fn closed_line(canvas: &mut Canvas, mut points: Vec<DVec2>, width: f64, theme: &Theme) {
    points.extend(points.first().copied());
    canvas.line(&points, width, Ends::Round, theme.wall, 1.0);
}

/// An outline's line in pixels, curves fine enough to look smooth.
fn placed(view: &View, outline: &WallShape) -> Vec<DVec2> {
    let radius = view.length(outline.curve_radius());
    // A chord of n corners is r·π²/(2n²) off the arc: at this many corners a twentieth of a pixel.
    let corners = (10.0 * radius.sqrt()).clamp(24.0, 8192.0) as usize;
    outline.points(corners).into_iter().map(|p| view.place(p)).collect()
}

/// Distance of hatching lines.
fn pitch(view: &View) -> f64 {
    view.line(7.0, 5.0)
}

/// A half-plane: the part on the sheet is shaded and hatched, with a line along its edge.
fn solid_side(canvas: &mut Canvas, view: &View, theme: &Theme, at: DVec2, free: DVec2, width: f64) {
    let solid = half_plane(&view.plot.corners(), at, -free);
    if solid.len() >= 3 {
        canvas.polygon(&solid, theme.solid, 1.0);
        hatching(canvas, view, theme, &view.plot, |a, b| {
            let (da, db) = ((a - at).dot(-free), (b - at).dot(-free));
            match (da >= 0.0, db >= 0.0) {
                (true, true) => Some((a, b)),
                (false, false) => None,
                (inside, _) => {
                    let cut = a + (b - a) * (da / (da - db));
                    Some(if inside { (a, cut) } else { (cut, b) })
                }
            }
        });
    }
    let along = free.perp() * (2.0 * (view.sheet().size().length() + (at - view.plot.centre()).length()));
    let back = -free * (0.5 * width);
    if let Some((a, b)) = view.plot.segment(at - along + back, at + along + back) {
        canvas.line(&[a, b], width, Ends::Flat, theme.wall, 1.0);
    }
}

/// Short strokes on the side of a one-sided wall through which one can pass: its back.
fn back_side(canvas: &mut Canvas, view: &View, theme: &Theme, a: DVec2, b: DVec2) {
    let Some((from, to)) = view.sheet().segment(a, b) else { return };
    let along = (to - from).normalize_or_zero();
    // On the sheet, where y points down, the right of a direction is its quarter turn to positive y.
    let right = DVec2::new(-along.y, along.x);
    let pitch = pitch(view);
    let steps = ((to - from).length() / pitch) as usize;
    let ticks: Vec<[DVec2; 2]> = (0..=steps.min(10_000))
        .map(|k| {
            let foot = from + along * (pitch * k as f64);
            [foot, foot + (right - along) * (0.75 * pitch)]
        })
        .collect();
    let lines = ticks.iter().map(|t| t.as_slice());
    canvas.lines(lines, view.line(0.9, 0.7), Ends::Round, theme.hatch, 1.0);
}

fn hatch_disc(canvas: &mut Canvas, view: &View, theme: &Theme, c: DVec2, r: f64) {
    if r < pitch(view) {
        return;
    }
    let around = Area::new(c - DVec2::splat(r), c + DVec2::splat(r));
    hatching(canvas, view, theme, &around, |a, b| {
        let d = (b - a).normalize_or_zero();
        let foot = a + d * (c - a).dot(d);
        let half = (r * r - (foot - c).length_squared()).max(0.0).sqrt();
        (half > 0.0).then_some((foot - d * half, foot + d * half))
    });
}

/// Diagonal lines over an area, each cut by `cut`. They pass through fixed places of the sheet, so that
/// neighbouring solids are hatched as one.
fn hatching(
    canvas: &mut Canvas,
    view: &View,
    theme: &Theme,
    area: &Area,
    cut: impl Fn(DVec2, DVec2) -> Option<(DVec2, DVec2)>,
) {
    let (min, max) = (area.min.max(view.sheet().min), area.max.min(view.sheet().max));
    if !min.cmplt(max).all() {
        return;
    }
    let visible = Area::new(min, max);
    // Lines x + y = const.
    let pitch = pitch(view) * std::f64::consts::SQRT_2;
    let (first, last) = (((min.x + min.y) / pitch).floor(), ((max.x + max.y) / pitch).ceil());
    let lines: Vec<[DVec2; 2]> = (0..=((last - first) as usize).min(100_000))
        .filter_map(|k| {
            let sum = (first + k as f64) * pitch;
            let reach = visible.size().element_sum();
            let on = DVec2::new(min.x, sum - min.x);
            let (a, b) = cut(on - DVec2::new(reach, -reach), on + DVec2::new(reach, -reach))?;
            let (a, b) = visible.segment(a, b)?;
            Some([a, b])
        })
        .collect();
    canvas.lines(lines.iter().map(|l| l.as_slice()), view.line(0.8, 0.6), Ends::Flat, theme.hatch, 0.8);
}

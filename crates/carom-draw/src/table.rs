//! A table: wooden rail, cushions, sights, pockets.

use glam::DVec2;

use crate::Rgb;
use crate::canvas::{Canvas, Ends};
use crate::clip::Area;
use crate::palette::{IVORY, POCKET, Theme, WOOD, WOOD_DARK, WOOD_LIGHT};
use crate::view::{CUSHION, RAIL, View};

const BLACK: Rgb = Rgb(0, 0, 0);

/// Draws the frame around the play field, and the cloth in it.
pub(crate) fn draw(canvas: &mut Canvas, theme: &Theme, field: &Area) {
    let short = field.size().min_element();
    let (cushion, rail) = (CUSHION * short, RAIL * short);
    let inner = field.grown(cushion);
    let outer = inner.grown(rail);
    let corner = 0.9 * rail;

    // The table's shadow on the page: opaque layers, each a little darker than the one around it. Sixteen
    // translucent ones would cost more than everything else in the picture.
    for k in 1..=16 {
        let spread = rail * (0.24 - 0.022 * f64::from(k));
        let mut below = outer.grown(spread);
        below.min.y += 0.2 * rail;
        below.max.y += 0.2 * rail;
        let left = 0.984_f64.powi(k);
        let Rgb(r, g, b) = theme.page;
        let shade =
            Rgb((f64::from(r) * left) as u8, (f64::from(g) * left) as u8, (f64::from(b) * left) as u8);
        canvas.rounded(&below, corner + spread, shade, 1.0);
    }
    let wood = [(0.0, WOOD_LIGHT, 1.0), (0.12, WOOD, 1.0), (0.9, WOOD, 1.0), (1.0, WOOD_DARK, 1.0)];
    canvas.shaded_rounded(&outer, corner, &wood);
    let line = (0.035 * rail).max(0.7);
    canvas.rounded_line(&outer.grown(-line), corner - line, line, WOOD_LIGHT, 0.7);
    canvas.rounded_line(&outer.grown(-0.5 * line), corner, line, WOOD_DARK, 0.9);
    sights(canvas, &inner, rail);

    cushions(canvas, theme, field, &inner);
    canvas.polygon(&field.corners(), theme.surface, 1.0);
    cast_shadow(canvas, field, 0.55 * cushion);
    let nose = (0.06 * cushion).max(0.8);
    let mut edge = field.corners().to_vec();
    edge.push(edge[0]);
    canvas.line(&edge, nose, Ends::Flat, theme.cushion.mix(Rgb::WHITE, 0.28), 1.0);
    let mut groove = inner.corners().to_vec();
    groove.push(groove[0]);
    canvas.line(&groove, nose, Ends::Flat, WOOD_DARK, 1.0);
}

/// Four mitred strips, lit from above.
fn cushions(canvas: &mut Canvas, theme: &Theme, field: &Area, inner: &Area) {
    let (f, i) = (field.corners(), inner.corners());
    // Corners come in the order upper left, upper right, lower right, lower left; sides start at each.
    for (k, shade) in [0.10, 0.0, 0.0, 0.05].into_iter().enumerate() {
        let next = (k + 1) % 4;
        let towards = if k == 2 { Rgb::WHITE } else { BLACK };
        let shade = if k == 2 { 0.05 } else { shade };
        canvas.polygon(&[f[k], f[next], i[next], i[k]], theme.cushion.mix(towards, shade), 1.0);
    }
}

/// The soft shadow that upper and left cushion cast on the cloth.
fn cast_shadow(canvas: &mut Canvas, field: &Area, reach: f64) {
    let (min, max) = (field.min, field.max);
    let fade = [(0.0, BLACK, 0.30), (0.5, BLACK, 0.10), (1.0, BLACK, 0.0)];
    let top = [min, DVec2::new(max.x, min.y), DVec2::new(max.x, min.y + reach), min + DVec2::splat(reach)];
    canvas.shaded_polygon(&top, min, min + DVec2::new(0.0, reach), &fade);
    let left = [min, min + DVec2::splat(reach), DVec2::new(min.x + reach, max.y), DVec2::new(min.x, max.y)];
    canvas.shaded_polygon(&left, min, min + DVec2::new(reach, 0.0), &fade);
}

/// The inlaid diamonds of the rails: at the eighths of the long side and the quarters of the short one, as on
/// tables that are twice as long as wide; others have none.
fn sights(canvas: &mut Canvas, inner: &Area, rail: f64) {
    let size = inner.size();
    let ratio = size.max_element() / size.min_element();
    let radius = 0.085 * rail;
    if !(1.6..2.4).contains(&ratio) || radius < 0.8 {
        return;
    }
    let wide = size.x >= size.y;
    let (across, down) = if wide { (8, 4) } else { (4, 8) };
    let half = 0.5 * rail;
    let mut sight = |at: DVec2| {
        let tips = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y].map(|d| at + d * radius * 1.5);
        canvas.polygon(&tips.map(|p| p + DVec2::splat(0.25 * radius)), WOOD_DARK, 0.6);
        canvas.polygon(&tips, IVORY, 1.0);
    };
    for k in (1..across).filter(|k| across == 4 || *k != 4) {
        let x = inner.min.x + size.x * f64::from(k) / f64::from(across);
        sight(DVec2::new(x, inner.min.y - half));
        sight(DVec2::new(x, inner.max.y + half));
    }
    for k in (1..down).filter(|k| down == 4 || *k != 4) {
        let y = inner.min.y + size.y * f64::from(k) / f64::from(down);
        sight(DVec2::new(inner.min.x - half, y));
        sight(DVec2::new(inner.max.x + half, y));
    }
}

/// Pockets: decoration.
pub(crate) fn pockets(canvas: &mut Canvas, view: &View, pockets: &[(DVec2, f64)]) {
    for &(centre, radius) in pockets {
        let (c, r) = (view.place(centre), view.length(radius));
        let rim = (0.13 * r).max(0.8);
        canvas.disc(c, r + rim, WOOD_DARK.mix(POCKET, 0.45), 1.0);
        let depth = [(0.0, BLACK, 1.0), (0.7, POCKET, 1.0), (1.0, Rgb(0x33, 0x30, 0x2e), 1.0)];
        canvas.shaded_disc(c, r, c + DVec2::splat(0.15 * r), 1.2 * r, &depth);
    }
}

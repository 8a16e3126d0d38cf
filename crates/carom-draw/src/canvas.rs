//! The sheet: pixels, and the few strokes that everything here is made of.

use glam::DVec2;
use tiny_skia::{
    Color, ColorU8, FillRule, GradientStop, LineCap, LineJoin, LinearGradient, Paint, Path, PathBuilder,
    Pixmap, Point, RadialGradient, Rect, Shader, SpreadMode, Stroke, Transform,
};

use crate::clip::Area;
use crate::{DrawError, Rgb};

/// The sheet. Coordinates are pixels, y downwards; what lies outside is cut off before it is rasterised, and
/// what is not finite is not drawn.
#[derive(Clone)]
pub(crate) struct Canvas {
    pixels: Pixmap,
    /// The sheet with room around it for the widest stroke's outer half.
    reach: Area,
}

/// How much one can see through something: 0 not there, 1 opaque.
pub(crate) type Opacity = f64;

/// A line's ends and corners.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    Round,
    Flat,
}

fn colour(rgb: Rgb, opacity: Opacity) -> Color {
    let mut colour = Color::from_rgba8(rgb.0, rgb.1, rgb.2, 255);
    colour.apply_opacity(opacity as f32);
    colour
}

fn paint(rgb: Rgb, opacity: Opacity) -> Paint<'static> {
    Paint { shader: Shader::SolidColor(colour(rgb, opacity)), anti_alias: true, ..Paint::default() }
}

fn point(p: DVec2) -> Point {
    Point::from_xy(p.x as f32, p.y as f32)
}

/// Stops of a gradient: place 0..=1, colour, opacity.
pub(crate) type Stops<'a> = &'a [(f64, Rgb, Opacity)];

fn stops(list: Stops<'_>) -> Vec<GradientStop> {
    list.iter().map(|&(at, rgb, opacity)| GradientStop::new(at as f32, colour(rgb, opacity))).collect()
}

impl Canvas {
    pub(crate) fn new(width: u32, height: u32, background: Rgb) -> Result<Self, DrawError> {
        let mut pixels = Pixmap::new(width, height).ok_or(DrawError::NoMemory { width, height })?;
        pixels.fill(colour(background, 1.0));
        let size = DVec2::new(f64::from(width), f64::from(height));
        Ok(Self { pixels, reach: Area::new(DVec2::ZERO, size).grown(64.0 + 0.05 * size.x) })
    }

    pub(crate) fn width(&self) -> u32 {
        self.pixels.width()
    }

    pub(crate) fn height(&self) -> u32 {
        self.pixels.height()
    }

    /// Red, green, blue of every pixel, row by row from the top.
    pub(crate) fn rgb(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(3 * self.pixels.pixels().len());
        for p in self.pixels.pixels() {
            bytes.extend([p.red(), p.green(), p.blue()]);
        }
        bytes
    }

    /// RGBA, row by row from the top; every pixel is opaque.
    pub(crate) fn rgba(&self) -> &[u8] {
        self.pixels.data()
    }

    /// Lets light fall on the pixels of a row from `left` on: red, green, blue, each 0 to 1, and how much of the pixel it
    /// covers. Of what more than covers a pixel each has its share.
    pub(crate) fn cover(&mut self, left: usize, row: usize, light: &[[f32; 4]]) {
        let width = self.pixels.width() as usize;
        let Some(pixels) = self.pixels.pixels_mut().get_mut(row * width + left..) else { return };
        for (pixel, &[red, green, blue, covered]) in pixels.iter_mut().zip(light) {
            if covered <= 0.0 {
                continue;
            }
            let beneath = Rgb(pixel.red(), pixel.green(), pixel.blue()).light();
            let (share, rest) = (1.0 / covered.max(1.0), (1.0 - covered).max(0.0));
            let lit = [red, green, blue];
            let Rgb(r, g, b) = Rgb::of_light([0, 1, 2].map(|k| lit[k] * share + beneath[k] * rest));
            *pixel = ColorU8::from_rgba(r, g, b, 255).premultiply();
        }
    }

    /// Makes this sheet look like another of the same size.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.pixels.data_mut().copy_from_slice(other.pixels.data());
    }

    pub(crate) fn fill_path(&mut self, path: &Path, rgb: Rgb, opacity: Opacity) {
        self.pixels.fill_path(path, &paint(rgb, opacity), FillRule::Winding, Transform::identity(), None);
    }

    fn shade_path(&mut self, path: &Path, shader: Option<Shader<'static>>) {
        if let Some(shader) = shader {
            let paint = Paint { shader, anti_alias: true, ..Paint::default() };
            self.pixels.fill_path(path, &paint, FillRule::Winding, Transform::identity(), None);
        }
    }

    /// A filled polygon.
    pub(crate) fn polygon(&mut self, points: &[DVec2], rgb: Rgb, opacity: Opacity) {
        if let Some(path) = polygon_path(&self.reach.polygon(points)) {
            self.fill_path(&path, rgb, opacity);
        }
    }

    /// A polygon whose colour runs along the line from `from` to `to`.
    pub(crate) fn shaded_polygon(&mut self, points: &[DVec2], from: DVec2, to: DVec2, list: Stops<'_>) {
        if let Some(path) = polygon_path(&self.reach.polygon(points)) {
            let shader = LinearGradient::new(
                point(from),
                point(to),
                stops(list),
                SpreadMode::Pad,
                Transform::identity(),
            );
            self.shade_path(&path, shader);
        }
    }

    /// A rectangle with round corners.
    pub(crate) fn rounded(&mut self, area: &Area, radius: f64, rgb: Rgb, opacity: Opacity) {
        if let Some(path) = rounded_path(area, radius) {
            self.fill_path(&path, rgb, opacity);
        }
    }

    /// A rectangle with round corners whose colour runs from its top to its bottom.
    pub(crate) fn shaded_rounded(&mut self, area: &Area, radius: f64, list: Stops<'_>) {
        if let Some(path) = rounded_path(area, radius) {
            let (top, bottom) = (point(area.min), point(DVec2::new(area.min.x, area.max.y)));
            let shader =
                LinearGradient::new(top, bottom, stops(list), SpreadMode::Pad, Transform::identity());
            self.shade_path(&path, shader);
        }
    }

    /// The outline of a rectangle with round corners.
    pub(crate) fn rounded_line(&mut self, area: &Area, radius: f64, width: f64, rgb: Rgb, opacity: Opacity) {
        if let Some(path) = rounded_path(area, radius) {
            self.stroke(&path, width, Ends::Round, rgb, opacity);
        }
    }

    /// A filled circle.
    pub(crate) fn disc(&mut self, centre: DVec2, radius: f64, rgb: Rgb, opacity: Opacity) {
        if let Some(path) = self.circle_path(centre, radius) {
            self.fill_path(&path, rgb, opacity);
        }
    }

    /// A filled circle whose colour runs outwards from `focus` (stop 0) to the circle of radius `reach` around
    /// it (stop 1).
    pub(crate) fn shaded_disc(
        &mut self,
        centre: DVec2,
        radius: f64,
        focus: DVec2,
        reach: f64,
        list: Stops<'_>,
    ) {
        if let Some(path) = self.circle_path(centre, radius) {
            let shader = RadialGradient::new(
                point(focus),
                0.0,
                point(focus),
                reach as f32,
                stops(list),
                SpreadMode::Pad,
                Transform::identity(),
            );
            self.shade_path(&path, shader);
        }
    }

    /// A circle's line.
    pub(crate) fn circle(&mut self, centre: DVec2, radius: f64, width: f64, rgb: Rgb, opacity: Opacity) {
        if let Some(path) = self.circle_path(centre, radius) {
            self.stroke(&path, width, Ends::Round, rgb, opacity);
        }
    }

    /// A line through points, cut at the sheet's edge.
    pub(crate) fn line(&mut self, points: &[DVec2], width: f64, ends: Ends, rgb: Rgb, opacity: Opacity) {
        let mut builder = PathBuilder::new();
        add_line(&mut builder, &self.reach, points);
        self.finish_line(builder, width, ends, rgb, opacity);
    }

    /// Many lines of the same kind at once; they do not darken where they cross.
    pub(crate) fn lines<'a>(
        &mut self,
        lines: impl IntoIterator<Item = &'a [DVec2]>,
        width: f64,
        ends: Ends,
        rgb: Rgb,
        opacity: Opacity,
    ) {
        let mut builder = PathBuilder::new();
        for points in lines {
            add_line(&mut builder, &self.reach, points);
        }
        self.finish_line(builder, width, ends, rgb, opacity);
    }

    /// A straight line whose colour runs from `a` to `b`.
    pub(crate) fn shaded_line(&mut self, a: DVec2, b: DVec2, width: f64, list: Stops<'_>) {
        let Some((from, to)) = self.reach.segment(a, b) else { return };
        let mut builder = PathBuilder::new();
        builder.move_to(from.x as f32, from.y as f32);
        builder.line_to(to.x as f32, to.y as f32);
        let shader =
            LinearGradient::new(point(a), point(b), stops(list), SpreadMode::Pad, Transform::identity());
        if let (Some(path), Some(shader)) = (builder.finish(), shader) {
            let paint = Paint { shader, anti_alias: true, ..Paint::default() };
            let stroke = Stroke { width: width as f32, line_cap: LineCap::Round, ..Stroke::default() };
            self.pixels.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
        }
    }

    fn finish_line(&mut self, builder: PathBuilder, width: f64, ends: Ends, rgb: Rgb, opacity: Opacity) {
        if let Some(path) = builder.finish() {
            self.stroke(&path, width, ends, rgb, opacity);
        }
    }

    fn stroke(&mut self, path: &Path, width: f64, ends: Ends, rgb: Rgb, opacity: Opacity) {
        let (line_cap, line_join) = match ends {
            Ends::Round => (LineCap::Round, LineJoin::Round),
            Ends::Flat => (LineCap::Butt, LineJoin::Miter),
        };
        let stroke = Stroke { width: width as f32, line_cap, line_join, ..Stroke::default() };
        self.pixels.stroke_path(path, &paint(rgb, opacity), &stroke, Transform::identity(), None);
    }

    /// A circle as a path: a true curve, or the visible part of a polygon where it is far larger than the sheet.
    fn circle_path(&self, centre: DVec2, radius: f64) -> Option<Path> {
        let visible = radius > 0.0 && radius.is_finite() && self.reach.touches_circle(centre, radius);
        if !visible {
            return None;
        }
        if radius <= self.reach.size().max_element() {
            return PathBuilder::from_circle(centre.x as f32, centre.y as f32, radius as f32);
        }
        let points: Vec<DVec2> = (0..CORNERS_OF_HUGE_CIRCLES)
            .map(|k| {
                let turn = std::f64::consts::TAU / CORNERS_OF_HUGE_CIRCLES as f64;
                let (sin, cos) = libm::sincos(k as f64 * turn);
                centre + DVec2::new(cos, sin) * radius
            })
            .collect();
        polygon_path(&self.reach.polygon(&points))
    }
}

/// At a radius of 10^5 pixels such a polygon is within 0.03 pixels of the circle.
const CORNERS_OF_HUGE_CIRCLES: usize = 4096;

fn add_line(builder: &mut PathBuilder, reach: &Area, points: &[DVec2]) {
    let mut pen: Option<DVec2> = None;
    for pair in points.windows(2) {
        let Some((a, b)) = reach.segment(pair[0], pair[1]) else {
            pen = None;
            continue;
        };
        if pen != Some(a) {
            builder.move_to(a.x as f32, a.y as f32);
        }
        builder.line_to(b.x as f32, b.y as f32);
        pen = Some(b);
    }
}

fn polygon_path(points: &[DVec2]) -> Option<Path> {
    let (first, rest) = points.split_first()?;
    let mut builder = PathBuilder::new();
    builder.move_to(first.x as f32, first.y as f32);
    for p in rest {
        builder.line_to(p.x as f32, p.y as f32);
    }
    builder.close();
    builder.finish()
}

fn rounded_path(area: &Area, radius: f64) -> Option<Path> {
    let (min, max) = (area.min.as_vec2(), area.max.as_vec2());
    let rect = Rect::from_ltrb(min.x, min.y, max.x, max.y)?;
    let r = (radius as f32).min(rect.width() / 2.0).min(rect.height() / 2.0);
    if r <= 0.0 {
        return Some(PathBuilder::from_rect(rect));
    }
    // A quarter circle as a cubic: control points 4/3·(√2 − 1) of the radius away from its ends.
    let k = r * (1.0 - 0.552_284_8);
    let mut b = PathBuilder::new();
    b.move_to(min.x + r, min.y);
    b.line_to(max.x - r, min.y);
    b.cubic_to(max.x - k, min.y, max.x, min.y + k, max.x, min.y + r);
    b.line_to(max.x, max.y - r);
    b.cubic_to(max.x, max.y - k, max.x - k, max.y, max.x - r, max.y);
    b.line_to(min.x + r, max.y);
    b.cubic_to(min.x + k, max.y, min.x, max.y - k, min.x, max.y - r);
    b.line_to(min.x, min.y + r);
    b.cubic_to(min.x, min.y + k, min.x + k, min.y, min.x + r, min.y);
    b.close();
    b.finish()
}

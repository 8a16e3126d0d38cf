//! The sheet: pixels, and the few strokes that everything here is made of.

use glam::DVec2;
use tiny_skia::{
    Color, ColorU8, FillRule, GradientStop, LineCap, LineJoin, LinearGradient, Paint, Path, PathBuilder,
    Pixmap, Point, RadialGradient, Rect, Shader, SpreadMode, Stroke, Transform,
};

use crate::clip::Area;
use crate::flatten::{cut, huge_arc, polygon_path};
use crate::{DrawError, Rgb};

/// The sheet. Coordinates are pixels, y downwards. What is not finite is not drawn, and what lies outside is
/// cut off before it is rasterised: the rasteriser, whose numbers are 32-bit floats and then fixed-point,
/// sees nothing but coordinates on the sheet.
#[derive(Clone)]
pub(crate) struct Canvas {
    pixels: Pixmap,
    sheet: Area,
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
        let sheet = Area::new(DVec2::ZERO, size);
        Ok(Self { pixels, sheet, reach: sheet.grown(64.0 + 0.05 * size.x) })
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

    /// Lets light fall on the pixels of a row from `left` on: red, green, blue, each 0 to 1, and how much of
    /// the pixel it covers. Of what more than covers a pixel each has its share.
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

    /// Sheets below each other, each as wide as the first; what is wider is cut off.
    pub(crate) fn below_each_other(sheets: &[&Self]) -> Result<Self, DrawError> {
        let width = sheets.first().map_or(1, |first| first.width());
        let height = sheets.iter().map(|sheet| sheet.height()).sum::<u32>().max(1);
        let mut whole = Self::new(width, height, Rgb::WHITE)?;
        let row = 4 * width as usize;
        let mut rows = whole.pixels.data_mut().chunks_exact_mut(row);
        for sheet in sheets {
            for (from, to) in sheet.pixels.data().chunks_exact(4 * sheet.width() as usize).zip(&mut rows) {
                let common = row.min(from.len());
                to[..common].copy_from_slice(&from[..common]);
            }
        }
        Ok(whole)
    }

    /// Makes this sheet look like another of the same size.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.pixels.data_mut().copy_from_slice(other.pixels.data());
    }

    pub(crate) fn fill_path(&mut self, path: &Path, rgb: Rgb, opacity: Opacity) {
        self.fill(path, &paint(rgb, opacity));
    }

    fn shade_path(&mut self, path: &Path, shader: Option<Shader<'static>>) {
        if let Some(shader) = shader {
            self.fill(path, &Paint { shader, anti_alias: true, ..Paint::default() });
        }
    }

    /// Fills a path, or the part of it that is on the sheet.
    fn fill(&mut self, path: &Path, paint: &Paint<'_>) {
        let cut = if self.holds(path) { None } else { Some(cut(path, &self.sheet)) };
        if let Some(path) = cut.as_ref().map_or(Some(path), Option::as_ref) {
            self.pixels.fill_path(path, paint, FillRule::Winding, Transform::identity(), None);
        }
    }

    fn holds(&self, path: &Path) -> bool {
        let bounds = path.bounds();
        let corner = |x: f32, y: f32| DVec2::new(f64::from(x), f64::from(y));
        self.sheet.contains(corner(bounds.left(), bounds.top()))
            && self.sheet.contains(corner(bounds.right(), bounds.bottom()))
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

    /// A filled circle whose colour runs outwards from `focus` (stop 0) to the circle of radius `reach`
    /// around it (stop 1).
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
        if radius <= self.most_curved() {
            if let Some(path) = self.circle_path(centre, radius) {
                self.stroke(&path, width, Ends::Round, rgb, opacity);
            }
        } else if let Some((arc, _)) = huge_arc(&self.reach, centre, radius) {
            self.line(&arc, width, Ends::Round, rgb, opacity);
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
            self.stroke_path(&path, &paint, &stroke);
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
        self.stroke_path(path, &paint(rgb, opacity), &stroke);
    }

    /// Strokes of more than a pixel are filled as the outlines that they are; thinner ones the rasteriser
    /// draws in a way of its own, which cuts lines pixel by pixel.
    fn stroke_path(&mut self, path: &Path, paint: &Paint<'_>, stroke: &Stroke) {
        if stroke.width <= 1.0 {
            self.pixels.stroke_path(path, paint, stroke, Transform::identity(), None);
        } else if let Some(outline) = path.stroke(stroke, 1.0) {
            self.fill(&outline, paint);
        }
    }

    /// Circles of a larger radius, in pixels, are drawn as the polygon of what is to be seen of them.
    fn most_curved(&self) -> f64 {
        self.reach.size().max_element()
    }

    /// A circle as a path: a true curve, or the visible part of a polygon where it is far larger than the
    /// sheet.
    fn circle_path(&self, centre: DVec2, radius: f64) -> Option<Path> {
        let visible = radius > 0.0 && radius.is_finite() && self.reach.touches_circle(centre, radius);
        if !visible {
            return None;
        }
        if radius <= self.most_curved() {
            return PathBuilder::from_circle(centre.x as f32, centre.y as f32, radius as f32);
        }
        match huge_arc(&self.reach, centre, radius) {
            Some((arc, inwards)) => {
                let ends = [arc.last()?, arc.first()?].map(|end| *end + inwards);
                polygon_path(&self.reach.polygon(&[&arc[..], &ends].concat()))
            }
            // All of it lies within.
            None => polygon_path(&self.reach.corners()),
        }
    }
}

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

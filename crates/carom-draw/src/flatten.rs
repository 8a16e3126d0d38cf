//! Curves as polygons, for what hangs over the sheet's edge.

use glam::DVec2;
use tiny_skia::{Path, PathBuilder, PathSegment, Point};

use crate::clip::Area;

/// How far a chord may be from its curve, in pixels.
const FLATNESS: f64 = 0.02;

/// The part of a filled path that lies in `area`; `None` where there is none.
pub(crate) fn cut(path: &Path, area: &Area) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for contour in contours(path) {
        add_polygon(&mut builder, &area.polygon(&contour));
    }
    builder.finish()
}

/// A filled polygon as a path.
pub(crate) fn polygon_path(points: &[DVec2]) -> Option<Path> {
    let mut builder = PathBuilder::new();
    add_polygon(&mut builder, points);
    builder.finish()
}

fn add_polygon(builder: &mut PathBuilder, points: &[DVec2]) {
    let Some((first, rest)) = points.split_first() else { return };
    builder.move_to(first.x as f32, first.y as f32);
    for p in rest {
        builder.line_to(p.x as f32, p.y as f32);
    }
    builder.close();
}

/// The closed lines that a filled path consists of, curves replaced by chords.
fn contours(path: &Path) -> Vec<Vec<DVec2>> {
    let place = |p: Point| DVec2::new(f64::from(p.x), f64::from(p.y));
    let mut contours: Vec<Vec<DVec2>> = Vec::new();
    let mut pen = DVec2::ZERO;
    for segment in path.segments() {
        if let PathSegment::MoveTo(p) = segment {
            pen = place(p);
            contours.push(vec![pen]);
            continue;
        }
        let Some(contour) = contours.last_mut() else { continue };
        match segment {
            PathSegment::MoveTo(_) | PathSegment::Close => {}
            PathSegment::LineTo(p) => contour.push(place(p)),
            PathSegment::QuadTo(b, c) => {
                let (a, b, c) = (pen, place(b), place(c));
                curve(contour, (a - 2.0 * b + c).length(), |t| a.lerp(b, t).lerp(b.lerp(c, t), t));
            }
            PathSegment::CubicTo(b, c, d) => {
                let (a, b, c, d) = (pen, place(b), place(c), place(d));
                let bend = (a - 2.0 * b + c).length().max((b - 2.0 * c + d).length());
                curve(contour, 3.0 * bend, |t| {
                    let (ab, bc, cd) = (a.lerp(b, t), b.lerp(c, t), c.lerp(d, t));
                    ab.lerp(bc, t).lerp(bc.lerp(cd, t), t)
                });
            }
        }
        pen = contour.last().copied().unwrap_or(pen);
    }
    contours
}

/// Adds chords of a curve that is given for 0 to 1. `bend` is half the largest second derivative: n chords
/// are off by a quarter of it over n².
fn curve(contour: &mut Vec<DVec2>, bend: f64, at: impl Fn(f64) -> DVec2) {
    let chords = (0.25 * bend / FLATNESS).sqrt().ceil().clamp(1.0, 512.0) as usize;
    contour.extend((1..=chords).map(|k| at(k as f64 / chords as f64)));
}

/// Half the chords of [`huge_arc`]. Four sizes s of the area are the largest radius of which the whole circle
/// is made, and the least of which it is an arc of 8s: chords are within 4s·(π/4096)²/2 of their circle, a
/// fortieth of a pixel for a sheet of 8192 by 8192.
const CHORDS_OF_HUGE_ARCS: i32 = 2048;

/// Of a circle that is larger than the area: the arc near it, as points, and the way inwards from its ends to
/// beyond the area. `None` where the circle's line is nowhere near.
pub(crate) fn huge_arc(area: &Area, centre: DVec2, radius: f64) -> Option<(Vec<DVec2>, DVec2)> {
    let (middle, size) = (area.centre(), area.size().length());
    let outwards = (middle - centre).try_normalize()?;
    // What is nearest to the area's middle. From there, as points of a circle of 10^17 pixels keep no digit
    // of it.
    let foot = middle + outwards * (radius - (middle - centre).length());
    if !foot.is_finite() || (foot - middle).length() > 2.0 * size {
        return None;
    }
    let (half, inwards) = if radius < 4.0 * size {
        (std::f64::consts::PI, DVec2::ZERO)
    } else {
        (4.0 * size / radius, outwards * (-4.0 * size))
    };
    let at = |k: i32| {
        let angle = half * f64::from(k) / f64::from(CHORDS_OF_HUGE_ARCS);
        let (sin, sin_half) = (libm::sin(angle), libm::sin(0.5 * angle));
        foot + outwards.perp() * (radius * sin) - outwards * (2.0 * radius * sin_half * sin_half)
    };
    let arc = (-CHORDS_OF_HUGE_ARCS..=CHORDS_OF_HUGE_ARCS).map(at).collect();
    Some((arc, inwards))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area_of(path: &Path) -> f64 {
        let twice = |points: &Vec<DVec2>| -> f64 {
            (0..points.len()).map(|k| points[k].perp_dot(points[(k + 1) % points.len()])).sum()
        };
        contours(path).iter().map(twice).sum::<f64>() / 2.0
    }

    fn sheet() -> Area {
        Area::new(DVec2::ZERO, DVec2::new(200.0, 100.0))
    }

    #[test]
    fn chords_are_as_near_to_their_curves_as_they_say() {
        for radius in [1.0, 30.0, 5000.0_f64] {
            let circle = PathBuilder::from_circle(100.0, 50.0, radius as f32).unwrap();
            for p in contours(&circle).concat() {
                // The rasteriser's circles are conics, and quadratics within a quarter of a pixel of these.
                let off = ((p - DVec2::new(100.0, 50.0)).length() - radius).abs();
                assert!(off < 0.25 + 1e-6 * radius, "{p}: {off}");
            }
        }
        let mut builder = PathBuilder::new();
        builder.move_to(0.0, 0.0);
        builder.cubic_to(0.0, 300.0, 300.0, 300.0, 300.0, 0.0);
        let points = contours(&builder.finish().unwrap()).concat();
        // The cubic by its Bernstein form, as near as chords may be.
        for k in 0..=1000 {
            let t = f64::from(k) / 1000.0;
            let (x, y) = (300.0 * t * t * (3.0 - 2.0 * t), 900.0 * t * (1.0 - t));
            let at = DVec2::new(x, y);
            let off = points.windows(2).map(|pair| {
                let along = pair[1] - pair[0];
                let s = ((at - pair[0]).dot(along) / along.length_squared()).clamp(0.0, 1.0);
                (at - pair[0] - along * s).length()
            });
            assert!(off.fold(f64::INFINITY, f64::min) <= FLATNESS, "{at}");
        }
    }

    /// Half of a circle around a corner's side, a quarter around a corner.
    #[test]
    fn what_is_cut_has_the_area_that_is_on_the_sheet() {
        let whole = std::f64::consts::PI * 30.0 * 30.0;
        for (x, y, share) in [(100.0, 50.0, 1.0), (100.0, 100.0, 0.5), (0.0, 0.0, 0.25)] {
            let path = cut(&PathBuilder::from_circle(x, y, 30.0).unwrap(), &sheet()).unwrap();
            let found = area_of(&path).abs();
            assert!((found / (share * whole) - 1.0).abs() < 2e-3, "{x} {y}: {found}");
            let bounds = path.bounds();
            assert!(bounds.left() >= 0.0 && bounds.bottom() <= 100.0);
        }
        assert!(cut(&PathBuilder::from_circle(300.0, 300.0, 30.0).unwrap(), &sheet()).is_none());
    }

    #[test]
    fn huge_arcs_are_on_their_circles() {
        for exponent in 3..12 {
            let radius = 10_f64.powi(exponent);
            let centre = DVec2::new(100.0, 50.0 - radius);
            let (arc, inwards) = huge_arc(&sheet(), centre, radius).unwrap();
            for p in &arc {
                assert!(((*p - centre).length() - radius).abs() <= 4.0 * f64::EPSILON * radius, "{p}");
            }
            // What is filled is the upper half of the sheet, except for the sagitta of the widest arc.
            let ends = [*arc.last().unwrap() + inwards, arc[0] + inwards];
            let path = polygon_path(&sheet().polygon(&[&arc[..], &ends].concat())).unwrap();
            let (found, sagitta) = (area_of(&path).abs(), 200.0 * 200.0 / (8.0 * radius));
            assert!((10_000.0 - 200.0 * sagitta..=10_000.01).contains(&found), "{radius}: {found}");
        }
        assert!(huge_arc(&sheet(), DVec2::ZERO, 1e9).is_none());
        assert!(huge_arc(&sheet(), DVec2::splat(1e300), 1e300).is_none());
    }
}

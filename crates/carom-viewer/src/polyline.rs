//! Lines through many points.

use eframe::egui::{Painter, Pos2, Shape, Stroke};

/// Points that are nearer to the last one than this are left out: half a point of the screen. The direction
/// between them is rounding.
const NEAR: f32 = 0.5;

/// Draws a line through points. Where it turns by more than a right angle it is made of two: egui joins the
/// sides of a line that comes back on itself where they would meet, which is nowhere or far away.
pub(crate) fn draw(painter: &Painter, points: impl IntoIterator<Item = Pos2>, stroke: Stroke) {
    painter.extend(parts(points).into_iter().map(|part| Shape::line(part, stroke)));
}

/// The parts of a line between its sharp turns.
fn parts(points: impl IntoIterator<Item = Pos2>) -> Vec<Vec<Pos2>> {
    let mut parts: Vec<Vec<Pos2>> = Vec::new();
    let mut part: Vec<Pos2> = Vec::new();
    for point in points {
        match *part.as_slice() {
            [.., last] if last.distance(point) < NEAR => continue,
            [.., before, last] if (last - before).dot(point - last) < 0.0 => {
                parts.push(std::mem::replace(&mut part, vec![last]));
            }
            _ => {}
        }
        part.push(point);
    }
    parts.push(part);
    parts.retain(|part| part.len() > 1);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::epaint::{ClippedShape, Primitive, TessellationOptions, Tessellator};
    use eframe::egui::{Color32, Rect, Vec2, pos2};

    /// How far what is drawn of a line of a point's width is from the box around its points.
    fn beyond(lines: Vec<Vec<Pos2>>) -> f32 {
        let all = Rect::from_points(&lines.concat());
        let shapes = lines.into_iter().map(|line| Shape::line(line, Stroke::new(1.0, Color32::BLACK)));
        let clipped =
            shapes.map(|shape| ClippedShape { clip_rect: Rect::EVERYTHING, shape }).collect::<Vec<_>>();
        let options = TessellationOptions::default();
        let drawn = Tessellator::new(1.0, options, [1, 1], Vec::new()).tessellate_shapes(clipped);
        let meshes = drawn.into_iter().filter_map(|drawn| match drawn.primitive {
            Primitive::Mesh(mesh) => Some(mesh.calc_bounds()),
            Primitive::Callback(_) => None,
        });
        let drawn = meshes.fold(Rect::NOTHING, |all, bounds| all.union(bounds));
        let [low, high] = [all.min - drawn.min, drawn.max - all.max];
        low.max(high).max_elem()
    }

    /// A disc that hits head-on goes back where it came from: no side of its trail is drawn beside it.
    #[test]
    fn a_line_that_comes_back_stays_where_it_is() {
        let from = pos2(400.0, 300.0);
        let mut farthest = (0.0_f32, 0.0_f32);
        for k in 0..2000 {
            let way = 0.37 * Vec2::angled(0.001_7 * k as f32) * (1 + k % 9) as f32;
            let there = (0..40).map(|step| from + way * step as f32);
            let back = (0..40).rev().map(|step| from + way * (step as f32 + 0.3));
            let line: Vec<Pos2> = there.chain(back).collect();
            farthest.0 = farthest.0.max(beyond(vec![line.clone()]));
            farthest.1 = farthest.1.max(beyond(parts(line)));
        }
        // Half of the width, and the soft edge; corners of up to a right angle are √2 of that.
        assert!(farthest.1 < 3.0, "{farthest:?}");
        // What this is for: if egui does it some day, this is not needed any more.
        assert!(farthest.0 > 100.0, "{farthest:?}");
    }

    /// All points are on the line, or nearer to one that is than can be seen; right angles are joined.
    #[test]
    fn a_line_keeps_its_points_and_its_right_angles() {
        let corner = [pos2(0.0, 0.0), pos2(9.0, 0.0), pos2(9.0, 9.0), pos2(9.0, 9.1), pos2(0.0, 9.0)];
        let parts = parts(corner);
        assert_eq!(parts, [vec![corner[0], corner[1], corner[2], corner[4]]]);
        assert!(super::parts([pos2(1.0, 1.0); 5]).is_empty());
    }
}

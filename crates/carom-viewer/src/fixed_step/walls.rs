use carom_engine::{DVec2, WallShape};
use rapier2d_f64::prelude::{ColliderBuilder, SharedShape, Vector};
use std::f64::consts::TAU;

/// Straight pieces of a round wall, a turn.
const PIECES: u32 = 360;

/// A vector as rapier has it.
pub(super) fn vector(v: DVec2) -> Vector {
    Vector::new(v.x, v.y)
}

/// The colliders of a wall. What has a filled side is a half-plane or a ball, all others are lines without
/// thickness; round rooms and arcs are made of straight pieces.
pub(super) fn colliders(shape: &WallShape) -> Result<Vec<ColliderBuilder>, String> {
    let line = |points: Vec<DVec2>| {
        let points: Vec<Vector> = points.into_iter().map(vector).collect();
        vec![ColliderBuilder::polyline(points, None)]
    };
    let round = |center: DVec2, radius: f64, start: f64, sweep: f64| {
        let pieces = (f64::from(PIECES) * (sweep.abs() / TAU)).ceil().clamp(1.0, f64::from(PIECES)) as u32;
        let angle = |k: u32| start + sweep * f64::from(k) / f64::from(pieces);
        line((0..=pieces).map(|k| center + DVec2::from_angle(angle(k)) * radius).collect())
    };
    let built = match shape {
        WallShape::HalfPlane { point, normal } => vec![half_plane(*point, normal.normalize_or(DVec2::Y))],
        WallShape::Segment { a, b } | WallShape::OneSidedSegment { a, b } => line(vec![*a, *b]),
        WallShape::Disc { center, radius } => {
            vec![ColliderBuilder::ball(*radius).translation(vector(*center))]
        }
        WallShape::Capsule { a, b, radius } => {
            vec![ColliderBuilder::capsule_from_endpoints(vector(*a), vector(*b), *radius)]
        }
        WallShape::Circle { center, radius } => round(*center, *radius, 0.0, TAU),
        WallShape::Arc { center, radius, start, sweep } => round(*center, *radius, *start, *sweep),
        WallShape::Polyline { points, closed } => {
            let mut points = points.clone();
            if let (true, Some(&first)) = (*closed, points.first()) {
                points.push(first);
            }
            line(points)
        }
        WallShape::Container { min, max } => {
            let sides = [(*min, DVec2::X), (*min, DVec2::Y), (*max, DVec2::NEG_X), (*max, DVec2::NEG_Y)];
            sides.map(|(point, normal)| half_plane(point, normal)).into()
        }
        WallShape::Stadium { center, half_length, radius } => {
            let half = DVec2::new(*half_length, 0.0);
            let arc = |k: u32, from: f64| DVec2::from_angle(TAU * (from + f64::from(k) / f64::from(PIECES)));
            let right = (0..=PIECES / 2).map(|k| *center + half + arc(k, -0.25) * *radius);
            let left = (0..=PIECES / 2).map(|k| *center - half + arc(k, 0.25) * *radius);
            let mut points: Vec<DVec2> = right.chain(left).collect();
            points.extend(points.first().copied());
            line(points)
        }
        _ => return Err("a wall of this kind has no counterpart in rapier2d".to_owned()),
    };
    Ok(built)
}

/// All that is behind a straight line.
fn half_plane(point: DVec2, normal: DVec2) -> ColliderBuilder {
    ColliderBuilder::new(SharedShape::halfspace(vector(normal))).translation(vector(point))
}

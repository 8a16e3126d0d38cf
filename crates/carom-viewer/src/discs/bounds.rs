use crate::session::Session;
use carom_engine::{DVec2, WallShape};

/// The rectangle around all walls that end somewhere, and all discs.
pub(super) fn bounds(session: &Session) -> Option<(DVec2, DVec2)> {
    let world = session.world();
    let mut all: Option<(DVec2, DVec2)> = None;
    let mut take = |min: DVec2, max: DVec2| {
        all = Some(all.map_or((min, max), |(low, high)| (low.min(min), high.max(max))));
    };
    for shape in world.walls().filter_map(|id| world.wall_shape(id)) {
        match &*shape {
            WallShape::Segment { a, b } | WallShape::OneSidedSegment { a, b } => take(a.min(*b), a.max(*b)),
            WallShape::Disc { center, radius }
            | WallShape::Circle { center, radius }
            | WallShape::Arc { center, radius, .. }
            | WallShape::Arm { pivot: center, length: radius, .. } => {
                take(*center - *radius, *center + *radius);
            }
            WallShape::Capsule { a, b, radius } => take(a.min(*b) - *radius, a.max(*b) + *radius),
            WallShape::Polyline { points, .. } => points.iter().for_each(|&point| take(point, point)),
            WallShape::Container { min, max } => take(*min, *max),
            WallShape::Stadium { center, half_length, radius } => {
                let half = DVec2::new(half_length + radius, *radius);
                take(*center - half, *center + half);
            }
            _ => {}
        }
    }
    if let [Some(x), Some(y)] = world.settings().period {
        return Some((DVec2::ZERO, DVec2::new(x, y)));
    }
    for disc in world.discs() {
        let mut take = |min: DVec2, max: DVec2| {
            all = Some(all.map_or((min, max), |(low, high)| (low.min(min), high.max(max))));
        };
        take(disc.position() - disc.radius(), disc.position() + disc.radius());
    }
    match world.settings().period {
        [Some(x), None] => all.map(|(min, max)| (DVec2::new(0.0, min.y), DVec2::new(x, max.y))),
        [None, Some(y)] => all.map(|(min, max)| (DVec2::new(min.x, 0.0), DVec2::new(max.x, y))),
        _ => all,
    }
}

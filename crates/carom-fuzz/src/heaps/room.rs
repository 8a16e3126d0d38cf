//! The rooms into which discs fall.

use carom_engine::{DVec2, Wall};
use carom_testkit::rng::Rng;

/// The form of a room, from its lowest point.
#[derive(Clone, Copy, Debug)]
pub(super) enum Room {
    /// A box of this half width.
    Box(f64),
    /// One without a lid, whose floor and sides are walls of their own.
    Pit(f64),
    /// Two planes at these slopes.
    Vee([f64; 2]),
    /// A round one of this radius.
    Bowl(f64),
}

/// Higher than any heap.
pub(super) const HEIGHT: f64 = 40.0;

impl Room {
    pub(super) fn random(rng: &mut Rng, size: f64) -> Room {
        match rng.below(5) {
            0 => Room::Vee([0, 1].map(|_| rng.range(0.2, 2.0))),
            1 => Room::Bowl(size * rng.range(1.0, 3.0)),
            _ => Room::Box(size * rng.range(0.5, 1.5)),
        }
    }

    /// A box without its lid.
    pub(super) fn opened(self) -> Room {
        if let Room::Box(half) = self { Room::Pit(half) } else { self }
    }

    /// Its walls, given where a place of the room is in the world.
    pub(super) fn walls<S: Default>(self, at: impl Fn(DVec2) -> DVec2) -> Vec<Wall<S>> {
        let origin = at(DVec2::ZERO);
        let plane = |place: DVec2, normal: DVec2| Wall::half_plane(at(place), at(normal) - origin);
        let walls: Vec<Wall> = match self {
            Room::Pit(half) => vec![
                plane(DVec2::ZERO, DVec2::Y),
                plane(DVec2::new(-half, 0.0), DVec2::X),
                plane(DVec2::new(half, 0.0), DVec2::NEG_X),
            ],
            Room::Box(half) => {
                let ends = [DVec2::new(-half, 0.0), DVec2::new(half, HEIGHT)].map(&at);
                vec![Wall::container(ends[0].min(ends[1]), ends[0].max(ends[1]))]
            }
            Room::Vee(slopes) => {
                let up = (at(DVec2::Y) - origin).y;
                let plane = |side: f64, slope: f64| Wall::half_plane(origin, DVec2::new(side * slope, up));
                vec![plane(1.0, slopes[0]), plane(-1.0, slopes[1])]
            }
            Room::Bowl(radius) => vec![Wall::circle(at(DVec2::new(0.0, radius)), radius)],
        };
        walls.into_iter().map(|wall| Wall::new(wall.shape).with_surface(S::default())).collect()
    }

    /// By how much a disc at a place from the origin is in a wall.
    pub(super) fn depth(self, place: DVec2, radius: f64) -> f64 {
        let room = match self {
            Room::Box(half) => (half - place.x.abs()).min(place.y).min(HEIGHT - place.y),
            Room::Pit(half) => (half - place.x.abs()).min(place.y),
            Room::Vee(slopes) => [(1.0, slopes[0]), (-1.0, slopes[1])]
                .map(|(side, slope)| DVec2::new(side * slope, 1.0).normalize().dot(place))
                .into_iter()
                .fold(f64::INFINITY, f64::min),
            Room::Bowl(round) => round - place.distance(DVec2::new(0.0, round)),
        };
        radius - room
    }

    /// The height from which discs fall, and how far to the sides.
    pub(super) fn door(self, top: f64) -> [f64; 2] {
        match self {
            Room::Box(half) | Room::Pit(half) => [half, top + 2.0],
            Room::Vee(slopes) => [0.5 * (top + 2.0) / slopes[0].max(slopes[1]), top + 2.0],
            Room::Bowl(radius) => [0.5 * radius, (top + 1.0).min(1.2 * radius)],
        }
    }
}

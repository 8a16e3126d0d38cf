use crate::Circle;
use carom_math::DVec2;

/// Where discs are sought: see [`Scheduler::search`](crate::Scheduler::search). Closed sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Zone {
    /// A disc.
    Circle(Circle),
    /// A rectangle along the axes.
    Box {
        /// Its lower left corner.
        min: DVec2,
        /// Its upper right corner.
        max: DVec2,
    },
    /// What a disc moves over, or a ray, of radius 0.
    Path {
        /// Where it starts.
        circle: Circle,
        /// A unit vector.
        direction: DVec2,
        /// How far it moves; may be infinite.
        length: f64,
    },
}

use super::{Body, Physics, State};
use carom_math::sqrt;
use glam::DVec2;

/// By how much of its velocity friction is taken to have stopped a disc: far more than rounding leaves of it
/// at the end of `|v|/(μ g)` seconds.
const STOPPED: f64 = 1e-9;

/// What becomes of the motion of a disc that others press on: see [`Physics::grip`].
pub(crate) trait Gripped: Physics {
    /// Its next change of motion in a piece that has the acceleration `bent`: all but the stop by friction,
    /// for which the cluster decides when it comes.
    fn next_change_in_cluster(
        &self,
        body: &Body<Self::Body>,
        state: &State<Self::Extra>,
        bent: DVec2,
    ) -> Option<(f64, Self::Change)> {
        let (dt, change) = self.next_change_held(body, state, bent)?;
        let stop = state.velocity + self.acceleration(body, state) * dt;
        let least = STOPPED * STOPPED * state.velocity.length_squared();
        let is_stop = state.velocity != DVec2::ZERO && stop.length_squared() <= least;
        (!is_stop || self.grip(body, state).is_none()).then_some((dt, change))
    }

    /// The mean acceleration, without contacts, over a piece in the cluster of `lasts` seconds that has the
    /// acceleration `bent`: friction is against the way from the piece's beginning to its end.
    fn acceleration_in_cluster(
        &self,
        body: &Body<Self::Body>,
        state: &State<Self::Extra>,
        bent: DVec2,
        lasts: f64,
    ) -> DVec2 {
        let Some(grip) = self.grip(body, state) else { return self.acceleration(body, state) };
        let way = match state.velocity {
            DVec2::ZERO => bent,
            velocity if lasts < f64::INFINITY => velocity + bent * (0.5 * lasts),
            velocity => velocity,
        };
        let size = sqrt(way.length_squared());
        if size > 0.0 { grip.pull - way * (grip.most / size) } else { grip.pull }
    }
}

impl<P: Physics> Gripped for P {}

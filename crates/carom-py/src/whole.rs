//! A disc with all that any of the physics knows of it.

use carom_engine::{Disc, DiscForces, RoughDisc, Spin};

/// A disc with forces and spin.
pub(crate) type Whole = Disc<RoughDisc<DiscForces>, Spin>;

/// The same disc in another physics.
pub(crate) fn recast<B: Default, X: Default, C, Y>(disc: Disc<C, Y>, body: B, extra: X) -> Disc<B, X> {
    let mut cast = Disc::new(disc.position, disc.radius).with_body(body).with_extra(extra);
    cast.velocity = disc.velocity;
    cast.mass = disc.mass;
    cast.restitution = disc.restitution;
    cast.user_data = disc.user_data;
    cast.overlap = disc.overlap;
    cast.rules = disc.rules;
    cast.sensor = disc.sensor;
    cast.kinematic = disc.kinematic;
    cast.max_speed = disc.max_speed;
    cast
}

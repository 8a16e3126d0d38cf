//! Discs and their rules as numbers.

use carom_engine::{DVec2, Disc, DiscForces, Error, Rules};

/// Bits of the number `flags` of a disc.
pub(crate) mod flags {
    pub(crate) const OVERLAP: u32 = 1;
    pub(crate) const SENSOR: u32 = 2;
    pub(crate) const KINEMATIC: u32 = 4;
    pub(crate) const ENABLED: u32 = 8;
}

/// A disc in numbers: position, radius, velocity, mass, restitution, user data, membership, mask, team,
/// flags, largest speed, acceleration, scale of gravity, friction, limit of the speed.
pub(crate) const DISC_NUMBERS: usize = 18;

/// The disc of these numbers, with what its physics knows of the forces on it.
pub(crate) fn disc<B: Copy + Default>(
    numbers: &[f64; DISC_NUMBERS],
    body: impl FnOnce(DiscForces) -> Result<B, Error>,
) -> Result<Disc<B, ()>, Error> {
    let [x, y, radius, vx, vy, mass, restitution, user_data, membership, mask, team, bits, max_speed, ..] =
        *numbers;
    let [.., ax, ay, gravity_scale, friction, speed_limit] = *numbers;
    let forces = DiscForces { acceleration: DVec2::new(ax, ay), gravity_scale, friction, speed_limit };
    let bits = bits as u32;
    let rules = rules(membership, mask, team);
    let mut disc = Disc::<(), ()>::new([x, y], radius).with_velocity([vx, vy]).with_mass(mass);
    if bits & flags::KINEMATIC != 0 {
        disc = disc.kinematic();
    }
    if bits & flags::SENSOR != 0 {
        disc = disc.with_sensor();
    }
    if bits & flags::OVERLAP != 0 {
        disc = disc.with_overlap();
    }
    disc = disc.with_restitution(restitution).with_user_data(user_data as u64).with_rules(rules);
    disc = disc.with_max_speed(max_speed);
    let mut whole = Disc::<B, ()>::new(disc.position, disc.radius);
    whole.velocity = disc.velocity;
    whole.mass = disc.mass;
    whole.restitution = disc.restitution;
    whole.user_data = disc.user_data;
    whole.overlap = disc.overlap;
    whole.rules = disc.rules;
    whole.sensor = disc.sensor;
    whole.kinematic = disc.kinematic;
    whole.max_speed = disc.max_speed;
    Ok(whole.with_body(body(forces)?))
}

/// What a disc, wall or region collides with.
pub(crate) fn rules(membership: f64, mask: f64, team: f64) -> Rules {
    Rules::new().with_membership(membership as u32).with_mask(mask as u32).with_team(team as u32)
}

//! Discs, their rules and surfaces as numbers.

use crate::refused::Refused;
use carom_engine::{DVec2, DiscForces, RoughDisc, Roughness, Rules, Spin};
use carom_scene::verdicts::Whole;

/// Bits of the number `flags` of a disc.
pub(crate) mod flags {
    pub(crate) const OVERLAP: u32 = 1;
    pub(crate) const SENSOR: u32 = 2;
    pub(crate) const KINEMATIC: u32 = 4;
    pub(crate) const ENABLED: u32 = 8;
    /// It has a roughness of its own.
    pub(crate) const ROUGH: u32 = 16;
}

/// A disc in numbers: position, radius, velocity, mass, restitution, user data, membership, mask, team,
/// flags, largest speed, acceleration, scale of gravity, friction, limit of the speed, angle, angular
/// velocity, inertia, roughness.
pub(crate) const DISC_NUMBERS: usize = 24;

/// The disc of these numbers.
pub(crate) fn disc(numbers: &[f64; DISC_NUMBERS]) -> Result<Whole, Refused> {
    let [x, y, radius, vx, vy, mass, restitution, user_data, membership, mask, team, bits, max_speed, ..] =
        *numbers;
    let [.., ax, ay, gravity_scale, friction, speed_limit, angle, spin, inertia, rub, back, rolling] =
        *numbers;
    let own = DiscForces { acceleration: DVec2::new(ax, ay), gravity_scale, friction, speed_limit };
    let bits = bits as u32;
    let roughness = own_roughness(bits & flags::ROUGH != 0, [rub, back, rolling])?;
    let mut disc = Whole::new([x, y], radius).with_velocity([vx, vy]).with_mass(mass);
    if bits & flags::KINEMATIC != 0 {
        disc = disc.kinematic();
    }
    if bits & flags::SENSOR != 0 {
        disc = disc.with_sensor();
    }
    if bits & flags::OVERLAP != 0 {
        disc = disc.with_overlap();
    }
    disc = disc.with_restitution(restitution).with_user_data(user_data as u64);
    disc = disc.with_rules(rules(membership, mask, team)).with_max_speed(max_speed);
    let body = RoughDisc { inertia, roughness, own };
    Ok(disc.with_body(body).with_extra(Spin::new(spin).with_angle(angle)))
}

/// What a disc, wall or region collides with.
pub(crate) fn rules(membership: f64, mask: f64, team: f64) -> Rules {
    Rules::new().with_membership(membership as u32).with_mask(mask as u32).with_team(team as u32)
}

/// A roughness by its numbers: friction, tangential restitution and rolling resistance.
pub(crate) fn roughness(field: &str, numbers: [f64; 3]) -> Result<Roughness, Refused> {
    let [friction, tangential, rolling] = numbers;
    let made = Roughness::new(friction, tangential).and_then(|made| made.with_rolling_resistance(rolling));
    made.map_err(|error| Refused::from(error).within(field))
}

/// That of a disc or wall, if it has one of its own.
pub(crate) fn own_roughness(is_own: bool, numbers: [f64; 3]) -> Result<Option<Roughness>, Refused> {
    is_own.then(|| roughness("roughness", numbers)).transpose()
}

/// The numbers of a roughness.
pub(crate) fn roughness_numbers(own: Roughness) -> [f64; 3] {
    [own.friction(), own.tangential_restitution(), own.rolling_resistance()]
}

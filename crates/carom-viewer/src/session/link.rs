//! The result of a world, by which who opens a link to it sees whether the run is the same there.

use super::worlds::{AnyWorld, WorldRef};
use carom_engine::Time;

/// What a link begins with: the version of its form.
pub(super) const PREFIX: &str = "c1.";

/// How far the run goes: events, or seconds if there are fewer in them.
pub(super) const RESULT: (u64, f64) = (200, 1000.0);

/// The hash of where a world gets to.
pub(super) fn result(mut world: AnyWorld) -> u64 {
    world.run_on(RESULT.0, RESULT.1);
    hash(world.read())
}

/// FNV-1a of the time, and of position and velocity of each disc, and of how it turns, if it does.
pub(super) fn hash(world: WorldRef<'_>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |bits: u64| {
        for byte in bits.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    let now: Time = world.now();
    take(now.epoch_start().to_bits());
    take(now.offset().to_bits());
    for disc in world.discs() {
        let (position, velocity) = (disc.position(), disc.velocity());
        [position.x, position.y, velocity.x, velocity.y].map(f64::to_bits).into_iter().for_each(&mut take);
        if let Some(spin) = disc.spin() {
            [spin.angle, spin.angular_velocity].map(f64::to_bits).into_iter().for_each(&mut take);
        }
    }
    hash
}

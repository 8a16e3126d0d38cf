//! What links are made of: a scene, and the hash of its result.

use super::worlds::{AnyWorld, WorldRef};
use crate::base64::decoded;
use carom_engine::Time;

/// What a link begins with: the version of its form.
pub(super) const PREFIX: &str = "c1.";

/// How far a run goes of which a link tells the result: events, or seconds if there are fewer in them.
const RESULT: (u64, f64) = (200, 1000.0);

/// What a link tells, and what comes of it here: hashes of the time and of all states after
/// [`Promise::EVENTS`] events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    /// That of where the link was made.
    pub there: u64,
    /// That of the same run here.
    pub here: u64,
}

impl Promise {
    /// How many events the run has, or fewer if they end, or no more come in 1000 s.
    pub const EVENTS: u64 = RESULT.0;

    /// Whether the run ends here as it did there, to the last bit.
    #[must_use]
    pub fn is_kept(self) -> bool {
        self.there == self.here
    }
}

/// The hash of where a world gets to.
pub(super) fn result(mut world: AnyWorld) -> u64 {
    world.run_on(RESULT.0, RESULT.1);
    hash(world.read())
}

/// What follows the prefix of a link, as the text of a scene and the result that it tells, if it does.
pub(super) fn linked(payload: &str) -> Result<(String, Option<u64>), String> {
    let (payload, result) = match payload.split_once('.') {
        Some((payload, digits)) => {
            let is_whole = digits.len() == 16;
            let result = u64::from_str_radix(digits, 16).ok().filter(|_| is_whole);
            (payload, Some(result.ok_or("the link is broken: its end is missing")?))
        }
        None => (payload, None),
    };
    let text = decoded(payload).ok_or("the link is broken: it is not what was shared")?;
    Ok((text, result))
}

/// FNV-1a of the time, and of position and velocity of each disc.
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
    }
    hash
}

//! The oracle that cannot go wrong: every pair and every solo event computed again, one by one, from the
//! stored states. It never asks for whole rows, so it checks the sweeps as well.

use carom_engine::broadphase::{EventKey, Kind, Scheduled};
use carom_engine::{Physics, Time, World};

/// The event with the smallest key, by definition the next; `None` if there is none up to `limit`.
///
/// # Panics
/// If the time of a pair depends on the order of the two.
pub fn next<P: Physics>(world: &World<P>, limit: Time) -> Option<Scheduled> {
    let alone: Vec<_> = world.ids().map(|id| (id.slot(), world.solo_event(id.slot()))).collect();
    let mut due = Vec::new();
    for (i, &(b, (solo, serial_b))) in alone.iter().enumerate() {
        let event = Scheduled { time: solo.time, kind: solo.kind, a: b, b, tag: solo.tag };
        due.push((EventKey::new(solo.time, solo.kind, serial_b, serial_b), event));
        for &(a, (_, serial_a)) in &alone[..i] {
            let time = world.pair_time(a, b);
            assert_eq!(time, world.pair_time(b, a), "pair ({a}, {b}) is not symmetric");
            let event = Scheduled { time, kind: Kind::Impact, a: a.min(b), b: a.max(b), tag: 0 };
            due.push((EventKey::new(time, Kind::Impact, serial_a, serial_b), event));
        }
    }
    let (_, first) = due.into_iter().min_by_key(|(key, _)| *key)?;
    (first.time != Time::NEVER && first.time <= limit).then_some(first)
}

/// Fails if the schedule has another next event than the rescan.
pub fn check<P: Physics>(world: &mut World<P>) {
    world.look(|world| {
        let (scheduled, limit) = world.scheduled();
        assert_eq!(scheduled, next(world, limit), "scheduled, and by the rescan, at {:?}", world.now());
    });
}

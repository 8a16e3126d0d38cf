//! The present, the clocks and the timers.

use super::edit::all::scale;
use super::token::{GuardedCommon, GuardedStore, Open};
use super::write::store_state;
use crate::drag::power_of_two;
use crate::ledger::Book;
use crate::sense::Planned;
use crate::sink::Sink;
use crate::state::stamp::Stamp;
use crate::state::timers::TimerOf;
use crate::store::Common;
use crate::{Event, Physics, TimerId};
use carom_broadphase::{Scheduled, SchedulerCounters, Slot};
use carom_math::Time;

/// Where the event loop begins, or goes on after a timer: notes what limits it, and makes true ones of the
/// entries in the ledger.
#[inline(always)]
pub(crate) fn begin_stretch<P: Physics>(store: &mut GuardedStore<P>) {
    let store = store.open();
    store.note_growth_limit();
    store.settle_energy();
}

/// Makes a time of the schedule the present.
#[inline(always)]
pub(crate) fn go_to(mut store: GuardedCommon<'_>, time: Time) {
    debug_assert!(time >= store.now, "{time:?} lies in the past of {:?}", store.now);
    store.open().now = time;
}

/// Counts events that have been resolved.
#[inline(always)]
pub(crate) fn count_events(mut store: GuardedCommon<'_>, events: u64) {
    store.open().counters.events += events;
}

/// Adds a timer.
pub(crate) fn add_timer<P: Physics>(store: &mut GuardedStore<P>, time: Time, timer: TimerOf<P>) -> TimerId {
    let store = store.open();
    store.edited();
    TimerId(store.timers.add(time, timer).1)
}

/// Takes a timer back; whether it was there.
pub(crate) fn cancel_timer<P: Physics>(store: &mut GuardedStore<P>, timer: TimerId) -> bool {
    let store = store.open();
    store.edited();
    store.timers.remove_number(timer.0)
}

/// Takes the timer that is due.
pub(crate) fn take_timer<P: Physics>(store: &mut GuardedStore<P>) -> Option<((Time, u64), TimerOf<P>)> {
    let store = store.open();
    let taken = store.timers.take_first()?;
    store.edited();
    Some(taken)
}

/// Takes a stop that waits for time to go on.
pub(crate) fn take_stop<P: Physics>(store: &mut GuardedStore<P>, stop: (Time, u64)) -> Option<TimerOf<P>> {
    store.open().timers.take_stop(stop)
}

/// Notes that nothing else is due at the present before what has arrived stops.
pub(crate) fn note_quiet<P: Physics>(store: &mut GuardedStore<P>) {
    let store = store.open();
    let now = store.true_now();
    store.timers.note_quiet(now);
}

/// The next crossing, if it comes before an event that is due and not after a time.
#[inline(always)]
pub(crate) fn next_crossing(
    mut store: GuardedCommon<'_>,
    due: Option<Scheduled>,
    until: Time,
) -> Option<Planned> {
    store.open().sensing.as_mut().and_then(|sensing| sensing.due(due, until))
}

/// Has a disc cross the border of a region, and reports it.
#[cold]
pub(crate) fn cross<P: Physics, K: Sink<P>>(store: &mut GuardedStore<P>, planned: &Planned, sink: &mut K) {
    go_to(store.common(), planned.time);
    let store = store.open();
    store.edited();
    let crossing = store.begin_sensing(|sensing, flights| sensing.cross(flights, planned));
    if let Some(crossing) = crossing.filter(|_| K::ACTIVE) {
        _ = sink.event(&if planned.enters { Event::Entered(crossing) } else { Event::Left(crossing) });
    }
}

/// Reports the crossings that edits have brought about.
#[inline(always)]
pub(crate) fn report_crossings<P: Physics, K: Sink<P>>(store: &mut GuardedStore<P>, sink: &mut K) {
    if let Some(sensing) = &mut store.open().sensing {
        sensing.report(sink);
    }
}

/// Makes a true time the present, beside a time of the slow clock.
pub(crate) fn set_true_now(mut store: GuardedCommon<'_>, time: Time) {
    store.open().set_true_now(time);
}

/// Makes true ones of the entries in the ledger, all of the present.
pub(crate) fn settle_energy(mut store: GuardedCommon<'_>) {
    store.open().settle_energy();
}

/// Half-lives after which the slow clock begins anew, at the next event or edit that depends on it: then
/// velocities on it are 2³² times the true ones, and its moments 2⁻⁶¹ lifetimes apart or less.
const OLD: u64 = 32;

/// Whether a slow clock has run down so far that it is to be [renewed](renew_clock), and by how many
/// half-lives.
fn is_old(store: &Common) -> Option<(u64, u64)> {
    let drag = store.drag()?;
    if (drag.pacing.clock.half_lives(store.now) as u64) < OLD {
        return None;
    }
    let base = drag.pacing.clock.true_half_lives(drag.now);
    let over = base.saturating_sub(drag.pacing.base);
    (over >= OLD).then_some((base, over))
}

/// Begins a slow clock anew that is old, with velocities that are larger by what it has run down. Returns
/// whether it has; then the schedule begins anew, too, and what the one in use has counted is kept.
pub(crate) fn renew_clock<P: Physics>(store: &mut GuardedStore<P>, counted: SchedulerCounters) -> bool {
    let Some((base, over)) = is_old(store) else { return false };
    let store = store.open();
    store.settle_energy();
    // Beyond 1000 half-lives nothing is left of any velocity.
    let factor = if over > 1000 { 0.0 } else { 1.0 / power_of_two(over as usize) };
    scale(store, factor);
    // No velocity has changed but on this clock.
    store.book = Book::default();
    let Common { drag: Some(drag), now, .. } = &mut store.common else { return false };
    drag.pacing.base = base;
    *now = drag.pacing.slow_time(drag.now);
    drag.count(counted);
    let pace = drag.pacing.pace(*now, drag.now);
    drag.energy = drag.energy.rescaled(factor, pace * pace);
    for slot in 0..store.bodies.slots() as Slot {
        if store.bodies.is_live(slot) {
            let state = store.state(slot);
            store_state(store, slot, &state, Stamp::NONE);
        }
    }
    let now = store.now;
    store.bodies.contacts.begin(now);
    store.walls.begin(now);
    true
}

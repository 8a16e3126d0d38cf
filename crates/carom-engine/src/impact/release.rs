//! When bodies that have given way go on: see [`CrushRule`](crate::CrushRule) and
//! [`ContactRecords`](crate::state::contacts::ContactRecords).

use super::fade::fade_wall_memory;
use super::write::{store_state, unsettle};
use crate::physics::Reach;
use crate::predict::StatePredictor;
use crate::sink::Sink;
use crate::state::contacts::{Blocked, Passing, PassingWall};
use crate::state::stamp::Stamp;
use crate::store::Store;
use crate::touch::{CLUSTER, magnitude};
use crate::walls::parting;
use crate::{Event, Physics};
use carom_broadphase::Slot;
use carom_math::toi::{Memory, Side, bent};
use carom_math::tolerance::touch_slack;
use carom_math::{Circle, DVec2, Time, sqrt};

/// A body takes up the velocity that it had, or a disc has parted from what it passes through.
pub(super) fn resolve_release<P: Physics, K: Sink<P>>(store: &mut Store<P>, slot: Slot, sink: &mut K) {
    let now = store.now;
    if store.is_held(slot) {
        unsettle(store, slot);
    }
    let mut state = store.state_now(slot);
    end_due_passing(store, slot);
    let contacts = &mut store.bodies.contacts;
    let is_released = contacts.blocked.iter().position(|record| record.body == slot && record.end <= now);
    if let Some(k) = is_released {
        state.velocity = contacts.remove(k);
    }
    // What is held to it is settled again, beside its new velocity.
    if store.is_held(slot) {
        unsettle(store, slot);
    }
    // Of a disc that has parted the state is stored anew, too: seen from one within what it passed
    // through, the two would meet.
    fade_wall_memory(store, slot);
    store_state(store, slot, &state, Stamp::NONE);
    store.mark(slot);
    if K::ACTIVE && is_released.is_some() {
        let _ =
            sink.event(&Event::Released { time: now, body: store.bodies.id(slot), velocity: state.velocity });
    }
}

/// Ends what passes of a disc through others and through walls is over.
fn end_due_passing<P: Physics>(store: &mut Store<P>, slot: Slot) {
    for k in (0..store.bodies.contacts.passing.len()).rev() {
        let record = store.bodies.contacts.passing[k];
        if record.disc == slot && record.end <= store.now {
            store.bodies.contacts.passing.remove(k);
            store.mark(record.through);
        }
    }
    let now = store.now;
    store.bodies.contacts.passing_walls.retain(|record| record.disc != slot || record.end > now);
}

/// Forgets a disc that goes, or that others will feel in another way.
pub(crate) fn forget_contacts<P: Physics>(store: &mut Store<P>, slot: Slot) {
    if !store.bodies.contacts.is_without_releases() {
        for k in 0..store.bodies.contacts.blocked.len() {
            if store.bodies.contacts.blocked[k].names(slot) {
                store.mark(store.bodies.contacts.blocked[k].body);
            }
        }
        end_contacts_by_place(store, slot);
        store.bodies.contacts.forget(slot);
    }
}

/// Ends what a disc passes over, and lets bodies that it was in the way of try again, as it is put
/// elsewhere or has another size. A tracer whose passing ends so is scheduled again.
pub(crate) fn end_contacts_by_place<P: Physics>(store: &mut Store<P>, slot: Slot) {
    for k in 0..store.bodies.contacts.passing.len() {
        let record = store.bodies.contacts.passing[k];
        if record.names(slot) {
            store.mark(record.disc);
        }
    }
    store.bodies.contacts.end_by_place(slot);
}

/// As `end_contacts_by_place`, as a disc is given other rules, which do not end what passes through
/// another until they have parted. The passing over a tracer ends if the state is rewritten: if not, the
/// two have met in the past.
pub(crate) fn end_contacts_by_rules<P: Physics>(store: &mut Store<P>, slot: Slot, is_rewritten: bool) {
    for k in 0..store.bodies.contacts.passing.len() {
        let record = store.bodies.contacts.passing[k];
        if record.names(slot) {
            store.mark(record.disc);
            store.mark(record.through);
        }
    }
    store.bodies.contacts.end_by_rules(slot, is_rewritten);
}

/// Lets all bodies that have given way try again, as a wall goes.
pub(crate) fn free_blocked<P: Physics>(store: &mut Store<P>) {
    store.bodies.contacts.end_by_wall();
    for k in 0..store.bodies.contacts.blocked.len() {
        store.mark(store.bodies.contacts.blocked[k].body);
    }
}

/// Brings the ends of records up to date whose discs have changed, and marks those that they are the
/// solo events of.
#[cold]
pub(crate) fn refresh_contacts<P: Physics>(store: &mut Store<P>) {
    store.dirty.sort_unstable();
    let mut contacts = core::mem::take(&mut store.bodies.contacts);
    let mut changed = core::mem::take(&mut contacts.scratch.changed);
    changed.clear();
    let is_dirty = |slot: Slot| store.dirty.binary_search(&slot).is_ok();
    for record in contacts.blocked.iter_mut().filter(|record| !record.is_over) {
        if record.is_free || store.dirty.iter().any(|&slot| record.names(slot)) {
            refresh_blocked(store, record);
            changed.push(record.body);
        }
    }
    for record in &mut contacts.passing {
        if is_dirty(record.disc) || is_dirty(record.through) {
            record.end = end_of_passing(store, record);
            changed.push(record.disc);
        }
    }
    for record in &mut contacts.passing_walls {
        if is_dirty(record.disc) {
            record.end = end_of_passing_wall(store, record);
            changed.push(record.disc);
        }
    }
    contacts.remove_if(|record| record.is_over && record.since != store.now);
    store.dirty.extend_from_slice(&changed);
    contacts.scratch.changed = changed;
    store.bodies.contacts = contacts;
}

fn refresh_blocked<P: Physics>(store: &Store<P>, record: &mut Blocked) {
    let time = store.bodies.time(record.body);
    if store.bodies.record(record.body).velocity() != record.given {
        // A wall, or a call, has given it another velocity.
        (record.is_over, record.since, record.end) = (true, time, Time::NEVER);
        return;
    }
    if record.is_free {
        record.end = store.now;
        return;
    }
    let links = record.links.iter().map(|&link| end_of_link(store, link, record));
    let moved =
        record.jaws.iter().filter(|&&(jaw, velocity)| store.bodies.record(jaw).velocity() != velocity);
    let jaws = moved.map(|&(jaw, _)| store.bodies.time(jaw).latest(record.since));
    record.end = links.chain(jaws).min().unwrap_or(Time::NEVER);
}

/// When the second disc of a link is no longer in the way of the first: when the first one, at the
/// velocity that the body wants, would not approach it. `(V − v_b)·(x_b − x_a)` is linear in time.
fn end_of_link<P: Physics>(store: &Store<P>, [a, b]: [Slot; 2], record: &Blocked) -> Time {
    let base = record.since.latest(store.bodies.time(a)).latest(store.bodies.time(b));
    let (d, of_a, of_b) = apart_at(store, a, b, base);
    let closing = record.wanted - of_b;
    let (now, change) = (closing.dot(d), closing.dot(of_b - of_a));
    if now <= 0.0 {
        base
    } else if change < 0.0 {
        store.clock.after(base, -now / change)
    } else {
        Time::NEVER
    }
}

/// When two discs that pass through each other have parted: when their distance is that of contact, and
/// grows.
pub(crate) fn end_of_passing<P: Physics>(store: &Store<P>, record: &Passing) -> Time {
    let (a, b) = (record.disc, record.through);
    let base = record.since.latest(store.bodies.time(a)).latest(store.bodies.time(b));
    let (d, of_a, of_b) = apart_at(store, a, b, base);
    let mut reach = store.physics.reach(store.bodies.radius_at(a, base), store.bodies.radius_at(b, base));
    if record.is_judged {
        // Where they still touch they would be in each other's impacts.
        let [at_a, at_b] = [a, b].map(|slot| magnitude(store.bodies.motion_at(slot, base).position));
        reach += 2.0 * CLUSTER * touch_slack(at_a.max(at_b).max(reach));
    }
    let v = of_b - of_a;
    if P::ACCELERATED {
        let acceleration = store.bodies.bend(b).acceleration - store.bodies.bend(a).acceleration;
        let path = bent::Motion { position: d, velocity: v, acceleration, radius: 0.0 };
        let circle = Circle { center: DVec2::ZERO, radius: reach };
        // At the instant at which they touch, and only their accelerations may bring them closer.
        let memory = if base == record.since { Memory::Met(Side::Back) } else { Memory::None };
        let parts = bent::disc_circle_inside(&path, &circle, memory, f64::INFINITY);
        return parts.map_or(Time::NEVER, |dt| store.clock.after(base, dt));
    }
    let (speed2, along) = (v.length_squared(), d.dot(v));
    let outside = d.length_squared() - reach * reach;
    let disc = along * along - speed2 * outside;
    if outside >= 0.0 && (along >= 0.0 || disc < 0.0) {
        return base;
    }
    let root = sqrt(disc.max(0.0));
    let dt = if along > 0.0 { -outside / (along + root) } else { (root - along) / speed2 };
    if dt.is_finite() { store.clock.after(base, dt.max(0.0)) } else { Time::NEVER }
}

/// When a disc that passes through a wall has parted from it.
fn end_of_passing_wall<P: Physics>(store: &Store<P>, record: &PassingWall) -> Time {
    let slot = record.disc;
    let facets = store.walls.facets_of(record.wall);
    // Of a wall the parts change as it begins to turn or to move, and as it ceases to.
    let put_up = facets.first().map_or(record.since, |facet| facet.since);
    let base = record.since.latest(store.bodies.time(slot)).latest(put_up);
    let (mut path, lasts) = StatePredictor::of(store).parabola(slot, base);
    let mut until = if P::ACCELERATED { lasts } else { f64::INFINITY };
    if let Some(facet) = facets.first() {
        (path, until) = (facet.path_seen(&path, base), facet.until(until, base));
    }
    // Where it still touches one of them, that would be in its impacts.
    let slack = facets.iter().map(|facet| facet.slack(&path.straight())).fold(0.0, f64::max);
    path.radius += 2.0 * CLUSTER * slack;
    let parts = parting::parts(facets, &path, until);
    if parts < f64::INFINITY { store.clock.after(base, parts) } else { Time::NEVER }
}

/// From the first disc to the second at a time, and their velocities.
fn apart_at<P: Physics>(store: &Store<P>, a: Slot, b: Slot, time: Time) -> (DVec2, DVec2, DVec2) {
    let [of_a, of_b] = [a, b].map(|slot| store.bodies.motion_at(slot, time));
    (store.bodies.periods.nearest(of_b.position - of_a.position), of_a.velocity, of_b.velocity)
}

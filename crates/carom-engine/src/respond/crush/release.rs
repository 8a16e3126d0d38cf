//! When bodies that have given way go on, and when what passes through another has parted from it.

use crate::physics::ReachOf;
use crate::predict::CommonPredictor;
use crate::state::contacts::{Blocked, Passing, PassingWall};
use crate::store::Common;
use crate::touch::{CLUSTER, magnitude};
use crate::walls::parting;
use carom_broadphase::Slot;
use carom_math::toi::{Memory, Motion, Side, bent};
use carom_math::tolerance::touch_slack;
use carom_math::{Circle, DVec2, Time, sqrt};

pub(crate) fn refresh_blocked(store: &Common, record: &mut Blocked) {
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
fn end_of_link(store: &Common, [a, b]: [Slot; 2], record: &Blocked) -> Time {
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
pub(crate) fn end_of_passing(store: &Common, reach: ReachOf<'_>, record: &Passing) -> Time {
    let (a, b) = (record.disc, record.through);
    let base = record.since.latest(store.bodies.time(a)).latest(store.bodies.time(b));
    let (d, of_a, of_b) = apart_at(store, a, b, base);
    let mut reach = reach.at(store.bodies.radius_at(a, base), store.bodies.radius_at(b, base));
    if record.is_judged {
        // Where they still touch they would be in each other's impacts.
        let [at_a, at_b] = [a, b].map(|slot| magnitude(store.bodies.motion_at(slot, base).position));
        reach += 2.0 * CLUSTER * touch_slack(at_a.max(at_b).max(reach));
    }
    let v = of_b - of_a;
    if store.bodies.is_bent() {
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
pub(crate) fn end_of_passing_wall(store: &Common, record: &PassingWall) -> Time {
    let slot = record.disc;
    let facets = store.walls.facets_of(record.wall);
    // Of a wall the parts change as it begins to turn or to move, and as it ceases to.
    let put_up = facets.first().map_or(record.since, |facet| facet.since);
    let base = record.since.latest(store.bodies.time(slot)).latest(put_up);
    let (mut path, mut until) = if store.bodies.is_bent() {
        CommonPredictor::of(store).parabola(slot, base)
    } else {
        let Motion { position, velocity, radius, .. } = store.bodies.straight_motion_at(slot, base);
        (bent::Motion { position, velocity, acceleration: DVec2::ZERO, radius }, f64::INFINITY)
    };
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
fn apart_at(store: &Common, a: Slot, b: Slot, time: Time) -> (DVec2, DVec2, DVec2) {
    let [of_a, of_b] = [a, b].map(|slot| store.bodies.motion_at(slot, time));
    (store.bodies.periods.nearest(of_b.position - of_a.position), of_a.velocity, of_b.velocity)
}

//! What is stored and said of what has given way, and of what passes over a tracer.

use crate::physics::ReachOf;
use crate::respond::contact::touched;
use crate::respond::crush::pinch::{disc_contacts_of, normal_between, pinch_of, pinch_of_tracer};
use crate::respond::crush::release::end_of_passing;
use crate::sink::Sink;
use crate::state::contacts::{Blocked, Passing};
use crate::store::{Common, Store};
use crate::{Event, Physics};
use carom_math::Time;
use carom_solver::{Group, MassClass};

/// A disc is in the way of another if its direction from there is within an angle of this cosine from that
/// of approach. Nearer to a right angle it would soon be out of the way again, and the two would give way
/// and go on without end.
const IN_THE_WAY: f64 = 1.0 / 1024.0;

/// Notes which bodies of a group gave way, and over which tracers what passes; says so once. The new
/// states are stored.
pub(super) fn note_crush<P: Physics, K: Sink<P>>(store: &mut Store<P>, group: &mut Group, sink: &mut K) {
    if group.yielded.is_empty() && group.passed.is_empty() {
        return;
    }
    group.note_touching();
    let group = &*group;
    for &m in &group.yielded {
        note_blocked(store, group, m, sink);
    }
    for &(tracer, over) in &group.passed {
        let pinch = pinch_of_tracer(group, tracer, over);
        let [of_tracer, of_over] = [tracer, over].map(|m| &group.members[m]);
        let (since, end) = (store.now, Time::NEVER);
        let (disc, through) = (of_tracer.slot, of_over.slot);
        let mut record = Passing { disc, through, since, end, is_judged: false };
        record.end = end_of_passing(store, ReachOf::new(&store.physics), &record);
        store.bodies.contacts.passing.push(record);
        store.mark(record.disc);
        store.mark(record.through);
        if K::ACTIVE {
            let normal = normal_between(group, over, tracer);
            let velocity = group.velocity(over);
            let _ = sink.event(&Event::Crushed {
                time: store.now,
                body: store.bodies.id(of_tracer.slot),
                by: store.bodies.id(of_over.slot),
                against: store.partner(touched(group, pinch.against)),
                // Not −0 where they come no closer.
                impulse: (velocity - group.velocity(tracer)).dot(normal) + 0.0,
                velocity,
            });
        }
    }
}

fn note_blocked<P: Physics, K: Sink<P>>(store: &mut Store<P>, group: &Group, m: usize, sink: &mut K) {
    let body = group.members[m].slot;
    let (before, given) = (group.members[m].motion.velocity, group.velocity(m));
    let pinch = pinch_of(group, m, before - given, &mut store.bodies.contacts.scratch);
    let on = store.bodies.id(group.members[pinch.body].slot);
    let against = store.partner(touched(group, pinch.against));
    let known = store.bodies.contacts.blocked.iter().position(|record| record.body == body);
    let known = known.map(|k| store.bodies.contacts.blocked.remove(k));
    let wanted = known.as_ref().filter(|known| !known.is_over).map_or(before, |known| known.wanted);
    let is_said = known.as_ref().is_some_and(|known| {
        (known.on, known.against) == (on, against) && (!known.is_over || known.since == store.now)
    });
    let kept = known.or_else(|| store.bodies.contacts.spare());
    let kept = kept.map(|kept| (kept.links, kept.between, kept.jaws));
    let (mut links, mut between, mut jaws) = kept.unwrap_or_default();
    links.clear();
    between.clear();
    jaws.clear();
    let mut record = Blocked {
        body,
        wanted,
        given,
        on,
        against,
        since: store.now,
        is_over: false,
        is_free: false,
        links,
        between,
        jaws,
        end: Time::NEVER,
    };
    explore_jam(store, group, m, &mut record);
    // What gives way at one instant, in several groups, gives way together: else each would go on as another
    // gives way, close in again, and no time would pass.
    let now = store.now;
    for other in store.bodies.contacts.blocked.iter_mut().filter(|other| other.since == now) {
        other.jaws.iter_mut().filter(|jaw| jaw.0 == body).for_each(|jaw| jaw.1 = given);
    }
    store.bodies.contacts.blocked.push(record);
    store.mark(body);
    if K::ACTIVE && !is_said {
        let impulse = (before - given).length();
        let by = store.bodies.id(body);
        let time = store.now;
        let _ = sink.event(&Event::Crushed { time, body: on, by, against, impulse, velocity: given });
    }
}

/// Fills in what a jam consists of: all that hangs together with a body through contacts of discs of
/// finite mass.
fn explore_jam(store: &mut Common, group: &Group, m: usize, record: &mut Blocked) {
    let mut distances = core::mem::take(&mut store.bodies.contacts.scratch.distances);
    let mut queue = core::mem::take(&mut store.bodies.contacts.scratch.queue);
    distances.clear();
    distances.resize(group.members.len(), u32::MAX);
    distances[m] = 0;
    queue.clear();
    queue.push(m);
    let mut next = 0;
    while let Some(&a) = queue.get(next) {
        next += 1;
        if a != m && group.members[a].class != MassClass::Finite {
            continue;
        }
        for (_, b) in disc_contacts_of(group, a) {
            if distances[b] == u32::MAX && group.members[b].class != MassClass::Tracer {
                distances[b] = distances[a] + 1;
                queue.push(b);
            }
        }
    }
    for &a in &queue {
        let member = &group.members[a];
        match member.class {
            MassClass::Finite => record.between.push(member.slot),
            _ if a != m => record.jaws.push((member.slot, group.velocity(a))),
            _ => {}
        }
        if a != m && member.class != MassClass::Finite {
            continue;
        }
        for (normal, b) in disc_contacts_of(group, a) {
            let closing = record.wanted - group.velocity(b);
            let is_ahead = distances[b] == distances[a].saturating_add(1);
            let is_in_the_way = closing.dot(normal) > IN_THE_WAY * closing.length();
            if is_ahead && is_in_the_way && group.members[b].class == MassClass::Finite {
                record.links.push([member.slot, group.members[b].slot]);
            }
        }
    }
    record.between.sort_unstable();
    record.jaws.sort_unstable_by_key(|&(slot, _)| slot);
    record.links.sort_unstable();
    store.bodies.contacts.scratch.distances = distances;
    store.bodies.contacts.scratch.queue = queue;
}

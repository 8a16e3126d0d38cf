use crate::respond::contact::touched;
use crate::respond::release::end_of_passing;
use crate::sink::Sink;
use crate::state::contacts::{Blocked, Passing, Scratch};
use crate::store::Store;
use crate::{CrushRule, Event, Physics, StopReason};
use carom_math::{DVec2, Time};
use carom_solver::{Group, MassClass, Other};

/// A disc is in the way of another if its direction from there is within an angle of this cosine from that
/// of approach. Nearer to a right angle it would soon be out of the way again, and the two would give way
/// and go on without end.
const IN_THE_WAY: f64 = 1.0 / 1024.0;

/// What is between bodies that close in, and what is not moved by them.
struct Pinch {
    /// Member of the group that is pressed.
    body: usize,
    /// The contact with what holds it, and its member there, if that is a disc.
    against: Other,
}

/// What crushing does to a world: see [`CrushRule`].
/// Why the world stops at a group in which bodies had to give way; `Ok` if it does not.
pub(crate) fn check_crush<P: Physics>(store: &Store<P>, group: &mut Group) -> Result<(), StopReason> {
    let is_crushed = !group.yielded.is_empty() || !group.passed.is_empty();
    if store.settings.crush == CrushRule::GiveWay || !is_crushed {
        return Ok(());
    }
    group.put_in_order(|slot| store.bodies.detail(slot).serial);
    group.note_touching();
    let serial = |m: usize| store.bodies.detail(group.members[m].slot).serial;
    let lost = |m: usize| group.members[m].motion.velocity - group.velocity(m);
    let hardest = group.yielded.iter().copied().min_by(|&a, &b| {
        let by_speed = lost(b).length_squared().total_cmp(&lost(a).length_squared());
        by_speed.then(serial(a).cmp(&serial(b)))
    });
    let (by, pinch) = match (hardest, group.passed.first()) {
        (Some(m), _) => (m, pinch_of(group, m, lost(m), &mut Scratch::default())),
        (None, Some(&(tracer, over))) => (over, pinch_of_tracer(group, tracer, over)),
        (None, None) => return Ok(()),
    };
    let id = |m: usize| store.bodies.id(group.members[m].slot);
    Err(StopReason::Crushed {
        body: id(pinch.body),
        by: id(by),
        against: store.partner(touched(group, pinch.against)),
    })
}

/// Notes which bodies of a group gave way, and over which tracers what passes; says so once. The new
/// states are stored.
pub(crate) fn note_crush<P: Physics, K: Sink<P>>(store: &mut Store<P>, group: &mut Group, sink: &mut K) {
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
        record.end = end_of_passing(store, &record);
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
                impulse: (velocity - group.velocity(tracer)).dot(normal),
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
fn explore_jam<P: Physics>(store: &mut Store<P>, group: &Group, m: usize, record: &mut Blocked) {
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

fn disc_contacts_of(group: &Group, m: usize) -> impl Iterator<Item = (DVec2, usize)> + '_ {
    group.touching_of(m).filter_map(|(normal, other)| match other {
        Other::Member(b) => Some((normal, b)),
        Other::Facet(..) => None,
    })
}

fn normal_between(group: &Group, a: usize, b: usize) -> DVec2 {
    disc_contacts_of(group, a).find(|&(_, other)| other == b).map_or(DVec2::ZERO, |(normal, _)| normal)
}

/// What a body that lost this velocity presses on: the disc of finite mass most in its way, and of what
/// holds that and all that hangs together with it what is most in the way. The first in order of
/// several.
fn pinch_of(group: &Group, by: usize, lost: DVec2, scratch: &mut Scratch) -> Pinch {
    let class = MassClass::Finite;
    let in_the_way = |normal: DVec2| lost.dot(normal);
    let mut body: Option<(f64, usize)> = None;
    for (normal, b) in disc_contacts_of(group, by).filter(|&(_, b)| group.members[b].class == class) {
        if body.is_none_or(|(most, _)| in_the_way(normal) > most) {
            body = Some((in_the_way(normal), b));
        }
    }
    let body = body.map_or(by, |(_, body)| body);
    let Scratch { queue: reached, distances, .. } = scratch;
    reached.clear();
    reached.push(body);
    distances.clear();
    distances.resize(group.members.len(), u32::MAX);
    distances[body] = 0;
    let mut next = 0;
    let mut against: Option<(f64, Other)> = None;
    while let Some(&a) = reached.get(next) {
        next += 1;
        for (normal, other) in group.touching_of(a) {
            match other {
                Other::Member(b) if distances[b] == 0 => {}
                Other::Member(b) if group.members[b].class == class => {
                    distances[b] = 0;
                    reached.push(b);
                }
                Other::Member(b) if b == by || !class.yields_to(group.members[b].class) => {}
                _ if against.is_none_or(|(most, _)| in_the_way(normal) > most) => {
                    against = Some((in_the_way(normal), other));
                }
                _ => {}
            }
        }
    }
    Pinch { body, against: against.map_or(Other::Member(by), |(_, other)| other) }
}

fn pinch_of_tracer(group: &Group, tracer: usize, over: usize) -> Pinch {
    let way = normal_between(group, over, tracer);
    let mut against: Option<(f64, Other)> = None;
    for (normal, other) in group.touching_of(tracer) {
        let is_over = matches!(other, Other::Member(b) if b == over);
        if !is_over && against.is_none_or(|(most, _)| way.dot(normal) > most) {
            against = Some((way.dot(normal), other));
        }
    }
    Pinch { body: tracer, against: against.map_or(Other::Member(over), |(_, other)| other) }
}

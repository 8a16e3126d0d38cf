//! What a judge says of contacts: see [`Judge`](crate::Judge).

use crate::apply::judge::{Ruling, apply_ruling, take_commands};
use crate::apply::token::GuardedStore;
use crate::judge::{CommandKind, Encounter, Party, Refusal, Stands, Verdict, Which};
use crate::physics::Reach;
use crate::predict::{CommonPredictor, StatePredictor};
use crate::respond::contact::{
    ContactNow, answer, disc_contact, gap_at_impact, kind_of, touched, wall_contact,
};
use crate::respond::two_body::MassShares;
use crate::sink::Sink;
use crate::state::judging::Answer;
use crate::state::with::With;
use crate::store::Store;
use crate::touch::{Apart, point_between};
use crate::{Event, Partner, Passage, Physics};
use carom_broadphase::{EventTimes, Kind, Scheduled, Slot};
use carom_math::toi::Memory;
use carom_math::tolerance::touch_slack;
use carom_solver::{Group, Other};
use glam::DVec2;

/// A contact as it is judged.
struct Case {
    slots: [Slot; 2],
    with: With,
    contact: ContactNow,
    masses: MassShares,
}

/// Judges the impact that is due. Returns whether it is one.
pub(crate) fn judge_due<P: Physics, K: Sink<P>>(
    store: &mut GuardedStore<P>,
    due: &Scheduled,
    sink: &mut K,
) -> bool {
    let with = With::of(due);
    let contact = match with {
        With::Disc(_) => None,
        With::Facet(f) => {
            let motion = store.motion_at(due.a, store.now);
            let body = store.body_at(due.a, store.now);
            let gap = gap_at_impact(store, due.a, f, &motion);
            Some(wall_contact(store, due.a, f, &motion, &body, gap).of_two())
        }
    };
    let case = case(store, due.a, with, contact);
    judge(store, &case, sink)
}

/// A contact, the disc that was inserted first before the other; that with a facet is given.
fn case<P: Physics>(store: &Store<P>, a: Slot, with: With, at_wall: Option<ContactNow>) -> Case {
    match (with, at_wall) {
        (With::Disc(b), _) | (With::Facet(b), None) => {
            let slots = store.bodies.in_order([a, b]);
            let motions = slots.map(|slot| store.motion_at(slot, store.now));
            let bodies = slots.map(|slot| store.body_at(slot, store.now));
            let contact = disc_contact(store, slots, motions.each_ref(), bodies.each_ref());
            let masses = MassShares::of_discs(bodies.map(|body| body.mass));
            Case { slots, with: With::Disc(slots[1]), contact, masses }
        }
        (With::Facet(_), Some(contact)) => {
            let masses = MassShares::at_wall(store.bodies.detail(a).mass);
            Case { slots: [a; 2], with, contact, masses }
        }
    }
}

/// Asks for the verdict on a contact, and notes it. Returns whether the two bounce.
fn judge<P: Physics, K: Sink<P>>(store: &mut GuardedStore<P>, case: &Case, sink: &mut K) -> bool {
    let mut commands = take_commands(store);
    let met = encounter(store, case);
    let mut verdict = store.physics.verdict(&met, &mut commands);
    let own = met.restitution;
    let passage = Passage {
        time: met.time,
        a: store.bodies.id(case.slots[0]),
        b: met.b.body,
        user_data: [met.a.user_data, met.b.user_data],
        point: met.point,
        normal: met.normal,
        approach_speed: met.approach_speed,
    };
    if let Err(error) = verdict.check(matches!(case.with, With::Facet(_))) {
        verdict = Verdict::Bounce;
        report_refused(store, CommandKind::Verdict, error.into(), sink);
    }
    let ruling = Ruling { slots: case.slots, verdict, answer: answer_of(case, verdict, own), passage };
    apply_ruling(store, &ruling, commands, sink);
    verdict.bounces()
}

/// What a verdict says of the restitution of a contact, which is `own` without one.
fn answer_of(case: &Case, verdict: Verdict, own: f64) -> Answer {
    let approach = case.contact.approach_speed;
    let restitution = match verdict {
        Verdict::Restitution(e) => e,
        Verdict::Impulse(j) if approach > 0.0 => {
            (j / (case.masses.effective() * approach) - 1.0).clamp(0.0, f64::MAX)
        }
        _ => own,
    };
    let kick = if let Verdict::Kick(speed) = verdict { speed } else { 0.0 };
    Answer { a: case.slots[0], with: case.with, restitution, kick, bounces: verdict.bounces() }
}

fn encounter<'s, P: Physics>(
    store: &'s Store<P>,
    case: &Case,
) -> Encounter<'s, P::Body, P::Extra, P::Surface> {
    let Case { slots: [a, b], with, contact, masses } = case;
    let normal = contact.gap.normal;
    let first = disc_party(store, *a, Which::First);
    let (point, second) = match with {
        With::Disc(_) => {
            let second = disc_party(store, *b, Which::Second);
            let places = [first.position, second.position];
            (point_between(&store.bodies.periods, places, [first.radius, second.radius], normal), second)
        }
        With::Facet(f) => {
            let point = first.position + normal * first.radius;
            (point, wall_party(store, *f, point))
        }
    };
    Encounter {
        time: store.now,
        a: first,
        b: second,
        point: store.bodies.periods.wrap(point).0,
        normal,
        approach_speed: contact.approach_speed,
        restitution: contact.restitution,
        stopping_impulse: contact.approach_speed.max(0.0) * masses.effective(),
    }
}

fn disc_party<P: Physics>(
    store: &Store<P>,
    slot: Slot,
    which: Which,
) -> Party<'_, P::Body, P::Extra, P::Surface> {
    let (state, body) = (store.state_now(slot), store.body_at(slot, store.now));
    Party {
        body: Partner::Disc(body.id),
        which,
        user_data: store.bodies.user_data.get(slot),
        rules: store.bodies.rules.latest(slot),
        position: state.position,
        velocity: state.velocity,
        radius: body.radius,
        mass: body.mass,
        own: Some(body.own),
        extra: Some(state.extra),
        surface: None,
        stands: None,
    }
}

fn wall_party<P: Physics>(
    store: &Store<P>,
    f: u32,
    point: DVec2,
) -> Party<'_, P::Body, P::Extra, P::Surface> {
    let wall = store.wall_of(f);
    Party {
        body: store.partner(With::Facet(f)),
        which: Which::Second,
        user_data: wall.user_data,
        rules: wall.rules,
        position: point,
        velocity: store.surface_velocity(f, point),
        radius: 0.0,
        mass: f64::INFINITY,
        own: None,
        extra: None,
        surface: Some(&wall.surface),
        stands: Some(Stands {
            walls: &store.walls,
            slot: store.walls.facets[f as usize].wall,
            shape: &wall.shape,
            time: store.now,
        }),
    }
}

/// Judges the contacts of a group that were not judged at this event yet: those that approach, or, if it
/// `is_solved`, those that its solution has pushed. Returns whether the group must be solved again: a verdict
/// lets two bodies pass, or gives a contact another restitution than the solution has used.
pub(crate) fn judge_group<P: Physics, K: Sink<P>>(
    store: &mut GuardedStore<P>,
    due: &Scheduled,
    group: &mut Group,
    is_solved: bool,
    sink: &mut K,
) -> bool {
    if !store.physics.is_judging() {
        return false;
    }
    let speed = group.members.iter().map(|member| member.motion.velocity.abs().max_element());
    let least = touch_slack(speed.fold(0.0, f64::max));
    let serial = |m: usize| store.bodies.detail(group.members[m].slot).serial;
    let mut cases: Vec<((u64, bool, u64), usize)> = (0..group.contacts.len())
        .filter(|&c| is_to_be_judged(store, due, group, c, is_solved, least))
        .map(|c| (group.contacts[c].key(serial), c))
        .collect();
    cases.sort_unstable();
    let mut is_changed = false;
    for (_, c) in cases {
        let contact = group.contacts[c];
        let a = group.members[contact.a];
        let case = match contact.with {
            Other::Member(b) => case(store, a.slot, With::Disc(group.members[b].slot), None),
            Other::Facet(f, side) => {
                let facet = &store.walls.facets[f as usize];
                let gap = facet.gap_at_impact(&a.motion, Memory::Near(side), store.now);
                let body = store.body_at(a.slot, store.now);
                let at_wall = wall_contact(store, a.slot, f, &a.motion, &body, gap);
                case(store, a.slot, With::Facet(f), Some(at_wall))
            }
        };
        is_changed |= !judge(store, &case, sink);
        let answer = answer(store, case.slots[0], case.with);
        is_changed |=
            is_solved && answer.is_some_and(|now| now.kick > 0.0 || now.restitution != contact.restitution);
    }
    is_changed
}

fn is_to_be_judged<P: Physics>(
    store: &Store<P>,
    due: &Scheduled,
    group: &Group,
    c: usize,
    is_solved: bool,
    least: f64,
) -> bool {
    let contact = &group.contacts[c];
    let (slot, holds) = (group.members[contact.a].slot, &store.bodies.contacts.holds);
    let with = touched(group, contact.with);
    let is_held = match with {
        With::Disc(b) => holds.are_held(slot, b),
        With::Facet(f) => holds.is_held_to(slot, f),
    };
    // Where a piece of its motion ends, what is held goes on to be.
    if answer(store, slot, with).is_some() || contact.is_twin || (is_held && due.kind != Kind::Impact) {
        return false;
    }
    if is_solved {
        contact.impulse > 0.0 || (!is_held && contact.pressing.is_held)
    } else {
        group.approach_before(contact) > least && (!P::ACCELERATED || is_at(store, group, c))
    }
}

/// Whether a contact is one, and not only near.
pub(crate) fn is_at<P: Physics>(store: &Store<P>, group: &Group, c: usize) -> bool {
    let contact = &group.contacts[c];
    let a = &group.members[contact.a];
    match contact.with {
        Other::Member(b) => {
            let b = &group.members[b];
            let reach = store.physics.reach(a.motion.radius, b.motion.radius);
            let apart = Apart::new(a.motion.position, b.motion.position, &store.bodies.periods);
            kind_of(group).takes_in(&apart, reach)
                || StatePredictor::of(store).pair(a.slot, b.slot) == store.now
        }
        Other::Facet(f, side) => {
            let facet = &store.walls.facets[f as usize];
            let gap = facet.gap(&a.motion, Memory::Near(side), store.now);
            gap.is_some_and(|gap| kind_of(group).takes_in_at(gap.distance, facet.slack(&a.motion)))
                || CommonPredictor::of(store).hit_time(a.slot, f) == store.now
        }
    }
}

/// Gives the contacts of a group what was said of them.
pub(crate) fn apply_answers<P: Physics>(store: &Store<P>, group: &mut Group) {
    for c in 0..group.contacts.len() {
        let contact = group.contacts[c];
        let slot = group.members[contact.a].slot;
        if let Some(answer) = answer(store, slot, touched(group, contact.with)) {
            group.contacts[c].restitution = answer.restitution;
            group.contacts[c].added_kick = answer.kick;
        }
    }
}

pub(crate) fn report_refused<P: Physics, K: Sink<P>>(
    store: &Store<P>,
    what: CommandKind,
    reason: Refusal,
    sink: &mut K,
) {
    if K::ACTIVE {
        _ = sink.event(&Event::Refused { time: store.true_now(), what, reason });
    }
}

//! Contacts that press, and what they keep at rest: see [`Rest`](crate::Rest).
//!
//! After every event of a disc that touches something one function settles what the event touched: the
//! pieces of motion that it cut, the impacts, what the physics does, and then who presses on whom from there
//! on. See `docs/architecture.md`, "Rest".

use super::along_facet::{exits_of, round_at};
use super::contact::{ContactNow, kind_of};
use super::friction;
use super::turning::{note_friction, note_rims, stored_rim, take_spins};
use crate::ledger::energy_of_change;
use crate::physics::{Reach, ReachOf};
use crate::state::bodies::NewState;
use crate::state::contacts::{Held, HeldTo};
use crate::state::with::With;
use crate::store::{Common, Store};
use crate::touch::{Apart, magnitude};
use crate::{Physics, Rest, State};
use carom_broadphase::{Kind, Scheduled, Slot};
use carom_math::DVec2;
use carom_math::toi::{Memory, Side, squared_gap};
use carom_math::tolerance::touch_slack;
use carom_solver::{Began, Group, LeftFacet, Other, Pressing, Round};
use smallvec::SmallVec;

/// The largest rest height to which impacts raise it, as a fraction of the size.
const HIGHEST: f64 = 1e-3;

/// How high a disc rises that is not about to come to rest, as a fraction of the size.
const RISE: f64 = 0.1;

use crate::predict::NEAR;

/// Whether two discs are that near, with this distance of centres at contact.
pub(crate) fn is_near(d: DVec2, reach: f64) -> bool {
    squared_gap(d, reach) <= NEAR * reach * reach
}

/// The tag of what settles a disc that was edited.
pub(crate) const EDIT: u32 = u32::MAX;

/// Whether it is that a disc is settled that was edited.
pub(crate) fn is_of_edit(due: &Scheduled) -> bool {
    due.kind == Kind::MotionChange && due.tag == EDIT
}

/// Whether something in a group approaches that no impact is due of.
pub(crate) fn is_any_approached(group: &Group) -> bool {
    let speed = group.members.iter().map(|member| member.motion.velocity.abs().max_element());
    let least = touch_slack(speed.fold(0.0, f64::max));
    group.contacts.iter().any(|contact| group.approach_before(contact) > least)
}

/// Whether the two of an impact part so slowly that they may come to rest: with room to spare, as what
/// decides is [`bring_to_rest`]. `parting` is the speed that restitution gives them: what is
/// outside of a curve by what held contacts leave is turned inwards by more.
#[inline]
pub(crate) fn may_come_to_rest<P: Physics>(
    store: &Store<P>,
    [a, b]: [Slot; 2],
    with: With,
    [of_a, of_b]: &[NewState; 2],
    (contact, parting): (&ContactNow, f64),
) -> bool {
    let Some(rest) = &store.settings.rest else { return false };
    let pull = |slot: Slot, new_state: &NewState| {
        let State { position, velocity, .. } = new_state.state();
        let state = State { position, velocity, extra: store.state(slot).extra };
        store.physics.acceleration(&store.body(slot), &state).length()
    };
    let (mut velocity, mut pulls) = (of_a.record.velocity(), pull(a, of_a));
    let mut scale = magnitude(of_a.record.position()) + of_a.record.radius;
    let mut curvature = 0.0;
    match with {
        With::Disc(_) => {
            velocity -= of_b.record.velocity();
            pulls += pull(b, of_b);
            scale += magnitude(of_b.record.position()) + of_b.record.radius;
            curvature = 1.0 / store.physics.reach(of_a.record.radius, of_b.record.radius);
        }
        // From an arm that turns it parts faster than that.
        With::Facet(f) if store.walls.facets[f as usize].arm().is_some() => return false,
        With::Facet(f) => {
            let facet = &store.walls.facets[f as usize];
            let motion = facet.seen(&of_a.record.motion(), store.now);
            velocity = motion.velocity;
            let round = round_at(&facet.shape, contact.gap.side, &motion);
            curvature += round.map_or(0.0, |round| 1.0 / round.reach.abs());
            scale += facet.slack_at(0.0) / touch_slack(1.0);
        }
    }
    let (along, across) = (velocity.dot(contact.gap.normal), velocity.perp_dot(contact.gap.normal));
    let along = along.abs().min(parting);
    let height = 2.0 * (touch_slack(scale) + rest.height * scale);
    along * along <= 2.0 * height * (pulls + across * across * curvature)
}

/// Adds those to which a disc is held to those that may touch it.
pub(crate) fn add_held(store: &Common, slot: Slot, near: &mut SmallVec<[Slot; 16]>) {
    for held in store.bodies.contacts.holds.of(slot) {
        if let HeldTo::Disc(other) = &held.to
            && !near.contains(other)
        {
            near.push(*other);
            near.sort_unstable();
        }
    }
}

/// Notes what is to be known of the contacts of a group before its impacts, and brings what was held to
/// the present.
pub(crate) fn prepare_rest<P: Physics>(store: &Store<P>, due: &Scheduled, group: &mut Group) {
    note_pressing(store, ReachOf::new(&store.physics), due, group);
    note_held(store, group);
    note_rule(store, group);
    note_friction(store, group, |store, _, slot| store.state_now(slot).extra);
    cut_pieces(store, group);
    // Without a rule no speed is slow: what passes left to it would close in on what it touches for ever.
    if store.settings.rest.is_some() {
        group.note_rest_speeds();
    }
}

/// Notes what decides whether the contacts of a group come to rest.
fn note_pressing(store: &Common, reach: ReachOf<'_>, due: &Scheduled, group: &mut Group) {
    let holds = &store.bodies.contacts.holds;
    for c in 0..group.contacts.len() {
        let contact = group.contacts[c];
        let a = group.members[contact.a];
        let (mut pressing, takes_part) = match contact.with {
            Other::Member(b) => {
                let b = group.members[b];
                let reach = reach.at(a.motion.radius, b.motion.radius);
                let apart = Apart::new(a.motion.position, b.motion.position, &store.bodies.periods);
                let round = Round::new(apart.d, reach, false);
                let gap = round.squared_gap / (apart.d.length() + reach);
                let takes_part = kind_of(group).takes_in_gap(&apart, reach, round.squared_gap);
                (Pressing::new(apart.slack(reach), 0.5 * reach, gap, Some(round)), takes_part)
            }
            Other::Facet(f, side) => {
                let facet = &store.walls.facets[f as usize];
                let seen = facet.seen(&a.motion, store.now);
                let round = round_at(&facet.shape, side, &seen);
                let gap = facet.gap(&a.motion, Memory::Near(side), store.now);
                let gap = gap.map_or(0.0, |gap| gap.distance);
                let mut pressing = Pressing::new(facet.slack(&a.motion), a.motion.radius, gap, round);
                pressing.exits = exits_of(facet, &seen);
                pressing.is_driven = facet.arm().is_some();
                (pressing, kind_of(group).takes_in_at(gap, pressing.touch))
            }
        };
        pressing.note_held(match contact.with {
            Other::Member(b) => holds.with_disc(a.slot, group.members[b].slot),
            Other::Facet(f, _) => holds.with_facet(a.slot, f).map(|(presses, _)| presses),
        });
        pressing.is_near = !pressing.was_held && !takes_part && !is_of_due(due, &contact, group);
        group.contacts[c].pressing = pressing;
    }
}

/// Notes which members are held, their free accelerations, and the facets that they have left.
fn note_held<P: Physics>(store: &Store<P>, group: &mut Group) {
    let holds = &store.bodies.contacts.holds;
    group.left.clear();
    for m in 0..group.members.len() {
        let slot = group.members[m].slot;
        let pressing = holds.of(slot).iter().filter(|held| held.presses);
        group.left.extend(pressing.filter_map(|held| {
            let HeldTo::Facet(f, side) = held.to else { return None };
            let surface = store.walls.facets[f as usize].drift.velocity;
            Some(LeftFacet { member: m, facet: (f, side), surface, stuck: held.sticks[0] })
        }));
        group.members[m].is_held = holds.is_held(slot);
        group.set_free(m, friction::free_of(store, slot, &store.state_now(slot)));
    }
    friction::note_stops(store, group);
    let facet_of = |contact: &carom_solver::Contact| match contact.with {
        Other::Facet(f, _) => Some((contact.a, f)),
        Other::Member(_) => None,
    };
    let mut touched: SmallVec<[(usize, u32); 64]> = group.contacts.iter().filter_map(facet_of).collect();
    touched.sort_unstable();
    group.left.retain(|left| touched.binary_search(&(left.member, left.facet.0)).is_err());
}

/// Notes from what heights contacts come to rest, and how closely they are followed. Where the ground brakes
/// a member both are at least strict: a stop that is found to within a gap shows in where the disc lies.
fn note_rule(store: &Common, group: &mut Group) {
    let Some(rest) = &store.settings.rest else { return };
    let is_braked = group.members.iter().any(|member| member.grip > 0.0);
    let rest = if is_braked { rest.at_least_strict() } else { *rest };
    (group.max_gap, group.rest_height) = (rest.gap, rest.height);
    for c in 0..group.contacts.len() {
        let height = rest_height(store, &rest, &group.contacts[c], group);
        let pressing = &mut group.contacts[c].pressing;
        pressing.height = height * pressing.size;
    }
}

/// Keeps the held contacts of clusters that an event has interrupted from opening or closing, and the
/// clusters at the energy that they had when their pieces began.
fn cut_pieces<P: Physics>(store: &Store<P>, group: &mut Group) {
    let is_moving = |slot: Slot| {
        let record = store.bodies.record(slot);
        record.velocity() != DVec2::ZERO || store.bodies.bend(slot).acceleration != DVec2::ZERO
    };
    if !group.members.iter().any(|member| member.is_held && is_moving(member.slot)) {
        return;
    }
    group.keep_held(|member, frame| {
        let slot = member.slot;
        let way = frame * store.now.since(store.bodies.time(slot));
        let free = friction::free_over_piece(store, slot);
        Began {
            velocity: store.bodies.record(slot).velocity(),
            rim_speed: stored_rim(store, slot, member.motion.radius),
            work: free.dot(friction::way_of(store, member) - way),
            inertia: friction::inertia_over_piece(store, slot),
        }
    });
    for m in 0..group.members.len() {
        let velocity = group.velocity(m);
        let member = &mut group.members[m];
        if member.is_held {
            let change = energy_of_change(member.mass, member.motion.velocity, velocity);
            group.book.held.add(-change);
            member.motion.velocity = velocity;
        }
    }
}

/// Decides who presses on whom after an event, and sets velocities, accelerations and the pieces of
/// motion that follow.
pub(crate) fn bring_to_rest<P: Physics>(store: &Store<P>, group: &mut Group, after: &mut [State<P::Extra>]) {
    if store.settings.rest.is_none() {
        return;
    }
    for (m, state) in after.iter().enumerate() {
        group.set_free(m, friction::free_of(store, group.members[m].slot, state));
        group.members[m].acceleration = group.members[m].free;
        group.set_velocity(m, state.velocity);
    }
    note_rims(store, group, |_, m, _| after[m].extra);
    let slots: SmallVec<[Slot; 32]> = group.members.iter().map(|member| member.slot).collect();
    let free_at = |m: usize, velocity| friction::free_of(store, slots[m], &State { velocity, ..after[m] });
    group.come_to_rest(&free_at);
    for (m, state) in after.iter_mut().enumerate() {
        state.velocity = group.velocity(m);
        group.members[m].takes_part |= state.velocity != group.members[m].motion.velocity;
    }
    take_spins::<P>(group, after);
    for c in 0..group.contacts.len() {
        let contact = group.contacts[c];
        if contact.pressing.is_held || contact.pressing.is_settled {
            contact.ends().into_iter().flatten().for_each(|m| group.members[m].is_held = true);
        }
    }
}

/// The height from which a contact beside other slow ones comes to rest, as a fraction of its size.
///
/// It doubles with every so many impacts that its bodies have had since they last rose well above it:
/// bounces that excite those below them would else multiply with the height of a heap.
fn rest_height(store: &Common, rest: &Rest, contact: &carom_solver::Contact, group: &Group) -> f64 {
    let low_impacts = |m: usize| store.bodies.bend(group.members[m].slot).low_impacts;
    let most = contact.ends().into_iter().flatten().map(low_impacts).max().unwrap_or(0);
    let doublings = most.checked_div(rest.impacts).unwrap_or(0).min(60);
    (rest.height * (1u64 << doublings) as f64).min(rest.height.max(HIGHEST))
}

/// How many impacts each member has had since it last rose well above its rest height.
pub(crate) fn low_impacts_after(store: &Common, group: &Group) -> SmallVec<[u32; 32]> {
    if store.settings.rest.is_none() {
        return SmallVec::from_elem(0, group.members.len());
    };
    let mut flags: SmallVec<[(bool, bool); 32]> = SmallVec::from_elem((false, false), group.members.len());
    for contact in group.contacts.iter().filter(|contact| !contact.pressing.is_near) {
        let ends = || contact.ends().into_iter().flatten();
        let was_hit = contact.impulse > 0.0 && group.approach_before(contact) > contact.pressing.slow;
        let free: f64 = ends().map(|m| group.members[m].free.length()).sum();
        let rise = 2.0 * RISE * contact.pressing.size * free;
        let opening = group.opening_speed(contact);
        let is_fast = opening > 0.0 && opening * opening > rise;
        ends().for_each(|m| flags[m] = (flags[m].0 | was_hit, flags[m].1 | is_fast));
    }
    let after = |(member, (was_hit, is_fast)): (&carom_solver::Member, (bool, bool))| {
        let before = store.bodies.bend(member.slot).low_impacts;
        if is_fast { 0 } else { before.saturating_add(u32::from(was_hit)) }
    };
    group.members.iter().zip(flags).map(after).collect()
}

/// Whether a contact is the impact that is due.
fn is_of_due(due: &Scheduled, contact: &carom_solver::Contact, group: &Group) -> bool {
    let a = group.members[contact.a].slot;
    due.kind == Kind::Impact
        && match contact.with {
            Other::Member(b) => {
                let pair = [a, group.members[b].slot];
                pair == [due.a, due.b] || pair == [due.b, due.a]
            }
            Other::Facet(f, _) => due.a == due.b && due.a == a && due.tag == f,
        }
}

/// The facets that a disc is held to.
pub(crate) fn facets_of(held: &[Held]) -> impl Iterator<Item = (u32, Side)> + '_ {
    held.iter().filter(|held| held.presses).filter_map(|held| match held.to {
        HeldTo::Facet(f, side) => Some((f, side)),
        HeldTo::Disc(_) => None,
    })
}

//! Impacts of one instant that share discs, resolved together.

use super::collapse::{count_group_in_chains, has_locked_contact, rapid_impacts};
use super::contact::{approach, kind_of, touched};
use super::crush::{check_crush, note_crush};
use super::energy::enter_book_of;
use super::group_physics::{apply_own_physics, point_of, pushed, velocities_of};
use super::judge::{apply_answers, judge_group};
use super::motion_change::{change_within, report_change};
use super::responder::Responder;
use super::rest::{EDIT, add_held, bring_to_rest, hold_group, is_any_approached, let_go, prepare_rest};
use super::slide::slide_after_group;
use super::touching::{add_disc_contact, add_member, add_wall_contacts, in_contact, motion_now};
use super::write::store_in_group;
use crate::ledger::Book;
use crate::limits::within_limit;
use crate::simd::LANES;
use crate::sink::Sink;
use crate::state::stamp::{ImpactKind, Stamp};
use crate::state::wall_memory::WallMemory;
use crate::store::Store;
use crate::{Event, Impact, Physics, State, StopReason};
use carom_broadphase::{Bits, Kind, NextMeeting, Scheduled, Slot};
use carom_math::toi::Motion;
use carom_math::{DVec2, sqrt};
use carom_solver::{Group, Infeasible, Other};
use smallvec::SmallVec;

impl<P: Physics> Responder<'_, P> {
    pub(crate) fn resolve_group<K: Sink<P>>(
        &mut self,
        due: &Scheduled,
        kind: ImpactKind,
        sink: &mut K,
    ) -> Result<(), StopReason> {
        // Taken out, so that it and the world can be borrowed side by side.
        let discs = self.store.bodies.len();
        let mut group = self.scratch.group.take().unwrap_or_else(|| Box::new(Group::with_room(discs)));
        group.clear(kind == ImpactKind::Cluster);
        self.collect(due, &mut group);
        if kind == ImpactKind::Group && has_locked_contact(self.store, &group) {
            group.clear(true);
            self.collect(due, &mut group);
        }
        group.is_crushed =
            group.members.iter().any(|member| self.store.chains.is_any_spent([member.slot; 2]));
        let is_edit = due.kind == Kind::MotionChange && due.tag == EDIT;
        let result = if P::JUDGES && !is_edit && self.store.physics.is_judging() {
            self.resolve_judged(due, &mut group, sink)
        } else if is_edit && is_any_approached(&group) {
            Ok(())
        } else {
            self.resolve_collected(due, &mut group, sink).map(|_| ())
        };
        self.scratch.group = Some(group);
        result
    }

    /// Resolves a group of which the contacts are known. False, with nothing changed, if it is to be
    /// collected again without those that are none by verdict.
    fn resolve_collected<K: Sink<P>>(
        &mut self,
        due: &Scheduled,
        group: &mut Group,
        sink: &mut K,
    ) -> Result<bool, StopReason> {
        if group.contacts.is_empty() {
            let_go(self.store, due.a);
            return Ok(true);
        }
        if is_single(self.store, due, group) && self.resolve_alone(due, sink) {
            return Ok(true);
        }
        self.resolve_together(due, group, sink)
    }

    /// As `resolve_collected`, by the verdicts on the contacts: on those that approach before it, on those
    /// that others drive together as they come to push. Each is judged once, so it comes to an end.
    fn resolve_judged<K: Sink<P>>(
        &mut self,
        due: &Scheduled,
        group: &mut Group,
        sink: &mut K,
    ) -> Result<(), StopReason> {
        loop {
            if !judge_group(self.store, due, group, false, sink) {
                apply_answers(self.store, group);
                if self.resolve_collected(due, group, sink)? {
                    return Ok(());
                }
            }
            let is_crushed = group.is_crushed;
            group.clear(group.is_cluster);
            self.collect(due, group);
            group.is_crushed = is_crushed;
        }
    }

    /// As the impact of two that it is: the search for what else touches takes in more than does, and how
    /// much more depends on the scheduler. False if they may come to rest.
    fn resolve_alone<K: Sink<P>>(&mut self, due: &Scheduled, sink: &mut K) -> bool {
        self.resolve_contact::<K, false>(due, &mut [NextMeeting::UNKNOWN; 2], sink)
    }

    /// Finds all contacts at this instant that hang together with the one that is due.
    fn collect(&self, due: &Scheduled, group: &mut Group) {
        add_member(self.store, group, due.a, motion_now(self.store, due.a));
        if due.b != due.a {
            add_member(self.store, group, due.b, motion_now(self.store, due.b));
            // Not left to the search: after a long path they may be placed apart.
            add_disc_contact(self.store, group, 0, 1);
        }
        let is_pair_due = due.a != due.b;
        let mut words = core::mem::take(&mut group.words);
        words.resize((LANES * self.store.bodies.blocks().len()).div_ceil(64), 0);
        let mut m = 0;
        while m < group.members.len() {
            let mut near = self.who_may_touch(group.members[m].slot, &group.members[m].motion, &mut words);
            add_held(self.store, group.members[m].slot, &mut near);
            for slot in near {
                let known = group.member_at(slot);
                // Contacts with those before it were found from there.
                let found = known.is_some_and(|k| k <= m || (is_pair_due && k == 1 && m == 0));
                if found {
                    continue;
                }
                let motion = known.map_or_else(|| motion_now(self.store, slot), |k| group.members[k].motion);
                let member = &group.members[m];
                if in_contact(self.store, [member.slot, slot], [&member.motion, &motion], kind_of(group)) {
                    let k = known.unwrap_or_else(|| add_member(self.store, group, slot, motion));
                    add_disc_contact(self.store, group, m, k);
                }
            }
            add_wall_contacts(self.store, due, group, m);
            m += 1;
        }
        group.words = words;
    }

    /// The discs that may touch a disc now, by slot.
    fn who_may_touch(&self, slot: Slot, motion: &Motion, words: &mut [u64]) -> SmallVec<[Slot; 16]> {
        if let Some(neighbours) = self.scheduler.neighbours(slot) {
            let mut slots = SmallVec::from_slice(neighbours);
            slots.sort_unstable();
            return slots;
        }
        if !self.store.bodies.is_sweeping() {
            return self.store.bodies.live().collect();
        }
        self.predictor_now().sweep::<true>(slot, motion, words);
        slots_of(words).collect()
    }

    /// Finds the states after an impact of several contacts: passes, kicks, what the physics adds, and the
    /// look after it. Nothing is changed where there are none, and where it returns false: see
    /// `resolve_collected`.
    fn resolve_together<K: Sink<P>>(
        &mut self,
        due: &Scheduled,
        group: &mut Group,
        sink: &mut K,
    ) -> Result<bool, StopReason> {
        if P::ACCELERATED {
            prepare_rest(self.store, due, group);
        }
        group.resolve().map_err(|Infeasible| StopReason::Jammed)?;
        check_crush(self.store, group)?;
        group.note_work();
        group.kick();
        let is_driven = group.raise_openings();
        group.put_in_order(|slot| self.store.bodies.detail(slot).serial);
        let (mut before, mut after) =
            (core::mem::take(&mut self.scratch.before), core::mem::take(&mut self.scratch.after));
        before.clear();
        before.extend(group.members.iter().map(|member| self.store.state_now(member.slot)));
        after.clear();
        after.extend_from_slice(&before);
        for (m, state) in after.iter_mut().enumerate() {
            state.velocity = pushed::<P>(group, m, &before);
        }
        apply_own_physics(self.store, group, &before, &mut after);
        let change = change_within(self.store, due, group, &mut after);
        let Limited { clamped, is_deflected, book } = limit_speeds(group, &mut after);
        let mut result = Ok(());
        if is_deflected || is_driven {
            after.iter().enumerate().for_each(|(m, state)| group.set_velocity(m, state.velocity));
            result = group.look_again();
            after.iter_mut().enumerate().for_each(|(m, state)| state.velocity = group.velocity(m));
        }
        let mut stuck = Ok(());
        if P::ACCELERATED && result.is_ok() {
            bring_to_rest(self.store, group, &mut after);
            stuck = check_crush(self.store, group);
        }
        group.lower_openings();
        let is_solved = result.is_ok() && stuck.is_ok();
        let is_again =
            P::JUDGES && is_solved && due.tag != EDIT && judge_group(self.store, due, group, true, sink);
        if is_solved && !is_again {
            self.store.counters.clamped += clamped;
            report_change(self.store, change, sink);
            enter_book_of(self.store, group, book);
            write_group(self.store, due, group, &before, &after, sink);
            if P::ACCELERATED {
                hold_group(self.store, group);
            }
            note_crush(self.store, group, sink);
        }
        (self.scratch.before, self.scratch.after) = (before, after);
        result.map_err(|Infeasible| StopReason::Jammed).and(stuck).map(|()| !is_again)
    }
}

/// What came of the speeds that the physics wants for a group.
#[derive(Default)]
struct Limited {
    /// How many were too high.
    clamped: u64,
    /// Whether one is another than the group's.
    is_deflected: bool,
    book: Book,
}

/// Keeps the speeds after an impact within the limit.
fn limit_speeds<X>(group: &Group, after: &mut [State<X>]) -> Limited {
    let mut limited = Limited::default();
    for (m, state) in after.iter_mut().enumerate() {
        let (wanted, velocity, mass) = (state.velocity, group.velocity(m), group.members[m].mass);
        state.velocity = within_limit(wanted);
        limited.clamped += u64::from(wanted != state.velocity);
        limited.is_deflected |= state.velocity != velocity;
        limited.book.note_physics(mass, velocity, wanted, state.velocity);
    }
    limited
}

/// Whether a group is an impact of two, of which nothing is held.
fn is_single<P: Physics>(store: &Store<P>, due: &Scheduled, group: &Group) -> bool {
    let is_free = || due.kind == Kind::Impact && !store.is_held(due.a) && !store.is_held(due.b);
    group.contacts.len() == 1 && (!P::ACCELERATED || is_free())
}

/// Stores the new states of the members, and reports the contacts that pushed.
fn write_group<P: Physics, K: Sink<P>>(
    store: &mut Store<P>,
    due: &Scheduled,
    group: &Group,
    before: &[State<P::Extra>],
    after: &[State<P::Extra>],
    sink: &mut K,
) {
    let (number, stamp) = store.next_impact(kind_of(group));
    store.counters.groups += 1;
    store.counters.made_plastic += u64::from(group.is_cluster);
    let speed2 = |m: usize| group.velocity(m).length_squared();
    let fastest = sqrt((0..group.members.len()).map(speed2).fold(0.0, f64::max));
    for (m, state) in after.iter().enumerate() {
        let slot = group.members[m].slot;
        let takes_part = group.members[m].takes_part || group.members[m].is_held;
        if slot == due.a || slot == due.b || takes_part {
            let slid = store.bodies.contacts.held.get(slot).is_some();
            store_after_group(store, due, group, m, state, stamp);
            slide_after_group(store, group, m, slid, fastest);
        }
    }
    count_group_in_chains(store, group);
    for contact in group.contacts.iter().filter(|contact| contact.impulse > 0.0) {
        match contact.with {
            Other::Member(_) => store.counters.disc_impacts += 1,
            Other::Facet(..) => store.counters.wall_impacts += 1,
        }
        if K::ACTIVE {
            _ = sink.event(&Event::Impact(impact_of(store, number, group, contact, before, after)));
        }
    }
}

fn store_after_group<P: Physics>(
    store: &mut Store<P>,
    due: &Scheduled,
    group: &Group,
    m: usize,
    state: &State<P::Extra>,
    stamp: Stamp,
) {
    let slot = group.members[m].slot;
    let mut walls = WallMemory::EMPTY;
    // What is only near, and approaches, has not been met.
    let is_met = |contact: &&carom_solver::Contact| !contact.pressing.is_near || contact.pressing.is_settled;
    for contact in group.facet_contacts_of(m).filter(is_met) {
        if let Other::Facet(f, side) = contact.with {
            // The one that is due must be among the two remembered.
            if due.a == due.b && due.tag == f && slot == due.a {
                walls = walls.with_first(f, side);
            } else {
                walls.add(f, side);
            }
        }
    }
    let partner = match slot {
        _ if due.a == due.b => slot,
        _ if slot == due.a => due.b,
        _ if slot == due.b => due.a,
        _ => slot,
    };
    let rapid_impacts = rapid_impacts(store, slot, group.members[m].restitution);
    store.bodies.walls.set(slot, walls.just_met());
    store.bodies.set_impact(slot, partner, rapid_impacts);
    store_in_group(store, slot, state, stamp);
    store.mark(slot);
}

fn impact_of<P: Physics>(
    store: &Store<P>,
    number: u64,
    group: &Group,
    contact: &carom_solver::Contact,
    before: &[State<P::Extra>],
    after: &[State<P::Extra>],
) -> Impact {
    let (a, with) = (group.members[contact.a].slot, touched(group, contact.with));
    let [v_a, v_b] = velocities_of(contact, before);
    let point = point_of(store, group, contact, before);
    let [w_a, w_b] = velocities_of(contact, after);
    let of_surface = match contact.with {
        Other::Facet(f, _) => store.surface_velocity(f, point),
        Other::Member(_) => DVec2::ZERO,
    };
    Impact {
        time: store.now,
        group: number,
        a: store.bodies.id(a),
        b: store.partner(with),
        user_data: [store.bodies.user_data.get(a), store.user_data_of(with)],
        point: store.bodies.periods.wrap(point).0,
        normal: contact.normal,
        approach_speed: approach((v_a - v_b).dot(contact.normal), contact.growth_speed),
        impulse: contact.impulse + contact.own_impulse,
        before: [v_a, v_b + of_surface],
        after: [w_a, w_b + of_surface],
    }
}

/// The slots whose bits are set.
fn slots_of(words: &[u64]) -> impl Iterator<Item = Slot> + '_ {
    (0..).zip(words).flat_map(|(w, &word): (Slot, &u64)| Bits(word).map(move |bit| 64 * w + bit as Slot))
}

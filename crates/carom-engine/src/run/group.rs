//! Impacts of one instant that share discs, resolved together.

use super::judge::{apply_answers, judge_group};
use super::responder::Responder;
use crate::apply::group::{SolvedGroup, apply_group};
use crate::apply::rest::let_go;
use crate::respond::collapse::{has_locked_contact, stuck};
use crate::respond::contact::kind_of;
use crate::respond::crush::check_crush;
use crate::respond::group_physics::{Limited, apply_own_physics, limit_speeds, pushed};
use crate::respond::motion_change::change_within;
use crate::respond::rest::{add_held, bring_to_rest, is_any_approached, is_of_edit, prepare_rest};
use crate::respond::touching::{add_disc_contact, add_member, add_wall_contacts, in_contact, motion_now};
use crate::respond::turning::{rub_together, take_spins};
use crate::simd::LANES;
use crate::sink::Sink;
use crate::state::stamp::ImpactKind;
use crate::state::with::With;
use crate::store::Store;
use crate::{Physics, StopReason};
use carom_broadphase::{Bits, Kind, NextMeeting, Scheduled, Slot};
use carom_math::toi::Motion;
use carom_solver::{Group, Infeasible};
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
        group.stuck = stuck(self.store, &group);
        group.is_crushed =
            group.members.iter().any(|member| self.store.chains.is_any_spent([member.slot; 2]));
        let is_edit = is_of_edit(due);
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
        if group.stuck.is_none() && is_single(self.store, due, group) && self.resolve_alone(due, sink) {
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
            let (is_crushed, stuck) = (group.is_crushed, group.stuck);
            group.clear(group.is_cluster);
            self.collect(due, group);
            (group.is_crushed, group.stuck) = (is_crushed, stuck);
        }
    }

    /// As the impact of two that it is: the search for what else touches takes in more than does, and how
    /// much more depends on the scheduler. False if they may come to rest.
    fn resolve_alone<K: Sink<P>>(&mut self, due: &Scheduled, sink: &mut K) -> bool {
        let next = &mut [NextMeeting::UNKNOWN; 2];
        match With::of(due) {
            With::Disc(b) => {
                let [a, b] = self.store.bodies.in_order([due.a, b]);
                self.resolve_two::<K, false>([a, b], With::Disc(b), next, sink)
            }
            with @ With::Facet(_) => self.resolve_two::<K, false>([due.a; 2], with, next, sink),
        }
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
        check_crush(self.store, due, group)?;
        group.note_work();
        group.kick();
        let is_driven = group.raise_openings();
        group.put_in_order(|slot| self.store.bodies.detail(slot).serial);
        let (mut before, mut after) =
            (core::mem::take(&mut self.scratch.before), core::mem::take(&mut self.scratch.after));
        before.clear();
        before.extend(group.members.iter().map(|member| self.store.state_now(member.slot)));
        take_spins::<P>(group, &mut before);
        after.clear();
        after.extend_from_slice(&before);
        for (m, state) in after.iter_mut().enumerate() {
            state.velocity = pushed::<P>(group, m, &before);
        }
        let is_rubbed = rub_together(self.store, group, &mut after);
        apply_own_physics(self.store, group, (&before, is_rubbed), &mut after, &mut self.scratch.rubbing);
        let change = change_within(self.store, due, group, &mut after);
        let Limited { clamped, is_deflected, book } = limit_speeds(group, &mut after);
        let mut result = Ok(());
        if is_deflected || is_driven {
            after.iter().enumerate().for_each(|(m, state)| group.set_velocity(m, state.velocity));
            result = group.stop_approaching();
            after.iter_mut().enumerate().for_each(|(m, state)| state.velocity = group.velocity(m));
        }
        let mut stuck = Ok(());
        if P::ACCELERATED && result.is_ok() {
            bring_to_rest(self.store, group, &mut after);
            stuck = check_crush(self.store, due, group);
            if group.has_no_room {
                stuck = Err(StopReason::Jammed);
            }
        }
        group.lower_openings();
        let is_solved = result.is_ok() && stuck.is_ok();
        let is_again =
            P::JUDGES && is_solved && !is_of_edit(due) && judge_group(self.store, due, group, true, sink);
        if is_solved && !is_again {
            let solved = SolvedGroup { due, before: &before, after: &after, change, clamped, book };
            apply_group(self.store, group, solved, sink);
        }
        (self.scratch.before, self.scratch.after) = (before, after);
        result.map_err(|Infeasible| StopReason::Jammed).and(stuck).map(|()| !is_again)
    }
}

/// Whether a group is an impact of two, of which nothing is held.
fn is_single<P: Physics>(store: &Store<P>, due: &Scheduled, group: &Group) -> bool {
    let is_free = || due.kind == Kind::Impact && !store.is_held(due.a) && !store.is_held(due.b);
    group.contacts.len() == 1 && (!P::ACCELERATED || is_free())
}

/// The slots whose bits are set.
fn slots_of(words: &[u64]) -> impl Iterator<Item = Slot> + '_ {
    (0..).zip(words).flat_map(|(w, &word): (Slot, &u64)| Bits(word).map(move |bit| 64 * w + bit as Slot))
}

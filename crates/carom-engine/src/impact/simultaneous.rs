use super::contact::{With, approach, gap_at_impact, kind_of, touched};
use super::rest::{EDIT, NEAR, is_near};
use crate::ledger::Book;
use crate::limits::within_limit;
use crate::physics::Reach;
use crate::predict::with_margin;
use crate::simd::LANES;
use crate::sink::Sink;
use crate::state::contacts::HeldTo;
use crate::state::stamp::{ImpactKind, Stamp};
use crate::state::wall_memory::WallMemory;
use crate::touch::{Apart, NEARBY};
use crate::{CrushRule, Event, Impact, Physics, State, StopReason, World};
use carom_broadphase::{Bits, Circle, EventTimes, Kind, NextMeeting, Scheduled, Slot};
use carom_math::toi::{Memory, Motion};
use carom_math::{DVec2, sqrt};
use carom_solver::{Contact, Group, Infeasible, MassClass, Other};
use smallvec::SmallVec;

/// Impacts of one instant that share discs, resolved together.
impl<P: Physics> World<P> {
    pub(crate) fn resolve_group<K: Sink<P>>(
        &mut self,
        due: &Scheduled,
        kind: ImpactKind,
        sink: &mut K,
    ) -> Result<(), StopReason> {
        // Taken out, so that it and the world can be borrowed side by side.
        let discs = self.store.bodies.len();
        let mut group = self.group.take().unwrap_or_else(|| Box::new(Group::with_room(discs)));
        group.clear(kind == ImpactKind::Cluster);
        self.collect(due, &mut group);
        if kind == ImpactKind::Group && self.has_locked_contact(&group) {
            group.clear(true);
            self.collect(due, &mut group);
        }
        group.is_crushed =
            group.members.iter().any(|member| self.store.chains.is_any_spent([member.slot; 2]));
        let is_edit = due.kind == Kind::MotionChange && due.tag == EDIT;
        let result = if P::JUDGES && !is_edit && self.store.physics.is_judging() {
            self.resolve_judged(due, &mut group, sink)
        } else if is_edit && self.is_any_approached(&group) {
            Ok(())
        } else {
            self.resolve_collected(due, &mut group, sink).map(|_| ())
        };
        self.group = Some(group);
        match result {
            Err(StopReason::Jammed) if self.store.settings.crush == CrushRule::GiveWay => {
                self.make_room(sink)
            }
            _ => result,
        }
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
            self.let_go(due.a);
            return Ok(true);
        }
        if self.is_single(due, group) && self.resolve_alone(due, sink) {
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
            if !self.judge_group(due, group, false, sink) {
                self.apply_answers(group);
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

    /// Whether a group is an impact of two, of which nothing is held.
    fn is_single(&self, due: &Scheduled, group: &Group) -> bool {
        let is_free = || due.kind == Kind::Impact && !self.is_held(due.a) && !self.is_held(due.b);
        group.contacts.len() == 1 && (!P::ACCELERATED || is_free())
    }

    /// As the impact of two that it is: the search for what else touches takes in more than does, and how
    /// much more depends on the scheduler. False if they may come to rest.
    fn resolve_alone<K: Sink<P>>(&mut self, due: &Scheduled, sink: &mut K) -> bool {
        self.resolve_contact::<K, false>(due, &mut [NextMeeting::UNKNOWN; 2], sink)
    }

    /// Finds all contacts at this instant that hang together with the one that is due.
    fn collect(&self, due: &Scheduled, group: &mut Group) {
        self.add_member(group, due.a, self.motion_now(due.a));
        if due.b != due.a {
            self.add_member(group, due.b, self.motion_now(due.b));
            // Not left to the search: after a long path they may be placed apart.
            self.add_disc_contact(group, 0, 1);
        }
        let is_pair_due = due.a != due.b;
        let mut words = core::mem::take(&mut group.words);
        words.resize((LANES * self.store.bodies.blocks().len()).div_ceil(64), 0);
        let mut m = 0;
        while m < group.members.len() {
            let mut near = self.who_may_touch(group.members[m].slot, &group.members[m].motion, &mut words);
            self.add_held(group.members[m].slot, &mut near);
            for slot in near {
                let known = group.member_at(slot);
                // Contacts with those before it were found from there.
                let found = known.is_some_and(|k| k <= m || (is_pair_due && k == 1 && m == 0));
                if found {
                    continue;
                }
                let motion = known.map_or_else(|| self.motion_now(slot), |k| group.members[k].motion);
                let member = &group.members[m];
                if self.in_contact([member.slot, slot], [&member.motion, &motion], kind_of(group)) {
                    let k = known.unwrap_or_else(|| self.add_member(group, slot, motion));
                    self.add_disc_contact(group, m, k);
                }
            }
            self.add_wall_contacts(due, group, m);
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
        self.predictor().sweep::<true>(slot, motion, words);
        slots_of(words).collect()
    }

    /// As it is going to be stored, so that the stored places tell later who touched whom.
    fn motion_now(&self, slot: Slot) -> Motion {
        self.store.bodies.wrapped_motion_at(slot, self.store.now)
    }

    fn add_member(&self, group: &mut Group, slot: Slot, motion: Motion) -> usize {
        let mass = self.store.bodies.detail(slot).mass;
        group.add_member(slot, MassClass::of(mass), mass, motion)
    }

    /// Whether two discs that move so are in contact at this instant, or meet at it by prediction.
    fn in_contact(&self, [a, b]: [Slot; 2], [of_a, of_b]: [&Motion; 2], kind: ImpactKind) -> bool {
        let predictor = self.predictor();
        let reach = self.store.physics.reach(of_a.radius, of_b.radius);
        if predictor.pass_through(a, b) || !(reach > 0.0) || self.is_waived(a, With::Disc(b)) {
            return false;
        }
        let apart = Apart::new(of_a.position, of_b.position, &self.store.bodies.periods);
        kind.takes_in(&apart, reach)
            || (P::ACCELERATED && is_near(apart.d, reach))
            || self.store.bodies.contacts.holds.are_held(a, b)
            || predictor.pair(a, b) == self.store.now
    }

    fn add_disc_contact(&self, group: &mut Group, a: usize, b: usize) {
        let [of_a, of_b] = [a, b].map(|m| group.members[m]);
        let slots = [of_a.slot, of_b.slot];
        let [body_a, body_b] = slots.map(|slot| self.store.bodies.body_at(slot, self.store.now));
        let contact = self.disc_contact(slots, [&of_a.motion, &of_b.motion], [&body_a, &body_b]);
        group.add_contact(a, Other::Member(b), contact.gap.normal, contact.restitution, contact.growth_speed);
    }

    fn add_wall_contacts(&self, due: &Scheduled, group: &mut Group, m: usize) {
        let member = group.members[m];
        let motion = &member.motion;
        let circle = Circle { center: motion.position, radius: with_margin(motion.position, motion.radius) };
        let mut near = self.store.walls.planes.near(self.store.simd, &circle);
        let is_due = due.kind == Kind::Impact && due.a == due.b && due.a == member.slot;
        for held in self.store.bodies.contacts.holds.of(member.slot) {
            if let HeldTo::Facet(f, _) = &held.to
                && !near.contains(f)
            {
                near.push(*f);
                near.sort_unstable();
            }
        }
        if is_due && !near.contains(&due.tag) {
            // After a long path it may be placed apart.
            near.push(due.tag);
            near.sort_unstable();
        }
        for f in near {
            if !self.predictor().collides_with_facet(member.slot, f)
                || self.is_waived(member.slot, With::Facet(f))
            {
                continue;
            }
            let facet = &self.store.walls.facets[f as usize];
            let gap = if is_due && due.tag == f {
                gap_at_impact(&self.predictor(), member.slot, f, &member.motion)
            } else {
                let mut memory = self.memory_beside(due, member.slot, f, motion);
                let slack = facet.slack(motion);
                let is_at =
                    || facet.distance(motion, self.store.now).is_some_and(|d| d.abs() <= NEARBY * slack);
                if memory == Memory::None && motion.radius <= slack && is_at() {
                    memory = self.predictor().memory_at_impact(member.slot, f);
                }
                match facet.gap(motion, memory, self.store.now) {
                    Some(_) if self.is_covered_now(member.slot, f, motion) => {
                        continue;
                    }
                    Some(gap)
                        if self.in_wall_contact(member.slot, f, gap.distance, motion, kind_of(group)) =>
                    {
                        let hit = || self.predictor().memory_at_impact(member.slot, f);
                        let memory = if memory == Memory::None { hit() } else { memory };
                        facet.gap(motion, memory, self.store.now).unwrap_or(gap)
                    }
                    _ => continue,
                }
            };
            let body = self.store.bodies.body_at(member.slot, self.store.now);
            let contact = self.wall_contact(member.slot, f, motion, &body, gap);
            let other = Other::Facet(f, gap.side);
            group.add_contact(m, other, gap.normal, contact.restitution, contact.growth_speed);
            if facet.is_driven {
                self.note_driven(group, member.slot, f, motion);
            }
        }
    }

    /// Notes how the facet moves or turns with which a group has the last of its contacts.
    #[cold]
    fn note_driven(&self, group: &mut Group, slot: Slot, f: u32, motion: &Motion) {
        let facet = &self.store.walls.facets[f as usize];
        let Some(added) = group.contacts.last_mut() else { return };
        match facet.arm() {
            Some(arm) => added.drive(self.least_parting(slot, arm, motion)),
            None => added.surface = facet.drift.velocity,
        }
    }

    /// What a disc of a group remembers of a facet.
    ///
    /// A point also knows what continues a facet that it knows. Where one joins the facet that is due, a
    /// point is on the side of it that faces the side of the other on which it hits that: rounding may have
    /// put it past either.
    fn memory_beside(&self, due: &Scheduled, slot: Slot, f: u32, motion: &Motion) -> Memory {
        let walls = self.store.bodies.walls.get(slot);
        let mut known = walls.of(f);
        let facet = &self.store.walls.facets[f as usize];
        let (is_point, seen) = (motion.radius <= facet.slack(motion), facet.seen(motion, self.store.now));
        if known == Memory::None && is_point && !walls.is_empty() {
            known = self.predictor().memory_of_neighbour(slot, &walls, f, &seen);
        }
        if known != Memory::None || !is_point || due.a != due.b || due.a != slot || due.kind != Kind::Impact {
            return known;
        }
        let hit = WallMemory::met(due.tag, gap_at_impact(&self.predictor(), slot, due.tag, motion).side);
        self.predictor().memory_of_neighbour(slot, &hit, f, &seen)
    }

    /// Whether a disc is over another part of a wall than the end that facet `f` is.
    fn is_covered_now(&self, slot: Slot, f: u32, motion: &Motion) -> bool {
        self.predictor().is_covered(slot, f, motion, (motion.position, (self.store.now, 0.0)))
    }

    /// Whether a disc at this distance from a facet touches it, or meets it at this instant by prediction.
    fn in_wall_contact(&self, slot: Slot, f: u32, distance: f64, motion: &Motion, kind: ImpactKind) -> bool {
        let facet = &self.store.walls.facets[f as usize];
        let slack = facet.slack(motion);
        kind.takes_in_at(distance, slack)
            || (P::ACCELERATED && facet.arm().is_none() && distance <= NEAR * motion.radius)
            || self.store.bodies.contacts.holds.is_held_to(slot, f)
            || (distance.abs() <= NEARBY * slack && self.predictor().hit_time(slot, f) == self.store.now)
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
            self.prepare_rest(due, group);
        }
        group.resolve().map_err(|Infeasible| StopReason::Jammed)?;
        self.check_crush(group)?;
        group.note_work();
        group.kick();
        let is_driven = group.raise_openings();
        group.put_in_order(|slot| self.store.bodies.detail(slot).serial);
        let (mut before, mut after) = (core::mem::take(&mut self.before), core::mem::take(&mut self.after));
        before.clear();
        before.extend(group.members.iter().map(|member| self.store.state_now(member.slot)));
        after.clear();
        after.extend_from_slice(&before);
        for (m, state) in after.iter_mut().enumerate() {
            state.velocity = self.pushed(group, m, &before);
        }
        self.apply_own_physics(group, &before, &mut after);
        let change = self.change_within(due, group, &mut after);
        let (mut clamped, mut is_deflected, mut book) = (0, false, Book::default());
        for (m, state) in after.iter_mut().enumerate() {
            let (wanted, velocity, mass) = (state.velocity, group.velocity(m), group.members[m].mass);
            state.velocity = within_limit(wanted);
            clamped += u64::from(wanted != state.velocity);
            is_deflected |= state.velocity != velocity;
            book.note_physics(mass, velocity, wanted, state.velocity);
        }
        let mut result = Ok(());
        if is_deflected || is_driven {
            after.iter().enumerate().for_each(|(m, state)| group.set_velocity(m, state.velocity));
            result = group.look_again();
            after.iter_mut().enumerate().for_each(|(m, state)| state.velocity = group.velocity(m));
        }
        let mut stuck = Ok(());
        if P::ACCELERATED && result.is_ok() {
            self.bring_to_rest(group, &mut after);
            stuck = self.check_crush(group);
        }
        group.lower_openings();
        let is_solved = result.is_ok() && stuck.is_ok();
        let is_again = P::JUDGES && is_solved && due.tag != EDIT && self.judge_group(due, group, true, sink);
        if is_solved && !is_again {
            self.store.counters.clamped += clamped;
            self.report_change(change, sink);
            self.enter_book_of(group, book);
            self.write_group(due, group, &before, &after, sink);
            if P::ACCELERATED {
                self.hold_group(group);
            }
            self.note_crush(group, sink);
        }
        (self.before, self.after) = (before, after);
        result.map_err(|Infeasible| StopReason::Jammed).and(stuck).map(|()| !is_again)
    }

    /// Stores the new states of the members, and reports the contacts that pushed.
    fn write_group<K: Sink<P>>(
        &mut self,
        due: &Scheduled,
        group: &Group,
        before: &[State<P::Extra>],
        after: &[State<P::Extra>],
        sink: &mut K,
    ) {
        let (number, stamp) = self.next_impact(kind_of(group));
        self.store.counters.groups += 1;
        self.store.counters.made_plastic += u64::from(group.is_cluster);
        let speed2 = |m: usize| group.velocity(m).length_squared();
        let fastest = sqrt((0..group.members.len()).map(speed2).fold(0.0, f64::max));
        for (m, state) in after.iter().enumerate() {
            let slot = group.members[m].slot;
            let takes_part = group.members[m].takes_part || group.members[m].is_held;
            if slot == due.a || slot == due.b || takes_part {
                let slid = self.store.bodies.contacts.held.get(slot).is_some();
                self.store_after_group(due, group, m, state, stamp);
                self.slide_after_group(group, m, slid, fastest);
            }
        }
        self.count_group_in_chains(group);
        for contact in group.contacts.iter().filter(|contact| contact.impulse > 0.0) {
            match contact.with {
                Other::Member(_) => self.store.counters.disc_impacts += 1,
                Other::Facet(..) => self.store.counters.wall_impacts += 1,
            }
            if K::ACTIVE {
                _ = sink.event(&Event::Impact(self.impact_of(number, group, contact, before, after)));
            }
        }
    }

    fn store_after_group(
        &mut self,
        due: &Scheduled,
        group: &Group,
        m: usize,
        state: &State<P::Extra>,
        stamp: Stamp,
    ) {
        let slot = group.members[m].slot;
        let mut walls = WallMemory::EMPTY;
        // What is only near, and approaches, has not been met.
        let is_met = |contact: &&Contact| !contact.pressing.is_near || contact.pressing.is_settled;
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
        let rapid_impacts = self.rapid_impacts(slot, group.members[m].restitution);
        self.store.bodies.walls.set(slot, walls.just_met());
        self.store.bodies.set_impact(slot, partner, rapid_impacts);
        self.store_in_group(slot, state, stamp);
        self.store.mark(slot);
    }

    fn impact_of(
        &self,
        number: u64,
        group: &Group,
        contact: &Contact,
        before: &[State<P::Extra>],
        after: &[State<P::Extra>],
    ) -> Impact {
        let (a, with) = (group.members[contact.a].slot, touched(group, contact.with));
        let [v_a, v_b] = self.velocities_of(contact, before);
        let point = self.point_of(group, contact, before);
        let [w_a, w_b] = self.velocities_of(contact, after);
        let of_surface = match contact.with {
            Other::Facet(f, _) => self.surface_velocity(f, point),
            Other::Member(_) => DVec2::ZERO,
        };
        Impact {
            time: self.store.now,
            group: number,
            a: self.store.bodies.id(a),
            b: self.partner(with),
            user_data: [self.store.bodies.user_data.get(a), self.user_data_of(with)],
            point: self.store.bodies.periods.wrap(point).0,
            normal: contact.normal,
            approach_speed: approach((v_a - v_b).dot(contact.normal), contact.growth_speed),
            impulse: contact.impulse + contact.own_impulse,
            before: [v_a, v_b + of_surface],
            after: [w_a, w_b + of_surface],
        }
    }
}

/// The slots whose bits are set.
fn slots_of(words: &[u64]) -> impl Iterator<Item = Slot> + '_ {
    (0..).zip(words).flat_map(|(w, &word): (Slot, &u64)| Bits(word).map(move |bit| 64 * w + bit as Slot))
}

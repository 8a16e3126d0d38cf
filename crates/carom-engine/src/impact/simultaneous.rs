use super::contact::approach;
use super::group::{self, Group, Other};
use super::resolve::Crushed;
use crate::event::Sink;
use crate::impact::contact::With;
use crate::predict::with_margin;
use crate::simd::LANES;
use crate::state::stamp::{ImpactKind, MassClass, Stamp};
use crate::state::wall_memory::WallMemory;
use crate::touch::{Apart, NEARBY};
use crate::{Contact, Event, Impact, Physics, State, World};
use carom_broadphase::{Bits, Circle, NextMeeting, Predictor, Scheduled, Scheduler, Slot};
use carom_math::toi::Motion;
use glam::DVec2;
use smallvec::SmallVec;

/// Impacts of one instant that share discs, resolved together.
impl<P: Physics, S: Scheduler> World<P, S> {
    pub(crate) fn resolve_group<K: Sink<P>>(
        &mut self,
        due: &Scheduled,
        kind: ImpactKind,
        sink: &mut K,
    ) -> Result<(), Crushed> {
        // Taken out, so that it and the world can be borrowed side by side.
        let mut group = core::mem::take(&mut self.group);
        group.clear(kind);
        self.collect(due, &mut group);
        let result = if group.contacts.len() == 1 {
            self.resolve_contact::<K, false>(due, &mut [NextMeeting::UNKNOWN; 2], sink);
            Ok(())
        } else {
            group.resolve().map_err(|_| Crushed).map(|()| self.write_group(due, &mut group, sink))
        };
        self.group = group;
        result
    }

    /// Finds all contacts at this instant that hang together with the one that is due.
    fn collect(&self, due: &Scheduled, group: &mut Group) {
        self.add_member(group, due.a);
        if due.b != due.a {
            self.add_member(group, due.b);
            // Not left to the search: after a long path they may be placed apart.
            self.add_disc_contact(group, 0, 1);
        }
        let is_pair_due = due.a != due.b;
        let mut words = core::mem::take(&mut group.words);
        words.resize((LANES * self.bodies.blocks().len()).div_ceil(64), 0);
        let mut m = 0;
        while m < group.members.len() {
            for slot in self.who_may_touch(group.members[m].slot, &group.members[m].motion, &mut words) {
                let known = group.member_at(slot);
                // Contacts with those before it were found from there.
                let found = known.is_some_and(|k| k <= m || (is_pair_due && k == 1 && m == 0));
                if !found && self.in_contact(group.members[m].slot, slot, group.kind) {
                    let k = known.unwrap_or_else(|| self.add_member(group, slot));
                    self.add_disc_contact(group, m, k);
                }
            }
            self.add_wall_contacts(due, group, m);
            m += 1;
        }
        group.words = words;
    }

    /// Those who may touch a disc now, by slot.
    fn who_may_touch(&self, slot: Slot, motion: &Motion, words: &mut [u64]) -> SmallVec<[Slot; 16]> {
        if let Some(neighbours) = self.scheduler.neighbours(slot) {
            let mut slots = SmallVec::from_slice(neighbours);
            slots.sort_unstable();
            return slots;
        }
        if !self.bodies.is_sweeping() {
            return self.bodies.live().collect();
        }
        self.predictor().sweep::<true>(motion, words);
        slots_of(words).collect()
    }

    fn add_member(&self, group: &mut Group, slot: Slot) -> usize {
        let mass = self.bodies.detail(slot).mass;
        group.add_member(slot, MassClass::of(mass), mass, self.bodies.wrapped_motion_at(slot, self.now))
    }

    /// Whether two discs are in contact at this instant, or meet at it by prediction.
    fn in_contact(&self, a: Slot, b: Slot, kind: ImpactKind) -> bool {
        let predictor = self.predictor();
        // As they are going to be stored, so that the stored places tell later who touched whom.
        let [of_a, of_b] = [a, b].map(|slot| self.bodies.wrapped_motion_at(slot, self.now));
        let reach = self.physics.reach(of_a.radius, of_b.radius);
        if predictor.pass_through(a, b) || !(reach > 0.0) {
            return false;
        }
        kind.takes_in(&Apart::new(of_a.position, of_b.position, &self.bodies.periods), reach)
            || predictor.pair(a, b) == self.now
    }

    fn add_disc_contact(&self, group: &mut Group, a: usize, b: usize) {
        let [of_a, of_b] = [a, b].map(|m| group.members[m]);
        let contact = self.disc_contact([of_a.slot, of_b.slot], [&of_a.motion, &of_b.motion]);
        group.add_contact(a, Other::Member(b), contact.gap.normal, contact.restitution, contact.growth_speed);
    }

    fn add_wall_contacts(&self, due: &Scheduled, group: &mut Group, m: usize) {
        let member = group.members[m];
        let motion = &member.motion;
        let circle = Circle { center: motion.position, radius: with_margin(motion.position, motion.radius) };
        let mut near = self.walls.planes.near(&circle);
        if due.a == due.b && due.a == member.slot && !near.contains(&due.tag) {
            // After a long path it may be placed apart.
            near.push(due.tag);
            near.sort_unstable();
        }
        for f in near {
            let facet = &self.walls.facets[f as usize];
            let is_due = due.a == due.b && due.a == member.slot && due.tag == f;
            let memory = self.bodies.walls.get(member.slot).of(f);
            let gap = if is_due {
                self.gap_at_impact(member.slot, f, &member.motion)
            } else {
                match facet.shape.gap(&member.motion, memory) {
                    Some(gap)
                        if self.in_wall_contact(member.slot, f, gap.distance, &member.motion, group.kind) =>
                    {
                        let memory = self.predictor().memory_at_impact(member.slot, f);
                        facet.shape.gap(&member.motion, memory).unwrap_or(gap)
                    }
                    _ => continue,
                }
            };
            let contact = self.wall_contact(member.slot, f, motion, gap);
            let other = Other::Facet(f, gap.side);
            group.add_contact(m, other, gap.normal, contact.restitution, contact.growth_speed);
        }
    }

    /// Whether a disc at this distance from a facet touches it, or meets it at this instant by prediction.
    fn in_wall_contact(&self, slot: Slot, f: u32, distance: f64, motion: &Motion, kind: ImpactKind) -> bool {
        let slack = self.walls.facets[f as usize].slack(motion);
        kind.takes_in_at(distance, slack)
            || (distance.abs() <= NEARBY * slack && self.predictor().hit_time(slot, f) == self.now)
    }

    /// Stores the new states of those who took part, and reports the contacts that pushed.
    fn write_group<K: Sink<P>>(&mut self, due: &Scheduled, group: &mut Group, sink: &mut K) {
        let (number, stamp) = self.next_impact(group.kind);
        self.counters.groups += 1;
        self.counters.energy_taken += group.energy_taken;
        self.counters.made_plastic += u64::from(group.kind == ImpactKind::Cluster);
        self.put_in_order(group);
        let (mut before, mut after) = (core::mem::take(&mut self.before), core::mem::take(&mut self.after));
        before.clear();
        before.extend(group.members.iter().map(|member| self.state_now(member.slot)));
        after.clear();
        after.extend_from_slice(&before);
        for (m, state) in after.iter_mut().enumerate() {
            if group.members[m].takes_part {
                state.velocity = group.velocity(m);
            }
        }
        self.apply_own_physics(group, &before, &mut after);
        for (m, state) in after.iter().enumerate() {
            let slot = group.members[m].slot;
            if slot == due.a || slot == due.b || group.members[m].takes_part {
                self.store_after_group(due, group, m, state, stamp);
            }
        }
        for contact in group.contacts.iter().filter(|contact| contact.impulse > 0.0) {
            match contact.with {
                Other::Member(_) => self.counters.disc_impacts += 1,
                Other::Facet(..) => self.counters.wall_impacts += 1,
            }
            if K::ACTIVE {
                _ = sink.event(&Event::Impact(self.impact_of(number, group, contact, &before, &after)));
            }
        }
        (self.before, self.after) = (before, after);
    }

    /// Orients and sorts the contacts by the stable identities of those concerned.
    fn put_in_order(&self, group: &mut Group) {
        let serial = |m: usize, group: &Group| self.bodies.detail(group.members[m].slot).serial;
        for c in 0..group.contacts.len() {
            let contact = group.contacts[c];
            if let Other::Member(b) = contact.with
                && serial(b, group) < serial(contact.a, group)
            {
                let turned = &mut group.contacts[c];
                (turned.a, turned.with, turned.normal) = (b, Other::Member(contact.a), -contact.normal);
            }
        }
        let members = core::mem::take(&mut group.members);
        let serial = |m: usize| self.bodies.detail(members[m].slot).serial;
        group.contacts.sort_unstable_by_key(|contact| match contact.with {
            Other::Member(b) => (serial(contact.a), 0, serial(b)),
            Other::Facet(f, _) => (serial(contact.a), 1, u64::from(f)),
        });
        group.members = members;
    }

    fn apply_own_physics(&self, group: &Group, before: &[State<P::Extra>], after: &mut [State<P::Extra>]) {
        for contact in group.contacts.iter().filter(|contact| contact.impulse > 0.0) {
            let a = contact.a;
            let body_a = self.bodies.body_at(group.members[a].slot, self.now);
            let point = before[a].position + contact.normal * body_a.radius;
            let shared = |states, contacts| Contact {
                point,
                normal: contact.normal,
                impulse: contact.impulse,
                before: states,
                contacts,
            };
            match contact.with {
                Other::Member(b) => {
                    let body_b = self.bodies.body_at(group.members[b].slot, self.now);
                    let contacts = group.members[a].pushes.max(group.members[b].pushes);
                    let (mut of_a, mut of_b) = (after[a], after[b]);
                    let view = shared([before[a], self.beside(before[a].position, before[b])], contacts);
                    self.physics.pair(&view, [&body_a, &body_b], &mut of_a, &mut of_b);
                    (after[a], after[b]) = (of_a, of_b);
                }
                Other::Facet(f, _) => {
                    let surface = &self.walls.get(self.walls.facets[f as usize].wall).surface;
                    let at_rest = State { position: point, ..State::default() };
                    let view = shared([before[a], at_rest], group.members[a].pushes);
                    self.physics.wall(&view, &body_a, surface, &mut after[a]);
                }
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
        for contact in group.contacts.iter().filter(|contact| contact.a == m) {
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
        self.bodies.walls.set(slot, walls.just_met());
        self.bodies.set_impact(slot, partner, rapid_impacts);
        self.bodies.store(slot, self.now, state, stamp);
        self.mark(slot);
    }

    fn impact_of(
        &self,
        number: u64,
        group: &Group,
        contact: &group::Contact,
        before: &[State<P::Extra>],
        after: &[State<P::Extra>],
    ) -> Impact {
        let velocity =
            |states: &[State<P::Extra>], m: Option<usize>| m.map_or(DVec2::ZERO, |m| states[m].velocity);
        let (b, with) = match contact.with {
            Other::Member(b) => (Some(b), With::Disc(group.members[b].slot)),
            Other::Facet(f, _) => (None, With::Facet(f)),
        };
        let user_data =
            [self.user_data_of(With::Disc(group.members[contact.a].slot)), self.user_data_of(with)];
        let velocities = |states| [velocity(states, Some(contact.a)), velocity(states, b)];
        let [v_a, v_b] = velocities(before);
        let radius = group.members[contact.a].motion.radius;
        let point = before[contact.a].position + contact.normal * radius;
        Impact {
            time: self.now,
            group: number,
            a: self.bodies.id(group.members[contact.a].slot),
            b: self.partner(with),
            user_data,
            point: self.bodies.periods.wrap(point).0,
            normal: contact.normal,
            approach_speed: approach((v_a - v_b).dot(contact.normal), contact.growth_speed),
            impulse: contact.impulse,
            before: [v_a, v_b],
            after: velocities(after),
        }
    }
}

/// The slots whose bits are set.
fn slots_of(words: &[u64]) -> impl Iterator<Item = Slot> + '_ {
    (0..).zip(words).flat_map(|(w, &word): (Slot, &u64)| Bits(word).map(move |bit| 64 * w + bit as Slot))
}

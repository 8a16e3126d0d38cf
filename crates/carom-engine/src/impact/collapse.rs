use super::contact::{With, touched};
use crate::state::chains::{ChainEnd, EndBody};
use crate::{CrushRule, Physics, World};
use carom_broadphase::Slot;
use carom_solver::{Group, MassClass, Member};
use glam::DVec2;

/// Impacts of one disc at one instant after which even elastic ones are made plastic: one by one, a disc
/// between two walls as far apart as it is wide passes a blow on for ever; and so does a heap of
/// overlapping discs, in which some part while others approach.
const LOCKED: u32 = 1024;

/// The rule against inelastic collapse: see [`Collapse`](crate::Collapse).
impl<P: Physics> World<P> {
    /// The rapid impacts of a disc that has one of this restitution now: how many in a row came too soon.
    ///
    /// Elastic ones count only at one and the same instant: there is no collapse without loss.
    #[inline(always)]
    pub(crate) fn rapid_impacts(&self, slot: Slot, restitution: f64) -> u32 {
        let age = self.store.now.since(self.store.bodies.time(slot));
        match &self.store.settings.collapse {
            Some(rule) if age <= rule.contact_time => {
                self.more_rapid_impacts(slot, restitution < 1.0 || age == 0.0, rule.contact_time)
            }
            _ => 0,
        }
    }

    #[cold]
    fn more_rapid_impacts(&self, slot: Slot, counts: bool, contact_time: f64) -> u32 {
        // True time passes no more slowly than that of a clock with drag.
        if self
            .store
            .drag()
            .is_some_and(|drag| drag.true_age(self.store.bodies.time(slot), self.store.now) > contact_time)
        {
            return 0;
        }
        let detail = self.store.bodies.detail(slot);
        // What cannot be deflected does not collapse, however often it is hit.
        if detail.mass == f64::INFINITY { 0 } else { detail.rapid_impacts.saturating_add(u32::from(counts)) }
    }

    /// Whether an impact is made plastic of discs of which one has had so many rapid ones.
    #[inline(always)]
    pub(crate) fn makes_plastic(&self, rapid_impacts: u32, restitution: f64) -> bool {
        rapid_impacts > 0
            && restitution < 1.0
            && self.store.settings.collapse.as_ref().is_some_and(|rule| rapid_impacts >= rule.impacts)
    }

    /// Whether an impact is made plastic, with all that is near: its discs have had too many, too soon
    /// after each other or between bodies that close in.
    #[inline]
    pub(crate) fn is_locked(&self, slots: [Slot; 2], with: With) -> bool {
        let [a, b] = slots.map(|slot| self.store.bodies.detail(slot).rapid_impacts);
        (a | b) > 0 && self.has_too_many_rapid_impacts(slots, with) || self.store.chains.is_any_spent(slots)
    }

    #[cold]
    fn has_too_many_rapid_impacts(&self, slots: [Slot; 2], with: With) -> bool {
        let restitution = self.combined_restitution(slots[0], with);
        let [a, b] = slots.map(|slot| self.rapid_impacts(slot, restitution));
        a.max(b) >= LOCKED || self.makes_plastic(a.max(b), restitution)
    }

    /// Whether one of the impacts of a group is locked: then the whole is made plastic, whichever of them
    /// comes first in the order of events.
    pub(super) fn has_locked_contact(&self, group: &Group) -> bool {
        group.contacts.iter().filter(|contact| group.approach_before(contact) > 0.0).any(|contact| {
            let (a, with) = (group.members[contact.a].slot, touched(group, contact.with));
            self.is_locked([a, if let With::Disc(b) = with { b } else { a }], with)
        })
    }

    /// Counts an impact of a disc, along a unit normal from it, for the chains of discs that bodies close
    /// in on.
    #[cold]
    pub(crate) fn count_in_chains(&mut self, slot: Slot, with: With, normal: DVec2) {
        if self.store.settings.crush == CrushRule::Stop {
            return;
        }
        match self.caught(slot, with, normal) {
            Some(Caught::At(slot, end)) => self.store.chains.note_end(slot, end),
            Some(Caught::With(a, b)) => self.store.chains.note_impact(a, b),
            None => {}
        }
    }

    /// As [`World::count_in_chains`], all contacts of a group that pushed: at once, as their order means
    /// nothing.
    pub(super) fn count_group_in_chains(&mut self, group: &Group) {
        let is_special = |m: &Member| m.class != MassClass::Finite;
        let begins = group.members.iter().any(is_special);
        if (!begins && self.store.chains.is_empty()) || self.store.settings.crush == CrushRule::Stop {
            return;
        }
        let (mut joints, mut ends) = self.store.chains.take_lists();
        for contact in group.contacts.iter().filter(|contact| contact.impulse > 0.0) {
            let (a, with) = (group.members[contact.a].slot, touched(group, contact.with));
            match self.caught(a, with, contact.normal) {
                Some(Caught::At(slot, end)) => ends.push((slot, end)),
                Some(Caught::With(a, b)) => joints.push((a, b)),
                None => {}
            }
        }
        self.store.chains.note_group(&joints, &ends);
        self.store.chains.give_back(joints, ends);
    }

    /// What an impact of a disc means for chains.
    fn caught(&self, slot: Slot, with: With, normal: DVec2) -> Option<Caught> {
        let class = self.store.bodies.class(slot);
        match with {
            With::Disc(other) if class.yields_to(self.store.bodies.class(other)) => {
                Some(Caught::At(slot, self.chain_end(other, normal)))
            }
            With::Disc(other) if self.store.bodies.class(other).yields_to(class) => {
                Some(Caught::At(other, self.chain_end(slot, -normal)))
            }
            With::Disc(other) => Some(Caught::With(slot, other)),
            With::Facet(_) if class == MassClass::Infinite => None,
            With::Facet(f) => {
                let end = ChainEnd { body: EndBody::Facet(f), velocity: DVec2::ZERO, normal };
                Some(Caught::At(slot, end))
            }
        }
    }

    fn chain_end(&self, slot: Slot, normal: DVec2) -> ChainEnd {
        let body = EndBody::Disc(self.store.bodies.detail(slot).serial);
        ChainEnd { body, velocity: self.store.bodies.motion_at(slot, self.store.now).velocity, normal }
    }
}

/// An impact of a disc that may be in a chain.
enum Caught {
    /// With an end of it.
    At(Slot, ChainEnd),
    /// With another disc.
    With(Slot, Slot),
}

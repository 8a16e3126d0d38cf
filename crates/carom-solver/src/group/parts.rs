use super::scratch::Scratch;
use super::{Contact, Group, NONE, Other, Pressing};
use crate::mass_class::MassClass;
use core::ops::Range;
use smallvec::SmallVec;

/// Contacts connected through discs that a class of impulses moves: what they do does not depend on other
/// parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// The contacts: a range of `Group::order`.
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) loss: Loss,
}

/// The energy that a part has lost in passes, −½ Σ λ(D′₋ + D′₊): by restitution, and by what sets that to 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Loss {
    pub(crate) restitution: f64,
    pub(crate) plastic: f64,
}

impl Part {
    pub(crate) fn contacts(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl Loss {
    pub(crate) fn total(self) -> f64 {
        self.restitution + self.plastic
    }
}

/// What of a group moves by itself: its parts, class by class.
impl Group {
    /// The classes that its contacts are resolved with, in the order of these.
    pub(crate) fn classes(&self) -> impl Iterator<Item = MassClass> + use<> {
        let mut is_any = [false; MassClass::ALL.len()];
        self.contacts.iter().for_each(|contact| is_any[self.class_of(contact) as usize] = true);
        MassClass::ALL.into_iter().filter(move |&class| is_any[class as usize])
    }

    /// The class that a contact is resolved with: that of its most easily moved body.
    pub fn class_of(&self, contact: &Contact) -> MassClass {
        let of_a = self.members[contact.a].class;
        let Other::Member(b) = contact.with else { return of_a };
        let of_b = self.members[b].class;
        match (of_a, of_b) {
            (MassClass::Tracer, _) | (_, MassClass::Tracer) => MassClass::Tracer,
            (MassClass::Finite, _) | (_, MassClass::Finite) => MassClass::Finite,
            (MassClass::Infinite, MassClass::Infinite) => MassClass::Infinite,
        }
    }

    /// Finds the parts of a class, and their contacts; those that are only near if these are to come to rest,
    /// too.
    pub(crate) fn find_parts(&mut self, class: MassClass, with_near: bool) {
        let mut order = core::mem::take(&mut self.order);
        order.clear();
        order.extend((0..self.contacts.len() as u32).filter(|&c| {
            let contact = &self.contacts[c as usize];
            let takes_part = !contact.pressing.is_near || with_near;
            !contact.is_twin && takes_part && self.class_of(contact) == class
        }));
        self.sort_by_parts(&mut order, class);
        self.parts.clear();
        let mut start = 0;
        while let Some(&first) = order.get(start) {
            let root = self.root_of_contact(first, class);
            let size = order[start..].partition_point(|&c| self.root_of_contact(c, class) == root);
            let (start_of, end) = (start as u32, (start + size) as u32);
            self.parts.push(Part { start: start_of, end, loss: Loss::default() });
            start += size;
        }
        self.order = order;
    }

    /// Sorts contacts by the parts that they form by themselves.
    ///
    /// A forest over the members joins those that a contact of the class moves both; a body of another class
    /// joins nothing, as it is not moved. The smaller root is kept, so that the order of parts, which is that
    /// of their roots, does not depend on the order of contacts.
    pub(crate) fn sort_by_parts(&mut self, contacts: &mut [u32], class: MassClass) {
        self.scratch.links.resize(self.members.len(), 0);
        for &c in &*contacts {
            for m in self.contacts[c as usize].ends().into_iter().flatten() {
                self.scratch.links[m] = m as u32;
            }
        }
        for &c in &*contacts {
            if let [Some(a), Some(b)] = self.contacts[c as usize].ends()
                && self.members[a].class == class
                && self.members[b].class == class
            {
                let (root_a, root_b) =
                    (root(&mut self.scratch.links, a as u32), root(&mut self.scratch.links, b as u32));
                self.scratch.links[root_a.max(root_b) as usize] = root_a.min(root_b);
            }
        }
        let mut roots = contacts.iter().map(|&c| self.root_of_contact(c, class));
        let first = roots.next();
        if roots.all(|root| Some(root) == first) {
            // Nearly always: then the order is that of contacts.
            return contacts.sort_unstable();
        }
        contacts.sort_unstable_by_key(|&c| (self.root_of_contact(c, class), c));
    }

    /// The root of the member that a contact can move.
    pub(crate) fn root_of_contact(&self, contact: u32, class: MassClass) -> u32 {
        let ends = self.contacts[contact as usize].ends();
        let mut root =
            ends.into_iter().flatten().find(|&m| self.members[m].class == class).unwrap_or(0) as u32;
        while self.scratch.links[root as usize] != root {
            root = self.scratch.links[root as usize];
        }
        root
    }

    /// Calls `solve` with the contacts of a part.
    pub(crate) fn with_part<R>(
        &mut self,
        contacts: &Range<usize>,
        solve: impl FnOnce(&mut Self, &[u32]) -> R,
    ) -> R {
        let order = core::mem::take(&mut self.order);
        let result = solve(self, &order[contacts.clone()]);
        self.order = order;
        result
    }

    /// The contacts of a part that are taken.
    pub(crate) fn picked(
        &self,
        contacts: &Range<usize>,
        takes: impl Fn(&Pressing) -> bool,
    ) -> SmallVec<[u32; 32]> {
        let is_taken = |&c: &u32| takes(&self.contacts[c as usize].pressing);
        self.order[contacts.clone()].iter().copied().filter(is_taken).collect()
    }

    /// Does something with each member that the contacts of a part can move, once for every contact. There is
    /// no list of them: parts are as large as the group, and groups allocate nothing.
    pub(crate) fn for_each_moved(
        &mut self,
        contacts: &Range<usize>,
        class: MassClass,
        mut act: impl FnMut(&mut Self, usize),
    ) {
        for i in contacts.clone() {
            for m in self.contacts[self.order[i] as usize].ends().into_iter().flatten() {
                if self.members[m].class == class {
                    act(self, m);
                }
            }
        }
    }

    /// Finds the bodies of a part that its contacts can move, in ascending order.
    pub(crate) fn gather_bodies(&mut self, part: &[u32], class: MassClass) {
        let Group { scratch, contacts, members, .. } = self;
        let Scratch { bodies, body_of, .. } = scratch;
        bodies.clear();
        body_of.resize(members.len(), NONE);
        for m in part.iter().flat_map(|&c| contacts[c as usize].ends()).flatten() {
            if members[m].class == class && body_of[m] == NONE {
                body_of[m] = bodies.len() as u32;
                bodies.push(m as u32);
            }
        }
        bodies.iter().for_each(|&m| body_of[m as usize] = NONE);
        bodies.sort_unstable();
    }

    /// Undoes what was done to a part.
    pub(crate) fn restore_velocities(&mut self, contacts: &Range<usize>, class: MassClass) {
        for i in contacts.clone() {
            self.contacts[self.order[i] as usize].impulse = 0.0;
        }
        self.for_each_moved(contacts, class, |group, m| {
            let member = &mut group.members[m];
            member.velocity = [member.motion.velocity.x.into(), member.motion.velocity.y.into()];
        });
    }

    /// Rounds the velocities of a part to multiples of a unit far below an ulp of the largest, and above
    /// the rounding of double-double; then to `f64`. What is a rounding apart before is the same after.
    pub(crate) fn round_velocities(&mut self, contacts: &Range<usize>, class: MassClass, speed: f64) {
        let unit = rounding_unit(speed);
        self.with_part(contacts, |group, part| group.gather_bodies(part, class));
        for &m in &self.scratch.bodies {
            let member = &mut self.members[m as usize];
            member.velocity = member.velocity.map(|v| v.round_to(unit).into());
        }
    }
}

/// The root of the tree of a member, in a forest in which each has another one of its tree, or itself: those
/// with one root hang together. Shortens the way to it, so that `n` calls take O(n log n) (path halving: van
/// Leeuwen and van der Weide, 1977).
pub fn root(links: &mut [u32], mut m: u32) -> u32 {
    while links[m as usize] != m {
        let next = links[m as usize];
        links[m as usize] = links[next as usize];
        m = next;
    }
    m
}

/// The unit that velocities are rounded to: 2⁻⁷² of the power of two below the largest speed.
///
/// Far below an ulp, 2⁻⁵², and above the rounding of double-double, which ratios of masses of 10¹² bring up
/// to 2⁻⁷⁸. What the order of contacts rounds differently is the same after it.
pub(crate) fn rounding_unit(speed: f64) -> f64 {
    let exponent = speed.to_bits() >> 52;
    f64::from_bits(exponent.saturating_sub(72) << 52).max(f64::MIN_POSITIVE)
}

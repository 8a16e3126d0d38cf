use super::contact_problem::ContactProblem;
use super::entries::Entries;
use super::jam::Jam;
use super::pressing::Pressing;
use crate::mass_class::MassClass;
use alloc::vec::Vec;
use carom_math::eft::DoubleDouble as Dd;
use carom_math::toi::{Motion, Side};
use glam::DVec2;

/// The contacts of one instant that are connected through the bodies that they share, and the velocities
/// after it.
///
/// Velocities are double-double in here and are rounded at the end, so that the result does not depend on the
/// order in which contacts were found. How they come about is in `passes.rs`.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// Whether all that nearly touches is in it, and is made plastic by the rule against collapse.
    pub is_cluster: bool,
    /// Its discs, from [`Group::add_member`].
    pub members: Vec<Member>,
    /// What touches, from [`Group::add_contact`].
    pub contacts: Vec<Contact>,
    /// Scratch of whoever finds the contacts: the discs near a member.
    pub words: Vec<u64>,
    /// For each slot its member, or [`NONE`].
    member_of: Vec<u32>,
    /// The contacts by their keys, and where they are.
    places: Vec<((u64, bool, u64), u32)>,
    /// The contacts with facets, member by member: see [`Group::facet_contacts_of`].
    facet_contacts: Vec<u32>,
    /// The contacts of each member, member by member, and where they end: see [`Group::note_touching`].
    touching: Vec<u32>,
    touching_ends: Vec<u32>,
    /// The parts of the class being resolved, and their contacts, part by part.
    pub(crate) parts: Vec<Part>,
    pub(crate) order: Vec<u32>,
    /// Scratch: the contacts of a part in the present pass, again by parts. Between steps it is free for
    /// others.
    pub pass: Vec<u32>,
    /// Those that may approach after it, and which these are.
    pub(crate) candidates: Vec<u32>,
    pub(crate) is_candidate: Vec<bool>,
    /// The contacts of the members of a part that move, member by member, and where they end.
    pub(crate) contacts_of: Vec<u32>,
    pub(crate) ends_of: Vec<u32>,
    /// The forest whose trees are the parts: for each member another one of its part, or itself.
    pub(crate) links: Vec<u32>,
    pub(crate) problem: ContactProblem,
    /// The bodies of the problem: members; and the other way round.
    pub(crate) bodies: Vec<u32>,
    pub(crate) body_of: Vec<u32>,
    /// Scratch: velocities before an attempt.
    pub(crate) saved: Vec<[Dd; 2]>,
    /// Scratch: those of what a part moves, and the impulses that have brought its contacts to rest.
    pub(crate) saved_part: Vec<(usize, [Dd; 2])>,
    pub(crate) saved_rest: Vec<(u32, f64)>,
    /// How its energy changes. What a part loses by itself is first in the part.
    pub book: Entries,
    /// Whether e = 0 is for the sake of what is between bodies that close in.
    pub is_crushed: bool,
    /// For whoever holds discs: facets that members were held to and have left over their ends.
    pub left: Vec<(usize, u32, Side)>,
    /// Whether parts take in contacts that are only near: see `rest.rs`.
    pub(crate) with_near: bool,
    /// Scratch of those that give way.
    pub(crate) jam: Jam,
    /// Infinite masses that gave way, as members: between them there was no room. See `yielding.rs`.
    pub yielded: Vec<usize>,
    /// Tracers each with a disc that passes over it, both as members.
    pub passed: Vec<(usize, usize)>,
}

/// No member.
pub(crate) const NONE: u32 = u32::MAX;

/// A disc of a [`Group`].
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its name outside of the group.
    pub slot: u32,
    /// The class of its mass.
    pub class: MassClass,
    /// Its mass ≥ 0.
    pub mass: f64,
    /// Its motion up to the instant, at the instant.
    pub motion: Motion,
    pub(crate) velocity: [Dd; 2],
    /// How many contacts pushed it.
    pub pushes: u32,
    /// The smallest restitution among these; 1 if there are none.
    pub restitution: f64,
    /// Whether its velocity may have changed, or that of a disc that it touches.
    pub takes_part: bool,
    /// Its acceleration without the forces of contacts.
    pub free: DVec2,
    /// Its acceleration with them: see [`Group::come_to_rest`].
    pub acceleration: DVec2,
    /// Where the ground holds it: its acceleration without contacts and friction.
    pub(crate) pull: DVec2,
    /// The largest friction of the ground, per unit of mass.
    pub grip: f64,
    /// How many times its mass resists forces of contacts.
    pub(crate) inertia: f64,
    /// Whether friction stops it at the end of its piece.
    pub(crate) stops: bool,
    /// The class of its mass, while it is taken for one that nothing moves.
    pub(crate) own_class: Option<MassClass>,
    /// Seconds that its acceleration lasts; infinite if only the disc's own motion ends it.
    pub lasts: f64,
    /// Whether it is held, or was.
    pub is_held: bool,
}

/// Two members, or a member and a facet, that touch.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// The first member.
    pub a: usize,
    /// What it touches.
    pub with: Other,
    /// Unit normal from `a` to the other.
    pub normal: DVec2,
    /// At least 0; what is beyond 1 is a kick: see [`Group::kick`].
    pub restitution: f64,
    /// Speed at which the two come nearer by growing alone; of a facet that turns also by that, or less than
    /// 0 if that takes it away.
    pub growth_speed: f64,
    /// What it is with, if that turns.
    pub(crate) driven: Option<Driven>,
    /// The velocity of what it is with, if that is a part of a wall that moves; else 0.
    pub surface: DVec2,
    /// The normal impulse ≥ 0, the sum over the passes. Between a tracer and another body, and of an
    /// infinite mass at a wall, per unit of mass.
    pub impulse: f64,
    /// What brings it to rest, of either sign.
    pub(crate) rest_impulse: f64,
    /// Of this, what is noted in the book.
    pub(crate) noted: f64,
    /// By how much a kick is to let it open faster.
    pub(crate) kick: f64,
    /// By how much a verdict lets it open faster, ≥ 0.
    pub added_kick: f64,
    /// For whoever has a physics: the normal impulse that this adds.
    pub own_impulse: f64,
    /// Whether the member meets another facet along the very same normal: a vertex or a line that two
    /// facets share. That contact stands for both.
    pub is_twin: bool,
    /// How it comes to rest.
    pub pressing: Pressing,
}

/// A contact with an arm that turns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Driven {
    /// The speed at which its surface comes nearer.
    pub(crate) surface_speed: f64,
    /// The least speed at which the contact is to open.
    pub(crate) least_opening: f64,
}

/// What a [`Member`] touches.
#[derive(Clone, Copy, Debug)]
pub enum Other {
    /// Another member.
    Member(usize),
    /// A facet of a wall, by its number, and the side of it on which the member is.
    Facet(u32, Side),
}

/// Contacts connected through discs that a class of impulses moves: what they do does not depend on other
/// parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// The contacts: a range of `Group::order`.
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(super) loss: Loss,
}

/// The energy that a part has lost in passes, −½ Σ λ(D′₋ + D′₊): by restitution, and by what sets that to 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Loss {
    pub(super) restitution: f64,
    pub(super) plastic: f64,
}

impl Part {
    pub(super) fn contacts(&self) -> core::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl Loss {
    pub(super) fn total(self) -> f64 {
        self.restitution + self.plastic
    }
}

impl Contact {
    /// Lets it be with what turns, from which the member is to part at no less than this speed: the speed of
    /// growth is that of its surface.
    pub fn drive(&mut self, least_opening: f64) {
        self.driven = Some(Driven { surface_speed: self.growth_speed, least_opening });
    }

    /// The part of the impulses that is not noted in the book.
    pub(super) fn not_noted(&self) -> f64 {
        self.impulse + self.rest_impulse - self.noted
    }

    /// The stable identities of those that it joins, given those of members: whether the second is a facet,
    /// between them.
    pub fn key(&self, serial: impl Fn(usize) -> u64) -> (u64, bool, u64) {
        let of_a = serial(self.a);
        match self.with {
            Other::Facet(f, _) => (of_a, true, u64::from(f)),
            Other::Member(b) => (of_a.min(serial(b)), false, of_a.max(serial(b))),
        }
    }

    /// Lets it be from its other member, which is `b`, to `a`.
    fn turn(&mut self, b: usize) {
        (self.a, self.with, self.normal) = (b, Other::Member(self.a), -self.normal);
        if let Some(round) = &mut self.pressing.round {
            round.d = -round.d;
        }
    }

    /// The members that it joins.
    pub fn ends(&self) -> [Option<usize>; 2] {
        let b = if let Other::Member(b) = self.with { Some(b) } else { None };
        [Some(self.a), b]
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

/// So many members and contacts there is room for from the first, if there are as many discs.
const ROOM: usize = 16;

impl Group {
    /// With room for few members of a world of so many discs, so that lists need not grow step by step.
    pub fn with_room(discs: usize) -> Group {
        let (few, twice) = (discs.min(ROOM), 2 * discs.min(ROOM));
        Group {
            members: Vec::with_capacity(few),
            member_of: Vec::with_capacity(few),
            contacts: Vec::with_capacity(twice),
            places: Vec::with_capacity(twice),
            order: Vec::with_capacity(twice),
            pass: Vec::with_capacity(twice),
            candidates: Vec::with_capacity(twice),
            bodies: Vec::with_capacity(few),
            problem: ContactProblem::with_room(few),
            ..Group::default()
        }
    }

    /// Takes out all members and contacts, and the entries of its book; says whether what comes next is a
    /// cluster.
    pub fn clear(&mut self, is_cluster: bool) {
        self.is_cluster = is_cluster;
        for member in &self.members {
            self.member_of[member.slot as usize] = NONE;
        }
        self.members.clear();
        self.contacts.clear();
        self.book = Entries::default();
        self.is_crushed = false;
        self.yielded.clear();
        self.passed.clear();
    }

    /// Takes in a disc in a slot that is not in it yet: its mass ≥ 0, of that class, and its motion at the
    /// instant. Returns its number: members are counted from 0.
    pub fn add_member(&mut self, slot: u32, class: MassClass, mass: f64, motion: Motion) -> usize {
        if self.member_of.len() <= slot as usize {
            self.member_of.resize(slot as usize + 1, NONE);
        }
        self.member_of[slot as usize] = self.members.len() as u32;
        let velocity = [motion.velocity.x.into(), motion.velocity.y.into()];
        let (pushes, restitution, takes_part) = (0, 1.0, false);
        self.members.push(Member {
            slot,
            class,
            mass,
            motion,
            velocity,
            pushes,
            restitution,
            takes_part,
            free: DVec2::ZERO,
            acceleration: DVec2::ZERO,
            pull: DVec2::ZERO,
            grip: 0.0,
            inertia: 1.0,
            stops: false,
            own_class: None,
            lasts: f64::INFINITY,
            is_held: false,
        });
        self.members.len() - 1
    }

    /// The member that is in this slot.
    pub fn member_at(&self, slot: u32) -> Option<usize> {
        self.member_of.get(slot as usize).filter(|&&m| m != NONE).map(|&m| m as usize)
    }

    /// Takes in a contact of member `a`: see [`Contact`]. Those of one member with facets are added one after
    /// another.
    pub fn add_contact(&mut self, a: usize, with: Other, normal: DVec2, restitution: f64, growth_speed: f64) {
        let is_twin = matches!(with, Other::Facet(..))
            && self.has_facet_contact(a, normal, (restitution, growth_speed));
        self.contacts.push(Contact {
            a,
            with,
            normal,
            restitution,
            growth_speed,
            driven: None,
            surface: DVec2::ZERO,
            impulse: 0.0,
            rest_impulse: 0.0,
            noted: 0.0,
            kick: 0.0,
            added_kick: 0.0,
            own_impulse: 0.0,
            is_twin,
            pressing: Pressing::default(),
        });
    }

    /// Whether a member meets a facet along this normal, at the same speed of its surface: then the smaller
    /// restitution holds for that contact.
    fn has_facet_contact(
        &mut self,
        member: usize,
        normal: DVec2,
        (restitution, growth_speed): (f64, f64),
    ) -> bool {
        // Those of one member are added one after another.
        let of_member = self.contacts.iter_mut().rev().take_while(|contact| contact.a == member);
        let is_twin = |contact: &&mut Contact| {
            let is_same = contact.normal == normal && contact.growth_speed == growth_speed;
            matches!(contact.with, Other::Facet(..)) && !contact.is_twin && is_same
        };
        let Some(twin) = of_member.into_iter().find(is_twin) else { return false };
        twin.restitution = twin.restitution.min(restitution);
        true
    }

    /// Orients and sorts the contacts by the stable identities of those concerned, given those of discs by
    /// slot.
    pub fn put_in_order(&mut self, serial: impl Fn(u32) -> u64) {
        let Group { contacts, members, places, .. } = self;
        let serial = |m: usize| serial(members[m].slot);
        places.clear();
        for (c, contact) in (0..).zip(&mut *contacts) {
            if let Other::Member(b) = contact.with
                && serial(b) < serial(contact.a)
            {
                contact.turn(b);
            }
            places.push((contact.key(serial), c));
        }
        places.sort_unstable();
        permute(contacts, places);
        self.facet_contacts.clear();
        let is_facet = |&c: &u32| matches!(self.contacts[c as usize].with, Other::Facet(..));
        self.facet_contacts.extend((0..self.contacts.len() as u32).filter(is_facet));
        self.facet_contacts.sort_unstable_by_key(|&c| (self.contacts[c as usize].a, c));
    }

    /// The contacts of a member with facets, in their order, from the last [`Group::put_in_order`].
    pub fn facet_contacts_of(&self, member: usize) -> impl Iterator<Item = &Contact> + '_ {
        let member_of = |c: u32| self.contacts[c as usize].a;
        let start = self.facet_contacts.partition_point(|&c| member_of(c) < member);
        let from = &self.facet_contacts[start..];
        from.iter().take_while(move |&&c| member_of(c) == member).map(|&c| &self.contacts[c as usize])
    }

    /// Notes which contacts each member has, once the contacts are in their order.
    pub fn note_touching(&mut self) {
        let Group { touching, touching_ends, contacts, members, .. } = self;
        // Counts, then their sums: the starts, which become the ends as the contacts are filled in.
        touching_ends.clear();
        touching_ends.resize(members.len() + 1, 0);
        for m in contacts.iter().flat_map(Contact::ends).flatten() {
            touching_ends[m + 1] += 1;
        }
        for m in 0..members.len() {
            touching_ends[m + 1] += touching_ends[m];
        }
        touching.clear();
        touching.resize(touching_ends[members.len()] as usize, 0);
        for (c, contact) in (0..).zip(&*contacts) {
            for m in contact.ends().into_iter().flatten() {
                touching[touching_ends[m] as usize] = c;
                touching_ends[m] += 1;
            }
        }
    }

    /// What a member touches, each with the unit normal from it, in the order of contacts, from the last
    /// [`Group::note_touching`].
    pub fn touching_of(&self, member: usize) -> impl Iterator<Item = (DVec2, Other)> + '_ {
        let start = if member == 0 { 0 } else { self.touching_ends[member - 1] as usize };
        let contacts = &self.touching[start..self.touching_ends[member] as usize];
        contacts.iter().map(move |&c| match self.contacts[c as usize] {
            Contact { a, with: Other::Member(b), normal, .. } if b == member => (-normal, Other::Member(a)),
            Contact { with, normal, .. } => (normal, with),
        })
    }

    /// The velocity of a member after `resolve`, rounded.
    pub fn velocity(&self, member: usize) -> DVec2 {
        let [x, y] = self.members[member].velocity;
        DVec2::new(x.to_f64(), y.to_f64())
    }

    /// Counts which contacts pushed, and how, once the impulses are there.
    ///
    /// A disc that touches one that was pushed takes part: it has met that one, too, and must know it.
    /// Where the blow went exactly past it, rounding may let the two approach.
    pub(super) fn count_pushes(&mut self) {
        for member in &mut self.members {
            (member.pushes, member.restitution) = (0, 1.0);
        }
        for contact in self.contacts.iter().filter(|contact| contact.impulse > 0.0) {
            for m in contact.ends().into_iter().flatten() {
                let member = &mut self.members[m];
                member.pushes += 1;
                member.restitution = member.restitution.min(contact.restitution);
            }
        }
        for member in &mut self.members {
            let changed =
                member.velocity != [member.motion.velocity.x.into(), member.motion.velocity.y.into()];
            member.takes_part = member.pushes > 0 || changed;
        }
        for contact in &self.contacts {
            let [Some(a), Some(b)] = contact.ends() else { continue };
            let is_pushed = [a, b].map(|m| self.members[m].pushes > 0);
            self.members[a].takes_part |= is_pushed[1];
            self.members[b].takes_part |= is_pushed[0];
        }
    }
}

/// Brings contacts into the order of `places`, which name where each is. Each is copied once, as they are
/// large.
fn permute<K>(contacts: &mut [Contact], places: &mut [(K, u32)]) {
    for start in 0..contacts.len() {
        let first = contacts[start];
        let mut to = start;
        // Around the cycle of those that take each other's places.
        loop {
            let from = core::mem::replace(&mut places[to].1, to as u32) as usize;
            if from == start {
                break;
            }
            contacts[to] = contacts[from];
            to = from;
        }
        if to != start {
            contacts[to] = first;
        }
    }
}

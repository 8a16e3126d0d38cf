//! What touches at one instant: members, contacts, their speeds (`speeds`), and the parts that move by
//! themselves (`parts`). What is done with it is in `steps`.

mod contact;
mod entries;
mod friction;
mod incidence;
mod member;
mod parts;
mod pressing;
mod scratch;
mod speeds;

use crate::mass_class::MassClass;
use alloc::vec::Vec;
use carom_math::toi::{Motion, Side};
pub(crate) use contact::Driven;
pub use contact::{Contact, Other};
pub use entries::Entries;
pub use friction::{ContactGrip, Friction, Rim};
use glam::DVec2;
pub(crate) use incidence::Incidence;
pub use member::{Free, Member};
pub use parts::root;
pub(crate) use parts::{Loss, Part, rounding_unit};
pub(crate) use pressing::Sought;
pub use pressing::{Pressing, Round};
pub(crate) use scratch::Scratch;

/// The contacts of one instant that are connected through the bodies that they share, and the velocities
/// after it.
///
/// Velocities are double-double in here and are rounded at the end, so that the result does not depend on the
/// order in which contacts were found.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// Whether all that nearly touches is in it, and is made plastic by the rule against collapse.
    pub is_cluster: bool,
    /// The largest gap inside of a piece of motion, of the distance at contact: from 10⁻¹² to 10⁻⁵. How
    /// closely held contacts are followed: pieces last with its fourth root. To be set before
    /// [`Group::come_to_rest`]: with the 0 of a new group, pieces about curves have no length.
    pub max_gap: f64,
    /// The height from which contacts come to rest before impacts raise it, of the size of the bodies.
    pub rest_height: f64,
    /// The piece of motion that is sought.
    pub(crate) sought: Sought,
    /// How it ends, if impacts without restitution have not ended it.
    pub stuck: Option<Stuck>,
    /// Its discs, from [`Group::add_member`].
    pub members: Vec<Member>,
    /// What touches, from [`Group::add_contact`].
    pub contacts: Vec<Contact>,
    /// For each slot its member, or [`NONE`].
    member_of: Vec<u32>,
    /// The contacts by their keys, and where they are.
    places: Vec<((u64, bool, u64), u32)>,
    /// The contacts with facets, member by member: see [`Group::facet_contacts_of`].
    facet_contacts: Vec<u32>,
    /// The contacts of each member, from [`Group::note_touching`].
    touching: Incidence,
    /// The parts of the class being resolved, and their contacts, part by part.
    pub(crate) parts: Vec<Part>,
    pub(crate) order: Vec<u32>,
    /// How its energy changes. What a part loses by itself is first in the part.
    pub book: Entries,
    /// How members turn and contacts rub while they are held; off after [`Group::clear`].
    pub friction: Friction,
    /// Whether e = 0 is for the sake of what is between bodies that close in.
    pub is_crushed: bool,
    /// Whether a wall that moves closes in on what has no room to come to rest: see
    /// [`Group::come_to_rest`].
    pub has_no_room: bool,
    /// Infinite masses that gave way, as members: between them there was no room.
    pub yielded: Vec<usize>,
    /// Tracers each with a disc that passes over it, both as members.
    pub passed: Vec<(usize, usize)>,
    /// Facets that members were held to and have left over their ends.
    pub left: Vec<LeftFacet>,
    /// For whoever finds the contacts: the discs near a member.
    pub words: Vec<u64>,
    /// Scratch: the contacts of a part in the present pass. Between steps it is free for others.
    pub pass: Vec<u32>,
    pub(crate) scratch: Scratch,
}

/// A facet to which a member was held up to now, and which it has left over an end.
#[derive(Clone, Copy, Debug)]
pub struct LeftFacet {
    /// Index of the member.
    pub member: usize,
    /// Number and side of the facet.
    pub facet: (u32, Side),
    /// The velocity of the wall.
    pub surface: DVec2,
    /// Whether the two did not slip on each other.
    pub stuck: bool,
}

/// What is left to a group whose impacts get nowhere, though they are without restitution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stuck {
    /// Its discs move as one.
    AsOne,
    /// They also stop, if all that they cannot move is at rest.
    Still,
}

/// No member.
pub(crate) const NONE: u32 = u32::MAX;

/// How many members there is room for from the first. Nearly all groups are smaller; larger ones grow their
/// lists once.
const ROOM: usize = 16;

impl Group {
    /// With room for few members, and for no more than there are discs, so that lists need not grow step by
    /// step.
    pub fn with_room(discs: usize) -> Group {
        let (few, twice) = (discs.min(ROOM), 2 * discs.min(ROOM));
        Group {
            members: Vec::with_capacity(few),
            member_of: Vec::with_capacity(few),
            contacts: Vec::with_capacity(twice),
            places: Vec::with_capacity(twice),
            order: Vec::with_capacity(twice),
            pass: Vec::with_capacity(twice),
            scratch: Scratch::with_room(few),
            ..Group::default()
        }
    }

    /// Takes out all members and contacts, and the entries of its book; says whether what comes next is a
    /// cluster.
    pub fn clear(&mut self, is_cluster: bool) {
        (self.is_cluster, self.stuck) = (is_cluster, None);
        for member in &self.members {
            self.member_of[member.slot as usize] = NONE;
        }
        self.members.clear();
        self.contacts.clear();
        self.book = Entries::default();
        (self.is_crushed, self.has_no_room) = (false, false);
        self.friction.is_on = false;
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
        let ends = |(c, contact): (u32, &Contact)| contact.ends().into_iter().flatten().map(move |m| (c, m));
        self.touching.note(self.members.len(), (0..).zip(&self.contacts).flat_map(ends));
    }

    /// What a member touches, each with the unit normal from it, in the order of contacts, from the last
    /// [`Group::note_touching`].
    pub fn touching_of(&self, member: usize) -> impl Iterator<Item = (DVec2, Other)> + '_ {
        self.touching.of(member).iter().map(move |&c| match self.contacts[c as usize] {
            Contact { a, with: Other::Member(b), normal, .. } if b == member => (-normal, Other::Member(a)),
            Contact { with, normal, .. } => (normal, with),
        })
    }

    /// Sets how a member moves without contacts.
    pub fn set_free(&mut self, m: usize, free: Free) {
        let member = &mut self.members[m];
        (member.free, member.pull) = (free.acceleration, free.pull);
        (member.grip, member.inertia) = (free.grip, free.inertia);
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

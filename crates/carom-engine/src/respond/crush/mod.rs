//! Crushing: what becomes of what is between bodies that close in on it, see [`CrushRule`].
//!
//! The rule. Infinite masses, walls that turn or move, and growing radii cannot be stopped by what they
//! press on. Where they leave no room, no impulses keep the contacts from approaching, and there are three
//! ways out: infinite masses change their velocities by the least that makes room, and what is between takes
//! e = 0; what closes in on a tracer passes over it, until they part; walls stop where they are, or else
//! growth ends. With [`CrushRule::Stop`] none is taken, and the call ends.
//!
//! | what | where |
//! | --- | --- |
//! | impacts between bodies that close in are counted, and made plastic | [`Chains`], `apply/chains` |
//! | a group has no answer: velocities with which it has one | `carom-solver`: `yielding`, `give_way` |
//! | the call ends, or walls stop | [`check_crush`], [`closing_walls`] |
//! | what is pressed on what | [`pinch`] |
//! | what gave way and what passes is stored and told | [`Blocked`], [`Passing`], `apply/crush` |
//! | when it goes on, and when it has parted | [`release`] |
//!
//! [`Chains`]: crate::state::chains::Chains
//! [`Blocked`]: crate::state::contacts::Blocked
//! [`Passing`]: crate::state::contacts::Passing

pub(crate) mod pinch;
pub(crate) mod release;

use crate::respond::contact::touched;
use crate::respond::rest::is_of_edit;
use crate::state::contacts::Scratch;
use crate::store::Common;
use crate::{CrushRule, StopReason};
use carom_broadphase::Scheduled;
use carom_solver::{Contact, Group, Other};
use pinch::{pinch_of, pinch_of_tracer};
use smallvec::SmallVec;

/// Why the world stops at a group in which bodies had to give way; `Ok` if it does not. What an edit has put
/// where it has no room is not settled: it closes in, and the event of that says so.
pub(crate) fn check_crush(store: &Common, due: &Scheduled, group: &mut Group) -> Result<(), StopReason> {
    let is_crushed = !group.yielded.is_empty() || !group.passed.is_empty();
    if !is_crushed || (store.settings.crush == CrushRule::GiveWay && !is_of_edit(due)) {
        return Ok(());
    }
    group.put_in_order(|slot| store.bodies.detail(slot).serial);
    group.note_touching();
    let serial = |m: usize| store.bodies.detail(group.members[m].slot).serial;
    let lost = |m: usize| group.members[m].motion.velocity - group.velocity(m);
    let hardest = group.yielded.iter().copied().min_by(|&a, &b| {
        let by_speed = lost(b).length_squared().total_cmp(&lost(a).length_squared());
        by_speed.then(serial(a).cmp(&serial(b)))
    });
    let (by, pinch) = match (hardest, group.passed.first()) {
        (Some(m), _) => (m, pinch_of(group, m, lost(m), &mut Scratch::default())),
        (None, Some(&(tracer, over))) => (over, pinch_of_tracer(group, tracer, over)),
        (None, None) => return Ok(()),
    };
    let id = |m: usize| store.bodies.id(group.members[m].slot);
    Err(StopReason::Crushed {
        body: id(pinch.body),
        by: id(by),
        against: store.partner(touched(group, pinch.against)),
    })
}

/// The walls that turn or move and close in on a member of a group.
pub(crate) fn closing_walls(store: &Common, group: &Group) -> SmallVec<[u32; 4]> {
    let wall = |contact: &Contact| match contact.with {
        Other::Facet(f, _) if contact.growth_speed > 0.0 => {
            let facet = &store.walls.facets[f as usize];
            facet.is_driven.then_some(facet.wall)
        }
        _ => None,
    };
    let mut walls: SmallVec<[u32; 4]> = group.contacts.iter().filter_map(wall).collect();
    // In the order in which they were put up.
    walls.sort_unstable_by_key(|&wall| store.walls.first_of(wall));
    walls.dedup();
    walls
}

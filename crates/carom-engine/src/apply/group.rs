//! An impact of several contacts.

use super::chains::count_group_in_chains;
use super::change::report_change;
use super::crush::note_crush;
use super::energy::enter_book_of;
use super::rest::hold_group;
use super::slide::set_on_chord;
use super::token::{GuardedStore, Open};
use super::write::store_in_group;
use crate::ledger::Book;
use crate::respond::collapse::{are_nowhere, rapid_impacts};
use crate::respond::contact::{approach, kind_of, touched};
use crate::respond::group_physics::{point_of, velocities_of};
use crate::respond::motion_change::Changed;
use crate::respond::slide::start_sliding;
use crate::sink::Sink;
use crate::state::stamp::Stamp;
use crate::state::wall_memory::WallMemory;
use crate::store::{Common, Store};
use crate::{Event, Impact, Physics, State};
use carom_broadphase::Scheduled;
use carom_math::{DVec2, sqrt};
use carom_solver::{Group, Other};

/// What has been found of an impact of several contacts, beside what its group holds.
pub(crate) struct SolvedGroup<'a, P: Physics> {
    pub(crate) due: &'a Scheduled,
    /// The states of the members, in their order.
    pub(crate) before: &'a [State<P::Extra>],
    pub(crate) after: &'a [State<P::Extra>],
    pub(crate) change: Option<Changed<P::Change>>,
    /// How many speeds were too high.
    pub(crate) clamped: u64,
    /// What the physics and the limit of speeds have done to the energy.
    pub(crate) book: Book,
}

/// Stores, marks and reports an impact of several contacts: the states, the energies, what is held from now
/// on, and what has given way.
pub(crate) fn apply_group<P: Physics, K: Sink<P>>(
    store: &mut GuardedStore<P>,
    group: &mut Group,
    solved: SolvedGroup<'_, P>,
    sink: &mut K,
) {
    let store = store.open();
    let SolvedGroup { due, before, after, change, clamped, book } = solved;
    store.counters.clamped += clamped;
    report_change(store, change, sink);
    enter_book_of(store, group, book);
    write_group(store, due, group, [before, after], sink);
    if P::ACCELERATED {
        group.let_passed_go();
        hold_group(store, group);
    }
    note_crush(store, group, sink);
}

/// Stores the new states of the members, and reports the contacts that pushed.
fn write_group<P: Physics, K: Sink<P>>(
    store: &mut Store<P>,
    due: &Scheduled,
    group: &Group,
    [before, after]: [&[State<P::Extra>]; 2],
    sink: &mut K,
) {
    let (number, stamp) = store.next_impact(kind_of(group));
    store.counters.groups += 1;
    store.counters.made_plastic += u64::from(group.is_cluster);
    let speed2 = |m: usize| group.velocity(m).length_squared();
    let fastest = sqrt((0..group.members.len()).map(speed2).fold(0.0, f64::max));
    let is_nowhere = are_nowhere(store, group.members.iter().map(|member| member.slot));
    let takes_part = |m: usize| group.members[m].takes_part || group.members[m].is_held;
    let is_idle = !(0..group.members.len()).any(takes_part);
    for (m, state) in after.iter().enumerate() {
        let slot = group.members[m].slot;
        // A disc that takes no part keeps its state: computed at this time it would differ in the last bit.
        if takes_part(m) || (is_idle && has_met(due, group, m, before)) {
            let slid = store.bodies.contacts.held.get(slot).is_some();
            store_after_group(store, due, group, m, state, (stamp, is_nowhere));
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

/// Whether a member counts as having met something in an impact that changes no velocity, such as that of a
/// tracer that is crushed between two infinite masses. Every member of a contact that closes does. The order
/// of insertion decides which contact of an instant is due: if that one alone counted, another order would
/// give other bits. Its discs count also where the rounding of its time lets it open already.
fn has_met<X: Copy>(due: &Scheduled, group: &Group, m: usize, before: &[State<X>]) -> bool {
    let approaches = |contact: &carom_solver::Contact| {
        let [v_a, v_b] = velocities_of(contact, before);
        approach((v_a - v_b - contact.surface).dot(contact.normal), contact.growth_speed) > 0.0
    };
    let slot = group.members[m].slot;
    slot == due.a
        || slot == due.b
        || group.contacts.iter().any(|c| c.ends().contains(&Some(m)) && approaches(c))
}

fn store_after_group<P: Physics>(
    store: &mut Store<P>,
    due: &Scheduled,
    group: &Group,
    m: usize,
    state: &State<P::Extra>,
    (stamp, is_nowhere): (Stamp, bool),
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
    let rapid_impacts = rapid_impacts(store, slot, group.members[m].restitution, is_nowhere);
    store.bodies.walls.set(slot, walls.just_met());
    store.bodies.set_impact(slot, partner, rapid_impacts);
    store_in_group(store, slot, state, stamp);
    store.mark(slot);
}

fn impact_of<X: Copy>(
    store: &Common,
    number: u64,
    group: &Group,
    contact: &carom_solver::Contact,
    before: &[State<X>],
    after: &[State<X>],
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

/// Lets a member of a group slide along a curved wall that has pushed it; `fastest` is the largest speed
/// of the members.
fn slide_after_group<P: Physics>(store: &mut Store<P>, group: &Group, m: usize, slid: bool, fastest: f64) {
    // A chord would lead it into what it fits beside.
    if group.stuck.is_some() {
        return;
    }
    for contact in group.facet_contacts_of(m).filter(|contact| contact.impulse > 0.0) {
        if let Other::Facet(f, side) = contact.with {
            let member = &group.members[m];
            let chord = start_sliding(store, member.slot, f, side, member.restitution, slid, fastest);
            if let Some(chord) = chord {
                set_on_chord(store, &chord);
                break;
            }
        }
    }
}

//! What the physics adds to the impacts of a group.

use super::contact::approach;
use super::two_body::{MassShares, impulse_of};
use crate::ledger::Book;
use crate::limits::within_limit;
use crate::store::{Common, Store};
use crate::touch::point_between;
use crate::{Contact, Physics, State};
use carom_solver::{Group, Other};
use glam::DVec2;

/// Lets the physics add to the velocities, one contact after another. In the order of their points:
/// that of insertion does not show.
pub(crate) fn apply_own_physics<P: Physics>(
    store: &Store<P>,
    group: &mut Group,
    before: &[State<P::Extra>],
    after: &mut [State<P::Extra>],
) {
    if P::IS_SMOOTH {
        return;
    }
    let mut order = core::mem::take(&mut group.pass);
    order.clear();
    order.extend((0..group.contacts.len() as u32).filter(|&c| group.contacts[c as usize].impulse > 0.0));
    let point = |&c: &u32| point_of(store, group, &group.contacts[c as usize], before);
    order.sort_unstable_by(|c, d| {
        let (p, q) = (point(c), point(d));
        p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(c.cmp(d))
    });
    for &c in &order {
        let contact = group.contacts[c as usize];
        group.contacts[c as usize].own_impulse = apply_physics_at(store, group, &contact, before, after);
    }
    group.pass = order;
}

/// Lets the physics add to the velocities at one contact. The normal impulse that it adds.
fn apply_physics_at<P: Physics>(
    store: &Store<P>,
    group: &Group,
    contact: &carom_solver::Contact,
    before: &[State<P::Extra>],
    after: &mut [State<P::Extra>],
) -> f64 {
    let (a, normal) = (contact.a, contact.normal);
    let body_a = store.body_at(group.members[a].slot, store.now);
    let point = point_of(store, group, contact, before);
    let [v_a, v_b] = velocities_of(contact, before);
    // The physics changes `after`, and the group only when all of it is done.
    let pushed = contact.ends().map(|end| end.map_or(DVec2::ZERO, |m| pushed::<P>(group, m, before)));
    let class = group.class_of(contact);
    let moved = contact.ends().into_iter().flatten().map(|m| &group.members[m]);
    let pushes = moved.filter(|member| member.class == class).map(|member| member.pushes);
    let contacts = pushes.fold(1, u32::max);
    let shared = |of_b| Contact {
        point,
        normal,
        approach_speed: approach((v_a - v_b).dot(normal), contact.growth_speed),
        restitution: contact.restitution,
        impulse: contact.impulse,
        before: [before[a], of_b],
        pushed,
        contacts,
    };
    match contact.with {
        Other::Member(b) => {
            let body_b = store.body_at(group.members[b].slot, store.now);
            let expected = normal * (body_a.radius + body_b.radius);
            let view = shared(store.beside(before[a].position, expected, before[b]));
            let (mut of_a, mut of_b) = (after[a], after[b]);
            store.physics.pair(&view, [&body_a, &body_b], &mut of_a, &mut of_b);
            let changes = [of_a.velocity - after[a].velocity, of_b.velocity - after[b].velocity];
            (after[a], after[b]) = (of_a, of_b);
            impulse_of(changes, normal, MassShares::of_discs([body_a.mass, body_b.mass]))
        }
        Other::Facet(f, _) => {
            let surface = &store.wall_of(f).surface;
            let velocity = store.surface_velocity(f, point);
            let at_wall = State { position: point, velocity, ..State::default() };
            let mut view = shared(at_wall);
            view.pushed[1] = velocity;
            let mut of_a = after[a];
            store.physics.wall(&view, &body_a, surface, &mut of_a);
            let change = of_a.velocity - after[a].velocity;
            after[a] = of_a;
            impulse_of([change, DVec2::ZERO], normal, MassShares::at_wall(body_a.mass))
        }
    }
}

/// The velocity of a member after the normal impulses of the group.
pub(crate) fn pushed<P: Physics>(group: &Group, member: usize, before: &[State<P::Extra>]) -> DVec2 {
    // What is held has been kept from opening and closing before.
    let takes_part = P::ACCELERATED || group.members[member].takes_part;
    if takes_part { group.velocity(member) } else { before[member].velocity }
}

/// Where the two of a contact touch.
pub(crate) fn point_of<X>(
    store: &Common,
    group: &Group,
    contact: &carom_solver::Contact,
    states: &[State<X>],
) -> DVec2 {
    let (place, radius) = (states[contact.a].position, group.members[contact.a].motion.radius);
    match contact.with {
        Other::Member(b) => {
            let radii = [radius, group.members[b].motion.radius];
            point_between(&store.bodies.periods, [place, states[b].position], radii, contact.normal)
        }
        Other::Facet(..) => place + contact.normal * radius,
    }
}

pub(crate) fn velocities_of<X: Copy>(contact: &carom_solver::Contact, states: &[State<X>]) -> [DVec2; 2] {
    contact.ends().map(|end| end.map_or(DVec2::ZERO, |m| states[m].velocity))
}

/// What came of the speeds that the physics wants for a group.
#[derive(Default)]
pub(crate) struct Limited {
    /// How many were too high.
    pub(crate) clamped: u64,
    /// Whether one is another than the group's.
    pub(crate) is_deflected: bool,
    pub(crate) book: Book,
}

/// Keeps the speeds after an impact within the limit.
pub(crate) fn limit_speeds<X>(group: &Group, after: &mut [State<X>]) -> Limited {
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

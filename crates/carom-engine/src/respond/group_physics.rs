//! What the physics adds to the impacts of a group.

use super::contact::approach;
use super::two_body::{MassShares, impulse_of};
use crate::ledger::Book;
use crate::limits::within_limit;
use crate::store::{Common, Store};
use crate::touch::point_between;
use crate::{Body, Contact, Physics, State};
use carom_solver::{Group, Other};
use glam::DVec2;
use smallvec::SmallVec;

/// How often the physics is asked about the contacts of a group at most, and the least number of sweeps for
/// groups of more than 512 contacts. A model in closed form takes about half a millisecond in all, one that
/// integrates an impact in a thousand steps half a second. A rack without gaps takes 48 sweeps on average.
/// Heaps with large friction may take more: the impulses that are found then differ from those of Coulomb's
/// law.
const MOST_ASKED: usize = 1 << 13;
const LEAST_SWEEPS: usize = 16;

/// The least part of what a contact asks for that is added in a sweep, where all ask at once. A sixth
/// would do for the six neighbours of a disc; masses that are unlike ask for less.
const LEAST_SHARE: f64 = 0.1;

/// Of the largest speed: a sweep that changes no velocity by more is the last one, and what lets two approach
/// by less does not press. What is left is some times as much. With less, each digit costs eight sweeps more.
const AGREED: f64 = 1.0 / (1u64 << 40) as f64;

/// A contact at which the physics is asked.
#[derive(Debug)]
pub(crate) struct Rubbed<X> {
    /// Its number in the group, and its point.
    contact: u32,
    point: DVec2,
    /// What the physics adds to its two members.
    added: [State<X>; 2],
    /// The normal impulse ≥ 0 that keeps the two from approaching with what is added at all contacts.
    press: f64,
}

/// A contact as one of its members has it.
#[derive(Debug)]
pub(crate) struct End {
    member: usize,
    /// The absolute values of the normal's components, as bits, and whether it lies along `x = y` or across.
    direction: (u64, u64, bool),
    /// The number of the contact among those that are asked, and which of its two the member is.
    contact: usize,
    side: usize,
}

impl End {
    /// Orders the contacts of each member so that a mirrored group has them in the same order. Contacts in
    /// opposite directions have the same key.
    fn key(&self) -> (usize, (u64, u64, bool)) {
        (self.member, self.direction)
    }
}

/// What [`apply_own_physics`] works in.
#[derive(Debug)]
pub(crate) struct RubbingScratch<X> {
    pushed: SmallVec<[State<X>; 16]>,
    contacts: SmallVec<[Rubbed<X>; 16]>,
    ends: SmallVec<[End; 32]>,
}

impl<X> Default for RubbingScratch<X> {
    fn default() -> Self {
        RubbingScratch { pushed: SmallVec::new(), contacts: SmallVec::new(), ends: SmallVec::new() }
    }
}

/// Lets the physics add to the velocities of a group.
pub(crate) fn apply_own_physics<P: Physics>(
    store: &Store<P>,
    group: &mut Group,
    (before, is_rubbed): (&[State<P::Extra>], bool),
    after: &mut [State<P::Extra>],
    scratch: &mut RubbingScratch<P::Extra>,
) {
    if P::IS_SMOOTH {
        return;
    }
    let RubbingScratch { pushed, contacts, ends } = scratch;
    pushed.clear();
    pushed.extend_from_slice(after);
    let speed = after.iter().map(|state| state.velocity.abs().max_element()).fold(0.0, f64::max);
    let mut rubbing = Rubbing { store, before, is_rubbed, pushed, contacts, ends, least: AGREED * speed };
    rubbing.note_contacts(group, after);
    rubbing.rub(group, after);
}

/// What the physics does at the contacts of a group.
struct Rubbing<'a, P: Physics> {
    store: &'a Store<P>,
    /// The states before the impact.
    before: &'a [State<P::Extra>],
    /// Whether friction is in the states already.
    is_rubbed: bool,
    /// Those after the normal impulses.
    pushed: &'a mut SmallVec<[State<P::Extra>; 16]>,
    /// In the order of their points: that of insertion does not show.
    contacts: &'a mut SmallVec<[Rubbed<P::Extra>; 16]>,
    /// Their ends, by [`End::key`].
    ends: &'a mut SmallVec<[End; 32]>,
    /// The largest change of velocity that counts as none: see [`AGREED`].
    least: f64,
}

impl<P: Physics> Rubbing<'_, P> {
    /// Lets the physics add to the velocities.
    ///
    /// If it adds up ([`Physics::ADD`]), each contact is asked until none changes what it adds, which is
    /// then right for what all others add. What is added at one contact may let others approach: each
    /// presses as much as keeps its two from that, with e = 0, and rubs by it. All are asked at once
    /// (Jacobi), which keeps a mirrored group mirrored to the last bit, and add a part of what they ask
    /// for that falls until changes do. Energy does not rise: `impulse.md`, Friction. The impulses that
    /// press are found once more, and applied, by [`Group::stop_approaching`].
    fn rub(&mut self, group: &mut Group, after: &mut [State<P::Extra>]) {
        let count = self.contacts.len();
        if P::ADD.is_none() || count <= 1 {
            for k in 0..count {
                let (rubbed, _) = self.rub_contact(group, k, after, 1.0);
                self.take(group, k, rubbed, after);
            }
            return;
        }
        self.note_ends(group);
        let (mut last, mut share) = (f64::INFINITY, 1.0);
        for _ in 0..LEAST_SWEEPS.max(MOST_ASKED / count) {
            let mut most = 0.0_f64;
            for k in 0..count {
                most = most.max(self.rub_contact(group, k, after, share).1);
            }
            self.add_up(group, after, true);
            if most <= self.least {
                break;
            }
            if most > last {
                share = (0.7 * share).max(LEAST_SHARE);
            }
            last = most;
        }
        self.add_up(group, after, false);
    }

    /// Takes in the contacts that pushed; if the physics adds up, and there are any, all that may come to
    /// push.
    fn note_contacts(&mut self, group: &Group, after: &mut [State<P::Extra>]) {
        self.contacts.clear();
        let has_pushed = |contact: &carom_solver::Contact| contact.impulse > 0.0;
        let takes_all = P::ADD.is_some() && group.contacts.iter().any(has_pushed);
        let moves = |m: usize| group.members[m].mass < f64::INFINITY;
        let touches = |contact: &carom_solver::Contact| {
            !contact.is_twin && !contact.pressing.is_near && contact.ends().into_iter().flatten().any(moves)
        };
        for (c, contact) in (0..).zip(&group.contacts) {
            if has_pushed(contact) || takes_all && touches(contact) {
                let point = point_of(self.store, group, contact, self.before);
                self.contacts.push(Rubbed { contact: c, point, added: Default::default(), press: 0.0 });
                for m in contact.ends().into_iter().flatten() {
                    let body = body_of(self.store, group, m);
                    for states in [&mut *after, &mut *self.pushed] {
                        self.store.physics.begin_impact(&body, &self.before[m], &mut states[m]);
                    }
                }
            }
        }
        self.contacts.sort_unstable_by(|c, d| {
            let (p, q) = (c.point, d.point);
            p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(c.contact.cmp(&d.contact))
        });
    }

    /// Asks the physics what it adds at a contact, with what is added at all others. The states with
    /// that, and by how much it changes a velocity.
    fn rub_contact(
        &mut self,
        group: &mut Group,
        k: usize,
        after: &[State<P::Extra>],
        share: f64,
    ) -> ([State<P::Extra>; 2], f64) {
        let Rubbed { contact: c, point, added: last, press } = self.contacts[k];
        let contact = group.contacts[c as usize];
        if self.is_idle(&contact, k, after) {
            return ([State::default(); 2], 0.0);
        }
        // A wall has a state of its own, to which nothing is added.
        let mut seen = [0, 1]
            .map(|k| contact.ends()[k].map_or_else(State::default, |m| plus::<P>(&after[m], &last[k], -1.0)));
        let pressed = if P::ADD.is_some() { self.press(group, k, &mut seen) } else { 0.0 };
        let pushes = contact.impulse + pressed > 0.0;
        let (rubbed, own_impulse) =
            if pushes { self.ask(group, (&contact, point, pressed), seen) } else { (seen, 0.0) };
        group.contacts[c as usize].own_impulse = own_impulse;
        let added = [0, 1].map(|k| {
            let more = plus::<P>(&plus::<P>(&rubbed[k], &seen[k], -1.0), &last[k], -1.0);
            plus::<P>(&last[k], &more, share)
        });
        let pressed = press + share * (pressed - press);
        self.contacts[k] = Rubbed { contact: c, point, added, press: pressed };
        let shares = shares_of(group, &contact);
        let change = [0, 1].map(|k| (added[k].velocity - last[k].velocity).abs().max_element());
        let by_press = (pressed - press).abs() / shares.effective();
        (rubbed, change[0].max(change[1]).max(by_press))
    }

    /// Whether the two of a contact neither push nor approach, so that nothing is added there.
    fn is_idle(&self, contact: &carom_solver::Contact, k: usize, after: &[State<P::Extra>]) -> bool {
        let Rubbed { added, press, .. } = &self.contacts[k];
        let is_still = |state: &State<P::Extra>| state.velocity == DVec2::ZERO;
        let [v_a, v_b] = velocities_of(contact, after);
        let closing = approach((v_a - v_b).dot(contact.normal), contact.growth_speed);
        contact.impulse == 0.0 && *press == 0.0 && added.iter().all(is_still) && closing <= self.least
    }

    /// Keeps the two of a contact from approaching, given their states without what is added there. The
    /// normal impulse that does.
    fn press(&mut self, group: &Group, k: usize, seen: &mut [State<P::Extra>; 2]) -> f64 {
        let Rubbed { contact: c, added: last, press, .. } = &self.contacts[k];
        let contact = &group.contacts[*c as usize];
        let shares = shares_of(group, contact);
        let without = shares.changes(-press / shares.effective());
        let normal = contact.normal;
        for (k, sign) in [(0, -1.0), (1, 1.0)] {
            seen[k].velocity += normal * (sign * without[k]);
        }
        let v = [0, 1].map(|k| seen[k].velocity + last[k].velocity);
        let v_b = if let Other::Member(_) = contact.with { v[1] } else { DVec2::ZERO };
        let closing = approach((v[0] - v_b).dot(normal), contact.growth_speed);
        let closing = if closing > self.least { closing } else { 0.0 };
        let by_press = shares.changes(closing);
        for (k, sign) in [(0, -1.0), (1, 1.0)] {
            seen[k].velocity += normal * (sign * by_press[k]);
        }
        closing * shares.effective()
    }

    /// Takes the states that a contact has made.
    fn take(&self, group: &Group, k: usize, rubbed: [State<P::Extra>; 2], after: &mut [State<P::Extra>]) {
        let ends = group.contacts[self.contacts[k].contact as usize].ends();
        for (m, state) in ends.into_iter().zip(rubbed).filter_map(|(m, state)| Some((m?, state))) {
            after[m] = state;
        }
    }

    /// Takes in who is added to at which contacts.
    fn note_ends(&mut self, group: &Group) {
        self.ends.clear();
        for (k, rubbed) in self.contacts.iter().enumerate() {
            let contact = &group.contacts[rubbed.contact as usize];
            let DVec2 { x, y } = contact.normal;
            let direction =
                (x.abs().to_bits(), y.abs().to_bits(), x.is_sign_negative() == y.is_sign_negative());
            for (side, member) in contact.ends().into_iter().enumerate() {
                self.ends.extend(member.map(|member| End { member, direction, contact: k, side }));
            }
        }
        self.ends.sort_unstable_by_key(End::key);
    }

    /// Gives the members the states with what is added at all contacts, and with what presses or without it.
    ///
    /// Of a member whose contacts lie in mirrored directions those opposite each other are added first, then
    /// the two sums, then all others: so each addition of the mirrored group is one here, with its two terms
    /// exchanged at most, and rounds as it does.
    fn add_up(&self, group: &Group, after: &mut [State<P::Extra>], with_press: bool) {
        let sum = |of: &mut dyn Iterator<Item = State<P::Extra>>| {
            of.reduce(|all, one| plus::<P>(&all, &one, 1.0)).unwrap_or_default()
        };
        let of_end = |end: &End| {
            let Rubbed { contact, added, press, .. } = &self.contacts[end.contact];
            let contact = &group.contacts[*contact as usize];
            let shares = shares_of(group, contact);
            let pressed = if with_press { press / shares.effective() } else { 0.0 };
            let mut added = added[end.side];
            let by_press = shares.changes(pressed)[end.side];
            added.velocity += contact.normal * if end.side == 0 { -by_press } else { by_press };
            added
        };
        for ends in self.ends.chunk_by(|a, b| a.member == b.member) {
            let of_line = |ends: &[End]| sum(&mut ends.iter().map(of_end));
            let of_cross = |ends: &[End]| sum(&mut ends.chunk_by(|a, b| a.key() == b.key()).map(of_line));
            let same = |a: &End, b: &End| a.direction.0 == b.direction.0 && a.direction.1 == b.direction.1;
            let all = sum(&mut ends.chunk_by(same).map(of_cross));
            let m = ends[0].member;
            after[m] = plus::<P>(&self.pushed[m], &all, 1.0);
        }
    }

    /// What the physics makes of these states at a contact, and the normal impulse that it adds.
    fn ask(
        &self,
        group: &Group,
        (contact, point, pressed): (&carom_solver::Contact, DVec2, f64),
        seen: [State<P::Extra>; 2],
    ) -> ([State<P::Extra>; 2], f64) {
        let Rubbing { store, before, pushed, .. } = self;
        let (a, normal) = (contact.a, contact.normal);
        let body_a = body_of(store, group, a);
        let [v_a, v_b] = velocities_of(contact, before);
        let shared = |of_b| Contact {
            point,
            normal,
            approach_speed: approach((v_a - v_b).dot(normal), contact.growth_speed),
            restitution: contact.restitution,
            impulse: contact.impulse + pressed,
            before: [before[a], of_b],
            is_rubbed: self.is_rubbed,
            pushed: velocities_of(contact, pushed),
        };
        let [mut of_a, mut of_b] = seen;
        let changes = match contact.with {
            Other::Member(b) => {
                let body_b = body_of(store, group, b);
                let expected = normal * (body_a.radius + body_b.radius);
                let view = shared(store.beside(before[a].position, expected, before[b]));
                store.physics.pair(&view, [&body_a, &body_b], &mut of_a, &mut of_b);
                [of_a.velocity - seen[0].velocity, of_b.velocity - seen[1].velocity]
            }
            Other::Facet(f, _) => {
                let surface = &store.wall_of(f).surface;
                let velocity = store.surface_velocity(f, point);
                let at_wall = State { position: point, velocity, ..State::default() };
                let mut view = shared(at_wall);
                view.pushed[1] = velocity;
                store.physics.wall(&view, &body_a, surface, &mut of_a);
                [of_a.velocity - seen[0].velocity, DVec2::ZERO]
            }
        };
        ([of_a, of_b], impulse_of(changes, normal, shares_of(group, contact)))
    }
}

/// `state + times · change`, at the place of the state.
fn plus<P: Physics>(state: &State<P::Extra>, change: &State<P::Extra>, times: f64) -> State<P::Extra> {
    let add = P::ADD.unwrap_or(|extra, _, _| *extra);
    State {
        position: state.position,
        velocity: state.velocity + change.velocity * times,
        extra: add(&state.extra, &change.extra, times),
    }
}

/// How the two of a contact share an impulse.
fn shares_of(group: &Group, contact: &carom_solver::Contact) -> MassShares {
    let mass = |m: usize| group.members[m].mass;
    match contact.with {
        Other::Member(b) => MassShares::of_discs([mass(contact.a), mass(b)]),
        Other::Facet(..) => MassShares::at_wall(mass(contact.a)),
    }
}

fn body_of<P: Physics>(store: &Store<P>, group: &Group, member: usize) -> Body<P::Body> {
    store.body_at(group.members[member].slot, store.now)
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

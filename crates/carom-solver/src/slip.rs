//! Pieces of the motion of discs that friction slows: they end where a disc stops, or where the direction in
//! which it slides has turned.

use super::complementarity::Infeasible;
use super::ground::{Free, Ground};
use super::group::Group;
use super::piece::{ANGLE, Flight, GAP};
use super::role::{Precision, Role};
use crate::mass_class::MassClass;
use carom_math::eft::DoubleDouble as Dd;
use carom_math::sqrt;
use glam::DVec2;
use smallvec::SmallVec;

/// How often the end of a piece is moved to where a disc stops, and the fraction of it at which it is there.
const SOUGHT: usize = 8;
const FOUND: f64 = 1e-12;

/// Discs that stop within this fraction of a piece from its end stop at its end.
const TOGETHER: f64 = 1e-9;

/// By how much later than the end of a piece a disc may stop for the piece to be made longer.
const LATER: f64 = 1e-2;

/// The largest angle by which a line of centres turns in a piece that is as good as an instant.
const INSTANT: f64 = 1e-6;

/// A velocity that is so many times what a piece changes it by is taken to keep its direction.
const STRAIGHT: f64 = 1e8;

/// What friction lets a disc do that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Slip {
    /// It stops after so many seconds.
    Stops(f64),
    /// Its direction has turned, or its speed is a half, after so many seconds.
    Turns(f64),
}

/// The forces of contacts where friction acts, too.
impl Group {
    /// Sets how a member moves without contacts.
    pub fn set_free(&mut self, m: usize, free: Free) {
        let member = &mut self.members[m];
        (member.free, member.pull) = (free.acceleration, free.pull);
        (member.grip, member.inertia) = (free.grip, free.inertia);
    }

    /// Solves for the forces of contacts, at the instant or over a piece of `lasts` seconds. `largest` is the
    /// largest acceleration that they may have to cancel; `row` as for `solve_rows`.
    pub(super) fn solve_forces_of(
        &mut self,
        contacts: &[u32],
        class: MassClass,
        (largest, lasts): (f64, f64),
        row: impl Fn(&Group, u32) -> (DVec2, Dd, Role),
    ) -> Result<(), Infeasible> {
        self.gather_rows(contacts, class, |member| member.mass * member.inertia, row);
        if !self.bodies.iter().any(|&m| self.members[m as usize].grip > 0.0) {
            self.problem.precision = if lasts > 0.0 { Precision::Soft } else { Precision::Rounded };
            // What accelerates on its own, or slides in a narrowing channel, may leave no room.
            return self.problem.solve(largest, true);
        }
        self.problem.grounds.clear();
        for &m in &self.bodies {
            let ground = self.ground_of(m as usize, largest, lasts);
            self.problem.grounds.push(ground);
        }
        self.problem.solve_on_ground(largest)
    }

    /// What the ground does to a member. Of one that moves the friction is that of its velocity in the middle
    /// of a piece, `v + ½ a T`: against the way from its beginning to its end.
    fn ground_of(&self, m: usize, largest: f64, lasts: f64) -> Ground {
        let (member, velocity) = (&self.members[m], self.velocity(m));
        let (pull, most, free) = (member.pull, member.grip, member.free);
        match (velocity == DVec2::ZERO, lasts > 0.0) {
            _ if !(most > 0.0) => Ground::default(),
            (true, _) => Ground { most, offset: free, ..Ground::default() },
            // Of the velocity at the instant, and so in `free`.
            (false, false) => Ground::default(),
            (false, true) if member.stops => {
                Ground { pull: -velocity / lasts - free, is_given: true, ..Ground::default() }
            }
            // That hardly turns.
            (false, true) if velocity.abs().max_element() > STRAIGHT * lasts * most.max(largest) => {
                Ground::default()
            }
            (false, true) => Ground {
                pull: pull - free,
                most,
                offset: free + velocity * (2.0 / lasts),
                ..Ground::default()
            },
        }
    }
}

/// Pieces.
impl Group {
    /// Whether friction acts on what the contacts join.
    pub(super) fn has_grip(&self, contacts: &[u32]) -> bool {
        self.gripped(contacts).next().is_some()
    }

    /// Whether a contact opens with a body at rest that the ground holds, by at most so much of the speeds of
    /// falls: forces decide there all the same. To stop the opening would draw the body along, whatever
    /// presses: forces that friction cancels are not unique, and one that is none would do.
    pub(super) fn would_draw(&self, c: u32, closed: f64) -> bool {
        let contact = &self.contacts[c as usize];
        let rests = |m: usize| self.members[m].grip > 0.0 && self.velocity(m) == DVec2::ZERO;
        let opening = self.opening(c).to_f64();
        let ends = || contact.ends().into_iter().flatten();
        let fall = ends().map(|m| self.members[m].fall_speed()).fold(0.0, f64::max);
        opening > 0.0 && opening <= closed * fall && ends().any(rests)
    }

    /// Whether friction acts on one of them that moves.
    pub(super) fn is_slipping(&self, contacts: &[u32]) -> bool {
        self.gripped(contacts).any(|m| self.velocity(m) != DVec2::ZERO)
    }

    /// The members of contacts on which friction acts, some of them more than once.
    fn gripped<'a>(&'a self, contacts: &'a [u32]) -> impl Iterator<Item = usize> + 'a {
        let ends = contacts.iter().flat_map(|&c| self.contacts[c as usize].ends()).flatten();
        ends.filter(|&m| self.members[m].grip > 0.0 && self.members[m].class != MassClass::Infinite)
    }

    /// Seconds until friction turns or stops the first of the members of contacts.
    pub(super) fn time_to_turn(&self, contacts: &[u32]) -> f64 {
        let slips = self.gripped(contacts).filter_map(|m| self.slip_of(m));
        slips
            .map(|slip| match slip {
                Slip::Stops(t) | Slip::Turns(t) => t,
            })
            .fold(f64::INFINITY, f64::min)
    }

    /// What a member does with its present acceleration; none if it is at rest.
    ///
    /// A direction that turns while the disc stops comes to a stop only in the limit of short ways. It stops
    /// at once where what is left of the way across is within the bound of gaps, and is halved before.
    fn slip_of(&self, m: usize) -> Option<Slip> {
        let (v, member) = (self.velocity(m), &self.members[m]);
        if v == DVec2::ZERO {
            return None;
        }
        let (a, small) = (member.acceleration, GAP * member.motion.radius);
        let speed = sqrt(v.length_squared());
        let (along, across) = (v.dot(a) / speed, v.perp_dot(a).abs() / speed);
        let stop = if along < 0.0 { speed / -along } else { f64::INFINITY };
        if stop < f64::INFINITY && across * stop * stop <= small {
            return Some(Slip::Stops(stop));
        }
        let turning = across - ANGLE * along;
        let turned = if turning > 0.0 { ANGLE * speed / turning } else { f64::INFINITY };
        // No shorter than what is seen of it.
        let least = sqrt(small / (sqrt(a.length_squared()) + member.grip));
        Some(Slip::Turns(turned.min(0.5 * stop).max(least)))
    }

    /// Ends a piece of `lasts` seconds exactly where the first of those that stop does, `longest` at most.
    /// How long it lasts then.
    pub(super) fn end_at_stops(&mut self, contacts: &[u32], mut lasts: f64, longest: f64) -> f64 {
        for _ in 0..SOUGHT {
            let Some(stop) = self.first_stop(contacts) else { return lasts };
            if stop > lasts * (1.0 + LATER) || stop > longest {
                return lasts;
            }
            if (stop - lasts).abs() <= FOUND * lasts {
                break;
            }
            lasts = stop;
            if !matches!(self.fly(contacts, lasts), Ok(Flight::Converged)) {
                return lasts;
            }
        }
        let stopping = self.stopping(contacts, lasts);
        if !stopping.is_empty() {
            stopping.iter().for_each(|&m| self.members[m].stops = true);
            let forces: SmallVec<[(f64, bool); 32]> = contacts
                .iter()
                .map(|&c| self.contacts[c as usize].pressing)
                .map(|pressing| (pressing.force, pressing.is_held))
                .collect();
            _ = self.fly(contacts, lasts);
            // Nothing presses on those whose accelerations are given.
            for (&c, (force, is_held)) in contacts.iter().zip(forces) {
                let pressing = &mut self.contacts[c as usize].pressing;
                (pressing.force, pressing.is_held) = (force, is_held);
            }
            stopping.iter().for_each(|&m| self.members[m].stops = false);
        }
        lasts
    }

    /// What rounding leaves of accelerations over pieces as short as friction makes them, `2 n̄·w/T`.
    pub(super) fn rounding_of_slips(&self, contacts: &[u32], lasts: f64) -> f64 {
        if !self.has_grip(contacts) {
            return 0.0;
        }
        let fastest = |&c: &u32| self.relative(c)[0].abs().max_element();
        32.0 * f64::EPSILON * contacts.iter().map(fastest).fold(0.0, f64::max) / lasts
    }

    /// Whether a piece is so short that the accelerations of its beginning are as good: of discs that slip.
    pub(super) fn is_instant(&self, contacts: &[u32], lasts: f64) -> bool {
        let is_short = |m: usize| {
            let member = &self.members[m];
            let most = sqrt(member.acceleration.length_squared()) + member.grip;
            most * lasts * lasts <= GAP * member.motion.radius
        };
        let turns_little = |&c: &u32| {
            let [w, _] = self.relative(c);
            w.abs().max_element() * lasts <= INSTANT * self.contacts[c as usize].pressing.size
        };
        self.has_grip(contacts) && self.gripped(contacts).all(is_short) && contacts.iter().all(turns_little)
    }

    /// Lets the discs stop at the end of such a piece that do so there.
    pub(super) fn stop_at_end(&mut self, contacts: &[u32], lasts: f64) {
        for m in self.stopping(contacts, lasts) {
            self.members[m].acceleration = -self.velocity(m) / lasts;
        }
    }

    /// The members that stop at the end of a piece.
    fn stopping(&self, contacts: &[u32], lasts: f64) -> SmallVec<[usize; 32]> {
        let stops =
            |m: usize| matches!(self.slip_of(m), Some(Slip::Stops(t)) if t <= lasts * (1.0 + TOGETHER));
        self.gripped(contacts).filter(|&m| stops(m)).collect()
    }

    fn first_stop(&self, contacts: &[u32]) -> Option<f64> {
        let stop = |m| match self.slip_of(m) {
            Some(Slip::Stops(t)) => Some(t),
            _ => None,
        };
        self.gripped(contacts).filter_map(stop).min_by(f64::total_cmp)
    }

    /// Whether held discs at rest, on which friction acts, are taken for ones that nothing moves: what
    /// pieces leave of the speeds at which contacts open is no reason for them to move.
    pub(super) fn fix_stopped(&mut self, fixed: bool) {
        for m in 0..self.members.len() {
            let stopped = self.velocity(m) == DVec2::ZERO;
            let member = &mut self.members[m];
            if let (false, Some(class)) = (fixed, member.own_class) {
                (member.class, member.own_class) = (class, None);
            } else if fixed && stopped && member.is_held && member.grip > 0.0 {
                (member.class, member.own_class) = (MassClass::Infinite, Some(member.class));
            }
        }
    }
}

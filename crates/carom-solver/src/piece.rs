//! Pieces of the motion of discs that are held together.
//!
//! Over a piece of `T` seconds every disc has a constant acceleration. The force of a held contact acts
//! along the bisector `n̄` of the lines of centres at the piece's beginning and end, with the gap closed at
//! the end: of relative velocity `w` and acceleration `α` that is `n̄·α + 2 n̄·w/T + 2 g/T² = 0`, exactly,
//! with `g = (|d|² − R²)/|d₀ + d₁|` at the beginning. Along the bisector the force does no work between the
//! two ends of a piece. As the end depends on the accelerations, they are found by iteration.

use super::complementarity::Infeasible;
use super::group::{Contact, Group, Other};
use super::pressing::Round;
use super::rest::Clusters;
use crate::mass_class::MassClass;
use carom_math::eft::DoubleDouble as Dd;
use carom_math::sqrt;
use glam::DVec2;
use smallvec::SmallVec;

/// The largest angle by which a line of centres turns in a piece, and the largest way of a force in it, as a
/// fraction of the distance at contact.
pub(super) const ANGLE: f64 = 1e-2;

/// The largest gap within a piece, as a fraction of the distance at contact.
pub(super) const GAP: f64 = 1e-10;

/// The largest part of the acceleration that closes gaps, as a fraction of the accelerations.
const CORRECTION: f64 = 1e-2;

/// Iterations for the end of a piece, and the change at which they have converged.
const ITERATIONS: usize = 12;
const CONVERGED: f64 = 1e-11;

/// How often a piece is shortened to a fourth where they do not, or where a force falls to zero.
const SHORTENED: usize = 12;
const SHORTENED_SLIPS: usize = 3;
const SOUGHT: usize = 3;

impl Group {
    /// Finds the pieces of all clusters that move.
    pub(super) fn plan_pieces(&mut self) {
        let roots = self.clusters_of_pieces();
        let active =
            (0..self.contacts.len() as u32).filter(|&c| self.contacts[c as usize].pressing.is_active);
        let root_of = |c: u32| {
            let ends = || self.contacts[c as usize].ends().into_iter().flatten();
            let moved = ends().find(|&m| self.members[m].class != MassClass::Infinite);
            (roots[moved.unwrap_or(self.contacts[c as usize].a)], c)
        };
        let mut active: SmallVec<[(u32, u32); 64]> = active.map(root_of).collect();
        active.sort_unstable();
        for cluster in active.chunk_by(|a, b| a.0 == b.0) {
            let mut contacts: SmallVec<[u32; 64]> = cluster.iter().map(|&(_, c)| c).collect();
            contacts.sort_unstable_by_key(|&c| (self.class_of(&self.contacts[c as usize]).rank(), c));
            self.plan_piece(&contacts);
        }
    }

    /// As [`Group::clusters`] of the active contacts, where an infinite mass that walls bend joins what it
    /// carries: the pieces of that end with its own.
    fn clusters_of_pieces(&self) -> Clusters {
        let is_bent = |m: usize| {
            let of_walls = |contact: &Contact| {
                contact.a == m && contact.pressing.is_active && matches!(contact.with, Other::Facet(..))
            };
            let member = &self.members[m];
            member.class == MassClass::Infinite
                && (self.velocity(m) != DVec2::ZERO || member.acceleration != DVec2::ZERO)
                && self.contacts.iter().any(of_walls)
        };
        let joins: SmallVec<[bool; 32]> = (0..self.members.len())
            .map(|m| self.members[m].class != MassClass::Infinite || is_bent(m))
            .collect();
        self.clusters_through(|pressing| pressing.is_active, |m| joins[m])
    }

    fn plan_piece(&mut self, contacts: &[u32]) {
        let is_moving = contacts.iter().any(|&c| {
            let [w, a] = self.relative(c);
            w != DVec2::ZERO || a != DVec2::ZERO
        });
        if !is_moving && !self.is_slipping(contacts) {
            return;
        }
        let longest = |&c: &u32| self.longest_piece(c).min(self.time_to_end(c));
        let longest = contacts.iter().map(longest).fold(f64::INFINITY, f64::min);
        let mut lasts = longest.min(self.time_to_turn(contacts));
        let is_bent = contacts.iter().any(|&c| self.contacts[c as usize].pressing.round.is_some());
        if self.is_instant(contacts, lasts) {
            self.stop_at_end(contacts, lasts);
        } else if (is_bent || self.has_grip(contacts)) && lasts < f64::INFINITY {
            lasts = self.find_piece(contacts, lasts);
            lasts = self.end_at_stops(contacts, lasts, longest);
        }
        for &c in contacts {
            for m in self.contacts[c as usize].ends().into_iter().flatten() {
                self.members[m].lasts = self.members[m].lasts.min(lasts);
            }
        }
    }

    /// Finds the accelerations of a piece of at most `lasts` seconds. How long it lasts.
    fn find_piece(&mut self, contacts: &[u32], mut lasts: f64) -> f64 {
        let (mut shortened, mut sought) = (0, 0);
        let most = if self.has_grip(contacts) { SHORTENED_SLIPS } else { SHORTENED };
        loop {
            let outcome = self.fly(contacts, lasts);
            match outcome {
                Ok(Flight::Converged) => break,
                Ok(Flight::LetsGo(at)) if sought < SOUGHT => {
                    sought += 1;
                    lasts = at;
                }
                Ok(Flight::LetsGo(_)) => break,
                _ if shortened < most => {
                    shortened += 1;
                    lasts *= 0.25;
                }
                // As at the instant: what that leaves is mended at the end of so short a piece.
                _ => {
                    _ = self.press_at_instant(contacts);
                    break;
                }
            }
        }
        lasts
    }

    /// Seconds until a member leaves a facet over one of its ends.
    fn time_to_end(&self, c: u32) -> f64 {
        let contact = &self.contacts[c as usize];
        let v = self.velocity(contact.a) - contact.surface;
        let a = self.members[contact.a].acceleration;
        let mut first = f64::INFINITY;
        for &(left, towards) in contact.pressing.exits.iter().flatten() {
            let (speed, bend) = (v.dot(towards), 0.5 * a.dot(towards));
            // The first root of `bend t² + speed t = left`.
            let disc = speed * speed + 4.0 * bend * left;
            if disc >= 0.0 && (speed > 0.0 || bend > 0.0) {
                first = first.min(2.0 * left / (speed + sqrt(disc)));
            }
        }
        if first > 0.0 { first } else { f64::INFINITY }
    }

    /// How long a piece may be for a contact.
    fn longest_piece(&self, c: u32) -> f64 {
        let contact = &self.contacts[c as usize];
        let [w, a] = self.relative(c);
        let Some(round) = contact.pressing.round else {
            // Until the rounding of the path is what counts as touching: `½ 2⁻⁵² |a| t²` of 4 ulp.
            let scale = contact.pressing.touch / f64::EPSILON;
            return if a == DVec2::ZERO { f64::INFINITY } else { sqrt(2.0 * scale / a.length()) };
        };
        // Negative in a room smaller than the disc.
        let reach = round.reach.abs();
        let speed = w.perp_dot(contact.normal).abs();
        let (across, all) = (a.perp_dot(contact.normal).abs(), a.length());
        let push = contact.pressing.force;
        // The root of θ_v + ½ θ_a = ANGLE, θ_v = v T/R and θ_a = a T²/R, so that nothing cancels.
        let turning = 2.0 * ANGLE * reach / (speed + sqrt(speed * speed + 2.0 * across * ANGLE * reach));
        let pulled = sqrt(ANGLE * reach / all.max(push));
        // θ_v⁴/32 and θ_a (θ_v + θ_a)/20, each at most a half of the gap.
        let [mut low, mut high] = [0.0, turning.min(pulled)];
        let gap = |t: f64| {
            let of_v = speed * t / reach;
            // The force turns with the line of centres.
            let of_a = (across + 0.5 * push * of_v) * t * t / reach;
            of_a * (of_v + of_a) / 20.0 + of_v * of_v * of_v * of_v / 32.0
        };
        if !(high < f64::INFINITY) {
            return high;
        }
        // Pieces that are cut short must not add up their gaps.
        let left = 1.0 - contact.pressing.gap.abs() / (4.0 * GAP * contact.pressing.size);
        let most = GAP * left.max(1.0 / 16.0);
        if gap(high) <= most {
            return high;
        }
        for _ in 0..24 {
            let middle = 0.5 * (low + high);
            if gap(middle) <= most { low = middle } else { high = middle }
        }
        low
    }

    /// Finds the accelerations of a piece of so many seconds.
    pub(super) fn fly(&mut self, contacts: &[u32], lasts: f64) -> Result<Flight, Infeasible> {
        let largest = self.largest_pull(contacts);
        let at_first: SmallVec<[f64; 32]> =
            contacts.iter().map(|&c| self.contacts[c as usize].pressing.force).collect();
        let mut flight = Flight::Diverged;
        // The sets of one class are no guess for those of another.
        let has_one_class = self.by_class(contacts).len() == 1;
        let least = CONVERGED * largest + self.rounding_of_slips(contacts, lasts);
        let (mut last, has_grip) = (f64::INFINITY, self.has_grip(contacts));
        for iteration in 0..ITERATIONS {
            self.problem.is_again = iteration > 0 && has_one_class;
            let change = self.iterate(contacts, lasts, largest);
            self.problem.is_again = false;
            let change = change?;
            // With friction, where each is dear, without the one that would confirm it: changes fall by a
            // ratio.
            let next = if has_grip && iteration > 0 { change * (change / last) } else { change };
            if change.min(next) <= least {
                flight = self.force_ends(contacts, &at_first, lasts);
                break;
            }
            last = change;
        }
        if !matches!(flight, Flight::Converged) {
            for (&c, &force) in contacts.iter().zip(&at_first) {
                self.contacts[c as usize].pressing.force = force;
            }
        }
        Ok(flight)
    }

    /// The contacts of a cluster by their classes, in the order of these: what those of one class move, those
    /// of the next do not.
    fn by_class<'a>(&self, contacts: &'a [u32]) -> SmallVec<[(MassClass, &'a [u32]); 3]> {
        let class_of = |c: u32| self.class_of(&self.contacts[c as usize]);
        let of_class = contacts.chunk_by(|&a, &b| class_of(a) == class_of(b));
        of_class.map(|contacts| (class_of(contacts[0]), contacts)).collect()
    }

    /// Takes the forces of the instant.
    fn press_at_instant(&mut self, contacts: &[u32]) -> Result<(), Infeasible> {
        for (class, contacts) in self.by_class(contacts) {
            let largest = self.solve_forces(contacts, class)?;
            self.take_forces(contacts, largest);
        }
        Ok(())
    }

    /// One iteration for the end of a piece; by how much accelerations have changed.
    fn iterate(&mut self, contacts: &[u32], lasts: f64, largest: f64) -> Result<f64, Infeasible> {
        let before: SmallVec<[DVec2; 32]> = self.members.iter().map(|member| member.acceleration).collect();
        let classes = self.by_class(contacts);
        for (class, contacts) in classes {
            for &c in contacts {
                let (normal, opening) = self.row_of_piece(c, lasts, CORRECTION * largest);
                let pressing = &mut self.contacts[c as usize].pressing;
                (pressing.bisector, pressing.opening) = (normal, opening);
            }
            self.solve_forces_of(contacts, class, (largest, lasts), |group, c| {
                let pressing = &group.contacts[c as usize].pressing;
                (pressing.bisector, Dd::from(-pressing.opening), pressing.guess)
            })?;
            self.take_forces(contacts, largest);
        }
        let changes = self.members.iter().zip(&before).map(|(member, before)| member.acceleration - *before);
        Ok(changes.map(|change| change.abs().max_element()).fold(0.0, f64::max))
    }

    /// Whether a force falls to zero within the piece, and when.
    ///
    /// Of one that is linear in time, `λ₀ + s t`, the constant one with the same effect on the place at the
    /// end is `λ₀ + s T/3`.
    fn force_ends(&self, contacts: &[u32], at_first: &[f64], lasts: f64) -> Flight {
        let mut until = lasts;
        for (&c, &first) in contacts.iter().zip(at_first) {
            let mean = self.contacts[c as usize].pressing.force;
            if first > 0.0 && mean < first {
                until = until.min(lasts * first / (3.0 * (first - mean)));
            }
        }
        if until < lasts * (1.0 - 1e-6) { Flight::LetsGo(until.max(lasts / 64.0)) } else { Flight::Converged }
    }

    /// The direction of the force of a contact over a piece, and the acceleration at which it opens without
    /// forces.
    fn row_of_piece(&self, c: u32, lasts: f64, most: f64) -> (DVec2, f64) {
        let contact = &self.contacts[c as usize];
        let [w, a] = self.relative(c);
        let free = self.relative_free(c);
        let (normal, gap) = match contact.pressing.round {
            None => (contact.normal, contact.pressing.gap),
            Some(Round { d, reach, is_inside }) => {
                let sum = d + (d + (w + a * (0.5 * lasts)) * lasts);
                let length = sqrt(sum.length_squared());
                let gap = carom_math::toi::squared_gap(d, reach) / length;
                let along = sum / length;
                if is_inside { (-along, -gap) } else { (along, gap) }
            }
        };
        let closing = (2.0 * gap / (lasts * lasts)).clamp(-most, most);
        (normal, normal.dot(free) + 2.0 * normal.dot(w) / lasts + closing)
    }
}

/// What became of the search for a piece.
pub(super) enum Flight {
    Converged,
    Diverged,
    /// A force falls to zero before its end, at this time.
    LetsGo(f64),
}

//! All sets of a problem with few contacts, one after another: where no other search comes to an end.

use super::{CORRECTIONS, RoughSolver};
use crate::contact_problem::system::System;
use crate::tolerances::SIGNS_TOLD;

/// The most sets that are tried, some two microseconds each. Three contacts that slide and roll have a
/// thousand, five that slide as many.
const MOST_SETS: usize = 1024;

/// The same with friction without a limit. With as many as above the answers that are found lock discs like
/// gears in slow presses, where 500 pieces of motion follow each other in a frame, and a heap of 86 takes ten
/// times as long. With 16 a pyramid of three has no friction beside a mass of 13 times the others.
const MOST_LOCKED_SETS: usize = 64;

impl RoughSolver {
    /// Tries all sets of a problem that has few. Whether one of them is an answer.
    ///
    /// Where such conditions can be fulfilled, they can with a set: each row pushes or does not, and each
    /// bounded one sticks or is at its bound (Cottle, Pang and Stone, The Linear Complementarity Problem,
    /// 1992, ch. 2). Block pivoting goes in circles on some of them: a light disc that a heavy one rests on,
    /// a thousand times its mass, had no friction, and was squeezed out of where friction holds it. With
    /// friction without a limit the first one has nothing that pushes, as what only touches would be locked.
    pub(super) fn search_all_sets(&mut self, system: &mut System, speed: f64) -> bool {
        let Some(sets) = self.count_sets(system) else { return false };
        system.rows.iter_mut().for_each(|row| row.trial = 0.0);
        self.rubs.iter_mut().for_each(|rub| rub.start = 0.0);
        let has_limits = self.has_limits();
        (0..sets).any(|number| {
            self.take_set(system, if has_limits { number } else { sets - 1 - number });
            self.factor(system) && {
                // One correction does not tell the signs of forces far larger than what they cancel.
                self.correct(system, CORRECTIONS, speed);
                self.count_wrong(system, speed, SIGNS_TOLD) == 0 && !self.is_off(system, speed)
            }
        })
    }

    /// How many sets there are; none if they are many.
    fn count_sets(&self, system: &System) -> Option<usize> {
        let mut sets = 1_usize;
        for r in 0..system.rows.len() {
            sets = sets.saturating_mul(self.sets_of(system, r));
        }
        let most = if self.has_limits() { MOST_SETS } else { MOST_LOCKED_SETS };
        (sets <= most).then_some(sets)
    }

    /// The sets of a contact: without a push, where it may be without, and with each combination of sides of
    /// its bounded rows.
    fn sets_of(&self, system: &System, r: usize) -> usize {
        let limited = self.rubs[self.rubs_of(r)].iter().filter(|rub| rub.is_limited()).count();
        let idle = usize::from(!system.rows[r].is_bilateral);
        idle + 3_usize.pow(limited as u32)
    }

    /// Takes the set of a number: in number 0 all push and stick.
    fn take_set(&mut self, system: &mut System, mut number: usize) {
        for r in 0..system.rows.len() {
            let sets = self.sets_of(system, r);
            let mut of_row = number % sets;
            number /= sets;
            let row = &mut system.rows[r];
            row.pushes = row.is_bilateral || of_row + 1 < sets;
            let rubs = self.rubs_of(r);
            for rub in self.rubs[rubs].iter_mut().filter(|rub| rub.is_limited()) {
                rub.slides = [0.0, 1.0, -1.0][of_row % 3];
                of_row /= 3;
            }
        }
    }
}

use super::CellGrid;
use super::brute_force::Lookahead;
use crate::{Predictor, Slot};
use alloc::vec::Vec;

impl CellGrid {
    /// See [`Scheduler::assert_well_formed`](crate::Scheduler::assert_well_formed).
    pub(crate) fn check<P: Predictor>(&self, predictor: &P) {
        let placed: Vec<Slot> = self.placed().collect();
        assert_eq!(placed.len(), self.live, "number of discs");
        let due = |slot: Slot| self.keys(predictor).due_time(slot, &self.plans[slot as usize]);
        if self.lookahead != Lookahead::Maintained {
            return self.assert_lookahead(predictor);
        }
        for &a in &placed {
            let neighbourhood = self.lists.get(a);
            let mut found = Vec::new();
            self.cells.overlapping(&self.lists, neighbourhood.circle(), &mut found);
            found.sort_unstable();
            let mut listed = self.lists.neighbours(a).to_vec();
            listed.sort_unstable();
            assert!(listed.windows(2).all(|pair| pair[0] < pair[1]), "neighbours of slot {a}: {listed:?}");
            for &b in &placed {
                if b == a {
                    continue;
                }
                let overlap = self.cells.overlap(neighbourhood.circle(), self.lists.get(b));
                let is_listed = listed.binary_search(&b).is_ok();
                let meet = P::meet(predictor.species(a), predictor.species(b));
                let are_alone = [a, b].map(|slot| !self.lists.get(slot).has_circle());
                assert!(!meet || are_alone == [false; 2], "slots {a} and {b}, one of them alone");
                // Of those that pass each other the time decides below.
                let overlap = overlap && !(self.left_out.is_path_list(a) && self.left_out.is_path_list(b));
                assert!(is_listed || !overlap || !meet, "circles of slots {a} and {b}");
                assert!(!is_listed || meet, "slots {a} and {b} never meet");
                assert_eq!(is_listed, self.lists.neighbours(b).contains(&a), "lists of slots {a} and {b}");
                assert!(
                    found.binary_search(&b).is_ok() || !overlap || are_alone[1],
                    "cells of slots {a} and {b}"
                );
                let owner = if predictor.state_time(a) >= predictor.state_time(b) { a } else { b };
                let exit = due(a).min(due(b));
                let time = predictor.pair(a, b);
                assert!(
                    time.is_never() || due(owner) <= time || exit <= time,
                    "no plan for slots {a} and {b} at {time:?}"
                );
            }
            assert!(due(a) <= predictor.solo(a).time, "solo event of slot {a}");
        }
    }
}

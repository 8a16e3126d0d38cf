//! Whether something else may touch the discs of an impact, and what they meet next.

use super::responder::Responder;
use crate::physics::Reach;
use crate::predict::neighbour_scan::{self, NeighbourScan, Scans};
use crate::predict::{CommonPredictor, StatePredictor, close, with_margin};
use crate::state::bodies::NewState;
use crate::state::sweep_lanes::Probe;
use crate::state::with::With;
use crate::store::{Common, Store};
use crate::touch::{Apart, NEARBY, magnitude};
use crate::{Physics, Simultaneous};
use carom_broadphase::{Circle, NextMeeting, Slot};
use carom_math::Periods;
use carom_math::toi::Motion;

/// What is found around the discs of an impact of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan {
    /// Whether something else may touch one of them: a superset of what does.
    pub(crate) touched: bool,
    /// Their first meetings after the impact, where these came out on the way.
    pub(crate) next: [NextMeeting; 2],
}

impl Scan {
    /// Nothing else is near, and no meeting is known.
    pub(crate) const NOTHING: Scan = Scan { touched: false, next: [NextMeeting::UNKNOWN; 2] };

    fn of(touched: bool) -> Self {
        Scan { touched, ..Scan::NOTHING }
    }
}

impl<P: Physics> Responder<'_, P> {
    /// A predictor that knows the positions of the instant, where these have been noted.
    pub(super) fn predictor_now(&self) -> StatePredictor<'_, P> {
        StatePredictor::new(self.store, self.positions_now)
    }

    /// Looks for other bodies that may touch the discs of an impact, whose states after it are `new_states`.
    /// With a scheduler that sweeps, all positions at the present are noted on the way; else the first
    /// meetings of the discs with their neighbours.
    #[inline(always)]
    pub(crate) fn scan(&mut self, slots: [Slot; 2], with: With, new_states: &[NewState; 2]) -> Scan {
        match with {
            With::Disc(_) => self.scan_around(slots, u32::MAX, new_states),
            With::Facet(f) => self.scan_around([slots[0]], f, core::array::from_ref(&new_states[0])),
        }
    }

    #[inline]
    fn scan_around<const N: usize>(
        &mut self,
        slots: [Slot; N],
        facet: u32,
        new_states: &[NewState; N],
    ) -> Scan {
        if self.store.settings.simultaneous == Simultaneous::OneByOne {
            self.note_positions();
            // Which of two images of one disc has been met first is not known afterwards.
            return Scan::of(are_met_on_two_sides(self.store, slots, new_states));
        }
        if self.store.bodies.is_sweeping() {
            return Scan::of(self.sweep_around(slots, facet));
        }
        let mut scan = self.scan_neighbours(slots, new_states);
        scan.touched |= !self.store.walls.facets.is_empty()
            && slots.iter().any(|&slot| {
                touches_wall(self.store, slot, &self.store.motion_at(slot, self.store.now), facet)
            });
        scan
    }

    /// Notes the positions of all discs at the present, if the scheduler sweeps.
    pub(crate) fn note_positions(&mut self) {
        if self.store.bodies.is_sweeping() {
            self.positions_now.take(
                self.store.simd,
                &self.store.physics,
                self.store.bodies.sweep_blocks(),
                self.store.now,
                &[],
            );
        }
    }

    #[inline(always)]
    fn sweep_around<const N: usize>(&mut self, slots: [Slot; N], facet: u32) -> bool {
        let physics = &self.store.physics;
        let motions = slots.map(|slot| self.store.motion_at(slot, self.store.now));
        let probes = motions.each_ref().map(Probe::new);
        let near = self.positions_now.take(
            self.store.simd,
            physics,
            self.store.bodies.sweep_blocks(),
            self.store.now,
            &probes,
        );
        // Each is near itself, and near the other unless rounding has placed them apart after a long path.
        let mut expected = N as u32;
        if let ([a, b], [of_a, of_b]) = (&probes[..], &motions[..]) {
            expected += u32::from(a.is_near(of_b, &Periods::NONE, physics))
                + u32::from(b.is_near(of_a, &Periods::NONE, physics));
        }
        let are_all_met = !self.store.bodies.rules.is_used() && !self.store.bodies.contacts.has_apart();
        let is_met = near != expected && (are_all_met || is_any_near_met(self.store, slots, &probes));
        is_met || core::iter::zip(slots, &motions).any(|(slot, of)| touches_wall(self.store, slot, of, facet))
    }

    /// Looks at the neighbours of the discs, or at all discs if the scheduler has no neighbours.
    #[inline(always)]
    fn scan_neighbours<const N: usize>(&self, slots: [Slot; N], new_states: &[NewState; N]) -> Scan {
        let lists = slots.map(|slot| self.scheduler.neighbours(slot));
        let are_few =
            |others: &Option<&[Slot]>| others.is_some_and(|others| others.len() <= neighbour_scan::MOST);
        if P::OWN_REACH
            || P::ACCELERATED
            || self.store.bodies.contacts.has_apart()
            || self.store.bodies.is_any_wide(&slots)
            || lists.iter().flatten().any(|others| self.store.bodies.is_any_wide(others))
            || new_states.iter().any(|new_state| !new_state.record.tag.is_of_finite_mass())
            || !lists.iter().all(are_few)
        {
            return Scan::of(is_any_near(self.store, slots, new_states, lists));
        }
        let scans = Scans::<N, true>(core::array::from_fn(|k| NeighbourScan {
            records: self.store.bodies.records(),
            slot: slots[k],
            own: &new_states[k].record,
            // The other one of two; of one alone itself.
            but: slots[N - 1 - k],
            others: lists[k].unwrap_or_default(),
            periods: &self.store.bodies.periods,
            ahead: 0.0,
            close: close(&self.store.clock),
            slack: Probe::new(&new_states[k].record.motion()).slack(),
        }));
        let found = self.store.simd.run(&scans);
        let mut scan = Scan::of(found.iter().any(|found| found.touched));
        for (k, found) in found.iter().enumerate() {
            scan.next[k] = found.next_meeting(slots[k], scans.0[k].others);
        }
        scan
    }
}

#[cold]
fn is_any_near<P: Physics, const N: usize>(
    store: &Store<P>,
    slots: [Slot; N],
    new_states: &[NewState; N],
    lists: [Option<&[Slot]>; N],
) -> bool {
    are_met_on_two_sides(store, slots, new_states)
        || core::iter::zip(slots, new_states).zip(lists).any(|((slot, new_state), others)| {
            let radius = store.bodies.radius_at(slot, store.now);
            let probe = Probe::new(&Motion { radius, ..new_state.record.motion() });
            let is_near = |other: Slot| {
                let motion = store.motion_at(other, store.now);
                !slots.contains(&other)
                    && probe.is_near(&motion, &store.bodies.periods, &store.physics)
                    && !CommonPredictor::of(store).pass_through(slot, other)
            };
            match others {
                Some(others) => others.iter().any(|&other| is_near(other)),
                None => store.bodies.live().any(is_near),
            }
        })
}

/// Whether the discs of an impact may touch by another of their images, too.
fn are_met_on_two_sides<P: Physics, const N: usize>(
    store: &Store<P>,
    slots: [Slot; N],
    new_states: &[NewState; N],
) -> bool {
    let ([of_a, of_b], false) = (&new_states[..], store.bodies.periods.is_open()) else { return false };
    let [a, b] = [of_a, of_b].map(|state| state.record.position());
    let radii = slots.map(|slot| store.bodies.radius_at(slot, store.now));
    let (reach, periods) = (store.physics.reach(radii[0], radii[N - 1]), &store.bodies.periods);
    let probe = Probe::new(&Motion { radius: radii[0], ..of_a.record.motion() });
    Apart::new(a, b, periods).others(periods, reach).any(|other| {
        let motion = Motion { position: a + other.d, radius: radii[N - 1], ..of_b.record.motion() };
        probe.is_near(&motion, &Periods::NONE, &store.physics)
    })
}

/// Whether a disc that one of these collides with is near it.
#[cold]
fn is_any_near_met<P: Physics, const N: usize>(
    store: &Store<P>,
    slots: [Slot; N],
    probes: &[Probe; N],
) -> bool {
    let (predictor, periods) = (CommonPredictor::of(store), &store.bodies.periods);
    store.bodies.live().filter(|other| !slots.contains(other)).any(|other| {
        let of_other = store.motion_at(other, store.now);
        core::iter::zip(slots, probes).any(|(slot, probe)| {
            !predictor.pass_through(slot, other) && probe.is_near(&of_other, periods, &store.physics)
        })
    })
}

/// Whether a disc may touch or overlap a facet other than `but` that it collides with.
#[inline(always)]
fn touches_wall(store: &Common, slot: Slot, motion: &Motion, but: u32) -> bool {
    let planes = &store.walls.planes;
    if store.walls.facets.is_empty() {
        return false;
    }
    let magnitude = magnitude(motion.position).max(motion.radius);
    let found = planes.may_touch(store.simd, motion, magnitude, but);
    if planes.others.is_empty() && (!found || !CommonPredictor::of(store).is_filtering()) {
        return found;
    }
    touches_other_wall(store, slot, motion, (magnitude, found), but)
}

/// As `touches_wall`, where there are others than half-planes, or rules; `found` if it may touch one of
/// the half-planes.
#[inline(never)]
fn touches_other_wall(
    store: &Common,
    slot: Slot,
    motion: &Motion,
    (magnitude, mut found): (f64, bool),
    but: u32,
) -> bool {
    let (facets, planes) = (&store.walls.facets, &store.walls.planes);
    let touches = |f: u32| {
        let facet = &facets[f as usize];
        f != but && facet.is_within(motion, NEARBY * facet.slack_at(magnitude), store.now)
    };
    if !planes.others.is_empty() {
        planes.others_near(Some(&around(motion)), |f| found |= touches(f));
    }
    found && (!CommonPredictor::of(store).is_filtering() || touches_met_wall(store, slot, motion, touches))
}

/// As `touches_wall`, one facet after the other.
#[cold]
fn touches_met_wall(store: &Common, slot: Slot, motion: &Motion, touches: impl Fn(u32) -> bool) -> bool {
    let mut near = store.walls.planes.near(store.simd, &around(motion)).into_iter();
    near.any(|f| touches(f) && CommonPredictor::of(store).collides_with_facet(slot, f))
}

/// A disc, and somewhat more.
fn around(motion: &Motion) -> Circle {
    Circle { center: motion.position, radius: with_margin(motion.position, motion.radius) }
}

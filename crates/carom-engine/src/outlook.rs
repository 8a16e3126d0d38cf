use crate::Physics;
use crate::instant::{Instant, Sweep};
use crate::simd::Simd;
use crate::store::block::{Meeting, Probe};
use crate::store::bodies::{Bodies, place};
use crate::store::facet::Shape;
use crate::store::walls::Walls;
use carom_broadphase::{Bits, Kind, Predictor, Slot, Solo, partners_one_by_one};
use carom_math::toi::{self, Memory, Motion};
use carom_math::{Clock, Time};
use glam::DVec2;

/// What the stored states foretell: the predictor handed to the scheduler.
///
/// A time of impact is a pure function of two stored states. Its reference is the later of their times, never
/// the present, so it comes out the same whoever asks, whenever.
pub(crate) struct Outlook<'a, P: Physics> {
    pub(crate) physics: &'a P,
    pub(crate) bodies: &'a Bodies<P::Body, P::Extra>,
    pub(crate) walls: &'a Walls<P::Surface>,
    pub(crate) clock: &'a Clock,
    pub(crate) instant: &'a Instant,
    pub(crate) simd: Simd,
}

impl<P: Physics> Predictor for Outlook<'_, P> {
    #[inline]
    fn pair(&self, a: Slot, b: Slot) -> Time {
        let (time_a, time_b) = (self.bodies.time(a), self.bodies.time(b));
        let reference = time_a.latest(time_b);
        let (of_a, of_b) = (self.bodies.motion_at(a, reference), self.bodies.motion_at(b, reference));
        let reach = self.physics.reach(of_a.radius, of_b.radius);
        let (d, v) = (of_b.position - of_a.position, of_b.velocity - of_a.velocity);
        match toi::disc_disc(d, v, reach) {
            Some(dt) if !self.pass_through(a, b) && !self.just_met(a, b, &of_a, &of_b, reach) => {
                self.clock.after(reference, dt)
            }
            _ => Time::NEVER,
        }
    }

    // By force: what is returned through memory is read back in another width, and waits for that.
    #[inline(always)]
    fn solo(&self, slot: Slot) -> Solo {
        let time = self.bodies.time(slot);
        let hit = self.next_wall(slot, time);
        if let Some((dt, _)) = self.physics.next_change(&self.bodies.body(slot), &self.bodies.state(slot)) {
            let end = self.clock.after(time, dt);
            if end <= hit.time && !end.is_never() {
                return Solo { time: end, kind: Kind::MotionChange, tag: 0 };
            }
        }
        hit
    }

    #[inline(always)]
    fn partners(&self, slot: Slot, skip: &[u64], words: &mut [u64], mut meet: impl FnMut(Slot, Time)) -> u64 {
        let time = self.bodies.time(slot);
        if !self.instant.is_at(time) {
            return partners_one_by_one(self, slot, skip, words, meet);
        }
        // As `pair`, but the partners' places at the reference, this very instant, are known already.
        let motion = self.bodies.motion_at(slot, time);
        let (own_block, own_lane) = place(slot);
        let own_class = self.bodies.blocks[own_block].class[own_lane];
        let own_stamp = self.bodies.stamp(slot);
        let (blocks, places) = (&self.bodies.blocks, &self.instant.places);
        self.sweep::<false>(&motion, words);
        let mut roots = 0;
        for (w, (&word, &skip)) in words.iter().zip(skip).enumerate() {
            for bit in Bits(word & !skip) {
                let other = (64 * w + bit) as Slot;
                let (of_other, lane) = place(other);
                let (block, at) = (&blocks[of_other], &places[of_other]);
                roots += 1;
                let d = DVec2::new(at.x[lane], at.y[lane]) - motion.position;
                let v = block.velocity(lane) - motion.velocity;
                let reach = self.physics.reach(motion.radius, block.radius[lane]);
                let Some(dt) = toi::disc_disc(d, v, reach) else { continue };
                if own_class.pass_through(block.class[lane]) {
                    continue;
                }
                if own_stamp.same_impact(block.stamp[lane]) {
                    let [a, b] = [slot, other].map(|slot| self.bodies.motion_at(slot, time));
                    if self.just_met(slot, other, &a, &b, reach) {
                        continue;
                    }
                }
                let time = self.clock.after(time, dt);
                if !time.is_never() {
                    meet(other, time);
                }
            }
        }
        roots
    }

    #[inline]
    fn candidates(&self, slot: Slot, words: &mut [u64]) {
        let time = self.bodies.time(slot);
        if !self.instant.is_at(time) {
            return self.everyone_but(slot, words);
        }
        // All states are at most as old as this one, so its time is the reference for every pair.
        self.sweep::<false>(&self.bodies.motion_at(slot, time), words);
    }
}

impl<P: Physics> Outlook<'_, P> {
    /// Marks the discs that may touch one now (`NEAR`), or whose paths meet its own. The instant must be at hand.
    pub(crate) fn sweep<const NEAR: bool>(&self, motion: &Motion, words: &mut [u64]) {
        self.simd.run(Sweep::<'_, P, NEAR> {
            physics: self.physics,
            blocks: &self.bodies.blocks,
            places: &self.instant.places,
            probe: &Probe::new(motion),
            words,
        });
    }

    #[cold]
    fn everyone_but(&self, slot: Slot, words: &mut [u64]) {
        words.fill(0);
        for other in self.bodies.live().filter(|&other| other != slot) {
            words[other as usize / 64] |= 1 << (other % 64);
        }
    }

    #[inline(always)]
    pub(crate) fn pass_through(&self, a: Slot, b: Slot) -> bool {
        let ((block_a, lane_a), (block_b, lane_b)) = (place(a), place(b));
        self.bodies.blocks[block_a].class[lane_a].pass_through(self.bodies.blocks[block_b].class[lane_b])
    }

    /// Whether both states come from one impact, at which the two touched.
    #[inline(always)]
    pub(crate) fn just_met(&self, a: Slot, b: Slot, of_a: &Motion, of_b: &Motion, reach: f64) -> bool {
        let stamp = self.bodies.stamp(a);
        stamp.same_impact(self.bodies.stamp(b))
            && (!stamp.is_group() || self.met_in_group(a, b, of_a, of_b, reach))
    }

    /// In a group not all touched all. The stored places tell who did, as they did when the group was formed;
    /// of the contact that caused it the states themselves tell.
    #[cold]
    fn met_in_group(&self, a: Slot, b: Slot, of_a: &Motion, of_b: &Motion, reach: f64) -> bool {
        self.bodies.detail(a).partner == self.bodies.detail(b).serial
            || self.bodies.stamp(a).meeting().takes_in(of_a.position, of_b.position, reach)
    }

    /// The first wall that the disc hits on its stored path; the first in order if several at once.
    #[inline(always)]
    fn next_wall(&self, slot: Slot, time: Time) -> Solo {
        let planes = &self.walls.planes;
        if time.is_before(planes.complete_since) {
            return self.next_wall_of_late(slot);
        }
        let motion = self.bodies.motion_at(slot, time);
        let remembers = !self.bodies.detail(slot).walls.is_empty() || self.bodies.stamp(slot).is_group();
        let memory = |f: u32| if remembers { self.memory(slot, f, &motion) } else { Memory::None };
        let mut first = FirstHit::NONE;
        planes.approached(self.simd, &motion, |f| {
            if let Shape::HalfPlane(plane) = &self.walls.facets[f as usize].shape {
                first = first.or(toi::disc_half_plane(&motion, plane, memory(f)), f);
            }
        });
        for &f in &planes.others {
            let shape = &self.walls.facets[f as usize].shape;
            first = first.or(shape.time_of_impact(&motion, memory(f)), f);
        }
        if first.facet == u32::MAX {
            return Solo::NEVER;
        }
        Solo { time: self.clock.after(time, first.dt), kind: Kind::Impact, tag: first.facet }
    }

    /// As `next_wall`, for a state that is older than some wall: in the same order, so that a wall put up elsewhere
    /// changes nothing.
    #[cold]
    fn next_wall_of_late(&self, slot: Slot) -> Solo {
        let time = self.bodies.time(slot);
        let hits = (0..self.walls.facets.len() as u32).filter_map(|f| {
            let (since, dt) = self.hit(slot, f)?;
            Some((self.clock.after(since, dt), since.since(time) + dt, f))
        });
        let first = hits.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        match first {
            Some((time, _, tag)) if !time.is_never() => Solo { time, kind: Kind::Impact, tag },
            _ => Solo::NEVER,
        }
    }

    /// When the disc hits this facet: a reference, and the time from there.
    ///
    /// The reference is the time of the state, or that at which the facet was put up, whichever is later.
    fn hit(&self, slot: Slot, f: u32) -> Option<(Time, f64)> {
        let (facet, time) = (&self.walls.facets[f as usize], self.bodies.time(slot));
        let since = time.latest(facet.since);
        let motion = self.bodies.motion_at(slot, since);
        let memory = if since == time { self.memory(slot, f, &motion) } else { Memory::None };
        facet.shape.time_of_impact(&motion, memory).map(|dt| (since, dt))
    }

    /// When the disc hits this facet.
    pub(crate) fn hit_time(&self, slot: Slot, f: u32) -> Time {
        self.hit(slot, f).map_or(Time::NEVER, |(since, dt)| self.clock.after(since, dt))
    }

    /// What the disc remembers of a facet, with the side on which its path leads it there, if it does.
    #[inline]
    pub(crate) fn memory_at_impact(&self, slot: Slot, f: u32) -> Memory {
        let (facet, time) = (&self.walls.facets[f as usize], self.bodies.time(slot));
        if !facet.shape.has_two_sides() {
            return Memory::None;
        }
        let (motion, memory) = if time.is_before(facet.since) {
            (self.bodies.motion_at(slot, facet.since), Memory::None)
        } else {
            let motion = self.bodies.motion_at(slot, time);
            let memory = self.memory(slot, f, &motion);
            (motion, memory)
        };
        facet.shape.side_hit(&motion, memory).map_or(memory, Memory::Near)
    }

    /// What the disc remembers of a facet; `motion` is its stored one.
    #[inline(always)]
    pub(crate) fn memory(&self, slot: Slot, f: u32, motion: &Motion) -> Memory {
        let walls = &self.bodies.detail(slot).walls;
        let known = if walls.is_empty() { Memory::None } else { walls.of(f) };
        let stamp = self.bodies.stamp(slot);
        if known == Memory::None && stamp.is_group() && stamp.number() > self.walls.facets[f as usize].after {
            return self.memory_of_group(f, motion, stamp.meeting());
        }
        known
    }

    /// A disc at which several things met has met every wall that it touched then.
    #[cold]
    fn memory_of_group(&self, f: u32, motion: &Motion, meeting: Meeting) -> Memory {
        match self.walls.facets[f as usize].shape.gap(motion, Memory::None) {
            Some(gap) if meeting.takes_in_at(gap.distance, self.walls.facets[f as usize].slack(motion)) => {
                Memory::Met(gap.side)
            }
            _ => Memory::None,
        }
    }
}

/// The first of the facets that a disc hits; the first in order if several at once.
#[derive(Clone, Copy)]
struct FirstHit {
    dt: f64,
    facet: u32,
}

impl FirstHit {
    const NONE: FirstHit = FirstHit { dt: f64::INFINITY, facet: u32::MAX };

    #[inline(always)]
    fn or(self, dt: Option<f64>, facet: u32) -> Self {
        match dt {
            Some(dt) if dt < self.dt || (dt == self.dt && facet < self.facet) => FirstHit { dt, facet },
            _ => self,
        }
    }
}

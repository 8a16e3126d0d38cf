use super::joint::Joints;
use super::{CommonPredictor, StatePredictor};
use crate::Physics;
use crate::state::stamp::ImpactKind;
use crate::state::wall_memory::WallMemory;
use crate::touch::is_point;
use crate::walls::facet::Shape;
use crate::walls::planes::FirstHit;
use carom_broadphase::{Circle, Kind, Slot, Solo};
use carom_math::toi::{self, Memory, Motion, Side};
use carom_math::{Clock, Time};
use glam::DVec2;

/// Which wall a disc meets, and what it remembers of those that it has met.
impl<P: Physics> StatePredictor<'_, P> {
    /// The first wall that the disc hits on its stored path; the first in order if several at once.
    #[inline(always)]
    pub(crate) fn next_wall(&self, slot: Slot, time: Time, circle: Option<&Circle>) -> Solo {
        if P::ACCELERATED {
            self.common().next_wall_on_parabola(slot, circle)
        } else {
            self.common().next_wall_ahead(slot, time, circle)
        }
    }
}

impl<'a> CommonPredictor<'a> {
    /// As `next_wall`, where no path bends.
    #[inline(always)]
    fn next_wall_ahead(self, slot: Slot, time: Time, circle: Option<&Circle>) -> Solo {
        if self.store.walls.facets.is_empty() {
            return Solo::NEVER;
        }
        let planes = &self.store.walls.planes;
        if self.store.bodies.growth.is_on() || time.is_before(planes.complete_since) {
            return self.next_wall_of_late(slot, circle);
        }
        if self.is_filtering() {
            return self.next_wall_of_some::<true>(slot, circle);
        }
        if planes.others.is_empty() && !self.store.bodies.stamp(slot).is_group() {
            return self.next_half_plane(slot);
        }
        self.next_wall_of_some::<false>(slot, circle)
    }

    /// As `next_wall`, where all are half-planes, and the disc knows which of them it has just met.
    // Inside a circle there may be none to meet, but to look for it would take as long.
    #[inline(always)]
    fn next_half_plane(self, slot: Slot) -> Solo {
        let record = self.store.bodies.record(slot);
        let met = self.store.bodies.walls.get(slot).just_met_facets();
        let (planes, motion) = (&self.store.walls.planes, &record.motion());
        let hit = self.store.simd.run(FirstHit::<false> { planes, motion, met });
        hit_after(&self.store.clock, record.time(), hit.dt, hit.facet)
    }

    /// As `next_wall`; `FILTERS` if there are rules.
    #[inline(never)]
    fn next_wall_of_some<const FILTERS: bool>(self, slot: Slot, circle: Option<&Circle>) -> Solo {
        let planes = &self.store.walls.planes;
        // As stored: where radii grow this is not called.
        let motion = self.store.bodies.record(slot).motion();
        let remembers =
            !self.store.bodies.walls.get(slot).is_empty() || self.store.bodies.stamp(slot).is_group();
        let mut first = Earliest::NONE;
        planes.approached(self.store.simd, motion.velocity, circle, |f| {
            if let Shape::HalfPlane(plane) = &self.store.walls.facets[f as usize].shape
                && (!FILTERS || self.collides_by_rules(slot, f))
            {
                let memory = if remembers { self.memory_of_plane(slot, f, &motion) } else { Memory::None };
                first = first.or(toi::disc_half_plane(&motion, plane, memory), f);
            }
        });
        if !planes.others.is_empty() {
            let held = self.held_facet(slot);
            let remembers = remembers || is_point(&motion);
            let memory = |f: u32| if remembers { self.memory(slot, f, &motion) } else { Memory::None };
            planes.others_ahead(&motion, circle, |f| {
                if f == held || (FILTERS && !self.collides_by_rules(slot, f)) {
                    return first.dt;
                }
                let time = || self.store.bodies.time(slot);
                let hit = self.store.walls.facets[f as usize].time_of_impact(&motion, memory(f), time);
                let at = |dt| (motion.position + motion.velocity * dt, (time(), dt));
                if hit.is_some_and(|dt| dt <= first.dt && !self.is_covered(slot, f, &motion, at(dt))) {
                    first = first.or(hit, f);
                }
                first.dt
            });
        }
        if first.facet == u32::MAX {
            return Solo::NEVER;
        }
        Solo {
            time: self.store.clock.after(self.store.bodies.time(slot), first.dt),
            kind: Kind::Impact,
            tag: first.facet,
        }
    }

    /// As `next_wall`, for a state that is older than some wall, or a disc that grows: in the same order, so
    /// that a wall put up elsewhere changes nothing.
    #[cold]
    fn next_wall_of_late(self, slot: Slot, circle: Option<&Circle>) -> Solo {
        let time = self.store.bodies.time(slot);
        let everywhere = Circle { center: DVec2::ZERO, radius: f64::INFINITY };
        let hits = self
            .store
            .walls
            .planes
            .near(self.store.simd, circle.unwrap_or(&everywhere))
            .into_iter()
            .filter_map(|f| {
                let (since, dt) = self.hit(slot, f)?;
                Some((self.store.clock.after(since, dt), since.since(time) + dt, f))
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
    fn hit(self, slot: Slot, f: u32) -> Option<(Time, f64)> {
        if f == self.held_facet(slot) || !self.collides_with_facet(slot, f) {
            return None;
        }
        if self.store.bodies.is_bent() {
            return self.hit_on_parabola(slot, f);
        }
        let (facet, time) = (&self.store.walls.facets[f as usize], self.store.bodies.time(slot));
        let since = time.latest(facet.since);
        let motion = self.store.bodies.straight_motion_at(slot, since);
        let memory = if since == time { self.memory(slot, f, &motion) } else { Memory::None };
        let hit = facet.time_of_impact(&motion, memory, || since);
        let at = |dt| (motion.position + motion.velocity * dt, (since, dt));
        hit.filter(|&dt| !self.is_covered(slot, f, &motion, at(dt))).map(|dt| (since, dt))
    }

    /// The facet that a disc slides along, which it does not hit; none has that number if it does not slide.
    #[inline(always)]
    fn held_facet(self, slot: Slot) -> u32 {
        self.store.bodies.contacts.held.get(slot).map_or(u32::MAX, |slide| slide.facet)
    }

    /// When the disc hits this facet.
    pub(crate) fn hit_time(self, slot: Slot, f: u32) -> Time {
        self.hit(slot, f).map_or(Time::NEVER, |(since, dt)| self.store.clock.after(since, dt))
    }

    /// As `memory_at_impact`, of a facet that the disc is hitting; `motion` is its present one.
    #[inline]
    pub(crate) fn memory_now(self, slot: Slot, f: u32, motion: &Motion) -> Memory {
        let facet = &self.store.walls.facets[f as usize];
        let is_known = || self.store.bodies.walls.get(slot).of(f) != Memory::None;
        if facet.shape.has_two_sides()
            && motion.radius <= facet.slack(motion)
            && !is_known()
            && let Some(side) = self.side_now(slot, f, motion)
        {
            return Memory::Near(side);
        }
        self.memory_at_impact(slot, f)
    }

    /// As [`Joints::side_at_end`], at the present.
    #[cold]
    fn side_now(self, slot: Slot, f: u32, motion: &Motion) -> Option<Side> {
        let facet = &self.store.walls.facets[f as usize];
        let (motion, from) = if facet.is_driven {
            let since = self.store.bodies.time(slot).latest(facet.since);
            let from = facet.seen(&self.store.bodies.motion_at(slot, since), since).position;
            (facet.seen(motion, self.store.now), from)
        } else {
            (*motion, self.store.bodies.record(slot).position())
        };
        self.at_joints(slot, |joints| joints.side_at_end(f, &motion, from))
    }

    /// What the disc remembers of a facet, with the side on which its path leads it there, if it does.
    #[inline]
    pub(crate) fn memory_at_impact(self, slot: Slot, f: u32) -> Memory {
        let (facet, time) = (&self.store.walls.facets[f as usize], self.store.bodies.time(slot));
        if !facet.shape.has_two_sides() {
            return Memory::None;
        }
        let (motion, memory) = if time.is_before(facet.since) {
            (self.store.bodies.motion_at(slot, facet.since), Memory::None)
        } else {
            let motion = self.store.bodies.motion_at(slot, time);
            let memory = self.memory(slot, f, &motion);
            (motion, memory)
        };
        if self.store.bodies.is_bent() {
            return self.side_hit_on_parabola(slot, f, time.latest(facet.since), memory);
        }
        let (slack, seen) = (facet.slack(&motion), facet.seen(&motion, time.latest(facet.since)));
        // A point that is at a straight wall now comes from where it was.
        let side = facet.shape.side_hit(&seen, memory).or_else(|| match memory {
            Memory::None if motion.radius <= slack => facet.shape.side_of(seen.position, slack),
            _ => None,
        });
        side.map_or(memory, Memory::Near)
    }

    /// What the disc remembers of a facet; `motion` is its stored one.
    #[inline(always)]
    pub(crate) fn memory(self, slot: Slot, f: u32, motion: &Motion) -> Memory {
        let walls = self.store.bodies.walls.get(slot);
        let known = match self.memory_of_plane(slot, f, motion) {
            Memory::None if !walls.is_empty() => {
                self.memory_of_neighbour(slot, &walls, f, &self.stored_seen(slot, f, motion))
            }
            known => known,
        };
        if known == Memory::None && is_point(motion) {
            let seen = self.stored_seen(slot, f, motion);
            return self.side_ahead(slot, f, &seen).map_or(Memory::None, Memory::Near);
        }
        known
    }

    /// The stored motion of a disc, as seen from a facet.
    #[inline(always)]
    fn stored_seen(self, slot: Slot, f: u32, motion: &Motion) -> Motion {
        self.store.walls.facets[f as usize].seen(motion, self.store.bodies.time(slot))
    }

    /// As `memory`, of a facet that no other continues.
    #[inline(always)]
    fn memory_of_plane(self, slot: Slot, f: u32, motion: &Motion) -> Memory {
        let (known, stamp) = (self.store.bodies.walls.get(slot).of(f), self.store.bodies.stamp(slot));
        if known == Memory::None
            && stamp.is_group()
            && stamp.number() > self.store.walls.facets[f as usize].after
        {
            return self.memory_of_group(slot, f, motion, stamp.kind());
        }
        known
    }

    /// A disc at which several things met has met every wall that it touched then.
    #[cold]
    fn memory_of_group(self, slot: Slot, f: u32, motion: &Motion, kind: ImpactKind) -> Memory {
        let (facet, walls) = (&self.store.walls.facets[f as usize], self.store.bodies.walls.get(slot));
        let neighbour = self.memory_of_neighbour(slot, &walls, f, &self.stored_seen(slot, f, motion));
        match facet.gap(motion, neighbour, self.store.bodies.time(slot)) {
            Some(gap) if kind.takes_in_at(gap.distance, facet.slack(motion)) => Memory::Met(gap.side),
            _ => neighbour,
        }
    }

    /// The joints of the facets that a disc collides with. `memory` says on which side of a one-sided facet
    /// the disc was last, and `acceleration` is the one of its path.
    #[inline(always)]
    pub(crate) fn joints<'c>(
        self,
        collides: &'c dyn Fn(u32) -> bool,
        memory: &'c dyn Fn(u32) -> Memory,
        acceleration: DVec2,
    ) -> Joints<'c>
    where
        'a: 'c,
    {
        let walls = &self.store.walls;
        Joints { facets: &walls.facets, planes: &walls.planes, collides, memory, acceleration }
    }

    /// Asks about the joints of what a disc collides with.
    #[inline(always)]
    fn at_joints<T>(self, slot: Slot, ask: impl FnOnce(&Joints<'_>) -> T) -> T {
        let acceleration = self.store.bodies.bend(slot).acceleration;
        let memory = |g| self.memory_of_front(slot, g);
        ask(&self.joints(&|g| self.collides_with_facet(slot, g), &memory, acceleration))
    }

    /// What the disc remembers of a facet, or is held to: it may lie in that by what a piece of motion
    /// leaves.
    #[cold]
    fn memory_of_front(self, slot: Slot, f: u32) -> Memory {
        match self.store.bodies.contacts.holds.with_facet(slot, f) {
            Some((_, side)) => Memory::Near(side),
            None => self.memory(slot, f, &self.store.bodies.motion_at(slot, self.store.bodies.time(slot))),
        }
    }

    /// Whether facet `f` is the end of another facet, and a disc is over that one when it hits the end.
    ///
    /// `motion` is that of the disc at the time in `at`. It hits the end the seconds in `at` later, with its
    /// centre at the place in `at`.
    ///
    /// The nearest place of that one is no end then, and the disc has met it, or slides along it: the hit is
    /// due to rounding, and would deflect a disc that slides over a joint. Searches the walls around the end.
    #[inline(always)]
    pub(crate) fn is_covered(self, slot: Slot, f: u32, motion: &Motion, at: (DVec2, (Time, f64))) -> bool {
        let is_end = self.store.walls.facets[f as usize].shape.end().is_some();
        is_end && self.at_joints(slot, |joints| joints.is_end_covered(f, motion, at))
    }

    /// See [`Joints::memory_of_neighbour`].
    #[cold]
    pub(crate) fn memory_of_neighbour(
        self,
        slot: Slot,
        walls: &WallMemory,
        f: u32,
        motion: &Motion,
    ) -> Memory {
        self.at_joints(slot, |joints| joints.memory_of_neighbour(walls, f, motion))
    }

    /// See [`Joints::side_ahead`].
    #[cold]
    pub(crate) fn side_ahead(self, slot: Slot, f: u32, motion: &Motion) -> Option<Side> {
        self.at_joints(slot, |joints| joints.side_ahead(f, motion))
    }
}

/// A disc hits a facet so long after a time, if it does.
#[inline(always)]
pub(crate) fn hit_after(clock: &Clock, time: Time, dt: f64, facet: u32) -> Solo {
    let time = clock.after(time, dt);
    if time.is_never() { Solo::NEVER } else { Solo { time, kind: Kind::Impact, tag: facet } }
}

/// The first of the facets that a disc hits; the first in order if several at once.
#[derive(Clone, Copy)]
struct Earliest {
    dt: f64,
    facet: u32,
}

impl Earliest {
    const NONE: Earliest = Earliest { dt: f64::INFINITY, facet: u32::MAX };

    #[inline(always)]
    fn or(self, dt: Option<f64>, facet: u32) -> Self {
        match dt {
            Some(dt) if dt < self.dt || (dt == self.dt && facet < self.facet) => Earliest { dt, facet },
            _ => self,
        }
    }
}

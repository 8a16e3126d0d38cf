use super::{CommonPredictor, StatePredictor, Together, for_each_around, with_margin};
use crate::Physics;
use crate::physics::Gripped;
use crate::physics::Reach;
use crate::state::bend::{Bend, BendProbe, may_meet};
use crate::state::contacts::PIECE;
use crate::touch::{NEARBY, magnitude, motion_left};
use carom_broadphase::{Circle, Kind, Meeting as Met, Slot, Solo};
use carom_math::Time;
use carom_math::toi::{self, Memory, Side, bent, squared_gap};
use carom_math::tolerance::touch_slack;
use glam::DVec2;

/// How much nearer than they were two that have come to rest against each other may come before they meet
/// again, as a fraction of their size.
pub(crate) const NEAR: f64 = 1e-10;

/// Events on paths that bend: of a physics that accelerates discs. Each is the counterpart of what it is
/// named after, and compiled for no other physics.
impl<P: Physics> StatePredictor<'_, P> {
    /// As `seconds`.
    pub(super) fn seconds_on_parabolas(&self, a: Slot, b: Slot) -> f64 {
        if !self.store.bodies.periods.is_open() {
            return self.seconds_among_bent_images(a, b);
        }
        match self.common().meeting_on_parabolas(a, b, &self.together(a, b)) {
            Some(dt) if !self.common().pass_through(a, b) => dt,
            _ => f64::INFINITY,
        }
    }

    /// As `seconds`, in a periodic plane: the first of all images that come near before either path is cut.
    #[cold]
    fn seconds_among_bent_images(&self, a: Slot, b: Slot) -> f64 {
        let mut first = f64::INFINITY;
        if self.common().pass_through(a, b) {
            return first;
        }
        let (together, common) = (self.together(a, b), self.common());
        let (path, until) = common.relative_path(a, b, &together);
        let see = |d| {
            let met = common.meeting_on_parabolas(a, b, &Together { d, ..together });
            first = met.unwrap_or(f64::INFINITY).min(first);
            first
        };
        bent::for_each_image_near(&path, together.reach, until, &self.store.bodies.periods, see);
        first
    }

    /// As `seconds`, of a disc whose state is of the present, and one that a sweep has marked.
    pub(super) fn seconds_on_parabolas_after_sweep(&self, a: Slot, b: Slot) -> f64 {
        let together = self.together(a, b);
        let acceleration = self.store.bodies.bend(b).acceleration - self.store.bodies.bend(a).acceleration;
        let until = self
            .common()
            .motion_left(a, together.reference)
            .min(self.common().motion_left(b, together.reference));
        match self.common().meeting_until(a, b, &together, acceleration, until) {
            Some(dt) if !self.common().pass_through(a, b) => dt,
            _ => f64::INFINITY,
        }
    }

    /// The end of a disc's motion, or of a piece of it where it is held, if that comes before a solo event.
    pub(super) fn end_of_motion_before(&self, slot: Slot, solo: Solo) -> Solo {
        let &Bend { acceleration, lasts, .. } = self.store.bodies.bend(slot);
        let time = self.store.clock.after(self.store.bodies.time(slot), lasts);
        if time > solo.time || time.is_never() {
            return solo;
        }
        let (body, state) = (self.store.body(slot), self.store.state(slot));
        let is_held = self.store.bodies.contacts.holds.is_held(slot);
        let change = if is_held {
            self.store.physics.next_change_in_cluster(&body, &state, acceleration)
        } else {
            self.store.physics.next_change(&body, &state)
        };
        let tag = if change.is_some_and(|(dt, _)| dt <= lasts) { 0 } else { PIECE };
        Solo { time, kind: Kind::MotionChange, tag }
    }

    /// As `first_met`.
    pub(super) fn first_met_on_parabolas(&self, slot: Slot, others: &[Slot], at: Time) -> Met {
        let time = self.store.bodies.time(slot);
        let (mut first, mut first_time) = (Met::NEVER, Time::NEVER);
        if !self.store.bodies.periods.is_open() {
            return self.first_met_among_bent_images(slot, others, at);
        }
        for &other in others {
            if other == slot || time.is_before(self.store.bodies.time(other)) {
                continue;
            }
            let Some(dt) = self.common().meeting_on_parabolas(slot, other, &self.together(slot, other))
            else {
                continue;
            };
            if self.common().pass_through(slot, other) {
                continue;
            }
            let then = self.store.clock.after(time, dt);
            if self.common().is_met_before(slot, (other, then), (first.other, first_time)) {
                (first, first_time) = (Met { other, dt }, then);
            }
        }
        first
    }

    /// As `first_met`, in a periodic plane.
    #[cold]
    fn first_met_among_bent_images(&self, slot: Slot, others: &[Slot], at: Time) -> Met {
        let (time, common) = (self.store.bodies.time(slot), self.common());
        let (periods, is_wide) = (&self.store.bodies.periods, self.store.bodies.is_wide_at(at));
        let (mut first, mut first_time) = (Met::NEVER, Time::NEVER);
        for &other in others {
            if other == slot
                || time.is_before(self.store.bodies.time(other))
                || common.pass_through(slot, other)
            {
                continue;
            }
            let together = self.together(slot, other);
            let (path, _) = common.relative_path(slot, other, &together);
            let nearest = periods.whole_periods(path.after(at.since(time)).position);
            let mut consider = |turns: DVec2| {
                let together = Together { d: periods.image(together.d, turns), ..together };
                let Some(dt) = common.meeting_on_parabolas(slot, other, &together) else { return };
                let then = self.store.clock.after(time, dt);
                if common.is_met_before(slot, (other, then), (first.other, first_time)) {
                    (first, first_time) = (Met { other, dt }, then);
                }
            };
            if is_wide {
                for_each_around(periods, nearest, consider);
            } else {
                consider(nearest);
            }
        }
        first
    }

    /// As `exit_time`.
    pub(super) fn exit_time_on_parabola(
        &self,
        slot: Slot,
        Circle { center, radius }: Circle,
        at: Time,
        before: f64,
    ) -> f64 {
        if radius == f64::INFINITY {
            return f64::INFINITY;
        }
        let (path, left) = self.common().parabola(slot, at);
        let age = at.since(self.store.bodies.time(slot));
        let own = self.store.physics.size(path.radius);
        // The place is rounded to as much of the way there.
        let rounding = self.common().way(slot, age) * 1e-15;
        let room = (radius - with_margin(center, own) - rounding).max(0.0) * (1.0 - 1e-9);
        let until = left.min(before - age);
        let d = self.store.bodies.periods.nearest(path.position - center);
        let leaves = bent::leaves_circle(d, path.velocity, path.acceleration, room, until);
        age.max(0.0) + leaves.max(0.0)
    }
}

impl CommonPredictor<'_> {
    /// Seconds from the reference until two discs meet, if they do before either motion ends.
    ///
    /// Two that come from one impact are taken to part, and may come back to each other.
    #[inline(always)]
    pub(super) fn meeting_on_parabolas(self, a: Slot, b: Slot, together: &Together) -> Option<f64> {
        let &Together { reference, d, v, reach, .. } = together;
        let acceleration = self.store.bodies.bend(b).acceleration - self.store.bodies.bend(a).acceleration;
        let lasts = [self.motion_left(a, reference), self.motion_left(b, reference)];
        if !may_meet(d, v, acceleration, reach, lasts) {
            return None;
        }
        self.meeting_until(a, b, together, acceleration, lasts[0].min(lasts[1]))
    }

    /// As `meeting_on_parabolas`, of two that [`may_meet`], with their relative acceleration.
    #[inline(always)]
    fn meeting_until(
        self,
        a: Slot,
        b: Slot,
        together: &Together,
        acceleration: DVec2,
        until: f64,
    ) -> Option<f64> {
        let &Together { ref of_a, ref of_b, d, v, reach, .. } = together;
        match self.store.bodies.contacts.holds.with_disc(a, b) {
            Some(true) => return None,
            // Of the images of one the nearest touches.
            Some(false)
                if self.store.bodies.stamp(a).same_impact(self.store.bodies.stamp(b))
                    && self.store.bodies.periods.is_nearest(d) =>
            {
                return settled(d, v, acceleration, reach, until, touch_slack(size_of(of_a, of_b, reach)));
            }
            _ => {}
        }
        if self.just_met_at(d, [a, b], [of_a, of_b], reach) {
            bent::disc_disc_again(d, v, acceleration, reach, until)
        } else {
            bent::disc_disc(d, v, acceleration, reach, until)
        }
    }

    /// The path of the second of two discs as seen from the first, and until when neither ends.
    fn relative_path(self, a: Slot, b: Slot, together: &Together) -> (bent::Motion, f64) {
        let &Together { reference, d, v, .. } = together;
        let acceleration = self.store.bodies.bend(b).acceleration - self.store.bodies.bend(a).acceleration;
        let until = self.motion_left(a, reference).min(self.motion_left(b, reference));
        (bent::Motion { position: d, velocity: v, acceleration, radius: 0.0 }, until)
    }

    /// Seconds from a time to the end of a disc's motion, and a little more.
    #[inline(always)]
    fn motion_left(self, slot: Slot, time: Time) -> f64 {
        let age = time.since(self.store.bodies.time(slot));
        motion_left(self.store.bodies.bend(slot).lasts, age, self.store.clock.epoch())
    }

    /// The disc as the sweeps need it, as of the time of its state.
    #[inline(always)]
    pub(super) fn bend_probe(self, slot: Slot) -> BendProbe {
        let Bend { acceleration, lasts, .. } = *self.store.bodies.bend(slot);
        let (now, epoch) = (self.store.bodies.time(slot), self.store.clock.epoch());
        BendProbe { acceleration, lasts: motion_left(lasts, 0.0, epoch), now, epoch }
    }

    /// The disc's path from a time on, and how long it lasts.
    #[inline(always)]
    pub(crate) fn parabola(self, slot: Slot, time: Time) -> (bent::Motion, f64) {
        let motion = self.store.bodies.bent_motion_at(slot, time);
        let path = bent::Motion {
            position: motion.position,
            velocity: motion.velocity,
            acceleration: self.store.bodies.bend(slot).acceleration,
            radius: motion.radius,
        };
        (path, self.motion_left(slot, time))
    }

    /// As `next_wall`.
    pub(super) fn next_wall_on_parabola(self, slot: Slot, circle: Option<&Circle>) -> Solo {
        if self.store.walls.facets.is_empty() {
            return Solo::NEVER;
        }
        let time = self.store.bodies.time(slot);
        let bend = self.store.bodies.bend(slot);
        let (path, until) = self.parabola(slot, time);
        // The velocity along a normal is linear in time: where it is negative neither at the beginning nor
        // at the end, it never is.
        let last = match bend.lasts {
            f64::INFINITY => bend.acceleration,
            lasts => path.velocity + bend.acceleration * lasts,
        };
        let mut first = Solo::NEVER;
        let mut consider = |f: u32| {
            let hit = self.hit_time(slot, f);
            if hit < first.time || (hit == first.time && !hit.is_never() && f < first.tag) {
                first = Solo { time: hit, kind: Kind::Impact, tag: f };
            }
            first.time
        };
        let planes = &self.store.walls.planes;
        if time.is_before(planes.complete_since) {
            // Heights are of places that it may not have left yet when a wall was put up.
            let everywhere = Circle { center: DVec2::ZERO, radius: f64::INFINITY };
            for f in planes.near(self.store.simd, circle.unwrap_or(&everywhere)) {
                consider(f);
            }
        } else {
            let mut see = |f: u32| _ = consider(f);
            planes.approached_on_parabola(self.store.simd, (&path, last, until), circle, &mut see);
            match circle {
                Some(_) => planes.others_near(circle, see),
                None if planes.others.is_empty() => {}
                // What is found shortens the path on which others are looked for.
                None => planes.others_in(self.store.simd, box_of(&path, until), |f| {
                    let hit = consider(f);
                    (!hit.is_never()).then(|| box_of(&path, until.min(hit.since(time))))
                }),
            }
        }
        first
    }

    /// As `hit`, for a facet that the disc collides with: from the time of the state, or from that at which
    /// the facet was put up, whichever is later.
    pub(super) fn hit_on_parabola(self, slot: Slot, f: u32) -> Option<(Time, f64)> {
        let rest = self.store.bodies.contacts.holds.with_facet(slot, f);
        if matches!(rest, Some((true, _))) {
            return None;
        }
        let (facet, time) = (&self.store.walls.facets[f as usize], self.store.bodies.time(slot));
        let since = time.latest(facet.since);
        let (path, until) = self.parabola(slot, since);
        let memory = if since == time { self.memory(slot, f, &path.straight()) } else { Memory::None };
        let dt = match rest {
            Some((false, side)) if since == time => self.settled_hit(f, side, (&path, since), until)?,
            _ => facet.first_contact(&path, memory, until, since)?,
        };
        let at = path.after(dt).position;
        (!self.is_covered(slot, f, &path.straight(), (at, (since, dt)))).then_some((since, dt))
    }

    /// As [`settled`], of a disc and a facet.
    #[cold]
    fn settled_hit(
        self,
        f: u32,
        side: Side,
        (path, since): (&bent::Motion, Time),
        until: f64,
    ) -> Option<f64> {
        let facet = &self.store.walls.facets[f as usize];
        let (path, until) = (&facet.path_seen(path, since), facet.until(until, since));
        let gap = |path: &bent::Motion| facet.shape.gap(&path.straight(), Memory::Near(side));
        let (start, touch) = (gap(path)?, facet.slack(&path.straight()));
        // Taken to part.
        let velocity = path.velocity - start.normal * path.velocity.dot(start.normal).max(0.0);
        let (parting, start) = (bent::Motion { velocity, ..*path }, start.distance);
        if start > touch {
            return facet.shape.first_contact(&parting, Memory::Near(side), until);
        }
        if let Some(dt) = facet.shape.first_contact(path, Memory::Met(side), until)
            && gap(&path.after(0.5 * dt)).is_some_and(|gap| gap.distance > start + 0.5 * touch)
        {
            return Some(dt);
        }
        let smaller = path.radius + start.min(0.0) - NEAR * path.radius;
        facet.shape.first_contact(&bent::Motion { radius: smaller, ..parting }, Memory::Near(side), until)
    }

    /// The side of a facet of two sides on which the disc's path hits it, if it does.
    #[cold]
    pub(super) fn side_hit_on_parabola(self, slot: Slot, f: u32, since: Time, memory: Memory) -> Memory {
        let (path, until) = self.parabola(slot, since);
        let facet = &self.store.walls.facets[f as usize];
        let path = facet.path_seen(&path, since);
        let side = facet.shape.side_hit_on_parabola(&path, memory, until);
        side.map_or(memory, Memory::Near)
    }

    /// No less than the length of the way that the disc goes in so many seconds from its stored state.
    pub(super) fn way(self, slot: Slot, age: f64) -> f64 {
        let bend = self.store.bodies.bend(slot);
        let length = |v: DVec2| carom_math::sqrt(v.length_squared());
        let speed = length(self.store.bodies.record(slot).velocity());
        (speed + length(bend.acceleration) * (0.5 * age)) * age
    }
}

/// When two discs meet that have come to rest against each other and do not press, but for rounding: on
/// their way back from where they were apart, or when they are nearer than rounding lets them.
#[cold]
fn settled(d: DVec2, v: DVec2, a: DVec2, reach: f64, until: f64, touch: f64) -> Option<f64> {
    let (distance, path) =
        (d.length(), bent::Motion { position: d, velocity: v, acceleration: a, radius: 0.0 });
    // Taken to part.
    let v = v - d * (d.dot(v).min(0.0) / (distance * distance));
    let start = squared_gap(d, reach) / (distance + reach);
    if start > touch {
        return bent::disc_disc(d, v, a, reach, until);
    }
    if let Some(dt) = bent::disc_disc_again(d, v, a, reach, until)
        && squared_gap(path.after(0.5 * dt).position, reach) - squared_gap(d, reach) > touch * reach
    {
        return Some(dt);
    }
    bent::disc_disc(d, v, a, reach + start.min(0.0) - 0.5 * NEAR * reach, until)
}

/// The magnitude of the coordinates of two discs and of their distance at contact.
fn size_of(of_a: &toi::Motion, of_b: &toi::Motion, reach: f64) -> f64 {
    magnitude(of_a.position).max(magnitude(of_b.position)).max(reach)
}

/// A box that a disc stays in for so many seconds, with room for rounding: a parabola lies within the
/// triangle of its ends and the point in which its tangents there meet.
fn box_of(path: &bent::Motion, until: f64) -> [DVec2; 2] {
    let still = path.velocity == DVec2::ZERO && path.acceleration == DVec2::ZERO;
    let until = if still { 0.0 } else { until };
    let half_way = path.position + path.velocity * (0.5 * until);
    let end = half_way + (path.velocity + path.acceleration * until) * (0.5 * until);
    if !(half_way.is_finite() && end.is_finite()) {
        return [DVec2::NEG_INFINITY, DVec2::INFINITY];
    }
    let (low, high) = (path.position.min(half_way).min(end), path.position.max(half_way).max(end));
    let size = magnitude(low).max(magnitude(high)).max(path.radius);
    let room = DVec2::splat(path.radius + NEARBY * touch_slack(size));
    [low - room, high + room]
}

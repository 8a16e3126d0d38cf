use super::guest::Guest;
use super::search::{Rank, Search};
use crate::Partner;
use crate::predict::with_margin;
use crate::state::with::With;
use crate::touch::{direction, point_between};
use carom_broadphase::{Circle, Slot, Zone};
use carom_math::toi::{Memory, Motion};
use carom_math::{Time, sqrt};
use glam::DVec2;

/// How far [`World::cast_disc`](crate::World::cast_disc) looks, and what the other discs do meanwhile.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CastOptions {
    /// For how many seconds from the present the disc moves; may be infinite, and is by default.
    pub max_time: f64,
    /// Whether the other discs stand still at their present places, and nothing grows; by default they move.
    pub frozen: bool,
}

impl Default for CastOptions {
    fn default() -> Self {
        CastOptions::new()
    }
}

impl CastOptions {
    /// Without an end, among discs that move.
    #[must_use]
    pub const fn new() -> Self {
        CastOptions { max_time: f64::INFINITY, frozen: false }
    }

    setters! {
        /// For this many seconds.
        const with_max_time(max_time: f64);

        /// Among discs that stand still, if `frozen`.
        const with_frozen(frozen: bool);
    }
}

/// What a disc that is cast meets first.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct DiscHit {
    /// What it meets.
    pub body: Partner,
    /// When: with the bits of an impact of the same disc in the world.
    pub time: Time,
    /// Seconds until then.
    pub seconds: f64,
    /// Where its centre is then; in a periodic world from 0 up to the period.
    pub position: DVec2,
    /// Where they touch: midway between the two surfaces.
    pub point: DVec2,
    /// Unit normal from what it meets to the disc.
    pub normal: DVec2,
}

/// The first of what has been found.
struct First {
    /// On the clock of the schedule; a bound, while there is none.
    dt: f64,
    time: Time,
    with: Option<With>,
}

impl Search<'_> {
    /// What a disc would meet first, at most `max_time` seconds from now.
    pub(crate) fn first_contact(&self, guest: &Guest<'_>, max_time: f64) -> Option<DiscHit> {
        // On a clock that slows down no more passes than at its present pace.
        let limit = max_time * self.store.pace() * (1.0 + 1e-9);
        let mut first = First { dt: limit, time: Time::NEVER, with: None };
        self.cast_at_walls(guest, &mut first);
        if !(guest.frozen && guest.motion.velocity == DVec2::ZERO && guest.bend.acceleration == DVec2::ZERO) {
            self.cast_at_discs(guest, &mut first);
        }
        let hit = self.hit_of_guest(guest, first.time, first.with?);
        (hit.seconds <= max_time).then_some(hit)
    }

    /// Takes what is met after some seconds, if it is the first so far.
    #[inline]
    fn consider(&self, first: &mut First, dt: f64, with: With, passes: impl FnOnce() -> bool) {
        if !(dt <= first.dt) {
            return;
        }
        let time = self.store.clock.after(self.store.now, dt);
        let rank = |with| match with {
            With::Disc(slot) => self.rank_of_disc(slot),
            With::Facet(f) => (true, u64::from(f)) as Rank,
        };
        let is_first =
            time < first.time || (time == first.time && first.with.is_some_and(|of| rank(with) < rank(of)));
        let is_ever = self.store.drag().is_none_or(|drag| time <= drag.pacing.clock.last());
        if is_first && is_ever && passes() {
            // Seconds that differ may be one time.
            let dt = dt + (dt + self.store.clock.epoch()) * 1e-12;
            *first = First { dt: dt.min(first.dt), time, with: Some(with) };
        }
    }

    fn cast_at_walls(&self, guest: &Guest<'_>, first: &mut First) {
        if !self.filter.walls || guest.is_kinematic {
            return;
        }
        let Motion { position, velocity, radius, .. } = guest.motion;
        let (speed, limit) = (sqrt(velocity.length_squared()), first.dt);
        let mut see = |f: u32| {
            if guest.rules.collides_with(&self.store.walls.latest_rules(f))
                && let Some(dt) = guest.hits(f)
            {
                self.consider(first, dt, With::Facet(f), || self.passes_facet(f));
            }
            speed * first.dt
        };
        if self.store.bodies.is_bent() || guest.motion.growth > 0.0 || !(speed > 0.0) {
            return self.store.walls.planes.each(|f| _ = see(f));
        }
        let disc = Circle { center: position, radius: with_margin(position, radius) };
        self.store.walls.planes.each_along(&disc, velocity / speed, speed * limit, see);
    }

    fn cast_at_discs(&self, guest: &Guest<'_>, first: &mut First) {
        let (motion, limit) = (&guest.motion, first.dt);
        let speed = sqrt(motion.velocity.length_squared());
        let place = Circle { center: motion.position, radius: with_margin(motion.position, guest.size) };
        if self.store.bodies.is_bent() || (self.store.bodies.growth.is_on() && !guest.frozen) {
            // Neither speeds nor sizes have a bound that is known.
            let is_bounded = guest.frozen && limit.is_finite();
            let way = if is_bounded { guest.way(limit) } else { f64::INFINITY };
            let zone = Zone::Circle(Circle { radius: place.radius + way, ..place });
            return self.cast_in_zone(guest, &zone, f64::INFINITY, first);
        }
        if guest.frozen {
            let zone =
                Zone::Path { circle: place, direction: motion.velocity / speed, length: speed * limit };
            return self.cast_in_zone(guest, &zone, speed, first);
        }
        // Windows of time of twice the length each: what is met in one is near the way now.
        let fastest = self.store.bodies.fastest();
        let spacing = self.scheduler.spacing();
        let mut window = spacing / (speed + fastest);
        while window > 0.0 && window < first.dt {
            let radius = 0.5 * speed * window + fastest * window;
            let cells = radius / spacing;
            if cells * cells > self.store.bodies.len() as f64 {
                break;
            }
            let center = place.center + motion.velocity * (0.5 * window);
            let zone = Zone::Circle(Circle { center, radius: (place.radius + radius) * (1.0 + 1e-9) });
            self.cast_in_zone(guest, &zone, f64::INFINITY, first);
            if first.with.is_some() && first.dt < window {
                return;
            }
            window *= 2.0;
        }
        let way = 0.5 * speed * first.dt + fastest * first.dt;
        let zone = if way.is_finite() {
            let center = place.center + motion.velocity * (0.5 * first.dt);
            Zone::Circle(Circle { center, radius: (place.radius + way) * (1.0 + 1e-9) })
        } else {
            Zone::Circle(Circle { radius: f64::INFINITY, ..place })
        };
        self.cast_in_zone(guest, &zone, f64::INFINITY, first);
    }

    /// Considers the discs that may reach into a zone; `speed` is that along a path.
    fn cast_in_zone(&self, guest: &Guest<'_>, zone: &Zone, speed: f64, first: &mut First) {
        self.each_slot(zone, |slot: Slot| {
            if guest.collides(slot)
                && let Some(dt) = guest.meets(slot)
            {
                self.consider(first, dt, With::Disc(slot), || self.passes_disc(slot));
            }
            speed * first.dt
        });
    }

    /// The contact of a cast disc at a time of the schedule.
    fn hit_of_guest(&self, guest: &Guest<'_>, time: Time, with: With) -> DiscHit {
        let own = guest.motion_at(time);
        let (body, point, normal) = match with {
            With::Disc(slot) => {
                let then = if guest.frozen { self.store.now } else { time };
                let other = self.store.bodies.motion_at(slot, then);
                let velocity = if guest.frozen { DVec2::ZERO } else { other.velocity };
                let d = self.store.bodies.periods.nearest(own.position - other.position);
                let normal = direction(d, velocity - own.velocity);
                let places = [other.position, own.position];
                let point =
                    point_between(&self.store.bodies.periods, places, [other.radius, own.radius], normal);
                (Partner::Disc(self.store.bodies.id(slot)), point, normal)
            }
            With::Facet(f) => {
                let memory = guest.memory_at_impact(f);
                let facet = &self.store.walls.facets[f as usize];
                let then = if guest.frozen { self.store.now } else { time };
                let gap = facet.gap_at_impact(&own, memory, then);
                debug_assert!(matches!(memory, Memory::None | Memory::Near(_)));
                (self.store.walls.partner(f), own.position + gap.normal * own.radius, -gap.normal)
            }
        };
        let time = self.store.time_of_next(time);
        let wrap = |place| self.store.bodies.periods.wrap(place).0;
        let seconds = time.since(self.store.true_now());
        DiscHit { body, time, seconds, position: wrap(own.position), point: wrap(point), normal }
    }
}

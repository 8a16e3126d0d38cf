use super::QueryFilter;
use super::guest::Guest;
use super::search::Rank;
use crate::error::check;
use crate::impact::{With, direction};
use crate::predict::with_margin;
use crate::{Disc, Error, Partner, Physics, World};
use carom_broadphase::{Circle, Slot, Zone};
use carom_math::toi::{Memory, Motion};
use carom_math::{Time, sqrt};
use glam::DVec2;

/// How far [`World::cast_disc`] looks, and what the other discs do meanwhile.
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
        /// For so many seconds.
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

impl<P: Physics> World<P> {
    /// What a disc would meet first if it were inserted now: when, where and with which normal. It may
    /// overlap what is there.
    ///
    /// The disc's position, velocity, radius and rules count, its class of mass (tracers meet no tracers),
    /// and what the physics knows of it. Times are those of impacts, to the last bit: the first contact is
    /// where the gap closes while the two approach, at 0 seconds if they overlap; a graze is no contact, nor
    /// are overlaps that part. At the same time discs come first, by serial number, and then parts of walls.
    ///
    /// The others go on as they move now, or stand still: impacts between them, and changes of their motion,
    /// are not followed. (A clone of the world that advances follows all.) Where discs accelerate, nothing is
    /// met after the end of either's present motion, a stop by friction, say. Walls that move or turn are met
    /// on their way, and not where they will stand at its end.
    ///
    /// O(the discs near its way) expected where the grid schedules and others stand still. Where they move it
    /// takes one pass over all speeds, and then, if paths are straight, the discs that one as fast as the
    /// fastest could bring near; else O(N) discs. Walls as for rays.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{CastOptions, DVec2, Disc, Partner, QueryFilter, World};
    ///
    /// let mut world = World::new();
    /// let target = world.insert(Disc::new([10.0, 0.0], 1.0).with_velocity([-1.0, 0.0]))?;
    /// let shell = Disc::new([0.0, 0.0], 1.0).with_velocity([3.0, 0.0]);
    /// let hit = world.cast_disc(&shell, &CastOptions::new(), &QueryFilter::new())?.expect("it is ahead");
    /// assert_eq!((hit.body, hit.seconds), (Partner::Disc(target), 2.0));
    /// assert_eq!((hit.position, hit.point), (DVec2::new(6.0, 0.0), DVec2::new(7.0, 0.0)));
    /// // Among discs that stand still, as far as 2 s take it.
    /// let still = CastOptions::new().with_frozen(true).with_max_time(2.0);
    /// assert_eq!(world.cast_disc(&shell, &still, &QueryFilter::new())?, None);
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// What a disc of the world will meet, as things move now:
    ///
    /// ```
    /// # use carom_engine as carom;
    /// # use carom::{CastOptions, Disc, QueryFilter, Wall, World};
    /// # let mut world = World::new();
    /// # let wall = world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]))?;
    /// # let id = world.insert(Disc::new([0.0, 3.0], 1.0).with_velocity([0.0, -1.0]))?;
    /// let disc = world.get(id).expect("it is there").to_disc();
    /// let hit = world.cast_disc(&disc, &CastOptions::new(), &QueryFilter::new().excluding(id))?;
    /// # assert_eq!(hit.and_then(|hit| hit.body.wall()), Some(wall));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a number is out of range, or the disc is too large for a period.
    #[doc(alias = "cast_shape")]
    #[doc(alias = "cast_circle")]
    #[doc(alias = "sweep")]
    pub fn cast_disc(
        &self,
        disc: &Disc<P::Body, P::Extra>,
        options: &CastOptions,
        filter: &QueryFilter<'_>,
    ) -> Result<Option<DiscHit>, Error> {
        disc.check()?;
        self.physics.check(&disc.body)?;
        self.physics.check_extra(&disc.extra)?;
        self.check_periods(disc.radius, None)?;
        check::extent("max_time", options.max_time)?;
        let guest = self.guest(disc, options.frozen);
        // On a clock that slows down no more passes than at its present pace.
        let limit = options.max_time * self.pace() * (1.0 + 1e-9);
        let mut first = First { dt: limit, time: Time::NEVER, with: None };
        self.cast_at_walls(&guest, filter, &mut first);
        if !(guest.frozen && guest.motion.velocity == DVec2::ZERO && guest.bend.acceleration == DVec2::ZERO) {
            self.cast_at_discs(&guest, filter, &mut first);
        }
        let Some(with) = first.with else { return Ok(None) };
        let hit = self.hit_of_guest(&guest, first.time, with);
        Ok((hit.seconds <= options.max_time).then_some(hit))
    }

    /// Takes what is met after some seconds, if it is the first so far.
    #[inline]
    fn consider(&self, first: &mut First, dt: f64, with: With, passes: impl FnOnce() -> bool) {
        if !(dt <= first.dt) {
            return;
        }
        let time = self.clock.after(self.now, dt);
        let rank = |with| match with {
            With::Disc(slot) => self.rank_of_disc(slot),
            With::Facet(f) => (true, u64::from(f)) as Rank,
        };
        let is_first =
            time < first.time || (time == first.time && first.with.is_some_and(|of| rank(with) < rank(of)));
        let is_ever = self.drag().is_none_or(|drag| time <= drag.pacing.clock.last());
        if is_first && is_ever && passes() {
            // Seconds that differ may be one time.
            let dt = dt + (dt + self.clock.epoch()) * 1e-12;
            *first = First { dt: dt.min(first.dt), time, with: Some(with) };
        }
    }

    fn cast_at_walls(&self, guest: &Guest<'_, P>, filter: &QueryFilter<'_>, first: &mut First) {
        if !filter.walls || guest.disc.kinematic {
            return;
        }
        let Motion { position, velocity, radius, .. } = guest.motion;
        let (speed, limit) = (sqrt(velocity.length_squared()), first.dt);
        let mut see = |f: u32| {
            let wall = self.walls.get(self.walls.facets[f as usize].wall);
            if guest.disc.collision_rules().collides_with(&wall.rules)
                && let Some(dt) = self.guest_hits(guest, f)
            {
                self.consider(first, dt, With::Facet(f), || self.passes_facet(filter, f));
            }
            speed * first.dt
        };
        if P::ACCELERATED || guest.motion.growth > 0.0 || !(speed > 0.0) {
            return self.walls.planes.each(|f| _ = see(f));
        }
        let disc = Circle { center: position, radius: with_margin(position, radius) };
        self.walls.planes.each_along(&disc, velocity / speed, speed * limit, see);
    }

    fn cast_at_discs(&self, guest: &Guest<'_, P>, filter: &QueryFilter<'_>, first: &mut First) {
        let (motion, limit) = (&guest.motion, first.dt);
        let speed = sqrt(motion.velocity.length_squared());
        let place = Circle { center: motion.position, radius: with_margin(motion.position, guest.size) };
        if P::ACCELERATED || (self.bodies.growth.is_on() && !guest.frozen) {
            // Neither speeds nor sizes have a bound that is known.
            let is_bounded = guest.frozen && limit.is_finite();
            let way = if is_bounded { guest.way(limit) } else { f64::INFINITY };
            let zone = Zone::Circle(Circle { radius: place.radius + way, ..place });
            return self.cast_in_zone(guest, filter, &zone, f64::INFINITY, first);
        }
        if guest.frozen {
            let zone =
                Zone::Path { circle: place, direction: motion.velocity / speed, length: speed * limit };
            return self.cast_in_zone(guest, filter, &zone, speed, first);
        }
        // Windows of time of twice the length each: what is met in one is near the way now.
        let fastest = self.bodies.fastest();
        let spacing = self.scheduler.spacing();
        let mut window = spacing / (speed + fastest);
        while window > 0.0 && window < first.dt {
            let radius = 0.5 * speed * window + fastest * window;
            let cells = radius / spacing;
            if cells * cells > self.bodies.len() as f64 {
                break;
            }
            let center = place.center + motion.velocity * (0.5 * window);
            let zone = Zone::Circle(Circle { center, radius: (place.radius + radius) * (1.0 + 1e-9) });
            self.cast_in_zone(guest, filter, &zone, f64::INFINITY, first);
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
        self.cast_in_zone(guest, filter, &zone, f64::INFINITY, first);
    }

    /// Considers the discs that may reach into a zone; `speed` is that along a path.
    fn cast_in_zone(
        &self,
        guest: &Guest<'_, P>,
        filter: &QueryFilter<'_>,
        zone: &Zone,
        speed: f64,
        first: &mut First,
    ) {
        self.each_slot(filter, zone, |slot: Slot| {
            if self.guest_collides(guest, slot)
                && let Some(dt) = self.guest_meets(guest, slot)
            {
                self.consider(first, dt, With::Disc(slot), || self.passes_disc(filter, slot));
            }
            speed * first.dt
        });
    }

    /// The contact of a cast disc at a time of the schedule.
    fn hit_of_guest(&self, guest: &Guest<'_, P>, time: Time, with: With) -> DiscHit {
        let own = guest.motion_at(time);
        let (body, point, normal) = match with {
            With::Disc(slot) => {
                let then = if guest.frozen { self.now } else { time };
                let other = self.bodies.motion_at(slot, then);
                let velocity = if guest.frozen { DVec2::ZERO } else { other.velocity };
                let d = self.bodies.periods.nearest(own.position - other.position);
                let normal = direction(d, velocity - own.velocity);
                let places = [other.position, own.position];
                let point = self.bodies.point_between(places, [other.radius, own.radius], normal);
                (Partner::Disc(self.bodies.id(slot)), point, normal)
            }
            With::Facet(f) => {
                let memory = self.guest_memory_at_impact(guest, f);
                let facet = &self.walls.facets[f as usize];
                let then = if guest.frozen { self.now } else { time };
                let gap = facet.gap_at_impact(&own, memory, then);
                debug_assert!(matches!(memory, Memory::None | Memory::Near(_)));
                (self.walls.partner(f), own.position + gap.normal * own.radius, -gap.normal)
            }
        };
        let time = self.drag().map_or(time, |drag| drag.time_of_next(time));
        let wrap = |place| self.bodies.periods.wrap(place).0;
        let seconds = time.since(self.now());
        DiscHit { body, time, seconds, position: wrap(own.position), point: wrap(point), normal }
    }
}

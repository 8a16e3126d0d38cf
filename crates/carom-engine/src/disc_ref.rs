use crate::state::rules::SensorRules;
use crate::store::Store;
use crate::{Disc, DiscId, Overlap, Physics, Rules, Sensor, Smooth, Spin};
use carom_broadphase::Slot;
use carom_math::Time;
use core::fmt;
use glam::DVec2;

/// A disc of a world, to be read: what it is, and where it is at the world's present time.
///
/// From [`World::get`](crate::World::get). Every getter is O(1) and computes nothing but itself.
///
/// ```
/// # use carom_engine as carom;
/// use carom::{DVec2, Disc, World};
///
/// let mut world = World::new();
/// let id = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([2.0, 0.0]))?;
/// world.advance(1.5)?;
/// let disc = world.get(id).expect("it has not been removed");
/// assert_eq!(disc.position(), DVec2::new(3.0, 0.0));
/// assert_eq!(disc.radius(), 0.5);
/// # Ok::<(), carom::Error>(())
/// ```
pub struct DiscRef<'w, P: Physics = Smooth> {
    pub(crate) store: &'w Store<P>,
    pub(crate) slot: Slot,
}

impl<P: Physics> DiscRef<'_, P> {
    /// Its handle.
    #[inline]
    #[must_use]
    pub fn id(&self) -> DiscId {
        self.store.bodies.id(self.slot)
    }

    /// The centre; in a periodic world from 0 up to the period.
    #[inline]
    #[must_use]
    pub fn position(&self) -> DVec2 {
        self.store.bodies.place_at(self.slot, self.store.now)
    }

    /// The centre, had it not been wrapped since the disc was put where it was: for displacements over more
    /// than a period. Right up to 2³¹ periods. The same as [`DiscRef::position`] where nothing is periodic.
    #[must_use]
    pub fn unwrapped_position(&self) -> DVec2 {
        let (bodies, path) = (&self.store.bodies, self.store.bodies.unwrapped_at(self.slot, self.store.now));
        match bodies.arrived_at(self.slot) {
            Some(place) if bodies.periods.is_open() => place,
            // Of the images of its target the one to which its path has led.
            Some(place) => place + bodies.periods.whole_periods(path - place) * bodies.periods.lengths(),
            None => path,
        }
    }

    /// The velocity of the centre: 0 of a kinematic disc that has arrived, also at that very time.
    #[inline]
    #[must_use]
    pub fn velocity(&self) -> DVec2 {
        self.store.true_velocity(self.slot)
    }

    /// The acceleration of the centre, until its next event: gravity, friction, and what presses on it where
    /// it lies. Zero in worlds whose physics does not accelerate discs
    /// ([`Physics::ACCELERATED`]). After an edit forces at contacts follow where `advance(0.0)`
    /// [resolves](crate::World#edits) it.
    #[inline]
    #[must_use]
    pub fn acceleration(&self) -> DVec2 {
        self.store.bodies.bend(self.slot).acceleration
    }

    /// The radius; it grows with the world's growth.
    #[inline]
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.store.bodies.radius_at(self.slot, self.store.now)
    }

    /// The mass: infinite, finite, or 0 for a tracer.
    #[inline]
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.store.bodies.detail(self.slot).mass
    }

    /// The coefficient of restitution.
    #[must_use]
    pub fn restitution(&self) -> f64 {
        self.store.bodies.detail(self.slot).restitution
    }

    /// The user's note.
    #[must_use]
    pub fn user_data(&self) -> u64 {
        self.store.bodies.user_data.get(self.slot)
    }

    /// Whether it may be put where it overlaps something.
    #[must_use]
    pub fn overlap(&self) -> Overlap {
        self.store.bodies.overlap.get(self.slot)
    }

    /// Which others it collides with; of a sensor which it sees.
    #[must_use]
    pub fn rules(&self) -> Rules {
        match (self.store.bodies.sensors.get(self.slot), self.store.bodies.off.get(self.slot)) {
            (SensorRules { sensor: Sensor::No, .. }, Some(off)) => off.rules,
            (SensorRules { sensor: Sensor::No, .. }, None) => self.store.bodies.rules.latest(self.slot),
            (SensorRules { rules, .. }, _) => rules,
        }
    }

    /// Whether it is a sensor.
    #[must_use]
    pub fn sensor(&self) -> Sensor {
        self.store.bodies.sensors.get(self.slot).sensor
    }

    /// Whether it is on the plane: see [`World::set_enabled`](crate::World::set_enabled).
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        !self.store.bodies.off.contains(self.slot)
    }

    /// Whether it goes where the caller sends it: see [`Disc::kinematic`].
    #[must_use]
    pub fn is_kinematic(&self) -> bool {
        self.store.bodies.movers.contains(self.slot)
    }

    /// The largest speed at which it is sent somewhere; infinite if it is not kinematic.
    #[must_use]
    pub fn max_speed(&self) -> f64 {
        self.store.bodies.movers.get(self.slot).map_or(f64::INFINITY, |mover| mover.max_speed)
    }

    /// Where [`World::move_to`](crate::World::move_to) has sent it, until it arrives.
    #[must_use]
    pub fn target(&self) -> Option<DVec2> {
        let journey = self.store.bodies.movers.get(self.slot)?.journey?;
        (!journey.is_over()).then_some(journey.target)
    }

    /// What the physics knows of it.
    #[must_use]
    pub fn body(&self) -> P::Body {
        self.store.added(self.slot).own
    }

    /// What the physics stores with its position and velocity, at the present time.
    #[must_use]
    pub fn extra(&self) -> P::Extra {
        self.store.state_now(self.slot).extra
    }

    /// How it is turned, and turns, at the present time; `None` in a physics that turns no discs.
    #[must_use]
    pub fn spin(&self) -> Option<Spin> {
        P::TURNING.map(|turning| (turning.spin)(&self.extra()))
    }

    /// When its stored state was written: its last impact, change of motion or edit.
    #[must_use]
    pub fn state_time(&self) -> Time {
        let time = self.store.bodies.time(self.slot);
        self.store.drag().map_or(time, |drag| drag.pacing.true_time(time).min(drag.now))
    }

    /// All of it, as it may be inserted again.
    #[must_use]
    pub fn to_disc(&self) -> Disc<P::Body, P::Extra> {
        let detail = self.store.bodies.detail(self.slot);
        Disc {
            position: self.position(),
            velocity: self.velocity(),
            radius: self.radius(),
            mass: detail.mass,
            restitution: detail.restitution,
            user_data: self.user_data(),
            overlap: self.overlap(),
            rules: self.rules(),
            sensor: self.sensor(),
            kinematic: self.is_kinematic(),
            max_speed: self.max_speed(),
            body: self.store.added(self.slot).own,
            extra: self.extra(),
        }
    }
}

impl<P: Physics> Clone for DiscRef<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Physics> Copy for DiscRef<'_, P> {}

impl<P: Physics> fmt::Debug for DiscRef<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("DiscRef");
        shown.field("id", &self.id()).field("position", &self.position()).field("velocity", &self.velocity());
        shown.field("radius", &self.radius()).field("mass", &self.mass()).finish_non_exhaustive()
    }
}

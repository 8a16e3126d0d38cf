use crate::link::Link;
use crate::messages::Overran;
use crate::seen::Seen;
use bevy_ecs::change_detection::Tick;
use bevy_ecs::prelude::*;
use bevy_math::DVec2;
use carom::{DiscId, DiscRef, Error, Event, Partner, QueryFilter, Ray, RayHit, RegionId, Smooth, StopReason};
use carom::{Forecast, ForecastOptions, PathPiece, WallId, World as Plane};
use core::time::Duration;

/// The world of discs, and which entity is what in it.
///
/// As a system's parameter it answers queries: `Res<Physics>`, or `Res<Physics<Forces>>` for another physics.
#[derive(Resource)]
pub struct Physics<P: carom::Physics + 'static = Smooth> {
    pub(crate) world: Plane<P>,
    pub(crate) discs: Link<DiscId>,
    pub(crate) walls: Link<WallId>,
    pub(crate) regions: Link<RegionId>,
    /// What has happened and is not told yet.
    pub(crate) fresh: Vec<Event<P::Change>>,
    /// Entities whose discs were removed through [`Physics::world_mut`].
    pub(crate) lost: Vec<Entity>,
    pub(crate) seen: Seen,
    /// When the engine wrote to components last. What is newer has been written by others.
    pub(crate) gave: Tick,
    /// The world's edits then.
    pub(crate) edits: u64,
    /// Whether radii grew at the beginning of the last step.
    pub(crate) grows: bool,
    /// The app's time at the world's time 0.
    pub(crate) zero: Duration,
    /// How long the engine has taken to go on.
    #[cfg(feature = "diagnostics")]
    pub(crate) spent: Duration,
}

impl<P: carom::Physics + 'static> Physics<P> {
    pub(crate) fn new(mut world: Plane<P>) -> Self {
        // They become messages.
        world.set_record_events(true);
        Physics {
            world,
            discs: Link::default(),
            walls: Link::default(),
            regions: Link::default(),
            fresh: Vec::new(),
            lost: Vec::new(),
            seen: Seen::default(),
            gave: Tick::new(0),
            edits: u64::MAX,
            grows: false,
            zero: Duration::ZERO,
            #[cfg(feature = "diagnostics")]
            spent: Duration::ZERO,
        }
    }

    /// The engine's world.
    #[must_use]
    pub fn world(&self) -> &Plane<P> {
        &self.world
    }

    /// The engine's world, for what has no component: timers, commands, arms, excluded pairs. Components
    /// follow with the next step. A disc that is taken out here takes its entity with it.
    pub fn world_mut(&mut self) -> &mut Plane<P> {
        &mut self.world
    }

    /// Counts the world's time so that its present is this time of the app: after a restart, say.
    pub fn align(&mut self, elapsed: Duration) {
        self.zero = elapsed.saturating_sub(Duration::from_secs_f64(self.world.now().as_secs().max(0.0)));
    }

    /// Goes on to a time of the app, with what happens until then.
    pub(crate) fn advance_to(&mut self, elapsed: Duration) -> Option<Overran> {
        let now = self.world.now().as_secs();
        let asked = elapsed.saturating_sub(self.zero).as_secs_f64().max(now);
        self.grows = self.world.growth() != 0.0;
        #[cfg(feature = "diagnostics")]
        let begin = bevy_platform::time::Instant::now();
        let end = self.world.advance_to(asked).map(|done| done.end);
        #[cfg(feature = "diagnostics")]
        {
            self.spent += begin.elapsed();
        }
        self.world.swap_events(&mut self.fresh);
        (end != Ok(StopReason::Reached)).then(|| Overran { asked, time: self.world.now().as_secs(), end })
    }

    /// Whether more than places and velocities may change in a step that begins now: somebody has edited the
    /// world, or commands may.
    pub(crate) fn is_edited(&self) -> bool {
        P::JUDGES || self.world.edits() != self.edits || self.world.timers().next().is_some()
    }

    /// The disc of an entity.
    #[must_use]
    pub fn disc(&self, entity: Entity) -> Option<DiscRef<'_, P>> {
        self.world.get(self.discs.id(entity)?)
    }

    /// The engine's name of an entity's disc.
    #[must_use]
    pub fn disc_id(&self, entity: Entity) -> Option<DiscId> {
        self.discs.id(entity)
    }

    /// The engine's name of an entity's wall.
    #[must_use]
    pub fn wall_id(&self, entity: Entity) -> Option<WallId> {
        self.walls.id(entity)
    }

    /// The engine's name of an entity's region.
    #[must_use]
    pub fn region_id(&self, entity: Entity) -> Option<RegionId> {
        self.regions.id(entity)
    }

    /// The entity of a disc or a wall.
    #[must_use]
    pub fn entity(&self, body: Partner) -> Option<Entity> {
        match body {
            Partner::Disc(disc) => self.discs.entity(disc),
            Partner::Wall { wall, .. } => self.walls.entity(wall),
        }
    }

    /// The entity of a region, or of the disc that is a sensor.
    #[must_use]
    pub fn region_entity(&self, region: RegionId) -> Option<Entity> {
        let carrier = || self.world.region(region).and_then(|region| region.carrier);
        self.regions.entity(region).or_else(|| self.discs.entity(carrier()?))
    }

    /// Entities of discs with the engine's names of them, in no order.
    pub fn discs(&self) -> impl Iterator<Item = (Entity, DiscId)> + '_ {
        self.discs.pairs()
    }

    /// What a ray meets first, and the entity of that.
    ///
    /// # Errors
    /// As [`World::cast_ray`](carom::World::cast_ray).
    pub fn cast_ray(
        &self,
        origin: DVec2,
        direction: DVec2,
        filter: &QueryFilter<'_>,
    ) -> Result<Option<(Entity, RayHit)>, Error> {
        let hit = self.world.cast_ray(&Ray::new(crate::to(origin), crate::to(direction)), filter)?;
        Ok(hit.and_then(|hit| Some((self.entity(hit.body)?, hit))))
    }

    /// The entities of discs and walls that overlap a disc, or touch it.
    ///
    /// # Errors
    /// As [`World::overlap_disc`](carom::World::overlap_disc).
    pub fn overlap_disc(
        &self,
        center: DVec2,
        radius: f64,
        filter: &QueryFilter<'_>,
    ) -> Result<Vec<Entity>, Error> {
        let mut found = Vec::new();
        self.world.overlap_disc(crate::to(center), radius, filter, &mut found)?;
        Ok(found.into_iter().filter_map(|body| self.entity(body)).collect())
    }

    /// The path of an entity's disc from the present on, if it had this velocity, or with the one that it
    /// has.
    ///
    /// # Errors
    /// As [`Forecast::path`]; no path if the entity has no disc in the world.
    pub fn path<'f>(
        &self,
        forecast: &'f mut Forecast<P>,
        entity: Entity,
        velocity: Option<DVec2>,
        options: &ForecastOptions,
    ) -> Result<&'f [PathPiece], Error> {
        let Some(id) = self.discs.id(entity) else { return Ok(&[]) };
        forecast.path_after(&self.world, id, options, |copy| {
            velocity.map_or(Ok(()), |velocity| copy.set_velocity(id, crate::to(velocity)))
        })
    }
}

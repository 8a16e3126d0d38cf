//! From a scene to a world that runs.

use crate::check;
use crate::error::SceneError;
use crate::expand::Expanded;
use crate::generate::{Progress, Steps};
use crate::growth::{self, Grown};
use crate::model::{Look, Overlaps, Region, Scene, SceneDisc, SceneShape, SceneWall};
use crate::origins::Origins;
use crate::physics::{self, ScenePhysics};
use crate::place::FieldPath;
use crate::program;
use carom_engine::broadphase::Scheduler;
use carom_engine::math::Shown;
use carom_engine::{
    DiscId, Moved, Overlap, Parted, Physics, SchedulerKind, Smooth, Wall, WallId, WallShape, World,
};
use std::ops::ControlFlow;

/// A world made from a scene, with what is needed to speak of its discs and walls in the terms of the file.
#[derive(Clone)]
#[non_exhaustive]
pub struct Built<P: Physics = Smooth> {
    /// The world at its start. The user data of a disc or wall is its index in file order.
    pub world: World<P>,
    /// The discs in file order: `discs`, then `racks`, then `gases`.
    pub discs: Vec<DiscId>,
    /// The walls in file order.
    pub walls: Vec<WallId>,
    /// The discs that were pushed apart, where the scene asks for that.
    pub moved: Vec<Moved>,
    /// What was parted, where the scene asks for that.
    pub parted: Option<Parted>,
    /// How the discs have grown, where the scene asks for that. Their radii are those of the world.
    pub grown: Option<Grown>,
    /// How the discs look, in file order.
    pub looks: Vec<Look>,
    /// The entry of the scene that each disc comes from.
    pub origins: Origins,
}

impl Scene {
    /// Makes the world that the scene describes, at its start. `O(N)` for N discs of a gas: each is compared
    /// with those around it.
    ///
    /// # Errors
    /// A value is not allowed, a gas does not fit, there are more than [`MAX_DISCS`](crate::MAX_DISCS) discs,
    /// a number is outside the range of the engine, discs overlap that are not allowed to, or there is no way
    /// to part them where the scene asks for that; the error names the entry.
    /// [`Source::explain`](crate::Source::explain) adds its line. So is a scene that [has
    /// forces](Scene::has_forces): see [`Scene::build_as`].
    pub fn build(&self) -> Result<Built, SceneError> {
        self.build_as()
    }

    /// As [`Scene::build`], in the physics `P`: in [`Forces`](carom_engine::Forces) where something
    /// accelerates discs.
    ///
    /// ```
    /// use carom_engine::Forces;
    /// use carom_scene::Scene;
    ///
    /// let scene = Scene::named("air-table")?;
    /// assert!(scene.has_forces() && scene.build().is_err());
    /// let mut built = scene.build_as::<Forces>()?;
    /// built.world.advance_to(scene.until)?;
    /// assert_eq!(built.world.kinetic_energy(), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Scene::build`].
    pub fn build_as<P: ScenePhysics>(&self) -> Result<Built<P>, SceneError> {
        self.build_with(&mut |_| ControlFlow::Continue(()))
    }

    /// As [`Scene::build_as`], and calls `progress` now and then with how much of the work is done, from 0 to
    /// 1: a million discs take seconds, and dense ones that grow take hours. The work ends where that breaks.
    ///
    /// ```
    /// use carom_engine::Smooth;
    /// use carom_scene::{Scene, SceneError};
    /// use std::ops::ControlFlow;
    ///
    /// let scene = Scene::named("dense-100")?;
    /// let half = &mut |done| if done < 0.5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    /// assert!(matches!(scene.build_with::<Smooth>(half), Err(SceneError::Cancelled)));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Scene::build`]; [`SceneError::Cancelled`] where `progress` breaks.
    pub fn build_with<P: ScenePhysics>(&self, progress: Progress<'_>) -> Result<Built<P>, SceneError> {
        self.check()?;
        let count = self.count_discs()?;
        check_capacity(self.settings.scheduler, count)?;
        // Each disc is placed, and then put into the world. To grow takes much longer.
        let share = if self.growth.is_some() { GROWING } else { 1 };
        let mut steps = Steps::new(2 * count * share, progress);
        let mut expanded = self.expand_with(&mut steps)?;
        steps.go_to(count);
        let drag = self.settings.drag;
        // Discs grow before the start, and under drag they could not.
        let drag_at_first = if self.growth.is_some() { 0.0 } else { drag };
        let mut made: Made<P> = self.make(&expanded, drag_at_first, self.overlaps, &mut steps)?;
        let (moved, parted) = self.separate(&mut made, &expanded.origins)?;
        let mut grown = None;
        if let Some(growth) = &self.growth {
            let area = self.area(expanded.periods, &expanded.regions);
            let done = steps.part();
            let progress = &mut |part: f64| {
                steps.report(done + (1.0 - done) * part);
                steps.go_on()
            };
            let Made { world, walls, discs } = &mut made;
            let names = Names { walls, discs, origins: &expanded.origins };
            let refused = |error| names.refused(FieldPath::root().field("growth"), error);
            let entries = &mut expanded.discs;
            grown = Some(growth::grow(growth, area, (world, discs), entries, progress, &refused)?);
            // The scene starts at its own time. Discs that touch are placed with the rounding of their paths.
            made = self.make(
                &expanded,
                drag,
                Overlaps::Allow,
                &mut Steps::new(count, &mut |_| ControlFlow::Continue(())),
            )?;
        }
        if grown.is_some() || matches!(self.overlaps, Overlaps::PushApart | Overlaps::Part(_)) {
            // From here on a disc may be put where its own entry allows it.
            for (&id, entry) in made.discs.iter().zip(&expanded.discs) {
                let allowed = self.overlaps == Overlaps::Allow;
                let own = if allowed { Overlap::Allow } else { entry.to_disc(((), ())).overlap };
                let refused = |error| SceneError::refused(FieldPath::root(), error);
                made.world.set_overlap(id, own).map_err(refused)?;
            }
        }
        self.start_growth(&mut made, &expanded.origins)?;
        program::add(self, &mut made.world, &made.discs, &made.walls)?;
        let looks = expanded.discs.iter().map(SceneDisc::look).collect();
        let Made { world, walls, discs } = made;
        Ok(Built { world, discs, walls, moved, parted, grown, looks, origins: expanded.origins })
    }

    /// Lets the radii grow from the start on, if they are to.
    fn start_growth<P: ScenePhysics>(&self, made: &mut Made<P>, origins: &Origins) -> Result<(), SceneError> {
        if self.settings.growth_rate == 0.0 {
            return Ok(());
        }
        let started = made.world.set_growth(self.settings.growth_rate);
        let field = FieldPath::root().field("settings").field("growth_rate");
        started.map_err(|error| made.names(origins).refused(field, error))
    }

    /// Does about overlaps what the scene asks for.
    fn separate<P: ScenePhysics>(
        &self,
        made: &mut Made<P>,
        origins: &Origins,
    ) -> Result<(Vec<Moved>, Option<Parted>), SceneError> {
        let outcome = match self.overlaps {
            Overlaps::Refuse | Overlaps::Allow => return Ok((Vec::new(), None)),
            Overlaps::PushApart => made.world.push_apart().map(|moved| (moved, None)),
            Overlaps::Part(speed) => {
                made.world.separate_overlaps(speed).map(|parted| (Vec::new(), Some(parted)))
            }
        };
        let field = FieldPath::root().field("overlaps");
        outcome.map_err(|error| made.names(origins).refused(field, error))
    }

    /// The world with these discs, at its start, with drag at this rate.
    fn make<P: ScenePhysics>(
        &self,
        expanded: &Expanded,
        drag: f64,
        overlaps: Overlaps,
        steps: &mut Steps<'_>,
    ) -> Result<Made<P>, SceneError> {
        let settings = self.settings.to_settings().with_period(expanded.periods).with_drag(drag);
        let world = World::with_physics(physics::of_scene::<P>(self)?, settings)
            .map_err(|error| SceneError::refused(FieldPath::root().field("settings"), error))?;
        if world.clock().at(self.until).is_never() {
            let allowed =
                format!("at most {} s, all that a clock of this epoch holds", Shown(world.clock().horizon()));
            return Err(SceneError::value(FieldPath::root().field("until"), Shown(self.until), allowed));
        }
        let mut made = Made { world, walls: Vec::with_capacity(self.walls.len()), discs: Vec::new() };
        for (index, entry) in self.walls.iter().enumerate() {
            let path = FieldPath::of("walls", index);
            let mut wall = wall(entry, &expanded.regions, &path)?.with_user_data(index as u64);
            wall.surface = P::surface_of(entry);
            let wall = made.world.add_wall(wall);
            made.walls.push(wall.map_err(|error| SceneError::refused(path, error))?);
        }
        made.world.reserve(expanded.discs.len());
        made.discs.reserve(expanded.discs.len());
        for (index, entry) in expanded.discs.iter().enumerate() {
            let mut disc = entry.to_disc(P::disc_of(entry)).with_user_data(index as u64);
            if overlaps != Overlaps::Refuse {
                disc.overlap = Overlap::Allow;
            }
            match made.world.insert(disc) {
                Ok(disc) => made.discs.push(disc),
                Err(error) => {
                    let entry = expanded.origins.entry(index);
                    return Err(made.names(&expanded.origins).refused(entry, error));
                }
            }
            steps.step();
            steps.go_on()?;
        }
        Ok(made)
    }
}

/// Refuses, before anything is made, a table of more pairs than it is for: those of a million discs are half
/// a billion.
fn check_capacity(scheduler: SchedulerKind, count: u64) -> Result<(), SceneError> {
    let most = Scheduler::capacity(scheduler);
    if count <= most as u64 {
        return Ok(());
    }
    Err(SceneError::value(
        FieldPath::root().field("settings").field("scheduler"),
        format!("`table` for {count} discs"),
        format!("`grid` or `fastest` for more than {most}"),
    ))
}

/// A world with the handles of what is in it, in file order.
struct Made<P: Physics> {
    world: World<P>,
    walls: Vec<WallId>,
    discs: Vec<DiscId>,
}

impl<P: Physics> Made<P> {
    fn names<'a>(&'a self, origins: &'a Origins) -> Names<'a> {
        Names { walls: &self.walls, discs: &self.discs, origins }
    }
}

/// What discs and walls are called in the scene.
pub(crate) struct Names<'a> {
    walls: &'a [WallId],
    discs: &'a [DiscId],
    origins: &'a Origins,
}

impl Names<'_> {
    /// The engine's error about an entry, with the entries of the scene in place of handles.
    pub(crate) fn refused(&self, path: FieldPath, error: carom_engine::Error) -> SceneError {
        let disc = |id: DiscId| match self.discs.iter().position(|disc| *disc == id) {
            Some(index) if index < self.origins.single() => FieldPath::of("discs", index).to_string(),
            Some(index) => format!("disc {index}, of {}", self.origins.entry(index)),
            None => format!("disc {id}"),
        };
        let wall = |id: WallId| match self.walls.iter().position(|wall| *wall == id) {
            Some(index) => FieldPath::of("walls", index).to_string(),
            None => format!("wall {id}"),
        };
        SceneError::refused_among(path, error, &disc, &wall)
    }
}

/// How many times as long it takes to grow as to set up, as far as progress is concerned.
const GROWING: u64 = 20;

fn wall<S: Default>(entry: &SceneWall, regions: &[Region], path: &FieldPath) -> Result<Wall<S>, SceneError> {
    let shape = match &entry.shape {
        SceneShape::Given(shape) => shape.clone(),
        SceneShape::AroundGas { gas } => match usize::try_from(*gas).ok().and_then(|gas| regions.get(gas)) {
            Some(&Region::Rectangle { min, max }) => WallShape::Container { min, max },
            Some(&Region::Circle { center, radius }) => WallShape::Circle { center, radius },
            None => return Err(check::no_such_gas(path, *gas, regions.len())),
        },
    };
    let wall = Wall::new(shape).with_restitution(entry.restitution).with_rules(entry.rules);
    Ok(wall.with_max_speed(entry.max_speed.unwrap_or(f64::INFINITY)))
}

//! From a scene to a world that runs.

use crate::colour::Look;
use crate::disc::SceneDisc;
use crate::error::{SceneError, number};
use crate::expand::Expanded;
use crate::growth::{self, Grown};
use crate::origins::Origins;
use crate::overlaps::Overlaps;
use crate::place::{FieldPath, Place};
use crate::region::Region;
use crate::scene::Scene;
use crate::settings::{RestitutionRule, SceneSettings, SchedulerChoice, SimultaneousRule};
use crate::steps::Steps;
use crate::wall::{SceneWall, Shape};
use crate::{check, expand};
use carom_engine::broadphase::{Auto, Scheduler as _};
use carom_engine::{
    Collapse, CombineRule, Disc, DiscId, Moved, Overlap, Parted, SchedulerKind, Settings, Simultaneous, Wall,
    WallId, WallShape, World,
};

/// A world made from a scene, with what is needed to speak of its discs and walls in the terms of the file.
#[derive(Clone)]
#[non_exhaustive]
pub struct Built {
    /// The world at its start. The user data of a disc or wall is its index in file order.
    pub world: World,
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
    /// Makes the world that the scene describes, at its start. `O(N)` for N discs of a gas: each is compared with those
    /// around it.
    ///
    /// # Errors
    /// A value is not allowed, a gas does not fit, there are more than [`MAX_DISCS`](crate::MAX_DISCS) discs, a number is
    /// outside the range of the engine, discs overlap that are not allowed to, or there is no way to part them where the
    /// scene asks for that; the error names the entry.
    /// [`Source::explain`](crate::Source::explain) adds its line.
    pub fn build(&self) -> Result<Built, SceneError> {
        self.build_with(&mut |_| ())
    }

    /// As [`Scene::build`], and tells `progress` now and then how much of the work is done, from 0 to 1: a million discs
    /// take seconds.
    ///
    /// # Errors
    /// As [`Scene::build`].
    pub fn build_with(&self, progress: &mut dyn FnMut(f64)) -> Result<Built, SceneError> {
        self.check()?;
        let count = expand::count(self)?;
        let wanted = wanted(self.settings.scheduler);
        // Before anything is made: the table of a million discs would be half a billion pairs.
        let most = Auto::capacity(wanted);
        if count > most as u64 {
            return Err(SceneError::value(
                FieldPath::root().field("settings").field("scheduler"),
                format!("`table` for {count} discs"),
                format!("`grid` or `fastest` for more than {most}"),
            ));
        }
        // Each disc is placed, and then put into the world. To grow takes much longer.
        let share = if self.growth.is_some() { GROWING } else { 1 };
        let mut steps = Steps::new(2 * count * share, progress);
        let mut expanded = self.expand_with(&mut steps)?;
        steps.go_to(count);
        let Made { mut world, mut walls, mut discs } = self.make(&expanded, self.overlaps, &mut steps)?;
        let (mut moved, mut parted) = (Vec::new(), None);
        let overlaps = FieldPath::root().field("overlaps");
        match self.overlaps {
            Overlaps::Refuse | Overlaps::Allow => {}
            Overlaps::PushApart => moved = world.push_apart().map_err(refused(overlaps))?,
            Overlaps::Part(speed) => {
                parted = Some(world.separate_overlaps(speed).map_err(refused(overlaps))?);
            }
        }
        let mut grown = None;
        if let Some(growth) = &self.growth {
            let area = self.area(expanded.periods, &expanded.regions);
            let done = steps.part();
            let hear = &mut |part: f64| steps.tell(done + (1.0 - done) * part);
            let (world_then, discs_then) = (&mut world, &discs);
            let entries = &mut expanded.discs;
            grown = Some(growth::grow(growth, area, world_then, discs_then, entries, hear)?);
            // The scene starts at its own time. Discs that touch are placed with the rounding of their paths.
            let nobody = &mut |_: f64| ();
            Made { world, walls, discs } =
                self.make(&expanded, Overlaps::Allow, &mut Steps::new(count, nobody))?;
        }
        if grown.is_some() || matches!(self.overlaps, Overlaps::PushApart | Overlaps::Part(_)) {
            // From now on a disc may be put where its own entry allows it.
            for (&id, entry) in discs.iter().zip(&expanded.discs) {
                let mut own = disc(entry).overlap;
                if self.overlaps == Overlaps::Allow {
                    own = Overlap::Allow;
                }
                world.set_overlap(id, own).map_err(refused(FieldPath::root()))?;
            }
        }
        let looks = expanded.discs.iter().map(SceneDisc::look).collect();
        Ok(Built { world, discs, walls, moved, parted, grown, looks, origins: expanded.origins })
    }

    /// The world with these discs, at its start.
    fn make(
        &self,
        expanded: &Expanded,
        overlaps: Overlaps,
        steps: &mut Steps<'_>,
    ) -> Result<Made, SceneError> {
        let mut world =
            World::with_settings(Settings { period: expanded.periods, ..settings(&self.settings) })
                .map_err(refused(FieldPath::root().field("settings")))?;
        if world.clock().at(self.until).is_never() {
            return Err(SceneError::value(
                FieldPath::root().field("until"),
                number(self.until),
                format!(
                    "at most {} s, all that a clock of this epoch holds",
                    number(world.clock().horizon())
                ),
            ));
        }
        let mut walls = Vec::with_capacity(self.walls.len());
        for (index, entry) in self.walls.iter().enumerate() {
            let path = FieldPath::of("walls", index);
            let wall = wall(entry, &expanded.regions, &path)?.with_user_data(index as u64);
            walls.push(world.add_wall(wall).map_err(refused(path))?);
        }
        world.reserve(expanded.discs.len());
        let mut discs = Vec::with_capacity(expanded.discs.len());
        for (index, entry) in expanded.discs.iter().enumerate() {
            let mut disc = disc(entry).with_user_data(index as u64);
            if overlaps != Overlaps::Refuse {
                disc.overlap = Overlap::Allow;
            }
            discs.push(world.insert(disc).map_err(|source| refused(expanded.origins.entry(index))(source))?);
            steps.step();
        }
        Ok(Made { world, walls, discs })
    }
}

/// A world with the handles of what is in it, in file order.
struct Made {
    world: World,
    walls: Vec<WallId>,
    discs: Vec<DiscId>,
}

/// How many times as long it takes to grow as to set up, as far as progress is concerned.
const GROWING: u64 = 20;

/// For `map_err`: what the engine refused, at this place.
fn refused(field: FieldPath) -> impl FnOnce(carom_engine::Error) -> SceneError {
    move |source| SceneError::Refused { place: Place::field(field), source: Box::new(source) }
}

fn settings(settings: &SceneSettings) -> Settings {
    Settings {
        epoch: settings.epoch,
        start: settings.start,
        restitution: match settings.restitution {
            RestitutionRule::GeometricMean => CombineRule::GeometricMean,
            RestitutionRule::Minimum => CombineRule::Minimum,
            RestitutionRule::Maximum => CombineRule::Maximum,
            RestitutionRule::Average => CombineRule::Average,
            RestitutionRule::Product => CombineRule::Product,
        },
        simultaneous: match settings.simultaneous {
            SimultaneousRule::Together => Simultaneous::Together,
            SimultaneousRule::OneByOne => Simultaneous::OneByOne,
        },
        collapse: (settings.collapse_after > 0)
            .then_some(Collapse { contact_time: settings.contact_time, impacts: settings.collapse_after }),
        budget: settings.budget,
        scheduler: wanted(settings.scheduler),
        ..Settings::default()
    }
}

fn wanted(choice: SchedulerChoice) -> SchedulerKind {
    match choice {
        SchedulerChoice::Fastest => SchedulerKind::Fastest,
        SchedulerChoice::Table => SchedulerKind::Table,
        SchedulerChoice::Grid => SchedulerKind::Grid,
    }
}

fn disc(entry: &SceneDisc) -> Disc {
    let disc = Disc::new(entry.position, entry.radius)
        .with_velocity(entry.velocity)
        .with_mass(entry.mass)
        .with_restitution(entry.restitution);
    if entry.allow_overlap { disc.allowing_overlap() } else { disc }
}

fn wall(entry: &SceneWall, regions: &[Region], path: &FieldPath) -> Result<Wall, SceneError> {
    let shape = match entry.shape.clone() {
        Shape::HalfPlane { point, normal } => WallShape::HalfPlane { point, normal },
        Shape::Segment { a, b } => WallShape::Segment { a, b },
        Shape::OneSidedSegment { a, b } => WallShape::OneSidedSegment { a, b },
        Shape::Disc { center, radius } => WallShape::Disc { center, radius },
        Shape::Circle { center, radius } => WallShape::Circle { center, radius },
        Shape::Arc { center, radius, start, sweep } => WallShape::Arc { center, radius, start, sweep },
        Shape::Polyline { points, closed } => WallShape::Polyline { points, closed },
        Shape::Container { min, max } => WallShape::Container { min, max },
        Shape::Stadium { center, half_length, radius } => WallShape::Stadium { center, half_length, radius },
        Shape::AroundGas { gas } => match usize::try_from(gas).ok().and_then(|gas| regions.get(gas)) {
            Some(&Region::Rectangle { min, max }) => WallShape::Container { min, max },
            Some(&Region::Circle { center, radius }) => WallShape::Circle { center, radius },
            None => return Err(check::no_such_gas(path, gas, regions.len())),
        },
    };
    Ok(Wall::new(shape).with_restitution(entry.restitution))
}

//! Starts that are denser than discs can be placed: they grow into them.

use crate::error::SceneError;
use crate::model::{Growth, NO_AREA, Region, Scene, SceneDisc, SceneShape};
use crate::place::FieldPath;
use carom_engine::math::Shown;
use carom_engine::{DiscId, Physics, StopReason, WallShape, World};

/// What the growth of a scene's discs took.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Grown {
    /// The part of the area that the discs covered before.
    pub from: f64,
    /// The part that they cover now.
    pub to: f64,
    /// How many events there were.
    pub events: u64,
    /// For how many seconds they grew.
    pub seconds: f64,
}

/// When the energy is this many times what it was it is set back. Else it is looked at every so many events a
/// disc.
const HEATED: f64 = 1.05;
/// If radii have not grown by more than this part of them while the discs were heated so much, they are
/// jammed: the pressure is tens of thousands of times that of points.
const JAMMED: f64 = 1e-6;
/// The most events for each disc: a slow growth to 0.88 takes some thousands.
const MOST_EVENTS: u64 = 100_000;

impl Scene {
    /// What part of it discs cover is the packing fraction; `None` if nothing says where it ends. The periods
    /// are those of the scene, the regions those of its gases.
    pub(crate) fn area(&self, periods: [Option<f64>; 2], regions: &[Region]) -> Option<f64> {
        if let [Some(x), Some(y)] = periods {
            return Some(x * y);
        }
        self.walls.iter().find_map(|wall| match wall.shape {
            SceneShape::Given(WallShape::Container { min, max }) => Some((max - min).element_product()),
            SceneShape::AroundGas { gas } => match regions.get(usize::try_from(gas).ok()?)? {
                region @ Region::Rectangle { .. } => Some(region.area()),
                Region::Circle { .. } => None,
            },
            _ => None,
        })
    }
}

/// For `map_err`: what the engine refuses, in the terms of the scene.
pub(crate) type Refused<'a> = &'a dyn Fn(carom_engine::Error) -> SceneError;

/// Told how much is done; an error if the work is to end.
pub(crate) type GoOn<'a> = &'a mut dyn FnMut(f64) -> Result<(), SceneError>;

/// Lets the discs of a world grow, and notes in `entries` where they are then, how they move and how large
/// they are.
pub(crate) fn grow<P: Physics>(
    growth: &Growth,
    area: Option<f64>,
    (world, discs): (&mut World<P>, &[DiscId]),
    entries: &mut [SceneDisc],
    go_on: GoOn<'_>,
    refused: Refused<'_>,
) -> Result<Grown, SceneError> {
    let path = FieldPath::root().field("growth");
    let Some(area) = area else {
        return Err(SceneError::unexpected(path, NO_AREA));
    };
    let covered: f64 = entries.iter().map(|disc| std::f64::consts::PI * (disc.radius * disc.radius)).sum();
    let from = covered / area;
    if !(from > 0.0 && from <= growth.packing) {
        let allowed =
            format!("at least {from:.6}, which the discs cover before they grow, and that more than 0");
        return Err(SceneError::value(path.field("packing"), Shown(growth.packing), allowed));
    }
    let energy = world.kinetic_energy();
    if !(energy > 0.0) {
        let why = "discs at rest do not make room for each other: a gas has a `temperature` or a `speed`";
        return Err(SceneError::unexpected(path, why));
    }
    let seconds = (carom_math::sqrt(growth.packing / from) - 1.0) / growth.rate;
    let start = world.now().as_secs();
    let events = Compression { growth, path, energy, start, seconds, from, refused }.run(world, go_on)?;
    for (entry, &id) in entries.iter_mut().zip(discs) {
        if let Some(disc) = world.get(id) {
            (entry.position, entry.velocity, entry.radius) =
                (disc.position(), disc.velocity(), disc.radius());
        }
    }
    Ok(Grown { from, to: growth.packing, events, seconds })
}

struct Compression<'a> {
    growth: &'a Growth,
    path: FieldPath,
    energy: f64,
    start: f64,
    seconds: f64,
    from: f64,
    refused: Refused<'a>,
}

impl Compression<'_> {
    fn run<P: Physics>(&self, world: &mut World<P>, go_on: GoOn<'_>) -> Result<u64, SceneError> {
        world.set_growth(self.growth.rate).map_err(self.refused)?;
        world.set_budget(world.len().max(64) as u64);
        world.set_record_events(false);
        let (mut events, mut heated_at) = (0, 0.0);
        loop {
            let end = self.start + self.seconds;
            let advance = world.advance_to(end).map_err(self.refused)?;
            events += advance.events;
            let grown = advance.time.as_secs() - self.start;
            match advance.end {
                // Where there is no room left growth ends by itself.
                _ if world.growth() == 0.0 => return Err(self.jammed(grown)),
                StopReason::Reached => break,
                StopReason::OutOfBudget => {}
                _ => return Err(self.jammed(grown)),
            }
            if events > MOST_EVENTS * world.len() as u64 {
                let why =
                    format!("it takes more than {MOST_EVENTS} events a disc; with a larger `rate` fewer");
                return Err(SceneError::no_room(self.path.clone(), why));
            }
            let ratio = world.kinetic_energy() / self.energy;
            if ratio > HEATED || ratio.is_nan() {
                if !ratio.is_finite() || self.growth.rate * (grown - heated_at) <= JAMMED {
                    return Err(self.jammed(grown));
                }
                world.scale_velocities(1.0 / carom_math::sqrt(ratio)).map_err(self.refused)?;
                heated_at = grown;
            }
            go_on(grown / self.seconds)?;
        }
        world.set_growth(0.0).map_err(self.refused)?;
        let ratio = world.kinetic_energy() / self.energy;
        world.scale_velocities(1.0 / carom_math::sqrt(ratio)).map_err(self.refused)?;
        Ok(events)
    }

    fn jammed(&self, grown: f64) -> SceneError {
        let scale = 1.0 + self.growth.rate * grown;
        let why = format!(
            "the discs jam at a packing fraction of {:.4}; a smaller rate leaves them time to order",
            self.from * scale * scale
        );
        SceneError::no_room(self.path.clone(), why)
    }
}

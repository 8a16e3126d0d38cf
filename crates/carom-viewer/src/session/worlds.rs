//! Worlds of any physics: with forces, smooth, where there may be drag, growth and periods, or of discs that
//! turn and rub.

use super::kinds::{Kind, add_wall, insert, note_events, seen, seen_wall, set_body};
use super::seen::{SeenDisc, SeenEvent, WholeDisc, WholeWall};
use carom_engine::math::Periods;
use carom_engine::{
    Advance, Counters, DVec2, DiscForces, DiscId, Error, Forces, Moment, Moved, Overlap, Rough, RoughDisc,
    Roughness, Settings, Smooth, Spin, Time, Upcoming, WallId, WallShape, World,
};
use carom_timeline::Timeline;
use std::borrow::Cow;

/// The same for worlds of each physics; with an arrow, as the same kind of something else.
macro_rules! each {
    ($of:expr, $kind:ident, $it:ident => $does:expr) => {
        match $of {
            $kind::Forces($it) => $does,
            $kind::Smooth($it) => $does,
            $kind::Rough($it) => $does,
        }
    };
    ($of:expr, $kind:ident -> $to:ident, $it:ident => $does:expr) => {
        match $of {
            $kind::Forces($it) => $to::Forces($does),
            $kind::Smooth($it) => $to::Smooth($does),
            $kind::Rough($it) => $to::Rough($does),
        }
    };
}
pub(super) use each;

/// A world of any physics.
#[derive(Clone, Debug)]
pub(super) enum AnyWorld {
    Forces(Box<World<Forces>>),
    Smooth(Box<World<Smooth>>),
    Rough(Box<World<Rough<Forces>>>),
}

impl From<World<Forces>> for AnyWorld {
    fn from(world: World<Forces>) -> Self {
        AnyWorld::Forces(Box::new(world))
    }
}

impl From<World<Smooth>> for AnyWorld {
    fn from(world: World<Smooth>) -> Self {
        AnyWorld::Smooth(Box::new(world))
    }
}

impl From<World<Rough<Forces>>> for AnyWorld {
    fn from(world: World<Rough<Forces>>) -> Self {
        AnyWorld::Rough(Box::new(world))
    }
}

impl AnyWorld {
    pub(super) fn bytes(&self) -> usize {
        each!(self, AnyWorld, world => world.bytes())
    }

    pub(super) fn read(&self) -> WorldRef<'_> {
        each!(self, AnyWorld -> WorldRef, world => world)
    }

    pub(super) fn write(&mut self) -> WorldMut<'_> {
        each!(self, AnyWorld -> WorldMut, world => world)
    }

    /// Where discs that overlap are pushed, if there is room for them.
    pub(super) fn pushed_apart(&mut self) -> Vec<Moved> {
        self.write().push_apart().unwrap_or_default()
    }

    /// Runs on for this many events, or for this many seconds if there are fewer in them.
    pub(super) fn run_on(&mut self, events: u64, seconds: f64) {
        each!(self, AnyWorld, world => {
            world.set_budget(events);
            // However it ends, it ends for the same world in the same way.
            _ = world.advance(seconds);
        });
    }
}

/// A world of any physics, to be read.
#[derive(Clone, Copy, Debug)]
pub enum WorldRef<'a> {
    /// Discs under forces.
    Forces(&'a World<Forces>),
    /// Smooth discs in uniform motion, or under drag.
    Smooth(&'a World<Smooth>),
    /// Discs under forces that turn, and rub where they meet.
    Rough(&'a World<Rough<Forces>>),
}

impl<'a> WorldRef<'a> {
    pub(super) fn cloned(self) -> AnyWorld {
        each!(self, WorldRef -> AnyWorld, world => Box::new(world.clone()))
    }

    /// How many discs there are.
    #[must_use]
    pub fn len(self) -> usize {
        each!(self, WorldRef, world => world.len())
    }

    /// Whether there is no disc.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The present.
    #[must_use]
    pub fn now(self) -> Time {
        each!(self, WorldRef, world => world.now())
    }

    /// What holds for the whole world.
    #[must_use]
    pub fn settings(self) -> &'a Settings {
        each!(self, WorldRef, world => world.settings())
    }

    /// The lengths after which the plane repeats itself.
    #[must_use]
    pub fn periods(self) -> &'a Periods {
        each!(self, WorldRef, world => world.periods())
    }

    /// What it has done.
    #[must_use]
    pub fn counters(self) -> Counters {
        each!(self, WorldRef, world => world.counters())
    }

    /// Its forces: none where it is smooth.
    #[must_use]
    pub fn forces(self) -> Forces {
        match self {
            WorldRef::Forces(world) => *world.physics(),
            WorldRef::Smooth(_) => Forces::new(),
            WorldRef::Rough(world) => world.physics().physics,
        }
    }

    /// How surfaces rub that do not say it of themselves; none where discs do not turn.
    #[must_use]
    pub fn roughness(self) -> Option<Roughness> {
        match self {
            WorldRef::Rough(world) => Some(world.physics().roughness),
            _ => None,
        }
    }

    /// How fast radii grow, a second and in proportion to themselves.
    #[must_use]
    pub fn growth(self) -> f64 {
        each!(self, WorldRef, world => world.growth())
    }

    /// Energy, kinetic and potential.
    #[must_use]
    pub fn energy(self) -> f64 {
        each!(self, WorldRef, world => world.energy())
    }

    /// The momentum of the discs of finite mass.
    #[must_use]
    pub fn momentum(self) -> DVec2 {
        each!(self, WorldRef, world => world.momentum())
    }

    /// Whether a disc is there.
    #[must_use]
    pub fn contains(self, disc: DiscId) -> bool {
        each!(self, WorldRef, world => world.contains(disc))
    }

    /// A disc as it is now.
    #[must_use]
    pub fn get(self, disc: DiscId) -> Option<SeenDisc> {
        each!(self, WorldRef, world => seen(world, disc))
    }

    /// All discs, by slot.
    pub fn ids(self) -> impl Iterator<Item = DiscId> + 'a {
        let of: Box<dyn Iterator<Item = DiscId>> = each!(self, WorldRef, world => Box::new(world.ids()));
        of
    }

    /// All discs as they are now, by slot.
    pub fn discs(self) -> impl Iterator<Item = SeenDisc> + 'a {
        self.ids().filter_map(move |id| self.get(id))
    }

    /// All walls.
    pub fn walls(self) -> impl Iterator<Item = WallId> + 'a {
        let of: Box<dyn Iterator<Item = WallId>> =
            each!(self, WorldRef, world => Box::new(world.walls().map(|(id, _)| id)));
        of
    }

    /// A wall as it lies now.
    #[must_use]
    pub fn wall(self, wall: WallId) -> Option<WholeWall> {
        each!(self, WorldRef, world => seen_wall(world, wall))
    }

    /// The form of a wall as it lies now.
    #[must_use]
    pub fn wall_shape(self, wall: WallId) -> Option<Cow<'a, WallShape>> {
        each!(self, WorldRef, world => world.wall_shape(wall))
    }

    /// The entry of the table of pairs for two discs, or for one on its own; none where the grid schedules.
    #[must_use]
    pub fn table_entry(self, a: DiscId, b: DiscId) -> Option<Time> {
        each!(self, WorldRef, world => world.table_entry(a, b)).ok().flatten()
    }
}

/// A world of any physics, to be edited.
#[derive(Debug)]
pub(super) enum WorldMut<'a> {
    Forces(&'a mut World<Forces>),
    Smooth(&'a mut World<Smooth>),
    Rough(&'a mut World<Rough<Forces>>),
}

impl WorldMut<'_> {
    pub(super) fn read(&self) -> WorldRef<'_> {
        each!(self, WorldMut -> WorldRef, world => world)
    }

    pub(super) fn set_position(&mut self, disc: DiscId, place: DVec2) -> Result<(), Error> {
        each!(self, WorldMut, world => world.set_position(disc, place))
    }

    /// Puts a disc somewhere, onto others, too.
    pub(super) fn put_onto(&mut self, disc: DiscId, place: DVec2) -> Result<(), Error> {
        each!(self, WorldMut, world => {
            let before = world.get(disc).map_or(Overlap::Refuse, |disc| disc.overlap());
            world.set_overlap(disc, Overlap::Allow)?;
            world.set_position(disc, place)?;
            world.set_overlap(disc, before)
        })
    }

    pub(super) fn push_apart(&mut self) -> Result<Vec<Moved>, Error> {
        each!(self, WorldMut, world => world.push_apart())
    }

    pub(super) fn set_velocity(&mut self, disc: DiscId, velocity: DVec2) -> Result<(), Error> {
        each!(self, WorldMut, world => world.set_velocity(disc, velocity))
    }

    pub(super) fn set_radius(&mut self, disc: DiscId, radius: f64) -> Result<(), Error> {
        each!(self, WorldMut, world => world.set_radius(disc, radius))
    }

    pub(super) fn set_mass(&mut self, disc: DiscId, mass: f64) -> Result<(), Error> {
        each!(self, WorldMut, world => world.set_mass(disc, mass))
    }

    pub(super) fn set_restitution(&mut self, disc: DiscId, restitution: f64) -> Result<(), Error> {
        each!(self, WorldMut, world => world.set_restitution(disc, restitution))
    }

    pub(super) fn set_wall_restitution(&mut self, wall: WallId, restitution: f64) -> Result<(), Error> {
        each!(self, WorldMut, world => world.set_wall_restitution(wall, restitution))
    }

    pub(super) fn set_growth(&mut self, rate: f64) -> Result<(), Error> {
        each!(self, WorldMut, world => world.set_growth(rate))
    }

    /// Other forces; of discs that have none, nothing is changed.
    pub(super) fn set_forces(&mut self, forces: Forces) -> Result<(), Error> {
        match self {
            WorldMut::Forces(world) => world.set_physics(forces),
            WorldMut::Smooth(_) => Ok(()),
            WorldMut::Rough(world) => {
                let roughness = world.physics().roughness;
                world.set_physics(Rough::new(forces, roughness))
            }
        }
    }

    /// Changes how surfaces rub that do not say it of themselves, where discs turn.
    pub(super) fn set_roughness(&mut self, roughness: Roughness) -> Result<(), Error> {
        match self {
            WorldMut::Rough(world) => world.set_physics(Rough::new(world.physics().physics, roughness)),
            _ => Ok(()),
        }
    }

    /// Changes what is known of a disc, as far as this physics knows it.
    pub(super) fn set_body(&mut self, disc: DiscId, body: RoughDisc<DiscForces>) -> Result<(), Error> {
        each!(self, WorldMut, world => set_body(world, disc, body))
    }

    /// Changes how a disc turns, where discs do.
    pub(super) fn set_spin(&mut self, disc: DiscId, spin: Spin) -> Result<(), Error> {
        match self {
            WorldMut::Rough(world) => world.set_extra(disc, spin),
            _ => Ok(()),
        }
    }

    pub(super) fn insert(&mut self, disc: WholeDisc) -> Result<DiscId, Error> {
        each!(self, WorldMut, world => insert(world, disc))
    }

    pub(super) fn remove(&mut self, disc: DiscId) -> Result<(), Error> {
        each!(self, WorldMut, world => world.remove(disc).map(|_| ()))
    }

    pub(super) fn add_wall(&mut self, wall: WholeWall) -> Result<WallId, Error> {
        each!(self, WorldMut, world => add_wall(world, wall))
    }

    pub(super) fn remove_wall(&mut self, wall: WallId) -> Result<(), Error> {
        each!(self, WorldMut, world => world.remove_wall(wall).map(|_| ()))
    }
}

/// A world made anew in a physics, of the discs and walls of one that is there: at the same time, without
/// its past.
pub(super) fn made_anew<P: Kind>(
    from: WorldRef<'_>,
    physics: P,
    settings: Settings,
) -> Result<AnyWorld, Error>
where
    AnyWorld: From<World<P>>,
{
    let settings = settings.with_start(from.now().as_secs());
    let mut world = World::with_physics(physics, settings)?;
    for wall in from.walls().filter_map(|id| from.wall(id)) {
        add_wall(&mut world, wall)?;
    }
    for disc in from.discs() {
        let disc = disc.to_disc();
        // What touches overlaps by rounding.
        let id = insert(&mut world, disc.with_overlap())?;
        world.set_overlap(id, disc.overlap)?;
    }
    Ok(world.into())
}

/// A world of any physics with its past.
#[derive(Debug)]
pub enum AnyTimeline {
    /// Discs under forces.
    Forces(Box<Timeline<Forces>>),
    /// Smooth discs.
    Smooth(Box<Timeline<Smooth>>),
    /// Discs that turn and rub.
    Rough(Box<Timeline<Rough<Forces>>>),
}

impl AnyTimeline {
    pub(super) fn new(world: AnyWorld) -> Self {
        each!(world, AnyWorld -> AnyTimeline, world => Box::new(Timeline::new(*world)))
    }

    /// The world at the present time.
    #[must_use]
    pub fn world(&self) -> WorldRef<'_> {
        each!(self, AnyTimeline -> WorldRef, timeline => timeline.world())
    }

    /// The earliest time to which it can go back.
    #[must_use]
    pub fn start(&self) -> Time {
        each!(self, AnyTimeline, timeline => timeline.start())
    }

    /// The latest time at which it has been since the last edit.
    #[must_use]
    pub fn end(&self) -> Time {
        each!(self, AnyTimeline, timeline => timeline.end())
    }

    /// The number of the last event.
    #[must_use]
    pub fn event(&self) -> u64 {
        each!(self, AnyTimeline, timeline => timeline.event())
    }

    /// The number of the last event that it has been at.
    #[must_use]
    pub fn last_event(&self) -> u64 {
        each!(self, AnyTimeline, timeline => timeline.last_event())
    }

    pub(super) fn next_event(&mut self) -> Option<Upcoming> {
        each!(self, AnyTimeline, timeline => timeline.next_event())
    }

    pub(super) fn step(&mut self) -> Advance {
        each!(self, AnyTimeline, timeline => timeline.step())
    }

    pub(super) fn step_back(&mut self) -> Advance {
        each!(self, AnyTimeline, timeline => timeline.step_back())
    }

    pub(super) fn go_to(&mut self, time: impl Into<Moment>) -> Result<Advance, Error> {
        each!(self, AnyTimeline, timeline => timeline.go_to(time))
    }

    pub(super) fn go_to_event(&mut self, number: u64) -> Result<Advance, Error> {
        each!(self, AnyTimeline, timeline => timeline.go_to_event(number))
    }

    pub(super) fn edit<R>(
        &mut self,
        edit: impl FnOnce(WorldMut<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        match self {
            AnyTimeline::Forces(timeline) => timeline.edit(|world| edit(WorldMut::Forces(world))),
            AnyTimeline::Smooth(timeline) => timeline.edit(|world| edit(WorldMut::Smooth(world))),
            AnyTimeline::Rough(timeline) => timeline.edit(|world| edit(WorldMut::Rough(world))),
        }
    }

    /// Puts a copy of an earlier world in place of the present one, if it has the same physics.
    pub(super) fn overwrite(&mut self, world: &AnyWorld) {
        // Nothing can be refused.
        _ = self.edit(|now| {
            match (now, world) {
                (WorldMut::Forces(now), AnyWorld::Forces(earlier)) => now.clone_from(earlier),
                (WorldMut::Smooth(now), AnyWorld::Smooth(earlier)) => now.clone_from(earlier),
                (WorldMut::Rough(now), AnyWorld::Rough(earlier)) => now.clone_from(earlier),
                _ => {}
            }
            Ok(())
        });
    }

    /// Calls `note` with each event of the last step.
    pub(super) fn each_event(&self, note: impl FnMut(SeenEvent)) {
        each!(self, AnyTimeline, timeline => note_events(timeline.world(), note));
    }
}

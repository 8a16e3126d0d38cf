//! Worlds of either physics: with forces, or smooth, where there may be drag, growth and periods.

use super::seen::{SeenDisc, SeenEvent};
use carom_engine::math::Periods;
use carom_engine::{
    Advance, Counters, DVec2, Disc, DiscForces, DiscId, Error, Forces, Moment, Moved, Overlap, Physics,
    Settings, Smooth, Time, Upcoming, Wall, WallId, WallShape, World,
};
use carom_timeline::Timeline;
use std::borrow::Cow;

/// The same for worlds of each physics.
macro_rules! each {
    ($of:expr, $kind:ident, $it:ident => $does:expr) => {
        match $of {
            $kind::Forces($it) => $does,
            $kind::Smooth($it) => $does,
        }
    };
}
pub(super) use each;

/// A physics that the discs of a session may have.
pub(super) trait Kind: Physics<Extra = (), Surface = ()> {
    /// What forces know of a disc.
    fn forces(body: Self::Body) -> DiscForces;
    /// What this physics knows of a disc.
    fn body(forces: DiscForces) -> Self::Body;
    /// A world as one of either.
    fn any(world: World<Self>) -> AnyWorld;
}

impl Kind for Forces {
    fn forces(body: DiscForces) -> DiscForces {
        body
    }

    fn body(forces: DiscForces) -> DiscForces {
        forces
    }

    fn any(world: World<Self>) -> AnyWorld {
        AnyWorld::Forces(world)
    }
}

impl Kind for Smooth {
    fn forces((): ()) -> DiscForces {
        DiscForces::default()
    }

    fn body(_: DiscForces) {}

    fn any(world: World<Self>) -> AnyWorld {
        AnyWorld::Smooth(world)
    }
}

/// A world of either physics.
#[derive(Clone, Debug)]
pub(super) enum AnyWorld {
    Forces(World<Forces>),
    Smooth(World<Smooth>),
}

impl AnyWorld {
    pub(super) fn bytes(&self) -> usize {
        each!(self, AnyWorld, world => world.bytes())
    }

    pub(super) fn read(&self) -> WorldRef<'_> {
        match self {
            AnyWorld::Forces(world) => WorldRef::Forces(world),
            AnyWorld::Smooth(world) => WorldRef::Smooth(world),
        }
    }

    /// Where discs that overlap are pushed, if there is room for them.
    pub(super) fn pushed_apart(&mut self) -> Vec<Moved> {
        each!(self, AnyWorld, world => world.push_apart()).unwrap_or_default()
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

/// A world of either physics, to be read.
#[derive(Clone, Copy, Debug)]
pub enum WorldRef<'a> {
    /// Discs under forces.
    Forces(&'a World<Forces>),
    /// Smooth discs in uniform motion, or under drag.
    Smooth(&'a World<Smooth>),
}

impl<'a> WorldRef<'a> {
    pub(super) fn cloned(self) -> AnyWorld {
        match self {
            WorldRef::Forces(world) => AnyWorld::Forces(world.clone()),
            WorldRef::Smooth(world) => AnyWorld::Smooth(world.clone()),
        }
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
    pub fn walls(self) -> impl Iterator<Item = (WallId, &'a Wall)> + 'a {
        let of: Box<dyn Iterator<Item = (WallId, &'a Wall)>> =
            each!(self, WorldRef, world => Box::new(world.walls()));
        of
    }

    /// A wall as it lies now.
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

fn seen<P: Kind>(world: &World<P>, disc: DiscId) -> Option<SeenDisc> {
    let disc = world.get(disc)?;
    Some(SeenDisc {
        id: disc.id(),
        disc: given::<P, Forces>(disc.to_disc()),
        acceleration: disc.acceleration(),
        unwrapped: disc.unwrapped_position(),
        state_time: disc.state_time(),
    })
}

/// A disc of one physics as one of another one.
fn given<P: Kind, Q: Kind>(disc: Disc<P::Body>) -> Disc<Q::Body> {
    let body = Q::body(P::forces(disc.body));
    let mut other = Disc::new(disc.position, disc.radius)
        .with_velocity(disc.velocity)
        .with_mass(disc.mass)
        .with_restitution(disc.restitution)
        .with_user_data(disc.user_data)
        .with_rules(disc.rules)
        .with_body(body);
    other.overlap = disc.overlap;
    other
}

/// A world of either physics, to be edited.
#[derive(Debug)]
pub(super) enum WorldMut<'a> {
    Forces(&'a mut World<Forces>),
    Smooth(&'a mut World<Smooth>),
}

impl WorldMut<'_> {
    pub(super) fn read(&self) -> WorldRef<'_> {
        match self {
            WorldMut::Forces(world) => WorldRef::Forces(world),
            WorldMut::Smooth(world) => WorldRef::Smooth(world),
        }
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

    pub(super) fn insert(&mut self, disc: Disc<DiscForces>) -> Result<DiscId, Error> {
        match self {
            WorldMut::Forces(world) => world.insert(disc),
            WorldMut::Smooth(world) => world.insert(given::<Forces, Smooth>(disc)),
        }
    }

    pub(super) fn remove(&mut self, disc: DiscId) -> Result<(), Error> {
        each!(self, WorldMut, world => world.remove(disc).map(|_| ()))
    }

    pub(super) fn add_wall(&mut self, wall: Wall) -> Result<WallId, Error> {
        each!(self, WorldMut, world => world.add_wall(wall))
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
) -> Result<AnyWorld, Error> {
    let settings = settings.with_start(from.now().as_secs());
    let mut world = World::with_physics(physics, settings)?;
    for (id, wall) in from.walls() {
        let shape = from.wall_shape(id).map_or_else(|| wall.shape.clone(), Cow::into_owned);
        let mut wall = wall.clone();
        wall.shape = shape;
        world.add_wall(wall)?;
    }
    for disc in from.discs() {
        let disc = given::<Forces, P>(disc.to_disc());
        // What touches overlaps by rounding.
        let id = world.insert(disc.with_overlap())?;
        world.set_overlap(id, disc.overlap)?;
    }
    Ok(P::any(world))
}

/// A world of either physics with its past.
#[derive(Debug)]
pub enum AnyTimeline {
    /// Discs under forces.
    Forces(Timeline<Forces>),
    /// Smooth discs.
    Smooth(Timeline<Smooth>),
}

impl AnyTimeline {
    pub(super) fn new(world: AnyWorld) -> Self {
        match world {
            AnyWorld::Forces(world) => AnyTimeline::Forces(Timeline::new(world)),
            AnyWorld::Smooth(world) => AnyTimeline::Smooth(Timeline::new(world)),
        }
    }

    /// The world at the present time.
    #[must_use]
    pub fn world(&self) -> WorldRef<'_> {
        match self {
            AnyTimeline::Forces(timeline) => WorldRef::Forces(timeline.world()),
            AnyTimeline::Smooth(timeline) => WorldRef::Smooth(timeline.world()),
        }
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
        }
    }

    /// Puts a copy of an earlier world in place of the present one, if it has the same physics.
    pub(super) fn overwrite(&mut self, world: &AnyWorld) {
        // Nothing can be refused.
        let _: Result<(), Error> = match (self, world) {
            (AnyTimeline::Forces(timeline), AnyWorld::Forces(earlier)) => timeline.edit(|world| {
                world.clone_from(earlier);
                Ok(())
            }),
            (AnyTimeline::Smooth(timeline), AnyWorld::Smooth(earlier)) => timeline.edit(|world| {
                world.clone_from(earlier);
                Ok(())
            }),
            _ => Ok(()),
        };
    }

    /// Calls `note` with each event of the last step.
    pub(super) fn each_event(&self, mut note: impl FnMut(SeenEvent)) {
        match self {
            AnyTimeline::Forces(timeline) => {
                timeline.world().events().iter().for_each(|&event| note(SeenEvent::Forces(event)));
            }
            AnyTimeline::Smooth(timeline) => {
                timeline.world().events().iter().for_each(|&event| note(SeenEvent::Smooth(event)));
            }
        }
    }
}

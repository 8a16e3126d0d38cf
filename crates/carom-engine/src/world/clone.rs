use crate::solver::group::Group;
use crate::{Physics, World};
use carom_broadphase::Scheduler;
use smallvec::SmallVec;

/// A clone goes on with the same bits. Cost: that of copying the discs and the schedule; walls are shared
/// until either world edits them. `clone_from` keeps the memory of the world that it overwrites, and
/// allocates nothing where that has as much of it as is needed: for worlds that are tried out and thrown
/// away.
///
/// ```
/// # use carom_engine as carom;
/// use carom::{Disc, World};
///
/// let mut world = World::new();
/// let cue = world.insert(Disc::new([0.0, 0.0], 0.5))?;
/// world.insert(Disc::new([5.0, 1.0], 0.5))?;
/// let mut trial = world.clone();
/// let mut hits = 0;
/// for turn in 1..=16 {
///     trial.clone_from(&world);
///     trial.set_velocity(cue, [4.0, 0.1 * f64::from(turn)])?;
///     hits += trial.advance(2.0)?.events;
/// }
/// assert_eq!(hits, 16);
/// # Ok::<(), carom::Error>(())
/// ```
impl<P: Physics, S: Scheduler> Clone for World<P, S> {
    fn clone(&self) -> Self {
        let World {
            physics,
            settings,
            clock,
            now,
            bodies,
            walls,
            scheduler,
            dirty,
            impacts,
            counters,
            chains,
            events,
            positions_now,
            simd,
            group: _,
            before: _,
            after: _,
        } = self;
        World {
            physics: physics.clone(),
            settings: settings.clone(),
            clock: *clock,
            now: *now,
            bodies: bodies.clone(),
            walls: walls.clone(),
            scheduler: scheduler.clone(),
            dirty: dirty.clone(),
            impacts: *impacts,
            counters: *counters,
            chains: chains.clone(),
            events: events.clone(),
            positions_now: positions_now.clone(),
            simd: *simd,
            group: Group::default(),
            before: SmallVec::new(),
            after: SmallVec::new(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        let World {
            physics,
            settings,
            clock,
            now,
            bodies,
            walls,
            scheduler,
            dirty,
            impacts,
            counters,
            chains,
            events,
            positions_now,
            simd,
            group: _,
            before: _,
            after: _,
        } = source;
        self.physics.clone_from(physics);
        self.settings.clone_from(settings);
        self.clock = *clock;
        self.now = *now;
        self.bodies.clone_from(bodies);
        self.walls.clone_from(walls);
        self.scheduler.clone_from(scheduler);
        self.dirty.clone_from(dirty);
        self.impacts = *impacts;
        self.counters = *counters;
        self.chains.clone_from(chains);
        self.events.clone_from(events);
        self.positions_now.clone_from(positions_now);
        self.simd = *simd;
    }
}

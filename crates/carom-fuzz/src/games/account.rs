use super::{GameEvent, Physics, dice};
use carom_engine::{DiscId, Event, RegionId, Time, TimerId, World};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The state of a world as its calls and events say that it is.
#[derive(Default)]
pub(super) struct Account {
    discs: HashSet<DiscId>,
    inside: HashSet<(RegionId, DiscId)>,
    /// Timers with a note of the caller's, by that.
    timers: BTreeMap<u64, (TimerId, Time)>,
    /// Timers with commands: what becomes of these is seen by their effects alone.
    commands: HashSet<TimerId>,
    notes: u64,
}

impl Account {
    pub(super) fn insert(&mut self, id: Option<DiscId>) {
        assert!(id.is_none_or(|id| self.discs.insert(id)), "{id:?} is there twice");
    }

    pub(super) fn remove(&mut self, id: DiscId) {
        assert!(self.discs.remove(&id), "{id:?} is not there");
    }

    /// A note that no timer has had.
    pub(super) fn next_note(&mut self) -> u64 {
        self.notes += 1;
        self.notes
    }

    pub(super) fn set_timer(&mut self, timer: TimerId, note: u64, time: Time) {
        self.timers.insert(note, (timer, time));
    }

    pub(super) fn set_command(&mut self, timer: TimerId) {
        self.commands.insert(timer);
    }

    /// Notes that a timer is cancelled, which it can be if the world says so.
    pub(super) fn cancel(&mut self, timer: TimerId, was_set: bool) {
        let before = self.timers.len();
        self.timers.retain(|_, (id, _)| *id != timer);
        let is_known = self.timers.len() < before;
        assert!(was_set == is_known || self.commands.contains(&timer), "{timer:?}: {was_set}, {is_known}");
    }

    pub(super) fn note(&mut self, event: &GameEvent) {
        match event {
            Event::Inserted { disc, .. } => self.insert(Some(*disc)),
            Event::Removed(departure) => self.remove(departure.disc),
            Event::Entered(crossing) => {
                assert!(self.inside.insert((crossing.region, crossing.disc)), "{event:?} twice");
            }
            Event::Left(crossing) => {
                assert!(self.inside.remove(&(crossing.region, crossing.disc)), "{event:?}: it was not there");
            }
            Event::Timer { note: dice::NOTE, .. } => {}
            Event::Timer { time, timer, note } => {
                assert_eq!(self.timers.remove(note), Some((*timer, *time)), "{event:?}");
            }
            _ => {}
        }
    }

    /// Fails unless the world, at the end of a call that has reached its time, is as its events say.
    pub(super) fn assert_agrees(&self, world: &World<Physics>) {
        let discs: HashSet<DiscId> = world.ids().collect();
        assert_eq!(discs, self.discs, "discs that are there, and as events say");
        let mut inside = HashSet::new();
        for (id, _) in world.regions() {
            inside.extend(world.inside(id).into_iter().flatten().map(|disc| (id, disc)));
        }
        assert_eq!(inside, self.inside, "who is inside, and as events say");
        let due = self.timers.values().find(|(_, time)| *time <= world.now());
        assert!(due.is_none(), "{due:?} is over, at {:?}", world.now());
        let set: BTreeSet<TimerId> = world.timers().map(|(timer, _)| timer).collect();
        assert!(self.timers.values().all(|(timer, _)| set.contains(timer)), "a timer is lost");
        assert!(world.timers().all(|(_, time)| time > world.now()), "a timer is overdue");
    }
}

use crate::rescan;
use carom_engine::{Advance, Event, Physics, SchedulerKind, Settings, StopReason, Time, World};

/// What schedules a world of a test. The events are the same, bit by bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Table,
    Grid,
    /// The table, with each event that is next compared with what the [rescan] finds.
    Rescan,
}

impl By {
    pub fn kind(self) -> SchedulerKind {
        if self == By::Grid { SchedulerKind::Grid } else { SchedulerKind::Table }
    }

    /// The settings with this scheduler.
    pub fn settings(self, settings: Settings) -> Settings {
        settings.with_scheduler(self.kind())
    }

    /// An empty world of smooth discs.
    pub fn world(self, settings: Settings) -> World {
        World::with_settings(self.settings(settings)).unwrap()
    }

    /// As [`By::advance_to`], for some seconds.
    ///
    /// # Panics
    /// As [`By::advance_to`].
    pub fn advance<P: Physics>(self, world: &mut World<P>, dt: f64) -> (Advance, Vec<Event<P::Change>>) {
        let until = world.clock().after(world.now(), dt);
        self.advance_to(world, until)
    }

    /// Advances, and returns the events of the call; by the rescan event by event.
    ///
    /// # Panics
    /// If the time is refused, or the rescan finds another event.
    pub fn advance_to<P: Physics>(
        self,
        world: &mut World<P>,
        until: Time,
    ) -> (Advance, Vec<Event<P::Change>>) {
        let mut events = Vec::new();
        let (mut count, budget) = (0, world.settings().budget);
        while self == By::Rescan && count < budget {
            rescan::check(world);
            // A step goes on from where something stops, which a call to that time leaves waiting.
            if world.next_event().is_none_or(|next| next.time >= until) {
                break;
            }
            let mut step = world.step_event();
            count += step.events;
            events.extend_from_slice(world.events());
            if !matches!(step.end, StopReason::Reached | StopReason::OutOfBudget) {
                step.events = count;
                return (step, events);
            }
        }
        if count > 0 {
            world.set_budget(budget - count);
        }
        let mut rest = world.advance_to(until).unwrap();
        if count > 0 {
            world.set_budget(budget);
        }
        events.extend_from_slice(world.events());
        rest.events += count;
        (rest, events)
    }
}

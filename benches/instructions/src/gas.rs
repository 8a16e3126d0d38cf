//! Elastic unit discs in a square, from a square lattice.

use crate::random::Random;
use carom_engine::{DVec2, Disc, Event, Region, SchedulerKind, Settings, Wall, World};
use cpu_time::ProcessTime;
use std::hint::black_box;

/// What the events go through.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Way {
    /// The fast loop, without a record of events.
    Fast,
    /// The fast loop, with an observer that takes each event.
    Observed,
    /// The general loop, with an observer: a region that no disc reaches takes the world out of the fast one.
    General,
}

/// A gas with some impacts behind it.
pub(crate) struct Gas {
    pub(crate) world: World,
    pub(crate) side: f64,
}

impl Gas {
    /// With walls.
    pub(crate) fn boxed(discs: u32) -> Self {
        let scheduler = if discs > 200 { SchedulerKind::Grid } else { SchedulerKind::Table };
        Gas::warm(discs, 0.3, false, scheduler)
    }

    pub(crate) fn periodic(discs: u64) -> Self {
        let discs = discs.try_into().expect("a world has fewer than 2^32 discs");
        Gas::warm(discs, 0.5, true, SchedulerKind::Grid)
    }

    fn warm(discs: u32, packing: f64, is_periodic: bool, scheduler: SchedulerKind) -> Self {
        let side = (f64::from(discs) * std::f64::consts::PI / packing).sqrt();
        let across = f64::from(discs).sqrt().ceil() as u32;
        let period = is_periodic.then_some(side);
        let settings =
            Settings::default().with_record_events(false).with_period([period; 2]).with_scheduler(scheduler);
        let mut world = World::with_settings(settings).expect("the period is in range");
        if !is_periodic {
            world.add_wall(Wall::container([0.0, 0.0], [side, side])).expect("it is a box");
        }
        let (mut random, pitch) = (Random(1), side / f64::from(across));
        for k in 0..discs {
            let place = DVec2::new(f64::from(k % across) + 0.5, f64::from(k / across) + 0.5) * pitch;
            let disc = Disc::new(place + random.vector(0.01), 1.0).with_velocity(random.vector(2.0));
            world.insert(disc).expect("there is room");
        }
        let mut gas = Gas { world, side };
        gas.run(Way::Fast, 2000 + 10 * u64::from(discs));
        gas
    }

    pub(crate) fn run(&mut self, way: Way, events: u64) {
        let world = &mut self.world;
        world.set_budget(events);
        if way == Way::General {
            world.add_region(Region::disc([-100.0, -100.0], 1.0)).expect("it is a region");
        }
        let advance = if way == Way::Fast {
            world.advance(1e9)
        } else {
            world.advance_with(1e9, &mut |event: &Event| {
                black_box(event);
            })
        };
        assert_eq!(advance.expect("the time is in range").events, events);
    }

    /// This many events per CPU second.
    pub(crate) fn rate(&mut self, events: u64) -> f64 {
        let start = ProcessTime::now();
        self.run(Way::Fast, events);
        events as f64 / start.elapsed().as_secs_f64()
    }

    /// Overwrites a world with this one, this many times.
    pub(crate) fn clones(&self, times: u64) {
        let mut other = self.world.clone();
        for _ in 0..times {
            other.clone_from(black_box(&self.world));
        }
        black_box(other);
    }
}

//! Rates, and what was done for them.

use crate::support::cpu_time::CpuTime;
use crate::support::crowd::Crowd;
use crate::support::gas;
use carom::{Counters, SchedulerKind, World};
use std::error::Error;

/// How often it is measured. Odd, so that one of them is the median.
const STRETCHES: usize = 7;

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// CPU seconds, all stretches together.
    pub(crate) seconds: f64,
    /// Collisions per disc before that; `None` for what the size allows.
    pub(crate) warm_up: Option<f64>,
}

/// What was found for one world.
pub(crate) struct Measured {
    pub(crate) crowd: Crowd,
    /// Collisions per CPU second: the median of the stretches, and the best.
    pub(crate) median: f64,
    pub(crate) best: f64,
    pub(crate) bytes_per_disc: f64,
    pub(crate) work: Work,
}

/// Per collision.
pub(crate) struct Work {
    pub(crate) pair_times: f64,
    pub(crate) plans: f64,
    pub(crate) plans_again: f64,
    pub(crate) circles: f64,
    pub(crate) queue_operations: f64,
}

impl Crowd {
    /// Sets it up, lets it melt, and measures.
    pub(crate) fn measure(self, effort: Effort) -> Result<Measured, Box<dyn Error>> {
        let mut world = self.world(SchedulerKind::Fastest)?;
        let warm_up = effort.warm_up.unwrap_or(match self.discs {
            ..=10_000 => 100.0,
            10_001..=100_000 => 30.0,
            _ => 10.0,
        });
        let speed = melt(&mut world, warm_up);
        let before = world.counters();
        let mut rates = rates(&mut world, speed, effort.seconds, |world| world.counters().disc_impacts);
        let work = Work::between(&before, &world.counters());
        rates.sort_by(f64::total_cmp);
        Ok(Measured {
            crowd: self,
            median: rates[STRETCHES / 2],
            best: rates[STRETCHES - 1],
            bytes_per_disc: world.bytes() as f64 / world.len() as f64,
            work,
        })
    }
}

/// Lets this many collisions per disc happen; events per CPU second of the last tenth.
pub(crate) fn melt(world: &mut World, per_disc: f64) -> f64 {
    let tenth = ((world.len() as f64 * per_disc) as u64).div_ceil(10);
    gas::run(world, 9 * tenth);
    let took = CpuTime::of(|| gas::run(world, tenth));
    tenth as f64 / took.as_secs_f64().max(1e-9)
}

/// What `counted` grew by per CPU second, in each of the stretches.
pub(crate) fn rates(
    world: &mut World,
    events_per_second: f64,
    seconds: f64,
    counted: impl Fn(&World) -> u64,
) -> [f64; STRETCHES] {
    let events = ((events_per_second * seconds) as u64 / STRETCHES as u64).max(1);
    std::array::from_fn(|_| {
        let before = counted(world);
        let took = CpuTime::of(|| gas::run(world, events));
        (counted(world) - before) as f64 / took.as_secs_f64().max(1e-9)
    })
}

impl Work {
    fn between(before: &Counters, after: &Counters) -> Self {
        let collisions = (after.disc_impacts - before.disc_impacts).max(1) as f64;
        let of = |count: fn(&Counters) -> u64| (count(after) - count(before)) as f64 / collisions;
        Work {
            pair_times: of(|counters| counters.pair_times),
            plans: of(|counters| counters.solo_times),
            plans_again: of(|counters| counters.roots),
            circles: of(|counters| counters.row_searches),
            queue_operations: of(|counters| counters.queue_operations),
        }
    }
}

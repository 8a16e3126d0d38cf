//! CPU time of this process instead of wall time: other programs on a shared machine do not count.

use cpu_time::ProcessTime;
use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use std::time::Duration;

/// Measures CPU time; formatted as criterion formats wall time.
pub(crate) struct CpuTime;

impl CpuTime {
    /// How long something takes.
    pub(crate) fn of(run: impl FnOnce()) -> Duration {
        let start = ProcessTime::now();
        run();
        start.elapsed()
    }
}

impl Measurement for CpuTime {
    type Intermediate = ProcessTime;
    type Value = Duration;

    fn start(&self) -> ProcessTime {
        ProcessTime::now()
    }

    fn end(&self, start: ProcessTime) -> Duration {
        start.elapsed()
    }

    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}

//! What came of a shot of billiards.

use carom_billiards::Tip;
use carom_engine::StopReason;
use pyo3::prelude::*;

/// What came of a shot.
#[pyclass(frozen, module = "carom.billiards")]
pub(crate) struct Outcome(carom_billiards::Outcome);

impl Outcome {
    pub(crate) fn new(outcome: carom_billiards::Outcome) -> Outcome {
        Outcome(outcome)
    }

    /// As rule books judge it.
    pub(crate) fn told(&self) -> &carom_billiards::Outcome {
        &self.0
    }
}

#[pymethods]
impl Outcome {
    /// A stroke after which nothing has happened, for tests of rules; the others add to it.
    #[staticmethod]
    fn of(ball: &str) -> Outcome {
        Outcome(carom_billiards::Outcome::of(ball))
    }

    fn with_hit(&self, ball: &str, time: f64) -> Outcome {
        Outcome(self.0.clone().with_hit(ball, time))
    }

    #[pyo3(signature = (ball, cushion, time, *, frozen = false))]
    fn with_cushion(&self, ball: &str, cushion: usize, time: f64, frozen: bool) -> Outcome {
        let mut outcome = self.0.clone().with_cushion(ball, cushion, time);
        outcome.cushions.iter_mut().next_back().into_iter().for_each(|hit| hit.frozen = frozen);
        Outcome(outcome)
    }

    fn with_potted(&self, ball: &str, pocket: usize, time: f64) -> Outcome {
        Outcome(self.0.clone().with_potted(ball, pocket, time))
    }

    fn with_call(&self) -> Outcome {
        Outcome(self.0.clone().with_call())
    }

    #[getter]
    fn ball(&self) -> &str {
        &self.0.ball
    }

    /// Label, pocket and time.
    #[getter]
    fn potted(&self) -> Vec<(String, usize, f64)> {
        self.0.potted.iter().map(|ball| (ball.ball.clone(), ball.pocket, ball.time)).collect()
    }

    #[getter]
    fn first_hit(&self) -> Option<&str> {
        self.0.first_hit.as_deref()
    }

    /// The labels of two, and the time.
    #[getter]
    fn hits(&self) -> Vec<(String, String, f64)> {
        let told = |hit: &carom_billiards::BallHit| {
            let [a, b] = hit.balls.clone();
            (a, b, hit.time)
        };
        self.0.hits.iter().map(told).collect()
    }

    /// Label, cushion and time.
    #[getter]
    fn cushions(&self) -> Vec<(String, usize, f64)> {
        self.0.cushions.iter().map(|hit| (hit.ball.clone(), hit.cushion, hit.time)).collect()
    }

    /// The balls that the struck one touched before.
    #[getter]
    fn touching(&self) -> Vec<String> {
        self.0.touching.clone()
    }

    /// How often the tip met the ball.
    #[getter]
    fn tip(&self) -> &'static str {
        match self.0.tip {
            Tip::Once => "once",
            Tip::StaysOn => "stays_on",
            Tip::Again => "again",
        }
    }

    /// Whether a referee has called a foul.
    #[getter]
    fn is_called(&self) -> bool {
        self.0.is_called
    }

    #[getter]
    fn duration(&self) -> f64 {
        self.0.duration
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.0.end == StopReason::Reached
    }

    #[getter]
    fn events(&self) -> u64 {
        self.0.events
    }

    #[getter]
    fn impacts(&self) -> u64 {
        self.0.impacts
    }
}

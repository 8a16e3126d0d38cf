use crate::error::check;
use crate::{Error, StopReason};

/// How far a [`Forecast`](crate::Forecast) of a path goes, and what the other discs do meanwhile.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ForecastOptions {
    /// For how many seconds from the present. If that is infinite, until nothing happens any more.
    pub max_time: f64,
    /// After how many impacts of the disc it ends, with the last of them; 0 or more. An impact of a group
    /// is one. No number by default.
    pub max_impacts: Option<usize>,
    /// Whether the other discs stand still at their present places, and nothing grows; by default they move.
    ///
    /// They stand as discs of infinite mass do: the disc bounces off those that would deflect it, and meets
    /// none of the others (tracers, and if it is of infinite mass itself any). Neither forces nor changes of
    /// their own motion move them, and timers and commands do not come. The disc itself still arrives where
    /// [`World::move_to`](crate::World::move_to) has sent it.
    pub frozen: bool,
}

impl ForecastOptions {
    /// For this many seconds, with the others moving.
    #[must_use]
    pub const fn new(max_time: f64) -> Self {
        ForecastOptions { max_time, max_impacts: None, frozen: false }
    }

    /// Ending with the impact of this number.
    #[must_use]
    pub const fn with_max_impacts(mut self, max_impacts: usize) -> Self {
        self.max_impacts = Some(max_impacts);
        self
    }

    setters! {
        /// Among discs that stand still, if `frozen`.
        const with_frozen(frozen: bool);
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        check::extent("max_time", self.max_time)
    }
}

/// How a forecast ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathEnd {
    /// The time that was asked for has come; or that time is infinite, and nothing happens any more.
    Time,
    /// The disc has had the impacts that were asked for; or the one that was sought has come.
    Impacts,
    /// The disc has been removed.
    Removed,
    /// As a call of `advance` would have ended: with the budget of events used up, for instance.
    Stopped(StopReason),
}

//! The settings of the world that a scene asks for.

use crate::values;
use carom_engine::{Collapse, CombineRule, SchedulerKind, Settings, Simultaneous};
use serde::{Deserialize, Serialize};

/// The settings of the world; what a file does not say has its default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SceneSettings {
    /// The length of an epoch of time in seconds: a power of two. Default 2⁻¹⁰.
    #[serde(with = "values::real")]
    pub epoch: f64,
    /// The time in seconds at which the world starts. Default 0.
    #[serde(with = "values::real")]
    pub start: f64,
    /// How restitutions are combined. Default: the geometric mean.
    pub restitution: CombineRule,
    /// What simultaneous impacts do. Default: together.
    pub simultaneous: Simultaneous,
    /// How many inelastic impacts in a row of one disc, each within `contact_time` of its event before, are
    /// let go before further ones are joined instead, so that a collapse ends; 0 for never. Default 32.
    pub collapse_after: u32,
    /// What counts as soon for `collapse_after`, in seconds. Default 10⁻⁹.
    #[serde(with = "values::real")]
    pub contact_time: f64,
    /// The largest number of events in one call of `advance`, at least 1. Default 10⁷.
    pub budget: u64,
    /// How the next event is found. Default: the fastest.
    #[serde(skip_serializing_if = "is_fastest")]
    pub scheduler: SchedulerKind,
}

impl Default for SceneSettings {
    fn default() -> Self {
        Self {
            epoch: 1.0 / 1024.0,
            start: 0.0,
            restitution: CombineRule::default(),
            simultaneous: Simultaneous::default(),
            collapse_after: 32,
            contact_time: 1e-9,
            budget: 10_000_000,
            scheduler: SchedulerKind::default(),
        }
    }
}

impl SceneSettings {
    /// The settings as the engine takes them.
    pub(crate) fn to_settings(&self) -> Settings {
        Settings {
            epoch: self.epoch,
            start: self.start,
            restitution: self.restitution,
            simultaneous: self.simultaneous,
            collapse: (self.collapse_after > 0)
                .then_some(Collapse { contact_time: self.contact_time, impacts: self.collapse_after }),
            budget: self.budget,
            scheduler: self.scheduler,
            ..Settings::default()
        }
    }

    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_fastest(kind: &SchedulerKind) -> bool {
    *kind == SchedulerKind::Fastest
}

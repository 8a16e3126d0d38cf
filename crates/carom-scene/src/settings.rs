//! The settings of the world that a scene asks for.

use crate::values;
use serde::{Deserialize, Serialize};

/// How the restitutions of two things that meet are combined into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RestitutionRule {
    /// √(e₁e₂): what two halves of a pair contribute alike.
    #[default]
    GeometricMean,
    /// The smaller one.
    Minimum,
    /// The larger one.
    Maximum,
    /// (e₁ + e₂)/2.
    Average,
    /// e₁e₂.
    Product,
}

/// What happens when several impacts share discs at the same instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SimultaneousRule {
    /// They are solved as one: a cradle passes the blow on, a symmetric hit stays symmetric.
    #[default]
    Together,
    /// One pair after another, in the order of events.
    OneByOne,
}

/// How the world finds its next event. It changes how fast a run is, and not the bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SchedulerChoice {
    /// By what is the fastest for so many discs.
    #[default]
    Fastest,
    /// By a table of all pairs, which takes N²/2 entries.
    Table,
    /// By a grid of cells and the neighbours of each disc.
    Grid,
}

impl SchedulerChoice {
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

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
    pub restitution: RestitutionRule,
    /// What simultaneous impacts do. Default: together.
    pub simultaneous: SimultaneousRule,
    /// How many inelastic impacts in a row of one disc, each within `contact_time` of its event before, are let go
    /// before further ones are joined instead, so that a collapse ends; 0 for never. Default 32.
    pub collapse_after: u32,
    /// What counts as soon for `collapse_after`, in seconds. Default 10⁻⁹.
    #[serde(with = "values::real")]
    pub contact_time: f64,
    /// The largest number of events in one call of `advance`, at least 1. Default 10⁷.
    pub budget: u64,
    /// How the next event is found. Default: the fastest.
    #[serde(skip_serializing_if = "SchedulerChoice::is_default")]
    pub scheduler: SchedulerChoice,
}

impl Default for SceneSettings {
    fn default() -> Self {
        Self {
            epoch: 1.0 / 1024.0,
            start: 0.0,
            restitution: RestitutionRule::default(),
            simultaneous: SimultaneousRule::default(),
            collapse_after: 32,
            contact_time: 1e-9,
            budget: 10_000_000,
            scheduler: SchedulerChoice::default(),
        }
    }
}

impl SceneSettings {
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

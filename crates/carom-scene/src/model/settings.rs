//! The settings of the world that a scene asks for.

use crate::values;
use carom_engine::{Collapse, CombineRule, CrushRule, Rest, SchedulerKind, Settings, Simultaneous, Sliding};
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
    /// The rate at which drag slows all discs down, per second: 0, the default, for none, or 10⁻¹² to 10⁹.
    #[serde(with = "values::real", skip_serializing_if = "values::is_default")]
    pub drag: f64,
    /// How fast all radii grow from the start on, per second and in proportion to what they are then: 0, the
    /// default, for not at all, to 10¹⁵. What is constant is the growth in lengths.
    #[serde(with = "values::real", skip_serializing_if = "values::is_default")]
    pub growth_rate: f64,
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
    /// What happens where unstoppable bodies close in on something that has no room. Default: they give way.
    #[serde(skip_serializing_if = "is_usual")]
    pub crush: CrushRule,
    /// The largest grazing angle, in radians, at which a disc slides along the inside of a curved wall, where
    /// the restitution is below 1; 0 for never. Default 2⁻¹¹.
    #[serde(with = "values::real", skip_serializing_if = "is_usual_angle")]
    pub sliding_angle: f64,
    /// The same where the restitution is 1. Default 2⁻²⁰.
    #[serde(with = "values::real", skip_serializing_if = "is_usual_elastic_angle")]
    pub elastic_sliding_angle: f64,
    /// Whether contacts come to rest in scenes with forces. Default: they do.
    #[serde(skip_serializing_if = "is_true")]
    pub rest: bool,
    /// The height, as a fraction of the size, from which a contact comes to rest beside other slow ones.
    /// Default 10⁻⁴.
    #[serde(with = "values::real", skip_serializing_if = "is_usual_height")]
    pub rest_height: f64,
    /// The largest gap of a held contact, as a fraction of the size. Default 10⁻⁶.
    #[serde(with = "values::real", skip_serializing_if = "is_usual_gap")]
    pub rest_gap: f64,
    /// How many impacts of a disc double that height for it, until it rises well above it again; 0 for never.
    /// Default 32.
    #[serde(skip_serializing_if = "is_usual_number")]
    pub rest_impacts: u32,
    /// The largest number of events in one call of `advance`, at least 1. Default 10⁷.
    pub budget: u64,
    /// How the next event is found. Default: the fastest.
    #[serde(skip_serializing_if = "is_fastest")]
    pub scheduler: SchedulerKind,
}

impl Default for SceneSettings {
    fn default() -> Self {
        let settings = Settings::default();
        let (collapse, sliding, rest) = (Collapse::default(), Sliding::default(), Rest::default());
        Self {
            epoch: settings.epoch,
            start: settings.start,
            drag: settings.drag,
            growth_rate: 0.0,
            restitution: settings.restitution,
            simultaneous: settings.simultaneous,
            collapse_after: collapse.impacts,
            contact_time: collapse.contact_time,
            crush: settings.crush,
            sliding_angle: sliding.angle,
            elastic_sliding_angle: sliding.elastic_angle,
            rest: true,
            rest_height: rest.height,
            rest_gap: rest.gap,
            rest_impacts: rest.impacts,
            budget: settings.budget,
            scheduler: settings.scheduler,
        }
    }
}

impl SceneSettings {
    /// The settings as the engine takes them.
    pub(crate) fn to_settings(&self) -> Settings {
        let collapse = Collapse::new(self.contact_time, self.collapse_after);
        let rest = Rest::new(self.rest_height).with_gap(self.rest_gap).with_impacts(self.rest_impacts);
        Settings::default()
            .with_epoch(self.epoch)
            .with_start(self.start)
            .with_drag(self.drag)
            .with_restitution(self.restitution)
            .with_simultaneous(self.simultaneous)
            .with_collapse((self.collapse_after > 0).then_some(collapse))
            .with_crush(self.crush)
            .with_sliding(Some(Sliding::new(self.sliding_angle, self.elastic_sliding_angle)))
            .with_rest(self.rest.then_some(rest))
            .with_budget(self.budget)
            .with_scheduler(self.scheduler)
    }

    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_fastest(kind: &SchedulerKind) -> bool {
    *kind == SchedulerKind::Fastest
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_usual(crush: &CrushRule) -> bool {
    *crush == CrushRule::default()
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_usual_angle(angle: &f64) -> bool {
    *angle == Sliding::default().angle
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_usual_elastic_angle(angle: &f64) -> bool {
    *angle == Sliding::default().elastic_angle
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_true(on: &bool) -> bool {
    *on
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_usual_height(height: &f64) -> bool {
    *height == Rest::default().height
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_usual_gap(gap: &f64) -> bool {
    *gap == Rest::default().gap
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_usual_number(impacts: &u32) -> bool {
    *impacts == Rest::default().impacts
}

//! What holds for a whole world, from keywords.

use crate::body::{RoughGiven, roughness};
use crate::errors::{self, OrRaise, Value};
use crate::judge::{Callback, GameRules};
use crate::room::{Held, Room};
use crate::table;
use crate::vector::Vector;
use crate::words::of_word;
use carom_engine::{
    Collapse, CombineRule, CrushRule, DVec2, Forces, Judged, Rest, Rough, Roughness, SchedulerKind, Settings,
    Simultaneous, Sliding, Smooth, World,
};
use carom_scene::verdicts::Rulebook;
use pyo3::prelude::*;

const RESTITUTIONS: &[(&str, CombineRule)] = &[
    ("geometric_mean", CombineRule::GeometricMean),
    ("minimum", CombineRule::Minimum),
    ("maximum", CombineRule::Maximum),
    ("average", CombineRule::Average),
    ("product", CombineRule::Product),
];
const SIMULTANEOUS: &[(&str, Simultaneous)] =
    &[("together", Simultaneous::Together), ("one_by_one", Simultaneous::OneByOne)];
const CRUSH: &[(&str, CrushRule)] = &[("give_way", CrushRule::GiveWay), ("stop", CrushRule::Stop)];
const SCHEDULERS: &[(&str, SchedulerKind)] =
    &[("fastest", SchedulerKind::Fastest), ("table", SchedulerKind::Table), ("grid", SchedulerKind::Grid)];

/// Which physics a world has, and with what.
pub(crate) struct Chosen<'py> {
    pub(crate) gravity: Option<Vector>,
    pub(crate) weight: f64,
    pub(crate) forces: Option<bool>,
    pub(crate) rough: Option<RoughGiven>,
    pub(crate) rolling_resistance: f64,
    pub(crate) verdicts: Option<Bound<'py, PyAny>>,
    pub(crate) judge: Option<Py<PyAny>>,
}

/// The settings that are words.
pub(crate) struct Words<'a> {
    pub(crate) restitution: &'a str,
    pub(crate) simultaneous: &'a str,
    pub(crate) crush: &'a str,
    pub(crate) scheduler: &'a str,
}

impl Words<'_> {
    pub(crate) fn set(&self, settings: &mut Settings) -> PyResult<()> {
        settings.restitution = of_word("restitution", self.restitution, RESTITUTIONS)?;
        settings.simultaneous = of_word("simultaneous", self.simultaneous, SIMULTANEOUS)?;
        settings.crush = of_word("crush", self.crush, CRUSH)?;
        settings.scheduler = of_word("scheduler", self.scheduler, SCHEDULERS)?;
        Ok(())
    }
}

/// The rule against inelastic collapse: contact time and impacts.
pub(crate) fn collapse(given: Option<(f64, u32)>) -> Option<Collapse> {
    given.map(|(contact_time, impacts)| Collapse::new(contact_time, impacts))
}

/// What slides along the inside of curves: two angles.
pub(crate) fn sliding(given: Option<(f64, f64)>) -> Option<Sliding> {
    given.map(|(angle, elastic_angle)| Sliding::new(angle, elastic_angle))
}

/// What comes to rest: height, gap and impacts.
pub(crate) fn rest(given: Option<(f64, f64, u32)>) -> Option<Rest> {
    given.map(|(height, gap, impacts)| Rest::new(height).with_gap(gap).with_impacts(impacts))
}

impl Chosen<'_> {
    /// The name of the first option that needs forces, if one does.
    fn needs_forces(&self) -> Option<&'static str> {
        let needs = [
            ("gravity", self.gravity.is_some()),
            ("weight", self.weight != 0.0),
            ("rough", self.rough.is_some()),
            ("verdicts", self.verdicts.is_some()),
            ("judge", self.judge.is_some()),
        ];
        needs.iter().find(|(_, is_given)| *is_given).map(|(name, _)| *name)
    }

    /// An empty world.
    pub(crate) fn room(self, settings: Settings) -> PyResult<Room> {
        let rough = roughness(self.rough, self.rolling_resistance).or_raise()?;
        let needed = self.needs_forces();
        if let (Some(false), Some(name)) = (self.forces, needed) {
            return Err(errors::value("forces", Value::Number(0.0), &format!("True, beside `{name}`")));
        }
        if !self.forces.unwrap_or(needed.is_some()) {
            return Ok(Room::Smooth(Held::new(World::with_physics(Smooth, settings).or_raise()?)));
        }
        let gravity = self.gravity.map_or(DVec2::ZERO, DVec2::from);
        let forces = Forces::new().with_gravity(gravity).and_then(|forces| forces.with_weight(self.weight));
        let forces = forces.or_raise()?;
        let table = self.verdicts.as_ref().map_or(Ok(Rulebook::default()), table::rules_of)?;
        let rules = GameRules { table, callback: self.judge.map(Callback::new) };
        match rough {
            None => {
                let world = World::with_physics(Judged::new(forces, rules), settings);
                Ok(Room::Forces(Held::new(world.or_raise()?)))
            }
            Some(roughness) => rough_room(forces, roughness, rules, settings),
        }
    }
}

fn rough_room(forces: Forces, rough: Roughness, rules: GameRules, settings: Settings) -> PyResult<Room> {
    let physics = Judged::new(Rough::new(forces, rough), rules);
    Ok(Room::Rough(Held::new(World::with_physics(physics, settings).or_raise()?)))
}

//! The class `World`: made, looked at as a whole, copied.

use crate::body::RoughGiven;
use crate::errors::{OrRaise, plain};
use crate::laws::Laws;
use crate::options::{Chosen, Words, collapse, rest, sliding};
use crate::room::{Room, in_room};
use crate::time::Time;
use crate::vector::{Pair, Vector, pair};
use carom_engine::{Clock, Settings};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A world as Python holds it.
///
/// Arrays that were asked for are kept until the world changes: who asks again is given the same one. They
/// are never written again, so that whoever holds one has what it was.
#[pyclass(module = "carom", subclass, weakref)]
pub(crate) struct World {
    room: Room,
    kept: Kept,
}

/// Arrays of the present state.
#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) columns: Vec<(&'static str, Py<PyAny>)>,
}

impl World {
    pub(crate) fn of(room: Room) -> World {
        World { room, kept: Kept::default() }
    }

    pub(crate) fn room(&self) -> &Room {
        &self.room
    }

    /// The world, to be changed.
    pub(crate) fn edit(&mut self) -> &mut Room {
        self.kept.columns.clear();
        &mut self.room
    }

    /// The world, for questions that need its schedule and change nothing that is seen.
    pub(crate) fn ask(&mut self) -> &mut Room {
        &mut self.room
    }

    /// An array of the present: the one that was made before, or a new one.
    pub(crate) fn column<'py>(
        &mut self,
        py: Python<'py>,
        name: &'static str,
        make: impl FnOnce(&Room) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some((_, array)) = self.kept.columns.iter().find(|(known, _)| *known == name) {
            return Ok(array.bind(py).clone());
        }
        let array = make(&self.room)?;
        let flags = PyDict::new(py);
        flags.set_item("write", false)?;
        array.call_method("setflags", (), Some(&flags))?;
        self.kept.columns.push((name, array.clone().unbind()));
        Ok(array)
    }
}

#[pymethods]
impl World {
    #[new]
    #[pyo3(signature = (*, gravity = None, weight = 0.0, forces = None, rough = None,
        rolling_resistance = 0.0, period = (None, None), drag = 0.0, growth = 0.0, start = 0.0,
        epoch = Clock::DEFAULT_EPOCH, time_scale = 1.0,
        restitution = "geometric_mean", simultaneous = "together", crush = "give_way",
        collapse = Some((1e-9, 32)), sliding = Some((1.0 / 2048.0, 1.0 / 1048576.0)),
        rest = Some((1e-4, 1e-6, 32)), budget = 10_000_000, record_events = true, scheduler = "fastest",
        verdicts = None, judge = None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    pub fn new(
        gravity: Option<Vector>,
        weight: f64,
        forces: Option<bool>,
        rough: Option<RoughGiven>,
        rolling_resistance: f64,
        period: (Option<f64>, Option<f64>),
        drag: f64,
        growth: f64,
        start: f64,
        epoch: f64,
        time_scale: f64,
        restitution: &str,
        simultaneous: &str,
        crush: &str,
        collapse: Option<(f64, u32)>,
        sliding: Option<(f64, f64)>,
        rest: Option<(f64, f64, u32)>,
        budget: u64,
        record_events: bool,
        scheduler: &str,
        verdicts: Option<Bound<'_, PyAny>>,
        judge: Option<Py<PyAny>>,
    ) -> PyResult<World> {
        let mut settings = Settings::default().with_period([period.0, period.1]).with_drag(drag);
        settings = settings.with_start(start).with_epoch(epoch).with_time_scale(time_scale);
        settings = settings.with_budget(budget).with_record_events(record_events);
        settings = settings.with_collapse(self::collapse(collapse)).with_sliding(self::sliding(sliding));
        settings = settings.with_rest(self::rest(rest));
        Words { restitution, simultaneous, crush, scheduler }.set(&mut settings)?;
        let chosen = Chosen { gravity, weight, forces, rough, rolling_resistance, verdicts, judge };
        let mut room = chosen.room(settings)?;
        if growth != 0.0 {
            in_room!(&mut room, held => held.world.set_growth(growth)).or_raise()?;
        }
        Ok(World::of(room))
    }

    pub fn __len__(&self) -> usize {
        in_room!(&self.room, held => held.world.len())
    }

    pub fn __repr__(&self) -> String {
        in_room!(&self.room, held => {
            let (world, walls) = (&held.world, held.world.walls().count());
            format!("<carom.World: {} discs, {walls} walls, t = {:?} s>", world.len(), world.now().as_secs())
        })
    }

    pub fn __copy__(&self) -> World {
        World::of(self.room.clone())
    }

    pub fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> World {
        World::of(self.room.clone())
    }

    /// The same world again, which goes its own way.
    pub fn copy(&self) -> World {
        World::of(self.room.clone())
    }

    /// Makes this world the same as another one, in the memory that it has.
    pub fn copy_from(&mut self, other: PyRef<'_, World>) {
        match (self.edit(), &other.room) {
            (Room::Smooth(own), Room::Smooth(other)) => own.world.clone_from(&other.world),
            (Room::Forces(own), Room::Forces(other)) => own.world.clone_from(&other.world),
            (Room::Rough(own), Room::Rough(other)) => own.world.clone_from(&other.world),
            (own, other) => *own = other.clone(),
        }
        in_room!(&mut self.room, held => held.events.clear());
    }

    /// The present, in seconds.
    #[getter]
    pub fn now(&self) -> f64 {
        in_room!(&self.room, held => held.world.now().as_secs())
    }

    /// The present, to the last bit.
    #[getter]
    pub fn exact_now(&self) -> Time {
        Time::of(in_room!(&self.room, held => held.world.now()))
    }

    /// The acceleration of all discs; zero in a world without forces.
    #[getter]
    pub fn gravity(&self) -> Pair {
        let forces = in_room!(&self.room, held => held.world.physics().forces());
        pair(forces.map_or_else(Default::default, |forces| forces.gravity()))
    }

    #[setter]
    pub fn set_gravity(&mut self, gravity: Vector) -> PyResult<()> {
        in_room!(self.edit(), held => {
            let physics = held.world.physics();
            let forces = physics.forces().ok_or_else(|| plain(WITHOUT_FORCES))?;
            let forces = forces.with_gravity(gravity).or_raise()?;
            let physics = physics.with_forces(forces).ok_or_else(|| plain(WITHOUT_FORCES))?;
            held.world.set_physics(physics).or_raise()
        })
    }

    /// Sets the verdict table.
    pub fn set_verdicts(&mut self, verdicts: &Bound<'_, PyAny>) -> PyResult<()> {
        let table = crate::table::rules_of(verdicts)?;
        in_room!(self.edit(), held => {
            let physics = held.world.physics();
            let mut rules = physics.rules().ok_or_else(|| plain(WITHOUT_FORCES))?.clone();
            rules.table = table;
            let physics = physics.with_rules(rules).ok_or_else(|| plain(WITHOUT_FORCES))?;
            held.world.set_physics(physics).or_raise()
        })
    }

    /// The rate at which radii grow, 1/s.
    #[getter]
    pub fn growth(&self) -> f64 {
        in_room!(&self.room, held => held.world.growth())
    }

    #[setter]
    pub fn set_growth(&mut self, rate: f64) -> PyResult<()> {
        in_room!(self.edit(), held => held.world.set_growth(rate)).or_raise()
    }

    /// The lengths after which the plane repeats itself.
    #[getter]
    pub fn period(&self) -> (Option<f64>, Option<f64>) {
        let [x, y] = in_room!(&self.room, held => held.world.settings().period);
        (x, y)
    }

    #[getter]
    pub fn budget(&self) -> u64 {
        in_room!(&self.room, held => held.world.settings().budget)
    }

    #[setter]
    pub fn set_budget(&mut self, budget: u64) {
        in_room!(self.edit(), held => held.world.set_budget(budget));
    }

    #[getter]
    pub fn record_events(&self) -> bool {
        in_room!(&self.room, held => held.world.settings().record_events)
    }

    #[setter]
    pub fn set_record_events(&mut self, record: bool) {
        in_room!(self.edit(), held => held.world.set_record_events(record));
    }

    #[getter]
    pub fn time_scale(&self) -> f64 {
        in_room!(&self.room, held => held.world.settings().time_scale)
    }

    #[setter]
    pub fn set_time_scale(&mut self, scale: f64) -> PyResult<()> {
        in_room!(self.edit(), held => held.world.set_time_scale(scale)).or_raise()
    }
}

const WITHOUT_FORCES: &str = "the world was made without forces; make it with `forces=True`";

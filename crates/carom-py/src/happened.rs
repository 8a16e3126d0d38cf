//! What has happened in the last call, and what happens next.

use crate::event::Event;
use crate::handle::{Body, Numbered, body};
use crate::laws::Laws;
use crate::record::Record;
use crate::room::{Held, in_room};
use crate::time::Time;
use crate::world::World;
use carom_engine::{Partner, UpcomingKind};
use numpy::PyArray1;
use pyo3::prelude::*;

fn records<P: Laws<Change: crate::laws::Told>>(held: &Held<P>) -> Vec<Record> {
    held.events.iter().map(Record::of::<P>).collect()
}

/// What comes next: time, kind, the disc, what it meets, and the region or timer.
type Upcoming = (Time, &'static str, Option<u64>, Option<Body>, Option<u64>);

#[pymethods]
impl World {
    /// The events of the last call that advanced the world, as one structured array.
    #[getter]
    pub fn events<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, "events", |room| {
            let records = in_room!(room, held => records(held));
            Ok(PyArray1::from_vec(py, records).into_any())
        })
    }

    /// The same as objects.
    #[getter]
    pub fn event_list(&self) -> Vec<Event> {
        in_room!(self.room(), held => records(held)).into_iter().map(Event).collect()
    }

    /// How many there were.
    #[getter]
    pub fn event_count(&self) -> usize {
        in_room!(self.room(), held => held.events.len())
    }

    /// The next event, if there is one.
    pub fn next_event(&mut self) -> Option<Upcoming> {
        let next = in_room!(self.ask(), held => held.world.next_event())?;
        let wall = |wall| body(Partner::Wall { wall, part: 0 });
        let (kind, a, b, other) = match next.kind {
            UpcomingKind::Discs(a, b) => ("impact", Some(a), body(Partner::Disc(b)), None),
            UpcomingKind::Wall(a, wall, part) => {
                ("impact", Some(a), body(Partner::Wall { wall, part }), None)
            }
            UpcomingKind::Change(a) => ("change", Some(a), None, None),
            UpcomingKind::Release(a) => ("release", Some(a), None, None),
            UpcomingKind::Enter(a, region) => ("entered", Some(a), None, Some(region.number())),
            UpcomingKind::Leave(a, region) => ("left", Some(a), None, Some(region.number())),
            UpcomingKind::Timer(timer) => ("timer", None, None, Some(timer.number())),
            UpcomingKind::Arrive(a) => ("arrive", Some(a), None, None),
            UpcomingKind::Turned(id) => ("turned", None, wall(id), None),
            UpcomingKind::WallMoved(id) => ("wall_moved", None, wall(id), None),
            _ => ("other", None, None, None),
        };
        Some((Time::of(next.time), kind, a.map(Numbered::number), b, other))
    }
}

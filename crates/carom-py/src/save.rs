//! Snapshots as bytes.

use crate::advance::without_callback;
use crate::errors::plain;
use crate::laws::{RoughRuled, Ruled};
use crate::room::{Held, Room, in_room};
use crate::world::World;
use carom_engine::Smooth;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// What snapshots begin with: the format, then the physics.
const MAGIC: &[u8; 6] = b"carom1";

fn kind(room: &Room) -> u8 {
    match room {
        Room::Smooth(_) => 0,
        Room::Forces(_) => 1,
        Room::Rough(_) => 2,
    }
}

const NONE_OF_OURS: &str = "these bytes are no snapshot of a world, or a part of it is missing or changed";

#[pymethods]
impl World {
    /// All of the world; a loaded one goes on to the last bit as this one does.
    pub fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let room = self.room();
        in_room!(room, held => without_callback(held))?;
        let mut bytes = MAGIC.to_vec();
        bytes.push(kind(room));
        let saved = in_room!(room, held => postcard::to_extend(&held.world, bytes));
        Ok(PyBytes::new(py, &saved.map_err(plain)?))
    }

    /// The world of a snapshot.
    #[staticmethod]
    pub fn from_bytes(data: &[u8]) -> PyResult<World> {
        let rest = data.strip_prefix(MAGIC).ok_or_else(|| plain(NONE_OF_OURS))?;
        let (kind, saved) = rest.split_first().ok_or_else(|| plain(NONE_OF_OURS))?;
        let refused = |_| plain(NONE_OF_OURS);
        let room = match kind {
            0 => Room::Smooth(Held::<Smooth>::new(postcard::from_bytes(saved).map_err(refused)?)),
            1 => Room::Forces(Held::<Ruled>::new(postcard::from_bytes(saved).map_err(refused)?)),
            2 => Room::Rough(Held::<RoughRuled>::new(postcard::from_bytes(saved).map_err(refused)?)),
            _ => return Err(plain(NONE_OF_OURS)),
        };
        Ok(World::of(room))
    }

    pub fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = slf.borrow().to_bytes(slf.py())?;
        Ok((slf.get_type().getattr("from_bytes")?, (bytes,)))
    }
}

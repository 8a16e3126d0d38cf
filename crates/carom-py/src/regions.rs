//! Regions: described, put up, changed, removed; what is inside.

use crate::errors::{Given, OrRaise};
use crate::handle::Numbered;
use crate::room::in_room;
use crate::vector::Vector;
use crate::words::{Keywords, of_word, word_of};
use crate::world::World;
use carom_engine::{DiscId, Extent, RegionId, RegionShape, WallId};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A part of the plane that reports which discs enter and leave it.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Region {
    region: carom_engine::Region,
}

const COMMON: [&str; 7] = ["carrier", "extent", "sensors", "user_data", "membership", "mask", "team"];
const EXTENTS: &[(&str, Extent)] = &[("centre", Extent::Centre), ("edge", Extent::Edge)];

fn region(mut region: carom_engine::Region, options: Option<&Bound<'_, PyDict>>) -> PyResult<Region> {
    let given = Keywords::of(options, &COMMON)?;
    region.carrier = given.get("carrier")?.map(DiscId::given).transpose()?;
    if let Some(extent) = given.get::<String>("extent")? {
        region.extent = of_word("extent", &extent, EXTENTS)?;
    }
    region.sensors = given.or("sensors", false)?;
    region.user_data = given.or("user_data", 0)?;
    region.rules = given.rules()?;
    region.check().or_raise()?;
    Ok(Region { region })
}

#[pymethods]
impl Region {
    #[staticmethod]
    #[pyo3(signature = (center, radius, **options))]
    fn disc(center: Vector, radius: f64, options: Option<&Bound<'_, PyDict>>) -> PyResult<Region> {
        region(carom_engine::Region::disc(center, radius), options)
    }

    #[staticmethod]
    #[pyo3(signature = (min, max, **options))]
    fn rectangle(min: Vector, max: Vector, options: Option<&Bound<'_, PyDict>>) -> PyResult<Region> {
        region(carom_engine::Region::rectangle(min, max), options)
    }

    /// All that is behind a line; the normal leads out of it.
    #[staticmethod]
    #[pyo3(signature = (point, normal, **options))]
    fn half_plane(point: Vector, normal: Vector, options: Option<&Bound<'_, PyDict>>) -> PyResult<Region> {
        region(carom_engine::Region::half_plane(point, normal), options)
    }

    /// A light barrier, seen by edges.
    #[staticmethod]
    #[pyo3(signature = (a, b, **options))]
    fn segment(a: Vector, b: Vector, options: Option<&Bound<'_, PyDict>>) -> PyResult<Region> {
        region(carom_engine::Region::segment(a, b), options)
    }

    /// What is solid of a wall, seen by edges.
    #[staticmethod]
    #[pyo3(signature = (wall, **options))]
    fn wall(wall: u64, options: Option<&Bound<'_, PyDict>>) -> PyResult<Region> {
        region(carom_engine::Region::wall(WallId::given(wall)?), options)
    }

    /// Its form.
    #[getter]
    fn shape(&self) -> &'static str {
        match self.region.shape {
            RegionShape::Disc { .. } => "disc",
            RegionShape::Rectangle { .. } => "rectangle",
            RegionShape::HalfPlane { .. } => "half_plane",
            RegionShape::Segment { .. } => "segment",
            RegionShape::Wall { .. } => "wall",
            _ => "other",
        }
    }

    #[getter]
    fn carrier(&self) -> Option<u64> {
        self.region.carrier.map(Numbered::number)
    }

    #[getter]
    fn extent(&self) -> &'static str {
        word_of(&self.region.extent, EXTENTS)
    }

    #[getter]
    fn sensors(&self) -> bool {
        self.region.sensors
    }

    #[getter]
    fn user_data(&self) -> u64 {
        self.region.user_data
    }

    fn __repr__(&self) -> String {
        format!("<Region {:?}>", self.region.shape)
    }
}

#[pymethods]
impl World {
    /// Puts up a region, and gives its handle. What is inside enters at the present time.
    pub fn add_region(&mut self, region: PyRef<'_, Region>) -> PyResult<u64> {
        in_room!(self.edit(), held => held.world.add_region(region.region)).map(Numbered::number).or_raise()
    }

    /// Puts another region in the place of one.
    pub fn set_region(&mut self, id: u64, region: PyRef<'_, Region>) -> PyResult<()> {
        let id = RegionId::given(id)?;
        in_room!(self.edit(), held => held.world.set_region(id, region.region)).or_raise()
    }

    /// Removes a region. What is inside leaves at the present time.
    pub fn remove_region(&mut self, id: u64) -> PyResult<()> {
        let id = RegionId::given(id)?;
        in_room!(self.edit(), held => held.world.remove_region(id).map(drop)).or_raise()
    }

    /// All regions, by handle.
    #[getter]
    pub fn regions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let regions = PyDict::new(py);
        let all: Vec<_> =
            in_room!(self.room(), held => held.world.regions().map(|(id, own)| (id, *own)).collect());
        for (id, region) in all {
            regions.set_item(id.number(), Region { region })?;
        }
        Ok(regions)
    }

    /// The handles of the discs that are inside of a region now.
    pub fn inside<'py>(&self, py: Python<'py>, region: u64) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let id = RegionId::given(region)?;
        let discs: Vec<DiscId> =
            in_room!(self.room(), held => held.world.inside(id).map(Iterator::collect)).or_raise()?;
        Ok(PyArray1::from_vec(py, discs.into_iter().map(Numbered::number).collect()))
    }

    pub fn is_inside(&self, region: u64, disc: u64) -> PyResult<bool> {
        let (region, disc) = (RegionId::given(region)?, DiscId::given(disc)?);
        Ok(in_room!(self.room(), held => held.world.is_inside(region, disc)))
    }

    /// The region that a disc is as a sensor.
    pub fn sensor_region(&self, disc: u64) -> PyResult<Option<u64>> {
        let id = DiscId::given(disc)?;
        Ok(in_room!(self.room(), held => held.world.sensor_region(id)).map(Numbered::number))
    }
}

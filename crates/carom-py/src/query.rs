//! What is where.

use crate::errors::{Given, OrRaise, refused};
use crate::handle::{Body, NONE, body, partner};
use crate::room::in_room;
use crate::time::Time;
use crate::vector::{Pair, Vector, pair};
use crate::words::{Keywords, of_word};
use crate::world::World;
use carom_engine::{CastOptions, DVec2, DiscId, Partner, QueryFilter, Ray, Rules};
use numpy::{AllowTypeChange, Element, PyArray1, PyArrayDescr, PyArrayLike2};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

const FILTER: [&str; 5] = ["only", "excluding", "membership", "mask", "team"];

/// What a query looks at.
struct Looks {
    rules: Rules,
    only_discs: Option<bool>,
    excluding: Option<DiscId>,
}

impl Looks {
    fn at(options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let given = Keywords::of(options, &FILTER)?;
        let only: Option<String> = given.get("only")?;
        let only =
            only.map(|word| of_word("only", &word, &[("discs", true), ("walls", false)])).transpose()?;
        let excluding = given.get("excluding")?.map(DiscId::given).transpose()?;
        Ok(Looks { rules: given.rules()?, only_discs: only, excluding })
    }

    fn filter(&self) -> QueryFilter<'static> {
        let filter = QueryFilter::new().with_rules(self.rules);
        let filter = match self.only_discs {
            None => filter,
            Some(true) => filter.only_discs(),
            Some(false) => filter.only_walls(),
        };
        self.excluding.map_or(filter, |disc| filter.excluding(disc))
    }
}

/// What is near a point.
#[pyclass(frozen, get_all, module = "carom")]
pub(crate) struct Nearest {
    body: Option<Body>,
    distance: f64,
    point: Pair,
}

/// What a ray meets.
#[pyclass(frozen, get_all, module = "carom")]
pub(crate) struct RayHit {
    body: Option<Body>,
    distance: f64,
    point: Pair,
    normal: Option<Pair>,
}

impl RayHit {
    fn of(hit: carom_engine::RayHit) -> Self {
        let (body, point) = (body(hit.body), pair(hit.point));
        RayHit { body, distance: hit.distance, point, normal: hit.normal.map(pair) }
    }
}

/// What a disc would meet.
#[pyclass(frozen, get_all, module = "carom")]
pub(crate) struct DiscHit {
    body: Option<Body>,
    time: Time,
    seconds: f64,
    position: Pair,
    point: Pair,
    normal: Pair,
}

/// A hit of one of many rays, as numpy sees it.
#[repr(C)]
#[derive(Clone, Copy)]
struct Hit {
    kind: u32,
    part: u32,
    body: u64,
    distance: f64,
    point: [f64; 2],
    normal: [f64; 2],
}

const HIT: &std::ffi::CStr =
    c"[('kind','u4'),('part','u4'),('body','u8'),('distance','f8'),('point','f8',2),('normal','f8',2)]";

fn dtype(py: Python<'_>) -> PyResult<Py<PyArrayDescr>> {
    let dtype = py.import("numpy")?.getattr("dtype")?.call1((py.eval(HIT, None, None)?, true))?;
    Ok(dtype.cast_into::<PyArrayDescr>()?.unbind())
}

// SAFETY: plain numbers, and the descriptor has the offsets of `repr(C)`, as numpy aligns its fields.
#[expect(unsafe_code, reason = "the trait says that memory of the type is what the descriptor describes")]
unsafe impl Element for Hit {
    const IS_COPY: bool = true;

    fn get_dtype(py: Python<'_>) -> Bound<'_, PyArrayDescr> {
        static DTYPE: PyOnceLock<Py<PyArrayDescr>> = PyOnceLock::new();
        let descr = DTYPE.get_or_try_init(py, || dtype(py)).expect("numpy takes the fields");
        descr.clone_ref(py).into_bound(py)
    }

    fn clone_ref(&self, _: Python<'_>) -> Self {
        *self
    }
}

impl Hit {
    fn of(hit: Option<carom_engine::RayHit>) -> Self {
        let nowhere = [f64::NAN; 2];
        match hit {
            None => {
                Hit { kind: 0, part: 0, body: NONE, distance: f64::INFINITY, point: nowhere, normal: nowhere }
            }
            Some(hit) => {
                let (kind, body, part) = partner(hit.body);
                let normal = hit.normal.map_or(nowhere, |normal| normal.to_array());
                let (distance, point) = (hit.distance, hit.point.to_array());
                Hit { kind: kind.into(), part, body, distance, point, normal }
            }
        }
    }
}

fn bodies(found: Vec<Partner>) -> Vec<Body> {
    found.into_iter().filter_map(body).collect()
}

#[pymethods]
impl World {
    /// What a point is in.
    #[pyo3(signature = (point, **options))]
    pub fn overlap_point(&self, point: Vector, options: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<Body>> {
        let (filter, mut found) = (Looks::at(options)?.filter(), Vec::new());
        in_room!(self.room(), held => held.world.overlap_point(point, &filter, &mut found)).or_raise()?;
        Ok(bodies(found))
    }

    /// What a disc would overlap.
    #[pyo3(signature = (center, radius, **options))]
    pub fn overlap_disc(
        &self,
        center: Vector,
        radius: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<Body>> {
        let (filter, mut found) = (Looks::at(options)?.filter(), Vec::new());
        in_room!(self.room(), held => held.world.overlap_disc(center, radius, &filter, &mut found))
            .or_raise()?;
        Ok(bodies(found))
    }

    /// What a rectangle overlaps.
    #[pyo3(signature = (min, max, **options))]
    pub fn overlap_box(
        &self,
        min: Vector,
        max: Vector,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<Body>> {
        let (filter, mut found) = (Looks::at(options)?.filter(), Vec::new());
        in_room!(self.room(), held => held.world.overlap_box(min, max, &filter, &mut found)).or_raise()?;
        Ok(bodies(found))
    }

    /// The nearest discs and walls, by the distance of their surfaces.
    #[pyo3(signature = (point, most = 1, **options))]
    pub fn nearest(
        &self,
        point: Vector,
        most: usize,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<Nearest>> {
        let (filter, mut found) = (Looks::at(options)?.filter(), Vec::new());
        in_room!(self.room(), held => held.world.nearest(point, most, &filter, &mut found)).or_raise()?;
        let near = |near: carom_engine::Nearest| Nearest {
            body: body(near.body),
            distance: near.distance,
            point: pair(near.point),
        };
        Ok(found.into_iter().map(near).collect())
    }

    /// The first thing that a ray meets.
    #[pyo3(signature = (origin, direction, max_distance = f64::INFINITY, **options))]
    pub fn cast_ray(
        &self,
        origin: Vector,
        direction: Vector,
        max_distance: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Option<RayHit>> {
        let (filter, ray) =
            (Looks::at(options)?.filter(), Ray::new(origin, direction).with_max_distance(max_distance));
        in_room!(self.room(), held => held.world.cast_ray(&ray, &filter))
            .map(|hit| hit.map(RayHit::of))
            .or_raise()
    }

    /// All that a ray meets, the nearest first.
    #[pyo3(signature = (origin, direction, max_distance = f64::INFINITY, **options))]
    pub fn ray_hits(
        &self,
        origin: Vector,
        direction: Vector,
        max_distance: f64,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<RayHit>> {
        let (filter, ray) =
            (Looks::at(options)?.filter(), Ray::new(origin, direction).with_max_distance(max_distance));
        let mut hits = Vec::new();
        in_room!(self.room(), held => held.world.ray_hits(&ray, &filter, &mut hits)).or_raise()?;
        Ok(hits.into_iter().map(RayHit::of).collect())
    }

    /// The first thing that each of many rays meets, as a structured array. Releases the GIL.
    #[pyo3(signature = (origins, directions, max_distance = f64::INFINITY, **options))]
    pub fn cast_rays<'py>(
        &self,
        py: Python<'py>,
        origins: PyArrayLike2<'py, f64, AllowTypeChange>,
        directions: PyArrayLike2<'py, f64, AllowTypeChange>,
        max_distance: f64,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let looks = Looks::at(options)?;
        let [origins, directions] =
            [crate::arrays::points("origins", &origins)?, crate::arrays::points("directions", &directions)?];
        crate::arrays::same_length("directions", directions.len(), origins.len())?;
        let cast = |(&origin, &direction): (&DVec2, &DVec2)| {
            let filter = looks.filter();
            let ray = Ray::new(origin, direction).with_max_distance(max_distance);
            in_room!(self.room(), held => held.world.cast_ray(&ray, &filter)).map(Hit::of)
        };
        let all = || origins.iter().zip(&directions).map(cast).collect::<Result<Vec<Hit>, _>>();
        let hits = py.detach(all);
        Ok(PyArray1::from_vec(py, hits.map_err(refused)?).into_any())
    }

    /// What a disc would meet first if it were inserted now.
    #[pyo3(signature = (position, radius, velocity, max_time = f64::INFINITY, frozen = false, **options))]
    pub fn cast_disc(
        &self,
        position: Vector,
        radius: f64,
        velocity: Vector,
        max_time: f64,
        frozen: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Option<DiscHit>> {
        let cast = CastOptions::new().with_max_time(max_time).with_frozen(frozen);
        let filter = Looks::at(options)?.filter();
        let hit = in_room!(self.room(), held => {
            let disc = carom_engine::Disc::new(position, radius).with_velocity(velocity);
            held.world.cast_disc(&disc, &cast, &filter)
        });
        Ok(hit.or_raise()?.map(|hit| DiscHit {
            body: body(hit.body),
            time: Time::of(hit.time),
            seconds: hit.seconds,
            position: pair(hit.position),
            point: pair(hit.point),
            normal: pair(hit.normal),
        }))
    }
}

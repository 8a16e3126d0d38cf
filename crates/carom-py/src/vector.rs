//! Points and vectors: a tuple, a list or an array of two numbers.

use carom_engine::DVec2;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A point or a vector as it is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vector(pub(crate) DVec2);

/// A point or a vector as it is given back.
pub(crate) type Pair = (f64, f64);

pub(crate) fn pair(v: DVec2) -> Pair {
    (v.x, v.y)
}

impl<'py> FromPyObject<'_, 'py> for Vector {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(two) = given.cast::<PyTuple>()
            && two.len() == 2
        {
            return Ok(Vector(DVec2::new(two.get_item(0)?.extract()?, two.get_item(1)?.extract()?)));
        }
        let numbers: Vec<f64> = given.try_iter()?.map(|number| number?.extract()).collect::<PyResult<_>>()?;
        match numbers[..] {
            [x, y] => Ok(Vector(DVec2::new(x, y))),
            _ => Err(PyTypeError::new_err(format!("two numbers are wanted, {} are given", numbers.len()))),
        }
    }
}

impl From<Vector> for DVec2 {
    fn from(vector: Vector) -> DVec2 {
        vector.0
    }
}

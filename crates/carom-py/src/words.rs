//! Choices as words: each has one list, which is also what an error says is allowed.

use crate::errors;
use carom_engine::Rules;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Finds what a word stands for.
pub(crate) fn of_word<T: Copy>(field: &str, given: &str, words: &[(&str, T)]) -> PyResult<T> {
    let found = words.iter().find(|(word, _)| *word == given).map(|(_, value)| *value);
    found.ok_or_else(|| {
        let all: Vec<_> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
        errors::text(field, given, &format!("one of {}", all.join(", ")))
    })
}

/// The word for a value.
pub(crate) fn word_of<T: PartialEq>(value: &T, words: &[(&'static str, T)]) -> &'static str {
    words.iter().find(|(_, known)| known == value).map_or("other", |(word, _)| word)
}

/// Keywords of a call, beside those that have a place.
pub(crate) struct Keywords<'a, 'py>(Option<&'a Bound<'py, PyDict>>);

impl<'a, 'py> Keywords<'a, 'py> {
    /// Refuses those that are not known, as a function of Python does.
    pub(crate) fn of(given: Option<&'a Bound<'py, PyDict>>, known: &[&str]) -> PyResult<Self> {
        for key in given.iter().flat_map(|options| options.keys()) {
            let key: String = key.extract()?;
            if !known.contains(&key.as_str()) {
                let said = format!("unexpected keyword argument '{key}'; there are {}", known.join(", "));
                return Err(PyTypeError::new_err(said));
            }
        }
        Ok(Keywords(given))
    }

    /// What is given, unless it is left out or `None`.
    pub(crate) fn get<T>(&self, key: &str) -> PyResult<Option<T>>
    where
        T: for<'b> FromPyObject<'b, 'py, Error: Into<PyErr>>,
    {
        match self.0.map(|options| options.get_item(key)).transpose()?.flatten() {
            Some(value) if !value.is_none() => value.extract().map(Some).map_err(Into::into),
            _ => Ok(None),
        }
    }

    pub(crate) fn or<T>(&self, key: &str, usual: T) -> PyResult<T>
    where
        T: for<'b> FromPyObject<'b, 'py, Error: Into<PyErr>>,
    {
        Ok(self.get(key)?.unwrap_or(usual))
    }

    /// Groups and team.
    pub(crate) fn rules(&self) -> PyResult<Rules> {
        let groups = |key| self.or(key, u32::MAX);
        Ok(rules(groups("membership")?, groups("mask")?, self.or("team", 0)?))
    }
}

/// What a disc, wall or region collides with.
pub(crate) fn rules(membership: u32, mask: u32, team: u32) -> Rules {
    Rules::new().with_membership(membership).with_mask(mask).with_team(team)
}

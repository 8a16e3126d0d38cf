//! Colours of discs, as Python gives them.

use crate::errors;
use carom_draw::Rgb;
use pyo3::prelude::*;

/// One colour for all discs, or one for each.
#[derive(FromPyObject)]
pub(crate) enum Colours {
    One(String),
    Each(Vec<Option<String>>),
}

/// That of a disc that is given none.
pub(crate) const USUAL: Rgb = Rgb(0x3b, 0x6e, 0xa8);

pub(crate) fn rgb(field: &str, name: &str) -> PyResult<Rgb> {
    let refused = |_| errors::text(field, name, "a name of a colour of CSS, or a number such as #1f7a66");
    name.parse().map_err(refused)
}

impl Colours {
    /// Those of as many discs; `None` for a disc that is given none.
    pub(crate) fn of(given: Option<Self>, len: usize) -> PyResult<Vec<Option<Rgb>>> {
        let rgb = |name: &str| self::rgb("colours", name);
        match given {
            None => Ok(vec![None; len]),
            Some(Colours::One(name)) => Ok(vec![Some(rgb(&name)?); len]),
            Some(Colours::Each(names)) => {
                names.iter().map(|name| name.as_deref().map(rgb).transpose()).collect()
            }
        }
    }
}

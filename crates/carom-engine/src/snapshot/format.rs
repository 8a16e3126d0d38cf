use super::VERSION;
use serde::de::{Deserialize, Deserializer, Error as _};

pub(super) fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        found => Err(D::Error::custom(format_args!(
            "version is {found}, allowed is {VERSION}: the snapshot is of another version of the engine"
        ))),
    }
}

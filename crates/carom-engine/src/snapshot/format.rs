use super::{SnapshotOf, VERSION};
use crate::{Physics, World};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};

pub(super) fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(VERSION),
        found => Err(D::Error::custom(format_args!(
            "version is {found}, allowed is {VERSION}: the snapshot is of another version of the engine"
        ))),
    }
}

/// Saves a world: see [`snapshot`](crate::snapshot).
impl<P> Serialize for World<P>
where
    P: Physics<Body: Serialize, Extra: Serialize, Surface: Serialize> + Serialize,
{
    fn serialize<F: Serializer>(&self, serializer: F) -> Result<F::Ok, F::Error> {
        let snapshot = SnapshotOf::<P>::of(&self.store);
        snapshot.check(&self.store).map_err(F::Error::custom)?;
        snapshot.serialize(serializer)
    }
}

/// Loads a world: see [`snapshot`](crate::snapshot).
impl<'de, P> Deserialize<'de> for World<P>
where
    P: Physics<Body: Deserialize<'de>, Extra: Deserialize<'de>, Surface: Deserialize<'de>> + Deserialize<'de>,
{
    fn deserialize<F: Deserializer<'de>>(deserializer: F) -> Result<Self, F::Error> {
        SnapshotOf::<P>::deserialize(deserializer)?.restore().map_err(F::Error::custom)
    }
}

use crate::edit::{Change, WallChange};
use crate::snapshot::{SnapshotError, SnapshotOf, check_next};
use crate::{Physics, World, apply};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};

/// Saves a world: see [`snapshot`](crate::snapshot).
impl<P> Serialize for World<P>
where
    P: Physics<Body: Serialize, Extra: Serialize, Surface: Serialize> + Serialize,
{
    fn serialize<F: Serializer>(&self, serializer: F) -> Result<F::Ok, F::Error> {
        SnapshotOf::<P>::saved(&self.store).map_err(F::Error::custom)?.serialize(serializer)
    }
}

/// Loads a world: see [`snapshot`](crate::snapshot).
impl<'de, P> Deserialize<'de> for World<P>
where
    P: Physics<Body: Deserialize<'de>, Extra: Deserialize<'de>, Surface: Deserialize<'de>> + Deserialize<'de>,
{
    fn deserialize<F: Deserializer<'de>>(deserializer: F) -> Result<Self, F::Error> {
        let snapshot = SnapshotOf::<P>::deserialize(deserializer)?;
        World::loaded(snapshot).map_err(F::Error::custom)
    }
}

impl<P: Physics> World<P> {
    fn loaded(snapshot: SnapshotOf<P>) -> Result<Self, SnapshotError> {
        let (store, edited) = snapshot.restore()?;
        let mut world = World::of(store);
        // Only what is overdue: to look further may take long.
        let now = world.store.now;
        let next = world.look(|world| world.due(now)).map_or(now, |next| next.time);
        check_next(next, now)?;
        for (slot, rules) in edited.discs {
            world.change(slot, Change::Rules(rules));
        }
        for (wall, rules) in edited.walls {
            let discs: Vec<_> = world.store.bodies.live().collect();
            world.change_wall(wall, WallChange::Rules(rules));
            apply::marks::mark(world.store.common(), discs);
        }
        Ok(world)
    }
}

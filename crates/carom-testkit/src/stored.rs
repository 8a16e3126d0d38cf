use crate::record::{bits_of, state_bits};
use carom_engine::{Physics, World};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The two formats that are tested: one for people, and one that names nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Json,
    Postcard,
}

pub const FORMATS: [Format; 2] = [Format::Json, Format::Postcard];

impl Format {
    pub fn save<T: Serialize>(self, value: &T) -> Vec<u8> {
        match self {
            Format::Json => serde_json::to_vec(value).unwrap(),
            Format::Postcard => postcard::to_stdvec(value).unwrap(),
        }
    }

    pub fn load<T: DeserializeOwned>(self, bytes: &[u8]) -> Result<T, String> {
        match self {
            Format::Json => serde_json::from_slice(bytes).map_err(|error| error.to_string()),
            Format::Postcard => postcard::from_bytes(bytes).map_err(|error| error.to_string()),
        }
    }
}

/// Advances a world, and such that it was saved as and loaded from in both formats: the same events, states
/// and counts, and the same bytes when they are saved again.
///
/// # Panics
/// If they differ.
pub fn advance_with_loaded<P>(world: &mut World<P>, dt: f64, what: &str)
where
    P: Physics + Serialize + DeserializeOwned,
    World<P>: Serialize + DeserializeOwned,
{
    let mut loaded = FORMATS.map(|format| {
        let bytes = format.save(world);
        let loaded: World<P> = format.load(&bytes).unwrap();
        assert_eq!(format.save(&loaded), bytes, "{what} {format:?}");
        loaded
    });
    let end = world.advance(dt).unwrap();
    for (format, loaded) in FORMATS.iter().zip(&mut loaded) {
        assert_eq!(loaded.advance(dt), Ok(end), "{what} {format:?}");
        assert_eq!(bits_of(loaded.events()), bits_of(world.events()), "{what} {format:?}");
        assert_eq!(state_bits(loaded), state_bits(world), "{what} {format:?}");
        assert_eq!(loaded.ledger(), world.ledger(), "{what} {format:?}");
        assert_eq!(format.save(loaded), format.save(world), "{what} {format:?}");
    }
}

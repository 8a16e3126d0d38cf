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

use crate::Time;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

/// A [`Time`] as it is stored: its two parts.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Time", deny_unknown_fields)]
struct StoredTime {
    #[serde(with = "crate::number")]
    epoch_start: f64,
    offset: f64,
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StoredTime { epoch_start: self.epoch_start(), offset: self.offset() }.serialize(serializer)
    }
}

/// Refuses what is no time of any clock. Whether it is one of a certain clock, [`crate::Clock::from_parts`]
/// tells.
impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let StoredTime { epoch_start, offset } = StoredTime::deserialize(deserializer)?;
        if !(epoch_start >= 0.0) {
            let refusal = format_args!("epoch_start is {epoch_start}, allowed is a number, at least 0");
            return Err(D::Error::custom(refusal));
        }
        if !(offset >= 0.0 && offset.is_finite()) {
            let refusal = format_args!("offset is {offset}, allowed is a finite number, at least 0");
            return Err(D::Error::custom(refusal));
        }
        // Adding 0 turns −0 into +0, so that equal times have equal bits.
        let time = Time::from_stored(epoch_start + 0.0, offset + 0.0);
        if time.is_never() && offset > 0.0 {
            let refusal = format_args!("offset is {offset}, allowed is 0 where epoch_start is inf");
            return Err(D::Error::custom(refusal));
        }
        Ok(time)
    }
}

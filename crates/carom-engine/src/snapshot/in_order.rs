//! How a map is stored, for `#[serde(with)]`: the list of its entries, whose keys ascend.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};
use std::collections::BTreeMap;

pub(crate) fn serialize<K, V, S>(map: &BTreeMap<K, V>, serializer: S) -> Result<S::Ok, S::Error>
where
    K: Serialize,
    V: Serialize,
    S: Serializer,
{
    serializer.collect_seq(map)
}

pub(crate) fn deserialize<'de, K, V, D>(deserializer: D) -> Result<BTreeMap<K, V>, D::Error>
where
    K: Deserialize<'de> + Ord,
    V: Deserialize<'de>,
    D: Deserializer<'de>,
{
    let entries: Vec<(K, V)> = Vec::deserialize(deserializer)?;
    if !entries.is_sorted_by(|a, b| a.0 < b.0) {
        return Err(D::Error::custom("entries are in another order, allowed are ascending ones"));
    }
    Ok(entries.into_iter().collect())
}

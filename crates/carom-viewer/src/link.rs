//! What follows the `#` of a link: a scene as letters, and the hash of its result.

use crate::base64;

/// The most letters of a link. Firefox takes addresses of up to 2²⁰, Chromium of twice as many, that of the
/// page included.
pub(crate) const MOST_LETTERS: usize = 1_000_000;

/// What is said where a link does not have the result that it tells.
pub(crate) const OTHER_RESULT: &str = "the link was made by another version: its result is another one here";

/// What a link tells of its result, and what comes of it here: hashes of where its run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    /// That of where the link was made.
    pub there: u64,
    /// That of the same run here.
    pub here: u64,
}

impl Promise {
    /// Whether the run ends here as it did there, to the last bit.
    #[must_use]
    pub fn is_kept(self) -> bool {
        self.there == self.here
    }

    /// As it is shown: `told` says in words which run it is.
    pub(crate) fn in_words(self, told: &str) -> String {
        let says = if self.is_kept() { "as the link says" } else { "not as the link says" };
        format!("{told}: {:016x}, {says}", self.here)
    }
}

/// The letters of a scene, of its text in JSON. Without the indentation, which no text in JSON has inside a
/// string, it is a third shorter.
pub(crate) fn letters(json: &str) -> String {
    let compact: String = json.lines().map(str::trim_start).collect();
    base64::encoded(compact.as_bytes())
}

/// A link of the letters of a scene, and the hash of its result.
pub(crate) fn sealed(prefix: &str, letters: &str, result: u64) -> String {
    format!("{prefix}{letters}.{result:016x}")
}

/// What follows the prefix of a link, as the text of a scene and the result that it tells, if it does.
pub(crate) fn linked(payload: &str) -> Result<(String, Option<u64>), String> {
    let (payload, result) = match payload.split_once('.') {
        Some((payload, digits)) => {
            let is_whole = digits.len() == 16;
            let result = u64::from_str_radix(digits, 16).ok().filter(|_| is_whole);
            (payload, Some(result.ok_or("the link is broken: its end is missing")?))
        }
        None => (payload, None),
    };
    let text = base64::decoded(payload).ok_or("the link is broken: it is not what was shared")?;
    Ok((text, result))
}

/// A size in letters or bytes, to three digits.
pub(crate) fn size(of: usize) -> String {
    match of {
        0..10_000 => format!("{of} bytes"),
        10_000..1_000_000 => format!("{:.0} kB", of as f64 / 1e3),
        _ => format!("{:.1} MB", of as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left out between the parts of a scene is in none of its strings.
    #[test]
    fn letters_keep_all_but_the_indentation() {
        let scene =
            serde_json::json!({ "name": "  two\n  lines  ", "at": [0.1, -3e-300], "in": { "a": [[1]] } });
        let pretty = serde_json::to_string_pretty(&scene).unwrap();
        let link = sealed("c1.", &letters(&pretty), 7);
        let (text, result) = linked(link.strip_prefix("c1.").unwrap()).unwrap();
        assert_eq!((serde_json::from_str(&text).ok(), result), (Some(scene), Some(7)));
        assert!(text.len() < pretty.len() && !text.contains('\n'));
    }

    #[test]
    fn sizes_have_three_digits_or_so() {
        let said = [999, 12_345, 1_000_000, 187_654_321].map(size);
        assert_eq!(said, ["999 bytes", "12 kB", "1.0 MB", "187.7 MB"]);
    }
}

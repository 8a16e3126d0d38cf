//! How many offences of each check each folder may still have.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::Offence;

/// Counts by folder and check; what is absent is 0.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Budget(BTreeMap<(String, String), usize>);

impl Budget {
    /// The budget that these offences use up.
    pub(crate) fn counting(offences: &[Offence]) -> Self {
        let mut counts = BTreeMap::new();
        for offence in offences {
            *counts.entry((offence.folder.clone(), offence.check.to_owned())).or_default() += offence.count;
        }
        Self(counts)
    }

    /// Whether `found` exceeds no count. Prints every count that differs.
    pub(crate) fn permits(&self, found: &Self) -> bool {
        let mut keys: Vec<_> = self.0.keys().chain(found.0.keys()).collect();
        keys.sort();
        keys.dedup();
        let mut permitted = true;
        for key @ (folder, check) in keys {
            let count = |budget: &Self| budget.0.get(key).copied().unwrap_or(0);
            let (allowed, there) = (count(self), count(found));
            if there > allowed {
                println!("FAILED: {folder} has {there} over the limit of `{check}`; {allowed} are known");
                permitted = false;
            } else if there < allowed {
                println!(
                    "{folder}: `{check}` fell from {allowed} to {there}; `--write` lowers the known count"
                );
            }
        }
        permitted
    }
}

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut counts = BTreeMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let malformed = || format!("known.txt: `{line}` is not `folder check count`");
            let [folder, check, count] = line.split_whitespace().collect::<Vec<_>>()[..] else {
                return Err(malformed());
            };
            let count = count.parse().map_err(|_| malformed())?;
            counts.insert((folder.to_owned(), check.to_owned()), count);
        }
        Ok(Self(counts))
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# What is over a limit; see src/main.rs. Counts may only fall.")?;
        for ((folder, check), count) in &self.0 {
            writeln!(f, "{folder} {check} {count}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_fall_and_not_rise() {
        let budget = |text: &str| text.parse::<Budget>().unwrap();
        let known = budget("# comment\ncrates/a functions 2\ncrates/a files 1\n");
        assert!(known.permits(&known));
        assert!(known.permits(&Budget::default()));
        assert!(known.permits(&budget("crates/a functions 1")));
        assert!(!known.permits(&budget("crates/a functions 3")));
        assert!(!known.permits(&budget("crates/b files 1")));
        assert!(!Budget::default().permits(&budget("crates/a files 1")));
    }

    #[test]
    fn what_is_written_is_read() {
        let known: Budget = "crates/a functions 2\nexamples columns 7\n".parse().unwrap();
        assert_eq!(known.to_string().parse::<Budget>().unwrap(), known);
        assert!("crates/a functions".parse::<Budget>().is_err());
        assert!("crates/a functions two".parse::<Budget>().is_err());
    }
}

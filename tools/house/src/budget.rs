//! How many offences of each check each folder, type or pair of rooms may still have.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use crate::{Offence, remedy};

/// Counts by subject and check; what is absent is 0.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Budget(BTreeMap<(String, String), usize>);

impl Budget {
    /// The budget that these offences use up.
    pub(crate) fn counting(offences: &[Offence]) -> Self {
        let mut counts = BTreeMap::new();
        for offence in offences {
            *counts.entry((offence.subject.clone(), offence.check.to_owned())).or_default() += offence.count;
        }
        Self(counts)
    }

    /// Whether these offences exceed no count. Prints them, each place where they do or where `all` is asked
    /// for, and every count that differs.
    pub(crate) fn permits(&self, offences: &[Offence], all: bool) -> bool {
        let found = Self::counting(offences);
        let keys: BTreeSet<_> = self.0.keys().chain(found.0.keys()).collect();
        let mut permitted = true;
        for key @ (subject, check) in keys {
            let count = |budget: &Self| budget.0.get(key).copied().unwrap_or(0);
            let (allowed, there) = (count(self), count(&found));
            let is_of_key = |offence: &&Offence| offence.subject == *subject && offence.check == check;
            let places: Vec<&Offence> = offences.iter().filter(is_of_key).collect();
            if there > allowed || all || places.len() == 1 {
                places.iter().for_each(|offence| println!("{check}: {}", offence.place));
            } else if !places.is_empty() {
                println!("{check}: {subject}: {there} places");
            }
            if there > allowed {
                let what = format!("{subject} has {there} over the limit of `{check}`; {allowed} are known");
                println!("FAILED: {what}: {}", remedy(check));
                permitted = false;
            } else if there < allowed {
                println!(
                    "{subject}: `{check}` fell from {allowed} to {there}; `--write` lowers the known count"
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
            let malformed = || format!("known.txt: `{line}` is not `subject check count`");
            let [subject, check, count] = line.split_whitespace().collect::<Vec<_>>()[..] else {
                return Err(malformed());
            };
            let count = count.parse().map_err(|_| malformed())?;
            counts.insert((subject.to_owned(), check.to_owned()), count);
        }
        Ok(Self(counts))
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# What is over a limit; see src/main.rs. Counts may only fall.")?;
        for ((subject, check), count) in &self.0 {
            writeln!(f, "{subject} {check} {count}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_fall_and_not_rise() {
        let known: Budget = "# comment\ncrates/a functions 2\ncrates/a files 1\n".parse().unwrap();
        let permits = |known: &Budget, offences: &[(&str, &'static str, usize)]| {
            let offence = |&(subject, check, count): &(&str, &'static str, usize)| Offence {
                subject: subject.to_owned(),
                check,
                count,
                place: String::new(),
            };
            known.permits(&offences.iter().map(offence).collect::<Vec<_>>(), false)
        };
        assert!(permits(&known, &[("crates/a", "functions", 2), ("crates/a", "files", 1)]));
        assert!(permits(&known, &[]));
        assert!(permits(&known, &[("crates/a", "functions", 1)]));
        assert!(!permits(&known, &[("crates/a", "functions", 1), ("crates/a", "functions", 2)]));
        assert!(!permits(&known, &[("crates/b", "files", 1)]));
        assert!(!permits(&Budget::default(), &[("crates/a", "files", 1)]));
    }

    #[test]
    fn what_is_written_is_read() {
        let known: Budget = "crates/a functions 2\nexamples columns 7\n".parse().unwrap();
        assert_eq!(known.to_string().parse::<Budget>().unwrap(), known);
        assert!("crates/a functions".parse::<Budget>().is_err());
        assert!("crates/a functions two".parse::<Budget>().is_err());
    }
}

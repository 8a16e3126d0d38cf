//! Which contacts and other events go into the events file.

use crate::args::{Kind, RunArgs};
use crate::error::CliError;
use crate::jsonl::{Met, Other};
use carom_engine::Impact;
use carom_engine::math::Shown;

/// What an events file is to hold, of what happens.
pub(crate) struct Filter {
    from: f64,
    until: f64,
    only: Option<Kind>,
    /// Sorted; empty for all.
    discs: Vec<u64>,
    sample: u64,
    /// Impacts that passed all but the sampling, from the start of the scene on.
    pub(crate) passed: u64,
    /// The latest of them, and whether it was written.
    latest: Option<(u64, bool)>,
    /// Lines that were written.
    pub(crate) kept: u64,
}

impl Filter {
    /// `passed` is that of the run that is gone on with.
    pub(crate) fn new(args: &RunArgs, discs: u64, passed: u64) -> Result<Self, CliError> {
        let time = |option: &str, time: Option<f64>, otherwise: f64| match time {
            Some(time) if time.is_nan() => Err(CliError::option(option, "NaN", "a time, in seconds")),
            time => Ok(time.unwrap_or(otherwise)),
        };
        let from = time("--events-from", args.events_from, f64::NEG_INFINITY)?;
        let until = time("--events-until", args.events_until, f64::INFINITY)?;
        if from >= until {
            let allowed = format!("later than --events-from, {} s", Shown(from));
            return Err(CliError::number("--events-until", until, &allowed));
        }
        if let Some(wrong) = args.disc.iter().find(|disc| **disc >= discs) {
            let allowed = match discs {
                0 => "the index of a disc, of which there are none".to_owned(),
                _ => format!("the index of a disc, from 0 to {}", discs - 1),
            };
            return Err(CliError::option("--disc", &wrong.to_string(), &allowed));
        }
        let sample = args.sample.unwrap_or(1);
        if sample == 0 {
            return Err(CliError::option("--sample", "0", "at least 1"));
        }
        let mut discs = args.disc.clone();
        discs.sort_unstable();
        Ok(Self { from, until, only: args.only, discs, sample, passed, latest: None, kept: 0 })
    }

    /// Whether anything is left out.
    pub(crate) fn is_in_use(&self) -> bool {
        self.from > f64::NEG_INFINITY
            || self.until < f64::INFINITY
            || self.only.is_some()
            || !self.discs.is_empty()
            || self.sample > 1
    }

    /// Whether a contact is written.
    pub(crate) fn keeps(&mut self, impact: &Impact, a: u64, met: &Met) -> bool {
        let (kind, b) = match *met {
            Met::Disc { b } => (Kind::Disc, b),
            Met::Wall { .. } => (Kind::Wall, a),
        };
        self.keeps_contact(impact.time.as_secs(), impact.group, kind, [a, b])
    }

    /// The same of two discs, or twice the one that met a wall. What is sampled are impacts: the contacts of
    /// one, which share a group and follow each other, are kept or left out together.
    pub(crate) fn keeps_contact(&mut self, time: f64, group: u64, kind: Kind, discs: [u64; 2]) -> bool {
        let passes = self.is_within(time) && self.names_one_of(discs.into_iter());
        if !passes || self.only.is_some_and(|only| only != kind) {
            return false;
        }
        let kept = match self.latest {
            Some((latest, kept)) if latest == group => kept,
            _ => {
                let kept = self.passed.is_multiple_of(self.sample);
                self.passed += 1;
                self.latest = Some((group, kept));
                kept
            }
        };
        self.kept += u64::from(kept);
        kept
    }

    /// Whether an event that is no impact is written. They are too few to be sampled.
    pub(crate) fn keeps_other(&mut self, time: f64, event: &Other) -> bool {
        self.keeps_what_names(time, event.discs())
    }

    /// The same by the discs that it is about.
    pub(crate) fn keeps_what_names(&mut self, time: f64, discs: impl Iterator<Item = u64>) -> bool {
        let kept = self.only.is_none() && self.is_within(time) && self.names_one_of(discs);
        self.kept += u64::from(kept);
        kept
    }

    fn is_within(&self, time: f64) -> bool {
        self.from <= time && time < self.until
    }

    fn names_one_of(&self, mut discs: impl Iterator<Item = u64>) -> bool {
        self.discs.is_empty() || discs.any(|disc| self.discs.binary_search(&disc).is_ok())
    }
}

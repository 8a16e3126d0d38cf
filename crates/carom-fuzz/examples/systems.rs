//! Plays the systems of one to three discs from FROM to TO, compares them with integrated equations of
//! motion, and says of each kind how many were played, set aside and why, off, and off by little as rest
//! is coarse.
//!
//! ```text
//! cargo run -p carom-fuzz --release --example systems -- FROM TO
//! ```

use carom_fuzz::systems::{Aside, KINDS, Outcome, drawn, system};
use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::process::exit;

/// What came of the systems of a kind.
#[derive(Clone, Default)]
struct Tally {
    played: usize,
    /// Those that were compared up to some time only, and those that were not compared, by the reason.
    aside: [BTreeMap<Aside, usize>; 2],
    off: usize,
    /// Those that are within the tolerance at the finest rest only.
    coarse: usize,
    /// The largest difference of those that are not off.
    most: f64,
}

fn main() {
    let Some((from, to)) = asked() else {
        eprintln!("usage: systems FROM TO");
        exit(2)
    };
    let mut tallies = vec![Tally::default(); KINDS.len()];
    for number in from..to {
        let kind = (number % KINDS.len() as u64) as usize;
        if to == from + 1 {
            println!("{:#?}", drawn(number));
        }
        match catch_unwind(|| system(number)) {
            Ok(outcome) => tallies[kind].take(number, &outcome),
            Err(_) => {
                tallies[kind].off += 1;
                println!("FAILED {number}, {}", KINDS[kind]);
            }
        }
    }
    for (kind, tally) in KINDS.iter().zip(&tallies) {
        println!("{}", tally.line(kind));
    }
    let sum = |of: fn(&Tally) -> usize| tallies.iter().map(of).sum::<usize>();
    let aside = sum(|tally| tally.aside[1].values().sum());
    let off = sum(|tally| tally.off);
    println!(
        "{from}..{to}: {} played, {aside} set aside, {off} off, {} coarse",
        sum(|tally| tally.played),
        sum(|tally| tally.coarse)
    );
    exit(i32::from(off > 0));
}

/// Reads `FROM TO`: the numbers from FROM on, one without TO. None where it is something else.
fn asked() -> Option<(u64, u64)> {
    let mut arguments = std::env::args().skip(1);
    let from = arguments.next()?.parse().ok()?;
    let to = arguments.next().map_or(Some(from + 1), |number| number.parse().ok())?;
    Some((from, to))
}

impl Tally {
    fn take(&mut self, number: u64, outcome: &Outcome) {
        if let Some(reason) = outcome.aside {
            *self.aside[usize::from(outcome.compared == 0)].entry(reason).or_default() += 1;
        }
        self.played += usize::from(outcome.compared > 0);
        let (count, word) = match (outcome.is_off(), outcome.finest) {
            (true, _) => (&mut self.off, "OFF"),
            (false, Some(_)) => (&mut self.coarse, "COARSE"),
            (false, None) => {
                self.most = self.most.max(outcome.off);
                return;
            }
        };
        *count += 1;
        let since = outcome.since.map_or(String::new(), |since| format!(" since {since:.3}"));
        let order = format!("by order {:.1e}", outcome.by_order);
        let moves = if outcome.moves { ", moves at rest" } else { "" };
        let finest = outcome.finest.map_or(String::new(), |off| format!(", by {off:.1e} at the finest rest"));
        let refused = outcome.refused.map_or(String::new(), |refused| format!(", {refused:?}"));
        let kind = KINDS[(number % KINDS.len() as u64) as usize];
        println!(
            "{word} {number}, {kind}: by {:.1e}{since}{finest}, {order}{moves}{refused} {:?}",
            outcome.off, outcome.differs
        );
    }

    fn line(&self, kind: &str) -> String {
        let [partly, wholly] = &self.aside;
        let reasons = |of: &BTreeMap<Aside, usize>| {
            let each: Vec<String> = of.iter().map(|(reason, count)| format!("{reason:?} {count}")).collect();
            if each.is_empty() { "none".to_owned() } else { each.join(", ") }
        };
        format!(
            "{kind}: {} played, by {:.1e} at most; set aside: {}; from some time on: {}; {} off, {} coarse",
            self.played,
            self.most,
            reasons(wholly),
            reasons(partly),
            self.off,
            self.coarse,
        )
    }
}

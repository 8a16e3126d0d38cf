//! Physics against what is known: every number beside the one it should be, and its error.
//!
//! `cargo run --release --example validation -- [SUBJECT ...] [--times K]`
//!
//! Subjects: `lorentz`, `billiards`, `two-discs`, `equilibrium`, `virial`, `periodic`, `haff`; without any,
//! all of these. And `dense`, which takes long and is run if it is named. `--times K` makes the
//! runs K times as long (1, the default, takes minutes; the tables in `docs/validation/` say what they were
//! made with). Each prints a table in Markdown. The last column is the deviation in standard errors: two in
//! three should be below 1.

mod billiards;
mod equilibrium;
mod haff;
mod lorentz;
mod periodic;
mod statistics;
mod table;
mod two_discs;
mod virial;

use std::error::Error;

type Report = fn(f64) -> Result<(), Box<dyn Error>>;

/// By name; the last of them only by name.
const SUBJECTS: [(&str, Report); 8] = [
    ("lorentz", lorentz::report),
    ("billiards", billiards::report),
    ("two-discs", two_discs::report),
    ("equilibrium", equilibrium::report),
    ("virial", virial::report),
    ("periodic", periodic::report),
    ("haff", haff::report),
    ("dense", periodic::report_dense),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut chosen = Vec::new();
    let mut times = 1.0;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--times" {
            times = arguments.next().ok_or("--times needs a number")?.parse()?;
        } else {
            let known = SUBJECTS.iter().find(|(name, _)| *name == argument);
            chosen.push(*known.ok_or_else(|| format!("there is no subject `{argument}`"))?);
        }
    }
    if chosen.is_empty() {
        chosen.extend(&SUBJECTS[..SUBJECTS.len() - 1]);
    }
    for (_, report) in chosen {
        report(times)?;
        println!();
    }
    Ok(())
}

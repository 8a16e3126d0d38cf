//! The table at the end of a run.

use crate::error::CliError;
use crate::numbers::{duration, grouped, number, relative};
use carom_engine::math::Shown;
use carom_engine::{Counters, DVec2, Ledger, Physics, World};
use carom_scene::{Built, Grown, Scene, escaped};
use std::fmt::Write as _;
use std::time::Duration;

/// What is measured of a world at the start and at the end.
#[derive(Clone, Copy)]
pub(crate) struct Measures {
    kinetic: f64,
    /// Under forces.
    potential: Option<f64>,
    /// Of discs that turn.
    rotational: Option<f64>,
    momentum: DVec2,
}

impl Measures {
    pub(crate) fn of<P: Physics>(world: &World<P>) -> Self {
        let potential = P::ACCELERATED.then(|| world.potential_energy());
        let rotational = P::TURNING.is_some().then(|| world.rotational_energy());
        Self { kinetic: world.kinetic_energy(), potential, rotational, momentum: world.momentum() }
    }

    fn energy(&self) -> f64 {
        self.kinetic + self.rotational.unwrap_or(0.0) + self.potential.unwrap_or(0.0)
    }
}

/// How a run ended.
#[derive(Clone, Copy)]
pub(crate) enum Ending {
    Reached,
    /// `--max-events`.
    Stopped,
    Crushed,
    /// `events` took the world no further than `advanced`.
    NoProgress {
        events: u64,
        advanced: f64,
    },
    Interrupted,
}

impl Ending {
    fn words(self) -> &'static str {
        match self {
            Self::Reached => "",
            Self::Stopped => ", stopped by --max-events",
            Self::Crushed => ", crushed",
            Self::NoProgress { .. } => ", where it makes no progress",
            Self::Interrupted => ", interrupted",
        }
    }

    /// What the command ends with, at this time of the world.
    pub(crate) fn into_result(self, time: f64) -> Result<(), CliError> {
        match self {
            Self::Crushed => Err(CliError::Crushed { time }),
            Self::NoProgress { events, advanced } => Err(CliError::NoProgress { time, events, advanced }),
            Self::Interrupted => Err(CliError::Interrupted { time }),
            Self::Reached | Self::Stopped => Ok(()),
        }
    }
}

pub(crate) struct Report<'run> {
    pub(crate) scene: &'run Scene,
    pub(crate) discs: usize,
    /// What the world takes.
    pub(crate) bytes: usize,
    /// What its clock shows at the end.
    pub(crate) now: f64,
    pub(crate) counters: Counters,
    /// Where the kinetic energy came from and went: up to the start and the end.
    pub(crate) ledgers: [Ledger; 2],
    pub(crate) walls: usize,
    /// What was done about overlaps at the start.
    pub(crate) overlaps: Option<String>,
    /// How the discs have grown before the start.
    pub(crate) grown: Option<Grown>,
    /// Where this run began, and what had been counted by then.
    pub(crate) from: f64,
    pub(crate) counted: Counters,
    pub(crate) ending: Ending,
    pub(crate) events: u64,
    /// Groups of contacts.
    pub(crate) impacts: u64,
    /// Lines of the events file, if some are left out.
    pub(crate) kept: Option<u64>,
    pub(crate) before: Measures,
    pub(crate) after: Measures,
    /// What it took to set up the world and its schedule, and to run it.
    pub(crate) setting_up: Duration,
    pub(crate) running: Duration,
    pub(crate) written: &'run [String],
}

impl Report<'_> {
    pub(crate) fn text(&self) -> String {
        let mut text = self.heading();
        for (name, value) in self.rows() {
            let _ = writeln!(text, "  {name:<12}  {value}");
        }
        text.push('\n');
        for [name, before, after, change] in self.conserved() {
            let line = format!("  {name:<12}  {before:>14}  {after:>14}  {change:>16}");
            let _ = writeln!(text, "{}", line.trim_end());
        }
        if !self.written.is_empty() {
            let _ = writeln!(text, "\n  {:<12}  {}", "written", escaped(&self.written.join(", ")));
        }
        text
    }

    fn heading(&self) -> String {
        let (name, title) = (escaped(&self.scene.name), escaped(&self.scene.title));
        if title.is_empty() || title == name {
            format!("{name}\n\n")
        } else {
            format!("{title} ({name})\n\n")
        }
    }

    fn rows(&self) -> Vec<(&'static str, String)> {
        let mut rows = vec![("discs", grouped(self.discs as u64)), ("walls", grouped(self.walls as u64))];
        rows.extend(self.overlaps.clone().map(|overlaps| ("overlaps", overlaps)));
        rows.extend(self.grown.map(|Grown { from, to, events, .. }| {
            let events = grouped(events);
            ("grown", format!("from packing {from:.3} to {}, {events} events before the start", Shown(to)))
        }));
        let from = if self.from == 0.0 { String::new() } else { format!(" (from {} s)", Shown(self.from)) };
        let now = Shown(self.now);
        rows.push(("simulated", format!("to {now} s{from}{}", self.ending.words())));
        rows.push(("events", grouped(self.events)));
        let (counters, earlier) = (self.counters, self.counted);
        let impacts = grouped(self.impacts);
        let discs = grouped(counters.disc_impacts - earlier.disc_impacts);
        let walls = grouped(counters.wall_impacts - earlier.wall_impacts);
        rows.push(("contacts", format!("{discs} disc to disc, {walls} at walls, in {impacts} impacts")));
        rows.extend(self.kept.map(|kept| ("kept", format!("{} lines in the events file", grouped(kept)))));
        let chords = counters.slides - earlier.slides;
        if chords > 0 {
            rows.push(("slides", format!("{} chords along curved walls", grouped(chords))));
        }
        let joined = counters.made_plastic - earlier.made_plastic;
        if joined > 0 {
            rows.push(("joined", format!("{} collapses", grouped(joined))));
        }
        let [stops, pieces] = [counters.changes - earlier.changes, counters.pieces - earlier.pieces];
        if stops > 0 {
            rows.push(("stopped", format!("{} times by friction or a speed limit", grouped(stops))));
        }
        if pieces > 0 {
            rows.push(("held", format!("{} pieces of the motion of discs that touch", grouped(pieces))));
        }
        rows.extend(self.ledger().map(|entries| ("energy by", entries)));
        rows.push(("set-up", duration(self.setting_up)));
        let seconds = self.running.as_secs_f64();
        let rate = if self.events > 0 && seconds > 0.0 {
            format!(", {} events per second", grouped((self.events as f64 / seconds) as u64))
        } else {
            String::new()
        };
        rows.push(("run", format!("{}{rate}", duration(self.running))));
        // What it takes for each of a few says nothing.
        if let (bytes, discs @ 1000..) = (self.bytes, self.discs) {
            let megabytes = number(bytes as f64 * 1e-6);
            rows.push(("memory", format!("{megabytes} MB for the world, {} bytes a disc", bytes / discs)));
        }
        rows
    }

    /// What elastic impacts keep, before and after.
    fn conserved(&self) -> Vec<[String; 4]> {
        let (before, after) = (self.before, self.after);
        let row = |name: &str, [before, after]: [f64; 2], change: String| {
            [name.to_owned(), number(before), number(after), change]
        };
        let momentum = |name, axis: usize| {
            let [before, after] = [before.momentum[axis], after.momentum[axis]];
            row(name, [before, after], number(after - before))
        };
        let mut rows = vec![["", "at the start", "at the end", "change"].map(str::to_owned)];
        if before.potential.or(before.rotational).is_some() {
            let parts = [
                ("kinetic", Some(before.kinetic), Some(after.kinetic)),
                ("rotational", before.rotational, after.rotational),
                ("potential", before.potential, after.potential),
            ];
            for (name, earlier, later) in parts {
                let (Some(earlier), Some(later)) = (earlier, later) else { continue };
                rows.push(row(name, [earlier, later], number(later - earlier)));
            }
        }
        let energy = [before.energy(), after.energy()];
        // Where the zero of the potential energy is means nothing, and nor would a ratio to the sum.
        let is_kinetic = [before, after].iter().all(|measures| measures.potential.unwrap_or(0.0) == 0.0);
        let from = if is_kinetic { energy[0] } else { 0.0 };
        rows.push(row("energy", energy, relative(energy[1] - energy[0], from)));
        rows.extend([momentum("momentum x", 0), momentum("momentum y", 1)]);
        rows
    }

    /// What changed the kinetic energy, rounding aside.
    fn ledger(&self) -> Option<String> {
        let ledger = self.ledgers[1].since(&self.ledgers[0]);
        // Forces may set in motion what is at rest at the start.
        let largest = ledger.entries().map(|(_, added)| added.abs()).fold(0.0, f64::max);
        let least = 1e-12 * if self.before.potential.is_some() { largest } else { self.before.kinetic };
        let entries = ledger.entries().filter(|(_, added)| added.abs() > least);
        let entries: Vec<String> =
            entries.map(|(name, added)| format!("{} {}", name.replace('_', " "), number(added))).collect();
        (!entries.is_empty()).then(|| entries.join(", "))
    }
}

/// What was done about overlaps at the start, if the scene asked for it and there were any.
pub(crate) fn overlaps<P: Physics>(built: &Built<P>) -> Option<String> {
    if let Some(parted) = &built.parted {
        let pushed = parted.overlaps.iter().filter(|overlap| overlap.impulse > 0.0).count();
        let [pushed, all] = [pushed, parted.overlaps.len()].map(|n| grouped(n as u64));
        return Some(format!("{all}, of which {pushed} were parted, energy {:+.3e}", parted.energy_added));
    }
    let farthest = built.moved.iter().map(|moved| moved.from.distance(moved.to)).reduce(f64::max)?;
    let moved = grouped(built.moved.len() as u64);
    Some(format!("moved {moved} of the discs, by {} at most", number(farthest)))
}

/// The report goes where no data goes.
pub(crate) fn say(text: &str, data_on_stdout: bool) -> Result<(), CliError> {
    if data_on_stdout {
        use std::io::Write as _;
        return std::io::stderr()
            .write_all(text.as_bytes())
            .map_err(|source| CliError::writing("standard error", source));
    }
    crate::list::print(text)
}

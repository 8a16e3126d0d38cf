//! The table at the end of a run.

use carom_engine::{Counters, DVec2, World};
use carom_scene::{Built, Grown, Scene};
use std::fmt::Write as _;
use std::time::Duration;

/// What is measured of a world at the start and at the end.
#[derive(Clone, Copy)]
pub(crate) struct Measures {
    energy: f64,
    momentum: DVec2,
}

impl Measures {
    pub(crate) fn of(world: &World) -> Self {
        Self { energy: world.kinetic_energy(), momentum: world.momentum() }
    }
}

/// How a run ended.
pub(crate) enum Ending {
    Reached,
    /// `--max-events`.
    Stopped,
    Crushed,
}

pub(crate) struct Report<'run> {
    pub(crate) scene: &'run Scene,
    pub(crate) world: &'run World,
    pub(crate) walls: usize,
    /// What was done about overlaps at the start.
    pub(crate) overlaps: Option<String>,
    /// How the discs have grown before the start.
    pub(crate) grown: Option<Grown>,
    /// Where this run began, and what had been counted by then.
    pub(crate) from: f64,
    pub(crate) counted: Counters,
    pub(crate) ending: &'run Ending,
    pub(crate) events: u64,
    /// Contacts in the events file, if some are left out.
    pub(crate) kept: Option<u64>,
    pub(crate) before: Measures,
    pub(crate) after: Measures,
    pub(crate) took: Duration,
    pub(crate) written: &'run [String],
}

impl Report<'_> {
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let title = if self.scene.title.is_empty() { "" } else { self.scene.title.as_str() };
        let name = printable(&self.scene.name);
        if title.is_empty() || title == self.scene.name {
            let _ = writeln!(text, "{name}\n");
        } else {
            let _ = writeln!(text, "{} ({name})\n", printable(title));
        }
        let mut row = |name: &str, value: String| {
            let _ = writeln!(text, "  {name:<12}  {value}");
        };
        let (counters, earlier) = (self.world.counters(), self.counted);
        let now = self.world.now().as_secs();
        row("discs", grouped(self.world.len() as u64));
        row("walls", grouped(self.walls as u64));
        if let Some(overlaps) = &self.overlaps {
            row("overlaps", overlaps.clone());
        }
        if let Some(Grown { from, to, events, .. }) = self.grown {
            row(
                "grown",
                format!("from packing {from:.3} to {to}, {} events before the start", grouped(events)),
            );
        }
        let ending = match self.ending {
            Ending::Reached => "",
            Ending::Stopped => ", stopped by --max-events",
            Ending::Crushed => ", crushed",
        };
        let from = if self.from == 0.0 { String::new() } else { format!(" (from {} s)", self.from) };
        row("simulated", format!("to {now} s{from}{ending}"));
        row("events", grouped(self.events));
        let discs = counters.disc_impacts - earlier.disc_impacts;
        let walls = counters.wall_impacts - earlier.wall_impacts;
        row("contacts", format!("{} disc to disc, {} at walls", grouped(discs), grouped(walls)));
        if let Some(kept) = self.kept {
            row("kept", format!("{} of them in the events file", grouped(kept)));
        }
        let joined = counters.made_plastic - earlier.made_plastic;
        let taken = counters.energy_taken - earlier.energy_taken;
        // Rounding aside.
        if joined > 0 || taken > 1e-12 * self.before.energy {
            row(
                "joined",
                format!("{} collapses; with locked groups that took {taken:.3e} of energy", grouped(joined)),
            );
        }
        let seconds = self.took.as_secs_f64();
        let rate = if self.events > 0 && seconds > 0.0 {
            format!(", {} events per second", grouped((self.events as f64 / seconds) as u64))
        } else {
            String::new()
        };
        row("wall time", format!("{}{rate}", duration(self.took)));
        // What it takes for each of a few says nothing.
        if let (bytes, discs @ 1000..) = (self.world.bytes(), self.world.len()) {
            let megabytes = number(bytes as f64 * 1e-6);
            row("memory", format!("{megabytes} MB for the world, {} bytes a disc", bytes / discs));
        }

        let cells = [
            ["".to_owned(), "at the start".to_owned(), "at the end".to_owned(), "change".to_owned()],
            [
                "energy".to_owned(),
                number(self.before.energy),
                number(self.after.energy),
                relative(self.after.energy - self.before.energy, self.before.energy),
            ],
            [
                "momentum x".to_owned(),
                number(self.before.momentum.x),
                number(self.after.momentum.x),
                number(self.after.momentum.x - self.before.momentum.x),
            ],
            [
                "momentum y".to_owned(),
                number(self.before.momentum.y),
                number(self.after.momentum.y),
                number(self.after.momentum.y - self.before.momentum.y),
            ],
        ];
        text.push('\n');
        for [name, before, after, change] in cells {
            let line = format!("  {name:<12}  {before:>14}  {after:>14}  {change:>16}");
            let _ = writeln!(text, "{}", line.trim_end());
        }
        if !self.written.is_empty() {
            let _ = writeln!(text, "\n  {:<12}  {}", "written", self.written.join(", "));
        }
        text
    }
}

/// What was done about overlaps at the start, if the scene asked for it and there were any.
pub(crate) fn overlaps(built: &Built) -> Option<String> {
    if let Some(parted) = &built.parted {
        let pushed = parted.overlaps.iter().filter(|overlap| overlap.impulse > 0.0).count();
        let [pushed, all] = [pushed, parted.overlaps.len()].map(|n| grouped(n as u64));
        return Some(format!("{all}, of which {pushed} were parted, energy {:+.3e}", parted.energy_added));
    }
    let farthest = built.moved.iter().map(|moved| moved.from.distance(moved.to)).reduce(f64::max)?;
    let moved = grouped(built.moved.len() as u64);
    Some(format!("moved {moved} of the discs, by {} at most", number(farthest)))
}

/// Six digits, as long as that is not silly.
fn number(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e7).contains(&size) {
        let whole = size.log10().floor() as i32 + 1;
        format!("{value:.*}", (6 - whole).clamp(0, 8) as usize)
    } else {
        format!("{value:.3e}")
    }
}

/// A change in relation to where it started: in percent where that can be read, as a power of ten where it is rounding.
fn relative(change: f64, from: f64) -> String {
    let ratio = change / from;
    if change == 0.0 {
        "none".to_owned()
    } else if !ratio.is_finite() {
        number(change)
    } else if ratio.abs() >= 1e-4 {
        format!("{:+.2} %", 100.0 * ratio)
    } else {
        format!("{ratio:+.1e} of it")
    }
}

fn duration(took: Duration) -> String {
    let seconds = took.as_secs_f64();
    if seconds >= 60.0 {
        format!("{} min {:.0} s", (seconds / 60.0).floor(), seconds % 60.0)
    } else if seconds >= 1.0 {
        format!("{seconds:.2} s")
    } else if seconds >= 1e-3 {
        format!("{:.2} ms", seconds * 1e3)
    } else {
        format!("{:.0} µs", seconds * 1e6)
    }
}

/// A whole number with its thousands apart.
pub(crate) fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// Titles come from files: no control characters on the terminal.
fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_say_what_matters() {
        assert_eq!([0, 12, 1234, 1_234_567].map(grouped), ["0", "12", "1 234", "1 234 567"]);
        assert_eq!(
            [0.0, 1.0, -12.34567, 0.00123456, 1e-9].map(number),
            ["0", "1.00000", "-12.3457", "0.00123456", "1.000e-9"]
        );
        assert_eq!(relative(-0.5, 2.0), "-25.00 %");
        assert_eq!(relative(4e-15, 2.0), "+2.0e-15 of it");
        assert_eq!((relative(0.0, 0.0).as_str(), relative(1.0, 0.0).as_str()), ("none", "1.00000"));
        assert_eq!(duration(Duration::from_millis(90_500)), "1 min 30 s");
    }
}

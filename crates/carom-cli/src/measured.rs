//! What was measured, as a table and as JSON.

use crate::numbers::{brief, grouped, number};
use carom_observe::{Blocking, Estimate};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A mean, and its error where the series is long enough for its memory.
pub(crate) struct Quantity {
    pub(crate) name: &'static str,
    pub(crate) value: f64,
    pub(crate) error: Option<f64>,
}

impl Quantity {
    pub(crate) fn of(name: &'static str, series: &Blocking) -> Self {
        let error = series.estimate().map(|estimate| estimate.error);
        Self { name, value: series.mean().unwrap_or(f64::NAN), error }
    }

    pub(crate) fn times(self, factor: f64) -> Self {
        let error = self.error.map(|error| error * factor.abs());
        Self { value: self.value * factor, error, ..self }
    }

    pub(crate) fn inverse(&self, name: &'static str) -> Self {
        let value = self.value.recip();
        Self { name, value, error: self.error.map(|error| error * value * value) }
    }
}

/// The temperature at a time.
pub(crate) struct Cooled {
    pub(crate) time: f64,
    pub(crate) temperature: f64,
}

pub(crate) struct Measured {
    pub(crate) scene: String,
    pub(crate) discs: usize,
    pub(crate) from: f64,
    pub(crate) until: f64,
    pub(crate) samples: usize,
    pub(crate) quantities: Vec<Quantity>,
    /// r and g; k and S; seconds and the mean square displacement.
    pub(crate) radial: Vec<[f64; 2]>,
    pub(crate) structure: Vec<[f64; 2]>,
    pub(crate) displacement: Vec<[f64; 2]>,
    /// Speeds and free times, and their probability densities.
    pub(crate) speeds: Vec<[f64; 2]>,
    pub(crate) free_times: Vec<[f64; 2]>,
    pub(crate) cooling: Vec<Cooled>,
}

impl Measured {
    /// The table that is printed.
    pub(crate) fn table(&self, events: u64) -> String {
        let mut text = format!(
            "{}: {} discs, {} to {} s, {} samples, {} events\n",
            carom_scene::escaped(&self.scene),
            grouped(self.discs as u64),
            brief(self.from),
            brief(self.until),
            self.samples,
            grouped(events),
        );
        for &Quantity { name, value, error } in &self.quantities {
            let words = match error {
                // What is kept has no error that its digits could be cut to.
                Some(0.0) => format!("{} ± 0", number(value)),
                Some(error) => Estimate { value, error }.to_string(),
                None => format!("{} (too few samples for an error)", number(value)),
            };
            let _ = writeln!(text, "  {name:<22} {words}");
        }
        if let ([first, ..], [.., last]) = (&self.cooling[..], &self.cooling[..]) {
            let [first, last] = [first, last].map(|one| number(one.temperature));
            let _ = writeln!(text, "  {:<22} {first} -> {last}", "temperature, change");
        }
        if let Some(&[seconds, square]) = self.displacement.last() {
            let diffusion = number(square / (4.0 * seconds));
            let _ = writeln!(text, "  {:<22} {diffusion} over {} s", "diffusion, <r²>/4t", number(seconds));
        }
        let highest = |curve: &[[f64; 2]]| curve.iter().copied().max_by(|a, b| a[1].total_cmp(&b[1]));
        for (name, curve) in [("g(r), highest", &self.radial), ("S(k), highest", &self.structure)] {
            if let Some([at, value]) = highest(curve) {
                let _ = writeln!(text, "  {name:<22} {} at {}", number(value), number(at));
            }
        }
        text
    }

    pub(crate) fn json(&self) -> String {
        let finite = |value: f64| if value.is_finite() { json!(value) } else { Value::Null };
        let curve = |names: [&str; 2], points: &[[f64; 2]]| -> Value {
            let points = points.iter().map(|&[x, y]| json!({ names[0]: finite(x), names[1]: finite(y) }));
            points.collect()
        };
        let quantities = self.quantities.iter().map(|quantity| {
            json!({ "name": quantity.name, "value": finite(quantity.value),
                    "error": quantity.error.map_or(Value::Null, finite) })
        });
        let cooling: Vec<[f64; 2]> = self.cooling.iter().map(|one| [one.time, one.temperature]).collect();
        let whole = json!({
            "scene": self.scene, "discs": self.discs, "from": self.from, "until": self.until,
            "samples": self.samples, "quantities": quantities.collect::<Value>(),
            "radial": curve(["r", "g"], &self.radial),
            "structure": curve(["k", "s"], &self.structure),
            "displacement": curve(["seconds", "square"], &self.displacement),
            "speeds": curve(["speed", "density"], &self.speeds),
            "free_times": curve(["seconds", "density"], &self.free_times),
            "cooling": curve(["time", "temperature"], &cooling),
        });
        format!("{whole:#}\n")
    }
}

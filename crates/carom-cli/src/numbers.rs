//! Numbers and durations as a report words them.

use carom_engine::math::Shown;
use std::time::Duration;

/// Six digits, as long as that is not silly.
pub(crate) fn number(value: f64) -> String {
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

/// At most six digits, without zeros at the end.
pub(crate) fn brief(value: f64) -> String {
    Shown(format!("{value:.5e}").parse().unwrap_or(value)).to_string()
}

/// A change in relation to where it started: in percent where that can be read, as a power of ten where it is
/// rounding.
pub(crate) fn relative(change: f64, from: f64) -> String {
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

pub(crate) fn duration(took: Duration) -> String {
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
        assert_eq!([0.0, 2.4000000000000004, 1e-9, f64::INFINITY].map(brief), ["0", "2.4", "1e-9", "inf"]);
        assert_eq!(relative(-0.5, 2.0), "-25.00 %");
        assert_eq!(relative(4e-15, 2.0), "+2.0e-15 of it");
        assert_eq!((relative(0.0, 0.0).as_str(), relative(1.0, 0.0).as_str()), ("none", "1.00000"));
        assert_eq!(duration(Duration::from_millis(90_500)), "1 min 30 s");
    }
}

use core::fmt;

/// A number as a message writes it: exact and short, `1e308` where [`f64`] itself writes 309 digits. What is
/// read back has the same bits.
///
/// ```
/// use carom_math::Shown;
///
/// let texts = [0.1, -3.0, 1e308, 5e-324, f64::INFINITY].map(|number| Shown(number).to_string());
/// assert_eq!(texts, ["0.1", "-3", "1e308", "5e-324", "inf"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown(pub f64);

/// From here on, and below its counterpart, a power of ten is shorter than zeros are.
const LARGE: f64 = 1e16;
const SMALL: f64 = 1e-4;

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (SMALL..LARGE).contains(&size) {
            fmt::Display::fmt(&self.0, f)
        } else {
            fmt::LowerExp::fmt(&self.0, f)
        }
    }
}

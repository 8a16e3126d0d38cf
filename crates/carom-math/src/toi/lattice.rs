/// The first k ≥ 0 at which `offset + k · step` is within `half_width` of a whole number, if there is such a
/// k.
///
/// This is the search for the scatterer that a straight path meets first in a lattice, one-dimensional on
/// the circle: the multiples of a step modulo 1 come into an interval, by Euclid's algorithm on step and
/// circle, O(log 1/`half_width`) divisions where the step is not a simple fraction, and at most 63.
///
/// The numbers are rounded to 2⁻⁶³, and `k · step` is as exact as `step`; `half_width` is to allow for both.
pub(crate) fn first_multiple_within(offset: f64, step: f64, half_width: f64) -> Option<u64> {
    if half_width >= 0.5 {
        return Some(0);
    }
    let start = on_circle(offset + half_width);
    let width = (2.0 * half_width * CIRCLE as f64) as u64;
    if start <= width {
        return Some(0);
    }
    first_multiple(on_circle(step), CIRCLE, CIRCLE - start, CIRCLE - start + width)
}

/// The length of the circle.
const CIRCLE: u64 = 1 << 63;

/// A number modulo 1, in parts of the circle.
fn on_circle(x: f64) -> u64 {
    let whole = x as i64 as f64;
    let part = x - whole;
    let part = if part < 0.0 { part + 1.0 } else { part };
    ((part * CIRCLE as f64) as u64) & (CIRCLE - 1)
}

/// The least k at which k · step modulo the circle is from `low` to `high`, where 0 < `low` ≤ `high` <
/// `circle`.
///
/// The multiples go round the circle. If one falls into the interval in the first round, it is the first one
/// from `low` on. Else after `r` rounds the multiples must have come to an interval that begins `r circle +
/// low` from the start: one lies in it if that is not more than `high − low` before a multiple of the step.
/// That is the same question, with `r` for `k`, on a circle of length `step`. Step and circle are those of
/// Euclid's algorithm, and as a step beyond half of the circle is taken backwards, the circle at least halves
/// each time.
fn first_multiple(step: u64, circle: u64, low: u64, high: u64) -> Option<u64> {
    if step == 0 {
        return None;
    }
    if step > circle / 2 {
        // Backwards by the shorter way.
        return first_multiple(circle - step, circle, circle - high, circle - low);
    }
    let first = low.div_ceil(step);
    if u128::from(first) * u128::from(step) <= u128::from(high) {
        return Some(first);
    }
    // From `x` to the next multiple of the step.
    let modulo = |x: u64| (step - x % step) % step;
    let rounds = first_multiple(circle % step, step, modulo(high), modulo(low))?;
    let way = u128::from(rounds) * u128::from(circle) + u128::from(low);
    u64::try_from(way.div_ceil(u128::from(step))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_testkit::rng::Rng;

    /// Against counting.
    #[test]
    fn finds_the_first_as_counting_does() {
        let mut rng = Rng::new(5);
        let mut random = || rng.unit();
        let (mut found, mut far) = (0, 0);
        for k in 0..3000 {
            // Multiples of 2⁻⁴⁰, so that counting is exact; some of them simple fractions.
            let grain = (1u64 << if k % 5 == 0 { 4 } else { 40 }) as f64;
            let mut part = |most: f64| ((random() * most * grain) as i64 as f64) / grain;
            let (offset, step) = (part(3.0) - 1.0, part(2.0) - 1.0);
            let half_width = if k % 7 == 0 { 0.0 } else { part(0.5) * part(1.0) * part(1.0) * part(1.0) };
            let half_width = ((half_width * grain) as i64 as f64) / grain;
            let counted = (0..20_000_u64).find(|&k| {
                let x = offset + k as f64 * step;
                (x - libm::round(x)).abs() <= half_width
            });
            let is = first_multiple_within(offset, step, half_width);
            assert_eq!(is.filter(|&is| is < 20_000), counted, "{offset} {step} {half_width}");
            found += u32::from(counted.is_some());
            far += u32::from(counted.is_some_and(|k| k > 100));
        }
        assert!(found > 1500 && far > 300, "{found} {far}");
    }
}

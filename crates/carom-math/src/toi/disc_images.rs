use super::{disc_disc, disc_disc_growing};
use crate::{DVec2, Periods};

/// Time to the first contact of a disc with any of the images of another, in a periodic plane, within a window.
///
/// `d`, `v` and `reach` are as for [`disc_disc`], for one of the images, whichever. The images sought are those that are
/// met in the seconds from `window[0]` to `window[1]`, both finite; whether one that is met before or after is found, too, is
/// left open. `met(d)` tells of an image, by its displacement, whether the two have just met there and do not again.
///
/// The time is that of [`disc_disc`] with the image's displacement, to the last bit: so whoever knows by other means which
/// image it is comes to the same. The images are taken in the order in which the path comes to them, a row at a time, until
/// none can be earlier: O(1 + way / period).
#[must_use]
pub fn disc_disc_images(
    d: DVec2,
    v: DVec2,
    reach: f64,
    periods: &Periods,
    window: [f64; 2],
    met: impl Fn(DVec2) -> bool,
) -> Option<f64> {
    first_of_images(d, v, reach, periods, window, met, |image| disc_disc(image, v, reach))
}

/// As [`disc_disc_images`], of discs that grow at a rate, which is as for [`disc_disc_growing`]. O(1 + way / period + growth /
/// period).
#[must_use]
pub fn disc_disc_images_growing(
    d: DVec2,
    v: DVec2,
    reach: f64,
    rate: f64,
    periods: &Periods,
    window: [f64; 2],
    met: impl Fn(DVec2) -> bool,
) -> Option<f64> {
    // Which images are looked at is decided as if they had grown at once to what they are in the end.
    let most = reach * (1.0 + rate * window[1]);
    first_of_images(d, v, most, periods, window, met, |image| disc_disc_growing(image, v, reach, rate))
}

/// The first of the images that come within `range` along the path, of those that `meet` says are met.
#[inline(always)]
fn first_of_images(
    d: DVec2,
    v: DVec2,
    range: f64,
    periods: &Periods,
    window: [f64; 2],
    met: impl Fn(DVec2) -> bool,
    meet: impl Fn(DVec2) -> Option<f64>,
) -> Option<f64> {
    if periods.is_open() {
        return meet(d).filter(|_| !met(d));
    }
    let rows = Rows::new(d, v, range, periods, window);
    let mut first: Option<f64> = None;
    let mut row = rows.start;
    for _ in 0..=rows.count {
        let [from, to] = rows.crossed(row);
        if first.is_some_and(|first| first < from) {
            break;
        }
        let [low, high] = rows.columns([from, to]);
        let mut column = low;
        while column <= high {
            let image = periods.image(d, rows.turns(row, column));
            if let Some(dt) = meet(image)
                && first.is_none_or(|first| dt < first)
                && !met(image)
            {
                first = Some(dt);
            }
            column += 1.0;
        }
        row += rows.step;
    }
    first
}

/// Images in rows across the axis along which the path crosses more of them.
struct Rows {
    d: [f64; 2],
    v: [f64; 2],
    lengths: [f64; 2],
    /// How far from an image its contact may be, with room for rounding.
    range: f64,
    window: [f64; 2],
    /// The axis that rows are counted along, and the other one.
    along: usize,
    start: f64,
    step: f64,
    count: u64,
}

impl Rows {
    fn new(d: DVec2, v: DVec2, reach: f64, periods: &Periods, window: [f64; 2]) -> Self {
        let pace = (v * periods.inverse()).abs();
        let along = usize::from(if pace.x == pace.y { periods.x().is_none() } else { pace.y > pace.x });
        let far = (d.abs() + v.abs() * window[1]).max_element() + periods.lengths().max_element();
        let mut rows = Rows {
            d: d.to_array(),
            v: v.to_array(),
            lengths: periods.lengths().to_array(),
            range: reach + (reach + far) * 1e-12,
            window,
            along,
            start: 0.0,
            step: 1.0,
            count: 0,
        };
        let [low, high] = rows.numbers(along, window);
        rows.count = if high >= low { (high - low) as u64 } else { 0 };
        (rows.start, rows.step) = if rows.v[along] >= 0.0 { (low, 1.0) } else { (high, -1.0) };
        rows
    }

    /// First and last number of the images within range along an axis, at some time in an interval.
    fn numbers(&self, axis: usize, [from, to]: [f64; 2]) -> [f64; 2] {
        if self.lengths[axis] == 0.0 {
            return [0.0, 0.0];
        }
        let (x, y) = (self.d[axis] + self.v[axis] * from, self.d[axis] + self.v[axis] * to);
        let inverse = 1.0 / self.lengths[axis];
        [-floor((self.range - x.min(y)) * inverse), floor((x.max(y) + self.range) * inverse)]
    }

    /// When, in the window, the path is within range of a row.
    fn crossed(&self, row: f64) -> [f64; 2] {
        let v = self.v[self.along];
        if v == 0.0 {
            return self.window;
        }
        let way = row * self.lengths[self.along] - self.d[self.along];
        let range = if v > 0.0 { self.range } else { -self.range };
        let [from, to] = self.window;
        [((way - range) / v).max(from).min(to), ((way + range) / v).max(from).min(to)]
    }

    /// First and last image of a row that come within range in an interval.
    fn columns(&self, interval: [f64; 2]) -> [f64; 2] {
        self.numbers(1 - self.along, interval)
    }

    fn turns(&self, row: f64, column: f64) -> DVec2 {
        if self.along == 0 { DVec2::new(row, column) } else { DVec2::new(column, row) }
    }
}

/// The whole number below; numbers out of range are brought to its ends.
fn floor(x: f64) -> f64 {
    let whole = x as i64 as f64;
    if whole > x { whole - 1.0 } else { whole }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against trying every image within the way.
    #[test]
    fn finds_what_trying_all_images_finds() {
        let mut state = 1u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let (mut hits, mut others) = (0, 0);
        for k in 0..20_000 {
            let (x, y) = (0.5 + random(), 0.5 + 3.0 * random());
            let periods = match k % 4 {
                0 => Periods::new(Some(x), None),
                1 => Periods::new(None, Some(y)),
                _ => Periods::new(Some(x), Some(y)),
            }
            .unwrap();
            let reach = 0.49 * periods.shortest() * random();
            let mut v = DVec2::new(random() - 0.5, random() - 0.5) * 4.0;
            if k % 16 < 2 {
                v[k % 2] = 0.0;
            }
            // Anywhere apart.
            let d = DVec2::new(random() - 0.5, random() - 0.5) * 8.0;
            if periods.nearest(d).length() <= reach {
                continue;
            }
            let until = 20.0 * random() * random();
            let most = |length: Option<f64>| length.map_or(0, |length| ((45.0 / length) as i32) + 2);
            let mut first: Option<(f64, DVec2)> = None;
            for i in -most(periods.x())..=most(periods.x()) {
                for j in -most(periods.y())..=most(periods.y()) {
                    let image = periods.image(d, DVec2::new(f64::from(i), f64::from(j)));
                    if let Some(dt) = disc_disc(image, v, reach)
                        && first.is_none_or(|(first, _)| dt < first)
                    {
                        first = Some((dt, image));
                    }
                }
            }
            let within = |dt: &f64| *dt <= until;
            let expected = first.map(|(dt, _)| dt).filter(within);
            let found = disc_disc_images(d, v, reach, &periods, [0.0, until], |_| false).filter(within);
            assert_eq!(found, expected, "{d} {v} {reach} {periods:?} {until}");
            hits += u32::from(found.is_some());
            others += u32::from(first.is_some_and(|(dt, image)| dt <= until && !periods.is_nearest(image)));
        }
        // The nearest image is mostly not the one.
        assert!(hits > 5000 && others > 3000, "{hits} {others}");
    }

    /// After 100 √2 periods of a path with the slope of the golden section: the number that a convergent 144/233 of it gives.
    #[test]
    fn flights_of_hundreds_of_periods() {
        let periods = Periods::new(Some(1.0), Some(1.0)).unwrap();
        let slope = 0.5 * (crate::sqrt(5.0) - 1.0);
        // Points at d ≡ (1/2, 1/2): the way past image (i, j) is |(i + ½) s − (j + ½)|/√(1 + s²).
        let (d, v, reach) = (DVec2::splat(0.5), DVec2::new(1.0, slope), 1e-3);
        let found = disc_disc_images(d, -v, reach, &periods, [0.0, 1e4], |_| false).unwrap();
        let past = |i: f64| {
            let y = (i + 0.5) * slope - 0.5;
            (y - libm::round(y)).abs() / crate::sqrt(1.0 + slope * slope)
        };
        let first = (0..10_000).map(f64::from).find(|&i| past(i) < reach).unwrap();
        assert!(first > 100.0 && (found - first).abs() < 1.0, "{found} {first}");
    }

    #[test]
    fn one_that_was_just_met_is_met_again_round_the_world() {
        let periods = Periods::new(Some(10.0), Some(10.0)).unwrap();
        // It flies away to the left, and comes to the image at 10.
        let (d, v) = (DVec2::new(1.0, 0.0), DVec2::new(1.0, 0.0));
        let met = |image| periods.is_nearest(image);
        assert_eq!(disc_disc_images(d, v, 1.0, &periods, [0.0, 100.0], met), Some(8.0));
        // Rounding lets it approach the one that it touches.
        assert_eq!(disc_disc_images(-d, v, 1.0, &periods, [0.0, 100.0], met), Some(10.0));
    }
}

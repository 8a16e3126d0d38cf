use super::lattice::first_multiple_within;
use super::{disc_disc, disc_disc_growing};
use crate::tolerance::{COLUMN_ROUNDING, IMAGE_ROUNDING, WINDOW_MARGIN};
use crate::{DVec2, Periods, sqrt};

/// Time to the first contact of a disc with any of the images of another, in a periodic plane, within a
/// window.
///
/// `d`, `v` and `reach` are as for [`disc_disc`], for any one of the images. Found are the images that are
/// met in the seconds from `window[0]` to `window[1]`, both finite; one that is met before or after may be
/// found, too. `met(d)` says of an image, by its displacement, whether the two have just met there and do
/// not meet again.
///
/// The time is that of [`disc_disc`] with the image's displacement, to the last bit, so that a search that
/// knows the image by other means finds the same time.
///
/// Cost: O(log n) steps for a flight of n periods. Of the rows of images that the path crosses only those are
/// looked at where it passes an image within reach, or nearly so; how many rows lie between is found by
/// `first_multiple_within`. The search ends without a contact after 2³³ periods, where coordinates are
/// rounded to 10⁻⁶ periods, or after 2¹² images that were missed by less than the rounding of the path.
#[must_use]
pub fn disc_disc_images(
    d: DVec2,
    v: DVec2,
    reach: f64,
    periods: &Periods,
    window: [f64; 2],
    met: impl Fn(DVec2) -> bool,
) -> Option<f64> {
    if v == DVec2::ZERO {
        return None;
    }
    first_of_images(&RelativePath { d, v, reach, swelling: 0.0 }, periods, window, met, |image| {
        disc_disc(image, v, reach)
    })
}

/// [`disc_disc_images`] of discs that grow, at a rate like that of [`disc_disc_growing`].
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
    let path = RelativePath { d, v, reach, swelling: reach * rate };
    first_of_images(&path, periods, window, met, |image| disc_disc_growing(image, v, reach, rate))
}

/// The path of one disc relative to another, their reach, and how fast that grows.
struct RelativePath {
    d: DVec2,
    v: DVec2,
    reach: f64,
    swelling: f64,
}

impl RelativePath {
    /// The end of what is to be searched of a window: points never meet; discs grow to at most half of the
    /// shorter period; and without a period along an axis they part along it, if they fly faster than they
    /// grow.
    fn last_contact(&self, periods: &Periods, until: f64) -> f64 {
        if self.reach == 0.0 {
            return -1.0;
        }
        let mut last = until.min((0.5 * periods.shortest() - self.reach).max(0.0) / self.swelling);
        for axis in 0..2 {
            let parting = self.v[axis].abs() - self.swelling;
            if periods.lengths()[axis] == 0.0 && parting > 0.0 {
                let way = (self.reach + self.d[axis].abs()) * (1.0 + WINDOW_MARGIN);
                last = last.min(way / parting * (1.0 + WINDOW_MARGIN));
            }
        }
        last
    }
}

/// Periods in the first stretch of a path that is searched at once.
///
/// A stretch allows for the rounding and the growth at its far end. Longer, and images are looked at that are
/// missed; shorter, and the search of a stretch costs more than the images in it.
const FIRST_STRETCH: f64 = 16.0;
/// By how much each stretch is longer than the one before: few stretches reach any distance.
const STRETCH_RATIO: f64 = 4.0;
/// The longest flight that is searched, in periods: 2³³. Coordinates there are rounded to 10⁻⁶ periods, and a
/// contact farther on would be one of rounding.
const LONGEST_FLIGHT: f64 = (1u64 << 33) as f64;
/// Images that are looked at in vain before a search ends. A path that grazes image after image within
/// rounding meets none of them; without a bound it would be followed for ever.
const MOST_MISSED: u32 = 1 << 12;

/// The first of the images that come within reach along the path, of those that `meet` finds to be met.
#[inline(always)]
fn first_of_images(
    path: &RelativePath,
    periods: &Periods,
    [from, until]: [f64; 2],
    met: impl Fn(DVec2) -> bool,
    meet: impl Fn(DVec2) -> Option<f64>,
) -> Option<f64> {
    let &RelativePath { d, v, reach, swelling } = path;
    if periods.is_open() {
        return meet(d).filter(|_| !met(d));
    }
    let pace = (v * periods.inverse()).abs().max_element();
    let until = path.last_contact(periods, until).min(from + LONGEST_FLIGHT / pace);
    if until < from {
        return None;
    }
    // Discs grow by a quarter in the first stretch.
    let first_stretch = (FIRST_STRETCH / pace).min(0.25 * reach / swelling);
    let (mut start, mut length) = (from, first_stretch);
    let (mut first, mut missed): (Option<f64>, u32) = (None, 0);
    loop {
        let end = if start + length < until { start + length } else { until };
        let mut rows = ImageRows::new(d, v, reach + swelling * end, periods, [start, end]);
        while let Some(row) = rows.next() {
            if first.is_some_and(|first| first < rows.crossed(row)[0]) || missed > MOST_MISSED {
                break;
            }
            let [low, high] = rows.numbers(1 - rows.along, rows.crossed(row));
            let mut column = low;
            while column <= high {
                let image = periods.image(d, rows.periods_to(row, column));
                match meet(image) {
                    Some(dt) if first.is_none_or(|first| dt < first) && !met(image) => first = Some(dt),
                    _ => missed += 1,
                }
                column += 1.0;
            }
        }
        if end == until || first.is_some_and(|first| first <= end) || missed > MOST_MISSED {
            return first;
        }
        (start, length) = (end, length * STRETCH_RATIO);
    }
}

/// Images in rows across the axis along which the path crosses more of them; an iterator over the numbers
/// of those rows in which the path passes an image within range.
struct ImageRows {
    d: [f64; 2],
    v: [f64; 2],
    lengths: [f64; 2],
    /// How far from an image its contact may be, with an allowance for rounding.
    range: f64,
    window: [f64; 2],
    /// The axis that rows are counted along; columns are counted along the other one.
    along: usize,
    /// The next row, how many come after it, and the step from row to row.
    row: f64,
    left: u64,
    step: f64,
    /// In columns, from one row to the next: how far the path moves. And half of the width that it may meet
    /// an image in.
    slope: f64,
    half_width: f64,
}

impl ImageRows {
    /// Chooses the axis along which the path crosses more images, so that it moves by at most about one
    /// column from row to row. In each row it may then meet an image whose column is near that of the path
    /// where it crosses the row: the distance from an image to the line of the path is that along the row
    /// times the cosine of the path's inclination. So the rows with a contact are those in which the column
    /// of the path, which grows by `slope` from row to row, is within `half_width` of a whole number: see
    /// [`first_multiple_within`].
    fn new(d: DVec2, v: DVec2, reach: f64, periods: &Periods, window: [f64; 2]) -> Self {
        let pace = (v * periods.inverse()).abs();
        let along = usize::from(if pace.x == pace.y { periods.x().is_none() } else { pace.y > pace.x });
        let far = (d.abs() + v.abs() * window[1]).max_element() + periods.lengths().max_element();
        let mut rows = ImageRows {
            d: d.to_array(),
            v: v.to_array(),
            lengths: periods.lengths().to_array(),
            range: reach + (reach + far) * IMAGE_ROUNDING,
            window,
            along,
            row: 0.0,
            left: 0,
            step: 1.0,
            slope: 0.0,
            half_width: 0.5,
        };
        rows.clip();
        let [low, high] = rows.numbers(along, rows.window);
        rows.left = if high >= low && rows.window[0] <= rows.window[1] { (high - low) as u64 + 1 } else { 0 };
        (rows.row, rows.step) = if rows.v[along] >= 0.0 { (low, 1.0) } else { (high, -1.0) };
        let (v, across) = (rows.v[along], 1 - along);
        if rows.lengths[across] > 0.0 && v != 0.0 {
            let inclination = rows.v[across] / v;
            rows.slope = rows.step * inclination * rows.lengths[along] / rows.lengths[across];
            let width = rows.range * sqrt(1.0 + inclination * inclination) / rows.lengths[across];
            rows.half_width = width + COLUMN_ROUNDING;
        }
        rows
    }

    /// Without a period across the rows: cuts off the time in which the path is out of range of their only
    /// column.
    fn clip(&mut self) {
        let across = 1 - self.along;
        let (d, v) = (self.d[across], self.v[across]);
        if self.lengths[across] > 0.0 {
            return;
        }
        let range = self.range + d.abs() * IMAGE_ROUNDING;
        let times = [(-range - d) / v, (range - d) / v];
        if v == 0.0 {
            if d.abs() > range {
                self.window[1] = -1.0;
            }
            return;
        }
        let slack = self.window[1] * WINDOW_MARGIN;
        self.window[0] = self.window[0].max(times[0].min(times[1]) - slack);
        self.window[1] = self.window[1].min(times[0].max(times[1]) + slack);
    }

    /// The next row in which the path passes an image within range.
    fn next(&mut self) -> Option<f64> {
        if self.left == 0 {
            return None;
        }
        // Of a wide path, or of the last rows, each is looked at.
        if self.half_width < 0.5 && self.left > 2 {
            let (along, across) = (self.along, 1 - self.along);
            let way = self.row * self.lengths[along] - self.d[along];
            let column = (self.d[across] + way * (self.v[across] / self.v[along])) / self.lengths[across];
            let skipped = first_multiple_within(column, self.slope, self.half_width)?;
            if skipped >= self.left {
                return None;
            }
            self.row += self.step * skipped as f64;
            self.left -= skipped;
        }
        let row = self.row;
        self.row += self.step;
        self.left -= 1;
        Some(row)
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

    /// The numbers of periods to an image, along the axes.
    fn periods_to(&self, row: f64, column: f64) -> DVec2 {
        if self.along == 0 { DVec2::new(row, column) } else { DVec2::new(column, row) }
    }
}

/// The whole number below; numbers out of range are brought to its ends.
pub(super) fn floor(x: f64) -> f64 {
    let whole = x as i64 as f64;
    if whole > x { whole - 1.0 } else { whole }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_testkit::rng::Rng;

    /// Against trying every image within the way.
    #[test]
    fn finds_what_trying_all_images_finds() {
        let mut rng = Rng::new(1);
        let mut random = || rng.unit();
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

    /// After 100 √2 periods of a path with the slope of the golden section: the number that a convergent
    /// 144/233 of it gives.
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

    /// Flights of up to 10⁵ periods, against trying the nearest images in every row.
    #[test]
    fn finds_what_trying_every_row_finds() {
        let mut rng = Rng::new(9);
        let mut random = || rng.unit();
        let (mut hits, mut far) = (0, 0);
        for k in 0..400 {
            let periods = Periods::new(Some(0.5 + random()), Some(1.0 + random())).unwrap();
            let reach = [1e-2, 1e-3, 1e-4, 1e-5][k % 4] * random();
            let mut v = DVec2::new(random() - 0.5, random() - 0.5);
            if k % 8 < 2 {
                // A simple fraction, which comes past the same few places for ever.
                v = DVec2::new(1.0, f64::from(k as u32 % 5) * 0.25) * periods.lengths();
            }
            let d = DVec2::new(random() - 0.5, random() - 0.5) * 8.0;
            let pace = v * periods.inverse();
            let (rows, along) = (100_000, usize::from(pace.y.abs() > pace.x.abs()));
            let until = f64::from(rows) / pace.abs().max_element();
            let mut first: Option<f64> = None;
            for row in 0..rows {
                let way = f64::from(row) * periods.lengths()[along];
                let time = way / v[along].abs();
                let here = periods.whole_periods(d + v * time);
                for shift in [-1.0, 0.0, 1.0] {
                    let mut turns = here;
                    turns[1 - along] += shift;
                    if let Some(dt) = disc_disc(periods.image(d, turns), v, reach) {
                        first = Some(first.map_or(dt, |first| dt.min(first)));
                    }
                }
                if first.is_some_and(|first| first < time - 2.0 / pace.abs().max_element()) {
                    break;
                }
            }
            let within = |dt: &f64| *dt < 0.999 * until;
            let found = disc_disc_images(d, v, reach, &periods, [0.0, until], |_| false);
            assert_eq!(found.filter(within), first.filter(within), "{d} {v} {reach} {periods:?}");
            hits += u32::from(found.is_some());
            far += u32::from(found.is_some_and(|dt| dt > 0.01 * until));
        }
        assert!(hits > 200 && far > 30, "{hits} {far}");
    }

    /// A search to the end of time comes back, whatever the direction; grazing flights along rows, too.
    #[test]
    fn what_is_never_met_is_found_to_be_so() {
        let periods = Periods::new(Some(1.0), Some(1.0)).unwrap();
        for v in [DVec2::X, DVec2::new(1.0, 0.5), DVec2::new(3e15, 1e15), DVec2::new(1e-20, 0.0)] {
            for past in [0.1, 1e-9, 1e-15, 0.0] {
                // A path through the origin whose nearest other images pass at 1/√(p² + q²) of a period or
                // more.
                let across = DVec2::new(-v.y, v.x).normalize();
                let d = across * (0.05 + past);
                let found = disc_disc_images(d, v, 0.05, &periods, [0.0, 1e12], |_| false);
                assert!(found.is_none() || past == 0.0 || past < 1e-12, "{v} {past} {found:?}");
            }
        }
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

use super::Motion;
use super::path::Path;
use crate::toi::disc_images::floor;
use crate::tolerance::IMAGE_ROUNDING;
use crate::{DVec2, Periods, sqrt};

/// Legs after which the search along a path ends.
const MOST_LEGS: u32 = 64;

/// Calls `see` with the images of a periodic plane that the disc comes near on its path before `until`.
///
/// The path is that of a disc relative to what it may meet; `range` is how far their centres are apart at
/// contact. `see` is given the displacement from an image at the beginning of the path, and returns the time
/// of the first contact that it knows by then, or infinity: what comes near after that is left out. It may be
/// given an image twice, and images that are not met.
///
/// The path is cut into legs. On a leg the displacement changes by at most one period along each axis. The
/// images that come within range on a leg are those in a box, whose size is bounded by the period and the
/// range. A displacement that grows by `n` periods along an axis takes at most `n + 1` legs. The search ends
/// after 64 legs: what is met later than that is not found.
pub fn for_each_image_near(
    path: &Motion,
    range: f64,
    until: f64,
    periods: &Periods,
    mut see: impl FnMut(DVec2) -> f64,
) {
    let (d, whole) = (path.position, path.path_from(DVec2::ZERO));
    if periods.is_open() {
        see(d);
        return;
    }
    let (mut start, mut seen) = (0.0, None);
    for _ in 0..MOST_LEGS {
        let end = (start + leg(&whole, start, periods)).min(until);
        let [low, high] = images_near(&whole, range, periods, [start, end]);
        let mut first = f64::INFINITY;
        let mut across = low.x;
        while across <= high.x {
            let mut up = low.y;
            while up <= high.y {
                let count = DVec2::new(across, up);
                let is_new = seen
                    .is_none_or(|[low, high]: [DVec2; 2]| count.cmplt(low).any() || count.cmpgt(high).any());
                if is_new {
                    first = see(periods.image(d, count)).min(first);
                }
                up += 1.0;
            }
            across += 1.0;
        }
        // A contact that is known ends the search where the path has come to it.
        if !(end < until) || first <= end || end == start {
            return;
        }
        (start, seen) = (end, Some([low, high]));
    }
}

/// Seconds, from a time on, in which the path goes at most one period along each axis that has one.
fn leg(path: &Path, start: f64, periods: &Periods) -> f64 {
    periods_last(path.velocity(start), path.a, periods, 1.0)
}

/// How long a disc with this velocity and acceleration stays within `most` periods of its place, along every
/// axis with a period: the least `t` at which `|v| t + ½ |a| t²` is `most` periods long. Infinite where
/// nothing moves along such an axis.
#[must_use]
pub fn periods_last(velocity: DVec2, acceleration: DVec2, periods: &Periods, most: f64) -> f64 {
    let along = |axis: usize| {
        let (v, a) = (velocity[axis].abs(), acceleration[axis].abs());
        let way = most * periods.lengths()[axis];
        if way > 0.0 { 2.0 * way / (v + sqrt(v * v + 2.0 * a * way)) } else { f64::INFINITY }
    };
    along(0).min(along(1))
}

/// The lowest and the highest numbers of periods to the images that may be within range on a leg.
fn images_near(path: &Path, range: f64, periods: &Periods, [from, to]: [f64; 2]) -> [DVec2; 2] {
    // A parabola is in the triangle of its ends and the point in which its tangents there meet.
    let (place, velocity) = (path.at(from), path.velocity(from));
    let still = velocity == DVec2::ZERO && path.a == DVec2::ZERO;
    let half = if still { 0.0 } else { 0.5 * (to - from) };
    let ends = |axis: usize| {
        let (p, v, a) = (place[axis], velocity[axis], path.a[axis]);
        if periods.lengths()[axis] == 0.0 {
            return [0.0; 2];
        }
        // What stays where it is may do so for ever.
        let turn = if v == 0.0 { p } else { p + v * half };
        let end = if v == 0.0 && a == 0.0 { turn } else { turn + (v + 2.0 * a * half) * half };
        let (low, high) = (p.min(turn).min(end), p.max(turn).max(end));
        let size = low.abs().max(high.abs()) + path.d[axis].abs() + periods.lengths()[axis];
        let range = range + (range + size) * IMAGE_ROUNDING;
        let inverse = periods.inverse()[axis];
        [-floor((range - low) * inverse), floor((high + range) * inverse)]
    };
    let ([left, right], [bottom, top]) = (ends(0), ends(1));
    [DVec2::new(left, bottom), DVec2::new(right, top)]
}

#[cfg(test)]
mod tests {
    use super::super::disc_disc;
    use super::*;
    use carom_testkit::rng::Rng;

    /// Against trying every image within the way, and against samples of the path.
    #[test]
    fn finds_what_trying_all_images_finds() {
        let mut rng = Rng::new(11);
        let mut random = || rng.unit();
        let (mut hits, mut others, mut tried) = (0, 0, 0);
        for k in 0..20_000 {
            let (x, y) = (0.5 + random(), 0.5 + 3.0 * random());
            let periods = match k % 4 {
                0 => Periods::new(Some(x), None),
                1 => Periods::new(None, Some(y)),
                _ => Periods::new(Some(x), Some(y)),
            }
            .unwrap();
            let mut vector = |size: f64| DVec2::new(random() - 0.5, random() - 0.5) * (2.0 * size);
            let (d, mut v, mut a) = (vector(2.0), vector(1.0), vector(3.0));
            match k % 7 {
                0 => a = DVec2::ZERO,
                1 => (v.x, a.x) = (0.0, 0.0),
                2 => v = DVec2::ZERO,
                _ => {}
            }
            let reach = 0.25 * random() * periods.shortest();
            if periods.nearest(d).length() < reach {
                continue;
            }
            let until = periods_last(v, a, &periods, 2.0).min(1e3);
            let path = Motion { position: d, velocity: v, acceleration: a, radius: 0.0 };
            let (mut first, mut images) = (f64::INFINITY, 0);
            for_each_image_near(&path, reach, until, &periods, |image| {
                images += 1;
                first = disc_disc(image, v, a, reach, until).unwrap_or(f64::INFINITY).min(first);
                first
            });
            tried += images;
            assert!(images <= 40, "{images} {d} {v} {a} {until}");
            let mut least = f64::INFINITY;
            for across in -12..=12 {
                for up in -12..=12 {
                    let count = DVec2::new(f64::from(across), f64::from(up));
                    let is_once = (0..2).all(|axis| periods.lengths()[axis] > 0.0 || count[axis] == 0.0);
                    if is_once && let Some(t) = disc_disc(periods.image(d, count), v, a, reach, until) {
                        least = t.min(least);
                        others += u32::from(count != periods.whole_periods(d));
                    }
                }
            }
            assert_eq!(first.to_bits(), least.to_bits(), "{first} {least} {d} {v} {a} {reach} {periods:?}");
            hits += u32::from(first.is_finite());
            let end = first.min(until);
            for step in 0..200 {
                let place = path.after(end * f64::from(step) / 200.0).position;
                assert!(periods.nearest(place).length() > reach * (1.0 - 1e-9), "{place} {d} {v} {a}");
            }
        }
        assert!(hits > 3000 && others > 2000, "{hits} {others}");
        assert!(tried < 200_000, "{tried}");
    }

    /// Every point is within half a period of an image along each axis, so each of the 64 legs has one.
    #[test]
    fn an_endless_path_is_searched_for_some_periods() {
        let periods = Periods::new(Some(1.0), Some(1.0)).unwrap();
        let path =
            |a| Motion { position: DVec2::new(0.5, 0.1), velocity: DVec2::X, acceleration: a, radius: 0.0 };
        for a in [DVec2::ZERO, DVec2::new(0.0, 1e-3), DVec2::splat(1e9)] {
            let mut seen = 0;
            for_each_image_near(&path(a), 0.5, f64::INFINITY, &periods, |_| {
                seen += 1;
                f64::INFINITY
            });
            assert!((64..1000).contains(&seen), "{seen}");
        }
    }
}

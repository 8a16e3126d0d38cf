//! A plane that repeats itself, as it is drawn: one period, and what hangs over its edges at the other ones.

use glam::DVec2;

use crate::view::View;

/// The rectangle that repeats itself, in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tiles {
    /// Where the world's origin is.
    origin: DVec2,
    /// One period along each axis; 0 where there is none.
    step: DVec2,
}

/// Parts of one straight line that are drawn: of a flight over more periods than this only the end.
const MOST_PARTS: f64 = 256.0;

impl Tiles {
    /// `periods` in world units, 0 along an axis without one.
    pub(crate) fn new(view: &View, periods: DVec2) -> Self {
        let step = view.direction(DVec2::new(view.length(periods.x), view.length(periods.y)));
        Tiles { origin: view.place(DVec2::ZERO), step }
    }

    fn is_open(&self) -> bool {
        self.step == DVec2::ZERO
    }

    /// How many periods from the first one a place is, as a fraction; 0 along an axis without one.
    fn turns(&self, p: DVec2) -> DVec2 {
        let along = |axis: usize| {
            if self.step[axis] == 0.0 { 0.0 } else { (p[axis] - self.origin[axis]) / self.step[axis] }
        };
        DVec2::new(along(0), along(1))
    }

    /// Calls `visit` with the image of a place in the first period, and with those around it: all that can be
    /// seen of something that is no wider than a period.
    pub(crate) fn images(&self, p: DVec2, mut visit: impl FnMut(DVec2)) {
        if self.is_open() {
            return visit(p);
        }
        let home = p - self.turns(p).floor() * self.step;
        let around = |axis: usize| if self.step[axis] == 0.0 { 0..=0 } else { -1..=1 };
        for x in around(0) {
            for y in around(1) {
                visit(home + DVec2::new(f64::from(x), f64::from(y)) * self.step);
            }
        }
    }

    /// Cuts a line at the edges of the periods that it crosses, and calls `visit` with each part, as shares
    /// of the whole and as it is in the first period.
    pub(crate) fn parts(&self, [a, b]: [DVec2; 2], mut visit: impl FnMut([f64; 2], [DVec2; 2])) {
        if self.is_open() || !(a.is_finite() && b.is_finite()) {
            return visit([0.0, 1.0], [a, b]);
        }
        let crossed = (self.turns(b) - self.turns(a)).abs().element_sum();
        let skipped = (1.0 - MOST_PARTS / crossed.max(1.0)).max(0.0);
        // From the first period on: far out an edge cannot be distinguished from what is next to it.
        let a = a + (b - a) * skipped;
        let home = self.turns(a).floor() * self.step;
        let (a, b) = (a - home, b - home);
        let (from, to) = (self.turns(a), self.turns(b));
        let mut begin = 0.0;
        while begin < 1.0 {
            // The next edge along either axis.
            let next = |axis: usize| {
                let (at, speed) = (from[axis] + (to[axis] - from[axis]) * begin, to[axis] - from[axis]);
                // An edge that was just crossed, which rounding may have left a little ahead, is not the next
                // one.
                let edge = if speed > 0.0 { (at + 1e-9).floor() + 1.0 } else { (at - 1e-9).ceil() - 1.0 };
                if speed == 0.0 { 1.0 } else { (edge - from[axis]) / speed }
            };
            let end = next(0).min(next(1)).min(1.0);
            if !(end > begin) {
                return;
            }
            let at = |share: f64| a + (b - a) * share;
            let home = self.turns(at(0.5 * (begin + end))).floor() * self.step;
            let shares = [begin, end].map(|share| skipped + (1.0 - skipped) * share);
            visit(shares, [at(begin) - home, at(end) - home]);
            begin = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Style;
    use crate::recording::Recording;

    fn v(x: f64, y: f64) -> DVec2 {
        DVec2::new(x, y)
    }

    /// A hundred pixels a unit, with the origin at (0, 0); up is down.
    fn tiles(x: f64, y: f64) -> Tiles {
        Tiles { origin: DVec2::ZERO, step: v(100.0 * x, -100.0 * y) }
    }

    #[test]
    fn images_are_whole_periods_apart_around_the_first() {
        let mut seen = Vec::new();
        tiles(2.0, 1.0).images(v(450.0, 130.0), |p| seen.push(p));
        assert_eq!(seen.len(), 9);
        assert!(seen.contains(&v(50.0, -70.0)), "{seen:?}");
        assert!(
            seen.iter()
                .all(|p| ((p.x - 50.0) / 200.0).fract() == 0.0 && ((p.y + 70.0) / 100.0).fract() == 0.0)
        );
        let mut seen = Vec::new();
        tiles(2.0, 0.0).images(v(-50.0, 130.0), |p| seen.push(p));
        assert_eq!(seen, [v(-50.0, 130.0), v(150.0, 130.0), v(350.0, 130.0)]);
        let mut seen = Vec::new();
        tiles(0.0, 0.0).images(v(450.0, 130.0), |p| seen.push(p));
        assert_eq!(seen, [v(450.0, 130.0)]);
    }

    /// The parts are all of the line, in order, and each is in the first period.
    #[test]
    fn lines_are_cut_at_the_edges() {
        for (a, b) in [
            (v(50.0, -50.0), v(730.0, -390.0)),
            (v(730.0, 390.0), v(-444.0, -80.0)),
            (v(0.0, 0.0), v(200.0, -100.0)),
            (v(10.0, -100.0), v(10.0, 300.0)),
            (v(10.0, -10.0), v(11.0, -10.0)),
        ] {
            let (mut parts, mut length, mut last) = (0, 0.0, 0.0);
            tiles(2.0, 1.0).parts([a, b], |[from, to], [p, q]| {
                assert_eq!(from, last);
                last = to;
                length += (q - p).length();
                parts += 1;
                for p in [p, q] {
                    assert!(
                        (-1e-6..=200.0 + 1e-6).contains(&p.x) && (-100.0 - 1e-6..=1e-6).contains(&p.y),
                        "{p}"
                    );
                }
            });
            assert_eq!(last, 1.0);
            assert!((length - (b - a).length()).abs() < 1e-9 * length, "{parts} parts of {a} {b}");
        }
    }

    #[test]
    fn of_an_endless_flight_the_end_is_drawn() {
        let (mut parts, mut last) = (0, 0.0);
        tiles(2.0, 1.0).parts([DVec2::ZERO, v(1e9, 3e8)], |[_, to], _| {
            parts += 1;
            last = to;
        });
        assert!(parts <= 260 && last == 1.0, "{parts}");
        tiles(2.0, 1.0).parts([DVec2::ZERO, v(f64::INFINITY, 0.0)], |_, _| ());
    }

    /// After 10⁹ periods a path is drawn as at the start: paths go on beyond the edges for as long as they
    /// are recorded.
    #[test]
    fn far_out_lines_are_cut_as_near_by() {
        let parts = |offset: DVec2| {
            let mut parts = Vec::new();
            let ends = [v(50.0, -50.0), v(730.0, -390.0)].map(|p| p + offset);
            tiles(2.0, 1.0).parts(ends, |shares, ends| parts.push((shares, ends)));
            parts
        };
        let (near, far) = (parts(DVec2::ZERO), parts(v(200e9, -300e9)));
        assert_eq!(near.len(), far.len());
        for ((_, near), (_, far)) in near.iter().zip(&far) {
            // Coordinates of 3 · 10¹¹ are rounded to 6 · 10⁻⁵.
            assert!(near.iter().zip(far).all(|(p, q)| (*p - *q).length() < 1e-3), "{near:?} {far:?}");
        }
    }

    #[test]
    fn a_period_is_as_long_as_it_is_in_the_view() {
        let style = Style { bounds: Some((DVec2::ZERO, v(4.0, 2.0))), ..Style::default() };
        let view = View::new(&Recording::new(style, 0.0, 1), 1000, true);
        let mut seen = Vec::new();
        Tiles::new(&view, v(4.0, 2.0)).images(view.place(v(5.0, 5.0)), |p| seen.push(p));
        assert!(seen.iter().any(|p| (*p - view.place(v(1.0, 1.0))).length() < 1e-9), "{seen:?}");
    }
}

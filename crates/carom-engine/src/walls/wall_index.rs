use super::extent::bounds;
use super::facet::Facet;
use carom_broadphase::Circle;
use carom_math::sqrt;
use carom_math::toi::Motion;
use glam::DVec2;

/// Which facets are where: cells over the rectangle that they lie in, each with the facets whose boxes
/// overlap it.
///
/// For the facets that can be hit only near where they are. Made in O(facets).
#[derive(Debug)]
pub(crate) struct WallIndex {
    low: DVec2,
    /// Cells a length unit, and their numbers.
    rate: DVec2,
    counts: [usize; 2],
    /// Where the facets of each cell start in `facets`, row by row; one more for the end.
    starts: Vec<u32>,
    facets: Vec<u32>,
    /// The first cell of each of these, so that one that is in many cells is named in one.
    firsts: Vec<[u32; 2]>,
    /// Those that reach over many cells.
    everywhere: Vec<u32>,
}

carom_broadphase::clone_fields!(WallIndex: low, rate, counts, starts, facets, firsts, everywhere);

/// With fewer facets than this it takes less time to ask them all.
pub(super) const WORTH_IT: usize = 24;
/// Stands in place of a facet that was removed.
const LEFT_OUT: u32 = u32::MAX;
/// This many cells of a path are looked at together.
const STRETCH: f64 = 4.0;
/// Squares of speeds below this lose digits.
const SLOWEST: f64 = 1e-150;
/// A facet in more cells than this is said to be everywhere.
const MANY: usize = 64;

impl WallIndex {
    /// Of these facets, given by number; `None` if there are too few.
    pub(crate) fn of(facets: &[Facet], numbers: &[u32]) -> Option<Self> {
        if numbers.len() < WORTH_IT {
            return None;
        }
        let boxes: Vec<(u32, [DVec2; 2])> =
            numbers.iter().filter_map(|&f| Some((f, bounds(&facets[f as usize])?))).collect();
        let low = boxes.iter().fold(DVec2::INFINITY, |low, (_, b)| low.min(b[0]));
        let high = boxes.iter().fold(DVec2::NEG_INFINITY, |high, (_, b)| high.max(b[1]));
        let size = high - low;
        if boxes.is_empty() || !size.is_finite() {
            return None;
        }
        // About two cells a facet, and rows and columns not out of proportion.
        let most = (2 * boxes.len()) as f64;
        let side = (size.x * size.y / most).sqrt().max(size.max_element() / most);
        let rate = if side > 0.0 { DVec2::splat(1.0 / side) } else { DVec2::ZERO };
        let counts = [size.x, size.y].map(|length| (length * rate.x) as usize + 1);
        let mut index = WallIndex {
            low,
            rate,
            counts,
            starts: vec![0; counts[0] * counts[1] + 1],
            facets: Vec::new(),
            firsts: Vec::new(),
            everywhere: Vec::new(),
        };
        index.fill(numbers, &boxes);
        Some(index)
    }

    fn fill(&mut self, numbers: &[u32], boxes: &[(u32, [DVec2; 2])]) {
        let mut entries: Vec<(usize, u32, [u32; 2])> = Vec::new();
        for (f, [low, high]) in boxes {
            let (first, last) = (self.cell(*low), self.cell(*high));
            if (last[0] - first[0] + 1) * (last[1] - first[1] + 1) > MANY {
                self.everywhere.push(*f);
                continue;
            }
            for y in first[1]..=last[1] {
                for x in first[0]..=last[0] {
                    entries.push((y * self.counts[0] + x, *f, first.map(|cell| cell as u32)));
                }
            }
        }
        let bounded = |f: &u32| boxes.binary_search_by_key(f, |(of, _)| *of).is_ok();
        self.everywhere.extend(numbers.iter().filter(|f| !bounded(f)));
        entries.sort_unstable();
        for (cell, f, first) in entries {
            self.starts[cell + 1] += 1;
            self.facets.push(f);
            self.firsts.push(first);
        }
        for cell in 1..self.starts.len() {
            self.starts[cell] += self.starts[cell - 1];
        }
    }

    /// The cell of a place, or the nearest one.
    fn cell(&self, place: DVec2) -> [usize; 2] {
        let at = (place - self.low) * self.rate;
        // From numbers below 0 to 0, and from those too large to the last.
        [(at.x as usize).min(self.counts[0] - 1), (at.y as usize).min(self.counts[1] - 1)]
    }

    /// Leaves out a facet of those that it was made of.
    pub(crate) fn remove(&mut self, f: u32, facet: &Facet) {
        if let Some(at) = self.everywhere.iter().position(|&of| of == f) {
            self.everywhere.swap_remove(at);
            return;
        }
        let Some([low, high]) = bounds(facet) else { return };
        let (first, last) = (self.cell(low), self.cell(high));
        for y in first[1]..=last[1] {
            for x in first[0]..=last[0] {
                let cell = y * self.counts[0] + x;
                let members = self.starts[cell] as usize..self.starts[cell + 1] as usize;
                for member in &mut self.facets[members] {
                    if *member == f {
                        *member = LEFT_OUT;
                    }
                }
            }
        }
    }

    /// Calls `see` with each facet that a disc may hit or touch that stays inside a circle, once; and with
    /// some more.
    #[inline]
    pub(crate) fn near(&self, circle: &Circle, mut see: impl FnMut(u32)) {
        self.everywhere.iter().for_each(|&f| see(f));
        self.near_in_cells(circle, see);
    }

    /// As `near`, of those that are in cells.
    #[inline]
    fn near_in_cells(&self, circle: &Circle, mut see: impl FnMut(u32)) {
        let first = self.cell(circle.center - DVec2::splat(circle.radius));
        let last = self.cell(circle.center + DVec2::splat(circle.radius));
        for y in first[1]..=last[1] {
            for x in first[0]..=last[0] {
                let cell = y * self.counts[0] + x;
                let (start, end) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
                for (&f, from) in self.facets[start..end].iter().zip(&self.firsts[start..end]) {
                    // In the first cell that it has in common with the circle.
                    if f != LEFT_OUT
                        && x == first[0].max(from[0] as usize)
                        && y == first[1].max(from[1] as usize)
                    {
                        see(f);
                    }
                }
            }
        }
    }
}

impl WallIndex {
    /// As `near`, of a disc that moves along a unit vector, one stretch after the other; some more than once.
    /// `see` returns the length up to which it is to be followed from then on.
    pub(crate) fn along(
        &self,
        disc: &Circle,
        direction: DVec2,
        length: f64,
        mut see: impl FnMut(u32) -> f64,
    ) {
        let mut limit = length;
        for &f in &self.everywhere {
            limit = limit.min(see(f));
        }
        let Some([from, to]) = self.crossing(disc, direction) else { return };
        let stretch = STRETCH / self.rate.x;
        let count = (to - from) / stretch;
        // Cells that are too small to count with.
        if !(count < 1e6) {
            let everywhere = Circle { center: disc.center, radius: f64::INFINITY };
            return self.near_in_cells(&everywhere, |f| _ = see(f));
        }
        for k in 0..=count as u32 {
            let way = from + f64::from(k) * stretch;
            if way > limit {
                break;
            }
            let center = disc.center + direction * (way + 0.5 * stretch);
            let radius = disc.radius + stretch * 0.51 + center.abs().max_element() * 1e-14;
            self.near_in_cells(&Circle { center, radius }, |f| limit = limit.min(see(f)));
        }
    }

    /// Whether a circle covers this many cells that a path through it leads past fewer facets.
    #[inline(always)]
    pub(crate) fn is_wide(&self, circle: &Circle) -> bool {
        circle.radius * self.rate.x > STRETCH
    }

    /// As `near`, of a disc that moves uniformly, inside a circle if there is one, one stretch after the
    /// other; some more than once. `see` returns the seconds up to which it is to be followed from then on.
    pub(crate) fn ahead(&self, motion: &Motion, circle: Option<&Circle>, mut see: impl FnMut(u32) -> f64) {
        let disc = Circle { center: motion.position, radius: motion.radius };
        let speed = sqrt(motion.velocity.length_squared());
        if speed < SLOWEST {
            // Walls may move: one that comes to where the disc is has a box that reaches there. What is
            // slower than any that counts, but not at rest, is not followed.
            let zone = if motion.velocity == DVec2::ZERO { Some(&disc) } else { circle };
            let everywhere = Circle { center: disc.center, radius: f64::INFINITY };
            return self.near(zone.unwrap_or(&everywhere), |f| _ = see(f));
        }
        // A disc that stays in a circle goes no farther than across it.
        let across = circle.map_or(f64::INFINITY, |circle| 2.0 * circle.radius);
        self.along(&disc, motion.velocity / speed, across, |f| across.min(see(f) * speed * (1.0 + 1e-9)));
    }

    /// Between which lengths a disc that moves along a unit vector is over the cells, if ever.
    fn crossing(&self, disc: &Circle, direction: DVec2) -> Option<[f64; 2]> {
        let high = self.low + DVec2::new(self.counts[0] as f64, self.counts[1] as f64) / self.rate;
        let [mut from, mut to] = [0.0_f64, f64::INFINITY];
        for axis in 0..2 {
            let (start, low, high) = (disc.center[axis], self.low[axis], high[axis]);
            let reach = disc.radius + start.abs().max(low.abs()).max(high.abs()) * 1e-14;
            let (low, high) = (low - reach - start, high + reach - start);
            if direction[axis] == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let ways = [low / direction[axis], high / direction[axis]];
            from = from.max(ways[0].min(ways[1]) * (1.0 - 1e-9));
            to = to.min(ways[0].max(ways[1]) * (1.0 + 1e-9));
        }
        (from <= to).then_some([from, to])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Wall;
    use crate::walls::Walls;
    use carom_math::Time;
    use carom_testkit::rng::Rng;

    /// Every facet whose box a circle overlaps is named, and none twice.
    #[test]
    fn names_what_is_near_once() {
        let mut rng = Rng::new(1);
        let mut random = || rng.unit();
        for spread in [[100.0, 100.0], [1000.0, 0.0], [0.0, 1e-9], [1e9, 3.0]] {
            let mut walls = Walls::new();
            for k in 0..200 {
                let at = DVec2::new(random() * spread[0], random() * spread[1]);
                let wall: Wall = match k % 4 {
                    0 => Wall::disc(at, random()),
                    1 => Wall::circle(at, 1.0 + random()),
                    _ => Wall::segment(at, at + DVec2::new(random() + 0.1, 5.0 * random())),
                };
                let facets = walls.plan(wall.parts().unwrap(), wall.rules, Time::ZERO, 0);
                walls.insert(facets, 0);
            }
            let numbers: Vec<u32> = (0..walls.facets.len() as u32).collect();
            let index = WallIndex::of(&walls.facets, &numbers).unwrap();
            for k in 0..500 {
                let center = DVec2::new(random() * 1.2 - 0.1, random() * 1.2 - 0.1) * DVec2::from(spread);
                let radius = if k % 50 == 0 { f64::INFINITY } else { 10.0 * random() * random() };
                let mut named = Vec::new();
                index.near(&Circle { center, radius }, |f| named.push(f));
                named.sort_unstable();
                assert!(named.windows(2).all(|pair| pair[0] < pair[1]), "{named:?}");
                for (f, facet) in (0..).zip(&walls.facets) {
                    let overlaps = bounds(facet).is_none_or(|[low, high]| {
                        let (left, right) = (center - DVec2::splat(radius), center + DVec2::splat(radius));
                        (left.cmple(high) & low.cmple(right)).all()
                    });
                    assert!(!overlaps || named.binary_search(&f).is_ok(), "{f}");
                }
            }
            assert_all_along_a_way_are_named(&walls, &index, DVec2::from(spread), &mut random);
        }
    }

    /// Of those that a way with a width crosses, sampled; up to the length that is asked for.
    fn assert_all_along_a_way_are_named(
        walls: &Walls,
        index: &WallIndex,
        spread: DVec2,
        random: &mut impl FnMut() -> f64,
    ) {
        for k in 0..200 {
            let start = DVec2::new(random() * 1.4 - 0.2, random() * 1.4 - 0.2) * spread;
            let turn = random() * 7.0;
            let direction = if k % 3 == 0 { DVec2::X } else { DVec2::new(turn.cos(), turn.sin()) };
            let (radius, length) = (random(), if k % 2 == 0 { f64::INFINITY } else { 30.0 * random() });
            let mut named = Vec::new();
            index.along(&Circle { center: start, radius }, direction, length, |f| {
                named.push(f);
                length
            });
            for step in 0..400 {
                let way = f64::from(step) * 0.25;
                let center = start + direction * way;
                let (low, high) = (center - DVec2::splat(radius), center + DVec2::splat(radius));
                for (f, facet) in (0..).zip(&walls.facets).filter(|_| way <= length) {
                    let is_there = bounds(facet).is_none_or(|b| (low.cmple(b[1]) & b[0].cmple(high)).all());
                    assert!(!is_there || named.contains(&f), "{f} from {start} along {direction} by {way}");
                }
            }
        }
    }
}

use super::around::Batch;
use super::cell::Line;
use super::cell_level::{CellLevel, FAR_OUT};
use super::cell_table::CellTable;
use super::neighbour_lists::NeighbourLists;
use crate::tolerance::{COORDINATE_ROUNDING, PATH_ROUNDING, RANGE_MARGIN, SINGLE_ROUNDING, place_rounding};
use crate::zone::Zone;
use crate::{Circle, Slot};
use carom_math::{DVec2, Periods};

/// Searches that change nothing: see [`Scheduler::search`](crate::Scheduler::search).
impl CellTable {
    /// Names the circles that may overlap a zone, some perhaps more than once. `see` returns the length up to
    /// which a path is to be followed; `limit` is the first one.
    pub(super) fn search(
        &self,
        lists: &NeighbourLists,
        zone: &Zone,
        mut limit: f64,
        see: &mut impl FnMut(Slot) -> f64,
    ) {
        for &slot in &self.everywhere {
            limit = limit.min(see(slot));
        }
        for level in self.levels.iter().filter(|level| level.members > 0) {
            match zone {
                Zone::Circle(circle) => level.search_circle(lists, &self.periods, *circle, see),
                Zone::Box { min, max } => level.search_box(lists, &self.periods, [*min, *max], see),
                Zone::Path { circle, direction, length } => {
                    let path = Path { start: circle.center, direction: *direction, radius: circle.radius };
                    limit = limit.min(*length);
                    if let Some(stretch) = self.stretch(&path, level.widest) {
                        limit = level.search_path(&self.periods, &path, stretch, limit, see);
                    }
                }
            }
        }
    }

    /// Between which lengths a path is near the circles of a level, if ever.
    fn stretch(&self, path: &Path, widest: f64) -> Option<[f64; 2]> {
        let reach = widest + path.radius;
        let [mut from, mut to] = [0.0_f64, f64::INFINITY];
        for axis in (0..2).filter(|&axis| self.periods.lengths()[axis] == 0.0) {
            let (start, low, high) = (path.start[axis], self.low[axis], self.high[axis]);
            let reach =
                (reach + start.abs().max(low.abs()).max(high.abs()) * PATH_ROUNDING) * (1.0 + RANGE_MARGIN);
            let (low, high) = (low - reach - start, high + reach - start);
            let direction = path.direction[axis];
            if direction == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let ways = [low / direction, high / direction];
            from = from.max(ways[0].min(ways[1]) * (1.0 - RANGE_MARGIN));
            to = to.min(ways[0].max(ways[1]) * (1.0 + RANGE_MARGIN));
        }
        (from <= to).then_some([from, to])
    }
}

/// The way of a circle.
struct Path {
    start: DVec2,
    /// A unit vector.
    direction: DVec2,
    radius: f64,
}

impl CellLevel {
    /// Whether to look at this many cells takes longer than to look at all members.
    fn are_too_many(&self, cells: u64) -> bool {
        cells > self.cells.len() as u64 / 4 + 64
    }

    fn search_circle(
        &self,
        lists: &NeighbourLists,
        periods: &Periods,
        Circle { center, radius }: Circle,
        see: &mut impl FnMut(Slot) -> f64,
    ) {
        let circle = Circle { center, radius: radius + place_rounding(center, periods) };
        let range = DVec2::splat(self.widest + circle.radius) * (1.0 + RANGE_MARGIN);
        let cells = self.cells_between([center - range, center + range]);
        if self.are_too_many(cells.number()) {
            self.all_overlapping(lists, periods, circle, |slot| _ = see(slot));
        } else {
            self.overlapping(circle, &cells, |slot| _ = see(slot));
        }
    }

    fn search_box(
        &self,
        lists: &NeighbourLists,
        periods: &Periods,
        [low, high]: [DVec2; 2],
        see: &mut impl FnMut(Slot) -> f64,
    ) {
        let more = place_rounding(low.abs().max(high.abs()), periods);
        let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5 + DVec2::splat(more));
        let range = (half + DVec2::splat(self.widest)) * (1.0 + RANGE_MARGIN);
        let cells = self.cells_between([middle - range, middle + range]);
        let mut see_near = |slot: Slot| {
            let circle = lists.get(slot).circle();
            let past = periods.nearest(circle.center - middle).abs() - half;
            if past.max_element() <= circle.radius {
                see(slot);
            }
        };
        if self.are_too_many(cells.number()) {
            return self.for_each_member(see_near);
        }
        self.for_each_once(&cells, |here| here.members().iter().copied().for_each(&mut see_near));
    }

    /// Follows a path over a stretch of it, column by column of cells (row by row if it is steep), until the
    /// limit is less than the way to the next column. Returns what has become of that.
    fn search_path(
        &self,
        periods: &Periods,
        path: &Path,
        [from, to]: [f64; 2],
        mut limit: f64,
        see: &mut impl FnMut(Slot) -> f64,
    ) -> f64 {
        let along = usize::from(path.direction.y.abs() > path.direction.x.abs());
        let strips = Strips::new(self, periods, path, along, from);
        let (mut cells, mut batch) = (0, Batch::default());
        let mut strip = strips.first;
        while strips.earliest(strip) <= limit.min(to) {
            let (first, count) = strips.rows(strip, limit.min(to));
            cells += count;
            // Numbers of cells far out do not tell one from the next.
            if self.are_too_many(cells) || first.unsigned_abs().max(strip.unsigned_abs()) >= FAR_OUT {
                self.for_each_member(|slot| limit = limit.min(see(slot)));
                return limit;
            }
            let reach = strips.reach(strip, first, count);
            for k in 0..count {
                let across = first.saturating_add(k as i64);
                let cell = if along == 0 { [strip, across] } else { [across, strip] };
                let line = strips.line(cell, reach);
                let see_nearer = |slot| limit = limit.min(see(slot));
                self.test_at(cell, &mut batch, |here| here.near_line(line), see_nearer);
            }
            batch.flush(&self.cells, |slot| limit = limit.min(see(slot)));
            strip += strips.step;
        }
        limit
    }
}

/// The strips of cells that a path crosses one after the other.
struct Strips<'a> {
    level: &'a CellLevel,
    path: &'a Path,
    /// The axis along which they lie side by side, and the other one.
    along: usize,
    across: usize,
    /// How far from the path the centre of a circle may be that the way touches.
    range: f64,
    first: i64,
    step: i64,
    rounding: f64,
    /// Of the path, for a length of 1 along the axis.
    per_length: f64,
    /// The height of the origin's corner above the path, and what it grows by from cell to cell.
    offset: f64,
    offsets: DVec2,
}

impl<'a> Strips<'a> {
    fn new(level: &'a CellLevel, periods: &Periods, path: &'a Path, along: usize, from: f64) -> Self {
        let rounding = place_rounding(path.start, periods);
        let range = (level.widest + path.radius + 2.0 * rounding) * (1.0 + RANGE_MARGIN);
        let step = if path.direction[along] < 0.0 { -1 } else { 1 };
        let start = path.start[along] + path.direction[along] * from;
        let first = level.cell_along(along, start - step as f64 * range);
        let normal = path.direction.perp();
        Strips {
            level,
            path,
            along,
            across: 1 - along,
            range,
            first,
            step,
            rounding,
            per_length: 1.0 / path.direction[along].abs(),
            offset: -normal.dot(path.start) * level.units,
            offsets: normal * DVec2::from(level.sides) * level.units,
        }
    }

    /// The coordinates between which a strip lies, as the path meets them.
    fn ends(&self, strip: i64) -> [f64; 2] {
        let side = self.level.sides[self.along];
        let (low, high) = (strip as f64 * side, (strip as f64 + 1.0) * side);
        if self.step > 0 { [low, high] } else { [high, low] }
    }

    /// The length of the way at which it comes near the first strip's circles at the earliest.
    fn earliest(&self, strip: i64) -> f64 {
        let sign = self.step as f64;
        let way = (self.ends(strip)[0] - self.path.start[self.along]) * sign - self.range - self.slack(strip);
        (way * self.per_length).max(0.0)
    }

    /// For the rounding of the strip's coordinates.
    fn slack(&self, strip: i64) -> f64 {
        (strip.unsigned_abs() as f64 + 1.0) * self.level.sides[self.along] * COORDINATE_ROUNDING
            + self.rounding
    }

    /// The cells of a strip near the way: the first, and how many.
    fn rows(&self, strip: i64, limit: f64) -> (i64, u64) {
        let sign = self.step as f64;
        let far = (self.ends(strip)[1] - self.path.start[self.along]) * sign + self.range + self.slack(strip);
        let last = (far * self.per_length).max(0.0).min(limit);
        let at = |way: f64| self.path.start[self.across] + self.path.direction[self.across] * way;
        let (one, other) = (at(self.earliest(strip)), at(last));
        let range = self.range + self.slack(strip);
        self.level.span(self.across, one.min(other) - range, one.max(other) + range)
    }

    /// How far from the path the edge of a circle may be in some cells of a strip, in the level's units.
    fn reach(&self, strip: i64, first: i64, count: u64) -> f64 {
        let last = first.unsigned_abs().saturating_add(count) as f64 * self.level.sides[self.across];
        let more = self.slack(strip) + (last + self.path.start.abs().max_element()) * PATH_ROUNDING;
        // Four units for the spot, which is rounded down, and its radius.
        (self.path.radius + more) * self.level.units + 4.0
    }

    /// The path as seen from the corner of a cell.
    #[inline(always)]
    fn line(&self, [x, y]: [i64; 2], reach: f64) -> Line {
        let normal = self.path.direction.perp();
        let offset = (self.offset + self.offsets.x * x as f64 + self.offsets.y * y as f64) as f32;
        let reach = reach as f32 * (1.0 + SINGLE_ROUNDING) + offset.abs() * SINGLE_ROUNDING;
        Line { x: normal.x as f32, y: normal.y as f32, offset, reach }
    }
}

//! Where there is room: discs in square cells, by size.

use glam::DVec2;

/// The most levels of sizes, each half of the one above; what is smaller than all is on the last.
const MOST_LEVELS: usize = 12;

/// Discs that stand somewhere, on levels by their size, so that a small one does not look at a cell full of
/// others for each large one.
pub(crate) struct Levels {
    largest: f64,
    grids: Vec<Grid>,
}

impl Levels {
    /// Room for discs of these radii in a rectangle, and none of them there yet.
    pub(crate) fn new(min: DVec2, max: DVec2, radii: impl Iterator<Item = f64> + Clone) -> Self {
        let largest = radii.clone().fold(0.0, f64::max);
        let mut counts = [0_usize; MOST_LEVELS];
        for radius in radii {
            counts[level(radius, largest)] += 1;
        }
        let levels = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        let mut radius = largest;
        let mut grids = Vec::with_capacity(levels);
        for &count in &counts[..levels] {
            grids.push(Grid::new(min, max, radius, count));
            radius *= 0.5;
        }
        Self { largest, grids }
    }

    /// Puts a disc of one of the radii there. `O(1)`
    pub(crate) fn add(&mut self, center: DVec2, radius: f64) {
        if let Some(grid) = self.grids.get_mut(level(radius, self.largest)) {
            grid.add(center, radius);
        }
    }

    /// Whether a disc here would neither overlap nor touch one that is there. What is looked at is added to
    /// `work`.
    pub(crate) fn is_free(&self, center: DVec2, radius: f64, work: &mut u64) -> bool {
        self.grids.iter().all(|grid| grid.is_free(center, radius, work))
    }
}

/// How often the largest radius can be halved without becoming smaller than this one.
fn level(radius: f64, largest: f64) -> usize {
    let mut level = 0;
    let mut half = 0.5 * largest;
    while radius <= half && level + 1 < MOST_LEVELS {
        half *= 0.5;
        level += 1;
    }
    // All of radius 0 are of one size.
    if largest == 0.0 { 0 } else { level }
}

/// A disc in a cell, and where the next one of the cell is. An empty cell has a radius that is no number,
/// which fails every comparison.
#[derive(Clone, Copy)]
struct Entry {
    center: DVec2,
    radius: f64,
    next: u32,
}

const NONE: u32 = u32::MAX;

const EMPTY: Entry = Entry { center: DVec2::ZERO, radius: f64::NAN, next: NONE };

/// Discs sorted into square cells. Cells are at least as wide as the largest disc unless that would take more
/// than a few cells per disc. The first disc of a cell is in it, others are in chains.
struct Grid {
    min: DVec2,
    per_length: DVec2,
    columns: usize,
    rows: usize,
    largest: f64,
    cells: Vec<Entry>,
    more: Vec<Entry>,
    is_empty: bool,
}

impl Grid {
    fn new(min: DVec2, max: DVec2, largest: f64, count: usize) -> Self {
        let size = max - min;
        let most = 4.0 * count as f64 + 16.0;
        let wanted = (size / (2.0 * largest)).clamp(DVec2::ONE, DVec2::splat(most));
        let shrink = carom_math::sqrt(most / (wanted.x * wanted.y)).min(1.0);
        let cells = (wanted * shrink).floor().clamp(DVec2::ONE, DVec2::splat(most));
        let (columns, rows) = (cells.x as usize, cells.y as usize);
        Self {
            min,
            per_length: cells / size,
            columns,
            rows,
            largest,
            cells: vec![EMPTY; columns * rows],
            more: Vec::new(),
            is_empty: true,
        }
    }

    /// The cell of a point; the nearest one for points outside. (A float that is negative becomes 0.)
    fn cell(&self, point: DVec2) -> (usize, usize) {
        let cell = (point - self.min) * self.per_length;
        ((cell.x as usize).min(self.columns - 1), (cell.y as usize).min(self.rows - 1))
    }

    fn add(&mut self, center: DVec2, radius: f64) {
        let (column, row) = self.cell(center);
        let first = &mut self.cells[row * self.columns + column];
        self.is_empty = false;
        if first.radius.is_nan() {
            *first = Entry { center, radius, next: NONE };
        } else {
            self.more.push(Entry { center, radius, next: first.next });
            first.next = (self.more.len() - 1) as u32;
        }
    }

    fn is_free(&self, center: DVec2, radius: f64, work: &mut u64) -> bool {
        if self.is_empty {
            return true;
        }
        let overlaps = |entry: &Entry| {
            let (apart, contact) = (center - entry.center, radius + entry.radius);
            apart.x * apart.x + apart.y * apart.y <= contact * contact
        };
        let reach = DVec2::splat(radius + self.largest);
        let (low, high) = (self.cell(center - reach), self.cell(center + reach));
        for row in low.1..=high.1 {
            for first in &self.cells[row * self.columns + low.0..=row * self.columns + high.0] {
                *work += 1;
                if overlaps(first) {
                    return false;
                }
                let mut next = first.next;
                while next != NONE {
                    *work += 1;
                    let entry = &self.more[next as usize];
                    if overlaps(entry) {
                        return false;
                    }
                    next = entry.next;
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;
    use crate::model::Generator;

    /// Against a look at all discs: radii from 0 to 1000 times the smallest, inside and outside of the
    /// rectangle.
    #[test]
    fn a_place_is_free_if_no_disc_overlaps_it() {
        let mut random = Random::new(Generator::ChaCha8, 1);
        for spread in [0.0, 1.0, 7.0] {
            let radii: Vec<f64> = (0..400)
                .map(|n| match n % 50 {
                    0 => 0.0,
                    _ => 2.0 * carom_math::elementary::exp(-spread * random.uniform()),
                })
                .collect();
            let mut levels = Levels::new(DVec2::splat(-10.0), DVec2::splat(50.0), radii.iter().copied());
            let mut standing: Vec<(DVec2, f64)> = Vec::new();
            let mut free = 0;
            for &radius in &radii {
                let center = DVec2::new(random.between(-13.0, 53.0), random.between(-13.0, 53.0));
                let expected =
                    standing.iter().all(|(other, theirs)| (center - *other).length() > radius + theirs);
                assert_eq!(levels.is_free(center, radius, &mut 0), expected);
                free += u32::from(expected);
                levels.add(center, radius);
                standing.push((center, radius));
            }
            assert!((20..=380).contains(&free), "{free}");
        }
    }
}

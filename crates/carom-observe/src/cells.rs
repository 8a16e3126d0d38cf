//! Discs sorted into a grid of cells, so that those nearby are found without looking at all.

use crate::ObserveError;
use carom_engine::limits::{MAX_DISCS, MAX_LENGTH, MIN_LENGTH};
use carom_math::Periods;
use glam::DVec2;

/// One axis of the grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    /// Where the first cell starts.
    pub(crate) low: f64,
    /// How long all cells are together: the period, if there is one.
    pub(crate) length: f64,
    pub(crate) periodic: bool,
    pub(crate) count: usize,
}

impl Axis {
    fn cell_of(&self, x: f64) -> usize {
        let place = (x - self.low) / self.length * self.count as f64;
        // A negative number becomes 0; one beyond the end, by rounding, is in the last cell.
        (place as usize).min(self.count - 1)
    }

    pub(crate) fn side(&self) -> f64 {
        self.length / self.count as f64
    }

    /// The cell that is `by` (−1, 0 or 1) after this one, if it is another one and there is one.
    pub(crate) fn beside(&self, cell: usize, by: isize) -> Option<usize> {
        let there = cell as isize + by;
        if by == 0 || (0..self.count as isize).contains(&there) {
            return Some(there as usize);
        }
        (self.periodic && self.count > 1).then(|| there.rem_euclid(self.count as isize) as usize)
    }
}

/// Places sorted by cell, row by row; in a cell, in the order in which they were given.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    pub(crate) axes: [Axis; 2],
    /// Wrapped, by cell.
    pub(crate) places: Vec<DVec2>,
    /// Which disc each place belongs to.
    pub(crate) discs: Vec<u32>,
    /// Where each cell starts, and the end.
    starts: Vec<u32>,
}

/// This many periods from the origin a place is known to a quarter of a period at best, and its image
/// could be any.
const MOST_TURNS: f64 = (1u64 << 50) as f64;

/// Periods that a world takes.
pub(crate) fn checked_periods(lengths: [Option<f64>; 2]) -> Result<Periods, ObserveError> {
    for (field, length) in ["periods.x", "periods.y"].into_iter().zip(lengths) {
        if let Some(length) = length {
            ObserveError::check(field, length, MIN_LENGTH, MAX_LENGTH)?;
        }
    }
    let [x, y] = lengths;
    Ok(Periods::new(x, y).unwrap_or_default())
}

/// Refuses periods and places outside of those that a world takes, and more discs than it holds.
pub(crate) fn check_positions(positions: &[DVec2], periods: Periods) -> Result<(), ObserveError> {
    checked_periods([periods.x(), periods.y()])?;
    ObserveError::check("discs", positions.len() as f64, 0.0, MAX_DISCS as f64)?;
    let most =
        |period: Option<f64>| period.map_or(MAX_LENGTH, |period| (MOST_TURNS * period).min(MAX_LENGTH));
    let most = DVec2::new(most(periods.x()), most(periods.y()));
    for (index, place) in positions.iter().enumerate() {
        if !place.abs().cmple(most).all() {
            let value = if place.x.abs() <= most.x { place.y } else { place.x };
            let allowed = "-1e15 to 1e15, and within 2^50 periods";
            return Err(ObserveError::BadDisc { field: "positions", index, value, allowed });
        }
    }
    Ok(())
}

impl Cells {
    /// Cells with sides of at least `least`, and no more than about two per disc. On a periodic axis there
    /// are at least three, so that the cell before is not the one behind, or it is all one cell. An open axis
    /// reaches from the lowest to the highest centre, and `margin` beyond on either side.
    ///
    /// Positions must have been checked.
    pub(crate) fn new(positions: &[DVec2], periods: Periods, least: f64, margin: f64) -> Self {
        let wrapped = |place: &DVec2| periods.wrap(*place).0;
        let (low, high) =
            positions.iter().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), place| {
                (low.min(*place), high.max(*place))
            });
        let axis = |period: Option<f64>, low: f64, high: f64| match period {
            Some(length) => Axis { low: 0.0, length, periodic: true, count: 1 },
            None if positions.is_empty() => Axis { low: 0.0, length: 1.0, periodic: false, count: 1 },
            None => {
                // Never 0, even if all centres are on one line.
                let length = (high - low + 2.0 * margin).max(f64::MIN_POSITIVE);
                Axis { low: low - margin, length, periodic: false, count: 1 }
            }
        };
        let mut axes = [axis(periods.x(), low.x, high.x), axis(periods.y(), low.y, high.y)];
        let most = 2 * positions.len() + 16;
        for axis in &mut axes {
            axis.count = ((axis.length / least) as usize).clamp(1, most);
        }
        while axes[0].count.saturating_mul(axes[1].count) > most {
            let longer = usize::from(axes[1].count > axes[0].count);
            axes[longer].count = axes[longer].count.div_ceil(2);
        }
        for axis in &mut axes {
            if axis.periodic && axis.count < 3 {
                axis.count = 1;
            }
        }
        let cell_of = |place: DVec2| axes[1].cell_of(place.y) * axes[0].count + axes[0].cell_of(place.x);

        let mut starts = vec![0u32; axes[0].count * axes[1].count + 1];
        for place in positions.iter().map(wrapped) {
            starts[cell_of(place) + 1] += 1;
        }
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        let mut next = starts.clone();
        let mut places = vec![DVec2::ZERO; positions.len()];
        let mut discs = vec![0; positions.len()];
        for (disc, place) in positions.iter().map(wrapped).enumerate() {
            let slot = &mut next[cell_of(place)];
            places[*slot as usize] = place;
            discs[*slot as usize] = disc as u32;
            *slot += 1;
        }
        Self { axes, places, discs, starts }
    }

    /// The places in a cell, as a range of `places` and `discs`.
    #[inline]
    pub(crate) fn cell(&self, column: usize, row: usize) -> std::ops::Range<usize> {
        let cell = row * self.axes[0].count + column;
        self.starts[cell] as usize..self.starts[cell + 1] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_disc_is_in_the_cell_of_its_place() {
        let positions: Vec<DVec2> =
            (0..100).map(|k| DVec2::new(f64::from(k * 37 % 100), f64::from(k * 59 % 101) - 50.0)).collect();
        let periods = Periods::new(Some(30.0), None).unwrap();
        let cells = Cells::new(&positions, periods, 7.0, 0.5);
        assert_eq!(cells.axes.map(|axis| axis.count), [4, 14]);
        let mut seen = 0;
        for row in 0..14 {
            for column in 0..4 {
                for slot in cells.cell(column, row) {
                    let place = periods.wrap(positions[cells.discs[slot] as usize]).0;
                    assert_eq!(place, cells.places[slot]);
                    let [x, y] = cells.axes;
                    let (left, low) = (x.low + column as f64 * x.side(), y.low + row as f64 * y.side());
                    // Borders may belong to either side by a rounding; there are none among these places.
                    assert!(place.x >= left && place.x < left + x.side(), "{place} {column}");
                    assert!(place.y >= low && place.y < low + y.side(), "{place} {row}");
                    seen += 1;
                }
            }
        }
        assert_eq!(seen, 100);
    }

    #[test]
    fn memory_is_bounded_by_the_discs() {
        let far = [DVec2::new(-1e15, 0.0), DVec2::new(1e15, 1e15), DVec2::ZERO];
        for positions in [&far[..], &far[..1], &[]] {
            for least in [1e-15, 1.0, 1e15] {
                let cells = Cells::new(positions, Periods::NONE, least, 0.0);
                assert!(cells.starts.len() <= 2 * positions.len() + 17);
                assert_eq!(cells.places.len(), positions.len());
            }
        }
    }

    #[test]
    fn places_that_are_none_are_refused() {
        assert!(check_positions(&[DVec2::ZERO, DVec2::splat(1e15)], Periods::NONE).is_ok());
        for bad in [f64::NAN, f64::INFINITY, -2e15] {
            for place in [DVec2::new(0.0, bad), DVec2::new(bad, 0.0)] {
                let error = check_positions(&[DVec2::ZERO, place], Periods::NONE).unwrap_err().to_string();
                assert!(error.starts_with("positions[1] is "), "{error}");
            }
        }
        // On a periodic axis the image has to be known.
        let tube = Periods::new(None, Some(1e-3)).unwrap();
        assert!(check_positions(&[DVec2::splat(1e12)], tube).is_ok());
        assert!(check_positions(&[DVec2::new(0.0, 2e12)], tube).is_err());
        assert!(check_positions(&[DVec2::new(2e12, 0.0)], tube).is_ok());
    }

    #[test]
    fn periods_that_no_world_has_are_refused() {
        for bad in [1e-16, 1e16] {
            let periods = Periods::new(None, Some(bad)).unwrap();
            let error = check_positions(&[], periods).unwrap_err().to_string();
            assert!(error.starts_with("periods.y is "), "{error}");
        }
        assert!(checked_periods([Some(0.0), None]).is_err());
    }
}

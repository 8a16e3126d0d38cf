use crate::ObserveError;
use crate::cells::{Cells, check_positions};
use carom_engine::limits::{MAX_LENGTH, MIN_LENGTH};
use carom_math::Periods;
use glam::DVec2;
use std::f64::consts::PI;

/// The radial distribution g(r): how many pairs are at a distance r, over how many there would be of discs
/// without size.
///
/// A histogram over any number of snapshots, of a rectangle that is periodic, open, or one on either axis.
/// The pairs of N discs that know nothing of each other are N(N − 1)/2 times the probability that two places
/// spread evenly over the rectangle are in a bin. So g is 1 for them, without a bias by 1/N or by the edges
/// of an open axis: on that one a displacement by x fits in with the probability (a − |x|)/a, where a is the
/// length open to centres, and the mean of this over all directions is put in. Edges that order the discs
/// beside them, as walls do, are seen in g all the same.
///
/// O(N) a snapshot for a given largest distance.
///
/// ```
/// use carom_math::{DVec2, Periods};
/// use carom_observe::Radial;
///
/// let periods = Periods::new(Some(3.0), Some(3.0)).unwrap();
/// let mut radial = Radial::new(periods, DVec2::splat(3.0), 1.5, 3)?;
/// // A square lattice: each has four neighbours at a distance of 1, and four at √2.
/// let lattice: Vec<DVec2> = (0..9).map(|k| DVec2::new(f64::from(k % 3), f64::from(k / 3))).collect();
/// radial.add(&lattice)?;
/// let bin = radial.bins().last().unwrap();
/// assert_eq!((bin.inner, bin.outer, bin.pairs), (1.0, 1.5, 9 * (4 + 4) / 2));
/// # Ok::<(), carom_observe::ObserveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Radial {
    periods: Periods,
    sides: DVec2,
    longest: f64,
    pairs: Vec<u64>,
    /// Pairs of discs, at any distance, of all snapshots.
    all_pairs: f64,
}

/// One bin of g(r): inner ≤ r < outer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RadialBin {
    /// Where it begins.
    pub inner: f64,
    /// Where it ends.
    pub outer: f64,
    /// The pairs in it, over all snapshots. If these were independent, g would have the relative error
    /// 1/√pairs.
    pub pairs: u64,
    /// g, the mean over the bin; NaN before there is a pair of discs.
    pub g: f64,
}

impl Radial {
    /// Distances up to `longest`, in `bins` equal bins, 1 to 2²⁴; at most half of any period, and at most an
    /// open side.
    ///
    /// `sides` are the lengths of the rectangle: on a periodic axis the period, on an open one the length
    /// that is open to centres, which is that between walls less a diameter. Of a periodic world they are
    /// `world.periods().lengths()`.
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn new(periods: Periods, sides: DVec2, longest: f64, bins: usize) -> Result<Self, ObserveError> {
        let mut most = f64::INFINITY;
        for (field, side, period) in [("sides.x", sides.x, periods.x()), ("sides.y", sides.y, periods.y())] {
            let (least, greatest) = period.map_or((MIN_LENGTH, MAX_LENGTH), |period| (period, period));
            ObserveError::check(field, side, least, greatest)?;
            most = most.min(if period.is_some() { 0.5 * side } else { side });
        }
        ObserveError::check("longest", longest, MIN_LENGTH.min(most), most)?;
        ObserveError::check("bins", bins as f64, 1.0, f64::from(1 << 24))?;
        Ok(Self { periods, sides, longest, pairs: vec![0; bins], all_pairs: 0.0 })
    }

    /// Adds a snapshot: the centres of all discs, wrapped or not.
    ///
    /// # Errors
    /// If a place is out of range, or if the places do not fit into an open side; then nothing is added.
    pub fn add(&mut self, positions: &[DVec2]) -> Result<(), ObserveError> {
        check_positions(positions, self.periods)?;
        let cells = Cells::new(positions, self.periods, self.longest, 0.0);
        let fields = ["extent of the positions in x", "extent of the positions in y"];
        for (axis, (side, field)) in cells.axes.iter().zip(self.sides.to_array().into_iter().zip(fields)) {
            if !axis.periodic && positions.len() > 1 {
                // Two roundings of the places, which may be far from 0.
                let slack = 2.0 * f64::EPSILON * (axis.low.abs() + axis.length);
                ObserveError::check(field, axis.length, 0.0, side + slack)?;
            }
        }
        self.count(&cells);
        let n = positions.len() as f64;
        self.all_pairs += 0.5 * n * (n - 1.0);
        Ok(())
    }

    fn count(&mut self, cells: &Cells) {
        let (periods, longest) = (self.periods, self.longest);
        let per_length = self.pairs.len() as f64 / longest;
        let last = self.pairs.len() - 1;
        let pairs = &mut self.pairs;
        let mut one = |d: DVec2| {
            let squared = periods.nearest(d).length_squared();
            if squared < longest * longest {
                pairs[((carom_math::sqrt(squared) * per_length) as usize).min(last)] += 1;
            }
        };
        let [columns, rows] = &cells.axes;
        for row in 0..rows.count {
            for column in 0..columns.count {
                let here = &cells.places[cells.cell(column, row)];
                for (k, place) in here.iter().enumerate() {
                    here[k + 1..].iter().for_each(|other| one(*other - *place));
                }
                for (right, up) in [(1, 0), (-1, 1), (0, 1), (1, 1)] {
                    let (Some(column), Some(row)) = (columns.beside(column, right), rows.beside(row, up))
                    else {
                        continue;
                    };
                    let there = &cells.places[cells.cell(column, row)];
                    for place in here {
                        there.iter().for_each(|other| one(*other - *place));
                    }
                }
            }
        }
    }

    /// The bins, from distance 0 on.
    pub fn bins(&self) -> impl ExactSizeIterator<Item = RadialBin> + '_ {
        let width = self.longest / self.pairs.len() as f64;
        self.pairs.iter().enumerate().map(move |(k, &pairs)| {
            let (inner, outer) = (k as f64 * width, (k + 1) as f64 * width);
            let expected = self.all_pairs * self.share(inner, outer);
            RadialBin { inner, outer, pairs, g: pairs as f64 / expected }
        })
    }

    /// The probability that two places spread evenly over the rectangle are at a distance in a bin.
    ///
    /// ∫ 2πr·⟨(a − |x|)(b − |y|)⟩ dr/(ab)², with ⟨|x|⟩ = ⟨|y|⟩ = 2r/π and ⟨|xy|⟩ = r²/π on a circle. On a
    /// periodic axis the loss |x| is not there.
    fn share(&self, inner: f64, outer: f64) -> f64 {
        let DVec2 { x: a, y: b } = self.sides;
        let (lost_x, lost_y) = (f64::from(self.periods.x().is_none()), f64::from(self.periods.y().is_none()));
        let width = outer - inner;
        // Differences of powers, without cancellation.
        let squares = width * (outer + inner);
        let cubes = width * (outer * outer + outer * inner + inner * inner);
        let fourths = squares * (outer * outer + inner * inner);
        let area = a * b;
        (PI * squares - 4.0 / 3.0 * (lost_x / a + lost_y / b) * cubes
            + 0.5 * lost_x * lost_y * fourths / area)
            / area
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_scene::{Generator, Random};

    fn scattered(n: usize, sides: DVec2, random: &mut Random) -> Vec<DVec2> {
        (0..n).map(|_| DVec2::new(random.between(0.0, sides.x), random.between(0.0, sides.y))).collect()
    }

    /// Pairs of an ideal gas are independent, so that a bin with k of them is off by √k: four of these, for
    /// 20 bins. The correction of open edges reaches two thirds here; without it this fails by hundreds of
    /// errors.
    #[test]
    fn an_ideal_gas_has_g_1_with_and_without_edges() {
        let sides = DVec2::new(7.0, 5.0);
        let mut random = Random::new(Generator::default(), 2);
        for (x, y, longest) in
            [(Some(7.0), Some(5.0), 2.5), (Some(7.0), None, 3.5), (None, Some(5.0), 2.5), (None, None, 5.0)]
        {
            let mut radial = Radial::new(Periods::new(x, y).unwrap(), sides, longest, 20).unwrap();
            // Also when there are just two: N(N − 1), not N².
            for (snapshots, n) in [(40, 500), (2000, 2)] {
                for _ in 0..snapshots {
                    radial.add(&scattered(n, sides, &mut random)).unwrap();
                }
            }
            for bin in radial.bins() {
                assert!(bin.pairs > 1000);
                assert!((bin.g - 1.0).abs() < 4.0 / (bin.pairs as f64).sqrt(), "{bin:?}");
            }
        }
    }

    /// 6 neighbours at 1, 6 at √3, 6 at 2, 12 at √7, 6 at 3, 6 at √12, 12 at √13.
    #[test]
    fn shells_of_the_triangular_lattice() {
        let (columns, rows) = (12, 14);
        let height = 3f64.sqrt() / 2.0;
        let lattice: Vec<DVec2> = (0..columns * rows)
            .map(|k| (f64::from(k % columns), f64::from(k / columns)))
            .map(|(x, y)| DVec2::new(x + 0.5 * (y % 2.0), y * height))
            .collect();
        let sides = DVec2::new(f64::from(columns), f64::from(rows) * height);
        let mut radial =
            Radial::new(Periods::new(Some(sides.x), Some(sides.y)).unwrap(), sides, 3.9, 390).unwrap();
        radial.add(&lattice).unwrap();
        let mut shells: Vec<(f64, u64)> = Vec::new();
        for bin in radial.bins().filter(|bin| bin.pairs > 0) {
            // A shell on a border of two bins is in both, by rounding.
            match shells.last_mut() {
                Some((outer, pairs)) if (*outer - bin.inner).abs() < 1e-9 => *pairs += bin.pairs,
                _ => shells.push((bin.outer, bin.pairs)),
            }
        }
        let n = u64::from((columns * rows) as u32);
        let neighbours: Vec<u64> = shells.iter().map(|(_, pairs)| 2 * pairs / n).collect();
        assert_eq!(neighbours, [6, 6, 6, 12, 6, 6, 12]);
        for ((outer, _), squared) in shells.iter().zip([1.0f64, 3.0, 4.0, 7.0, 9.0, 12.0, 13.0]) {
            assert!((outer - 0.01 - squared.sqrt()).abs() <= 0.011, "{outer} {squared}");
        }
    }

    /// Every pair, one by one, is the oracle: of grids of 1, 3 and more cells on either axis, and of clusters
    /// and outliers.
    #[test]
    fn the_grid_misses_nothing() {
        let mut random = Random::new(Generator::default(), 8);
        for case in 0..200 {
            let sides = DVec2::new(random.between(1.0, 30.0), random.between(1.0, 30.0));
            let [x, y] = [(sides.x, 1), (sides.y, 2)].map(|(side, bit)| (case & bit != 0).then_some(side));
            let periods = Periods::new(x, y).unwrap();
            let most = sides.min_element().min(0.5 * periods.shortest());
            let longest = most * random.between(0.02, 1.0);
            let mut places = scattered(60, sides, &mut random);
            if case % 3 == 0 {
                places.iter_mut().skip(5).for_each(|place| *place *= 0.01);
            }
            // On a periodic axis any image will do.
            for place in &mut places {
                let turns = DVec2::new(random.below(5) as f64, random.below(3) as f64) - DVec2::splat(2.0);
                place.x += x.map_or(0.0, |period| turns.x * period);
                place.y += y.map_or(0.0, |period| turns.y * period);
            }
            let mut radial = Radial::new(periods, sides, longest, 1).unwrap();
            radial.add(&places).unwrap();
            let places: Vec<DVec2> = places.iter().map(|place| periods.wrap(*place).0).collect();
            let mut pairs = 0;
            for (k, place) in places.iter().enumerate() {
                let near =
                    |other: &&DVec2| periods.nearest(**other - *place).length_squared() < longest * longest;
                pairs += places[k + 1..].iter().filter(near).count() as u64;
            }
            assert_eq!(radial.bins().next().unwrap().pairs, pairs, "case {case}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let periods = Periods::new(Some(4.0), None).unwrap();
        let sides = DVec2::new(4.0, 10.0);
        assert!(Radial::new(periods, sides, 2.0, 10).is_ok());
        for (sides, longest, bins) in [
            (sides, 2.1, 10),
            (sides, 0.0, 10),
            (sides, f64::NAN, 10),
            (sides, 2.0, 0),
            (sides, 2.0, usize::MAX),
            (DVec2::new(4.1, 10.0), 2.0, 10),
            (DVec2::new(4.0, f64::INFINITY), 2.0, 10),
            (DVec2::new(4.0, 1.0), 1.5, 10),
        ] {
            assert!(Radial::new(periods, sides, longest, bins).is_err(), "{sides} {longest} {bins}");
        }
        let mut radial = Radial::new(periods, sides, 2.0, 10).unwrap();
        assert!(radial.add(&[DVec2::ZERO, DVec2::new(0.0, 10.1)]).is_err());
        assert!(radial.add(&[DVec2::ZERO, DVec2::new(0.0, f64::NAN)]).is_err());
        assert!(radial.bins().all(|bin| bin.pairs == 0 && bin.g.is_nan()));
        radial.add(&[]).unwrap();
        radial.add(&[DVec2::ONE]).unwrap();
        radial.add(&[DVec2::ONE; 3]).unwrap();
        assert_eq!(radial.bins().map(|bin| bin.pairs).sum::<u64>(), 3);
    }
}

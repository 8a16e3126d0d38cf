use crate::ObserveError;
use crate::cells::check_positions;
use carom_math::elementary::unit_vector;
use carom_math::{DVec2, Periods};
use std::f64::consts::TAU;

/// The structure factor S(k) of a periodic rectangle: `|Σ exp(i k·r)|² / N`, averaged over the wave vectors
/// of about one length, and over any number of snapshots.
///
/// Wave vectors are those that fit the rectangle, `2π (h/Lx, l/Ly)`, of each pair ±k one. They are put into
/// bins of one width, 2π over the shorter side: the width at which each bin has some. For k → 0 it is the
/// isothermal compressibility, in units of that of the ideal gas.
///
/// O(N·K²) a snapshot, K = longest k over the width of a bin.
///
/// ```
/// use carom_math::{DVec2, Periods};
/// use carom_observe::StructureFactor;
///
/// let periods = Periods::new(Some(8.0), Some(8.0)).unwrap();
/// let mut structure = StructureFactor::new(periods, 7.0)?;
/// // A square lattice has peaks of N at its reciprocal vectors, of which the first are 2π long.
/// let lattice: Vec<DVec2> = (0..64).map(|k| DVec2::new(f64::from(k % 8), f64::from(k / 8))).collect();
/// structure.add(&lattice)?;
/// let peak = structure.bins().max_by(|a, b| a.s.total_cmp(&b.s)).unwrap();
/// assert!((peak.k - std::f64::consts::TAU).abs() < 0.5);
/// # Ok::<(), carom_observe::ObserveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct StructureFactor {
    periods: Periods,
    unit: DVec2,
    width: f64,
    /// Wave numbers along x, from 0 on, and along y, of either sign, with the bin of each.
    waves: Vec<(u32, i32, usize)>,
    most: [u32; 2],
    sums: Vec<Sum>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    waves: u64,
    length: f64,
    terms: u64,
    total: f64,
}

/// One bin of S(k).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StructureBin {
    /// The mean length of its wave vectors.
    pub k: f64,
    /// How many wave vectors it has, of each pair ±k one.
    pub waves: u64,
    /// S, the mean over these and over all snapshots; NaN before there is one with a disc.
    pub s: f64,
}

/// The most wave vectors that are summed over.
const MOST_WAVES: f64 = (1 << 22) as f64;

impl StructureFactor {
    /// For wave vectors up to a length.
    ///
    /// # Errors
    /// If an axis is open, or the length holds no wave vector or more than 2²².
    pub fn new(periods: Periods, longest: f64) -> Result<Self, ObserveError> {
        let lengths = periods.lengths();
        ObserveError::positive("period along x", lengths.x)?;
        ObserveError::positive("period along y", lengths.y)?;
        let unit = DVec2::new(TAU / lengths.x, TAU / lengths.y);
        let width = unit.max_element();
        // Half an ellipse of wave numbers.
        let most = carom_math::sqrt(MOST_WAVES * unit.x * unit.y / 2.0);
        ObserveError::check("longest", longest, width, most.max(width))?;
        let count = |unit: f64| (longest / unit) as u32;
        let most = [count(unit.x), count(unit.y)];
        let mut sums = vec![Sum::default(); (longest / width) as usize + 1];
        let mut waves = Vec::new();
        for h in 0..=most[0] {
            for l in -(most[1] as i32)..=most[1] as i32 {
                let length = (DVec2::new(f64::from(h), f64::from(l)) * unit).length();
                if length > longest || (h == 0 && l <= 0) {
                    continue;
                }
                let bin = ((length / width) as usize).min(sums.len() - 1);
                sums[bin].waves += 1;
                sums[bin].length += length;
                waves.push((h, l, bin));
            }
        }
        Ok(Self { periods, unit, width, waves, most, sums })
    }

    /// Adds a snapshot: the centres of all discs.
    ///
    /// # Errors
    /// If a place is out of range; then nothing is added.
    pub fn add(&mut self, positions: &[DVec2]) -> Result<(), ObserveError> {
        check_positions(positions, self.periods)?;
        if positions.is_empty() {
            return Ok(());
        }
        let mut amplitudes = vec![DVec2::ZERO; self.waves.len()];
        let mut powers = [Vec::new(), Vec::new()];
        for &position in positions {
            let phase = self.periods.wrap(position).0 * self.unit;
            for (powers, (most, angle)) in
                powers.iter_mut().zip(self.most.into_iter().zip([phase.x, phase.y]))
            {
                let step = unit_vector(angle);
                powers.clear();
                powers.push(DVec2::X);
                for k in 0..most as usize {
                    powers.push(product(powers[k], step));
                }
            }
            for (sum, &(h, l, _)) in amplitudes.iter_mut().zip(&self.waves) {
                let along_y = powers[1][l.unsigned_abs() as usize];
                let along_y = if l < 0 { DVec2::new(along_y.x, -along_y.y) } else { along_y };
                *sum += product(powers[0][h as usize], along_y);
            }
        }
        for (sum, &(.., bin)) in amplitudes.iter().zip(&self.waves) {
            self.sums[bin].terms += 1;
            self.sums[bin].total += sum.length_squared() / positions.len() as f64;
        }
        Ok(())
    }

    /// The width of a bin.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.width
    }

    /// The bins that have wave vectors, from small k on.
    pub fn bins(&self) -> impl Iterator<Item = StructureBin> + '_ {
        self.sums.iter().filter(|sum| sum.waves > 0).map(|sum| StructureBin {
            k: sum.length / sum.waves as f64,
            waves: sum.waves,
            s: sum.total / sum.terms as f64,
        })
    }
}

/// The product of complex numbers.
fn product(a: DVec2, b: DVec2) -> DVec2 {
    DVec2::new(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_scene::{Generator, Random};

    /// Of places that know nothing of each other S is 1: a mean over n terms, each distributed as e^(−S), is
    /// off by 1/√n. Four of these.
    #[test]
    fn an_ideal_gas_has_s_1() {
        let periods = Periods::new(Some(10.0), Some(6.0)).unwrap();
        let mut structure = StructureFactor::new(periods, 8.0).unwrap();
        let mut random = Random::new(Generator::default(), 5);
        let snapshots = 60;
        for _ in 0..snapshots {
            let place = |_| DVec2::new(random.between(0.0, 10.0), random.between(-6.0, 6.0));
            structure.add(&(0..200).map(place).collect::<Vec<_>>()).unwrap();
        }
        let bins: Vec<StructureBin> = structure.bins().collect();
        assert!(bins.len() == 8 && bins.iter().map(|bin| bin.waves).sum::<u64>() > 130);
        for bin in bins {
            let error = 1.0 / ((snapshots * bin.waves) as f64).sqrt();
            assert!((bin.s - 1.0).abs() < 4.0 * error, "{bin:?}");
        }
    }

    /// The sum itself, wave by wave, is the oracle.
    #[test]
    fn it_is_the_sum_over_all_waves() {
        let periods = Periods::new(Some(3.0), Some(4.0)).unwrap();
        let places = [DVec2::new(0.1, 0.2), DVec2::new(2.5, 3.1), DVec2::new(1.4, 0.9)];
        let mut structure = StructureFactor::new(periods, 2.3).unwrap();
        structure.add(&places).unwrap();
        let of = |h: f64, l: f64| {
            let k = DVec2::new(h * TAU / 3.0, l * TAU / 4.0);
            places.iter().map(|place| DVec2::from_angle(k.dot(*place))).sum::<DVec2>().length_squared() / 3.0
        };
        let bins: Vec<StructureBin> = structure.bins().collect();
        // Below 2π/3 there is (0, 1) alone; from there on (1, 0) alone below 2.3.
        assert_eq!(bins.iter().map(|bin| bin.waves).collect::<Vec<_>>(), [1, 1]);
        for (bin, exact) in bins.iter().zip([of(0.0, 1.0), of(1.0, 0.0)]) {
            assert!((bin.s - exact).abs() < 1e-12, "{bin:?} {exact}");
        }
    }

    #[test]
    fn what_has_no_waves_is_refused() {
        let open = Periods::new(Some(3.0), None).unwrap();
        assert!(StructureFactor::new(open, 3.0).is_err());
        let periods = Periods::new(Some(3.0), Some(4.0)).unwrap();
        for bad in [0.0, 1.0, f64::NAN, f64::INFINITY, 1e9] {
            assert!(StructureFactor::new(periods, bad).is_err(), "{bad}");
        }
        let mut structure = StructureFactor::new(periods, 3.0).unwrap();
        assert!(structure.add(&[DVec2::splat(f64::NAN)]).is_err());
        structure.add(&[]).unwrap();
        assert!(structure.bins().all(|bin| bin.s.is_nan()));
    }
}

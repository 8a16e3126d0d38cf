use crate::ObserveError;
use crate::cells::check_positions;
use carom_math::Periods;
use glam::DVec2;
use std::collections::VecDeque;

/// The mean squared displacement of discs from samples of their unwrapped places, over many origins of time.
///
/// Every `spacing`-th sample is an origin, from which all later samples up to a lag of `longest` are compared
/// to it. Memory is 16 N·(longest/spacing + 1) bytes, however long the run; a sample costs
/// O(N·longest/spacing). Lags are in samples, which are best taken at equal intervals of time.
///
/// ```
/// use carom_math::DVec2;
/// use carom_observe::Displacement;
///
/// let mut displacement = Displacement::new(2, 10, 5)?;
/// for sample in 0..100 {
///     let t = f64::from(sample) * 0.5;
///     displacement.add(&[DVec2::new(3.0 * t, 0.0), DVec2::new(0.0, -t)])?;
/// }
/// // (9 + 1)/2·t² for straight flight, here at t = 4 · 0.5.
/// assert!((displacement.mean_square(4).unwrap() - 5.0 * 2.0 * 2.0).abs() < 1e-12);
/// # Ok::<(), carom_observe::ObserveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Displacement {
    discs: usize,
    spacing: u64,
    samples: u64,
    origins: VecDeque<Origin>,
    /// By lag, from 0 on.
    lags: Vec<Lag>,
}

#[derive(Clone, Debug)]
struct Origin {
    sample: u64,
    places: Vec<DVec2>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Lag {
    origins: u64,
    /// Running mean, which stays exact when every term is the same.
    mean: f64,
}

impl Displacement {
    /// Of `discs` ≥ 1 discs, for lags up to `longest` samples, 1 to 2²⁴, with an origin at each `spacing`-th
    /// sample, ≥ 1.
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn new(discs: usize, longest: usize, spacing: usize) -> Result<Self, ObserveError> {
        let most = f64::from(1 << 24);
        ObserveError::check("discs", discs as f64, 1.0, most)?;
        ObserveError::check("longest", longest as f64, 1.0, most)?;
        ObserveError::check("spacing", spacing as f64, 1.0, most)?;
        Ok(Self {
            discs,
            spacing: spacing as u64,
            samples: 0,
            origins: VecDeque::new(),
            lags: vec![Lag::default(); longest + 1],
        })
    }

    /// Adds a sample: the places of all discs, not wrapped into a period, in the same order each time, as
    /// [`World::read_unwrapped_positions`](carom_engine::World::read_unwrapped_positions) gives them while no
    /// disc is inserted or removed.
    ///
    /// # Errors
    /// If there are not as many as discs, or if one is out of range; then nothing is added.
    pub fn add(&mut self, places: &[DVec2]) -> Result<(), ObserveError> {
        ObserveError::same_length("places", places.len(), self.discs)?;
        check_positions(places, Periods::NONE)?;
        let longest = (self.lags.len() - 1) as u64;
        let mut room = Vec::new();
        while self.origins.front().is_some_and(|origin| self.samples - origin.sample > longest) {
            room = self.origins.pop_front().map_or(room, |origin| origin.places);
        }
        if self.samples.is_multiple_of(self.spacing) {
            room.clear();
            room.extend_from_slice(places);
            self.origins.push_back(Origin { sample: self.samples, places: room });
        }
        for origin in &self.origins {
            let squares = origin.places.iter().zip(places).map(|(from, to)| to.distance_squared(*from));
            let mean = squares.sum::<f64>() / self.discs as f64;
            let lag = &mut self.lags[(self.samples - origin.sample) as usize];
            lag.origins += 1;
            lag.mean += (mean - lag.mean) / lag.origins as f64;
        }
        self.samples += 1;
        Ok(())
    }

    /// The mean squared displacement after `lag` samples, in square length units; `None` if there is none
    /// yet, or if the lag is too long.
    #[must_use]
    pub fn mean_square(&self, lag: usize) -> Option<f64> {
        self.lags.get(lag).filter(|lag| lag.origins > 0).map(|lag| lag.mean)
    }

    /// Over how many origins [`Displacement::mean_square`] is the mean.
    #[must_use]
    pub fn origins(&self, lag: usize) -> u64 {
        self.lags.get(lag).map_or(0, |lag| lag.origins)
    }

    /// The longest lag.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.lags.len() - 1
    }

    /// The number of samples that were added.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_scene::{Generator, Random};

    /// v²t² for straight flight, the same from every origin.
    #[test]
    fn straight_flight() {
        let mut displacement = Displacement::new(3, 20, 3).unwrap();
        let velocities = [DVec2::new(1.0, 2.0), DVec2::new(-3.0, 0.5), DVec2::ZERO];
        for sample in 0..200 {
            displacement.add(&velocities.map(|v| v * f64::from(sample) + DVec2::splat(7.0))).unwrap();
        }
        let square: f64 = velocities.iter().map(|v| v.length_squared()).sum::<f64>() / 3.0;
        for lag in 0..=20 {
            let exact = square * (lag * lag) as f64;
            // Places and their squares are whole quarters up to 10⁶: only the division by 3 and the means
            // round.
            let mean = displacement.mean_square(lag).unwrap();
            assert!((mean - exact).abs() <= 100.0 * f64::EPSILON * exact, "{lag}: {mean} {exact}");
            // Origins are at 0, 3, … 198, as far as a sample is `lag` later.
            assert_eq!(displacement.origins(lag), (199 - lag as u64) / 3 + 1);
        }
        assert_eq!((displacement.mean_square(21), displacement.samples()), (None, 200));
    }

    /// After k steps of unit variance per component a walker is at a mean square distance 2k. One walker's is
    /// spread exponentially: deviation 2k. Independent stretches of time are walkers, too.
    #[test]
    fn random_walk() {
        let (discs, longest, samples) = (100, 16, 8000);
        let mut displacement = Displacement::new(discs, longest, longest).unwrap();
        let mut random = Random::new(Generator::default(), 6);
        let mut places = vec![DVec2::ZERO; discs];
        for _ in 0..samples {
            displacement.add(&places).unwrap();
            places.iter_mut().for_each(|place| *place += random.normal_pair());
        }
        for lag in 1..=longest {
            let walks = (discs as u64 * displacement.origins(lag)) as f64;
            let ratio = displacement.mean_square(lag).unwrap() / (2.0 * lag as f64);
            assert!((ratio - 1.0).abs() < 4.0 / walks.sqrt(), "{lag}: {ratio}");
        }
    }

    #[test]
    fn memory_is_bounded() {
        let mut displacement = Displacement::new(1, 10, 4).unwrap();
        for sample in 0..1000 {
            displacement.add(&[DVec2::new(f64::from(sample), 0.0)]).unwrap();
            assert!(displacement.origins.len() <= 10 / 4 + 1);
        }
    }

    #[test]
    fn what_is_no_sample_is_refused() {
        for (discs, longest, spacing) in [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, usize::MAX, 1)] {
            assert!(Displacement::new(discs, longest, spacing).is_err());
        }
        let mut displacement = Displacement::new(1, 2, 1).unwrap();
        assert!(displacement.add(&[]).is_err() && displacement.add(&[DVec2::NAN]).is_err());
        assert_eq!((displacement.samples(), displacement.mean_square(0)), (0, None));
    }
}

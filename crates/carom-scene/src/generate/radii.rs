//! Radii drawn from their distribution.

use super::random::Random;
use crate::model::{CUT, Radii, of_the_logarithm};
use carom_math::elementary::exp;

impl Radii {
    /// This many radii, as the documentation of the format says.
    pub(crate) fn draw(&self, count: usize, random: &mut Random) -> Vec<f64> {
        match self {
            Self::Same(radius) => vec![*radius; count],
            Self::Between(small, large) => (0..count).map(|_| random.between(*small, *large)).collect(),
            Self::Mixture { values, fractions } => {
                let mut radii = Vec::with_capacity(count);
                for (&radius, many) in values.iter().zip(shares(fractions, count)) {
                    radii.resize(radii.len() + many, radius);
                }
                random.shuffle(&mut radii);
                radii
            }
            Self::Normal { mean, deviation } => normal(count, random, |z| mean + deviation * z),
            Self::LogNormal { mean, deviation } => {
                let (middle, spread) = of_the_logarithm(*mean, *deviation);
                normal(count, random, |z| exp(middle + spread * z))
            }
        }
    }
}

/// Whole numbers in these proportions that add up to `count`: the method of the largest remainder.
fn shares(fractions: &[f64], count: usize) -> Vec<usize> {
    let ideal = |k: usize| fractions[k] * count as f64;
    let mut shares: Vec<usize> = (0..fractions.len()).map(|k| (ideal(k) as usize).min(count)).collect();
    let mut by_loss: Vec<usize> = (0..fractions.len()).collect();
    by_loss.sort_by(|&a, &b| (ideal(b) - shares[b] as f64).total_cmp(&(ideal(a) - shares[a] as f64)));
    let missing = count.saturating_sub(shares.iter().sum());
    for k in by_loss.into_iter().cycle().take(missing) {
        shares[k] += 1;
    }
    // Rounded up, fractions may add up to more than 1.
    let mut extra = shares.iter().sum::<usize>().saturating_sub(count);
    for share in shares.iter_mut().rev() {
        let less = extra.min(*share);
        *share -= less;
        extra -= less;
    }
    shares
}

/// Normal numbers within the cut, put through `radius`.
fn normal(count: usize, random: &mut Random, radius: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut radii = Vec::with_capacity(count);
    while radii.len() < count {
        let pair = random.normal_pair();
        for z in [pair.x, pair.y] {
            if z.abs() <= CUT && radii.len() < count {
                radii.push(radius(z));
            }
        }
    }
    radii
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Generator;

    fn drawn(radii: &Radii, count: usize) -> Vec<f64> {
        let drawn = radii.draw(count, &mut Random::new(Generator::ChaCha8, 11));
        let (small, large) = radii.range();
        assert_eq!(drawn.len(), count);
        assert!(drawn.iter().all(|radius| (small..=large).contains(radius)));
        drawn
    }

    fn moments(numbers: &[f64]) -> (f64, f64) {
        let n = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / n;
        (mean, numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n)
    }

    #[test]
    fn a_mixture_has_its_fractions_to_the_disc() {
        for (fractions, count, want) in [
            (&[0.5, 0.5][..], 10, &[5, 5][..]),
            (&[0.5, 0.5], 11, &[6, 5]),
            (&[0.2, 0.3, 0.5], 7, &[1, 2, 4]),
            (&[1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0], 100, &[34, 33, 33]),
            (&[1e-9, 1.0], 3, &[0, 3]),
            (&[1.0], 5, &[5]),
            // As far from 1 as the check lets pass, either way.
            (&[0.5, 0.5 - 1e-9], 1 << 20, &[524_288, 524_288]),
            (&[0.5 + 1e-9, 0.5], 1 << 20, &[524_288, 524_288]),
        ] {
            assert_eq!(shares(fractions, count), want, "{fractions:?} of {count}");
        }
        let radii = drawn(&Radii::Mixture { values: vec![1.0, 1.4], fractions: vec![0.35, 0.65] }, 1000);
        let small = |radii: &[f64]| radii.iter().filter(|&&radius| radius == 1.0).count();
        assert_eq!(small(&radii), 350);
        // Well mixed: of 500 about 175, with a deviation of √(500·0.35·0.65/2) = 7.5 without putting back.
        assert!(small(&radii[..500]).abs_diff(175) <= 38);
    }

    #[test]
    fn normal_radii_have_their_moments_and_no_tails() {
        let (n, deviation) = (200_000, 0.1);
        let radii = drawn(&Radii::Normal { mean: 1.0, deviation }, n);
        let (mean, variance) = moments(&radii);
        // What is left of the variance between ±a deviations is 1 − 2aφ(a)/(2Φ(a) − 1), at a = 3: 0.973337.
        let (want, n) = (0.973_337 * deviation * deviation, n as f64);
        // Five errors: s/√n of a mean, and less than √2·s²/√n of a variance.
        assert!((mean - 1.0).abs() < 5.0 * deviation / n.sqrt(), "{mean}");
        assert!(
            (variance - want).abs() < 5.0 * 2.0_f64.sqrt() * deviation * deviation / n.sqrt(),
            "{variance}"
        );
        assert!(radii.iter().any(|radius| *radius < 0.71) && radii.iter().any(|radius| *radius > 1.29));
    }

    #[test]
    fn log_normal_radii_are_normal_in_their_logarithm() {
        let (mean, deviation, n) = (2.0, 0.5, 200_000);
        let radii = drawn(&Radii::LogNormal { mean, deviation }, n);
        let logarithms: Vec<f64> = radii.iter().map(|radius| radius.ln()).collect();
        let (middle, variance) = moments(&logarithms);
        let (n, whole) = (n as f64, 1.0625_f64.ln());
        assert!((middle - (2.0_f64.ln() - 0.5 * whole)).abs() < 5.0 * whole.sqrt() / n.sqrt());
        assert!((variance - 0.973_337 * whole).abs() < 5.0 * 2.0_f64.sqrt() * whole / n.sqrt());
        // What is cut takes a little of the mean away: ⟨r⟩ = m·(Φ(3 − σ) − Φ(−3 − σ))/(2Φ(3) − 1), σ =
        // 0.24622.
        assert!((moments(&radii).0 / mean - 0.999_167).abs() < 5.0 * 0.25 / n.sqrt());
    }
}

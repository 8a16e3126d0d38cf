use crate::{Freedom, ObserveError};
use glam::DVec2;

/// Kinetic energy, Σ ½mv² over the discs of finite mass.
///
/// # Errors
/// If there are not as many masses as velocities, or if a number is not a mass (≥ 0, infinite allowed) or a
/// finite velocity.
pub fn kinetic_energy(masses: &[f64], velocities: &[DVec2]) -> Result<f64, ObserveError> {
    Ok(sums(masses, velocities)?.energy)
}

/// Temperature as an energy, kT = 2K/D, over the discs of finite mass, with D by `freedom`.
///
/// On an axis on which momentum is kept, the velocity of the centre of mass is taken off first: all that is
/// counted is relative to it. A granular temperature is this one, too. O(N).
///
/// # Errors
/// As [`kinetic_energy`], and if no degree of freedom is left.
///
/// ```
/// use carom_math::DVec2;
/// use carom_observe::{Freedom, temperature};
///
/// let velocities = [DVec2::new(3.0, 1.0), DVec2::new(1.0, 1.0)];
/// // Relative to (2, 1), K = 1, for two degrees of freedom.
/// assert_eq!(temperature(&[1.0, 1.0], &velocities, Freedom::Periodic)?, 1.0);
/// # Ok::<(), carom_observe::ObserveError>(())
/// ```
pub fn temperature(masses: &[f64], velocities: &[DVec2], freedom: Freedom) -> Result<f64, ObserveError> {
    let Sums { discs, mass, momentum, energy } = sums(masses, velocities)?;
    let degrees = freedom.degrees(discs);
    if degrees == 0 {
        return Err(ObserveError::OutOfRange {
            field: "discs of finite mass",
            value: discs as f64,
            allowed: "so many that a degree of freedom is left".into(),
        });
    }
    let relative = if freedom != Freedom::Walls && mass > 0.0 {
        let drift = freedom.kept(momentum) / mass;
        // Not as K − P²/2M, which cancels when the discs drift faster than they move among each other.
        let finite = masses.iter().zip(velocities).filter(|(mass, _)| mass.is_finite());
        finite.map(|(mass, velocity)| 0.5 * mass * (*velocity - drift).length_squared()).sum()
    } else {
        energy
    };
    Ok(2.0 * relative / degrees as f64)
}

struct Sums {
    discs: usize,
    mass: f64,
    momentum: DVec2,
    energy: f64,
}

fn sums(masses: &[f64], velocities: &[DVec2]) -> Result<Sums, ObserveError> {
    ObserveError::same_length("masses", masses.len(), velocities.len())?;
    let mut sums = Sums { discs: 0, mass: 0.0, momentum: DVec2::ZERO, energy: 0.0 };
    for (index, (&mass, velocity)) in masses.iter().zip(velocities).enumerate() {
        if !(mass >= 0.0) {
            return Err(ObserveError::BadDisc { field: "masses", index, value: mass, allowed: "at least 0" });
        }
        if !velocity.is_finite() {
            let value = if velocity.x.is_finite() { velocity.y } else { velocity.x };
            return Err(ObserveError::BadDisc { field: "velocities", index, value, allowed: "finite" });
        }
        if mass.is_finite() {
            sums.discs += 1;
            sums.mass += mass;
            sums.momentum += *velocity * mass;
            sums.energy += 0.5 * mass * velocity.length_squared();
        }
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_scene::{Generator, Random};

    #[test]
    fn a_drift_is_not_heat_where_momentum_is_kept() {
        let velocities = [DVec2::new(1e8 + 1.0, 0.0), DVec2::new(1e8 - 1.0, 0.0)];
        assert_eq!(temperature(&[2.0, 2.0], &velocities, Freedom::Periodic).unwrap(), 2.0);
        assert!(temperature(&[2.0, 2.0], &velocities, Freedom::Walls).unwrap() > 1e15);
    }

    /// Along x the drift is taken off, along y nothing is: ½·2·(1 + 9 + 1 + 9) J by three degrees of freedom.
    #[test]
    fn a_tube_keeps_momentum_along_its_axis_alone() {
        let velocities = [DVec2::new(1e8 + 1.0, 3.0), DVec2::new(1e8 - 1.0, 3.0)];
        assert_eq!(temperature(&[2.0, 2.0], &velocities, Freedom::TubeX).unwrap(), 2.0 * 20.0 / 3.0);
        let turned = velocities.map(|v| DVec2::new(v.y, v.x));
        assert_eq!(temperature(&[2.0, 2.0], &turned, Freedom::TubeY).unwrap(), 2.0 * 20.0 / 3.0);
        assert!(temperature(&[2.0, 2.0], &turned, Freedom::TubeX).unwrap() > 1e15);
    }

    #[test]
    fn what_cannot_move_has_no_temperature() {
        let velocities = [DVec2::new(1.0, 0.0), DVec2::new(5.0, 0.0)];
        let masses = [2.0, f64::INFINITY];
        assert_eq!(kinetic_energy(&masses, &velocities).unwrap(), 1.0);
        assert_eq!(temperature(&masses, &velocities, Freedom::Walls).unwrap(), 1.0);
        assert!(temperature(&masses, &velocities, Freedom::Periodic).is_err());
        assert!(temperature(&[], &[], Freedom::Walls).is_err());
        assert!(temperature(&[1.0], &velocities, Freedom::Walls).is_err());
        assert!(kinetic_energy(&[f64::NAN, 1.0], &velocities).is_err());
        assert!(kinetic_energy(&[1.0], &[DVec2::new(0.0, f64::NAN)]).is_err());
    }

    /// Each component of Maxwell's velocities has the variance T/m. Relative to their centre of mass N discs
    /// have 2N − 2 degrees of freedom: for N = 2 a count of 2N would be off by half, and in a tube by a
    /// quarter.
    #[test]
    fn the_temperature_of_few_discs_is_not_biased() {
        let (masses, heat) = ([1.0, 5.0], 3.0);
        let mut random = Random::new(Generator::default(), 4);
        let n = 100_000;
        let freedoms = [Freedom::Walls, Freedom::TubeX, Freedom::TubeY, Freedom::Periodic];
        let mut means = [0.0; 4];
        for _ in 0..n {
            let velocities = masses.map(|mass: f64| random.normal_pair() * (heat / mass).sqrt());
            for (mean, freedom) in means.iter_mut().zip(freedoms) {
                *mean += temperature(&masses, &velocities, freedom).unwrap() / f64::from(n);
            }
        }
        // With two degrees of freedom, the fewest of these, the temperature is spread exponentially:
        // deviation T. Four errors.
        assert!(means.iter().all(|mean| (mean / heat - 1.0).abs() < 4.0 / f64::from(n).sqrt()), "{means:?}");
    }
}

use crate::ObserveError;
use carom_engine::limits::MAX_DISCS;
use carom_engine::math::Periods;
use carom_engine::{Physics, World};
use glam::DVec2;

/// Which components of the total momentum are kept, and are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Freedom {
    /// None, as between walls: 2N degrees of freedom.
    Walls,
    /// That along x, as in a tube that is periodic along x: 2N − 1.
    TubeX,
    /// That along y, as in a tube that is periodic along y: 2N − 1.
    TubeY,
    /// Both, as in a periodic rectangle: 2N − 2.
    Periodic,
}

impl Freedom {
    /// That of a plane with these periods, whose discs only meet each other and walls along the periods.
    #[must_use]
    pub fn of_periods(periods: &Periods) -> Freedom {
        match (periods.x().is_some(), periods.y().is_some()) {
            (false, false) => Freedom::Walls,
            (true, false) => Freedom::TubeX,
            (false, true) => Freedom::TubeY,
            (true, true) => Freedom::Periodic,
        }
    }

    /// The parts of a momentum that are kept; 0 along the other axes.
    pub(crate) fn kept(self, momentum: DVec2) -> DVec2 {
        match self {
            Freedom::Walls => DVec2::ZERO,
            Freedom::TubeX => DVec2::new(momentum.x, 0.0),
            Freedom::TubeY => DVec2::new(0.0, momentum.y),
            Freedom::Periodic => momentum,
        }
    }

    /// Number of degrees of freedom of the velocities of `discs` discs; 0 if there are none.
    #[must_use]
    pub fn degrees(self, discs: usize) -> usize {
        let kept = match self {
            Freedom::Walls => 0,
            Freedom::TubeX | Freedom::TubeY => 1,
            Freedom::Periodic => 2,
        };
        (2 * discs).saturating_sub(kept)
    }
}

/// What the discs of a world keep while they only collide: their number N, their area A, their energy K.
///
/// The 2N components of the velocities, times the roots of the masses, are then a point evenly spread over a
/// sphere of radius √(2K) in D dimensions, whatever the places: D = 2N, less the [`Freedom`] that is taken.
/// The temperature is kT = 2K/D, and every mean over velocities that is used here is that over the sphere,
/// exact for any N, not Maxwell's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ensemble {
    discs: usize,
    area: f64,
    energy: f64,
    degrees: usize,
}

impl Ensemble {
    /// `discs` discs, at least 1, on an area above 0 with a kinetic energy above 0: that relative to the
    /// discs' centre of mass on every axis on which `freedom` says that momentum is kept.
    ///
    /// The area of a periodic rectangle is that of one period. Between walls, what is called pressure is the
    /// mean force on a length of the walls that is open to the centres of the discs if the area is the one
    /// open to the centres.
    ///
    /// # Errors
    /// If a number is out of range, or if nothing is left that could move.
    pub fn new(discs: usize, area: f64, energy: f64, freedom: Freedom) -> Result<Self, ObserveError> {
        let degrees = freedom.degrees(discs);
        if degrees == 0 || discs > MAX_DISCS {
            return Err(ObserveError::OutOfRange {
                field: "discs",
                value: discs as f64,
                allowed: format!("so many that a degree of freedom is left, up to {MAX_DISCS}"),
            });
        }
        Ok(Self {
            discs,
            area: ObserveError::positive("area", area)?,
            energy: ObserveError::positive("energy", energy)?,
            degrees,
        })
    }

    /// That of a world that is periodic on both axes, as it is now: N, the area of one period, and the energy
    /// relative to the centre of mass. O(N).
    ///
    /// # Errors
    /// If an axis is open; if a mass is 0 or infinite, as momentum is not kept then, or what moves is no part
    /// of it; and as [`Ensemble::new`].
    ///
    /// ```
    /// use carom_engine::{DVec2, Disc, Settings, World};
    /// use carom_observe::Ensemble;
    ///
    /// let settings = Settings::default().with_period([Some(4.0), Some(3.0)]);
    /// let mut world = World::with_settings(settings)?;
    /// world.insert(Disc::new(DVec2::new(1.0, 1.0), 0.5).with_velocity(DVec2::new(3.0, 0.0)))?;
    /// world.insert(Disc::new(DVec2::new(3.0, 2.0), 0.5).with_velocity(DVec2::new(1.0, 0.0)))?;
    /// let ensemble = Ensemble::of_period(&world)?;
    /// // Relative to 2 length units a second; for two degrees of freedom.
    /// assert_eq!((ensemble.area(), ensemble.energy(), ensemble.temperature()), (12.0, 1.0, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_period<P: Physics>(world: &World<P>) -> Result<Self, ObserveError> {
        let lengths = world.periods().lengths();
        ObserveError::positive("period along x", lengths.x)?;
        ObserveError::positive("period along y", lengths.y)?;
        let (mut mass, mut momentum) = (0.0, DVec2::ZERO);
        for (index, (_, disc)) in world.discs().enumerate() {
            if !(disc.mass > 0.0 && disc.mass < f64::INFINITY) {
                let allowed = "above 0 and finite";
                return Err(ObserveError::BadDisc { field: "masses", index, value: disc.mass, allowed });
            }
            mass += disc.mass;
            momentum += disc.velocity * disc.mass;
        }
        let drift = momentum / mass;
        let energy: f64 =
            world.discs().map(|(_, disc)| 0.5 * disc.mass * (disc.velocity - drift).length_squared()).sum();
        Self::new(world.len(), lengths.x * lengths.y, energy, Freedom::Periodic)
    }

    /// The number of discs.
    #[must_use]
    pub fn discs(&self) -> usize {
        self.discs
    }

    /// The area.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.area
    }

    /// The kinetic energy.
    #[must_use]
    pub fn energy(&self) -> f64 {
        self.energy
    }

    /// The number of degrees of freedom of the velocities.
    #[must_use]
    pub fn degrees(&self) -> usize {
        self.degrees
    }

    /// The temperature as an energy, kT = 2K/D.
    #[must_use]
    pub fn temperature(&self) -> f64 {
        2.0 * self.energy / self.degrees as f64
    }

    /// The mean of |u| over all pairs of discs of this mass, u being one component of their relative
    /// velocity.
    ///
    /// For Maxwell's velocities it is 2√(kT/πm). On the sphere u√(m/2) is a coordinate in D dimensions, whose
    /// mean size is √(2K)·Γ(D/2)/(√π·Γ((D + 1)/2)): more than Maxwell's by 1/(4D), which is 1.8 · 10⁻³ for 72
    /// discs in a periodic rectangle.
    #[must_use]
    pub fn mean_normal_speed(&self, mass: f64) -> f64 {
        let half = 0.5 * self.degrees as f64;
        2.0 * carom_math::sqrt(self.energy / (mass * std::f64::consts::PI)) / gamma_ratio(half)
    }
}

/// Γ(z + ½)/Γ(z) for z ≥ ½, to a few ulps per step of the recursion.
///
/// √z·(1 − 1/8z + 1/128z² + 5/1024z³ − 21/32768z⁴ − 399/262144z⁵ + …) (Graham, Knuth, Patashnik, Concrete
/// Mathematics, 2nd ed., answer 9.60), from z = 64 on, where what is left out is below 10⁻¹³; below by q(z) =
/// q(z + 1)·z/(z + ½).
fn gamma_ratio(z: f64) -> f64 {
    let (mut z, mut factor) = (z, 1.0);
    while z < 64.0 {
        factor *= z / (z + 0.5);
        z += 1.0;
    }
    let w = 1.0 / z;
    let series = 1.0
        + w * (-1.0 / 8.0
            + w * (1.0 / 128.0 + w * (5.0 / 1024.0 + w * (-21.0 / 32768.0 + w * (-399.0 / 262_144.0)))));
    factor * carom_math::sqrt(z) * series
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_engine::{Disc, Settings};
    use std::f64::consts::PI;

    #[test]
    fn degrees_of_freedom() {
        assert_eq!(
            [Freedom::Walls, Freedom::TubeX, Freedom::TubeY, Freedom::Periodic].map(|f| f.degrees(72)),
            [144, 143, 143, 142]
        );
        assert_eq!(Freedom::Periodic.degrees(0), 0);
        for (discs, freedom) in [(0, Freedom::Walls), (1, Freedom::Periodic)] {
            assert!(Ensemble::new(discs, 1.0, 1.0, freedom).is_err());
        }
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Ensemble::new(2, bad, 1.0, Freedom::Walls).is_err());
            assert!(Ensemble::new(2, 1.0, bad, Freedom::Walls).is_err());
        }
    }

    #[test]
    fn a_world_without_a_period_or_with_fixed_discs_has_none() {
        let of = |period, masses: &[f64]| {
            let mut world = World::with_settings(Settings::default().with_period(period)).unwrap();
            for (k, &mass) in masses.iter().enumerate() {
                let speed = if mass == f64::INFINITY { 0.0 } else { k as f64 };
                let disc = Disc::new(DVec2::new(2.0 * k as f64, 0.0), 0.5).with_mass(mass);
                world.insert(disc.with_velocity(DVec2::new(speed, 0.0))).unwrap();
            }
            Ensemble::of_period(&world)
        };
        let both = [Some(10.0); 2];
        assert_eq!(of(both, &[1.0, 2.0]).unwrap().degrees(), 2);
        for period in [[None; 2], [Some(10.0), None], [None, Some(10.0)]] {
            assert!(matches!(of(period, &[1.0, 2.0]), Err(ObserveError::OutOfRange { .. })));
        }
        for mass in [0.0, f64::INFINITY] {
            assert!(matches!(of(both, &[1.0, 2.0, mass]), Err(ObserveError::BadDisc { index: 2, .. })));
        }
        assert!(of(both, &[]).is_err() && of(both, &[1.0]).is_err());
    }

    /// Γ(1) = 1, Γ(½) = √π, and zΓ(z) = Γ(z + 1).
    #[test]
    fn gamma_ratio_is_exact_at_halves() {
        // 64 steps of three roundings, and the series.
        let close = |a: f64, b: f64| (a / b - 1.0).abs() < 200.0 * f64::EPSILON + 1e-13;
        assert!(close(gamma_ratio(0.5), 1.0 / PI.sqrt()));
        assert!(close(gamma_ratio(1.0), PI.sqrt() / 2.0));
        assert!(close(gamma_ratio(1.5), 2.0 / PI.sqrt()));
        for z in [0.5, 3.0, 63.5, 64.0, 71.0, 1e3, 1e7] {
            // q(z)·q(z + ½) = z.
            assert!(close(gamma_ratio(z) * gamma_ratio(z + 0.5), z), "{z}");
        }
    }

    /// Two discs in a periodic box have one relative velocity, of size √(4K/m), in any direction: the mean of
    /// |cos| is 2/π.
    #[test]
    fn two_discs_have_one_relative_speed() {
        let ensemble = Ensemble::new(2, 1.0, 0.7, Freedom::Periodic).unwrap();
        let speed = (4.0f64 * 0.7 / 1.3).sqrt();
        assert!((ensemble.mean_normal_speed(1.3) / speed - 2.0 / PI).abs() < 1e-13);
        assert_eq!(ensemble.temperature(), 0.7);
    }

    #[test]
    fn many_discs_are_maxwells() {
        let ensemble = Ensemble::new(72, 1.0, 71.0, Freedom::Periodic).unwrap();
        assert_eq!((ensemble.temperature(), ensemble.degrees()), (1.0, 142));
        let ratio = ensemble.mean_normal_speed(1.0) / (2.0 / PI.sqrt());
        // 1/4D = 1/568, and the next term is 1/32D².
        assert!((ratio - 1.0 - 1.0 / 568.0).abs() < 2e-6, "{ratio}");
    }
}

use crate::{Blocking, Ensemble, Estimate, ObserveError, Tally};

impl Ensemble {
    /// βPA by the virial theorem, from what was counted in `duration` > 0 seconds. Of any radii and masses.
    ///
    /// d/dt Σ m r·v = 2K + Σ r·F. In equilibrium the left side is 0 on average, and the forces are those of
    /// the impacts and of what holds the gas together, −2PA in the plane. So 2PA = 2K + W/t with W = Σ
    /// (contact distance) · (impulse). In a periodic rectangle with total momentum 0, K is (N − 1)kT, less
    /// than the NkT of an ideal gas by the share of the centre of mass, which is free to be anywhere but does
    /// not move; taken back,
    ///
    /// βPA = N + W/(2t·kT).
    ///
    /// That this is right for every N shows in the entropy: of N discs of diameter σ, βPA = N + σn(σ)/2, with
    /// n(σ)dr pairs at distances in [σ, σ + dr]. Of these, n(σ)·⟨u²; u < 0⟩ = n(σ)·kT/m is what the impacts
    /// transfer in each second, in units of m.
    #[must_use]
    pub fn beta_pa_by_virial(&self, tally: &Tally, duration: f64) -> f64 {
        self.discs() as f64 + tally.virial / (2.0 * duration * self.temperature())
    }

    /// βPA from the number of impacts in `duration` > 0 seconds, for discs of one diameter and one mass.
    ///
    /// Pairs in contact approach with a component u < 0 of the relative velocity along the normal, which is
    /// as likely as u > 0, so that n(σ)·⟨|u|⟩/2 impacts happen in a second: Γ. With βPA = N + σn(σ)/2,
    ///
    /// βPA = N + σΓ/⟨|u|⟩,
    ///
    /// ⟨|u|⟩ being [`Ensemble::mean_normal_speed`]. (With the mean size of the whole relative velocity, which
    /// is π/2 times as much, σΓ gets the factor π/2.) Cf. Hoover and Alder, J. Chem. Phys. 46 (1967) 686, for
    /// the dependence on N.
    #[must_use]
    pub fn beta_pa_by_rate(&self, impacts: u64, diameter: f64, mass: f64, duration: f64) -> f64 {
        let rate = impacts as f64 / duration;
        self.discs() as f64 + diameter * rate / self.mean_normal_speed(mass)
    }

    /// The pressure, in units of energy per area, that belongs to a βPA.
    #[must_use]
    pub fn pressure(&self, beta_pa: f64) -> f64 {
        beta_pa * self.temperature() / self.area()
    }
}

/// Pressures of a long run, as means over blocks of one duration, with errors.
///
/// Blocks of some 100 collisions per disc are independent enough in a fluid for [`Blocking::independent`];
/// nearer to freezing, and for short blocks, [`Blocking::estimate`] finds out.
///
/// ```
/// use carom_engine::{DVec2, Disc, Wall, World};
/// use carom_observe::{Ensemble, Freedom, PressureMeter, TallySink};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World::new();
/// world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(4.0)))?;
/// for (x, speed) in [(1.0, 1.0), (3.0, -0.7)] {
///     world.insert(Disc::new(DVec2::new(x, x), 0.5).with_velocity(DVec2::new(speed, 0.1)))?;
/// }
/// // The centres are half a unit off the walls.
/// let ensemble = Ensemble::new(2, 9.0, world.kinetic_energy(), Freedom::Walls)?;
/// let mut meter = PressureMeter::new(ensemble, 100.0)?.of_equal_discs(1.0, 1.0)?;
/// let mut sink = TallySink::equal(1.0);
/// for _ in 0..20 {
///     world.advance_with(meter.duration(), &mut sink)?;
///     meter.add(&sink.take());
/// }
/// let (virial, rate) = (meter.virial().independent(), meter.rate().independent());
/// println!("βPA = {} by the virial, {} by the rate", virial.unwrap(), rate.unwrap());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct PressureMeter {
    ensemble: Ensemble,
    duration: f64,
    equal: Option<(f64, f64)>,
    virial: Blocking,
    rate: Blocking,
}

impl PressureMeter {
    /// For blocks of `duration` > 0 seconds each.
    ///
    /// # Errors
    /// If the duration is not above 0 and finite.
    pub fn new(ensemble: Ensemble, duration: f64) -> Result<Self, ObserveError> {
        let duration = ObserveError::positive("duration", duration)?;
        Ok(Self { ensemble, duration, equal: None, virial: Blocking::new(), rate: Blocking::new() })
    }

    /// Takes the pressure from the rate of impacts, too, which needs one diameter and one mass for all.
    ///
    /// # Errors
    /// If one is not above 0 and finite.
    pub fn of_equal_discs(mut self, diameter: f64, mass: f64) -> Result<Self, ObserveError> {
        self.equal =
            Some((ObserveError::positive("diameter", diameter)?, ObserveError::positive("mass", mass)?));
        Ok(self)
    }

    /// How long a block is.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// What the gas is.
    #[must_use]
    pub fn ensemble(&self) -> &Ensemble {
        &self.ensemble
    }

    /// Adds a block: what was counted in its duration.
    pub fn add(&mut self, tally: &Tally) {
        self.virial.push(self.ensemble.beta_pa_by_virial(tally, self.duration));
        if let Some((diameter, mass)) = self.equal {
            self.rate.push(self.ensemble.beta_pa_by_rate(tally.impacts, diameter, mass, self.duration));
        }
    }

    /// βPA by the virial, block by block.
    #[must_use]
    pub fn virial(&self) -> &Blocking {
        &self.virial
    }

    /// βPA by the rate of impacts, block by block; empty unless the discs are said to be equal.
    #[must_use]
    pub fn rate(&self) -> &Blocking {
        &self.rate
    }

    /// βPσ² of a βPA, the form in which pressures of equal discs are published: times σ²/A.
    #[must_use]
    pub fn reduced(&self, beta_pa: Estimate, diameter: f64) -> Estimate {
        beta_pa.times(diameter * diameter / self.ensemble.area())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Freedom;

    /// With the mean impulse of a pair on the sphere, m·⟨u²⟩/⟨|u|⟩ and ⟨u²⟩ = 2kT/m, both pressures are the
    /// same number.
    #[test]
    fn both_pressures_agree_on_a_mean_impulse() {
        for (discs, freedom) in [(2, Freedom::Periodic), (2, Freedom::Walls), (72, Freedom::Periodic)] {
            let ensemble = Ensemble::new(discs, 50.0, 3.0, freedom).unwrap();
            let (mass, diameter, duration, impacts) = (1.7, 0.9, 13.0, 1000);
            let impulse = 2.0 * ensemble.temperature() / ensemble.mean_normal_speed(mass);
            let tally = Tally { impacts, virial: diameter * impulse * impacts as f64 };
            let virial = ensemble.beta_pa_by_virial(&tally, duration);
            let rate = ensemble.beta_pa_by_rate(impacts, diameter, mass, duration);
            // A dozen roundings.
            assert!((virial / rate - 1.0).abs() < 16.0 * f64::EPSILON, "{virial} {rate}");
            let ideal = ensemble.beta_pa_by_virial(&Tally::default(), duration);
            assert_eq!(ideal, discs as f64);
            assert!((ensemble.pressure(ideal) * 50.0 - ideal * ensemble.temperature()).abs() < 1e-14);
        }
    }

    #[test]
    fn blocks_are_averaged() {
        let ensemble = Ensemble::new(2, 4.0, 1.0, Freedom::Periodic).unwrap();
        let mut meter = PressureMeter::new(ensemble, 2.0).unwrap();
        for virial in [4.0, 8.0] {
            meter.add(&Tally { impacts: 1, virial });
        }
        // kT = 1: 2 + W/4 is 3 and 4.
        let mean = meter.virial().independent().unwrap();
        assert_eq!(mean, Estimate { value: 3.5, error: 0.5 });
        assert_eq!(meter.reduced(mean, 2.0), mean);
        assert!(meter.rate().is_empty());
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(PressureMeter::new(ensemble, bad).is_err());
            assert!(meter.clone().of_equal_discs(bad, 1.0).is_err());
            assert!(meter.clone().of_equal_discs(1.0, bad).is_err());
        }
    }
}

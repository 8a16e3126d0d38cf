use crate::{Histogram, ObserveError};
use carom_engine::{Event, Physics, Sink, Time};
use std::f64::consts::PI;
use std::ops::ControlFlow;

/// How long discs fly between impacts with other discs, as a histogram in seconds. Impacts with walls end no
/// flight, and impacts at one instant begin none.
///
/// Hand it to `advance_with`: it takes O(1) for an impact, and O(N) memory. The flight of a disc before its
/// first impact is left out, as its beginning was not seen.
///
/// ```
/// use carom_engine::{Disc, Settings, World};
/// use carom_observe::FreeTimes;
///
/// let mut world = World::with_settings(Settings::default().with_period([Some(4.0); 2]))?;
/// world.insert(Disc::new([0.5, 1.0], 0.5).with_velocity([1.0, 0.0]))?;
/// world.insert(Disc::new([2.5, 1.0], 0.5).with_velocity([-1.0, 0.0]))?;
/// let mut flights = FreeTimes::new(100)?;
/// world.advance_with(10.0, &mut flights)?;
/// // They meet after half a second, and then once a second.
/// assert_eq!((flights.histogram().count(), flights.histogram().mean()), (18, Some(1.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FreeTimes {
    /// The last impact of the disc of each slot.
    since: Vec<Option<Time>>,
    flights: Histogram,
}

impl FreeTimes {
    /// With this number of bins: see [`Histogram::new`].
    ///
    /// # Errors
    /// If the number of bins is not allowed.
    pub fn new(bins: usize) -> Result<Self, ObserveError> {
        Ok(FreeTimes { since: Vec::new(), flights: Histogram::new(bins)? })
    }

    /// What was seen so far.
    #[must_use]
    pub fn histogram(&self) -> &Histogram {
        &self.flights
    }
}

impl<P: Physics> Sink<P> for FreeTimes {
    #[inline]
    fn event(&mut self, event: &Event<P::Change>) -> ControlFlow<()> {
        let Event::Impact(impact) = event else { return ControlFlow::Continue(()) };
        let Some(other) = impact.b.disc() else { return ControlFlow::Continue(()) };
        for id in [impact.a, other] {
            let slot = id.slot() as usize;
            if self.since.len() <= slot {
                self.since.resize(slot + 1, None);
            }
            if let Some(began) = self.since[slot].replace(impact.time)
                && began < impact.time
            {
                self.flights
                    .add(impact.time.since(began))
                    .expect("a time between two of a world is in range");
            }
        }
        ControlFlow::Continue(())
    }
}

/// Mean free time of a disc, in seconds: N·t/(2·impacts), as each impact ends the free flights of two.
/// Infinite without impacts.
///
/// # Errors
/// If the duration is not above 0 and finite.
pub fn mean_free_time(discs: usize, impacts: u64, duration: f64) -> Result<f64, ObserveError> {
    let duration = ObserveError::positive("duration", duration)?;
    Ok(discs as f64 * duration / (2.0 * impacts as f64))
}

/// Mean free time by Enskog: 1/(2√π·nσχ·√(kT/m)), for N/A = `density` discs per area, all of one diameter σ
/// and mass m.
///
/// χ is the pair distribution at contact: [`crate::contact_value_luding`], or 1 for a dilute gas, where it is
/// Boltzmann's. With the true χ it is exact in equilibrium, up to 1/8N for the finite number of discs.
///
/// # Errors
/// If a number is not above 0 and finite.
///
/// ```
/// use carom_observe::{contact_value_luding, enskog_free_time};
///
/// // Discs of diameter 1 and packing fraction ½.
/// let density = 0.5 / std::f64::consts::FRAC_PI_4;
/// let time = enskog_free_time(density, 1.0, 1.0, 1.0, contact_value_luding(0.5))?;
/// assert!((time - 0.1425).abs() < 1e-4);
/// # Ok::<(), carom_observe::ObserveError>(())
/// ```
pub fn enskog_free_time(
    density: f64,
    diameter: f64,
    mass: f64,
    temperature: f64,
    contact_value: f64,
) -> Result<f64, ObserveError> {
    let density = ObserveError::positive("density", density)?;
    let diameter = ObserveError::positive("diameter", diameter)?;
    let mass = ObserveError::positive("mass", mass)?;
    let temperature = ObserveError::positive("temperature", temperature)?;
    let contact_value = ObserveError::positive("contact_value", contact_value)?;
    let speed = carom_math::sqrt(PI * temperature / mass);
    Ok(1.0 / (2.0 * density * diameter * contact_value * speed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ensemble, Freedom, compressibility, contact_value_luding};

    #[test]
    fn an_impact_ends_two_flights() {
        assert_eq!(mean_free_time(10, 20, 8.0).unwrap(), 2.0);
        assert_eq!(mean_free_time(10, 0, 8.0).unwrap(), f64::INFINITY);
        assert!(mean_free_time(10, 20, 0.0).is_err());
    }

    /// The pressure from Enskog's rate of impacts is 1 + 2ηχ, less the 1/4D = 1/8N of the sphere.
    #[test]
    fn enskogs_rate_gives_enskogs_pressure() {
        let (discs, packing, diameter, mass, heat) = (100_000, 0.4, 0.7, 2.0, 3.0);
        let area = discs as f64 * PI * diameter * diameter / (4.0 * packing);
        let chi = contact_value_luding(packing);
        let time = enskog_free_time(discs as f64 / area, diameter, mass, heat, chi).unwrap();
        let ensemble = Ensemble::new(discs, area, heat * discs as f64, Freedom::Walls).unwrap();
        let impacts = 1_000_000_000_000;
        // From N·t/(2·impacts) = time.
        let duration = 2.0 * impacts as f64 * time / discs as f64;
        let z = ensemble.beta_pa_by_rate(impacts, diameter, mass, duration) / discs as f64;
        let exact = compressibility(packing, chi);
        assert!((z / exact - 1.0).abs() < 1.0 / (8.0 * discs as f64), "{z} {exact}");
    }

    #[test]
    fn what_is_no_gas_is_refused() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let mut numbers = [1.0; 5];
            for place in 0..5 {
                numbers[place] = bad;
                let [density, diameter, mass, temperature, chi] = numbers;
                assert!(enskog_free_time(density, diameter, mass, temperature, chi).is_err());
                numbers[place] = 1.0;
            }
        }
    }
}

use crate::tally::Radii;
use crate::{Blocking, ObserveError};
use carom_engine::{DVec2, Event, Partner, Physics, Sink, World};
use std::ops::ControlFlow;

/// A symmetric tensor of the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tensor {
    /// The component along x twice.
    pub xx: f64,
    /// The mixed component.
    pub xy: f64,
    /// The component along y twice.
    pub yy: f64,
}

impl Tensor {
    /// Adds `factor · v ⊗ v`.
    #[inline]
    pub fn add_square(&mut self, v: DVec2, factor: f64) {
        self.xx += factor * v.x * v.x;
        self.xy += factor * v.x * v.y;
        self.yy += factor * v.y * v.y;
    }

    /// Half the trace: the pressure, of a stress.
    #[must_use]
    pub fn mean(&self) -> f64 {
        0.5 * (self.xx + self.yy)
    }
}

/// The stress tensor of a gas of smooth discs, as means over blocks of time, with errors.
///
/// `P = (Σ m u ⊗ u + Σ r ⊗ Δp / t) / A`: the flow of momentum that discs carry with the velocities u relative
/// to their mean, and that which impacts transfer from centre to centre (Irving and Kirkwood, J. Chem. Phys.
/// 18 (1950) 817; Alder and Wainwright, J. Chem. Phys. 33 (1960) 1439). Half its trace is the pressure. The
/// first sum is sampled at the end of each block. Impulses are those along the normals: friction is left out.
///
/// Hand it to `advance_with`, and end each block by [`StressMeter::end_block`].
///
/// ```
/// use carom_engine::{DVec2, Disc, Settings, World};
/// use carom_observe::StressMeter;
///
/// let mut world = World::with_settings(Settings::default().with_period([Some(4.0); 2]))?;
/// world.insert(Disc::new([0.5, 1.0], 0.5).with_velocity([1.0, 0.0]))?;
/// world.insert(Disc::new([2.5, 1.0], 0.5).with_velocity([-1.0, 0.0]))?;
/// let mut stress = StressMeter::by_radii(&world, 16.0)?;
/// for _ in 0..10 {
///     world.advance_with(4.0, &mut stress)?;
///     stress.end_block(&world, 4.0)?;
/// }
/// // Two discs between which 2 units are free on either side, at a relative speed of 2: an impact a second,
/// // each with an impulse of 2 over a distance of 1, beside 2 · 1² of the discs themselves.
/// let xx = stress.xx().mean().unwrap();
/// assert!((xx - (2.0 + 2.0) / 16.0).abs() < 1e-12);
/// assert_eq!(stress.yy().mean(), Some(0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct StressMeter {
    area: f64,
    radii: Radii,
    transferred: Tensor,
    blocks: [Blocking; 3],
    pressure: Blocking,
}

impl StressMeter {
    /// For the discs of a world, which touch at the sum of their radii, on an area > 0. Radii are read now:
    /// O(N) memory.
    ///
    /// # Errors
    /// If the area is not above 0 and finite.
    pub fn by_radii<P: Physics>(world: &World<P>, area: f64) -> Result<Self, ObserveError> {
        let area = ObserveError::positive("area", area)?;
        let radii = Radii::of(world);
        let (transferred, blocks) = (Tensor::default(), Default::default());
        Ok(Self { area, radii, transferred, blocks, pressure: Blocking::new() })
    }

    /// Ends a block that has taken `duration` > 0 seconds. O(N).
    ///
    /// # Errors
    /// If the duration is not above 0 and finite.
    pub fn end_block<P: Physics>(&mut self, world: &World<P>, duration: f64) -> Result<(), ObserveError> {
        let duration = ObserveError::positive("duration", duration)?;
        let (mut mass, mut momentum) = (0.0, DVec2::ZERO);
        let counts = |mass: f64| mass > 0.0 && mass < f64::INFINITY;
        for (_, disc) in world.discs().filter(|(_, disc)| counts(disc.mass)) {
            mass += disc.mass;
            momentum += disc.velocity * disc.mass;
        }
        let drift = if mass > 0.0 { momentum / mass } else { DVec2::ZERO };
        let mut carried = Tensor::default();
        for (_, disc) in world.discs().filter(|(_, disc)| counts(disc.mass)) {
            carried.add_square(disc.velocity - drift, disc.mass);
        }
        let by_impacts = std::mem::take(&mut self.transferred);
        let sum = |carried: f64, transferred: f64| (carried + transferred / duration) / self.area;
        let stress = Tensor {
            xx: sum(carried.xx, by_impacts.xx),
            xy: sum(carried.xy, by_impacts.xy),
            yy: sum(carried.yy, by_impacts.yy),
        };
        for (series, term) in self.blocks.iter_mut().zip([stress.xx, stress.xy, stress.yy]) {
            series.push(term);
        }
        self.pressure.push(stress.mean());
        Ok(())
    }

    /// The component xx, block by block.
    #[must_use]
    pub fn xx(&self) -> &Blocking {
        &self.blocks[0]
    }

    /// The component xy, block by block.
    #[must_use]
    pub fn xy(&self) -> &Blocking {
        &self.blocks[1]
    }

    /// The component yy, block by block.
    #[must_use]
    pub fn yy(&self) -> &Blocking {
        &self.blocks[2]
    }

    /// The pressure: half the trace, block by block.
    #[must_use]
    pub fn pressure(&self) -> &Blocking {
        &self.pressure
    }
}

impl<P: Physics> Sink<P> for StressMeter {
    #[inline]
    fn event(&mut self, event: &Event<P::Change>) -> ControlFlow<()> {
        if let Event::Impact(impact) = event
            && let Partner::Disc(other) = impact.b
        {
            let reach = self.radii.get(impact.a) + self.radii.get(other);
            self.transferred.add_square(impact.normal, reach * impact.impulse);
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ensemble, TallySink};
    use carom_engine::{Disc, Settings};

    /// Half the trace is the pressure by the virial, kT being that of N − 1 discs: the sums are the same.
    #[test]
    fn half_the_trace_is_the_pressure_by_the_virial() {
        let settings = Settings::default().with_period([Some(9.0), Some(7.0)]);
        let mut world = World::with_settings(settings).unwrap();
        for k in 0..20 {
            let place = DVec2::new(1.7 * f64::from(k % 5), 1.6 * f64::from(k / 5));
            let velocity = DVec2::from_angle(2.1 * f64::from(k)) * (1.0 + 0.1 * f64::from(k));
            let mass = 1.0 + f64::from(k % 3);
            world.insert(Disc::new(place, 0.5).with_mass(mass).with_velocity(velocity)).unwrap();
        }
        let ensemble = Ensemble::of_period(&world).unwrap();
        let mut stress = StressMeter::by_radii(&world, ensemble.area()).unwrap();
        let mut tally = TallySink::by_radii(&world);
        let mut other = world.clone();
        world.advance_with(50.0, &mut stress).unwrap();
        other.advance_with(50.0, &mut tally).unwrap();
        stress.end_block(&world, 50.0).unwrap();
        let virial = tally.take().virial / (2.0 * 50.0);
        let exact = (ensemble.energy() + virial) / ensemble.area();
        let pressure = stress.pressure().mean().unwrap();
        assert!((pressure / exact - 1.0).abs() < 1e-12, "{pressure} {exact}");
        assert!(stress.xy().mean().unwrap().abs() < 0.2 * pressure);
    }

    #[test]
    fn an_area_or_a_duration_that_is_none_is_refused() {
        let world = World::new();
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(StressMeter::by_radii(&world, bad).is_err());
            assert!(StressMeter::by_radii(&world, 1.0).unwrap().end_block(&world, bad).is_err());
        }
    }
}

//! Where a gas is put in a plane that may repeat itself.

use crate::error::SceneError;
use crate::model::{Periodic, Region, Scene};
use crate::place::FieldPath;
use carom_math::Shown;
use glam::DVec2;

impl Scene {
    /// The periods along x and y, those that follow from a gas included. The scene has been checked.
    pub(crate) fn periods(&self) -> Result<[Option<f64>; 2], SceneError> {
        let Periodic { x, y, gas } = self.periodic;
        let Some(index) = gas else { return Ok([x, y]) };
        let gas = usize::try_from(index).ok().and_then(|index| self.gases.get(index));
        let path = FieldPath::of("gases", index as usize);
        match gas.map(|gas| gas.whole_region(&path)).transpose()? {
            Some(Region::Rectangle { max, .. }) => Ok([Some(max.x), Some(max.y)]),
            _ => Ok([None; 2]),
        }
    }
}

/// Where a gas is put: a region, which on a periodic axis may be all there is, so that it joins itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room<'gas> {
    pub(crate) region: &'gas Region,
    /// The lengths after which the plane repeats itself; 0 on an axis that does not.
    periods: DVec2,
    /// On which axes the region is a whole period.
    pub(crate) joined: [bool; 2],
}

impl<'gas> Room<'gas> {
    /// Says what is wrong if the region is not within one period.
    pub(crate) fn new(region: &'gas Region, periods: [Option<f64>; 2]) -> Result<Self, String> {
        let (min, max) = region.bounds();
        let is_rectangle = matches!(region, Region::Rectangle { .. });
        let mut joined = [false; 2];
        for (axis, period) in periods.into_iter().enumerate() {
            let Some(period) = period else { continue };
            let (low, high) = (min[axis], max[axis]);
            if !(low >= 0.0 && high <= period) {
                let name = ["x", "y"][axis];
                let [low, high, period] = [low, high, period].map(Shown);
                return Err(format!(
                    "the region reaches from {low} to {high} along {name}; it must lie within one period, \
                     from 0 to {period}"
                ));
            }
            joined[axis] = is_rectangle && low == 0.0 && high == period;
        }
        let [x, y] = periods.map(Option::unwrap_or_default);
        Ok(Self { region, periods: DVec2::new(x, y), joined })
    }

    /// The images of a place, itself first, that lie within so much of the region. In a plane that does not
    /// repeat itself that is the place alone, wherever it lies.
    pub(crate) fn images(&self, place: DVec2, reach: f64) -> impl Iterator<Item = DVec2> + '_ {
        let (min, max) = self.region.bounds();
        let around = move |axis: usize| {
            let period = self.periods[axis];
            let (low, high) = (min[axis] - reach, max[axis] + reach);
            let home = if period > 0.0 { place[axis].rem_euclid(period) } else { place[axis] };
            let is_near = move |at: &f64| period == 0.0 || (low..=high).contains(at);
            let many = if period > 0.0 { 3 } else { 1 };
            [home, home - period, home + period].into_iter().take(many).filter(is_near)
        };
        around(0).flat_map(move |x| around(1).map(move |y| DVec2::new(x, y)))
    }
}

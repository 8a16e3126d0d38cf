//! The check of a gas, as far as it goes without drawing a random number.

use super::{
    Checked, at_least_zero, fraction, length, length_or_zero, mass, point, positive, real, rectangle,
    require, whole,
};
use crate::error::SceneError;
use crate::model::{CUT, Gas, MAX_DISCS, MAX_SEED, Placement, Radii, Region, TWO_OF_THREE};
use crate::place::FieldPath;
use carom_engine::limits::{MAX_LENGTH, MAX_MASS, MIN_LENGTH, MIN_MASS};
use carom_engine::math::Shown;

/// How far from 1 fractions may add up: what is written with nine digits.
const FRACTIONS_OFF: f64 = 1e-9;

pub(super) fn gas(gas: &Gas, path: &FieldPath) -> Checked {
    let at = |field: &str| path.clone().field(field);
    whole(at("count"), gas.count, 1, MAX_DISCS)?;
    if let Some(said) = &gas.radius {
        radii(said, &at("radius"))?;
    }
    space(gas, path)?;
    let Some(spread) = gas.spread() else {
        return Err(SceneError::missing(at("radius"), TWO_OF_THREE));
    };
    if let (Some(region), None) = (&gas.region, gas.packing) {
        let packing = gas.count as f64 * std::f64::consts::PI * spread.mean_square() / region.area();
        if packing > 1.0 || packing.is_nan() {
            return Err(SceneError::no_room(
                path.clone(),
                format!("{} discs cover {packing:.3} times the area of the region", gas.count),
            ));
        }
    }
    masses(gas, &spread, path)?;
    fraction(at("restitution"), gas.restitution)?;
    velocities(gas, path)?;
    whole(at("seed"), gas.seed, 0, MAX_SEED)
}

/// Region, packing and what they say of a radius that is left out.
fn space(gas: &Gas, path: &FieldPath) -> Checked {
    let at = |field: &str| path.clone().field(field);
    if let Some(region) = &gas.region {
        self::region(region, gas.placement, &at("region"))?;
    }
    match (&gas.radius, &gas.region, gas.packing) {
        (Some(_), Some(_), None) => Ok(()),
        (Some(_), Some(_), Some(_)) => Err(SceneError::unexpected(at("packing"), TWO_OF_THREE)),
        (None, None, _) | (None, Some(_), None) => Err(SceneError::missing(at("radius"), TWO_OF_THREE)),
        (Some(_), None, None) => Err(SceneError::missing(at("region"), TWO_OF_THREE)),
        (_, _, Some(packing)) if !(packing > 0.0 && packing < 1.0) => {
            Err(SceneError::value(at("packing"), Shown(packing), "more than 0 and less than 1"))
        }
        (Some(radii), None, Some(_)) => {
            let allowed = "more than 0 where there is a `packing`";
            require(radii.mean_square() > 0.0, || SceneError::value(at("radius"), "0", allowed))
        }
        (None, Some(_), Some(packing)) => match gas.spread() {
            Some(Radii::Same(radius)) if !(MIN_LENGTH..=MAX_LENGTH).contains(&radius) => {
                let allowed =
                    format!("such that the radius that follows is from 1e-15 to 1e15, not {radius:e}");
                Err(SceneError::value(at("packing"), Shown(packing), allowed))
            }
            _ => Ok(()),
        },
    }
}

fn region(region: &Region, placement: Placement, path: &FieldPath) -> Checked {
    match region {
        Region::Rectangle { min, max } => rectangle(path, *min, *max)?,
        Region::Circle { center, radius } => {
            point(path.clone().field("center"), *center)?;
            length(path.clone().field("radius"), *radius)?;
            if placement != Placement::Random {
                return Err(SceneError::unexpected(
                    path.clone().field("radius"),
                    "a lattice needs a region with `min` and `max`",
                ));
            }
        }
    }
    let area = region.area();
    require(area.is_finite() && area > 0.0, || {
        SceneError::value(
            path.clone(),
            format!("an area of {}", Shown(area)),
            "an area that a number can hold",
        )
    })
}

fn radii(radii: &Radii, path: &FieldPath) -> Checked {
    match radii {
        Radii::Same(radius) => length_or_zero(path.clone(), *radius),
        Radii::Between(small, large) => {
            length_or_zero(path.clone().item(0), *small)?;
            length_or_zero(path.clone().item(1), *large)?;
            require(small <= large, || {
                let found = format!("[{}, {}]", Shown(*small), Shown(*large));
                SceneError::value(path.clone(), found, "[smallest, largest]")
            })
        }
        Radii::Mixture { values, fractions } => mixture(values, fractions, path),
        Radii::Normal { mean, deviation } => {
            let at = path.clone().field("deviation");
            length(path.clone().field("mean"), *mean)?;
            length_or_zero(at.clone(), *deviation)?;
            let allowed = format!("less than a third of the mean, {}", Shown(*mean));
            real(at, *deviation, mean - CUT * deviation >= MIN_LENGTH, &allowed)
        }
        Radii::LogNormal { mean, deviation } => {
            let at = path.clone().field("deviation");
            length(path.clone().field("mean"), *mean)?;
            length_or_zero(at.clone(), *deviation)?;
            let (small, large) = radii.range();
            let allowed = format!("such that radii are from 1e-15 to 1e15, not from {small:e} to {large:e}");
            real(at, *deviation, small >= MIN_LENGTH && large <= MAX_LENGTH, &allowed)
        }
    }
}

fn mixture(values: &[f64], fractions: &[f64], path: &FieldPath) -> Checked {
    let (at_values, at_fractions) = (path.clone().field("values"), path.clone().field("fractions"));
    for (index, radius) in values.iter().enumerate() {
        length_or_zero(at_values.clone().item(index), *radius)?;
    }
    for (index, part) in fractions.iter().enumerate() {
        fraction(at_fractions.clone().item(index), *part)?;
    }
    if values.is_empty() {
        return Err(SceneError::value(at_values, "an empty list", "at least one radius"));
    }
    if fractions.len() != values.len() {
        let found = format!("a list of {}", fractions.len());
        let allowed = format!("one for each of the {} `values`", values.len());
        return Err(SceneError::value(at_fractions, found, allowed));
    }
    let sum: f64 = fractions.iter().sum();
    let found = format!("a sum of {}", Shown(sum));
    let allowed = "numbers that add up to 1, to within 1e-9";
    require((sum - 1.0).abs() <= FRACTIONS_OFF, || SceneError::value(at_fractions, found, allowed))
}

fn masses(gas: &Gas, spread: &Radii, path: &FieldPath) -> Checked {
    let at = |field: &str| path.clone().field(field);
    if let Some(value) = gas.mass {
        mass(at("mass"), value)?;
        let allowed = "positive and finite where there is a temperature or `zero_momentum`";
        let is_free = gas.temperature.is_none() && !gas.zero_momentum;
        real(at("mass"), value, is_free || (value > 0.0 && value.is_finite()), allowed)?;
    }
    let Some(density) = gas.density else { return Ok(()) };
    positive(at("density"), density)?;
    if gas.mass.is_some() {
        return Err(SceneError::unexpected(at("density"), "there is a mass already"));
    }
    let (small, large) = spread.range();
    for radius in [small, large] {
        let mass = std::f64::consts::PI * (radius * radius) * density;
        let allowed = format!(
            "such that a disc of radius {} has a mass from 1e-50 to 1e50, not {mass:e}",
            Shown(radius)
        );
        real(at("density"), density, (MIN_MASS..=MAX_MASS).contains(&mass), &allowed)?;
    }
    Ok(())
}

fn velocities(gas: &Gas, path: &FieldPath) -> Checked {
    let at = |field: &str| path.clone().field(field);
    if let Some(temperature) = gas.temperature {
        at_least_zero(at("temperature"), temperature)?;
    }
    if let Some(speed) = gas.speed {
        at_least_zero(at("speed"), speed)?;
        if gas.temperature.is_some() {
            return Err(SceneError::unexpected(at("speed"), "there is a temperature already"));
        }
    }
    if !gas.exact_temperature {
        return Ok(());
    }
    if gas.temperature.is_none() {
        return Err(SceneError::unexpected(at("exact_temperature"), "there is no temperature"));
    }
    if gas.zero_momentum && gas.count < 2 {
        return Err(SceneError::value(
            at("count"),
            gas.count,
            "at least 2 with `zero_momentum` and `exact_temperature`: one disc has nothing left that moves",
        ));
    }
    Ok(())
}

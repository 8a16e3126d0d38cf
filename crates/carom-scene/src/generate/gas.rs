//! Gases set up: places and velocities from a seed.

use super::curve;
use super::pack::{self, First};
use super::random::Random;
use super::room::Room;
use super::steps::Steps;
use crate::error::SceneError;
use crate::model::{Gas, Order, Placement, Radii, Region, SceneDisc, TWO_OF_THREE};
use crate::place::FieldPath;
use carom_engine::limits::{MAX_LENGTH, MIN_LENGTH};
use glam::DVec2;

/// A gas that is set up.
pub(crate) struct Placed {
    pub(crate) discs: Vec<SceneDisc>,
    pub(crate) region: Region,
}

impl Gas {
    /// The region, or the one that follows from the radii, which must have been drawn, and the packing.
    fn space(&self, radii: &[f64], path: &FieldPath) -> Result<Region, SceneError> {
        let packing = match (&self.region, self.packing) {
            (Some(region), _) => return Ok(region.clone()),
            (None, Some(packing)) => packing,
            (None, None) => return Err(SceneError::missing(path.clone().field("region"), TWO_OF_THREE)),
        };
        let covered: f64 = radii.iter().map(|radius| std::f64::consts::PI * (radius * radius)).sum();
        let side = carom_math::sqrt(covered / packing);
        if !(MIN_LENGTH..=MAX_LENGTH).contains(&side) {
            let why = format!("the region would be a square of side {side:e}; from 1e-15 to 1e15 is allowed");
            return Err(SceneError::no_room(path.clone(), why));
        }
        Ok(Region::Rectangle { min: DVec2::ZERO, max: DVec2::splat(side) })
    }

    /// The region, or the one that follows, before anything is placed.
    pub(crate) fn whole_region(&self, path: &FieldPath) -> Result<Region, SceneError> {
        if let Some(region) = &self.region {
            return Ok(region.clone());
        }
        self.space(&self.draw(&self.spread_or_missing(path)?).0, path)
    }

    fn spread_or_missing(&self, path: &FieldPath) -> Result<Radii, SceneError> {
        self.spread().ok_or_else(|| SceneError::missing(path.clone().field("radius"), TWO_OF_THREE))
    }

    /// The radii, and the random numbers that come after them.
    fn draw(&self, spread: &Radii) -> (Vec<f64>, Random) {
        let mut random = Random::new(self.generator, self.seed);
        (spread.draw(self.count as usize, &mut random), random)
    }

    /// The discs, clear of those that stand there already. Random numbers are drawn in this order: all radii
    /// (unless they are the same), all places (if at random), all velocities (if any), each in the order of
    /// the discs.
    pub(crate) fn discs(
        &self,
        others: &[SceneDisc],
        periods: [Option<f64>; 2],
        path: &FieldPath,
        steps: &mut Steps<'_>,
    ) -> Result<Placed, SceneError> {
        let spread = self.spread_or_missing(path)?;
        let (radii, mut random) = self.draw(&spread);
        let region = self.space(&radii, path)?;
        let first = match spread {
            Radii::Same(_) | Radii::Between(..) => First::Given,
            Radii::Mixture { .. } | Radii::Normal { .. } | Radii::LogNormal { .. } => First::Largest,
        };
        let centres = Room::new(&region, periods)
            .and_then(|room| match self.placement {
                Placement::Random => pack::at_random(room, &radii, others, first, &mut random, steps),
                Placement::Square => pack::on_square_lattice(room, &radii),
                Placement::Hexagonal => pack::on_hexagonal_lattice(room, &radii),
            })
            .map_err(|why| SceneError::no_room(path.clone(), why));
        steps.go_on()?;
        let mut discs: Vec<SceneDisc> = centres?
            .into_iter()
            .zip(&radii)
            .map(|(position, &radius)| SceneDisc {
                mass: match self.density {
                    Some(density) => std::f64::consts::PI * (radius * radius) * density,
                    None => self.mass.unwrap_or(1.0),
                },
                restitution: self.restitution,
                rules: self.rules,
                acceleration: self.acceleration,
                gravity_scale: self.gravity_scale,
                friction: self.friction,
                speed_limit: self.speed_limit,
                roughness: self.roughness,
                inertia: self.inertia,
                colour: self.colour,
                ..SceneDisc::new(position, radius)
            })
            .collect();
        self.set_velocities(&mut discs, &mut random);
        let order = self.order.unwrap_or(if self.count > Self::MOST_AS_PLACED {
            Order::Curve
        } else {
            Order::Placed
        });
        if order == Order::Curve {
            discs = curve::along(discs, &region);
        }
        Ok(Placed { discs, region })
    }

    fn set_velocities(&self, discs: &mut [SceneDisc], random: &mut Random) {
        for disc in &mut *discs {
            if let Some(temperature) = self.temperature {
                disc.velocity = random.normal_pair() * carom_math::sqrt(temperature / disc.mass);
            } else if let Some(speed) = self.speed {
                disc.velocity = random.direction() * speed;
            }
        }
        if self.zero_momentum {
            let mass: f64 = discs.iter().map(|disc| disc.mass).sum();
            let momentum: DVec2 = discs.iter().map(|disc| disc.velocity * disc.mass).sum();
            for disc in &mut *discs {
                disc.velocity -= momentum / mass;
            }
        }
        if let (true, Some(temperature)) = (self.exact_temperature, self.temperature) {
            // Half the temperature for each of two degrees of freedom a disc, without the two of the centre
            // of mass.
            let free = if self.zero_momentum { self.count - 1 } else { self.count };
            let energy: f64 = discs.iter().map(|disc| 0.5 * disc.mass * disc.velocity.length_squared()).sum();
            let scale = carom_math::sqrt(temperature * free as f64 / energy);
            if scale.is_finite() {
                for disc in &mut *discs {
                    disc.velocity *= scale;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::ControlFlow;

    fn square(side: f64) -> Region {
        Region::Rectangle { min: DVec2::ZERO, max: DVec2::splat(side) }
    }

    fn placed(gas: &Gas, others: &[SceneDisc]) -> Result<Placed, SceneError> {
        gas.discs(
            others,
            [None; 2],
            &FieldPath::of("gases", 0),
            &mut Steps::new(1, &mut |_| ControlFlow::Continue(())),
        )
    }

    fn discs(gas: &Gas) -> Vec<SceneDisc> {
        placed(gas, &[]).unwrap().discs
    }

    #[test]
    fn a_gas_has_its_temperature_and_no_momentum() {
        let gas = Gas {
            density: Some(2.0),
            temperature: Some(3.0),
            zero_momentum: true,
            ..Gas::new(20_000, Radii::Between(0.3, 1.0), square(500.0), 5)
        };
        let discs = discs(&gas);
        let momentum: DVec2 = discs.iter().map(|disc| disc.velocity * disc.mass).sum();
        let impulse: f64 = discs.iter().map(|disc| disc.velocity.length() * disc.mass).sum();
        // Rounding of 20,000 terms, against the sum of their sizes.
        assert!(momentum.length() < 20_000.0 * f64::EPSILON * impulse);
        let energy: f64 = discs.iter().map(|disc| 0.5 * disc.mass * disc.velocity.length_squared()).sum();
        // N·T in the plane; the energy of one disc has the deviation T, so five errors are 5T/√N.
        let mean = energy / 20_000.0;
        assert!((mean - 3.0).abs() < 5.0 * 3.0 / 20_000.0_f64.sqrt(), "{mean}");
    }

    /// Equipartition: half the temperature for each degree of freedom, of which the centre of mass has two.
    #[test]
    fn an_exact_temperature_is_exact() {
        for (count, zero_momentum, free) in
            [(2, true, 1.0), (500, true, 499.0), (1, false, 1.0), (500, false, 500.0)]
        {
            let gas = Gas {
                density: Some(0.7),
                temperature: Some(3.0),
                zero_momentum,
                exact_temperature: true,
                ..Gas::packed(count, Radii::Between(0.3, 1.0), 0.2, 5)
            };
            let discs = discs(&gas);
            let energy: f64 = discs.iter().map(|disc| 0.5 * disc.mass * disc.velocity.length_squared()).sum();
            // Two sums of 500 positive terms round to 500 ε at most each.
            assert!((energy / (3.0 * free) - 1.0).abs() < 1000.0 * f64::EPSILON, "{energy}");
            let momentum: DVec2 = discs.iter().map(|disc| disc.velocity * disc.mass).sum();
            let impulse: f64 = discs.iter().map(|disc| disc.velocity.length() * disc.mass).sum();
            assert_eq!(momentum.length() < 1000.0 * f64::EPSILON * impulse, zero_momentum);
        }
        let cold = Gas {
            temperature: Some(0.0),
            exact_temperature: true,
            ..Gas::packed(9, Radii::Same(1.0), 0.2, 5)
        };
        assert!(discs(&cold).iter().all(|disc| disc.velocity == DVec2::ZERO));
    }

    #[test]
    fn what_is_left_out_follows_from_the_packing() {
        let covered = |discs: &[SceneDisc]| -> f64 {
            discs.iter().map(|disc| std::f64::consts::PI * disc.radius * disc.radius).sum()
        };
        for radii in [
            Radii::Same(0.5),
            Radii::Between(0.1, 2.0),
            Radii::Mixture { values: vec![1.0, 1.4], fractions: vec![0.5, 0.5] },
            Radii::Normal { mean: 1.0, deviation: 0.2 },
            Radii::LogNormal { mean: 1.0, deviation: 0.4 },
        ] {
            let gas = Gas::packed(300, radii, 0.4, 7);
            let placed = placed(&gas, &[]).unwrap();
            let (min, max) = placed.region.bounds();
            assert_eq!((min, max.x), (DVec2::ZERO, max.y));
            // The radii as drawn count, so that what is asked for is what there is: two sums of 300 terms.
            let packing = covered(&placed.discs) / placed.region.area();
            assert!((packing / 0.4 - 1.0).abs() < 600.0 * f64::EPSILON, "{packing}");
        }
        for region in [square(7.0), Region::Circle { center: DVec2::ONE, radius: 3.0 }] {
            let gas = Gas::filling(50, region.clone(), 0.3, 7);
            let discs = discs(&gas);
            assert!((covered(&discs) / region.area() / 0.3 - 1.0).abs() < 100.0 * f64::EPSILON);
            assert!(discs.iter().all(|disc| disc.radius == discs[0].radius));
        }
    }

    /// One after another as drawn, the last large ones would not find room.
    #[test]
    fn discs_of_very_unequal_sizes_find_room() {
        for radii in [
            Radii::Between(0.02, 2.0),
            Radii::Mixture { values: vec![0.01, 1.0], fractions: vec![0.999, 0.001] },
            Radii::LogNormal { mean: 1.0, deviation: 1.0 },
        ] {
            let discs = discs(&Gas::packed(20_000, radii, 0.4, 7));
            let mut by_x: Vec<&SceneDisc> = discs.iter().collect();
            by_x.sort_by(|a, b| (a.position.x - a.radius).total_cmp(&(b.position.x - b.radius)));
            for (n, a) in by_x.iter().enumerate() {
                let near =
                    by_x[n + 1..].iter().take_while(|b| b.position.x - b.radius <= a.position.x + a.radius);
                for b in near {
                    assert!((a.position - b.position).length() >= a.radius + b.radius);
                }
            }
        }
    }

    #[test]
    fn the_order_changes_numbers_and_nothing_else() {
        let gas = Gas {
            temperature: Some(1.0),
            density: Some(1.0),
            ..Gas::packed(700, Radii::Between(0.5, 1.0), 0.4, 3)
        };
        let sorted = |order| {
            let mut discs = discs(&Gas { order, ..gas.clone() });
            discs.sort_by(|a, b| a.position.x.total_cmp(&b.position.x));
            discs
        };
        assert_eq!(sorted(Some(Order::Curve)), sorted(None));
        assert_eq!(discs(&Gas { order: Some(Order::Placed), ..gas.clone() }), discs(&gas));
        assert_ne!(discs(&Gas { order: Some(Order::Curve), ..gas.clone() }), discs(&gas));
        // Large gases are numbered along the curve unasked.
        let large = Gas {
            placement: Placement::Square,
            ..Gas::packed(Gas::MOST_AS_PLACED + 1, Radii::Same(0.5), 0.1, 3)
        };
        assert_eq!(discs(&large), discs(&Gas { order: Some(Order::Curve), ..large.clone() }));
    }

    #[test]
    fn one_speed_is_one_speed() {
        let gas = Gas { speed: Some(2.5), ..Gas::new(500, Radii::Same(0.1), square(20.0), 1) };
        assert!(
            discs(&gas).iter().all(|disc| (disc.velocity.length() - 2.5).abs() < 4.0 * f64::EPSILON * 2.5)
        );
    }

    #[test]
    fn every_placement_keeps_discs_inside_and_apart() {
        for (placement, side) in
            [(Placement::Random, 40.0), (Placement::Square, 30.0), (Placement::Hexagonal, 29.0)]
        {
            let gas = Gas { placement, ..Gas::new(200, Radii::Between(0.5, 1.0), square(side), 9) };
            let discs = discs(&gas);
            assert_eq!(discs.len(), 200);
            for (i, a) in discs.iter().enumerate() {
                assert!(a.position.min_element() >= a.radius && a.position.max_element() <= side - a.radius);
                for b in &discs[i + 1..] {
                    assert!((a.position - b.position).length() >= a.radius + b.radius);
                }
            }
        }
    }

    #[test]
    fn a_gas_keeps_clear_of_what_stands_there() {
        let rock = SceneDisc::new(DVec2::splat(10.0), 6.0);
        let gas = Gas::new(100, Radii::Same(0.5), square(20.0), 2);
        for disc in placed(&gas, std::slice::from_ref(&rock)).unwrap().discs {
            assert!((disc.position - rock.position).length() > 6.5);
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_with_the_numbers() {
        for (gas, says) in [
            (Gas::new(50, Radii::Same(1.0), square(15.0), 1), "packing fraction"),
            (Gas::new(1, Radii::Same(1.0), square(1.9), 1), "wider than the region"),
            (
                Gas { placement: Placement::Square, ..Gas::new(101, Radii::Same(1.0), square(20.0), 1) },
                "lattice",
            ),
            (
                Gas { placement: Placement::Hexagonal, ..Gas::new(140, Radii::Same(1.0), square(20.0), 1) },
                "lattice",
            ),
        ] {
            let error = placed(&gas, &[]).err().unwrap().to_string();
            assert!(error.starts_with("scene: gases[0]: ") && error.contains(says), "{error}");
        }
        // The densest square lattice just fits.
        let full = Gas { placement: Placement::Square, ..Gas::new(100, Radii::Same(1.0), square(20.0), 1) };
        assert_eq!(discs(&full).len(), 100);
    }
}

//! Racks set up: balls touching, or nearly, reproducibly from a seed.

use super::random::Random;
use crate::model::{Pattern, Rack, Rgb, SceneDisc};
use carom_math::eft::DoubleDouble;
use glam::DVec2;

impl Rack {
    /// The balls: numbered ones in the order of their numbers, others row by row from the apex. The rack must
    /// have been checked.
    pub(crate) fn balls(&self) -> Vec<SceneDisc> {
        let places = places(self.pattern, self.rows.unwrap_or(0));
        let mut random = self.seed.map(|seed| Random::new(self.generator, seed));
        let numbers = match self.pattern {
            Pattern::NineBall => Some(nine_ball_order(random.as_mut())),
            Pattern::EightBall => Some(eight_ball_order(random.as_mut())),
            Pattern::SnookerReds | Pattern::Triangle => None,
        };
        // Half a pitch is the unit: at gap 0 it is the radius, with no rounding of its own. Everything after
        // it is done in twice the precision and rounded once, so that each coordinate is the nearest double
        // to where the ball belongs, also where a rack straddles the origin and coordinates are small
        // differences of large numbers.
        let half_pitch = self.radius + 0.5 * (self.gap + self.jitter);
        let frame = Frame::new(self.apex, self.direction, half_pitch);
        let mut balls: Vec<(u32, SceneDisc)> = Vec::with_capacity(places.len());
        for (n, &(row, offset)) in places.iter().enumerate() {
            let mut position = frame.at(row, offset);
            if self.jitter > 0.0
                && let Some(random) = random.as_mut()
            {
                position += random.in_unit_disc() * (0.5 * self.jitter);
            }
            let mut ball = SceneDisc {
                mass: self.mass,
                restitution: self.restitution,
                rules: self.rules,
                acceleration: self.acceleration,
                gravity_scale: self.gravity_scale,
                friction: self.friction,
                speed_limit: self.speed_limit,
                roughness: self.roughness,
                inertia: self.inertia,
                colour: self.colour,
                ..SceneDisc::new(position, self.radius)
            };
            let number = numbers.as_ref().map_or(n as u32, |numbers| numbers[n]);
            if numbers.is_some() {
                (ball.colour, ball.stripe) = pool_ball(number);
                ball.label = Some(number.to_string());
            } else if self.pattern == Pattern::SnookerReds && ball.colour.is_none() {
                ball.colour = Some(SNOOKER_RED);
            }
            balls.push((number, ball));
        }
        balls.sort_by_key(|(number, _)| *number);
        balls.into_iter().map(|(_, ball)| ball).collect()
    }
}

/// The lattice of a rack: its origin, and the steps from row to row and half a pitch across.
struct Frame {
    apex: DVec2,
    along: [DoubleDouble; 2],
    across: [DoubleDouble; 2],
}

impl Frame {
    fn new(apex: DVec2, direction: DVec2, half_pitch: f64) -> Self {
        // √3 to 107 bits.
        let root_three = DoubleDouble::from(SQRT3_HI) + DoubleDouble::from(SQRT3_LO);
        let square =
            DoubleDouble::product(direction.x, direction.x) + DoubleDouble::product(direction.y, direction.y);
        // One step of Newton's method doubles the digits of the square root.
        let root = carom_math::sqrt(square.to_f64());
        let length = DoubleDouble::from(root)
            + (square - DoubleDouble::product(root, root)) / DoubleDouble::from(2.0 * root);
        let x = DoubleDouble::from(direction.x) / length * half_pitch.into();
        let y = DoubleDouble::from(direction.y) / length * half_pitch.into();
        Self { apex, along: [x * root_three, y * root_three], across: [-y, x] }
    }

    fn at(&self, row: i32, offset: i32) -> DVec2 {
        let coordinate = |axis: usize, origin: f64| {
            let row = DoubleDouble::from(f64::from(row));
            let offset = DoubleDouble::from(f64::from(offset));
            (DoubleDouble::from(origin) + (self.along[axis] * row + self.across[axis] * offset)).to_f64()
        };
        DVec2::new(coordinate(0, self.apex.x), coordinate(1, self.apex.y))
    }
}

const SQRT3_HI: f64 = 1.7320508075688772;
const SQRT3_LO: f64 = 1.0035084221806903e-16;

/// The places of a pattern, row by row from the apex: the row, and the offset across in half pitches, which
/// is whole and odd or even with the row, so that a rack is its own mirror image to the last bit.
fn places(pattern: Pattern, rows: u32) -> Vec<(i32, i32)> {
    let row = |row: i32, count: i32| (0..count).map(move |k| (row, 2 * k - (count - 1)));
    match pattern {
        Pattern::NineBall => (0..).zip([1, 2, 3, 2, 1]).flat_map(|(r, count)| row(r, count)).collect(),
        Pattern::EightBall | Pattern::SnookerReds => (0..5).flat_map(|r| row(r, r + 1)).collect(),
        Pattern::Triangle => (0..rows as i32).flat_map(|r| row(r, r + 1)).collect(),
    }
}

/// The numbers of the balls at the places of the diamond.
fn nine_ball_order(random: Option<&mut Random>) -> Vec<u32> {
    let mut others: Vec<u32> = (2..=8).collect();
    if let Some(random) = random {
        random.shuffle(&mut others);
    }
    others.insert(0, 1);
    others.insert(4, 9);
    others
}

/// The numbers of the balls at the places of the triangle: the 8 in the middle, a solid (1–7) in one back
/// corner and a stripe (9–15) in the other.
fn eight_ball_order(random: Option<&mut Random>) -> Vec<u32> {
    const MIDDLE: usize = 4;
    const CORNERS: [usize; 2] = [10, 14];
    let (mut solids, mut stripes): (Vec<u32>, Vec<u32>) = ((1..=7).collect(), (9..=15).collect());
    let Some(random) = random else {
        return vec![1, 9, 2, 3, 8, 10, 11, 4, 12, 5, 6, 13, 14, 7, 15];
    };
    random.shuffle(&mut solids);
    random.shuffle(&mut stripes);
    let mut corners: Vec<u32> = [solids.pop(), stripes.pop()].into_iter().flatten().collect();
    random.shuffle(&mut corners);
    let mut others = [solids, stripes].concat();
    random.shuffle(&mut others);
    others.insert(MIDDLE, 8);
    for (place, ball) in CORNERS.into_iter().zip(corners) {
        others.insert(place, ball);
    }
    others
}

const SNOOKER_RED: Rgb = Rgb(0xc0, 0x1c, 0x28);

/// The colour of a pool ball by its number, and whether it is a stripe.
fn pool_ball(number: u32) -> (Option<Rgb>, bool) {
    const COLOURS: [Rgb; 8] = [
        Rgb(0xf5, 0xc2, 0x1b),
        Rgb(0x1e, 0x4f, 0xa8),
        Rgb(0xd0, 0x24, 0x2b),
        Rgb(0x5b, 0x2a, 0x86),
        Rgb(0xf0, 0x7c, 0x1f),
        Rgb(0x1b, 0x7a, 0x43),
        Rgb(0x7d, 0x1f, 0x2a),
        Rgb(0x16, 0x16, 0x16),
    ];
    let stripe = number > 8;
    let index = if stripe { number - 9 } else { number.saturating_sub(1) };
    (COLOURS.get(index as usize).copied(), stripe)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distance between neighbouring doubles at the largest coordinate of two points.
    fn ulp(a: DVec2, b: DVec2) -> f64 {
        let largest = a.abs().max(b.abs()).max_element();
        largest.next_up() - largest
    }

    fn tight(
        pattern: Pattern,
        rows: Option<u32>,
        apex: DVec2,
        direction: DVec2,
        radius: f64,
    ) -> Vec<SceneDisc> {
        Rack { rows, direction, ..Rack::new(pattern, apex, radius) }.balls()
    }

    /// Every pair of a tight rack is either a pair of neighbours, whose gap is within 4 ulp of the
    /// coordinates, or clearly apart; and there are as many neighbours as the triangular lattice has.
    fn assert_tight(balls: &[SceneDisc], neighbours: usize) {
        let mut touching = 0;
        for (i, a) in balls.iter().enumerate() {
            for b in &balls[i + 1..] {
                let gap = (b.position - a.position).length() - (a.radius + b.radius);
                if gap.abs() <= 4.0 * ulp(a.position, b.position) {
                    touching += 1;
                } else {
                    assert!(gap > 0.4 * a.radius, "gap {gap:e} of radius {}", a.radius);
                }
            }
        }
        assert_eq!(touching, neighbours);
    }

    #[test]
    fn tight_racks_touch_within_four_ulp() {
        let angles = (0..24).map(|n| f64::from(n) * 0.271).map(|angle| DVec2::new(angle.cos(), angle.sin()));
        let directions: Vec<DVec2> =
            [DVec2::X, -DVec2::X, DVec2::Y, DVec2::new(3.0, -4.0)].into_iter().chain(angles).collect();
        let apexes = [DVec2::ZERO, DVec2::new(0.635, 0.0), DVec2::new(-0.8, 0.3), DVec2::new(1e3, -7e2)];
        for direction in directions {
            for apex in apexes {
                for radius in [0.028575, 0.02619375, 0.03075, 1.0, 0.1] {
                    assert_tight(&tight(Pattern::NineBall, None, apex, direction, radius), 16);
                    assert_tight(&tight(Pattern::EightBall, None, apex, direction, radius), 30);
                    assert_tight(&tight(Pattern::SnookerReds, None, apex, direction, radius), 30);
                    assert_tight(&tight(Pattern::Triangle, Some(12), apex, direction, radius), 3 * 66);
                }
            }
        }
    }

    #[test]
    fn a_rack_on_the_axis_is_its_own_mirror_image() {
        for pattern in [Pattern::NineBall, Pattern::EightBall, Pattern::SnookerReds] {
            let balls = tight(pattern, None, DVec2::new(0.635, 0.0), DVec2::X, 0.028575);
            for ball in &balls {
                let mirrored = DVec2::new(ball.position.x, -ball.position.y);
                assert!(balls.iter().any(|other| other.position == mirrored));
            }
        }
    }

    #[test]
    fn jitter_keeps_the_gaps_in_their_range() {
        let (gap, jitter) = (1e-4, 5e-4);
        let mut seen = (f64::INFINITY, 0.0_f64);
        for seed in 0..200 {
            let rack = Rack {
                gap,
                jitter,
                seed: Some(seed),
                ..Rack::new(Pattern::EightBall, DVec2::new(0.6, 0.0), 0.03)
            };
            let balls = rack.balls();
            for (i, a) in balls.iter().enumerate() {
                for b in &balls[i + 1..] {
                    let distance = (b.position - a.position).length() - 0.06;
                    if distance < 0.02 {
                        seen = (seen.0.min(distance), seen.1.max(distance));
                    }
                }
            }
        }
        // 6000 gaps come near both ends of the range and never leave it (up to rounding).
        assert!(seen.0 >= gap - 1e-15 && seen.0 < gap + 0.3 * jitter, "{seen:?}");
        assert!(seen.1 <= gap + 2.0 * jitter + 1e-15 && seen.1 > gap + 1.7 * jitter, "{seen:?}");
    }

    #[test]
    fn the_rules_of_the_rack_hold_for_every_seed() {
        let apex = DVec2::ZERO;
        let mut arrangements = std::collections::BTreeSet::new();
        for seed in 0..500 {
            let nine = Rack { seed: Some(seed), ..Rack::new(Pattern::NineBall, apex, 1.0) }.balls();
            assert_eq!(nine[0].position, apex);
            assert_eq!(nine[8].position, DVec2::new(2.0 * 3.0_f64.sqrt(), 0.0));
            let eight = Rack { seed: Some(seed), ..Rack::new(Pattern::EightBall, apex, 1.0) }.balls();
            let labels: Vec<u32> =
                eight.iter().map(|ball| ball.label.as_ref().unwrap().parse().unwrap()).collect();
            assert_eq!(labels, (1..=15).collect::<Vec<u32>>());
            assert_eq!(eight[7].position, DVec2::new(2.0 * 3.0_f64.sqrt(), 0.0));
            let back = 4.0 * 3.0_f64.sqrt();
            let stripe_at = |y| {
                eight
                    .iter()
                    .find(|ball| ball.position == DVec2::new(back, y))
                    .map(|ball| ball.stripe)
                    .unwrap()
            };
            assert_ne!(stripe_at(4.0), stripe_at(-4.0));
            arrangements.insert(format!("{:?}", eight.iter().map(|ball| ball.position).collect::<Vec<_>>()));
        }
        assert!(arrangements.len() > 490);
    }

    #[test]
    fn pool_balls_have_their_colours() {
        assert_eq!(pool_ball(1).0, pool_ball(9).0);
        assert_eq!((pool_ball(8).1, pool_ball(9).1), (false, true));
        assert!((1..=15).all(|number| pool_ball(number).0.is_some()));
        assert_eq!(pool_ball(16).0, pool_ball(8).0);
    }
}

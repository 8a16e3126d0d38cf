//! Generators biased to what breaks: grazing, nearly touching, tangential, slow, far, tiny and huge.

use std::f64::consts::{FRAC_PI_2, TAU};

use carom_math::DVec2;
use proptest::prelude::*;
use proptest::strategy::{NewTree, ValueTree};
use proptest::test_runner::TestRunner;

/// Draws from one of its strategies. That of `prop_oneof!` keeps the others for shrinking, each with random
/// numbers of its own, which takes half of the time of a law.
#[derive(Clone, Debug)]
pub(crate) struct OneOf<T>(pub(crate) Vec<BoxedStrategy<T>>);

impl<T: std::fmt::Debug> Strategy for OneOf<T> {
    type Tree = Box<dyn ValueTree<Value = T>>;
    type Value = T;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let chosen = runner.rng().random_range(0..self.0.len());
        self.0[chosen].new_tree(runner)
    }
}

/// One of these strategies, each as often as its weight says.
macro_rules! one_of {
    ($($weight:literal => $strategy:expr),+ $(,)?) => {
        $crate::cases::OneOf([$(vec![$strategy.boxed(); $weight]),+].concat())
    };
    ($($strategy:expr),+ $(,)?) => { one_of![$(1 => $strategy),+] };
}

/// Relative position and velocity of two discs and their contact distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) d: DVec2,
    pub(crate) v: DVec2,
    pub(crate) reach: f64,
}

/// `x` moved by `k` units in its last place.
pub(crate) fn ulps(x: f64, k: i64) -> f64 {
    if x == 0.0 { 0.0 } else { f64::from_bits(x.to_bits().saturating_add_signed(k)) }
}

/// Numbers of ulps, from none to 10¹⁰, of either sign.
pub(crate) fn few_ulps() -> impl Strategy<Value = i64> {
    let size = one_of![0i64..4, (1u32..11, 1i64..10).prop_map(|(digits, m)| m * 10i64.pow(digits - 1))];
    (size, any::<bool>()).prop_map(|(k, negative)| if negative { -k } else { k })
}

/// `10^x` for `x` uniform in the range.
pub(crate) fn decades(from: f64, to: f64) -> impl Strategy<Value = f64> {
    (from..to).prop_map(|e| 10f64.powf(e))
}

/// A unit of length or of speed, from 10⁻¹² to 10¹².
pub(crate) fn scale() -> impl Strategy<Value = f64> {
    one_of![2 => Just(1.0), 1 => Just(1e-12), 1 => Just(1e12), 1 => decades(-12.0, 12.0)]
}

pub(crate) fn unit(angle: f64) -> DVec2 {
    DVec2::new(angle.cos(), angle.sin())
}

/// A direction: any, or along an axis or diagonal.
pub(crate) fn direction() -> impl Strategy<Value = DVec2> {
    let (one, half) = (1.0, std::f64::consts::FRAC_1_SQRT_2);
    one_of![
        3 => (0.0..TAU).prop_map(unit),
        1 => prop::sample::select(vec![
            DVec2::new(one, 0.0), DVec2::new(-one, 0.0), DVec2::new(0.0, one), DVec2::new(0.0, -one),
        ]),
        1 => prop::sample::select(vec![
            DVec2::new(half, half), DVec2::new(-half, half),
            DVec2::new(half, -half), DVec2::new(-half, -half),
        ]),
    ]
}

/// An angle to the normal, radians: any; or a right one except for at most 10⁻¹⁶ to 1, on either side.
pub(crate) fn slant() -> impl Strategy<Value = f64> {
    let nearly_tangential =
        (decades(-16.0, 0.0), any::<bool>(), any::<bool>()).prop_map(|(off, left, inwards)| {
            let slant = if inwards { FRAC_PI_2 - off } else { FRAC_PI_2 + off };
            if left { slant } else { -slant }
        });
    one_of![1 => -TAU / 2.0..TAU / 2.0, 1 => nearly_tangential, 1 => Just(FRAC_PI_2), 1 => Just(0.0)]
}

/// `x` times `length` along `along`, `y` times to the left of it.
pub(crate) fn oriented(along: DVec2, x: f64, y: f64) -> DVec2 {
    DVec2::new(x * along.x - y * along.y, x * along.y + y * along.x)
}

/// How two discs stand and move, in units of their contact distance.
#[derive(Clone, Copy, Debug)]
enum Aim {
    Random {
        x: f64,
        y: f64,
        vx: f64,
        vy: f64,
    },
    /// Impact parameter R and k ulps, `far` R away; or as far past it.
    Graze {
        far: f64,
        ulps: i64,
        past: bool,
        left: bool,
    },
    /// Impact parameter R (1 − off).
    Skim {
        far: f64,
        off: f64,
    },
    /// Apart, or inside each other, by k ulps.
    Touch {
        ulps: i64,
        slant: f64,
    },
    Coincident {
        slant: f64,
    },
    Still {
        far: f64,
    },
}

impl Aim {
    fn place(self, along: DVec2, r: f64) -> (DVec2, DVec2) {
        match self {
            Aim::Random { x, y, vx, vy } => (oriented(along, x * r, y * r), DVec2::new(vx, vy)),
            Aim::Graze { far, ulps: k, past, left } => {
                let impact = if left { ulps(r, k) } else { -ulps(r, k) };
                (oriented(along, if past { -far * r } else { far * r }, impact), -along)
            }
            Aim::Skim { far, off } => (oriented(along, far * r, r * (1.0 - off)), -along),
            Aim::Touch { ulps: k, slant } => (along * ulps(r, k), oriented(along, -slant.cos(), slant.sin())),
            Aim::Coincident { slant } => (DVec2::ZERO, oriented(along, slant.cos(), slant.sin())),
            Aim::Still { far } => (along * (far * r), DVec2::ZERO),
        }
    }
}

fn aims() -> impl Strategy<Value = Aim> {
    let part = || -1.0..1.0f64;
    let off = (decades(-14.0, 0.0), any::<bool>()).prop_map(|(off, hit)| if hit { off } else { -off });
    one_of![
        4 => (-20.0..20.0, -20.0..20.0, part(), part())
            .prop_map(|(x, y, vx, vy)| Aim::Random { x, y, vx, vy }),
        4 => (decades(0.0, 6.0), few_ulps(), prop::bool::weighted(0.1), any::<bool>())
            .prop_map(|(far, ulps, past, left)| Aim::Graze { far, ulps, past, left }),
        4 => (decades(0.0, 6.0), off).prop_map(|(far, off)| Aim::Skim { far, off }),
        6 => (few_ulps(), slant()).prop_map(|(ulps, slant)| Aim::Touch { ulps, slant }),
        1 => slant().prop_map(|slant| Aim::Coincident { slant }),
        1 => decades(-3.0, 3.0).prop_map(|far| Aim::Still { far }),
    ]
}

/// Discs seen from outside, overlapping ones too.
pub(crate) fn pairs() -> impl Strategy<Value = Pair> {
    let speed = one_of![3 => scale(), 1 => decades(-60.0, -12.0)];
    // Positions far from the origin leave a difference with few digits: `far` rounds it to its own ulps.
    let far = one_of![3 => Just(0.0), 1 => decades(0.0, 12.0)];
    (aims(), direction(), 0.1..10.0, scale(), speed, far).prop_map(
        |(aim, along, reach, length, speed, far)| {
            let reach = reach * length;
            let (d, v) = aim.place(along, reach);
            let origin = DVec2::splat(far * reach);
            Pair { d: (d + origin) - origin, v: v * speed, reach }
        },
    )
}

/// Discs in a round room of radius `reach` (for the centre): anywhere, at the middle, at the wall and k ulps
/// before or behind it, with any heading.
pub(crate) fn rooms() -> impl Strategy<Value = Pair> {
    // Distance from the middle: a factor and ulps.
    let at = one_of![
        2 => (0.0..1.0).prop_map(|x| (x, 0)),
        4 => few_ulps().prop_map(|k| (1.0, k)),
        1 => decades(-12.0, -3.0).prop_map(|x| (1.0 - x, 0)),
        1 => (1.0..3.0).prop_map(|x| (x, 0)),
        1 => Just((0.0, 0)),
    ];
    (at, direction(), slant(), 0.1..10.0, scale(), scale()).prop_map(
        |((factor, k), along, slant, reach, length, speed)| {
            let reach = reach * length;
            let d = along * ulps(factor * reach, k);
            Pair { d, v: oriented(along, slant.cos(), slant.sin()) * speed, reach }
        },
    )
}

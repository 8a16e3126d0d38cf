//! The physics of the tests: three types for all of them, as each is an engine to compile.
//!
//! [`Toy`] has laws that are values, straight or with [accelerations](Rover); [`Balls`] touch at a distance
//! of their own. A test writes its laws as a constant:
//!
//! ```ignore
//! /// Discs in tar stop at once when they are hit.
//! const TAR: Laws = Laws {
//!     next_change: |_, body, state| (body.own > 0.0 && state.velocity != DVec2::ZERO).then_some((0.0, 0)),
//!     change: |_, _, _, state| state.velocity = DVec2::ZERO,
//!     ..Laws::NONE
//! };
//! let mut world: World<Toy> = toys::world(&TAR);
//! ```

use carom_engine::fields;
use carom_engine::{
    Approach, Body, Contact, DVec2, Fields, Grip, Never, Physics, Settings, State, Walk, World,
};
use serde::{Deserialize, Serialize};

/// What a disc of a [`Toy`] stores: its laws say what each number means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Extra {
    pub vector: DVec2,
    pub amount: f64,
    pub count: u32,
}

fields!(Extra: vector, amount, count);

impl Extra {
    pub fn amount(amount: f64) -> Self {
        Extra { amount, ..Extra::default() }
    }

    pub fn count(count: u32) -> Self {
        Extra { count, ..Extra::default() }
    }
}

/// The hooks of a [`Toy`], as [`Physics`] names them. The first argument is [`Toy::strength`].
#[derive(Clone, Copy, Debug)]
#[expect(clippy::type_complexity, reason = "they are the signatures of the hooks")]
pub struct Laws {
    pub acceleration: fn(f64, &Body<f64>, &State<Extra>) -> DVec2,
    pub grip: fn(f64, &Body<f64>, &State<Extra>) -> Option<Grip>,
    pub evolve: fn(f64, &Body<f64>, &State<Extra>, f64) -> Extra,
    pub next_change: fn(f64, &Body<f64>, &State<Extra>) -> Option<(f64, u8)>,
    pub change: fn(f64, u8, &Body<f64>, &mut State<Extra>),
    pub restitution: fn(f64, &Approach<'_, f64, f64>) -> f64,
    pub pair: fn(f64, &Contact<Extra>, [&Body<f64>; 2], &mut State<Extra>, &mut State<Extra>),
    pub wall: fn(f64, &Contact<Extra>, &Body<f64>, &f64, &mut State<Extra>),
}

impl Laws {
    /// Those of smooth discs.
    pub const NONE: Laws = Laws {
        acceleration: |_, _, _| DVec2::ZERO,
        grip: |_, _, _| None,
        evolve: |_, _, state, _| state.extra,
        next_change: |_, _, _| None,
        change: |_, _, _, _| {},
        restitution: |_, approach| approach.combined,
        pair: |_, _, _, _, _| {},
        wall: |_, _, _, _, _| {},
    };
}

/// Discs that stop after a distance: `amount` is what is left of it. Where `Body::own` is left they announce
/// themselves as tired, with the change 0, at the end they stop, with the change 1. A wall leaves them as
/// large a share as its surface says; another disc gives its `own` times the strength. `count` is 1 for the
/// tired, and 2 more for each wall.
const TIRING: Laws = Laws {
    evolve: |_, _, state, dt| {
        let amount = state.extra.amount - state.velocity.length() * dt;
        Extra { amount, ..state.extra }
    },
    next_change: |_, body, state| {
        let (left, speed, is_tired) =
            (state.extra.amount, state.velocity.length(), state.extra.count & 1 == 1);
        let ahead = if is_tired { left } else { left - body.own };
        (speed > 0.0).then(|| ((ahead / speed).max(0.0), u8::from(is_tired)))
    },
    change: |_, change, _, state| match change {
        0 => state.extra.count |= 1,
        _ => (state.velocity, state.extra.amount) = (DVec2::ZERO, 0.0),
    },
    pair: |strength, _, [of_a, of_b], a, b| {
        a.extra.amount = a.extra.amount.max(strength * of_b.own);
        b.extra.amount = b.extra.amount.max(strength * of_a.own);
    },
    wall: |_, _, _, share, a| {
        a.extra.amount *= share;
        a.extra.count += 2;
    },
    ..Laws::NONE
};

/// A wall makes a velocity that is no number.
const WILD: Laws = Laws { wall: |_, _, _, _, a| a.velocity.y = f64::NAN, ..Laws::NONE };

/// Which laws a toy has. Those that have a name can be saved.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Which {
    Tiring,
    Wild,
    #[serde(skip)]
    Own(&'static Laws),
}

/// Discs whose laws are values. They may grow, unless they are accelerated.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Toy<const ACCELERATED: bool = false> {
    pub which: Which,
    pub strength: f64,
}

/// By the numbers that can differ between two worlds of one test.
impl<const ACCELERATED: bool> Fields for Toy<ACCELERATED> {
    fn walk(&self, walk: &mut Walk<'_>) {
        walk.field("strength", &self.strength);
    }
}

/// A [`Toy`] whose discs accelerate.
pub type Rover = Toy<true>;

impl<const ACCELERATED: bool> Toy<ACCELERATED> {
    pub fn of(laws: &'static Laws) -> Self {
        Toy { which: Which::Own(laws), strength: 1.0 }
    }

    fn laws(&self) -> &'static Laws {
        match self.which {
            Which::Tiring => &TIRING,
            Which::Wild => &WILD,
            Which::Own(laws) => laws,
        }
    }
}

/// A world of a toy with these laws, with the strength 1.
pub fn world<const ACCELERATED: bool>(laws: &'static Laws) -> World<Toy<ACCELERATED>> {
    World::with_physics(Toy::of(laws), Settings::default()).unwrap()
}

impl<const IS_ACCELERATED: bool> Physics for Toy<IS_ACCELERATED> {
    type Extra = Extra;
    type Body = f64;
    type Surface = f64;
    type Change = u8;

    const GROWS: bool = !IS_ACCELERATED;
    const ACCELERATED: bool = IS_ACCELERATED;

    fn acceleration(&self, body: &Body<f64>, state: &State<Extra>) -> DVec2 {
        (self.laws().acceleration)(self.strength, body, state)
    }

    fn grip(&self, body: &Body<f64>, state: &State<Extra>) -> Option<Grip> {
        (self.laws().grip)(self.strength, body, state)
    }

    fn evolve(&self, body: &Body<f64>, state: &State<Extra>, dt: f64) -> Extra {
        (self.laws().evolve)(self.strength, body, state, dt)
    }

    fn next_change(&self, body: &Body<f64>, state: &State<Extra>) -> Option<(f64, u8)> {
        (self.laws().next_change)(self.strength, body, state)
    }

    fn change(&self, change: u8, body: &Body<f64>, state: &mut State<Extra>) {
        (self.laws().change)(self.strength, change, body, state);
    }

    fn restitution(&self, approach: &Approach<'_, f64, f64>) -> f64 {
        (self.laws().restitution)(self.strength, approach)
    }

    fn pair(
        &self,
        contact: &Contact<Extra>,
        bodies: [&Body<f64>; 2],
        a: &mut State<Extra>,
        b: &mut State<Extra>,
    ) {
        (self.laws().pair)(self.strength, contact, bodies, a, b);
    }

    fn wall(&self, contact: &Contact<Extra>, body: &Body<f64>, surface: &f64, a: &mut State<Extra>) {
        (self.laws().wall)(self.strength, contact, body, surface, a);
    }
}

/// Balls on a cloth: those of unlike size touch at twice the geometric mean of their radii. Walls give a ball
/// a speed, its `own`, in addition. They can go behind [`carom_engine::Rough`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Balls;

fields!(Balls:);

impl Physics for Balls {
    type Extra = ();
    type Body = f64;
    type Surface = ();
    type Change = Never;

    const REACH: Option<fn(&Self, f64, f64) -> f64> = Some(|_, a, b| 2.0 * (a * b).sqrt());
    const GROWS: bool = true;

    fn wall(&self, contact: &Contact<()>, body: &Body<f64>, (): &(), a: &mut State<()>) {
        a.velocity -= contact.normal * body.own;
    }
}

use super::{Approach, Body, Contact, ContactFriction, Grip, Met, Physics, Reach, Smooth, State, Turning};
use crate::{Commands, Encounter, Error, Fields, Verdict, Walk};
use glam::DVec2;

/// Says what becomes of bodies that meet: the rules of a game.
///
/// Asked once for each contact that would push, in the order of events, at the instant at which the two meet:
/// never for a prediction, and never again while the two stay in contact. Of impacts at one instant all are
/// asked before anything moves, by serial numbers; what is only driven together by these is asked when it is.
/// Part of the physics, as [`Judged`], and of the bits of a run: it must depend on nothing but its arguments
/// and itself. What it wants done to the world it writes into `commands`.
///
/// A closure is one, and so is a type of one's own:
///
/// ```
/// # use carom_engine as carom;
/// use carom::{Commands, Disc, Encounter, Judge, Judged, Settings, Smooth, Verdict, Wall, World};
///
/// /// Bricks break, bumpers kick.
/// #[derive(Clone)]
/// struct Pinball {
///     kick: f64,
/// }
///
/// const BUMPER: u64 = 1;
/// const BRICK: u64 = 2;
///
/// impl Judge for Pinball {
///     fn verdict(&self, met: &Encounter<'_>, _: &mut Commands) -> Verdict {
///         match met.b.user_data {
///             BUMPER => Verdict::Kick(self.kick),
///             BRICK => Verdict::BounceAndRemove(met.b.which),
///             _ => Verdict::Bounce,
///         }
///     }
/// }
///
/// let physics = Judged::new(Smooth, Pinball { kick: 2.0 });
/// let mut world = World::with_physics(physics, Settings::default())?;
/// world.add_wall(Wall::disc([0.0, 0.0], 1.0).with_user_data(BUMPER))?;
/// let brick = world.add_wall(Wall::segment([4.0, -1.0], [4.0, 1.0]).with_user_data(BRICK))?;
/// let ball = world.insert(Disc::new([2.0, 0.0], 0.5).with_velocity([-1.0, 0.0]))?;
/// world.advance(1.0)?;
/// assert_eq!(world.get(ball).map(|ball| ball.velocity().x), Some(3.0));
/// world.advance(1.0)?;
/// assert!(world.walls().all(|(wall, _)| wall != brick));
/// # Ok::<(), carom::Error>(())
/// ```
pub trait Judge<B = (), X = (), F = ()>: Clone + Send + Sync {
    /// What becomes of two bodies that meet.
    fn verdict(&self, met: &Encounter<'_, B, X, F>, commands: &mut Commands<B, X>) -> Verdict;

    /// Whether it is to be asked: where it says no, impacts are those of the physics alone, and cost as much.
    /// To depend on nothing but itself.
    fn has_rules(&self) -> bool {
        true
    }

    /// Shows the parts of it that may differ between two worlds of a game, by [`Walk::field`]: what
    /// [`World::checksum`](crate::World::checksum) takes in and [`World::diff`](crate::World::diff) compares.
    /// By default, and for a closure, it shows nothing.
    #[expect(unused_variables, reason = "the name says what the method is given")]
    fn walk(&self, walk: &mut Walk<'_>) {}
}

impl<B, X, F, J> Judge<B, X, F> for J
where
    J: Fn(&Encounter<'_, B, X, F>, &mut Commands<B, X>) -> Verdict + Clone + Send + Sync,
{
    fn verdict(&self, met: &Encounter<'_, B, X, F>, commands: &mut Commands<B, X>) -> Verdict {
        self(met, commands)
    }
}

/// A physics with a judge: [`Smooth`], [`Forces`](crate::Forces) or one's own, with the rules of a game.
///
/// It is for worlds without [drag](crate::Settings::drag).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Judged<P = Smooth, J = ()> {
    /// The physics.
    pub physics: P,
    /// The judge.
    pub judge: J,
}

impl<P: Physics, J: Judge<P::Body, P::Extra, P::Surface>> Judged<P, J> {
    /// A physics with a judge.
    #[must_use]
    pub fn new(physics: P, judge: J) -> Self {
        Judged { physics, judge }
    }

    fn reach_of(&self, a: f64, b: f64) -> f64 {
        self.physics.reach(a, b)
    }

    fn inertia_of(&self, body: &Body<P::Body>) -> f64 {
        P::TURNING.map_or(f64::INFINITY, |turning| (turning.inertia)(&self.physics, body))
    }

    fn friction_of(&self, body: &Body<P::Body>, with: Met<'_, P::Body, P::Surface>) -> ContactFriction {
        P::TURNING.map_or(ContactFriction::default(), |turning| (turning.friction)(&self.physics, body, with))
    }
}

/// Methods that the physics below answers.
macro_rules! forwarded {
    ($(fn $name:ident($($given:ident: $type:ty),*) -> $result:ty;)+) => {$(
        #[inline(always)]
        fn $name(&self, $($given: $type),*) -> $result {
            self.physics.$name($($given),*)
        }
    )+};
}

impl<P: Physics + Fields, J: Judge<P::Body, P::Extra, P::Surface>> Fields for Judged<P, J> {
    fn walk(&self, walk: &mut Walk<'_>) {
        let Judged { physics, judge } = self;
        walk.field("physics", physics);
        judge.walk(walk);
    }
}

impl<P: Physics, J: Judge<P::Body, P::Extra, P::Surface>> Physics for Judged<P, J> {
    type Extra = P::Extra;
    type Body = P::Body;
    type Surface = P::Surface;
    type Change = P::Change;

    const REACH: Option<fn(&Self, f64, f64) -> f64> =
        if P::REACH.is_some() { Some(Self::reach_of) } else { None };
    const ADD: Option<fn(&P::Extra, &P::Extra, f64) -> P::Extra> = P::ADD;
    const TURNING: Option<Turning<Self>> = match P::TURNING {
        Some(Turning { spin, set_spin, .. }) => {
            Some(Turning { spin, set_spin, inertia: Self::inertia_of, friction: Self::friction_of })
        }
        None => None,
    };
    const GROWS: bool = P::GROWS;
    const ACCELERATED: bool = P::ACCELERATED;
    const JUDGES: bool = true;

    fn is_judging(&self) -> bool {
        self.judge.has_rules()
    }

    fn verdict(
        &self,
        met: &Encounter<'_, P::Body, P::Extra, P::Surface>,
        commands: &mut Commands<P::Body, P::Extra>,
    ) -> Verdict {
        self.judge.verdict(met, commands)
    }

    forwarded! {
        fn acceleration(body: &Body<P::Body>, state: &State<P::Extra>) -> DVec2;
        fn grip(body: &Body<P::Body>, state: &State<P::Extra>) -> Option<Grip>;
        fn potential(body: &Body<P::Body>, position: DVec2) -> f64;
        fn check(own: &P::Body) -> Result<(), Error>;
        fn check_extra(extra: &P::Extra) -> Result<(), Error>;
        fn evolve(body: &Body<P::Body>, state: &State<P::Extra>, dt: f64) -> P::Extra;
        fn next_change(body: &Body<P::Body>, state: &State<P::Extra>) -> Option<(f64, P::Change)>;
        fn next_change_held(
            body: &Body<P::Body>, state: &State<P::Extra>, acceleration: DVec2
        ) -> Option<(f64, P::Change)>;
        fn change(change: P::Change, body: &Body<P::Body>, state: &mut State<P::Extra>) -> ();
        fn captures(change: P::Change, body: &Body<P::Body>, state: &State<P::Extra>) -> bool;
        fn enter(surface: &P::Surface, body: &Body<P::Body>, state: &State<P::Extra>) -> Option<P::Extra>;
        fn restitution(approach: &Approach<'_, P::Body, P::Surface>) -> f64;
        fn begin_impact(body: &Body<P::Body>, before: &State<P::Extra>, after: &mut State<P::Extra>) -> ();
        fn pair(
            contact: &Contact<P::Extra>, bodies: [&Body<P::Body>; 2],
            a: &mut State<P::Extra>, b: &mut State<P::Extra>
        ) -> ();
        fn wall(
            contact: &Contact<P::Extra>, body: &Body<P::Body>, surface: &P::Surface, a: &mut State<P::Extra>
        ) -> ();
    }
}

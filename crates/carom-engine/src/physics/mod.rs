mod checked;
mod forces;
mod gripped;
mod judged;
mod rough;
mod roughness;
mod speed_limit;

pub(crate) use checked::{check_command, check_disc};
pub use forces::{DiscForces, Forces, Standstill};
pub(crate) use gripped::Gripped;
pub use judged::{Judge, Judged};
pub use rough::{Rough, RoughDisc, Spin};
pub use roughness::{RoughWall, Roughness};

use crate::{Commands, DiscId, Encounter, Error, Fields, Verdict, Walk};
use core::fmt::Debug;
use glam::DVec2;

/// The door for other physics: what a disc stores beside position and velocity, what it does on its own, and
/// what an impact does beyond its normal impulse.
///
/// Chosen once per world and compiled into it. The engine owns the path, straight or bent by an acceleration,
/// the search for the next event and the normal impulses; a physics adds to these. [`Smooth`], the default,
/// adds nothing and costs nothing; [`Forces`] accelerates discs. All functions must be pure: the same
/// arguments, the same result, to the last bit.
///
/// What it stores with discs and walls shows its parts by [`Fields`], which [`fields!`](crate::fields) gives
/// to a type in one line. If the physics itself does, too, its worlds have
/// [`World::checksum`](crate::World::checksum) and [`World::diff`](crate::World::diff).
#[expect(unused_variables, reason = "the names say what a method is given")]
pub trait Physics: Clone + Send + Sync {
    /// Stored with position, velocity and time, and rewritten with them: an angle, a spin, a distance to go.
    type Extra: Copy + Default + PartialEq + Debug + Fields + Send + Sync;
    /// Per disc, beside radius, mass and restitution: a friction coefficient, say.
    type Body: Copy + Default + PartialEq + Debug + Fields + Send + Sync;
    /// Per wall, beside restitution.
    type Surface: Copy + Default + PartialEq + Debug + Fields + Send + Sync;
    /// The ways in which a motion changes its law by itself; [`Never`] if there are none.
    type Change: Copy + Ord + Debug + Send + Sync;

    /// Distance of the centres of two discs at contact, from their radii; `None`, the default, for the sum
    /// of the radii, which is built into the sweeps. Symmetric. While discs grow it is asked for the
    /// present radii, and must grow in proportion to them: see [`Physics::GROWS`].
    ///
    /// ```ignore
    /// const REACH: Option<fn(&Self, f64, f64) -> f64> = Some(|_, a, b| 2.0 * (a * b).sqrt());
    /// ```
    const REACH: Option<fn(&Self, f64, f64) -> f64> = None;

    /// Adds a multiple of a change to an extra state: `ADD(extra, change, times)` is `extra + times ·
    /// change`, where `change` is the difference of two extra states. What no impact changes is kept as
    /// it is in `extra`.
    ///
    /// With it [`Physics::pair`] and [`Physics::wall`] are asked until what they add at each contact agrees
    /// with what they add at all others, as friction has to. Without it, the default, each is asked once, in
    /// the order of the points of contact.
    ///
    /// ```ignore
    /// const ADD: Option<fn(&Spin, &Spin, f64) -> Spin> = Some(|spin, change, times| Spin {
    ///     angular_velocity: spin.angular_velocity + times * change.angular_velocity,
    ///     ..*spin
    /// });
    /// ```
    #[expect(clippy::type_complexity, reason = "a function of three arguments")]
    const ADD: Option<fn(&Self::Extra, &Self::Extra, f64) -> Self::Extra> = None;

    /// How its discs turn and rub in contacts that are held ([`Rest`](crate::Rest)) and in groups of
    /// impacts. With `None`, the default, held contacts are smooth, and only [`Physics::pair`] and
    /// [`Physics::wall`] rub.
    const TURNING: Option<Turning<Self>> = None;

    /// Whether its discs may grow: see [`World::set_growth`](crate::World::set_growth). To be set by a
    /// physics whose [`Physics::REACH`] is in proportion to the radii, twice as far for both twice as
    /// large, and no less for a larger one; and whose [`Physics::evolve`] and [`Physics::next_change`] do
    /// not depend on the radius: they are given the one that is stored, while impacts are given the present
    /// one. The tangential part of an impact is left to it, and so is what growth does to a spin.
    const GROWS: bool = false;

    /// Whether its discs may be slowed down by drag: see [`Settings::drag`](crate::Settings::drag). To be set
    /// by a physics whose laws do not depend on speeds or durations. Its functions are given velocities and
    /// seconds of a clock that slows down with the discs: true velocities times a factor that is the same for
    /// all discs at a moment.
    const DRAGS: bool = false;

    /// Whether discs accelerate: whether [`Physics::acceleration`] is ever other than zero.
    ///
    /// A world of a physics that says no has straight paths, stores no accelerations, and takes no time for
    /// them.
    const ACCELERATED: bool = false;

    /// Whether impacts are judged: whether [`Physics::verdict`] is ever another than to bounce. Set by
    /// [`Judged`](crate::Judged), which adds a judge to any physics.
    const JUDGES: bool = false;

    /// Whether it adds nothing to discs that fly straight and bounce off each other. Set by [`Smooth`] alone.
    #[doc(hidden)]
    const IS_SMOOTH: bool = false;

    /// Whether impacts are judged now: see [`Judge::has_rules`].
    #[inline(always)]
    fn is_judging(&self) -> bool {
        Self::JUDGES
    }

    /// What becomes of two bodies that meet, if [`Physics::JUDGES`]: whether they bounce, pass through each
    /// other ([`Verdict::Pass`]), or are taken away. See [`Judge`](crate::Judge).
    fn verdict(
        &self,
        met: &Encounter<'_, Self::Body, Self::Extra, Self::Surface>,
        commands: &mut Commands<Self::Body, Self::Extra>,
    ) -> Verdict {
        Verdict::Bounce
    }

    /// The acceleration of the centre from `state` on, until the end of the motion that
    /// [`Physics::next_change`] gives, or an event: asked for where a state is written, if
    /// [`Physics::ACCELERATED`].
    ///
    /// The path is the parabola `p + v t + ½ a t²`; `state` is that at its beginning. May depend on `own`
    /// properties and on whether the mass is finite, infinite or 0, but on nothing else of mass and
    /// restitution.
    #[inline(always)]
    fn acceleration(&self, body: &Body<Self::Body>, state: &State<Self::Extra>) -> DVec2 {
        DVec2::ZERO
    }

    /// The friction with which the ground holds a disc that others press on, if there is any: asked for in
    /// clusters of discs that touch, if [`Physics::ACCELERATED`]. A disc alone moves as
    /// [`Physics::acceleration`] says.
    ///
    /// A disc at rest stays so while pull and contacts together accelerate it by no more than the grip; it
    /// starts to move with the friction against its acceleration, and slides with the friction against its
    /// velocity. So where it gives a grip to a disc that moves, `acceleration` is to be `pull − most v/|v|`,
    /// and `next_change` the stop that this leads to: in a cluster it stops when its velocity is 0. Pure, as
    /// the others.
    #[inline(always)]
    fn grip(&self, body: &Body<Self::Body>, state: &State<Self::Extra>) -> Option<Grip> {
        None
    }

    /// The potential energy of a disc at a place, per unit of its mass: of those forces that have one. For
    /// [`World::energy`](crate::World::energy), and nothing that moves discs.
    fn potential(&self, body: &Body<Self::Body>, position: DVec2) -> f64 {
        0.0
    }

    /// Refuses what this physics cannot take of a disc, where that is inserted, given, or loaded.
    ///
    /// # Errors
    /// One that names the field, its value, and what is allowed.
    fn check(&self, own: &Self::Body) -> Result<(), Error> {
        Ok(())
    }

    /// Refuses an extra state that is none, where a disc is inserted, given one, or loaded.
    ///
    /// # Errors
    /// As [`Physics::check`].
    fn check_extra(&self, extra: &Self::Extra) -> Result<(), Error> {
        Ok(())
    }

    /// The extra state after `dt` of undisturbed motion. As [`Physics::next_change`], not to depend on mass
    /// and restitution.
    #[inline(always)]
    fn evolve(&self, body: &Body<Self::Body>, state: &State<Self::Extra>, dt: f64) -> Self::Extra {
        state.extra
    }

    /// When, counted from `state`, the motion changes its law by itself next, and how.
    ///
    /// May depend on `own` properties, which rewrite the state when they are edited, but not on mass and
    /// restitution, which do not.
    #[inline(always)]
    fn next_change(
        &self,
        body: &Body<Self::Body>,
        state: &State<Self::Extra>,
    ) -> Option<(f64, Self::Change)> {
        None
    }

    /// As [`Physics::next_change`], of a disc that contacts hold: with these it accelerates by `acceleration`
    /// from `state` on. By default they change nothing of it. To be overridden where the time of a change
    /// depends on how the disc accelerates.
    #[inline(always)]
    fn next_change_held(
        &self,
        body: &Body<Self::Body>,
        state: &State<Self::Extra>,
        acceleration: DVec2,
    ) -> Option<(f64, Self::Change)> {
        self.next_change(body, state)
    }

    /// Carries out a change; `state` is that at the moment of the change. Its position must be left alone.
    #[inline(always)]
    fn change(&self, change: Self::Change, body: &Body<Self::Body>, state: &mut State<Self::Extra>) {}

    /// Whether a disc is captured with a change, as by
    /// [`Verdict::Capture`](crate::Verdict::Capture): what falls into a hole. `state` is that at the moment
    /// of the change, before it. Asked for if [`Physics::JUDGES`]; the capture comes after the event.
    fn captures(&self, change: Self::Change, body: &Body<Self::Body>, state: &State<Self::Extra>) -> bool {
        false
    }

    /// What begins for a disc that passes through a wall with this surface, by
    /// [`Verdict::Pass`](crate::Verdict::Pass): another motion over a hole, or on other ground. Carried out
    /// after the event, once a passage; the change of extra state must leave position and velocity alone.
    fn enter(
        &self,
        surface: &Self::Surface,
        body: &Body<Self::Body>,
        state: &State<Self::Extra>,
    ) -> Option<Self::Extra> {
        None
    }

    /// The restitution of a contact, ≥ 0. Default: what the world's rule makes of the two bodies.
    ///
    /// Above 1 it is a kick: the impact gains energy. In a group of simultaneous impacts it then counts as
    /// 1, and each contact that pushed is kicked once afterwards, by (e − 1) times its speed of approach
    /// before the impact.
    #[inline(always)]
    fn restitution(&self, approach: &Approach<'_, Self::Body, Self::Surface>) -> f64 {
        approach.combined
    }

    /// Prepares the extra state of a disc that takes part in a group of impacts, before [`Physics::pair`]
    /// and [`Physics::wall`] are asked: here belongs what these change other than by adding. It is called
    /// once for each contact of the disc, so a second call must change nothing. The velocity must be left
    /// alone.
    #[inline(always)]
    fn begin_impact(
        &self,
        body: &Body<Self::Body>,
        before: &State<Self::Extra>,
        after: &mut State<Self::Extra>,
    ) {
    }

    /// What the impact of two discs does beyond its normal impulse.
    ///
    /// `contact.before` are the states before the impact (the same ones for all contacts of a group), `a` and
    /// `b` those after the normal impulses and what is added at other contacts, to be added to. Their
    /// positions must be left alone.
    ///
    /// Two that would approach after it are stopped, as with a restitution of 0. So bodies do not pass
    /// through each other where a physics takes the impulse back: that is what [`Physics::verdict`] is for,
    /// with [`Verdict::Pass`], or a judge around the physics ([`Judged`](crate::Judged)). Debug builds panic
    /// where both of two have their velocities of before again.
    #[inline(always)]
    fn pair(
        &self,
        contact: &Contact<Self::Extra>,
        bodies: [&Body<Self::Body>; 2],
        a: &mut State<Self::Extra>,
        b: &mut State<Self::Extra>,
    ) {
    }

    /// What the impact of a disc with a wall does beyond its normal impulse; as [`Physics::pair`].
    #[inline(always)]
    fn wall(
        &self,
        contact: &Contact<Self::Extra>,
        body: &Body<Self::Body>,
        surface: &Self::Surface,
        a: &mut State<Self::Extra>,
    ) {
    }
}

/// How discs turn, and what rubs where contacts are held and where several meet at one instant: see
/// [`Physics::TURNING`].
///
/// Held contacts rub by Coulomb's law, with forces that act as long as they are held. So a physics says
/// what its extra state turns by, and lets [`Physics::evolve`] follow the angular acceleration that it is
/// given. In a group of impacts the friction of all contacts is found together by the same law, before
/// [`Physics::pair`] and [`Physics::wall`] are asked: they have no friction to add there
/// ([`Contact::is_rubbed`]).
#[derive(Debug)]
pub struct Turning<P: Physics> {
    /// How a disc is turned, and turns.
    pub spin: fn(&P::Extra) -> Spin,
    /// Sets the angular velocity and the angular acceleration.
    pub set_spin: fn(&mut P::Extra, [f64; 2]),
    /// The moment of inertia as a multiple of `m R²`, > 0; infinite for what nothing turns.
    pub inertia: fn(&P, &Body<P::Body>) -> f64,
    /// How a disc rubs on what it touches.
    #[expect(clippy::type_complexity, reason = "a function of three arguments")]
    pub friction: fn(&P, &Body<P::Body>, Met<'_, P::Body, P::Surface>) -> ContactFriction,
}

/// How a contact rubs: see [`Turning`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactFriction {
    /// The coefficient of friction, ≥ 0.
    pub sliding: f64,
    /// The coefficient of rolling resistance, ≥ 0: the largest moment against rolling, as a multiple of the
    /// normal force and of the radius. Impacts know none.
    pub rolling: f64,
    /// The tangential restitution, from −1 to 1: in an impact, the speed of slip afterwards is minus this
    /// times that before, if friction is large enough. In a group the contacts that are connected by bodies
    /// of finite mass have the least of theirs, because energy could rise with different ones.
    pub tangential_restitution: f64,
    /// The speed of the surface of a wall: see [`RoughWall::surface_speed`].
    pub surface_speed: f64,
}

/// How the ground holds a disc: see [`Physics::grip`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// The acceleration that it would have without friction and contacts.
    pub pull: DVec2,
    /// The largest acceleration by friction, ≥ 0: the coefficient of friction times the weight.
    pub most: f64,
    /// How many times its mass resists what presses on it: 1 for what slides, 7/5 for a ball that rolls and
    /// is to be turned as well. From 10⁻³ to 10³.
    pub inertia: f64,
}

impl Default for Grip {
    /// No pull, no friction, its mass alone.
    fn default() -> Self {
        Grip { pull: DVec2::ZERO, most: 0.0, inertia: 1.0 }
    }
}

/// Two bodies that meet, before anything becomes of them.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Approach<'a, B, F> {
    /// The restitution that the world's rule makes of those of the two bodies.
    pub combined: f64,
    /// Speed at which the surfaces approach along the normal.
    pub speed: f64,
    /// Unit normal from the disc to what it meets.
    pub normal: DVec2,
    /// The disc; of two the one that was inserted first, except within a group, where either may be.
    pub body: &'a Body<B>,
    /// What it meets.
    pub with: Met<'a, B, F>,
}

/// What a disc meets, as a physics sees it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Met<'a, B, F> {
    /// Another disc.
    Disc(&'a Body<B>),
    /// A wall with this surface.
    Wall(&'a F),
}

/// The distance of centres at contact: only through [`Physics::REACH`].
pub(crate) trait Reach: Physics {
    const OWN_REACH: bool = Self::REACH.is_some();

    #[inline(always)]
    fn reach(&self, radius_a: f64, radius_b: f64) -> f64 {
        match Self::REACH {
            Some(reach) => reach(self, radius_a, radius_b),
            None => radius_a + radius_b,
        }
    }

    /// The radius of a disc, or half the distance at which it touches its like, if that is more.
    #[inline(always)]
    fn size(&self, radius: f64) -> f64 {
        if Self::OWN_REACH { self.reach(radius, radius).max(2.0 * radius) * 0.5 } else { radius }
    }
}

impl<P: Physics> Reach for P {}

/// The distance of centres at contact, in what is compiled once for all physics.
#[derive(Clone, Copy)]
pub(crate) struct ReachOf<'a>(Option<&'a dyn OwnReach>);

/// A physics with a distance of contact of its own.
trait OwnReach {
    fn own_reach(&self, radius_a: f64, radius_b: f64) -> f64;
}

impl<P: Physics> OwnReach for P {
    fn own_reach(&self, radius_a: f64, radius_b: f64) -> f64 {
        self.reach(radius_a, radius_b)
    }
}

impl<'a> ReachOf<'a> {
    pub(crate) fn new<P: Physics>(physics: &'a P) -> Self {
        ReachOf(P::OWN_REACH.then_some(physics))
    }

    #[inline(always)]
    pub(crate) fn at(self, radius_a: f64, radius_b: f64) -> f64 {
        self.0.map_or(radius_a + radius_b, |physics| physics.own_reach(radius_a, radius_b))
    }

    /// Whether it is not the sum of radii.
    pub(crate) fn is_own(self) -> bool {
        self.0.is_some()
    }
}

/// What a disc is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Body<B> {
    /// Which disc it is.
    pub id: DiscId,
    /// Radius, ≥ 0.
    pub radius: f64,
    /// Mass: > 0, 0 for a tracer, infinite for what nothing deflects but walls.
    pub mass: f64,
    /// Coefficient of restitution, in [0, 1].
    pub restitution: f64,
    /// What the physics adds.
    pub own: B,
}

/// Where a disc is and how it moves, at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct State<X> {
    /// Centre.
    pub position: DVec2,
    /// Velocity of the centre.
    pub velocity: DVec2,
    /// What the physics adds.
    pub extra: X,
}

/// One contact of an impact, as a physics sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Contact<X> {
    /// Where the two touch: midway between the two surfaces.
    pub point: DVec2,
    /// Unit normal from the first to the second.
    pub normal: DVec2,
    /// Speed at which the surfaces approached along the normal, before the impact.
    pub approach_speed: f64,
    /// The restitution that was applied; of a group, that of this contact, of which the smallest one of its
    /// part held.
    pub restitution: f64,
    /// Normal impulse on the second, ≥ 0; for two discs of which one is infinite or a tracer, that of the
    /// lighter one, and of a tracer per unit of mass.
    pub impulse: f64,
    /// States before the impact; the second is at rest in the point of contact for a wall.
    pub before: [State<X>; 2],
    /// Whether friction is in the states already: in a group of impacts, by [`Physics::TURNING`].
    pub is_rubbed: bool,
    /// Velocities after the normal impulses; as `before` the same ones for all contacts of a group, where
    /// `a` and `b` have what is added at other contacts.
    pub pushed: [DVec2; 2],
}

/// Smooth, frictionless discs in uniform motion: the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Smooth;

impl Fields for Smooth {
    fn walk(&self, _: &mut Walk<'_>) {}
}

impl Physics for Smooth {
    type Extra = ();
    type Body = ();
    type Surface = ();
    type Change = Never;

    const GROWS: bool = true;
    const DRAGS: bool = true;
    const IS_SMOOTH: bool = true;
}

/// The change of a motion that never changes its law: there is none.
///
/// As `core::convert::Infallible`, but it can be stored with serde, and with it the events of [`Smooth`]
/// discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Never {}

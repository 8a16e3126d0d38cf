use core::fmt::Debug;
use glam::DVec2;

/// The door for other physics: what a disc stores beside position and velocity, what it does on its own, and
/// what an impact does beyond its normal impulse.
///
/// Chosen once per world and compiled into it. The engine owns the straight path, the search for the next
/// event and the normal impulses; a physics adds to these. [`Smooth`], the default, adds nothing and costs
/// nothing. All functions must be pure: the same arguments, the same result, to the last bit.
pub trait Physics: Clone + Send + Sync {
    /// Stored with position, velocity and time, and rewritten with them: an angle, a spin, a distance to go.
    type Extra: Copy + Default + PartialEq + Debug + Send + Sync;
    /// Per disc, beside radius, mass and restitution: a friction coefficient, say.
    type Body: Copy + Default + PartialEq + Debug + Send + Sync;
    /// Per wall, beside restitution.
    type Surface: Copy + Default + PartialEq + Debug + Send + Sync;
    /// The ways in which a motion changes its law by itself; [`Never`] if there are none.
    type Change: Copy + Ord + Debug + Send + Sync;

    /// Whether [`Physics::reach`] is other than the sum of the radii. To be set by whoever overrides it: the sum
    /// is built into the sweeps.
    const OWN_REACH: bool = false;

    /// Whether its discs may grow: see [`World::set_growth`](crate::World::set_growth). To be set by a physics whose
    /// [`Physics::reach`] is in proportion to the radii, twice as far for both twice as large, and no less for a larger one; and
    /// whose [`Physics::evolve`] and [`Physics::next_change`] do not depend on the radius: they are given the one that is
    /// stored, while impacts are given the present one. The tangential part of an impact is left to it, and so is what growth does to a spin.
    const GROWS: bool = false;

    /// Distance of the centres of two discs at contact. Symmetric. While discs grow it is asked for the present radii, and must grow in
    /// proportion to them: see [`Physics::GROWS`].
    #[inline(always)]
    fn reach(&self, radius_a: f64, radius_b: f64) -> f64 {
        radius_a + radius_b
    }

    /// The extra state after `dt` of undisturbed motion. As [`Physics::next_change`], not to depend on mass and
    /// restitution.
    #[inline(always)]
    fn evolve(&self, body: &Body<Self::Body>, state: &State<Self::Extra>, dt: f64) -> Self::Extra {
        let _ = (body, dt);
        state.extra
    }

    /// When, counted from `state`, the motion changes its law by itself next, and how.
    ///
    /// May depend on `own` properties, which rewrite the state when they are edited, but not on mass and restitution,
    /// which do not.
    #[inline(always)]
    fn next_change(
        &self,
        body: &Body<Self::Body>,
        state: &State<Self::Extra>,
    ) -> Option<(f64, Self::Change)> {
        let _ = (body, state);
        None
    }

    /// Carries out a change; `state` is that at the moment of the change. Its position must be left alone.
    #[inline(always)]
    fn change(&self, change: Self::Change, body: &Body<Self::Body>, state: &mut State<Self::Extra>) {
        let _ = (change, body, state);
    }

    /// The restitution of a contact, in [0, 1]. `combined` is what the world's rule makes of the two bodies.
    #[inline(always)]
    fn restitution(&self, combined: f64, approach_speed: f64) -> f64 {
        let _ = approach_speed;
        combined
    }

    /// What the impact of two discs does beyond its normal impulse.
    ///
    /// `contact.before` are the states before the impact (the same ones for all contacts of a group), `a` and
    /// `b` those after the normal impulses, to be added to. Their positions must be left alone.
    #[inline(always)]
    fn pair(
        &self,
        contact: &Contact<Self::Extra>,
        bodies: [&Body<Self::Body>; 2],
        a: &mut State<Self::Extra>,
        b: &mut State<Self::Extra>,
    ) {
        let _ = (contact, bodies, a, b);
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
        let _ = (contact, body, surface, a);
    }
}

/// What a disc is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body<B> {
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
pub struct Contact<X> {
    /// Where the two touch.
    pub point: DVec2,
    /// Unit normal from the first to the second.
    pub normal: DVec2,
    /// Normal impulse on the second, ≥ 0; for two discs of which one is infinite or a tracer, that of the
    /// lighter one, and of a tracer per unit of mass.
    pub impulse: f64,
    /// States before the impact; the second is at rest in the point of contact for a wall.
    pub before: [State<X>; 2],
    /// How many contacts of the group the busier of the two discs has, ≥ 1.
    pub contacts: u32,
}

/// Smooth, frictionless discs in uniform motion: the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Smooth;

impl Physics for Smooth {
    type Extra = ();
    type Body = ();
    type Surface = ();
    type Change = Never;

    const GROWS: bool = true;
}

/// The change of a motion that never changes its law: there is none.
///
/// As `core::convert::Infallible`, but it can be stored with serde, and with it the events of [`Smooth`] discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Never {}

use super::roughness::{RoughWall, Roughness};
use super::{Approach, Body, Contact, ContactFriction, Grip, Met, Physics, Reach, Smooth, State, Turning};
use crate::Error;
use crate::error::check;
use crate::limits::MAX_ANGULAR_VELOCITY;
use crate::touch::excess_of_square;
use crate::walk::fields;
use carom_math::elementary::turned;
use glam::DVec2;

/// Discs that turn, and rub where they meet: Walton's model of rough impacts, with three parameters.
///
/// Each disc has an angle and an angular velocity ([`Spin`], its extra state), and a moment of inertia
/// `I = q m R²` ([`RoughDisc`]). Angles are in radians, counterclockwise. Between impacts the angle is
/// `φ + ω t`, reduced to −π to π by products of 100 bits, so that it is as exact after a million turns as
/// after one.
///
/// # An impact
/// Let `n` be the unit normal from the first disc to the second, `t` the tangent, `n` turned by +90°, and
/// `J` the impulse along `t` on the second. The surfaces slip in the point of contact at the speed
///
/// ```text
/// s = (v₂ − v₁)·t − R₁ω₁ − R₂ω₂ ,
/// ```
///
/// and as `J` changes velocities by `−J t/m₁` and `J t/m₂`, and angular velocities by `−R₁J/I₁` and
/// `−R₂J/I₂`,
///
/// ```text
/// s′ = s + K J ,   K = 1/m₁ + 1/m₂ + R₁²/I₁ + R₂²/I₂ = (1 + 1/q₁)/m₁ + (1 + 1/q₂)/m₂ .
/// ```
///
/// The normal impulse `j` has no moment about a centre, and is that of smooth discs with the
/// [restitution](crate::Disc::restitution) `e`. Of the tangential one there are two kinds:
///
/// - sticking: `s′ = −β₀ s`, hence `J = −(1 + β₀) s/K`, where friction can do that: while `|J| ≤ μ j`;
/// - sliding: `|J| = μ j`, against `s`.
///
/// `μ` is the coefficient of friction and `β₀`, from −1 to 1, the tangential restitution ([`Roughness`]): 0
/// for surfaces that roll on each other afterwards, 1 for a superball.
///
/// Sources: Walton and Braun, J. Rheol. 30 (1986) 949; Walton, in Particulate Two-Phase Flow, ed. Roco
/// (1993), ch. 25; Foerster, Louge, Chang and Allia, Phys. Fluids 6 (1994) 1108, eqs. 1 to 10; Luding, Phys.
/// Rev. E 52 (1995) 4442.
///
/// # What it keeps
/// Linear momentum, and angular momentum about any point, as the two act on each other in one point. The
/// energy of motion and rotation changes by `−(1 − β²) s²/(2K)` beside what `e` takes, where `−β` is `s′/s`,
/// from −1 to 1: it never rises, and with `e = 1` and `β₀ = 1`, where nothing slides, it stays.
///
/// The [`Ledger`](crate::Ledger) is that of the energy of the centres: what rubbing takes from it or gives to
/// it out of rotation in impacts stands under `physics`.
/// [`World::rotational_energy`](crate::World::rotational_energy) is the rest. In contacts that are held, what
/// friction takes of both stands under `friction`, and what passes from one to the other under `forces`.
///
/// # Several contacts at one instant
/// The normal impulses `j` of all contacts are found first. Then each contact has the law above with its own
/// `j`, where `s′` is its slip with the tangential impulses of all contacts: they are found together. Where
/// these let two approach, the two press, with a restitution of 0, and rub by that. So a disc that touches
/// others throws each by the friction at that contact, and the answer does not depend on the order of the
/// contacts. Contacts that hang together have the least `β₀` among them, 0 at most if rubbing presses: with
/// that energy does not rise (`docs/derivations/impulse.md`, Friction).
///
/// The answer fulfils the law to rounding. In heaps of some dozen discs none is found in two groups of a
/// hundred: there sweeps over the contacts end after 500, with impulses that are within their limits and take
/// energy, or, if they would add some, with none.
///
/// # Contacts that are held
/// Contacts that press ([`Rest`](crate::Rest)) rub by the same coefficient: a force `τ` along the tangent
/// with `|τ| ≤ μ λ`, `λ` the force along the normal. Where the two slip it is `μ λ` against the slip; else
/// they stick if they can. So discs roll down slopes, come to roll where they spun, and heaps stand. On
/// straight walls the path is exact, and the slip ends at its exact time. Along curves and on each other it
/// is one of pieces, as of smooth contacts. What sticks or rolls loses no energy. What slips more slowly
/// than its rest speed sticks, where another contact of the two is slow as well.
///
/// Rolling resistance ([`Roughness::with_rolling_resistance`]) is a moment of at most `ρ R λ` against
/// rolling. Without it a disc rolls on for ever. The surface of a wall may run, as that of a conveyor
/// does: [`RoughWall::with_surface_speed`].
///
/// Forces of contacts that stick are not unique where there are more than bodies need; nothing that moves
/// depends on which are found. Bodies may also be wedged so that no forces answer to the law, or none are
/// found in the bounded work: then those that hang together are smooth until the next event. See
/// `docs/derivations/resting.md`, Friction of contacts.
///
/// # Masses and radii at the ends of their ranges
/// Infinite masses act with the speed of their surface, and are turned by nothing but walls, as if they were
/// of any finite mass. A tracer is turned by all and turns nothing. An infinite `q` is a disc that nothing
/// turns; a point, of radius 0, has no lever, and its spin stays.
///
/// # What it goes with
/// It adds rubbing to a physics that has no extra state and no surfaces of its own: [`Smooth`] or
/// [`Forces`](crate::Forces). A judge goes around it, `Judged<Rough<Forces>, _>`; the other way round does
/// not compile. A world of it has neither [drag](crate::Settings::drag) nor
/// [growth](crate::World::set_growth). Friction with the table ([`DiscForces::friction`]) does not slow
/// spin, and contacts of discs on which it acts are smooth while they are held.
///
/// ```
/// # use carom_engine as carom;
/// use carom::{Disc, Rough, RoughDisc, Roughness, Settings, Smooth, Wall, World};
///
/// let physics = Rough::new(Smooth, Roughness::new(0.5, 0.0)?);
/// let mut world = World::with_physics(physics, Settings::default())?;
/// world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]))?;
/// let hoop = RoughDisc { inertia: 1.0, ..RoughDisc::default() };
/// let id = world.insert(Disc::new([0.0, 2.0], 1.0).with_velocity([1.0, -4.0]).with_body(hoop))?;
/// world.advance(1.0)?;
/// // It leaves the floor rolling: half of its speed is in its rotation, clockwise.
/// let hoop = world.get(id).expect("it has not been removed");
/// assert_eq!((hoop.velocity().x, hoop.extra().angular_velocity), (0.5, -0.5));
/// # Ok::<(), carom::Error>(())
/// ```
///
/// [`DiscForces::friction`]: crate::DiscForces::friction
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Rough<P = Smooth> {
    /// What moves the discs between impacts.
    pub physics: P,
    /// The roughness of discs and walls that have none of their own.
    pub roughness: Roughness,
}

impl<P> Rough<P> {
    /// Rubbing added to a physics.
    #[must_use]
    pub fn new(physics: P, roughness: Roughness) -> Self {
        Rough { physics, roughness }
    }
}

/// What [`Rough`] knows of a disc.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct RoughDisc<B = ()> {
    /// The moment of inertia as a multiple of `m R²`, from 10⁻¹⁵ to 10¹⁵ or infinite: ½ for a uniform disc,
    /// the default, ⅖ for a ball, 1 for a ring.
    #[cfg_attr(feature = "serde", serde(with = "carom_math::number"))]
    pub inertia: f64,
    /// Its roughness, if it is not that of [`Rough::roughness`].
    pub roughness: Option<Roughness>,
    /// What the physics knows of it that moves it between impacts.
    pub own: B,
}

impl<B> RoughDisc<B> {
    /// The moment of inertia of a disc of this mass and radius, `q m R²`; 0 for a point.
    #[must_use]
    pub fn moment_of_inertia(&self, mass: f64, radius: f64) -> f64 {
        if radius > 0.0 && mass > 0.0 { self.inertia * mass * radius * radius } else { 0.0 }
    }
}

impl<B: Default> Default for RoughDisc<B> {
    fn default() -> Self {
        RoughDisc { inertia: 0.5, roughness: None, own: B::default() }
    }
}

/// How a disc of [`Rough`] is turned, and turns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Spin {
    /// Angle in radians, counterclockwise: given, any number from −10¹⁵ to 10¹⁵; read, one from −π to π.
    pub angle: f64,
    /// Angular velocity in radians a second, counterclockwise, from −10⁵⁰ to 10⁵⁰. Impacts that would give
    /// more leave it there.
    pub angular_velocity: f64,
    /// Angular acceleration in radians a second squared, by contacts that hold the disc. Read only: what is
    /// given counts as 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub angular_acceleration: f64,
}

impl Spin {
    /// A disc that turns, from the angle 0 on.
    #[must_use]
    pub fn new(angular_velocity: f64) -> Self {
        Spin { angle: 0.0, angular_velocity, angular_acceleration: 0.0 }
    }

    /// Turned to an angle.
    #[must_use]
    pub fn with_angle(self, angle: f64) -> Self {
        Spin { angle, ..self }
    }
}

/// What an impulse at the edge of a body does to it.
#[derive(Clone, Copy, Default)]
struct Rim {
    radius: f64,
    /// What an impulse adds to the velocity, `1/m`; 0 if it does not move the body.
    linear: f64,
    /// What it adds to the speed of the edge by rotation, `R²/I`.
    angular: f64,
}

impl Rim {
    fn of<B>(body: &Body<RoughDisc<B>>, linear: f64) -> Self {
        let has_lever = body.radius > 0.0;
        Rim { radius: body.radius, linear, angular: if has_lever { linear / body.own.inertia } else { 0.0 } }
    }

    /// The speed of the edge by rotation.
    fn speed(&self, spin: &Spin) -> f64 {
        self.radius * spin.angular_velocity
    }

    /// Adds an impulse along a tangent, `turning` as much as it turns.
    fn push(&self, state: &mut State<Spin>, tangent: DVec2, impulse: f64, turning: f64) {
        state.velocity += tangent * (impulse * self.linear);
        if self.angular > 0.0 {
            let faster = state.extra.angular_velocity + turning * self.angular / self.radius;
            state.extra.angular_velocity = faster.clamp(-MAX_ANGULAR_VELOCITY, MAX_ANGULAR_VELOCITY);
        }
    }
}

/// `1/m` of what feels the whole impulse; 1 for tracers, and for infinite masses at walls, whose impulses
/// are per unit of mass.
fn inverse(mass: f64) -> f64 {
    if mass > 0.0 && mass < f64::INFINITY { 1.0 / mass } else { 1.0 }
}

/// What an impulse between two discs adds to the velocities: of an infinite mass and another one that one
/// alone is moved, and of a tracer and another one the tracer.
fn inverses([a, b]: [f64; 2]) -> [f64; 2] {
    if a > 0.0 && b > 0.0 && a + b < f64::INFINITY {
        [1.0 / a, 1.0 / b]
    } else if a == f64::INFINITY || b == 0.0 {
        [0.0, inverse(b)]
    } else {
        [inverse(a), 0.0]
    }
}

/// The impulse along the tangent on the second of two, which slip at this speed.
fn tangential_impulse(contact: &Contact<Spin>, slip: f64, roughness: Roughness, rims: &[Rim; 2]) -> f64 {
    let [a, b] = rims;
    // What has met and was not pushed does not rub, however large the friction.
    if roughness.friction == 0.0 || contact.impulse <= 0.0 || contact.is_rubbed {
        return 0.0;
    }
    let (linear, angular) = (a.linear + b.linear, a.angular + b.angular);
    let all = linear + angular;
    let most = roughness.friction * contact.impulse;
    // To rest, and back by a part of the slip.
    let reversing = (slip + roughness.tangential_restitution * slip) / all;
    if reversing.abs() > most {
        return -most.copysign(reversing);
    }
    // As for the normal impulse: a rounded unit vector is not one unit long, and a bias adds up.
    -(reversing - reversing * (excess_of_square(contact.normal) * (linear / all)))
}

/// The speed at which the surfaces of two slip in the point of contact, with these velocities and spins.
fn slip_of([a, b]: &[Rim; 2], [v_a, v_b]: [DVec2; 2], spins: [&Spin; 2], contact: &Contact<Spin>) -> f64 {
    (v_b - v_a).dot(contact.normal.perp()) - (a.speed(spins[0]) + b.speed(spins[1]))
}

impl<P: Physics<Extra = (), Surface = ()>> Rough<P> {
    fn reach_of(&self, a: f64, b: f64) -> f64 {
        self.physics.reach(a, b)
    }

    /// How a contact rubs.
    fn contact_friction(
        &self,
        body: &Body<RoughDisc<P::Body>>,
        with: Met<'_, RoughDisc<P::Body>, RoughWall>,
    ) -> ContactFriction {
        let (other, surface_speed) = match with {
            Met::Disc(other) => (other.own.roughness, 0.0),
            Met::Wall(wall) => (wall.roughness, wall.surface_speed),
        };
        let both = self.between(body.own.roughness, other);
        ContactFriction {
            sliding: both.friction,
            rolling: both.rolling_resistance,
            tangential_restitution: both.tangential_restitution,
            surface_speed,
        }
    }

    /// The roughness of a contact.
    fn between(&self, a: Option<Roughness>, b: Option<Roughness>) -> Roughness {
        let [a, b] = [a, b].map(|own| own.unwrap_or(self.roughness));
        a.combined(b)
    }
}

/// A disc as the physics without rotation sees it.
fn plain_body<B: Copy>(body: &Body<RoughDisc<B>>) -> Body<B> {
    let &Body { id, radius, mass, restitution, own } = body;
    Body { id, radius, mass, restitution, own: own.own }
}

fn plain_state(state: &State<Spin>) -> State<()> {
    State { position: state.position, velocity: state.velocity, extra: () }
}

fn plain_contact(contact: &Contact<Spin>) -> Contact<()> {
    let &Contact { point, normal, approach_speed, restitution, impulse, pushed, .. } = contact;
    let before = contact.before.map(|state| plain_state(&state));
    let is_rubbed = contact.is_rubbed;
    Contact { point, normal, approach_speed, restitution, impulse, before, is_rubbed, pushed }
}

fields!(Rough<P>: physics, roughness);
fields!(RoughDisc<B>: inertia, roughness, own);
fields!(Spin: angle, angular_velocity, angular_acceleration);

impl<P: Physics<Extra = (), Surface = ()>> Physics for Rough<P> {
    type Extra = Spin;
    type Body = RoughDisc<P::Body>;
    type Surface = RoughWall;
    type Change = P::Change;

    const REACH: Option<fn(&Self, f64, f64) -> f64> =
        if P::REACH.is_some() { Some(Self::reach_of) } else { None };
    const TURNING: Option<Turning<Self>> = Some(Turning {
        spin: |spin| *spin,
        set_spin: |spin, [velocity, acceleration]| {
            spin.angular_velocity = velocity.clamp(-MAX_ANGULAR_VELOCITY, MAX_ANGULAR_VELOCITY);
            spin.angular_acceleration = acceleration;
        },
        inertia: |_, body| body.own.inertia,
        friction: Self::contact_friction,
    });
    const ACCELERATED: bool = {
        assert!(!P::JUDGES, "a judge goes around: Judged<Rough<P>, J>, not Rough<Judged<P, J>>");
        P::ACCELERATED
    };

    #[inline(always)]
    fn acceleration(&self, body: &Body<Self::Body>, state: &State<Spin>) -> DVec2 {
        self.physics.acceleration(&plain_body(body), &plain_state(state))
    }

    #[inline(always)]
    fn grip(&self, body: &Body<Self::Body>, state: &State<Spin>) -> Option<Grip> {
        self.physics.grip(&plain_body(body), &plain_state(state))
    }

    fn potential(&self, body: &Body<Self::Body>, position: DVec2) -> f64 {
        self.physics.potential(&plain_body(body), position)
    }

    fn check(&self, own: &Self::Body) -> Result<(), Error> {
        check::inertia(own.inertia)?;
        self.physics.check(&own.own)
    }

    fn check_extra(&self, spin: &Spin) -> Result<(), Error> {
        check::angle(spin.angle)?;
        check::finite(["angular_acceleration"; 2], DVec2::splat(spin.angular_acceleration))?;
        check::angular_velocity(spin.angular_velocity)
    }

    #[inline]
    fn evolve(&self, _: &Body<Self::Body>, state: &State<Spin>, dt: f64) -> Spin {
        let Spin { angle, angular_velocity, angular_acceleration } = state.extra;
        if angular_acceleration == 0.0 {
            return Spin { angle: turned(angle, angular_velocity, dt), ..state.extra };
        }
        let mean = angular_velocity + angular_acceleration * (0.5 * dt);
        let angular_velocity = angular_velocity + angular_acceleration * dt;
        Spin { angle: turned(angle, mean, dt), angular_velocity, angular_acceleration }
    }

    #[inline(always)]
    fn next_change(&self, body: &Body<Self::Body>, state: &State<Spin>) -> Option<(f64, P::Change)> {
        self.physics.next_change(&plain_body(body), &plain_state(state))
    }

    #[inline(always)]
    fn next_change_held(
        &self,
        body: &Body<Self::Body>,
        state: &State<Spin>,
        acceleration: DVec2,
    ) -> Option<(f64, P::Change)> {
        self.physics.next_change_held(&plain_body(body), &plain_state(state), acceleration)
    }

    #[inline(always)]
    fn change(&self, change: P::Change, body: &Body<Self::Body>, state: &mut State<Spin>) {
        let mut plain = plain_state(state);
        self.physics.change(change, &plain_body(body), &mut plain);
        state.velocity = plain.velocity;
    }

    #[inline(always)]
    fn restitution(&self, approach: &Approach<'_, Self::Body, Self::Surface>) -> f64 {
        let &Approach { combined, speed, normal, body, with } = approach;
        let body = &plain_body(body);
        let of = |with| self.physics.restitution(&Approach { combined, speed, normal, body, with });
        match with {
            Met::Disc(other) => of(Met::Disc(&plain_body(other))),
            Met::Wall(_) => of(Met::Wall(&())),
        }
    }

    #[inline]
    fn pair(
        &self,
        contact: &Contact<Spin>,
        bodies: [&Body<Self::Body>; 2],
        a: &mut State<Spin>,
        b: &mut State<Spin>,
    ) {
        let [of_a, of_b] = bodies;
        let linear = inverses([of_a.mass, of_b.mass]);
        let rims = [Rim::of(of_a, linear[0]), Rim::of(of_b, linear[1])];
        let roughness = self.between(of_a.own.roughness, of_b.own.roughness);
        let slip = slip_of(&rims, [a.velocity, b.velocity], [&a.extra, &b.extra], contact);
        let impulse = tangential_impulse(contact, slip, roughness, &rims);
        let tangent = contact.normal.perp();
        if impulse != 0.0 {
            rims[0].push(a, tangent, -impulse, -impulse);
            rims[1].push(b, tangent, impulse, -impulse);
        }
        let (mut of_first, mut of_second) = (plain_state(a), plain_state(b));
        let plain = [&plain_body(of_a), &plain_body(of_b)];
        self.physics.pair(&plain_contact(contact), plain, &mut of_first, &mut of_second);
        (a.velocity, b.velocity) = (of_first.velocity, of_second.velocity);
    }

    #[inline]
    fn wall(
        &self,
        contact: &Contact<Spin>,
        body: &Body<Self::Body>,
        surface: &RoughWall,
        a: &mut State<Spin>,
    ) {
        let rims = [Rim::of(body, inverse(body.mass)), Rim::default()];
        let roughness = self.between(body.own.roughness, surface.roughness);
        let at_wall = &contact.before[1].extra;
        let slip = slip_of(&rims, [a.velocity, contact.pushed[1]], [&a.extra, at_wall], contact);
        let impulse = tangential_impulse(contact, slip + surface.surface_speed, roughness, &rims);
        if impulse != 0.0 {
            rims[0].push(a, contact.normal.perp(), -impulse, -impulse);
        }
        let mut plain = plain_state(a);
        self.physics.wall(&plain_contact(contact), &plain_body(body), &(), &mut plain);
        a.velocity = plain.velocity;
    }
}

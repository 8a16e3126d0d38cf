//! What the physics of a session have in common: each knows of discs and walls a part of what that of rough
//! discs does.

use super::seen::{SeenDisc, SeenEvent, WholeDisc, WholeWall};
use carom_engine::{
    Disc, DiscForces, DiscId, Error, Event, Forces, Never, Physics, Rough, RoughDisc, RoughWall, Smooth,
    Spin, Standstill, Wall, WallId, World,
};

/// A physics that the discs of a session may have: it knows of discs and walls all that [`Rough<Forces>`]
/// does, or a part of that.
pub(super) trait Kind: Physics {
    /// What it knows of a disc, with what is usual in its place where it knows nothing.
    fn whole(body: Self::Body, extra: Self::Extra) -> (RoughDisc<DiscForces>, Spin);
    /// The part of it that this physics knows.
    fn part(body: RoughDisc<DiscForces>, spin: Spin) -> (Self::Body, Self::Extra);
    /// What it knows of a wall.
    fn whole_surface(surface: Self::Surface) -> RoughWall;
    /// The part of it that this physics knows.
    fn surface(surface: RoughWall) -> Self::Surface;
    /// An event.
    fn event(event: Event<Self::Change>) -> SeenEvent;
}

impl Kind for Forces {
    fn whole(own: DiscForces, (): ()) -> (RoughDisc<DiscForces>, Spin) {
        (RoughDisc { own, ..RoughDisc::default() }, Spin::default())
    }

    fn part(body: RoughDisc<DiscForces>, _: Spin) -> (DiscForces, ()) {
        (body.own, ())
    }

    fn whole_surface((): ()) -> RoughWall {
        RoughWall::default()
    }

    fn surface(_: RoughWall) {}

    fn event(event: Event<Standstill>) -> SeenEvent {
        SeenEvent::Forces(event)
    }
}

impl Kind for Smooth {
    fn whole((): (), (): ()) -> (RoughDisc<DiscForces>, Spin) {
        Forces::whole(DiscForces::default(), ())
    }

    fn part(_: RoughDisc<DiscForces>, _: Spin) -> ((), ()) {
        ((), ())
    }

    fn whole_surface((): ()) -> RoughWall {
        RoughWall::default()
    }

    fn surface(_: RoughWall) {}

    fn event(event: Event<Never>) -> SeenEvent {
        SeenEvent::Smooth(event)
    }
}

impl Kind for Rough<Forces> {
    fn whole(body: RoughDisc<DiscForces>, spin: Spin) -> (RoughDisc<DiscForces>, Spin) {
        (body, spin)
    }

    fn part(body: RoughDisc<DiscForces>, spin: Spin) -> (RoughDisc<DiscForces>, Spin) {
        (body, spin)
    }

    fn whole_surface(surface: RoughWall) -> RoughWall {
        surface
    }

    fn surface(surface: RoughWall) -> RoughWall {
        surface
    }

    fn event(event: Event<Standstill>) -> SeenEvent {
        SeenEvent::Forces(event)
    }
}

pub(super) fn seen<P: Kind>(world: &World<P>, disc: DiscId) -> Option<SeenDisc> {
    let disc = world.get(disc)?;
    Some(SeenDisc {
        id: disc.id(),
        disc: given::<P, Rough<Forces>>(disc.to_disc()),
        spin: disc.spin(),
        acceleration: disc.acceleration(),
        unwrapped: disc.unwrapped_position(),
        state_time: disc.state_time(),
    })
}

pub(super) fn seen_wall<P: Kind>(world: &World<P>, id: WallId) -> Option<WholeWall> {
    let mut wall = world.get_wall(id)?.clone();
    wall.shape = world.wall_shape(id)?.into_owned();
    Some(given_wall::<P, Rough<Forces>>(wall))
}

/// A disc of one physics as one of another one.
fn given<P: Kind, Q: Kind>(disc: Disc<P::Body, P::Extra>) -> Disc<Q::Body, Q::Extra> {
    let (body, spin) = P::whole(disc.body, disc.extra);
    let (body, extra) = Q::part(body, spin);
    let mut other = Disc::new(disc.position, disc.radius)
        .with_velocity(disc.velocity)
        .with_mass(disc.mass)
        .with_restitution(disc.restitution)
        .with_user_data(disc.user_data)
        .with_rules(disc.rules)
        .with_body(body)
        .with_extra(extra);
    other.overlap = disc.overlap;
    other
}

/// A wall of one physics as one of another one.
fn given_wall<P: Kind, Q: Kind>(wall: Wall<P::Surface>) -> Wall<Q::Surface> {
    let mut other = Wall::new(wall.shape)
        .with_restitution(wall.restitution)
        .with_user_data(wall.user_data)
        .with_rules(wall.rules)
        .with_surface(Q::surface(P::whole_surface(wall.surface)));
    other.max_speed = wall.max_speed;
    other
}

pub(super) fn insert<P: Kind>(world: &mut World<P>, disc: WholeDisc) -> Result<DiscId, Error> {
    world.insert(given::<Rough<Forces>, P>(disc))
}

pub(super) fn add_wall<P: Kind>(world: &mut World<P>, wall: WholeWall) -> Result<WallId, Error> {
    world.add_wall(given_wall::<Rough<Forces>, P>(wall))
}

pub(super) fn set_body<P: Kind>(
    world: &mut World<P>,
    disc: DiscId,
    body: RoughDisc<DiscForces>,
) -> Result<(), Error> {
    world.set_body(disc, P::part(body, Spin::default()).0)
}

pub(super) fn note_events<P: Kind>(world: &World<P>, note: impl FnMut(SeenEvent)) {
    world.events().iter().copied().map(P::event).for_each(note);
}

use super::Physics;
use crate::error::check;
use crate::{Command, Disc, Error};

/// Refuses a disc with a number that no world of this physics takes.
pub(crate) fn check_disc<P: Physics>(physics: &P, disc: &Disc<P::Body, P::Extra>) -> Result<(), Error> {
    disc.check()?;
    physics.check(&disc.body)?;
    physics.check_extra(&disc.extra)
}

/// Refuses a command with a number with which it is refused in every state of a world of this physics.
pub(crate) fn check_command<P: Physics>(
    physics: &P,
    command: &Command<P::Body, P::Extra>,
) -> Result<(), Error> {
    use Command as C;
    match *command {
        C::Insert(ref disc) => check_disc(physics, disc),
        C::SetVelocity(_, velocity) => check::velocity(velocity),
        C::ApplyImpulse(_, impulse) => check::finite(["impulse.x", "impulse.y"], impulse),
        C::SetPosition(_, position) => check::point(["position.x", "position.y"], position),
        C::MoveTo(_, target, seconds) => {
            check::point(["target.x", "target.y"], target).and(check::not_negative("dt", seconds))
        }
        C::MoveWall(_, offset, seconds) => {
            check::point(["offset.x", "offset.y"], offset).and(check::not_negative("dt", seconds))
        }
        C::TurnArm(_, to, rate) => check::turned_to(to).and(check::turning_rate(rate, 0.0)),
        C::SetRadius(_, radius) => check::radius(radius),
        C::SetMass(_, mass) => check::mass(mass),
        C::SetRestitution(_, restitution) => check::restitution(restitution),
        C::SetTimer(seconds, _) => check::not_negative("dt", seconds),
        C::Remove(_)
        | C::RemoveWall(_)
        | C::SetUserData(..)
        | C::SetRules(..)
        | C::SetWallRules(..)
        | C::SetEnabled(..) => Ok(()),
    }
}

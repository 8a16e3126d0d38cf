use crate::walk::variants;
use crate::{Disc, DiscId, Rules, WallId};
use glam::DVec2;

/// An edit that a [`Judge`](crate::Judge) or a timer has carried out.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Command<B = (), X = ()> {
    /// As [`World::insert`](crate::World::insert).
    Insert(Disc<B, X>),
    /// As [`World::remove`](crate::World::remove).
    Remove(DiscId),
    /// As [`World::remove_wall`](crate::World::remove_wall).
    RemoveWall(WallId),
    /// As [`World::set_velocity`](crate::World::set_velocity).
    SetVelocity(DiscId, DVec2),
    /// As [`World::move_to`](crate::World::move_to); the seconds are counted from then on.
    MoveTo(DiscId, DVec2, f64),
    /// As [`World::turn_arm`](crate::World::turn_arm), from then on.
    TurnArm(WallId, f64, f64),
    /// As [`World::move_wall`](crate::World::move_wall); the seconds are counted from then on.
    MoveWall(WallId, DVec2, f64),
    /// As [`World::set_position`](crate::World::set_position).
    SetPosition(DiscId, DVec2),
    /// As [`World::apply_impulse`](crate::World::apply_impulse).
    ApplyImpulse(DiscId, DVec2),
    /// As [`World::set_user_data`](crate::World::set_user_data).
    SetUserData(DiscId, u64),
    /// As [`World::set_rules`](crate::World::set_rules).
    SetRules(DiscId, Rules),
    /// As [`World::set_wall_rules`](crate::World::set_wall_rules).
    SetWallRules(WallId, Rules),
    /// As [`World::set_enabled`](crate::World::set_enabled).
    SetEnabled(DiscId, bool),
    /// As [`World::set_timer`](crate::World::set_timer): seconds, counted from then on, and a note.
    SetTimer(f64, u64),
    /// As [`World::set_radius`](crate::World::set_radius).
    SetRadius(DiscId, f64),
    /// As [`World::set_mass`](crate::World::set_mass).
    SetMass(DiscId, f64),
    /// As [`World::set_restitution`](crate::World::set_restitution).
    SetRestitution(DiscId, f64),
}

variants!(
    Command<B, X>: Insert(disc), Remove(disc), RemoveWall(wall), SetVelocity(disc, velocity),
    MoveTo(disc, target, seconds), TurnArm(wall, angle, seconds), MoveWall(wall, offset, seconds),
    SetPosition(disc, position), ApplyImpulse(disc, impulse), SetUserData(disc, user_data),
    SetRules(disc, rules), SetWallRules(wall, rules), SetEnabled(disc, is_enabled), SetTimer(seconds, note),
    SetRadius(disc, radius), SetMass(disc, mass), SetRestitution(disc, restitution)
);

/// Edits that are carried out once the impacts of the instant are over, in the order in which they were
/// given.
///
/// Each is checked as the call of the same name is. One that is refused is the event
/// [`Event::Refused`](crate::Event::Refused), and the others are carried out. Each counts as one event in
/// the budget of `advance`.
///
/// ```
/// # use carom_engine as carom;
/// use carom::{Commands, Disc, Encounter, Judged, Settings, Smooth, Verdict, Wall, World};
///
/// // A disc that hits a wall leaves a small one behind.
/// let rules = |met: &Encounter<'_>, commands: &mut Commands| {
///     if met.b.wall().is_some() && met.a.radius > 0.2 {
///         let away = met.a.position - met.normal * (met.a.radius + 0.2);
///         commands.insert(Disc::new(away, 0.1));
///     }
///     Verdict::Bounce
/// };
/// let mut world = World::with_physics(Judged::new(Smooth, rules), Settings::default())?;
/// world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]))?;
/// world.insert(Disc::new([0.0, 3.0], 0.5).with_velocity([4.0, -2.0]))?;
/// world.advance(1.3)?;
/// assert_eq!(world.len(), 2);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Commands<B = (), X = ()> {
    pub(crate) list: Vec<Command<B, X>>,
}

impl<B, X> Default for Commands<B, X> {
    fn default() -> Self {
        Commands { list: Vec::new() }
    }
}

impl<B, X> Commands<B, X> {
    /// Adds one.
    pub fn push(&mut self, command: Command<B, X>) {
        self.list.push(command);
    }

    /// Inserts a disc. Its handle comes with the event [`Event::Inserted`](crate::Event::Inserted).
    pub fn insert(&mut self, disc: Disc<B, X>) {
        self.push(Command::Insert(disc));
    }

    /// Removes a disc.
    pub fn remove(&mut self, id: DiscId) {
        self.push(Command::Remove(id));
    }

    /// Removes a wall.
    pub fn remove_wall(&mut self, id: WallId) {
        self.push(Command::RemoveWall(id));
    }

    /// Sets the velocity of a disc.
    pub fn set_velocity(&mut self, id: DiscId, velocity: impl Into<DVec2>) {
        self.push(Command::SetVelocity(id, velocity.into()));
    }

    /// Puts a disc elsewhere.
    pub fn set_position(&mut self, id: DiscId, position: impl Into<DVec2>) {
        self.push(Command::SetPosition(id, position.into()));
    }

    /// Adds an impulse to a disc.
    pub fn apply_impulse(&mut self, id: DiscId, impulse: impl Into<DVec2>) {
        self.push(Command::ApplyImpulse(id, impulse.into()));
    }

    /// Sets the user's note on a disc.
    pub fn set_user_data(&mut self, id: DiscId, user_data: u64) {
        self.push(Command::SetUserData(id, user_data));
    }

    /// Takes a disc off the plane, or puts it back.
    pub fn set_enabled(&mut self, id: DiscId, is_enabled: bool) {
        self.push(Command::SetEnabled(id, is_enabled));
    }

    /// Sets the radius of a disc.
    pub fn set_radius(&mut self, id: DiscId, radius: f64) {
        self.push(Command::SetRadius(id, radius));
    }

    /// Sets the mass of a disc.
    pub fn set_mass(&mut self, id: DiscId, mass: f64) {
        self.push(Command::SetMass(id, mass));
    }

    /// Sets the restitution of a disc.
    pub fn set_restitution(&mut self, id: DiscId, restitution: f64) {
        self.push(Command::SetRestitution(id, restitution));
    }

    /// Sets which others a disc collides with.
    pub fn set_rules(&mut self, id: DiscId, rules: Rules) {
        self.push(Command::SetRules(id, rules));
    }

    /// Sets which discs a wall collides with.
    pub fn set_wall_rules(&mut self, id: WallId, rules: Rules) {
        self.push(Command::SetWallRules(id, rules));
    }

    /// Sends a kinematic disc to a place, where it arrives after `seconds`.
    pub fn move_to(&mut self, id: DiscId, target: impl Into<DVec2>, seconds: f64) {
        self.push(Command::MoveTo(id, target.into(), seconds));
    }

    /// Moves a wall to where it is `offset` from where it was put up; it arrives after `seconds`.
    pub fn move_wall(&mut self, id: WallId, offset: impl Into<DVec2>, seconds: f64) {
        self.push(Command::MoveWall(id, offset.into(), seconds));
    }

    /// Turns an arm to an angle at a rate.
    pub fn turn_arm(&mut self, wall: WallId, to: f64, rate: f64) {
        self.push(Command::TurnArm(wall, to, rate));
    }

    /// Sets a timer that ends after `seconds`.
    pub fn set_timer(&mut self, seconds: f64, note: u64) {
        self.push(Command::SetTimer(seconds, note));
    }
}

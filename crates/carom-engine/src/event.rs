use crate::crossing::show;
use crate::judge::{CommandKind, Departure, Passage, Refusal};
use crate::{Crossing, DiscId, Never, Partner, TimerId, WallId};
use carom_math::{Shown, Time};
use core::fmt;
use glam::DVec2;

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
#[non_exhaustive]
pub enum Event<C = Never> {
    /// A disc met another or a wall.
    Impact(Impact),
    /// The motion of a disc changed its law by itself.
    Change {
        /// When.
        time: Time,
        /// Whose.
        disc: DiscId,
        /// How.
        change: C,
    },
    /// Unstoppable bodies closed in on a disc that had no room, and one of them gave way; or passes over a
    /// tracer. Said once, until it changes: see [`CrushRule`](crate::CrushRule).
    Crushed {
        /// When.
        time: Time,
        /// The disc that was crushed.
        body: DiscId,
        /// What closed in on it.
        by: DiscId,
        /// What held it: the first thing in the way of `by`, beyond `body`, that nothing there can move.
        against: Partner,
        /// The speed that `by` lost; of one that passes over a tracer that at which it closes. An impulse
        /// per unit of mass.
        impulse: f64,
        /// The velocity of `by` after it.
        velocity: DVec2,
    },
    /// A contact begins to be held: the two press on each other, and neither part nor approach. Reported
    /// once, until it is let go: not as pieces of their motion end, nor for contacts that only touch. See
    /// [`Rest`](crate::Rest).
    Held(Hold),
    /// A contact that was held ceases to be: the two part, or nothing presses them together any more.
    LetGo(Hold),
    /// A disc enters a region: see [`Region`](crate::Region).
    Entered(Crossing),
    /// A disc leaves a region that it had entered.
    Left(Crossing),
    /// A body that had given way goes on with the velocity that it had.
    Released {
        /// When.
        time: Time,
        /// The body.
        body: DiscId,
        /// That velocity.
        velocity: DVec2,
    },
    /// Growing discs had no room left, and growth ended for all.
    GrowthEnded {
        /// When.
        time: Time,
    },
    /// Two bodies that met pass through each other, by [`Verdict::Pass`](crate::Verdict::Pass).
    Passed(Passage),
    /// A disc was taken off the plane, by [`Verdict::Capture`](crate::Verdict::Capture).
    Captured(Departure),
    /// A disc was removed, by a verdict or a command.
    Removed(Departure),
    /// A wall was removed, by a verdict or a command.
    WallRemoved {
        /// When.
        time: Time,
        /// Which.
        wall: WallId,
        /// The user's note on it.
        user_data: u64,
    },
    /// A [kinematic](crate::Disc::kinematic) disc was to be somewhere now, and what it cannot push away is in
    /// its way: it stays where it is. See [`World::move_to`](crate::World::move_to).
    MoveBlocked {
        /// When.
        time: Time,
        /// Which.
        disc: DiscId,
        /// Where it is.
        position: DVec2,
        /// Where it was to be.
        target: DVec2,
    },
    /// An arm has turned to where it was sent, and stands still: see
    /// [`World::turn_arm`](crate::World::turn_arm).
    Turned {
        /// When.
        time: Time,
        /// Which.
        wall: WallId,
        /// Its angle.
        angle: f64,
    },
    /// An arm that turned closed in on discs that have no room: it stays where it is.
    TurnBlocked {
        /// When.
        time: Time,
        /// Which.
        wall: WallId,
        /// Its angle.
        angle: f64,
        /// That to which it was sent.
        target: f64,
    },
    /// A wall is where [`World::move_wall`](crate::World::move_wall) has sent it, and stands.
    WallMoved {
        /// When.
        time: Time,
        /// Which.
        wall: WallId,
        /// How far it is from where it was put up.
        offset: DVec2,
    },
    /// A wall that moved closed in on discs that have no room: it stays where it is.
    WallBlocked {
        /// When.
        time: Time,
        /// Which.
        wall: WallId,
        /// How far it is from where it was put up.
        offset: DVec2,
        /// Where it was sent, from there.
        target: DVec2,
    },
    /// A timer is over.
    Timer {
        /// When.
        time: Time,
        /// Which.
        timer: TimerId,
        /// The note that it was set with.
        note: u64,
    },
    /// A disc was inserted, by a command.
    Inserted {
        /// When.
        time: Time,
        /// Which.
        disc: DiscId,
        /// The user's note on it.
        user_data: u64,
    },
    /// A verdict or a command was refused, and is left out.
    Refused {
        /// When.
        time: Time,
        /// What.
        what: CommandKind,
        /// Why.
        reason: Refusal,
    },
}

impl<C> Event<C> {
    /// When it happened.
    #[must_use]
    pub fn time(&self) -> Time {
        match self {
            Event::Impact(impact) => impact.time,
            Event::Held(hold) | Event::LetGo(hold) => hold.time,
            Event::Entered(crossing) | Event::Left(crossing) => crossing.time,
            Event::Passed(passage) => passage.time,
            Event::Captured(departure) | Event::Removed(departure) => departure.time,
            Event::Change { time, .. }
            | Event::Crushed { time, .. }
            | Event::Released { time, .. }
            | Event::WallRemoved { time, .. }
            | Event::Timer { time, .. }
            | Event::MoveBlocked { time, .. }
            | Event::Turned { time, .. }
            | Event::TurnBlocked { time, .. }
            | Event::WallMoved { time, .. }
            | Event::WallBlocked { time, .. }
            | Event::Inserted { time, .. }
            | Event::Refused { time, .. }
            | Event::GrowthEnded { time } => *time,
        }
    }

    /// The impact, if it is one.
    #[must_use]
    pub fn impact(&self) -> Option<&Impact> {
        match self {
            Event::Impact(impact) => Some(impact),
            _ => None,
        }
    }

    /// The crossing, if a disc enters a region or leaves it.
    #[must_use]
    pub fn crossing(&self) -> Option<&Crossing> {
        match self {
            Event::Entered(crossing) | Event::Left(crossing) => Some(crossing),
            _ => None,
        }
    }
}

/// One contact of an impact.
///
/// When several discs meet at one instant they form a group, with one record per contact that took an
/// impulse. These share `time` and `group`, and their velocities are those before and after the whole group.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Impact {
    /// When.
    pub time: Time,
    /// Number of the impact, counted from 1; the same for all contacts of a group.
    pub group: u64,
    /// The disc that was inserted first (the smaller serial number), or the one that hit the wall.
    pub a: DiscId,
    /// What it met.
    pub b: Partner,
    /// The user's notes on the two: of `a`, and of the disc or wall that it met.
    pub user_data: [u64; 2],
    /// Where they touch: midway between the two surfaces.
    pub point: DVec2,
    /// Unit normal from `a` to what it met.
    pub normal: DVec2,
    /// Speed at which the two approached along the normal, before the group; negative if they were receding
    /// and only others drove them together. It is that of their surfaces, which move outwards where radii
    /// grow.
    pub approach_speed: f64,
    /// The normal component of the momentum that this contact gave to what `a` met, and took from `a`: all of
    /// it, by the engine and by the physics, ≥ 0 unless the physics pulls. For a tracer, and for an infinite
    /// mass at a wall, per unit of mass; an infinite mass takes that of its partner. Of redundant contacts of
    /// a group, whose impulses only together are determined, the ones of the least squares.
    pub impulse: f64,
    /// Velocities before, of `a` and of what it met (zero for a wall, except for one that turns or moves).
    pub before: [DVec2; 2],
    /// Velocities after.
    pub after: [DVec2; 2],
}

/// A contact that begins to be held, or ceases to be.
///
/// These come after the impacts of their event, first those that begin and then those that end, each by the
/// discs' serial numbers: a disc that rolls from one part of a wall to the next is held throughout. What an
/// edit begins or ends is reported by the next call of `advance`, as far as it is another thing then than
/// before the edit. [`World::held_to`](crate::World::held_to) lists what holds a disc now.
///
/// ```
/// # use carom_engine as carom;
/// use carom::{Disc, Event, Forces, Settings, Wall, World};
///
/// let forces = Forces::new().with_gravity([0.0, -2.0])?;
/// let mut world = World::with_physics(forces, Settings::default())?;
/// world.add_wall(Wall::segment([-1.0, 0.0], [6.0, 0.0]).with_restitution(0.0))?;
/// let ball = Disc::new([0.0, 4.5], 0.5).with_velocity([2.0, 0.0]).with_restitution(0.0);
/// world.insert(ball)?;
/// let (mut begins, mut ends) = (0.0, 0.0);
/// world.advance_with(5.0, &mut |event: &Event<_>| match event {
///     Event::Held(hold) => begins = hold.time.as_secs(),
///     Event::LetGo(hold) => ends = hold.time.as_secs(),
///     _ => {}
/// })?;
/// // A fall by 4 takes 2 s; at 3 s the centre is past the end of the wall.
/// assert!((begins - 2.0).abs() < 1e-12 && (ends - 3.0).abs() < 1e-12);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Hold {
    /// When it begins or ends.
    pub time: Time,
    /// The disc that was inserted first (the smaller serial number), or the one at the wall.
    pub a: DiscId,
    /// What it presses on.
    pub b: Partner,
    /// The user's notes on the two: of `a`, and of the disc or wall `b`.
    pub user_data: [u64; 2],
    /// Where they touch: midway between the two surfaces.
    pub point: DVec2,
    /// Unit normal from `a` to `b`.
    pub normal: DVec2,
}

impl Impact {
    /// Whether this disc is one of the two.
    #[must_use]
    pub fn involves(&self, id: DiscId) -> bool {
        self.a == id || self.b == Partner::Disc(id)
    }

    /// What this disc met, if it is one of the two.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Event, Partner, World};
    ///
    /// let mut world = World::new();
    /// let ball = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]))?;
    /// let pin = world.insert(Disc::new([3.0, 0.0], 0.5))?;
    /// world.advance(3.0)?;
    /// let impact = world.events().first().and_then(Event::impact).expect("the ball hits the pin");
    /// assert_eq!(impact.other(pin), Some(Partner::Disc(ball)));
    /// assert!(impact.between(pin, ball) && impact.involves(ball));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn other(&self, id: DiscId) -> Option<Partner> {
        if self.a == id {
            Some(self.b)
        } else if self.b == Partner::Disc(id) {
            Some(Partner::Disc(self.a))
        } else {
            None
        }
    }

    /// Whether these two discs met, in either order.
    #[must_use]
    pub fn between(&self, a: DiscId, b: DiscId) -> bool {
        self.other(a) == Some(Partner::Disc(b))
    }
}

/// `1.25 s: disc 0 hits disc 3 at (2, 5)`.
impl fmt::Display for Impact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Impact { time, a, b, point, .. } = self;
        let [x, y] = point.to_array().map(Shown);
        write!(f, "{} s: disc {a} hits {b} at ({x}, {y})", Shown(time.as_secs()))
    }
}

/// An impact as it is shown; a change as `1.25 s: disc 0 changes its motion: …`.
impl<C: fmt::Debug> fmt::Display for Event<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Event::Impact(impact) = self {
            return impact.fmt(f);
        }
        write!(f, "{} s: ", Shown(self.time().as_secs()))?;
        match self {
            Event::Impact(_) => Ok(()),
            Event::Change { disc, change, .. } => write!(f, "disc {disc} changes its motion: {change:?}"),
            Event::Crushed { body, by, against, .. } => {
                write!(f, "disc {by} crushes disc {body} against {against}")
            }
            Event::Held(Hold { a, b, .. }) => write!(f, "disc {a} begins to press on {b}"),
            Event::LetGo(Hold { a, b, .. }) => write!(f, "disc {a} no longer presses on {b}"),
            Event::Entered(crossing) => show(crossing, "enters", f),
            Event::Left(crossing) => show(crossing, "leaves", f),
            Event::Released { body, .. } => write!(f, "disc {body} goes on"),
            Event::GrowthEnded { .. } => write!(f, "growth ends"),
            Event::Passed(Passage { a, b, .. }) => write!(f, "disc {a} passes through {b}"),
            Event::Captured(Departure { disc, .. }) => write!(f, "disc {disc} is captured"),
            Event::Removed(Departure { disc, .. }) => write!(f, "disc {disc} is removed"),
            Event::WallRemoved { wall, .. } => write!(f, "wall {wall} is removed"),
            Event::MoveBlocked { disc, .. } => {
                write!(f, "disc {disc} does not get to where it was sent")
            }
            Event::Turned { wall, angle, .. } => write!(f, "arm {wall} has turned to {}", Shown(*angle)),
            Event::TurnBlocked { wall, .. } => write!(f, "arm {wall} does not get to where it was sent"),
            Event::WallMoved { wall, offset, .. } => {
                let [x, y] = offset.to_array().map(Shown);
                write!(f, "wall {wall} has moved by ({x}, {y})")
            }
            Event::WallBlocked { wall, .. } => write!(f, "wall {wall} does not get to where it was sent"),
            Event::Timer { note, .. } => write!(f, "timer with note {note}"),
            Event::Inserted { disc, .. } => write!(f, "disc {disc} is inserted"),
            Event::Refused { what, reason, .. } => write!(f, "refused: {what}, as {reason}"),
        }
    }
}

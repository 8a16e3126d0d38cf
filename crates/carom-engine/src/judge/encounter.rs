use super::Which;
use crate::walls::Walls;
use crate::{DiscId, Partner, Rules, WallId, WallShape};
use carom_math::Time;
use core::fmt;
use glam::DVec2;
use std::borrow::Cow;

/// Two bodies that meet, before anything becomes of them: what a [`Judge`](crate::Judge) sees.
///
/// Of two discs the one that was inserted first is the first; of a disc and a wall the disc is. Exchanging
/// two discs gives the mirrored encounter, to the last bit.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Encounter<'w, B = (), X = (), F = ()> {
    /// When.
    pub time: Time,
    /// The first.
    pub a: Party<'w, B, X, F>,
    /// The second.
    pub b: Party<'w, B, X, F>,
    /// Where they touch: midway between the two surfaces.
    pub point: DVec2,
    /// Unit normal from the first to the second.
    pub normal: DVec2,
    /// Speed at which the surfaces approach along the normal. In a group it may be 0 or less, where others
    /// drive the two together.
    pub approach_speed: f64,
    /// The restitution with which they bounce if the verdict is [`Verdict::Bounce`](crate::Verdict::Bounce).
    pub restitution: f64,
    /// The normal impulse that stops the approach of the two alone: half of an elastic one. Per unit of mass
    /// for a tracer, and for an infinite mass at a wall.
    pub stopping_impulse: f64,
}

/// One of two bodies that meet.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Party<'w, B = (), X = (), F = ()> {
    /// Which disc or part of a wall it is.
    pub body: Partner,
    /// Which of the two it is, to be named in the verdict.
    pub which: Which,
    /// The user's note on it.
    pub user_data: u64,
    /// Its groups and team.
    pub rules: Rules,
    /// The centre of a disc; of a wall the point of contact.
    pub position: DVec2,
    /// The velocity before the impact; of a wall that of its surface at the point of contact, which is not 0
    /// where the wall moves or turns.
    pub velocity: DVec2,
    /// The radius; of a wall 0.
    pub radius: f64,
    /// The mass; of a wall infinite.
    pub mass: f64,
    /// What the physics adds to the properties of a disc.
    pub own: Option<B>,
    /// What the physics stores of a disc.
    pub extra: Option<X>,
    /// What the physics adds to a wall.
    pub surface: Option<&'w F>,
    pub(crate) stands: Option<Stands<'w>>,
}

/// A wall as it is now, looked up when a judge asks.
#[derive(Clone, Copy)]
pub(crate) struct Stands<'w> {
    pub(crate) walls: &'w Walls,
    pub(crate) slot: u32,
    pub(crate) shape: &'w WallShape,
    pub(crate) time: Time,
}

impl<'w> Stands<'w> {
    fn shape_now(&self) -> Cow<'w, WallShape> {
        self.walls.shape_at(self.slot, self.shape, self.time)
    }
}

impl fmt::Debug for Stands<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shape_now().fmt(f)
    }
}

impl<'w, B, X, F> Party<'w, B, X, F> {
    /// The form and place of a wall now, also while it moves or turns; `None` of a disc.
    #[must_use]
    pub fn wall_shape(&self) -> Option<Cow<'w, WallShape>> {
        self.stands.map(|stands| stands.shape_now())
    }

    /// The centre of a disc; of a wall its [middle](WallShape::middle) now, also while it moves or turns. So
    /// `met.point - met.b.middle()` says how far from the middle of a paddle the ball hits.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Commands, Disc, Encounter, Judged, Settings, Smooth, Verdict, Wall, World};
    ///
    /// // The further from the middle of the paddle a ball hits, the more it is turned aside.
    /// let rules = |met: &Encounter<'_>, commands: &mut Commands| {
    ///     if let (Some(ball), Some(_)) = (met.a.disc(), met.b.wall()) {
    ///         let aside = met.point.y - met.b.middle().y;
    ///         commands.set_velocity(ball, [2.0, aside]);
    ///     }
    ///     Verdict::Bounce
    /// };
    /// let mut world = World::with_physics(Judged::new(Smooth, rules), Settings::default())?;
    /// let paddle = world.add_wall(Wall::capsule([0.0, -1.0], [0.0, 1.0], 0.25))?;
    /// let ball = world.insert(Disc::new([4.75, 0.0], 0.5).with_velocity([-2.0, 0.0]))?;
    /// // The ball hits after 2 s. The middle of the paddle is half a unit below it then.
    /// world.move_wall(paddle, [0.0, -1.0], 4.0)?;
    /// world.advance(2.5)?;
    /// assert_eq!(world.get(ball).map(|ball| ball.velocity().y), Some(0.5));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn middle(&self) -> DVec2 {
        self.wall_shape().map_or(self.position, |shape| shape.middle())
    }

    /// The disc, if it is one.
    #[must_use]
    pub fn disc(&self) -> Option<DiscId> {
        self.body.disc()
    }

    /// The wall, if it is one.
    #[must_use]
    pub fn wall(&self) -> Option<WallId> {
        self.body.wall()
    }
}

impl<'w, B, X, F> Encounter<'w, B, X, F> {
    /// The two in the order in which these conditions hold for them, if they do.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Commands, Disc, Encounter, Judged, Party, Settings, Smooth, Verdict, World};
    ///
    /// const SHIP: u64 = 1;
    /// const BULLET: u64 = 2;
    /// let rules = |met: &Encounter<'_>, _: &mut Commands| {
    ///     let is = |kind: u64| move |party: &Party<'_>| party.user_data == kind;
    ///     match met.pair(is(BULLET), is(SHIP)) {
    ///         Some([bullet, _]) => Verdict::BounceAndRemove(bullet.which),
    ///         None => Verdict::Bounce,
    ///     }
    /// };
    /// let mut world = World::with_physics(Judged::new(Smooth, rules), Settings::default())?;
    /// world.insert(Disc::new([5.0, 0.0], 1.0).with_user_data(SHIP))?;
    /// let shot = Disc::new([0.0, 0.0], 0.1).with_velocity([9.0, 0.0]).with_user_data(BULLET);
    /// let shot = world.insert(shot)?;
    /// world.advance(1.0)?;
    /// assert!(world.get(shot).is_none() && world.counters().disc_impacts == 1);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn pair(
        &self,
        first: impl Fn(&Party<'w, B, X, F>) -> bool,
        second: impl Fn(&Party<'w, B, X, F>) -> bool,
    ) -> Option<[&Party<'w, B, X, F>; 2]> {
        if first(&self.a) && second(&self.b) {
            Some([&self.a, &self.b])
        } else if first(&self.b) && second(&self.a) {
            Some([&self.b, &self.a])
        } else {
            None
        }
    }
}

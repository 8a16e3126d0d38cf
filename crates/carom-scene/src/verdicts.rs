//! Verdicts by rules: what becomes of bodies that meet, as a table.
//!
//! A table and no function: the same table gives the same bits on every machine and with any number of
//! threads, goes into files and snapshots, and costs a few comparisons where two meet. `W` is what names a
//! wall: its handle, or its number in a file.

use carom_engine::{
    Command, Commands, DVec2, Disc, DiscForces, Encounter, Judge, Party, RoughDisc, Rules, Spin, Verdict,
    WallId, Which,
};
use serde::{Deserialize, Serialize};

/// Of two that meet, the first as the rule has them, the second, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// The first.
    First,
    /// The second.
    Second,
    /// Both.
    Both,
}

/// Which bodies a rule is for; by default all.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Meets {
    /// Only discs (`true`), or only walls.
    pub is_disc: Option<bool>,
    /// Least and most user data.
    pub user_data: [u64; 2],
    /// Member of one of these groups.
    pub membership: Option<u32>,
    /// Of this team.
    pub team: Option<u32>,
}

impl Default for Meets {
    fn default() -> Self {
        Meets { is_disc: None, user_data: [0, u64::MAX], membership: None, team: None }
    }
}

/// What becomes of two that meet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Says {
    /// They bounce.
    Bounce,
    /// They bounce with this restitution.
    Restitution(f64),
    /// They exchange this impulse.
    Impulse(f64),
    /// They exchange the impulse that stops them, and then as much again, but at least this much.
    LeastImpulse(f64),
    /// They bounce, and part faster by this speed.
    Kick(f64),
    /// They pass through each other.
    Pass,
    /// A wall or disc captures who is named.
    Capture(Who),
    /// Who is named is removed.
    Remove(Who),
    /// They bounce, and who is named is removed.
    BounceAndRemove(Who),
}

/// What is done besides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Order<W = WallId> {
    /// Gives a disc a note.
    SetUserData(Who, u64),
    /// Gives a disc a velocity.
    SetVelocity(Who, DVec2),
    /// Puts a disc elsewhere.
    SetPosition(Who, DVec2),
    /// Gives a disc an impulse.
    ApplyImpulse(Who, DVec2),
    /// Takes a disc off the plane, or puts it back.
    SetEnabled(Who, bool),
    /// Gives a disc or a wall groups and a team.
    SetRules(Who, Rules),
    /// Gives a disc a radius.
    SetRadius(Who, f64),
    /// Gives a disc a mass.
    SetMass(Who, #[serde(with = "carom_math::number")] f64),
    /// Gives a disc a restitution.
    SetRestitution(Who, f64),
    /// Sets a timer: after how many seconds, and its note.
    SetTimer(f64, u64),
    /// Turns an arm to an angle, at a rate.
    TurnArm(W, f64, f64),
    /// Moves a wall by an offset, in this many seconds.
    MoveWall(W, DVec2, f64),
    /// A disc whose position counts from the centre of one of the two, or else from where they touch.
    Insert(Option<Who>, Box<Whole>),
}

/// What a rule says: a verdict, and what is done besides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ruling<W = WallId> {
    /// The verdict.
    pub says: Says,
    /// What is done besides.
    pub orders: Vec<Order<W>>,
}

/// A rule: for whom, and what it says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule<W = WallId> {
    /// The first of the two.
    pub first: Meets,
    /// The second.
    pub second: Meets,
    /// Least and most speed of approach.
    pub speeds: [f64; 2],
    /// The normal from the first to the second has a part along it.
    pub toward: Option<DVec2>,
    /// What it says.
    pub ruling: Ruling<W>,
}

/// Rules, of which the first that fits two that meet says what becomes of them; where none fits they bounce.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rulebook {
    /// The rules.
    pub rules: Vec<Rule>,
}

impl Rulebook {
    /// What the first rule that fits says, if one does.
    pub fn say<B: Known, F>(
        &self,
        met: &Encounter<'_, B, B::Extra, F>,
        commands: &mut Commands<B, B::Extra>,
    ) -> Option<Verdict> {
        let mut fitting = self.rules.iter().filter_map(|rule| Some((rule, rule.parties(met)?)));
        fitting.next().map(|(rule, sides)| rule.ruling.say(sides, met, commands))
    }
}

impl<B: Known, F> Judge<B, B::Extra, F> for Rulebook {
    fn verdict(&self, met: &Encounter<'_, B, B::Extra, F>, commands: &mut Commands<B, B::Extra>) -> Verdict {
        self.say(met, commands).unwrap_or(Verdict::Bounce)
    }

    fn has_rules(&self) -> bool {
        !self.rules.is_empty()
    }
}

/// A disc with all that any of the physics knows of it.
pub type Whole = Disc<RoughDisc<DiscForces>, Spin>;

/// The same disc in another physics.
#[must_use]
pub fn recast<B: Default, X: Default, C, Y>(disc: Disc<C, Y>, body: B, extra: X) -> Disc<B, X> {
    let mut cast = Disc::new(disc.position, disc.radius).with_body(body).with_extra(extra);
    cast.velocity = disc.velocity;
    cast.mass = disc.mass;
    cast.restitution = disc.restitution;
    cast.user_data = disc.user_data;
    cast.overlap = disc.overlap;
    cast.rules = disc.rules;
    cast.sensor = disc.sensor;
    cast.kinematic = disc.kinematic;
    cast.max_speed = disc.max_speed;
    cast
}

/// What a physics knows of a disc, made of all that there is to know.
pub trait Known: Sized {
    /// What it stores of a disc.
    type Extra;
    /// The disc.
    fn disc(whole: Whole) -> Disc<Self, Self::Extra>;
}

impl Known for () {
    type Extra = ();

    fn disc(whole: Whole) -> Disc {
        recast(whole, (), ())
    }
}

impl Known for DiscForces {
    type Extra = ();

    fn disc(whole: Whole) -> Disc<Self> {
        recast(whole, whole.body.own, ())
    }
}

impl Known for RoughDisc<DiscForces> {
    type Extra = Spin;

    fn disc(whole: Whole) -> Disc<Self, Spin> {
        whole
    }
}

impl<W> Rule<W> {
    /// All speeds of approach.
    pub const ANY_SPEED: [f64; 2] = [-f64::MAX, f64::MAX];

    /// The two that meet, in the order in which the rule has them, if it is for them.
    pub fn parties<'e, 'w, B, X, F>(
        &self,
        met: &'e Encounter<'w, B, X, F>,
    ) -> Option<[&'e Party<'w, B, X, F>; 2]> {
        let [least, most] = self.speeds;
        let fits = |first: &Party<'_, B, X, F>, second: &Party<'_, B, X, F>, normal: DVec2| {
            self.first.fits(first)
                && self.second.fits(second)
                && self.toward.is_none_or(|toward| normal.dot(toward) > 0.0)
        };
        match () {
            () if !(met.approach_speed >= least && met.approach_speed <= most) => None,
            () if fits(&met.a, &met.b, met.normal) => Some([&met.a, &met.b]),
            () if fits(&met.b, &met.a, -met.normal) => Some([&met.b, &met.a]),
            () => None,
        }
    }
}

impl<W: Copy> Rule<W> {
    /// The same rule with other names of walls.
    #[must_use]
    pub fn with_walls<V>(&self, wall: impl Fn(W) -> V) -> Rule<V> {
        let orders = self.ruling.orders.iter().map(|order| order.with_walls(&wall)).collect();
        let ruling = Ruling { says: self.ruling.says, orders };
        Rule { first: self.first, second: self.second, speeds: self.speeds, toward: self.toward, ruling }
    }
}

impl Meets {
    fn fits<B, X, F>(&self, party: &Party<'_, B, X, F>) -> bool {
        let [least, most] = self.user_data;
        self.is_disc.is_none_or(|is_disc| is_disc == party.disc().is_some())
            && (least..=most).contains(&party.user_data)
            && self.membership.is_none_or(|groups| party.rules.membership & groups != 0)
            && self.team.is_none_or(|team| party.rules.team == team)
    }
}

impl Ruling {
    /// Says it of two that meet.
    pub fn say<B: Known, F>(
        &self,
        sides: [&Party<'_, B, B::Extra, F>; 2],
        met: &Encounter<'_, B, B::Extra, F>,
        commands: &mut Commands<B, B::Extra>,
    ) -> Verdict {
        for order in &self.orders {
            if let Some(command) = order.command(sides, met.point) {
                commands.push(command);
            }
        }
        let which = |who: Who| match who {
            Who::First => sides[0].which,
            Who::Second => sides[1].which,
            Who::Both => Which::Both,
        };
        match self.says {
            Says::Bounce => Verdict::Bounce,
            Says::Restitution(restitution) => Verdict::Restitution(restitution),
            Says::Impulse(impulse) => Verdict::Impulse(impulse),
            Says::LeastImpulse(least) => {
                Verdict::Impulse(met.stopping_impulse + met.stopping_impulse.max(least))
            }
            Says::Kick(speed) => Verdict::Kick(speed),
            Says::Pass => Verdict::Pass,
            Says::Capture(who) => Verdict::Capture(which(who)),
            Says::Remove(who) => Verdict::Remove(which(who)),
            Says::BounceAndRemove(who) => Verdict::BounceAndRemove(which(who)),
        }
    }
}

impl<W: Copy> Order<W> {
    fn with_walls<V>(&self, wall: impl Fn(W) -> V) -> Order<V> {
        match self {
            &Order::TurnArm(at, angle, rate) => Order::TurnArm(wall(at), angle, rate),
            &Order::MoveWall(at, offset, seconds) => Order::MoveWall(wall(at), offset, seconds),
            &Order::SetUserData(who, user_data) => Order::SetUserData(who, user_data),
            &Order::SetVelocity(who, velocity) => Order::SetVelocity(who, velocity),
            &Order::SetPosition(who, position) => Order::SetPosition(who, position),
            &Order::ApplyImpulse(who, impulse) => Order::ApplyImpulse(who, impulse),
            &Order::SetEnabled(who, enabled) => Order::SetEnabled(who, enabled),
            &Order::SetRules(who, rules) => Order::SetRules(who, rules),
            &Order::SetRadius(who, radius) => Order::SetRadius(who, radius),
            &Order::SetMass(who, mass) => Order::SetMass(who, mass),
            &Order::SetRestitution(who, restitution) => Order::SetRestitution(who, restitution),
            &Order::SetTimer(seconds, note) => Order::SetTimer(seconds, note),
            Order::Insert(at, whole) => Order::Insert(*at, whole.clone()),
        }
    }
}

impl Order {
    /// The command, unless it is for a disc, and that is a wall.
    fn command<B: Known, F>(
        &self,
        sides: [&Party<'_, B, B::Extra, F>; 2],
        point: DVec2,
    ) -> Option<Command<B, B::Extra>> {
        let side = |who: Who| sides[usize::from(who == Who::Second)];
        let disc = |who: Who| side(who).disc();
        match *self {
            Order::SetUserData(who, user_data) => disc(who).map(|disc| Command::SetUserData(disc, user_data)),
            Order::SetVelocity(who, velocity) => disc(who).map(|disc| Command::SetVelocity(disc, velocity)),
            Order::SetPosition(who, position) => disc(who).map(|disc| Command::SetPosition(disc, position)),
            Order::ApplyImpulse(who, impulse) => disc(who).map(|disc| Command::ApplyImpulse(disc, impulse)),
            Order::SetEnabled(who, enabled) => disc(who).map(|disc| Command::SetEnabled(disc, enabled)),
            Order::SetRules(who, rules) => {
                let of_wall = side(who).wall().map(|wall| Command::SetWallRules(wall, rules));
                disc(who).map(|disc| Command::SetRules(disc, rules)).or(of_wall)
            }
            Order::SetRadius(who, radius) => disc(who).map(|disc| Command::SetRadius(disc, radius)),
            Order::SetMass(who, mass) => disc(who).map(|disc| Command::SetMass(disc, mass)),
            Order::SetRestitution(who, e) => disc(who).map(|disc| Command::SetRestitution(disc, e)),
            Order::SetTimer(seconds, note) => Some(Command::SetTimer(seconds, note)),
            Order::TurnArm(wall, angle, rate) => Some(Command::TurnArm(wall, angle, rate)),
            Order::MoveWall(wall, offset, seconds) => Some(Command::MoveWall(wall, offset, seconds)),
            Order::Insert(at, ref whole) => {
                let origin = at.map_or(point, |who| side(who).position);
                let mut placed = **whole;
                placed.position += origin;
                Some(Command::Insert(B::disc(placed)))
            }
        }
    }
}

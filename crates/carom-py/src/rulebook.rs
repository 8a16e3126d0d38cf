//! Verdicts by rules: what becomes of bodies that meet, as a table.
//!
//! A table and no function of Python: the same table gives the same bits on every machine and with any number
//! of threads, goes into snapshots, and costs a few comparisons where two meet.

use crate::whole::{Whole, recast};
use carom_engine::{
    Command, Commands, DVec2, Disc, DiscForces, Encounter, Party, RoughDisc, Rules, Spin, Verdict, WallId,
    Which,
};
use serde::{Deserialize, Serialize};

/// Of two that meet, the first as the rule has them, the second, or both.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Who {
    First,
    Second,
    Both,
}

/// Which bodies a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Meets {
    /// Only discs (`true`), or only walls.
    pub(crate) is_disc: Option<bool>,
    /// Least and most user data.
    pub(crate) user_data: [u64; 2],
    /// Member of one of these groups.
    pub(crate) membership: Option<u32>,
    pub(crate) team: Option<u32>,
}

/// What becomes of two that meet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Says {
    Bounce,
    Restitution(f64),
    Impulse(f64),
    LeastImpulse(f64),
    Kick(f64),
    Pass,
    Capture(Who),
    Remove(Who),
    BounceAndRemove(Who),
}

/// What is done besides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Order {
    SetUserData(Who, u64),
    SetVelocity(Who, DVec2),
    SetPosition(Who, DVec2),
    ApplyImpulse(Who, DVec2),
    SetEnabled(Who, bool),
    SetRules(Who, Rules),
    SetRadius(Who, f64),
    SetMass(Who, f64),
    SetRestitution(Who, f64),
    SetTimer(f64, u64),
    TurnArm(WallId, f64, f64),
    MoveWall(WallId, DVec2, f64),
    /// A disc whose position counts from the centre of one of the two, or else from where they touch.
    Insert(Option<Who>, Box<Whole>),
}

/// What a rule says: a verdict, and what is done besides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ruling {
    pub(crate) says: Says,
    pub(crate) orders: Vec<Order>,
}

/// A rule: for whom, and what it says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rule {
    pub(crate) first: Meets,
    pub(crate) second: Meets,
    /// Least and most speed of approach.
    pub(crate) speeds: [f64; 2],
    /// The normal from the first to the second has a part along it.
    pub(crate) toward: Option<DVec2>,
    pub(crate) ruling: Ruling,
}

/// What a physics knows of a disc, made of all that there is to know.
pub(crate) trait Known: Sized {
    type Extra;
    fn disc(whole: Whole) -> Disc<Self, Self::Extra>;
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

impl Rule {
    /// The two that meet, in the order in which the rule has them, if it is for them.
    pub(crate) fn parties<'e, 'w, B, X, F>(
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
    pub(crate) fn say<B: Known, F>(
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

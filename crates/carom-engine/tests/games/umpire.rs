//! The judges of these tests: two types, as each makes worlds of their own to be compiled.

use carom_engine::{
    Command, Commands, DVec2, Disc, DiscForces, Encounter, Forces, Judge, Judged, Partner, Settings, Smooth,
    Verdict, Which, World,
};
use core::cell::Cell;

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

/// How often a judge has been asked in this test since that was last asked for.
pub(crate) fn asked() -> u64 {
    ASKED.take()
}

fn note() {
    ASKED.set(ASKED.get() + 1);
}

pub(crate) type Rule = fn(&Encounter<'_>, &mut Commands) -> Verdict;

/// A rule, or always the same verdict.
#[derive(Clone)]
pub(crate) struct Umpire {
    verdict: Verdict,
    rule: Option<Rule>,
}

impl Judge for Umpire {
    fn verdict(&self, met: &Encounter<'_>, commands: &mut Commands) -> Verdict {
        note();
        self.rule.map_or(self.verdict, |rule| rule(met, commands))
    }
}

pub(crate) type Ruled = World<Judged<Smooth, Umpire>>;

fn with(umpire: Umpire) -> Ruled {
    World::with_physics(Judged::new(Smooth, umpire), Settings::default()).unwrap()
}

/// A world with always the same verdict.
pub(crate) fn always(verdict: Verdict) -> Ruled {
    with(Umpire { verdict, rule: None })
}

/// A world with a rule.
pub(crate) fn by(rule: Rule) -> Ruled {
    with(Umpire { verdict: Verdict::Bounce, rule: Some(rule) })
}

/// A world with a gravity, in which everything bounces, or passes.
pub(crate) fn falling(gravity: f64, passes: bool) -> World<Judged<Forces, Dice>> {
    let forces = Forces::new().with_gravity([0.0, gravity]).unwrap();
    let dice = Dice { salt: 0, passes, rolls: false };
    World::with_physics(Judged::new(forces, dice), Settings::default()).unwrap()
}

/// Verdicts and commands that follow from the numbers of an encounter alone.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Dice {
    salt: u64,
    passes: bool,
    rolls: bool,
}

impl Dice {
    pub(crate) fn rolled(salt: u64) -> Self {
        Dice { salt, passes: false, rolls: true }
    }

    fn roll(&self, met: &Encounter<'_, DiscForces>) -> u64 {
        let mut bits = self.salt ^ met.a.user_data.rotate_left(7) ^ met.b.user_data.rotate_left(19);
        bits ^= met.approach_speed.to_bits().rotate_left(31);
        bits = (bits ^ (bits >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits ^ (bits >> 32)
    }
}

impl Judge<DiscForces> for Dice {
    fn verdict(&self, met: &Encounter<'_, DiscForces>, commands: &mut Commands<DiscForces>) -> Verdict {
        note();
        if !self.rolls {
            return if self.passes { Verdict::Pass } else { Verdict::Bounce };
        }
        let roll = self.roll(met);
        let which = [Which::First, Which::Second, Which::Both][(roll >> 20) as usize % 3];
        if roll >> 8 & 15 == 0 {
            commands.set_timer(0.05, roll);
        }
        if roll >> 12 & 15 == 0 {
            let place = met.a.position - met.normal * (met.a.radius + 0.3);
            commands.insert(Disc::new(place, 0.2).with_velocity(met.a.velocity).with_user_data(roll));
        }
        if let (0, Partner::Disc(disc)) = (roll >> 16 & 15, met.b.body) {
            commands.push(Command::SetVelocity(disc, DVec2::new(1.0, -0.5)));
        }
        match roll % 24 {
            0 => Verdict::Restitution(0.0),
            1 => Verdict::Restitution(1.2),
            2 => Verdict::Impulse(met.stopping_impulse + 0.5),
            3 => Verdict::Kick(0.5),
            4..=9 if met.b.wall().is_none() || roll >> 40 & 1 == 0 => Verdict::Pass,
            10 => Verdict::Capture(which),
            11 if met.b.wall().is_none() => Verdict::Remove(which),
            12 if met.b.wall().is_none() => Verdict::BounceAndRemove(which),
            13 => Verdict::Impulse(f64::NAN),
            _ => Verdict::Bounce,
        }
    }
}

//! The judge of the tests: one type for all of them, as each makes worlds of its own to be compiled.

use carom_engine::{
    Command, Commands, DVec2, Disc, Encounter, Judge, Judged, Partner, Physics, Settings, Verdict, Which,
    World,
};
use core::cell::Cell;
use serde::{Deserialize, Serialize};

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

/// How often umpires have been asked in this test since that was last asked for.
pub fn asked() -> u64 {
    ASKED.take()
}

/// A rule of a test: a function, or a closure that captures nothing.
pub type Rule<B = (), X = (), F = ()> = fn(&Encounter<'_, B, X, F>, &mut Commands<B, X>) -> Verdict;

/// A judge of discs with bodies `B`, extra states `X` and walls with surfaces `F`. It can be saved, unless it
/// has a verdict or a rule of its own.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub enum Umpire<B = (), X = (), F = ()> {
    /// Everything bounces.
    Bounces,
    /// Everything passes.
    Passes,
    /// Verdicts and commands that follow from this salt and the numbers of an encounter alone.
    Dice(u64),
    /// Has no rules now; would remove all that meet.
    Silent,
    /// Always the same verdict.
    #[serde(skip)]
    Always(Verdict),
    #[serde(skip)]
    By(Rule<B, X, F>),
}

/// A physics with an umpire.
pub type Refereed<P> =
    Judged<P, Umpire<<P as Physics>::Body, <P as Physics>::Extra, <P as Physics>::Surface>>;

/// A world of a physics with an umpire.
pub fn refereed<P: Physics>(physics: P, umpire: Umpire<P::Body, P::Extra, P::Surface>) -> World<Refereed<P>> {
    World::with_physics(Judged::new(physics, umpire), Settings::default()).unwrap()
}

fn cast<B: Default, X: Default, F>(
    salt: u64,
    met: &Encounter<'_, B, X, F>,
    commands: &mut Commands<B, X>,
) -> Verdict {
    let mut bits = salt ^ met.a.user_data.rotate_left(7) ^ met.b.user_data.rotate_left(19);
    bits ^= met.approach_speed.to_bits().rotate_left(31);
    bits = (bits ^ (bits >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let roll = bits ^ (bits >> 32);
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

impl<B, X, F> Judge<B, X, F> for Umpire<B, X, F>
where
    B: Copy + Default,
    X: Copy + Default,
    F: Copy,
{
    fn verdict(&self, met: &Encounter<'_, B, X, F>, commands: &mut Commands<B, X>) -> Verdict {
        ASKED.set(ASKED.get() + 1);
        match *self {
            Umpire::Bounces => Verdict::Bounce,
            Umpire::Passes => Verdict::Pass,
            Umpire::Dice(salt) => cast(salt, met, commands),
            Umpire::Silent => Verdict::Remove(Which::Both),
            Umpire::Always(verdict) => verdict,
            Umpire::By(rule) => rule(met, commands),
        }
    }

    fn has_rules(&self) -> bool {
        !matches!(self, Umpire::Silent)
    }
}

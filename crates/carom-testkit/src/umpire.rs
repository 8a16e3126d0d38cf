//! The judge of the tests: one type for all of them, as each makes worlds of its own to be compiled.

use carom_engine::{Commands, Encounter, Judge, Judged, Physics, Settings, Verdict, Walk, Which, World};
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
            Umpire::Silent => Verdict::Remove(Which::Both),
            Umpire::Always(verdict) => verdict,
            Umpire::By(rule) => rule(met, commands),
        }
    }

    fn has_rules(&self) -> bool {
        !matches!(self, Umpire::Silent)
    }

    fn walk(&self, walk: &mut Walk<'_>) {
        walk.variant(match self {
            Umpire::Bounces => "Bounces",
            Umpire::Passes => "Passes",
            Umpire::Silent => "Silent",
            Umpire::Always(_) => "Always",
            Umpire::By(_) => "By",
        });
    }
}

//! What heaps of some numbers have beside discs that fall: see [`Things`].

use super::piled::{Piled, Rubbing};
use carom_engine::{DVec2, DiscId, RegionId, WallId};
use carom_testkit::rng::Rng;

/// The first number of those whose heaps have things.
pub const FIRST_WITH_THINGS: u64 = 10_000;
/// The first number of those that may have discs of infinite mass that fall.
pub const FIRST_WITH_BOULDERS: u64 = 20_000;

/// Coefficients of friction and rolling resistance of what has its own. The first ones hold what rests.
const OWN: [Rubbing; 5] = [[0.3, 0.05], [1.0, 0.2], [f64::INFINITY, 0.1], [0.5, 0.0], [0.0, 0.0]];

/// Which things a heap has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kinds {
    /// Whether surfaces run.
    pub belts: bool,
    /// Walls that turn.
    pub arms: usize,
    /// Discs that go where they are sent.
    pub pushers: usize,
    /// Discs, points and bars that are fixed, and are put elsewhere now and then.
    pub pegs: usize,
    /// Platforms that let through what comes from below.
    pub platforms: usize,
    /// Whether some discs have no mass.
    pub tracers: bool,
    /// Whether some that fall have an infinite mass.
    pub boulders: bool,
    /// Whether discs and walls have coefficients of their own.
    pub own: bool,
    /// Whether some of these are 0.
    pub slick: bool,
    /// Whether a region says which discs are in it.
    pub region: bool,
}

impl Kinds {
    /// Few at a time: of each kind one heap in four has some, and one in eight has tracers.
    fn random<P: Piled>(rng: &mut Rng, number: u64) -> Kinds {
        let mut some = |least: usize, most: usize| {
            let count = least + rng.below(most + 1 - least);
            if rng.below(4) == 0 { count } else { 0 }
        };
        let own = P::RUBS && some(1, 1) > 0;
        Kinds {
            belts: P::RUBS && some(1, 1) > 0,
            arms: some(1, 2),
            pushers: some(1, 3),
            pegs: some(1, 4),
            platforms: some(1, 2),
            tracers: some(0, 1) > 0,
            boulders: number >= FIRST_WITH_BOULDERS && some(1, 1) > 0,
            own,
            slick: own && some(1, 1) > 0,
            region: some(1, 1) > 0,
        }
    }

    /// Coefficients of a disc or a wall, if it has its own.
    pub(super) fn rubbing(self, rng: &mut Rng) -> Option<Rubbing> {
        let count = if self.slick { OWN.len() } else { 3 };
        (self.own && rng.chance(50)).then(|| OWN[rng.below(count)])
    }
}

/// Things, and where their random numbers come from.
pub(super) struct Things {
    pub rng: Rng,
    pub kinds: Kinds,
    /// Walls with surfaces that run now and then.
    pub belts: Vec<WallId>,
    /// With the angles at which they are put up, y upwards.
    pub arms: Vec<(WallId, f64)>,
    pub pushers: Vec<DiscId>,
    pub pegs: Vec<WallId>,
    /// Whether the world mirrored at the x axis has the same bits. A platform and a thick bar have two sides,
    /// and rounding tells them apart: the one is computed from the first end, the other from the second.
    pub has_image: bool,
    /// With two corners of a rectangle, in the room.
    pub region: Option<(RegionId, [DVec2; 2])>,
}

impl Things {
    /// Things of the kinds of a number, before they are put up.
    pub(super) fn random<P: Piled>(number: u64) -> Things {
        let mut rng = Rng::new(78_000_000 + number);
        let kinds = Kinds::random::<P>(&mut rng, number);
        let (belts, arms, pushers, pegs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Things { rng, kinds, belts, arms, pushers, pegs, has_image: true, region: None }
    }
}

use crate::physics::Reach;
use crate::{Physics, Rules};
use carom_broadphase::Species;
use carom_solver::MassClass;

/// What decides whom a disc meets at all, however they fly. The scheduler keeps it as a [`Species`].
#[derive(Clone, Copy)]
pub(crate) struct Sort {
    pub(crate) rules: Rules,
    pub(crate) class: MassClass,
    /// Whether it has no size, so that it and its like never meet.
    pub(crate) is_point: bool,
}

/// Where the class of mass and the point stand in the second word, above the team.
const CLASS: u32 = 32;
const POINT: u32 = 34;

// What meets any disc meets one of the default.
const _: () = assert!(MassClass::Finite as u64 == 0);

impl Sort {
    pub(crate) fn new<P: Physics>(rules: Rules, class: MassClass, radius: f64) -> Sort {
        // With contact distances of its own a physics may let points meet.
        Sort { rules, class, is_point: radius == 0.0 && !P::OWN_REACH }
    }

    pub(crate) fn species(&self) -> Species {
        let Rules { membership, mask, team } = self.rules;
        let groups = u64::from(membership) | u64::from(mask) << 32;
        let (class, point) = ((self.class as u64) << CLASS, u64::from(self.is_point) << POINT);
        Species([groups, u64::from(team) | class | point])
    }

    pub(crate) fn of(Species([groups, rest]): Species) -> Sort {
        let rules = Rules { membership: groups as u32, mask: (groups >> 32) as u32, team: rest as u32 };
        let class = MassClass::from_bits(rest >> CLASS & 3);
        Sort { rules, class, is_point: rest >> POINT == 1 }
    }

    /// Whether two meet, if their paths do.
    pub(crate) fn meets(&self, other: &Sort) -> bool {
        self.rules.collides_with(&other.rules)
            && !self.class.pass_through(other.class)
            && !(self.is_point && other.is_point)
    }
}

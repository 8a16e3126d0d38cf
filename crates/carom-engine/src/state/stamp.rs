use crate::touch::{Apart, CLUSTER, touching, within};
use crate::walk::variants;
use carom_math::toi::squared_gap;

/// Which impact wrote a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp(u64);

impl Stamp {
    /// Written by no impact: put there by the user, or a motion changed by itself.
    pub(crate) const NONE: Stamp = Stamp(0);

    /// The impact with this number, counted from 1.
    pub(crate) fn impact(number: u64, kind: ImpactKind) -> Self {
        Stamp(4 * number + kind as u64)
    }

    /// The stamp as a word below 2⁶².
    #[inline(always)]
    pub(crate) fn bits(self) -> u64 {
        self.0
    }

    #[inline(always)]
    pub(crate) fn from_bits(bits: u64) -> Self {
        Stamp(bits)
    }

    /// Whether both states were written by one impact.
    #[inline(always)]
    pub(crate) fn same_impact(self, other: Stamp) -> bool {
        self == other && self != Stamp::NONE
    }

    /// The impact's number; 0 if it was none.
    #[inline(always)]
    pub(crate) fn number(self) -> u64 {
        self.0 >> 2
    }

    /// Which bodies took part.
    pub(crate) fn kind(self) -> ImpactKind {
        match self.0 & 3 {
            1 => ImpactKind::Group,
            3 => ImpactKind::Cluster,
            _ => ImpactKind::Two,
        }
    }

    /// Whether more than two took part.
    #[inline(always)]
    pub(crate) fn is_group(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Which bodies took part in an impact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub(crate) enum ImpactKind {
    /// Two discs, or a disc and a wall.
    Two = 0,
    /// All that touch or overlap.
    ///
    /// However deep they overlap: where such a pair begins to approach only by an impact of that instant,
    /// what happens next would else depend on which of the others is resolved first.
    #[default]
    Group = 1,
    /// All that overlap or nearly touch, within [`CLUSTER`]: made plastic by the rule against collapse.
    Cluster = 3,
}

variants!(ImpactKind: Two, Group, Cluster);

impl ImpactKind {
    /// Whether discs at these places both take part.
    pub(crate) fn takes_in(self, apart: &Apart, reach: f64) -> bool {
        self.takes_in_gap(apart, reach, squared_gap(apart.d, reach))
    }

    /// As `takes_in`, with `|d|² − reach²`.
    pub(crate) fn takes_in_gap(self, apart: &Apart, reach: f64, gap: f64) -> bool {
        match self {
            ImpactKind::Two => touching(apart, reach, gap),
            ImpactKind::Group => within(apart, reach, gap, 1.0),
            ImpactKind::Cluster => within(apart, reach, gap, CLUSTER),
        }
    }

    /// Whether a disc at this distance from a facet takes part, given the slack of touching.
    pub(crate) fn takes_in_at(self, distance: f64, slack: f64) -> bool {
        match self {
            ImpactKind::Two => distance.abs() <= slack,
            ImpactKind::Group => distance <= slack,
            ImpactKind::Cluster => distance <= CLUSTER * slack,
        }
    }
}

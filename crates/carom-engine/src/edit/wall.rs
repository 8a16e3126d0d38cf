//! A change of a wall, as a value, and what follows from each kind of it.

use crate::Rules;
use crate::walls::facet::Facet;
use crate::walls::motion::WallPose;

/// What a caller changes of a wall with surfaces `S`.
pub(crate) enum WallChange<S> {
    Restitution(f64),
    UserData(u64),
    Surface(S),
    /// Noted: they come into force where time passes.
    Rules(Rules),
    /// They come into force, in place of those `before`.
    InForce {
        rules: Rules,
        before: Rules,
    },
    /// It stands elsewhere or sets out, with other facets; `is_turn` of an arm that begins to turn, or ceases
    /// to.
    Posed {
        pose: WallPose,
        parts: Vec<Facet>,
        is_turn: bool,
    },
    /// It goes on as it moves, to another end of its course; the facets that it has know for how long. With
    /// `is_aimed` it is a few ulp elsewhere from now on.
    Onward {
        pose: WallPose,
        parts: Vec<Facet>,
        is_aimed: bool,
    },
    /// Taken down.
    Gone,
}

/// What follows from a change of a wall: a row of the table in [`WallChange::row`]. It is carried out in the
/// order of the fields, and the change itself is written between `regions` and `slides`.
#[derive(Clone, Copy, Default)]
pub(crate) struct WallRow {
    /// Whether the course that it is on ends, with its timer.
    pub(crate) course: bool,
    /// Whether discs that are held to it are settled again, and bodies that have given way try again.
    pub(crate) holds: bool,
    /// Whether discs at it are stored as of now, and chains end. So what it kept them from since is ahead of
    /// them, such as another wall at the same place.
    pub(crate) touching: bool,
    /// Whether what touches it goes on to touch it, as it moves by a rounding.
    pub(crate) carries: bool,
    /// Whether the discs near it are scheduled again.
    pub(crate) near: bool,
    /// Whether regions that are this wall end, and nothing passes through it any more.
    pub(crate) regions: bool,
    /// Whether slides along what is no longer there end.
    pub(crate) slides: bool,
    /// Whether facets are gone, and others may be given their numbers.
    pub(crate) facets: bool,
}

impl<S> WallChange<S> {
    /// What follows from it.
    pub(crate) fn row(&self) -> WallRow {
        let nothing = WallRow::default();
        let of_rules = WallRow { holds: true, slides: true, ..nothing };
        let of_facets = WallRow { course: true, touching: true, near: true, facets: true, ..of_rules };
        match self {
            WallChange::Restitution(_) | WallChange::UserData(_) => nothing,
            // What is held to it may rub as it did not before.
            WallChange::Surface(_) => WallRow { holds: true, ..nothing },
            WallChange::Rules(_) => WallRow { near: true, ..nothing },
            WallChange::InForce { .. } => of_rules,
            WallChange::Posed { .. } => of_facets,
            WallChange::Onward { is_aimed, .. } => {
                WallRow { course: true, carries: *is_aimed, near: true, ..nothing }
            }
            WallChange::Gone => WallRow { regions: true, ..of_facets },
        }
    }

    /// The facets that it has after it, of one that stands elsewhere or moves.
    pub(crate) fn parts(&self) -> &[Facet] {
        match self {
            WallChange::Posed { parts, .. } | WallChange::Onward { parts, .. } => parts,
            _ => &[],
        }
    }
}

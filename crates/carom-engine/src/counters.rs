use crate::Ledger;
use crate::walk::fields;

/// What a world has done since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Counters {
    /// Events resolved: groups of impacts, and changes of motion.
    pub events: u64,
    /// Contacts between discs that were resolved.
    pub disc_impacts: u64,
    /// Contacts with walls that were resolved.
    pub wall_impacts: u64,
    /// Groups of more than two, resolved together.
    pub groups: u64,
    /// Motions that changed their law by themselves.
    pub changes: u64,
    /// Chords that discs have slid along the inside of curved walls: see [`crate::Sliding`].
    pub slides: u64,
    /// Pieces of the motion of discs that are held to what they touch: see [`crate::Rest`].
    pub pieces: u64,
    /// Impacts that the rule against collapse made plastic: see [`crate::Collapse`]. A group counts once.
    pub made_plastic: u64,
    /// How kinetic energy changed, and by what.
    pub ledger: Ledger,
    /// Velocities that the physics made larger than [`MAX_SPEED`](crate::limits::MAX_SPEED), and that were
    /// shortened to it.
    pub clamped: u64,
    /// Pair times decided: entries of the pair table that were computed again; of a grid, neighbours looked
    /// at.
    pub pair_times: u64,
    /// Of the pair table as many, as a row takes a root in every lane; of a grid, plans made again because
    /// the other one had changed.
    pub roots: u64,
    /// Solo events predicted: entries on the diagonal; of a grid, plans.
    pub solo_times: u64,
    /// Changes of a key in the event queue; of the pair table, rows that were written.
    pub queue_operations: u64,
    /// Rows of the pair table that were searched again, without roots; of a grid, circles drawn anew.
    pub row_searches: u64,
}

// A world keeps the first itself; the others are its book's and those of schedulers, and 0 here.
fields!(
    Counters: events, disc_impacts, wall_impacts, groups, changes, slides, pieces, made_plastic, clamped,
    ledger as Zero, pair_times as Zero, roots as Zero, solo_times as Zero, queue_operations as Zero,
    row_searches as Zero
);

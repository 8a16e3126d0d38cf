//! A change of a disc, as a value, and what follows from each kind of it.

use crate::{Overlap, Physics};
use carom_math::DVec2;

/// What a caller changes of a disc. Velocities are those of the clock of the events.
#[derive(Clone, Copy)]
pub(crate) enum Change<B, X> {
    /// Put somewhere.
    Position(DVec2),
    /// Pushed there, as it overlaps others: its journey goes on.
    Pushed(DVec2),
    Velocity(DVec2),
    /// At the end of a journey it stands at its target,
    Arrived(DVec2),
    /// or where it is.
    Stopped,
    /// As [`Change::Velocity`], beside which its journey goes on.
    Deflected(DVec2),
    Extra(X),
    Body(B),
    Radius(f64),
    /// Another mass of the same class.
    Mass(f64),
    /// A mass of another class: finite, infinite or none.
    Class(f64),
    Restitution(f64),
    UserData(u64),
    Overlap(Overlap),
}

/// A change of a disc of a physics.
pub(crate) type ChangeOf<P> = Change<<P as Physics>::Body, <P as Physics>::Extra>;

/// What follows from a change of a disc: a row of the table in [`Change::row`]. It is carried out in the
/// order of the fields, and the change itself is written between `past` and `records`; with `past` the
/// records, the memory and the state come before it.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    /// What ends of its way.
    pub(crate) way: Way,
    /// Whether its path up to now is that of what it was, so that its state is stored before the change, and
    /// once more after it.
    pub(crate) past: bool,
    /// Which of its records of contacts end.
    pub(crate) records: Records,
    /// What becomes of its memory of walls.
    pub(crate) memory: Remembered,
    /// Whether its state is stored anew, as of now: it is marked, settled again, and the energy is entered.
    pub(crate) restates: bool,
    /// Whether the scheduler is to place it anew.
    pub(crate) places: bool,
    /// What regions look at.
    pub(crate) sense: Sensed,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Way {
    GoesOn,
    /// The journey that it is on, with the timer at its end.
    Journey,
    /// That, and its windings are counted from here.
    All,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Records {
    Stay,
    /// What is told of its velocity.
    OfVelocity,
    /// What it passes over, and what it was in the way of.
    OfPlace,
    All,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Remembered {
    All,
    /// The sides of walls that it is still at.
    Sides,
    Nothing,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Sensed {
    Nothing,
    Place,
    Size,
    /// The region that it carries.
    Own,
}

/// A change after which nothing follows.
const NOTHING: Row = Row {
    way: Way::GoesOn,
    past: false,
    records: Records::Stay,
    memory: Remembered::All,
    restates: false,
    places: false,
    sense: Sensed::Nothing,
};

/// A change of the state alone.
const OF_STATE: Row = Row { memory: Remembered::Sides, restates: true, ..NOTHING };

/// A change of place.
const OF_PLACE: Row = Row {
    records: Records::OfPlace,
    memory: Remembered::Nothing,
    places: true,
    sense: Sensed::Place,
    ..OF_STATE
};

impl<B, X> Change<B, X> {
    /// What follows from it.
    pub(crate) fn row(&self) -> Row {
        match self {
            Change::Position(_) => Row { way: Way::All, ..OF_PLACE },
            Change::Pushed(_) => OF_PLACE,
            Change::Velocity(_) => Row { way: Way::Journey, records: Records::OfVelocity, ..OF_STATE },
            Change::Arrived(_) | Change::Stopped => {
                Row { records: Records::OfVelocity, memory: Remembered::Sides, ..OF_PLACE }
            }
            Change::Deflected(_) => Row { records: Records::OfVelocity, ..OF_STATE },
            Change::Extra(_) => OF_STATE,
            Change::Body(_) => Row { past: true, ..OF_STATE },
            Change::Radius(_) => {
                Row { records: Records::OfPlace, places: true, sense: Sensed::Size, ..OF_STATE }
            }
            Change::Class(_) => Row { past: true, records: Records::All, ..OF_STATE },
            Change::UserData(_) => Row { sense: Sensed::Own, ..NOTHING },
            Change::Mass(_) | Change::Restitution(_) | Change::Overlap(_) => NOTHING,
        }
    }
}

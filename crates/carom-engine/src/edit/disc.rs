//! A change of a disc, as a value, and what follows from each kind of it.
//!
//! Walls have changes and rows of [their own](super::wall). What follows from a change of a disc concerns
//! that disc, whose state is written. What follows from one of a wall concerns the discs near it, and its
//! facets. Half of a row of both would mean nothing.

use crate::state::bodies::Bodies;
use crate::state::off_plane::Off;
use crate::{Overlap, Physics, Rules};
use carom_broadphase::Slot;
use carom_math::DVec2;

/// What a caller changes of a disc. Velocities are those of the clock of the events.
#[derive(Clone, Copy)]
pub(crate) enum Change<B, X> {
    /// Put somewhere.
    Position(DVec2),
    /// Pushed there, as it overlaps others: its journey goes on.
    Pushed(DVec2),
    Velocity(DVec2),
    /// At the end of a journey it stands at its target.
    Arrived(DVec2),
    /// As [`Change::Velocity`], which ends no journey.
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
    /// Noted: they come into force where time passes.
    Rules(Rules),
    /// Those of what sees a sensor, and of what it sees.
    SensorRules(Rules),
    /// They come into force, in place of those `before`.
    InForce {
        rules: Rules,
        before: Rules,
    },
    /// Taken off the plane,
    TakenOff(Off),
    /// and put back, with this velocity.
    PutBack(DVec2),
    /// It passes through another disc from now on,
    Excluded(Slot),
    /// and ceases to.
    Included(Slot),
}

/// A change of a disc of a physics.
pub(crate) type ChangeOf<P> = Change<<P as Physics>::Body, <P as Physics>::Extra>;

/// What follows from a change of a disc: a row of the table in [`Change::row`]. It is carried out in the
/// order of the fields, and the change itself is written between `releases` and `records`; with `past` the
/// records, the memory and the state come before it. From `passes` on the scheduler is asked: that is done
/// when all discs have been changed that change together.
#[derive(Clone, Copy, Default)]
pub(crate) struct Row {
    /// What ends of its way.
    pub(crate) way: Way,
    /// Whether its path up to now is that of what it was, so that its state is stored before the change, and
    /// once more after it.
    pub(crate) past: bool,
    /// Whether what holds it is settled again.
    pub(crate) releases: bool,
    /// Which of its records of contacts end.
    pub(crate) records: Records,
    /// What becomes of its memory of walls.
    pub(crate) memory: Remembered,
    /// Whether its state is stored anew, as of now: it is marked, settled again, and the energy is entered.
    pub(crate) restates: bool,
    /// Whether it is scheduled again.
    pub(crate) marks: bool,
    /// Whether it passes through what it overlaps and did not collide with before, until they have parted.
    pub(crate) passes: bool,
    /// Whether the scheduler is to place it anew.
    pub(crate) places: bool,
    /// Whether those are scheduled again whose plans name it, and those that come to know it.
    pub(crate) neighbours: bool,
    /// What regions look at.
    pub(crate) sense: Sensed,
}

#[derive(Clone, Copy, Default)]
pub(crate) enum Way {
    #[default]
    GoesOn,
    /// The journey that it is on, with the timer at its end.
    Journey,
    /// That, and its windings are counted from here.
    All,
}

#[derive(Clone, Copy, Default)]
pub(crate) enum Records {
    #[default]
    Stay,
    /// Those that say which velocity it is given when it is free: it is given another one.
    OfVelocity,
    /// What it passes over, and what it was in the way of.
    OfPlace,
    /// Slides along walls that it does not collide with, and what rules decide.
    OfRules,
    All,
}

#[derive(Clone, Copy, Default)]
pub(crate) enum Remembered {
    #[default]
    All,
    /// The sides of walls that it is still at,
    Sides,
    /// of those that it collided with before.
    SidesOfMet,
    Nothing,
}

#[derive(Clone, Copy, Default)]
pub(crate) enum Sensed {
    #[default]
    Nothing,
    Place,
    Size,
    /// The region that it carries.
    Own,
    Rules,
    SensorRules,
}

impl<B, X> Change<B, X> {
    /// What follows from it.
    pub(crate) fn row(&self) -> Row {
        let nothing = Row::default();
        let of_state = Row { memory: Remembered::Sides, restates: true, ..nothing };
        let of_velocity = Row { records: Records::OfVelocity, ..of_state };
        let of_size = Row { records: Records::OfPlace, places: true, sense: Sensed::Size, ..of_state };
        let of_place = Row { memory: Remembered::Nothing, sense: Sensed::Place, ..of_size };
        let marked = Row { marks: true, ..nothing };
        let of_rules = Row { records: Records::OfRules, places: true, neighbours: true, ..nothing };
        let of_rules = Row { releases: true, sense: Sensed::Rules, ..of_rules };
        match self {
            Change::Position(_) => Row { way: Way::All, ..of_place },
            Change::Pushed(_) => of_place,
            Change::Velocity(_) => Row { way: Way::Journey, ..of_velocity },
            Change::Arrived(_) => Row { places: true, sense: Sensed::Place, ..of_velocity },
            Change::Deflected(_) => of_velocity,
            Change::Extra(_) | Change::Body(_) | Change::Included(_) => of_state,
            Change::Radius(_) => of_size,
            Change::Class(_) => Row { past: true, records: Records::All, places: true, ..of_state },
            Change::Mass(_) => Row { releases: true, ..nothing },
            Change::Restitution(_) | Change::Overlap(_) => nothing,
            Change::UserData(_) => Row { sense: Sensed::Own, ..nothing },
            Change::Rules(_) | Change::Excluded(_) => marked,
            Change::SensorRules(_) => Row { sense: Sensed::SensorRules, ..marked },
            Change::InForce { rules, before } if rules.may_add_to(before) => {
                Row { memory: Remembered::SidesOfMet, restates: true, passes: true, ..of_rules }
            }
            Change::InForce { .. } => of_rules,
            Change::TakenOff(_) => Row { way: Way::Journey, records: Records::All, ..of_state },
            Change::PutBack(_) => Row { restates: true, ..nothing },
        }
    }

    /// Rules of a disc come into force.
    pub(crate) fn in_force(bodies: &Bodies, slot: Slot, rules: Rules) -> Self {
        Change::InForce { rules, before: bodies.rules.get(slot) }
    }

    /// The rules by which it collided before, of rules that come into force.
    pub(crate) fn rules_before(&self) -> Rules {
        if let Change::InForce { before, .. } = self { *before } else { Rules::new() }
    }
}

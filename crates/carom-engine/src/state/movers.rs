use super::sparse::Sparse;
use crate::Disc;
use crate::handle::is_stop;
use crate::walk::{As, Fields, Kind, Walk, fields};
use carom_broadphase::Slot;
use carom_math::Time;
use glam::DVec2;

/// A kinematic disc: see [`Disc::kinematic`](crate::Disc::kinematic).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Mover {
    #[cfg_attr(feature = "serde", serde(with = "carom_math::number"))]
    pub(crate) max_speed: f64,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    pub(crate) journey: Option<Journey>,
}

fields!(Mover: max_speed as Any, journey);

/// The way of a kinematic disc to a place: see [`World::move_to`](crate::World::move_to).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Journey {
    pub(crate) target: DVec2,
    /// With which it gets there in time.
    pub(crate) velocity: DVec2,
    /// Time and number of the timer that ends it.
    pub(crate) timer: (Time, u64),
    /// Whether it has had another velocity on its way, so that it is not there when the time comes.
    pub(crate) is_late: bool,
    pub(crate) line: Line,
}

fields!(Journey: target, velocity, timer, is_late, line);

/// Where and when the first command came that continued a journey, which is on one line since; nothing before
/// that.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Line(pub(crate) Option<(DVec2, Time)>);

impl Fields for Line {
    fn walk(&self, walk: &mut Walk<'_>) {
        if let Some((place, since)) = &self.0 {
            walk.field("place", place);
            walk.field("since", &As(Kind::Past, since));
        }
    }
}

impl Journey {
    /// Whether it has arrived, and stops as time goes on.
    pub(crate) fn is_over(&self) -> bool {
        is_stop(self.timer)
    }
}

impl Mover {
    /// What a disc is that is inserted.
    pub(crate) fn of<B, X>(disc: &Disc<B, X>) -> Option<Self> {
        disc.kinematic.then_some(Mover { max_speed: disc.max_speed, journey: None })
    }
}

impl Sparse<Mover> {
    /// Takes the journey of a disc.
    pub(crate) fn take_journey(&mut self, slot: Slot) -> Option<Journey> {
        self.get_mut(slot)?.journey.take()
    }

    /// Notes the velocity of a disc, which may not be that of its journey.
    #[cold]
    pub(crate) fn note_velocity(&mut self, slot: Slot, velocity: DVec2) {
        if let Some(journey) = self.get_mut(slot).and_then(|mover| mover.journey.as_mut()) {
            journey.is_late |= velocity != journey.velocity;
        }
    }

    /// Ends all journeys but that of one disc, and passes their timers on.
    pub(crate) fn end_journeys(&mut self, but: Option<Slot>, mut timer: impl FnMut((Time, u64))) {
        let others = self.iter_mut().filter(|&(slot, _)| Some(slot) != but);
        let ended = others.filter_map(|(_, mover)| mover.journey.take());
        ended.for_each(|journey| timer(journey.timer));
    }
}

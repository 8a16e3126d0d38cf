//! What becomes of a heap in the end.

use super::heap::{Heap, RATE};
use super::piled::Piled;
use super::room::{HEIGHT, Room};
use carom_engine::World;
use carom_testkit::grammar::Stored;

/// Frames that a heap has after the last edit, and those in which nothing may happen once it is at rest.
const PATIENCE: usize = 40 * 60;
const STILL: usize = 5 * 60;
/// Frames that it has where only smooth slopes bring it to rest, or where it is thrown far up.
const LONG: usize = 200 * 60;

/// What becomes of a heap by the law of mechanics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum End {
    /// Nothing is said.
    Any,
    /// It is at rest.
    Rest,
    /// What still moves slides to and fro on a floor of this width, and loses at least this part of its
    /// speed each time.
    Slides(f64, f64),
}

impl Room {
    /// What becomes of smooth discs with at most this restitution, between obstacles that are convex.
    ///
    /// Walls are straight and obstacles convex: the places of the discs that touch along a motion without
    /// impacts are such that the height of the heap is a concave function of the way. So a heap swings about
    /// nothing. It leaves each place of balance until it meets something, and that takes energy, or it is
    /// stuck in a corner of what is possible. The one exception is a motion in which all heights stay: along
    /// a level floor. In a round room heaps do swing, for ever.
    ///
    /// Between slopes, where nothing is level, periods are in proportion to speeds: the sum of infinitely
    /// many is finite. On a floor of the width w a disc crosses at v, e v, e² v. After T seconds it is no
    /// faster than w/((1 − e) T), and never at rest.
    fn end_of_smooth(self, restitution: f64) -> End {
        match self {
            Room::Box(half) | Room::Pit(half) => End::Slides(2.0 * half, 1.0 - restitution),
            Room::Vee(_) => End::Rest,
            Room::Bowl(_) => End::Any,
        }
    }
}

impl<P: Piled> Heap<P>
where
    World<P>: Stored,
{
    /// What becomes of the heap. With friction and rolling resistance in all contacts it comes to rest,
    /// whatever the room is. Where discs rub and do not resist rolling nothing is said: these may roll for
    /// ever. Edits set restitutions to 0.5 at most.
    fn end(&self, [friction, rolling]: [f64; 2]) -> End {
        let is_slick = self.things.as_ref().is_some_and(|things| things.kinds.slick);
        if P::RUBS {
            let rests = friction > 0.0 && rolling > 0.0 && !is_slick && self.restitution < 0.9;
            return if rests { End::Rest } else { End::Any };
        }
        match self.room.end_of_smooth(self.restitution.max(0.5)) {
            End::Rest if self.restitution >= 0.9 => End::Any,
            end => end,
        }
    }

    /// Waits until a heap is at rest, or as long as it has, from when nothing is far up any more.
    pub(super) fn come_to_rest(&mut self, rubbing: [f64; 2]) {
        let end = self.end(rubbing);
        let patience = if end == End::Rest && !P::RUBS { LONG } else { PATIENCE };
        let (begin, mut last_far) = (self.frame, self.frame);
        while !self.is_still() && self.frame < last_far + patience && self.frame < begin + LONG {
            self.advance();
            if self.is_far() {
                last_far = self.frame;
            }
        }
        self.outcome.is_at_rest = self.is_still();
        let low = self.frame - last_far;
        match end {
            _ if self.outcome.is_at_rest => self.stay(),
            End::Rest => assert!(low < patience, "still moves: {}, {}", self.moving(), self.told()),
            End::Slides(width, loss) if low >= patience => {
                let most = width * RATE / (loss * low as f64);
                let fastest = self.world.discs().map(|(_, disc)| disc.velocity.length()).fold(0.0, f64::max);
                assert!(fastest < most, "more than {most}: {}, {}", self.moving(), self.told());
            }
            _ => {}
        }
    }

    /// Whether a disc is where it takes long to come back from.
    fn is_far(&self) -> bool {
        self.world.discs().any(|(_, disc)| self.place(disc.position).abs().max_element() > HEIGHT)
    }

    /// What is at rest stays so, and has no events.
    fn stay(&mut self) {
        for _ in 0..STILL {
            let before = self.world.counters().events;
            self.advance();
            assert!(self.is_still(), "moves again: {}, {}", self.moving(), self.told());
            let events = self.world.counters().events;
            assert_eq!(events, before, "events at rest, {}", self.told());
        }
    }
}

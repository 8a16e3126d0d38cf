//! Worlds with their past.

use crate::advance::stop;
use crate::engine::{Engine, time};
use crate::keep::Keep;
use crate::laws::{Laws, RoughRuled, Ruled};
use crate::record;
use crate::refused::Refused;
use crate::room::{Held, Room};
use carom_engine::{Advance, Error, Moment, Smooth, World};
use carom_timeline::Timeline;
use wasm_bindgen::prelude::*;

/// The past of a world of any of the physics. What JavaScript looks at is a copy of the present: an
/// [`Engine`].
#[wasm_bindgen]
pub struct Past {
    of: Kind,
}

enum Kind {
    Smooth(Box<Timeline<Smooth>>),
    Forces(Box<Timeline<Ruled>>),
    Rough(Box<Timeline<RoughRuled>>),
}

/// The same expression for each physics.
macro_rules! in_past {
    ($past:expr, $timeline:ident => $body:expr) => {
        match $past {
            Kind::Smooth($timeline) => $body,
            Kind::Forces($timeline) => $body,
            Kind::Rough($timeline) => $body,
        }
    };
}

/// Where to.
#[derive(Clone, Copy)]
enum Where {
    By(f64),
    To(Moment),
    Event(f64),
    Step,
    StepBack,
}

fn past_of<P: Laws>(world: &World<P>, bytes: f64) -> Box<Timeline<P>> {
    let mut world = world.clone();
    // What is known of an event that a timeline goes to is recorded by its world.
    world.set_record_events(true);
    Box::new(Timeline::with_limit(world, bytes as usize))
}

fn go<P: Laws>(timeline: &mut Timeline<P>, to: Where, records: &mut Vec<f64>) -> Result<Advance, Error> {
    let mut keep = Keep::records(std::mem::take(records));
    let advance = match to {
        Where::By(seconds) => timeline.advance_with(seconds, &mut keep),
        Where::To(moment) => timeline.go_to_with(moment, &mut keep),
        Where::Event(number) => timeline.go_to_event(number as u64),
        Where::Step => Ok(timeline.step()),
        Where::StepBack => Ok(timeline.step_back()),
    };
    *records = keep.into_records();
    if !matches!(to, Where::By(_) | Where::To(_)) && advance.is_ok() {
        for event in timeline.world().events() {
            record::push::<P>(event, records);
        }
    }
    advance
}

fn take<P: Laws>(timeline: &mut Timeline<P>, held: &Held<P>) {
    let edited = timeline.edit(|world| {
        world.clone_from(&held.world);
        world.set_record_events(true);
        Ok::<(), Error>(())
    });
    // The edit is one that does not fail.
    debug_assert!(edited.is_ok());
}

impl Past {
    fn go(&mut self, to: Where, shown: &mut Engine) -> Result<(), Refused> {
        let records = &mut shown.events;
        let advance = in_past!(&mut self.of, timeline => go(timeline, to, records));
        self.show(shown);
        let advance = advance?;
        let [epoch, offset] = time(advance.time);
        shown.give([stop(advance.end), epoch, offset, advance.events as f64]);
        Ok(())
    }
}

#[wasm_bindgen]
impl Past {
    /// From the present of a world on, with copies that take up to this many bytes.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(engine: &Engine, bytes: f64) -> Past {
        let of = match &engine.room {
            Room::Smooth(held) => Kind::Smooth(past_of(&held.world, bytes)),
            Room::Forces(held) => Kind::Forces(past_of(&held.world, bytes)),
            Room::Rough(held) => Kind::Rough(past_of(&held.world, bytes)),
        };
        Past { of }
    }

    /// Makes a world that of the present, in the memory that it has.
    pub fn show(&self, shown: &mut Engine) {
        match (&mut shown.room, &self.of) {
            (Room::Smooth(held), Kind::Smooth(timeline)) => held.world.clone_from(timeline.world()),
            (Room::Forces(held), Kind::Forces(timeline)) => held.world.clone_from(timeline.world()),
            (Room::Rough(held), Kind::Rough(timeline)) => held.world.clone_from(timeline.world()),
            (room, Kind::Smooth(timeline)) => *room = Room::Smooth(Held::new(timeline.world().clone())),
            (room, Kind::Forces(timeline)) => *room = Room::Forces(Held::new(timeline.world().clone())),
            (room, Kind::Rough(timeline)) => *room = Room::Rough(Held::new(timeline.world().clone())),
        }
    }

    /// Goes to a time in seconds. This and all that goes somewhere give what `advance` does, and leave
    /// `shown` as the world is there.
    ///
    /// # Errors
    /// It is before the start, not finite, or too far for the clock.
    pub fn go_to(&mut self, seconds: f64, shown: &mut Engine) -> Result<(), Refused> {
        self.go(Where::To(Moment::Seconds(seconds)), shown)
    }

    /// Goes to a time that the world has given, to the last bit.
    ///
    /// # Errors
    /// As `go_to`, or it is none of this world's clock.
    pub fn go_to_exact(&mut self, epoch: f64, offset: f64, shown: &mut Engine) -> Result<(), Refused> {
        let at = shown.exact(epoch, offset)?;
        self.go(Where::To(at), shown)
    }

    /// Goes on by some seconds.
    ///
    /// # Errors
    /// They are negative, not finite, or too many for the clock.
    pub fn advance(&mut self, seconds: f64, shown: &mut Engine) -> Result<(), Refused> {
        self.go(Where::By(seconds), shown)
    }

    /// Goes to just after an event, by its number.
    ///
    /// # Errors
    /// It is before the start.
    pub fn go_to_event(&mut self, number: f64, shown: &mut Engine) -> Result<(), Refused> {
        self.go(Where::Event(number), shown)
    }

    /// Goes on or back by one event.
    ///
    /// # Errors
    /// None.
    pub fn step(&mut self, is_back: bool, shown: &mut Engine) -> Result<(), Refused> {
        self.go(if is_back { Where::StepBack } else { Where::Step }, shown)
    }

    /// Takes an edited copy of the present for the present, and forgets the future.
    ///
    /// # Errors
    /// It is a world of another physics; nothing has changed then.
    pub fn edit(&mut self, edited: &Engine) -> Result<(), Refused> {
        match (&edited.room, &mut self.of) {
            (Room::Smooth(held), Kind::Smooth(timeline)) => take(timeline, held),
            (Room::Forces(held), Kind::Forces(timeline)) => take(timeline, held),
            (Room::Rough(held), Kind::Rough(timeline)) => take(timeline, held),
            _ => {
                let allowed = "one that has forces, or rough discs, if the one before had them";
                return Err(Refused::value("world", "of another physics", allowed));
            }
        }
        Ok(())
    }

    /// Start and end as times, the numbers of the present, first and last event, bytes, copies.
    pub fn numbers(&self, shown: &mut Engine) {
        let numbers = in_past!(&self.of, timeline => {
            let ([a, b], [c, d]) = (time(timeline.start()), time(timeline.end()));
            let numbers = [timeline.event(), timeline.first_event(), timeline.last_event()].map(|n| n as f64);
            let [event, first, last] = numbers;
            [a, b, c, d, event, first, last, timeline.bytes() as f64, timeline.copies() as f64]
        });
        shown.give(numbers);
    }
}

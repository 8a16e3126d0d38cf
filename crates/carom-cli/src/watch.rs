//! What listens to a run: the events file, the recorder of pictures.

use crate::error::CliError;
use crate::filter::Filter;
use crate::jsonl::{
    Against, CrossingLine, DepartureLine, EventLine, HoldLine, Met, Other, OtherLine, pair, parts,
};
use crate::output::Stream;
use crate::physics::RunPhysics;
use carom_draw::Recorder;
use carom_engine::{
    Crossing, Departure, DiscId, Event, Hold, Partner, Physics, RegionId, Sink, Turn, WallId,
};
use carom_scene::Built;
use std::ops::ControlFlow;

/// Takes the events as they happen and hands them on; holds none.
pub(crate) struct Watch {
    pub(crate) events: Option<Stream>,
    /// What goes into the events.
    pub(crate) filter: Filter,
    pub(crate) recorder: Option<Recorder>,
    /// The first thing that went wrong; nothing is written after it.
    pub(crate) failed: Option<CliError>,
    /// Impacts so far: groups of contacts.
    pub(crate) impacts: u64,
    latest: u64,
    names: Names,
}

impl Watch {
    pub(crate) fn new<P: Physics>(
        built: &Built<P>,
        events: Option<Stream>,
        filter: Filter,
        recorder: Option<Recorder>,
    ) -> Self {
        Self { events, filter, recorder, failed: None, impacts: 0, latest: 0, names: Names::new(built) }
    }

    fn write<P: RunPhysics>(&mut self, event: &Event<P::Change>) {
        let Some(output) = &mut self.events else { return };
        if self.failed.is_some() {
            return;
        }
        let written = if let Event::Impact(impact) = event {
            let (a, met) = (self.names.disc(impact.a), self.names.met(impact.b));
            if !self.filter.keeps(impact, a, &met) {
                return;
            }
            output.line(&EventLine::new(impact, a, met))
        } else {
            let Some(what) = self.names.other::<P>(event) else { return };
            let time = event.time();
            if !self.filter.keeps_other(time.as_secs(), &what) {
                return;
            }
            output.line(&OtherLine { time: time.as_secs(), t: parts(time), what })
        };
        self.failed = written.err();
    }
}

/// Indices in file order by slot.
struct Names {
    discs: Vec<u64>,
    walls: Vec<u64>,
    /// The regions that are sensors.
    sensors: Vec<RegionId>,
}

impl Names {
    fn new<P: Physics>(built: &Built<P>) -> Self {
        Self {
            discs: by_slot(built.discs.iter().map(|id: &DiscId| id.slot())),
            walls: by_slot(built.walls.iter().map(|id: &WallId| id.slot())),
            sensors: built.discs.iter().filter_map(|&id| built.world.sensor_region(id)).collect(),
        }
    }

    fn disc(&self, id: DiscId) -> u64 {
        self.discs.get(id.slot() as usize).copied().unwrap_or_default()
    }

    fn wall(&self, id: WallId) -> u64 {
        self.walls.get(id.slot() as usize).copied().unwrap_or_default()
    }

    fn met(&self, partner: Partner) -> Met {
        match partner {
            Partner::Disc(b) => Met::Disc { b: self.disc(b) },
            Partner::Wall { wall, part } => Met::Wall { wall: self.wall(wall), part },
        }
    }

    fn against(&self, partner: Partner) -> Against {
        match partner {
            Partner::Disc(disc) => Against::Disc { disc: self.disc(disc) },
            Partner::Wall { wall, part } => Against::Wall { wall: self.wall(wall), part },
        }
    }

    fn departure(&self, gone: &Departure) -> DepartureLine {
        let (position, velocity) = (pair(gone.position), pair(gone.velocity));
        let by = gone.by.map(|by| self.against(by));
        DepartureLine { body: self.disc(gone.disc), by, position, velocity }
    }

    fn hold(&self, hold: &Hold) -> HoldLine {
        let (point, normal) = (pair(hold.point), pair(hold.normal));
        HoldLine { a: self.disc(hold.a), with: self.met(hold.b), point, normal }
    }

    /// An event that is no impact; `None` for a kind that the format has no line for.
    fn other<P: RunPhysics>(&self, event: &Event<P::Change>) -> Option<Other> {
        match *event {
            Event::Crushed { body, by, against, impulse, velocity, .. } => {
                let against = self.against(against);
                let (body, by) = (self.disc(body), self.disc(by));
                Some(Other::Crushed { body, by, against, impulse, velocity: pair(velocity) })
            }
            Event::Released { body, velocity, .. } => {
                Some(Other::Released { body: self.disc(body), velocity: pair(velocity) })
            }
            Event::Change { disc, change, .. } => Some(P::change_line(change, self.disc(disc))),
            Event::Held(hold) => Some(Other::Held(self.hold(&hold))),
            Event::LetGo(hold) => Some(Other::LetGo(self.hold(&hold))),
            Event::GrowthEnded { .. } => Some(Other::GrowthEnded),
            Event::Entered(crossing) => Some(Other::Entered(self.crossing(&crossing))),
            Event::Left(crossing) => Some(Other::Left(self.crossing(&crossing))),
            Event::Captured(departure) => Some(Other::Captured(self.departure(&departure))),
            Event::Removed(departure) => Some(Other::Removed(self.departure(&departure))),
            Event::Timer { note, .. } => Some(Other::Timer { note }),
            Event::MoveBlocked { disc, position, target, .. } => {
                let (position, target) = (pair(position), pair(target));
                Some(Other::MoveBlocked { body: self.disc(disc), position, target })
            }
            Event::Refused { what, reason, .. } => Some(Other::Refused { why: format!("{what}: {reason}") }),
            _ => self.of_wall(event),
        }
    }

    fn of_wall<C>(&self, event: &Event<C>) -> Option<Other> {
        Some(match *event {
            Event::WallRemoved { wall, .. } => Other::WallRemoved { wall: self.wall(wall) },
            Event::Turned { wall, angle, .. } => Other::Turned { wall: self.wall(wall), angle },
            Event::TurnBlocked { wall, angle, target, .. } => {
                Other::TurnBlocked { wall: self.wall(wall), angle, target }
            }
            Event::WallMoved { wall, offset, .. } => {
                Other::WallMoved { wall: self.wall(wall), offset: pair(offset) }
            }
            Event::WallBlocked { wall, offset, target, .. } => {
                Other::WallBlocked { wall: self.wall(wall), offset: pair(offset), target: pair(target) }
            }
            _ => return None,
        })
    }

    /// The user data of a region is its index in file order; that of a sensor is the disc's.
    fn crossing(&self, crossing: &Crossing) -> CrossingLine {
        let number = crossing.user_data[1];
        let is_sensor = self.sensors.contains(&crossing.region);
        CrossingLine {
            body: self.disc(crossing.disc),
            region: (!is_sensor).then_some(number),
            sensor: is_sensor.then_some(number),
            position: pair(crossing.position),
            velocity: pair(crossing.velocity),
        }
    }
}

/// For each slot the place in the list at which it stands.
fn by_slot(slots: impl Iterator<Item = u32> + Clone) -> Vec<u64> {
    let mut places = vec![0; slots.clone().max().map_or(0, |largest| largest as usize + 1)];
    for (index, slot) in slots.enumerate() {
        places[slot as usize] = index as u64;
    }
    places
}

impl<P: RunPhysics> Sink<P> for Watch {
    fn event(&mut self, event: &Event<P::Change>) -> ControlFlow<()> {
        if let Some(impact) = event.impact() {
            self.impacts += u64::from(impact.group != self.latest);
            self.latest = impact.group;
        }
        self.write::<P>(event);
        match &mut self.recorder {
            Some(recorder) => Sink::<P>::event(recorder, event),
            None => ControlFlow::Continue(()),
        }
    }

    fn turn(&mut self, turn: &Turn) {
        if let Some(recorder) = &mut self.recorder {
            Sink::<P>::turn(recorder, turn);
        }
    }
}

//! What listens to a run: the events file, the recorder of pictures.

use crate::error::CliError;
use crate::filter::Filter;
use crate::jsonl::{EventLine, Met};
use crate::output::Stream;
use carom_draw::Recorder;
use carom_engine::{DiscId, Event, Impact, Partner, Sink, Smooth, WallId};
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
    /// Index in file order by slot.
    discs: Vec<u64>,
    walls: Vec<u64>,
}

impl Watch {
    pub(crate) fn new(
        built: &Built,
        events: Option<Stream>,
        filter: Filter,
        recorder: Option<Recorder>,
    ) -> Self {
        Self {
            events,
            filter,
            recorder,
            failed: None,
            discs: by_slot(built.discs.iter().map(|id: &DiscId| id.slot())),
            walls: by_slot(built.walls.iter().map(|id: &WallId| id.slot())),
        }
    }

    fn write(&mut self, impact: &Impact) {
        let Some(output) = &mut self.events else { return };
        if self.failed.is_some() {
            return;
        }
        let disc = |id: DiscId| self.discs.get(id.slot() as usize).copied().unwrap_or_default();
        let met = match impact.b {
            Partner::Disc(b) => Met::Disc { b: disc(b) },
            Partner::Wall { wall, part } => {
                Met::Wall { wall: self.walls.get(wall.slot() as usize).copied().unwrap_or_default(), part }
            }
            _ => return,
        };
        let a = disc(impact.a);
        if self.filter.keeps(impact, a, &met) {
            self.failed = output.line(&EventLine::new(impact, a, met)).err();
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

impl Sink<Smooth> for Watch {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        if let Some(impact) = event.impact() {
            self.write(impact);
        }
        match &mut self.recorder {
            Some(recorder) => recorder.event(event),
            None => ControlFlow::Continue(()),
        }
    }
}

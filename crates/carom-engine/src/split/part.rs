use super::strip::{Cuts, Strip};
use crate::sink::Nothing;
use crate::state::bodies::Bodies;
use crate::state::stamp::Stamp;
use crate::state::watch::{Seam, Strips, Watch};
use crate::{Counters, Event, Impact, Settings, Sink, StopReason, World};
use carom_broadphase::{Scheduler, Slot};
use carom_math::Time;
use core::ops::ControlFlow;

/// What stands for no slot.
const NONE: Slot = Slot::MAX;

/// A strip of a world, with what is near it, as a world of its own.
///
/// Its discs have the serial numbers that they have in the whole, so that the order of simultaneous events is
/// the same.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) world: World,
    pub(super) strip: Strip,
    margin: f64,
    /// Slots in the whole, by those here.
    whole: Vec<Slot>,
    /// Slots here, by those in the whole.
    here: Vec<Slot>,
    /// What has happened since the last exchange.
    pub(super) log: Log,
}

/// The outcome of a window, beside the notes of [`Strips`].
#[derive(Debug, Default)]
pub(super) struct Log {
    /// The records of all impacts, where a sink takes them or energy is lost.
    pub(super) impacts: Vec<Impact>,
    /// How many discs are in the strip at the end.
    pub(super) discs: usize,
}

/// Collects the records of impacts.
struct Keeper<'a>(&'a mut Vec<Impact>);

impl Sink for Keeper<'_> {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        self.0.extend(event.impact());
        ControlFlow::Continue(())
    }
}

impl Part {
    /// The part of a whole that is in a strip.
    pub(super) fn of(whole: &World, cuts: &Cuts, k: usize) -> Self {
        let (strip, now) = (cuts.strip(k), whole.now);
        let is_near = |slot: &Slot| strip.distance_of(&whole.bodies, *slot, now) <= cuts.margin;
        let slots: Vec<Slot> = whole.bodies.live().filter(is_near).collect();
        let mut here = vec![NONE; whole.bodies.slots()];
        for (k, &slot) in (0..).zip(&slots) {
            here[slot as usize] = k;
        }
        let settings = Settings { record_events: false, ..whole.settings.clone() };
        let mut world = World { settings, ..World::new() };
        world.walls = whole.walls.clone();
        (world.clock, world.now, world.simd) = (whole.clock, now, whole.simd);
        world.bodies = Bodies::new(whole.bodies.periods, false);
        world.bodies.note_size(whole.bodies.largest);
        world.reserve(slots.len() + slots.len() / 16);
        let mut part =
            Part { world, strip, margin: cuts.margin, whole: Vec::new(), here, log: Log::default() };
        for slot in slots {
            let copy = whole.bodies.copy(slot).with_partner(part.partner(whole, slot));
            part.world.bodies.insert_copy(&copy);
            part.whole.push(slot);
        }
        let seams = cuts.seams().filter(|(_, beside)| beside.contains(&k));
        part.world.bodies.watch = Watch::of(Strips {
            axis: cuts.axis,
            period: cuts.period,
            half_width: cuts.half_width,
            since: now,
            seams: seams.map(|(at, _)| Seam { at, pieces: Vec::new() }).collect(),
            own: [part.strip.low, part.strip.high],
            inside: Vec::new(),
            at_walls: 0,
            outside: Vec::new(),
        });
        part.world.impacts = whole.impacts;
        part.world.begin_schedule();
        part
    }

    /// The slot here of the disc that one of the whole met last; its own if that is not here.
    fn partner(&self, whole: &World, slot: Slot) -> Slot {
        let here = |slot: Slot| self.here.get(slot as usize).copied().filter(|&slot| slot != NONE);
        here(whole.bodies.detail(slot).partner).or(here(slot)).unwrap_or(0)
    }

    /// Advances to a time, with so many events at most. Returns whether it came there with impacts of two
    /// alone.
    pub(super) fn run(&mut self, until: Time, most: u64, keeps: bool) -> bool {
        self.log.impacts.clear();
        if let Some(strips) = self.world.bodies.watch.strips_mut() {
            strips.begin(self.world.now);
        }
        let before = self.world.counters;
        let end = if keeps {
            self.world.run(until, most, &mut Keeper(&mut self.log.impacts)).end
        } else {
            self.world.run(until, most, &mut Nothing).end
        };
        self.look_over();
        end == StopReason::Reached && is_of_impacts_of_two(&before, &self.world.counters)
    }

    /// Notes the paths on which the discs are, and counts those in the strip.
    fn look_over(&mut self) {
        let World { bodies, now, .. } = &mut self.world;
        let mut watch = core::mem::take(&mut bodies.watch);
        self.log.discs = 0;
        if let Some(strips) = watch.strips_mut() {
            for slot in bodies.live() {
                strips.note_open(bodies.detail(slot).serial, bodies.record(slot), *now);
                let place = bodies.wrapped_motion_at(slot, *now).position;
                self.log.discs += usize::from(self.strip.contains(place));
            }
            // Pieces of one disc stay in order.
            strips.seams.iter_mut().for_each(|seam| seam.pieces.sort_by_key(|piece| piece.serial));
        }
        bodies.watch = watch;
    }

    /// Stores the discs in its strip in the whole, at the same time. `number` gives impacts their numbers
    /// there.
    pub(super) fn store_in(&self, whole: &mut World, number: impl Fn(u64) -> u64) {
        let bodies = &self.world.bodies;
        for slot in bodies.live() {
            let g = self.whole[slot as usize];
            if bodies.record(slot).motion_bits() == whole.bodies.record(g).motion_bits()
                || !self.strip.contains(bodies.wrapped_motion_at(slot, self.world.now).position)
            {
                continue;
            }
            let stamp = bodies.stamp(slot);
            let stamp = if stamp == Stamp::NONE {
                stamp
            } else {
                Stamp::impact(number(stamp.number()), stamp.kind())
            };
            let partner = self.whole[bodies.detail(slot).partner as usize];
            whole.bodies.paste(g, &bodies.copy(slot).with_stamp(stamp).with_partner(partner));
        }
    }

    /// Takes over from the whole what has happened beyond the strip. Returns how far beyond it the nearest
    /// disc was of which another path had been computed here; infinite if there was none.
    pub(super) fn take_over(&mut self, whole: &World) -> f64 {
        let now = whole.now;
        self.world.impacts = whole.impacts;
        let mut nearest = f64::INFINITY;
        let (mut others, mut gone) = (Vec::new(), Vec::new());
        for slot in self.world.bodies.live() {
            let g = self.whole[slot as usize];
            let distance = self.strip.distance_of(&whole.bodies, g, now);
            let (here, there) = (self.world.bodies.record(slot), whole.bodies.record(g));
            let is_same = here.motion_bits() == there.motion_bits();
            nearest = if is_same { nearest } else { nearest.min(distance) };
            if distance > self.margin {
                gone.push(slot);
            } else if !is_same || here.tag != there.tag {
                others.push((slot, is_same));
            }
        }
        gone.into_iter().for_each(|slot| self.remove(slot));
        for (slot, is_same) in others {
            if is_same {
                self.overwrite_quietly(slot, whole);
            } else {
                self.overwrite(slot, whole);
            }
        }
        for g in whole.bodies.live() {
            if self.here[g as usize] == NONE && self.strip.distance_of(&whole.bodies, g, now) <= self.margin {
                self.insert(g, whole);
            }
        }
        nearest
    }

    fn remove(&mut self, slot: Slot) {
        self.here[self.whole[slot as usize] as usize] = NONE;
        let world = &mut self.world;
        debug_assert!(world.dirty.is_empty());
        world.scheduler.remove(slot);
        world.bodies.remove(slot);
        world.positions_now.invalidate();
    }

    fn overwrite(&mut self, slot: Slot, whole: &World) {
        self.overwrite_quietly(slot, whole);
        self.world.placed(slot);
        self.world.mark(slot);
        // The state may be older than theirs, and what the two do together then belongs to their plans.
        for k in 0..self.world.scheduler.neighbours(slot).map_or(0, <[Slot]>::len) {
            let near = self.world.scheduler.neighbours(slot).map(|near| near[k]);
            near.into_iter().for_each(|near| self.world.mark(near));
        }
    }

    /// Leaves the schedule as it is.
    fn overwrite_quietly(&mut self, slot: Slot, whole: &World) {
        let g = self.whole[slot as usize];
        let copy = whole.bodies.copy(g).with_partner(self.partner(whole, g));
        self.world.bodies.paste(slot, &copy);
    }

    fn insert(&mut self, g: Slot, whole: &World) {
        let copy = whole.bodies.copy(g);
        let slot = self.world.bodies.insert_copy(&copy);
        if slot as usize == self.whole.len() {
            self.whole.push(g);
        }
        self.whole[slot as usize] = g;
        self.here[g as usize] = slot;
        self.world.scheduler.insert(slot, self.world.bodies.detail(slot).serial);
        self.overwrite(slot, whole);
    }

    /// What it has noted in the last window.
    pub(super) fn notes(&self) -> &Strips {
        match self.world.bodies.watch.strips() {
            Some(strips) => strips,
            None => unreachable!("a part watches the strips around its borders"),
        }
    }

    pub(super) fn whole_slot(&self, slot: Slot) -> Slot {
        self.whole[slot as usize]
    }
}

/// Whether nothing but impacts of two, of which none was made plastic, came between two counts.
fn is_of_impacts_of_two(before: &Counters, after: &Counters) -> bool {
    let rest = |counters: &Counters| {
        let Counters { groups, changes, slides, pieces, made_plastic, clamped, .. } = *counters;
        [groups, changes, slides, pieces, made_plastic, clamped]
    };
    rest(before) == rest(after)
}

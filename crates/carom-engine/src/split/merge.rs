use super::part::Part;
use crate::state::watch::ImpactNote;
use crate::{DiscId, Event, Impact, Partner, Sink, World};

/// The impacts of all parts, in the order of one world. Kept from window to window, for its memory.
#[derive(Debug, Default)]
pub(super) struct Merged {
    /// Impacts of the whole before the first.
    before: u64,
    /// How many there are.
    len: usize,
    /// For each part, by its own numbers, from the first on: the numbers in the whole; 0 of those that did
    /// not happen.
    numbers: Vec<Vec<u64>>,
    /// Which parts have them, in their order, if that is wanted.
    order: Vec<u32>,
}

impl Merged {
    /// Numbers the impacts inside of the strips. `before` is the number of the impact before the first, in
    /// all parts and in the whole.
    pub(super) fn merge(&mut self, before: u64, parts: &[Part], keeps: bool) {
        (self.before, self.len) = (before, 0);
        self.order.clear();
        self.numbers.resize_with(parts.len(), Vec::new);
        for (part, numbers) in parts.iter().zip(&mut self.numbers) {
            numbers.clear();
            numbers.resize(part.notes().inside.len() + part.notes().outside.len(), 0);
        }
        self.number_in_order(parts, keeps);
        for (k, part) in parts.iter().enumerate() {
            for note in &part.notes().outside {
                if let Some(number) = self.number_elsewhere(k, note, parts) {
                    self.numbers[k][(note.number - before - 1) as usize] = number;
                }
            }
        }
    }

    /// Of those that are next in each part the first comes first, as in the queue of one world, where one of
    /// an instant may be there only after another.
    fn number_in_order(&mut self, parts: &[Part], keeps: bool) {
        let mut lists: Vec<_> = parts.iter().map(|part| part.notes().inside.iter().peekable()).collect();
        loop {
            let mut first: Option<(usize, &ImpactNote)> = None;
            for (part, list) in lists.iter_mut().enumerate() {
                if let Some(&note) = list.peek()
                    && first.is_none_or(|(_, first)| note.is_before(first))
                {
                    first = Some((part, note));
                }
            }
            let Some((part, note)) = first else { return };
            lists[part].next();
            self.len += 1;
            self.numbers[part][(note.number - self.before - 1) as usize] = self.before + self.len as u64;
            if keeps {
                self.order.push(part as u32);
            }
        }
    }

    /// The number of an impact that a part has outside of its strip, and another one inside.
    fn number_elsewhere(&self, but: usize, note: &ImpactNote, parts: &[Part]) -> Option<u64> {
        parts.iter().enumerate().filter(|&(k, _)| k != but).find_map(|(k, part)| {
            let inside = &part.notes().inside;
            let first = inside.partition_point(|other| other.time.is_before(note.time));
            // Those of one instant need not be in the order of their discs.
            let at_once = inside[first..].iter().take_while(|other| other.time == note.time);
            at_once.into_iter().find(|other| other.is(note)).map(|other| self.number(k, other.number))
        })
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The number in the whole of an impact of a part.
    pub(super) fn number(&self, part: usize, own: u64) -> u64 {
        if own <= self.before { own } else { self.numbers[part][(own - self.before - 1) as usize] }
    }

    /// Counts the impacts in the whole, and tells a sink of them. If that asks to stop, nothing is counted,
    /// and the number of those that it was told of is returned.
    pub(super) fn tell<K: Sink>(&self, parts: &[Part], whole: &mut World, sink: &mut K) -> Result<(), usize> {
        let mut lost = whole.book.restitution;
        let mut next: Vec<_> = parts.iter().map(|part| part.notes().inside.iter()).collect();
        for (number, &k) in (self.before + 1..).zip(&self.order) {
            let part = &parts[k as usize];
            let Some(note) = next[k as usize].next() else { continue };
            let mut impact = part.log.impacts[(note.number - self.before - 1) as usize];
            rename(&mut impact, number, part, whole);
            let restitution = restitution(&impact, whole);
            if restitution < 1.0 {
                lost.add(0.5 * (1.0 - restitution) * impact.impulse * impact.approach_speed.max(0.0));
            }
            if K::ACTIVE && sink.event(&Event::Impact(impact)).is_break() {
                return Err((number - self.before) as usize);
            }
        }
        whole.book.restitution = lost;
        let at_walls: u64 = parts.iter().map(|part| part.notes().at_walls).sum();
        whole.counters.events += self.len() as u64;
        whole.counters.wall_impacts += at_walls;
        whole.counters.disc_impacts += self.len() as u64 - at_walls;
        Ok(())
    }
}

fn restitution(impact: &Impact, whole: &World) -> f64 {
    let of_a = whole.bodies.detail(impact.a.slot()).restitution;
    let of_b = match impact.b {
        Partner::Disc(b) => whole.bodies.detail(b.slot()).restitution,
        Partner::Wall { wall, .. } => whole.walls.get(wall.slot()).restitution,
    };
    whole.settings.restitution.combine(of_a, of_b)
}

/// Gives an impact of a part the names that it has in the whole.
fn rename(impact: &mut Impact, number: u64, part: &Part, whole: &World) {
    let name = |id: DiscId| {
        let slot = part.whole_slot(id.slot());
        (whole.bodies.id(slot), whole.bodies.user_data.get(slot))
    };
    impact.group = number;
    (impact.a, impact.user_data[0]) = name(impact.a);
    if let Partner::Disc(b) = impact.b {
        let (b, user_data) = name(b);
        (impact.b, impact.user_data[1]) = (Partner::Disc(b), user_data);
    }
}

//! Random heaps: discs that fall into rooms of several forms and pile up, with edits and walls that move.
//!
//! Numbers from [`FIRST_WITH_THINGS`] on have fewer discs, and other things beside them: belts, arms that
//! sweep through the heap, kinematic discs, pegs, one-sided platforms, tracers, coefficients of their own,
//! and regions. From [`FIRST_WITH_BOULDERS`] on discs of infinite mass may fall, too.

mod fall;
mod heap;
mod movers;
mod piled;
mod rest;
mod room;
mod things;

pub use heap::Outcome;
pub use piled::{Piled, Rubbing};
pub use things::{FIRST_WITH_BOULDERS, FIRST_WITH_THINGS};

pub(crate) use piled::GRAVITY;

use carom_engine::{DVec2, SchedulerKind, Settings, World};
use carom_testkit::grammar::Stored;
use carom_testkit::rng::Rng;
use heap::{BUDGET, Heap, Play};
use room::Room;
use std::ops::Range;
use things::Things;

/// Reads `smooth|rough FROM TO`: whether discs rub, and the numbers from FROM on, one without TO. None where
/// it is something else.
pub fn asked(mut arguments: impl Iterator<Item = String>) -> Option<(bool, Range<u64>)> {
    let is_rough = match arguments.next()?.as_str() {
        "smooth" => false,
        "rough" => true,
        _ => return None,
    };
    let mut number = |other: u64| arguments.next().map_or(Some(other), |number| number.parse().ok());
    let from = number(0)?;
    Some((is_rough, from..number(from + 1)?))
}

/// The heap of a number, checked: one in eight also by the other scheduler in frames that are cut, and one
/// through snapshots. Of those with things one in eight is also played upside down, where its image has the
/// same bits.
///
/// # Panics
/// If something is wrong.
pub fn heap<P: Piled>(number: u64) -> Outcome
where
    World<P>: Stored,
{
    let (outcome, places, has_image) = play::<P>(number, Play::default());
    match number % 8 {
        0 => {
            let (_, again, _) = play::<P>(number, Play { is_grid: true, cuts: 3, ..Play::default() });
            assert_eq!(again, places, "by the grid, in thirds of a frame");
        }
        4 => {
            let (_, again, _) = play::<P>(number, Play { is_saved: true, ..Play::default() });
            assert_eq!(again, places, "through snapshots");
        }
        2 if has_image => {
            let (_, again, _) = play::<P>(number, Play { is_mirrored: true, ..Play::default() });
            let mirrored: Vec<_> = again.iter().map(|place| DVec2::new(place.x, -place.y)).collect();
            assert_eq!(mirrored, places, "upside down");
        }
        _ => {}
    }
    outcome
}

/// Plays a heap. Returns what came of it, where its discs are, and whether its image upside down has the same
/// bits.
fn play<P: Piled>(number: u64, play: Play) -> (Outcome, Vec<DVec2>, bool)
where
    World<P>: Stored,
{
    let mut rng = Rng::new(77_000_000 + number);
    let has_things = number >= FIRST_WITH_THINGS;
    let most = if has_things { 25.0 } else { 100.0 };
    let count = (3.0 * (rng.unit() * f64::ln(most / 3.0)).exp()) as usize;
    let friction = rng.pick(&[0.0, 0.1, 0.3, 0.5, 1.0, f64::INFINITY]);
    let rubbing = [friction, rng.pick(&[0.0, 0.0, 0.05, 0.2])];
    let restitution = rng.pick(&[0.0, 0.2, 0.5, 0.9]);
    let offset = rng.pick(&[0.0, 0.0, 1.0, 1e3, 1e6]);
    let [x, y] = [0, 1].map(|_| offset * rng.pick(&[1.0, 0.0, -1.0]));
    let size = (count as f64).sqrt() * 0.5;
    let room = Room::random(&mut rng, size);
    let mut things = has_things.then(|| Things::random::<P>(number));
    let is_open = things.as_mut().is_some_and(|things| things.rng.chance(70));
    let mut heap = Heap {
        world: world(play, rubbing),
        rng,
        room: if is_open { room.opened() } else { room },
        origin: DVec2::new(x, play.up() * y),
        play,
        frame: 0,
        mover: None,
        moves_until: 0,
        restitution,
        things: None,
        least: 0.0,
        is_edited: true,
        outcome: Outcome { discs: count, ..Outcome::default() },
    };
    let walls = heap.put_room();
    if let Some(things) = things {
        heap.put_things(things, &walls, size);
    }
    heap.put_mover();
    heap.fall(count);
    heap.stop_things();
    heap.come_to_rest(rubbing);
    heap.outcome.events = heap.world.counters().events;
    let has_image = heap.things.as_ref().is_some_and(|things| things.has_image);
    (heap.outcome, heap.world.discs().map(|(_, disc)| disc.position).collect(), has_image)
}

/// A world without discs and walls.
fn world<P: Piled>(play: Play, rubbing: Rubbing) -> World<P> {
    let scheduler = if play.is_grid { SchedulerKind::Grid } else { SchedulerKind::Table };
    let settings = Settings::default().with_budget(BUDGET).with_scheduler(scheduler);
    World::with_physics(P::new(-GRAVITY * play.up(), rubbing), settings).expect("settings in range")
}

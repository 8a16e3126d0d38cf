use super::{ForecastOptions, PathEnd};
use crate::handle::is_stop;
use crate::sink::Listener;
use crate::state::bodies::Bodies;
use crate::store::Store;
use crate::world::stops::Stops;
use crate::{Advance, DiscId, Error, Event, Meeting, PathPiece, Physics, StopReason, World};
use carom_broadphase::Slot;
use carom_math::Time;

/// The bits of what a path follows from.
type Motion = [u64; 8];

/// Advances event by event and adds the pieces of a disc's path.
pub(super) fn follow<P: Physics>(
    world: &mut World<P>,
    id: DiscId,
    options: &ForecastOptions,
    pieces: &mut Vec<PathPiece>,
) -> Result<PathEnd, Error> {
    let until = match options.max_time {
        f64::INFINITY => None,
        secs => Some(world.after(secs)?),
    };
    if options.max_impacts == Some(0) {
        return Ok(PathEnd::Impacts);
    }
    world.reschedule();
    let Ok(slot) = world.store.bodies.slot(id) else { return Ok(PathEnd::Removed) };
    let (mut piece, mut motion) =
        (piece_of(&world.store, slot, world.store.settings.drag), motion_bits(&world.store.bodies, slot));
    let (mut events, mut impacts) = (0, 0);
    loop {
        let Some(next) = next_by(world, until.unwrap_or(Time::NEVER)) else {
            return Ok(end_path(world, until, piece, pieces));
        };
        if events >= world.store.settings.budget {
            pieces.push(PathPiece { end: world.now(), ..piece });
            return Ok(PathEnd::Stopped(StopReason::OutOfBudget));
        }
        let before = (world.now(), world.store.timers.first());
        let (advance, met) = run_watching(world, id, next);
        // A timer is no event, and `advance` does not count it. A step that is not counted takes a timer or
        // goes on in time, so the loop ends.
        let is_idle = (world.now(), world.store.timers.first()) == before;
        events += advance.events.max(u64::from(is_idle));
        let is_gone = world.store.bodies.slot(id).is_err();
        if is_gone || met.is_some() || motion_bits(&world.store.bodies, slot) != motion {
            let ended = PathPiece { end: world.now(), met, ..piece };
            // At one instant a state may be written several times.
            if ended.met.is_some() || ended.start < ended.end {
                pieces.push(ended);
            }
            impacts += usize::from(met.is_some());
            if is_gone {
                return Ok(PathEnd::Removed);
            }
            if met.is_some() && options.max_impacts == Some(impacts) {
                return Ok(PathEnd::Impacts);
            }
            (piece, motion) = (
                piece_of(&world.store, slot, world.store.settings.drag),
                motion_bits(&world.store.bodies, slot),
            );
        }
        if !matches!(advance.end, StopReason::Reached | StopReason::OutOfBudget) {
            pieces.push(PathPiece { end: world.now(), ..piece });
            return Ok(PathEnd::Stopped(advance.end));
        }
    }
}

/// When something happens next: an event of an up-to-date schedule, or a timer, at which kinematic discs and
/// walls arrive, or stop, and commands are carried out. `None` if nothing does up to `until`.
fn next_by<P: Physics>(world: &mut World<P>, until: Time) -> Option<Time> {
    let event = world.next_in_sight_of(until).map(|next| world.store.time_of_next(next));
    let timer = world.store.timers.first().filter(|&timer| timer.0 < until || !is_stop(timer));
    event.into_iter().chain(timer.map(|(time, _)| time)).min().filter(|time| *time <= until)
}

/// Resolves the next event, and says what a disc meets hardest at it.
fn run_watching<P: Physics>(world: &mut World<P>, disc: DiscId, next: Time) -> (Advance, Option<Meeting>) {
    let (mut met, mut hardest) = (None, 0.0);
    let mut watch = |event: &Event<P::Change>| {
        if let Event::Impact(impact) = event
            && let Some(body) = impact.other(disc)
            && (met.is_none() || impact.impulse > hardest)
        {
            let normal = if impact.a == disc { impact.normal } else { -impact.normal };
            (met, hardest) = (Some(Meeting { body, point: impact.point, normal }), impact.impulse);
        }
    };
    let advance = Stops(world).step_to(next, Listener::of(&mut watch));
    (advance, met)
}

/// Adds the last piece, in which there are no more events.
fn end_path<P: Physics>(
    world: &mut World<P>,
    until: Option<Time>,
    piece: PathPiece,
    pieces: &mut Vec<PathPiece>,
) -> PathEnd {
    if until.is_none() && !world.store.bodies.growth.is_on() {
        pieces.push(PathPiece { end: Time::NEVER, ..piece });
        return PathEnd::Time;
    }
    // What grows for ever is too large at some time, which is before this one.
    let until = until.unwrap_or(Time::NEVER);
    let end = world.run(until, 1, Listener::Nobody).end;
    pieces.push(PathPiece { end: world.now(), ..piece });
    if end == StopReason::Reached { PathEnd::Time } else { PathEnd::Stopped(end) }
}

/// What a disc does from now on.
fn piece_of<P: Physics>(store: &Store<P>, slot: Slot, drag: f64) -> PathPiece {
    let start = store.true_now();
    let (record, acceleration) = (store.bodies.record(slot), store.bodies.bend(slot).acceleration);
    let (mut time, mut position, mut velocity) = (record.time(), record.position(), record.velocity());
    if drag > 0.0 {
        let motion = store.motion_at(slot, store.now);
        (time, position, velocity) = (start, motion.position, store.pace() * motion.velocity);
    }
    let end = Time::NEVER;
    let bends = P::ACCELERATED;
    PathPiece { start, end, time, position, velocity, acceleration, met: None, drag, bends }
}

fn motion_bits(bodies: &Bodies, slot: Slot) -> Motion {
    let (record, bend) = (bodies.record(slot), bodies.bend(slot));
    let (p, v, a) = (record.position(), record.velocity(), bend.acceleration);
    [p.x, p.y, v.x, v.y, record.start, record.offset, a.x, a.y].map(f64::to_bits)
}

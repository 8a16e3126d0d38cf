use super::refresh::PlainRefresh;
use super::table_within::TableWithin;
use super::{PlainDiscs, PlainEnd, PlainRun, PlainSchedule};
use crate::Physics;
use crate::apply::fast::end_plain_run;
use crate::apply::token::GuardedStore;
use crate::predict::{CommonPredictor, StatePredictor};
use crate::sink::{Sink, Watched};
use crate::state::positions_now::PositionsNow;
use crate::state::row_within::Ranges;
use crate::store::Store;
use carom_broadphase::{PairTable, Scheduled, Scheduler};
use carom_math::Time;

/// Whether a world is plain: it has smooth discs that fly straight, half-planes, and no rules, records,
/// chains, regions or growth. It may be periodic if the grid schedules it, it has no walls, and its discs
/// are so small that the nearest image is met first. Then all events are impacts of two discs, impacts at
/// half-planes, and groups of these.
///
/// Impacts of two keep a world plain.
#[inline(always)]
pub(crate) fn is_plain<P: Physics>(store: &Store<P>, scheduler: &Scheduler) -> bool {
    let are_images_near =
        store.bodies.periods.is_open() || (!store.bodies.wide && store.walls.facets.is_empty());
    (store.bodies.is_sweeping() || (!scheduler.sweeps() && are_images_near))
        && store.sensing.is_none()
        && has_plain_bodies(store)
}

fn has_plain_bodies<P: Physics>(store: &Store<P>) -> bool {
    let contacts = &store.bodies.contacts;
    store.walls.planes.others.is_empty()
        && !CommonPredictor::of(store).is_filtering()
        && contacts.is_without_ends()
        && !contacts.has_apart()
        && !store.bodies.growth.is_on()
        && store.chains.is_empty()
}

/// How far a run of a plain world goes.
#[derive(Clone, Copy)]
pub(crate) struct PlainGoal {
    pub(crate) until: Time,
    /// This many events at most.
    pub(crate) most: u64,
}

/// Carries out impacts of two in a [plain](is_plain) world, one after the other. Returns how many there were,
/// and the next event.
#[inline(always)]
pub(crate) fn run<P: Physics, K: Sink<P>>(
    store: &mut GuardedStore<P>,
    scheduler: &mut Scheduler,
    positions_now: &PositionsNow,
    goal: PlainGoal,
    sink: &mut Watched<'_, K>,
) -> (u64, Option<Scheduled>) {
    let discs = PlainDiscs { store, positions_now };
    let PlainEnd { events, due, is_spoiled } = match scheduler {
        Scheduler::Table(table) if Ranges::suit(discs.store.bodies.slots()) => {
            run_within(discs, table, goal, sink)
        }
        Scheduler::Table(table) => run_by(discs, table.as_mut(), goal, sink),
        Scheduler::Grid(grid) => run_by(discs, grid.as_mut(), goal, sink),
    };
    end_plain_run(store.common(), events, due.filter(|_| is_spoiled));
    (events, due)
}

/// As `run`, by a schedule of its own.
#[inline(always)]
fn run_by<P: Physics, K: Sink<P>, T: PlainSchedule>(
    discs: PlainDiscs<'_, P>,
    schedule: &mut T,
    goal: PlainGoal,
    sink: &mut Watched<'_, K>,
) -> PlainEnd {
    let (settings, simd) = (&discs.store.settings, discs.store.simd);
    simd.run(PlainRun {
        combine: settings.restitution,
        contact_time: settings.collapse.as_ref().map_or(-1.0, |rule| rule.contact_time),
        discs,
        schedule,
        goal,
        sink,
    })
}

/// As `run_by`, by a table of which rows are filled up to a horizon. Not inlined: it takes two kilobytes of
/// the stack.
#[inline(never)]
fn run_within<P: Physics, K: Sink<P>>(
    discs: PlainDiscs<'_, P>,
    table: &mut PairTable,
    goal: PlainGoal,
    sink: &mut Watched<'_, K>,
) -> PlainEnd {
    let mut table = TableWithin { table, ranges: Ranges::new(), known: f64::INFINITY };
    run_by(discs, &mut table, goal, sink)
}

/// Schedules the marked discs of a plain world again; each of them is marked once. Changes nothing and
/// returns false if the world is not plain, or if the state of a marked disc is older than the present.
#[inline(always)]
pub(crate) fn refresh<P: Physics>(
    store: &Store<P>,
    scheduler: &mut Scheduler,
    positions_now: &PositionsNow,
) -> bool {
    let are_new = || store.dirty.iter().all(|&slot| store.bodies.time(slot) == store.now);
    P::IS_SMOOTH && is_plain(store, scheduler) && are_new() && refresh_table(store, scheduler, positions_now)
}

fn refresh_table<P: Physics>(
    store: &Store<P>,
    scheduler: &mut Scheduler,
    positions_now: &PositionsNow,
) -> bool {
    let Some(table) = scheduler.as_table() else { return false };
    let predictor = StatePredictor::new(store, positions_now);
    store.simd.run(PlainRefresh { table, predictor, changed: &store.dirty });
    true
}

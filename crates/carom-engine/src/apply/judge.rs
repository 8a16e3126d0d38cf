//! What a judge has said: see [`Judge`](crate::Judge).

use super::fade::fade_wall_memory;
use super::token::{GuardedStore, Open};
use super::write::{store_state, unsettle};
use crate::judge::{Commands, Verdict};
use crate::sink::Sink;
use crate::state::contacts::{Passing, PassingWall};
use crate::state::judging::{Action, Answer, Cause};
use crate::state::stamp::Stamp;
use crate::state::with::With;
use crate::store::{Common, Store};
use crate::{DiscId, Event, Partner, Passage, Physics, State, WallId};
use carom_broadphase::Slot;
use carom_math::Time;

/// What a verdict on a contact means.
pub(crate) struct Ruling {
    pub(crate) slots: [Slot; 2],
    pub(crate) verdict: Verdict,
    pub(crate) answer: Answer,
    /// As it is shown if the two pass through each other.
    pub(crate) passage: Passage,
}

/// Forgets what was said in the event before.
pub(crate) fn forget_answers<P: Physics>(store: &mut GuardedStore<P>) {
    store.open().judging.answers.clear();
}

/// An empty list for a judge's commands, to be given back with its ruling.
pub(crate) fn take_commands<P: Physics>(store: &mut GuardedStore<P>) -> Commands<P::Body, P::Extra> {
    core::mem::take(&mut store.open().judging.commands)
}

/// Notes a verdict and the commands that came with it.
pub(crate) fn apply_ruling<P: Physics, K: Sink<P>>(
    store: &mut GuardedStore<P>,
    ruling: &Ruling,
    mut commands: Commands<P::Body, P::Extra>,
    sink: &mut K,
) {
    let store = store.open();
    let &Ruling { slots, verdict, answer, passage } = ruling;
    store.judging.answers.push(answer);
    note_departures(store, verdict, &passage);
    store.judging.actions.extend(commands.list.drain(..).map(Action::Command));
    store.judging.commands = commands;
    if verdict == Verdict::Pass {
        let_pass(store, slots, answer.with);
        if let Partner::Wall { wall, .. } = passage.b {
            store.judging.actions.push(Action::Enter(passage.a, wall));
        }
        if K::ACTIVE {
            _ = sink.event(&Event::Passed(passage));
        }
    }
    if !verdict.bounces() {
        slots.into_iter().for_each(|slot| store.mark(slot));
    }
}

/// Notes which bodies a verdict removes.
fn note_departures<P: Physics>(store: &mut Store<P>, verdict: Verdict, passage: &Passage) {
    let (which, is_capture) = match verdict {
        Verdict::Capture(which) => (which, true),
        Verdict::Remove(which) | Verdict::BounceAndRemove(which) => (which, false),
        _ => return,
    };
    let [a, b] = [Partner::Disc(passage.a), passage.b];
    let cause = |body, which: usize| Cause { body, user_data: passage.user_data[which] };
    for (party, by, is_meant) in [(a, cause(b, 1), which.of_two()[0]), (b, cause(a, 0), which.of_two()[1])] {
        match party {
            Partner::Disc(disc) if is_meant && is_capture => {
                store.judging.actions.push(Action::Capture(disc, Some(by)));
            }
            _ if is_meant && !is_capture => store.judging.actions.push(Action::Remove(party, by)),
            _ => {}
        }
    }
}

/// Lets two bodies pass through each other until they have parted.
fn let_pass<P: Physics>(store: &mut Store<P>, [a, b]: [Slot; 2], with: With) {
    let (since, end) = (store.now, Time::NEVER);
    let Common { bodies, walls, .. } = &mut store.common;
    let contacts = &mut bodies.contacts;
    let is_held = match with {
        With::Disc(_) => {
            contacts.passing.push(Passing { disc: a, through: b, since, end, is_judged: true });
            contacts.holds.with_disc(a, b).is_some()
        }
        With::Facet(f) => {
            let wall = walls.facets[f as usize].wall;
            contacts.passing_walls.push(PassingWall { disc: a, wall, since, end });
            contacts.holds.with_facet(a, f).is_some()
        }
    };
    if is_held {
        unsettle(store, a);
    }
}

/// Forgets what was said, and takes what is to be done after an event, if there is anything. The list is
/// to be [given back](give_back_actions), empty.
pub(crate) fn take_actions<P: Physics>(
    store: &mut GuardedStore<P>,
) -> Option<Vec<Action<P::Body, P::Extra>>> {
    let store = store.open();
    store.judging.answers.clear();
    if store.judging.actions.is_empty() {
        return None;
    }
    store.edited();
    Some(core::mem::take(&mut store.judging.actions))
}

pub(crate) fn give_back_actions<P: Physics>(
    store: &mut GuardedStore<P>,
    actions: Vec<Action<P::Body, P::Extra>>,
) {
    store.open().judging.actions = actions;
}

/// Lets the physics change the extra state of a disc that begins to pass through a wall, if both are
/// there.
pub(crate) fn enter<P: Physics>(store: &mut GuardedStore<P>, disc: DiscId, wall: WallId) {
    let store = store.open();
    let (Ok(slot), Ok(wall)) = (store.bodies.slot(disc), store.walls.slot(wall)) else {
        return;
    };
    let (state, body) = (store.state_now(slot), store.body_at(slot, store.now));
    let surface = &store.wall(wall).surface;
    let Some(extra) = store.physics.enter(surface, &body, &state) else { return };
    // Its velocity is the same, so what it has just met it does not meet again.
    let is_new = store.bodies.time(slot) != store.now;
    let stamp = if is_new { Stamp::NONE } else { store.bodies.stamp(slot) };
    if is_new {
        fade_wall_memory(store, slot);
    }
    if store.is_held(slot) {
        unsettle(store, slot);
    }
    store_state(store, slot, &State { extra, ..state }, stamp);
    store.mark(slot);
}

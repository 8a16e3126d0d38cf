use crate::from;
use crate::give::give_entity;
use crate::messages::{
    Captured, Entered, Happened, Held, Impacted, Inserted, Left, LetGo, Removed, TimerEnded,
};
use crate::physics::Physics;
use bevy_ecs::prelude::*;
use carom::{Crossing, Departure, DiscId, Event as Happening, Impact, Partner};

/// Tells what has happened, in order: messages to all, events to observers. What was removed loses its entity
/// after its observers were told.
pub(crate) fn tell<P: carom::Physics + 'static>(world: &mut World) {
    let is_observed = is_observed::<Impacted>(world);
    let mut physics = world.resource_mut::<Physics<P>>();
    let (mut fresh, mut lost) = (core::mem::take(&mut physics.fresh), core::mem::take(&mut physics.lost));
    // Impacts are the most of what happens: those that follow each other are written at once.
    for events in fresh.chunk_by(|a, b| !is_observed && a.impact().is_some() && b.impact().is_some()) {
        match events {
            [Happening::Impact(impact)] if is_observed => {
                let Some(told) = impacted(world.resource::<Physics<P>>(), impact) else { continue };
                tell_both(world, told, told.swapped());
            }
            [Happening::Impact(_), ..] => {
                world.resource_scope(|world, mut messages: Mut<Messages<Impacted>>| {
                    let physics = world.resource::<Physics<P>>();
                    for impact in events.iter().filter_map(Happening::impact) {
                        if let Some(told) = impacted(physics, impact) {
                            messages.write(told);
                        }
                    }
                });
            }
            events => events.iter().for_each(|event| tell_one::<P>(world, event)),
        }
    }
    fresh.clear();
    for entity in lost.drain(..) {
        let physics = world.resource::<Physics<P>>();
        // Still tied: no event has said that it has gone.
        if physics.discs.id(entity).is_some() {
            let time = physics.world.now().as_secs();
            remove(world, Removed { entity, time, by: None });
        }
    }
    world.flush();
    let mut physics = world.resource_mut::<Physics<P>>();
    physics.fresh = fresh;
    physics.lost = lost;
    physics.discs.forget_gone();
    physics.walls.forget_gone();
    physics.regions.forget_gone();
}

fn tell_one<P: carom::Physics + 'static>(world: &mut World, event: &Happening<P::Change>) {
    let physics = world.resource::<Physics<P>>();
    let time = event.time().as_secs();
    match event {
        Happening::Held(hold) => {
            let Some((entity, other, sign)) = ends(physics, hold.a, hold.b) else { return };
            let held =
                Held { entity, time, other, point: from(hold.point), normal: sign * from(hold.normal) };
            tell_both(world, held, held.swapped());
        }
        Happening::LetGo(hold) => {
            let Some((entity, other, sign)) = ends(physics, hold.a, hold.b) else { return };
            let gone =
                LetGo { entity, time, other, point: from(hold.point), normal: sign * from(hold.normal) };
            tell_both(world, gone, gone.swapped());
        }
        Happening::Entered(crossing) => {
            let Some(who) = crossed(physics, crossing) else { return };
            let (disc, region) = Entered::told(who, crossing);
            tell_both(world, disc, region);
        }
        Happening::Left(crossing) => {
            let Some(who) = crossed(physics, crossing) else { return };
            let (disc, region) = Left::told(who, crossing);
            tell_both(world, disc, region);
        }
        Happening::Removed(Departure { disc, by, .. }) => {
            let by = by.and_then(|by| physics.entity(by));
            let Some(entity) = physics.discs.entity(*disc) else { return };
            remove(world, Removed { entity, time, by });
        }
        Happening::WallRemoved { wall, .. } => {
            let Some(entity) = physics.walls.entity(*wall) else { return };
            remove(world, Removed { entity, time, by: None });
        }
        Happening::Captured(Departure { disc, by, .. }) => {
            let by = by.and_then(|by| physics.entity(by));
            let Some(entity) = physics.discs.entity(*disc) else { return };
            tell_both(world, Captured { entity, time, by }, None);
        }
        Happening::Inserted { disc, .. } => {
            if let Some(entity) = give_entity::<P>(world, *disc) {
                tell_both(world, Inserted { entity, time }, None);
            }
        }
        Happening::Timer { timer, note, .. } => {
            world.write_message(TimerEnded { time, timer: *timer, note: *note });
        }
        other => {
            world.write_message(Happened::<P>(*other));
        }
    }
}

fn impacted<P: carom::Physics + 'static>(physics: &Physics<P>, impact: &Impact) -> Option<Impacted> {
    let (entity, other, sign) = ends(physics, impact.a, impact.b)?;
    let pair = |[a, b]: [carom::DVec2; 2]| if sign < 0.0 { [from(b), from(a)] } else { [from(a), from(b)] };
    Some(Impacted {
        entity,
        other,
        time: impact.time.as_secs(),
        group: impact.group,
        point: from(impact.point),
        normal: sign * from(impact.normal),
        approach_speed: impact.approach_speed,
        impulse: impact.impulse,
        before: pair(impact.before),
        after: pair(impact.after),
    })
}

/// A contact as that of its two has it that has an entity: who, what it met, and the sign of the normal.
fn ends<P: carom::Physics + 'static>(
    physics: &Physics<P>,
    a: DiscId,
    b: Partner,
) -> Option<(Entity, Option<Entity>, f64)> {
    match (physics.discs.entity(a), physics.entity(b)) {
        (Some(a), b) => Some((a, b, 1.0)),
        (None, b) => b.map(|b| (b, None, -1.0)),
    }
}

/// A disc and the region that it enters or leaves.
fn crossed<P: carom::Physics + 'static>(physics: &Physics<P>, crossing: &Crossing) -> Option<[Entity; 2]> {
    Some([physics.discs.entity(crossing.disc)?, physics.region_entity(crossing.region)?])
}

/// Whether anything observes events of a type.
fn is_observed<E: Event>(world: &World) -> bool {
    world.event_key::<E>().is_some_and(|key| world.observers().try_get_observers(key).is_some())
}

/// Writes a message, and tells the observers of its entity and those of the other one.
fn tell_both<E>(world: &mut World, first: E, second: Option<E>)
where
    E: Message + EntityEvent + Copy + for<'a> Event<Trigger<'a>: Default>,
{
    world.write_message(first);
    world.trigger(first);
    if let Some(second) = second {
        world.trigger(second);
    }
}

/// Tells of what has been taken out of the world, and despawns its entity.
fn remove(world: &mut World, removed: Removed) {
    tell_both(world, removed, None);
    world.flush();
    if let Ok(entity) = world.get_entity_mut(removed.entity) {
        entity.despawn();
    }
}

//! The named scenes, advanced in every way that there is: the same events and the same states, to the last
//! bit.

use carom_engine::{DVec2, Event, Forces, Smooth, StopReason, World};
use carom_scene::{Generator, Random, Scene, ScenePhysics};
use serde::Serialize;

/// How a run is cut into calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slicing {
    Frames,
    RandomFrames,
    Steps,
    Budgets,
}

/// Runs to `until`; all events, and what can be read of all discs, as bytes.
fn run<P>(mut world: World<P>, until: f64, slicing: Option<Slicing>) -> (Vec<u8>, Vec<u8>)
where
    P: ScenePhysics<Body: Serialize, Change: Serialize>,
{
    let mut random = Random::new(Generator::ChaCha8, 5);
    let mut events: Vec<Event<P::Change>> = Vec::new();
    let start = world.now().as_secs();
    match slicing {
        None => {}
        Some(Slicing::Frames) => {
            for frame in 1.. {
                let time = start + f64::from(frame) / 60.0;
                if time >= until {
                    break;
                }
                assert_eq!(world.advance_to(time).unwrap().end, StopReason::Reached);
                events.extend(world.events());
                look(&mut world);
            }
        }
        Some(Slicing::RandomFrames) => {
            // Mostly around a frame, and some as short as the clock can tell.
            let longest = ((until - start) / 2000.0).max(0.02);
            loop {
                let dt = if random.uniform() < 0.1 { 1e-15 } else { random.between(0.0, longest) };
                if world.now().as_secs() + dt >= until {
                    break;
                }
                assert_eq!(world.advance(dt).unwrap().end, StopReason::Reached);
                events.extend(world.events());
                if random.uniform() < 0.1 {
                    look(&mut world);
                    world = world.clone();
                }
            }
        }
        Some(Slicing::Steps) => {
            let goal = world.clock().at(until);
            while world.next_event().is_some_and(|next| next.time <= goal) {
                assert_eq!(world.step_event().events, 1);
                events.extend(world.events());
            }
        }
        Some(Slicing::Budgets) => loop {
            world.set_budget(1 + random.bits() % 50);
            let advance = world.advance_to(until).unwrap();
            events.extend(world.events());
            look(&mut world);
            if advance.end == StopReason::Reached {
                break;
            }
            assert_eq!((advance.end, advance.events), (StopReason::OutOfBudget, world.settings().budget));
        },
    }
    world.advance_to(until).unwrap();
    events.extend(world.events());
    let states: Vec<_> =
        world.discs().map(|(id, disc)| (id, disc, world.get(id).unwrap().state_time())).collect();
    (postcard::to_stdvec(&events).unwrap(), postcard::to_stdvec(&states).unwrap())
}

/// What a game does between frames: it draws and asks, and changes nothing by that.
fn look<P: ScenePhysics>(world: &mut World<P>) {
    let mut places = vec![DVec2::ZERO; world.len()];
    world.read_positions(&mut places).unwrap();
    let _ = (world.next_event(), world.kinetic_energy(), world.momentum(), world.counters());
}

#[test]
fn slicing_changes_no_named_scene() {
    for name in Scene::names() {
        let scene = Scene::named(name).unwrap();
        if scene.has_forces() {
            slicing_changes_nothing::<Forces>(&scene);
        } else {
            slicing_changes_nothing::<Smooth>(&scene);
        }
    }
}

fn slicing_changes_nothing<P>(scene: &Scene)
where
    P: ScenePhysics<Body: Serialize, Change: Serialize>,
{
    let world = scene.build_as::<P>(&mut |_| ()).unwrap().world;
    let whole = run(world.clone(), scene.until, None);
    for slicing in [Slicing::Frames, Slicing::RandomFrames, Slicing::Steps, Slicing::Budgets] {
        assert!(run(world.clone(), scene.until, Some(slicing)) == whole, "{}, {slicing:?}", scene.name);
    }
}

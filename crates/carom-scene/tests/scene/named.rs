//! The named scenes, advanced in every way that there is, and saved and loaded halfway: the same events and
//! the same states, to the last bit. That a run as a whole has the bits that it should have, `golden.hashes`
//! says.

use carom_engine::{DVec2, Event, StopReason, World};
use carom_scene::{Generator, Random, Scene, ScenePhysics, in_physics};
use carom_testkit::stored::Format;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A physics whose worlds can be saved.
trait Saves:
    ScenePhysics<
        Body: Serialize + DeserializeOwned,
        Extra: Serialize + DeserializeOwned,
        Surface: Serialize + DeserializeOwned,
        Change: Serialize,
    > + Serialize
    + DeserializeOwned
{
}

impl<P> Saves for P where
    P: ScenePhysics<
            Body: Serialize + DeserializeOwned,
            Extra: Serialize + DeserializeOwned,
            Surface: Serialize + DeserializeOwned,
            Change: Serialize,
        > + Serialize
        + DeserializeOwned
{
}

/// How a run is cut into calls.
#[derive(Clone, Copy, Debug)]
enum Slicing {
    Whole,
    Frames,
    RandomFrames,
    Steps,
    Budgets,
    /// Saved and loaded in the middle.
    Saved(Format),
}

/// Runs to `until`; all events, and the world at the end, as bytes.
fn run<P: Saves>(mut world: World<P>, until: f64, slicing: Slicing) -> [Vec<u8>; 2] {
    let mut random = Random::new(Generator::ChaCha8, 5);
    let mut events: Vec<Event<P::Change>> = Vec::new();
    let (start, budget) = (world.now().as_secs(), world.settings().budget);
    match slicing {
        Slicing::Whole => {}
        Slicing::Frames => {
            let frames = (1..).map(|frame| start + f64::from(frame) / 60.0);
            for time in frames.take_while(|time| *time < until) {
                assert_eq!(world.advance_to(time).unwrap().end, StopReason::Reached);
                events.extend(world.events());
                look(&mut world);
            }
        }
        Slicing::RandomFrames => {
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
        Slicing::Steps => {
            let goal = world.clock().at(until);
            while world.next_event().is_some_and(|next| next.time <= goal) {
                assert_eq!(world.step_event().events, 1);
                events.extend(world.events());
            }
        }
        Slicing::Budgets => loop {
            world.set_budget(1 + random.bits() % 50);
            let advance = world.advance_to(until).unwrap();
            events.extend(world.events());
            look(&mut world);
            if advance.end == StopReason::Reached {
                break;
            }
            let budget = world.settings().budget;
            // What a verdict commands takes from the budget, too, and is no event.
            let spent = if P::JUDGES { advance.events.max(budget) } else { advance.events };
            assert_eq!((advance.end, spent), (StopReason::OutOfBudget, budget));
        },
        Slicing::Saved(format) => {
            world.advance_to_with(0.5 * (start + until), &mut events).unwrap();
            world = format.load(&format.save(&world)).unwrap();
        }
    }
    world.set_budget(budget);
    assert_eq!(world.advance_to(until).unwrap().end, StopReason::Reached);
    events.extend(world.events());
    world.assert_well_formed();
    [postcard::to_stdvec(&events).unwrap(), postcard::to_stdvec(&world).unwrap()]
}

/// Every verdict and command goes through a snapshot, an infinite mass too.
#[test]
fn a_world_with_every_verdict_is_saved_and_loaded() {
    let scene = Scene::from_toml(include_str!("../every-verdict.toml"), "v.toml").unwrap();
    in_physics!(scene, P => {
        let world = scene.build_as::<P>().unwrap().world;
        for format in [Format::Json, Format::Postcard] {
            let saved = format.save(&world);
            let loaded: World<P> = format.load(&saved).unwrap();
            assert_eq!(format.save(&loaded), saved);
        }
    });
}

/// What a game does between frames: it draws and asks, and changes nothing by that.
fn look<P: ScenePhysics>(world: &mut World<P>) {
    let mut places = vec![DVec2::ZERO; world.len()];
    world.read_positions(&mut places).unwrap();
    let _ = (world.next_event(), world.kinetic_energy(), world.momentum(), world.counters());
}

#[test]
fn slicing_and_saving_change_no_named_scene() {
    for name in Scene::names() {
        let scene = Scene::named(name).unwrap();
        in_physics!(scene, P => changes_nothing::<P>(&scene));
    }
}

fn changes_nothing<P: Saves>(scene: &Scene) {
    let built = scene.build_as::<P>().unwrap();
    assert_eq!([built.looks.len(), built.origins.len()], [built.discs.len(); 2]);
    let numbers: Vec<u64> = built.world.discs().map(|(_, disc)| disc.user_data).collect();
    assert_eq!(numbers, (0..built.discs.len() as u64).collect::<Vec<_>>(), "{}", scene.name);
    let whole = run(built.world.clone(), scene.until, Slicing::Whole);
    assert!(whole[0].len() > 1, "{}: nothing happens", scene.name);
    for slicing in [
        Slicing::Frames,
        Slicing::RandomFrames,
        Slicing::Steps,
        Slicing::Budgets,
        Slicing::Saved(Format::Json),
        Slicing::Saved(Format::Postcard),
    ] {
        let sliced = run(built.world.clone(), scene.until, slicing);
        assert!(sliced[0] == whole[0], "{}, {slicing:?}: other events", scene.name);
        assert!(sliced[1] == whole[1], "{}, {slicing:?}: another world", scene.name);
    }
}

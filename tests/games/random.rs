//! Random games: the same bits under every scheduler, for any frames, from snapshots and clones.

use crate::common::by::By;
use crate::common::record::{Seen, assert_same, event_bits, state_bits};
use crate::common::rng::{Rng, cases};
use crate::common::umpire::{Refereed, Umpire, refereed};
use carom_engine::{Command, DVec2, Disc, Forces, Rules, StopReason, Wall, WallShape, World};

type Game = World<Refereed<Forces>>;

fn game(by: By, seed: u64) -> Game {
    let rng = &mut Rng::new(seed);
    let gravity = rng.pick(&[DVec2::ZERO, DVec2::new(0.0, -1.0), DVec2::new(0.5, -2.0)]);
    let mut world: Game = refereed(Forces::new().with_gravity(gravity).unwrap(), Umpire::Dice(seed));
    world.set_scheduler(by.kind()).unwrap();
    world.set_budget(3000);
    let e = rng.pick(&[1.0, 0.8, 0.5]);
    world.add_wall(Wall::container([-4.0, -4.0], [4.0, 4.0]).with_restitution(e).with_user_data(1)).unwrap();
    let shapes = [
        Wall::segment([-2.0, -2.0], [2.0, -1.5]),
        Wall::polyline(&[[-4.0, 0.0], [-1.0, -1.0], [1.0, -1.0], [4.0, 0.0]]),
        Wall::disc([0.0, 2.0], 0.7),
        Wall::new(WallShape::Arc { center: DVec2::ZERO, radius: 3.0, start: 3.0, sweep: 3.4 }),
    ];
    for (k, wall) in shapes.into_iter().enumerate() {
        if rng.chance(40) {
            _ = world.add_wall(wall.with_restitution(e).with_user_data(2 + k as u64));
        }
    }
    for k in 0..3 + rng.below(12) {
        let place = if rng.chance(50) {
            DVec2::new(rng.below(15) as f64 - 7.0, rng.below(15) as f64 - 7.0) * 0.5
        } else {
            rng.vector(3.5)
        };
        let velocity = if rng.chance(30) { DVec2::ZERO } else { rng.vector(3.0) };
        let disc = Disc::new(place, rng.pick(&[0.25, 0.5, 0.3]))
            .with_velocity(velocity)
            .with_mass(rng.pick(&[1.0, 1.0, 2.0]))
            .with_restitution(e)
            .with_user_data(100 + k as u64);
        _ = world.insert(disc);
    }
    for k in 0..rng.below(3) {
        let arm =
            Wall::arm(rng.vector(3.0), rng.range(0.5, 2.0), rng.pick(&[0.0, 0.1, 0.3]), rng.vector(3.0).x);
        _ = world.add_wall(arm.with_restitution(e).with_user_data(10 + k as u64));
    }
    if rng.chance(40) {
        let mallet = Disc::new(rng.vector(4.5), 0.5).kinematic().with_velocity(rng.vector(1.0));
        _ = world.insert(mallet.with_max_speed(rng.pick(&[3.0, f64::INFINITY])).with_restitution(e));
    }
    world.set_timer(0.7, 1).unwrap();
    world
}

/// How a game is played: what comes of it does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    By(By),
    /// In so many calls from edit to edit.
    Frames(u32),
    /// Saved, loaded and cloned after each edit.
    Stored,
}

/// Edits and frames of a game, with what came of them.
fn play(seed: u64, way: Way) -> Vec<Seen> {
    let (by, cuts) = match way {
        Way::By(by) => (by, 1),
        Way::Frames(cuts) => (By::Table, cuts),
        Way::Stored => (By::Table, 1),
    };
    let mut world = game(by, seed);
    let rng = &mut Rng::new(seed ^ 0xABCD);
    let mut seen = Vec::new();
    let scale = world.energy().abs() + 1.0;
    for step in 0..6 {
        let end = 0.5 * f64::from(step + 1);
        for cut in 1..=cuts {
            let to = if cut == cuts { end } else { end - 0.5 + 0.5 * f64::from(cut) / f64::from(cuts) };
            let done = world.advance_to(to).unwrap();
            seen.extend(
                world.events().iter().map(|event| Seen::Event(format!("{event:?}"), event_bits(event))),
            );
            if done.end != StopReason::Reached {
                seen.push(Seen::TooMany);
                return seen;
            }
        }
        seen.push(Seen::States(state_bits(&world)));
        let ledger = world.ledger();
        let off = (ledger.total - world.kinetic_energy()).abs();
        // A wall that presses a disc to the bottom of an arc gives it much energy on the way.
        let largest = scale.max(world.kinetic_energy()).max(ledger.forces.abs()).max(ledger.work.abs());
        assert!(off <= 1e-10 * largest, "seed {seed}: {off:e}");
        let ids: Vec<_> = world.ids().collect();
        if let Some(&id) = ids.get(rng.below(ids.len().max(1))) {
            match rng.below(8) {
                0 => world.set_enabled(id, !world.is_enabled(id)).unwrap(),
                1 => _ = world.set_velocity(id, rng.vector(2.0)),
                2 => _ = world.set_position(id, rng.vector(3.5)),
                3 => _ = world.command_at(end + 0.2, Command::SetEnabled(id, true)).unwrap(),
                4 => _ = world.command_at(end + 0.1, Command::MoveTo(id, rng.vector(4.5), 0.3)).unwrap(),
                5 => world.set_rules(id, rng.pick(&[Rules::new(), Rules::new().with_mask(0)])).unwrap(),
                6 => {
                    let walls: Vec<_> = world.walls().map(|(id, _)| id).skip(1).collect();
                    for wall in walls {
                        let rules = rng.pick(&[Rules::new(), Rules::new().with_membership(0)]);
                        world.set_wall_rules(wall, rules).unwrap();
                    }
                }
                _ => {}
            }
        }
        let arms: Vec<_> = world.walls().map(|(id, _)| id).filter(|&id| world.arm(id).is_some()).collect();
        for arm in arms {
            let (to, rate) = (rng.vector(4.0).x, rng.pick(&[0.5, 3.0, 20.0]));
            match rng.below(4) {
                0 => _ = world.turn_arm(arm, to, rate),
                1 => _ = world.command_at(end + 0.2, Command::TurnArm(arm, to, rate)).unwrap(),
                2 => _ = world.remove_wall(arm).unwrap(),
                _ => {}
            }
        }
        let mallet = world.discs().find(|(_, disc)| disc.kinematic).map(|(id, _)| id);
        if let Some(mallet) = mallet {
            _ = world.move_to(mallet, rng.vector(4.5), end + rng.pick(&[0.1, 0.25, 0.5, 0.75]));
        }
        let walls: Vec<_> = world.walls().map(|(id, _)| id).skip(1).collect();
        for wall in walls {
            let (offset, seconds) = (rng.vector(3.0), rng.pick(&[0.1, 0.25, 0.5, 2.0]));
            match rng.below(5) {
                // An arc does not move, nor an arm that turns.
                0 => _ = world.move_wall(wall, offset, end + seconds),
                1 => _ = world.command_at(end + 0.1, Command::MoveWall(wall, offset, seconds)).unwrap(),
                2 => _ = world.move_wall(wall, DVec2::ZERO, end + seconds),
                _ => {}
            }
        }
        if way == Way::Stored {
            let text = serde_json::to_string(&world).unwrap();
            let mut loaded: Game = serde_json::from_str(&text).unwrap();
            let [saved, back] = [&world, &loaded].map(|world| {
                let mut ahead = world.clone();
                ahead.advance(0.1).unwrap();
                ahead
            });
            assert_eq!(saved.diff(&back), None, "seed {seed} step {step}");
            loaded.set_scheduler(if step % 2 == 0 { By::Grid } else { By::Table }.kind()).unwrap();
            world = game(By::Table, seed + 1);
            world.clone_from(&loaded);
        }
    }
    seen
}

#[test]
fn games_do_not_depend_on_scheduler_frames_and_snapshots() {
    let mut passed = 0;
    for seed in 0..cases(400) {
        let table = play(seed, Way::By(By::Table));
        for way in [Way::By(By::Grid), Way::Frames(7), Way::Stored] {
            assert_same(&table, &play(seed, way), &format!("seed {seed}, {way:?}"));
        }
        passed += table.len();
    }
    assert!(passed > 4000, "{passed}");
}

//! Paths over timers: journeys of discs and walls end on them, and commands are carried out.

use super::paths::check_all;
use crate::common::by::By;
use crate::common::grammar::Game;
use crate::common::rng::{Rng, cases};
use carom_engine::{
    Command, DVec2, Disc, Forecast, ForecastOptions, PathEnd, Rules, Settings, Smooth, Wall, World,
};

/// A kinematic disc stops where it was sent, also among frozen ones.
#[test]
fn a_journey_ends_at_its_target() {
    let mut world = World::new();
    let lift = world.insert(Disc::new([0.0, 0.0], 0.5).kinematic()).unwrap();
    world.move_to_until(lift, [1.0, 0.0], 0.5).unwrap();
    for frozen in [false, true] {
        let mut forecast = Forecast::new();
        let path = forecast.path(&world, lift, &ForecastOptions::new(1.0).with_frozen(frozen)).unwrap();
        let seen: Vec<_> = path.iter().map(|piece| (piece.end.as_secs(), piece.velocity)).collect();
        assert_eq!(seen, [(0.5, DVec2::new(2.0, 0.0)), (1.0, DVec2::ZERO)], "frozen: {frozen}");
        assert_eq!(path[1].position_at(path[1].end), DVec2::X, "frozen: {frozen}");
        assert_eq!(forecast.end(), PathEnd::Time, "frozen: {frozen}");
    }
}

/// A command comes on the path, and not where all else stands still.
#[test]
fn commands_are_carried_out_unless_all_is_frozen() {
    let mut world = World::new();
    let ball = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    world.command_at(0.25, Command::SetVelocity(ball, DVec2::Y)).unwrap();
    for (frozen, pieces) in [(false, 2), (true, 1)] {
        let mut forecast = Forecast::new();
        let options = ForecastOptions::new(f64::INFINITY).with_frozen(frozen);
        assert_eq!(forecast.path(&world, ball, &options).unwrap().len(), pieces, "frozen: {frozen}");
    }
}

/// A random world with kinematic discs, arms and walls on their way, and timed commands.
fn busy(rng: &mut Rng) -> World {
    let mut game = Game::<Smooth>::plain(rng, Settings::default().with_budget(400));
    for _ in 0..2 {
        let disc = game.draw.disc::<Smooth>().kinematic();
        _ = game.world.insert(disc);
        let (pivot, angle) = (game.draw.place(), game.draw.angle());
        _ = game.world.add_wall(Wall::arm(pivot, 1.0, 0.1, angle));
    }
    for turn in 0..24 {
        game.edit();
        if turn % 8 == 7 {
            game.world.advance(0.05).unwrap();
        }
    }
    let (ids, walls): (Vec<_>, Vec<_>) =
        (game.world.ids().collect(), game.world.walls().map(|(id, _)| id).collect());
    for _ in 0..8 {
        if ids.is_empty() || walls.is_empty() {
            break;
        }
        let (id, wall) = (game.draw.pick(&ids), game.draw.pick(&walls));
        let (place, velocity) = (game.draw.place(), game.draw.velocity());
        let command = match game.draw.below(10) {
            0 => Command::Remove(id),
            1 => Command::RemoveWall(wall),
            2 => Command::SetVelocity(id, velocity),
            3 => Command::MoveTo(id, place, 0.3),
            4 => Command::TurnArm(wall, 1.0, 2.0),
            5 => Command::MoveWall(wall, 0.1 * place, 0.3),
            6 => Command::SetPosition(id, place),
            7 => Command::SetRules(id, Rules::new().with_team(3)),
            8 => Command::SetEnabled(id, false),
            _ => Command::SetEnabled(id, true),
        };
        let time = game.world.now().as_secs() + game.draw.range(0.0, 1.5);
        game.world.command_at(time, command).unwrap();
    }
    game.world
}

#[test]
fn paths_over_timers_are_what_happens() {
    for (by, seeds) in [(By::Table, 100), (By::Grid, 50)] {
        let tally = check_all(by, cases(seeds), |rng| rng.range(0.0, 2.0), |_, rng| busy(rng));
        assert!(3 * tally.pieces > 4 * tally.met && tally.met > 50 && tally.removed > 0, "{by:?}: {tally:?}");
    }
}

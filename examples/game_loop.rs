//! Carom in a game loop: fixed and variable frame times, events, input. Nothing but the engine.
//!
//! `cargo run --release --example game_loop`

use carom::{Advance, DVec2, Disc, DiscId, Error, Event, StopReason, Wall, World};

/// Air hockey for one: a puck, a paddle that nothing deflects, a table.
struct Game {
    world: World,
    puck: DiscId,
    paddle: DiscId,
    hits: u32,
    /// Time of the last hit, exact: a sound would be placed at it, not at the end of its frame.
    last_hit: f64,
}

impl Game {
    fn new() -> Result<Self, Error> {
        let mut world = World::new();
        world.add_wall(Wall::container(DVec2::ZERO, DVec2::new(2.0, 1.0)).with_restitution(0.9))?;
        let puck =
            world.insert(Disc::new(DVec2::new(1.5, 0.4), 0.04).with_velocity(DVec2::new(-2.0, 0.3)))?;
        let paddle = world.insert(Disc::new(DVec2::new(0.3, 0.5), 0.06).with_mass(f64::INFINITY))?;
        Ok(Game { world, puck, paddle, hits: 0, last_hit: 0.0 })
    }

    /// One frame: input, physics, events.
    fn frame(&mut self, dt: f64) -> Result<(), Error> {
        self.steer()?;
        let Advance { end, .. } = self.world.advance(dt)?;
        if end != StopReason::Reached {
            eprintln!("the frame ended early: {end:?}");
        }
        self.look_at_events();
        Ok(())
    }

    /// The paddle follows the puck up and down, at bounded speed, as it would follow a mouse.
    fn steer(&mut self) -> Result<(), Error> {
        let height = |id| self.world.get(id).map_or(0.0, |disc| disc.position().y);
        let ahead = height(self.puck) - height(self.paddle);
        let speed = (8.0 * ahead).clamp(-1.5, 1.5);
        self.world.set_velocity(self.paddle, DVec2::new(0.0, speed))
    }

    fn puck_position(&self) -> DVec2 {
        self.world.get(self.puck).map(|puck| puck.position()).unwrap_or_default()
    }

    fn look_at_events(&mut self) {
        for event in self.world.events() {
            let Event::Impact(impact) = event else { continue };
            if impact.between(self.puck, self.paddle) {
                self.hits += 1;
                self.last_hit = impact.time.as_secs();
            }
        }
    }
}

fn main() -> Result<(), Error> {
    // Without input, the frame time plays no part: the same bits from any frames that end at the same time.
    let frames: [(&str, &[f64]); 3] = [
        ("64 Hz", &[1.0 / 64.0]),
        ("128 Hz", &[1.0 / 128.0]),
        ("uneven", &[1.0 / 32.0, 1.0 / 256.0, 3.0 / 256.0]),
    ];
    for (name, steps) in frames {
        let mut game = Game::new()?;
        let mut now = 0.0;
        for step in steps.iter().cycle() {
            if now >= 10.0 {
                break;
            }
            let step = step.min(10.0 - now);
            game.world.advance(step)?;
            now += step;
        }
        println!("{name:>7} frames, nobody plays: puck at {:?}", game.puck_position());
    }

    // With input, what differs is when the input comes, and nothing else.
    let mut game = Game::new()?;
    for _ in 0..600 {
        game.frame(1.0 / 60.0)?;
    }
    println!("60 Hz, 10 s of play: {} hits, the last at {:.9} s", game.hits, game.last_hit);
    println!("puck at {}, {} events", game.puck_position(), game.world.counters().events);
    Ok(())
}

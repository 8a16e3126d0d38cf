//! Breakout: a ball, a paddle, and bricks that go when they are hit.
//!
//! The paddle is the cap of a kinematic disc, so that where the ball meets it says where it goes. Bricks are
//! walls that a verdict removes.

use super::random::Random;
use super::task::{Failed, Step, Task, share};
use crate::judge::GameRules;
use crate::laws::Ruled;
use carom_draw::{Rgb, Sheet, Style, Surface};
use carom_engine::{
    DVec2, Disc, DiscId, Event, Forces, Judged, Region, Settings, Sink, Standstill, StopReason, Wall, World,
};
use carom_scene::SceneJudge as _;
use carom_scene::verdicts::{Meets, Rule, Ruling, Says, Who};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What a game is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Game {
    pub(crate) balls: u32,
    pub(crate) limit: u32,
}

const SIZE: DVec2 = DVec2::new(10.0, 13.0);
const BALL: f64 = 0.15;
/// Radius of the paddle, and how far its centre is below the line at which a ball is lost.
const PADDLE: (f64, f64) = (1.5, 0.9);
/// Half of what is seen of the paddle: √(1.5² − 0.9²).
const HALF: f64 = 1.2;
/// Largest speed of the paddle.
const SPEED: f64 = 20.0;
/// Seconds of a step.
const DT: f64 = 1.0 / 30.0;
const COLUMNS: usize = 10;
const ROWS: usize = 6;
const BRICKS: usize = COLUMNS * ROWS;
/// Points of a brick in each row, from below.
const POINTS: [f64; ROWS] = [1.0, 1.0, 4.0, 4.0, 7.0, 7.0];
/// Lower end of the lowest row, height of a row, and half of the gap between bricks.
const WALL: (f64, f64, f64) = (8.0, 0.5, 0.02);
/// User data of the first brick, and the groups of discs.
const BRICK: u64 = 1;
const BALLS: u32 = 1 << 0;
const PADDLES: u32 = 1 << 1;
const WALLS: u32 = 1 << 2;
/// Speeds of the ball: at first, after 4 returns, and after 12.
const SPEEDS: [(u32, f64); 3] = [(12, 10.0), (4, 8.0), (0, 6.0)];
/// The least part of the speed that goes up or down, as the ball would else not come back for a long time.
const STEEP: f64 = 0.25;

#[derive(Clone)]
pub(crate) struct Breakout {
    game: Game,
    start: Arc<World<Ruled>>,
    world: World<Ruled>,
    ball: DiscId,
    paddle: DiscId,
    standing: [bool; BRICKS],
    random: Random,
    returns: u32,
    left: u32,
    turn: u32,
}

/// Stops at what the rules wait for, and counts points.
struct Watch<'a> {
    standing: &'a mut [bool; BRICKS],
    points: f64,
    returns: u32,
    is_lost: bool,
}

impl Sink<Ruled> for Watch<'_> {
    fn event(&mut self, event: &Event<Standstill>) -> ControlFlow<()> {
        match event {
            Event::Impact(hit) if hit.b.disc().is_some() => self.returns += 1,
            Event::Impact(hit) => {
                let brick = hit.user_data[1].checked_sub(BRICK).map(|brick| brick as usize);
                if let Some(brick) = brick.filter(|&brick| std::mem::take(&mut self.standing[brick])) {
                    self.points += POINTS[brick / COLUMNS];
                }
            }
            Event::Entered(_) => self.is_lost = true,
            _ => {}
        }
        if self.is_lost { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn brick(index: usize) -> [DVec2; 2] {
    let (bottom, height, gap) = WALL;
    let at = DVec2::new((index % COLUMNS) as f64, bottom + height * (index / COLUMNS) as f64);
    [at + DVec2::splat(gap), at + DVec2::new(1.0, height) - DVec2::splat(gap)]
}

impl Breakout {
    pub(crate) fn new(game: Game) -> Result<Self, Failed> {
        let any = Meets { is_disc: None, user_data: [0, u64::MAX], membership: None, team: None };
        let second = Meets { is_disc: Some(false), user_data: [BRICK, u64::MAX], ..any };
        let ruling = Ruling { says: Says::BounceAndRemove(Who::Second), orders: Vec::new() };
        let rule = Rule { first: any, second, speeds: [0.0, f64::INFINITY], toward: None, ruling };
        let physics = Judged::new(Forces::new(), GameRules::of_rules(vec![rule]));
        let mut world = World::with_physics(physics, Settings::default().with_record_events(false))?;
        let corners = [(0.0, -2.0), (0.0, SIZE.y), (SIZE.x, SIZE.y), (SIZE.x, -2.0)];
        world.add_wall(Wall::polyline(&corners.map(DVec2::from)).with_groups(WALLS, BALLS))?;
        for index in 0..BRICKS {
            let [min, max] = brick(index);
            let wall = Wall::rectangle(min, max).with_groups(WALLS, BALLS);
            world.add_wall(wall.with_user_data(BRICK + index as u64))?;
        }
        world.add_region(Region::half_plane([0.0, 0.0], [0.0, 1.0]).with_groups(!0, BALLS))?;
        let ball = world.insert(Disc::new([0.5 * SIZE.x, 5.0], BALL).with_groups(BALLS, !0))?;
        let paddle = Disc::new([0.5 * SIZE.x, -PADDLE.1], PADDLE.0).kinematic().with_max_speed(SPEED);
        let paddle = world.insert(paddle.with_groups(PADDLES, BALLS))?;
        let (start, standing, random) = (Arc::new(world.clone()), [true; BRICKS], Random::new(0));
        Ok(Breakout { game, start, world, ball, paddle, standing, random, returns: 0, left: 0, turn: 0 })
    }

    /// Each ball comes from the middle, somewhere down.
    fn serve(&mut self) -> Result<(), Failed> {
        let way = self.random.between(DVec2::new(-0.7, -1.0), DVec2::new(0.7, -1.0));
        self.returns = 0;
        self.world.set_position(self.ball, [0.5 * SIZE.x, 5.0])?;
        self.set_way(way)
    }

    /// The ball goes this way, as fast as it is to be.
    fn set_way(&mut self, way: DVec2) -> Result<(), Failed> {
        let speed = SPEEDS.iter().find(|(returns, _)| self.returns >= *returns).map_or(0.0, |found| found.1);
        Ok(self.world.set_velocity(self.ball, steep(way) * speed)?)
    }

    fn state(&self, id: DiscId) -> [DVec2; 2] {
        self.world.get(id).map_or([DVec2::ZERO; 2], |disc| [disc.position(), disc.velocity()])
    }

    fn run(&mut self) -> Result<(f64, bool), Failed> {
        let mut watch = Watch { standing: &mut self.standing, points: 0.0, returns: 0, is_lost: false };
        let done = self.world.advance_to_with(f64::from(self.turn) * DT, &mut watch)?;
        let Watch { points, returns, is_lost, .. } = watch;
        if done.end == StopReason::OutOfBudget {
            return Err(Failed("too much happened in a step".to_owned()));
        }
        self.returns += returns;
        let [_, velocity] = self.state(self.ball);
        // A paddle that moves makes the ball faster. That is mended where the paddle has arrived: before that
        // it would push the ball again at once.
        if returns > 0 {
            self.set_way(velocity.with_y(velocity.y.abs()))?;
        } else if steep(velocity) != velocity.normalize_or_zero() {
            self.set_way(velocity)?;
        }
        Ok((points, is_lost))
    }
}

/// A direction that is steep enough.
fn steep(way: DVec2) -> DVec2 {
    let way = way.normalize_or(DVec2::Y);
    if way.y.abs() >= STEEP {
        return way;
    }
    let flat = carom_engine::math::sqrt(1.0 - STEEP * STEEP);
    DVec2::new(flat.copysign(way.x), STEEP.copysign(way.y))
}

impl Task for Breakout {
    fn widths(&self) -> [usize; 2] {
        [6 + BRICKS, 1]
    }

    fn reset(&mut self, seed: u64) -> Result<(), Failed> {
        self.world.clone_from(&self.start);
        (self.standing, self.left, self.turn) = ([true; BRICKS], self.game.balls, 0);
        self.random = Random::new(seed);
        self.serve()
    }

    fn step(&mut self, action: &[f32]) -> Result<Step, Failed> {
        let target = 0.5 * SIZE.x + share(action[0]) * (0.5 * SIZE.x - HALF);
        self.turn += 1;
        self.world.move_to_until(self.paddle, DVec2::new(target, -PADDLE.1), f64::from(self.turn) * DT)?;
        let (reward, is_lost) = self.run()?;
        if is_lost {
            self.left = self.left.saturating_sub(1);
            // The next ball waits for the end of the step.
            self.world.set_position(self.ball, [0.5 * SIZE.x, 5.0])?;
            self.world.set_velocity(self.ball, DVec2::ZERO)?;
            self.world.advance_to(f64::from(self.turn) * DT)?;
            self.serve()?;
        }
        Ok(Step {
            reward,
            is_terminated: self.left == 0 || self.standing == [false; BRICKS],
            is_truncated: self.turn >= self.game.limit,
        })
    }

    fn observe(&self, row: &mut [f32]) {
        let [ball, velocity] = self.state(self.ball);
        let [paddle, _] = self.state(self.paddle);
        let own = [ball.x - 0.5 * SIZE.x, ball.y, velocity.x, velocity.y, paddle.x - 0.5 * SIZE.x];
        let numbers = own.map(|number| number as f32 / 10.0).into_iter().chain([self.left as f32]);
        let bricks = self.standing.iter().map(|&is_standing| f32::from(u8::from(is_standing)));
        for (place, number) in row.iter_mut().zip(numbers.chain(bricks)) {
            *place = number;
        }
    }

    fn picture(&self, width: u32) -> Result<Vec<u8>, Failed> {
        let ground = Rgb(0x1c, 0x1f, 0x2b);
        let style = Style {
            title: Some("Breakout".to_owned()),
            bounds: Some((DVec2::new(-0.2, -0.7), SIZE + DVec2::splat(0.2))),
            surface: Surface::Plain(ground),
            width,
            ..Style::default()
        };
        let mut sheet = Sheet::new(&style)?;
        let frame = [(0.0, -0.5), (0.0, SIZE.y), (SIZE.x, SIZE.y), (SIZE.x, -0.5)];
        sheet.stroke(&frame.map(DVec2::from), 0.08, Rgb(0xcf, 0xd6, 0xe0), 1.0);
        let colours = [Rgb(0xf4, 0xc1, 0x4e), Rgb(0x3f, 0xc1, 0xb0), Rgb(0xe8, 0x4f, 0x5f)];
        for index in (0..BRICKS).filter(|&index| self.standing[index]) {
            let [min, max] = brick(index);
            let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
            sheet.fill(&corners, colours[index / COLUMNS / 2], 1.0);
        }
        let ([ball, velocity], [paddle, _]) = (self.state(self.ball), self.state(self.paddle));
        sheet.fill_disc(paddle, PADDLE.0, Rgb(0x5b, 0x8d, 0xef), 1.0);
        let below = [(-0.2, 0.0), (SIZE.x + 0.2, 0.0), (SIZE.x + 0.2, -0.7), (-0.2, -0.7)];
        sheet.fill(&below.map(DVec2::from), ground, 0.75);
        sheet.fading(ball - velocity * 0.06, ball, 1.4 * BALL, Rgb::WHITE, 0.4);
        sheet.ball(ball, BALL, Rgb::WHITE, None);
        let hit = self.standing.iter().filter(|&&is_standing| !is_standing).count();
        sheet.head(&format!("{} balls · {hit} bricks hit", self.left));
        Ok(sheet.png()?)
    }
}

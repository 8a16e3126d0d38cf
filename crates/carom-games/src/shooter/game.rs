use super::Action;
use crate::{Error, Input, Inputs, Rules};
use carom::{
    DVec2, Disc, DiscId, Event, Judged, SchedulerKind, Settings, Sink, Smooth, StopReason, Wall, World,
};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// The physics of the game: smooth discs and its rules.
pub type Physics = Judged<Smooth, Rules>;

/// How a game begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Ships of each of the two teams, 1 to 10.
    pub ships: usize,
    /// Lives of a ship, at least 1.
    pub lives: u32,
    /// Which scheduler the world has: the bits of a game do not depend on it.
    pub scheduler: SchedulerKind,
}

impl Default for Options {
    fn default() -> Self {
        Options { ships: 3, lives: 5, scheduler: SchedulerKind::Fastest }
    }
}

/// One of the ships.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ship {
    /// Its disc, which is off the plane while it waits for its next turn.
    pub disc: DiscId,
    /// 1 or 2.
    pub team: u32,
    /// Lives that are left; 0 while it waits.
    pub lives: u32,
    /// Direction of its last shot: a unit vector.
    pub heading: DVec2,
    /// When the gun is loaded again.
    loaded: f64,
    home: DVec2,
}

/// What was hit lately, to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Flash {
    pub(super) time: f64,
    pub(super) place: DVec2,
    pub(super) team: u32,
    /// Whether a ship lost its last life.
    pub(super) is_last: bool,
}

/// User data: what it is, and which ship, its own or the one that fired it.
const SHIP: u64 = 1;
const BULLET: u64 = 2;

fn note(kind: u64, ship: usize) -> u64 {
    kind << 32 | ship as u64
}

fn kind_of(note: u64) -> u64 {
    note >> 32
}

fn ship_of(note: u64) -> usize {
    (note & 0xffff_ffff) as usize
}

const SHIPS: u32 = 1 << 0;
const BULLETS: u32 = 1 << 1;
const ROCKS: u32 = 1 << 2;

/// What the rules wait for.
#[derive(Clone, Copy)]
enum News {
    Hit { ship: usize, by: usize, place: DVec2 },
    Turn { ship: usize },
}

/// Stops the run at what the rules wait for, and shows all events to an observer.
struct Watch<'a> {
    news: Vec<News>,
    observer: &'a mut dyn FnMut(&Event),
}

impl Sink<Physics> for Watch<'_> {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        (self.observer)(event);
        let [news] = match event {
            Event::Impact(impact) => {
                let by_kind = |kind| impact.user_data.into_iter().find(|&note| kind_of(note) == kind);
                let (Some(ship), Some(bullet)) = (by_kind(SHIP), by_kind(BULLET)) else {
                    return ControlFlow::Continue(());
                };
                [News::Hit { ship: ship_of(ship), by: ship_of(bullet), place: impact.point }]
            }
            Event::Timer { note, .. } => [News::Turn { ship: ship_of(*note) }],
            _ => return ControlFlow::Continue(()),
        };
        self.news.push(news);
        ControlFlow::Break(())
    }
}

/// The state of a game. A clone is another game that goes on in the same way; saved and loaded it does, too.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Game {
    world: World<Physics>,
    inputs: Inputs<Action>,
    ships: Vec<Ship>,
    lives: u32,
    score: [u32; 2],
    flashes: Vec<Flash>,
}

impl Game {
    /// Half of the width and height of the field, whose centre is the origin.
    pub const HALF: DVec2 = DVec2::new(16.0, 9.0);
    /// Radius of a ship.
    pub const SHIP: f64 = 0.5;
    /// Radius of a bullet.
    pub const BULLET: f64 = 0.09;
    /// Greatest speed at which a ship steers.
    pub const SPEED: f64 = 5.0;
    /// Speed of a bullet.
    pub const SHOT: f64 = 11.0;
    /// Seconds between two shots of a ship.
    pub const RELOAD: f64 = 0.12;
    /// Seconds for which a ship without lives waits.
    pub const WAIT: f64 = 2.0;
    /// Centres and radii of the rocks.
    pub const ROCKS: [(DVec2, f64); 5] = [
        (DVec2::new(0.0, 0.0), 1.6),
        (DVec2::new(-5.5, 4.4), 1.0),
        (DVec2::new(5.5, -4.4), 1.0),
        (DVec2::new(-4.0, -5.2), 0.7),
        (DVec2::new(4.0, 5.2), 0.7),
    ];
    /// Seconds for which a hit is drawn.
    pub(super) const FLASH: f64 = 0.6;

    /// The start of a game.
    ///
    /// # Errors
    /// [`carom::Error::OutOfRange`] if there are not 1 to 10 ships in a team, or they have no lives.
    pub fn new(options: &Options) -> Result<Self, Error> {
        let (ships, lives) = (options.ships as f64, f64::from(options.lives));
        for (field, value, most, allowed) in
            [("ships", ships, 10.0, "a number from 1 to 10"), ("lives", lives, f64::MAX, "at least 1")]
        {
            if !(1.0..=most).contains(&value) {
                return Err(carom::Error::OutOfRange { field, value, allowed }.into());
            }
        }
        let settings = Settings::default().with_scheduler(options.scheduler).with_record_events(false);
        // A ship feels the hit. Bullets never meet bullets.
        let rules = Rules::Spent { kind: BULLET };
        let mut world = World::with_physics(Judged::new(Smooth, rules), settings)?;
        world.add_wall(Wall::container(-Self::HALF, Self::HALF).with_groups(ROCKS, !0))?;
        for (center, radius) in Self::ROCKS {
            world.add_wall(Wall::disc(center, radius).with_groups(ROCKS, !0))?;
        }
        let mut ships = Vec::new();
        for player in 0..2 * options.ships {
            let team = 1 + (player % 2) as u32;
            let side = if team == 1 { -1.0 } else { 1.0 };
            let row = (player / 2) as f64 - 0.5 * (options.ships - 1) as f64;
            let home = DVec2::new(side * (Self::HALF.x - 2.0), row * 1.6 * side);
            let disc = Disc::new(home, Self::SHIP)
                .with_groups(SHIPS, !0)
                .with_team(team)
                .with_user_data(note(SHIP, player));
            let heading = DVec2::new(-side, 0.0);
            let disc = world.insert(disc)?;
            ships.push(Ship { disc, team, lives: options.lives, heading, loaded: 0.0, home });
        }
        Ok(Game {
            world,
            inputs: Inputs::default(),
            ships,
            lives: options.lives,
            score: [0; 2],
            flashes: Vec::new(),
        })
    }

    /// Takes an input, to be applied at its time.
    ///
    /// # Errors
    /// [`Error::Late`], [`Error::NoSuchPlayer`].
    pub fn input(&mut self, input: Input<Action>) -> Result<(), Error> {
        self.inputs.push(input, self.ships.len(), self.now())
    }

    /// Plays up to a time, in seconds since the start.
    ///
    /// The world runs from input to input, and stops at each hit of a ship and at each timer: what the rules
    /// change then, they change at that time.
    ///
    /// # Errors
    /// If the time is over or not finite; [`Error::OutOfBudget`].
    pub fn advance_to(&mut self, time: f64) -> Result<(), Error> {
        self.advance_to_with(time, &mut |_| {})
    }

    /// As [`Game::advance_to`], with an observer of all events: for sounds, particles and replays.
    ///
    /// # Errors
    /// As [`Game::advance_to`].
    pub fn advance_to_with(&mut self, time: f64, observer: &mut dyn FnMut(&Event)) -> Result<(), Error> {
        while let Some(input) = self.inputs.take_until(time) {
            self.run_to(input.time, observer)?;
            self.apply(&input)?;
        }
        self.run_to(time, observer)?;
        let now = self.now();
        self.flashes.retain(|flash| flash.time > now - Self::FLASH);
        Ok(())
    }

    fn run_to(&mut self, time: f64, observer: &mut dyn FnMut(&Event)) -> Result<(), Error> {
        let mut watch = Watch { news: Vec::new(), observer };
        loop {
            let done = self.world.advance_to_with(time, &mut watch)?;
            for news in watch.news.drain(..) {
                match news {
                    News::Hit { ship, by, place } => self.hit(ship, by, place)?,
                    News::Turn { ship } => self.next_turn(ship)?,
                }
            }
            match done.end {
                StopReason::Reached => return Ok(()),
                StopReason::Stopped => {}
                _ => return Err(Error::OutOfBudget { time: self.now() }),
            }
        }
    }

    fn hit(&mut self, ship: usize, by: usize, place: DVec2) -> Result<(), Error> {
        let now = self.now();
        let team = self.ships[by].team;
        let target = &mut self.ships[ship];
        // A second hit of the same instant.
        if target.lives == 0 {
            return Ok(());
        }
        target.lives -= 1;
        let is_last = target.lives == 0;
        self.score[team as usize - 1] += if is_last { 5 } else { 1 };
        self.flashes.push(Flash { time: now, place, team: target.team, is_last });
        if is_last {
            self.world.set_enabled(target.disc, false)?;
            self.world.set_timer(Self::WAIT, ship as u64)?;
        }
        Ok(())
    }

    fn next_turn(&mut self, ship: usize) -> Result<(), Error> {
        let ship = &mut self.ships[ship];
        ship.lives = self.lives;
        self.world.set_position(ship.disc, ship.home)?;
        self.world.set_velocity(ship.disc, DVec2::ZERO)?;
        // What it overlaps there it passes through until they have parted.
        self.world.set_enabled(ship.disc, true)?;
        Ok(())
    }

    fn apply(&mut self, input: &Input<Action>) -> Result<(), Error> {
        let ship = &mut self.ships[input.player];
        if ship.lives == 0 {
            return Ok(());
        }
        match input.action {
            Action::Steer(velocity) => {
                self.world.set_velocity(ship.disc, velocity.clamp_length_max(Self::SPEED))?;
            }
            Action::Fire(direction) => {
                let heading = direction.normalize_or_zero();
                let Some(from) = self.world.get(ship.disc).map(|disc| disc.position()) else { return Ok(()) };
                if heading == DVec2::ZERO || input.time < ship.loaded {
                    return Ok(());
                }
                (ship.heading, ship.loaded) = (heading, input.time + Self::RELOAD);
                // From within its own ship, which is of the same team.
                let bullet = Disc::new(from, Self::BULLET)
                    .with_velocity(heading * Self::SHOT)
                    .with_mass(0.02)
                    .with_groups(BULLETS, !BULLETS)
                    .with_team(ship.team)
                    .with_user_data(note(BULLET, input.player))
                    .with_overlap();
                self.world.insert(bullet)?;
            }
        }
        Ok(())
    }

    /// Seconds since the start.
    #[must_use]
    pub fn now(&self) -> f64 {
        self.world.now().as_secs()
    }

    /// The world, to be looked at.
    #[must_use]
    pub fn world(&self) -> &World<Physics> {
        &self.world
    }

    /// The ships, in the order of the players.
    #[must_use]
    pub fn ships(&self) -> &[Ship] {
        &self.ships
    }

    /// Points of the two teams: one for a hit, five for the last life.
    #[must_use]
    pub fn score(&self) -> [u32; 2] {
        self.score
    }

    /// How many bullets fly.
    #[must_use]
    pub fn bullets(&self) -> usize {
        self.world.len() - self.ships.len()
    }

    /// Where a ship is; `None` while it waits.
    #[must_use]
    pub fn place(&self, player: usize) -> Option<DVec2> {
        let ship = self.ships.get(player).filter(|ship| ship.lives > 0)?;
        self.world.get(ship.disc).map(|disc| disc.position())
    }

    /// Where a ship begins.
    pub(super) fn home(&self, player: usize) -> DVec2 {
        self.ships[player].home
    }

    pub(super) fn flashes(&self) -> &[Flash] {
        &self.flashes
    }

    /// The team whose bullet this user data is of.
    pub(super) fn bullet_team(&self, note: u64) -> Option<u32> {
        (kind_of(note) == BULLET).then(|| self.ships[ship_of(note)].team)
    }
}

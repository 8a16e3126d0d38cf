use super::Action;
use crate::random::Random;
use crate::rules::{BULLET, ROCK, ROCK_RADIUS, SHIP, kind_of, note, number_of, rock, rock_radius};
use crate::{Error, FallingRules, Input, Inputs};
use carom::{
    DVec2, Disc, DiscForces, DiscId, Event, Forces, Judged, SchedulerKind, Settings, Sink, Standstill,
    StopReason, World,
};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// The physics of the game: discs with forces and its rules.
pub type Physics = Judged<Forces, FallingRules>;

type Seen<'a> = &'a mut dyn FnMut(&Event<Standstill>);

/// How a game begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Where the rocks of the waves are.
    pub seed: u64,
    /// Ships, 1 to 4. They fly through each other, and so do their bullets.
    pub ships: usize,
    /// Large rocks of the first wave, 1 to 10. Each wave has one more, up to ten.
    pub rocks: usize,
    /// Which scheduler the world has: the bits of a game do not depend on it.
    pub scheduler: SchedulerKind,
}

impl Default for Options {
    fn default() -> Self {
        Options { seed: 1, ships: 1, rocks: 4, scheduler: SchedulerKind::Fastest }
    }
}

/// One of the ships.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ship {
    /// Its disc, which is off the plane while it waits.
    pub disc: DiscId,
    /// Where it looks: a unit vector.
    pub heading: DVec2,
    /// Whether its engine is on.
    pub thrusts: bool,
    /// Whether it waits to come again.
    pub waits: bool,
    /// How often it was lost.
    pub lost: u32,
    /// Points of its bullets.
    pub score: u32,
    /// When the gun is loaded again.
    loaded: f64,
    home: DVec2,
}

/// What the rules wait for.
#[derive(Clone, Copy)]
enum News {
    /// A rock of this class was hit by the bullet with this note.
    Split { class: u32, place: DVec2, by: u64 },
    /// A ship was lost.
    Lost { ship: usize, place: DVec2 },
    /// The time of a bullet or of a ship has come, or that of the next wave.
    Timer(u64),
}

/// Stops the run at what the rules wait for, and shows all events to an observer.
struct Watch<'a> {
    news: Vec<News>,
    observer: Seen<'a>,
}

impl Sink<Physics> for Watch<'_> {
    fn event(&mut self, event: &Event<Standstill>) -> ControlFlow<()> {
        (self.observer)(event);
        let news = match event {
            Event::Removed(gone) if kind_of(gone.user_data) == ROCK => {
                let class = number_of(gone.user_data);
                News::Split { class, place: gone.position, by: gone.by_user_data }
            }
            Event::Captured(gone) => {
                News::Lost { ship: number_of(gone.user_data) as usize, place: gone.position }
            }
            Event::Timer { note, .. } => News::Timer(*note),
            _ => return ControlFlow::Continue(()),
        };
        self.news.push(news);
        ControlFlow::Break(())
    }
}

/// What was hit lately, to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Flash {
    pub(super) time: f64,
    pub(super) place: DVec2,
    pub(super) size: f64,
}

/// The state of a game. A clone is another game that goes on in the same way; saved and loaded it does, too.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Game {
    world: World<Physics>,
    inputs: Inputs<Action>,
    ships: Vec<Ship>,
    seed: u64,
    rocks: usize,
    wave: u32,
    /// Bullets that were ever fired.
    fired: u32,
    flashes: Vec<Flash>,
}

/// The user data of the timer of the next wave.
const WAVE: u64 = 4;

/// Cosine and sine of 5°, by which a ship turns at each step.
const STEP: DVec2 = DVec2::new(0.996_194_698_091_745_5, 0.087_155_742_747_658_17);

impl Game {
    /// Width and height of the plane, after which it repeats itself.
    pub const SIZE: DVec2 = DVec2::new(24.0, 16.0);
    /// Radius of a ship.
    pub const SHIP: f64 = 0.35;
    /// Mass of a ship.
    pub const SHIP_MASS: f64 = 0.5;
    /// Acceleration of a ship whose engine is on.
    pub const THRUST: f64 = 6.0;
    /// Radius of a bullet.
    pub const BULLET: f64 = 0.08;
    /// Mass of a bullet.
    pub const BULLET_MASS: f64 = 0.05;
    /// Speed of a bullet beside that of its ship.
    pub const SHOT: f64 = 12.0;
    /// Seconds for which a bullet flies.
    pub const FLIGHT: f64 = 1.1;
    /// Seconds between two shots of a ship.
    pub const RELOAD: f64 = 0.2;
    /// Seconds for which a ship that was lost waits, and between two waves.
    pub const WAIT: f64 = 2.0;
    /// Radius of a large rock, whose mass is 4. A half has half of the radius, and half of the mass.
    pub const ROCK: f64 = ROCK_RADIUS;
    /// Points for a rock of each class.
    pub const POINTS: [u32; 3] = [100, 50, 20];
    /// Ships of a game at most.
    pub const MOST_SHIPS: usize = 4;
    /// Rocks of a wave at most.
    const MOST_ROCKS: usize = 10;
    /// Seconds for which a hit is drawn.
    pub(super) const FLASH: f64 = 0.6;

    /// The start of a game.
    ///
    /// # Errors
    /// [`carom::Error::OutOfRange`] if there are not 1 to 4 ships, or not 1 to 10 rocks.
    pub fn new(options: &Options) -> Result<Self, Error> {
        let (ships, rocks) = (options.ships, options.rocks);
        for (field, value, most, allowed) in [
            ("ships", ships, Self::MOST_SHIPS, "a number from 1 to 4"),
            ("rocks", rocks, Self::MOST_ROCKS, "a number from 1 to 10"),
        ] {
            if !(1..=most).contains(&value) {
                return Err(carom::Error::OutOfRange { field, value: value as f64, allowed }.into());
            }
        }
        let settings = Settings::default()
            .with_period([Some(Self::SIZE.x), Some(Self::SIZE.y)])
            .with_scheduler(options.scheduler)
            .with_record_events(false);
        let mut world = World::with_physics(Judged::new(Forces::new(), FallingRules::Asteroids), settings)?;
        let mut fleet = Vec::new();
        for player in 0..ships {
            let row = player as f64 - 0.5 * (ships - 1) as f64;
            let home = 0.5 * Self::SIZE + DVec2::new(2.0 * row, 0.0);
            let disc = Disc::new(home, Self::SHIP)
                .with_mass(Self::SHIP_MASS)
                .with_groups(1 << SHIP, 1 << ROCK)
                .with_user_data(note(SHIP, player as u32))
                .with_overlap();
            let (disc, heading) = (world.insert(disc)?, DVec2::Y);
            fleet.push(Ship {
                disc,
                heading,
                thrusts: false,
                waits: false,
                lost: 0,
                score: 0,
                loaded: 0.0,
                home,
            });
        }
        let inputs = Inputs::default();
        let (seed, flashes) = (options.seed, Vec::new());
        let mut game = Game { world, inputs, ships: fleet, seed, rocks, wave: 0, fired: 0, flashes };
        game.begin_wave()?;
        Ok(game)
    }

    /// Radius of a rock of a class: 3 for a large one, which splits twice, to 1 for a small one.
    #[must_use]
    pub fn rock_radius(class: u32) -> f64 {
        rock_radius(class)
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
    /// The world runs from input to input, and stops at what the rules wait for: what they change then, they
    /// change at that time.
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
    pub fn advance_to_with(&mut self, time: f64, observer: Seen<'_>) -> Result<(), Error> {
        while let Some(input) = self.inputs.take_until(time) {
            self.run_to(input.time, observer)?;
            self.apply(&input)?;
        }
        self.run_to(time, observer)?;
        let now = self.now();
        self.flashes.retain(|flash| flash.time > now - Self::FLASH);
        Ok(())
    }

    fn run_to(&mut self, time: f64, observer: Seen<'_>) -> Result<(), Error> {
        let mut watch = Watch { news: Vec::new(), observer };
        loop {
            let done = self.world.advance_to_with(time, &mut watch)?;
            for news in watch.news.drain(..) {
                match news {
                    News::Split { class, place, by } => self.split(class, place, by)?,
                    News::Lost { ship, place } => self.lose(ship, place)?,
                    News::Timer(note) => self.timer(note)?,
                }
            }
            match done.end {
                StopReason::Reached => return Ok(()),
                StopReason::Stopped => {}
                _ => return Err(Error::OutOfBudget { time: self.now() }),
            }
        }
    }

    fn split(&mut self, class: u32, place: DVec2, by: u64) -> Result<(), Error> {
        let (time, size) = (self.now(), Self::rock_radius(class));
        self.flashes.push(Flash { time, place, size });
        let points = Self::POINTS[class.clamp(1, 3) as usize - 1];
        if let Some(ship) = self.ships.get_mut(number_of(by) as usize % Self::MOST_SHIPS) {
            ship.score += points;
        }
        // Halves may still have to come: whether none is left is seen then.
        if class == 1 && self.rocks().next().is_none() {
            self.world.set_timer(Self::WAIT, note(WAVE, 0))?;
        }
        Ok(())
    }

    fn lose(&mut self, ship: usize, place: DVec2) -> Result<(), Error> {
        let time = self.now();
        self.flashes.push(Flash { time, place, size: 2.0 });
        let lost = &mut self.ships[ship];
        (lost.waits, lost.thrusts, lost.lost) = (true, false, lost.lost + 1);
        self.world.set_timer(Self::WAIT, note(SHIP, ship as u32))?;
        Ok(())
    }

    fn timer(&mut self, timer: u64) -> Result<(), Error> {
        match kind_of(timer) {
            BULLET => {
                let bullet = self.world.discs().find(|(_, disc)| disc.user_data == timer);
                if let Some((id, _)) = bullet {
                    self.world.remove(id)?;
                }
                Ok(())
            }
            SHIP => self.come_again(number_of(timer) as usize),
            _ if self.rocks().next().is_none() => self.begin_wave(),
            _ => Ok(()),
        }
    }

    fn come_again(&mut self, ship: usize) -> Result<(), Error> {
        let ship = &mut self.ships[ship];
        ship.waits = false;
        // It was captured, and is put back with this. What it overlaps there it passes through until they
        // have parted.
        self.world.set_position(ship.disc, ship.home)?;
        self.world.set_velocity(ship.disc, DVec2::ZERO)?;
        self.world.set_body(ship.disc, DiscForces::default())?;
        Ok(())
    }

    /// Puts rocks where there is room, away from where ships come.
    fn begin_wave(&mut self) -> Result<(), Error> {
        let mut random = Random::new(self.seed.wrapping_add(u64::from(self.wave) << 32));
        let rocks = (self.rocks + self.wave as usize).min(Self::MOST_ROCKS);
        self.wave += 1;
        let (mut placed, mut tries) = (0, 0);
        while placed < rocks && tries < 1000 {
            tries += 1;
            let half = 0.5 * Self::SIZE;
            let place = half + random.vector(1.0) * half;
            let velocity = random.vector(2.0);
            let is_near = |ship: &Ship| {
                let there = self.place_of(ship).unwrap_or(ship.home);
                self.world.periods().nearest(there - place).length() < 2.5 * Self::ROCK
            };
            if self.ships.iter().any(is_near) {
                continue;
            }
            match self.world.insert(rock(3, place, velocity, 4.0)) {
                Ok(_) => placed += 1,
                Err(carom::Error::OverlapsDisc { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn apply(&mut self, input: &Input<Action>) -> Result<(), Error> {
        let ship = &mut self.ships[input.player];
        if ship.waits {
            return Ok(());
        }
        match input.action {
            Action::Turn(steps) => {
                let step = if steps < 0 { DVec2::new(STEP.x, -STEP.y) } else { STEP };
                for _ in 0..steps.unsigned_abs() {
                    ship.heading = ship.heading.rotate(step).normalize();
                }
            }
            Action::Thrust(thrusts) => ship.thrusts = thrusts,
            Action::Fire => return self.fire(input.player, input.time),
        }
        let acceleration = if ship.thrusts { ship.heading * Self::THRUST } else { DVec2::ZERO };
        self.world.set_body(ship.disc, DiscForces { acceleration, ..DiscForces::default() })?;
        Ok(())
    }

    fn fire(&mut self, player: usize, time: f64) -> Result<(), Error> {
        let ship = &mut self.ships[player];
        let Some(disc) = self.world.get(ship.disc) else { return Ok(()) };
        if time < ship.loaded {
            return Ok(());
        }
        ship.loaded = time + Self::RELOAD;
        // Of the ship that fires it, and another one than all that fly.
        let number = (self.fired % (1 << 29)) * Self::MOST_SHIPS as u32 + player as u32;
        let bullet = Disc::new(disc.position(), Self::BULLET)
            .with_velocity(disc.velocity() + ship.heading * Self::SHOT)
            .with_mass(Self::BULLET_MASS)
            .with_groups(1 << BULLET, 1 << ROCK)
            .with_user_data(note(BULLET, number))
            .with_overlap();
        self.world.insert(bullet)?;
        self.world.set_timer(Self::FLIGHT, note(BULLET, number))?;
        self.fired += 1;
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

    /// Waves that have begun.
    #[must_use]
    pub fn wave(&self) -> u32 {
        self.wave
    }

    /// How many bullets fly.
    #[must_use]
    pub fn bullets(&self) -> usize {
        self.world.discs().filter(|(_, disc)| kind_of(disc.user_data) == BULLET).count()
    }

    /// The rocks: their classes and discs.
    pub fn rocks(&self) -> impl Iterator<Item = (u32, Disc<DiscForces>)> + '_ {
        let discs = self.world.discs().map(|(_, disc)| disc);
        let rocks = discs.filter(|disc| kind_of(disc.user_data) == ROCK);
        rocks.map(|disc| (number_of(disc.user_data), disc))
    }

    /// Where a ship is; `None` while it waits.
    #[must_use]
    pub fn place(&self, player: usize) -> Option<DVec2> {
        self.place_of(self.ships.get(player)?)
    }

    fn place_of(&self, ship: &Ship) -> Option<DVec2> {
        let disc = self.world.get(ship.disc).filter(|_| !ship.waits)?;
        Some(disc.position())
    }

    pub(super) fn flashes(&self) -> &[Flash] {
        &self.flashes
    }

    pub(super) fn is_bullet(user_data: u64) -> bool {
        kind_of(user_data) == BULLET
    }
}

//! A gas without a window: a world of many equal discs, what is measured in it, and its colours.

use super::order::Order;
use carom_engine::math::Shown;
use carom_engine::{DVec2, Disc, DiscId, Event, Impact, Settings, Sink, StopReason, Wall, World};
use carom_observe::{Ensemble, Freedom, Tally, compressibility, contact_value_luding};
use carom_scene::{Gas as Start, Periodic, Placement, Radii, Region, Scene, SceneWall};
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// The radius of a disc; the diameter is the unit of length.
pub(crate) const RADIUS: f64 = 0.5;
/// This many events happen between two looks at the clock.
const SLICE: u64 = 200;
/// The densest gas that is placed at random; denser ones begin on a lattice.
const DENSEST_RANDOM: f64 = 0.44;
/// Seconds of the window between two samples.
const SAMPLE: f64 = 0.25;
/// The most samples, a minute of the window.
const SAMPLES: usize = 240;
/// Rates are means over this many samples.
const RECENT: usize = 8;

/// How a gas begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GasOptions {
    /// The number of discs, from 1 to 10⁶.
    pub count: usize,
    /// The part of the box that discs cover, from 0.001 to 0.85.
    pub packing: f64,
    /// Whether what leaves the box on one side enters on the other; else there are walls.
    pub is_periodic: bool,
    /// The seed of places and velocities.
    pub seed: u64,
}

impl Default for GasOptions {
    fn default() -> Self {
        GasOptions { count: 100_000, packing: 0.6, is_periodic: true, seed: 1 }
    }
}

/// What has been measured up to a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GasSample {
    /// Seconds of the window while the gas ran.
    pub clock: f64,
    /// Seconds of the gas.
    pub time: f64,
    /// Impacts of disc on disc, and their virial.
    pub tally: Tally,
    /// Kinetic energy, relative to what it was at first, less 1.
    pub drift: f64,
}

/// A gas of equal hard discs of mass 1 and diameter 1, at a temperature of 1, in a square.
///
/// It runs as fast as it is asked to, or as fast as the engine can in the time that a frame has for it. What
/// is shown is always a state that the engine has reached, at its exact time.
#[derive(Debug)]
pub struct Gas {
    options: GasOptions,
    world: World,
    side: f64,
    places: Vec<DVec2>,
    notes: Notes,
    order: Order,
    is_playing: bool,
    speed: f64,
    pace: f64,
    first_energy: f64,
    ensemble: Ensemble,
    clock: f64,
    samples: VecDeque<GasSample>,
    message: String,
}

/// What the last impact of each disc has left, by slot; and the sums over all.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) speeds: Vec<f32>,
    pub(crate) lasts: Vec<f64>,
    pub(crate) counts: Vec<u32>,
    pub(crate) tally: Tally,
}

impl Notes {
    fn put(&mut self, disc: DiscId, velocity: DVec2, time: f64) {
        let slot = disc.slot() as usize;
        if let Some(speed) = self.speeds.get_mut(slot) {
            *speed = velocity.length() as f32;
        }
        if let Some(last) = self.lasts.get_mut(slot) {
            *last = time;
        }
        if let Some(count) = self.counts.get_mut(slot) {
            *count += 1;
        }
    }

    fn take(&mut self, impact: &Impact) {
        let time = impact.time.as_secs();
        self.put(impact.a, impact.after[0], time);
        if let Some(other) = impact.b.disc() {
            self.put(other, impact.after[1], time);
            self.tally.add(2.0 * RADIUS, impact.impulse);
        }
    }
}

impl Sink for Notes {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        if let Event::Impact(impact) = event {
            self.take(impact);
        }
        ControlFlow::Continue(())
    }
}

impl Gas {
    /// What is said of a number of discs that is not in range.
    pub(super) const ALLOWED_COUNT: &'static str = "allowed: a whole number from 1 to 1000000";

    /// A gas that has not begun to run.
    ///
    /// # Errors
    /// With a message if a number is out of range.
    pub fn new(options: GasOptions) -> Result<Self, String> {
        let (count, packing) = (options.count, options.packing);
        if !(1..=1_000_000).contains(&count) {
            return Err(format!("the number of discs is {count}; {}", Self::ALLOWED_COUNT));
        }
        if !(0.001..=0.85).contains(&packing) {
            return Err(format!("the packing fraction is {}; allowed: 0.001 to 0.85", Shown(packing)));
        }
        let (mut world, side) = build(options)?;
        world.set_record_events(false);
        // Everything is scheduled here, which takes longer than a frame where there are many.
        world.next_event();
        let mut notes = Notes::default();
        for (_, disc) in world.discs() {
            notes.speeds.push(disc.velocity.length() as f32);
        }
        notes.lasts = vec![f64::NEG_INFINITY; world.len()];
        notes.counts = vec![0; world.len()];
        let energy = world.kinetic_energy();
        let ensemble = if options.is_periodic && count > 1 {
            Ensemble::of_period(&world)
        } else {
            let open = side - 2.0 * RADIUS;
            Ensemble::new(count, open * open, energy, Freedom::Walls)
        };
        let mut places = vec![DVec2::ZERO; world.len()];
        world.read_positions(&mut places).map_err(|error| error.to_string())?;
        let mut gas = Gas {
            options,
            order: Order::new(world.len(), side, options.is_periodic),
            side,
            places,
            notes,
            is_playing: true,
            speed: 2.0,
            pace: 1.0,
            first_energy: energy,
            ensemble: ensemble.map_err(|error| error.to_string())?,
            clock: 0.0,
            samples: VecDeque::new(),
            message: String::new(),
            world,
        };
        gas.sample();
        Ok(gas)
    }

    /// A frame of the window, `seconds` long: the gas goes on by the speed that is asked for, in slices of
    /// two hundred events for as long as `has_time` says so. Says how many events there were.
    pub fn frame(&mut self, seconds: f64, mut has_time: impl FnMut() -> bool) -> u64 {
        if !self.is_playing {
            return 0;
        }
        let seconds = seconds.clamp(0.0, 0.1);
        let start = self.world.now();
        let wanted = self.speed * seconds;
        let until = start.as_secs() + wanted;
        self.world.set_budget(SLICE);
        let mut events = 0;
        loop {
            let done = match self.world.advance_to_with(until, &mut self.notes) {
                Ok(done) => done,
                Err(error) => {
                    self.stop(error.to_string());
                    break;
                }
            };
            events += done.events;
            match done.end {
                StopReason::Reached => break,
                StopReason::OutOfBudget if has_time() => {}
                StopReason::OutOfBudget => break,
                other => {
                    self.stop(format!("the gas cannot go on: {other:?}"));
                    break;
                }
            }
        }
        let reached = self.world.now().since(start);
        let pace = if wanted > 0.0 { (reached / wanted).min(1.0) } else { 1.0 };
        // Smooth enough to be read.
        self.pace += 0.1 * (pace - self.pace);
        self.clock += seconds;
        _ = self.world.read_positions(&mut self.places);
        self.order.moved();
        if self.samples.back().is_none_or(|last| self.clock - last.clock >= SAMPLE) {
            self.sample();
        }
        events
    }

    fn stop(&mut self, why: String) {
        self.is_playing = false;
        self.message = why;
    }

    fn sample(&mut self) {
        let drift = if self.first_energy > 0.0 {
            (self.world.kinetic_energy() - self.first_energy) / self.first_energy
        } else {
            0.0
        };
        let time = self.world.now().as_secs();
        self.samples.push_back(GasSample { clock: self.clock, time, tally: self.notes.tally, drift });
        if self.samples.len() > SAMPLES {
            self.samples.pop_front();
        }
    }

    /// Brings the order ψ₆ of a part of the discs up to date, of a thousand; what it costs is a few
    /// milliseconds. Says whether anything was to be done.
    pub fn update_order(&mut self) -> bool {
        self.order.update(&self.places, *self.world.periods())
    }

    /// Whether [`Gas::update_order`] has something to do.
    #[must_use]
    pub fn is_order_behind(&self) -> bool {
        self.order.is_behind()
    }

    /// How it began.
    #[must_use]
    pub fn options(&self) -> GasOptions {
        self.options
    }

    /// The world, to be looked at.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The length of a side of the box, in diameters.
    #[must_use]
    pub fn side(&self) -> f64 {
        self.side
    }

    /// The centres of the discs, by slot.
    #[must_use]
    pub fn places(&self) -> &[DVec2] {
        &self.places
    }

    pub(crate) fn notes(&self) -> &Notes {
        &self.notes
    }

    /// The order ψ₆ of each disc, real and imaginary part, and the number of its neighbours, as far as
    /// [`Gas::update_order`] has come.
    #[must_use]
    pub fn order(&self) -> (&[[f32; 2]], &[u8]) {
        self.order.local()
    }

    /// Whether it runs.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.is_playing
    }

    /// Lets it run, or stops it.
    pub fn play(&mut self, is_playing: bool) {
        self.is_playing = is_playing;
    }

    /// Seconds of the gas in a second of the window, as they are asked for.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Asks for a speed, from 10⁻⁶ to 10⁶; other numbers are ignored.
    pub fn set_speed(&mut self, speed: f64) {
        if (1e-6..=1e6).contains(&speed) {
            self.speed = speed;
        }
    }

    /// The part of the speed that the engine keeps up with, 1 if all; over some ten frames.
    #[must_use]
    pub fn pace(&self) -> f64 {
        self.pace
    }

    /// What has been measured, four times in a second of the window, for a minute.
    #[must_use]
    pub fn samples(&self) -> &VecDeque<GasSample> {
        &self.samples
    }

    /// Impacts of disc on disc in a second of the window, and in a second of the gas, over the last two
    /// seconds of the window.
    #[must_use]
    pub fn rates(&self) -> (f64, f64) {
        let (Some(last), Some(first)) =
            (self.samples.back(), self.samples.iter().rev().take(RECENT).next_back())
        else {
            return (0.0, 0.0);
        };
        let impacts = (last.tally.impacts - first.tally.impacts) as f64;
        let rate = |duration: f64| if duration > 0.0 { impacts / duration } else { 0.0 };
        (rate(last.clock - first.clock), rate(last.time - first.time))
    }

    /// The pressure as the compressibility factor PA/NkT by the virial, between two samples.
    fn compressibility_between(&self, first: &GasSample, last: &GasSample) -> Option<f64> {
        let tally = Tally {
            impacts: last.tally.impacts - first.tally.impacts,
            virial: last.tally.virial - first.tally.virial,
        };
        let duration = last.time - first.time;
        let is_measured = duration > 0.0 && tally.impacts > 0;
        is_measured.then(|| self.ensemble.beta_pa_by_virial(&tally, duration) / self.options.count as f64)
    }

    /// The pressure as the compressibility factor PA/NkT by the virial, over the samples of the last minute;
    /// none if there was no impact.
    #[must_use]
    pub fn compressibility(&self) -> Option<f64> {
        self.compressibility_between(self.samples.front()?, self.samples.back()?)
    }

    /// The same over each two seconds of the window, to be plotted over the time of the gas.
    #[must_use]
    pub fn compressibility_over_time(&self) -> Vec<(f64, f64)> {
        let pairs = self.samples.iter().zip(self.samples.iter().skip(RECENT));
        pairs
            .filter_map(|(first, last)| Some((last.time, self.compressibility_between(first, last)?)))
            .collect()
    }

    /// What Luding's equation of state says of a fluid of this density.
    #[must_use]
    pub fn expected_compressibility(&self) -> f64 {
        compressibility(self.options.packing, contact_value_luding(self.options.packing))
    }

    /// What is said to the user; empty if nothing is.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Says something to the user.
    pub fn say(&mut self, message: String) {
        self.message = message;
    }
}

/// The world, and the length of the side of its box.
fn build(options: GasOptions) -> Result<(World, f64), String> {
    let GasOptions { count, packing, is_periodic, seed } = options;
    let side = (count as f64 * std::f64::consts::PI / packing).sqrt() * RADIUS;
    if count == 1 {
        return one(side, is_periodic).map(|world| (world, side)).map_err(|error| error.to_string());
    }
    let (min, max) = (DVec2::ZERO, DVec2::splat(side));
    let mut start = Start::new(count as u64, Radii::Same(RADIUS), Region::Rectangle { min, max }, seed);
    start.placement = if packing > DENSEST_RANDOM { Placement::Hexagonal } else { Placement::Random };
    start.temperature = Some(1.0);
    start.zero_momentum = true;
    start.exact_temperature = true;
    let mut scene = Scene::new("gas");
    scene.gases.push(start);
    if is_periodic {
        scene.periodic = Periodic { x: Some(side), y: Some(side), ..Periodic::default() };
    } else {
        scene.walls.push(SceneWall::new(carom_engine::WallShape::Container { min, max }));
    }
    let built = scene.build().map_err(|error| error.to_string())?;
    Ok((built.world, side))
}

fn one(side: f64, is_periodic: bool) -> Result<World, carom_engine::Error> {
    let period = if is_periodic { [Some(side); 2] } else { [None; 2] };
    let mut world = World::with_settings(Settings::default().with_period(period))?;
    if !is_periodic {
        world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(side)))?;
    }
    let middle = DVec2::splat(0.5 * side);
    world.insert(Disc::new(middle, RADIUS).with_velocity([1.0, 0.5]))?;
    Ok(world)
}

use super::{Order, Power};
use crate::{Error, Input, Inputs, Rules};
use carom::{
    DVec2, Disc, DiscId, Event, Judged, Region, SchedulerKind, Settings, Simultaneous, Sink, Smooth,
    StopReason, World,
};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// The physics of the game: smooth discs and its rules.
pub type Physics = Judged<Smooth, Rules>;

/// How a race begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Checkpoints in the order in which they are passed, each more than two radii from the one before.
    pub checkpoints: Vec<DVec2>,
    /// Place and velocity of each pod.
    pub starts: Vec<(DVec2, DVec2)>,
    /// Which scheduler the world has: the bits of a race do not depend on it.
    pub scheduler: SchedulerKind,
}

impl Default for Options {
    /// A course of five checkpoints for four pods.
    fn default() -> Self {
        let course =
            [(12460.0, 1350.0), (10540.0, 5980.0), (13600.0, 7600.0), (3580.0, 5180.0), (4500.0, 1800.0)];
        let checkpoints: Vec<DVec2> = course.into_iter().map(DVec2::from).collect();
        // Side by side behind the line, across the way to the first checkpoint.
        let (line, across) = (checkpoints[4], (checkpoints[0] - checkpoints[4]).normalize().perp());
        let start = |k: f64| ((line + across * (1000.0 * (k - 1.5))).round(), DVec2::ZERO);
        let starts = [0.0, 1.0, 2.0, 3.0].map(start).to_vec();
        Options { checkpoints, starts, scheduler: SchedulerKind::Fastest }
    }
}

/// One of the pods.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pod {
    /// Its disc.
    pub disc: DiscId,
    /// Where it looks: a unit vector.
    pub heading: DVec2,
    /// How many checkpoints it has passed; the next one follows from that.
    pub passed: u32,
    /// When it passed the last one, in turns.
    pub passed_at: f64,
    /// Turns for which it has no thrust after a shield.
    pub recharging: u32,
    /// Whether it has used its boost.
    pub is_boosted: bool,
    order: Option<Order>,
    /// Where it was at the ends of the last turns.
    trail: VecDeque<DVec2>,
}

/// Which pods entered which checkpoints, and when. Nothing that stops the run: the rules change nothing
/// before the next turn.
struct Gates<'a> {
    entered: Vec<(usize, u32, f64)>,
    observer: &'a mut dyn FnMut(&Event),
}

impl Sink<Physics> for Gates<'_> {
    fn event(&mut self, event: &Event) -> ControlFlow<()> {
        (self.observer)(event);
        if let Event::Entered(crossing) = event {
            let [pod, gate] = crossing.user_data;
            self.entered.push((pod as usize, gate as u32, crossing.time.as_secs()));
        }
        ControlFlow::Continue(())
    }
}

/// The state of a race. A clone is another race that goes on in the same way; saved and loaded it does, too.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Game {
    world: World<Physics>,
    inputs: Inputs<Order>,
    pods: Vec<Pod>,
    checkpoints: Vec<DVec2>,
    /// Turns that have begun, and those that are over.
    begun: u32,
    over: u32,
}

/// Refuses what is no race.
fn check(options: &Options) -> Result<(), carom::Error> {
    let Options { checkpoints, starts, .. } = options;
    for (field, count) in [("starts", starts.len()), ("checkpoints", checkpoints.len())] {
        if count == 0 {
            return Err(carom::Error::OutOfRange { field, value: 0.0, allowed: "at least one" });
        }
    }
    // In a circle, so that the first comes after the last.
    for (k, at) in checkpoints.iter().enumerate().filter(|_| checkpoints.len() > 1) {
        let value = at.distance(checkpoints[(k + 1) % checkpoints.len()]);
        if value <= 2.0 * Game::CHECKPOINT {
            let (field, allowed) = ("distance of checkpoints", "more than 1200");
            return Err(carom::Error::OutOfRange { field, value, allowed });
        }
    }
    Ok(())
}

impl Game {
    /// Width and height of the plane; nothing keeps a pod from leaving it.
    pub const SIZE: DVec2 = DVec2::new(16000.0, 9000.0);
    /// Radius of a pod.
    pub const POD: f64 = 400.0;
    /// Radius of a checkpoint.
    pub const CHECKPOINT: f64 = 600.0;
    /// What is left of a speed at the end of a turn.
    pub const FRICTION: f64 = 0.85;
    /// The least impulse.
    pub const LEAST_IMPULSE: f64 = 120.0;
    /// Cosine and sine of 18°, by which a pod turns at most.
    const TURN: DVec2 = DVec2::new(0.951_056_516_295_153_5, 0.309_016_994_374_947_45);
    const TRAIL: usize = 24;
    /// Turns of one call.
    const MOST_TURNS: u32 = 100_000;

    /// The start of a race.
    ///
    /// # Errors
    /// If a number is out of range, pods or checkpoints are missing, or two checkpoints are too near.
    pub fn new(options: &Options) -> Result<Self, Error> {
        check(options)?;
        // One impact after the other, as the referee resolves them.
        let settings = Settings::default()
            .with_scheduler(options.scheduler)
            .with_simultaneous(Simultaneous::OneByOne)
            .with_record_events(false);
        let rules = Rules::LeastImpulse(Self::LEAST_IMPULSE);
        let mut world = World::with_physics(Judged::new(Smooth, rules), settings)?;
        for (k, &center) in options.checkpoints.iter().enumerate() {
            world.add_region(Region::disc(center, Self::CHECKPOINT).with_user_data(k as u64))?;
        }
        let mut pods = Vec::new();
        for (k, &(place, velocity)) in options.starts.iter().enumerate() {
            // Rounding may put two a little into each other; they meet when they approach.
            let disc =
                Disc::new(place, Self::POD).with_velocity(velocity).with_user_data(k as u64).with_overlap();
            let disc = world.insert(disc)?;
            let heading = (options.checkpoints[0] - place).normalize_or(DVec2::X);
            pods.push(Pod {
                disc,
                heading,
                passed: 0,
                passed_at: 0.0,
                recharging: 0,
                is_boosted: false,
                order: None,
                trail: VecDeque::from([place]),
            });
        }
        let (inputs, checkpoints) = (Inputs::default(), options.checkpoints.clone());
        Ok(Game { world, inputs, pods, checkpoints, begun: 0, over: 0 })
    }

    /// Takes an order, which holds from the first turn on that does not begin before its time. At the very
    /// start of a turn there is still time for it.
    ///
    /// # Errors
    /// [`Error::Late`], [`Error::NoSuchPlayer`].
    pub fn input(&mut self, input: Input<Order>) -> Result<(), Error> {
        self.inputs.push(input, self.pods.len(), self.now())
    }

    /// Plays up to a time, in turns since the start.
    ///
    /// # Errors
    /// If the time is over or not finite; [`Error::OutOfBudget`], also after 10⁵ turns of one call.
    pub fn advance_to(&mut self, time: f64) -> Result<(), Error> {
        self.advance_to_with(time, &mut |_| {})
    }

    /// As [`Game::advance_to`], with an observer of all events.
    ///
    /// # Errors
    /// As [`Game::advance_to`].
    pub fn advance_to_with(&mut self, time: f64, observer: &mut dyn FnMut(&Event)) -> Result<(), Error> {
        if self.world.clock().at(time).is_never() {
            // The engine says what is wrong with it.
            return self.run_to(time, observer);
        }
        // A turn ends with its time, and the next begins as soon as time goes on: orders come between.
        for _ in 0..Self::MOST_TURNS {
            let end = f64::from(self.begun);
            self.run_to(end.min(time), observer)?;
            if self.over < self.begun && end <= time {
                self.end_turn()?;
                // Two that rounding has put into each other meet now, before the next turn begins, whether
                // a frame ends here or not.
                self.run_to(end, observer)?;
            }
            if end >= time {
                return Ok(());
            }
            self.begin_turn()?;
        }
        Err(Error::OutOfBudget { time: self.now() })
    }

    fn run_to(&mut self, time: f64, observer: &mut dyn FnMut(&Event)) -> Result<(), Error> {
        let mut gates = Gates { entered: Vec::new(), observer };
        let done = self.world.advance_to_with(time, &mut gates)?;
        for (pod, gate, time) in gates.entered {
            let pod = &mut self.pods[pod];
            if gate == pod.passed % self.checkpoints.len() as u32 {
                (pod.passed, pod.passed_at) = (pod.passed + 1, time);
            }
        }
        if done.end == StopReason::Reached { Ok(()) } else { Err(Error::OutOfBudget { time: self.now() }) }
    }

    fn begin_turn(&mut self) -> Result<(), Error> {
        while let Some(input) = self.inputs.take_until(f64::from(self.begun)) {
            self.pods[input.player].order = Some(input.action);
        }
        self.begun += 1;
        for pod in &mut self.pods {
            let Some(disc) = self.world.get(pod.disc) else { continue };
            let (place, velocity, mass) = (disc.position(), disc.velocity(), disc.mass());
            let Some(order) = pod.order else { continue };
            pod.heading = turned(pod.heading, (order.target - place).normalize_or(pod.heading), Self::TURN);
            pod.recharging = pod.recharging.saturating_sub(1);
            let thrust = match order.power {
                Power::Shield => {
                    pod.recharging = 4;
                    0
                }
                _ if pod.recharging > 0 => 0,
                Power::Thrust(thrust) => thrust.min(200),
                Power::Boost if pod.is_boosted => 200,
                Power::Boost => {
                    pod.is_boosted = true;
                    650
                }
            };
            let wanted = if order.power == Power::Shield { 10.0 } else { 1.0 };
            if mass != wanted {
                self.world.set_mass(pod.disc, wanted)?;
            }
            self.world.set_velocity(pod.disc, velocity + pod.heading * f64::from(thrust))?;
        }
        Ok(())
    }

    fn end_turn(&mut self) -> Result<(), Error> {
        self.over = self.begun;
        for pod in &mut self.pods {
            let Some(disc) = self.world.get(pod.disc) else { continue };
            let (place, velocity) = (disc.position().round(), disc.velocity());
            self.world.set_position(pod.disc, place)?;
            self.world.set_velocity(pod.disc, (velocity * Self::FRICTION).trunc())?;
            pod.trail.push_back(place);
            if pod.trail.len() > Self::TRAIL {
                pod.trail.pop_front();
            }
        }
        Ok(())
    }

    /// Turns since the start.
    #[must_use]
    pub fn now(&self) -> f64 {
        self.world.now().as_secs()
    }

    /// The world, to be looked at.
    #[must_use]
    pub fn world(&self) -> &World<Physics> {
        &self.world
    }

    /// The pods, in the order of the players.
    #[must_use]
    pub fn pods(&self) -> &[Pod] {
        &self.pods
    }

    /// The checkpoints, in the order in which they are passed.
    #[must_use]
    pub fn checkpoints(&self) -> &[DVec2] {
        &self.checkpoints
    }

    /// The centre of the checkpoint that a pod passes next.
    #[must_use]
    pub fn next_checkpoint(&self, pod: &Pod) -> DVec2 {
        self.checkpoints[pod.passed as usize % self.checkpoints.len()]
    }

    /// The players from the first to the last.
    #[must_use]
    pub fn ranking(&self) -> Vec<usize> {
        let mut players: Vec<usize> = (0..self.pods.len()).collect();
        let behind = |k: usize| {
            let pod = &self.pods[k];
            let place = self.world.get(pod.disc).map_or(DVec2::ZERO, |disc| disc.position());
            place.distance(self.next_checkpoint(pod))
        };
        players.sort_by(|&a, &b| {
            let passed = self.pods[b].passed.cmp(&self.pods[a].passed);
            passed.then(behind(a).total_cmp(&behind(b)))
        });
        players
    }
}

impl Pod {
    /// Where it was at the ends of the last turns, the latest last.
    pub(super) fn trail(&self) -> impl Iterator<Item = DVec2> + '_ {
        self.trail.iter().copied()
    }
}

/// A unit vector turned towards another one by an angle at most, given by its cosine and sine.
fn turned(from: DVec2, to: DVec2, most: DVec2) -> DVec2 {
    if from.dot(to) >= most.x {
        return to;
    }
    let turn = if from.perp_dot(to) < 0.0 { DVec2::new(most.x, -most.y) } else { most };
    turn.rotate(from).normalize_or(from)
}

//! `carom measure`: what is measured of a gas, with errors.

use crate::error::CliError;
use crate::interrupt;
use crate::measure_args::MeasureArgs;
use crate::measured::{Cooled, Measured, Quantity};
use crate::numbers::grouped;
use crate::outputs::whole;
use crate::physics::RunPhysics;
use crate::progress::Progress;
use crate::report::Ending;
use crate::run::{Input, Setup, set_up};
use crate::run_loop::{Pace, Standstill};
use crate::{picture, plots, report};
use carom_engine::math::Shown;
use carom_engine::{DVec2, Event, Physics, Sink, StopReason, WallShape, World};
use carom_observe::{
    Blocking, BondOrder, Displacement, FreeTimes, Histogram, ObserveError, Radial, StressMeter,
    StructureFactor, Weights,
};
use carom_scene::{Built, in_physics};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

pub(crate) fn run(args: &MeasureArgs) -> Result<(), CliError> {
    let input = Input::find(args.scene.as_deref(), args.resume.as_deref())?;
    in_physics!(input.scene(), P => run_in::<P>(args, input))
}

fn run_in<P: RunPhysics>(args: &MeasureArgs, input: Input) -> Result<(), CliError> {
    let Setup { scene, mut built, input, .. } = set_up::<P>(input)?;
    let start = built.world.now().as_secs();
    let until = args.until.unwrap_or(scene.until);
    let from = args.from.unwrap_or(start + 0.1 * (until - start));
    if !(until.is_finite() && until > start) {
        let allowed = format!("later than the start, {} s", Shown(start));
        return Err(CliError::number("--until", until, &allowed));
    }
    if !(from >= start && from < until) {
        let allowed = format!("a time from {} s to before {} s", Shown(start), Shown(until));
        return Err(CliError::number("--from", from, &allowed));
    }
    let ([json, drawn], on_stdout) =
        whole(&input, [("--json", args.json.as_deref()), ("--picture", args.picture.as_deref())])?;

    interrupt::set_running(true);
    let standstill = Standstill::new(scene.settings.budget, built.discs.len(), built.world.now());
    let mut way = Way {
        from: start,
        until,
        events: 0,
        pace: Pace::default(),
        standstill,
        progress: Progress::new("measuring"),
    };
    way.advance(&mut built.world, from, &mut NoSink)?;
    let mut meters = Meters::new(&built, &input, args.samples, (until - from) / f64::from(args.samples))?;
    for sample in 1..=args.samples {
        let share = f64::from(sample) / f64::from(args.samples);
        let time = if sample == args.samples { until } else { from + share * (until - from) };
        way.advance(&mut built.world, time, &mut meters)?;
        meters.sample(&built, &input)?;
    }
    let events = way.events;
    drop(way);
    interrupt::set_running(false);

    let measured = meters.finish(&scene.name, built.discs.len(), [from, until]);
    if let Some(to) = &json {
        let text = measured.json();
        to.write(|out| {
            out.write_all(text.as_bytes()).map_err(|source| CliError::writing(to.name(), source))
        })?;
    }
    picture::write_drawn(drawn.as_ref(), || plots::png(&measured))?;
    report::say(&measured.table(events), on_stdout)
}

struct NoSink;

impl<P: Physics> Sink<P> for NoSink {
    fn event(&mut self, _: &Event<P::Change>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The run from stop to stop.
struct Way {
    from: f64,
    until: f64,
    events: u64,
    pace: Pace,
    standstill: Standstill,
    progress: Progress,
}

impl Way {
    fn advance<P: RunPhysics>(
        &mut self,
        world: &mut World<P>,
        time: f64,
        sink: &mut impl Sink<P>,
    ) -> Result<(), CliError> {
        let ends_at = |ending: Ending, world: &World<P>| ending.into_result(world.now().as_secs());
        loop {
            let clock = Instant::now();
            world.set_budget(self.pace.events().min(self.standstill.left(self.events)));
            let advance = world.advance_to_with(time, sink).map_err(carom_scene::SceneError::from)?;
            self.pace.took(clock.elapsed());
            self.events += advance.events;
            let (now, events) = (advance.time.as_secs(), self.events);
            let done = (now - self.from) / (self.until - self.from);
            self.progress.at(done, || format!("{} events", grouped(events)));
            match advance.end {
                StopReason::Reached => return Ok(()),
                StopReason::OutOfBudget => {
                    let run = [self.from, self.until];
                    if let Some(ending) = self.standstill.check(run, events, advance.time) {
                        return ends_at(ending, world);
                    }
                    if interrupt::is_requested() {
                        return ends_at(Ending::Interrupted, world);
                    }
                }
                _ => return ends_at(Ending::Crushed, world),
            }
        }
    }
}

/// Places for which structure is looked at, over all snapshots: with more it takes longer than the run.
const PLACES: usize = 5_000_000;
/// Wave vectors times places of one snapshot.
const WAVES: f64 = 2e8;
/// Bins of g(r) in a mean diameter, and how many diameters it reaches.
const BINS: [f64; 2] = [20.0, 6.0];
/// Bins of speeds and free times.
const COUNTED: usize = 128;
/// Lags of the mean square displacement, and samples between its origins.
const LAGS: u32 = 100;
const ORIGINS: u32 = 10;

/// The rectangle in which discs are.
struct Room {
    /// Lengths that are open to centres.
    sides: DVec2,
    /// How many components of the momentum are kept.
    kept: usize,
}

/// The period on each axis, or the largest container that is open to centres there.
fn room<P: RunPhysics>(built: &Built<P>, radius: f64) -> Option<Room> {
    let world = &built.world;
    let inside = world.walls().find_map(|(_, wall)| match wall.shape {
        WallShape::Container { min, max } => Some(max - min - 2.0 * radius),
        _ => None,
    });
    let periods = world.periods();
    let side = |period: Option<f64>, open: Option<f64>| period.or(open).filter(|side| *side > 0.0);
    let x = side(periods.x(), inside.map(|sides| sides.x))?;
    let y = side(periods.y(), inside.map(|sides| sides.y))?;
    let kept = [periods.x(), periods.y()].iter().flatten().count();
    Some(Room { sides: DVec2::new(x, y), kept })
}

struct Meters {
    block: f64,
    room: Option<Room>,
    every: usize,
    samples: usize,
    impacts: u64,
    stress: Option<StressMeter>,
    temperature: Blocking,
    rate: Blocking,
    order: [Blocking; 2],
    radial: Option<Radial>,
    structure: Option<StructureFactor>,
    displacement: Displacement,
    speeds: Histogram,
    flights: FreeTimes,
    cooling: Vec<Cooled>,
    places: Vec<DVec2>,
}

fn refused(input: &Path) -> impl Fn(ObserveError) -> CliError {
    let input = input.display().to_string();
    move |error| CliError::Usage(format!("{input}: cannot be measured: {error}"))
}

impl Meters {
    fn new<P: RunPhysics>(
        built: &Built<P>,
        input: &Path,
        samples: u32,
        block: f64,
    ) -> Result<Self, CliError> {
        let (world, refused) = (&built.world, refused(input));
        let discs = world.len();
        if discs == 0 {
            return Err(CliError::Usage(format!("{}: there are no discs to measure", input.display())));
        }
        let radius = world.discs().map(|(_, disc)| disc.radius).sum::<f64>() / discs as f64;
        let room = room(built, radius);
        let area = room.as_ref().map(|room| room.sides.x * room.sides.y);
        let stress = area.map(|area| StressMeter::by_radii(world, area)).transpose().map_err(&refused)?;
        let periods = *world.periods();
        let radial = room.as_ref().filter(|_| radius > 0.0).map(|room| {
            let shares = [(room.sides.x, periods.x()), (room.sides.y, periods.y())];
            let most = shares.map(|(side, period)| if period.is_some() { 0.5 * side } else { side });
            let longest = (2.0 * radius * BINS[1]).min(most[0]).min(most[1]);
            let bins = (longest / (2.0 * radius) * BINS[0]).ceil().max(1.0);
            Radial::new(periods, room.sides, longest, bins as usize)
        });
        let structure = room.as_ref().filter(|room| room.kept == 2 && radius > 0.0).map(|room| {
            let unit = std::f64::consts::TAU / room.sides;
            let affordable = (WAVES / discs as f64 * 4.0 * unit.x * unit.y / std::f64::consts::TAU).sqrt();
            let longest = (2.0 * std::f64::consts::TAU / (2.0 * radius)).min(affordable);
            StructureFactor::new(periods, longest.max(2.0 * unit.max_element()))
        });
        let lags = LAGS.min(samples).max(1) as usize;
        let spacing = (ORIGINS as usize).min(lags);
        Ok(Self {
            block,
            room,
            every: (samples as usize).div_ceil((PLACES / discs).clamp(4, 100)).max(1),
            samples: 0,
            impacts: 0,
            stress,
            temperature: Blocking::new(),
            rate: Blocking::new(),
            order: Default::default(),
            radial: radial.transpose().map_err(&refused)?,
            structure: structure.transpose().map_err(&refused)?,
            displacement: Displacement::new(discs, lags, spacing).map_err(&refused)?,
            speeds: Histogram::new(COUNTED).map_err(&refused)?,
            flights: FreeTimes::new(COUNTED).map_err(&refused)?,
            cooling: Vec::new(),
            places: vec![DVec2::ZERO; discs],
        })
    }

    /// Ends a block, and looks at the world as it is now.
    fn sample<P: RunPhysics>(&mut self, built: &Built<P>, input: &Path) -> Result<(), CliError> {
        let (world, refused) = (&built.world, refused(input));
        let temperature = temperature(world, self.room.as_ref().map_or(0, |room| room.kept));
        self.temperature.push(temperature);
        self.cooling.push(Cooled { time: world.now().as_secs(), temperature });
        self.rate.push(2.0 * self.impacts as f64 / (world.len() as f64 * self.block));
        self.impacts = 0;
        for (_, disc) in world.discs().filter(|(_, disc)| disc.mass < f64::INFINITY) {
            self.speeds.add(disc.velocity.length()).map_err(&refused)?;
        }
        if let Some(stress) = &mut self.stress {
            stress.end_block(world, self.block).map_err(&refused)?;
        }
        world.read_unwrapped_positions(&mut self.places).map_err(carom_scene::SceneError::from)?;
        self.displacement.add(&self.places).map_err(&refused)?;
        self.samples += 1;
        if !self.samples.is_multiple_of(self.every) {
            return Ok(());
        }
        world.read_positions(&mut self.places).map_err(carom_scene::SceneError::from)?;
        if let Some(radial) = &mut self.radial {
            // A disc that has left its room has no place in it.
            radial.add(&self.places).map_err(&refused)?;
        }
        if let Some(structure) = &mut self.structure {
            structure.add(&self.places).map_err(&refused)?;
        }
        if self.places.len() > 2 {
            let order =
                BondOrder::new(&self.places, *world.periods(), 6, Weights::Equal).map_err(&refused)?;
            self.order[0].push(order.mean_size());
            self.order[1].push(order.global().length());
        }
        Ok(())
    }

    fn finish(self, scene: &str, discs: usize, [from, until]: [f64; 2]) -> Measured {
        let mut quantities = vec![Quantity::of("temperature", &self.temperature)];
        if let Some(stress) = &self.stress {
            quantities.extend([
                Quantity::of("pressure", stress.pressure()),
                Quantity::of("stress xx", stress.xx()),
                Quantity::of("stress xy", stress.xy()),
                Quantity::of("stress yy", stress.yy()),
            ]);
            if let (Some(room), Some(kt)) = (&self.room, self.temperature.mean()) {
                let ideal = discs as f64 * kt / (room.sides.x * room.sides.y);
                quantities.push(Quantity::of("pressure / ideal", stress.pressure()).times(1.0 / ideal));
            }
        }
        let rate = Quantity::of("impacts of a disc / s", &self.rate);
        quantities.push(rate.inverse("mean free time"));
        quantities.push(rate);
        if !self.order[0].is_empty() {
            quantities.push(Quantity::of("|psi6|, mean", &self.order[0]));
            quantities.push(Quantity::of("|psi6 of all|", &self.order[1]));
        }
        Measured {
            scene: scene.to_owned(),
            discs,
            from,
            until,
            samples: self.samples,
            quantities,
            radial: self.radial.map_or_else(Vec::new, |radial| {
                radial.bins().map(|bin| [0.5 * (bin.inner + bin.outer), bin.g]).collect()
            }),
            structure: self
                .structure
                .map_or_else(Vec::new, |structure| structure.bins().map(|bin| [bin.k, bin.s]).collect()),
            displacement: (1..=self.displacement.longest())
                .filter_map(|lag| Some([lag as f64 * self.block, self.displacement.mean_square(lag)?]))
                .collect(),
            speeds: densities(&self.speeds),
            free_times: densities(self.flights.histogram()),
            cooling: self.cooling,
        }
    }
}

/// The middle of each bin, and the density in it.
fn densities(histogram: &Histogram) -> Vec<[f64; 2]> {
    histogram.bins().map(|bin| [0.5 * (bin.low + bin.high), bin.density]).collect()
}

impl<P: Physics> Sink<P> for Meters {
    #[inline]
    fn event(&mut self, event: &Event<P::Change>) -> ControlFlow<()> {
        if let Event::Impact(impact) = event
            && impact.b.disc().is_some()
        {
            self.impacts += 1;
            _ = Sink::<P>::event(&mut self.flights, event);
        }
        match &mut self.stress {
            Some(stress) => Sink::<P>::event(stress, event),
            None => ControlFlow::Continue(()),
        }
    }
}

/// kT of the discs of finite mass, relative to their mean velocity along axes on which momentum is kept.
fn temperature<P: RunPhysics>(world: &World<P>, kept: usize) -> f64 {
    let (mut mass, mut momentum, mut energy, mut count) = (0.0, DVec2::ZERO, 0.0, 0);
    for (_, disc) in world.discs().filter(|(_, disc)| disc.mass > 0.0 && disc.mass < f64::INFINITY) {
        mass += disc.mass;
        momentum += disc.velocity * disc.mass;
        energy += 0.5 * disc.mass * disc.velocity.length_squared();
        count += 1;
    }
    let periods = world.periods();
    let is_kept =
        DVec2::new(f64::from(u8::from(periods.x().is_some())), f64::from(u8::from(periods.y().is_some())));
    let drift = momentum * is_kept;
    let degrees = (2_usize * count).saturating_sub(kept).max(1);
    (2.0 * energy - if mass > 0.0 { drift.length_squared() / mass } else { 0.0 }) / degrees as f64
}

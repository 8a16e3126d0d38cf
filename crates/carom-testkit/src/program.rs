use crate::by::By;
use crate::record::Seen;
use crate::rng::Rng;
use crate::rules::{RuleBook, random_rules};
use carom_engine::{
    CombineRule, DVec2, Disc, DiscId, Event, Settings, Simultaneous, Smooth, StopReason, Wall, WallId, World,
};

/// Events after which a program ends: some worlds have no other end.
pub const CAP: usize = 1000;

/// How time is cut into calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slicing {
    /// `advance_to(T)`.
    Whole,
    /// `advance_to(k / 60)`, and to T.
    Frames,
    /// Random times.
    Random,
    /// `step_event` while the next event is not after T, then `advance_to(T)`.
    Steps,
    /// `advance_to(T)` with a budget of 7 events until it says that it is there.
    Budget,
    /// Frames of a random length, with every query there is in between.
    Queries,
    /// `advance_to_with`: the events come through a sink.
    Sink,
}

impl Slicing {
    /// All but [`Slicing::Whole`].
    pub const CUT: [Self; 6] =
        [Self::Frames, Self::Random, Self::Steps, Self::Budget, Self::Queries, Self::Sink];
}

/// A random world and what is done to it, made from a seed alone: so two runs can be compared entry by entry.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    pub seed: u64,
    pub simultaneous: Simultaneous,
    pub edits: bool,
    /// Whether discs and walls have rules of what they collide with, and edits change them.
    pub rules: bool,
}

/// The same program, whatever the scheduler and however time is cut.
pub fn run(program: Program, by: By, slicing: Slicing) -> Vec<Seen> {
    run_with(program, by, slicing, Settings::default())
}

/// The same with other settings: of vector instructions, of drag.
pub fn run_with(program: Program, by: By, slicing: Slicing, settings: Settings) -> Vec<Seen> {
    let mut rng = Rng::new(program.seed);
    let settings = settings
        .with_simultaneous(program.simultaneous)
        .with_restitution(rng.pick(&[
            CombineRule::GeometricMean,
            CombineRule::GeometricMean,
            CombineRule::Minimum,
            CombineRule::Average,
            CombineRule::Product,
        ]))
        .with_budget(if slicing == Slicing::Budget { 7 } else { CAP as u64 })
        .with_start(rng.pick(&[0.0, 0.0, 0.1, 12345.678]))
        .with_epoch(rng.pick(&[1.0 / 1024.0, 1.0 / 1024.0, 1.0, 64.0]));
    let start = settings.start;
    let mut world = by.world(settings);
    let book = RuleBook::default();
    let mut run = Run { by, seen: Vec::new(), events: 0, slicer: Rng::new(program.seed ^ 0x5EED), book };
    let (mut discs, mut walls) = build(&mut world, &mut rng, &mut run.seen);
    // Drawn apart, so that the rest of the program is the one without rules.
    let mut ruler = Rng::new(program.seed ^ 0x4011);
    if program.rules {
        run.rule(&mut world, &mut ruler, &mut discs, &walls);
    }
    let segments = if program.edits { 4 } else { 1 };
    for segment in 1..=segments {
        let length = if program.edits { rng.range(0.0, 0.8) } else { 2.5 };
        let until = world.now().as_secs().max(start) + length;
        if !run.advance(&mut world, until, slicing) {
            return run.seen;
        }
        if slicing == Slicing::Whole {
            world.assert_well_formed();
        }
        run.seen.push(Seen::states(&world));
        if segment < segments {
            for _ in 0..rng.below(6) {
                let outcome = edit(&mut world, &mut rng, &mut discs, &mut walls);
                run.seen.push(Seen::Edit(outcome));
                if program.rules {
                    let outcome = run.book.edit(&mut world, &mut ruler, &discs, &walls);
                    run.seen.push(Seen::Edit(outcome));
                    let outcome = run.book.edit_pair(&mut world, &mut ruler, &discs);
                    run.seen.push(Seen::Edit(outcome));
                }
            }
            run.seen.push(Seen::states(&world));
        }
    }
    run.seen
}

struct Run {
    by: By,
    seen: Vec<Seen>,
    events: usize,
    slicer: Rng,
    book: RuleBook,
}

impl Run {
    /// Gives half of the discs and walls rules, and inserts some more discs, over others where they may.
    fn rule(&mut self, world: &mut World, rng: &mut Rng, discs: &mut Vec<DiscId>, walls: &[WallId]) {
        for _ in 0..discs.len() / 2 + walls.len() {
            let outcome = self.book.edit(world, rng, discs, walls);
            self.seen.push(Seen::Edit(outcome));
            let outcome = self.book.edit_pair(world, rng, discs);
            self.seen.push(Seen::Edit(outcome));
        }
        for _ in 0..rng.below(12) {
            let rules = random_rules(rng);
            let result = world.insert(random_disc(rng, 4.0, 0.5).with_rules(rules));
            if let Ok(id) = result {
                discs.push(id);
                self.book.note_disc(id, rules);
            }
            self.seen.push(Seen::Edit(format!("{result:?}")));
        }
    }

    /// Whether to go on. An event of two that touch without a push leaves no record: it counts all the same.
    fn note(&mut self, events: &[Event], count: u64) -> bool {
        for event in events {
            if let Some(impact) = event.impact() {
                self.book.assert_may(impact);
            }
            self.seen.push(Seen::event(event));
        }
        self.events += events.len().max(count as usize);
        if self.events >= CAP {
            self.seen.push(Seen::TooMany);
        }
        self.events < CAP
    }

    /// Whether it got there.
    fn advance(&mut self, world: &mut World, until: f64, slicing: Slicing) -> bool {
        let from = world.now().as_secs();
        match slicing {
            Slicing::Whole => self.call(world, until),
            Slicing::Budget => self.call(world, until),
            Slicing::Frames => {
                let first = (from * 60.0) as u64 + 1;
                for frame in first.. {
                    let time = frame as f64 / 60.0;
                    if time >= until {
                        break;
                    }
                    if time > from && !self.call(world, time) {
                        return false;
                    }
                }
                self.call(world, until)
            }
            Slicing::Random | Slicing::Queries => {
                loop {
                    let longest = self.slicer.pick(&[0.3, 0.01, 1e-6]);
                    let now = world.now().as_secs();
                    // Tiny frames are cut short, or there would be no end.
                    let time =
                        now + self.slicer.range(0.0, longest).max(if longest < 1e-3 { 0.0 } else { 1e-3 });
                    if time >= until {
                        break;
                    }
                    if !self.call(world, time) {
                        return false;
                    }
                    if slicing == Slicing::Queries {
                        self.query(world);
                    }
                }
                self.call(world, until)
            }
            Slicing::Steps => {
                let goal = world.clock().at(until);
                while world.next_event().is_some_and(|next| next.time <= goal) {
                    let step = world.step_event();
                    assert_eq!(step.events, 1, "{step:?}");
                    let events = world.events().to_vec();
                    if !self.note(&events, step.events) {
                        return false;
                    }
                }
                self.call(world, until)
            }
            Slicing::Sink => {
                let mut events: Vec<Event> = Vec::new();
                let advance = world.advance_to_with(until, &mut events).unwrap();
                assert!(world.events().is_empty());
                let going_on = self.note(&events, advance.events) && advance.end == StopReason::Reached;
                if !going_on {
                    self.seen.push(Seen::TooMany);
                }
                going_on
            }
        }
    }

    fn call(&mut self, world: &mut World, until: f64) -> bool {
        loop {
            let goal = world.clock().at(until);
            let (advance, events) = self.by.advance_to(world, goal);
            assert_eq!(advance.time, world.now());
            if !self.note(&events, advance.events) {
                return false;
            }
            match advance.end {
                StopReason::Reached => return true,
                StopReason::OutOfBudget if world.settings().budget < CAP as u64 => {
                    assert_eq!(advance.events, world.settings().budget);
                }
                StopReason::OutOfBudget | StopReason::Outgrown => {
                    self.seen.push(Seen::TooMany);
                    return false;
                }
                other => unreachable!("{other:?}"),
            }
        }
    }

    fn query(&mut self, world: &mut World) {
        world.next_event();
        let _ = (world.kinetic_energy(), world.momentum(), world.counters());
        let mut places = vec![DVec2::ZERO; world.len()];
        world.read_positions(&mut places).unwrap();
        for ((id, disc), place) in world.discs().zip(places) {
            assert_eq!((disc.position, disc.position), (place, world.get(id).unwrap().position()));
        }
        let _ = world.clone();
    }
}

fn mass(rng: &mut Rng) -> f64 {
    match rng.below(12) {
        0 => f64::INFINITY,
        1 => 0.0,
        2 => 10.0_f64.powf(rng.range(-6.0, 6.0)),
        3..6 => rng.range(0.1, 3.0),
        _ => 1.0,
    }
}

fn restitution(rng: &mut Rng) -> f64 {
    match rng.below(6) {
        0 => 0.0,
        1 => rng.unit(),
        2 => 0.9,
        _ => 1.0,
    }
}

fn random_disc(rng: &mut Rng, size: f64, radius: f64) -> Disc {
    let radius = match rng.below(8) {
        0 => 0.0,
        1 => 2.0 * radius,
        2..5 => radius * rng.range(0.2, 1.5),
        _ => radius,
    };
    let disc = Disc::new(rng.vector(size), radius)
        .with_velocity(rng.vector(3.0))
        .with_mass(mass(rng))
        .with_restitution(restitution(rng));
    if rng.chance(15) { disc.with_overlap() } else { disc }
}

/// Any form of wall, somewhere within `size` of the origin.
pub fn random_wall(rng: &mut Rng, size: f64) -> Wall {
    let at = rng.vector(size);
    let small = rng.range(0.2, 1.5);
    let wall = match rng.below(10) {
        0 => Wall::half_plane(at.normalize_or(DVec2::X) * -(size + 1.0), at.normalize_or(DVec2::X)),
        1 => Wall::segment(at, at + rng.vector(size)),
        2 => Wall::one_sided_segment(at, at + rng.vector(size)),
        3 => Wall::disc(at, if rng.chance(30) { 0.0 } else { small }),
        4 => Wall::circle(DVec2::ZERO, size * 1.6),
        5 => Wall::arc(at, small, rng.range(-4.0, 4.0), rng.range(0.1, 6.2)),
        6 => Wall::arc(at, small, 0.3, core::f64::consts::TAU),
        7 => Wall::polyline(&[at, at + rng.vector(size), at + rng.vector(size)]),
        8 => Wall::rectangle(at, at + DVec2::new(small, 0.7 * small)),
        _ => Wall::stadium(DVec2::ZERO, size * 0.7, size * 1.2),
    };
    wall.with_restitution(restitution(rng))
}

pub fn build(world: &mut World<Smooth>, rng: &mut Rng, seen: &mut Vec<Seen>) -> (Vec<DiscId>, Vec<WallId>) {
    let (mut discs, mut walls) = (Vec::new(), Vec::new());
    let size = 4.0;
    let mut wall = |world: &mut World<Smooth>, wall: Wall| walls.extend(world.add_wall(wall));
    match rng.below(5) {
        0 => wall(world, Wall::container(DVec2::splat(-size - 1.0), DVec2::splat(size + 1.0))),
        1 => wall(world, Wall::circle(DVec2::ZERO, size * 1.5)),
        2 => wall(world, Wall::stadium(DVec2::ZERO, size, size)),
        3 => wall(world, Wall::rectangle(DVec2::splat(-size - 1.0), DVec2::splat(size + 1.0))),
        _ => {}
    }
    for _ in 0..rng.below(4) {
        let next = random_wall(rng, size);
        wall(world, next);
    }
    let mut disc = |world: &mut World<Smooth>, disc: Disc| match world.insert(disc) {
        Ok(id) => discs.push(id),
        Err(error) => seen.push(Seen::Edit(format!("{error:?}"))),
    };
    match rng.below(4) {
        // A gas, few or many.
        0 => {
            let n = 2 + rng.below(8);
            for _ in 0..n {
                let next = random_disc(rng, size, 0.5);
                disc(world, next);
            }
        }
        1 => {
            let n = 20 + rng.below(21);
            for _ in 0..n {
                let next = random_disc(rng, size, 0.3);
                disc(world, next);
            }
        }
        // A touching rack, struck.
        2 => {
            let (radius, rows) = (rng.pick(&[0.25, 0.1, 0.3]), 2 + rng.below(4));
            let e = restitution(rng);
            let height = 3.0_f64.sqrt() * radius;
            for row in 0..rows {
                for k in 0..=row {
                    let x = row as f64 * height;
                    let y = (2 * k) as f64 * radius - row as f64 * radius;
                    let ball = Disc::new(DVec2::new(x, y), radius).with_restitution(e);
                    disc(world, ball);
                }
            }
            let striker = Disc::new(DVec2::new(-2.0, rng.pick(&[0.0, 0.01, 0.2])), radius)
                .with_velocity(DVec2::new(rng.pick(&[8.0, 7.3]), 0.0));
            disc(world, striker);
        }
        // On a lattice, with velocities along it: ties everywhere.
        _ => {
            let n = 4 + rng.below(20);
            for _ in 0..n {
                let at = DVec2::new(rng.below(8) as f64 - 3.5, rng.below(8) as f64 - 3.5);
                let v = DVec2::new(rng.below(3) as f64 - 1.0, rng.below(3) as f64 - 1.0);
                let ball = Disc::new(at, 0.5)
                    .with_velocity(v)
                    .with_mass(if rng.chance(20) { mass(rng) } else { 1.0 })
                    .with_restitution(if rng.chance(20) { restitution(rng) } else { 1.0 });
                disc(world, ball);
            }
        }
    }
    (discs, walls)
}

pub fn edit(
    world: &mut World<Smooth>,
    rng: &mut Rng,
    discs: &mut Vec<DiscId>,
    walls: &mut Vec<WallId>,
) -> String {
    let some_disc = |rng: &mut Rng| (!discs.is_empty()).then(|| discs[rng.below(discs.len())]);
    match rng.below(12) {
        0 => {
            let next = random_disc(rng, 4.0, 0.4);
            let result = world.insert(next);
            discs.extend(result.as_ref().ok());
            format!("{result:?}")
        }
        1 => {
            // A dead handle stays in the list: it must be refused from then on.
            let Some(id) = some_disc(rng) else { return String::new() };
            format!("{:?}", world.remove(id))
        }
        2 => {
            let next = random_wall(rng, 4.0);
            let result = world.add_wall(next);
            walls.extend(result.as_ref().ok());
            format!("{result:?}")
        }
        3 if !walls.is_empty() => {
            let id = walls[rng.below(walls.len())];
            format!("{:?}", world.remove_wall(id))
        }
        4 => {
            let Some(id) = some_disc(rng) else { return String::new() };
            let to = rng.vector(4.0);
            format!("{:?}", world.set_position(id, to))
        }
        5 => {
            let Some(id) = some_disc(rng) else { return String::new() };
            let to = rng.range(0.0, 0.5);
            format!("{:?}", world.set_radius(id, to))
        }
        6 => {
            let Some(id) = some_disc(rng) else { return String::new() };
            let to = mass(rng);
            format!("{:?}", world.set_mass(id, to))
        }
        7 => {
            let Some(id) = some_disc(rng) else { return String::new() };
            let to = restitution(rng);
            format!("{:?}", world.set_restitution(id, to))
        }
        8 if !walls.is_empty() => {
            let id = walls[rng.below(walls.len())];
            let to = restitution(rng);
            format!("{:?}", world.set_wall_restitution(id, to))
        }
        11 if !walls.is_empty() => move_wall(world, rng, walls),
        _ => {
            let Some(id) = some_disc(rng) else { return String::new() };
            let to = if rng.chance(20) { DVec2::ZERO } else { rng.vector(3.0) };
            format!("{:?}", world.set_velocity(id, to))
        }
    }
}

/// Sends a wall somewhere, or back to where it was put up.
fn move_wall(world: &mut World<Smooth>, rng: &mut Rng, walls: &[WallId]) -> String {
    let id = walls[rng.below(walls.len())];
    let offset = if rng.chance(30) { DVec2::ZERO } else { rng.vector(3.0) };
    let by = world.now().as_secs() + rng.pick(&[0.01, 0.1, 0.5, 2.0]);
    format!("{:?}", world.move_wall(id, offset, by))
}

//! Regions change no bit, and no crossing is lost or doubled, however time is cut and whoever schedules.

use crate::common::by::By;
use crate::common::program::{build, edit, random_wall};
use crate::common::record::{Seen, assert_same, event_bits, state_bits};
use crate::common::regions::{Watch, random_region};
use crate::common::rng::{Rng, cases};
use crate::common::rules::random_rules;
use crate::common::stored::FORMATS;
use crate::forces::scene::{self, KINDS};
use carom_engine::{
    CrossingCause, DVec2, Disc, DiscId, Error, Event, Region, RegionId, Rules, Sensor, Settings, StopReason,
    Wall, World,
};

/// Events after which a program ends: some worlds have no other end.
const CAP: usize = 1500;

/// How time is cut into calls, and what is done in between.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cut {
    Whole,
    Frames,
    Steps,
    Budget,
    /// As `Frames`, saved and loaded, in one of the formats.
    Saved(usize),
    /// As `Frames`, cloned over another world.
    Cloned,
    /// Without regions.
    Bare,
}

struct Run {
    by: By,
    world: World,
    spare: World,
    cut: Cut,
    rng: Rng,
    discs: Vec<DiscId>,
    sensors: Vec<DiscId>,
    regions: Vec<RegionId>,
    watch: Watch,
    seen: Vec<Seen>,
    events: usize,
}

impl Run {
    fn new(by: By, seed: u64, cut: Cut) -> Self {
        let budget = if cut == Cut::Budget { 3 } else { CAP as u64 };
        let world = by.world(Settings::default().with_budget(budget));
        Run {
            by,
            spare: world.clone(),
            world,
            cut,
            rng: Rng::new(seed ^ 0x9E61),
            discs: Vec::new(),
            sensors: Vec::new(),
            regions: Vec::new(),
            watch: Watch::default(),
            seen: Vec::new(),
            events: 0,
        }
    }

    /// Adds a region, changes one, or removes one.
    fn edit_region(&mut self) {
        let region = random_region(&mut self.rng, 4.0, &self.discs);
        let at = self.rng.below(self.regions.len().max(1));
        let kind = self.rng.below(4);
        let rules = random_rules(&mut self.rng);
        self.insert_sensor(&rules);
        if self.rng.chance(30) && !self.discs.is_empty() {
            let disc = self.discs[self.rng.below(self.discs.len())];
            self.seen.push(Seen::Edit(format!("{:?}", self.world.set_rules(disc, rules))));
        }
        if self.cut == Cut::Bare {
            return;
        }
        let outcome = match self.regions.get(at) {
            Some(&id) if kind == 0 => format!("{:?}", self.world.remove_region(id)),
            Some(&id) if kind == 1 => format!("{:?}", self.world.set_region(id, region)),
            _ => {
                let added = self.world.add_region(region);
                self.regions.extend(added);
                format!("{added:?}")
            }
        };
        self.seen.push(Seen::Edit(outcome));
    }

    /// Inserts a sensor; without regions a disc that collides with nothing.
    fn insert_sensor(&mut self, rules: &Rules) {
        let (is_among, radius) = (self.rng.chance(50), self.rng.range(0.1, 1.0));
        let disc = Disc::new(self.rng.vector(4.0), radius).with_velocity(self.rng.vector(3.0));
        if self.rng.chance(50) {
            return;
        }
        let disc = match self.cut {
            Cut::Bare => disc.with_groups(0, 0),
            _ if is_among => disc.with_rules(*rules).with_sensor_among_sensors(),
            _ => disc.with_rules(*rules).with_sensor(),
        };
        let id = self.world.insert(disc).unwrap();
        self.sensors.push(id);
        if self.cut != Cut::Bare {
            let region = self.world.sensor_region(id).unwrap();
            assert_eq!(self.world.get(id).unwrap().rules(), *rules);
            self.seen.push(Seen::Edit(format!("{id:?} {region:?}")));
        }
    }

    /// Moves sensors, and gives them other sizes and rules.
    fn edit_sensors(&mut self) {
        for k in 0..self.sensors.len() {
            let (id, place) = (self.sensors[k], self.rng.vector(4.0));
            let (radius, rules) = (self.rng.range(0.1, 1.0), random_rules(&mut self.rng));
            match self.rng.below(8) {
                0 => self.world.set_position(id, place).unwrap(),
                1 => self.world.set_radius(id, radius).unwrap(),
                2 if self.cut != Cut::Bare => self.world.set_rules(id, rules).unwrap(),
                3 => {
                    let disc = self.world.remove(id).unwrap();
                    assert!(self.cut == Cut::Bare || disc.sensor != Sensor::No);
                    self.sensors[k] = self.world.insert(disc).unwrap();
                }
                _ => {}
            }
        }
    }

    /// Whether it may go on.
    fn note(&mut self, events: &[Event], count: u64) -> bool {
        self.watch.note(events);
        for event in events {
            self.seen.push(Seen::Event(format!("{event:?}"), event_bits(event)));
        }
        self.events += count as usize;
        if self.events >= CAP {
            self.seen.push(Seen::TooMany);
        }
        self.events < CAP
    }

    fn call(&mut self, until: f64) -> bool {
        loop {
            let until = self.world.clock().at(until);
            let (ended, events) = self.by.advance_to(&mut self.world, until);
            if !self.note(&events, ended.events) {
                return false;
            }
            if ended.end == StopReason::Reached {
                return true;
            }
        }
    }

    fn advance(&mut self, from: f64, until: f64) -> bool {
        if self.cut == Cut::Steps {
            // What edits have changed comes with the first call.
            if !self.call(from) {
                return false;
            }
            while self.world.next_event().is_some_and(|next| next.time.as_secs() < until) {
                let ended = self.world.step_event();
                let events = self.world.events().to_vec();
                if !self.note(&events, ended.events) {
                    return false;
                }
            }
        }
        if matches!(self.cut, Cut::Frames | Cut::Saved(_) | Cut::Cloned) {
            for frame in 1..12 {
                if !self.call(from + (until - from) * f64::from(frame) / 12.0) {
                    return false;
                }
                self.exchange();
                self.watch.check(&self.world, 1e-9);
            }
        }
        self.call(until)
    }

    fn exchange(&mut self) {
        match self.cut {
            Cut::Saved(k) => self.world = FORMATS[k].load(&FORMATS[k].save(&self.world)).unwrap(),
            Cut::Cloned => {
                self.spare.clone_from(&self.world);
                core::mem::swap(&mut self.spare, &mut self.world);
            }
            _ => {}
        }
    }
}

fn run(by: By, seed: u64, cut: Cut) -> (Vec<Seen>, usize) {
    let (mut run, mut rng) = (Run::new(by, seed, cut), Rng::new(seed));
    let (discs, mut walls) = build(&mut run.world, &mut rng, &mut run.seen);
    run.discs = discs;
    (0..4).for_each(|_| run.edit_region());
    let mut from = 0.0;
    for _ in 0..4 {
        let until = from + rng.range(0.0, 1.0);
        if !run.advance(from, until) {
            break;
        }
        run.seen.push(Seen::States(state_bits(&run.world)));
        if cut != Cut::Bare {
            run.watch.check(&run.world, 1e-9);
            run.world.assert_well_formed();
        }
        for _ in 0..rng.below(5) {
            let outcome = edit(&mut run.world, &mut rng, &mut run.discs, &mut walls);
            run.seen.push(Seen::Edit(outcome));
            run.exchange();
            run.edit_region();
        }
        run.edit_sensors();
        from = until;
    }
    (run.seen, run.watch.crossings)
}

/// The same events in the same order and the same states, to the last bit: in one call, in frames, event by
/// event, with a small budget, saved and loaded in between, cloned, and with every scheduler.
#[test]
fn cuts_snapshots_and_schedulers_change_nothing() {
    let mut crossings = 0;
    for seed in 0..cases(150) {
        let (whole, count) = run(By::Table, seed, Cut::Whole);
        crossings += count;
        for cut in [Cut::Frames, Cut::Steps, Cut::Budget, Cut::Saved(0), Cut::Saved(1), Cut::Cloned] {
            assert_same(&whole, &run(By::Table, seed, cut).0, &format!("seed {seed}, {cut:?}"));
        }
        for cut in [Cut::Whole, Cut::Frames] {
            assert_same(&whole, &run(By::Rescan, seed, cut).0, &format!("seed {seed}, {cut:?}, rescan"));
            assert_same(&whole, &run(By::Grid, seed, cut).0, &format!("seed {seed}, {cut:?}, grid"));
        }
    }
    assert!(crossings > 3000, "{crossings}");
}

/// A world with regions has the states of one without.
#[test]
fn regions_change_no_state() {
    let states = |seen: Vec<Seen>| -> Vec<Seen> {
        seen.into_iter().filter(|seen| matches!(seen, Seen::States(_) | Seen::TooMany)).collect()
    };
    for seed in 0..cases(150) {
        let [bare, with] = [Cut::Bare, Cut::Whole].map(|cut| states(run(By::Table, seed, cut).0));
        assert_same(&bare, &with, &format!("seed {seed}"));
    }
}

/// Walls of all forms as sensors: who is inside is who overlaps them, and a crossing is where the distance of
/// an edge is zero, on straight paths and on parabolas.
#[test]
fn sensor_walls_are_crossed_where_the_distance_is_zero() {
    let mut crossings = 0;
    for seed in 0..cases(200) {
        let mut rng = Rng::new(seed ^ 0x3A11);
        let gravity = if seed % 3 == 0 { DVec2::ZERO } else { rng.vector(2.0) };
        let mut world = scene::under(gravity);
        println!("seed {seed}");
        for _ in 0..6 {
            world.add_sensor_wall(random_wall(&mut rng, 4.0)).unwrap();
        }
        for _ in 0..6 {
            let disc = Disc::new(rng.vector(6.0), rng.range(0.05, 1.0)).with_velocity(rng.vector(5.0));
            world.insert(disc.with_team(1)).unwrap();
        }
        let mut watch = Watch::default();
        watch.follow(&mut world, 4.0);
        assert_eq!(world.counters().disc_impacts + world.counters().wall_impacts, 0);
        for frame in 1..=20 {
            world.advance_to(4.0 + f64::from(frame)).unwrap();
            watch.note(world.events());
            watch.check(&world, 1e-9);
        }
        crossings += watch.crossings;
    }
    assert!(crossings > 2000, "{crossings}");
}

/// Where paths bend, too.
#[test]
fn regions_are_crossed_where_the_distance_is_zero() {
    let (mut crossings, mut steps) = (0, 0);
    for seed in 0..cases(60) {
        println!("seed {seed}");
        let mut world = scene::world(seed, KINDS[seed as usize % KINDS.len()], 9);
        scene::add_regions(&mut world, seed);
        let mut watch = Watch::default();
        for frame in 1..=40 {
            steps += watch.follow(&mut world, 0.1 * f64::from(frame));
        }
        world.assert_well_formed();
        crossings += watch.crossings;
    }
    assert!(crossings > 2000 && steps > crossings, "{crossings} of {steps}");
}

/// A region of a wall goes with it.
#[test]
fn what_is_inside_of_a_wall_leaves_when_it_is_removed() {
    let mut world = World::new();
    let (wall, region) = world.add_sensor_wall(Wall::segment([0.0, -1.0], [0.0, 1.0])).unwrap();
    let disc = world.insert(Disc::new([0.0, 0.0], 0.5)).unwrap();
    assert!(world.is_inside(region, disc));
    world.advance(1.0).unwrap();
    world.remove_wall(wall).unwrap();
    assert_eq!(world.inside(region).map(drop), Err(Error::NoSuchRegion(region)));
    world.advance(1.0).unwrap();
    assert_eq!(world.events()[0].crossing().map(|left| left.cause), Some(CrossingCause::RegionRemoved));
    assert_eq!(world.add_region(Region::wall(wall)), Err(Error::NoSuchWall(wall)));
    world.set_growth(0.1).unwrap();
    let refused = world.add_sensor_wall(Wall::segment([0.0, -1.0], [0.0, 1.0]));
    assert!(matches!(refused, Err(Error::Inconsistent { .. })) && world.walls().next().is_none());
    // On one that is solid nothing that collides with it enters.
    let mut world = World::new();
    let floor = world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0])).unwrap();
    world.add_region(Region::wall(floor)).unwrap();
    world.insert(Disc::new([0.0, 3.0], 0.5).with_velocity([0.0, -1.0])).unwrap();
    world.advance(9.0).unwrap();
    assert_eq!((world.events().len(), world.counters().wall_impacts), (1, 1));
}

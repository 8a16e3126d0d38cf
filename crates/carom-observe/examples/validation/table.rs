//! A billiard table with independent discs on it, and how often they hit its parts.
//!
//! A disc of radius r on a table moves as a point on the table of its centres. Points of speed v that start
//! evenly spread over the area A of that, in all directions alike, stay so: a piece of the edge of length s
//! is then hit v·s/(πA) times a second by each of them, on any table, mixing or not (Santaló; N. Chernov, J.
//! Stat. Phys. 88 (1997) 1). So a run of any length is unbiased, and runs from different starts are
//! independent: nothing is correlated, nothing has to converge. Flights with long tails only widen the spread
//! of the counts, which are bounded by the length of the run.

use crate::statistics::{Estimate, Mean};
use carom::{DVec2, Disc, Event, Partner, Settings, StopReason, Wall, World};
use carom_scene::{Generator, Random};
use std::error::Error;
use std::f64::consts::PI;

/// A table, as seen by the centre of a disc.
pub(crate) struct Table {
    /// The walls, each with the length of its edge.
    pub(crate) walls: Vec<(Wall, f64)>,
    /// A disc that nothing moves, if there is one, and the length of its edge.
    pub(crate) fixed: Option<(Disc, f64)>,
    /// The radius of the discs that move.
    pub(crate) radius: f64,
    /// The area that is free for their centres.
    pub(crate) area: f64,
    /// The side of the square that repeats itself, if one does.
    pub(crate) period: Option<f64>,
    /// Two corners of a rectangle around it.
    pub(crate) bounds: [DVec2; 2],
    /// Whether a place of that rectangle is free.
    pub(crate) is_free: Box<dyn Fn(DVec2) -> bool>,
}

/// What was counted: hits per disc and unit of length, for each wall, then the fixed disc, and of all
/// together.
pub(crate) struct Hits {
    pub(crate) pieces: Vec<Estimate>,
    pub(crate) all: Estimate,
    /// The variance of the hits of one disc on the last piece, over the mean.
    pub(crate) spread: f64,
}

/// Discs in one world. They do not meet: points never do, and of finite size they are tracers.
const TOGETHER: usize = 32;

impl Table {
    /// Hits per disc and unit of length that are expected of each piece.
    pub(crate) fn expected(&self) -> impl Iterator<Item = f64> + '_ {
        let walls = self.walls.iter().map(|(_, length)| length);
        let lengths = walls.chain(self.fixed.iter().map(|(_, length)| length));
        lengths.map(|length| length / (PI * self.area))
    }

    /// Counts in this many worlds, each run for so long at speed 1.
    pub(crate) fn run(&self, worlds: usize, time: f64, seed: u64) -> Result<Hits, Box<dyn Error>> {
        let mut random = Random::new(Generator::default(), seed);
        let mut pieces = vec![Mean::default(); self.walls.len() + usize::from(self.fixed.is_some())];
        let (mut all, mut last) = (Mean::default(), Mean::default());
        for _ in 0..worlds {
            let counts = self.count(time, &mut random)?;
            let length = TOGETHER as f64 * time;
            for (piece, mean) in pieces.iter_mut().enumerate() {
                let hits: u32 = counts.iter().map(|of_disc| of_disc[piece]).sum();
                mean.push(f64::from(hits) / length);
            }
            all.push(f64::from(counts.iter().flatten().sum::<u32>()) / length);
            for of_disc in &counts {
                last.push(of_disc.last().map_or(0.0, |&hits| f64::from(hits)));
            }
        }
        let spread = last.variance() / last.estimate().value;
        Ok(Hits { pieces: pieces.iter().map(Mean::estimate).collect(), all: all.estimate(), spread })
    }

    /// For each disc of one world, how often it hit each piece.
    fn count(&self, time: f64, random: &mut Random) -> Result<Vec<Vec<u32>>, Box<dyn Error>> {
        let mut world =
            World::with_settings(Settings::default().with_period([self.period; 2]).with_budget(u64::MAX))?;
        for (index, (wall, _)) in self.walls.iter().enumerate() {
            world.add_wall(wall.clone().with_user_data(index as u64))?;
        }
        let walls: Vec<_> = world.walls().map(|(id, _)| id).collect();
        let fixed = self.fixed.map(|(disc, _)| world.insert(disc)).transpose()?;
        let mut number = Vec::new();
        for _ in 0..TOGETHER {
            let mass = if self.radius == 0.0 { 1.0 } else { 0.0 };
            let disc = Disc::new(self.place(random), self.radius).with_mass(mass).with_overlap();
            number.push(world.insert(disc.with_velocity(random.direction()))?);
        }
        let mut counts = vec![vec![0; walls.len() + usize::from(fixed.is_some())]; TOGETHER];
        let first = fixed.map_or(0, |_| 1);
        let end = world.advance_with(time, &mut |event: &Event| {
            let Event::Impact(impact) = event else { return };
            let (disc, piece) = match impact.b {
                Partner::Wall { wall, .. } => (impact.a, wall.slot() as usize),
                Partner::Disc(other) => (other, walls.len()),
            };
            counts[disc.slot() as usize - first][piece] += 1;
        })?;
        assert_eq!(end.end, StopReason::Reached);
        Ok(counts)
    }

    fn place(&self, random: &mut Random) -> DVec2 {
        let [min, max] = self.bounds;
        loop {
            let place = DVec2::new(random.between(min.x, max.x), random.between(min.y, max.y));
            if (self.is_free)(place) {
                return place;
            }
        }
    }
}

use super::least::{Effort, LeastPush, Push};
use super::progress::{Overlap, Stuck};
use super::{Count, Faced, Standing, faced, gap_and_normal, golden_direction, near, standing};
use crate::error::check;
use crate::physics::ReachOf;
use crate::predict::CommonPredictor;
use crate::store::Common;
use crate::touch::{Apart, magnitude, overlap_depth};
use crate::{DiscId, Error};
use carom_math::toi::{Memory, Motion};
use carom_math::tolerance::touch_slack;
use carom_math::{Periods, sqrt};
use carom_solver::MassClass;
use core::ops::ControlFlow;
use glam::DVec2;

/// A disc that [`World::push_apart`](crate::World::push_apart) put elsewhere.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Moved {
    /// Which.
    pub disc: DiscId,
    /// Where its centre was.
    pub from: DVec2,
    /// Where it is.
    pub to: DVec2,
}

/// Gaps that are opened end this fraction of the contact distance wide, and 4 ulp of the coordinates, so that
/// rounding leaves no overlap.
const MARGIN: f64 = 1.0 / (1u64 << 43) as f64;

/// Rounds of finding the least push along the present normals.
const ROUNDS: usize = 600;
/// Demands times iterations after which a search ends without a result: some seconds.
const WORK: u64 = 1 << 28;
/// Pairs that are looked at in all rounds, after which discs count as stuck: some seconds. Those that spread
/// from a point have fewer of them in each round.
const LOOKS: u64 = 1 << 28;
/// As much of that as goes into moving less, once there is room: enough to settle a thousand discs, a second
/// or two.
const POLISH: u64 = 1 << 25;
/// Overlaps a disc, each in proportion to the contact distance, from which on the least moves are not sought
/// at once.
const HEAPED: f64 = 16.0;
/// How often discs that are stuck, in a row between walls, say, are shaken.
const SHAKES: u32 = 10;
/// The least move is found when a round makes the sum of squares smaller by less than this fraction.
const SETTLED: f64 = 1e-9;
/// Pairs deeper inside each other than a quarter of their contact distance, that one disc has at most in a
/// round: others follow in later rounds, so that a heap of N on one point is not N² demands.
const DEEP_PAIRS: usize = 32;

/// Where discs are to be, so that nothing overlaps by more than touching: those that are elsewhere then, by
/// serial number. See [`World::push_apart`](crate::World::push_apart).
pub(crate) fn apart(store: &Common, reach: ReachOf<'_>) -> Result<Vec<Moved>, Error> {
    let mut crowd = Crowd::new(store, reach);
    crowd.check_count()?;
    for class in MassClass::ALL {
        crowd.settle(class)?;
    }
    let mut moved = Vec::new();
    for (disc, offset) in crowd.discs.iter().zip(&crowd.offsets) {
        let (from, to) = (disc.motion.position, place(disc, *offset));
        if to != from {
            check::point(["position.x", "position.y"], to)?;
            moved.push(Moved { disc: store.bodies.id(disc.slot), from, to });
        }
    }
    Ok(moved)
}

/// Where a disc is that has been moved so far.
fn place(disc: &Standing, offset: DVec2) -> DVec2 {
    // −0 is left as it is.
    if offset == DVec2::ZERO { disc.motion.position } else { disc.motion.position + offset }
}

/// The discs on their way.
struct Crowd<'w> {
    store: &'w Common,
    reach: ReachOf<'w>,
    discs: Vec<Standing>,
    /// How far each has been moved from where it is in the world.
    offsets: Vec<DVec2>,
    /// From where the least move is sought: from the world's places, or from the last ones, to mend them.
    origins: Vec<DVec2>,
    /// The deepest overlap of each.
    depths: Vec<f64>,
    /// How far a disc goes in a round at most: half its radius, or half as deep as it overlaps something.
    strides: Vec<f64>,
    /// The class that moves in this stage; and 1 for each of its discs, 0 for the others.
    moving: MassClass,
    weights: Vec<f64>,
    pushes: Vec<Push>,
    /// The source of each push: the other disc, or the facet.
    keys: Vec<(u32, u32)>,
    /// The impulses of the round before.
    known: Vec<((u32, u32), f64)>,
    /// The smallest margin.
    margin: f64,
    least: LeastPush,
    work: u64,
    /// Pairs that have been looked at.
    looks: u64,
    faced: Vec<Faced>,
}

/// Set in the number of a facet, not in that of a disc.
const FACET: u32 = 1 << 31;

impl<'w> Crowd<'w> {
    fn new(store: &'w Common, reach: ReachOf<'w>) -> Self {
        let discs = standing(store);
        let n = discs.len();
        Crowd {
            store,
            reach,
            offsets: vec![DVec2::ZERO; n],
            origins: vec![DVec2::ZERO; n],
            depths: vec![0.0; n],
            strides: vec![0.0; n],
            moving: MassClass::Infinite,
            weights: vec![0.0; n],
            discs,
            pushes: Vec::new(),
            keys: Vec::new(),
            known: Vec::new(),
            margin: 0.0,
            least: LeastPush::default(),
            work: 0,
            looks: 0,
            faced: Vec::new(),
        }
    }

    /// Moves the discs of one class to where they overlap nothing of it or of those before.
    fn settle(&mut self, class: MassClass) -> Result<(), Error> {
        self.moving = class;
        for (i, disc) in self.discs.iter().enumerate() {
            self.weights[i] = if disc.class == class { 1.0 } else { 0.0 };
        }
        self.start();
        let movers: f64 = self.weights.iter().sum();
        if movers == 0.0 {
            return Ok(());
        }
        let overlap = self.find_pushes();
        if overlap.depth == 0.0 {
            return Ok(());
        }
        if overlap.total <= HEAPED * movers && self.search(WORK) {
            return Ok(());
        }
        // Step by step, wherever that leads; and from there to where the moves are least, if that succeeds.
        self.start();
        if !self.relax() {
            let Overlap { depth, disc, .. } = self.find_pushes();
            return Err(Error::NoRoom { disc: self.store.bodies.id(self.discs[disc].slot), depth });
        }
        let (found, sum) = (self.offsets.clone(), self.sum_of_squares());
        self.known.clear();
        if !self.search(2 * POLISH) || self.sum_of_squares() > sum {
            self.offsets = found;
        }
        Ok(())
    }

    /// Refuses more overlaps than can be looked at round after round.
    fn check_count(&self) -> Result<(), Error> {
        let mut count = Count::among(self.discs.len());
        let squares: Vec<_> =
            self.discs.iter().map(|disc| (disc.motion.position, disc.motion.radius)).collect();
        near(self.reach, &squares, |i, j| {
            let (a, b) = (&self.discs[i], &self.discs[j]);
            let reach = self.reach.at(a.motion.radius, b.motion.radius);
            let apart = Apart::new(a.motion.position, b.motion.position, &Periods::NONE);
            let is_ignored = self.store.bodies.ignore(a.slot, b.slot) || !(reach > 0.0);
            if is_ignored || overlap_depth(&apart, reach).is_none() {
                return ControlFlow::Continue(());
            }
            count.one_more()
        });
        count.check()
    }

    fn start(&mut self) {
        for i in 0..self.discs.len() {
            self.strides[i] = 0.5 * self.weights[i] * self.discs[i].motion.radius;
            if self.weights[i] > 0.0 {
                self.offsets[i] = DVec2::ZERO;
            }
        }
        self.known.clear();
    }

    fn sum_of_squares(&self) -> f64 {
        let moving = self.offsets.iter().zip(&self.weights).filter(|(_, weight)| **weight > 0.0);
        moving.map(|(offset, _)| offset.length_squared()).sum()
    }

    /// Seeks the least moves from the places in the world. Whether nothing overlaps in the end.
    fn search(&mut self, most_work: u64) -> bool {
        self.origins.fill(DVec2::ZERO);
        let end = self.work + most_work;
        let (mut shakes, mut calm, mut stuck) = (0, 0, Stuck::default());
        let (mut sum, mut longest) = (f64::INFINITY, f64::INFINITY);
        let mut room_since = None;
        for _ in 0..ROUNDS {
            let overlap = self.find_pushes();
            let has_room = overlap.ratio < 1e-3;
            if !has_room {
                room_since = None;
            }
            let polished = self.work - *room_since.get_or_insert(self.work) > POLISH;
            if has_room && (calm >= 2 || polished) && self.mend() {
                return true;
            }
            if self.work > end || self.looks > LOOKS {
                return false;
            }
            // Enough to see where it leads.
            longest = self.go(if has_room { 1e-4 } else { 1e-2 } * longest, overlap);
            let last = core::mem::replace(&mut sum, self.sum_of_squares());
            calm = if (last - sum).abs() <= SETTLED * sum { calm + 1 } else { 0 };
            if !has_room && (stuck.after(overlap) || calm >= 2) {
                if shakes == SHAKES {
                    return false;
                }
                shakes += 1;
                self.shake(shakes);
                (calm, sum, stuck) = (0, f64::INFINITY, Stuck::default());
            }
        }
        // The bound on the rounds may have come while moves became ever smaller.
        self.mend()
    }

    /// Takes away what overlap is left by the least moves from where the discs are. Whether it does; if not,
    /// the search goes on where it was.
    fn mend(&mut self) -> bool {
        let found = self.offsets.clone();
        for _ in 0..20 {
            self.origins.copy_from_slice(&self.offsets);
            let overlap = self.find_pushes();
            if overlap.depth == 0.0 {
                return true;
            }
            self.go(0.0, overlap);
        }
        self.offsets = found;
        self.origins.fill(DVec2::ZERO);
        self.known.clear();
        false
    }

    /// Takes away the overlap by least moves from place to place. Whether it does.
    fn relax(&mut self) -> bool {
        let end = self.work + WORK;
        let (mut shakes, mut stuck) = (0, Stuck::default());
        for _ in 0..ROUNDS {
            self.origins.copy_from_slice(&self.offsets);
            let overlap = self.find_pushes();
            if overlap.depth == 0.0 {
                return true;
            }
            if self.work > end || self.looks > LOOKS {
                return false;
            }
            self.go(0.0, overlap);
            if stuck.after(overlap) {
                if shakes == SHAKES {
                    return false;
                }
                shakes += 1;
                self.shake(shakes);
                stuck = Stuck::default();
            }
        }
        false
    }

    fn place(&self, i: usize) -> DVec2 {
        place(&self.discs[i], self.offsets[i])
    }

    /// Collects the pushes that the present places need; returns the deepest overlap, by the engine's own
    /// test.
    fn find_pushes(&mut self) -> Overlap {
        self.pushes.clear();
        self.keys.clear();
        self.margin = f64::INFINITY;
        self.depths.fill(0.0);
        let squares: Vec<(DVec2, f64)> = (0..self.discs.len())
            .map(|i| (self.place(i), self.discs[i].motion.radius + self.strides[i]))
            .collect();
        let mut deepest = Overlap::default();
        let mut deep_pairs = vec![0; self.discs.len()];
        near(self.reach, &squares, |i, j| {
            self.looks += 1;
            self.find_push_of_pair([i, j], [squares[i].0, squares[j].0], &mut deepest, &mut deep_pairs);
            ControlFlow::Continue(())
        });
        for (i, &(position, _)) in squares.iter().enumerate() {
            if self.weights[i] > 0.0 {
                self.find_pushes_of_walls(i, position, &mut deepest);
            }
        }
        for (i, &depth) in self.depths.iter().enumerate() {
            self.strides[i] = 0.5 * self.weights[i] * self.discs[i].motion.radius.max(depth);
        }
        deepest
    }

    fn find_push_of_pair(
        &mut self,
        [i, j]: [usize; 2],
        [x_i, x_j]: [DVec2; 2],
        deepest: &mut Overlap,
        deep_pairs: &mut [usize],
    ) {
        let (of_i, of_j) = (&self.discs[i], &self.discs[j]);
        if self.weights[i] + self.weights[j] == 0.0
            || self.store.bodies.ignore(of_i.slot, of_j.slot)
            || self.is_yet_to_come(i)
            || self.is_yet_to_come(j)
        {
            return;
        }
        let reach = self.reach.at(of_i.motion.radius, of_j.motion.radius);
        let (gap, normal) = gap_and_normal(x_j - x_i, reach, [of_i, of_j]);
        if !(reach > 0.0) || gap > self.strides[i] + self.strides[j] {
            return;
        }
        let overlap = overlap_depth(&Apart::new(x_i, x_j, &Periods::NONE), reach);
        if let Some(depth) = overlap {
            *deepest = deepest.or(depth, depth / reach, i);
            self.depths[i] = self.depths[i].max(depth);
            self.depths[j] = self.depths[j].max(depth);
            if depth > 0.25 * reach {
                let busier = if self.weights[i] == 0.0 { j } else { i };
                deep_pairs[busier] += 1;
                if deep_pairs[busier] > DEEP_PAIRS {
                    return;
                }
            }
        }
        let margin = MARGIN * reach + touch_slack(magnitude(x_i).max(magnitude(x_j)));
        self.margin = self.margin.min(margin);
        let wanted = self.wanted(gap, margin, [i, j], overlap.is_some());
        let been = normal.dot(self.since_origin(j) - self.since_origin(i));
        self.pushes.push(Push { a: i as u32, b: j as u32, normal, goal: wanted - gap + been });
        self.keys.push((i as u32, j as u32));
    }

    fn find_pushes_of_walls(&mut self, i: usize, position: DVec2, deepest: &mut Overlap) {
        let (walls, now, disc) = (&self.store.walls, self.store.now, self.discs[i]);
        let motion = Motion { position, ..disc.motion };
        let mut found = core::mem::take(&mut self.faced);
        faced(self.store, &disc, position, self.strides[i], &mut found);
        for at in found.iter().filter(|at| !at.hidden) {
            let facet = &walls.facets[at.facet as usize];
            let overlaps = facet.overlap(&motion, now).is_some();
            if overlaps {
                let depth = -at.gap.distance;
                *deepest = deepest.or(depth, depth / (motion.radius + depth), i);
                self.depths[i] = self.depths[i].max(depth);
            }
            let margin = MARGIN * motion.radius + facet.slack(&motion);
            self.margin = self.margin.min(margin);
            let wanted = self.wanted(at.gap.distance, margin, [i, i], overlaps);
            let been = -at.gap.normal.dot(self.since_origin(i));
            let (normal, goal) = (at.gap.normal, wanted - at.gap.distance + been);
            self.pushes.push(Push { a: i as u32, b: Push::FIXED, normal, goal });
            self.keys.push((i as u32, FACET | at.facet));
        }
        self.faced = found;
    }

    /// Whether a disc is placed after those that move now.
    fn is_yet_to_come(&self, i: usize) -> bool {
        self.discs[i].class.rank() > self.moving.rank()
    }

    fn since_origin(&self, i: usize) -> DVec2 {
        self.offsets[i] - self.origins[i]
    }

    /// How wide a gap is to be. A disc that has not been moved and overlaps nothing stays where it is.
    fn wanted(&self, gap: f64, margin: f64, pair: [usize; 2], overlaps: bool) -> f64 {
        let still = pair.into_iter().all(|i| self.offsets[i] == DVec2::ZERO);
        if still && !overlaps { gap.min(margin) } else { margin }
    }

    /// Moves towards the least push. Returns the longest move.
    fn go(&mut self, tolerance: f64, deepest: Overlap) -> f64 {
        self.sort_pushes();
        let known = &self.known;
        let known = |key| known.binary_search_by_key(&key, |&(key, _)| key).map_or(0.0, |at| known[at].1);
        self.least.impulses.clear();
        self.least.impulses.extend(self.keys.iter().map(|&key| known(key)));
        // No better than the margin needs, nor than the rounding of what is asked for allows.
        let rounding = 4.0 * f64::EPSILON * self.pushes.iter().map(|p| p.goal).fold(0.0, f64::max);
        let effort = Effort {
            tolerance: tolerance.max(0.25 * self.margin).max(rounding),
            give: (1e-5 * deepest.ratio).min(1e-6),
            iterations: if deepest.ratio > 0.25 {
                40
            } else {
                200 + 4 * sqrt(self.pushes.len() as f64) as usize
            },
        };
        let (iterations, _) = self.least.solve(&self.pushes, &self.weights, effort);
        self.work += ((iterations + 10) * (self.pushes.len() + self.discs.len())) as u64;
        self.known.clear();
        let impulses = self.keys.iter().zip(&self.least.impulses).filter(|(_, x)| **x > 0.0);
        self.known.extend(impulses.map(|(&key, &x)| (key, x)));
        let mut longest = 0.0_f64;
        for i in 0..self.discs.len() {
            let to = self.origins[i] + self.least.changes[i];
            if self.weights[i] == 0.0 || to == self.offsets[i] {
                continue;
            }
            let step = self.before_walls(i, to - self.offsets[i]);
            let length = sqrt(step.length_squared());
            let cut = length > self.strides[i];
            self.offsets[i] = if cut {
                self.offsets[i] + step * (self.strides[i] / length)
            } else if step == to - self.offsets[i] {
                to
            } else {
                self.offsets[i] + step
            };
            longest = longest.max(length.min(self.strides[i]));
        }
        longest
    }

    /// Puts the pushes in the order of those concerned: that in which they were found depends on the places.
    fn sort_pushes(&mut self) {
        let mut order: Vec<usize> = (0..self.keys.len()).collect();
        order.sort_unstable_by_key(|&c| self.keys[c]);
        self.pushes = order.iter().map(|&c| self.pushes[c]).collect();
        self.keys = order.iter().map(|&c| self.keys[c]).collect();
    }

    /// A step cut short where the centre would pass a wall.
    fn before_walls(&self, i: usize, step: DVec2) -> DVec2 {
        let center = Motion::new(self.place(i), step, 0.0);
        let (walls, now, slot) = (&self.store.walls, self.store.now, self.discs[i].slot);
        let met =
            walls.present().filter(|(f, _)| CommonPredictor::of(self.store).collides_with_facet(slot, *f));
        let hits = met.map(|(_, facet)| facet.standing_from(now).shape.time_of_impact(&center, Memory::None));
        let first = hits.flatten().filter(|&t| t > 0.0).fold(f64::INFINITY, f64::min);
        if first < 1.0 { step * (0.9 * first) } else { step }
    }

    /// Moves each disc that overlaps something aside, in its own direction, further each time.
    fn shake(&mut self, shakes: u32) {
        let size = (0..shakes).fold(0.01, |size, _| 1.6 * size);
        for i in 0..self.discs.len() {
            let radius = self.discs[i].motion.radius.max(self.depths[i]);
            if self.depths[i] > 1e-4 * radius && self.weights[i] > 0.0 {
                let way =
                    golden_direction(self.discs[i].serial.wrapping_add(1).wrapping_mul(u64::from(shakes)));
                let step = self.before_walls(i, way * (size * radius));
                self.offsets[i] += step;
            }
        }
        self.known.clear();
    }
}

use super::least::{Effort, LeastPush, Push};
use super::{Count, Standing, faced, gap_and_normal, near, standing};
use crate::error::check;
use crate::physics::ReachOf;
use crate::store::Common;
use crate::touch::{Apart, overlap_depth};
use crate::{DiscId, Error, Partner};
use carom_broadphase::Slot;
use carom_math::Periods;
use carom_math::eft::DoubleDouble as Dd;
use carom_solver::MassClass;
use carom_solver::{Complementarity, root};
use core::ops::ControlFlow;
use glam::DVec2;

/// What [`World::separate_overlaps`](crate::World::separate_overlaps) found and did.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Parted {
    /// Everything that overlaps, pairs by the serial numbers of their discs, then walls.
    pub overlaps: Vec<Overlapping>,
    /// Kinetic energy of finite masses after it less that before: mostly positive, as things that rest are
    /// set in motion; negative where an approach is stopped.
    pub energy_added: f64,
}

/// Two discs, or a disc and a part of a wall, that overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Overlapping {
    /// The disc; of two the one with the smaller serial number.
    pub a: DiscId,
    /// What it overlaps.
    pub b: Partner,
    /// By how much, in length units.
    pub depth: f64,
    /// Unit normal from `a` to `b`.
    pub normal: DVec2,
    /// The impulse that parts them, on the other along the normal, ≥ 0; 0 if they were parting fast enough
    /// already, or by what the others do. For two discs of which one is infinite or a tracer that of the
    /// lighter one, and of a tracer or an infinite mass at a wall per unit of mass.
    pub impulse: f64,
}

/// Heaps of up to this many discs are solved by elimination, O(n³), as at most two overlaps for each disc
/// push at once; larger ones by iteration.
const DENSE: usize = 48;
/// What iteration leaves, as a fraction of the largest velocity: the first that it reaches in time. It aims
/// twice as much higher, so that no pair is too slow.
const RESIDUALS: [f64; 3] = [1e-10, 1e-8, 1e-6];
/// Iterations for each, after which a heap counts as one that cannot part.
const ITERATIONS: usize = 10_000;
/// Overlaps times iterations in all, after which the search ends without a result: some ten seconds.
const WORK: usize = 1 << 30;

/// What elimination leaves, as a fraction of the largest velocity: above the rounding of double-double.
const DENSE_RESIDUAL: f64 = 1.0 / (1u128 << 90) as f64;

/// An overlap on its way to be parted; discs by number.
#[derive(Clone, Copy, Debug)]
struct Demand {
    a: usize,
    b: Option<usize>,
    with: Partner,
    normal: DVec2,
    depth: f64,
    speed: f64,
    impulse: f64,
}

/// With what velocities discs that overlap separate, by slot and as they would be stored, and a report: see
/// [`World::separate_overlaps`](crate::World::separate_overlaps).
pub(crate) fn part(
    store: &Common,
    reach: ReachOf<'_>,
    speed: f64,
) -> Result<(Parted, Vec<(Slot, DVec2)>), Error> {
    let pace = store.pace();
    let discs = standing(store);
    let mut demands = overlaps(store, reach, &discs, speed / pace)?;
    let mut work = WORK;
    let mut velocities: Vec<[Dd; 2]> =
        discs.iter().map(|d| [d.motion.velocity.x.into(), d.motion.velocity.y.into()]).collect();
    for class in MassClass::ALL {
        for part in parts(&discs, &demands, class) {
            let heap = Heap::new(&discs, part.iter().map(|&c| demands[c]).collect(), &velocities, class);
            let cannot =
                || Error::CannotPart { disc: store.bodies.id(discs[demands[part[0]].a].slot), speed };
            let impulses = heap.part(&mut velocities, &mut work).ok_or_else(cannot)?;
            for (&c, impulse) in part.iter().zip(impulses) {
                demands[c].impulse = impulse.to_f64();
            }
        }
    }
    let mut parted = Parted::default();
    let mut changed = Vec::new();
    for (disc, velocity) in discs.iter().zip(velocities) {
        let (before, after) = (disc.motion.velocity, DVec2::from(velocity.map(Dd::to_f64)));
        if after != before {
            check::velocity(after * pace)?;
            if disc.class == MassClass::Finite {
                parted.energy_added += 0.5 * disc.mass * (after - before).dot(after + before) * (pace * pace);
            }
            changed.push((disc.slot, after));
        }
    }
    parted.overlaps.extend(demands.iter().map(|demand| Overlapping {
        a: store.bodies.id(discs[demand.a].slot),
        b: demand.with,
        depth: demand.depth,
        normal: demand.normal,
        impulse: demand.impulse * pace,
    }));
    Ok((parted, changed))
}

/// Everything that overlaps by more than touching, in order.
fn overlaps(
    store: &Common,
    reach: ReachOf<'_>,
    discs: &[Standing],
    speed: f64,
) -> Result<Vec<Demand>, Error> {
    let growth = store.bodies.growth.rate_at(store.now);
    let (mut demands, mut count) = (Vec::new(), Count::among(discs.len()));
    let squares: Vec<_> = discs.iter().map(|d| (d.motion.position, d.motion.radius)).collect();
    near(reach, &squares, |i, j| {
        let (a, b) = (&discs[i], &discs[j]);
        let reach = reach.at(a.motion.radius, b.motion.radius);
        if store.bodies.ignore(a.slot, b.slot) || !(reach > 0.0) {
            return ControlFlow::Continue(());
        }
        if let Some(depth) =
            overlap_depth(&Apart::new(a.motion.position, b.motion.position, &Periods::NONE), reach)
        {
            let d = b.motion.position - a.motion.position;
            let (_, normal) = gap_and_normal(d, reach, [a, b]);
            let with = Partner::Disc(store.bodies.id(b.slot));
            // What grows parts no faster for it.
            let speed = speed + growth * reach;
            demands.push(Demand { a: i, b: Some(j), with, normal, depth, speed, impulse: 0.0 });
            return count.one_more();
        }
        ControlFlow::Continue(())
    });
    count.check()?;
    demands.sort_unstable_by_key(|demand| (demand.a, demand.b));
    let mut found = Vec::new();
    for (i, disc) in discs.iter().enumerate() {
        faced(store, disc, disc.motion.position, 0.0, &mut found);
        for at in &found {
            if store.walls.facets[at.facet as usize].overlap(&disc.motion, store.now).is_none() {
                continue;
            }
            let with = store.walls.partner(at.facet);
            let speed = if at.hidden { 0.0 } else { speed } + growth * disc.motion.radius;
            let (normal, depth) = (at.gap.normal, -at.gap.distance);
            demands.push(Demand { a: i, b: None, with, normal, depth, speed, impulse: 0.0 });
        }
    }
    Ok(demands)
}

/// Whether an overlap is parted with this class: when its most easily moved disc is of it.
fn concerns(discs: &[Standing], demand: &Demand, class: MassClass) -> bool {
    let classes = [Some(demand.a), demand.b].map(|i| i.map(|i| discs[i].class));
    match classes {
        [Some(a), None] => a == class,
        _ if classes.contains(&Some(MassClass::Tracer)) => class == MassClass::Tracer,
        _ => class == MassClass::Finite,
    }
}

/// The overlaps of a class, by what hangs together through discs of it.
fn parts(discs: &[Standing], demands: &[Demand], class: MassClass) -> Vec<Vec<usize>> {
    let mut roots: Vec<u32> = (0..discs.len() as u32).collect();
    let concerned: Vec<usize> = (0..demands.len()).filter(|&c| concerns(discs, &demands[c], class)).collect();
    for &c in &concerned {
        if let Demand { a, b: Some(b), .. } = demands[c]
            && discs[a].class == class
            && discs[b].class == class
        {
            let (of_a, of_b) = (root(&mut roots, a as u32), root(&mut roots, b as u32));
            roots[of_a.max(of_b) as usize] = of_a.min(of_b);
        }
    }
    let mover = |demand: &Demand| match demand.b {
        Some(b) if discs[demand.a].class != class => b,
        _ => demand.a,
    };
    let mut keyed: Vec<(u32, usize)> =
        concerned.into_iter().map(|c| (root(&mut roots, mover(&demands[c]) as u32), c)).collect();
    keyed.sort_unstable();
    keyed.chunk_by(|x, y| x.0 == y.0).map(|part| part.iter().map(|&(_, c)| c).collect()).collect()
}

/// Overlaps that hang together through discs of one class.
struct Heap<'a> {
    discs: &'a [Standing],
    demands: Vec<Demand>,
    class: MassClass,
    /// The largest component of a velocity.
    scale: f64,
}

impl<'a> Heap<'a> {
    fn new(discs: &'a [Standing], demands: Vec<Demand>, velocities: &[[Dd; 2]], class: MassClass) -> Self {
        let mut heap = Heap { discs, demands, class, scale: 0.0 };
        let speeds = heap.demands.iter().map(|demand| demand.speed);
        let components = heap.members().into_iter().flat_map(|i| velocities[i].map(|v| v.to_f64().abs()));
        heap.scale = speeds.chain(components).fold(0.0, f64::max);
        heap
    }

    /// The discs, in order.
    fn members(&self) -> Vec<usize> {
        let ends = self.demands.iter().flat_map(|demand| [Some(demand.a), demand.b]);
        let mut members: Vec<usize> = ends.flatten().collect();
        members.sort_unstable();
        members.dedup();
        members
    }

    /// Finds the impulses and adds what they do to the velocities. `None`, with nothing added, if no impulses
    /// part the heap, or if `work` runs out before they are found.
    fn part(&self, velocities: &mut [[Dd; 2]], work: &mut usize) -> Option<Vec<Dd>> {
        if self.is_parted(0.0, velocities) {
            return Some(vec![Dd::ZERO; self.demands.len()]);
        }
        let before: Vec<(usize, [Dd; 2])> = self.members().into_iter().map(|i| (i, velocities[i])).collect();
        if before.len() <= DENSE
            && let Some(impulses) = self.by_elimination(velocities)
        {
            self.add(&impulses, velocities);
            // Demands of very unequal masses that only nearly depend on each other are sometimes taken for
            // ones that do.
            if self.is_parted(f64::EPSILON * self.scale, velocities) {
                return Some(impulses);
            }
            for (i, velocity) in before {
                velocities[i] = velocity;
            }
        }
        let impulses = self.by_iteration(velocities, work)?;
        self.add(&impulses, velocities);
        Some(impulses)
    }

    fn is_parted(&self, tolerance: f64, velocities: &[[Dd; 2]]) -> bool {
        let missing = |demand: &Demand| demand.speed - opening(demand, velocities).to_f64();
        self.demands.iter().all(|demand| missing(demand) <= tolerance)
    }

    fn add(&self, impulses: &[Dd], velocities: &mut [[Dd; 2]]) {
        for (demand, &impulse) in self.demands.iter().zip(impulses) {
            for (i, sign) in ends(demand) {
                let change = impulse * self.mobility(i) * Dd::from(sign);
                velocities[i][0] = velocities[i][0] + change * Dd::from(demand.normal.x);
                velocities[i][1] = velocities[i][1] + change * Dd::from(demand.normal.y);
            }
        }
    }

    /// Velocity per impulse.
    fn mobility(&self, i: usize) -> Dd {
        match self.class {
            _ if self.discs[i].class != self.class => Dd::ZERO,
            MassClass::Finite => Dd::from(1.0) / Dd::from(self.discs[i].mass),
            // Only they move, so their mass cancels.
            MassClass::Infinite | MassClass::Tracer => Dd::from(1.0),
        }
    }

    fn by_elimination(&self, velocities: &[[Dd; 2]]) -> Option<Vec<Dd>> {
        let mut problem = Complementarity::default();
        problem.reset(self.demands.len());
        for (i, c) in self.demands.iter().enumerate() {
            *problem.offset_mut(i) = opening(c, velocities) - Dd::from(c.speed);
            for (j, d) in self.demands[..=i].iter().enumerate() {
                let mut coupling = Dd::ZERO;
                for (m, sign_c) in ends(c) {
                    for (_, sign_d) in ends(d).filter(|&(n, _)| n == m) {
                        coupling = coupling + self.mobility(m) * Dd::from(sign_c * sign_d);
                    }
                }
                let cosine = Dd::product(c.normal.x, d.normal.x) + Dd::product(c.normal.y, d.normal.y);
                problem.set_symmetric(i, j, coupling * cosine);
            }
        }
        let tolerance = DENSE_RESIDUAL * self.scale;
        problem.solve(tolerance, Complementarity::NEGLIGIBLE * tolerance).ok()?;
        Some(problem.impulses)
    }

    fn by_iteration(&self, velocities: &[[Dd; 2]], work: &mut usize) -> Option<Vec<Dd>> {
        let members = self.members();
        // The unit of mass is that of the lightest, so that weights and impulses have no extreme exponents.
        let unit = match self.class {
            MassClass::Finite => {
                let movers = members.iter().filter(|&&i| self.discs[i].class == self.class);
                movers.map(|&i| self.discs[i].mass).fold(f64::INFINITY, f64::min)
            }
            MassClass::Infinite | MassClass::Tracer => 1.0,
        };
        let weights: Vec<f64> =
            members.iter().map(|&i| (self.mobility(i) * Dd::from(unit)).to_f64()).collect();
        let number = |i: usize| members.partition_point(|&member| member < i) as u32;
        let mut search = Search::new(self.demands.iter().map(|demand| Push {
            a: number(demand.a),
            b: demand.b.map_or(Push::FIXED, number),
            normal: demand.normal,
            goal: (Dd::from(demand.speed) - opening(demand, velocities)).to_f64(),
        }));
        for _ in 0..2 {
            search.add(weights.len(), |c| Some(self.demands[c].depth));
        }
        for residual in RESIDUALS {
            if let Some(impulses) = search.solve(&weights, residual * self.scale, work) {
                return Some(impulses.iter().map(|&x| Dd::from(x) * Dd::from(unit)).collect());
            }
        }
        None
    }
}

/// The least pushes that meet all demands, by those that matter: first each disc's two deepest, then what
/// their solution misses, of each disc the most.
///
/// Where many discs overlap each other, most demands follow from those of neighbours. A row of 300 discs that
/// all overlap has 44,850 demands, which follow from the 299 between neighbours. With all of them the
/// iteration does not converge in 10,000 steps.
struct Search {
    all: Vec<Push>,
    is_chosen: Vec<bool>,
    /// The numbers of those that are chosen.
    chosen: Vec<usize>,
    least: LeastPush,
}

impl Search {
    fn new(all: impl Iterator<Item = Push>) -> Self {
        let all: Vec<Push> = all.collect();
        let is_chosen = vec![false; all.len()];
        Search { all, is_chosen, chosen: Vec::new(), least: LeastPush::default() }
    }

    /// Adds of each body the demand of the largest value, where one has a value; returns whether there was
    /// any.
    fn add(&mut self, bodies: usize, value: impl Fn(usize) -> Option<f64>) -> bool {
        let mut first: Vec<Option<(f64, usize)>> = vec![None; bodies];
        for (c, push) in self.all.iter().enumerate().filter(|(c, _)| !self.is_chosen[*c]) {
            let Some(value) = value(c) else { continue };
            for body in [push.a, push.b].into_iter().filter(|&body| body != Push::FIXED) {
                let first = &mut first[body as usize];
                if first.is_none_or(|(largest, _)| value > largest) {
                    *first = Some((value, c));
                }
            }
        }
        let before = self.chosen.len();
        for (_, c) in first.into_iter().flatten() {
            if !core::mem::replace(&mut self.is_chosen[c], true) {
                self.chosen.push(c);
            }
        }
        self.chosen.len() > before
    }

    /// Drops the demands that do not push: what they miss without the others is found again.
    fn drop_idle(&mut self) {
        let mut pushes = self.least.impulses.iter().map(|&impulse| impulse > 0.0);
        let is_chosen = &mut self.is_chosen;
        self.chosen.retain(|&c| {
            is_chosen[c] = pushes.next() == Some(true);
            is_chosen[c]
        });
        self.least.impulses.retain(|&impulse| impulse > 0.0);
    }

    /// The impulses of all demands; `None` if they are not found in time.
    fn solve(&mut self, weights: &[f64], tolerance: f64, work: &mut usize) -> Option<Vec<f64>> {
        loop {
            let higher = |push: Push| Push { goal: push.goal + 2.0 * tolerance, ..push };
            let pushes: Vec<Push> = self.chosen.iter().map(|&c| higher(self.all[c])).collect();
            let iterations = ITERATIONS.min(*work / pushes.len());
            let effort = Effort { tolerance, give: 0.0, iterations };
            let (taken, done) = self.least.solve(&pushes, weights, effort);
            *work = work.saturating_sub(taken * pushes.len() + self.all.len());
            if !done {
                return None;
            }
            self.drop_idle();
            let changes = core::mem::take(&mut self.least.changes);
            let missing: Vec<f64> = self.all.iter().map(|push| push.goal - push.opening(&changes)).collect();
            self.least.changes = changes;
            if !self.add(weights.len(), |c| Some(missing[c]).filter(|missing| *missing > -tolerance)) {
                break;
            }
        }
        let mut impulses = vec![0.0; self.all.len()];
        self.chosen.iter().zip(&self.least.impulses).for_each(|(&c, &impulse)| impulses[c] = impulse);
        Some(impulses)
    }
}

/// The discs of an overlap, with the sign of an impulse on them.
fn ends(demand: &Demand) -> impl Iterator<Item = (usize, f64)> {
    [Some((demand.a, -1.0)), demand.b.map(|b| (b, 1.0))].into_iter().flatten()
}

/// The speed at which a pair separates along its normal.
fn opening(demand: &Demand, velocities: &[[Dd; 2]]) -> Dd {
    let along = |v: [Dd; 2]| v[0] * Dd::from(demand.normal.x) + v[1] * Dd::from(demand.normal.y);
    demand.b.map_or(Dd::ZERO, |b| along(velocities[b])) - along(velocities[demand.a])
}

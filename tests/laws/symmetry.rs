//! Neither the order of insertion nor a mirror about an axis through the origin changes a bit: random worlds
//! of whole numbers, in which much happens at one instant.

use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, Settings, StopReason, Wall, World};

/// A mirror: where it takes a point.
pub(crate) type Mirror = fn(DVec2) -> DVec2;

const MIRRORS: [Mirror; 5] = [
    |p| DVec2::new(p.y, p.x),
    |p| DVec2::new(-p.x, p.y),
    |p| DVec2::new(p.x, -p.y),
    |p| DVec2::new(-p.y, -p.x),
    |p| DVec2::new(-p.x, -p.y),
];

/// Half the width of the room.
const HALF: f64 = 20.0;

/// A world, to be made in any order and mirrored.
pub(crate) struct Case {
    pub(crate) discs: Vec<Disc>,
    pub(crate) walls: Vec<Wall>,
    pub(crate) settings: Settings,
    pub(crate) until: f64,
}

/// Settings with a budget for worlds of which some have no other end.
fn short(drag: f64) -> Settings {
    Settings::default().with_budget(5_000).with_drag(drag)
}

/// Where a disc touches another with the same radius 5/2: exactly, as 3² + 4² = 5².
const TOUCHING: [[f64; 2]; 6] = [[5.0, 0.0], [0.0, 5.0], [3.0, 4.0], [4.0, 3.0], [3.0, -4.0], [4.0, -3.0]];

impl Case {
    fn random(rng: &mut Rng) -> Self {
        let mut discs: Vec<Disc> = Vec::new();
        let n = 3 + rng.below(7);
        let overlaps = rng.chance(40);
        let moving_infinite = rng.chance(10);
        let unlike = rng.chance(20);
        while discs.len() < n {
            let radius = if rng.chance(80) { 2.5 } else { rng.pick(&[0.0, 1.0, 2.5, 4.0]) };
            let place = Self::place(rng, &discs, radius);
            let apart = |other: &Disc| other.position.distance(place) >= other.radius + radius;
            // Discs with one centre, or with that of a round wall, have no normal that a mirror keeps.
            let concentric = discs.iter().any(|other| other.position == place) || is_post(place);
            let is_out = place.abs().max_element() > HALF - radius;
            if is_out || concentric || (!overlaps && !discs.iter().all(apart)) {
                continue;
            }
            let mut mass = rng.pick(&[1.0, 1.0, 1.0, 2.0, 0.5, 0.0, f64::INFINITY]);
            if unlike && rng.chance(50) {
                mass = rng.pick(&[1e-6, 1e-3, 1e3, 1e6]);
            }
            let mut velocity = DVec2::new(rng.pick(&SPEEDS), rng.pick(&SPEEDS));
            if mass == f64::INFINITY && !moving_infinite {
                velocity = DVec2::ZERO;
            }
            let e = rng.pick(&[1.0, 1.0, 0.75, 0.5, 0.25, 0.0]);
            let disc = Disc::new(place, radius).with_mass(mass).with_velocity(velocity);
            discs.push(disc.with_restitution(e).with_overlap());
        }
        let corner = DVec2::splat(HALF);
        let mut walls = vec![Wall::container(-corner, corner).with_restitution(rng.pick(&[1.0, 0.5]))];
        if rng.chance(20) {
            walls.push(Wall::disc(DVec2::ZERO, 2.5));
        }
        if rng.chance(20) {
            let post = |x: f64, y: f64| Wall::disc(DVec2::new(x, y) * POSTS, 2.0);
            walls.extend([post(1.0, 1.0), post(-1.0, 1.0), post(-1.0, -1.0), post(1.0, -1.0)]);
        }
        Case { discs, walls, settings: short(0.0), until: rng.pick(&[0.0, 1.0, 5.0, 10.0]) }
    }

    /// Beside another disc or a wall, in a corner, or anywhere.
    fn place(rng: &mut Rng, discs: &[Disc], radius: f64) -> DVec2 {
        let whole = |rng: &mut Rng| f64::from(rng.below(41) as u32) - 20.0;
        let anywhere = DVec2::new(whole(rng), whole(rng));
        let edge = DVec2::splat(HALF - radius);
        match rng.below(10) {
            0..6 if !discs.is_empty() => {
                let to = discs[rng.below(discs.len())].position;
                let offset = DVec2::from(rng.pick(&TOUCHING));
                let offset = if rng.chance(50) { offset } else { -offset };
                // Sometimes so that they are hit later.
                to + offset * rng.pick(&[1.0, 1.0, 1.0, 2.0, 1.2])
            }
            6 => DVec2::new(anywhere.x, edge.y),
            7 => DVec2::new(-edge.x, anywhere.y),
            8 => edge,
            _ => anywhere,
        }
    }

    /// The world with the discs inserted in this order and mirrored.
    pub(crate) fn build(&self, order: &[usize], mirror: Mirror) -> World {
        let mut world = World::with_settings(self.settings.clone()).unwrap();
        for wall in &self.walls {
            world.add_wall(wall.clone()).unwrap();
        }
        for disc in order.iter().map(|&k| self.discs[k]) {
            let (position, velocity) = (mirror(disc.position), mirror(disc.velocity));
            world.insert(disc.with_position(position).with_velocity(velocity)).unwrap();
        }
        world
    }

    /// The discs of such a world in the end, by their first order and mirrored back; none if it ends before.
    pub(crate) fn run(&self, order: &[usize], mirror: Option<Mirror>) -> Option<Vec<[u64; 4]>> {
        self.run_in_frames(order, mirror, 1)
    }

    /// As `run`, at the end of each of this many frames.
    pub(crate) fn run_in_frames(
        &self,
        order: &[usize],
        mirror: Option<Mirror>,
        frames: u32,
    ) -> Option<Vec<[u64; 4]>> {
        let mirror = mirror.unwrap_or(|p| p);
        let mut world = self.build(order, mirror);
        let mut states = vec![[0; 4]; self.discs.len() * frames as usize];
        for (frame, states) in (1..).zip(states.chunks_mut(self.discs.len())) {
            let time = self.until * (f64::from(frame) / f64::from(frames));
            if world.advance_to(time).unwrap().end != StopReason::Reached {
                return None;
            }
            for ((_, disc), &k) in world.discs().zip(order) {
                // Each of these is its own inverse.
                let [p, v] = [disc.position, disc.velocity].map(mirror);
                // +0 and −0 are the same number, and a mirror makes one of the other.
                states[k] = [p.x, p.y, v.x, v.y].map(|x| (x + 0.0).to_bits());
            }
        }
        Some(states)
    }
}

/// Whether there may be a round wall about this place.
fn is_post(place: DVec2) -> bool {
    place == DVec2::ZERO || place.abs() == DVec2::splat(POSTS)
}

/// Coordinates of the round walls beside that in the middle.
const POSTS: f64 = 9.0;

const SPEEDS: [f64; 7] = [0.0, 0.0, 1.0, -1.0, 2.0, -2.0, 0.5];

/// Runs as many worlds in other orders and mirrored: nothing shows.
fn assert_symmetric(rng: &mut Rng, number: u64, drag: fn(&mut Rng) -> f64) {
    let (mut ended, mut differ) = (0, Vec::new());
    for case in 0..number {
        let mut world = Case::random(rng);
        world.settings = short(drag(rng));
        let order: Vec<usize> = (0..world.discs.len()).collect();
        let permutations = [0; 2].map(|_| rng.permutation(order.len()));
        let mirror = rng.pick(&MIRRORS);
        let Some(first) = world.run(&order, None) else {
            ended += 1;
            continue;
        };
        if permutations.iter().any(|order| world.run(order, None).as_ref() != Some(&first)) {
            differ.push((case, "order"));
        }
        if world.run(&order, Some(mirror)).as_ref() != Some(&first) {
            differ.push((case, "mirror"));
        }
    }
    println!("{ended} ended before");
    assert!(differ.is_empty(), "{} differ: {:?}", differ.len(), &differ[..differ.len().min(20)]);
    assert!(ended < number / 20, "{ended} ended before");
}

#[test]
fn neither_order_nor_mirror_shows() {
    assert_symmetric(&mut Rng::new(31), cases(3500), |_| 0.0);
}

/// In some seconds the clock of a world with drag is renewed never, at times, and all the time.
#[test]
fn nor_does_it_with_drag() {
    assert_symmetric(&mut Rng::new(32), cases(800), |rng| rng.pick(&[0.3, 3.0, 20.0, 300.0]));
}

/// A tracer between bodies that close in, whose impacts are plastic by then, hits one that rests against
/// another; at that instant an inelastic disc hits the same one. Whichever of the two impacts comes first in
/// the order of events, both are of one group.
#[test]
fn the_order_does_not_choose_which_impacts_are_plastic() {
    let disc = |x: f64, y: f64, mass: f64, vx: f64, vy: f64, e: f64| {
        let disc = Disc::new([x, y], 2.5).with_mass(mass).with_velocity([vx, vy]);
        disc.with_restitution(e).with_overlap()
    };
    let discs = vec![
        disc(17.5, 17.5, 0.5, 0.5, 0.0, 1.0),
        disc(14.5, 13.5, f64::INFINITY, 0.0, 0.0, 0.5),
        disc(11.5, 17.5, 0.0, 0.0, 1.0, 0.75),
        disc(1.0, 17.5, 1.0, 0.5, 0.0, 0.5),
        disc(4.0, 13.5, 0.5, 2.0, 0.0, 0.5),
        disc(-17.5, 11.0, f64::INFINITY, 0.0, 0.0, 0.0),
    ];
    for (wall_restitution, until) in [(1.0, 2.75), (0.5, 2.75), (1.0, 5.0), (0.5, 5.0)] {
        let room = Wall::container(DVec2::splat(-HALF), DVec2::splat(HALF));
        let walls = vec![room.with_restitution(wall_restitution)];
        let case = Case { discs: discs.clone(), walls, settings: short(0.0), until };
        let first = case.run(&[0, 1, 2, 3, 4, 5], None).unwrap();
        for order in [[5, 4, 2, 1, 0, 3], [4, 1, 2, 0, 3, 5], [2, 0, 4, 1, 5, 3]] {
            assert_eq!(case.run(&order, None).as_ref(), Some(&first), "{order:?} {until}");
        }
    }
}

/// Several contacts at one instant, found by random cases 47883 and 63401. A disc on which no impulse acts
/// keeps its state to the last bit, whichever of these contacts the order of insertion makes the due one.
#[test]
fn who_only_touches_keeps_its_bits_in_any_order() {
    let inf = f64::INFINITY;
    let disc = |[x, y, radius, mass, vx, vy, e]: [f64; 7]| {
        let disc = Disc::new([x, y], radius).with_mass(mass).with_velocity([vx, vy]);
        disc.with_restitution(e).with_overlap()
    };
    let crushed = [
        [-4.0, 9.0, 0.0, 0.5, -1.0, 0.0, 0.0],
        [17.5, 17.5, 2.5, 2.0, 0.5, 0.5, 1.0],
        [14.5, 13.5, 2.5, 0.0, 1.0, 0.0, 0.75],
        [14.5, 8.5, 2.5, 1.0, 0.5, 1.0, 1.0],
        [0.0, 12.0, 2.5, 1.0, 1.0, 0.0, 0.75],
        [-19.0, -4.0, 1.0, 1.0, 0.5, 2.0, 1.0],
        [17.5, 12.5, 2.5, inf, -1.0, 1.0, 0.25],
        [10.5, 10.5, 2.5, 0.5, -2.0, -2.0, 0.0],
    ];
    let collapsing = [
        [-16.0, 5.0, 2.5, 0.0, 0.0, 0.0, 0.5],
        [2.0, 16.0, 4.0, inf, 0.0, 0.0, 0.75],
        [14.0, 17.5, 2.5, 1.0, -2.0, -1.0, 1.0],
        [-12.0, 8.0, 2.5, 1.0, -2.0, 0.0, 0.5],
        [-16.0, 17.5, 2.5, inf, 0.0, 0.0, 0.5],
        [-13.0, 1.0, 2.5, 0.5, -2.0, 0.0, 1.0],
        [-7.2, 11.6, 1.0, 1.0, 0.5, 0.0, 0.5],
        [-17.5, -9.0, 2.5, 1.0, 0.0, 2.0, 1.0],
    ];
    let room = Wall::container(DVec2::splat(-HALF), DVec2::splat(HALF)).with_restitution(1.0);
    let in_order = [0, 1, 2, 3, 4, 5, 6, 7];
    for (discs, wall, until, orders) in [
        (
            crushed,
            Some(Wall::disc(DVec2::ZERO, 2.5)),
            5.0,
            [[1, 7, 2, 0, 3, 6, 5, 4], [2, 4, 5, 6, 0, 7, 1, 3]],
        ),
        (collapsing, None, 1.0, [[5, 3, 6, 7, 2, 0, 4, 1], [6, 4, 5, 1, 0, 2, 3, 7]]),
    ] {
        let walls = [room.clone()].into_iter().chain(wall).collect();
        let case = Case { discs: discs.map(disc).to_vec(), walls, settings: short(0.0), until };
        let first = case.run(&in_order, None).unwrap();
        for order in orders {
            assert_eq!(case.run(&order, None).as_ref(), Some(&first), "{order:?}");
        }
    }
}

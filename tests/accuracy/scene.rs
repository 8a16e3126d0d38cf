use crate::common::rng::Rng;
use carom_engine::{DVec2, Disc, Event, Partner, Settings, Wall, World};
use core::f64::consts::PI;

/// A disc at the start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    pub(crate) position: DVec2,
    pub(crate) velocity: DVec2,
    pub(crate) radius: f64,
    pub(crate) mass: f64,
}

/// What holds the discs together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Room {
    /// From the origin to here; walls 0 … 3 are left, right, bottom and top.
    Box(DVec2),
    /// Around the origin, of this radius; wall 0.
    Round(f64),
}

/// A closed world, its numbers multiples of 2⁻²⁰, so that sums and differences of the given are exact: what
/// starts from it starts from the same numbers, whatever it computes with.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) balls: Vec<Ball>,
    pub(crate) room: Room,
    /// Fixed discs.
    pub(crate) posts: Vec<(DVec2, f64)>,
    /// Restitution of everything.
    pub(crate) restitution: f64,
}

/// Who met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Met {
    /// Two discs, the smaller number first.
    Discs(usize, usize),
    /// A disc and a wall: those of the room, then the posts.
    Wall(usize, usize),
}

/// Rounded to a multiple of 2⁻²⁰.
fn exact(x: f64) -> f64 {
    const STEP: f64 = 1.0 / (1 << 20) as f64;
    (x / STEP).round() * STEP
}

fn exact_vector(v: DVec2) -> DVec2 {
    DVec2::new(exact(v.x), exact(v.y))
}

impl Room {
    /// How many walls it has.
    pub(crate) fn walls(&self) -> usize {
        match self {
            Room::Box(_) => 4,
            Room::Round(_) => 1,
        }
    }

    fn holds(&self, p: DVec2, r: f64) -> bool {
        match *self {
            Room::Box(size) => p.min_element() > r && (size - p).min_element() > r,
            Room::Round(radius) => p.length() < radius - r,
        }
    }

    fn anywhere(&self, rng: &mut Rng) -> DVec2 {
        exact_vector(match *self {
            Room::Box(size) => DVec2::new(rng.unit(), rng.unit()) * size,
            Room::Round(radius) => rng.vector(radius),
        })
    }
}

impl Scene {
    /// 2 to 20 discs with radii from 0.3 to 1, masses from 0.5 to 3 and velocities of at most 1 a component,
    /// in a box or a round room, every other time with one to three fixed discs; all discs together cover
    /// this part of it, between these bounds.
    pub(crate) fn random(rng: &mut Rng, packing: [f64; 2], restitution: f64) -> Scene {
        let count = 2 + rng.below(19);
        let sizes: Vec<f64> = (0..count).map(|_| exact(rng.range(0.3, 1.0))).collect();
        let post_count = if rng.chance(50) { 1 + rng.below(3) } else { 0 };
        let post_sizes: Vec<f64> = (0..post_count).map(|_| exact(rng.range(0.3, 1.0))).collect();
        let covered: f64 = sizes.iter().chain(&post_sizes).map(|r| PI * r * r).sum();
        let packing = rng.range(packing[0], packing[1]);
        // In a round room an inelastic disc soon slides, with impacts without end on the way.
        let round = rng.chance(40) && restitution == 1.0;
        let aspect = rng.range(0.6, 1.0);
        let mut area = covered / packing;
        loop {
            let room = if round {
                Room::Round(exact((area / PI).sqrt()))
            } else {
                Room::Box(exact_vector(DVec2::new((area / aspect).sqrt(), (area * aspect).sqrt())))
            };
            if let Some(places) = Scene::place(rng, room, &[&post_sizes[..], &sizes[..]].concat()) {
                let posts = places.iter().copied().zip(post_sizes).collect();
                let balls = places[post_count..]
                    .iter()
                    .zip(sizes)
                    .map(|(&position, radius)| Ball {
                        position,
                        velocity: exact_vector(rng.vector(1.0)),
                        radius,
                        mass: exact(rng.range(0.5, 3.0)),
                    })
                    .collect();
                return Scene { balls, room, posts, restitution };
            }
            // No room for all: a little more of it.
            area *= 1.05;
        }
    }

    /// Places without overlap for discs of these sizes, one after another at random.
    fn place(rng: &mut Rng, room: Room, sizes: &[f64]) -> Option<Vec<DVec2>> {
        let mut places: Vec<DVec2> = Vec::new();
        for (k, &r) in sizes.iter().enumerate() {
            let place = (0..1000).map(|_| room.anywhere(rng)).find(|&p| {
                let free = |(&q, &s): (&DVec2, &f64)| p.distance(q) > r + s + 1e-3;
                room.holds(p, r + 1e-3) && places.iter().zip(&sizes[..k]).all(free)
            });
            places.push(place?);
        }
        Some(places)
    }

    /// The same in Carom, starting at this time.
    pub(crate) fn world(&self, start: f64) -> World {
        let settings = Settings::default().with_start(start).with_budget(1);
        let mut world = World::with_settings(settings).unwrap();
        let room = match self.room {
            Room::Box(size) => Wall::container(DVec2::ZERO, size),
            Room::Round(radius) => Wall::circle(DVec2::ZERO, radius),
        };
        world.add_wall(room.with_restitution(self.restitution)).unwrap();
        for &(center, radius) in &self.posts {
            world.add_wall(Wall::disc(center, radius).with_restitution(self.restitution)).unwrap();
        }
        for ball in &self.balls {
            let disc =
                Disc::new(ball.position, ball.radius).with_velocity(ball.velocity).with_mass(ball.mass);
            world.insert(disc.with_restitution(self.restitution)).unwrap();
        }
        world
    }

    /// Who met in Carom: discs and walls are numbered as they were put in.
    pub(crate) fn who(&self, event: &Event) -> Met {
        let impact = event.impact().unwrap();
        let a = impact.a.slot() as usize;
        match impact.b {
            Partner::Disc(b) => Met::Discs(a, b.slot() as usize),
            Partner::Wall { wall, part } if wall.slot() == 0 => Met::Wall(a, part as usize),
            Partner::Wall { wall, .. } => Met::Wall(a, self.room.walls() + wall.slot() as usize - 1),
        }
    }
}

//! Random systems of each kind, over all magnitudes.

use super::oracle::{consistent, joined};
use super::system::{Body, First, Shape, Surface, System};
use carom_engine::DVec2;
use carom_testkit::rng::Rng;

/// The kinds of systems, in the order of their numbers.
pub const KINDS: [&str; 19] = [
    "slope", "bowl", "hill", "corner", "leaning", "row", "two in a bowl", "two in a V", "pyramid",
    "row of three", "rollers", "tracer", "piston", "moving corner", "falling", "on one in a bowl",
    "side by side in a V", "tower", "pushed by a disc",
];

/// Numbers that are tried until a system has places and velocities that agree.
const TRIES: usize = 40;

/// The system of a number: of the kind `number % KINDS.len()`. None where none is found.
#[must_use]
pub fn drawn(number: u64) -> Option<System> {
    let kind = (number % KINDS.len() as u64) as usize;
    let mut rng = Rng::new(53_000_000 + number);
    (0..TRIES).find_map(|_| Draft::new(&mut rng, kind).finished())
}

/// A system that is being drawn.
struct Draft<'a> {
    rng: &'a mut Rng,
    /// The magnitude of lengths and of the gravity.
    size: f64,
    gravity: f64,
    /// The roughness of what has none of its own.
    rough: [f64; 2],
    /// Whether each has a roughness of its own.
    mixed: bool,
    dense: bool,
    system: System,
}

/// A power of ten between two exponents.
fn magnitude(rng: &mut Rng, low: f64, high: f64) -> f64 {
    10.0_f64.powf(rng.range(low, high))
}

/// Coefficients of friction and of rolling resistance.
fn roughness(rng: &mut Rng) -> [f64; 2] {
    let any = rng.range(0.0, 3.0);
    let friction = rng.pick(&[0.0, 0.05, 0.1, 0.3, 0.5, 0.7, 1.0, 2.0, 3.0, any, any, f64::INFINITY]);
    [friction, rng.pick(&[0.0, 0.0, 0.0, 0.01, 0.05, 0.2, 0.6])]
}

/// A unit vector at this angle from upwards, clockwise.
fn from_top(angle: f64) -> DVec2 {
    DVec2::new(angle.sin(), angle.cos())
}

impl<'a> Draft<'a> {
    fn new(rng: &'a mut Rng, kind: usize) -> Self {
        let size = magnitude(rng, -3.0, 3.0);
        let gravity = magnitude(rng, -2.0, 2.0);
        let unit = (size / gravity).sqrt();
        let (rough, mixed, dense) = (roughness(rng), rng.chance(40), rng.chance(30));
        let system = System {
            kind,
            gravity: DVec2::new(0.0, -gravity),
            bodies: Vec::new(),
            surfaces: Vec::new(),
            unit,
            seconds: unit * rng.range(0.5, 3.0),
        };
        let mut draft = Draft { rng, size, gravity, rough, mixed, dense, system };
        draft.fill();
        draft
    }

    fn fill(&mut self) {
        match self.system.kind {
            0 => self.on_a_slope(1),
            1 => self.in_a_bowl(1),
            2 => self.on_a_hill(),
            3 | 13 => self.in_a_corner(),
            4 => self.leaning(2),
            5 => self.on_a_slope(2),
            6 => self.in_a_bowl(2),
            7 => {
                self.in_a_corner();
                self.put_on(0);
            }
            8 => self.pyramid(),
            9 => self.on_a_slope(3),
            10 => self.on_rollers(),
            11 => self.tracer(),
            12 => self.piston(),
            14 => self.falling(),
            15 => {
                self.in_a_bowl(1);
                self.put_on(0);
            }
            16 => self.side_by_side(),
            17 => self.leaning(3),
            _ => self.pushed(),
        }
    }

    fn own_rough(&mut self) -> [f64; 2] {
        if self.mixed { roughness(self.rng) } else { self.rough }
    }

    fn radius(&mut self) -> f64 {
        let spread = self.rng.pick(&[0.0, 0.3, 1.0]);
        self.size * magnitude(self.rng, -spread, spread)
    }

    /// A disc that touches nothing yet.
    fn disc(&mut self, radius: f64) -> Body {
        let extreme = self.rng.pick(&[3.0, 3.0, 1.0, 1.0, 0.0]);
        let any = magnitude(self.rng, -extreme, extreme);
        let mass = if self.dense { (radius / self.size).powi(2) } else { any };
        let turning = magnitude(self.rng, -2.0, 1.0);
        let inertia = self.rng.pick(&[0.5, 0.5, 0.4, 1.0, turning, turning, f64::INFINITY]);
        let rough = self.own_rough();
        Body { mass, radius, inertia, rough, place: DVec2::ZERO, velocity: DVec2::ZERO, spin: 0.0 }
    }

    fn put(&mut self, radius: f64, place: DVec2) {
        let body = self.disc(radius);
        self.system.bodies.push(Body { place, ..body });
    }

    fn wall(&mut self, shape: Shape) {
        let rough = self.own_rough();
        let runs = self.rng.chance(30);
        let speed = self.speed();
        let belt = if runs { speed } else { 0.0 };
        self.system.surfaces.push(Surface { shape, rough, belt, velocity: DVec2::ZERO });
    }

    /// A speed of any size, with a sign.
    fn speed(&mut self) -> f64 {
        let any = magnitude(self.rng, -4.0, 0.7) * self.rng.pick(&[-1.0, 1.0]);
        any * (self.gravity * self.size).sqrt()
    }

    fn plane(&mut self, angle: f64) {
        self.wall(Shape::Plane(DVec2::ZERO, from_top(angle)));
    }

    fn on_a_slope(&mut self, count: usize) {
        let any = self.rng.range(-1.2, 1.2);
        let angle = self.rng.pick(&[0.0, any, any, 0.2 * any]);
        self.plane(angle);
        let (up, mut x) = (from_top(angle), 0.0);
        for k in 0..count {
            let radius = self.radius();
            let before = if k > 0 { self.system.bodies[k - 1].radius } else { 0.0 };
            x += 2.0 * (radius * before).sqrt();
            self.put(radius, up * radius - up.perp() * x);
        }
    }

    fn in_a_bowl(&mut self, count: usize) {
        let round = self.size * self.rng.range(3.0, 20.0);
        self.wall(Shape::Bowl(DVec2::new(0.0, round), round));
        let mut angle = self.rng.range(-1.5, 1.5);
        for k in 0..count {
            let radius = self.size * magnitude(self.rng, -0.4, 0.4);
            let way = round - radius;
            if k > 0 {
                let (before, touch) = (self.system.bodies[0].radius, round - self.system.bodies[0].radius);
                let cosine = (way * way + touch * touch - (radius + before).powi(2)) / (2.0 * way * touch);
                angle += cosine.clamp(-1.0, 1.0).acos();
            }
            self.put(radius, DVec2::new(0.0, round) + DVec2::new(angle.sin(), -angle.cos()) * way);
        }
    }

    fn on_a_hill(&mut self) {
        let (round, radius) = (self.radius() * self.rng.range(0.3, 10.0), self.radius());
        self.wall(Shape::Hill(DVec2::ZERO, round));
        let angle = self.rng.range(-1.2, 1.2);
        self.put(radius, from_top(angle) * (round + radius));
    }

    fn in_a_corner(&mut self) {
        let first = self.rng.range(-0.9, 0.9);
        let second = first + self.rng.pick(&[-1.0, 1.0]) * self.rng.range(0.3, 2.7);
        self.plane(first);
        self.plane(second);
        let (n, m) = (from_top(first), from_top(second));
        let radius = self.radius();
        self.put(radius, (n + m) * (radius / (1.0 + n.dot(m))));
        if self.system.kind == 13 {
            let velocity = DVec2::new(self.speed(), self.speed());
            let moving = self.rng.below(2);
            self.system.surfaces[moving].velocity = velocity;
        }
    }

    /// A disc that lies on another one.
    fn put_on(&mut self, below: usize) {
        let under = self.system.bodies[below];
        let (radius, any) = (self.radius(), self.rng.range(-1.4, 1.4));
        let angle = self.rng.pick(&[any, any, 0.1 * any]);
        self.put(radius, under.place + from_top(angle) * (under.radius + radius));
    }

    fn leaning(&mut self, count: usize) {
        let any = self.rng.range(-0.5, 0.5);
        let angle = self.rng.pick(&[0.0, any]);
        self.plane(angle);
        let radius = self.radius();
        self.put(radius, from_top(angle) * radius);
        (1..count).for_each(|k| self.put_on(k - 1));
    }

    fn pyramid(&mut self) {
        self.plane(0.0);
        let [a, b, c] = [0, 1, 2].map(|_| self.size * magnitude(self.rng, -0.3, 0.3));
        let free = self.rng.pick(&[0.0, 0.0, 0.3]) * c;
        let x = 2.0 * (a * b).sqrt() + free;
        self.put(a, DVec2::new(0.0, a));
        self.put(b, DVec2::new(x, b));
        let (from, to) = (DVec2::new(0.0, a), DVec2::new(x, b));
        let (way, d) = ((to - from).normalize(), to.distance(from));
        let along = (d * d + (a + c).powi(2) - (b + c).powi(2)) / (2.0 * d);
        let height = ((a + c).powi(2) - along * along).max(0.0).sqrt();
        self.put(c, from + way * along + way.perp() * height);
    }

    /// A disc on one or two of infinite mass that turn and move.
    fn on_rollers(&mut self) {
        let velocity = DVec2::new(self.speed(), self.speed()) * self.rng.pick(&[0.0, 1.0]);
        let (round, radius) = (self.radius(), self.radius());
        let two = self.rng.chance(50);
        let angle = self.rng.range(0.2, 1.1) * self.rng.pick(&[-1.0, 1.0]);
        self.put(radius, DVec2::ZERO);
        for side in if two { vec![-1.0, 1.0] } else { vec![1.0] } {
            self.put(round, -from_top(angle * side) * (round + radius));
            let spin = self.speed() / round * self.rng.pick(&[0.0, 1.0, 1.0]);
            let roller = self.system.bodies.last_mut().expect("it was put there");
            (roller.mass, roller.velocity, roller.spin) = (f64::INFINITY, velocity, spin);
        }
    }

    /// A tracer beside a disc, on it, or in the corner of both and the floor.
    fn tracer(&mut self) {
        match self.rng.below(3) {
            0 => self.on_a_slope(2),
            1 => self.leaning(2),
            _ => self.in_a_bowl(2),
        }
        let which = self.rng.pick(&[1, 1, 0]);
        self.system.bodies[which].mass = 0.0;
    }

    /// One or two discs on a floor, pushed by a wall.
    fn piston(&mut self) {
        let count = 1 + self.rng.below(2);
        self.plane(0.0);
        let mut x = 0.0;
        for k in 0..count {
            let radius = self.radius();
            x = if k == 0 { radius } else { x + 2.0 * (radius * self.system.bodies[k - 1].radius).sqrt() };
            self.put(radius, DVec2::new(x, radius));
        }
        self.wall(Shape::Plane(DVec2::ZERO, DVec2::X));
        let speed = self.speed().abs();
        self.system.surfaces[1].velocity = DVec2::new(speed, 0.0);
    }

    /// A disc on a floor that one of infinite mass pushes.
    fn pushed(&mut self) {
        let any = self.rng.range(-0.5, 0.5);
        let angle = self.rng.pick(&[0.0, any]);
        self.plane(angle);
        let (radius, round) = (self.radius(), self.radius());
        self.put(radius, from_top(angle) * radius);
        // It stands on the floor at the lowest.
        let lowest = ((round - radius) / (round + radius)).acos();
        let around = angle - self.rng.range(0.3, 1.0) * lowest;
        let place = self.system.bodies[0].place + from_top(around) * (radius + round);
        self.put(round, place);
        let velocity = -from_top(angle).perp() * self.speed().abs();
        let spin = self.speed() / round * self.rng.pick(&[0.0, 1.0]);
        let pusher = self.system.bodies.last_mut().expect("it was put there");
        (pusher.mass, pusher.velocity, pusher.spin) = (f64::INFINITY, velocity, spin);
    }

    /// A disc that is about to fall on a slope, into a bowl, or on a hill.
    fn falling(&mut self) {
        match self.rng.below(3) {
            0 => self.on_a_slope(1),
            1 => self.in_a_bowl(1),
            _ => self.on_a_hill(),
        }
        let height = self.system.bodies[0].radius * magnitude(self.rng, -3.0, -0.3);
        self.system.bodies[0].place.y += height;
    }

    /// Two discs in a V, each on its own wall, that touch.
    fn side_by_side(&mut self) {
        let [left, right] = [1.0, -1.0].map(|side| side * self.rng.range(0.2, 1.2));
        self.plane(left);
        self.plane(right);
        let (a, b) = (self.size * magnitude(self.rng, -0.2, 0.2), self.size * magnitude(self.rng, -0.2, 0.2));
        let out = 1.5 * (a + b) * self.rng.range(0.6, 1.2);
        let along = [left, right].map(|angle| -from_top(angle).perp());
        self.put(a, from_top(left) * a - along[0] * out);
        self.put(b, from_top(right) * b + along[1] * out);
    }
}

impl Draft<'_> {
    /// Which links are to touch: all whose gap is small.
    fn touching(&self) -> Vec<usize> {
        let motions = self.system.start();
        let is_near = |link: &super::system::Link| {
            let at = self.system.geometry(link, &motions, 0.0);
            let joins = self.system.kind == 16 && matches!(link.first, First::Body(_));
            joins || at.gap.abs() < 1e-9 * self.size.max(at.size)
        };
        let links = self.system.links();
        (0..links.len()).filter(|&k| is_near(&links[k])).collect()
    }

    /// With places and velocities that agree with all that touches, if there are such.
    fn finished(mut self) -> Option<System> {
        let joined = joined(&self.system, &self.touching())?;
        let motions = joined.start();
        let overlaps = |link: &super::system::Link| {
            let at = joined.geometry(link, &motions, 0.0);
            at.gap < -1e-12 * at.size.max(1e-2 * self.size)
        };
        if joined.links().iter().any(overlaps) {
            return None;
        }
        self.system = joined;
        let (moves, rolls) = (self.rng.chance(75), self.rng.chance(40));
        for k in 0..self.system.bodies.len() {
            let velocity = DVec2::new(self.speed(), self.speed());
            let rim = self.speed();
            let body = &mut self.system.bodies[k];
            if moves && body.mass < f64::INFINITY {
                (body.velocity, body.spin) = (velocity, rim / body.radius);
            }
        }
        if self.system.kind == 14 {
            return Some(self.system);
        }
        consistent(&self.system, rolls)
    }
}

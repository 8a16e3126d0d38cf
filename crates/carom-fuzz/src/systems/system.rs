//! Discs, walls and what they are like: all that the engine and the equations of motion are given.

use carom_engine::DVec2;

/// A disc.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    /// 0 for a tracer; infinite for one that moves uniformly.
    pub mass: f64,
    /// Its radius.
    pub radius: f64,
    /// The moment of inertia by `m R²`; infinite for a disc that nothing turns.
    pub inertia: f64,
    /// The coefficients of friction and of rolling resistance.
    pub rough: [f64; 2],
    /// Its centre.
    pub place: DVec2,
    /// The velocity of its centre.
    pub velocity: DVec2,
    /// Its angular velocity.
    pub spin: f64,
}

/// The form of a wall.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// All behind a line through this point with this normal.
    Plane(DVec2, DVec2),
    /// A fixed disc with this centre and radius.
    Hill(DVec2, f64),
    /// A round room with this centre and radius.
    Bowl(DVec2, f64),
}

/// A wall.
#[derive(Clone, Copy, Debug)]
pub struct Surface {
    /// Its form, at the beginning.
    pub shape: Shape,
    /// The coefficients of friction and of rolling resistance.
    pub rough: [f64; 2],
    /// The speed at which its surface runs.
    pub belt: f64,
    /// The velocity at which all of it moves.
    pub velocity: DVec2,
}

/// A system of few discs.
#[derive(Clone, Debug)]
pub struct System {
    /// Its kind, an index of [`KINDS`](super::KINDS).
    pub kind: usize,
    /// The acceleration of all but infinite masses.
    pub gravity: DVec2,
    /// Its discs.
    pub bodies: Vec<Body>,
    /// Its walls.
    pub surfaces: Vec<Surface>,
    /// The time in which it falls by its size.
    pub unit: f64,
    /// The time for which it is played.
    pub seconds: f64,
}

/// What a disc meets first: another one, or a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum First {
    Body(usize),
    Surface(usize),
}

/// Two that may touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) first: First,
    pub(super) second: usize,
    /// The coefficients of friction and of rolling resistance of the two.
    pub(super) rough: [f64; 2],
}

/// Friction that is as good as infinite.
pub(super) const LOCKED: f64 = 1e6;

/// The geometric mean, 0 if one is 0.
fn both(a: f64, b: f64) -> f64 {
    let mean = if a == b { a } else { (a * b).sqrt() };
    if a == 0.0 || b == 0.0 { 0.0 } else { mean.min(LOCKED) }
}

impl System {
    /// All that may touch. Tracers pass through each other, and infinite masses through all that is as fixed.
    pub(super) fn links(&self) -> Vec<Link> {
        let mut links = Vec::new();
        for (j, body) in self.bodies.iter().enumerate() {
            let mixed = |other: [f64; 2]| [0, 1].map(|k| both(body.rough[k], other[k]));
            for (i, other) in self.bodies[..j].iter().enumerate() {
                if self.class(i) != self.class(j) || (body.mass > 0.0 && body.mass < f64::INFINITY) {
                    links.push(Link { first: First::Body(i), second: j, rough: mixed(other.rough) });
                }
            }
            if body.mass < f64::INFINITY {
                for (k, surface) in self.surfaces.iter().enumerate() {
                    links.push(Link { first: First::Surface(k), second: j, rough: mixed(surface.rough) });
                }
            }
        }
        links
    }

    /// The class of a mass: 0 infinite, 1 finite, 2 a tracer.
    pub(super) fn class(&self, body: usize) -> usize {
        match self.bodies[body].mass {
            0.0 => 2,
            f64::INFINITY => 0,
            _ => 1,
        }
    }

    /// The largest speed: of centres, rims, and walls.
    pub(super) fn speed(&self, motions: &[Motion]) -> f64 {
        let of =
            |(motion, body): (&Motion, &Body)| motion.velocity.length().max(body.radius * motion.spin.abs());
        let walls = self.surfaces.iter().map(|surface| surface.velocity.length().max(surface.belt.abs()));
        motions.iter().zip(&self.bodies).map(of).chain(walls).fold(0.0, f64::max)
    }

    /// The speed that the smallest disc has after a fall of half its radius.
    pub(super) fn fall(&self) -> f64 {
        let radii = self.bodies.iter().map(|body| body.radius);
        (self.gravity.length() * radii.fold(f64::INFINITY, f64::min)).sqrt()
    }
}

/// Place, velocity and angular velocity of a disc.
#[derive(Clone, Copy, Debug, Default)]
pub struct Motion {
    /// Its centre.
    pub place: DVec2,
    /// The velocity of its centre.
    pub velocity: DVec2,
    /// Its angular velocity.
    pub spin: f64,
}

/// How two that may touch are placed and move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Geometry {
    /// From the first to the second.
    pub(super) normal: DVec2,
    pub(super) gap: f64,
    /// The rate of the gap.
    pub(super) opening: f64,
    /// The part of the second derivative of the gap that is not an acceleration.
    pub(super) bend: f64,
    pub(super) slip: f64,
    pub(super) roll: f64,
    /// The levers of both along the tangent, and that of rolling.
    pub(super) levers: [f64; 2],
    pub(super) rolling: f64,
    /// The radius of the smaller one.
    pub(super) size: f64,
}

impl System {
    /// The motions at the beginning.
    pub(super) fn start(&self) -> Vec<Motion> {
        let of = |body: &Body| Motion { place: body.place, velocity: body.velocity, spin: body.spin };
        self.bodies.iter().map(of).collect()
    }

    pub(super) fn geometry(&self, link: &Link, motions: &[Motion], time: f64) -> Geometry {
        let (second, radius) = (motions[link.second], self.bodies[link.second].radius);
        match link.first {
            First::Body(i) => {
                let (first, other) = (motions[i], self.bodies[i].radius);
                let way = second.place - first.place;
                let relative = second.velocity - first.velocity;
                let distance = way.length();
                let normal = way / distance;
                let along = relative.dot(normal.perp());
                let rolling = radius * other / (radius + other);
                Geometry {
                    normal,
                    gap: distance - radius - other,
                    opening: relative.dot(normal),
                    bend: along * along / distance,
                    slip: along - other * first.spin - radius * second.spin,
                    roll: rolling * (first.spin - second.spin),
                    levers: [other, radius],
                    rolling,
                    size: radius.min(other),
                }
            }
            First::Surface(k) => {
                let surface = &self.surfaces[k];
                let place = second.place - surface.velocity * time;
                let relative = second.velocity - surface.velocity;
                let (normal, gap, bend) = match surface.shape {
                    Shape::Plane(point, normal) => (normal, (place - point).dot(normal) - radius, 0.0),
                    Shape::Hill(center, round) => {
                        let way = place - center;
                        (way.normalize(), way.length() - radius - round, way.length().recip())
                    }
                    Shape::Bowl(center, round) => {
                        let way = center - place;
                        (way.normalize(), round - radius - way.length(), -way.length().recip())
                    }
                };
                let along = relative.dot(normal.perp());
                Geometry {
                    normal,
                    gap,
                    opening: relative.dot(normal),
                    bend: bend * along * along,
                    slip: along - radius * second.spin + surface.belt,
                    roll: -radius * second.spin,
                    levers: [0.0, radius],
                    rolling: radius,
                    size: radius,
                }
            }
        }
    }
}

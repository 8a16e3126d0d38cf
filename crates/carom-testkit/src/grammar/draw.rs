use super::{Choices, Played};
use crate::rng::Rng;
use crate::rules::{random_rules, sparse_rules};
use carom_engine::{DVec2, Disc, DiscId, Region, Rules, Sensor, Smooth, Wall, WallId, WallShape};
use core::f64::consts::TAU;

/// How large things are in a game, and where.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Half of the width of what is played on.
    pub size: f64,
    /// The usual radius.
    pub radius: f64,
    /// The smallest radius.
    pub least: f64,
    /// The usual speed.
    pub speed: f64,
    /// The middle.
    pub middle: DVec2,
    /// Whether places and velocities are multiples of an eighth of the size, so that many things happen at
    /// once.
    pub is_round: bool,
    /// How many small discs there are in a world that begins as a gas of many; 0 for any other world.
    pub crowd: usize,
    /// Whether all discs and walls collide and are solid, and no wall turns.
    pub is_plain: bool,
    /// Whether all discs have rules by which few of them meet.
    pub is_sparse: bool,
    /// Whether discs that forces accelerate have limits of their speed.
    pub is_limited: bool,
}

/// Numbers, bodies and walls of a scale.
pub struct Draw<'c> {
    pub choices: &'c mut dyn Choices,
    pub scale: Scale,
}

/// Any form of wall, somewhere within `size` of the origin.
pub fn wall(rng: &mut Rng, size: f64) -> Wall {
    let scale = Scale { size, is_plain: true, ..Smooth::scale() };
    Draw { choices: rng, scale }.wall::<Smooth>()
}

/// A region of any form, somewhere within `size` of the origin, or of the disc that carries it.
pub fn region(rng: &mut Rng, size: f64, carriers: &[DiscId]) -> Region {
    let scale = Scale { size, is_plain: true, ..Smooth::scale() };
    Draw { choices: rng, scale }.region(carriers, &[])
}

impl Draw<'_> {
    pub fn below(&mut self, n: usize) -> usize {
        self.choices.below(n)
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.choices.chance(percent)
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        self.choices.pick(from)
    }

    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        self.choices.range(low, high)
    }

    /// What no call takes.
    pub fn odd(&mut self) -> f64 {
        self.pick(&[f64::NAN, -1.0, f64::INFINITY, 1e300, 5e-324, -1e16])
    }

    fn within(&mut self, size: f64) -> DVec2 {
        if self.scale.is_round || self.chance(10) {
            let eighths = DVec2::new(self.below(17) as f64 - 8.0, self.below(17) as f64 - 8.0);
            return eighths * (size / 8.0);
        }
        self.choices.vector(size)
    }

    /// A place from the middle.
    pub fn offset(&mut self) -> DVec2 {
        self.within(self.scale.size)
    }

    pub fn place(&mut self) -> DVec2 {
        self.scale.middle + self.offset()
    }

    pub fn velocity(&mut self) -> DVec2 {
        match self.below(10) {
            0 | 1 => DVec2::ZERO,
            2 => DVec2::new(0.0, -self.scale.speed),
            3 => 4.0 * self.within(self.scale.speed),
            _ => self.within(self.scale.speed),
        }
    }

    pub fn radius(&mut self) -> f64 {
        let usual = self.scale.radius;
        match self.below(12) {
            0 => self.scale.least,
            1 => 2.0 * usual,
            2..5 => usual * self.range(0.2, 1.5),
            _ => usual,
        }
    }

    pub fn mass(&mut self) -> f64 {
        match self.below(14) {
            0 => f64::INFINITY,
            1 => 0.0,
            2 => 10.0_f64.powi(self.below(9) as i32 - 4),
            3..6 => self.range(0.1, 3.0),
            _ => 1.0,
        }
    }

    pub fn restitution(&mut self) -> f64 {
        match self.below(8) {
            0 | 1 => 0.0,
            2 => self.choices.unit(),
            3 => 0.9,
            4 => 0.5,
            _ => 1.0,
        }
    }

    pub fn rules(&mut self) -> Rules {
        if self.scale.is_sparse { sparse_rules(self.choices) } else { random_rules(self.choices) }
    }

    /// A duration, mostly of a frame or several.
    pub fn seconds(&mut self) -> f64 {
        self.pick(&[0.0, 1.0 / 64.0, 1.0 / 60.0, 0.1, 0.25, 0.25, 0.5, 0.5, 1.0, 1.0, 2.0])
    }

    /// Of an arm, in radians.
    pub fn angle(&mut self) -> f64 {
        if self.chance(30) { self.pick(&[0.0, 0.25 * TAU, 0.5 * TAU]) } else { self.range(-4.0, 4.0) }
    }

    pub fn disc<P: Played>(&mut self) -> Disc<P::Body, P::Extra> {
        let mut disc = Disc::new(self.place(), self.radius())
            .with_velocity(self.velocity())
            .with_restitution(self.restitution())
            .with_user_data(self.below(256) as u64);
        if self.chance(40) {
            disc.mass = self.mass();
        }
        if self.chance(30) {
            disc.body = P::body(self);
        }
        if self.chance(40) {
            disc.extra = P::extra(self);
        }
        if self.scale.is_plain {
            return if self.chance(15) { disc.with_overlap() } else { disc };
        }
        if self.scale.is_sparse || self.chance(15) {
            disc.rules = self.rules();
        }
        match self.below(24) {
            0 => disc.sensor = Sensor::Yes,
            1 => disc.sensor = Sensor::AmongSensors,
            2 => disc.kinematic = true,
            3..6 => disc = disc.with_overlap(),
            6 => disc = disc.kinematic().with_max_speed(self.range(0.5, 3.0) * self.scale.speed),
            7 if self.chance(20) => disc.radius = self.odd(),
            _ => {}
        }
        disc
    }

    pub fn shape(&mut self) -> WallShape {
        let (at, size) = (self.place(), self.scale.size);
        let small = self.range(0.05, 0.4) * size;
        let wall: Wall = match self.below(14) {
            0 => {
                let normal = (at - self.scale.middle).normalize_or(DVec2::X);
                Wall::half_plane(self.scale.middle - normal * (size * 1.1), normal)
            }
            1 => Wall::segment(at, at + self.offset()),
            2 => Wall::one_sided_segment(at, at + self.offset()),
            3 => Wall::disc(at, if self.chance(30) { 0.0 } else { small }),
            4 => Wall::circle(self.scale.middle, size * self.pick(&[1.2, 1.6])),
            5 => Wall::arc(at, small, self.range(-4.0, 4.0), self.range(0.1, 6.2)),
            6 => Wall::arc(at, small, 0.3, TAU),
            7 => Wall::polyline(&[at, at + self.offset(), at + self.offset()]),
            8 => Wall::rectangle(at, at + DVec2::new(small, 0.7 * small)),
            9 => Wall::polygon(&[at, at + 0.5 * self.offset(), at + 0.5 * self.offset()]),
            10 => self.room(),
            11 | 12 if !self.scale.is_plain => {
                let radius = if self.chance(30) { 0.0 } else { 0.3 * small };
                Wall::arm(at, 0.1 * size + small, radius, self.angle())
            }
            _ => Wall::stadium(self.scale.middle, size * 0.7, size * 1.2),
        };
        wall.shape
    }

    /// A container around all places.
    pub fn room(&mut self) -> Wall {
        let half = DVec2::splat(self.scale.size * 1.25);
        Wall::container(self.scale.middle - half, self.scale.middle + half)
    }

    /// A wall of this shape with a random restitution and surface, and now and then with rules.
    pub fn surface<P: Played>(&mut self, shape: WallShape) -> Wall<P::Surface> {
        let mut wall = Wall::new(shape).with_restitution(self.restitution()).with_surface(P::surface(self));
        wall.user_data = self.below(256) as u64;
        if self.scale.is_plain {
            return wall;
        }
        if self.chance(15) {
            wall.rules = self.rules();
        }
        if self.chance(10) {
            wall.max_speed = self.range(0.5, 3.0) * self.scale.speed;
        }
        wall
    }

    pub fn wall<P: Played>(&mut self) -> Wall<P::Surface> {
        let shape = self.shape();
        self.surface::<P>(shape)
    }

    pub fn region(&mut self, discs: &[DiscId], walls: &[WallId]) -> Region {
        let (at, size) = (self.place(), self.scale.size);
        let is_carried = !discs.is_empty() && self.chance(40);
        let at = if is_carried { 0.2 * (at - self.scale.middle) } else { at };
        let region = match self.below(6) {
            0 | 1 => Region::disc(at, size * self.range(0.05, 0.5)),
            2 => Region::rectangle(at, at + size * DVec2::new(self.range(0.1, 1.0), self.range(0.1, 1.0))),
            3 => Region::segment(at, at + self.offset()).by_edge(),
            4 if !walls.is_empty() => Region::wall(self.pick(walls)).by_edge(),
            _ => Region::half_plane(at, self.choices.vector(1.0)),
        };
        let region = if self.chance(50) { region.by_edge() } else { region };
        let region = if self.chance(50) { region.with_sensors() } else { region };
        let region = if self.chance(20) { region.with_rules(self.rules()) } else { region };
        let region = region.with_user_data(self.below(256) as u64);
        if is_carried { region.carried_by(self.pick(discs)) } else { region }
    }
}

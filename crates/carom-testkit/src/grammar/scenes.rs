use super::{BUDGET, Draw, Game, Played};
use carom_engine::{
    Collapse, CombineRule, CrushRule, DVec2, Disc, Rest, Settings, SimdLevel, Simultaneous, Sliding, Wall,
};

/// Settings of which one or two are unusual.
pub(super) fn settings(draw: &mut Draw) -> Settings {
    use CombineRule::{Average, GeometricMean, Maximum, Minimum, Product};
    let mut settings = Settings::default().with_budget(BUDGET);
    settings.restitution = draw.pick(&[GeometricMean, GeometricMean, Minimum, Maximum, Average, Product]);
    if draw.chance(25) {
        settings.simultaneous = Simultaneous::OneByOne;
    }
    if draw.chance(25) {
        settings.crush = CrushRule::Stop;
    }
    if draw.chance(25) {
        settings.collapse = draw.pick(&[None, Some(Collapse::new(0.1, 3))]);
    }
    if draw.chance(25) {
        settings.rest = draw.pick(&[None, Some(Rest::new(0.0)), Some(Rest::new(1e-6).with_impacts(0))]);
    }
    if draw.chance(15) {
        let mut wide = Sliding::default();
        (wide.angle, wide.elastic_angle) = (1e-2, 1e-2);
        settings.sliding = draw.pick(&[None, Some(wide)]);
    }
    if draw.chance(20) {
        settings.instructions = SimdLevel::Portable;
    }
    settings.epoch = draw.pick(&[settings.epoch, settings.epoch, settings.epoch, 1.0, 64.0, 0.3]);
    settings.start = draw.pick(&[0.0, 0.0, 0.0, 0.1, 12345.678]);
    let period = draw.scale.size * 2.5;
    settings.period = match draw.below(10) {
        0 => [Some(period), None],
        1 => [Some(period), Some(0.8 * period)],
        _ => [None; 2],
    };
    if draw.chance(12) {
        settings.drag = draw.pick(&[0.1, 1.0, 5.0]);
    }
    if draw.chance(10) {
        settings.time_scale = draw.pick(&[0.5, 2.0, 0.3]);
    }
    settings.record_events = !draw.chance(8);
    settings
}

impl<P: Played> Game<'_, P> {
    /// Puts up walls, and inserts discs in one of several ways.
    pub(super) fn build(&mut self) {
        if self.draw.scale.crowd > 0 {
            return self.crowd();
        }
        let size = self.draw.scale.size;
        let middle = self.draw.scale.middle;
        match self.draw.below(7) {
            0 | 1 => self.put_up(|draw| draw.room()),
            2 => self.put_up(|draw| Wall::circle(draw.scale.middle, draw.scale.size * 1.5)),
            3 => self.put_up(|draw| Wall::stadium(draw.scale.middle, draw.scale.size, draw.scale.size)),
            4 => {
                let half = DVec2::splat(size * 1.25);
                self.put_up(|_| Wall::rectangle(middle - half, middle + half));
            }
            _ => {}
        }
        for _ in 0..self.draw.below(4) {
            let wall = self.draw.wall::<P>();
            self.add_wall(wall);
        }
        match self.draw.below(9) {
            0 | 1 => self.gas(2, 8),
            2 if self.draw.chance(25) => self.gas(16, 12),
            3 => self.rack(),
            4 => self.lattice(),
            5 => self.heap(),
            6 if !self.draw.scale.is_plain => self.press(),
            7 => self.row(),
            _ => self.gas(4, 8),
        }
    }

    fn put_up(&mut self, wall: impl FnOnce(&mut Draw) -> Wall) {
        let shape = wall(&mut self.draw).shape;
        let wall = self.draw.surface::<P>(shape);
        self.add_wall(wall);
    }

    pub(super) fn add_wall(&mut self, wall: Wall<P::Surface>) {
        let result = self.world.add_wall(wall);
        self.walls.extend(result.as_ref().ok());
        self.tape.outcome("wall", result);
    }

    pub(super) fn insert(&mut self, disc: Disc<P::Body, P::Extra>) {
        let result = self.world.insert(disc);
        self.discs.extend(result.as_ref().ok());
        self.tape.outcome("disc", result);
    }

    /// A disc of the usual size, somewhere from the middle, with random properties other than its place.
    fn usual(&mut self, offset: DVec2, radius: f64) -> Disc<P::Body, P::Extra> {
        let mut disc = Disc::new(self.draw.scale.middle + offset, radius);
        if self.draw.chance(20) {
            disc.body = P::body(&mut self.draw);
            disc.mass = self.draw.mass();
        }
        if self.draw.chance(20) {
            disc.extra = P::extra(&mut self.draw);
        }
        disc
    }

    /// Many small discs, now and then in a room that is no box, or with one that is unlike the others.
    fn crowd(&mut self) {
        self.put_up(|draw| draw.room());
        if self.draw.chance(30) {
            let wall = self.draw.wall::<P>();
            self.add_wall(wall);
        }
        let radius = self.draw.scale.radius * self.draw.pick(&[0.1, 0.2, 0.4]);
        let e = self.draw.pick(&[1.0, 1.0, 0.9]);
        for _ in 0..self.draw.scale.crowd {
            let (offset, velocity) = (self.draw.offset(), self.draw.velocity());
            let disc = Disc::new(self.draw.scale.middle + offset, radius);
            self.insert(disc.with_velocity(velocity).with_restitution(e));
        }
        if self.draw.chance(30) {
            let disc = self.draw.disc::<P>();
            self.insert(disc);
        }
    }

    fn gas(&mut self, least: usize, more: usize) {
        for _ in 0..least + self.draw.below(more) {
            let disc = self.draw.disc::<P>();
            self.insert(disc);
        }
    }

    /// Touching discs in a triangle, and one that strikes them.
    fn rack(&mut self) {
        let radius = self.draw.scale.radius * self.draw.pick(&[0.5, 0.25, 1.0]);
        let (rows, e) = (2 + self.draw.below(3), self.draw.restitution());
        let height = 3.0_f64.sqrt() * radius;
        for row in 0..rows {
            for k in 0..=row {
                let offset = DVec2::new(row as f64 * height, (2 * k) as f64 * radius - row as f64 * radius);
                let disc = self.usual(offset, radius).with_restitution(e);
                self.insert(disc);
            }
        }
        let offset = DVec2::new(-6.0, self.draw.pick(&[0.0, 0.01, 0.5])) * radius;
        let speed = DVec2::X * self.draw.scale.speed * self.draw.pick(&[2.0, 2.3]);
        let striker = self.usual(offset, radius).with_velocity(speed);
        self.insert(striker);
    }

    /// On a lattice, with velocities along it: ties everywhere.
    fn lattice(&mut self) {
        let cell = self.draw.scale.radius * 2.0;
        let e = self.draw.restitution();
        for _ in 0..4 + self.draw.below(14) {
            let offset = cell * DVec2::new(self.draw.below(8) as f64 - 3.5, self.draw.below(8) as f64 - 3.5);
            let steps = DVec2::new(self.draw.below(3) as f64 - 1.0, self.draw.below(3) as f64 - 1.0);
            let disc = self.usual(offset, 0.5 * cell).with_restitution(e);
            self.insert(disc.with_velocity(steps * self.draw.scale.speed));
        }
    }

    /// Discs that lie on each other on a floor, where the physics has a pull.
    fn heap(&mut self) {
        let (radius, size) = (self.draw.scale.radius, self.draw.scale.size);
        let middle = self.draw.scale.middle;
        self.put_up(|_| Wall::half_plane(middle - DVec2::Y * size, DVec2::Y));
        let e = self.draw.pick(&[0.0, 0.5, 0.9]);
        let (columns, lean) = (1 + self.draw.below(3), self.draw.pick(&[0.0, 0.1, 1.0]));
        for k in 0..3 + self.draw.below(7) {
            let (column, row) = ((k % columns) as f64, (k / columns) as f64);
            let gap = self.draw.pick(&[0.0, 0.0, 0.3]) * radius;
            let x = (column + 0.5 * lean * row) * 2.0 * radius;
            let y = radius * (1.0 + 2.0 * row) + gap - size;
            let disc = self.usual(DVec2::new(x, y), radius).with_restitution(e);
            self.insert(disc);
        }
    }

    /// Walls and kinematic discs that close in on discs.
    fn press(&mut self) {
        let (radius, size) = (self.draw.scale.radius, self.draw.scale.size);
        let middle = self.draw.scale.middle;
        let down = self.draw.pick(&[0.5, 1.0, 4.0]);
        let until = self.world.now().as_secs() + self.draw.pick(&[0.5, 1.0, 3.0]);
        let line = |y: f64| [middle + DVec2::new(-size, y), middle + DVec2::new(size, y)];
        let floor = line(0.0);
        self.put_up(|_| Wall::segment(floor[0], floor[1]));
        for k in 0..2 + self.draw.below(5) {
            let offset =
                DVec2::new(radius * (2.5 * k as f64 - 4.0), radius * (1.0 + self.draw.range(0.0, 0.5)));
            let mut disc = self.usual(offset, radius);
            disc.velocity = self.draw.velocity();
            disc.restitution = self.draw.restitution();
            self.insert(disc);
        }
        if self.draw.chance(50) {
            let lid = line(radius * 4.0);
            self.put_up(|_| Wall::segment(lid[0], lid[1]));
            if let Some(&lid) = self.walls.last() {
                let result = self.world.move_wall_until(lid, DVec2::new(0.0, -down * radius), until);
                self.tape.outcome("lid", result);
            }
        }
        for side in [-1.0, 1.0] {
            let offset = DVec2::new(side * radius * 9.0, radius);
            let piston = self.usual(offset, radius).kinematic();
            let result = self.world.insert(piston);
            if let Ok(id) = result {
                self.discs.push(id);
                let target = middle + DVec2::new(side * radius * down, radius);
                let result = self.world.move_to_until(id, target, until);
                self.tape.outcome("piston", result);
            }
        }
    }

    /// A row that touches, at times from wall to wall.
    fn row(&mut self) {
        let radius = self.draw.scale.radius;
        let (n, e) = (2 + self.draw.below(6), self.draw.restitution());
        let middle = self.draw.scale.middle;
        for k in 0..n {
            let disc = self.usual(DVec2::new(2.0 * radius * k as f64, 0.0), radius).with_restitution(e);
            self.insert(disc);
        }
        if self.draw.chance(50) {
            let end = middle + DVec2::X * (2.0 * n as f64 - 1.0) * radius;
            self.put_up(|_| Wall::half_plane(end, DVec2::NEG_X));
        }
        let at = DVec2::new(-5.0 * radius, self.draw.pick(&[0.0, 0.0, 0.3]) * radius);
        let speed = DVec2::X * self.draw.scale.speed;
        let mut striker = self.usual(at, radius).with_velocity(speed).with_restitution(e);
        if self.draw.chance(20) {
            striker.mass = f64::INFINITY;
        }
        self.insert(striker);
    }
}

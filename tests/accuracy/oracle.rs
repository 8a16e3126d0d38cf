use super::scene::{Met, Room, Scene};
use carom_testkit::big::{Digits77 as Big, Vector};

pub(crate) type BigVec = Vector<256>;

/// The same physics with 77 digits, as plainly as it can be said: at each event all pairs and walls are asked
/// again, everything is moved to the earliest, and the two that meet there bounce. Nothing of the engine is
/// in it.
pub(crate) struct Oracle {
    pub(crate) time: Big,
    pub(crate) positions: Vec<BigVec>,
    pub(crate) velocities: Vec<BigVec>,
    radii: Vec<Big>,
    masses: Vec<Big>,
    room: Room,
    posts: Vec<(BigVec, Big)>,
    restitution: Big,
}

impl Oracle {
    pub(crate) fn new(scene: &Scene) -> Oracle {
        let of =
            |f: &dyn Fn(&super::scene::Ball) -> f64| scene.balls.iter().map(|b| Big::new(f(b))).collect();
        Oracle {
            time: Big::new(0.0),
            positions: scene.balls.iter().map(|ball| BigVec::from(ball.position)).collect(),
            velocities: scene.balls.iter().map(|ball| BigVec::from(ball.velocity)).collect(),
            radii: of(&|ball| ball.radius),
            masses: of(&|ball| ball.mass),
            room: scene.room,
            posts: scene.posts.iter().map(|&(p, r)| (BigVec::from(p), Big::new(r))).collect(),
            restitution: Big::new(scene.restitution),
        }
    }

    /// The next collision. There is one in a closed room in which something moves.
    pub(crate) fn step(&mut self) -> Met {
        let mut first: Option<(Big, Met)> = None;
        let mut offer = |t: Option<Big>, met| {
            if let Some(t) = t
                && first.as_ref().is_none_or(|(earliest, _)| t < *earliest)
            {
                first = Some((t, met));
            }
        };
        for i in 0..self.positions.len() {
            for j in i + 1..self.positions.len() {
                let d = self.positions[j].minus(&self.positions[i]);
                let v = self.velocities[j].minus(&self.velocities[i]);
                offer(enters(&d, &v, &(&self.radii[i] + &self.radii[j])), Met::Discs(i, j));
            }
            let (p, v, r) = (&self.positions[i], &self.velocities[i], &self.radii[i]);
            match self.room {
                Room::Box(size) => {
                    let (width, height) = (Big::new(size.x), Big::new(size.y));
                    offer(reaches_zero(&p.0[0] - r, &v.0[0]), Met::Wall(i, 0));
                    offer(reaches_zero(width - &p.0[0] - r, &-&v.0[0]), Met::Wall(i, 1));
                    offer(reaches_zero(&p.0[1] - r, &v.0[1]), Met::Wall(i, 2));
                    offer(reaches_zero(height - &p.0[1] - r, &-&v.0[1]), Met::Wall(i, 3));
                }
                Room::Round(radius) => offer(leaves(p, v, &(Big::new(radius) - r)), Met::Wall(i, 0)),
            }
            for (k, (center, radius)) in self.posts.iter().enumerate() {
                let wall = self.room.walls() + k;
                offer(enters(&p.minus(center), v, &(r + radius)), Met::Wall(i, wall));
            }
        }
        let (t, met) = first.expect("the room is closed and something moves");
        for (p, v) in self.positions.iter_mut().zip(&self.velocities) {
            *p = p.ahead(v, &t);
        }
        self.time = &self.time + &t;
        self.bounce(met);
        met
    }

    /// Newton's law of restitution along the line `d` between the centres. The length of `d` cancels.
    fn bounce(&mut self, met: Met) {
        let gain = Big::new(1.0) + &self.restitution;
        match met {
            Met::Discs(i, j) => {
                let d = self.positions[j].minus(&self.positions[i]);
                let approach = self.velocities[i].minus(&self.velocities[j]).dot(&d) / d.dot(&d);
                let per_mass = gain * approach / (&self.masses[i] + &self.masses[j]);
                self.velocities[i] = self.velocities[i].ahead(&d, &-&(&per_mass * &self.masses[j]));
                self.velocities[j] = self.velocities[j].ahead(&d, &(&per_mass * &self.masses[i]));
            }
            Met::Wall(i, wall) => {
                let p = &self.positions[i];
                let flat = |x, y| BigVec::new(&[x, y]);
                let normal = match (self.room, wall) {
                    (Room::Box(_), 0 | 1) => flat(1.0, 0.0),
                    (Room::Box(_), 2 | 3) => flat(0.0, 1.0),
                    (Room::Round(_), 0) => p.clone(),
                    _ => p.minus(&self.posts[wall - self.room.walls()].0),
                };
                let v = &self.velocities[i];
                let share = gain * v.dot(&normal) / normal.dot(&normal);
                self.velocities[i] = v.ahead(&normal, &-&share);
            }
        }
    }
}

/// When a height that changes at this rate is 0, if it falls.
fn reaches_zero(height: Big, rate: &Big) -> Option<Big> {
    rate.is_negative().then(|| height / -rate)
}

/// When a point at `d` that moves with `v` enters the circle of this radius around the origin.
fn enters(d: &BigVec, v: &BigVec, radius: &Big) -> Option<Big> {
    let b = d.dot(v);
    if !b.is_negative() {
        return None;
    }
    let (a, c) = (v.dot(v), d.dot(d) - radius * radius);
    let discriminant = &b * &b - &a * &c;
    discriminant.is_positive().then(|| (-&b - discriminant.sqrt()) / a)
}

/// When it leaves the circle that it is in.
fn leaves(d: &BigVec, v: &BigVec, radius: &Big) -> Option<Big> {
    let (a, b, c) = (v.dot(v), d.dot(v), d.dot(d) - radius * radius);
    a.is_positive().then(|| ((&b * &b - &a * &c).sqrt() - b) / a)
}

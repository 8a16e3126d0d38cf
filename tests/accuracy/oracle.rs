use super::scene::{Met, Room, Scene};
use carom_engine::DVec2;
use carom_testkit::big::{Digits77 as Big, Vector};

pub(crate) type BigVec = Vector<256>;

/// Nearest doubles.
pub(crate) fn rounded(v: &BigVec) -> DVec2 {
    DVec2::new(v.0[0].f64(), v.0[1].f64())
}

/// The same physics with 77 digits, as plainly as it can be said: at each event all pairs and walls that may
/// come first are asked again, everything is moved to the earliest, and the two that meet there bounce.
/// Nothing of the engine is in it.
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

    /// The next collision. There is one in a closed room in which something moves. Who meets too late by
    /// doubles is not asked with all digits.
    pub(crate) fn step(&mut self) -> Met {
        let mut first: Option<(Big, Met)> = None;
        for (bound, met) in self.candidates() {
            if first.as_ref().is_some_and(|(earliest, _)| bound > earliest.f64()) {
                break;
            }
            if let Some(t) = self.time_of(met)
                && first.as_ref().is_none_or(|(earliest, _)| t < *earliest)
            {
                first = Some((t, met));
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

    /// All who may meet, by a time before which they do not: that which they need for their distance at their
    /// speed. Distances are cut by 10⁻⁹: as doubles they are wrong by 10⁻¹² in rooms of less than 10³.
    fn candidates(&self) -> Vec<(f64, Met)> {
        let states = self.positions.iter().zip(&self.velocities);
        let all: Vec<[DVec2; 2]> = states.map(|(p, v)| [rounded(p), rounded(v)]).collect();
        let radii: Vec<f64> = self.radii.iter().map(Big::f64).collect();
        let mut candidates = Vec::new();
        let mut add = |gap: f64, speed: f64, met| {
            candidates.extend((speed > 0.0).then(|| ((gap - 1e-9) / speed, met)));
        };
        for (i, (&[p, v], &r)) in all.iter().zip(&radii).enumerate() {
            for j in i + 1..all.len() {
                let [q, w] = all[j];
                add(p.distance(q) - r - radii[j], v.distance(w), Met::Discs(i, j));
            }
            match self.room {
                Room::Box(size) => {
                    let (low, high) = (p - r, size - r - p);
                    let ways = [(low.x, -v.x), (high.x, v.x), (low.y, -v.y), (high.y, v.y)];
                    for (wall, (gap, speed)) in ways.into_iter().enumerate() {
                        add(gap, speed, Met::Wall(i, wall));
                    }
                }
                Room::Round(radius) => add(radius - r - p.length(), v.length(), Met::Wall(i, 0)),
            }
            for (k, (center, radius)) in self.posts.iter().enumerate() {
                let gap = p.distance(rounded(center)) - r - radius.f64();
                add(gap, v.length(), Met::Wall(i, self.room.walls() + k));
            }
        }
        candidates.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        candidates
    }

    /// When these two meet, if they do.
    fn time_of(&self, met: Met) -> Option<Big> {
        match met {
            Met::Discs(i, j) => {
                let d = self.positions[j].minus(&self.positions[i]);
                let v = self.velocities[j].minus(&self.velocities[i]);
                enters(&d, &v, &(&self.radii[i] + &self.radii[j]))
            }
            Met::Wall(i, wall) => {
                let (p, v, r) = (&self.positions[i], &self.velocities[i], &self.radii[i]);
                match (self.room, wall) {
                    (Room::Box(_), 0 | 2) => reaches_zero(&p.0[wall / 2] - r, &v.0[wall / 2]),
                    (Room::Box(size), 1 | 3) => {
                        reaches_zero(Big::new(size[wall / 2]) - &p.0[wall / 2] - r, &-&v.0[wall / 2])
                    }
                    (Room::Round(radius), 0) => leaves(p, v, &(Big::new(radius) - r)),
                    _ => {
                        let (center, radius) = &self.posts[wall - self.room.walls()];
                        enters(&p.minus(center), v, &(r + radius))
                    }
                }
            }
        }
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

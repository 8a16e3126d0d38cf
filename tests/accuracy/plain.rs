use super::scene::{Met, Room, Scene};
use carom_engine::DVec2;

/// What one would write: time is one `f64`, everything is moved to each event, the root is the textbook's
/// `(−b − √(b² − ac))/a`, the normal is normalised.
pub(crate) struct Plain {
    pub(crate) time: f64,
    positions: Vec<DVec2>,
    velocities: Vec<DVec2>,
    scene: Scene,
}

impl Plain {
    pub(crate) fn new(scene: &Scene) -> Plain {
        Plain {
            time: 0.0,
            positions: scene.balls.iter().map(|ball| ball.position).collect(),
            velocities: scene.balls.iter().map(|ball| ball.velocity).collect(),
            scene: scene.clone(),
        }
    }

    pub(crate) fn step(&mut self) -> Met {
        let mut first = (f64::INFINITY, Met::Discs(0, 0));
        let mut offer = |t: Option<f64>, met| {
            if let Some(t) = t
                && t < first.0
            {
                // Less than 0 by rounding.
                first = (t.max(0.0), met);
            }
        };
        for i in 0..self.positions.len() {
            let (p, v, r) = (self.positions[i], self.velocities[i], self.scene.balls[i].radius);
            for j in i + 1..self.positions.len() {
                let reach = r + self.scene.balls[j].radius;
                offer(enters(self.positions[j] - p, self.velocities[j] - v, reach), Met::Discs(i, j));
            }
            match self.scene.room {
                Room::Box(size) => {
                    offer((v.x < 0.0).then(|| (r - p.x) / v.x), Met::Wall(i, 0));
                    offer((v.x > 0.0).then(|| (size.x - r - p.x) / v.x), Met::Wall(i, 1));
                    offer((v.y < 0.0).then(|| (r - p.y) / v.y), Met::Wall(i, 2));
                    offer((v.y > 0.0).then(|| (size.y - r - p.y) / v.y), Met::Wall(i, 3));
                }
                Room::Round(radius) => {
                    let (a, b) = (v.length_squared(), p.dot(v));
                    let c = p.length_squared() - (radius - r) * (radius - r);
                    offer(Some((-b + (b * b - a * c).sqrt()) / a), Met::Wall(i, 0));
                }
            }
            for (k, &(center, radius)) in self.scene.posts.iter().enumerate() {
                offer(enters(p - center, v, r + radius), Met::Wall(i, self.scene.room.walls() + k));
            }
        }
        let (t, met) = first;
        for (p, &v) in self.positions.iter_mut().zip(&self.velocities) {
            *p += v * t;
        }
        self.time += t;
        self.bounce(met);
        met
    }

    fn bounce(&mut self, met: Met) {
        let gain = 1.0 + self.scene.restitution;
        match met {
            Met::Discs(i, j) => {
                let n = (self.positions[j] - self.positions[i]).normalize();
                let approach = (self.velocities[i] - self.velocities[j]).dot(n);
                let (m_i, m_j) = (self.scene.balls[i].mass, self.scene.balls[j].mass);
                let impulse = gain * approach / (1.0 / m_i + 1.0 / m_j);
                self.velocities[i] -= n * (impulse / m_i);
                self.velocities[j] += n * (impulse / m_j);
            }
            Met::Wall(i, wall) => {
                let (p, v) = (self.positions[i], &mut self.velocities[i]);
                let n = match (self.scene.room, wall) {
                    (Room::Box(_), 0 | 1) => DVec2::X,
                    (Room::Box(_), 2 | 3) => DVec2::Y,
                    (Room::Round(_), 0) => p.normalize(),
                    _ => (p - self.scene.posts[wall - self.scene.room.walls()].0).normalize(),
                };
                *v -= n * (gain * v.dot(n));
            }
        }
    }
}

fn enters(d: DVec2, v: DVec2, reach: f64) -> Option<f64> {
    let (a, b, c) = (v.length_squared(), d.dot(v), d.length_squared() - reach * reach);
    let discriminant = b * b - a * c;
    (b < 0.0 && discriminant > 0.0).then(|| (-b - discriminant.sqrt()) / a)
}

//! What one would write first, and exact: no table, no queue. For scale.

use super::bare_table::seconds_to_contact;
use carom::DVec2;

/// What a disc does next, and when. Whom it meets, or its own number for a wall.
#[derive(Clone, Copy)]
struct Next {
    time: f64,
    with: usize,
}

/// A gas of unit discs in a square. Each disc has its earliest event; the two of an impact are compared with
/// all others, and so is who was to meet one of them. The next event is the minimum of the array.
#[derive(Clone)]
pub(crate) struct NaiveLoop {
    side: f64,
    positions: Vec<DVec2>,
    velocities: Vec<DVec2>,
    /// When the positions hold.
    times: Vec<f64>,
    next: Vec<Next>,
    /// Whether the wall is a vertical one.
    vertical: Vec<bool>,
}

impl NaiveLoop {
    pub(crate) fn new(states: &[(DVec2, DVec2)], side: f64) -> Self {
        let n = states.len();
        let mut naive = NaiveLoop {
            side,
            positions: states.iter().map(|&(p, _)| p).collect(),
            velocities: states.iter().map(|&(_, v)| v).collect(),
            times: vec![0.0; n],
            next: vec![Next { time: f64::INFINITY, with: 0 }; n],
            vertical: vec![false; n],
        };
        (0..n).for_each(|i| naive.predict(i, i));
        naive
    }

    pub(crate) fn run(&mut self, events: u64) {
        for _ in 0..events {
            self.step();
        }
    }

    fn step(&mut self) {
        let mut i = 0;
        for (k, next) in self.next.iter().enumerate() {
            if next.time < self.next[i].time {
                i = k;
            }
        }
        let Next { time, with } = self.next[i];
        self.bring(i, time);
        if with == i {
            let v = &mut self.velocities[i];
            if self.vertical[i] {
                v.x = -v.x;
            } else {
                v.y = -v.y;
            }
        } else {
            self.bring(with, time);
            let d = self.positions[with] - self.positions[i];
            let push = d * ((self.velocities[with] - self.velocities[i]).dot(d) / d.length_squared());
            self.velocities[i] += push;
            self.velocities[with] -= push;
        }
        for k in 0..self.next.len() {
            let was = self.next[k].with;
            if k != i && k != with && (was == i || was == with) {
                self.predict(k, k);
            }
        }
        self.predict(i, with);
        self.predict(with, i);
    }

    fn bring(&mut self, i: usize, time: f64) {
        let age = time - self.times[i];
        self.positions[i] += self.velocities[i] * age;
        self.times[i] = time;
    }

    /// The earliest event of a disc, which has just met `met`; where it is earlier for the partner, of that,
    /// too.
    fn predict(&mut self, i: usize, met: usize) {
        let mut first = self.wall(i);
        for k in (0..self.next.len()).filter(|&k| k != i && k != met) {
            let time = self.meet(i, k);
            if time < first.time {
                first = Next { time, with: k };
            }
            if time < self.next[k].time {
                self.next[k] = Next { time, with: i };
            }
        }
        self.next[i] = first;
    }

    fn wall(&mut self, i: usize) -> Next {
        let (p, v) = (self.positions[i], self.velocities[i]);
        let mut first = f64::INFINITY;
        for (x, v, vertical) in [(p.x, v.x, true), (p.y, v.y, false)] {
            let dt = if v > 0.0 { (self.side - 1.0 - x) / v } else { (1.0 - x) / v };
            if v != 0.0 && dt < first {
                (first, self.vertical[i]) = (dt, vertical);
            }
        }
        Next { time: self.times[i] + first.max(0.0), with: i }
    }

    #[inline(always)]
    fn meet(&self, a: usize, b: usize) -> f64 {
        let t = self.times[a].max(self.times[b]);
        let at = |i: usize| self.positions[i] + self.velocities[i] * (t - self.times[i]);
        let (d, v) = (at(b) - at(a), self.velocities[b] - self.velocities[a]);
        t + seconds_to_contact(d, v)
    }
}

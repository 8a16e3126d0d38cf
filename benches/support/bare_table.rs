//! The least that simulates a gas of unit discs in a square: for scale.

use carom::DVec2;

#[derive(Clone, Copy)]
struct Ball {
    p: DVec2,
    v: DVec2,
    t: f64,
}

/// A full array of times with row minima; one-part time, plain formulas.
#[derive(Clone)]
pub(crate) struct BareTable {
    side: f64,
    balls: Vec<Ball>,
    /// Row i: pairs (i, k < i), and on the diagonal the wall.
    times: Vec<f64>,
    /// Whether the wall is a vertical one.
    vertical: Vec<bool>,
    least: Vec<(f64, usize)>,
}

impl BareTable {
    pub(crate) fn new(states: &[(DVec2, DVec2)], side: f64) -> Self {
        let n = states.len();
        let balls = states.iter().map(|&(p, v)| Ball { p, v, t: 0.0 }).collect();
        let mut table = BareTable {
            side,
            balls,
            times: vec![f64::INFINITY; n * n],
            vertical: vec![false; n],
            least: vec![(f64::INFINITY, 0); n],
        };
        for i in 0..n {
            for k in 0..i {
                table.times[i * n + k] = meet(&table.balls[i], &table.balls[k]);
            }
            table.predict_wall(i);
            table.search(i);
        }
        table
    }

    pub(crate) fn run(&mut self, events: u64) {
        for _ in 0..events {
            self.step();
        }
    }

    fn step(&mut self) {
        let mut next = (f64::INFINITY, 0);
        for (i, &(t, _)) in self.least.iter().enumerate() {
            if t < next.0 {
                next = (t, i);
            }
        }
        let (t, i) = next;
        let k = self.least[i].1;
        self.bring(i, t);
        if i == k {
            let v = &mut self.balls[i].v;
            if self.vertical[i] {
                v.x = -v.x;
            } else {
                v.y = -v.y;
            }
            self.renew(i, i);
            return;
        }
        self.bring(k, t);
        let d = self.balls[k].p - self.balls[i].p;
        let push = d * ((self.balls[k].v - self.balls[i].v).dot(d) / d.length_squared());
        self.balls[i].v += push;
        self.balls[k].v -= push;
        let n = self.balls.len();
        self.times[i.max(k) * n + i.min(k)] = f64::INFINITY;
        self.renew(i, k);
        self.renew(k, i);
    }

    fn bring(&mut self, i: usize, t: f64) {
        let ball = &mut self.balls[i];
        ball.p += ball.v * (t - ball.t);
        ball.t = t;
    }

    fn renew(&mut self, i: usize, partner: usize) {
        let n = self.balls.len();
        for k in (0..n).filter(|&k| k != i && k != partner) {
            let t = meet(&self.balls[i], &self.balls[k]);
            if k < i {
                self.times[i * n + k] = t;
                continue;
            }
            self.times[k * n + i] = t;
            if t < self.least[k].0 {
                self.least[k] = (t, i);
            } else if self.least[k].1 == i {
                self.search(k);
            }
        }
        self.predict_wall(i);
        self.search(i);
        if partner > i && self.least[partner].1 == i {
            self.search(partner);
        }
    }

    fn predict_wall(&mut self, i: usize) {
        let Ball { p, v, t } = self.balls[i];
        let mut first = (f64::INFINITY, false);
        for (x, v, vertical) in [(p.x, v.x, true), (p.y, v.y, false)] {
            let dt = if v > 0.0 { (self.side - 1.0 - x) / v } else { (1.0 - x) / v };
            if v != 0.0 && dt < first.0 {
                first = (dt, vertical);
            }
        }
        self.times[i * self.balls.len() + i] = t + first.0.max(0.0);
        self.vertical[i] = first.1;
    }

    fn search(&mut self, i: usize) {
        let n = self.balls.len();
        let mut least = (f64::INFINITY, i);
        for (k, &t) in self.times[i * n..=i * n + i].iter().enumerate() {
            if t < least.0 {
                least = (t, k);
            }
        }
        self.least[i] = least;
    }
}

fn meet(a: &Ball, b: &Ball) -> f64 {
    let t = a.t.max(b.t);
    let d = (b.p + b.v * (t - b.t)) - (a.p + a.v * (t - a.t));
    let v = b.v - a.v;
    t + seconds_to_contact(d, v)
}

/// Until two unit discs touch, from where the other one is and how fast it moves, as seen from the first.
#[inline(always)]
pub(crate) fn seconds_to_contact(d: DVec2, v: DVec2) -> f64 {
    let closing = d.dot(v);
    if closing >= 0.0 {
        return f64::INFINITY;
    }
    let c = d.length_squared() - 4.0;
    let disc = closing * closing - v.length_squared() * c;
    if disc <= 0.0 {
        return f64::INFINITY;
    }
    (c / (-closing + disc.sqrt())).max(0.0)
}

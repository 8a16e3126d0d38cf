use super::Session;
use super::bent::{self, Leg};
use carom_engine::math::toi::{Encounter, disc_disc_encounter};
use carom_engine::{DVec2, DiscId};

/// When two discs touch if nothing else happens, in seconds from now; negative in the past.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contacts {
    /// They never touch.
    Never,
    /// They touch at this time, without overlapping.
    Graze(f64),
    /// They touch first, and part.
    Both(f64, f64),
    /// They overlap and do not move.
    Always,
}

/// The geometry of two discs that nothing else happens to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// The one.
    pub a: DiscId,
    /// The other.
    pub b: DiscId,
    /// Relative position, from `a` to `b`.
    pub d: DVec2,
    /// Relative velocity.
    pub v: DVec2,
    /// What forces do to both.
    legs: [Leg; 2],
    /// The distance of the centres at contact.
    pub reach: f64,
    /// How fast that grows.
    pub growth: f64,
    /// The rate of the drag that slows both down.
    pub drag: f64,
    /// `v·v R² − (d × v)²`: where nothing grows they touch at some time if it is not negative. None where
    /// their motion relative to each other is not straight or not uniform.
    pub discriminant: Option<f64>,
    /// Both contact times.
    pub contacts: Contacts,
    /// The entry of the table of pairs, in seconds of the world, infinite for "never"; none where the
    /// grid schedules.
    pub entry: Option<f64>,
}

impl Pair {
    /// The distance of the two surfaces in `s` seconds, if nothing happens until then; negative where
    /// they overlap.
    #[must_use]
    pub fn gap(&self, s: f64) -> f64 {
        // Under drag they come as far as without it in a shorter time.
        let way = if self.drag > 0.0 { -(-self.drag * s).exp_m1() / self.drag } else { s };
        let [a, b] = self.legs;
        let d = if is_uniform(self.legs) { self.d + self.v * way } else { self.d + b.way(s) - a.way(s) };
        d.length() - self.reach - self.growth * s
    }

    /// What the two contact times mean.
    #[must_use]
    pub fn says(&self) -> &'static str {
        match self.contacts {
            Contacts::Never => "never",
            Contacts::Graze(t) | Contacts::Both(t, _) if t > 0.0 => "will collide",
            Contacts::Graze(_) => "collided before",
            Contacts::Both(_, exit) if exit < 0.0 => "collided before",
            Contacts::Both(..) | Contacts::Always => "touch now",
        }
    }
}

impl Session {
    /// The pair that is looked at.
    #[must_use]
    pub fn pair(&self) -> Option<Pair> {
        let world = self.world();
        let (a, b) = (world.get(self.selected()?)?, world.get(self.other()?)?);
        let (mut d, v) = (b.position() - a.position(), b.velocity() - a.velocity());
        d = nearest_image(d, world.settings().period);
        let reach = a.radius() + b.radius();
        let growth = world.growth() * reach;
        let cross = d.perp_dot(v);
        let legs = [&a, &b].map(|disc| Leg::of(disc, world.forces().weight()));
        let is_uniform = is_uniform(legs);
        let contacts = if growth > 0.0 {
            growing(d, v, reach, growth)
        } else if !is_uniform {
            match bent::contacts(d, legs, reach) {
                Some((enter, exit)) => Contacts::Both(enter, exit),
                None if d.length() < reach => Contacts::Always,
                None => Contacts::Never,
            }
        } else {
            slowed(disc_disc_encounter(d, v, reach), world.settings().drag)
        };
        Some(Pair {
            a: a.id(),
            b: b.id(),
            d,
            v,
            legs,
            reach,
            growth,
            drag: world.settings().drag,
            discriminant: is_uniform.then(|| v.length_squared() * (reach * reach) - cross * cross),
            contacts,
            entry: self.entry(a.id(), b.id()),
        })
    }

    /// The entry of the table of pairs for two discs, or, of one with itself, for what it does on its
    /// own: when, in seconds; infinite if never. None where the grid schedules.
    #[must_use]
    pub fn entry(&self, a: DiscId, b: DiscId) -> Option<f64> {
        let time = self.tabled().table_entry(a, b)?;
        Some(if time.is_never() { f64::INFINITY } else { time.as_secs() })
    }
}

/// Whether two discs move uniformly relative to each other: both under the same gravity or none, and no
/// friction stops them.
fn is_uniform([a, b]: [Leg; 2]) -> bool {
    a.acceleration == b.acceleration && a.until == f64::INFINITY && b.until == f64::INFINITY
}

/// Contact times under drag: those of the same way without it, `(1 − e^(−k t))/k = s`, which some never come
/// to.
fn slowed(encounter: Encounter, drag: f64) -> Contacts {
    let at = |s: f64| {
        let left = 1.0 - drag * s;
        if drag == 0.0 {
            s
        } else if left > 0.0 {
            -left.ln() / drag
        } else {
            f64::INFINITY
        }
    };
    match encounter {
        Encounter::Never => Contacts::Never,
        Encounter::Graze(t) => Contacts::Graze(at(t)),
        Encounter::Through { enter, .. } if at(enter) == f64::INFINITY => Contacts::Never,
        Encounter::Through { enter, exit } => Contacts::Both(at(enter), at(exit)),
        Encounter::Always => Contacts::Always,
    }
}

/// Contact times where the reach grows: the roots of `(v·v − γ²) t² + 2 (d·v − R γ) t + d·d − R²` at which
/// the reach is positive.
fn growing(d: DVec2, v: DVec2, reach: f64, growth: f64) -> Contacts {
    let (a, b, c) =
        (v.length_squared() - growth * growth, d.dot(v) - reach * growth, d.length_squared() - reach * reach);
    let root = (b * b - a * c).sqrt();
    if root.is_nan() {
        return Contacts::Never;
    }
    let q = if b > 0.0 { -(b + root) } else { root - b };
    let mut times = [q / a, c / q];
    times.sort_by(f64::total_cmp);
    let [first, second] = times.map(|t| if reach + growth * t >= 0.0 { t } else { f64::NAN });
    match (first.is_finite(), second.is_finite()) {
        (true, true) => Contacts::Both(first, second),
        (true, false) => Contacts::Both(first, f64::INFINITY),
        (false, true) => Contacts::Both(second, f64::INFINITY),
        (false, false) => Contacts::Never,
    }
}

fn nearest_image(d: DVec2, period: [Option<f64>; 2]) -> DVec2 {
    let nearest = |d: f64, period: Option<f64>| period.map_or(d, |period| d - period * (d / period).round());
    DVec2::new(nearest(d.x, period[0]), nearest(d.y, period[1]))
}

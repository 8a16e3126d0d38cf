use super::Session;
use carom_engine::math::toi::{Encounter, disc_disc_encounter};
use carom_engine::{DVec2, DiscId};

/// When two discs touch in uniform relative motion, in seconds from now; negative in the past.
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

/// The geometry of two discs in uniform relative motion.
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
    /// Relative acceleration.
    pub acceleration: DVec2,
    /// The distance of the centres at contact.
    pub reach: f64,
    /// `v·v R² − (d × v)²`: they touch at some time where it is not negative.
    pub discriminant: f64,
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
        let d = self.d + self.v * s + self.acceleration * (0.5 * s * s);
        d.length() - self.reach
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
        let cross = d.perp_dot(v);
        let contacts = match disc_disc_encounter(d, v, reach) {
            Encounter::Never => Contacts::Never,
            Encounter::Graze(t) => Contacts::Graze(t),
            Encounter::Through { enter, exit } => Contacts::Both(enter, exit),
            Encounter::Always => Contacts::Always,
        };
        Some(Pair {
            a: a.id(),
            b: b.id(),
            d,
            v,
            acceleration: b.acceleration() - a.acceleration(),
            reach,
            discriminant: v.length_squared() * (reach * reach) - cross * cross,
            contacts,
            entry: self.entry(a.id(), b.id()),
        })
    }

    /// The entry of the table of pairs for two discs, or, of one with itself, for what it does on its
    /// own: when, in seconds; infinite if never. None where the grid schedules.
    #[must_use]
    pub fn entry(&self, a: DiscId, b: DiscId) -> Option<f64> {
        let time = self.world().table_entry(a, b).ok().flatten()?;
        Some(if time.is_never() { f64::INFINITY } else { time.as_secs() })
    }
}

fn nearest_image(d: DVec2, period: [Option<f64>; 2]) -> DVec2 {
    let nearest = |d: f64, period: Option<f64>| period.map_or(d, |period| d - period * (d / period).round());
    DVec2::new(nearest(d.x, period[0]), nearest(d.y, period[1]))
}

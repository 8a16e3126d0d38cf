use carom_math::sqrt;
use glam::DVec2;

/// By how much of its square a squared speed may be below the limit and still count as the limit: some
/// hundred times what rounding takes of a speed at an impact.
const BELOW: f64 = 1.0 / (1u64 << 44) as f64;

/// At which part of the limit what has ended begins again for a disc that contacts brake. Without that room
/// it would end and begin without end where a contact brakes more slowly than the pull accelerates.
const RESUMES: f64 = 63.0 / 64.0;

/// What the pull of a disc does that has a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pull {
    /// It ends, as the limit is reached.
    Ends,
    /// It begins again.
    Begins,
}

/// A speed up to which a disc is accelerated.
///
/// Whether it is reached follows from the velocity that is stored, so no memory of it is needed: the pull
/// does not act on a disc at the limit or beyond that it would not brake.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpeedLimit {
    pub(super) speed: f64,
    /// The acceleration that ends.
    pub(super) pull: DVec2,
}

impl SpeedLimit {
    /// Whether a disc with this velocity is at the limit or beyond, and the pull would not brake it.
    #[inline]
    pub(super) fn is_reached(&self, velocity: DVec2) -> bool {
        let (speed2, along) = (velocity.length_squared(), velocity.dot(self.pull));
        let is_fast = speed2 >= self.speed * self.speed * (1.0 - BELOW);
        // Across the pull to rounding, where the speed is least.
        let across = BELOW * BELOW * (speed2 * self.pull.length_squared());
        is_fast && (along >= 0.0 || along * along <= across)
    }

    /// When the pull ends or begins next, of a disc that is accelerated by `bent`: the pull itself in free
    /// flight, and what contacts leave of it where they hold the disc.
    #[inline]
    pub(super) fn next_change(&self, velocity: DVec2, bent: DVec2) -> Option<(f64, Pull)> {
        let (dt, what) = if self.is_reached(velocity) {
            (Speeds::new(velocity, bent, RESUMES * self.speed).falls(), Pull::Begins)
        } else {
            (self.ends_after(velocity, bent), Pull::Ends)
        };
        (dt < f64::INFINITY).then_some((dt, what))
    }

    /// Seconds until the limit is reached: the first time at which the speed is at the limit or beyond, and
    /// the pull does not brake.
    fn ends_after(&self, velocity: DVec2, bent: DVec2) -> f64 {
        let speeds = Speeds::new(velocity, bent, self.speed);
        let (along, turns) = (velocity.dot(self.pull), bent.dot(self.pull));
        let rises = speeds.rises();
        if along >= 0.0 {
            let is_along = turns >= 0.0 || rises * -turns <= along;
            return if is_along { rises } else { f64::INFINITY };
        }
        // From here on the pull does not brake.
        let turned = if turns > 0.0 { -along / turns } else { return f64::INFINITY };
        if speeds.is_beyond(turned) { turned } else { rises }
    }
}

/// The squared speed less that of a limit, `c + 2 b t + a t²`, on a parabola.
#[derive(Clone, Copy)]
struct Speeds {
    a: f64,
    b: f64,
    c: f64,
    /// The root of `b² − a c`, if there is one.
    root: Option<f64>,
}

impl Speeds {
    #[inline]
    fn new(velocity: DVec2, bent: DVec2, limit: f64) -> Self {
        let (a, b) = (bent.length_squared(), bent.dot(velocity));
        let c = velocity.length_squared() - limit * limit;
        // `b² − a c`, where the squares of a fast velocity against the pull do not cancel.
        let across = velocity.perp_dot(bent);
        let square = a * (limit * limit) - across * across;
        Speeds { a, b, c, root: (square >= 0.0).then(|| sqrt(square)) }
    }

    /// When the speed rises through the limit; never if it does not.
    fn rises(&self) -> f64 {
        let Some(root) = self.root else { return f64::INFINITY };
        let dt = if self.b > 0.0 { -self.c / (self.b + root) } else { (root - self.b) / self.a };
        if dt >= 0.0 { dt } else { f64::INFINITY }
    }

    /// When the speed falls through the limit from above; never if it does not.
    fn falls(&self) -> f64 {
        let Some(root) = self.root else { return f64::INFINITY };
        if self.b < 0.0 && self.c >= 0.0 { self.c / (root - self.b) } else { f64::INFINITY }
    }

    /// Whether the speed is not below the limit at a time.
    fn is_beyond(&self, dt: f64) -> bool {
        let stays = self.c >= 0.0 && dt <= self.falls();
        stays || self.rises() <= dt
    }
}

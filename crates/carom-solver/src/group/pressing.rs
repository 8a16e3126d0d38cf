use crate::contact_problem::RowKind;
use glam::DVec2;

/// What of a contact decides whether it comes to rest, and how it does. Lengths are in the units of places.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pressing {
    /// Up to what gap the two count as touching.
    pub touch: f64,
    /// The size of the bodies: a radius, or the mean of two.
    pub size: f64,
    /// The height from which it comes to rest where one of the two has another slow contact.
    pub height: f64,
    pub(crate) gap: f64,
    /// The circle along which the two move about each other, none for a straight facet.
    pub(crate) round: Option<Round>,
    /// Lines that the member crosses where it leaves a facet over its ends: the distance that is left, and
    /// the unit normal towards the line.
    pub exits: [Option<(f64, DVec2)>; 2],
    /// What the square of the tangential speed adds to the acceleration at which the contact opens.
    pub(crate) curvature: f64,
    /// Whether it is with what turns, on which nothing comes to rest.
    pub is_driven: bool,
    /// Whether it was held up to now.
    pub was_held: bool,
    /// Where the search for its force begins.
    pub(crate) guess: RowKind,
    /// Whether it is only near: it comes to rest with the others, but takes no part in impacts.
    pub is_near: bool,
    /// Whether it is near, and could press only by [leverage](crate::tolerances::LEVERAGE).
    pub(crate) has_leverage: bool,
    /// The rest speed: what opens or closes no faster may come to rest.
    pub slow: f64,
    /// Whether it does so, and whether it presses then.
    pub(crate) is_candidate: bool,
    pub(crate) presses: bool,
    /// Whether its speed is 0, so that forces decide.
    pub(crate) is_active: bool,
    /// Whether it is held from now on.
    pub is_held: bool,
    /// With what force: as the acceleration at which this alone would open the contact.
    pub(crate) force: f64,
    /// Over a piece: the direction of the force, and the acceleration at which it opens without forces.
    pub(crate) bisector: DVec2,
    pub(crate) opening: f64,
    /// Whether it neither closes, nor is held: it is not to be met again for a rounding.
    pub is_settled: bool,
}

impl Pressing {
    /// Of two that count as touching up to a gap of `touch`, of this size and at this gap, which move about
    /// each other along a circle or, at a straight facet, a line.
    #[must_use]
    pub fn new(touch: f64, size: f64, gap: f64, round: Option<Round>) -> Self {
        let curvature = round.map_or(0.0, |round| {
            let curvature = 1.0 / round.reach;
            if round.is_inside { -curvature } else { curvature }
        });
        Pressing { touch, size, gap, round, curvature, ..Pressing::default() }
    }

    /// Notes what it was up to now: held with a force, only settled, or neither.
    pub fn note_held(&mut self, was: Option<bool>) {
        self.was_held = was == Some(true);
        self.guess =
            was.map_or(RowKind::OneSided, |pressed| if pressed { RowKind::Pushing } else { RowKind::Idle });
    }

    /// Holds it as it is, if it touches, whatever its force.
    pub(crate) fn hold_still(&mut self) {
        self.leave_open();
        self.is_held = !self.is_near;
    }

    /// Takes it for one that has come to rest without pressing, if it touches.
    pub(crate) fn leave_open(&mut self) {
        (self.is_active, self.is_held, self.force) = (false, false, 0.0);
        self.is_settled = !self.is_near;
    }
}

/// The circle along which two bodies of a contact move about each other.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// From the member to the middle of what it touches.
    pub d: DVec2,
    /// Distance at contact: negative in a room smaller than the member.
    pub reach: f64,
    /// Whether the member is inside, as in a bowl.
    pub is_inside: bool,
    /// `|d|² − reach²`.
    pub squared_gap: f64,
}

impl Round {
    /// Of a member from which the middle of what it touches is at `d`.
    #[must_use]
    pub fn new(d: DVec2, reach: f64, is_inside: bool) -> Self {
        Round { d, reach, is_inside, squared_gap: carom_math::toi::squared_gap(d, reach) }
    }
}

/// What holds for all contacts of the piece of motion that is sought.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sought {
    /// Whether gaps of contacts at rest are left as they are.
    pub(crate) leaves_gaps: bool,
    /// Up to which part of the size those of other contacts are left then, too.
    pub(crate) small_gap: f64,
    /// In how many seconds others close, if not in the piece itself: with friction.
    pub(crate) closes_within: Option<f64>,
    /// The largest acceleration at the instant at which it begins: with friction.
    pub(crate) largest_at_instant: Option<f64>,
    /// Whether nothing answered to Coulomb's law over it, so that contacts slid without friction.
    pub(crate) is_smooth: bool,
    /// Whether it is asked with friction who presses, as if nothing moved.
    pub(crate) is_still: bool,
    /// In how many seconds of an instant slips may stop.
    pub(crate) stops_within: Option<f64>,
}

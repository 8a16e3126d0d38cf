use super::group::{Contact, Group, Other};
use carom_math::eft::DoubleDouble as Dd;

/// A held contact is pressed if it opens by less than this fraction of its rest speed: what a projection to
/// the rounding of `f64` leaves.
const PRESSED: f64 = 1e-6;

/// As a fraction of the speeds that it is of, more than what `f64` leaves of a speed of closing: three times
/// what four sums and products round.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Which contacts approach.
impl Group {
    /// Speed at which a contact closes, along its normal.
    pub(super) fn closing_speed(&self, contact: &Contact) -> Dd {
        let [ax, ay] = self.members[contact.a].velocity;
        let [x, y] = match contact.with {
            Other::Member(b) => {
                let [bx, by] = self.members[b].velocity;
                [ax - bx, ay - by]
            }
            Other::Facet(..) => [ax, ay],
        };
        let speed = x * Dd::from(contact.normal.x) + y * Dd::from(contact.normal.y);
        if contact.growth_speed != 0.0 { speed + Dd::from(contact.growth_speed) } else { speed }
    }

    /// Whether a contact closes faster than this, and than its rest speed.
    pub(super) fn approaches(&self, c: u32, tolerance: f64) -> bool {
        let contact = &self.contacts[c as usize];
        let least = tolerance.max(contact.pressing.slow);
        // Mostly `f64` decides.
        let (closing, rounding) = self.closing_roughly(contact);
        if (closing - least).abs() > rounding {
            return closing > least;
        }
        self.closing_speed(contact).to_f64() > least
    }

    /// The speed at which a contact closes, in `f64`, and a bound of what that has rounded.
    fn closing_roughly(&self, contact: &Contact) -> (f64, f64) {
        let of = |m: usize| self.members[m].velocity.map(Dd::to_f64);
        let [ax, ay] = of(contact.a);
        let [bx, by] = if let Other::Member(b) = contact.with { of(b) } else { [0.0; 2] };
        let growth = contact.growth_speed;
        let closing = (ax - bx) * contact.normal.x + (ay - by) * contact.normal.y + growth;
        let speeds = ax.abs() + ay.abs() + bx.abs() + by.abs() + growth.abs();
        // So that what underflows decides nothing.
        (closing, ROUNDING * speeds + f64::MIN_POSITIVE)
    }

    /// Whether a contact that does not approach takes part in a pass: one that was held and neither opens nor
    /// closes, as what is pressed stays pressed; and one that closes no faster than its rest speed.
    pub(super) fn is_pressed(&self, c: u32, tolerance: f64) -> bool {
        let contact = &self.contacts[c as usize];
        let slow = contact.pressing.slow;
        if !contact.pressing.was_held && slow <= tolerance {
            return false;
        }
        let closing = self.closing_speed(contact).to_f64();
        closing <= slow.max(tolerance)
            && (closing > tolerance
                || (contact.pressing.was_held && closing >= -tolerance.max(slow * PRESSED)))
    }
}

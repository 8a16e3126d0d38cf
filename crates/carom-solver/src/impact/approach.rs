//! Which contacts take part in a pass.

use crate::group::{Contact, Group, Other};
use crate::tolerances::{CLOSING_ROUNDING, HELD_OPENING};
use carom_math::eft::DoubleDouble as Dd;

/// Whether a contact closes faster than this, and than its rest speed.
pub(super) fn approaches(group: &Group, c: u32, tolerance: f64) -> bool {
    let contact = &group.contacts[c as usize];
    let least = tolerance.max(contact.pressing.slow);
    closing_beside(group, contact, [least]) > least
}

/// Whether a contact that does not approach takes part in a pass: one that was held and neither opens nor
/// closes, as what is pressed stays pressed; and one that closes no faster than its rest speed.
pub(super) fn is_pressed(group: &Group, c: u32, tolerance: f64) -> bool {
    let contact = &group.contacts[c as usize];
    let slow = contact.pressing.slow;
    if !contact.pressing.was_held && slow <= tolerance {
        return false;
    }
    let (most, least) = (slow.max(tolerance), -tolerance.max(slow * HELD_OPENING));
    let closing = closing_beside(group, contact, [most, tolerance, least]);
    closing <= most && (closing > tolerance || (contact.pressing.was_held && closing >= least))
}

/// The speed at which a contact closes, to compare it with some others: exact where it is near one of them.
/// Mostly `f64` decides.
fn closing_beside<const N: usize>(group: &Group, contact: &Contact, others: [f64; N]) -> f64 {
    let (closing, rounding) = closing_in_f64(group, contact);
    if others.iter().all(|other| (closing - other).abs() > rounding) {
        return closing;
    }
    group.closing_speed(contact).to_f64()
}

/// The speed at which a contact closes, in `f64`, and a bound of what that has rounded.
fn closing_in_f64(group: &Group, contact: &Contact) -> (f64, f64) {
    let of = |m: usize| group.members[m].velocity.map(Dd::to_f64);
    let [ax, ay] = of(contact.a);
    let [bx, by] = if let Other::Member(b) = contact.with { of(b) } else { [0.0; 2] };
    let growth = contact.growth_speed;
    let closing = (ax - bx) * contact.normal.x + (ay - by) * contact.normal.y + growth;
    let speeds = ax.abs() + ay.abs() + bx.abs() + by.abs() + growth.abs();
    // So that what underflows decides nothing.
    (closing, CLOSING_ROUNDING * speeds + f64::MIN_POSITIVE)
}

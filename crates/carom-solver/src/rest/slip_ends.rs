//! When contacts end to slip over a piece.

use crate::group::Group;
use crate::mass_class::MassClass;
use carom_math::sqrt;

/// Seconds until a contact of this slip ends to slip, if its rate stays.
pub(super) fn slip_ends(group: &Group, c: u32) -> f64 {
    let grip = &group.friction.grips[c as usize];
    let tangent = group.contacts[c as usize].normal.perp();
    let (slips, changes) = (group.slips_of(c, tangent), group.slip_changes_of(c, tangent));
    let end = |k: usize| {
        let ends = grip.slips[k] && grip.most[k] > 0.0 && slips[k] * changes[k] < 0.0;
        if ends { -slips[k] / changes[k] } else { f64::INFINITY }
    };
    end(0).min(end(1))
}

/// The first time after which a contact ends to slip that slips now, if a piece of `lasts` seconds were to go
/// on as it ends: by the slips at its beginning and its end.
pub(super) fn slip_ends_after(group: &Group, c: u32, lasts: f64) -> f64 {
    let grip = &group.friction.grips[c as usize];
    let [before, after] = slips_over(group, c, lasts);
    let end = |k: usize| {
        let falls = grip.slips[k] && grip.most[k] > 0.0 && before[k] * (before[k] - after[k]) > 0.0;
        if falls { lasts * before[k] / (before[k] - after[k]) } else { f64::INFINITY }
    };
    end(0).min(end(1))
}

/// The slips of a contact at the beginning and at the end of a piece of `lasts` seconds.
fn slips_over(group: &Group, c: u32, lasts: f64) -> [[f64; 2]; 2] {
    let contact = &group.contacts[c as usize];
    let [w, alpha] = group.relative(c);
    let later = match contact.pressing.round {
        None => contact.normal,
        Some(round) => {
            let d = round.d + (w + alpha * (0.5 * lasts)) * lasts;
            let along = d / sqrt(d.length_squared());
            if round.is_inside { -along } else { along }
        }
    };
    let before = group.slips_of(c, contact.normal.perp());
    let turned = (w + alpha * lasts).dot(later.perp()) - (w + alpha * lasts).dot(contact.normal.perp());
    let changes = group.slip_changes_of(c, contact.normal.perp());
    [before, [before[0] + changes[0] * lasts + turned, before[1] + changes[1] * lasts]]
}

/// See [`Group::heat_of`].
pub(crate) fn heat_of(group: &Group, c: u32) -> [f64; 2] {
    let contact = &group.contacts[c as usize];
    if group.class_of(contact) != MassClass::Finite {
        return [0.0; 2];
    }
    let lasting = |m: usize| group.members[m].lasts;
    let lasts = contact.ends().into_iter().flatten().map(lasting).fold(f64::INFINITY, f64::min);
    let is_bent = contact.pressing.round.is_some() && lasts > 0.0 && lasts < f64::INFINITY;
    let (slips, rates) = if is_bent {
        let [before, after] = slips_over(group, c, lasts);
        (before, [0, 1].map(|k| (after[k] - before[k]) / lasts))
    } else {
        let tangent = contact.normal.perp();
        (group.slips_of(c, tangent), group.slip_changes_of(c, tangent))
    };
    let grip = &group.friction.grips[c as usize];
    let forces = [0, 1].map(|k| if grip.sticks[k] { 0.0 } else { grip.forces[k] });
    [slips, rates].map(|of| -forces[0] * of[0] - forces[1] * of[1])
}

/// Seconds in which what slips passes a rest height, where friction without a limit holds it over a piece.
pub(super) fn lock_ends(group: &Group, c: u32) -> f64 {
    let pressing = &group.contacts[c as usize].pressing;
    let has_no_limit = group.friction.grips[c as usize].most.contains(&f64::INFINITY);
    if !has_no_limit || !(pressing.force > 0.0) {
        return f64::INFINITY;
    }
    let fastest = locked_slips(group, c).fold(0.0, |most: f64, (slip, _)| most.max(slip.abs()));
    if fastest > 0.0 { group.rest_height * pressing.size / fastest } else { f64::INFINITY }
}

/// Whether at least a half of what a contact slips without a limit of friction has gone after this time.
pub(super) fn stops_within(group: &Group, c: u32, lasts: f64) -> bool {
    locked_slips(group, c).all(|(slip, change)| (slip + change * lasts).abs() <= 0.5 * slip.abs())
}

/// The slips of a contact on which friction without a limit acts, and their rates.
fn locked_slips(group: &Group, c: u32) -> impl Iterator<Item = (f64, f64)> {
    let tangent = group.contacts[c as usize].normal.perp();
    let (slips, changes) = (group.slips_of(c, tangent), group.slip_changes_of(c, tangent));
    let most = group.friction.grips[c as usize].most;
    (0..2).filter(move |&k| most[k] == f64::INFINITY).map(move |k| (slips[k], changes[k]))
}

//! Friction in held contacts: its rows, at the instant, over a piece, and where speeds are set to 0.

use crate::complementarity::Infeasible;
use crate::contact_problem::rough::{Gradient, Rub};
use crate::contact_problem::{Precision, RowKind};
use crate::group::{ContactGrip, Group, Member, Rim};
use crate::mass_class::MassClass;
use crate::rows::{apply_changes, gather_rows, solve_rows};
use crate::tolerances::{CLOSED, MAX_CLOSING, ROUNDING, UNMOVED};
use carom_math::eft::DoubleDouble as Dd;
use core::ops::Range;
use glam::DVec2;

/// Of the largest acceleration that may close a gap: the largest with which a slow slip stops in a piece.
///
/// No friction is as strong. With less, a coefficient of 10⁶ would not end a slip in a short piece. With
/// none, a piece that is cut to 10⁻³⁰⁰ s would ask for an acceleration that is no number.
const STEEPEST_STOP: f64 = 1e8;

/// Finds forces with friction for rows that are gathered, at the instant or over a piece of `lasts` seconds,
/// with the largest acceleration around. The rims of what they move get their accelerations.
pub(super) fn solve_rubbing(
    group: &mut Group,
    contacts: &[u32],
    class: MassClass,
    (largest, lasts): (f64, f64),
) -> Result<(), Infeasible> {
    group.note_inertias();
    for (row, &c) in contacts.iter().enumerate() {
        let normal = if lasts > 0.0 {
            group.contacts[c as usize].pressing.bisector
        } else {
            group.contacts[c as usize].normal
        };
        let openings = openings_of(group, c, class, normal.perp(), (lasts, MAX_CLOSING * largest));
        group.friction.grips[c as usize].turn = turn_of(group, c, normal.perp(), lasts);
        let grip = group.friction.grips[c as usize];
        group.scratch.problem.begin_with(row, grip.forces[2]);
        for (k, gradient) in group.gradients_of(c, normal.perp()).into_iter().enumerate() {
            if grip.most[k] > 0.0 {
                let mut rub = Rub::new(row as u32, gradient, openings[k].into(), grip.most[k]);
                (rub.slides, rub.is_given) = (grip.slides[k], grip.slips[k] && !group.sought.is_still);
                rub.start = grip.forces[k];
                group.scratch.problem.rough.rubs.push(rub);
            }
        }
    }
    group.scratch.problem.solve_rough(largest)?;
    take_rubbing(group, contacts, largest);
    Ok(())
}

/// By how much the normal of a contact turns over a piece, from the chord of the way.
fn turn_of(group: &Group, c: u32, tangent: DVec2, lasts: f64) -> f64 {
    let Some(round) = group.contacts[c as usize].pressing.round.filter(|_| lasts > 0.0) else { return 0.0 };
    let [w, alpha] = group.relative(c);
    let turn = (w + alpha * (0.5 * lasts)).dot(tangent) * lasts / round.reach;
    if round.is_inside { -turn } else { turn }
}

/// Notes what sticks and what slides, and how rims accelerate.
///
/// Over a piece the friction `τ` acts along the mean tangent. In truth it turns by `θ` with the normal,
/// and so moves the place at the end along the mean normal by `∫ −τ (θ/T)(t − T/2)(T − t) dt = τ θ
/// T²/12`: the mean normal force that is found has `τ θ/6` for that, and in the same way the mean
/// friction `−λ θ/6`, as far as it moves centres. Without these parts they are what the forces at the two
/// ends make of them.
fn take_rubbing(group: &mut Group, contacts: &[u32], largest: f64) {
    let Group { scratch, friction, .. } = group;
    let rough = &scratch.problem.rough;
    let scale = rough.changes.iter().flatten().fold(largest, |scale: f64, change| scale.max(change.abs()));
    for (&m, &[_, _, turn]) in scratch.bodies.iter().zip(&rough.changes) {
        friction.rims[m as usize].acceleration = if turn.abs() <= UNMOVED * scale { 0.0 } else { turn };
    }
    for &c in contacts {
        let grip = &mut friction.grips[c as usize];
        (grip.sticks, grip.margin, grip.bent) = ([false; 2], [0.0; 2], 0.0);
    }
    for rub in &rough.rubs {
        let (c, row) = (contacts[rub.contact as usize], rub.contact as usize);
        let (pressing, diagonal) = scratch.problem.force_of(row);
        let grip = &mut friction.grips[c as usize];
        let k = usize::from(is_of_rolling(&rub.gradient));
        grip.slides[k] = rub.slides;
        (grip.forces[k], grip.forces[2]) = (rub.impulse, pressing);
        let (mut of_normal, mut of_rub) = (pressing, rub.impulse);
        if k == 0 {
            let bent = rub.impulse * grip.turn / 6.0;
            grip.bent = bent * diagonal;
            (of_normal, of_rub) =
                (pressing - bent, of_rub + pressing * grip.turn / 6.0 * (diagonal / rub.diagonal));
        }
        if rub.slides == 0.0 && pressing > 0.0 {
            grip.sticks[k] = true;
            grip.margin[k] = (rub.most * of_normal - of_rub.abs()).max(0.0) * diagonal;
        }
    }
}

/// Whether a row is one of rolling, which moves no centre.
pub(super) fn is_of_rolling(gradient: &Gradient) -> bool {
    gradient[0][0] == 0.0 && gradient[0][1] == 0.0
}

/// Lets contacts be smooth.
pub(super) fn let_slide(group: &mut Group, contacts: &[u32]) {
    for &c in contacts {
        let grip = &mut group.friction.grips[c as usize];
        *grip =
            ContactGrip { surface_speed: grip.surface_speed, stuck: grip.stuck, ..ContactGrip::default() };
    }
    for &m in &group.scratch.bodies {
        group.friction.rims[m as usize].acceleration = 0.0;
    }
}

/// The rates of slip and rolling without the forces of contacts of a class; over a piece, with what makes
/// their means over it 0.
///
/// What slips slowly is to have stopped at the end of the piece, and what friction without a limit holds is
/// not to have moved at it; what that is to hold, but slips by more than the largest gap, is to have stopped.
///
/// Where two bodies roll on each other, their rims pass as much as the line of centres turns, an arc,
/// while the centres move along its chord: `κ = (θ/2)/sin(θ/2)` is the ratio. Of relative velocity `w`
/// and acceleration `α` that is `κ t̄·(w T + ½ α T²) = Σ (u T + ½ A T²)`, with `t̄` across the bisector.
fn openings_of(
    group: &Group,
    c: u32,
    class: MassClass,
    tangent: DVec2,
    (lasts, most): (f64, f64),
) -> [f64; 2] {
    let contact = &group.contacts[c as usize];
    let of_others = |(end, rim): (Option<usize>, Option<(Rim, f64)>)| match (end, rim) {
        (Some(m), Some((rim, share))) if group.members[m].class != class => (rim.acceleration, share),
        _ => (0.0, 0.0),
    };
    let [rim_a, rim_b] = group.rims_of(c);
    let [end_a, end_b] = contact.ends();
    let (a, b) = (of_others((end_a, rim_a)), of_others((end_b, rim_b)));
    let slip = group.relative_free(c).dot(tangent) - a.0 - b.0;
    let roll = a.0 * a.1 - b.0 * b.1;
    let [slips, rolls] = group.slips_of(c, contact.normal.perp());
    if !(lasts > 0.0) {
        let within = group.sought.stops_within.unwrap_or(f64::INFINITY);
        return [slip + slips / within, roll + rolls / within];
    }
    let grip = &group.friction.grips[c as usize];
    // Where a piece is cut to next to nothing, no friction stops what slips in it.
    let steepest = most * STEEPEST_STOP;
    let way = group.max_gap * contact.pressing.size;
    let to_rest = |k: usize, speed: f64| match grip.most[k] < f64::INFINITY || speed.abs() * lasts > way {
        true => (speed / lasts).clamp(-steepest, steepest),
        false => (2.0 * speed / lasts).clamp(-most, most),
    };
    let [w, alpha] = group.relative(c);
    let ratio = match contact.pressing.round {
        None => 0.0,
        Some(round) => {
            let chord = (w + alpha * (0.5 * lasts)).dot(tangent) * lasts;
            let x = chord / (2.0 * round.reach);
            // Of arcsin(x)/x − 1.
            x * x * (1.0 / 6.0 + x * x * (3.0 / 40.0))
        }
    };
    let turning = (tangent * (1.0 + ratio) - contact.normal.perp()).dot(w) * (2.0 / lasts);
    [slip + to_rest(0, slips) + turning + ratio * alpha.dot(tangent), roll + to_rest(1, rolls)]
}

/// Leaves it to a piece of at most `lasts` seconds whether slips stop in it that pass less than a rest height
/// in its time: it finds whether they have stopped or go on at its end, and in which direction.
///
/// With the direction that they have now each of them ends a piece: a thousand in a frame of a heap of 73,
/// where slips of 10⁻⁷ m/s came and went. With the largest gap in place of the height slips of a mm/s are a
/// third of all pieces. With that to which impacts raise it the energy of a heap of 11 rose by 10⁻⁴.
pub(super) fn leave_slow_slips(group: &mut Group, contacts: &[u32], lasts: f64) {
    for &c in contacts {
        let (slips, size) = (slips_of(group, c), group.contacts[c as usize].pressing.size);
        let grip = &mut group.friction.grips[c as usize];
        for (slips_now, slip) in grip.slips.iter_mut().zip(slips) {
            *slips_now &= slip.abs() * lasts > group.rest_height * size;
        }
    }
}

/// Leaves it to forces whether slips stop. Whether there are any.
pub(super) fn release_slips(group: &mut Group, contacts: &[u32]) -> bool {
    let mut is_any = false;
    for &c in contacts {
        let slips = &mut group.friction.grips[c as usize].slips;
        is_any |= *slips != [false; 2];
        *slips = [false; 2];
    }
    is_any
}

/// Notes which slips go on that were left to forces.
pub(super) fn note_fast_slides(group: &mut Group, contacts: &[u32]) {
    for &c in contacts {
        let (slips, least) = (slips_of(group, c), least_slip(group, c, 0.0));
        let grip = &mut group.friction.grips[c as usize];
        grip.slips = [0, 1].map(|k| slips[k].abs() > least && grip.slides[k] * slips[k] > 0.0);
    }
}

/// The speed above which what slips has friction against that, beside others of this speed.
fn least_slip(group: &Group, c: u32, speed: f64) -> f64 {
    let contact = &group.contacts[c as usize];
    let ends = contact.ends().into_iter().flatten();
    let fall = ends.map(|m| group.members[m].fall_speed()).fold(speed, f64::max);
    (CLOSED * fall).min(contact.pressing.slow)
}

/// Notes which contacts of a part slip, so that friction has its direction: those that do so faster than
/// `least` says of a contact. Friction without a limit ends any slip at once: what it acts on sticks.
fn note_slips(group: &mut Group, contacts: &Range<usize>, least: impl Fn(&Group, usize) -> [f64; 2]) {
    if !group.friction.is_on {
        return;
    }
    for i in contacts.clone() {
        let c = group.order[i] as usize;
        let least = least(group, c);
        let slips = group.slips_of(c as u32, group.contacts[c].normal.perp());
        let grip = &mut group.friction.grips[c];
        for (k, slip) in slips.into_iter().enumerate() {
            grip.slips[k] = slip.abs() > least[k] && grip.most[k] < f64::INFINITY;
            if grip.slips[k] {
                grip.slides[k] = slip.signum();
            }
        }
    }
}

/// Notes which contacts slip faster than their rest speeds. What slips no faster would slide no further
/// than a rest height, and sticks if it presses.
pub(super) fn note_fast_slips(group: &mut Group, contacts: &Range<usize>) {
    if group.friction.is_on {
        for &c in &group.order[contacts.clone()] {
            let grip = &mut group.friction.grips[c as usize];
            (grip.slides, grip.stops, grip.keeps) = ([0.0; 2], [false; 2], [false; 2]);
        }
    }
    note_slips(group, contacts, |group, c| group.slow_rubs_of(c as u32));
}

/// Notes which contacts slip, once those that press have come to stick. What slips still has friction
/// against that, however slow it is: one that was taken to stick could drive it. The search begins with the
/// directions in which forces were found to drive the others. Begun with all of them sticking it finds
/// another one of several answers, in which other contacts slip, without end.
pub(super) fn note_all_slips(group: &mut Group, contacts: &Range<usize>, speed: f64) {
    note_slips(group, contacts, |group, c| [least_slip(group, c as u32, speed); 2]);
}

/// Whether a contact slips or rolls so slowly that it may stick, and by more than rounding.
pub(super) fn may_stick(group: &Group, c: u32, speed: f64) -> bool {
    group.friction.is_on && is_dragged(group, c, slow_rubs(group, c), speed)
}

/// Whether a contact has a slip that is set to 0, and is more than rounding.
pub(super) fn is_to_stick(group: &Group, c: u32, speed: f64) -> bool {
    group.friction.is_on && is_dragged(group, c, stops(group, c), speed)
}

/// Which slips are set to 0 with the speed at which a contact opens.
pub(super) fn stops(group: &Group, c: u32) -> [bool; 2] {
    group.friction.grips[c as usize].stops
}

/// Notes which these are: the slow ones of what presses. Kept are those that friction does not hold, as long
/// as they do not go against the way on which forces drive them.
///
/// A heap that slides off is slow at first. Stopped at the end of each piece, it would creep for ever.
pub(super) fn note_stops(group: &mut Group, rows: &[u32], speed: f64) {
    if !group.friction.is_on {
        return;
    }
    for &c in rows {
        let (presses, slow) = (group.contacts[c as usize].pressing.presses, slow_rubs(group, c));
        let grip = &mut group.friction.grips[c as usize];
        grip.stops = [0, 1].map(|k| presses && slow[k] && grip.slides[k] == 0.0 && !grip.keeps[k]);
    }
    note_more_stops(group, rows, speed);
}

/// Adds the slips that go against that way now, of which each contact has two at most. Whether there are
/// any.
///
/// Friction stops them after 10⁻⁹ s, each in a piece of its own, as other ones begin: in a heap of 73 such
/// pieces took turns, a thousand in a frame.
pub(super) fn note_more_stops(group: &mut Group, rows: &[u32], speed: f64) -> bool {
    if !group.friction.is_on {
        return false;
    }
    let mut is_any = false;
    for &c in rows {
        let (slow, slips, least) = (slow_rubs(group, c), slips_of(group, c), group.slow_rubs_of(c));
        let pressing = &group.contacts[c as usize].pressing;
        let grip = &mut group.friction.grips[c as usize];
        for k in 0..2 {
            let is_slow = slow[k] && slips[k].abs() <= least[k];
            let is_against = grip.slides[k] * slips[k] < -ROUNDING * speed;
            if pressing.presses && is_slow && is_against && !grip.stops[k] && !grip.keeps[k] {
                grip.stops[k] = true;
                is_any = true;
            }
        }
    }
    is_any
}

/// Lets slips go on that were to be set to 0, and are fast now. Whether others are left to be.
pub(super) fn keep_fast(group: &mut Group, rows: &[u32], speed: f64) -> bool {
    for &c in rows {
        let (slips, slow) = (slips_of(group, c), group.slow_rubs_of(c));
        let grip = &mut group.friction.grips[c as usize];
        (0..2).for_each(|k| grip.stops[k] &= slips[k].abs() <= slow[k]);
    }
    rows.iter().any(|&c| is_to_stick(group, c, speed))
}

/// Whether there are slips that keep to their limits as they are set to 0, beside others that end at once.
pub(super) fn has_limits(group: &Group, rows: &[u32]) -> bool {
    let has_limit = |&c: &u32| {
        let (stops, most) = (stops(group, c), group.friction.grips[c as usize].most);
        (0..2).any(|k| stops[k] && most[k] < f64::INFINITY)
    };
    let ends_at_once = |&c: &u32| ends_at_once(group, c, stops(group, c));
    group.friction.is_on && rows.iter().any(has_limit) && rows.iter().any(ends_at_once)
}

/// Whether a contact that slipped so was stopped, and forces drive it on: then it is to be kept.
pub(super) fn keep_slip(group: &mut Group, c: u32, k: usize, slip: f64, speed: f64) -> bool {
    let grip = &mut group.friction.grips[c as usize];
    let is_driven = grip.stops[k] && !grip.keeps[k] && grip.slides[k] * slip > ROUNDING * speed;
    grip.keeps[k] |= is_driven;
    is_driven
}

/// The speeds at which the two of a contact slip and roll now.
pub(super) fn slips_of(group: &Group, c: u32) -> [f64; 2] {
    group.slips_of(c, group.contacts[c as usize].normal.perp())
}

/// Which of slip and rolling are slow.
fn slow_rubs(group: &Group, c: u32) -> [bool; 2] {
    let grip = &group.friction.grips[c as usize];
    [0, 1].map(|k| !grip.slips[k] && grip.most[k] > 0.0)
}

/// Which are set to 0 where a contact was held.
pub(super) fn stuck(group: &Group, c: u32) -> [bool; 2] {
    group.friction.grips[c as usize].stuck
}

/// Which of slip and rolling of a contact that was held go on, with friction that has a limit.
pub(super) fn is_sliding(group: &Group, c: u32, speed: f64) -> [bool; 2] {
    let (grip, slips) = (&group.friction.grips[c as usize], slips_of(group, c));
    let has_limit = |k: usize| grip.most[k] > 0.0 && grip.most[k] < f64::INFINITY;
    [0, 1].map(|k| !grip.stuck[k] && has_limit(k) && slips[k].abs() > ROUNDING * speed)
}

/// Sets speeds of opening to 0 as [`solve_rows`] does, with its velocities, and with them the slip and
/// the rolling of contacts for which `sticks` says so; those for which `slides` does rub. What is slow takes
/// hardly any friction to stop, and has none that limits it; beside a fast slip, which friction without a
/// limit ends, each contact keeps to its own. Returns the work on finite masses of what drives these: of
/// surfaces that run, and of infinite masses that turn or move along.
pub(super) fn project(
    group: &mut Group,
    contacts: &[u32],
    class: MassClass,
    (speed, precision): (f64, Precision),
    row: impl Fn(&Group, u32) -> (DVec2, Dd, RowKind),
    (sticks, slides): (impl Fn(&Group, u32) -> [bool; 2], impl Fn(&Group, u32) -> [bool; 2]),
) -> Result<f64, Infeasible> {
    if !group.friction.is_on {
        solve_rows(group, contacts, class, (speed, precision), row)?;
        apply_changes(group);
        return Ok(0.0);
    }
    gather_rows(group, contacts, class, |member: &Member| member.mass, row);
    group.note_inertias();
    let is_limited = contacts.iter().any(|&c| ends_at_once(group, c, sticks(group, c)));
    // Surfaces may run where nothing else moves.
    let mut speed = speed;
    for (row, &c) in contacts.iter().enumerate() {
        let tangent = group.contacts[c as usize].normal.perp();
        let (slips, sticks, slides) = (group.slips_of(c, tangent), sticks(group, c), slides(group, c));
        for (k, gradient) in group.gradients_of(c, tangent).into_iter().enumerate() {
            let most = if is_limited { group.friction.grips[c as usize].most[k] } else { f64::INFINITY };
            // What opens is drawn together here, not pressed, and has no friction that has a limit.
            let is_drawn = most < f64::INFINITY && group.opening_in_f64(c) > 0.0;
            if sticks[k] && !is_drawn {
                speed = speed.max(slips[k].abs());
                let rub = Rub::new(row as u32, gradient, slips[k].into(), most);
                group.scratch.problem.rough.rubs.push(rub);
            } else if slides[k] {
                let most = group.friction.grips[c as usize].most[k];
                let mut rub = Rub::new(row as u32, gradient, slips[k].into(), most);
                (rub.slides, rub.is_given) = (slips[k].signum(), true);
                group.scratch.problem.rough.rubs.push(rub);
            }
        }
    }
    group.scratch.problem.solve_rough(speed)?;
    apply_changes(group);
    let Group { scratch, friction, .. } = group;
    for (&m, &[_, _, turn]) in scratch.bodies.iter().zip(&scratch.problem.rough.changes) {
        friction.rims[m as usize].speed += turn;
    }
    Ok(if class == MassClass::Finite { work_of_rubs(group, contacts) } else { 0.0 })
}

/// Whether a contact has a fast slip that friction without a limit ends.
fn ends_at_once(group: &Group, c: u32, sticks: [bool; 2]) -> bool {
    let most = group.friction.grips[c as usize].most;
    let is_fast = |k: usize| slips_of(group, c)[k].abs() > group.slow_rubs_of(c)[k];
    (0..2).any(|k| sticks[k] && most[k] == f64::INFINITY && is_fast(k))
}

/// The work of the rubs that were found. A row of the slip `s + d`, of which the bodies of the problem
/// make `s`, does the work `j s` in the mean of before and after: with a slip of 0 afterwards, `−j d` is
/// what drives it.
fn work_of_rubs(group: &Group, contacts: &[u32]) -> f64 {
    let work = |rub: &Rub| {
        let c = contacts[rub.contact as usize];
        let k = usize::from(is_of_rolling(&rub.gradient));
        -rub.impulse * group.driven_slips_of(c, group.contacts[c as usize].normal.perp())[k]
    };
    group.scratch.problem.rough.rubs.iter().map(work).sum()
}

/// Lets a member turn no more.
pub(super) fn stop_rim(group: &mut Group, m: usize) {
    if group.friction.is_on {
        (group.friction.rims[m].speed, group.friction.rims[m].acceleration) = (0.0, 0.0);
    }
}

/// Lets nothing turn a member faster.
pub(super) fn release_rim(group: &mut Group, m: usize) {
    if group.friction.is_on {
        group.friction.rims[m].acceleration = 0.0;
    }
}

/// Saves how fast rims are.
pub(super) fn save_rims(group: &mut Group) {
    if group.friction.is_on {
        group.scratch.saved_rims.clear();
        group.scratch.saved_rims.extend(group.friction.rims.iter().map(|rim| rim.speed));
    }
}

/// Gives rims the speeds that were saved last.
pub(super) fn restore_rims(group: &mut Group) {
    if group.friction.is_on {
        let saved = &group.scratch.saved_rims;
        group.friction.rims.iter_mut().zip(saved).for_each(|(rim, &speed)| rim.speed = speed);
    }
}

/// The energy of rotation of the finite masses of some contacts; 0 for other classes.
pub(super) fn energy_of_rims(group: &mut Group, contacts: &Range<usize>, class: MassClass) -> f64 {
    if !group.friction.is_on || class != MassClass::Finite {
        return 0.0;
    }
    group.with_part(contacts, |group, part| {
        group.gather_bodies(part, class);
        group.scratch.bodies.iter().map(|&m| group.rim_energy(m as usize)).sum()
    })
}

/// Whether a contact that sticks slips or rolls by more than rounding.
pub(super) fn is_dragged(group: &Group, c: u32, sticks: [bool; 2], speed: f64) -> bool {
    slips_of(group, c).into_iter().zip(sticks).any(|(slip, sticks)| sticks && slip.abs() > ROUNDING * speed)
}

/// Lets no rim creep: see [`Member::still_speed`].
pub(super) fn stop_still_rim(group: &mut Group, m: usize, speed: f64) {
    let least = group.members[m].still_speed(speed);
    let rim = &mut group.friction.rims[m];
    if rim.speed.abs() <= least {
        rim.speed = 0.0;
    }
}

/// Whether friction did work in a contact that was held: what rubs did not stick, or the surface runs, or
/// turns by itself.
pub(super) fn slides(group: &Group, c: u32) -> bool {
    let grip = &group.friction.grips[c as usize];
    let rubs = (0..2).any(|k| grip.most[k] > 0.0);
    let did_slide = (0..2).any(|k| grip.most[k] > 0.0 && !grip.stuck[k]);
    let turns = |m: usize| {
        let rim = &group.friction.rims[m];
        rim.speed != 0.0 && (group.members[m].class == MassClass::Infinite || !rim.is_turned())
    };
    let is_driven = || group.contacts[c as usize].ends().into_iter().flatten().any(turns);
    did_slide || (rubs && (grip.surface_speed != 0.0 || is_driven()))
}

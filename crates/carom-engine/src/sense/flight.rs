use super::Placed;
use super::region::Form;
use super::stays::{StayList, stays_in};
use crate::Extent;
use crate::drag::Drag;
use crate::state::bodies::Bodies;
use crate::touch::motion_left;
use crate::walls::Walls;
use carom_broadphase::Slot;
use carom_math::toi::{self, bent};
use carom_math::{Clock, DVec2, Time};
use smallvec::SmallVec;

/// What the crossings follow from.
#[derive(Clone, Copy)]
pub(crate) struct Flights<'a> {
    pub(crate) bodies: &'a Bodies,
    pub(crate) walls: &'a Walls,
    pub(crate) clock: &'a Clock,
    pub(crate) now: Time,
    pub(crate) drag: Option<&'a Drag>,
}

/// The path of a disc relative to a region, from the later of the times at which states were stored.
#[derive(Clone, Copy)]
struct Flight {
    reference: Time,
    path: bent::Motion,
    /// Seconds for which it holds.
    until: f64,
}

/// A stay, in seconds and in moments.
struct Stay {
    from: f64,
    to: f64,
    enters: Time,
    leaves: Time,
}

fn flight(flights: &Flights<'_>, region: &Placed, slot: Slot) -> Flight {
    let own = flights.bodies.time(slot);
    let carrier = region.carrier();
    let reference = carrier.map_or(own, |carrier| own.latest(flights.bodies.time(carrier)));
    let motion = flights.bodies.motion_at(slot, reference);
    let mut path = bent::Motion {
        position: motion.position,
        velocity: motion.velocity,
        acceleration: flights.bodies.bend(slot).acceleration,
        radius: if region.region.extent == Extent::Edge { motion.radius } else { 0.0 },
    };
    let mut until = left_of_motion(flights, slot, reference);
    if let Some(carrier) = carrier {
        let motion = flights.bodies.motion_at(carrier, reference);
        path.position -= motion.position;
        path.velocity -= motion.velocity;
        path.acceleration -= flights.bodies.bend(carrier).acceleration;
        until = until.min(left_of_motion(flights, carrier, reference));
    }
    Flight { reference, path, until }
}

#[inline]
fn stays_of(flights: &Flights<'_>, form: &Form, path: &bent::Motion) -> StayList {
    stays_in(form, path, |wall| flights.walls.facets_of(wall))
}

fn left_of_motion(flights: &Flights<'_>, slot: Slot, time: Time) -> f64 {
    let lasts = flights.bodies.bend(slot).lasts;
    if lasts == f64::INFINITY {
        return lasts;
    }
    motion_left(lasts, time.since(flights.bodies.time(slot)), flights.clock.epoch())
}

/// When a disc next enters a region, or leaves it: a function of the stored states and of whether it is
/// inside. The present only tells what is past.
///
/// Moments, which are rounded, decide: a stay without length is none, and two that meet are one. A path
/// that begins on a border up to rounding may be on the other side of it than is known of the disc;
/// then the border that is nearer in time is the one at which it is. So what turns back at a border, in
/// an impact or in a new piece of its motion, does not cross it, and what goes on does, once.
pub(crate) fn next_crossing(
    flights: &Flights<'_>,
    region: &Placed,
    slot: Slot,
    is_inside: bool,
) -> Option<Time> {
    let flight = flight(flights, region, slot);
    if !flights.bodies.periods.is_open() {
        return next_among_images(flights, region, &flight, is_inside);
    }
    let stays = stays_of(flights, &region.form, &flight.path);
    if is_inside { next_leaving(flights, &flight, &stays) } else { next_entering(flights, &flight, &stays) }
}

/// Whether a disc that is put where it is now is inside a region, and stays there for some time.
pub(crate) fn is_inside_now(flights: &Flights<'_>, region: &Placed, slot: Slot) -> bool {
    let flight = flight(flights, region, slot);
    let image = if flights.bodies.periods.is_open() {
        None
    } else {
        nearest_image(flights, region, &flight, flights.now)
    };
    let (form, flight) = image.unwrap_or((region.form, flight));
    let stays = moments(flights, &flight, &stays_of(flights, &form, &flight.path));
    stays.iter().any(|stay| stay.enters <= flights.now && flights.now < stay.leaves)
}

/// The stays that are not past when the path begins; those that meet are one.
fn moments(flights: &Flights<'_>, flight: &Flight, stays: &StayList) -> SmallVec<[Stay; 4]> {
    let moment = |t: f64| match t {
        t if t <= 0.0 => flight.reference,
        t if t < flight.until => flights.clock.after(flight.reference, t),
        _ => Time::NEVER,
    };
    let mut all: SmallVec<[Stay; 4]> = SmallVec::new();
    for &[from, to] in stays.iter().filter(|stay| stay[1] >= 0.0) {
        let (enters, leaves) = (moment(from), moment(to));
        match all.last_mut() {
            Some(last) if last.leaves == enters => (last.to, last.leaves) = (to, leaves),
            _ => all.push(Stay { from, to, enters, leaves }),
        }
    }
    all.retain(|stay| stay.from <= 0.0 || stay.enters < stay.leaves);
    all
}

fn next_entering(flights: &Flights<'_>, flight: &Flight, stays: &StayList) -> Option<Time> {
    let stays = moments(flights, flight, stays);
    let begins = stays.iter().filter(|stay| stay.enters < stay.leaves);
    // One that is over as soon as it has begun, up to rounding, was left before.
    let mut begins = begins.filter(|stay| stay.from > 0.0 || -stay.from < stay.to);
    begins.find(|stay| stay.enters >= flights.now).map(|stay| stay.enters).filter(|time| !time.is_never())
}

fn next_leaving(flights: &Flights<'_>, flight: &Flight, stays: &StayList) -> Option<Time> {
    let ahead = moments(flights, flight, stays);
    if flight.reference == flights.now && ahead.first().is_none_or(|stay| stay.from > 0.0) {
        let past = stays.iter().rev().find(|stay| stay[1] < 0.0).map(|stay| -stay[1]);
        let next = ahead.first().map_or(f64::INFINITY, |stay| stay.from);
        if past.is_some_and(|past| past <= next) {
            return Some(flights.now);
        }
    }
    ahead.iter().map(|stay| stay.leaves).find(|time| *time >= flights.now).filter(|time| !time.is_never())
}

/// As `next_crossing`, in a periodic plane: of all images of a region that is a disc.
fn next_among_images(
    flights: &Flights<'_>,
    region: &Placed,
    flight: &Flight,
    is_inside: bool,
) -> Option<Time> {
    let at = if is_inside { flights.now } else { flight.reference };
    let (form, near) = nearest_image(flights, region, flight, at)?;
    if is_inside {
        return next_leaving(flights, &near, &stays_of(flights, &form, &near.path));
    }
    // One that begins now is past by rounding.
    let begins = next_entering(flights, &near, &stays_of(flights, &form, &near.path));
    if begins == Some(flight.reference) {
        return begins;
    }
    let Form::Disc { radius, .. } = form else { return None };
    let (path, d) = (&near.path, near.path.position);
    let is_past = |image| {
        let stays = stays_of(flights, &form, &bent::Motion { position: image, ..*path });
        next_entering(flights, flight, &stays).is_none_or(|time| time == flight.reference)
    };
    if flights.bodies.is_bent() {
        return next_among_bent_images(flights, &form, &near);
    }
    let since = flights.now.since(flight.reference).max(0.0);
    let window = [since * (1.0 - 1e-12), flights.clock.horizon()];
    let periods = &flights.bodies.periods;
    let found = toi::disc_disc_images(d, path.velocity, radius + path.radius, periods, window, is_past)?;
    Some(flights.clock.after(flight.reference, found)).filter(|time| !time.is_never())
}

/// When a disc on a path that bends next enters one of the images of a region that is a disc. One that begins
/// with the path is past by rounding.
fn next_among_bent_images(flights: &Flights<'_>, form: &Form, flight: &Flight) -> Option<Time> {
    let &Form::Disc { radius, .. } = form else { return None };
    let mut first = Time::NEVER;
    let see = |image| {
        let path = bent::Motion { position: image, ..flight.path };
        let of_image = Flight { path, ..*flight };
        let enters = next_entering(flights, &of_image, &stays_of(flights, form, &path));
        if let Some(time) = enters.filter(|time| *time != flight.reference && *time < first) {
            first = time;
        }
        if first.is_never() { f64::INFINITY } else { first.since(flight.reference) }
    };
    let range = radius + flight.path.radius;
    bent::for_each_image_near(&flight.path, range, flight.until, &flights.bodies.periods, see);
    Some(first).filter(|time| !time.is_never())
}

/// A path as seen from that image of a region which is the nearest at a time, at the origin. None of a
/// region that has no images.
fn nearest_image(
    flights: &Flights<'_>,
    region: &Placed,
    flight: &Flight,
    at: Time,
) -> Option<(Form, Flight)> {
    let &Form::Disc { center, radius } = &region.form else { return None };
    let (periods, path) = (&flights.bodies.periods, flight.path);
    let d = path.position - center;
    let age = at.since(flight.reference);
    let turns = periods.whole_periods(d + (path.velocity + path.acceleration * (0.5 * age)) * age);
    let path = bent::Motion { position: periods.image(d, turns), ..path };
    Some((Form::Disc { center: DVec2::ZERO, radius }, Flight { path, ..*flight }))
}

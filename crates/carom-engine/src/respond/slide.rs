//! Sliding along the inside of a curved wall: a chain of chords in place of impacts without number.

use crate::predict::CommonPredictor;
use crate::state::contacts::Slide;
use crate::state::stamp::Stamp;
use crate::state::wall_memory::WallMemory;
use crate::store::Common;
use crate::walls::facet::Shape;
use crate::{Sliding, State};
use carom_broadphase::{Circle, Slot};
use carom_math::toi::{self, Side};
use carom_math::tolerance::touch_slack;
use carom_math::{Arc, Segment, sqrt};
use carom_solver::MassClass;
use glam::DVec2;

/// Tangent of half the angle by which a chord goes round: 2244 chords a turn, each `1 − 1/√(1 + τ²)` of the
/// path's radius deep, which is 9.8 · 10⁻⁷.
const HALF_TURN: f64 = 1.4e-3;
/// A chord that ends so close before the end of an arc, in chords, goes to the end itself.
const SHORT: f64 = 1.0 / 64.0;
/// Sine of the angle below which two parts that join are tangent: rounding of what is computed from angles is
/// 10⁻¹⁶, and of what is computed from coordinates an ulp of these over the length.
const TANGENT: f64 = 1.0 / (1u64 << 40) as f64;

/// Whether two unit vectors at a joint of parts of these lengths are the same way, up to rounding of
/// `slack`.
fn is_same_way(one: DVec2, other: DVec2, lengths: [f64; 2], slack: f64) -> bool {
    let rounding = 2.0 * slack / lengths[0].min(lengths[1]);
    one.dot(other) > 0.0 && one.perp_dot(other).abs() <= TANGENT + rounding
}

/// A chord of the circle on which the centre of a disc slides.
struct Chord {
    /// Unit vector.
    direction: DVec2,
    length: f64,
    at_end: bool,
}

impl Chord {
    /// The last one along an arc.
    fn to_end(from: DVec2, to: DVec2) -> Option<Chord> {
        let length = sqrt((to - from).length_squared());
        (length > 0.0).then(|| Chord { direction: (to - from) / length, length, at_end: true })
    }
}

/// The circle on which a centre slides.
struct Track {
    center: DVec2,
    /// Radius of the wall less that of the disc.
    room: f64,
    turns_left: bool,
    /// Unit vector from the middle to the end of the wall ahead, if it has one.
    end: Option<DVec2>,
}

impl Track {
    /// `None` where nothing slides: not along the inside of a curve, or in one that the disc fits or fills.
    fn new(shape: &Shape, radius: f64, turns_left: bool) -> Option<Track> {
        let (circle, end) = match shape {
            Shape::Inside(circle) => (circle, None),
            Shape::Arc(arc) => (&arc.circle, (!arc.full).then_some(end_ahead(arc, turns_left))),
            _ => return None,
        };
        let room = circle.radius - radius;
        (room > 0.0 && !toi::fits(circle, radius)).then_some(Track {
            center: circle.center,
            room,
            turns_left,
            end,
        })
    }

    /// `x` seen so that the slide goes round counter-clockwise.
    fn sign(&self) -> f64 {
        if self.turns_left { 1.0 } else { -1.0 }
    }

    /// The tangent ahead where `outwards` is the unit vector from the middle.
    fn tangent(&self, outwards: DVec2) -> DVec2 {
        outwards.perp() * self.sign()
    }

    /// The next chord from a place on the circle, or next to it, to one on it.
    ///
    /// With `q` the distance from the middle, `ℓ` the length and `α` the angle to the tangent, inwards, the
    /// end of the chord is on the circle of radius `ρ` if `q² − 2 q ℓ sin α + ℓ² = ρ²`.
    fn chord(&self, position: DVec2) -> Option<Chord> {
        let d = position - self.center;
        let q = sqrt(d.length_squared());
        let length = 2.0 * self.room * (HALF_TURN / sqrt(1.0 + HALF_TURN * HALF_TURN));
        let sine = ((q - self.room) * (q + self.room) + length * length) / (2.0 * q * length);
        if !(q > 0.0 && sine.abs() <= 0.5) {
            return None;
        }
        let outwards = d / q;
        let direction = self.tangent(outwards) * sqrt(1.0 - sine * sine) - outwards * sine;
        let chord = Chord { direction, length, at_end: false };
        let Some(end) = self.end else { return Some(chord) };
        // How far the end is ahead along the circle, for what is near it.
        let left = |d: DVec2| self.sign() * d.perp_dot(end);
        let far = d + direction * length;
        if left(far) > SHORT * length || far.dot(end) < 0.0 {
            return Some(chord);
        }
        // What is left is no chord if it is no longer than the rounding of its ends.
        let rounding = touch_slack(self.center.abs().max_element() + self.room);
        if left(d) <= rounding {
            return None;
        }
        Chord::to_end(position, self.center + end * self.room)
    }
}

/// Unit vector from the middle to the end of an arc towards which a slide goes.
fn end_ahead(arc: &Arc, turns_left: bool) -> DVec2 {
    if turns_left { arc.last } else { arc.first }
}

/// A chord that a disc is going to slide along, or the path on which it leaves the wall.
pub(crate) struct NewChord {
    pub(crate) slot: Slot,
    pub(crate) state: State<()>,
    pub(crate) stamp: Stamp,
    /// What it remembers of walls.
    pub(crate) walls: WallMemory,
    /// `None` if it leaves the wall.
    pub(crate) slide: Option<Slide>,
    /// Energy that the wall has taken as the slide began.
    pub(crate) taken: f64,
}

/// What goes on, tangent, where an arc ends along which a disc slides.
struct Beyond {
    facet: u32,
    /// On which side of it the disc is.
    side: Side,
    /// Of a straight wall: the way along it.
    direction: Option<DVec2>,
    /// Where a centre touches it at the joint.
    place: DVec2,
}

/// Lets a disc slide whose stored state is that after an impact with facet `f` on this side, if that is
/// the inside of a curve and it leaves it at a grazing angle. `restitution` is the one applied, `slid`
/// whether the disc slid before, `fastest` the largest speed of what takes part. Returns its new
/// velocity.
pub(crate) fn start_sliding(
    store: &Common,
    slot: Slot,
    f: u32,
    side: Side,
    restitution: f64,
    slid: bool,
    fastest: f64,
) -> Option<NewChord> {
    let shape = store.walls.facets[f as usize].shape;
    // Chords are straight; where discs accelerate they bounce on, ever lower.
    if store.bodies.is_bent() || side == Side::Front {
        return None;
    }
    let (Shape::Inside(circle) | Shape::Arc(Arc { circle, .. })) = shape else { return None };
    let Sliding { angle, elastic_angle } = store.settings.sliding?;
    let state = store.bodies.state(slot);
    let (d, velocity) = (state.position - circle.center, state.velocity);
    let (distance, turn) = (sqrt(d.length_squared()), d.perp_dot(velocity));
    // A chord meets what joins the wall at up to its own angle more.
    let least = if restitution < 1.0 { angle } else { elastic_angle };
    let grazing = least + if slid { 2.0 * HALF_TURN } else { 0.0 };
    let is_grazing = d.dot(velocity).abs() <= grazing * turn.abs();
    if least == 0.0 || !is_grazing || !(distance > 0.0) || turn == 0.0 || store.bodies.growth.is_on() {
        return None;
    }
    let speed2 = velocity.length_squared();
    let speed = if restitution < 1.0 { turn.abs() / distance } else { sqrt(speed2) };
    let stamp = (store.bodies.stamp(slot), touch_slack(fastest));
    let mut chord = slide_on(store, slot, [f, f], turn > 0.0, speed, &state, stamp)?;
    let mass = store.bodies.detail(slot).mass;
    if restitution < 1.0 && MassClass::of(mass) == MassClass::Finite {
        chord.taken = 0.5 * mass * (speed2 - speed * speed).max(0.0);
    }
    Some(chord)
}

/// The arc that goes on where facet `f` ends, tangent to it and bent the same way.
pub(crate) fn arc_beyond(store: &Common, slot: Slot, f: u32, turns_left: bool) -> Option<u32> {
    let Shape::Arc(arc) = store.walls.facets[f as usize].shape else { return None };
    let end = end_ahead(&arc, turns_left);
    let joint = arc.circle.center + end * arc.circle.radius;
    let radius = store.bodies.radius(slot);
    joined_at(store, slot, f, joint, |shape, slack| {
        let Shape::Arc(next) = shape else { return false };
        let first = end_ahead(next, !turns_left);
        !next.full
            && next.circle.radius > radius
            && (next.circle.center + first * next.circle.radius - joint).abs().max_element() <= slack
            && is_same_way(first, end, [next.circle.radius, arc.circle.radius], slack)
    })
}

/// What goes on, tangent, where facet `f` ends: an arc that is bent the same way, or a straight wall.
fn beyond(store: &Common, slot: Slot, f: u32, turns_left: bool) -> Option<Beyond> {
    let radius = store.bodies.radius(slot);
    if let Some(facet) = arc_beyond(store, slot, f, turns_left) {
        let Shape::Arc(arc) = &store.walls.facets[facet as usize].shape else { return None };
        let place = arc.circle.center + end_ahead(arc, !turns_left) * (arc.circle.radius - radius);
        return Some(Beyond { facet, side: Side::Back, direction: None, place });
    }
    let track = Track::new(&store.walls.facets[f as usize].shape, radius, turns_left)?;
    let end = track.end?;
    let wall = track.center + end * (track.room + radius);
    straight_beyond(store, slot, f, wall, &track)
}

/// The straight wall that goes on from a joint along a tangent.
fn straight_beyond(store: &Common, slot: Slot, f: u32, joint: DVec2, track: &Track) -> Option<Beyond> {
    let tangent = track.tangent(track.end?);
    let way = |segment: &Segment| {
        let is_along = segment.direction.dot(tangent) > 0.0;
        let side = if is_along == track.turns_left { Side::Front } else { Side::Back };
        (side, if is_along { segment.direction } else { -segment.direction })
    };
    let facet = joined_at(store, slot, f, joint, |shape, slack| {
        let (Shape::Segment(segment) | Shape::OneSided(segment)) = shape else { return false };
        let (side, direction) = way(segment);
        let stops = side == Side::Front || matches!(shape, Shape::Segment(_));
        let is_near = |point: DVec2| (point - joint).abs().max_element() <= slack;
        let end = segment.start + segment.direction * segment.length;
        let is_ahead = segment.direction.dot(tangent) > 0.0;
        stops
            && is_near(if is_ahead { segment.start } else { end })
            && is_same_way(direction, tangent, [segment.length, track.room], slack)
    })?;
    let (Shape::Segment(segment) | Shape::OneSided(segment)) = &store.walls.facets[facet as usize].shape
    else {
        return None;
    };
    let (side, direction) = way(segment);
    let start = if direction == segment.direction { 0.0 } else { segment.length };
    let end = segment.start + segment.direction * start;
    let place = end + segment.normal() * (side.sign() * store.bodies.radius(slot));
    Some(Beyond { facet, side, direction: Some(direction), place })
}

/// The first facet but `f` at a joint that the disc collides with and a test takes, which is given the
/// slack of touching.
fn joined_at(
    store: &Common,
    slot: Slot,
    f: u32,
    joint: DVec2,
    takes: impl Fn(&Shape, f64) -> bool,
) -> Option<u32> {
    let slack = 2.0 * store.walls.facets[f as usize].slack_at(joint.abs().max_element());
    let mut found = None;
    store.walls.planes.others_near(Some(&Circle { center: joint, radius: slack }), |g| {
        if g != f
            && found.is_none_or(|least| g < least)
            && takes(&store.walls.facets[g as usize].shape, slack)
            && CommonPredictor::of(store).collides_with_facet(slot, g)
        {
            found = Some(g);
        }
    });
    found
}

/// The next chord of a disc along facet `f`, which it has come to from `behind`, from a state now.
/// A turn by more than `rounding` ends the rule of the same impact for a group.
/// `None` if there is no such chord.
pub(crate) fn slide_on(
    store: &Common,
    slot: Slot,
    [f, behind]: [u32; 2],
    turns_left: bool,
    speed: f64,
    state: &State<()>,
    (stamp, rounding): (Stamp, f64),
) -> Option<NewChord> {
    let radius = store.bodies.radius(slot);
    let track = Track::new(&store.walls.facets[f as usize].shape, radius, turns_left)?;
    let mut chord = track.chord(state.position)?;
    let beyond = if chord.at_end { beyond(store, slot, f, turns_left) } else { None };
    if let Some(beyond) = &beyond {
        // What goes on may be much smaller than this arc, and its place that much less rounded.
        chord = Chord::to_end(state.position, beyond.place)?;
    }
    let Chord { direction, length, at_end } = chord;
    let until = store.clock.after(store.now, length / speed);
    if until <= store.now || until.is_never() {
        return None;
    }
    let velocity = direction * speed;
    // A chord leads inwards: it may approach a disc that the impact has left touching this one.
    let is_turned = (velocity - state.velocity).length_squared() > rounding * rounding;
    let stamp = if stamp.is_group() && is_turned { Stamp::NONE } else { stamp };
    let mut walls = WallMemory::met(f, Side::Back);
    // The chord to the end of an arc leads outwards there, and would meet what goes on.
    if let Some(Beyond { facet, side, .. }) = beyond {
        walls.add(facet, side);
    } else if behind != f {
        walls.add(behind, Side::Back);
    }
    let slide = Slide { facet: f, turns_left, at_end, speed, until };
    let state = State { velocity, ..*state };
    Some(NewChord { slot, state, stamp, walls, slide: Some(slide), taken: 0.0 })
}

/// How a disc slides on whose physics has changed its state in the middle of a chord; `None` if it leaves
/// the wall.
pub(crate) fn resume_sliding(store: &Common, slot: Slot, slide: &Slide) -> Option<NewChord> {
    let Slide { facet, turns_left, .. } = *slide;
    let state = store.bodies.state(slot);
    let track = Track::new(&store.walls.facets[facet as usize].shape, store.bodies.radius(slot), turns_left)?;
    let d = state.position - track.center;
    let turn = track.sign() * d.perp_dot(state.velocity);
    if !(turn > 0.0 && d.dot(state.velocity).abs() <= 2.0 * HALF_TURN * turn) {
        return None;
    }
    let speed = sqrt(state.velocity.length_squared());
    let stamp = (store.bodies.stamp(slot), f64::INFINITY);
    slide_on(store, slot, [facet; 2], turns_left, speed, &state, stamp)
}

/// How a disc goes on that slides over the end of a facet: tangent to it, or along the straight wall that it
/// joins.
pub(crate) fn leave_wall(
    store: &Common,
    slot: Slot,
    f: u32,
    turns_left: bool,
    speed: f64,
    state: State<()>,
) -> NewChord {
    let radius = store.bodies.radius(slot);
    let mut walls = WallMemory::met(f, Side::Back);
    let mut velocity = state.velocity;
    if let Some(track) = Track::new(&store.walls.facets[f as usize].shape, radius, turns_left) {
        let d = state.position - track.center;
        let outwards = track.end.unwrap_or_else(|| d / sqrt(d.length_squared()));
        velocity = track.tangent(outwards) * speed;
        if let Some(Beyond { facet, side, direction, .. }) = beyond(store, slot, f, turns_left) {
            velocity = direction.map_or(velocity, |direction| direction * speed);
            walls.add(facet, side);
        }
    }
    let (state, walls) = (State { velocity, ..state }, walls.just_met());
    NewChord { slot, state, stamp: Stamp::NONE, walls, slide: None, taken: 0.0 }
}

use crate::state::wall_memory::WallMemory;
use crate::touch::magnitude;
use crate::walls::facet::{End, Facet, JOINT, Shape, is_near, opposite};
use crate::walls::planes::Planes;
use carom_broadphase::Circle;
use carom_math::toi::{Memory, Motion, Side};
use carom_math::{Time, sqrt};
use glam::DVec2;

/// How far from an end the path of a point may pass that is taken to meet the end, in what counts as
/// touching.
///
/// Times of impact place a contact to `s`, the touch slack of up to three places, a length and a radius,
/// each in the sum of their coordinates: up to eight of what counts as touching; and, at a slant, to `√2 s`
/// across the path.
const END_ERROR: f64 = 12.0;

/// Turns that differ by less are compared by what is not rounded as much.
const NEXT_TO: f64 = 1.0 / (1u64 << 20) as f64;

/// Where parts of walls join: whichever walls they belong to, and in whatever order these were added.
/// Parts of a wall that moves join those of that wall alone; motions beside it are as [seen](Facet::seen)
/// from it, where it is not said otherwise.
///
/// [`Facet::seen`]: crate::walls::facet::Facet::seen
pub(crate) struct Joints<'a> {
    pub(super) facets: &'a [Facet],
    pub(super) planes: &'a Planes,
    /// Whether the disc that is asked for collides with a facet: what it does not collide with is not there.
    pub(super) collides: &'a dyn Fn(u32) -> bool,
    /// What that disc remembers of a one-sided facet.
    pub(super) memory: &'a dyn Fn(u32) -> Memory,
    /// How the path of that disc bends.
    pub(super) acceleration: DVec2,
}

impl Joints<'_> {
    /// As [`StatePredictor::is_covered`](super::StatePredictor::is_covered), of an end.
    #[inline(never)]
    pub(crate) fn is_end_covered(&self, f: u32, motion: &Motion, (at, when): (DVec2, (Time, f64))) -> bool {
        let (facets, facet) = (self.facets, &self.facets[f as usize]);
        let Some(end) = facet.shape.end() else { return false };
        let (motion, at) = (&facet.seen(motion, when.0), facet.place_seen(at, when));
        let slack = facet.slack(motion);
        let radius = motion.radius * (1.0 + motion.growth * when.1);
        let then = &Motion { position: at, radius, ..*motion };
        let mut is_covered = false;
        self.planes.others_near(Some(&Circle { center: end, radius: slack }), |g| {
            let shape = &facets[g as usize].shape;
            let runs_along = || motion.radius <= slack && shape.leads(motion.position, end, slack);
            is_covered |= g != f
                && facets[g as usize].moves_with(facet)
                && (shape.covers(&facet.shape, then, slack, || (self.memory)(g)) || runs_along())
                && (self.collides)(g);
        });
        is_covered
    }

    /// What a disc knows of a facet from those that it remembers: what continues one of them is known as well
    /// as that one. `motion` is its stored one.
    ///
    /// Collinear segments are one line and arcs of one circle are one circle. A point that comes to the joint
    /// of two parts is between them: see [`Shape::beside`](crate::walls::facet::Shape::beside).
    pub(super) fn memory_of_neighbour(&self, walls: &WallMemory, f: u32, motion: &Motion) -> Memory {
        let facet = &self.facets[f as usize];
        let slack = facet.slack(motion);
        let mut known = walls.known().filter_map(|(g, side)| {
            let other =
                self.facets.get(g as usize).filter(|other| !other.is_gone() && other.moves_with(facet))?;
            other.shape.continued_by(&facet.shape, side, slack)
        });
        match known.next() {
            Some(side) if walls.met => Memory::Met(side),
            Some(side) => Memory::Near(side),
            None if motion.radius <= slack => {
                self.side_at_joint(walls, f, motion).map_or(Memory::None, Memory::Near)
            }
            None => Memory::None,
        }
    }

    /// The side of facet `f` on which a point is whose path leads to an end of it, where it joins what the
    /// point runs along: one of the facets that it remembers, or what continues that.
    fn side_at_joint(&self, walls: &WallMemory, f: u32, motion: &Motion) -> Option<Side> {
        let facet = &self.facets[f as usize];
        let slack = facet.slack(motion);
        let ends = facet.shape.ends().into_iter().flatten();
        let mut ahead = ends.filter(|end| self.is_ahead(motion, end.place, END_ERROR * slack));
        ahead.find_map(|end| self.side_beside_known(walls, f, &end, slack))
    }

    /// The side on which a point comes to the end of a straight facet to which its path leads, where others
    /// join it: that of the sector from which it comes. It may be on the other side of the facet's line now.
    pub(crate) fn side_ahead(&self, f: u32, motion: &Motion) -> Option<Side> {
        let facet = &self.facets[f as usize];
        let slack = facet.slack(motion);
        if motion.radius > slack || !matches!(facet.shape, Shape::Segment(_) | Shape::OneSided(_)) {
            return None;
        }
        let mut ends = facet.shape.ends().into_iter().flatten();
        let end = ends.find(|end| self.is_ahead(motion, end.place, END_ERROR * slack))?;
        self.side_of_sector(f, &end, motion.position, slack)
    }

    /// The side of facet `f` beside what joins it at an end and is one of the facets that a point knows, or
    /// continues one.
    fn side_beside_known(&self, walls: &WallMemory, f: u32, end: &End, slack: f64) -> Option<Side> {
        let mut found = None;
        self.for_each_joined(f, end.place, slack, |h| {
            if found.is_some() {
                return;
            }
            let joined = &self.facets[h as usize];
            found = walls.known().find_map(|(g, side)| {
                let is_there = |known: &&Facet| !known.is_gone() && known.moves_with(joined);
                let known = self.facets.get(g as usize).filter(is_there)?;
                let continued = || known.shape.continued_by(&joined.shape, side, slack);
                let side = if g == h { Some(side) } else { continued() }?;
                joined.shape.beside(side, end, slack)
            });
        });
        found
    }

    /// The side of facet `f` on which a point, stored at `from`, is that comes to an end of it now.
    pub(super) fn side_at_end(&self, f: u32, motion: &Motion, from: DVec2) -> Option<Side> {
        let facet = &self.facets[f as usize];
        let slack = facet.slack(motion).max(facet.slack_at(magnitude(from)));
        let is_here = |end: &End| is_near(end.place, motion.position, JOINT * slack);
        let end = facet.shape.ends().into_iter().flatten().find(is_here)?;
        self.side_of_sector(f, &end, from, slack)
    }

    /// The side of facet `f` on which a point is that comes straight `from` a place to an end of it, where it
    /// joins others: that of the sector between them from which it comes. `None` if it comes along one of
    /// them, but for rounding, or out of a sector that `f` does not bound.
    ///
    /// A path that comes along an arc of radius `R` to within `s` of its end is turned from it by up to
    /// `√(2 s/R)`. Of the ways ahead from the joint, seen counter-clockwise from that along the facet, the
    /// one back is before all others, or after them.
    fn side_of_sector(&self, f: u32, end: &End, from: DVec2, slack: f64) -> Option<Side> {
        let (d, off) = (from - end.place, 2.0 * JOINT * slack);
        let back = pseudoangle(end.away, d);
        let is_along = |turn: f64, part: &End| {
            if part.curvature == 0.0 {
                height(part, from).abs() <= slack && part.away.dot(d) > -off
            } else {
                is_same_angle(back, turn, off / d.abs().max_element() + sqrt(off * part.curvature))
            }
        };
        let (mut before, mut after, mut along) = (0, 0, is_along(0.0, end));
        self.for_each_joined(f, end.place, slack, |h| {
            let is_there = |own: &End| is_near(own.place, end.place, JOINT * slack);
            for other in self.facets[h as usize].shape.ends().into_iter().flatten().filter(is_there) {
                let turn = turn_between(end, &other);
                along |= is_along(turn, &other);
                // Next to a straight part its height over that tells more than the angle.
                let is_next = other.curvature == 0.0 && is_same_angle(back, turn, NEXT_TO);
                let is_before = if is_next { height(&other, from) > 0.0 } else { turn < back };
                *(if is_before { &mut before } else { &mut after }) += 1;
            }
        });
        match (before, after) {
            _ if along => None,
            (0, 1..) => Some(end.left),
            (1.., 0) => Some(opposite(end.left)),
            _ => None,
        }
    }

    /// Whether the path of a point leads to a place, within what counts as touching, or begins there.
    ///
    /// A path that sets out towards the place may turn back before it, or bend away from it.
    fn is_ahead(&self, motion: &Motion, place: DVec2, slack: f64) -> bool {
        let (d, v) = (place - motion.position, motion.velocity);
        let (ahead, off, speed2) = (d.dot(v), d.perp_dot(v), v.length_squared());
        let is_within = |off: f64| off * off <= slack * slack * speed2;
        let is_there = d.abs().max_element() <= slack;
        let sets_out = ahead > 0.0 && is_within(off);
        if is_there || !sets_out || self.acceleration == DVec2::ZERO {
            return is_there || sets_out;
        }
        // It is beside the place when `v·v t + ½ a·v t² = d·v`.
        let square = speed2 * speed2 + 2.0 * self.acceleration.dot(v) * ahead;
        let t = 2.0 * ahead / (speed2 + sqrt(square.max(0.0)));
        square >= 0.0 && is_within(off - 0.5 * t * t * self.acceleration.perp_dot(v))
    }

    /// Calls `see` with the facets but `f` that are near a joint.
    fn for_each_joined(&self, f: u32, joint: DVec2, slack: f64, mut see: impl FnMut(u32)) {
        let circle = Circle { center: joint, radius: JOINT * slack };
        self.planes.others_near(Some(&circle), |h| {
            let moves_with_it = self.facets[h as usize].moves_with(&self.facets[f as usize]);
            if h != f && moves_with_it && (self.collides)(h) {
                see(h);
            }
        });
    }
}

/// How far the way along a part is turned counter-clockwise from that along another one at their joint. Of
/// two on one tangent the one that bends more to the left is left of the other.
fn turn_between(one: &End, other: &End) -> f64 {
    let turn = pseudoangle(one.away, other.away);
    // The middle of an arc is on its back.
    let bend = |part: &End| if part.left == Side::Back { part.curvature } else { -part.curvature };
    match is_same_angle(turn, 0.0, NEXT_TO) {
        true if bend(other) > bend(one) => 0.0,
        true => 4.0,
        false => turn,
    }
}

/// How far a place is to the left of the way along a straight part.
fn height(part: &End, at: DVec2) -> f64 {
    part.away.perp_dot(at - part.place)
}

/// A pseudoangle: how far a direction is turned counter-clockwise from another one, from 0 to 4, in the order
/// of angles. It takes no trigonometric function.
fn pseudoangle(from: DVec2, to: DVec2) -> f64 {
    let (along, across) = (from.dot(to), from.perp_dot(to));
    let share = along / (along.abs() + across.abs());
    if across >= 0.0 { 1.0 - share } else { 3.0 + share }
}

/// Whether two pseudoangles differ by no more than `rounding`.
fn is_same_angle(one: f64, other: f64, rounding: f64) -> bool {
    let apart = (one - other).abs();
    !(apart.min(4.0 - apart) > rounding + 1.0 / (1u64 << 40) as f64)
}

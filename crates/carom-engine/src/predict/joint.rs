use super::StatePredictor;
use crate::Physics;
use crate::state::wall_memory::WallMemory;
use crate::walls::facet::{End, JOINT};
use carom_broadphase::{Circle, Slot};
use carom_math::sqrt;
use carom_math::toi::{Memory, Motion, Side};
use glam::DVec2;

/// Where parts of walls join: whichever walls they belong to, and in whatever order these were added.
impl<P: Physics> StatePredictor<'_, P> {
    /// Whether facet `f` is the end of another one that a disc is over when it hits the end after `dt`.
    ///
    /// The nearest place of that one is no end then, and the disc has met it, or slides along it: the hit is
    /// due to rounding, and would deflect a disc that slides over a joint. Searches the walls around the end.
    /// Here as below what the disc does not collide with is not there.
    #[inline(always)]
    pub(crate) fn is_covered(&self, slot: Slot, f: u32, motion: &Motion, dt: f64) -> bool {
        self.walls.facets[f as usize].shape.end().is_some() && self.is_end_covered(slot, f, motion, dt)
    }

    #[inline(never)]
    fn is_end_covered(&self, slot: Slot, f: u32, motion: &Motion, dt: f64) -> bool {
        let facets = &self.walls.facets;
        let Some(end) = facets[f as usize].shape.end() else { return false };
        let (slack, at) = (facets[f as usize].slack(motion), motion.position + motion.velocity * dt);
        let mut is_covered = false;
        self.walls.planes.others_near(Some(&Circle { center: end, radius: slack }), |g| {
            let shape = &facets[g as usize].shape;
            let runs_along = || motion.radius <= slack && shape.leads(motion.position, end, slack);
            is_covered |=
                g != f && (shape.covers(at, end, slack) || runs_along()) && self.collides_with_facet(slot, g);
        });
        is_covered
    }

    /// What a disc knows of a facet from those that it remembers: what continues one of them is known as well
    /// as that one.
    ///
    /// Collinear segments are one line and arcs of one circle are one circle. A point that comes to the joint
    /// of two parts is between them: see [`Shape::beside`](crate::walls::facet::Shape::beside).
    #[cold]
    pub(crate) fn memory_of_neighbour(
        &self,
        slot: Slot,
        walls: &WallMemory,
        f: u32,
        motion: &Motion,
    ) -> Memory {
        let facet = &self.walls.facets[f as usize];
        let slack = facet.slack(motion);
        let mut known = walls.known().filter_map(|(g, side)| {
            let other = self.walls.facets.get(g as usize).filter(|other| !other.is_gone())?;
            other.shape.continued_by(&facet.shape, side, slack)
        });
        match known.next() {
            Some(side) if walls.met => Memory::Met(side),
            Some(side) => Memory::Near(side),
            None if motion.radius <= slack => {
                self.side_at_joint(slot, walls, f, motion).map_or(Memory::None, Memory::Near)
            }
            None => Memory::None,
        }
    }

    /// The side of facet `f` on which a point is whose path leads to an end of it, where it joins what the
    /// point runs along: one of the facets that it remembers, or what continues that.
    fn side_at_joint(&self, slot: Slot, walls: &WallMemory, f: u32, motion: &Motion) -> Option<Side> {
        let facet = &self.walls.facets[f as usize];
        let slack = facet.slack(motion);
        let ends = facet.shape.ends().into_iter().flatten();
        ends.filter(|end| is_ahead(motion, end.place, JOINT * slack)).find_map(|end| {
            let mut found = None;
            self.for_each_joined(slot, f, end.place, slack, |h| {
                if found.is_some() {
                    return;
                }
                let joined = &self.walls.facets[h as usize].shape;
                found = walls.known().find_map(|(g, side)| {
                    let known = self.walls.facets.get(g as usize).filter(|known| !known.is_gone())?;
                    let side =
                        if g == h { Some(side) } else { known.shape.continued_by(joined, side, slack) }?;
                    joined.beside(side, &end, slack)
                });
            });
            found
        })
    }

    /// The side of facet `f` on which a point comes to the end of it, now, where it joins others: that of the
    /// sector between them from which it comes, after it has flown so far. `None` if it comes along one of
    /// them, but for rounding, or is elsewhere.
    ///
    /// A path that comes along an arc of radius `R` to within `s` of its end is turned from it by up to
    /// `√(2 s/R)`. Of the ways ahead from the joint, seen counter-clockwise from that along the facet, the
    /// one back is before all others, or after them.
    #[cold]
    pub(crate) fn side_of_sector(&self, slot: Slot, f: u32, motion: &Motion, flown: DVec2) -> Option<Side> {
        let facet = &self.walls.facets[f as usize];
        let slack = facet.slack(motion);
        let is_here = |end: &End| (end.place - motion.position).abs().max_element() <= JOINT * slack;
        let end = facet.shape.ends().into_iter().flatten().find(is_here)?;
        let back = turn(end.away, -motion.velocity);
        let off = 2.0 * JOINT * slack;
        let rounding = off / flown.abs().max_element();
        let is_along =
            |turn: f64, part: &End| is_same_turn(back, turn, rounding + sqrt(off * part.curvature));
        let (mut before, mut after, mut along) = (0, 0, is_along(0.0, &end));
        self.for_each_joined(slot, f, end.place, slack, |h| {
            let is_there = |own: &End| (own.place - end.place).abs().max_element() <= JOINT * slack;
            for other in self.walls.facets[h as usize].shape.ends().into_iter().flatten().filter(is_there) {
                let turn = turn(end.away, other.away);
                along |= is_along(turn, &other);
                *(if turn < back { &mut before } else { &mut after }) += 1;
            }
        });
        match (before, after) {
            _ if along => None,
            (0, 1..) => Some(end.left),
            (1.., 0) => Some(if end.left == Side::Front { Side::Back } else { Side::Front }),
            _ => None,
        }
    }

    /// Calls `see` with the facets but `f` that are near a joint.
    fn for_each_joined(&self, slot: Slot, f: u32, joint: DVec2, slack: f64, mut see: impl FnMut(u32)) {
        let circle = Circle { center: joint, radius: JOINT * slack };
        self.walls.planes.others_near(Some(&circle), |h| {
            if h != f && self.collides_with_facet(slot, h) {
                see(h);
            }
        });
    }
}

/// How far a direction is turned counter-clockwise from another one: from 0 to 4, in the order of angles.
fn turn(from: DVec2, to: DVec2) -> f64 {
    let (along, across) = (from.dot(to), from.perp_dot(to));
    let share = along / (along.abs() + across.abs());
    if across >= 0.0 { 1.0 - share } else { 3.0 + share }
}

/// Whether two turns differ by no more than `rounding`.
fn is_same_turn(one: f64, other: f64, rounding: f64) -> bool {
    let apart = (one - other).abs();
    !(apart.min(4.0 - apart) > rounding + 1.0 / (1u64 << 40) as f64)
}

/// Whether the path of a point leads to a place, within what counts as touching, or begins there.
fn is_ahead(motion: &Motion, place: DVec2, slack: f64) -> bool {
    let (d, speed2) = (place - motion.position, motion.velocity.length_squared());
    let off = d.perp_dot(motion.velocity);
    let is_there = d.abs().max_element() <= slack;
    is_there || (d.dot(motion.velocity) > 0.0 && off * off <= slack * slack * speed2)
}

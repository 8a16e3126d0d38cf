use super::StatePredictor;
use crate::Physics;
use crate::state::wall_memory::WallMemory;
use carom_broadphase::Circle;
use carom_math::toi::{Memory, Motion};

/// Where parts of walls join: whichever walls they belong to, and in whatever order these were added.
impl<P: Physics> StatePredictor<'_, P> {
    /// Whether facet `f` is the end of another one that a disc is over when it hits the end after `dt`.
    ///
    /// The nearest place of that one is no end then, and the disc has met it, or slides along it: the hit is
    /// due to rounding, and would deflect a disc that slides over a joint. Searches the walls around the end.
    #[inline(always)]
    pub(crate) fn is_covered(&self, f: u32, motion: &Motion, dt: f64) -> bool {
        self.walls.facets[f as usize].shape.end().is_some() && self.is_end_covered(f, motion, dt)
    }

    #[inline(never)]
    fn is_end_covered(&self, f: u32, motion: &Motion, dt: f64) -> bool {
        let facets = &self.walls.facets;
        let Some(end) = facets[f as usize].shape.end() else { return false };
        let (slack, at) = (facets[f as usize].slack(motion), motion.position + motion.velocity * dt);
        let mut is_covered = false;
        self.walls.planes.others_near(Some(&Circle { center: end, radius: slack }), |g| {
            is_covered |= g != f && facets[g as usize].shape.covers(at, end, slack);
        });
        is_covered
    }

    /// What a disc knows of a facet from those that it remembers: what continues one of them is known as well
    /// as that one.
    ///
    /// Collinear segments are one line and arcs of one circle are one circle.
    #[cold]
    pub(super) fn memory_of_neighbour(&self, walls: &WallMemory, f: u32, motion: &Motion) -> Memory {
        let facet = &self.walls.facets[f as usize];
        let slack = facet.slack(motion);
        let mut known = walls.known().filter_map(|(g, side)| {
            let other = self.walls.facets.get(g as usize).filter(|other| !other.is_gone())?;
            other.shape.continued_by(&facet.shape, side, slack)
        });
        match known.next() {
            Some(side) if walls.met => Memory::Met(side),
            Some(side) => Memory::Near(side),
            None => Memory::None,
        }
    }
}

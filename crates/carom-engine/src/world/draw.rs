use crate::debug_draw::Drawing;
use crate::{CastOptions, DebugDraw, DebugView, DiscRef, Physics, QueryFilter, World};

impl<P: Physics> World<P> {
    /// Draws what the world knows at the present: regions first, then walls, discs and what is on them.
    /// Changes nothing. O(discs and walls), and what the next impacts cost.
    pub fn debug_draw(&self, view: &DebugView, to: &mut dyn DebugDraw) {
        let options = CastOptions::new().with_max_time(view.next_impacts);
        let next_impact = |disc: DiscRef<'_, P>| {
            let others = QueryFilter::new().excluding(disc.id());
            self.cast_disc(&disc.to_disc(), &options, &others).ok().flatten()
        };
        let (store, events) = (&self.store, self.events());
        Drawing { store, events, next_impact: &next_impact, view }.draw(to);
    }
}

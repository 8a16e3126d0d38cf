//! What is read of a world: references to all that is stored, and the instant.

use crate::Physics;
use crate::simd::Simd;
use crate::state::bodies::Bodies;
use crate::walls::Walls;
use carom_math::{Clock, Time};

/// All that is stored of discs and walls, their physics, and the instant. Whoever predicts events or answers
/// queries is given one: it can be copied, and nothing can be written through it.
pub(crate) struct View<'w, P: Physics> {
    pub(crate) physics: &'w P,
    pub(crate) bodies: &'w Bodies<P>,
    pub(crate) walls: &'w Walls<P::Surface>,
    pub(crate) clock: &'w Clock,
    pub(crate) now: Time,
    pub(crate) simd: Simd,
}

impl<P: Physics> Clone for View<'_, P> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Physics> Copy for View<'_, P> {}

/// Borrows the fields of a world that a [`View`] has, one by one, so that others can be borrowed beside them.
macro_rules! view {
    ($world:expr) => {
        $crate::view::View {
            physics: &$world.physics,
            bodies: &$world.bodies,
            walls: &$world.walls,
            clock: &$world.clock,
            now: $world.now,
            simd: $world.simd,
        }
    };
}

pub(crate) use view;

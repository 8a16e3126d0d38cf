//! A table without balls, and its cushions as what balls lie at and cues pass over, in the frame of worlds.

use crate::{Billiards, Table};
use carom_engine::{DVec2, World};

/// A table without balls: [`Game::with_layout`](crate::Game::with_layout) begins with it.
#[derive(Debug)]
pub(crate) struct Bare {
    pub(crate) world: World<Billiards>,
    pub(crate) cushions: Cushions,
    /// The radii of the balls for which its pockets are made.
    pub(crate) radii: Vec<f64>,
}

/// All cushions, straight ones before round ones, by their numbers.
#[derive(Debug)]
pub(crate) struct Cushions {
    pub(crate) straight: Vec<Straight>,
    pub(crate) round: Vec<Round>,
    /// The inner edges of the rails behind the cushions.
    pub(crate) rails: Vec<Straight>,
}

/// A straight nose or facing, or the edge of a rail.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Straight {
    pub(crate) ends: [DVec2; 2],
    /// Above the cloth.
    pub(crate) height: f64,
}

/// A round nose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    pub(crate) center: DVec2,
    pub(crate) radius: f64,
    pub(crate) height: f64,
}

impl Straight {
    /// The point of it that is nearest to another.
    pub(crate) fn nearest(&self, at: DVec2) -> DVec2 {
        let [a, b] = self.ends;
        let along = b - a;
        a + along * ((at - a).dot(along) / along.dot(along)).clamp(0.0, 1.0)
    }

    /// A vector away from it, from the point of it that is nearest to another: towards that, and towards the
    /// centre of the table for one that is on it.
    pub(crate) fn away(&self, at: DVec2) -> DVec2 {
        let [a, b] = self.ends;
        let (along, from) = (b - a, at - a);
        if !(0.0..=along.dot(along)).contains(&from.dot(along)) {
            return at - self.nearest(at);
        }
        let (across, side) = (along.perp(), along.perp_dot(from));
        let side = if side == 0.0 { along.perp_dot(-a) } else { side };
        if side < 0.0 { -across } else { across }
    }
}

impl Cushions {
    pub(crate) fn of(table: &Table) -> Self {
        let outline = table.outline.as_ref();
        let straight_height = |k: usize| outline.map_or(table.nose, |outline| outline.noses[k].height);
        let round_height = |k: usize| outline.map_or(table.nose, |outline| outline.jaws[k].height);
        let straight = table.segments().into_iter().enumerate();
        let round = table.jaw_circles().into_iter().enumerate();
        let corner = table.centre() + DVec2::splat(table.cushion_width());
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let corners = corners.map(|(x, y)| corner * DVec2::new(x, y));
        let rail = |k: usize| Straight { ends: [corners[k], corners[(k + 1) % 4]], height: table.rail };
        Cushions {
            straight: straight.map(|(k, ends)| Straight { ends, height: straight_height(k) }).collect(),
            round: round
                .map(|(k, (center, radius))| Round { center, radius, height: round_height(k) })
                .collect(),
            rails: if outline.is_none() { (0..4).map(rail).collect() } else { Vec::new() },
        }
    }
}

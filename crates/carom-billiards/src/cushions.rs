//! The cushions of a table as what balls lie at and cues pass over, in the frame of worlds.

use crate::Table;
use carom_engine::DVec2;

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

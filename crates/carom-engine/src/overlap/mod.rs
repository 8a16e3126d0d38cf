//! What to do about discs that overlap, when the caller asks for it: part them gently, or push them apart at
//! once.

mod apart;
mod least;
mod near;
mod part;
mod progress;

pub use apart::Moved;
pub(crate) use apart::apart;
pub(crate) use part::part;
pub use part::{Overlapping, Parted};

use crate::Error;
use crate::physics::ReachOf;
use crate::predict::CommonPredictor;
use crate::store::Common;
use crate::touch::magnitude;
use crate::walls::facet::{Facet, Shape};
use carom_broadphase::Slot;
use carom_math::Periods;
use carom_math::elementary::unit_vector;
use carom_math::toi::{Gap, Memory, Motion, squared_gap};
use carom_math::tolerance::touch_slack;
use carom_solver::MassClass;
use core::f64::consts::TAU;
use core::ops::ControlFlow;
use glam::DVec2;

/// A disc at the present time.
#[derive(Clone, Copy, Debug)]
struct Standing {
    slot: Slot,
    serial: u64,
    class: MassClass,
    mass: f64,
    motion: Motion,
}

/// A part of a wall that a disc is near, and how it faces it.
#[derive(Clone, Copy, Debug)]
struct Faced {
    facet: u32,
    gap: Gap,
    /// Whether it is an end of a straight or round part that is nearer.
    hidden: bool,
}

/// Refuses a periodic world: overlaps are looked for without images.
pub(crate) fn check_open(periods: &Periods) -> Result<(), Error> {
    if periods.is_open() {
        return Ok(());
    }
    let reason = "overlaps are not looked for in a periodic world";
    Err(Error::Inconsistent { field: "period", value: periods.shortest(), reason })
}

/// All discs as they are now, by serial number.
fn standing(store: &Common) -> Vec<Standing> {
    let standing_in = |slot| {
        let detail = store.bodies.detail(slot);
        let (class, motion) = (MassClass::of(detail.mass), store.bodies.motion_at(slot, store.now));
        Standing { slot, serial: detail.serial, class, mass: detail.mass, motion }
    };
    let mut all: Vec<Standing> = store.bodies.live().map(standing_in).collect();
    all.sort_unstable_by_key(|disc| disc.serial);
    all
}

/// The parts of walls that a disc is within `range` of, with it at `position`.
fn faced(store: &Common, disc: &Standing, position: DVec2, range: f64, faced: &mut Vec<Faced>) {
    faced.clear();
    let predictor = CommonPredictor::of(store);
    let (bodies, walls, now) = (&store.bodies, &store.walls, store.now);
    let motion = Motion { position, ..disc.motion };
    let known = bodies.walls.get(disc.slot);
    for (f, facet) in walls.present().filter(|(f, _)| predictor.collides_with_facet(disc.slot, *f)) {
        // The side that it was hit on, where it knows one: a point on a wall may be rounded to the other.
        let memory = match known.of(f) {
            Memory::Met(side) => Memory::Near(side),
            other => other,
        };
        if let Some(gap) = facet.gap_beside(&motion, memory, now)
            && gap.distance <= range
        {
            faced.push(Faced { facet: f, gap, hidden: false });
        }
    }
    for k in 0..faced.len() {
        let end = &walls.facets[faced[k].facet as usize];
        faced[k].hidden = faced.iter().any(|of| {
            of.gap.distance <= faced[k].gap.distance && ends_in(&walls.facets[of.facet as usize], end)
        });
    }
}

/// Pairs that may overlap, beside [`A_DISC`] for each disc: beyond, as with 1500 discs on one point, memory
/// and time go up with the square of the discs, and no room would be found in minutes.
const MOST_PAIRS: usize = 1 << 20;
/// A disc that touches as many others as it can touches six of its size; this is for large ones among small.
const A_DISC: usize = 32;

/// Counts pairs that overlap.
struct Count {
    pairs: usize,
    most: usize,
}

impl Count {
    /// Of no pair yet, among this number of discs.
    fn among(discs: usize) -> Self {
        Count { pairs: 0, most: MOST_PAIRS + A_DISC * discs }
    }

    /// Counts a pair, and breaks where the limit is passed.
    fn one_more(&mut self) -> ControlFlow<()> {
        self.pairs += 1;
        if self.pairs <= self.most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Refuses more pairs than the limit.
    fn check(&self) -> Result<(), Error> {
        let most = self.most;
        if self.pairs <= most { Ok(()) } else { Err(Error::TooManyOverlaps { most }) }
    }
}

/// Calls `found` with the pairs, by number, whose squares overlap, until it breaks; with all pairs, where the
/// physics has its own distance of contact.
fn near(
    reach: ReachOf<'_>,
    squares: &[(DVec2, f64)],
    mut found: impl FnMut(usize, usize) -> ControlFlow<()>,
) {
    if reach.is_own() {
        let mut pairs = (0..squares.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        _ = pairs.try_for_each(|(i, j)| found(i, j));
    } else {
        near::near_pairs(squares, found);
    }
}

/// Whether `end` is an end of the straight or round part `of` the same wall.
fn ends_in(of: &Facet, end: &Facet) -> bool {
    let (Shape::Point(point) | Shape::OneSidedEnd { point, .. }) = end.shape else { return false };
    let ends = match of.shape {
        Shape::Segment(straight) | Shape::OneSided(straight) => {
            [straight.start, straight.start + straight.direction * straight.length]
        }
        Shape::Arc(arc) => [arc.first, arc.last].map(|to| arc.circle.center + to * arc.circle.radius),
        _ => return false,
    };
    let scale = magnitude(point).max(magnitude(ends[0])).max(magnitude(ends[1]));
    of.wall == end.wall && ends.into_iter().any(|e| magnitude(e - point) <= 4.0 * touch_slack(scale))
}

/// Gap and unit normal of two discs at `d` from each other, from the first to the second.
///
/// Coincident centres have no normal: theirs is, from the earlier disc to the later, the direction at the
/// golden section of the turn times the later one's serial number, so that any number of discs on a point go
/// different ways. The later one is the one that makes way for the other, or, of the same class, the one put
/// there later.
fn gap_and_normal(d: DVec2, reach: f64, [a, b]: [&Standing; 2]) -> (f64, DVec2) {
    let length = carom_math::sqrt(d.length_squared());
    if d.length_squared() >= f64::MIN_POSITIVE {
        return (squared_gap(d, reach) / (length + reach), DVec2::new(d.x / length, d.y / length));
    }
    let b_is_later = (a.class.rank(), a.serial) < (b.class.rank(), b.serial);
    (-reach, if b_is_later { golden_direction(b.serial) } else { -golden_direction(a.serial) })
}

fn golden_direction(serial: u64) -> DVec2 {
    // 2⁶⁴ divided by the golden section, so that the product is the fraction of a turn.
    let turn = serial.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11;
    let angle = TAU * (turn as f64 / (1u64 << 53) as f64);
    unit_vector(angle)
}

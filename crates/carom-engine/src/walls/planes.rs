mod first_hit;

pub(crate) use first_hit::FirstHit;

use super::boxes::Boxes;
use super::extent::bounds;
use super::facet::{Facet, Shape};
use super::wall_index::{WORTH_IT, WallIndex};
use crate::simd::{F64x4, F64x8, Kernel, LANES, Lanes, Simd, WIDTH, half_of};
use crate::touch::{NEARBY, magnitude};
use carom_broadphase::{Bits, Circle};
use carom_math::toi::{Motion, bent};
use carom_math::tolerance::touch_slack;
use carom_math::{HalfPlane, Time};
use glam::DVec2;
use smallvec::SmallVec;

/// The half-planes among the facets that stand still, eight side by side, and a list of the other facets.
///
/// The sweeps over half-planes only filter: of the four of a box a disc approaches two.
#[derive(Debug, Default)]
pub(crate) struct Planes {
    blocks: Vec<PlaneLanes>,
    /// The facets that are no half-planes, and where they are if they are many.
    pub(crate) others: Vec<u32>,
    /// The boxes that they lie in.
    boxes: Boxes,
    index: Option<WallIndex>,
    /// Those of the others that came after the index was made.
    recent: Vec<u32>,
    /// When the latest facet that there has been was inserted.
    pub(crate) complete_since: Time,
}

carom_broadphase::clone_fields!(Planes: blocks, others, boxes, index, recent, complete_since);

#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct PlaneLanes {
    x: Lanes,
    y: Lanes,
    normal_x: Lanes,
    normal_y: Lanes,
    facets: [u32; LANES],
    /// The largest magnitude of their coordinates.
    scale: f64,
    /// Fours of lanes of which one is taken, or was.
    fours: usize,
}

impl PlaneLanes {
    /// Lanes without a half-plane: nothing approaches them, nothing is near them.
    const EMPTY: PlaneLanes = PlaneLanes {
        x: [f64::NAN; LANES],
        y: [f64::NAN; LANES],
        normal_x: [0.0; LANES],
        normal_y: [0.0; LANES],
        facets: [Self::NO_FACET; LANES],
        scale: 0.0,
        fours: 0,
    };
    const NO_FACET: u32 = u32::MAX;

    fn clear(&mut self, lane: usize) {
        (self.x[lane], self.y[lane]) = (f64::NAN, f64::NAN);
        (self.normal_x[lane], self.normal_y[lane]) = (0.0, 0.0);
        self.facets[lane] = Self::NO_FACET;
    }

    #[inline(always)]
    fn normals<V: F64x4>(&self) -> [F64x8<V>; 2] {
        [F64x8::load(&self.normal_x), F64x8::load(&self.normal_y)]
    }

    /// Heights of a point above the half-planes.
    #[inline(always)]
    fn heights<V: F64x4>(&self, point: DVec2) -> F64x8<V> {
        let [normal_x, normal_y] = self.normals();
        (F64x8::splat(point.x) - F64x8::load(&self.x)) * normal_x
            + (F64x8::splat(point.y) - F64x8::load(&self.y)) * normal_y
    }

    /// Bits of those that are approached.
    #[inline(always)]
    fn approached(&self, simd: Simd, velocity: DVec2, circle: Option<&Circle>) -> u8 {
        match circle {
            None => simd.run(Approached { block: self, velocity }),
            Some(circle) => {
                // With room for the rounding of places on a line far out.
                let reach = circle.radius + NEARBY * touch_slack(self.scale);
                simd.run(Reached { block: self, velocity, center: circle.center, reach })
            }
        }
    }
}

impl Planes {
    #[inline(always)]
    pub(crate) fn is_without_half_planes(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Takes in the facets from the number `first` on.
    pub(crate) fn add(&mut self, facets: &[Facet], first: usize) {
        for (f, facet) in (first as u32..).zip(&facets[first..]) {
            self.complete_since = self.complete_since.latest(facet.since);
            match &facet.shape {
                Shape::HalfPlane(plane) if !facet.is_driven => self.add_plane(f, plane),
                _ => {
                    let everywhere = [DVec2::NEG_INFINITY, DVec2::INFINITY];
                    self.others.push(f);
                    self.boxes.push(bounds(facet).unwrap_or(everywhere));
                    self.recent.push(f);
                }
            }
        }
    }

    fn add_plane(&mut self, f: u32, plane: &HalfPlane) {
        let free = |block: &PlaneLanes| block.facets.iter().position(|&f| f == PlaneLanes::NO_FACET);
        let lane = self.blocks.last().and_then(free).unwrap_or_else(|| {
            self.blocks.push(PlaneLanes::EMPTY);
            0
        });
        if let Some(block) = self.blocks.last_mut() {
            (block.x[lane], block.y[lane]) = (plane.point.x, plane.point.y);
            (block.normal_x[lane], block.normal_y[lane]) = (plane.normal.x, plane.normal.y);
            block.facets[lane] = f;
            block.fours = block.fours.max(lane / WIDTH + 1);
            block.scale = block.scale.max(plane.point.x.abs()).max(plane.point.y.abs());
        }
    }

    /// Leaves out a facet that was taken in.
    pub(crate) fn remove(&mut self, f: u32, facet: &Facet) {
        if matches!(facet.shape, Shape::HalfPlane(_)) && !facet.is_driven {
            for block in &mut self.blocks {
                if let Some(lane) = block.facets.iter().position(|&of| of == f) {
                    block.clear(lane);
                }
            }
            self.blocks.retain(|block| block.facets != PlaneLanes::EMPTY.facets);
            return;
        }
        if let Ok(at) = self.others.binary_search(&f) {
            self.others.remove(at);
            self.boxes.remove(at);
        }
        match (self.recent.binary_search(&f), &mut self.index) {
            (Ok(at), _) => {
                self.recent.remove(at);
            }
            (Err(_), Some(index)) => index.remove(f, facet),
            _ => {}
        }
    }

    /// Takes a facet that moves as it is from now on.
    pub(crate) fn exchange(&mut self, f: u32, facet: &Facet, by: &Facet) {
        self.complete_since = self.complete_since.latest(by.since);
        if let (Ok(at), Some(bounds)) = (self.others.binary_search(&f), bounds(by)) {
            self.boxes.set(at, bounds);
        }
        if let (Err(at), Some(index)) = (self.recent.binary_search(&f), &mut self.index) {
            index.remove(f, facet);
            self.recent.insert(at, f);
        }
    }

    /// Indexes the places of the facets anew when those that came after the last time are many. O(1) a facet
    /// on the whole.
    #[inline(always)]
    pub(crate) fn tidy(&mut self, facets: &[Facet]) {
        if self.recent.len() >= WORTH_IT {
            self.tidy_many(facets);
        }
    }

    #[cold]
    fn tidy_many(&mut self, facets: &[Facet]) {
        let indexed = self.others.len() - self.recent.len();
        if self.recent.len() >= WORTH_IT + indexed / 2 {
            self.index = WallIndex::of(facets, &self.others);
            // Without an index all are asked.
            self.recent.clear();
        }
    }

    /// Calls `see` with the others that a disc may hit or touch inside a circle, and maybe more.
    #[inline(always)]
    pub(crate) fn others_near(&self, circle: Option<&Circle>, mut see: impl FnMut(u32)) {
        match (&self.index, circle) {
            (Some(index), Some(circle)) => {
                index.near(circle, &mut see);
                self.recent.iter().copied().for_each(see);
            }
            _ => self.others.iter().copied().for_each(see),
        }
    }

    /// As `others_near`, of a disc that moves uniformly; along its path where that leads past fewer. `see`
    /// returns the seconds up to which it is to be followed from then on.
    #[inline(always)]
    pub(crate) fn others_ahead(
        &self,
        motion: &Motion,
        circle: Option<&Circle>,
        mut see: impl FnMut(u32) -> f64,
    ) {
        match &self.index {
            Some(index) if circle.is_none_or(|circle| index.is_wide(circle)) => {
                self.recent.iter().for_each(|&f| _ = see(f));
                index.ahead(motion, circle, see);
            }
            _ => self.others_near(circle, |f| _ = see(f)),
        }
    }

    /// Calls `see` with the others whose boxes overlap a box, and maybe more. `see` returns a smaller one
    /// inside which they are to be from then on, if there is one.
    pub(crate) fn others_in(
        &self,
        simd: Simd,
        within: [DVec2; 2],
        mut see: impl FnMut(u32) -> Option<[DVec2; 2]>,
    ) {
        self.boxes.overlapping(simd, within, |k| see(self.others[k]));
    }

    /// Calls `see` with all facets.
    pub(crate) fn each(&self, mut see: impl FnMut(u32)) {
        for block in &self.blocks {
            block.facets.into_iter().filter(|&f| f != PlaneLanes::NO_FACET).for_each(&mut see);
        }
        self.others.iter().copied().for_each(see);
    }

    /// As `each`, of those that a disc may hit or touch that moves along a unit vector, and maybe more, some
    /// more than once. `see` returns the length up to which it is to be followed from then on.
    pub(crate) fn each_along(
        &self,
        disc: &Circle,
        direction: DVec2,
        length: f64,
        mut see: impl FnMut(u32) -> f64,
    ) {
        let Some(index) = &self.index else { return self.each(|f| _ = see(f)) };
        let mut limit = length;
        let planes = self.blocks.iter().flat_map(|block| block.facets);
        let planes = planes.filter(|&f| f != PlaneLanes::NO_FACET);
        for f in planes.chain(self.recent.iter().copied()) {
            limit = limit.min(see(f));
        }
        index.along(disc, direction, limit, see);
    }

    /// Calls `see` with the facets that a disc may hit or touch inside a circle, and maybe more: half-planes
    /// that the circle reaches, and others near it.
    pub(crate) fn each_reached(&self, simd: Simd, circle: &Circle, mut see: impl FnMut(u32)) {
        let motion = &Motion::new(circle.center, DVec2::ZERO, circle.radius);
        let magnitude = magnitude(circle.center).max(circle.radius);
        for block in &self.blocks {
            let limit = NEARBY * touch_slack(magnitude.max(block.scale));
            for lane in Bits(simd.run(Near { block, motion, limit }).into()) {
                see(block.facets[lane]);
            }
        }
        self.others_near(Some(circle), see);
    }

    /// As `each_reached`, in order.
    pub(crate) fn near(&self, simd: Simd, circle: &Circle) -> SmallVec<[u32; 16]> {
        let mut near = SmallVec::new();
        self.each_reached(simd, circle, |f| near.push(f));
        near.sort_unstable();
        near
    }

    /// Names the half-planes that a disc with this velocity approaches, and which a circle reaches that it is
    /// in, if there is one.
    #[inline(always)]
    pub(crate) fn approached(
        &self,
        simd: Simd,
        velocity: DVec2,
        circle: Option<&Circle>,
        mut see: impl FnMut(u32),
    ) {
        for block in &self.blocks {
            for lane in Bits(block.approached(simd, velocity, circle).into()) {
                see(block.facets[lane]);
            }
        }
    }

    /// As `approached`, of a disc on a parabola that lasts for `until` seconds, with the velocity `last` at
    /// its end. Those that it does not reach until then are left out.
    // Inlined, as what it shows is tried there and then.
    #[inline(always)]
    pub(crate) fn approached_on_parabola(
        &self,
        simd: Simd,
        (path, last, until): (&bent::Motion, DVec2, f64),
        circle: Option<&Circle>,
        see: &mut impl FnMut(u32),
    ) {
        let magnitude = magnitude(path.position).max(path.radius);
        for block in &self.blocks {
            let room = NEARBY * touch_slack(magnitude.max(block.scale));
            let mut bits = simd.run(ReachedOnParabola { block, path, last, until, room });
            if circle.is_some() {
                let [one, other] = [path.velocity, last].map(|v| block.approached(simd, v, circle));
                bits &= one | other;
            }
            for lane in Bits(bits.into()) {
                see(block.facets[lane]);
            }
        }
    }

    /// Whether a disc may touch or overlap a half-plane other than `but`; `magnitude` is that of its
    /// coordinates and radius.
    #[inline(always)]
    pub(crate) fn may_touch(&self, simd: Simd, motion: &Motion, magnitude: f64, but: u32) -> bool {
        let mut found = false;
        for block in &self.blocks {
            let limit = NEARBY * touch_slack(magnitude.max(block.scale));
            let bits = simd.run(Near { block, motion, limit });
            found |= bits != 0 && Bits(u64::from(bits)).any(|lane| block.facets[lane] != but);
        }
        found
    }
}

struct Approached<'a> {
    block: &'a PlaneLanes,
    velocity: DVec2,
}

impl Kernel for Approached<'_> {
    type Output = u8;

    #[inline(always)]
    fn run<V: F64x4>(self) -> u8 {
        let [normal_x, normal_y] = self.block.normals::<V>();
        let along = F64x8::splat(self.velocity.x) * normal_x + F64x8::splat(self.velocity.y) * normal_y;
        along.less(F64x8::splat(0.0))
    }
}

/// As `Approached`, of those that a circle reaches.
struct Reached<'a> {
    block: &'a PlaneLanes,
    velocity: DVec2,
    center: DVec2,
    reach: f64,
}

impl Kernel for Reached<'_> {
    type Output = u8;

    #[inline(always)]
    fn run<V: F64x4>(self) -> u8 {
        let Reached { block, velocity, center, reach } = self;
        let approached = Approached { block, velocity }.run::<V>();
        block.heights::<V>(center).at_most(F64x8::splat(reach)) & approached
    }
}

/// As `Approached`, on a parabola `until` its end, of those that are reached, with some room.
struct ReachedOnParabola<'a> {
    block: &'a PlaneLanes,
    path: &'a bent::Motion,
    last: DVec2,
    until: f64,
    room: f64,
}

impl Kernel for ReachedOnParabola<'_> {
    type Output = u8;

    /// The gap is `g + u t + b t²`. Where `b ≤ 0` it is least at one of the ends, and else nowhere less than
    /// `g − u²/4b`.
    #[inline(always)]
    fn run<V: F64x4>(self) -> u8 {
        let ReachedOnParabola { block, path, last, until, room } = self;
        let [normal_x, normal_y] = block.normals::<V>();
        let zero = F64x8::splat(0.0);
        let rate = F64x8::splat(path.velocity.x) * normal_x + F64x8::splat(path.velocity.y) * normal_y;
        let at_last = F64x8::splat(last.x) * normal_x + F64x8::splat(last.y) * normal_y;
        let (ax, ay) = (0.5 * path.acceleration.x, 0.5 * path.acceleration.y);
        let bend = F64x8::splat(ax) * normal_x + F64x8::splat(ay) * normal_y;
        let gap = block.heights::<V>(path.position) - F64x8::splat(path.radius + room);
        let (more, until) = (F64x8::splat(1.0 + LITTLE), F64x8::splat(until));
        let falls_short = bend.at_most(zero) & zero.less(gap + (rate + bend * more * until) * until);
        let turns_back = zero.less(bend) & (rate * rate * more).less(F64x8::splat(4.0) * bend * gap);
        let approached = rate.less(zero) | at_last.less(zero);
        approached & !(zero.less(gap) & (falls_short | turns_back))
    }
}

/// Far more than the rounding of a sum, as a fraction of its terms.
const LITTLE: f64 = 1.0 / (1u64 << 40) as f64;

struct Near<'a> {
    block: &'a PlaneLanes,
    motion: &'a Motion,
    limit: f64,
}

impl Kernel for Near<'_> {
    type Output = u8;

    #[inline(always)]
    fn run<V: F64x4>(self) -> u8 {
        let Near { block, motion: &Motion { position, radius, .. }, limit } = self;
        let mut bits = 0;
        for k in 0..block.fours {
            let height = (V::splat(position.x) - half_of(&block.x, k)) * half_of(&block.normal_x, k)
                + (V::splat(position.y) - half_of(&block.y, k)) * half_of(&block.normal_y, k);
            bits |= (height - V::splat(radius)).at_most(V::splat(limit)).mask() << (k * WIDTH);
        }
        bits as u8
    }
}

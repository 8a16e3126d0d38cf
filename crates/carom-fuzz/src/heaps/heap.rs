//! A heap on its way, and the laws that hold after each frame.

use super::piled::{GRAVITY, Piled, is_still, pushes};
use super::room::Room;
use super::things::Things;
use carom_engine::{DVec2, Disc, Event, StopReason, WallId, WallShape, World};
use carom_testkit::grammar::Stored;
use carom_testkit::rng::Rng;

/// Frames a second.
pub(super) const RATE: f64 = 60.0;
/// Events of a frame at most that are no [bounces](crate::bounces); what goes on without an end has more of
/// any number.
pub(super) const BUDGET: u64 = 5000;
/// Bounces of a frame at most. Where a fast disc drives light ones together there are thousands, at 0.1 to
/// 10 m/s, and each takes energy.
const BOUNCES: u64 = 20_000;
/// The largest rise of the energy, as a fraction of it, above what it has been since something pushed from
/// outside. Contacts do the work λRθ²/8 in a piece of motion that turns their line R by θ ≤ 10⁻², and take it
/// back at its end (`docs/derivations/resting.md`): some 10⁻⁵, where one piece has all of the energy.
const RISE: f64 = 1e-4;
/// θ²/8 of that: what a round room may add, of the weight in it times the radius. There λ is the weight, and
/// R that of the room, while the energy is that of a heap at its lowest point.
const TURNED: f64 = 1e-2 * 1e-2 / 8.0;
/// The deepest overlap, as a fraction of the mean radius. Two gaps of `Rest::gap` are inside of a piece, and
/// pieces that are cut leave some four open: the least length of a piece bounds no sum of them.
const OVERLAP: f64 = 6e-6;

/// What came of a heap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    /// Discs that fell.
    pub discs: usize,
    /// Events of the engine.
    pub events: u64,
    /// The most [bounces](crate::bounces) of a frame.
    pub bounces: u64,
    /// Whether all came to rest.
    pub is_at_rest: bool,
    /// The deepest overlap of two discs, as a fraction of their mean radius, or of one with a wall.
    pub overlap: f64,
    /// The largest rise of the energy in a frame in which nothing pushes from outside.
    pub rise: f64,
    /// Edits that were made.
    pub edits: usize,
    /// Discs that had no room as something moved against them.
    pub crushed: usize,
}

/// How a heap is played.
#[derive(Clone, Copy)]
pub(super) struct Play {
    pub is_grid: bool,
    /// Calls of a frame.
    pub cuts: u32,
    /// Whether the world is saved and loaded once a second.
    pub is_saved: bool,
    /// Whether up is down: every y is the opposite one.
    pub is_mirrored: bool,
}

impl Default for Play {
    fn default() -> Self {
        Play { is_grid: false, cuts: 1, is_saved: false, is_mirrored: false }
    }
}

impl Play {
    /// The direction of y upwards.
    pub(super) fn up(self) -> f64 {
        if self.is_mirrored { -1.0 } else { 1.0 }
    }
}

/// A heap on its way.
pub(super) struct Heap<P: Piled> {
    pub world: World<P>,
    pub rng: Rng,
    pub room: Room,
    pub origin: DVec2,
    pub play: Play,
    pub frame: usize,
    /// A wall that moves, how far, and when it has arrived.
    pub mover: Option<(WallId, DVec2)>,
    pub moves_until: usize,
    pub restitution: f64,
    /// What it has beside discs that fall.
    pub things: Option<Things>,
    /// The least energy since something pushed from outside, and whether that is to be looked at again.
    pub least: f64,
    pub is_edited: bool,
    pub outcome: Outcome,
}

impl<P: Piled> Heap<P>
where
    World<P>: Stored,
{
    /// A place of the room in the world.
    pub(super) fn at(&self, x: f64, y: f64) -> DVec2 {
        self.origin + self.way(DVec2::new(x, y))
    }

    /// A way of the room in the world, or of the world in the room.
    pub(super) fn way(&self, way: DVec2) -> DVec2 {
        DVec2::new(way.x, self.play.up() * way.y)
    }

    /// A place of the world in the room.
    pub(super) fn place(&self, at: DVec2) -> DVec2 {
        self.way(at - self.origin)
    }

    /// The highest point of the heap.
    pub(super) fn top(&self) -> f64 {
        self.world.discs().map(|(_, disc)| self.place(disc.position).y + disc.radius).fold(1.0, f64::max)
    }

    pub(super) fn is_still(&self) -> bool {
        let is_over = self.frame > self.moves_until && !self.is_pushed();
        is_over && self.world.discs().all(|(_, disc)| is_still::<P>(&disc))
    }

    /// Whether a thing pushes from outside.
    fn is_pushed(&self) -> bool {
        self.things.is_some() && pushes(&self.world)
    }

    /// Where and what a heap is, for messages.
    pub(super) fn told(&self) -> String {
        let kinds = self.things.as_ref().map(|things| things.kinds);
        format!("frame {}, {} discs, {:?}, {kinds:?}", self.frame, self.world.len(), self.room)
    }

    /// What still moves: mass, place, velocity and spin.
    pub(super) fn moving(&self) -> String {
        let moves = |disc: &Disc<P::Body, P::Extra>| !is_still::<P>(disc);
        let told = |disc: Disc<P::Body, P::Extra>| {
            let (place, velocity) = (self.place(disc.position), self.way(disc.velocity));
            format!("{} at {place} goes at {velocity:?}, turns at {:e}", disc.mass, P::turns(&disc)[1])
        };
        let told: Vec<_> = self.world.discs().map(|(_, disc)| disc).filter(moves).map(told).collect();
        told.join("; ")
    }

    /// A frame, and what must hold after it.
    pub(super) fn advance(&mut self) {
        self.frame += 1;
        let is_pushed = self.is_pushed();
        if self.is_edited || is_pushed || self.frame <= self.moves_until + 1 {
            (self.least, self.is_edited) = (self.energy(), false);
        }
        if self.play.is_saved && self.frame.is_multiple_of(60) {
            let saved = postcard::to_stdvec(&self.world).expect("a world saves");
            self.world = postcard::from_bytes(&saved).expect("what was saved loads");
        }
        let end = (self.frame as f64) / RATE;
        for cut in 1..=self.play.cuts {
            let part = f64::from(self.play.cuts - cut) / (RATE * f64::from(self.play.cuts));
            self.advance_to(end - part);
        }
        let energy = self.energy();
        if is_pushed || self.is_edited || self.is_pushed() {
            self.is_edited = true;
        } else if self.frame > self.moves_until {
            let risen = energy - self.least - TURNED * self.weight_by_radius();
            let rise = risen / self.least.max(1e-3);
            self.outcome.rise = self.outcome.rise.max(rise);
            assert!(rise < RISE, "energy rises by {rise:e} of {:e}, {}", self.least, self.told());
            self.least = self.least.min(energy);
        }
        let (overlap, between) = self.overlap();
        self.outcome.overlap = self.outcome.overlap.max(overlap);
        assert!(overlap < OVERLAP, "overlap {overlap:e} of {between}, {}", self.told());
        self.check_region();
    }

    /// A part of a frame. What runs out of its budget by bounces goes on.
    fn advance_to(&mut self, end: f64) {
        let (mut others, mut bounces) = (0, 0);
        let mut is_reached = false;
        while !is_reached {
            let before = self.world.counters().events;
            let advance = self.world.advance_to(end).expect("a time in range");
            let fast = crate::bounces(self.world.events());
            others += self.world.counters().events - before - fast;
            bounces += fast;
            let what = || format!("{}: {:?}", self.told(), advance.end);
            assert!(
                others <= BUDGET && bounces <= BOUNCES,
                "{others} events and {bounces} bounces, {}",
                what()
            );
            is_reached = advance.end == StopReason::Reached;
            assert!(is_reached || advance.end == StopReason::OutOfBudget, "{}", what());
            let is_crush = |event: &&Event<P::Change>| matches!(event, Event::Crushed { .. });
            self.outcome.crushed += self.world.events().iter().filter(is_crush).count();
            // What had given way goes on, and may give way again within the frame.
            let goes_on = |event: &Event<P::Change>| matches!(event, Event::Released { .. });
            self.is_edited |= self.world.events().iter().any(goes_on);
        }
        self.outcome.bounces = self.outcome.bounces.max(bounces);
    }

    /// The weight of all discs times the distance of their centres from that of a round room, 0 in others.
    fn weight_by_radius(&self) -> f64 {
        let Room::Bowl(round) = self.room else { return 0.0 };
        self.masses().map(|disc| GRAVITY * disc.mass * (round - disc.radius)).sum()
    }

    /// Of motion, rotation, and height above the lowest point of the room.
    fn energy(&self) -> f64 {
        let of = |disc: Disc<P::Body, P::Extra>| {
            let [inertia, rate] = P::turns(&disc);
            let rim = disc.radius * rate;
            let motion = disc.velocity.length_squared() + inertia * rim * rim;
            disc.mass * (0.5 * motion + GRAVITY * self.place(disc.position).y)
        };
        self.masses().map(of).sum()
    }

    /// The discs that have energy that is theirs.
    fn masses(&self) -> impl Iterator<Item = Disc<P::Body, P::Extra>> + '_ {
        self.world.discs().map(|(_, disc)| disc).filter(|disc| disc.mass < f64::INFINITY)
    }

    /// The deepest overlap, and of what.
    fn overlap(&self) -> (f64, String) {
        let discs: Vec<_> = self.world.discs().map(|(_, disc)| disc).collect();
        let (mut deepest, mut between) = (0.0_f64, [usize::MAX; 2]);
        let mut see = |depth: f64, pair: [usize; 2]| {
            if depth > deepest {
                (deepest, between) = (depth, pair);
            }
        };
        for (k, disc) in discs.iter().enumerate() {
            if !disc.kinematic {
                let place = self.place(disc.position);
                see(self.room.depth(place, disc.radius) / disc.radius, [k, usize::MAX]);
                see(self.wall_depth(disc) / disc.radius, [k, usize::MAX - 1]);
            }
            for (j, other) in discs[..k].iter().enumerate().filter(|(_, other)| self.meet(disc, other)) {
                let (sum, apart) = (disc.radius + other.radius, self.place(disc.position));
                see((sum - apart.distance(self.place(other.position))) / (0.5 * sum), [j, k]);
            }
        }
        (deepest, format!("{between:?}"))
    }

    /// Whether two discs collide: those of one class that nothing moves, or that move nothing, pass through
    /// each other, and what has no room lets a tracer pass.
    fn meet(&self, a: &Disc<P::Body, P::Extra>, b: &Disc<P::Body, P::Extra>) -> bool {
        let has_tracer = a.mass == 0.0 || b.mass == 0.0;
        let is_infinite = a.mass == f64::INFINITY && b.mass == f64::INFINITY;
        !is_infinite && !(has_tracer && (a.mass == b.mass || self.outcome.crushed > 0))
    }

    /// By how much a disc is in a wall other than those of the room.
    fn wall_depth(&self, disc: &Disc<P::Body, P::Extra>) -> f64 {
        let from = |a: DVec2, b: DVec2, thick: f64| {
            let (way, to) = (b - a, disc.position - a);
            let part = (to.dot(way) / way.length_squared()).clamp(0.0, 1.0);
            (to - part * way).length() - thick
        };
        let gap = |id: WallId| match *self.world.wall_shape(id)? {
            WallShape::Disc { center, radius } => Some(disc.position.distance(center) - radius),
            WallShape::Segment { a, b } => Some(from(a, b, 0.0)),
            WallShape::Capsule { a, b, radius } => Some(from(a, b, radius)),
            WallShape::Arm { pivot, length, radius, angle } => {
                Some(from(pivot, pivot + length * DVec2::from_angle(angle), radius))
            }
            _ => None,
        };
        disc.radius - self.world.walls().filter_map(|(id, _)| gap(id)).fold(f64::INFINITY, f64::min)
    }

    /// A region has the discs whose centres are in it, as far as rounding lets one say.
    fn check_region(&self) {
        let Some((id, [low, high])) = self.things.as_ref().and_then(|things| things.region) else { return };
        for (disc, at) in self.world.discs() {
            let place = self.place(at.position);
            let depth = (place - low).min(high - place).min_element();
            if depth.abs() > 1e-6 {
                let is_inside = self.world.is_inside(id, disc);
                assert_eq!(is_inside, depth > 0.0, "disc {disc} in the region, {}", self.told());
            }
        }
    }
}

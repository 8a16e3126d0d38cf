//! Random heaps: discs that fall into rooms of several forms and pile up, with edits and walls that move.

use carom_engine::{
    DVec2, Disc, DiscForces, DiscId, Event, Forces, Physics, Rough, RoughDisc, Roughness, SchedulerKind,
    Settings, Spin, StopReason, Wall, WallId, World,
};
use carom_testkit::grammar::Stored;
use carom_testkit::rng::Rng;
use std::ops::Range;

/// Metres per second squared.
const GRAVITY: f64 = 10.0;
/// Frames a second.
const RATE: f64 = 60.0;
/// Frames that a heap has after the last edit, and those in which nothing may happen once it is at rest.
const PATIENCE: usize = 40 * 60;
const STILL: usize = 5 * 60;
/// Events of a frame at most that are no [bounces](crate::bounces); what goes on without an end has more of
/// any number.
const BUDGET: u64 = 5000;
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

/// Reads `smooth|rough FROM TO`: whether discs rub, and the numbers from FROM on, one without TO. None where
/// it is something else.
pub fn asked(mut arguments: impl Iterator<Item = String>) -> Option<(bool, Range<u64>)> {
    let is_rough = match arguments.next()?.as_str() {
        "smooth" => false,
        "rough" => true,
        _ => return None,
    };
    let mut number = |other: u64| arguments.next().map_or(Some(other), |number| number.parse().ok());
    let from = number(0)?;
    Some((is_rough, from..number(from + 1)?))
}

/// What discs in a heap are.
pub trait Piled: Physics<Body: Default, Surface: Default> + Clone {
    /// Whether friction and rolling resistance mean something.
    const RUBS: bool;
    /// With gravity, and these coefficients of friction and rolling resistance.
    fn new(friction: f64, rolling: f64) -> Self;
    /// A spin.
    fn spin(rate: f64) -> Self::Extra;
    /// The square of the radius of gyration by that of the disc, and the spin.
    fn turns(disc: &Disc<Self::Body, Self::Extra>) -> [f64; 2];
}

fn gravity() -> Forces {
    Forces::new().with_gravity([0.0, -GRAVITY]).expect("a gravity in range")
}

impl Piled for Forces {
    const RUBS: bool = false;

    fn new(_: f64, _: f64) -> Self {
        gravity()
    }

    fn spin(_: f64) -> Self::Extra {}

    fn turns(_: &Disc<DiscForces>) -> [f64; 2] {
        [0.0, 0.0]
    }
}

impl Piled for Rough<Forces> {
    const RUBS: bool = true;

    fn new(friction: f64, rolling: f64) -> Self {
        let roughness =
            Roughness::new(friction, 0.0).and_then(|rough| rough.with_rolling_resistance(rolling));
        Rough::new(gravity(), roughness.expect("coefficients in range"))
    }

    fn spin(rate: f64) -> Spin {
        Spin::new(rate)
    }

    fn turns(disc: &Disc<RoughDisc<DiscForces>, Spin>) -> [f64; 2] {
        [disc.body.inertia, disc.extra.angular_velocity]
    }
}

/// The form of a room, from its lowest point.
#[derive(Clone, Copy)]
enum Room {
    /// A box of this half width.
    Box(f64),
    /// Two planes at these slopes.
    Vee([f64; 2]),
    /// A round one of this radius.
    Bowl(f64),
}

/// Higher than any heap.
const HEIGHT: f64 = 40.0;

impl Room {
    fn random(rng: &mut Rng, size: f64) -> Room {
        match rng.below(5) {
            0 => Room::Vee([0, 1].map(|_| rng.range(0.2, 2.0))),
            1 => Room::Bowl(size * rng.range(1.0, 3.0)),
            _ => Room::Box(size * rng.range(0.5, 1.5)),
        }
    }

    fn walls<S: Default>(self, origin: DVec2) -> Vec<Wall<S>> {
        let at = |x: f64, y: f64| origin + DVec2::new(x, y);
        match self {
            Room::Box(half) => {
                vec![Wall::container(at(-half, 0.0), at(half, HEIGHT)).with_surface(S::default())]
            }
            Room::Vee(slopes) => [(1.0, slopes[0]), (-1.0, slopes[1])]
                .map(|(side, slope)| Wall::half_plane(origin, DVec2::new(side * slope, 1.0)))
                .map(|plane| plane.with_surface(S::default()))
                .into(),
            Room::Bowl(radius) => vec![Wall::circle(at(0.0, radius), radius).with_surface(S::default())],
        }
    }

    /// By how much a disc at a place from the origin is in a wall.
    fn depth(self, place: DVec2, radius: f64) -> f64 {
        let room = match self {
            Room::Box(half) => (half - place.x.abs()).min(place.y).min(HEIGHT - place.y),
            Room::Vee(slopes) => [(1.0, slopes[0]), (-1.0, slopes[1])]
                .map(|(side, slope)| DVec2::new(side * slope, 1.0).normalize().dot(place))
                .into_iter()
                .fold(f64::INFINITY, f64::min),
            Room::Bowl(round) => round - place.distance(DVec2::new(0.0, round)),
        };
        radius - room
    }

    /// The height from which discs fall, and how far to the sides.
    fn door(self, top: f64) -> [f64; 2] {
        match self {
            Room::Box(half) => [half, top + 2.0],
            Room::Vee(slopes) => [0.5 * (top + 2.0) / slopes[0].max(slopes[1]), top + 2.0],
            Room::Bowl(radius) => [0.5 * radius, (top + 1.0).min(1.2 * radius)],
        }
    }
}

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
    /// The deepest overlap of two discs, as a fraction of their mean radius, or of one with the room.
    pub overlap: f64,
    /// The largest rise of the energy in a frame in which nothing pushes from outside.
    pub rise: f64,
    /// Edits that were made.
    pub edits: usize,
    /// Discs that had no room as something moved against them.
    pub crushed: usize,
}

/// The heap of a number, checked; one in eight also by the other scheduler in frames that are cut, and one
/// through snapshots.
///
/// # Panics
/// If something is wrong.
pub fn heap<P: Piled>(number: u64) -> Outcome
where
    World<P>: Stored,
{
    let (outcome, places) = play::<P>(number, Play::default());
    match number % 8 {
        0 => {
            let (_, again) = play::<P>(number, Play { is_grid: true, cuts: 3, ..Play::default() });
            assert_eq!(again, places, "by the grid, in thirds of a frame");
        }
        4 => {
            let (_, again) = play::<P>(number, Play { is_saved: true, ..Play::default() });
            assert_eq!(again, places, "through snapshots");
        }
        _ => {}
    }
    outcome
}

/// How a heap is played.
#[derive(Clone, Copy)]
struct Play {
    is_grid: bool,
    /// Calls of a frame.
    cuts: u32,
    /// Whether the world is saved and loaded once a second.
    is_saved: bool,
}

impl Default for Play {
    fn default() -> Self {
        Play { is_grid: false, cuts: 1, is_saved: false }
    }
}

/// A heap on its way.
struct Heap<P: Piled> {
    world: World<P>,
    rng: Rng,
    room: Room,
    origin: DVec2,
    play: Play,
    frame: usize,
    /// A wall that moves, how far, and when it has arrived.
    mover: Option<(WallId, DVec2)>,
    moves_until: usize,
    restitution: f64,
    /// The least energy since something pushed from outside, and whether that is to be looked at again.
    least: f64,
    is_edited: bool,
    outcome: Outcome,
}

fn play<P: Piled>(number: u64, play: Play) -> (Outcome, Vec<DVec2>)
where
    World<P>: Stored,
{
    let mut rng = Rng::new(77_000_000 + number);
    let count = (3.0 * (rng.unit() * f64::ln(100.0 / 3.0)).exp()) as usize;
    let friction = rng.pick(&[0.0, 0.1, 0.3, 0.5, 1.0, f64::INFINITY]);
    let rolling = rng.pick(&[0.0, 0.0, 0.05, 0.2]);
    let restitution = rng.pick(&[0.0, 0.2, 0.5, 0.9]);
    let offset = rng.pick(&[0.0, 0.0, 1.0, 1e3, 1e6]);
    let origin = DVec2::new(offset * rng.pick(&[1.0, 0.0, -1.0]), offset * rng.pick(&[1.0, 0.0, -1.0]));
    let room = Room::random(&mut rng, (count as f64).sqrt() * 0.5);
    let scheduler = if play.is_grid { SchedulerKind::Grid } else { SchedulerKind::Table };
    let settings = Settings::default().with_budget(BUDGET).with_scheduler(scheduler);
    let mut world = World::with_physics(P::new(friction, rolling), settings).expect("settings in range");
    for wall in room.walls(origin) {
        world.add_wall(wall.with_restitution(restitution)).expect("a wall in range");
    }
    let outcome = Outcome { discs: count, ..Outcome::default() };
    let mut heap = Heap {
        world,
        rng,
        room,
        origin,
        play,
        frame: 0,
        mover: None,
        moves_until: 0,
        restitution,
        least: 0.0,
        is_edited: true,
        outcome,
    };
    heap.put_mover();
    heap.fall(count);
    heap.come_to_rest();
    let settles = rolling > 0.0 && friction > 0.0 && restitution < 0.9;
    let what = || format!("{} discs, μ {friction}, ρ {rolling}, e {restitution}", heap.world.len());
    assert!(heap.outcome.is_at_rest || !P::RUBS || !settles, "still moves: {}", what());
    heap.outcome.events = heap.world.counters().events;
    (heap.outcome, heap.world.discs().map(|(_, disc)| disc.position).collect())
}

impl<P: Piled> Heap<P>
where
    World<P>: Stored,
{
    /// A place of the room in the world.
    fn at(&self, x: f64, y: f64) -> DVec2 {
        self.origin + DVec2::new(x, y)
    }

    /// A place of the world in the room.
    fn place(&self, at: DVec2) -> DVec2 {
        at - self.origin
    }

    /// The highest point of the heap.
    fn top(&self) -> f64 {
        self.world.discs().map(|(_, disc)| self.place(disc.position).y + disc.radius).fold(1.0, f64::max)
    }

    /// In one of three boxes a lift or a piston.
    fn put_mover(&mut self) {
        let Room::Box(half) = self.room else { return };
        let (ends, way) = match self.rng.below(6) {
            0 => ([self.at(-0.9 * half, 0.0), self.at(0.9 * half, 0.0)], DVec2::new(0.0, 1.0)),
            1 => ([self.at(-half, 0.0), self.at(-half, 6.0)], DVec2::new(0.5 * half, 0.0)),
            _ => return,
        };
        let wall = Wall::segment(ends[0], ends[1]).with_restitution(self.restitution);
        let id = self.world.add_wall(wall.with_surface(P::Surface::default())).expect("a mover in range");
        self.mover = Some((id, way));
    }

    fn fall(&mut self, count: usize) {
        let mut left = count;
        let apart = self.rng.pick(&[4, 10, 20]);
        let edits = self.rng.pick(&[0, 0, 30, 100]);
        for _ in 0..count * apart * 2 + 120 {
            if left > 0 && self.frame.is_multiple_of(apart) {
                left -= usize::from(self.drop_disc());
                self.is_edited = true;
            }
            if edits > 0 && self.rng.below(edits) == 0 {
                self.outcome.edits += usize::from(self.edit());
                self.is_edited = true;
            }
            if let Some((id, way)) = self.mover
                && self.rng.below(40) == 0
            {
                let seconds = self.rng.range(0.2, 2.0);
                let offset = way * self.rng.pick(&[0.0, 0.3, 1.0]);
                if self.world.move_wall(id, offset, seconds).is_ok() {
                    self.moves_until = self.frame + (seconds * RATE) as usize + 2;
                }
            }
            self.advance();
        }
    }

    fn come_to_rest(&mut self) {
        let last = self.frame + PATIENCE;
        while self.frame < last && !self.is_still() {
            self.advance();
        }
        self.outcome.is_at_rest = self.is_still();
        if !self.outcome.is_at_rest {
            return;
        }
        for _ in 0..STILL {
            let before = self.world.counters().events;
            self.advance();
            assert!(self.is_still(), "moves again at frame {}", self.frame);
            assert_eq!(self.world.counters().events, before, "events at rest, frame {}", self.frame);
        }
    }

    fn is_still(&self) -> bool {
        let is_still =
            |disc: &Disc<P::Body, P::Extra>| disc.velocity == DVec2::ZERO && P::turns(disc)[1] == 0.0;
        self.frame > self.moves_until && self.world.discs().all(|(_, disc)| is_still(&disc))
    }

    fn disc(&mut self, place: DVec2, radius: f64) -> Disc<P::Body, P::Extra> {
        let spin = self.rng.pick(&[0.0, -10.0, 3.0]);
        let heavy = self.rng.pick(&[1.0, 1.0, 1.0, 10.0, 0.1]);
        Disc::new(place, radius)
            .with_body(P::Body::default())
            .with_extra(P::spin(spin))
            .with_mass(heavy * radius * radius)
            .with_restitution(self.restitution)
    }

    fn drop_disc(&mut self) -> bool {
        let radius = self.rng.pick(&[0.25, 0.5, self.rng.clone().range(0.15, 0.6)]);
        let [half, height] = self.room.door(self.top());
        let x = self.rng.range(-1.0, 1.0) * (half - radius).max(0.0);
        let (x, speed) = (self.rng.pick(&[x, x, 0.0]), self.rng.pick(&[0.0, 1.0, -3.0]));
        let mut disc = self.disc(self.at(x, height), radius);
        disc.velocity = DVec2::new(speed, 0.0);
        self.world.insert(disc).is_ok()
    }

    /// Makes an edit; false if there was nothing to edit, or it was refused.
    fn edit(&mut self) -> bool {
        let ids: Vec<DiscId> = self.world.ids().collect();
        if ids.is_empty() {
            return false;
        }
        let id = self.rng.pick(&ids);
        let radius = self.world.get(id).expect("it is there").radius();
        match self.rng.below(6) {
            0 => self.world.remove(id).is_ok(),
            1 => {
                let kick = DVec2::new(self.rng.range(-5.0, 5.0), self.rng.range(-5.0, 5.0));
                self.world.set_velocity(id, kick).is_ok()
            }
            2 => self.world.set_radius(id, radius * self.rng.range(0.7, 1.02)).is_ok(),
            3 => self.world.set_mass(id, self.rng.range(0.01, 1.0)).is_ok(),
            4 => self.world.set_restitution(id, self.rng.pick(&[0.0, 0.5])).is_ok(),
            _ => self.merge(&ids),
        }
    }

    /// Two that touch become one of their area in the middle, or of the larger one's where that has no room.
    fn merge(&mut self, ids: &[DiscId]) -> bool {
        let of = |id: DiscId| self.world.get(id).map(|disc| (disc.position(), disc.radius()));
        let place = |id: DiscId| of(id).expect("it is there").0;
        let radius = |id: DiscId| of(id).expect("it is there").1;
        let touch =
            |a: DiscId, b: DiscId| place(a).distance(place(b)) < (radius(a) + radius(b)) * (1.0 + 1e-6);
        let pair = ids
            .iter()
            .enumerate()
            .find_map(|(k, &a)| ids[k + 1..].iter().find(|&&b| touch(a, b)).map(|&b| (a, b)));
        let Some((a, b)) = pair else { return false };
        let (middle, size) = (0.5 * (place(a) + place(b)), radius(a).hypot(radius(b)));
        let (first, second) = (self.world.remove(a), self.world.remove(b));
        let (first, second) = (first.expect("it is there"), second.expect("it is there"));
        let larger = if second.radius > first.radius { second } else { first };
        let merged = self.disc(middle, size);
        self.world.insert(merged).or_else(|_| self.world.insert(larger)).is_ok()
    }

    /// A frame, and what must hold after it.
    fn advance(&mut self) {
        self.frame += 1;
        if self.is_edited || self.frame <= self.moves_until + 1 {
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
        if self.frame > self.moves_until {
            let risen = energy - self.least - TURNED * self.weight_by_radius();
            let rise = risen / self.least.max(1e-3);
            self.outcome.rise = self.outcome.rise.max(rise);
            assert!(rise < RISE, "energy rises by {rise:e} of {:e} in frame {}", self.least, self.frame);
            self.least = self.least.min(energy);
        }
        let overlap = self.overlap();
        self.outcome.overlap = self.outcome.overlap.max(overlap);
        assert!(self.outcome.crushed > 0 || overlap < OVERLAP, "overlap {overlap:e} in frame {}", self.frame);
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
            let what = || format!("frame {}, {} discs: {:?}", self.frame, self.world.len(), advance.end);
            assert!(
                others <= BUDGET && bounces <= BOUNCES,
                "{others} events and {bounces} bounces, {}",
                what()
            );
            is_reached = advance.end == StopReason::Reached;
            assert!(is_reached || advance.end == StopReason::OutOfBudget, "{}", what());
            let is_crush = |event: &&Event<P::Change>| matches!(event, Event::Crushed { .. });
            self.outcome.crushed += self.world.events().iter().filter(is_crush).count();
        }
        self.outcome.bounces = self.outcome.bounces.max(bounces);
    }

    /// The weight of all discs times the distance of their centres from that of a round room, 0 in others.
    fn weight_by_radius(&self) -> f64 {
        let Room::Bowl(round) = self.room else { return 0.0 };
        self.world.discs().map(|(_, disc)| GRAVITY * disc.mass * (round - disc.radius)).sum()
    }

    /// Of motion, rotation, and height above the lowest point of the room.
    fn energy(&self) -> f64 {
        let of = |disc: Disc<P::Body, P::Extra>| {
            let [inertia, rate] = P::turns(&disc);
            let rim = disc.radius * rate;
            let motion = disc.velocity.length_squared() + inertia * rim * rim;
            disc.mass * (0.5 * motion + GRAVITY * self.place(disc.position).y)
        };
        self.world.discs().map(|(_, disc)| of(disc)).sum()
    }

    fn overlap(&self) -> f64 {
        let discs: Vec<_> = self.world.discs().map(|(_, d)| (self.place(d.position), d.radius)).collect();
        let mut deepest = 0.0_f64;
        for (k, &(place, radius)) in discs.iter().enumerate() {
            deepest = deepest.max(self.room.depth(place, radius) / radius);
            for &(other, size) in &discs[..k] {
                deepest = deepest.max((radius + size - place.distance(other)) / (0.5 * (radius + size)));
            }
        }
        deepest
    }
}

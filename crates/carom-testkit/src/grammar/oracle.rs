//! What holds after every call of every game.

use super::{Hash, Played};
use crate::record::state_bits;
use crate::regions::wall_gap;
use crate::rules::collide;
use carom_engine::{
    DVec2, DiscId, Event, Hold, Impact, Overlap, Partner, RegionId, Sensor, StopReason, Time, TimerId,
    WallId, WallShape, World,
};
use std::collections::HashSet;

/// How deep held discs overlap at most, as a fraction of their size: a few times what they are followed to,
/// see `docs/derivations/resting.md`. What is not held meets again 10⁻¹⁰ deeper.
fn depth<P: Played>(world: &World<P>) -> f64 {
    10.0 * world.settings().rest.map_or(0.0, |rest| rest.gap).max(1e-10)
}

/// What was known of a world before a call.
#[derive(Default)]
pub(super) struct Oracle {
    bits: u64,
    discs: HashSet<DiscId>,
    inside: HashSet<(RegionId, DiscId)>,
    held: HashSet<(DiscId, Partner)>,
    timers: Vec<(TimerId, Time)>,
    /// Who is apart, and by how much.
    apart: Vec<(DiscId, Partner, f64)>,
    /// Discs over which others pass, in later calls too.
    squeezed: HashSet<DiscId>,
    /// Discs whose radius was edited where they lie: they stay in front of what they have hit there, however
    /// deep they are in it.
    pub(super) resized: HashSet<DiscId>,
    /// The kinetic energy, if nothing but impacts can change it.
    energy: Option<f64>,
    /// When a call ended in which something may have moved that nothing stops. What has arrived there still
    /// moves for what it meets at that time.
    driven: Option<Time>,
    /// The largest energy and entry of the ledger so far.
    largest: f64,
    /// Whether the events since `inside` and `held` were noted are all known.
    is_complete: bool,
}

/// All bits of the discs, and who is inside of what.
fn bits<P: Played>(world: &World<P>) -> u64 {
    let mut hash = Hash::default();
    hash.words(state_bits(world));
    for (id, wall) in world.walls() {
        hash.words([u64::from(id.slot()), wall.restitution.to_bits(), wall.user_data]);
    }
    hash.words(
        inside(world)
            .into_iter()
            .map(|(region, disc)| u64::from(region.slot()) << 32 | u64::from(disc.slot())),
    );
    hash.0
}

fn inside<P: Played>(world: &World<P>) -> Vec<(RegionId, DiscId)> {
    let of = |id| world.inside(id).into_iter().flatten().map(move |disc| (id, disc));
    world.regions().flat_map(|(id, _)| of(id)).collect()
}

/// What holds which disc. Two discs that hold each other stand there twice.
fn held<P: Played>(world: &World<P>) -> HashSet<(DiscId, Partner)> {
    world.ids().flat_map(|id| world.held_to(id).map(move |with| (id, with))).collect()
}

fn both(hold: &Hold) -> impl Iterator<Item = (DiscId, Partner)> {
    let mirrored = hold.b.disc().map(|b| (b, Partner::Disc(hold.a)));
    core::iter::once((hold.a, hold.b)).chain(mirrored)
}

impl Oracle {
    pub(super) fn new<P: Played>(world: &World<P>) -> Self {
        let mut oracle = Oracle { is_complete: true, ..Oracle::default() };
        oracle.note(world);
        oracle
    }

    /// To be called before each call.
    pub(super) fn note<P: Played>(&mut self, world: &World<P>) {
        self.bits = bits(world);
        self.discs = world.ids().collect();
        self.timers = world.timers().collect();
        // What gives way to unstoppable things is overlapped.
        self.apart = if is_driven(world) { Vec::new() } else { apart(world, &self.squeezed) };
        let energy = world.kinetic_energy();
        self.energy = (!is_pushed(world)).then_some(energy);
        // What edits give and take may cancel in the ledger, and what spin gives and the cloth takes.
        self.largest = self.largest.max(energy + P::hidden_energy(world));
    }

    /// A disc is given this velocity, perhaps until later in the same call.
    pub(super) fn gives<P: Played>(&mut self, world: &World<P>, id: DiscId, velocity: DVec2) {
        let mass = world.get(id).map_or(0.0, |disc| disc.mass());
        if mass < f64::INFINITY {
            self.largest = self.largest.max(0.5 * mass * velocity.length_squared());
        }
    }

    /// The world was exchanged: who is inside of what, and what is held, is not known from events.
    pub(super) fn lose(&mut self) {
        self.is_complete = false;
    }

    /// Fails if a refused call has changed something.
    pub(super) fn refused<P: Played>(&self, world: &World<P>) {
        assert_eq!(bits(world), self.bits, "a refused call has changed something");
    }

    /// Fails unless the world is as the events say that made it of the one before, and the ledger closes.
    pub(super) fn advanced<P: Played>(
        &mut self,
        world: &mut World<P>,
        end: StopReason,
        events: &[Event<P::Change>],
    ) {
        let squeezed =
            |event: &Event<_>| if let Event::Crushed { body, .. } = *event { Some(body) } else { None };
        self.squeezed.extend(events.iter().filter_map(squeezed));
        if matches!(end, StopReason::Crushed { .. } | StopReason::Jammed) {
            return self.lose();
        }
        world.assert_well_formed();
        let is_told = world.settings().record_events || !events.is_empty();
        if !is_told {
            self.squeezed.extend(world.ids());
        }
        let (mut passed, mut frees) = (false, false);
        let is_ruled = !P::JUDGES && self.timers.is_empty();
        for event in events {
            if let Some(impact) = event.impact() {
                if is_ruled {
                    check_rules(world, impact);
                }
                if !self.squeezed.contains(&impact.a) {
                    check_front(world, impact, events, self.resized.contains(&impact.a));
                }
            }
            passed |= matches!(event, Event::Passed(_) | Event::Crushed { .. } | Event::Captured(_));
            // What had given way to a tracer has the velocity again that it had.
            frees |= matches!(event, Event::Released { .. });
            // What a verdict ends, as an edit, is reported by the next call.
            if !P::JUDGES || !matches!(event, Event::Held(_) | Event::LetGo(_)) {
                self.follow(event);
            }
        }
        if is_told {
            assert_eq!(self.discs, world.ids().collect(), "discs that are there, and as events say");
        }
        self.is_complete &= is_told;
        if end == StopReason::Reached {
            let now = inside(world).into_iter().collect();
            let held = held(world);
            assert!(!self.is_complete || self.inside == now, "inside: {:?}, {now:?}", self.inside);
            let is_known = self.is_complete && !P::JUDGES;
            assert!(!is_known || self.held == held, "held: {:?}, {held:?}", self.held);
            (self.inside, self.held, self.is_complete) = (now, held, true);
        }
        let due = |time: Time| time < world.now() || (time == world.now() && end == StopReason::Reached);
        let late = world.timers().find(|(_, time)| due(*time));
        assert!(late.is_none(), "{late:?} is overdue at {:?}", world.now());
        let lost = self
            .timers
            .iter()
            .find(|(id, time)| *time > world.now() && !world.timers().any(|(timer, _)| timer == *id));
        assert!(lost.is_none(), "{lost:?} is lost");
        check_free(world);
        // Who passes another one by a verdict does so in later calls too.
        if !passed && is_told && !P::JUDGES {
            self.check_apart(world, events);
        }
        let (ledger, energy) = (world.ledger(), world.kinetic_energy());
        let largest = ledger.entries().map(|(_, entry)| entry.abs()).fold(energy, f64::max);
        self.largest = self.largest.max(largest);
        let off = (ledger.total - energy).abs();
        // Each event rounds a few times, relative to the energy of those who take part.
        if self.energy.is_none() {
            self.driven = Some(world.now());
        }
        let may_rise = !is_told || frees || self.driven == Some(world.now());
        let rose = self.energy.is_some_and(|before| energy > before * (1.0 + 1e-12)) && !may_rise;
        assert!(!rose, "the energy rose from {:?} to {energy:e}", self.energy);
        // What verdicts insert and remove in one call cancels in the entries.
        let slack = if P::JUDGES { 1e-9 } else { 1e-12 };
        assert!(off <= slack * self.largest, "off by {off:e} of {:e}: {ledger:?}", self.largest);
    }

    fn follow<C: core::fmt::Debug>(&mut self, event: &Event<C>) {
        let is_new = match event {
            Event::Inserted { disc, .. } => self.discs.insert(*disc),
            Event::Removed(departure) => self.discs.remove(&departure.disc),
            Event::Entered(crossing) if self.is_complete => {
                self.inside.insert((crossing.region, crossing.disc))
            }
            Event::Left(crossing) if self.is_complete => {
                self.inside.remove(&(crossing.region, crossing.disc))
            }
            Event::Held(hold) if self.is_complete => both(hold).all(|pair| self.held.insert(pair)),
            Event::LetGo(hold) if self.is_complete => both(hold).all(|pair| self.held.remove(&pair)),
            Event::Timer { time, timer, .. } => {
                self.timers.iter().all(|(id, set)| id != timer || set == time)
            }
            _ => true,
        };
        assert!(is_new, "it was so already, or was not so: {event:?}");
    }

    fn check_apart<P: Played>(&self, world: &World<P>, seen: &[Event<P::Change>]) {
        for &(a, b, before) in &self.apart {
            if world.contains(a) && b.disc().is_none_or(|b| world.contains(b)) {
                let ([gap, slack], disc) = (gap(world, a, b), world.get(a).map(|disc| disc.to_disc()));
                // What was placed at a higher speed is off by the rounding of that, and comes no nearer;
                // what an impact of this call has stopped was placed at the speed before it.
                let fastest = speed_before(seen, a).max(b.disc().map_or(0.0, |b| speed_before(seen, b)));
                let depth = -(gap + slack + 16.0 * f64::EPSILON * fastest * world.clock().epoch());
                assert!(
                    depth <= 0.0 || gap >= before,
                    "{a} and {b:?} overlap, by {depth:e} more than allowed: {disc:#?}"
                );
            }
        }
    }
}

/// The largest speed that a disc had before one of these impacts.
fn speed_before<C>(seen: &[Event<C>], disc: DiscId) -> f64 {
    let impacts = seen.iter().filter_map(Event::impact);
    let of = |impact: &Impact| {
        let ends = [Partner::Disc(impact.a), impact.b];
        let speeds = ends.into_iter().zip(impact.before).filter(|&(end, _)| end == Partner::Disc(disc));
        speeds.map(|(_, velocity)| velocity.length()).fold(0.0, f64::max)
    };
    impacts.map(of).fold(0.0, f64::max)
}

/// Fails if two have met that do not collide, unless one of them is gone.
fn check_rules<P: Played>(world: &World<P>, impact: &Impact) {
    let rules = |id| world.get(id).map(|disc| disc.rules());
    let (other, is_excluded) = match impact.b {
        Partner::Disc(b) => (rules(b), world.is_excluded(impact.a, b)),
        Partner::Wall { wall, .. } => (world.get_wall(wall).map(|wall| wall.rules), false),
    };
    if let Some((own, other)) = rules(impact.a).zip(other) {
        assert!(collide(own, other) && !is_excluded, "they do not collide: {impact:?}");
    }
}

/// Fails if a disc was hit by a one-sided wall with its centre behind it, or elsewhere than at its surface:
/// on its way through it passes. One whose radius was edited may be deeper. Of walls that stand still in all
/// of a call, as their place is that of the impact.
fn check_front<P: Played>(world: &World<P>, impact: &Impact, events: &[Event<P::Change>], is_resized: bool) {
    let Partner::Wall { wall: hit, .. } = impact.b else { return };
    let (Some(of), Some(disc)) = (world.get_wall(hit), world.get(impact.a)) else { return };
    let Some(WallShape::OneSidedSegment { a, b }) = world.wall_shape(hit).as_deref().cloned() else { return };
    let has_stopped = |event: &Event<_>| match event {
        Event::WallMoved { wall, .. } | Event::WallBlocked { wall, .. } => *wall == hit,
        _ => false,
    };
    if !moves(world, hit) && !events.iter().any(has_stopped) {
        let (size, way) = (impact.point.length() + disc.radius(), impact.before[0].length());
        let slack = depth(world) * size + 16.0 * f64::EPSILON * way * world.clock().epoch();
        let off = wall_gap(&of.shape, impact.point);
        assert!(
            off <= slack || is_resized,
            "hit on its way through, {off:e} off the wall: {impact:?} {of:?}"
        );
        let height = (impact.point - impact.normal * disc.radius() - a).dot((b - a).perp().normalize());
        assert!(height >= -slack, "hit from behind, {height:e} in front of the wall: {impact:?} {of:?}");
    }
}

/// Fails if a disc that nothing presses on has another acceleration, to the last bit, than its physics says.
fn check_free<P: Played>(world: &World<P>) {
    for (id, disc) in world.discs().filter(|(id, _)| world.held_to(*id).next().is_none()) {
        let of = world.get(id).expect("it is listed");
        let free = world.physics().free(&disc).filter(|_| of.is_enabled() && !disc.kinematic);
        assert!(free.is_none_or(|free| free == of.acceleration()), "{id} has no {free:?}: {disc:?}");
    }
}

/// Whether something other than impacts may give or take energy in the next call.
fn is_pushed<P: Played>(world: &World<P>) -> bool {
    P::ACCELERATED || P::JUDGES || is_driven(world)
}

/// Whether something moves that nothing stops, or may do so in the next call.
fn is_driven<P: Played>(world: &World<P>) -> bool {
    world.growth() > 0.0
        || world.timers().next().is_some()
        || world.walls().any(|(id, _)| world.arm(id).is_some() || moves(world, id))
        || world.discs().any(|(_, disc)| disc.mass == f64::INFINITY && disc.velocity != DVec2::ZERO)
}

/// Whether a wall is on its way.
fn moves<P: Played>(world: &World<P>, id: WallId) -> bool {
    world.wall_motion(id).is_some_and(|motion| motion.velocity != DVec2::ZERO)
}

/// Discs and what they meet and do not overlap now: other discs, and walls of which a side is known; and how
/// far apart they are.
fn apart<P: Played>(world: &World<P>, squeezed: &HashSet<DiscId>) -> Vec<(DiscId, Partner, f64)> {
    let is_solid = |id: &DiscId| {
        let disc = world.get(*id).expect("it is listed");
        let is_plain = disc.sensor() == Sensor::No && disc.is_enabled() && !disc.is_kinematic();
        is_plain && disc.overlap() == Overlap::Refuse && !squeezed.contains(id)
    };
    let discs: Vec<DiscId> = world.ids().filter(is_solid).collect();
    let mut pairs = Vec::new();
    for (i, a) in discs.iter().enumerate() {
        for b in &discs[..i] {
            let [p, q] = [a, b].map(|id| world.get(*id).expect("it is listed"));
            // Of two tracers neither is deflected, nor is one of two infinite masses.
            let is_inert = p.mass() == q.mass() && [0.0, f64::INFINITY].contains(&p.mass());
            let meet = collide(p.rules(), q.rules()) && !world.is_excluded(*a, *b) && !is_inert;
            if meet {
                pairs.push((*a, Partner::Disc(*b)));
            }
        }
        let is_periodic = world.periods().lengths() != DVec2::ZERO;
        for (wall, of) in world.walls().filter(|_| !is_periodic) {
            let has_sides = !matches!(of.shape, WallShape::OneSidedSegment { .. });
            if has_sides && collide(of.rules, world.get(*a).expect("it is listed").rules()) {
                pairs.push((*a, Partner::Wall { wall, part: 0 }));
            }
        }
    }
    let gaps = pairs.into_iter().map(|(a, b)| (a, b, gap(world, a, b)));
    gaps.filter(|(.., [gap, slack])| gap + slack >= 0.0).map(|(a, b, [gap, _])| (a, b, gap)).collect()
}

/// The gap between a disc and another one, or a wall, which are there; and [`depth`] with the rounding of
/// places and paths.
fn gap<P: Played>(world: &World<P>, a: DiscId, b: Partner) -> [f64; 2] {
    let mut rounding = 0.0_f64;
    let mut placed = |id| {
        let disc = world.get(id).expect("it is there");
        let age = world.now().since(disc.state_time());
        let speed = disc.velocity().length() + disc.acceleration().length() * age;
        rounding = rounding.max(disc.position().length() + speed * (age + world.clock().epoch()));
        (disc.position(), disc.radius())
    };
    let (p, r) = placed(a);
    let (way, apart, size) = match b {
        Partner::Disc(b) => {
            let (q, s) = placed(b);
            (world.periods().nearest(q - p).length(), r + s, r + s)
        }
        Partner::Wall { wall, .. } => {
            let shape = world.wall_shape(wall);
            let way = shape.as_ref().map_or(f64::INFINITY, |shape| wall_gap(shape, p));
            (way, r, r + shape.map_or(0.0, |shape| roundness(&shape)))
        }
    };
    [way - apart, depth(world) * size + 16.0 * f64::EPSILON * rounding]
}

/// The radius of a round wall, beside which discs turn.
fn roundness(shape: &WallShape) -> f64 {
    match *shape {
        WallShape::Disc { radius, .. }
        | WallShape::Circle { radius, .. }
        | WallShape::Arc { radius, .. }
        | WallShape::Capsule { radius, .. }
        | WallShape::Stadium { radius, .. } => radius,
        _ => 0.0,
    }
}

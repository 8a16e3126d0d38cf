use crate::bytes::Bytes;
use carom_engine::SchedulerKind::{self, Grid, Table};
use carom_engine::{
    DVec2, Disc, DiscForces, DiscId, Forces, Partner, Rest, Settings, StopReason, Wall, WallId, World,
};

/// Enough for a heap, few enough for hundreds of sequences a second.
const MOST_DISCS: usize = 10;
const MOST_WALLS: usize = 4;
const MOST_CALLS: usize = 48;

/// Events in a call of at most 2 s after which it is taken to have no end. Nothing in it is smaller than
/// 2⁻⁴, and what comes to rest has restitutions of at most 0.9.
const BUDGET: u64 = 20_000;

/// How deep held discs overlap at most, as a fraction of their size: see `docs/derivations/resting.md`.
const DEPTH: f64 = 1e-9;

/// Any sequence of calls of a world whose discs accelerate, slide with friction and come to rest.
///
/// After each: the invariants hold, no discs have come to overlap, the ledger closes, and the bits are those
/// of the same sequence with the grid, with each call cut into three, and from a snapshot. Each call ends.
pub fn forces(bytes: &[u8]) {
    let whole = run(bytes, Table, 1);
    same(&whole, &run(bytes, Grid, 1), "with the grid");
    same(&whole, &run(bytes, Table, 3), "in three calls, and from a snapshot");
}

/// Up to where a budget has ended one of them.
fn same(one: &[Vec<u64>], other: &[Vec<u64>], how: &str) {
    for (k, (one, other)) in one.iter().zip(other).enumerate() {
        assert!(one == other, "call {k}: other bits {how}");
    }
}

/// The bits after each call.
fn run(bytes: &[u8], by: SchedulerKind, parts: u32) -> Vec<Vec<u64>> {
    let mut bytes = Bytes::new(bytes);
    let mut run = Run::new(&mut bytes, by, parts);
    let mut seen = Vec::new();
    for _ in 0..MOST_CALLS {
        if bytes.is_empty() || run.is_over {
            break;
        }
        run.call(&mut bytes);
        if !run.is_over {
            run.world.assert_well_formed();
            seen.push(run.bits());
        }
    }
    seen
}

struct Run {
    world: World<Forces>,
    /// Handles, dead ones too.
    discs: Vec<DiscId>,
    walls: Vec<WallId>,
    /// The largest entry of the ledger so far.
    largest: f64,
    /// Into how many calls each is cut.
    parts: u32,
    /// Whether the budget has ended a call without rest, or something is crushed.
    is_over: bool,
}

impl Run {
    fn new(bytes: &mut Bytes<'_>, by: SchedulerKind, parts: u32) -> Self {
        let kind = bytes.byte();
        let gravity = if kind & 3 == 0 { DVec2::ZERO } else { small_vector(bytes) };
        let forces = Forces::new().with_gravity(gravity).and_then(|forces| forces.with_weight(4.0));
        let rest = match kind >> 2 & 7 {
            0 => None,
            1 => Some(Rest::new(0.0)),
            2 => Some(Rest::new(1e-6)),
            3 => Some(Rest::default().with_impacts(0)),
            _ => Some(Rest::default()),
        };
        let mut settings = Settings::default().with_budget(BUDGET).with_scheduler(by).with_rest(rest);
        settings.record_events = false;
        let world = World::with_physics(forces.expect("in range"), settings).expect("in range");
        Run { world, discs: Vec::new(), walls: Vec::new(), largest: 0.0, parts, is_over: false }
    }

    /// All bits of the discs, of what holds them, and of the time.
    fn bits(&self) -> Vec<u64> {
        let (now, world) = (self.world.now(), &self.world);
        let mut bits = vec![now.epoch_start().to_bits(), now.offset().to_bits(), world.counters().events];
        for (id, disc) in world.discs() {
            let Disc { position: p, velocity: v, radius, mass, .. } = disc;
            bits.extend([u64::from(id.slot()), u64::from(id.generation())]);
            bits.extend([p.x, p.y, v.x, v.y, radius, mass].map(f64::to_bits));
            bits.extend(world.held_to(id).map(|partner| match partner {
                Partner::Disc(other) => u64::from(other.slot()),
                Partner::Wall { wall, part } => 1 << 40 | u64::from(wall.slot()) << 20 | u64::from(part),
                _ => 0,
            }));
        }
        bits
    }

    /// A refused call is as good as another one.
    fn call(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.below(24) {
            0..=5 if self.world.len() < MOST_DISCS => _ = self.insert(bytes),
            6..=7 if self.world.walls().count() < MOST_WALLS => {
                self.walls.extend(self.world.add_wall(wall(bytes)).ok());
            }
            0..=13 => self.advance(bytes),
            14 => _ = self.world.next_event(),
            15 => _ = self.world.step_event(),
            16 if !self.walls.is_empty() => {
                _ = self.world.remove_wall(self.walls[bytes.below(self.walls.len())]);
            }
            17 => self.turn_gravity(bytes),
            _ if self.discs.is_empty() => {}
            edit => self.edit(edit, bytes),
        }
    }

    fn edit(&mut self, edit: usize, bytes: &mut Bytes<'_>) {
        let id = self.discs[bytes.below(self.discs.len())];
        let world = &mut self.world;
        _ = match edit {
            18 => world.remove(id).map(drop),
            19 => world.set_position(id, place(bytes)),
            20 => world.set_velocity(id, small_vector(bytes)),
            21 => world.set_radius(id, radius(bytes)),
            22 => world.set_mass(id, mass(bytes)),
            _ => world.set_body(id, body(bytes)),
        };
    }

    fn turn_gravity(&mut self, bytes: &mut Bytes<'_>) {
        let gravity = if bytes.below(4) == 0 { DVec2::ZERO } else { small_vector(bytes) };
        if let Ok(forces) = self.world.physics().with_gravity(gravity) {
            _ = self.world.set_physics(forces);
        }
    }

    fn insert(&mut self, bytes: &mut Bytes<'_>) -> Option<()> {
        let kind = bytes.byte();
        let mut disc = Disc::new(place(bytes), radius(bytes)).with_restitution(restitution(bytes));
        if kind & 1 == 0 {
            disc.velocity = small_vector(bytes);
        }
        if kind & 6 == 6 {
            disc.mass = mass(bytes);
        }
        let own = if kind & 24 == 24 { body(bytes) } else { DiscForces::default() };
        self.discs.push(self.world.insert(disc.with_body(own)).ok()?);
        Some(())
    }

    fn advance(&mut self, bytes: &mut Bytes<'_>) {
        let dt = f64::from(bytes.byte() % 33) / 16.0;
        let apart = self.pairs_apart();
        let (start, clock) = (self.world.now(), *self.world.clock());
        for part in 1..self.parts {
            let time = clock.after(start, dt * f64::from(part) / f64::from(self.parts));
            let end = self.world.advance_to(time).expect("it is not in the past").end;
            if end != StopReason::Reached || self.store().is_none() {
                break;
            }
        }
        let end = self.world.advance_to(clock.after(start, dt)).expect("it is not in the past").end;
        let has_rest = self.world.settings().rest.is_some();
        assert!(
            end != StopReason::OutOfBudget || !has_rest,
            "no end of {dt} s at {}",
            self.world.now().as_secs()
        );
        self.is_over = end != StopReason::Reached;
        if self.is_over {
            return;
        }
        for (a, b) in apart {
            let depth = -self.gap(a, b);
            assert!(depth <= 0.0, "{a} and {b} overlap, by {depth:e} more than allowed");
        }
        let (ledger, energy) = (self.world.ledger(), self.world.kinetic_energy());
        let largest = ledger.entries().map(|(_, entry)| entry.abs()).fold(energy, f64::max);
        self.largest = self.largest.max(largest);
        let (off, largest) = ((ledger.total - energy).abs(), self.largest);
        assert!(off <= 1e-9 * largest, "the ledger is off by {off:e} of {largest:e}");
    }

    /// Saves and loads the world.
    fn store(&mut self) -> Option<()> {
        let saved = postcard::to_stdvec(&self.world).ok()?;
        self.world = postcard::from_bytes(&saved).expect("what was saved loads");
        Some(())
    }

    /// Pairs of discs that can meet and do not overlap now, without tracers, which give nothing room.
    fn pairs_apart(&self) -> Vec<(DiscId, DiscId)> {
        let solid = |(_, disc): &(DiscId, Disc<DiscForces>)| disc.mass > 0.0;
        let discs: Vec<_> = self.world.discs().filter(solid).collect();
        let mut pairs = Vec::new();
        for (i, (a, of_a)) in discs.iter().enumerate() {
            for (b, of_b) in &discs[..i] {
                if of_a.mass.min(of_b.mass) < f64::INFINITY && self.gap(*a, *b) >= 0.0 {
                    pairs.push((*a, *b));
                }
            }
        }
        pairs
    }

    /// The gap between two discs, which are there, more than [`DEPTH`] and the rounding of places and paths.
    fn gap(&self, a: DiscId, b: DiscId) -> f64 {
        let mut rounding = 0.0_f64;
        let [(p, r), (q, s)] = [a, b].map(|id| {
            let disc = self.world.get(id).expect("it is there");
            let age = self.world.now().since(disc.state_time());
            let path = (disc.velocity().length() + disc.acceleration().length() * age) * age;
            rounding = rounding.max(disc.position().length() + path);
            (disc.position(), disc.radius())
        });
        (q - p).length() - (r + s) + DEPTH * (r + s) + 16.0 * f64::EPSILON * rounding
    }
}

/// Within ±4, in thirty-seconds, so that ties and touching come by themselves; now and then between these.
pub(crate) fn place(bytes: &mut Bytes<'_>) -> DVec2 {
    let off = if bytes.below(4) == 0 { f64::from(bytes.byte()) / 77_777.0 } else { 0.0 };
    DVec2::new(0.25 * bytes.lattice() + off, 0.25 * bytes.lattice())
}

/// Within ±4.
pub(crate) fn small_vector(bytes: &mut Bytes<'_>) -> DVec2 {
    match bytes.below(4) {
        0 => DVec2::new(0.0, 0.25 * bytes.lattice()),
        1 => DVec2::ZERO,
        _ => 0.25 * DVec2::new(bytes.lattice(), bytes.lattice()),
    }
}

pub(crate) fn radius(bytes: &mut Bytes<'_>) -> f64 {
    f64::from(1 + bytes.byte() % 16) / 16.0
}

pub(crate) fn mass(bytes: &mut Bytes<'_>) -> f64 {
    match bytes.below(6) {
        0 => 0.0,
        1 => f64::INFINITY,
        2 => 1.0 / 1024.0,
        _ => f64::from(1 + bytes.byte() % 32) / 8.0,
    }
}

pub(crate) fn restitution(bytes: &mut Bytes<'_>) -> f64 {
    match bytes.below(6) {
        0 => 0.0,
        1 => 1.0,
        _ => 0.9 * f64::from(bytes.byte()) / 255.0,
    }
}

pub(crate) fn body(bytes: &mut Bytes<'_>) -> DiscForces {
    let (acceleration, gravity_scale, friction) = (DVec2::ZERO, 0.0, 0.0);
    match bytes.below(3) {
        0 => DiscForces { friction: f64::from(bytes.byte() % 8) / 8.0, acceleration, gravity_scale },
        1 => DiscForces { acceleration: small_vector(bytes), gravity_scale: 1.0, friction },
        _ => DiscForces { gravity_scale: bytes.lattice() / 8.0, acceleration, friction },
    }
}

pub(crate) fn wall(bytes: &mut Bytes<'_>) -> Wall {
    let kind = bytes.byte();
    let wall = match kind % 8 {
        0 | 1 => Wall::half_plane(place(bytes), small_vector(bytes)),
        2 => Wall::segment(place(bytes), place(bytes)),
        3 => Wall::disc(place(bytes), radius(bytes)),
        4 => Wall::circle(DVec2::ZERO, 4.0 + radius(bytes)),
        5 => Wall::arc(place(bytes), radius(bytes) * 4.0, bytes.lattice(), bytes.lattice().abs() / 4.0),
        6 => Wall::container(DVec2::splat(-4.0), DVec2::splat(4.0)),
        _ => Wall::half_plane([0.0, -2.0], [f64::from(i8::from(kind & 8 == 0)) * 2.0 - 1.0, 2.0]),
    };
    wall.with_restitution(restitution(bytes))
}

use crate::bytes::Bytes;
use carom_engine::{
    Collapse, CombineRule, CrushRule, DVec2, Disc, DiscId, Overlap, Region, RegionId, SchedulerKind, Sensor,
    Settings, SimdLevel, Simultaneous, StopReason, Wall, WallId, WallShape, World,
};

/// Enough for a rack, few enough for thousands of sequences a second.
const MOST_DISCS: usize = 16;
const MOST_WALLS: usize = 6;
const MOST_REGIONS: usize = 4;
const MOST_CALLS: usize = 64;

/// Groups are resolved in double-double arithmetic, to 10⁻³² of the largest impulse: a disc that is lighter
/// by more than this, between a wall and a heavy one, gets a velocity in which the rounding of that impulse
/// shows.
const MASS_RATIO: f64 = 1e12;

/// Any sequence of calls of a world.
///
/// After each: the invariants hold, and a refused call has left every bit as it was. Advancing never raises
/// the energy (unless infinite masses move), never makes two overlap that did not, gives the same bits in one
/// call and in calls cut short by the budget, and, from a snapshot, the same as from a clone.
pub fn calls(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let Ok(world) = World::with_settings(settings(&mut bytes)) else { return };
    let (discs, walls, regions) = (Vec::new(), Vec::new(), Vec::new());
    let mut run = Run { world, discs, walls, regions, kept: None, crushed: false };
    for _ in 0..MOST_CALLS {
        if bytes.is_empty() {
            break;
        }
        run.call(&mut bytes);
        // Whoever is being crushed by infinite masses stays overlapped and overdue until an edit helps.
        if !run.crushed {
            run.world.assert_well_formed();
        }
    }
}

fn settings(bytes: &mut Bytes) -> Settings {
    use CombineRule::{Average, GeometricMean, Maximum, Minimum, Product};
    let kind = bytes.byte();
    let mut settings = Settings::default();
    settings.restitution = [GeometricMean, Minimum, Maximum, Average, Product][bytes.below(5)];
    settings.simultaneous = if kind & 1 == 0 { Simultaneous::Together } else { Simultaneous::OneByOne };
    settings.crush = if kind & 64 == 0 { CrushRule::GiveWay } else { CrushRule::Stop };
    settings.collapse = if kind & 2 == 0 { Some(Collapse::default()) } else { None };
    settings.instructions = if kind & 4 == 0 { SimdLevel::Best } else { SimdLevel::Portable };
    let epochs = [settings.epoch, 1.0, 64.0, bytes.number()];
    settings.epoch = epochs[[0, 0, 0, 0, 0, 1, 2, 3][bytes.below(8)]];
    let starts = [settings.start, 0.1, 12345.678, bytes.number()];
    settings.start = starts[[0, 0, 0, 0, 0, 1, 2, 3][bytes.below(8)]];
    settings.budget = 1 + bytes.below(50) as u64;
    settings.period = if kind & 16 == 0 { [None; 2] } else { [Some(bytes.number()), None] };
    settings.record_events = kind & 32 == 0;
    settings.scheduler = if kind & 8 == 0 { SchedulerKind::Fastest } else { SchedulerKind::Grid };
    settings
}

struct Run {
    world: World,
    /// Handles, dead ones too.
    discs: Vec<DiscId>,
    walls: Vec<WallId>,
    regions: Vec<RegionId>,
    kept: Option<World>,
    crushed: bool,
}

/// All bits of the discs, of the time, and who is inside of which region.
fn bits(world: &World) -> Vec<u64> {
    let now = world.now();
    let mut bits = vec![now.epoch_start().to_bits(), now.offset().to_bits(), world.walls().count() as u64];
    for (id, disc) in world.discs() {
        let Disc { position: p, velocity: v, radius, mass, restitution, .. } = disc;
        bits.extend([u64::from(id.slot()), u64::from(id.generation()), disc.user_data]);
        bits.extend([p.x, p.y, v.x, v.y, radius, mass, restitution].map(f64::to_bits));
    }
    for (id, _) in world.regions() {
        bits.push(u64::from(id.slot()));
        bits.extend(world.inside(id).into_iter().flatten().map(|disc| u64::from(disc.slot())));
    }
    bits
}

impl Run {
    fn call(&mut self, bytes: &mut Bytes) {
        let before = bits(&self.world);
        let refused = match bytes.below(24) {
            // Little happens among two.
            0..=3 | 11..=19 if self.world.len() < 3 => self.insert(bytes),
            0..=3 if self.world.len() < MOST_DISCS => self.insert(bytes),
            4..=5 if self.world.walls().count() < MOST_WALLS => {
                self.world.add_wall(wall(bytes)).map(|id| self.walls.push(id)).is_err()
            }
            0..=9 => self.advance(bytes),
            10 => self.step(),
            11 => self.disc(bytes).is_some_and(|id| self.world.remove(id).is_err()),
            12 => self.wall(bytes).is_some_and(|id| self.world.remove_wall(id).is_err()),
            13 => {
                self.disc(bytes).is_some_and(|id| self.world.set_position(id, bytes.usual_vector()).is_err())
            }
            14 => {
                self.disc(bytes).is_some_and(|id| self.world.set_velocity(id, bytes.usual_vector()).is_err())
            }
            15 => self.disc(bytes).is_some_and(|id| self.world.set_radius(id, bytes.usual_size()).is_err()),
            16 => self.disc(bytes).is_some_and(|id| self.world.set_mass(id, mass(bytes)).is_err()),
            17 => {
                self.disc(bytes).is_some_and(|id| self.world.set_restitution(id, restitution(bytes)).is_err())
            }
            18 => self
                .wall(bytes)
                .is_some_and(|id| self.world.set_wall_restitution(id, restitution(bytes)).is_err()),
            19 => {
                let overlap = if bytes.below(2) == 0 { Overlap::Refuse } else { Overlap::Allow };
                self.disc(bytes).is_some_and(|id| self.world.set_overlap(id, overlap).is_err())
            }
            20 => self.clone_or_restore(bytes),
            21 if bytes.below(2) == 0 => self.region(bytes),
            21 => self.query(bytes),
            22 => self.world.push_apart().is_err(),
            _ => self.world.separate_overlaps(bytes.usual_size()).is_err(),
        };
        if refused {
            assert_eq!(bits(&self.world), before, "a refused call has changed something");
        }
    }

    fn disc(&self, bytes: &mut Bytes) -> Option<DiscId> {
        (!self.discs.is_empty()).then(|| self.discs[bytes.below(self.discs.len())])
    }

    fn wall(&self, bytes: &mut Bytes) -> Option<WallId> {
        (!self.walls.is_empty()).then(|| self.walls[bytes.below(self.walls.len())])
    }

    fn insert(&mut self, bytes: &mut Bytes) -> bool {
        let kind = bytes.byte();
        let mut disc = Disc::new(bytes.usual_vector(), bytes.usual_size()).with_user_data(u64::from(kind));
        if kind & 1 == 0 {
            disc.velocity = bytes.usual_vector();
        }
        if kind & 2 != 0 {
            disc.mass = mass(bytes);
        }
        if kind & 4 != 0 {
            disc.restitution = restitution(bytes);
        }
        if kind & 24 == 24 {
            disc.overlap = Overlap::Allow;
        }
        if kind & 96 == 96 {
            disc.sensor = if kind & 128 == 0 { Sensor::Yes } else { Sensor::AmongSensors };
        }
        let result = self.world.insert(disc);
        self.discs.extend(result.as_ref().ok());
        result.is_err()
    }

    /// Puts up a region, changes one, or removes one.
    fn region(&mut self, bytes: &mut Bytes) -> bool {
        let kind = bytes.byte();
        let mut region = match kind % 5 {
            0 => Region::disc(bytes.usual_vector(), bytes.usual_size()),
            1 => Region::rectangle(bytes.usual_vector(), bytes.usual_vector()),
            2 => Region::half_plane(bytes.usual_vector(), bytes.usual_vector()),
            3 => Region::segment(bytes.usual_vector(), bytes.usual_vector()),
            _ => self.wall(bytes).map_or(Region::disc(DVec2::ZERO, 1.0), Region::wall),
        };
        if kind & 16 != 0 {
            region = region.by_edge();
        }
        if kind & 32 != 0 {
            region.carrier = self.disc(bytes);
        }
        region.sensors = kind & 64 != 0;
        let known = self.regions.get(bytes.below(MOST_REGIONS)).copied();
        match known {
            Some(id) if kind & 128 != 0 => self.world.set_region(id, region).is_err(),
            Some(id) if self.world.regions().count() >= MOST_REGIONS => self.world.remove_region(id).is_err(),
            _ => self.world.add_region(region).map(|id| self.regions.insert(0, id)).is_err(),
        }
    }

    fn advance(&mut self, bytes: &mut Bytes) -> bool {
        let dt = bytes.usual_size();
        let now = self.world.now();
        let (mut cut, mut stored) = (self.world.clone(), None);
        if bytes.below(4) == 0 {
            // A state beyond what a snapshot takes is refused when it is saved.
            if let Ok(saved) = postcard::to_stdvec(&self.world) {
                stored = Some(postcard::from_bytes::<World>(&saved).expect("what was saved loads"));
            }
        }
        let energy = self.world.kinetic_energy();
        let apart = self.pairs_apart();
        let pushed =
            self.world.discs().any(|(_, disc)| disc.mass == f64::INFINITY && disc.velocity != DVec2::ZERO);
        let Ok(advance) = self.world.advance(dt) else {
            return true;
        };
        assert_eq!(advance.time, self.world.now());
        assert!(advance.time >= now && advance.events <= self.world.settings().budget);
        self.crushed = is_stuck(advance.end);
        // Each event rounds a few times, relative to the energy of those who take part.
        let after = self.world.kinetic_energy();
        assert!(pushed || after <= energy * (1.0 + 1e-12), "energy rose from {energy:e} to {after:e}");
        if !self.crushed && self.mass_ratio() <= MASS_RATIO {
            self.assert_still_apart(&apart);
        }
        if let Some(mut stored) = stored {
            assert_eq!(stored.advance(dt), Ok(advance), "from a snapshot");
            assert_eq!(bits(&stored), bits(&self.world), "from a snapshot");
        }
        // The same in calls of one event.
        cut.set_budget(1);
        let mut events = 0;
        let until = advance.time;
        while events < advance.events {
            let step = cut.advance_to(until).expect("the other one went there");
            events += step.events;
            assert!(step.events > 0 || is_stuck(step.end), "{step:?} after {events} of {advance:?}");
        }
        // Who was stopped by the budget is there; others still have to arrive, or to be crushed.
        if advance.end != StopReason::OutOfBudget {
            assert_eq!(cut.advance_to(until).map(|step| (step.end, step.events)), Ok((advance.end, 0)));
        }
        assert_eq!(bits(&cut), bits(&self.world), "in one call, and cut into {events}");
        false
    }

    fn step(&mut self) -> bool {
        let next = self.world.next_event();
        let step = self.world.step_event();
        self.crushed = is_stuck(step.end);
        assert!(next.is_none_or(|next| next.time == step.time), "{next:?} {step:?}");
        assert!(step.events == u64::from(next.is_some()) || self.crushed, "{next:?} {step:?}");
        false
    }

    /// Of the largest to the smallest finite mass.
    fn mass_ratio(&self) -> f64 {
        let finite = |m: &f64| *m > 0.0 && *m < f64::INFINITY;
        let masses = self.world.discs().map(|(_, disc)| disc.mass).filter(finite);
        let (least, most) =
            masses.fold((f64::INFINITY, 0.0_f64), |(least, most), m| (least.min(m), most.max(m)));
        if most > 0.0 { most / least } else { 1.0 }
    }

    /// Pairs of discs that can meet and do not overlap now.
    fn pairs_apart(&self) -> Vec<(DiscId, DiscId)> {
        let discs: Vec<(DiscId, Disc)> = self.world.discs().collect();
        let meet = |a: &Disc, b: &Disc| {
            let passing = |m: f64| m == 0.0 || m == f64::INFINITY;
            let is_sensor = a.sensor != Sensor::No || b.sensor != Sensor::No;
            let is_passed = is_sensor || (passing(a.mass) && a.mass == b.mass);
            !is_passed && a.radius + b.radius > 0.0
        };
        let mut pairs = Vec::new();
        for (i, (a, disc_a)) in discs.iter().enumerate() {
            for (b, disc_b) in &discs[..i] {
                if meet(disc_a, disc_b) && self.gap_in_ulps(*a, *b) >= 0.0 {
                    pairs.push((*a, *b));
                }
            }
        }
        pairs
    }

    fn assert_still_apart(&self, pairs: &[(DiscId, DiscId)]) {
        for &(a, b) in pairs {
            // Twice what counts as touching: half is the engine's, the rest for the rounding of this very
            // sum.
            let gap = self.gap_in_ulps(a, b);
            assert!(gap >= -16.0, "{a} and {b} overlap by {} ulp in\n{:?}", -gap, self.world);
        }
    }

    /// The gap between two discs, which are there, in units of the last place of their coordinates and of
    /// their paths since their last events, velocities being rounded as well: who was joined by an impact
    /// with e = 0 drifts; and of their paths in an epoch, of which times are a fraction.
    fn gap_in_ulps(&self, a: DiscId, b: DiscId) -> f64 {
        let (mut scale, epoch) = (0.0_f64, self.world.clock().epoch());
        let [(p, r), (q, s)] = [a, b].map(|id| {
            let disc = self.world.get(id).expect("it is there").to_disc();
            let age = self.world.now().since(self.world.get(id).expect("it is there").state_time());
            scale = scale
                .max(disc.position.abs().max_element() + disc.velocity.abs().max_element() * (age + epoch));
            (disc.position, disc.radius)
        });
        (self.world.periods().nearest(q - p).length() - (r + s)) / (f64::EPSILON * (scale + r + s))
    }

    fn clone_or_restore(&mut self, bytes: &mut Bytes) -> bool {
        match (bytes.below(3), self.kept.take()) {
            (0, Some(kept)) => {
                self.world = kept;
                self.crushed = false;
            }
            (1, kept) => {
                self.kept = kept;
                let text = serde_json::to_string(&self.world);
                if let Ok(text) = text
                    && !self.crushed
                {
                    let loaded: World = serde_json::from_str(&text).expect("what was saved loads");
                    assert_eq!(bits(&loaded), bits(&self.world));
                    assert_eq!(serde_json::to_string(&loaded).ok(), Some(text), "saved again");
                    self.world = loaded;
                }
            }
            _ => self.kept = Some(self.world.clone()),
        }
        false
    }

    fn query(&mut self, bytes: &mut Bytes) -> bool {
        let before = bits(&self.world);
        let _ = (
            self.world.next_event(),
            self.world.momentum(),
            self.world.counters(),
            self.world.events().len(),
        );
        if let Some(id) = self.disc(bytes) {
            assert_eq!(self.world.get(id).is_some(), self.world.contains(id));
        }
        let mut places = vec![DVec2::ZERO; self.world.len()];
        assert!(self.world.read_positions(&mut places).is_ok());
        assert_eq!(bits(&self.world), before);
        false
    }
}

fn mass(bytes: &mut Bytes) -> f64 {
    match bytes.below(8) {
        0 => 0.0,
        1 => f64::INFINITY,
        2 => bytes.number(),
        _ => bytes.usual_size(),
    }
}

fn restitution(bytes: &mut Bytes) -> f64 {
    match bytes.below(8) {
        0 => 0.0,
        1 => bytes.number(),
        _ => f64::from(bytes.byte()) / 255.0,
    }
}

fn wall(bytes: &mut Bytes) -> Wall {
    let kind = bytes.byte();
    let wall = match kind % 10 {
        0 => Wall::half_plane(bytes.usual_vector(), bytes.usual_vector()),
        1 => Wall::segment(bytes.usual_vector(), bytes.usual_vector()),
        2 => Wall::one_sided_segment(bytes.usual_vector(), bytes.usual_vector()),
        3 => Wall::disc(bytes.usual_vector(), bytes.usual_size()),
        4 => Wall::circle(DVec2::ZERO, 16.0 + bytes.usual_size()),
        5 => Wall::arc(bytes.usual_vector(), bytes.usual_size(), bytes.usual(), bytes.usual_size()),
        6 => Wall::new(WallShape::Polyline {
            points: (0..bytes.below(6)).map(|_| bytes.usual_vector()).collect(),
            closed: kind & 16 == 0,
        }),
        7 => Wall::container(bytes.usual_vector(), bytes.usual_vector()),
        8 => Wall::container(DVec2::splat(-16.0), DVec2::splat(16.0)),
        _ => Wall::stadium(bytes.usual_vector(), bytes.usual(), bytes.usual()),
    };
    if kind & 128 == 0 { wall } else { wall.with_restitution(restitution(bytes)) }
}

/// Whether nothing goes on before an edit.
fn is_stuck(end: StopReason) -> bool {
    matches!(end, StopReason::Crushed { .. } | StopReason::Jammed)
}

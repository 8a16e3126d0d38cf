mod account;
mod dice;

use crate::bytes::Bytes;
use crate::forces::{body, mass, place, radius, restitution, small_vector, wall};
use account::Account;
use carom_engine::SchedulerKind::{self, Grid, Table};
use carom_engine::{
    Command, DVec2, Disc, DiscForces, DiscId, Event, Forces, Judged, Region, RegionId, Rough, RoughDisc,
    Roughness, Rules, Settings, Spin, Standstill, StopReason, Time, TimerId, Wall, WallId, WallShape, World,
};
use dice::Dice;

/// Enough for a game, few enough for hundreds of sequences a second.
const MOST_DISCS: usize = 12;
const MOST_WALLS: usize = 4;
const MOST_REGIONS: usize = 3;
const MOST_CALLS: usize = 48;

/// Events in a call after which a sequence ends: what kicks in a gap has no end.
const BUDGET: u64 = 4000;

type Physics = Judged<Rough<Forces>, Dice>;
type GameEvent = Event<Standstill>;
type Own = RoughDisc<DiscForces>;

/// How a call of `advance` is carried out.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// As it is.
    Whole,
    /// In three, from a snapshot each.
    Thirds,
    /// Event by event.
    Steps,
}

/// Any sequence of calls of a game: verdicts and the commands that they give, timers, commands at times,
/// regions and sensors, rules, discs off the plane, movers, walls that turn and move, a scale of time,
/// rough discs, forces and rest.
///
/// After each: the invariants hold, the ledger closes, and what the events say agrees with the world: discs
/// that are there, who is in which region, timers that are set. The bits of events and states are those of
/// the same sequence with the grid, with each call cut into three and loaded from snapshots, and event by
/// event.
pub fn games(bytes: &[u8]) {
    let whole = run(bytes, Table, Way::Whole);
    same(&whole, &run(bytes, Grid, Way::Whole), "with the grid");
    same(&whole, &run(bytes, Table, Way::Thirds), "in three calls, and from snapshots");
    same(&whole, &run(bytes, Table, Way::Steps), "event by event");
}

/// What came of a call: its events, and the bits of the world after it.
type Seen = (Vec<String>, Vec<u64>);

/// Up to where a budget has ended one of them.
fn same(one: &[Seen], other: &[Seen], how: &str) {
    for (k, (one, other)) in one.iter().zip(other).enumerate() {
        for (event, differs) in one.0.iter().zip(&other.0) {
            assert!(event == differs, "call {k}: other events {how}:\n{event}\n{differs}");
        }
        assert!(one.0.len() == other.0.len(), "call {k}: {} and {} events {how}", one.0.len(), other.0.len());
        assert!(one.1 == other.1, "call {k}: other bits {how}");
    }
}

fn run(bytes: &[u8], by: SchedulerKind, way: Way) -> Vec<Seen> {
    let mut bytes = Bytes::new(bytes);
    let mut run = Run::new(&mut bytes, by, way);
    let mut seen = Vec::new();
    for _ in 0..MOST_CALLS {
        if bytes.is_empty() || run.is_over {
            break;
        }
        run.call(&mut bytes);
        if !run.is_over {
            run.world.assert_well_formed();
            seen.push((core::mem::take(&mut run.events), run.bits()));
        }
    }
    seen
}

struct Run {
    world: World<Physics>,
    way: Way,
    /// Handles, dead ones too.
    discs: Vec<DiscId>,
    walls: Vec<WallId>,
    regions: Vec<RegionId>,
    timers: Vec<TimerId>,
    /// The events of the last call.
    events: Vec<String>,
    account: Account,
    /// The largest entry of the ledger so far.
    largest: f64,
    /// Whether the budget has ended a call, or something is stuck.
    is_over: bool,
}

impl Run {
    fn new(bytes: &mut Bytes<'_>, by: SchedulerKind, way: Way) -> Self {
        let kind = bytes.byte();
        let gravity = match kind & 3 {
            0 => DVec2::NEG_Y,
            1 => small_vector(bytes),
            _ => DVec2::ZERO,
        };
        let forces = Forces::new().with_gravity(gravity).and_then(|forces| forces.with_weight(4.0));
        let roughness = roughness(bytes).unwrap_or_default();
        let physics = Rough::new(forces.expect("in range"), roughness);
        let physics = Judged::new(physics, Dice::new(u64::from(bytes.byte()), kind >> 4 & 3));
        let settings = Settings::default().with_budget(BUDGET).with_scheduler(by);
        let mut world: World<Physics> = World::with_physics(physics, settings).expect("in range");
        if kind & 64 == 0 {
            let room = Wall::container([-4.0, -4.0], [4.0, 4.0]).with_restitution(restitution(bytes));
            world.add_wall(room).expect("nothing is there yet");
        }
        Run {
            world,
            way,
            discs: Vec::new(),
            walls: Vec::new(),
            regions: Vec::new(),
            timers: Vec::new(),
            events: Vec::new(),
            account: Account::default(),
            largest: 0.0,
            is_over: false,
        }
    }

    /// All bits of the discs and their spins, of who is where, of timers and of the time.
    fn bits(&self) -> Vec<u64> {
        let (now, world) = (self.world.now(), &self.world);
        let mut bits = vec![now.epoch_start().to_bits(), now.offset().to_bits(), world.counters().events];
        for (id, disc) in world.discs() {
            let Disc { position: p, velocity: v, radius, mass, user_data, extra, .. } = disc;
            bits.extend([u64::from(id.slot()), u64::from(id.generation()), user_data]);
            bits.push(u64::from(world.is_enabled(id)));
            bits.extend(
                [p.x, p.y, v.x, v.y, radius, mass, extra.angle, extra.angular_velocity].map(f64::to_bits),
            );
        }
        for (id, _) in world.regions() {
            bits.push(u64::from(id.slot()) << 32 | u64::from(id.generation()));
            bits.extend(world.inside(id).into_iter().flatten().map(|disc| u64::from(disc.slot())));
        }
        let arms = world.walls().filter_map(|(id, _)| world.arm(id));
        bits.extend(arms.flat_map(|arm| [arm.angle, arm.rate, arm.target]).map(f64::to_bits));
        let motions = world.walls().filter_map(|(id, _)| world.wall_motion(id));
        let vectors = motions.flat_map(|motion| [motion.offset, motion.velocity, motion.target]);
        bits.extend(vectors.flat_map(|v| [v.x.to_bits(), v.y.to_bits()]));
        bits.extend(
            world.timers().flat_map(|(_, time)| [time.epoch_start(), time.offset()]).map(f64::to_bits),
        );
        bits
    }

    /// A refused call is as good as another one.
    fn call(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.below(32) {
            // Little happens among few.
            0..=12 if self.world.len() < 4 => self.insert(bytes),
            0..=4 if self.world.len() < MOST_DISCS => self.insert(bytes),
            5..=6 if self.world.walls().count() < MOST_WALLS => {
                self.walls.extend(self.world.add_wall(surface(bytes)).ok());
            }
            0..=14 => self.advance(bytes),
            15..=16 => self.region(bytes),
            17..=18 => self.timer(bytes),
            19 if !self.timers.is_empty() => {
                let timer = self.timers[bytes.below(self.timers.len())];
                let was_set = self.world.cancel_timer(timer);
                self.account.cancel(timer, was_set);
            }
            20 => _ = self.world.set_time_scale([1.0, 0.25, 1.0, 2.0, 0.3, 1.0, 0.0][bytes.below(7)]),
            21 => _ = self.world.next_event(),
            22..=23 => self.command(bytes),
            24 if !self.walls.is_empty() => {
                let wall = self.walls[bytes.below(self.walls.len())];
                if bytes.below(2) == 0 {
                    _ = self.world.turn_arm(wall, angle(bytes), rate(bytes));
                } else {
                    let by = self.world.now().as_secs() + f64::from(bytes.byte() % 17) / 16.0;
                    _ = self.world.move_wall(wall, place(bytes), by);
                }
            }
            24 => self.command(bytes),
            _ if self.discs.is_empty() => {}
            edit => self.edit(edit, bytes),
        }
    }

    fn insert(&mut self, bytes: &mut Bytes<'_>) {
        let id = self.world.insert(disc(bytes)).ok();
        self.account.insert(id);
        self.discs.extend(id);
    }

    fn edit(&mut self, edit: usize, bytes: &mut Bytes<'_>) {
        let id = self.disc(bytes);
        let other = self.disc(bytes);
        let world = &mut self.world;
        _ = match edit {
            25 => world.set_enabled(id, bytes.below(2) == 0),
            26 => world.set_rules(id, rules(bytes)),
            27 => world.exclude(id, other).map(drop),
            28 => {
                let by = world.now().as_secs() + f64::from(bytes.byte() % 17) / 16.0;
                world.move_to(id, place(bytes), by).map(drop)
            }
            29 => world.set_velocity(id, small_vector(bytes)),
            30 => world.set_position(id, place(bytes)),
            _ => {
                let removed = world.remove(id).map(drop);
                if removed.is_ok() {
                    self.account.remove(id);
                }
                removed
            }
        };
    }

    fn disc(&self, bytes: &mut Bytes<'_>) -> DiscId {
        self.discs[bytes.below(self.discs.len())]
    }

    /// Puts up a region, changes one, or removes one.
    fn region(&mut self, bytes: &mut Bytes<'_>) {
        let kind = bytes.byte();
        let mut region = match kind % 4 {
            0 => Region::disc(place(bytes), 2.0 * radius(bytes)),
            1 => Region::rectangle(place(bytes), place(bytes)),
            2 => Region::half_plane(place(bytes), small_vector(bytes)),
            _ => Region::segment(place(bytes), place(bytes)),
        };
        if kind & 16 != 0 {
            region = region.by_edge();
        }
        if kind & 32 != 0 && !self.discs.is_empty() {
            region.carrier = Some(self.disc(bytes));
        }
        region.sensors = kind & 64 != 0;
        let known = self.regions.get(bytes.below(MOST_REGIONS)).copied();
        match known {
            Some(id) if kind & 128 != 0 => _ = self.world.set_region(id, region),
            Some(id) if self.world.regions().count() >= MOST_REGIONS => _ = self.world.remove_region(id),
            _ => {
                if let Ok(id) = self.world.add_region(region) {
                    self.regions.insert(0, id);
                }
            }
        }
    }

    fn timer(&mut self, bytes: &mut Bytes<'_>) {
        let note = self.account.next_note();
        let timer = self.world.set_timer(f64::from(bytes.byte() % 33) / 16.0, note).expect("it is in range");
        let time = self.world.timers().find(|(id, _)| *id == timer).expect("it has just been set").1;
        self.account.set_timer(timer, note, time);
        self.timers.push(timer);
    }

    /// A command at a time, which may name what is gone by then.
    fn command(&mut self, bytes: &mut Bytes<'_>) {
        let time = self.world.clock().after(self.world.now(), f64::from(bytes.byte() % 33) / 16.0);
        let command = match bytes.below(14) {
            0 => Command::Insert(disc(bytes)),
            1 if !self.walls.is_empty() => Command::RemoveWall(self.walls[bytes.below(self.walls.len())]),
            2 if !self.walls.is_empty() => {
                Command::SetWallRules(self.walls[bytes.below(self.walls.len())], rules(bytes))
            }
            12 if !self.walls.is_empty() => {
                Command::TurnArm(self.walls[bytes.below(self.walls.len())], angle(bytes), rate(bytes))
            }
            13 if !self.walls.is_empty() => {
                let wall = self.walls[bytes.below(self.walls.len())];
                Command::MoveWall(wall, place(bytes), f64::from(bytes.byte() % 17) / 16.0)
            }
            _ if self.discs.is_empty() => Command::SetTimer(0.125, dice::NOTE),
            3 => Command::Remove(self.disc(bytes)),
            4 => Command::SetVelocity(self.disc(bytes), small_vector(bytes)),
            5 => Command::SetPosition(self.disc(bytes), place(bytes)),
            6 => Command::ApplyImpulse(self.disc(bytes), small_vector(bytes)),
            7 => Command::SetRules(self.disc(bytes), rules(bytes)),
            8 => Command::SetEnabled(self.disc(bytes), bytes.below(2) == 0),
            9 => Command::MoveTo(self.disc(bytes), place(bytes), f64::from(bytes.byte() % 17) / 16.0),
            10 => Command::SetUserData(self.disc(bytes), u64::from(bytes.byte())),
            _ => Command::SetTimer(f64::from(bytes.byte() % 17) / 16.0, dice::NOTE),
        };
        self.timers.push(self.world.command_at(time, command).expect("it is not in the past"));
        self.account.set_command(self.timers[self.timers.len() - 1]);
    }

    fn advance(&mut self, bytes: &mut Bytes<'_>) {
        let dt = f64::from(bytes.byte() % 33) / 16.0;
        let (start, clock) = (self.world.now(), *self.world.clock());
        let passing = dt * self.world.settings().time_scale;
        let until = clock.after(start, passing);
        let end = match self.way {
            Way::Whole => self.noted(|world| world.advance(dt).expect("it is in range").end),
            Way::Thirds => {
                self.in_thirds([clock.after(start, passing / 3.0), clock.after(start, passing / 1.5)])
            }
            Way::Steps => self.in_steps(until),
        };
        let end = if self.way == Way::Whole || end != StopReason::Reached {
            end
        } else {
            self.noted(|world| world.advance_to(until).expect("it is not in the past").end)
        };
        self.is_over = end != StopReason::Reached;
        if self.is_over {
            return;
        }
        assert_eq!(self.world.now(), until);
        self.account.assert_agrees(&self.world);
        let (ledger, energy) = (self.world.ledger(), self.world.kinetic_energy());
        let largest = ledger.entries().map(|(_, entry)| entry.abs()).fold(energy, f64::max);
        self.largest = self.largest.max(largest);
        let (off, largest) = ((ledger.total - energy).abs(), self.largest);
        assert!(off <= 1e-9 * largest, "the ledger is off by {off:e} of {largest:e}");
    }

    fn in_thirds(&mut self, ends: [Time; 2]) -> StopReason {
        for until in ends {
            let end = self.noted(|world| world.advance_to(until).expect("it is not in the past").end);
            if end != StopReason::Reached {
                return end;
            }
            let Ok(saved) = postcard::to_stdvec(&self.world) else { return StopReason::Stopped };
            self.world = postcard::from_bytes(&saved).expect("what was saved loads");
        }
        StopReason::Reached
    }

    fn in_steps(&mut self, until: Time) -> StopReason {
        for _ in 0..BUDGET {
            let Some(next) = self.world.next_event().filter(|next| next.time <= until) else {
                return StopReason::Reached;
            };
            let before = self.world.now();
            let step = self.noted(|world| world.step_event());
            let is_stuck = !matches!(step.end, StopReason::Reached | StopReason::OutOfBudget);
            assert!(is_stuck || step.time == next.time, "{next:?} {step:?} from {before:?}");
            if is_stuck {
                return step.end;
            }
        }
        StopReason::OutOfBudget
    }

    /// Carries out a call that makes time pass, and notes its events.
    fn noted<T>(&mut self, call: impl FnOnce(&mut World<Physics>) -> T) -> T {
        let start = self.world.now();
        let result = call(&mut self.world);
        let mut last = start;
        for event in self.world.events() {
            assert!(event.time() >= last && event.time() <= self.world.now(), "{event:?} after {last:?}");
            last = event.time();
            self.account.note(event);
            if let Event::Inserted { disc, .. } = event {
                self.discs.push(*disc);
            }
            self.events.push(format!("{event:?}"));
        }
        result
    }
}

fn roughness(bytes: &mut Bytes<'_>) -> Option<Roughness> {
    let kind = bytes.byte();
    let friction = [0.0, 0.125, 0.5, f64::INFINITY][usize::from(kind & 3)];
    let restitution = [-1.0, 0.0, 0.5, 1.0][usize::from(kind >> 2 & 3)];
    (kind & 16 != 0).then(|| Roughness::new(friction, restitution).expect("in range"))
}

fn rules(bytes: &mut Bytes<'_>) -> Rules {
    let (membership, mask) = (u32::from(bytes.byte() % 4), u32::from(bytes.byte() % 4));
    let team = u32::from(bytes.byte().is_multiple_of(16));
    Rules::new().with_membership(membership).with_mask(mask).with_team(team)
}

fn disc(bytes: &mut Bytes<'_>) -> Disc<Own, Spin> {
    let kind = bytes.byte();
    let plain = Disc::new(place(bytes), radius(bytes));
    let mut disc: Disc<Own, Spin> = plain.with_restitution(restitution(bytes));
    disc.user_data = u64::from(kind);
    if kind & 1 == 0 {
        disc.velocity = small_vector(bytes);
    }
    if kind & 6 == 6 {
        disc.mass = mass(bytes);
    }
    if kind & 24 == 24 {
        disc.body.own = body(bytes);
        disc.body.roughness = roughness(bytes);
    }
    if kind & 32 == 32 {
        disc.extra = Spin::new(bytes.lattice());
    }
    match kind >> 6 {
        0 if bytes.below(2) == 0 => disc.with_sensor(),
        1 if bytes.below(2) == 0 => disc.kinematic(),
        2 if bytes.below(2) == 0 => disc.with_overlap(),
        _ => disc,
    }
}

fn surface(bytes: &mut Bytes<'_>) -> Wall<Option<Roughness>> {
    let plain = wall(bytes);
    let shape = match bytes.below(3) {
        0 => {
            let (pivot, length, radius) = (place(bytes), 0.25 + radius(bytes), 0.25 * radius(bytes));
            let radius = if bytes.below(4) == 0 { 0.0 } else { radius };
            WallShape::Arm { pivot, length, radius, angle: angle(bytes) }
        }
        _ => plain.shape,
    };
    let rough = Wall::new(shape).with_restitution(plain.restitution);
    rough.with_surface(roughness(bytes)).with_user_data(u64::from(bytes.byte()))
}

/// Of an arm, in radians.
fn angle(bytes: &mut Bytes<'_>) -> f64 {
    f64::from(bytes.byte()) / 32.0 - 4.0
}

/// Of an arm that turns, in radians per second.
fn rate(bytes: &mut Bytes<'_>) -> f64 {
    [0.5, 1.0, 4.0, 20.0, 100.0][bytes.below(5)]
}

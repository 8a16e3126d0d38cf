//! Slow presses: few discs in a corner, against which a wall, a lid or an arm closes in.
//!
//! At such speeds slips, openings and turns of a frame are as small as the tolerances of rest, and what is
//! wrong there costs events: a thousand pieces of motion in a frame in which nothing moves visibly.

use crate::heaps::{GRAVITY, Piled};
use carom_engine::{DVec2, Disc, Event, SchedulerKind, Settings, StopReason, Wall, WallId, World};
use carom_testkit::rng::Rng;

/// Frames a second, and of a press.
const RATE: f64 = 60.0;
const FRAMES: u32 = 180;
/// Of the mean radius: as for heaps.
const OVERLAP: f64 = 6e-6;
/// Events that a call may have.
const BUDGET: u64 = 20_000;
/// Events of a frame that are no bounces, above which it is busy: 20,000 a second.
pub const BUSY: u64 = 333;

/// What came of a press.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pressed {
    /// Discs in the corner.
    pub discs: usize,
    /// The most events of a frame that are no bounces, and which frame that is.
    pub pieces: (u64, u32),
    /// The most bounces of a frame: of discs that a wedge squeezes out, thousands.
    pub bounces: u64,
    /// The deepest overlap, as a fraction of the mean radius of the two.
    pub overlap: f64,
    /// Discs that had no room.
    pub crushed: usize,
}

/// What closes in.
#[derive(Clone, Copy)]
enum Mover {
    /// A wall that stands, and goes to the left.
    Piston,
    /// A wall that lies, and comes down.
    Lid,
    /// A bar hinged at the corner that turns down from a slope.
    Arm,
}

/// The press of a number.
///
/// # Panics
/// If a frame runs out of its budget, or an overlap is beyond the tolerance.
pub fn press<P: Piled>(number: u64) -> Pressed {
    let rng = &mut Rng::new(91_000_000 + number);
    let count = 1 + rng.below(6);
    let friction = rng.pick(&[0.0, 0.1, 0.3, 0.5, 1.0, f64::INFINITY]);
    let restitution = rng.pick(&[0.0, 0.2, 0.5]);
    let speed = 10.0_f64.powf(rng.range(-4.0, 0.0));
    let mover = rng.pick(&[Mover::Piston, Mover::Lid, Mover::Arm]);
    let scheduler = rng.pick(&[SchedulerKind::Table, SchedulerKind::Grid]);
    let settings = Settings::default().with_budget(BUDGET).with_scheduler(scheduler);
    let mut world =
        World::with_physics(P::new(-GRAVITY, [friction, 0.0]), settings).expect("settings in range");
    for normal in [DVec2::Y, DVec2::X] {
        let wall = Wall::half_plane(DVec2::ZERO, normal).with_surface(P::Surface::default());
        world.add_wall(wall.with_restitution(restitution)).expect("a wall in range");
    }
    let (mut x, mut top) = (0.0, 0.0_f64);
    for _ in 0..count {
        let radius = rng.pick(&[0.25, 0.5, rng.clone().range(0.15, 0.6)]);
        let is_above = x > 0.0 && rng.below(3) == 0;
        let place =
            DVec2::new(if is_above { x - radius } else { x + radius }, radius + top * f64::from(is_above));
        let disc = Disc::new(place, radius)
            .with_body(P::Body::default())
            .with_extra(P::spin(rng.pick(&[0.0, 0.0, 3.0])))
            .with_mass(rng.pick(&[1.0, 1.0, 0.1, 10.0]) * radius * radius)
            .with_restitution(restitution);
        if world.insert(disc).is_ok() && !is_above {
            x += 2.0 * radius;
        }
        top = top.max(place.y + radius);
    }
    let free = rng.pick(&[0.0, 1e-3, 0.05]);
    let wall = match mover {
        Mover::Piston => Wall::segment([x + free, 0.0], [x + free, 6.0]),
        Mover::Lid => Wall::segment([0.0, top + free], [x + 1.0, top + free]),
        Mover::Arm => {
            let slope = rng.range(0.3, 1.2).max(steepest(&world));
            Wall::arm([-0.1, 0.0], 2.0 * (x + top), 0.02, slope + free + 0.05)
        }
    };
    let wall = wall.with_restitution(restitution).with_surface(P::Surface::default());
    let id = world.add_wall(wall).expect("a mover in range");
    start(&mut world, id, mover, speed, x + top);
    run(&mut world, count)
}

/// The slope of the line from the hinge that is above all discs.
fn steepest<P: Piled>(world: &World<P>) -> f64 {
    let slope = |place: DVec2, radius: f64| {
        let from = place + DVec2::new(0.1, 0.0);
        from.y.atan2(from.x) + ((radius + 0.02) / from.length()).min(1.0).asin()
    };
    world.discs().map(|(_, disc)| slope(disc.position, disc.radius)).fold(0.0, f64::max)
}

fn start<P: Piled>(world: &mut World<P>, id: WallId, mover: Mover, speed: f64, size: f64) {
    let seconds = size / speed;
    let started = match mover {
        Mover::Piston => world.move_wall(id, [-size, 0.0], seconds),
        Mover::Lid => world.move_wall(id, [0.0, -size], seconds),
        Mover::Arm => world.turn_arm(id, 0.0, speed / size),
    };
    started.expect("a motion in range");
}

fn run<P: Piled>(world: &mut World<P>, discs: usize) -> Pressed {
    let mut pressed = Pressed { discs, ..Pressed::default() };
    for frame in 1..=FRAMES {
        let before = world.counters().events;
        let advance = world.advance_to(f64::from(frame) / RATE).expect("a time in range");
        assert_eq!(advance.end, StopReason::Reached, "frame {frame}");
        let is_crush = |event: &&Event<P::Change>| matches!(event, Event::Crushed { .. });
        pressed.crushed += world.events().iter().filter(is_crush).count();
        let bounces = crate::bounces(world.events());
        pressed.bounces = pressed.bounces.max(bounces);
        pressed.pieces = pressed.pieces.max((world.counters().events - before - bounces, frame));
        pressed.overlap = pressed.overlap.max(overlap(world));
        assert!(pressed.crushed > 0 || pressed.overlap < OVERLAP, "{:e} in {frame}", pressed.overlap);
    }
    pressed
}

/// Of two discs, or of one with the corner.
fn overlap<P: Piled>(world: &World<P>) -> f64 {
    let discs: Vec<_> = world.discs().map(|(_, disc)| (disc.position, disc.radius)).collect();
    let mut deepest = 0.0_f64;
    for (k, &(place, radius)) in discs.iter().enumerate() {
        deepest = deepest.max(1.0 - place.min_element() / radius);
        for &(other, size) in &discs[..k] {
            deepest = deepest.max((radius + size - place.distance(other)) / (0.5 * (radius + size)));
        }
    }
    deepest
}

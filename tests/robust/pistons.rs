//! Pistons, lifts and crushers that close in on discs: they give way, and time goes on.

use crate::common::at as v;
use crate::common::record::deepest_overlap_by;
use crate::common::rng::{Rng, cases};
use carom_engine::{
    DVec2, Disc, DiscId, Event, Forces, Physics, Rough, Roughness, Settings, StopReason, Wall, WallId, World,
};

/// A piston closes in at speed 1 on an elastic disc in front of a wall. It is made plastic after 64 impacts,
/// as between discs that close in, and the piston stops where there is no room, and says so.
#[test]
fn a_piston_pins_an_elastic_disc() {
    for gravity in [0.0, 10.0] {
        for speed in [0.0, 0.3, 3.0] {
            let what = format!("gravity {gravity}, speed {speed}");
            let forces = Forces::new().with_gravity([0.0, -gravity]).unwrap();
            let settings = Settings::default().with_budget(1000);
            let mut world = World::with_physics(forces, settings).unwrap();
            world.add_wall(Wall::segment([-3.0, 0.0], [3.0, 0.0])).unwrap();
            let piston = world.add_wall(Wall::segment([-3.0, 4.0], [3.0, 4.0])).unwrap();
            world.insert(Disc::new([0.0, 1.0], 0.5).with_velocity([0.0, speed])).unwrap();
            world.move_wall_until(piston, [0.0, -3.8], 3.8).unwrap();
            let end = world.advance(5.0).unwrap();
            assert!(end.end == StopReason::Reached && end.events <= 80, "{what}: {end:?}");
            let stopped = world.events().iter().filter_map(|event| match event {
                Event::WallBlocked { offset, .. } => Some(offset.y),
                _ => None,
            });
            let stopped: Vec<f64> = stopped.collect();
            assert!(stopped.len() == 1 && (stopped[0] + 3.0).abs() < 1e-9, "{what}: {stopped:?}");
        }
    }
}

/// An elastic ball that bounces on a lift which rises for long keeps its every bounce: nothing closes in on
/// it.
#[test]
fn a_lift_takes_no_bounce_from_a_ball() {
    let forces = Forces::new().with_gravity([0.0, -10.0]).unwrap();
    let mut world = World::with_physics(forces, Settings::default()).unwrap();
    let lift = world.add_wall(Wall::segment([-3.0, 0.0], [3.0, 0.0])).unwrap();
    let ball = world.insert(Disc::new([0.0, 1.5], 0.5).with_velocity([0.0, 1.0])).unwrap();
    world.move_wall_until(lift, [0.0, 100.0], 100.0).unwrap();
    let end = world.advance(99.0).unwrap();
    // In the frame of the lift it falls 1 m: a bounce takes 2 √(2/10) s.
    assert!(end.end == StopReason::Reached && end.events > 100, "{end:?}");
    let ball = world.get(ball).unwrap();
    let (height, speed) = (ball.position().y - 99.5, ball.velocity().y - 1.0);
    let energy = 10.0 * height + 0.5 * speed * speed;
    assert!((energy - 10.0).abs() < 1e-9, "{energy}");
    assert_eq!(world.counters().made_plastic, 0);
}

/// What is sent to and fro: to where, from where it is, and how fast.
enum Mover {
    Wall(WallId, DVec2, f64),
    Disc(DiscId, DVec2, f64),
}

impl Mover {
    fn send(&mut self, world: &mut World<Forces>) {
        let now = world.now().as_secs();
        let until = |way: DVec2, speed: f64| now + (way.length() / speed).max(0.01);
        match self {
            Mover::Wall(id, way, speed) => {
                let to = world.wall_motion(*id).unwrap().offset + *way;
                _ = world.move_wall_until(*id, to, until(*way, *speed));
                *way = -*way;
            }
            Mover::Disc(id, way, speed) => {
                let to = world.get(*id).unwrap().position() + *way;
                _ = world.move_to_until(*id, to, until(*way, *speed));
                *way = -*way;
            }
        }
    }
}

/// A room with discs, some with gravity, and up to three pistons, lifts and crushers.
fn room(rng: &mut Rng) -> (World<Forces>, Vec<Mover>) {
    let (width, height) = (rng.range(2.0, 8.0), rng.range(3.0, 8.0));
    let forces = Forces::new().with_gravity([0.0, -rng.pick(&[0.0, 2.0, 10.0, 10.0])]).unwrap();
    let mut world = World::with_physics(forces, Settings::default().with_budget(20_000)).unwrap();
    let [of_walls, of_discs] = [0, 1].map(|_| rng.pick(&[0.0, 0.3, 0.5, 0.9, 1.0]));
    let put_up =
        |world: &mut World<Forces>, wall: Wall| world.add_wall(wall.with_restitution(of_walls)).unwrap();
    put_up(&mut world, Wall::container(DVec2::ZERO, v(width, height)));
    if rng.chance(30) {
        put_up(&mut world, Wall::segment(v(0.0, rng.range(0.0, 1.5)), v(rng.range(0.0, width), 0.0)));
    }
    let mut movers = Vec::new();
    for _ in 0..1 + rng.below(3) {
        let (kind, is_wide, speed) = (rng.below(3), rng.chance(40), rng.range(0.2, 2.0));
        let y = if kind == 0 { rng.range(0.6, 1.0) } else { rng.range(0.0, 0.4) } * height;
        let narrow = [rng.range(0.0, 0.5) * width, rng.range(0.5, 1.0) * width];
        let [from, to] = if kind == 0 || is_wide { [0.0, width] } else { narrow };
        if kind < 2 {
            let wall = put_up(&mut world, Wall::segment(v(from, y), v(to, y)));
            let way = if kind == 0 { -rng.range(0.5, y) } else { rng.range(0.5, height - y) };
            movers.push(Mover::Wall(wall, v(0.0, way), speed));
        } else {
            let place = v(rng.range(0.15, 0.85) * width, rng.range(0.15, 0.85) * height);
            let crusher = Disc::new(place, rng.range(0.3, 1.2)).kinematic().with_restitution(of_discs);
            if let Ok(id) = world.insert(crusher) {
                let to = v(rng.range(0.0, width), rng.range(0.0, height));
                movers.push(Mover::Disc(id, to - place, speed));
            }
        }
    }
    for _ in 0..20 {
        let radius = rng.range(0.15, 0.5);
        let place = v(rng.range(radius, width - radius), rng.range(radius, height - radius));
        let disc = Disc::new(place, radius).with_velocity(rng.vector(2.0)).with_restitution(of_discs);
        _ = world.insert(disc.with_mass(rng.pick(&[1.0, 1.0, 0.1, 5.0])));
        if world.len() > 12 || rng.chance(10) {
            break;
        }
    }
    (world, movers)
}

/// Rooms in which discs are jammed that come to rest: pieces that were to close all their gaps had 10⁻⁸ s. In
/// the last one elastic discs bounced for ever in gaps of 10⁻¹⁰ that a piston had left them.
const JAMMED: [u64; 11] = [427, 1152, 1854, 2386, 2425, 6466, 6535, 6554, 6596, 9711, 331];

/// In random rooms with movers no second takes 20,000 events, and nothing overlaps.
#[test]
fn movers_that_close_in_never_stop_time() {
    let (mut crushed, mut blocked) = (0, 0);
    for case in (0..cases(40)).chain(JAMMED) {
        let rng = &mut Rng::new(case);
        let (mut world, mut movers) = room(rng);
        for second in 0..8 {
            for mover in &mut movers {
                if second % 4 == 0 || rng.chance(20) {
                    mover.send(&mut world);
                }
            }
            let end = world.advance(1.0).unwrap();
            assert_eq!(end.end, StopReason::Reached, "case {case}, second {second}: {end:?}");
            for event in world.events() {
                crushed += usize::from(matches!(event, Event::Crushed { .. }));
                blocked += usize::from(matches!(event, Event::WallBlocked { .. }));
            }
        }
        // Crushers pass through each other.
        let deepest = deepest_overlap_by(&world, |depth, discs| {
            if discs.iter().all(|(_, disc)| disc.kinematic) { f64::NEG_INFINITY } else { depth }
        });
        assert!(deepest < 1e-5, "case {case}: {deepest}");
        world.assert_well_formed();
    }
    println!("{crushed} crushed, {blocked} blocked");
    assert!(crushed > 0 && blocked > 0, "{crushed} {blocked}");
}

/// A press stops as soon as a disc that lies on a floor has no room, however slow it is: as far from the wall
/// opposite as the disc is wide. (Seen: below the speed at which discs come to rest, the disc sank into the
/// floor until it had fallen to that speed, in 2000 events.)
#[test]
fn a_slow_press_stops_at_once() {
    fn play<P>(physics: P, speed: f64)
    where
        P: Physics<Body: Default, Extra: Default, Surface: Default>,
    {
        let mut world = World::with_physics(physics, Settings::default()).unwrap();
        let soft = |place: [f64; 2], normal: [f64; 2]| {
            Wall::half_plane(place, normal).with_restitution(0.0).with_surface(P::Surface::default())
        };
        for wall in [soft([0.0, 0.0], [1.0, 0.0]), soft([0.0, 0.0], [0.0, 1.0])] {
            world.add_wall(wall).unwrap();
        }
        let press = world.add_wall(soft([0.6, 0.0], [-1.0, 0.0])).unwrap();
        let ball = Disc::new([0.2501, 0.25], 0.25).with_restitution(0.0).with_body(P::Body::default());
        let ball = world.insert(ball.with_extra(P::Extra::default())).unwrap();
        world.move_wall_until(press, [-0.3, 0.0], 0.3 / speed).unwrap();
        let mut events = 0;
        while events < 100 && world.step_event().events > 0 {
            events += 1;
            let place = world.get(ball).unwrap().position();
            assert!((place.y - 0.25).abs() < 1e-9, "{speed}: {place}");
        }
        let stopped = world.wall_motion(press).unwrap().offset;
        assert!((stopped.x + 0.1).abs() < 1e-9 && events < 10, "{speed}: {events} events, {stopped}");
    }
    for speed in [1e-4, 0.01, 0.02, 0.1, 1.0] {
        let forces = Forces::new().with_gravity([0.0, -10.0]).unwrap();
        play(forces, speed);
        play(Rough::new(forces, Roughness::new(0.5, 0.0).unwrap()), speed);
    }
}

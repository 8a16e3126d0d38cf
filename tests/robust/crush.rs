//! Unstoppable bodies that close in on what has no room: they give way, and the world's time goes on.

use carom_engine::{
    Advance, CrushRule, DVec2, Disc, DiscId, Event, Partner, Rules, SchedulerKind, Settings, StopReason,
    Wall, World,
};

use crate::common::rng::{Rng, cases};
use carom_testkit::at;

const INFINITE: f64 = f64::INFINITY;

fn reaches(end: Advance, what: &str) -> Advance {
    assert_eq!(end.end, StopReason::Reached, "{what}: {end:?}");
    end
}

fn crushes(world: &World) -> Vec<Event> {
    world.events().iter().filter(|event| matches!(event, Event::Crushed { .. })).copied().collect()
}

/// Position and velocity, to the last bit.
fn bits(world: &World, id: DiscId) -> [u64; 4] {
    let disc = world.get(id).unwrap().to_disc();
    [disc.position.x, disc.position.y, disc.velocity.x, disc.velocity.y].map(f64::to_bits)
}

/// A paddle drives pucks in a row against a wall, at 60 frames a second: at most 200 events a puck, in all.
/// It stops where they fill the space, and says so once, naming the puck that it presses on and the wall.
#[test]
fn a_paddle_pins_pucks() {
    for count in 1..=5_u32 {
        for e in [0.0, 0.1, 0.5, 0.9, 0.99, 0.999, 1.0] {
            let what = format!("{count} pucks, e = {e}");
            let mut world = World::new();
            let wall =
                world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::NEG_X).with_restitution(e)).unwrap();
            let paddle = Disc::new(at(-20.0, 0.0), 1.0).with_mass(INFINITE).with_velocity(DVec2::X);
            let paddle = world.insert(paddle.with_restitution(e)).unwrap();
            let pucks: Vec<DiscId> = (0..count)
                .map(|k| {
                    let puck = Disc::new(at(-2.0 - 3.0 * f64::from(k), 0.0), 1.0).with_restitution(e);
                    world.insert(puck.with_velocity(at(0.3 * f64::from(k), 0.0))).unwrap()
                })
                .collect();
            let (mut events, mut said) = (0, Vec::new());
            for _ in 0..60 * 30 {
                events += reaches(world.advance(1.0 / 60.0).unwrap(), &what).events;
                said.extend(crushes(&world));
            }
            assert!(events <= 200 * u64::from(count), "{what}: {events} events");
            assert_eq!(world.get(paddle).unwrap().velocity(), DVec2::ZERO, "{what}");
            let expected = -1.0 - 2.0 * f64::from(count);
            assert!((world.get(paddle).unwrap().position().x - expected).abs() < 1e-9, "{what}");
            let nearest = *pucks.last().unwrap();
            assert_eq!(said.len(), 1, "{what}: {said:?}");
            let Event::Crushed { body, by, against, impulse, velocity, .. } = said[0] else { unreachable!() };
            assert_eq!((body, by, impulse, velocity), (nearest, paddle, 1.0, DVec2::ZERO), "{what}");
            assert_eq!(against, Partner::Wall { wall, part: 0 }, "{what}");
            // Away it goes at once, and comes back.
            world.set_velocity(paddle, DVec2::NEG_X).unwrap();
            reaches(world.advance(1.0).unwrap(), &what);
            assert!((world.get(paddle).unwrap().position().x - expected + 1.0).abs() < 1e-9, "{what}");
        }
    }
}

fn jaw(x: f64, v: f64) -> Disc {
    Disc::new(at(x, 0.0), 0.5).with_mass(INFINITE).with_velocity(at(v, 0.0))
}

/// Two that close in stop; of two that go the same way the faster takes the slower's speed, and what is
/// between goes along; one at rest stays.
#[test]
fn jaws() {
    for (v, expected) in [
        ([1.0, -1.0], [0.0, 0.0]),
        ([3.0, -1.0], [0.0, 0.0]),
        ([3.0, 1.0], [1.0, 1.0]),
        ([-1.0, -3.0], [-1.0, -1.0]),
        ([1.0, 0.0], [0.0, 0.0]),
        ([1.0, 2.0], [1.0, 2.0]),
    ] {
        for e in [0.0, 0.5, 1.0] {
            let mut world = World::new();
            let ids = [jaw(-2.0, v[0]), Disc::new(DVec2::ZERO, 0.5), jaw(2.0, v[1])]
                .map(|disc| world.insert(disc.with_restitution(e)).unwrap());
            let end = reaches(world.advance(10.0).unwrap(), "jaws");
            assert!(end.events <= 200, "{v:?}, e = {e}: {end:?}");
            let velocities = ids.map(|id| world.get(id).unwrap().velocity());
            assert_eq!([velocities[0].x, velocities[2].x], expected, "{v:?}, e = {e}");
            let closes = v[0] > v[1];
            if closes {
                assert_eq!(velocities[1].x, expected[0], "{v:?}, e = {e}");
                let [a, b, c] = ids.map(|id| world.get(id).unwrap().position().x);
                assert!((b - a - 1.0).abs() < 1e-9 && (c - b - 1.0).abs() < 1e-9, "{v:?}, e = {e}");
                // What is taken away frees them.
                world.remove(ids[1]).unwrap();
                reaches(world.advance(0.25).unwrap(), "free");
                assert_eq!([0, 2].map(|k| world.get(ids[k]).unwrap().velocity().x), v, "{v:?}, e = {e}");
            }
        }
    }
}

/// A paddle moves on when what it pinned has slid out of its way, and not before: it passes behind it
/// without a touch.
#[test]
fn what_slides_away_frees_the_paddle() {
    let mut world = World::new();
    world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::NEG_X)).unwrap();
    let puck = world.insert(Disc::new(at(-1.0, 0.0), 1.0)).unwrap();
    let paddle = Disc::new(at(-5.0, 0.0), 1.0).with_mass(INFINITE).with_velocity(DVec2::X);
    let paddle = world.insert(paddle).unwrap();
    world.insert(Disc::new(at(-1.0, -9.0), 1.0).with_velocity(at(0.0, 1.0))).unwrap();
    // Pinned at 2 s; hit from below at 7 s; at speed 1 it is out of the way when its direction is at 45°,
    // √2 later.
    reaches(world.advance(2.5).unwrap(), "pinned");
    assert_eq!(world.get(paddle).unwrap().velocity(), DVec2::ZERO);
    let next = world.advance_to(8.0).unwrap();
    reaches(next, "hit");
    assert_eq!(world.get(puck).unwrap().velocity(), DVec2::Y);
    assert_eq!(world.get(paddle).unwrap().velocity(), DVec2::ZERO);
    reaches(world.advance_to(12.0).unwrap(), "free");
    assert_eq!(world.get(puck).unwrap().velocity(), DVec2::Y);
    let released = world.events().iter().find(|event| matches!(event, Event::Released { .. })).unwrap();
    assert!((released.time().as_secs() - 9.0).abs() < 1e-12, "{released:?}");
    world.assert_well_formed();
}

/// A paddle that a puck at a wall has stopped goes on at once where an edit makes way for it, and keeps what
/// it is given, also when the puck is gone: it takes nothing up that it wanted before.
#[test]
fn edits_of_what_is_pinned() {
    type Edit = fn(&mut World, DiscId, DiscId);
    let cases: [(&str, Edit, DVec2); 11] = [
        ("given a velocity", |world, paddle, _| world.set_velocity(paddle, DVec2::Y).unwrap(), DVec2::Y),
        ("stopped", |world, paddle, _| world.set_velocity(paddle, DVec2::ZERO).unwrap(), DVec2::ZERO),
        ("of finite mass", |world, paddle, _| world.set_mass(paddle, 1.0).unwrap(), DVec2::ZERO),
        ("all slower", |world, _, _| world.scale_velocities(0.5).unwrap(), DVec2::ZERO),
        ("smaller", |world, _, puck| world.set_radius(puck, 0.5).unwrap(), DVec2::X),
        ("elsewhere", |world, _, puck| world.set_position(puck, at(-1.0, -9.0)).unwrap(), DVec2::X),
        (
            "met by nothing",
            |world, _, puck| world.set_rules(puck, Rules::new().with_mask(0)).unwrap(),
            DVec2::X,
        ),
        ("passed through", |world, paddle, puck| world.exclude(paddle, puck).map(drop).unwrap(), DVec2::X),
        (
            "of another kind",
            |world, _, puck| world.set_rules(puck, Rules::new().with_membership(2)).unwrap(),
            DVec2::X,
        ),
        (
            "off and on the plane",
            |world, paddle, _| {
                [false, true].into_iter().for_each(|on| world.set_enabled(paddle, on).unwrap());
            },
            DVec2::ZERO,
        ),
        ("of infinite mass", |world, _, puck| world.set_mass(puck, INFINITE).unwrap(), DVec2::X),
    ];
    for (what, edit, expected) in cases {
        let mut world = World::new();
        world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::NEG_X)).unwrap();
        let puck = Disc::new(at(-1.0, 0.0), 1.0).with_rules(Rules::new().with_membership(1));
        let puck = world.insert(puck).unwrap();
        let paddle = Disc::new(at(-5.0, 0.0), 1.0).with_mass(INFINITE).with_velocity(DVec2::X);
        let paddle = world.insert(paddle.with_rules(Rules::new().with_mask(1))).unwrap();
        reaches(world.advance(2.5).unwrap(), what);
        assert_eq!(world.get(paddle).unwrap().velocity(), DVec2::ZERO, "{what}");
        edit(&mut world, paddle, puck);
        reaches(world.advance(0.25).unwrap(), what);
        assert_eq!(world.get(paddle).unwrap().velocity(), expected, "{what}");
        let freed = if what == "all slower" { at(0.5, 0.0) } else { expected };
        world.remove(puck).unwrap();
        reaches(world.advance(0.25).unwrap(), what);
        assert_eq!(world.get(paddle).unwrap().velocity(), freed, "{what}, and alone");
        world.assert_well_formed();
    }
}

/// A massless bullet between a disc and a wall: the disc passes over it, until they part; it never passes
/// the wall.
#[test]
fn a_bullet_stops_nothing() {
    for e in [0.0, 0.5, 0.9, 1.0] {
        let mut world = World::new();
        world.add_wall(Wall::container(DVec2::ZERO, at(100.0, 100.0)).with_restitution(e)).unwrap();
        let disc = Disc::new(at(5.0, 50.0), 1.0).with_velocity(DVec2::NEG_X).with_restitution(e);
        let disc = world.insert(disc).unwrap();
        let bullet = Disc::new(at(2.0, 50.0), 0.1).with_mass(0.0).with_velocity(DVec2::NEG_X);
        let bullet = world.insert(bullet.with_restitution(e)).unwrap();
        let end = reaches(world.advance(10.0).unwrap(), "bullet");
        assert!(end.events < 100, "e = {e}: {end:?}");
        let said = crushes(&world);
        assert_eq!(said.len(), 1, "e = {e}: {said:?}");
        assert!(matches!(said[0], Event::Crushed { body, by, .. } if body == bullet && by == disc));
        // The disc's own motion is that without a bullet.
        let place = world.get(disc).unwrap().position().x;
        assert!((place - if e > 0.0 { 1.0 + 6.0 * e } else { 1.0 }).abs() < 1e-9, "e = {e}: {place}");
        let place = world.get(bullet).unwrap().position().x;
        assert!((0.1 - 1e-12..=99.9).contains(&place), "e = {e}: {place}");
        world.assert_well_formed();
    }
}

/// With the other rule the world stops, and names the three.
#[test]
fn stopped_for_science() {
    let settings = Settings::default().with_crush(CrushRule::Stop);
    let mut world = World::with_settings(settings).unwrap();
    let wall = world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::NEG_X)).unwrap();
    let by = world.insert(jaw(-4.0, 1.0).with_restitution(0.5)).unwrap();
    let body = world.insert(Disc::new(at(-0.5, 0.0), 0.5).with_restitution(0.5)).unwrap();
    let against = Partner::Wall { wall, part: 0 };
    for _ in 0..3 {
        let end = world.advance(10.0).unwrap();
        assert_eq!(end.end, StopReason::Crushed { body, by, against }, "{end:?}");
        assert!((end.time.as_secs() - 2.5).abs() < 1e-6);
    }
    world.set_velocity(by, DVec2::ZERO).unwrap();
    reaches(world.advance(10.0).unwrap(), "edited");
}

/// With the other rule growth has no answer either where a row fills its box.
#[test]
fn growth_stops_where_there_is_no_room() {
    let mut world = World::with_settings(Settings::default().with_crush(CrushRule::Stop)).unwrap();
    world.add_wall(Wall::container(DVec2::ZERO, at(6.0, 9.0))).unwrap();
    for x in [1.0, 3.0, 5.0] {
        world.insert(Disc::new(at(x, 4.0), 1.0)).unwrap();
    }
    world.set_growth(0.01).unwrap();
    for _ in 0..2 {
        let end = world.advance(1.0).unwrap();
        assert_eq!((end.end, end.time.as_secs()), (StopReason::Jammed, 0.0));
    }
}

/// What a random world is made of, so that it can be made in another order, mirrored, or in part.
#[derive(Clone)]
struct Plan {
    /// Restitution of the box about the origin, if there is one.
    room: Option<f64>,
    /// Normal and restitution of a wall across the room.
    slope: Option<(DVec2, f64)>,
    discs: Vec<Disc>,
}

fn plan(rng: &mut Rng) -> Plan {
    let e = |rng: &mut Rng| rng.pick(&[0.0, 0.3, 0.7, 0.95, 1.0, 1.0]);
    let room = rng.chance(70).then(|| e(rng));
    let slope = rng.chance(40).then(|| (at(rng.range(-1.5, 1.5), 1.0).normalize(), e(rng)));
    let mut plan = Plan { room, slope, discs: Vec::new() };
    let is_round = rng.chance(50);
    let number = |rng: &mut Rng, size: f64| {
        let x = rng.range(-size, size);
        if is_round { (2.0 * x).round() / 2.0 } else { x }
    };
    // In a lane what closes in has something between.
    let is_lane = rng.chance(70);
    let kinds = [
        (INFINITE, 1 + rng.below(3)),
        (1.0, 1 + rng.below(6)),
        (0.0, rng.below(3)),
        (INFINITE, rng.below(2)),
    ];
    let mut world = plan.build(SchedulerKind::Table, &[], |v| v);
    for (k, &(mass, count)) in kinds.iter().enumerate() {
        for _ in 0..count {
            let radius = if mass == 0.0 { 0.1 } else { rng.pick(&[0.5, 0.5, 0.25, 1.0]) };
            let y =
                if is_lane { number(rng, 1.0) * rng.pick(&[0.0, 0.0, 0.0, 0.25]) } else { number(rng, 5.0) };
            let x = if k == 0 { rng.pick(&[-4.5, -3.5, 3.5, 4.5]) } else { number(rng, 3.0) };
            let place = at(x, y);
            let across = number(rng, 1.0) * rng.pick(&[0.0, 0.0, 1.0]);
            let velocity = match k {
                0 => at(-place.x.signum() * rng.pick(&[0.5, 1.0, 2.0]), across),
                3 => DVec2::ZERO,
                _ => at(number(rng, 2.0), across),
            };
            let mass = if mass == 1.0 { rng.pick(&[1.0, 1.0, 0.1, 7.0]) } else { mass };
            let disc = Disc::new(place, radius).with_mass(mass).with_velocity(velocity);
            let disc = disc.with_restitution(e(rng)).with_user_data(plan.discs.len() as u64);
            if world.insert(disc).is_ok() {
                plan.discs.push(disc);
            }
        }
    }
    plan
}

impl Plan {
    /// The world with discs inserted in this order, and all places and directions mapped.
    fn build(&self, scheduler: SchedulerKind, order: &[usize], map: fn(DVec2) -> DVec2) -> World {
        let mut world = World::with_settings(Settings::default().with_scheduler(scheduler)).unwrap();
        if let Some(e) = self.room {
            world.add_wall(Wall::container(at(-6.0, -6.0), at(6.0, 6.0)).with_restitution(e)).unwrap();
        }
        if let Some((normal, e)) = self.slope {
            world.add_wall(Wall::half_plane(map(at(0.0, -5.0)), map(normal)).with_restitution(e)).unwrap();
        }
        for &k in order {
            let Disc { position, velocity, .. } = self.discs[k];
            let disc = self.discs[k].with_position(map(position)).with_velocity(map(velocity));
            world.insert(disc).unwrap();
        }
        world
    }
}

/// All discs, by their labels.
fn all_states(world: &World, map: fn(DVec2) -> DVec2) -> Vec<(u64, DVec2, DVec2)> {
    let states = world.discs().map(|(_, disc)| (disc.user_data, map(disc.position), map(disc.velocity)));
    let mut all: Vec<_> = states.collect();
    all.sort_unstable_by_key(|&(label, ..)| label);
    all
}

/// Random worlds in which infinite masses drive pucks and bullets against walls and each other: every call
/// reaches its time, with a bound on the events. Discs inserted in another order and mirror images are the
/// same to the last bit, by table and by grid. That saved worlds are too, and time cut into calls, random
/// games show (`crates/carom-fuzz/tests/games.rs`).
#[test]
fn random_jams() {
    let mut rng = Rng::new(21);
    let (mut crushed, mut released, mut most) = (0, 0, 0);
    for case in 0..cases(150) {
        let plan = plan(&mut rng);
        let order: Vec<usize> = (0..plan.discs.len()).collect();
        let mut world = plan.build(SchedulerKind::Table, &order, |v| v);
        let [kept, across, exchanged]: [fn(DVec2) -> DVec2; 3] = [|v| v, |v| at(-v.x, v.y), |v| at(v.y, v.x)];
        let mut others =
            [(SchedulerKind::Grid, kept), (SchedulerKind::Grid, across), (SchedulerKind::Table, exchanged)]
                .map(|(by, map)| (plan.build(by, &rng.permutation(order.len()), map), map));
        for frame in 0..12 {
            let what = format!("case {case}, frame {frame}");
            let end = world.advance(1.0).unwrap();
            assert_eq!(end.end, StopReason::Reached, "{what}: {end:?} {:?}", world.counters());
            most = most.max(end.events / plan.discs.len() as u64);
            let count = |is: fn(&Event) -> bool| world.events().iter().filter(|event| is(event)).count();
            crushed += count(|event| matches!(event, Event::Crushed { .. }));
            released += count(|event| matches!(event, Event::Released { .. }));
            for (k, (other, map)) in others.iter_mut().enumerate() {
                // But for the signs of zeros.
                other.advance(1.0).unwrap();
                assert_eq!(all_states(other, *map), all_states(&world, |v| v), "{what}, order {k}");
            }
            world.assert_well_formed();
        }
    }
    println!("{crushed} crushed, {released} released, at most {most} events a disc and second");
    assert!(crushed > 40 && released > 0, "{crushed} {released}");
    assert!(most <= 200, "{most} events a disc and second");
}

/// What is far from a jam goes on as if there were none, to the last bit.
#[test]
fn bystanders() {
    let mut rng = Rng::new(22);
    for case in 0..cases(30) {
        let mut plan = plan(&mut rng);
        (plan.room, plan.slope) = (None, None);
        let order: Vec<usize> = (0..plan.discs.len()).collect();
        let far = at(1000.0, 3.0);
        let pucks: Vec<Disc> = (0..6)
            .map(|k| {
                let place = far + at(3.0 * f64::from(k % 3), 3.0 * f64::from(k / 3)) + rng.vector(0.9);
                Disc::new(place, 0.5).with_velocity(rng.vector(2.0)).with_user_data(1000)
            })
            .collect();
        let corners = [at(-2.0, -2.0), at(9.0, -2.0), at(9.0, 6.0), at(-2.0, 6.0), at(-2.0, -2.0)];
        let mut worlds = [&order[..], &[]].map(|order| {
            let mut world = plan.build(SchedulerKind::Table, order, |v| v);
            world.add_wall(Wall::polyline(&corners.map(|p| far + p))).unwrap();
            for &puck in &pucks {
                world.insert(puck).unwrap();
            }
            world
        });
        for _ in 0..6 {
            let [bits_a, bits_b] = worlds.each_mut().map(|world| {
                world.advance(1.0).unwrap();
                let pucks = world.discs().filter(|(_, disc)| disc.user_data == 1000);
                pucks.map(|(id, _)| bits(world, id)).collect::<Vec<_>>()
            });
            assert_eq!(bits_a, bits_b, "case {case}");
        }
    }
}

/// Games at 60 frames a second: paddles driven to and fro at pucks, and bullets. No call stops, or takes
/// more than a bound.
#[test]
fn games_without_a_stop() {
    let mut rng = Rng::new(23);
    let mut world = World::new();
    world.add_wall(Wall::container(DVec2::ZERO, at(20.0, 12.0)).with_restitution(0.9)).unwrap();
    let paddles: Vec<DiscId> = [4.0, 16.0]
        .iter()
        .map(|&x| world.insert(Disc::new(at(x, 6.0), 1.0).with_mass(INFINITE).with_user_data(1)).unwrap())
        .collect();
    let pucks: Vec<DiscId> = (0..6)
        .map(|k| {
            let place = at(7.0 + f64::from(k), 2.0 + 1.5 * f64::from(k));
            let puck = Disc::new(place, 0.5).with_velocity(rng.vector(4.0)).with_restitution(0.95);
            world.insert(puck).unwrap()
        })
        .collect();
    let (mut bullets, mut crushed, mut most): (Vec<DiscId>, usize, u64) = (Vec::new(), 0, 0);
    for frame in 0..cases(5000) {
        for (k, &paddle) in paddles.iter().enumerate() {
            // Driven by a player, at a puck, which is often at a wall.
            if frame % 20 == 10 * k as u64 {
                let puck = pucks[rng.below(pucks.len())];
                let velocity =
                    (world.get(puck).unwrap().position() - world.get(paddle).unwrap().position()) * 4.0;
                world.set_velocity(paddle, velocity).unwrap();
            }
        }
        if frame % 7 == 0 {
            let place = at(rng.range(1.0, 19.0), rng.range(1.0, 11.0));
            let bullet =
                Disc::new(place, 0.1).with_mass(0.0).with_velocity(rng.vector(20.0)).with_restitution(0.9);
            bullets.extend(world.insert(bullet));
        }
        if bullets.len() > 12 {
            world.remove(bullets.remove(0)).unwrap();
        }
        let end = reaches(world.advance(1.0 / 60.0).unwrap(), "game");
        most = most.max(end.events);
        crushed += crushes(&world).len();
    }
    println!("{crushed} crushed, at most {most} events in a frame");
    assert!(crushed > 10, "{crushed}");
    assert!(most <= 1000, "{most} events in a frame");
}

/// Rules that only leave out more, for a disc that passes over a tracer: its path is that of before, and the
/// two do not meet at a time that is past.
#[test]
fn new_rules_do_not_end_the_passing_over_a_tracer() {
    let run = |of_disc: Option<u32>, of_tracer: Option<u32>| {
        let mut world = World::new();
        world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::Y).with_restitution(0.0)).unwrap();
        let tracer = Disc::new(at(0.0, 0.5), 0.5).with_mass(0.0).with_restitution(0.0);
        let tracer = world.insert(tracer).unwrap();
        let disc = Disc::new(at(0.0, 4.0), 1.0).with_velocity(at(0.0, -1.0)).with_restitution(0.0);
        let disc = world.insert(disc).unwrap();
        reaches(world.advance(2.25).unwrap(), "onto the tracer");
        assert_eq!(crushes(&world).len(), 1);
        world.set_velocity(disc, at(0.0, -0.5)).unwrap();
        reaches(world.advance(0.25).unwrap(), "over it");
        for (id, membership) in [(disc, of_disc), (tracer, of_tracer)] {
            if let Some(membership) = membership {
                world.set_rules(id, Rules::new().with_membership(membership)).unwrap();
            }
        }
        world.assert_well_formed();
        reaches(world.advance(4.0).unwrap(), "after the rules");
        world.assert_well_formed();
        [bits(&world, disc), bits(&world, tracer)]
    };
    let without = run(None, None);
    for rules in [(Some(1), None), (None, Some(2)), (Some(1), Some(2))] {
        assert_eq!(run(rules.0, rules.1), without, "{rules:?}");
    }
}

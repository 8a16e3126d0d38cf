//! Closed rooms of any outline hold their discs.

use crate::common::rng::{Rng, cases};
use crate::outline_rooms::{Bend, Part, Room, one_of, random_room};
use carom_engine::{DVec2, Disc, DiscId, StopReason, Wall, World};

/// Adds a room's parts as walls: one by one in some order, or as shapes where that is possible.
fn add_walls(rng: &mut Rng, room: &Room, w: &mut World) {
    let is_polygon = room.parts.iter().all(|part| matches!(part, Part::Line(..)));
    let mut walls = Vec::new();
    let one_sided = rng.pick(&[0, 0, 100, 50]);
    let points: Vec<DVec2> = room.parts.iter().map(|part| part.ends()[0]).collect();
    if is_polygon && rng.chance(40) {
        walls.push(match rng.below(3) {
            0 => Wall::polygon(&points),
            1 => Wall::polygon(&points.iter().rev().copied().collect::<Vec<_>>()),
            _ => {
                let mut closed = points.clone();
                closed.push(points[0]);
                Wall::polyline(&closed)
            }
        });
    } else {
        for k in rng.permutation(room.parts.len()) {
            walls.push(match room.parts[k] {
                Part::Line(a, b) if rng.chance(one_sided) => Wall::one_sided_segment(a, b),
                Part::Line(a, b) if rng.chance(50) => Wall::segment(b, a),
                Part::Line(a, b) => Wall::segment(a, b),
                Part::Bend(Bend { center, radius, start, sweep, .. }) => {
                    Wall::arc(center, radius, start, sweep)
                }
            });
        }
    }
    for wall in walls {
        w.add_wall(wall).unwrap();
    }
}

/// A disc in a room: on its outline, or anywhere.
fn random_disc(rng: &mut Rng, room: &Room, others: &[Disc], masses: &[f64], is_alone: bool) -> Option<Disc> {
    let part = &room.parts[rng.below(room.parts.len())];
    let round = match part {
        Part::Bend(bend) if bend.hollow => bend.radius,
        _ => room.size,
    };
    let r = match rng.below(12) {
        0..4 => 0.0,
        4 => room.size / 8.0,
        5 => round * rng.pick(&[0.5, 0.25, 0.75]),
        _ => room.size * one_of(rng, &[0.125, 0.01, 0.05, 0.0625], 0.001, 0.2),
    };
    let s = if rng.chance(30) { 0.5 } else { rng.range(0.02, 0.98) };
    let (foot, tangent) = part.place(s);
    let inwards = tangent.perp();
    let free = rng.chance(20);
    let nudge = rng.pick(&[0.0, 0.0, f64::EPSILON, -f64::EPSILON]) * room.scale;
    // A point that rounding may have put on the far side of a wall runs along it into corners that stop it on
    // the near side. Any other one is on the near side: an arc that goes on tangent from the wall stops
    // nothing, and a point whose line passes outside of it, if only by an ulp, is right to stay outside.
    // Nor is it pressed through the wall by another disc.
    let has_stops = room.is_convex() && !room.has_tangent_arcs();
    let may_be_behind = rng.chance(50) && matches!(part, Part::Line(..)) && has_stops && is_alone;
    let nudge = if r == 0.0 && !may_be_behind { 64.0 * f64::EPSILON * room.scale } else { nudge };
    let at = foot + inwards * if free { rng.range(0.0, 0.5) * room.size } else { r + nudge };
    let along = if rng.chance(50) { tangent } else { -tangent };
    let tilts = [0.0, 0.0, 0.0, 1e-16, -1e-16, 1e-12, -1e-9, 1e-6, -1e-3, 0.5, -0.5];
    let tilt = if free { rng.range(-3.0, 3.0) } else { one_of(rng, &tilts, -3.0, 3.0) };
    let tilt = if r == 0.0 && may_be_behind && !free { 0.0 } else { tilt };
    let velocity = (along - inwards * tilt) * rng.pick(&[1.0, 0.84, 3.0]) * room.size;
    let e = one_of(rng, &[0.0, 0.0, 0.5, 1.0, 1.0], 0.0, 1.0);
    let mass = rng.pick(masses);
    let beside = others.iter().all(|other| other.position.distance(at) > other.radius + r);
    let fits = room.outside(at, r) <= 4.0 * f64::EPSILON * room.scale;
    // A disc that just fits between two walls slides along neither.
    let beside_it =
        room.parts.iter().filter(|other| !core::ptr::eq(*other, part)).map(|part| part.distance(at));
    let fits = fits && (r == 0.0 || !beside_it.into_iter().any(|distance| distance < r + 1e-6 * room.size));
    let fits = fits && !(r == 0.0 && free && room.distance(at) < 1e-12 * room.scale);
    // The ends of arcs are computed from angles: those of large ones miss what a small room has there by more
    // than counts as touching, and points get through.
    let fits = fits && !(r == 0.0 && room.has_flat_arcs());
    let disc = Disc::new(at, r).with_velocity(velocity).with_restitution(e).with_mass(mass);
    (fits && beside).then(|| disc.with_overlap())
}

/// A random room with its walls and a few discs in it, if there is one with a disc.
fn furnished(rng: &mut Rng) -> Option<(Room, World)> {
    let room = random_room(rng)?;
    let mut world = World::new();
    add_walls(rng, &room, &mut world);
    let mut discs = Vec::new();
    // One alone has any mass. Of several none is crushed: they are alike, and those without mass do not meet.
    let count = rng.pick(&[1, 1, 1, 2, 3]);
    let mass = rng.pick(&[0.0, 1.0]);
    let masses = if count == 1 { &[0.0, 1.0, 1.0, f64::INFINITY][..] } else { &[mass][..] };
    for _ in 0..count {
        discs.extend(random_disc(rng, &room, &discs, masses, count == 1));
    }
    for disc in &discs {
        world.insert(*disc).unwrap();
    }
    (!discs.is_empty()).then_some((room, world))
}

/// Discs of all kinds on the walls of rooms of all kinds are inside at the end.
#[test]
fn rooms_of_any_outline_hold_their_discs() {
    let cases = cases(800);
    let (mut slides, mut storms, mut skipped) = (0, 0, 0);
    for seed in 0..cases {
        println!("seed {seed}");
        let rng = &mut Rng::new(seed);
        let Some((room, mut world)) = furnished(rng) else {
            skipped += 1;
            continue;
        };
        let discs: Vec<(DiscId, Disc)> = world.discs().collect();
        // Elastic discs that bounce along a curve at more than 2⁻²⁰ rad, where they do not slide yet, have up
        // to 3 · 10⁶ impacts a turn.
        let may_storm = room.has_hollows() && discs.iter().any(|(_, disc)| disc.restitution == 1.0);
        world.set_budget(if may_storm { 10_000 } else { 100_000 });
        world.set_record_events(false);
        let touching = 64.0 * f64::EPSILON * room.scale;
        for step in 0..6 {
            let end = world.advance(1.0 + rng.unit()).unwrap();
            let what = format!("seed {seed} step {step}, {end:?} {:?}\n{room:?}", world.counters());
            for (id, disc) in &discs {
                let now = world.get(*id).unwrap().to_disc();
                let out = room.outside(now.position, disc.radius);
                assert!(out <= 1e-9 * disc.radius + touching, "{out:e} outside: {disc:?} {now:?}, {what}");
            }
            if end.end != StopReason::Reached {
                assert!(may_storm, "the budget is used up, {what}");
                storms += 1;
                break;
            }
        }
        slides += world.counters().slides;
    }
    let sum = format!("{slides} slides, {storms} storms, {skipped} skipped");
    assert!(slides > cases && 2 * skipped < cases && 20 * storms < cases, "{sum}");
}

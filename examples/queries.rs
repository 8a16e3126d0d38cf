//! A turret among drifting rocks: what queries are for in a game. Nothing here changes the world.
//!
//! `cargo run --release --example queries`

use carom::{CastOptions, DVec2, Disc, DiscId, Error, Nearest, Partner, QueryFilter, Ray, Wall, World};

const ROCKS: u32 = 1 << 0;
const SHIPS: u32 = 1 << 1;
const SHELL_SPEED: f64 = 12.0;
const SHELL_RADIUS: f64 = 0.1;

/// A box with rocks that drift, a wall to hide behind, and the turret.
fn arena() -> Result<(World, DiscId), Error> {
    let mut world = World::new();
    world.add_wall(Wall::container([-20.0, -12.0], [20.0, 12.0]))?;
    world.add_wall(Wall::segment([5.5, -4.0], [5.5, 2.0]))?;
    for k in 0..24 {
        let (column, row) = (f64::from(k % 6), f64::from(k / 6));
        let place = DVec2::new(6.0 * column - 15.5, 6.0 * row - 9.0);
        let drift = DVec2::from_angle(2.4 * f64::from(k)) * (1.0 + 0.1 * f64::from(k));
        let rock = Disc::new(place, 0.5 + 0.1 * f64::from(k % 4)).with_velocity(drift);
        world.insert(rock.with_groups(ROCKS, !0))?;
    }
    let turret = Disc::new([0.0, 0.0], 0.8).with_mass(f64::INFINITY).with_groups(SHIPS, !0);
    let turret = world.insert(turret)?;
    Ok((world, turret))
}

/// The rocks that are nearest to a place, nearest first.
fn radar(world: &World, place: DVec2, targets: &mut Vec<Nearest>) -> Result<(), Error> {
    let rocks = QueryFilter::new().only_discs().with_groups(!0, ROCKS);
    world.nearest(place, 5, &rocks, targets)
}

/// Whether nothing is between the turret and a rock.
fn sees(world: &World, turret: DiscId, from: DVec2, rock: DiscId, at: DVec2) -> Result<bool, Error> {
    let hit = world.cast_ray(&Ray::between(from, at), &QueryFilter::new().excluding(turret))?;
    Ok(hit.is_some_and(|hit| hit.body == Partner::Disc(rock)))
}

/// The direction in which a shell meets a rock that flies on as it does: the solution of |d + v t| = s t.
fn lead(d: DVec2, v: DVec2) -> DVec2 {
    let (a, b, c) = (SHELL_SPEED * SHELL_SPEED - v.length_squared(), d.dot(v), d.length_squared());
    let t = (b + (b * b + a * c).sqrt()) / a;
    (d + v * t) / (SHELL_SPEED * t)
}

fn main() -> Result<(), Error> {
    let (mut world, turret) = arena()?;
    let (mut targets, mut reached) = (Vec::new(), Vec::new());
    for second in 0..4 {
        let place = world.get(turret).map(|turret| turret.position()).unwrap_or_default();
        println!("t = {second} s");
        radar(&world, place, &mut targets)?;
        for target in &targets {
            let Some(rock) = target.body.disc().and_then(|id| world.get(id)) else { continue };
            let (d, v) = (rock.position() - place, rock.velocity());
            if !sees(&world, turret, place, rock.id(), rock.position())? {
                println!("  {} at {:.2}: out of sight", rock.id(), target.distance);
                continue;
            }
            // Where would a shell go, and would it be the rock that it meets? All go on as they do now.
            let shell = Disc::new(place, SHELL_RADIUS).with_velocity(lead(d, v) * SHELL_SPEED);
            let others = QueryFilter::new().excluding(turret);
            let Some(hit) = world.cast_disc(&shell, &CastOptions::new(), &others)? else { continue };
            let verdict = if hit.body == target.body { "hit" } else { "another is in the way" };
            println!(
                "  {} at {:.2}: {verdict}, in {:.3} s at ({:.2}, {:.2})",
                rock.id(),
                target.distance,
                hit.seconds,
                hit.point.x,
                hit.point.y
            );
            // Who else would feel the blast?
            world.overlap_disc(hit.point, 3.0, &QueryFilter::new().only_discs(), &mut reached)?;
            println!("    discs within 3 of that place now: {}", reached.len());
        }
        world.advance(1.0)?;
    }
    Ok(())
}

//! Shots on a cloth, by a physics of the test's own: balls that slide, roll and stop, with spin about axes in
//! the plane. Against closed forms.
//!
//! The laws are those of G. Coriolis, Théorie mathématique des effets du jeu de billard (1835), as in
//! D. Alciatore's technical proofs (TP), billiards.colostate.edu: the point that touches the cloth slips at
//! `u = v − ω × R ẑ`; while it slips, friction `μ m g` acts against u, so that `v′ = −μ g û` and, with the
//! moment of inertia ⅖ m R², `u′ = −(7/2) μ g û`: the direction of u stays, and u is 0 after `2|u|/(7 μ g)`.
//! The angular momentum about the line of contact does not change, so a ball then rolls at
//! `(5 v + 2 R ω × ẑ)/7`, which depends on neither μ nor g.

use crate::common::toys::{Extra, Laws, Rover, Which};
use carom_engine::{DVec2, Disc, DiscId, Event, Settings, State, World};

/// What a ball does, its `count`. Its `vector` is the speed that rolling with its spin would have: `R ω × ẑ`.
const SLIDING: u32 = 0;
const ROLLING: u32 = 1;

/// How that changes.
const ROLLS: u8 = 0;
const STOPS: u8 = 1;

/// Friction on the cloth, as accelerations: that of balls that roll is the strength of the laws. The balls
/// are smooth: in an impact the spins stay, and both slide.
const SLIDES: f64 = 0.2 * 9.81;
const CLOTH: f64 = 0.01 * 9.81;
/// Rolls without slowing down, so that it is known how fast a ball hits.
const GLIDING: f64 = 1e-20;

fn slowing(rolling: f64, state: &State<Extra>) -> DVec2 {
    let along = |v: DVec2| if v == DVec2::ZERO { v } else { v / v.length() };
    match state.extra.count {
        SLIDING => SLIDES * along(state.velocity - state.extra.vector),
        ROLLING => rolling * along(state.velocity),
        _ => DVec2::ZERO,
    }
}

const BILLIARDS: Laws = Laws {
    acceleration: |rolling, _, state| -slowing(rolling, state),
    evolve: |rolling, _, state, dt| {
        let roll = match state.extra.count {
            SLIDING => state.extra.vector + 2.5 * slowing(rolling, state) * dt,
            ROLLING => state.velocity - slowing(rolling, state) * dt,
            _ => DVec2::ZERO,
        };
        Extra { vector: roll, ..state.extra }
    },
    next_change: |rolling, _, state| match state.extra.count {
        SLIDING => Some(((state.velocity - state.extra.vector).length() / (3.5 * SLIDES), ROLLS)),
        ROLLING => Some((state.velocity.length() / rolling, STOPS)),
        _ => None,
    },
    change: |_, change, _, state| match change {
        ROLLS => state.extra = Extra { vector: state.velocity, ..Extra::count(ROLLING) },
        _ => (state.velocity, state.extra) = (DVec2::ZERO, RESTING),
    },
    pair: |_, _, _, a, b| (a.extra.count, b.extra.count) = (SLIDING, SLIDING),
    ..Laws::NONE
};

const RADIUS: f64 = 0.028_575;

type Table = World<Rover>;

fn table(rolling: f64) -> Table {
    let cloth = Rover { which: Which::Own(&BILLIARDS), strength: rolling };
    World::with_physics(cloth, Settings::default()).unwrap()
}

/// Puts a ball on the table.
fn ball(world: &mut Table, position: DVec2, velocity: DVec2, spin: Extra, restitution: f64) -> DiscId {
    let disc = Disc::new(position, RADIUS).with_extra(spin);
    world.insert(disc.with_velocity(velocity).with_restitution(restitution)).unwrap()
}

fn along(x: f64) -> DVec2 {
    DVec2::new(x, 0.0)
}

fn sliding(roll: f64) -> Extra {
    Extra { vector: along(roll), ..Extra::count(SLIDING) }
}

fn rolling(speed: f64) -> Extra {
    Extra { vector: along(speed), ..Extra::count(ROLLING) }
}

const RESTING: Extra = Extra { vector: DVec2::ZERO, amount: 0.0, count: 2 };

/// Advances to an event of a ball: that change, or an impact if there is none.
fn until(world: &mut Table, id: DiscId, change: Option<u8>) -> f64 {
    let ended = world.advance_until_event(100.0, |event| match *event {
        Event::Impact(impact) => change.is_none() && impact.involves(id),
        Event::Change { disc, change: found, .. } => disc == id && change == Some(found),
        _ => false,
    });
    assert_eq!(ended.unwrap().end, carom_engine::StopReason::Stopped, "{change:?}");
    world.now().as_secs()
}

fn assert_near(value: f64, expected: f64, what: &str) {
    assert!((value - expected).abs() <= 1e-12 * expected.abs(), "{what}: {value} instead of {expected}");
}

fn at(world: &Table, id: DiscId) -> (DVec2, DVec2, Extra) {
    let ball = world.get(id).unwrap();
    (ball.position(), ball.velocity(), ball.extra())
}

/// A ball that is pushed at v without spin slips at v: it rolls after 2v/(7 μ g), at 5/7 of the speed, having
/// gone `v t − ½ μ g t² = 12 v²/(49 μ g)` (TP 4.1); and stops `v²/(2 μ_r g)` further on.
#[test]
fn a_ball_slides_and_then_rolls_at_five_sevenths_of_its_speed() {
    for speed in [0.3, 1.0, 2.5, 8.0] {
        let mut world = table(CLOTH);
        let id = ball(&mut world, DVec2::ZERO, along(speed), sliding(0.0), 1.0);
        let time = until(&mut world, id, Some(ROLLS));
        assert_near(time, 2.0 * speed / (7.0 * SLIDES), "time");
        let (place, velocity, spin) = at(&world, id);
        assert_near(velocity.x, 5.0 / 7.0 * speed, "speed");
        assert_near(place.x, 12.0 * speed * speed / (49.0 * SLIDES), "distance");
        assert_eq!(spin, rolling(velocity.x));
        let stops = until(&mut world, id, Some(STOPS));
        assert_near(stops, time + velocity.x / CLOTH, "end");
        let (end, velocity, spin) = at(&world, id);
        assert_near(end.x, place.x + 25.0 / 49.0 * speed * speed / (2.0 * CLOTH), "way");
        assert_eq!((velocity, spin, world.next_event()), (DVec2::ZERO, RESTING, None));
    }
}

/// A ball with the spin ω that stands slips at R ω: it rolls after 2 R ω/(7 μ g), at 2/7 of R ω, having gone
/// `½ μ g t² = 2 R² ω²/(49 μ g)`.
#[test]
fn a_ball_that_only_spins_sets_off_at_two_sevenths() {
    for roll in [-3.0, 0.4, 5.0] {
        let mut world = table(CLOTH);
        let id = ball(&mut world, DVec2::ZERO, DVec2::ZERO, sliding(roll), 1.0);
        let time = until(&mut world, id, Some(ROLLS));
        assert_near(time, 2.0 * roll.abs() / (7.0 * SLIDES), "time");
        let (place, velocity, _) = at(&world, id);
        assert_near(velocity.x, 2.0 / 7.0 * roll, "speed");
        assert_near(place.x, 2.0 * roll * roll.abs() / (49.0 * SLIDES), "distance");
    }
}

/// A stop shot: struck at v with back spin `R ω = −s v`, which is gone after `t = ⅖ s v/(μ g)`, when the ball
/// is slower by ⅖ s v. If it hits another one then, head-on and elastically, it stops dead, and the other one
/// leaves at (1 − ⅖ s) v without spin, to roll at 5/7 of that.
#[test]
fn a_stop_shot_stops_dead() {
    for (speed, part) in [(1.5, 0.5), (3.0, 1.0), (5.0, 0.2)] {
        let gone = 0.4 * part * speed / SLIDES;
        let way = speed * gone - 0.5 * SLIDES * gone * gone;
        let mut world = table(CLOTH);
        let cue = ball(&mut world, DVec2::ZERO, along(speed), sliding(-part * speed), 1.0);
        let object = ball(&mut world, along(way + 2.0 * RADIUS), DVec2::ZERO, RESTING, 1.0);
        assert_near(until(&mut world, cue, None), gone, "impact");
        let (place, velocity, spin) = at(&world, cue);
        assert_eq!(velocity, DVec2::ZERO);
        // Of a spin that is the difference of two of this size.
        assert!(spin.vector.length() <= 1e-14 * speed, "{spin:?}");
        let (_, hit, _) = at(&world, object);
        assert_near(hit.x, (1.0 - 0.4 * part) * speed, "object ball");
        let time = until(&mut world, object, Some(ROLLS));
        assert_near(time - gone, 2.0 * hit.x / (7.0 * SLIDES), "slide");
        assert_near(at(&world, object).1.x, 5.0 / 7.0 * hit.x, "roll");
        assert!((at(&world, cue).0 - place).length() <= 1e-14);
    }
}

/// A follow shot: a ball that rolls at v hits another one head-on, and keeps its spin and (1 − e)/2 of its
/// speed. So it rolls on at `(5 (1 − e)/2 + 2) v/7`, 2/7 of v at e = 1 (TP A.16), after slipping at
/// (1 + e)/2 v; the other one leaves at (1 + e)/2 v and rolls at 5/7 of that.
#[test]
fn a_follow_shot_follows_at_two_sevenths() {
    for (speed, e) in [(1.0, 1.0), (2.0, 1.0), (2.0, 0.95), (4.0, 0.5)] {
        let mut world = table(GLIDING);
        let cue = ball(&mut world, DVec2::ZERO, along(speed), rolling(speed), e);
        let object = ball(&mut world, along(1.0 + 2.0 * RADIUS), DVec2::ZERO, RESTING, e);
        let hit = until(&mut world, cue, None);
        assert_near(hit, 1.0 / speed, "impact");
        let slip = 0.5 * (1.0 + e) * speed;
        let rolls = until(&mut world, cue, Some(ROLLS));
        assert_near(rolls - hit, 2.0 * slip / (7.0 * SLIDES), "slide");
        let (place, velocity, _) = at(&world, cue);
        assert_near(velocity.x, (2.5 * (1.0 - e) + 2.0) * speed / 7.0, "speed");
        let time = rolls - hit;
        let way = 0.5 * (1.0 - e) * speed * time + 0.5 * SLIDES * time * time;
        assert_near(place.x, 1.0 + way, "place");
        // It slipped as fast, so that it rolls at the same moment, of which the order is the discs'.
        world.advance(1e-9).unwrap();
        let (_, velocity, spin) = at(&world, object);
        assert_eq!(spin.count, ROLLING);
        assert_near(velocity.x, 5.0 / 7.0 * slip, "object ball");
    }
}

/// A draw shot: with back spin −R ω left as it hits head-on and elastically a ball comes back, at 2/7 of R ω.
/// Struck at v with `R ω = −s v`, it has at t before it rolls the speed `v − μ g t` and
/// `R ω = −s v + (5/2) μ g t`.
#[test]
fn a_draw_shot_draws_back() {
    for (speed, part, share) in [(2.0, 1.0, 0.2), (4.0, 1.25, 0.5), (1.0, 0.4, 0.7)] {
        let gone = share * 0.4 * part * speed / SLIDES;
        let way = speed * gone - 0.5 * SLIDES * gone * gone;
        let left = (1.0 - share) * part * speed;
        let mut world = table(CLOTH);
        let cue = ball(&mut world, DVec2::ZERO, along(speed), sliding(-part * speed), 1.0);
        ball(&mut world, along(way + 2.0 * RADIUS), DVec2::ZERO, RESTING, 1.0);
        let hit = until(&mut world, cue, None);
        assert_near(hit, gone, "impact");
        assert_near(at(&world, cue).2.vector.x, -left, "spin");
        let rolls = until(&mut world, cue, Some(ROLLS));
        assert_near(rolls - hit, 2.0 * left / (7.0 * SLIDES), "slide");
        let (place, velocity, _) = at(&world, cue);
        assert_near(velocity.x, -2.0 / 7.0 * left, "speed");
        assert_near(place.x, way - 2.0 * left * left / (49.0 * SLIDES), "place");
    }
}

/// A ball that rolls at v and cuts another one at the angle φ leaves across the line of centres at v sin φ,
/// its roll being v still: it ends at `5/7 v sin φ` across and `2/7 v` ahead, at the angle
/// `tan θ = sin φ cos φ/(sin² φ + 2/5)` to its way before (TP 3.3), 33.67° for half a ball. The other one
/// leaves at v cos φ along the line.
#[test]
fn a_rolling_ball_that_cuts_another_is_deflected_by_some_thirty_degrees() {
    let speed = 2.0;
    for degrees in [15.0_f64, 30.0, 45.0, 60.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let mut world = table(GLIDING);
        let cue = ball(&mut world, DVec2::ZERO, along(speed), rolling(speed), 1.0);
        let place = along(0.5) + 2.0 * RADIUS * DVec2::new(cos, sin);
        let object = ball(&mut world, place, DVec2::ZERO, RESTING, 1.0);
        let hit = until(&mut world, cue, None);
        assert_near(hit, 0.5 / speed, "impact");
        let across = speed * sin * DVec2::new(sin, -cos);
        let slip = (across - along(speed)).length();
        let rolls = until(&mut world, cue, Some(ROLLS));
        assert_near(rolls - hit, 2.0 * slip / (7.0 * SLIDES), "slide");
        let (end, velocity, _) = at(&world, cue);
        let expected = (5.0 * across + 2.0 * along(speed)) / 7.0;
        assert!((velocity - expected).length() <= 1e-12 * speed, "{velocity}");
        assert_near(-velocity.y / velocity.x, sin * cos / (sin * sin + 0.4), "deflection");
        // With a constant force the way is the mean velocity times the time.
        let way = 0.5 * (across + expected) * (rolls - hit);
        assert!((end - along(0.5) - way).length() <= 1e-12, "{end}");
        world.advance(1.0).unwrap();
        assert_near(at(&world, object).1.length(), 5.0 / 7.0 * speed * cos, "object ball");
    }
    let half_ball = 0.5 * 0.75_f64.sqrt() / (0.25 + 0.4);
    assert!((half_ball.atan().to_degrees() - 33.67).abs() < 0.005);
}

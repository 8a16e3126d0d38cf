//! Friction in clusters: which discs stay where they are when they are pushed, and when the others stop.

use crate::common::record::deepest_overlap_by;
use crate::common::rng::{Rng, cases};
use crate::common::toys::{self, Extra, Laws, Rover};
use carom_engine::{
    Body, CrushRule, DVec2, Disc, DiscForces, DiscId, Event, Forces, Grip, Settings, State, StopReason, Wall,
    World,
};

/// Discs with a thrust each, `vector`, on a ground with friction, on straight ways, as thrust and velocity of
/// a disc that is alone are along one line in these tests. `amount` is the coefficient of friction times
/// weight, `own` by how much of its mass a disc resists more than by that: 2/5 for a ball that rolls.
const THRUST: Laws = Laws {
    acceleration: pushed,
    grip: |_, body, &State { extra: Extra { vector: pull, amount: most, .. }, .. }| {
        (most > 0.0).then_some(Grip { pull, most, inertia: 1.0 + body.own })
    },
    next_change: |_, body, state| {
        let along = pushed(1.0, body, state).dot(state.velocity);
        (along < 0.0).then(|| (state.velocity.length_squared() / -along, 0))
    },
    change: |_, _, _, state| state.velocity = DVec2::ZERO,
    ..Laws::NONE
};

fn pushed(_: f64, _: &Body<f64>, state: &State<Extra>) -> DVec2 {
    let Extra { vector: thrust, amount: grip, .. } = state.extra;
    let way = if state.velocity == DVec2::ZERO { thrust } else { state.velocity };
    if state.velocity == DVec2::ZERO && thrust.length() <= grip {
        return DVec2::ZERO;
    }
    thrust - way.normalize_or_zero() * grip
}

fn empty() -> World<Rover> {
    toys::world(&THRUST)
}

fn with(thrust: DVec2, grip: f64) -> Extra {
    Extra { vector: thrust, amount: grip, count: 0 }
}

fn insert(world: &mut World<Rover>, at: DVec2, velocity: DVec2, thrust: DVec2, grip: f64) -> DiscId {
    let disc = Disc::new(at, 0.5).with_velocity(velocity).with_restitution(0.0);
    world.insert(disc.with_extra(with(thrust, grip))).unwrap()
}

fn acceleration(world: &World<Rover>, id: DiscId) -> DVec2 {
    world.get(id).unwrap().acceleration()
}

/// A row of discs that touch, the first of which, with the thrust `a`, pushes `k` others: these resist with
/// `q = 1`, or with 7/5 of their mass. It moves if `a > g (1 + q k)`, all with `(a − g (1 + q k))/(1 + q k)`,
/// and comes as far as that says.
#[test]
fn a_row_moves_when_it_is_pushed_hard_enough() {
    let shares = [1.0 - 1e-9, 1.0 + 1e-6, 1.5, 2.0, 10.0, 20.0];
    let slide = (0..12).flat_map(|k| [1.0].iter().chain(&shares).map(move |share| (k, 0.0, *share)));
    let roll = (1..=5).flat_map(|k| shares.iter().map(move |share| (k, 0.4, *share)));
    for (k, own, share) in slide.chain(roll) {
        let (grip, resists) = (0.5, 1.0 + (1.0 + own) * f64::from(k));
        let (thrust, moves) = (grip * resists * share, share > 1.0);
        let mut world = empty();
        let first = insert(&mut world, DVec2::ZERO, DVec2::ZERO, DVec2::new(thrust, 0.0), grip);
        let others = (1..=k).map(|i| {
            let disc = Disc::new([f64::from(i), 0.0], 0.5).with_restitution(0.0);
            world.insert(disc.with_extra(with(DVec2::ZERO, grip)).with_body(own)).unwrap()
        });
        let ids: Vec<_> = [first].into_iter().chain(others).collect();
        let what = format!("{k} discs, {own}, {share}");
        let next = world.next_event();
        assert!(moves || next.is_none(), "{what}: {next:?}");
        world.advance(0.0).unwrap();
        let expected = if moves { thrust / resists - grip } else { 0.0 };
        for &id in &ids {
            let found = acceleration(&world, id);
            let off = (found - DVec2::new(expected, 0.0)).length();
            assert!(off <= 1e-13 * thrust, "{what}: {found} instead of {expected}");
        }
        world.advance(2.0).unwrap();
        for (i, &id) in (0_u8..).zip(&ids) {
            let way = world.get(id).unwrap().position().x - f64::from(i);
            // Rounding of places is a way against the thrust: speeds differ by that work.
            let least = 1e-12 * thrust + if moves { 4e-15 * thrust / expected } else { 0.0 };
            assert!((way - 2.0 * expected).abs() <= least, "{what}: gone {way}");
        }
    }
}

/// A disc pushes two that touch it and each other apart, along the lines of centres at 30°: they move where
/// the force, `(a − g + 2 g/√3) √3/5`, is more than `g`.
#[test]
fn a_disc_is_pushed_between_two() {
    let (grip, root) = (0.7, 3.0_f64.sqrt());
    for thrust in [0.1, 1.0, 1.9, 1.92, 4.0, 30.0] {
        let mut world = empty();
        let pusher = insert(&mut world, DVec2::ZERO, DVec2::ZERO, DVec2::new(thrust, 0.0), grip);
        let others = [0.5, -0.5]
            .map(|y| insert(&mut world, DVec2::new(0.5 * root, y), DVec2::ZERO, DVec2::ZERO, grip));
        let force = (thrust - grip + 2.0 * grip / root) * root / 5.0;
        let moves = force > grip;
        assert_eq!(world.next_event().is_some(), moves, "thrust {thrust}");
        world.advance(0.0).unwrap();
        let speeding = if moves { force - grip } else { 0.0 };
        // The forces are along the middle lines of a piece of up to 10⁻² rad.
        let off = (acceleration(&world, pusher) - DVec2::new(speeding * 2.0 / root, 0.0)).length();
        assert!(off <= 1e-2 * thrust, "thrust {thrust}: off by {off}");
        for (other, up) in others.into_iter().zip([0.5, -0.5]) {
            let off = (acceleration(&world, other) - DVec2::new(0.5 * root, up) * speeding).length();
            assert!(off <= 1e-2 * thrust, "thrust {thrust}: off by {off}");
        }
    }
}

/// A disc slides into two at rest, with e = 0: from there they go on together, at a third of the speed, with
/// the mean friction, as the one behind has the least. All stop at one time, exactly.
#[test]
fn what_slides_together_stops_together() {
    for grips in [[0.1, 0.5, 0.9], [0.2, 0.2, 0.5], [0.3, 0.3, 0.3]] {
        let (speed, gap) = (2.0, 1.5);
        let mut world = empty();
        let ids: Vec<_> = (0_u8..3)
            .map(|i| {
                let at = DVec2::new(if i == 0 { -gap } else { f64::from(i) }, 0.0);
                let velocity = DVec2::new(if i == 0 { speed } else { 0.0 }, 0.0);
                insert(&mut world, at, velocity, DVec2::ZERO, grips[usize::from(i)])
            })
            .collect();
        assert_eq!(world.advance(1000.0).unwrap().end, StopReason::Reached);
        let hit: f64 = (speed * speed - 2.0 * grips[0] * gap).sqrt();
        let (together, slowing) = (hit / 3.0, (grips[0] + grips[1] + grips[2]) / 3.0);
        let stop = (speed - hit) / grips[0] + together / slowing;
        let way = together * together / (2.0 * slowing);
        for (i, &id) in (0_u8..).zip(&ids) {
            let disc = world.get(id).unwrap();
            assert_eq!(disc.velocity(), DVec2::ZERO, "{grips:?}");
            let off = disc.position().x - f64::from(i) - way;
            assert!(off.abs() <= 1e-12, "{grips:?}: off by {off}");
            let late = disc.state_time().as_secs() - stop;
            assert!(late.abs() <= 1e-12, "{grips:?}: {late:e} s late");
        }
        assert!(world.next_event().is_none());
    }
}

/// Accelerations of two discs that press on each other, with the velocities `v` and the thrust of the first.
fn pressed([p, q]: [DVec2; 2], v: [DVec2; 2], thrust: DVec2, grip: f64) -> [DVec2; 2] {
    let n = (q - p).normalize();
    let [free_p, free_q] = [thrust - v[0].normalize() * grip, -v[1].normalize() * grip];
    let across = (v[1] - v[0]).perp_dot(n);
    let force = -0.5 * ((free_q - free_p).dot(n) + across * across / (q - p).length());
    assert!(force > 0.0);
    [free_p - n * force, free_q + n * force]
}

/// A disc that is pushed pushes another one askew: against the differential equation, solved by small steps
/// (of fourth order). The direction of the friction is that of the middle of each piece, so that what is off
/// is of the second order in its angle of 10⁻².
#[test]
fn friction_turns_with_the_way() {
    let (grip, thrust) = (0.5, DVec2::new(3.0, 0.0));
    for angle in [0.1_f64, 0.4, 0.8] {
        let start = [DVec2::ZERO, DVec2::from_angle(angle)];
        let velocity = DVec2::new(1.0, 0.0);
        let mut world = empty();
        let ids = [(0, thrust), (1, DVec2::ZERO)]
            .map(|(i, thrust)| insert(&mut world, start[i], velocity, thrust, grip));
        let (mut x, mut v, steps, until) = (start, [velocity; 2], 4000, 0.4);
        let h = until / f64::from(steps);
        let sum = |a: [DVec2; 2], b: [DVec2; 2], h: f64| [a[0] + b[0] * h, a[1] + b[1] * h];
        for _ in 0..steps {
            let of = |x, v| pressed(x, v, thrust, grip);
            let (v1, a1) = (v, of(x, v));
            let (v2, a2) = (sum(v, a1, 0.5 * h), of(sum(x, v1, 0.5 * h), sum(v, a1, 0.5 * h)));
            let (v3, a3) = (sum(v, a2, 0.5 * h), of(sum(x, v2, 0.5 * h), sum(v, a2, 0.5 * h)));
            let (v4, a4) = (sum(v, a3, h), of(sum(x, v3, h), sum(v, a3, h)));
            for i in 0..2 {
                x[i] += (v1[i] + (v2[i] + v3[i]) * 2.0 + v4[i]) * (h / 6.0);
                v[i] += (a1[i] + (a2[i] + a3[i]) * 2.0 + a4[i]) * (h / 6.0);
            }
        }
        world.advance(until).unwrap();
        for i in 0..2 {
            let disc = world.get(ids[i]).unwrap();
            let off = (disc.position() - x[i]).length().max((disc.velocity() - v[i]).length());
            assert!(off <= 5e-6, "angle {angle}, disc {i}: off by {off}");
        }
    }
}

/// Accelerations of discs at rest by accelerated gradients of the dual problem, forces `λ ≥ 0` and frictions
/// of at most `g` (Beck and Teboulle, SIAM J. Imaging Sci. 2 (2009) 183, with restarts).
fn by_gradients(discs: &[(DVec2, f64, Extra)]) -> Vec<DVec2> {
    let mut pairs = Vec::new();
    for (b, of_b) in discs.iter().enumerate() {
        for (a, of_a) in discs[..b].iter().enumerate() {
            if (of_b.0 - of_a.0).length() < 1.0 + 1e-9 {
                pairs.push((a, b, of_b.0 - of_a.0));
            }
        }
    }
    let accelerations = |forces: &[f64], frictions: &[DVec2]| {
        let mut of: Vec<_> = discs.iter().zip(frictions).map(|(disc, q)| disc.2.vector - *q).collect();
        for (&(a, b, n), force) in pairs.iter().zip(forces) {
            of[a] -= n * (force / discs[a].1);
            of[b] += n * (force / discs[b].1);
        }
        of
    };
    let (mut forces, mut frictions) = (vec![0.0; pairs.len()], vec![DVec2::ZERO; discs.len()]);
    let (mut force_ahead, mut friction_ahead) = (forces.clone(), frictions.clone());
    let (mut momentum, step) = (1.0_f64, 0.04);
    for _ in 0..100_000 {
        let of = accelerations(&force_ahead, &friction_ahead);
        let mut forth = 0.0;
        let faster = 0.5 * (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt());
        let beyond = (momentum - 1.0) / faster;
        for (k, &(a, b, n)) in pairs.iter().enumerate() {
            let next = (force_ahead[k] - step * (of[b] - of[a]).dot(n)).max(0.0);
            forth += (force_ahead[k] - next) * (next - forces[k]);
            force_ahead[k] = next + beyond * (next - forces[k]);
            forces[k] = next;
        }
        for (k, (_, mass, own)) in discs.iter().enumerate() {
            let next = (friction_ahead[k] + of[k] * (step * mass)).clamp_length_max(own.amount);
            forth += (friction_ahead[k] - next).dot(next - frictions[k]);
            friction_ahead[k] = next + (next - frictions[k]) * beyond;
            frictions[k] = next;
        }
        momentum = if forth > 0.0 { 1.0 } else { faster };
    }
    accelerations(&forces, &frictions)
}

/// Clusters on a triangular lattice, with random thrusts, masses and frictions.
#[test]
fn clusters_at_rest_move_as_slow_gradients_say() {
    let (mut held, mut following, mut moving) = (0, 0, 0);
    for seed in 0..cases(12) {
        let rng = &mut Rng::new(seed);
        let mut discs = Vec::new();
        for k in 0..9_u8 {
            let (row, column) = (f64::from(k / 3), f64::from(k % 3));
            let at = DVec2::new(column + 0.5 * row, 0.75_f64.sqrt() * row);
            let thrust = if rng.chance(50) { rng.vector(2.0) } else { DVec2::ZERO };
            if rng.chance(70) {
                discs.push((at, rng.range(0.5, 3.0), with(thrust, rng.range(0.1, 1.0))));
            }
        }
        let mut world = empty();
        let mut insert = |&(at, mass, own): &(DVec2, f64, Extra)| {
            world.insert(Disc::new(at, 0.5).with_mass(mass).with_overlap().with_extra(own)).unwrap()
        };
        let ids: Vec<_> = discs.iter().map(&mut insert).collect();
        world.advance(0.0).unwrap();
        for (k, slow) in by_gradients(&discs).into_iter().enumerate() {
            let found = acceleration(&world, ids[k]);
            // Those of a piece, whose lines of centres turn by up to 10⁻² rad.
            assert!((found - slow).length() <= 2e-2, "seed {seed}, disc {k}: {found} and {slow}");
            let stays = slow.length() < 1e-6;
            assert!(found != DVec2::ZERO || stays, "seed {seed}, disc {k}: {found} and {slow}");
            match (found == DVec2::ZERO, stays) {
                (true, _) => held += 1,
                // What its neighbours keep at rest, and not friction, follows them as they turn about it.
                (false, true) => following += 1,
                (false, false) => moving += 1,
            }
        }
    }
    assert!(held > 10 && moving > 10 && 100 * following <= held, "{held} held, {following}, {moving} moving");
}

/// A break of 15 balls that slide with friction, in a box.
pub(crate) fn break_shot(seed: u64) -> World<Forces> {
    let rng = &mut Rng::new(seed);
    let (e, r): (f64, f64) = (rng.pick(&[0.5, 0.8, 0.95, 1.0]), 0.028_575);
    let spacing = 2.0 * r + rng.pick(&[0.0, 1e-5, 1e-3]) * 0.05715;
    let forces = Forces::new().with_weight(9.81).unwrap();
    let mut world = World::with_physics(forces, Settings::default()).unwrap();
    world.add_wall(Wall::container([-1.27, -0.635], [1.27, 0.635]).with_restitution(e.min(0.85))).unwrap();
    let body = DiscForces { friction: rng.pick(&[0.01, 0.2]), ..DiscForces::default() };
    let ball = |at: DVec2| Disc::new(at, r).with_restitution(e).with_overlap().with_body(body);
    for row in 0..5_u8 {
        for k in 0..=row {
            let (row, k) = (f64::from(row), f64::from(k));
            let at = DVec2::new(0.6 + row * spacing * 0.75_f64.sqrt(), (k - 0.5 * row) * spacing);
            world.insert(ball(at)).unwrap();
        }
    }
    let cue = ball(DVec2::new(-0.6, rng.range(-0.02, 0.02)));
    world.insert(cue.with_velocity([rng.range(3.0, 10.0), rng.range(-0.1, 0.1)])).unwrap();
    world
}

/// All come to rest, each within 2000 impacts and stops; nothing overlaps by more than 10⁻¹², and the ledger
/// closes to 10⁻¹². In seed 2722 a cluster that friction holds and pushes in turn never stopped without it.
#[test]
fn breaks_come_to_rest() {
    for seed in (0..cases(200)).chain([2722]) {
        let mut world = break_shot(seed);
        let before = world.kinetic_energy();
        assert_eq!(world.advance(1000.0).unwrap().end, StopReason::Reached, "seed {seed}");
        assert!(world.next_event().is_none(), "seed {seed}: {:?}", world.next_event());
        assert!(world.discs().all(|(_, disc)| disc.velocity == DVec2::ZERO), "seed {seed}: one moves");
        let counters = world.counters();
        assert!(counters.events - counters.pieces <= 16 * 2000, "seed {seed}: {counters:?}");
        let off = (world.ledger().total - world.kinetic_energy()).abs();
        assert!(off <= 1e-12 * before, "seed {seed}: the ledger is off by {off}");
        let depth = deepest_overlap_by(&world, |depth, [(_, a), _]| depth / a.radius);
        assert!(depth <= 1e-10, "seed {seed}: overlap {depth}");
    }
}

/// A disc that slides without friction pushes one with friction that lies across its way, and passes: pieces
/// are as long as its line of centres takes to turn, not of no length where the relative acceleration has no
/// part across it.
#[test]
fn a_disc_slides_past_one_with_friction() {
    let forces = Forces::new().with_weight(9.81).unwrap();
    for turn in 0..64 {
        let settings = Settings::default().with_budget(5000);
        let mut world: World<Forces> = World::with_physics(forces, settings).unwrap();
        let along = DVec2::from_angle(f64::from(turn) * 0.1);
        let rough = DiscForces { friction: 0.1, ..DiscForces::default() };
        let first = Disc::new(along * 0.8, 0.5).with_mass(2.0).with_body(rough);
        let second = Disc::new([0.0, 0.0], 0.3).with_velocity(along * 0.9 - along.perp() * 0.6);
        for disc in [first, second] {
            world.insert(disc.with_restitution(0.0).with_overlap()).unwrap();
        }
        assert_eq!(world.advance(30.0).unwrap().end, StopReason::Reached, "turned by {turn}");
        let still = world.discs().filter(|(_, disc)| disc.velocity == DVec2::ZERO).count();
        assert_eq!(still, 1, "turned by {turn}");
    }
}

/// Discs that touch a tracer on a ground with friction, one on each side, with this thrust towards it.
fn around_a_tracer(thrusts: &[f64], crush: CrushRule) -> (World<Forces>, DiscId) {
    let forces = Forces::new().with_weight(9.81).unwrap();
    let mut world = World::with_physics(forces, Settings::default().with_crush(crush)).unwrap();
    let body = DiscForces { friction: 0.5, ..DiscForces::default() };
    let tracer = world.insert(Disc::new(DVec2::ZERO, 0.5).with_mass(0.0).with_body(body)).unwrap();
    for (&thrust, x) in thrusts.iter().zip([-1.0, 1.0]) {
        let body = DiscForces { acceleration: DVec2::new(-x * thrust, 0.0), ..DiscForces::default() };
        world.insert(Disc::new([x, 0.0], 0.5).with_body(body)).unwrap();
    }
    (world, tracer)
}

/// A tracer pushes back on nothing: a disc with a thrust `a` takes it along, `½ a t²`, whatever the friction.
#[test]
fn friction_keeps_no_tracer_in_the_way() {
    for thrust in [1e-3, 1.0, 30.0] {
        let (mut world, tracer) = around_a_tracer(&[thrust], CrushRule::GiveWay);
        world.advance(2.0).unwrap();
        let way = world.get(tracer).unwrap().position();
        assert!((way.x - 2.0 * thrust).abs() <= 1e-12 * thrust && way.y == 0.0, "{thrust}: {way}");
        assert_eq!(world.held_to(tracer).count(), 1, "{thrust}");
    }
}

/// What closes in on a tracer by its thrust alone, as it is put there, passes over it, and that is said; or
/// the world stops.
#[test]
fn what_closes_in_on_a_tracer_from_rest_says_so() {
    let (mut world, tracer) = around_a_tracer(&[1.0, 1.0], CrushRule::GiveWay);
    world.advance(0.1).unwrap();
    let over: Vec<_> = world
        .events()
        .iter()
        .filter_map(|event| match event {
            Event::Crushed { body, by, .. } if *body == tracer => Some(*by),
            _ => None,
        })
        .collect();
    let others: Vec<_> = world.ids().filter(|id| *id != tracer).collect();
    assert_eq!(over, others);
    let (mut world, tracer) = around_a_tracer(&[1.0, 1.0], CrushRule::Stop);
    let end = world.advance(0.1).unwrap().end;
    assert!(matches!(end, StopReason::Crushed { body, .. } if body == tracer), "{end:?}");
}

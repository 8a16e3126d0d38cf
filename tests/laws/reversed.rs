//! What is told of a world does not depend on the order in which its discs were inserted, whatever the
//! physics: the same events with the same impulses, to the last bit.

use crate::common::record::time_bits;
use crate::common::rng::{Rng, cases};
use crate::common::toys::{Balls, Laws, Rover, Toy, Which};
use crate::common::umpire::Umpire;
use carom_engine::{
    Contact, DVec2, Disc, DiscForces, DiscId, Event, Forces, Impact, Judged, Partner, Physics, Rough,
    RoughDisc, Roughness, Settings, Smooth, Spin, Verdict, Wall, World,
};

/// An impact as it is seen by who has the smaller number of its two: bits, with discs known by their user
/// data. Numbers of groups count what came before, and tell no more.
fn told_of(impact: &Impact) -> Vec<u64> {
    let Impact { point, mut normal, approach_speed, impulse, mut before, mut after, .. } = *impact;
    let mut names = impact.user_data;
    if matches!(impact.b, Partner::Disc(_)) && names[1] < names[0] {
        names.swap(0, 1);
        before.swap(0, 1);
        after.swap(0, 1);
        normal = -normal;
    }
    let vectors = [point, normal, before[0], before[1], after[0], after[1]];
    // Of a component 0 the sign is that of the order.
    let numbers = vectors.into_iter().flat_map(|v| [v.x + 0.0, v.y + 0.0]).chain([approach_speed, impulse]);
    let mut bits = time_bits(impact.time).to_vec();
    bits.extend(names);
    bits.extend(numbers.map(f64::to_bits));
    bits
}

/// All that is told until a time, and the states then, of a world with these discs, inserted in this order.
fn told<P: Physics + Clone>(
    physics: &P,
    discs: &[Disc<P::Body, P::Extra>],
    order: impl Iterator<Item = usize>,
) -> (Vec<Vec<u64>>, Vec<String>) {
    let mut world = World::with_physics(physics.clone(), Settings::default()).unwrap();
    let room = Wall::container([-5.0, -5.0], [5.0, 5.0]).with_user_data(1000);
    world.add_wall(room.with_surface(P::Surface::default())).unwrap();
    for k in order {
        world.insert(discs[k]).unwrap();
    }
    world.advance(6.0).unwrap();
    let name = |id: DiscId| world.get(id).unwrap().user_data();
    let mut events: Vec<Vec<u64>> = world
        .events()
        .iter()
        .map(|event| match event {
            Event::Impact(impact) => told_of(impact),
            Event::Change { disc, change, .. } => {
                let mut bits = time_bits(event.time()).to_vec();
                bits.push(name(*disc));
                bits.extend(format!("{change:?}").bytes().map(u64::from));
                bits
            }
            other => unreachable!("{other:?}"),
        })
        .collect();
    // Those of one instant come in the order of insertion.
    events.sort_unstable();
    let mut states: Vec<(u64, String)> = world
        .discs()
        .map(|(_, disc)| {
            (disc.user_data, format!("{:?} {:?} {:?}", disc.position, disc.velocity, disc.extra))
        })
        .collect();
    states.sort_unstable();
    (events, states.into_iter().map(|(_, state)| state).collect())
}

/// Discs apart from each other, and now and then a row of some that touch.
fn discs<B: Default, X: Default>(rng: &mut Rng, restitution: [f64; 2]) -> Vec<Disc<B, X>> {
    let mut discs: Vec<Disc<B, X>> = Vec::new();
    while discs.len() < 12 {
        let (radius, position) = (rng.range(0.2, 0.5), rng.vector(4.0));
        if discs
            .iter()
            .all(|other| other.position.distance(position) > 2.5 * (other.radius + radius).max(0.4))
        {
            let disc = Disc::new(position, radius)
                .with_velocity(rng.vector(2.0))
                .with_mass(rng.range(0.2, 4.0))
                .with_restitution(rng.range(restitution[0], restitution[1]))
                .with_user_data(discs.len() as u64);
            discs.push(disc);
        }
    }
    discs
}

/// Random worlds of a physics, in their order and in the reverse of it.
fn assert_order_is_not_told<P: Physics + Clone>(
    name: &str,
    physics: &P,
    restitution: [f64; 2],
    own: impl Fn(&mut Rng) -> (P::Body, P::Extra),
) {
    let mut impacts = 0;
    for seed in 0..cases(8) {
        let mut rng = Rng::new(seed);
        let mut discs = discs::<P::Body, P::Extra>(&mut rng, restitution);
        for disc in &mut discs {
            (disc.body, disc.extra) = own(&mut rng);
        }
        let (events, states) = told(physics, &discs, 0..discs.len());
        let reversed = told(physics, &discs, (0..discs.len()).rev());
        for (k, (one, other)) in events.iter().zip(&reversed.0).enumerate() {
            assert_eq!(one, other, "{name}, seed {seed}, event {k}");
        }
        assert_eq!(events.len(), reversed.0.len(), "{name}, seed {seed}");
        assert_eq!(states, reversed.1, "{name}, seed {seed}");
        impacts += events.len();
    }
    assert!(impacts > 200, "{name}: {impacts}");
}

/// Bumpers: whoever meets is pushed apart by an impulse, and a little aside.
fn bump(contact: &Contact<crate::common::toys::Extra>, masses: [f64; 2]) -> [DVec2; 2] {
    let push = contact.normal * 0.3 + contact.normal.perp() * 0.05;
    [-push / masses[0], push / masses[1]]
}

const BUMPERS: Laws = Laws {
    pair: |_, contact, bodies, a, b| {
        let [of_a, of_b] = bump(contact, bodies.map(|body| body.mass));
        (a.velocity, b.velocity) = (a.velocity + of_a, b.velocity + of_b);
    },
    wall: |_, contact, body, _, a| a.velocity += bump(contact, [body.mass; 2])[0],
    ..Laws::NONE
};

#[test]
fn the_order_of_insertion_is_not_told() {
    let rubber = Roughness::new(0.4, 0.5).unwrap();
    let spin = |rng: &mut Rng| (RoughDisc::default(), Spin::new(rng.range(-5.0, 5.0)));
    assert_order_is_not_told("smooth", &Smooth, [0.7, 1.0], |_| ((), ()));
    assert_order_is_not_told("bumpers", &Toy::<false>::of(&BUMPERS), [0.7, 1.0], |_| Default::default());
    assert_order_is_not_told("bumpers, falling", &Rover::of(&BUMPERS), [0.9, 1.0], |_| Default::default());
    let tiring = Toy::<false> { which: Which::Tiring, strength: 4.0 };
    assert_order_is_not_told("tiring", &tiring, [0.7, 1.0], |rng| {
        (rng.range(0.1, 0.5), crate::common::toys::Extra::amount(rng.range(3.0, 9.0)))
    });
    assert_order_is_not_told("balls", &Balls, [0.7, 1.0], |rng| (rng.range(0.0, 0.3), ()));
    assert_order_is_not_told("rough", &Rough::new(Smooth, rubber), [0.7, 1.0], spin);
    assert_order_is_not_told("rough balls", &Rough::new(Balls, rubber), [0.7, 1.0], |rng| {
        let (disc, spin) = (RoughDisc::default(), Spin::new(rng.range(-5.0, 5.0)));
        (RoughDisc { own: rng.range(0.0, 0.3), ..disc }, spin)
    });
    let forces = Forces::new().with_gravity([0.3, -1.0]).unwrap();
    assert_order_is_not_told("forces", &forces, [0.95, 1.0], |_| (DiscForces::default(), ()));
    let kicks: Umpire = Umpire::Always(Verdict::Impulse(0.8));
    assert_order_is_not_told("kicks", &Judged::new(Smooth, kicks), [0.7, 1.0], |_| ((), ()));
    let kicks = Umpire::Always(Verdict::Kick(0.2));
    assert_order_is_not_told(
        "rough kicks",
        &Judged::new(Rough::new(Smooth, rubber), kicks),
        [0.7, 1.0],
        spin,
    );
}

/// What takes the impulse back lets nothing pass: debug builds say so, and name what does.
#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "return `Verdict::Pass`")]
fn an_impulse_that_is_taken_back_is_said() {
    const GHOSTS: Laws = Laws {
        pair: |_, contact, _, a, b| {
            (a.velocity, b.velocity) = (contact.before[0].velocity, contact.before[1].velocity);
        },
        ..Laws::NONE
    };
    let mut world = World::with_physics(Toy::<false>::of(&GHOSTS), Settings::default()).unwrap();
    for x in [0.0, 3.0] {
        world.insert(Disc::new([x, 0.0], 1.0).with_velocity([1.0 - x, 0.3])).unwrap();
    }
    let _ = world.advance(2.0);
}

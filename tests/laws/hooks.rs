//! The hooks of a physics at impacts: called once for each contact that pushed, with what they say, and
//! what they write is stored and reported.

use crate::common::rng::Rng;
use crate::common::toys::{self, Extra, Laws, Toy};
use carom_engine::{
    Contact, DVec2, Disc, DiscId, Impact, Partner, Settings, Simultaneous, State, Wall, World,
};
use std::cell::RefCell;

#[derive(Clone, Debug, PartialEq)]
struct Call {
    contact: Contact<Extra>,
    radii: Vec<f64>,
    surface: Option<f64>,
    given: Vec<DVec2>,
}

thread_local! {
    static CALLS: RefCell<Vec<Call>> = const { RefCell::new(Vec::new()) };
}

/// The calls of the hooks since that was last asked for.
fn calls() -> Vec<Call> {
    CALLS.take()
}

fn note(contact: &Contact<Extra>, radii: &[f64], surface: Option<f64>, given: &[DVec2]) {
    let call = Call { contact: *contact, radii: radii.to_vec(), surface, given: given.to_vec() };
    CALLS.with_borrow_mut(|calls| calls.push(call));
}

const KICK: f64 = 0.125;

/// Notes every call of the hooks, and kicks along the tangent: what friction would do.
const KICKING: Laws = Laws {
    pair: |_, contact, bodies, a, b| {
        note(contact, &bodies.map(|body| body.radius), None, &[a.velocity, b.velocity]);
        let kick = contact.normal.perp() * KICK;
        a.velocity -= kick;
        b.velocity += kick;
        a.extra.count += 1;
        b.extra.count += 1;
    },
    wall: |_, contact, body, surface, a| {
        note(contact, &[body.radius], Some(*surface), &[a.velocity]);
        a.velocity += contact.normal.perp() * KICK;
        a.extra.count += 100;
    },
    ..Laws::NONE
};

fn kicking(simultaneous: Simultaneous) -> World<Toy> {
    let settings = Settings::default().with_simultaneous(simultaneous);
    World::with_physics(Toy::of(&KICKING), settings).unwrap()
}

/// Two discs: one call, with the states before, the normal from the first to the second, the normal impulse,
/// and the velocities after it; what the hook writes is stored and reported.
#[test]
fn the_hook_of_a_pair() {
    let mut world = kicking(Simultaneous::Together);
    let a = world
        .insert(Disc::new(DVec2::ZERO, 0.5).with_velocity(DVec2::X).with_extra(Extra::count(10)))
        .unwrap();
    let b = world
        .insert(Disc::new(DVec2::new(3.0, 0.0), 1.0).with_mass(3.0).with_extra(Extra::count(20)))
        .unwrap();
    world.advance(1.75).unwrap();
    let calls = calls();
    assert_eq!(calls.len(), 1);
    let Call { contact, radii, given, .. } = &calls[0];
    assert_eq!((contact.point, contact.normal), (DVec2::new(2.0, 0.0), DVec2::X));
    assert!(!contact.is_rubbed);
    // j = (1 + e) v m₁m₂/(m₁ + m₂) = 2 · 3/4; velocities v(m₁ − m₂)/(m₁ + m₂) and 2 v m₁/(m₁ + m₂).
    assert_eq!((contact.impulse, radii.as_slice()), (1.5, &[0.5, 1.0][..]));
    assert_eq!(given.as_slice(), [DVec2::new(-0.5, 0.0), DVec2::new(0.5, 0.0)]);
    assert_eq!(
        contact.before.map(|state| (state.velocity, state.extra.count)),
        [(DVec2::X, 10), (DVec2::ZERO, 20)]
    );
    assert_eq!(contact.before[0].position, DVec2::new(1.5, 0.0));
    let kick = DVec2::new(0.0, KICK);
    let after = [DVec2::new(-0.5, 0.0) - kick, DVec2::new(0.5, 0.0) + kick];
    assert_eq!(world.events()[0].impact().unwrap().after, after);
    assert_eq!([a, b].map(|id| world.get(id).unwrap().velocity()), after);
    assert_eq!([a, b].map(|id| world.get(id).unwrap().extra().count), [11, 21]);
}

/// A wall: one call, with its surface, the second state at rest in the point of contact.
#[test]
fn the_hook_of_a_wall() {
    let mut world = kicking(Simultaneous::Together);
    world.add_wall(Wall::half_plane(DVec2::new(4.0, 0.0), DVec2::NEG_X).with_surface(9.0)).unwrap();
    let disc = Disc::new(DVec2::ZERO, 0.5).with_velocity(DVec2::new(2.0, 1.0)).with_mass(3.0);
    let a = world.insert(disc.with_restitution(0.25)).unwrap();
    world.advance(2.0).unwrap();
    let calls = calls();
    assert_eq!(calls.len(), 1);
    let Call { contact, surface, given, .. } = &calls[0];
    assert_eq!((contact.point, contact.normal, *surface), (DVec2::new(4.0, 1.75), DVec2::X, Some(9.0)));
    assert_eq!(
        contact.before[1],
        State { position: contact.point, velocity: DVec2::ZERO, extra: Extra::default() }
    );
    // √(0.25 · 1) = 0.5: j = 3 · 1.5 · 2.
    assert_eq!((contact.impulse, given.as_slice()), (9.0, &[DVec2::new(-1.0, 1.0)][..]));
    assert_eq!(world.get(a).unwrap().velocity(), DVec2::new(-1.0, 1.0 + KICK));
    assert_eq!(world.get(a).unwrap().extra().count, 100);
}

/// A kinematic disc that the physics pushes off its way goes the rest of it, as fast, from the time at which
/// it was to arrive, and is at its target to the last bit.
#[test]
fn a_journey_outlasts_the_hook_of_a_pair() {
    let mut world = kicking(Simultaneous::Together);
    let mallet = world.insert(Disc::new(DVec2::ZERO, 0.5).kinematic()).unwrap();
    world.insert(Disc::new(DVec2::new(2.0, 0.0), 0.5)).unwrap();
    world.move_to_until(mallet, [4.0, 0.0], 4.0).unwrap();
    world.advance(2.0).unwrap();
    assert_eq!(world.get(mallet).unwrap().velocity(), DVec2::new(1.0, -KICK));
    // It was to be there after 3 more seconds, and is 3 · KICK below.
    world.advance_to(4.0).unwrap();
    let disc = world.get(mallet).unwrap();
    assert_eq!((disc.position(), disc.velocity()), (DVec2::new(4.0, -3.0 * KICK), DVec2::Y));
    world.advance_to(4.0 + 3.0 * KICK).unwrap();
    let disc = world.get(mallet).unwrap();
    assert_eq!((disc.position(), disc.velocity()), (DVec2::new(4.0, 0.0), DVec2::ZERO));
    assert!(world.events().is_empty(), "{:?}", world.events());
}

/// A group: each contact that pushed, once, with the states before the group; what the hooks write adds
/// up.
#[test]
fn the_hooks_of_a_group() {
    let mut world = kicking(Simultaneous::Together);
    // Two from both sides onto one that is at rest, which touches nothing else.
    let middle = world.insert(Disc::new(DVec2::ZERO, 0.5)).unwrap();
    let left = world.insert(Disc::new(DVec2::new(-3.0, 0.0), 0.5).with_velocity(DVec2::X)).unwrap();
    let right = world.insert(Disc::new(DVec2::new(3.0, 0.0), 0.5).with_velocity(DVec2::NEG_X)).unwrap();
    world.step_event();
    let seen = calls();
    assert_eq!(seen.len(), 2);
    for call in &seen {
        assert_eq!(call.contact.impulse, 2.0);
        assert_eq!(call.contact.before[0].velocity, DVec2::ZERO);
    }
    // Kicks of the middle one: −normal⊥ for each contact, and the normals are opposite.
    assert_eq!(world.get(middle).unwrap().velocity(), DVec2::ZERO);
    assert_eq!(world.get(left).unwrap().velocity(), DVec2::new(-1.0, -KICK));
    assert_eq!(world.get(right).unwrap().velocity(), DVec2::new(1.0, KICK));
    assert_eq!([middle, left, right].map(|id| world.get(id).unwrap().extra().count), [2, 1, 1]);

    // A corner: two walls, one call each.
    let mut world = kicking(Simultaneous::Together);
    world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::X).with_surface(1.0)).unwrap();
    world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::Y).with_surface(2.0)).unwrap();
    let id = world.insert(Disc::new(DVec2::splat(2.0), 0.5).with_velocity(DVec2::splat(-1.0))).unwrap();
    assert_eq!(world.step_event().events, 1);
    let seen = calls();
    assert_eq!(seen.iter().map(|call| call.surface).collect::<Vec<_>>(), [Some(1.0), Some(2.0)]);
    assert!(seen.iter().all(|call| call.contact.impulse == 2.0));
    assert_eq!(world.get(id).unwrap().extra().count, 200);
    assert_eq!(world.get(id).unwrap().velocity(), DVec2::new(1.0 + KICK, 1.0 - KICK));
}

/// Over a long run, in both modes: as many calls as impacts reported, with the arguments of those impacts.
#[test]
fn one_call_for_each_impact() {
    for simultaneous in [Simultaneous::Together, Simultaneous::OneByOne] {
        let mut world = kicking(simultaneous);
        world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(8.0)).with_surface(5.0)).unwrap();
        let mut rng = Rng::new(3);
        let mut ids: Vec<DiscId> = Vec::new();
        for k in 0..16 {
            // Touching in rows, so that there are groups.
            let at = DVec2::new(1.0 + f64::from(k % 4), 1.0 + 1.5 * f64::from(k / 4));
            let v = if k % 4 == 3 { rng.vector(2.0) } else { DVec2::ZERO };
            ids.push(world.insert(Disc::new(at, 0.5).with_velocity(v)).unwrap());
        }
        world.advance(10.0).unwrap();
        let calls = calls();
        assert_eq!(calls.len(), world.events().len());
        assert!(calls.len() > 100 && (simultaneous == Simultaneous::OneByOne || world.counters().groups > 0));
        let mut extras = vec![0; ids.len()];
        // The contacts of a group are reported by serial numbers, and seen by the physics by their points.
        let mut impacts: Vec<Impact> = world.events().iter().map(|event| *event.impact().unwrap()).collect();
        impacts.sort_by(|i, j| {
            let points = i.point.x.total_cmp(&j.point.x).then(i.point.y.total_cmp(&j.point.y));
            i.group.cmp(&j.group).then(points)
        });
        for (call, impact) in calls.iter().zip(&impacts) {
            assert_eq!((call.contact.point, call.contact.normal), (impact.point, impact.normal));
            assert_eq!(call.contact.impulse, impact.impulse);
            assert_eq!(call.contact.before.map(|state| state.velocity), impact.before);
            extras[impact.a.slot() as usize] += if call.surface.is_some() { 100 } else { 1 };
            match impact.b {
                Partner::Disc(b) => {
                    assert_eq!((call.surface, call.radii.len()), (None, 2));
                    extras[b.slot() as usize] += 1;
                }
                Partner::Wall { .. } => assert_eq!((call.surface, call.radii.len()), (Some(5.0), 1)),
            }
        }
        assert_eq!(ids.iter().map(|&id| world.get(id).unwrap().extra().count).collect::<Vec<_>>(), extras);
    }
}

/// A restitution that depends on the speed of approach.
#[test]
fn restitution_by_speed() {
    const SOFT: Laws = Laws {
        restitution: |_, approach| if approach.speed < 1.5 { 0.0 } else { approach.combined },
        ..Laws::NONE
    };
    let mut world: World<Toy> = toys::world(&SOFT);
    world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::Y)).unwrap();
    let slow =
        world.insert(Disc::new(DVec2::new(0.0, 3.0), 1.0).with_velocity(DVec2::new(5.0, -1.0))).unwrap();
    let fast =
        world.insert(Disc::new(DVec2::new(-9.0, 3.0), 1.0).with_velocity(DVec2::new(0.0, -2.0))).unwrap();
    world.advance(3.0).unwrap();
    assert_eq!(
        [slow, fast].map(|id| world.get(id).unwrap().velocity()),
        [DVec2::new(5.0, 0.0), DVec2::new(0.0, 2.0)]
    );
}

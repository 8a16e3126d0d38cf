//! Friction between discs that meet several others at one instant: Coulomb's law at each contact.

use crate::common::rng::{Rng, cases};
use carom_engine::{
    DVec2, Disc, DiscId, Event, Partner, Rough, RoughDisc, Roughness, Settings, Smooth, Spin, Wall, World,
};
use carom_testkit::at;

/// A disc of radius 1 and this roughness.
fn disc(place: DVec2, friction: f64, inertia: f64) -> Disc<RoughDisc, Spin> {
    let roughness = Roughness::new(friction, 0.0).unwrap();
    Disc::new(place, 1.0).with_body(RoughDisc { inertia, roughness: Some(roughness), own: () })
}

fn empty() -> World<Rough> {
    World::with_physics(Rough::new(Smooth, Roughness::SMOOTH), Settings::default()).unwrap()
}

/// A frozen combination: a smooth cue hits a disc that touches others, full, so that all slip is at the
/// others. Each leaves along its line of centres, thrown by the angle of friction, `tan θ = μ`, or by that
/// at which the slip ends, `tan φ/(2 (1 + 1/q))`, where it comes in by `φ` off that line: an impulse along
/// the tangent changes the slip of two discs by `2 (1 + 1/q)/m` (as in [`Rough`]).
#[test]
fn a_frozen_combination_is_thrown_by_coulombs_law() {
    for friction in [0.01, 0.03, 0.05, 0.1, 0.2, 0.5] {
        for inertia in [0.5, 0.4, 1.0] {
            for degrees in [5.0_f64, 20.0, 40.0, 60.0, 80.0] {
                let way = DVec2::from_angle(degrees.to_radians());
                let mut world = empty();
                let cue = disc(way * -4.0, 0.0, inertia).with_velocity(way * 3.0);
                world.insert(cue).unwrap();
                world.insert(disc(at(0.0, 0.0), friction, inertia)).unwrap();
                let other = world.insert(disc(at(2.0, 0.0), friction, inertia)).unwrap();
                world.advance(1.0).unwrap();
                assert_eq!(world.counters().groups, 1);
                let thrown = world.get(other).unwrap();
                let at_end = degrees.to_radians().tan() / (2.0 * (1.0 + 1.0 / inertia));
                let (got, want) = (thrown.velocity().y / thrown.velocity().x, friction.min(at_end));
                assert!((got / want - 1.0).abs() < 1e-13, "{friction} {inertia} {degrees}: {got} {want}");
                // The impulse that throws it turns it: R J/I = J/(q m R).
                let spin = -thrown.velocity().y / inertia;
                let turned = thrown.extra().angular_velocity;
                assert!((turned / spin - 1.0).abs() < 1e-13, "{turned} {spin}");
            }
        }
    }
}

/// A disc as the law of friction sees it: `1/m`, `1/(q m)`, and `v` and `R ω` in one.
struct Body {
    id: DiscId,
    linear: f64,
    angular: f64,
    velocity: DVec2,
    edge: f64,
}

/// One contact: two bodies, or one and a wall, with tangent, limit and impulse.
struct Contact {
    ends: [Option<usize>; 2],
    tangent: DVec2,
    most: f64,
    impulse: f64,
}

fn bodies(world: &World<Rough>) -> Vec<Body> {
    let body = |(id, disc): (DiscId, Disc<RoughDisc, Spin>)| {
        let linear = 1.0 / disc.mass;
        let edge = disc.radius * disc.extra.angular_velocity;
        Body { id, linear, angular: linear / disc.body.inertia, velocity: disc.velocity, edge }
    };
    world.discs().map(body).collect()
}

/// Adds an impulse along the tangent to the two of a contact.
fn rub(bodies: &mut [Body], contact: &Contact, impulse: f64) {
    for (end, sign) in contact.ends.into_iter().zip([-1.0, 1.0]) {
        if let Some(k) = end {
            let body = &mut bodies[k];
            body.velocity += contact.tangent * (sign * impulse * body.linear);
            body.edge -= impulse * body.angular;
        }
    }
}

fn slip(bodies: &[Body], contact: &Contact) -> f64 {
    let of = |end: Option<usize>| {
        end.map_or((0.0, 0.0), |k| (bodies[k].velocity.dot(contact.tangent), bodies[k].edge))
    };
    let [a, b] = contact.ends.map(of);
    b.0 - a.0 - a.1 - b.1
}

/// The velocities that Coulomb's law gives for the normal impulses of the events: of all tangential impulses
/// `|J| ≤ μ j` those of the least energy, which is the law for all contacts at once (maximal dissipation:
/// Moreau 1966). By steps along the gradient, each within the limits: slow, and right.
fn coulomb(mut bodies: Vec<Body>, events: &[Event], friction: f64) -> Vec<Body> {
    let mut contacts = Vec::new();
    for event in events {
        let Event::Impact(impact) = event else { continue };
        let find = |id: DiscId| bodies.iter().position(|body| body.id == id);
        let with = if let Partner::Disc(b) = impact.b { find(b) } else { None };
        let ends = [find(impact.a), with];
        for (end, sign) in ends.into_iter().zip([-1.0, 1.0]) {
            if let Some(k) = end {
                let linear = bodies[k].linear;
                bodies[k].velocity += impact.normal * (sign * impact.impulse * linear);
            }
        }
        let most = friction * impact.impulse;
        contacts.push(Contact { ends, tangent: impact.normal.perp(), most, impulse: 0.0 });
    }
    let stiffest = bodies.iter().map(|body| body.linear + body.angular).fold(0.0, f64::max);
    let step = 1.0 / (2.0 * stiffest * contacts.len() as f64);
    for _ in 0..300_000 {
        let slips: Vec<f64> = contacts.iter().map(|contact| slip(&bodies, contact)).collect();
        let mut most = 0.0_f64;
        for (contact, slip) in contacts.iter_mut().zip(slips) {
            let impulse = (contact.impulse - step * slip).clamp(-contact.most, contact.most);
            rub(&mut bodies, contact, impulse - contact.impulse);
            most = most.max((impulse - contact.impulse).abs());
            contact.impulse = impulse;
        }
        if most < 1e-18 {
            break;
        }
    }
    bodies
}

/// Groups of up to seven discs of any masses, with walls and without: the velocities are those of Coulomb's
/// law for the normal impulses that are reported, at all contacts at once, and energy with rotation does not
/// rise.
#[test]
fn groups_rub_by_coulombs_law() {
    let (mut groups, mut slid) = (0, 0);
    for case in 0..cases(60) {
        let rng = &mut Rng::new(case);
        let (friction, e) = (rng.pick(&[0.02, 0.06, 0.06, 0.2, 0.6, 2.0]), rng.pick(&[1.0, 0.8, 0.0]));
        let mut world = empty();
        if rng.chance(40) {
            world
                .add_wall(
                    Wall::half_plane(at(0.0, -1.0), at(0.0, 1.0))
                        .with_surface(Roughness::new(friction, 0.0).unwrap().into()),
                )
                .unwrap();
        }
        // Cells of a hexagonal packing, each of which may be taken.
        for row in 0..3_i32 {
            for k in 0..3_i32 {
                let place = at(f64::from(2 * k + row % 2), 3.0_f64.sqrt() * f64::from(row));
                if world.len() < 6 && rng.chance(70) {
                    let one = disc(place, friction, rng.pick(&[0.5, 0.4, 1.0])).with_restitution(e);
                    let spin = Spin::new(rng.pick(&[0.0, 0.0, 2.0, -1.0]));
                    let one = one.with_mass(rng.pick(&[1.0, 1.0, 0.3, 3.0])).with_extra(spin);
                    world.insert(one.with_overlap()).unwrap();
                }
            }
        }
        let target = at(rng.range(0.0, 4.0), rng.range(0.5, 3.0));
        let from = target + DVec2::from_angle(rng.range(0.1, 3.0)) * 9.0;
        let cue = disc(from, friction, 0.5).with_velocity((target - from) * 0.5).with_restitution(e);
        world.insert(cue.with_extra(Spin::new(rng.range(-5.0, 5.0)))).unwrap();
        for _ in 0..6 {
            if world.next_event().is_none() {
                break;
            }
            let energy = world.kinetic_energy() + world.rotational_energy();
            let before = bodies(&world);
            world.step_event();
            let after = world.kinetic_energy() + world.rotational_energy();
            assert!(after <= energy * (1.0 + 1e-14), "case {case}: {after} after {energy}");
            let is_group = world.events().len() > 1;
            groups += u32::from(is_group);
            for (want, got) in coulomb(before, world.events(), friction).iter().zip(bodies(&world)) {
                let off =
                    (want.velocity - got.velocity).abs().max_element().max((want.edge - got.edge).abs());
                assert!(off <= 1e-9, "case {case}: {friction} {off:e}");
                slid += u32::from(is_group && got.edge != 0.0);
            }
        }
    }
    assert!(groups > 30 && slid > 100, "{groups} {slid}");
}

/// Two discs that spin hit one between them at the same instant, without a limit of friction: the first
/// contact would give back all slip, `β = 1`, the second none. With `A = (6, 1; 1, 6)` for `q = ½` and slips
/// of −9 and −1 energy would rise by `(9 − 3)/35` (`impulse.md`, Friction). With `β = 0` for both nothing
/// slips afterwards, and `½ sᵀ A⁻¹ s = ½ (6 · 82 − 2 · 9)/35` is lost.
#[test]
fn contacts_that_hang_together_have_one_tangential_restitution() {
    let mut world = empty();
    for (side, spin, back) in [(0.0, 0.0, 1.0), (1.0, 9.0, 1.0), (-1.0, 1.0, -1.0)] {
        let roughness = Some(Roughness::new(f64::INFINITY, back).unwrap());
        let one = Disc::new(at(4.0 * side, 0.0), 1.0).with_velocity(at(-side, 0.0));
        let body = RoughDisc { roughness, ..RoughDisc::default() };
        world.insert(one.with_body(body).with_extra(Spin::new(spin))).unwrap();
    }
    let energy = world.kinetic_energy() + world.rotational_energy();
    world.step_event();
    assert_eq!(world.events().len(), 2);
    let lost = energy - world.kinetic_energy() - world.rotational_energy();
    let want = 0.5 * (6.0 * 82.0 - 2.0 * 9.0) / 35.0;
    assert!((lost - want).abs() < 1e-11, "{lost} {want}");
}

/// Discs that give back other parts of a slip, from −½ to 1, in one group: energy does not rise.
#[test]
fn energy_does_not_rise_whatever_discs_give_back() {
    let mut groups = 0;
    for case in 0..cases(200) {
        let rng = &mut Rng::new(case);
        let friction = rng.pick(&[0.1, 0.5, 1.0, f64::INFINITY]);
        let mut world = empty();
        for k in 0..5 {
            // Five of the neighbours of a middle, which touch it and each other.
            let place = DVec2::from_angle(f64::from(k) * core::f64::consts::FRAC_PI_3) * 2.0;
            let roughness = Roughness::new(friction, rng.pick(&[-0.5, 0.0, 0.5, 1.0])).unwrap();
            let body = RoughDisc { inertia: rng.pick(&[0.4, 0.5, 1.0]), roughness: Some(roughness), own: () };
            let one = Disc::new(if k == 0 { DVec2::ZERO } else { place }, 1.0).with_body(body);
            let spin = Spin::new(rng.range(-3.0, 3.0));
            world.insert(one.with_mass(rng.pick(&[1.0, 0.2, 5.0])).with_extra(spin).with_overlap()).unwrap();
        }
        let cue = disc(at(9.0, rng.range(-1.0, 1.0)), friction, 0.5).with_velocity(at(-3.0, 0.0));
        world.insert(cue.with_extra(Spin::new(rng.range(-5.0, 5.0)))).unwrap();
        for _ in 0..8 {
            if world.next_event().is_none() {
                break;
            }
            let energy = world.kinetic_energy() + world.rotational_energy();
            world.step_event();
            let after = world.kinetic_energy() + world.rotational_energy();
            assert!(after <= energy * (1.0 + 1e-13), "case {case}: {after} after {energy}");
            groups += u32::from(world.events().len() > 1);
        }
    }
    assert!(groups > 100, "{groups}");
}

/// A fan, seen in the mirror: a heavy disc hits one full that touches two others at ± 35°. The two are thrown
/// alike, each by the friction at its own contact, `tan θ = μ` while it slips; the middle one does not turn.
#[test]
fn a_fan_is_thrown_at_each_contact() {
    let angle = 35.0_f64.to_radians();
    for friction in [0.02, 0.05, 0.1] {
        let mut world = empty();
        let cue = disc(at(-4.0, 0.0), 0.0, 0.5).with_mass(3.0);
        world.insert(cue.with_velocity(at(1.0, 0.0))).unwrap();
        let inner = world.insert(disc(at(0.0, 0.0), friction, 0.5)).unwrap();
        let outer = [angle, -angle].map(|angle| {
            let place = DVec2::from_angle(angle) * 2.0;
            world.insert(disc(place, friction, 0.5).with_overlap()).unwrap()
        });
        world.advance(4.0).unwrap();
        let [up, down] = outer.map(|id| world.get(id).unwrap());
        assert_eq!((up.velocity().x, up.velocity().y), (down.velocity().x, -down.velocity().y));
        assert_eq!(up.extra().angular_velocity, -down.extra().angular_velocity);
        assert_eq!(world.get(inner).unwrap().extra().angular_velocity, 0.0);
        let (normal, tangent) = (DVec2::from_angle(angle), DVec2::from_angle(angle).perp());
        let thrown = (up.velocity().dot(tangent) / up.velocity().dot(normal)).abs();
        assert!((thrown / friction - 1.0).abs() < 1e-9, "{friction}: {thrown}");
    }
}

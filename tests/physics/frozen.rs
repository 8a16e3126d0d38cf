//! Frozen discs that are hit: closed forms of Coulomb's law at each of their contacts.

use carom_engine::{DVec2, Disc, DiscId, Rough, RoughDisc, Roughness, Settings, Smooth, Spin, World};
use carom_testkit::at;

/// Restitution of all discs here. A cue of half the mass of what it hits then stops.
const RESTITUTION: f64 = 0.5;
const SPEED: f64 = 3.0;

fn disc(place: DVec2, friction: f64, inertia: f64) -> Disc<RoughDisc, Spin> {
    let roughness = Some(Roughness::new(friction, 0.0).unwrap());
    Disc::new(place, 1.0)
        .with_body(RoughDisc { inertia, roughness, own: () })
        .with_restitution(RESTITUTION)
        .with_overlap()
}

fn empty() -> World<Rough> {
    World::with_physics(Rough::new(Smooth, Roughness::SMOOTH), Settings::default()).unwrap()
}

/// A disc of this mass and radius about the origin that others of mass and radius 1 touch at these angles.
struct Fan {
    mass: f64,
    radius: f64,
    angles: Vec<f64>,
}

impl Fan {
    fn new(mass: f64, radius: f64, n: u32, degrees: f64) -> Self {
        let angle = |k: u32| (f64::from(k) - 0.5 * f64::from(n - 1)) * degrees.to_radians();
        Fan { mass, radius, angles: (0..n).map(angle).collect() }
    }

    /// `V′` and `w`: the speed of the middle with which all outer ones press, at a restitution of 0, and that
    /// which it has before friction. A cue of the mass `e M` gives it `V = e U`, and stops. Then the impulses
    /// `m cos θ V′` at a restitution of 0 leave it `V′ = V/(1 + S)`, `S = (m/M) Σ cos² θ`, and `(1 + e)` of
    /// them leave it `w = V′ (1 − e S)`.
    fn speeds(&self) -> [f64; 2] {
        let sum = self.angles.iter().map(|angle| angle.cos().powi(2)).sum::<f64>() / self.mass;
        let pressing = RESTITUTION * SPEED / (1.0 + sum);
        [pressing, pressing * (1.0 - RESTITUTION * sum)]
    }

    /// The tangent of the angle by which one at `angle` is thrown, where the middle goes at `after` in the
    /// end: that of friction while it slips, else that at which its slip `w′ sin θ − (1 + 1/q) J/m` ends.
    fn throw(&self, angle: f64, after: f64, friction: f64, inertia: f64) -> f64 {
        let at_end = after * angle.abs().sin() / (1.0 + 1.0 / inertia);
        friction.min(at_end / (angle.cos() * (1.0 + RESTITUTION) * self.speeds()[0]))
    }

    /// How fast the middle goes in the end: by as much less than `w` as friction takes, `Σ |J| sin θ/M`.
    fn after(&self, friction: f64, inertia: f64) -> f64 {
        let [pressing, before] = self.speeds();
        let (mut low, mut high) = (0.0, before);
        for _ in 0..100 {
            let after = 0.5 * (low + high);
            let taken = |angle: &f64| {
                let impulse = (1.0 + RESTITUTION) * angle.cos() * pressing;
                impulse * self.throw(*angle, after, friction, inertia) * angle.abs().sin() / self.mass
            };
            let left = before - self.angles.iter().map(taken).sum::<f64>();
            (low, high) = if left > after { (after, high) } else { (low, after) };
        }
        low
    }
}

/// A fan of three to six, hit full by a smooth cue: each leaves with the normal speed of smooth discs, and is
/// thrown towards the middle line by the friction at its own contact, `tan φ = μ`, or by less where its slip
/// ends ([`Fan::throw`]). Three are of one size and touch each other; more find place around a larger one.
/// (Moreau 1966 for the law; the impulses of smooth discs as in `docs/derivations/impulse.md`.)
#[test]
fn each_disc_of_a_fan_is_thrown_at_its_own_contact() {
    let (mut slid, mut stuck) = (0, 0);
    let fans = [
        Fan::new(1.0, 1.0, 3, 60.0),
        Fan::new(4.0, 4.0, 4, 24.0),
        Fan::new(4.0, 4.0, 5, 24.0),
        Fan::new(4.0, 4.0, 6, 24.0),
    ];
    for fan in &fans {
        for (friction, inertia) in [(0.01, 0.5), (0.03, 0.4), (0.06, 1.0), (0.1, 0.5), (0.5, 0.4)] {
            let mut world = empty();
            let cue = disc(at(-1.5 - fan.radius, 0.0), 0.0, 0.5).with_mass(RESTITUTION * fan.mass);
            world.insert(cue.with_velocity(at(SPEED, 0.0))).unwrap();
            let mut middle = disc(DVec2::ZERO, friction, inertia).with_mass(fan.mass);
            middle.radius = fan.radius;
            let middle = world.insert(middle).unwrap();
            let put = |world: &mut World<Rough>, angle: &f64| {
                let place = DVec2::from_angle(*angle) * (fan.radius + 1.0);
                world.insert(disc(place, friction, inertia)).unwrap()
            };
            let outer: Vec<DiscId> = fan.angles.iter().map(|angle| put(&mut world, angle)).collect();
            world.step_event();
            assert_eq!(world.counters().groups, 1);
            let after = fan.after(friction, inertia);
            let of_middle = world.get(middle).unwrap();
            let mut off = of_middle.velocity().distance(at(after, 0.0));
            off = off.max(of_middle.extra().angular_velocity.abs());
            for (id, &angle) in outer.into_iter().zip(&fan.angles) {
                let normal = DVec2::from_angle(angle);
                let speed = (1.0 + RESTITUTION) * angle.cos() * fan.speeds()[0];
                let throw = fan.throw(angle, after, friction, inertia);
                (slid, stuck) = (slid + i32::from(throw == friction), stuck + i32::from(throw < friction));
                let along = if angle == 0.0 { 0.0 } else { -speed * throw.copysign(angle) };
                let one = world.get(id).unwrap();
                off = off.max(one.velocity().distance(normal * speed + normal.perp() * along));
                off = off.max((one.extra().angular_velocity + along / inertia).abs());
            }
            assert!(off < 1e-15, "{} {friction} {inertia}: {off:e}", fan.angles.len());
        }
    }
    assert!(slid > 20 && stuck > 20, "{slid} {stuck}");
}

/// A cue with spin that hits the first of a rack of three full: the impulses along the tangents `J₀` on the
/// first and `J₁`, `J₂` on those at ± 30°, by the mass and the speed `V` that the first gets.
///
/// The impulses of smooth discs are `1` at the cue and `j = (1 + e) cos 30° · 2/5` at the others, and the
/// first goes on at `w = (2/5)(1 − 3e/2)`. With `k = 1/q` the slips afterwards are
///
/// ```text
/// s₀ = −Rω    + 3(1 + k) J₀   + (k − cos 30°)(J₁ + J₂)
/// s₁ =   w/2  + (k − cos 30°) J₀ + 2(1 + k) J₁ + (k + ½) J₂
/// s₂ = − w/2  + (k − cos 30°) J₀ + 2(1 + k) J₂ + (k + ½) J₁
/// ```
///
/// By `μ`, from small to large: all three slip; the third sticks; the two stick and go like gears; all stick.
fn rack(friction: f64, inertia: f64, rim: f64) -> ([f64; 3], &'static str) {
    let (cos, k) = (0.75_f64.sqrt(), 1.0 / inertia);
    let (most, half) = ((1.0 + RESTITUTION) * cos * 0.4 * friction, 0.2 * (1.0 - 1.5 * RESTITUTION));
    let (of_cue, own, other) = (k - cos, 2.0 * (1.0 + k), k + 0.5);
    // What is odd in the mirror, (J₁ + J₂)/2, has to do with spin, and what is even with w alone.
    let even = -half / (own - other);
    let both = own + other;
    let first = rim / (3.0 * (1.0 + k) - 2.0 * of_cue * of_cue / both);
    if first <= friction {
        let odd = -of_cue * first / both;
        return ([first, odd + even, odd - even], "all stick");
    }
    let odd = -of_cue * friction / both;
    if (odd + even).abs() <= most {
        return ([friction, odd + even, odd - even], "two stick");
    }
    let third = (half - of_cue * friction + other * most) / own;
    if third <= most {
        ([friction, -most, third], "one sticks")
    } else {
        ([friction, -most, most], "none sticks")
    }
}

/// A rack of three throws each of the two behind by the friction at its own contact ([`rack`]). With the spin
/// reversed it is the mirrored one, to the last bit.
#[test]
fn a_rack_of_three_is_thrown_at_each_contact() {
    let mut seen = Vec::new();
    for inertia in [0.5, 0.4] {
        for (friction, rim) in [(0.01, 3.0), (0.025, 3.0), (0.1, 3.0), (0.3, 4.0), (f64::INFINITY, 1.0)] {
            let hit = |way: f64| {
                let mut world = empty();
                let cue = disc(at(-2.5, 0.0), friction, inertia).with_mass(RESTITUTION);
                let cue = cue.with_velocity(at(SPEED, 0.0)).with_extra(Spin::new(way * rim));
                let ids = [
                    cue,
                    disc(at(0.0, 0.0), friction, inertia),
                    disc(at(3.0_f64.sqrt(), way), friction, inertia),
                    disc(at(3.0_f64.sqrt(), -way), friction, inertia),
                ]
                .map(|disc| world.insert(disc).unwrap());
                world.step_event();
                assert_eq!(world.counters().groups, 1);
                ids.map(|id| world.get(id).unwrap())
                    .map(|disc| (disc.velocity(), disc.extra().angular_velocity))
            };
            let got = hit(1.0);
            for ((v, spin), (u, other)) in got.into_iter().zip(hit(-1.0)) {
                assert_eq!((v.x, v.y, spin), (u.x, -u.y, -other));
            }
            let given = RESTITUTION * SPEED;
            let (impulses, regime) = rack(friction, inertia, rim / given);
            seen.push(regime);
            let [first, above, below] = impulses.map(|impulse| impulse * given);
            let normals = [0.5, -0.5].map(|y| DVec2::new(0.75_f64.sqrt(), y));
            let along = normals[0].perp() * above + normals[1].perp() * below;
            let on = 0.4 * (1.0 - 1.5 * RESTITUTION) * given;
            let speed = (1.0 + RESTITUTION) * 0.75_f64.sqrt() * 0.4 * given;
            let want = [
                (at(0.0, -first / RESTITUTION), rim - first / (RESTITUTION * inertia)),
                (at(on, first) - along, -(first + above + below) / inertia),
                (normals[0] * speed + normals[0].perp() * above, -above / inertia),
                (normals[1] * speed + normals[1].perp() * below, -below / inertia),
            ];
            for ((v, spin), (u, other)) in got.into_iter().zip(want) {
                let off = v.distance(u).max((spin - other).abs());
                assert!(off < 1e-15, "{friction} {inertia} {regime}: {v} {u} {spin} {other}");
            }
        }
    }
    for regime in ["none sticks", "one sticks", "two stick", "all stick"] {
        assert!(seen.contains(&regime), "{regime}");
    }
}

//! The same-impact rule: no impact is found a second time because of rounding.
//!
//! Without this rule about one in five e = 0 impacts would, and some for ever.

use carom_engine::math::toi;
use carom_engine::{DVec2, Disc, DiscId, Event, Impact, Partner, Settings, Wall, World};
use std::collections::HashMap;

use crate::common::rng::Rng;
use carom_testkit::at;

fn world() -> World {
    World::with_settings(Settings::default().with_budget(200)).unwrap()
}

/// Counts impacts of the same two with nothing in between for either: what uniform motion excludes, but in
/// arcs.
#[derive(Default)]
struct Repeats {
    /// The latest impact of each disc, and whom it met there.
    latest: HashMap<DiscId, (u64, Vec<Partner>)>,
    impacts: usize,
    repeats: usize,
}

impl Repeats {
    fn take(&mut self, events: &[Event]) {
        let all: Vec<Impact> = events.iter().map(|event| *event.impact().unwrap()).collect();
        for group in all.chunk_by(|a, b| a.group == b.group) {
            self.impacts += group.len();
            for impact in group {
                let repeated = self.latest.get(&impact.a).is_some_and(|(number, partners)| {
                    let too = |b| self.latest.get(&b).is_some_and(|(other, _)| other == number);
                    partners.contains(&impact.b) && impact.b.disc().is_none_or(too)
                });
                self.repeats += usize::from(repeated);
            }
            let mut met: HashMap<DiscId, Vec<Partner>> = HashMap::new();
            for impact in group {
                met.entry(impact.a).or_default().push(impact.b);
                if let Partner::Disc(b) = impact.b {
                    met.entry(b).or_default().push(Partner::Disc(impact.a));
                }
            }
            for (disc, partners) in met {
                self.latest.insert(disc, (group[0].group, partners));
            }
        }
    }

    /// Runs a world of two that meet once at most.
    fn run(&mut self, world: &mut World, dt: f64, case: u32) {
        self.latest.clear();
        world.advance(dt).unwrap();
        let before = self.impacts;
        self.take(world.events());
        assert!(self.impacts <= before + 1, "case {case}: {:?}", world.events());
    }

    /// At least this many impacts, none twice.
    fn assert_none(&self, impacts: usize) {
        println!("{} impacts, {} repeats", self.impacts, self.repeats);
        assert!(self.impacts > impacts && self.repeats == 0);
    }
}

#[test]
fn plastic_pairs_meet_once() {
    let mut rng = Rng::new(1);
    let (mut repeats, mut would) = (Repeats::default(), 0);
    for _ in 0..20_000 {
        let mut world = world();
        let far = rng.pick(&[0.0, 1.0, 1e6]);
        let offset = rng.vector(far);
        let direction = DVec2::from_angle(rng.range(0.0, 7.0));
        let drift = rng.vector(1.0);
        let restitution = rng.pick(&[0.0, 0.0, 1e-16, 1e-9]);
        for i in 0..2 {
            let position = offset + direction * (2.5 * i as f64) + rng.vector(0.5);
            let disc =
                Disc::new(position, rng.range(0.3, 0.6)).with_mass(10.0_f64.powf(rng.range(-6.0, 6.0)));
            let velocity = drift - direction * i as f64;
            world.insert(disc.with_velocity(velocity).with_restitution(restitution)).unwrap();
        }
        let before = repeats.impacts;
        repeats.latest.clear();
        if world.step_event().events == 1 {
            repeats.take(world.events());
            // What the stored states alone would say, without the numbers of their impacts.
            let [a, b] = [0, 1].map(|k| world.discs().nth(k).unwrap().1);
            let (d, v) = (b.position - a.position, b.velocity - a.velocity);
            would += usize::from(toi::disc_disc(d, v, a.radius + b.radius).is_some());
        }
        world.advance(1e6).unwrap();
        repeats.take(world.events());
        assert!(repeats.impacts <= before + 1, "{:?}", world.events());
    }
    println!("{} impacts, {} repeats; without the rule {would}", repeats.impacts, repeats.repeats);
    assert!(repeats.impacts > 10_000 && repeats.repeats == 0);
    // Few, since an impact leaves no approach along its rounded normal; one in six, if it leaves what
    // rounding does. But the normal is not quite the line of centres.
    assert!(would > 0, "there is nothing to be kept from");
}

/// Touching discs that glide along each other, approaching at 10⁻¹⁸ … 10⁻¹² of their speed.
#[test]
fn grazing_pairs_meet_once() {
    let mut rng = Rng::new(2);
    let mut repeats = Repeats::default();
    for case in 0..20_000 {
        let mut world = world();
        let normal = if rng.chance(50) { DVec2::X } else { DVec2::from_angle(rng.range(0.0, 7.0)) };
        let far = rng.pick(&[0.0, 1.0, 1e6]);
        let offset = rng.vector(far);
        let slow = 10.0_f64.powf(rng.range(-18.0, -12.0));
        let speed = 10.0_f64.powf(rng.range(-3.0, 3.0));
        let restitution = rng.pick(&[0.0, 0.5, 1.0]);
        let [r, s] = [rng.range(0.1, 1.0), rng.range(0.1, 1.0)];
        let velocity = (normal.perp() + normal * slow) * speed;
        let a = Disc::new(offset, r).with_velocity(velocity).with_restitution(restitution);
        let b = Disc::new(offset + normal * (r + s), s).with_restitution(restitution);
        world.insert(a.with_mass(rng.range(0.1, 10.0))).unwrap();
        world.insert(b).unwrap();
        repeats.run(&mut world, 1e3, case);
    }
    repeats.assert_none(5000);
}

/// Plastic blows into touching clusters: everything that touches takes part once.
#[test]
fn plastic_groups_meet_once() {
    let mut rng = Rng::new(3);
    let (mut repeats, mut groups) = (Repeats::default(), 0);
    for case in 0..3000 {
        let mut world = world();
        let (turn, offset) = (DVec2::from_angle(rng.range(0.0, 7.0)), rng.vector(3.0));
        // A square or a hexagonal lattice: in the square one a blow goes exactly past the neighbours beside.
        let step = if case % 2 == 0 { at(0.0, 1.0) } else { at(0.5, 0.75_f64.sqrt()) };
        let restitution = rng.pick(&[0.0, 0.0, 0.5, 1.0]);
        for i in 0..3 {
            for j in 0..3 {
                let place = at(f64::from(i), 0.0) + step * f64::from(j);
                let mass = if case % 3 == 0 { 1.0 } else { rng.range(0.1, 10.0) };
                let disc = Disc::new(offset + turn.rotate(place), 0.5).with_restitution(restitution);
                let velocity = if i == 0 && j == 1 { turn } else { DVec2::ZERO };
                world.insert(disc.with_mass(mass).with_velocity(velocity)).unwrap();
            }
        }
        repeats.latest.clear();
        // Distances round to gaps of an ulp or two, which are there to be crossed: 10⁻¹⁵ s.
        world.advance(1e-14).unwrap();
        repeats.take(world.events());
        groups += world.counters().groups;
        let events = world.counters().events;
        // One group, and where gaps of an ulp are left between its members a few more.
        assert!(events <= 12, "case {case}: {events} events");
    }
    println!("{} impacts in {groups} groups, {} repeats", repeats.impacts, repeats.repeats);
    assert!(groups >= 2500 && repeats.repeats == 0, "{groups} groups, {} repeats", repeats.repeats);
}

#[test]
fn plastic_and_grazing_at_straight_walls_once() {
    let mut rng = Rng::new(4);
    let mut repeats = Repeats::default();
    for case in 0..20_000 {
        let mut world = world();
        let along = if case % 4 == 0 { DVec2::X } else { DVec2::from_angle(rng.range(0.0, 7.0)) };
        let far = rng.pick(&[0.0, 1.0, 1e5]);
        let place = rng.vector(far);
        let wall = match case % 4 {
            0 | 1 => Wall::half_plane(place, along.perp()),
            2 => Wall::segment(place - along * 1e4, place + along * 1e4),
            _ => Wall::one_sided_segment(place - along * 1e4, place + along * 1e4),
        };
        let restitution = rng.pick(&[0.0, 0.0, 1e-12, 1.0]);
        world.add_wall(wall.with_restitution(restitution)).unwrap();
        let slow = if rng.chance(50) { 10.0_f64.powf(rng.range(-18.0, -12.0)) } else { rng.unit() };
        let radius = rng.pick(&[0.0, 0.5]);
        let height = if slow < 1e-10 { 0.0 } else { rng.unit() };
        let disc = Disc::new(place + along.perp() * (radius + height), radius);
        let velocity = (along - along.perp() * slow) * rng.range(0.1, 10.0);
        world.insert(disc.with_velocity(velocity).with_restitution(restitution)).unwrap();
        repeats.run(&mut world, 100.0, case);
    }
    repeats.assert_none(10_000);
}

/// Gliding along an arc or a post at 10⁻¹⁸ … 10⁻¹² of the speed, or hit plastically from outside: at most one
/// impact, and no disc gets in.
#[test]
fn grazing_and_plastic_at_round_walls_once() {
    let mut rng = Rng::new(7);
    let mut repeats = Repeats::default();
    for case in 0..20_000 {
        let mut world = world();
        let far = rng.pick(&[0.0, 1.0, 1e6]);
        let center = rng.vector(far);
        let (size, radius) = (rng.range(0.5, 3.0), rng.pick(&[0.0, 0.25, 1.0]));
        let angle = rng.range(0.0, 7.0);
        let out = DVec2::from_angle(angle);
        let restitution = rng.pick(&[0.0, 0.0, 1e-15, 1.0]);
        let wall = match case % 3 {
            0 => Wall::disc(center, size),
            1 => Wall::arc(center, size, angle - 1.5, 3.0),
            _ => Wall::arc(center, size, 0.3, core::f64::consts::TAU),
        };
        world.add_wall(wall.with_restitution(restitution)).unwrap();
        let grazes = rng.chance(50);
        let slow = if grazes { 10.0_f64.powf(rng.range(-18.0, -12.0)) } else { rng.range(0.01, 1.0) };
        let velocity = (out.perp() - out * slow) * 10.0_f64.powf(rng.range(-3.0, 3.0));
        // What grazes starts in touch. A point there may be rounded to the inside, and would be right to stay
        // there.
        let gap = if grazes && radius > 0.0 { 0.0 } else { 1e-3 };
        let disc = Disc::new(center + out * (size + radius + gap), radius).with_restitution(restitution);
        let id = world.insert(disc.with_velocity(velocity)).unwrap();
        repeats.run(&mut world, 1e4, case);
        assert!(
            world.get(id).unwrap().position().distance(center) > size + radius,
            "case {case}: caught inside"
        );
    }
    repeats.assert_none(5000);
}

/// Gliding along the inside of a round wall at 10⁻¹⁸ … 1 of the speed, elastically or not: impacts without
/// end, but each later than the one before, and no disc gets out.
///
/// What slides, or soon will as it is not elastic, flies off along the tangent until it is outside by half of
/// what counts as touching, and is led back from there.
#[test]
fn gliding_inside_round_walls() {
    let mut rng = Rng::new(8);
    let mut worst = f64::NEG_INFINITY;
    for case in 0..7500 {
        let mut world = world();
        let far = rng.pick(&[0.0, 1.0, 1e6]);
        let center = rng.vector(far);
        let (size, radius) = (rng.range(1.5, 3.0), rng.pick(&[0.0, 0.25, 1.0]));
        let out = DVec2::from_angle(rng.range(0.0, 7.0));
        let restitution = rng.pick(&[0.0, 1e-15, 0.5, 1.0]);
        let wall = if case % 2 == 0 {
            Wall::circle(center, size)
        } else {
            Wall::arc(center, size, 0.3, core::f64::consts::TAU)
        };
        world.add_wall(wall.with_restitution(restitution)).unwrap();
        let slow = 10.0_f64.powf(rng.range(-18.0, 0.0));
        let velocity = (out.perp() + out * slow) * 10.0_f64.powf(rng.range(-3.0, 3.0));
        // A point on an arc has two sides, and may be rounded to the outer one.
        let gap = if radius == 0.0 { 1e-9 } else { 0.0 };
        let disc = Disc::new(center + out * (size - radius - gap), radius).with_restitution(restitution);
        let id = world.insert(disc.with_velocity(velocity)).unwrap();
        let ulp = (center.abs().max_element() + size) * f64::EPSILON;
        let mut last = None;
        for event in 1..=100 {
            assert_eq!(world.step_event().events, 1, "case {case}, event {event}: got away");
            let now = world.now();
            assert!(last.is_none_or(|last| now > last), "case {case}, event {event}: again at {now:?}");
            last = Some(now);
            let beyond = (world.get(id).unwrap().position() - center).length() + radius - size;
            worst = worst.max(beyond / ulp);
        }
    }
    println!("beyond the wall by at most {worst:.2} ulp");
    assert!(worst <= 4.0, "{worst:?}");
}

/// Points on two-sided walls, straight and round, from either side, driven against them again and again by
/// others: they stay on the side on which they came.
#[test]
fn points_keep_their_side_of_every_wall() {
    let mut rng = Rng::new(9);
    let mut impacts = 0;
    for case in 0..4000 {
        let mut world = World::with_settings(Settings::default().with_budget(2000)).unwrap();
        let far = rng.pick(&[0.0, 2.0, 1e3]);
        let offset = rng.vector(far);
        let along = DVec2::from_angle(rng.range(0.0, 7.0));
        // The side from which all come.
        let up = if rng.chance(50) { along.perp() } else { -along.perp() };
        let curve = 5.0;
        let kind = case % 4;
        let wall = match kind {
            0 => Wall::segment(offset - along * 3.0, offset + along * 3.0),
            1 => Wall::polyline(&[
                offset - along * 3.0,
                offset + along * rng.range(0.2, 0.9),
                offset + along * 3.0,
            ]),
            // Round, from outside and from inside.
            2 => Wall::arc(offset - up * curve, curve, up.to_angle() - 1.0, 2.0),
            _ => Wall::arc(offset + up * curve, curve, (-up).to_angle() - 1.0, 2.0),
        };
        let height = |p: DVec2| match kind {
            0 | 1 => (p - offset).dot(up),
            2 => (p - (offset - up * curve)).length() - curve,
            _ => curve - (p - (offset + up * curve)).length(),
        };
        let e = rng.pick(&[1.0, 1.0, 0.5, 0.0]);
        world.add_wall(wall.with_restitution(e)).unwrap();
        let (above, aside) = (10.0_f64.powf(rng.range(-9.0, -1.0)), rng.range(-0.1, 0.1));
        let turned = |v: DVec2| DVec2::from_angle(aside / curve).rotate(v);
        let start = match kind {
            0 | 1 => offset + up * above + along * aside,
            2 => offset - up * curve + turned(up) * (curve + above),
            _ => offset + up * curve - turned(up) * (curve - above),
        };
        let point = Disc::new(start, 0.0).with_mass(0.1).with_restitution(e).with_velocity(-up * rng.unit());
        let point = world.insert(point).unwrap();
        // A heavy disc that comes down on it, and goes on until it touches the wall itself.
        let hammer = Disc::new(offset + up * 2.0 + along * rng.range(-0.2, 0.2), 0.5).with_restitution(e);
        world.insert(hammer.with_mass(3.0).with_velocity(-up)).unwrap();
        let ulp = (offset.abs().max_element() + 10.0) * f64::EPSILON;
        for _ in 0..200 {
            // Velocities after a group are 0 up to rounding: what is pressed to the wall there creeps by
            // 10⁻¹⁶ a second, through the wall as well, since it has met it. In ten seconds that is less than
            // 4 ulp.
            if world.next_event().is_none_or(|next| next.time.as_secs() > 10.0) {
                break;
            }
            assert_eq!(world.step_event().events, 1);
            impacts += world.events().len();
            let p = world.get(point).unwrap().position();
            // On it: what counts as touching. Beyond its ends it may be where it likes.
            if p.distance(offset) < 2.0 {
                assert!(height(p) >= -4.0 * ulp, "case {case}, e {e}: {:e} ulp behind", -height(p) / ulp);
            }
        }
    }
    println!("{impacts} impacts");
    assert!(impacts > 10_000);
}

//! Friction and rolling resistance at speeds of all magnitudes: closed forms of one disc on a straight wall,
//! and few discs that come to rest.

use crate::common::rng::{Rng, cases};
use carom_engine::{
    DVec2, Disc, DiscForces, DiscId, Forces, Rest, Rough, RoughDisc, RoughWall, Roughness, Settings, Spin,
    Wall, World,
};
use carom_testkit::at;

type Rubbing = World<Rough<Forces>>;

const GRAVITY: f64 = 10.0;
/// The square of the radius of gyration of a disc by that of its rim.
const GYRATION: f64 = 0.5;

/// A disc on a slope: its slip along that, with what the belt does, and the speed of the rim, positive where
/// it rolls that way.
#[derive(Clone, Copy, Debug)]
struct Slope {
    friction: f64,
    rolling: f64,
    /// Radians downwards.
    angle: f64,
    belt: f64,
    radius: f64,
    slip: f64,
    rim: f64,
}

impl Slope {
    fn random(rng: &mut Rng) -> Slope {
        let mut speed = || rng.pick(&[-1.0, 1.0]) * 10.0_f64.powf(rng.range(-14.0, 1.0));
        let [speed, other] = [speed(), speed()];
        let friction = rng.pick(&[0.05, 0.3, 1.0, f64::INFINITY]);
        Slope {
            friction,
            rolling: rng.pick(&[0.0, 0.01, 0.05, 0.3]),
            angle: rng.pick(&[0.0, 0.0, 0.02, 0.2, 0.5]),
            belt: rng.pick(&[0.0, 0.0, 0.0, 1.0, -1e-6]),
            radius: rng.pick(&[0.16, 0.5, 1.0]),
            slip: rng.pick(&[0.0, 0.0, speed]),
            rim: rng.pick(&[0.0, speed, other]),
        }
    }

    /// The accelerations of the centre and of the rim with this slip and this rolling, 0 where it is to stay
    /// so, and whether Coulomb's law allows that.
    fn accelerations(&self, slips: f64, rolls: f64) -> ([f64; 2], bool) {
        let (pull, press) = (GRAVITY * self.angle.sin(), GRAVITY * self.angle.cos());
        let most = (self.friction * press, self.rolling * press);
        // v′ = pull + f and q r′ = −f + m, with the friction f and the moment m by mR.
        let (f, m) = match (slips == 0.0, rolls == 0.0) {
            (false, false) => (-slips * most.0, -rolls * most.1),
            // v′ = r′.
            (true, false) => {
                let m = -rolls * most.1;
                ((m - GYRATION * pull) / (1.0 + GYRATION), m)
            }
            (false, true) => (-slips * most.0, -slips * most.0),
            (true, true) => (-pull, -pull),
        };
        let allowed = |is_held: bool, x: f64, most: f64| !is_held || x.abs() <= most;
        let is_allowed = allowed(slips == 0.0, f, most.0) && allowed(rolls == 0.0, m, most.1);
        ([pull + f, (m - f) / GYRATION], is_allowed)
    }

    fn speed(&self) -> f64 {
        self.slip + self.rim + self.belt
    }

    /// The rates of slip and rim from now on, and for how long.
    fn phase(&self) -> ([f64; 2], f64) {
        let slip = self.slip;
        let ways = |now: f64, is_endless: bool| match (now == 0.0, is_endless) {
            (true, false) => vec![0.0, 1.0, -1.0],
            (true, true) => vec![0.0],
            _ => vec![now.signum()],
        };
        for slips in ways(slip, self.friction == f64::INFINITY) {
            for rolls in ways(self.rim, false) {
                let ([a, b], is_allowed) = self.accelerations(slips, rolls);
                let goes = |now: f64, way: f64, rate: f64| now != 0.0 || way == 0.0 || rate * way > 0.0;
                if !is_allowed || !goes(slip, slips, a - b) || !goes(self.rim, rolls, b) {
                    continue;
                }
                let ends = |now: f64, way: f64, rate: f64| match way != 0.0 && rate * way < 0.0 {
                    true => -now / rate,
                    false => f64::INFINITY,
                };
                return ([a - b, b], ends(slip, slips, a - b).min(ends(self.rim, rolls, b)));
            }
        }
        unreachable!("no phase of {self:?}")
    }

    /// The disc after some seconds.
    fn after(mut self, mut seconds: f64) -> Slope {
        while seconds > 0.0 {
            if self.friction == f64::INFINITY {
                // It ends to slip at once, as v + q r stays.
                self.rim += self.slip / (1.0 + GYRATION);
                self.slip = 0.0;
            }
            let (rates, ends) = self.phase();
            let lasts = ends.min(seconds);
            let after = |now: f64, rate: f64| {
                let is_end = now * rate < 0.0 && -now / rate <= lasts;
                if is_end { 0.0 } else { now + rate * lasts }
            };
            (self.slip, self.rim) = (after(self.slip, rates[0]), after(self.rim, rates[1]));
            seconds -= lasts;
        }
        self
    }

    fn world(&self) -> (Rubbing, DiscId, DVec2) {
        let roughness = Roughness::new(self.friction, 0.0).unwrap();
        let roughness = roughness.with_rolling_resistance(self.rolling).unwrap();
        let forces = Forces::new().with_gravity([0.0, -GRAVITY]).unwrap();
        let mut world = World::with_physics(Rough::new(forces, roughness), Settings::default()).unwrap();
        let down = DVec2::from_angle(-self.angle);
        let belt = RoughWall::default().with_surface_speed(self.belt).unwrap();
        world.add_wall(Wall::half_plane([0.0, 0.0], down.perp()).with_surface(belt)).unwrap();
        let disc = Disc::new(down.perp() * self.radius, self.radius)
            .with_body(RoughDisc::<DiscForces>::default())
            .with_restitution(0.0)
            .with_velocity(down * self.speed())
            .with_extra(Spin::new(-self.rim / self.radius));
        let id = world.insert(disc).unwrap();
        (world, id, down)
    }
}

/// What slips and rolls slowly is taken to be at rest, as far as it would come by itself: to within the rest
/// speed it has the speeds of the closed form, and where it comes to rest none at all.
#[test]
fn a_disc_slides_rolls_and_stops_by_coulombs_law() {
    for seed in 0..cases(2000) {
        let rng = &mut Rng::new(seed);
        let slope = Slope::random(rng);
        let (mut world, id, down) = slope.world();
        let mut seconds = 0.0;
        for _ in 0..4 {
            let step = rng.pick(&[1e-6, 1e-3, 1.0 / 60.0, 1.0, 10.0]);
            world.advance(step).unwrap();
            seconds += step;
            let disc = world.get(id).unwrap();
            let (speed, rim) = (disc.velocity().dot(down), -disc.extra().angular_velocity * slope.radius);
            let want = slope.after(seconds);
            let off = (speed - want.speed()).abs().max((rim - want.rim).abs());
            // The speed of a fall from the height of rests.
            let slow = (2.0 * GRAVITY * Rest::default().height * slope.radius).sqrt();
            let least = 1e-11 * (1.0 + want.speed().abs() + seconds);
            assert!(
                off <= slow + least,
                "{seed}: {slope:?} after {seconds} s: {speed:e} {rim:e}, not {want:?}"
            );
        }
        let want = slope.after(seconds);
        if want.speed() == 0.0 && want.rim == 0.0 && slope.after(seconds - 1.0).rim == 0.0 {
            assert_eq!(world.get(id).unwrap().velocity(), DVec2::ZERO, "{seed}: {slope:?}");
            assert_eq!(world.get(id).unwrap().extra().angular_velocity, 0.0, "{seed}: {slope:?}");
        }
    }
}

/// A number of any magnitude.
fn small(rng: &mut Rng) -> f64 {
    rng.pick(&[0.0, 1.0, -1.0]) * 10.0_f64.powf(rng.range(-16.0, 0.5))
}

/// Few discs that fall slowly or fast into a room of one form come to rest for good, where rolling takes
/// energy.
#[test]
fn few_discs_come_to_rest() {
    for seed in 0..cases(300) {
        let rng = &mut Rng::new(seed + 1_000_000);
        let roughness = Roughness::new(rng.pick(&[0.1, 0.5, f64::INFINITY]), 0.0).unwrap();
        let roughness = roughness.with_rolling_resistance(rng.pick(&[0.05, 0.3])).unwrap();
        let forces = Forces::new().with_gravity([0.0, -GRAVITY]).unwrap();
        let mut world = World::with_physics(Rough::new(forces, roughness), Settings::default()).unwrap();
        match rng.below(4) {
            0 => world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0])),
            1 => world.add_wall(Wall::polyline(&[[-9.0, 9.0], [0.0, 0.0], [9.0, 9.0]])),
            2 => world.add_wall(Wall::circle(at(0.0, 4.0), 4.0)),
            _ => world.add_wall(Wall::polyline(&[[-3.0, 9.0], [-3.0, 0.0], [3.0, 0.0], [3.0, 9.0]])),
        }
        .unwrap();
        let restitution = rng.pick(&[0.0, 0.2, 0.5, 0.8]);
        for k in 0..rng.below(4) + 1 {
            let radius = rng.pick(&[0.16, 0.3, 0.5]);
            let place = DVec2::new(0.1 * small(rng), 1.2 + k as f64 + small(rng).abs());
            let disc = Disc::new(place, radius)
                .with_body(RoughDisc::<DiscForces>::default())
                .with_restitution(restitution)
                .with_velocity([small(rng), small(rng)])
                .with_extra(Spin::new(small(rng)));
            // The first has room; another one that has none is left out.
            assert!(world.insert(disc).is_ok() || k > 0, "{seed}");
        }
        world.advance(120.0).unwrap();
        for (_, disc) in world.discs() {
            assert_eq!((disc.velocity, disc.extra.angular_velocity), (DVec2::ZERO, 0.0), "{seed}: {disc:?}");
        }
    }
}

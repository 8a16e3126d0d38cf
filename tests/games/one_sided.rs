//! One-sided walls: what comes from the open side passes until it has parted, forwards or back.

use crate::common::rng::{Rng, cases};
use carom_engine::{
    CastOptions, DVec2, Disc, DiscForces, DiscId, Event, Forces, Partner, QueryFilter, Settings, StopReason,
    Time, Wall, WallId, WallShape, World,
};

fn world(gravity: DVec2) -> World<Forces> {
    let settings = Settings::default().with_budget(10_000);
    World::with_physics(Forces::new().with_gravity(gravity).unwrap(), settings).unwrap()
}

/// A platform that is passed from below, at a slant and far from the origin as well: what turns in its line
/// falls through it again, as if it was not there, and what comes out above it lands on it.
#[test]
fn what_does_not_clear_the_platform_falls_through_it_again() {
    for (turn, restitution) in [(0.05, 0.0), (0.25, 0.5), (0.49, 1.0), (-0.2, 0.0), (0.51, 0.0)] {
        for (angle, middle) in [(0.0, DVec2::ZERO), (0.3, DVec2::ZERO), (-2.0, DVec2::new(1e3, -1e6))] {
            let (along, up) = (DVec2::from_angle(angle), DVec2::from_angle(angle).perp());
            let mut world = world(up * -10.0);
            world.add_wall(Wall::one_sided_segment(middle - along * 5.0, middle + along * 5.0)).unwrap();
            // From 2 below it rises to the turn: v² = 2 · 10 · (2 + turn).
            let speed = f64::sqrt(20.0 * (2.0 + turn));
            let ball = Disc::new(middle - up * 2.0, 0.5).with_velocity(up * speed);
            let ball = world.insert(ball.with_restitution(restitution)).unwrap();
            world.advance(2.0).unwrap();
            let hits = world.counters().wall_impacts;
            let height = (world.get(ball).unwrap().position() - middle).dot(up);
            if turn > 0.5 {
                assert!(hits == 1 && (height - 0.5).abs() < 1e-8, "{turn} {angle}: {hits} impacts, {height}");
            } else {
                let free = speed * 2.0 - 5.0 * 4.0 - 2.0;
                assert!(
                    hits == 0 && (height - free).abs() < 1e-8,
                    "{turn} {angle}: {hits} impacts, {height}"
                );
            }
        }
    }
}

/// A ball that has hit the platform and grows into it, as in a game of merging, stays in front: it rises by
/// .1 from where it was hit, which does not clear it, and is hit there again.
#[test]
fn what_grows_into_the_platform_after_a_hit_stays_in_front() {
    let mut world = world(DVec2::Y * -10.0);
    world.add_wall(Wall::one_sided_segment([-5.0, 0.0], [5.0, 0.0])).unwrap();
    let ball = world.insert(Disc::new([0.0, 0.2], 0.1).with_overlap()).unwrap();
    let hit = world.step_event().time;
    world.set_radius(ball, 0.35).unwrap();
    let next = world.step_event().time;
    let flight = 2.0 * f64::sqrt(2.0 * 0.1 / 10.0);
    assert!((next.since(hit) - flight).abs() < 1e-12, "{} {flight}", next.since(hit));
    assert!((world.get(ball).unwrap().position().y - 0.1).abs() < 1e-12);
}

/// Another disc sends it back while it is in the line, at any height there, over the stretch and over an end.
#[test]
fn what_is_hit_back_in_the_line_goes_back() {
    for place in [-0.4, 0.0, 0.1, 0.3, 0.4999].map(|height| [0.7, height]).into_iter().chain([[1.3, 0.2]]) {
        let place = DVec2::from(place);
        let mut world = world(DVec2::ZERO);
        world.add_wall(Wall::one_sided_segment([-1.0, 0.0], [1.0, 0.0])).unwrap();
        let rising = Disc::new(place - DVec2::Y * 2.0, 0.5).with_velocity(DVec2::Y);
        let ball = world.insert(rising).unwrap();
        // Above it where it is then, so as not to be met by the wall.
        let falling = Disc::new(place + DVec2::Y * 3.0, 0.5).with_velocity(-DVec2::Y);
        world.insert(falling).unwrap();
        world.advance(5.0).unwrap();
        let after = world.get(ball).unwrap();
        // They meet after 2 s and change their velocities.
        assert_eq!((after.velocity(), world.counters().wall_impacts), (-DVec2::Y, 0), "{place}");
        assert!((after.position() - (place - DVec2::Y * 3.0)).length() < 1e-12, "{place}");
    }
}

/// What bounces off a wall, goes around its end and is sent away below it is on its other side then. (Seen:
/// it was taken to be on the side on which it had been hit, and was hit again at once, away from the wall.)
#[test]
fn what_goes_around_a_wall_is_on_its_other_side() {
    for wall in [Wall::segment([-1.0, 0.0], [1.0, 0.0]), Wall::one_sided_segment([-1.0, 0.0], [1.0, 0.0])] {
        for radius in [0.0, 0.2] {
            let mut world = world(DVec2::new(-3.0, -1.0));
            world.add_wall(wall.clone()).unwrap();
            // It bounces at (0, r) after half a second, is at (1.5, r) 1 s later, and at (0, r - 1) after 2.
            let ball = Disc::new([-1.875, radius + 0.125], radius).with_velocity([4.5, 0.0]);
            let ball = world.insert(ball).unwrap();
            world.advance(2.5).unwrap();
            let hits = world.counters().wall_impacts;
            let off = world.get(ball).unwrap().position() - DVec2::new(0.0, radius - 1.0);
            assert!(hits == 1 && off.length() < 1e-12, "{wall:?} {radius}: {hits} hits, {off}");
            world.set_velocity(ball, [3.0, -0.1]).unwrap();
            world.advance(0.25).unwrap();
            assert_eq!(world.counters().wall_impacts, 1, "{wall:?} {radius}");
        }
    }
}

/// A wall, where it is at a time.
struct Line {
    id: WallId,
    /// Its ends, on its left as one looks along it its normal, and its velocity.
    ends: [DVec2; 2],
    normal: DVec2,
    velocity: DVec2,
}

impl Line {
    fn now(world: &World<Forces>, id: WallId) -> Line {
        let shape = world.wall_shape(id).unwrap().into_owned();
        let WallShape::OneSidedSegment { a, b } = shape else { unreachable!("all are one-sided") };
        let velocity = world.wall_motion(id).map_or(DVec2::ZERO, |motion| motion.velocity);
        Line { id, ends: [a, b], normal: (b - a).normalize().perp(), velocity }
    }

    /// The vector from its nearest point to a place, `after` seconds from now, and whether that point is no
    /// end.
    fn off(&self, place: DVec2, after: f64) -> (DVec2, bool) {
        let [a, b] = self.ends.map(|end| end + self.velocity * after);
        let along = (place - a).dot(b - a) / a.distance_squared(b);
        (place - (a + (b - a) * along.clamp(0.0, 1.0)), (0.0..=1.0).contains(&along))
    }
}

/// A game of a few discs among one-sided walls: some move, some continue others.
fn game(rng: &mut Rng) -> (World<Forces>, Vec<WallId>) {
    let middle = rng.pick(&[DVec2::ZERO, DVec2::ZERO, DVec2::new(1e4, -3e3)]);
    let mut world = world(rng.pick(&[DVec2::ZERO, DVec2::new(0.0, -10.0), DVec2::new(3.0, -5.0)]));
    world.add_wall(Wall::container(middle - DVec2::splat(5.0), middle + DVec2::splat(5.0))).unwrap();
    let restitution = rng.pick(&[0.0, 0.6, 1.0]);
    let mut walls = Vec::new();
    for _ in 0..4 {
        let (a, along) = (middle + rng.vector(3.0), DVec2::from_angle(rng.range(0.0, 6.3)) * 1.5);
        let segment = |k: f64| Wall::one_sided_segment(a + along * k, a + along * (k + 1.0));
        let parts = if rng.chance(40) { 2 } else { 1 };
        for k in 0..parts {
            walls.extend(world.add_wall(segment(f64::from(k)).with_restitution(restitution)));
        }
        if parts == 1 && rng.chance(40) {
            world.move_wall_until(*walls.last().unwrap(), rng.vector(2.0), rng.range(1.0, 9.0)).unwrap();
        }
    }
    for _ in 0..40 {
        let disc = Disc::new(middle + rng.vector(4.0), rng.range(0.1, 0.5)).with_velocity(rng.vector(4.0));
        if world.len() < 7 {
            _ = world.insert(disc.with_restitution(restitution));
        }
    }
    (world, walls)
}

/// How long a step is, and how far places are clearly apart.
const STEP: f64 = 0.01;
const CLEAR: f64 = 1e-6;

/// Fails if something has been hit or held by one of the walls elsewhere than at its line; counts these.
fn check_contacts(world: &World<Forces>, lines: &[Line], start: Time) -> u32 {
    let mut seen = 0;
    for event in world.events() {
        let (at, with, time) = match event {
            Event::Impact(impact) => (impact.point, impact.b, impact.time),
            Event::Held(hold) => (hold.point, hold.b, hold.time),
            _ => continue,
        };
        let Partner::Wall { wall, .. } = with else { continue };
        let Some(line) = lines.iter().find(|line| line.id == wall) else { continue };
        let (off, _) = line.off(at, time.since(start));
        assert!(off.length() < CLEAR, "{event:?} is off the wall by {off}");
        seen += 1;
    }
    seen
}

/// Whether a disc that comes to overlap a wall in this step, and touches nothing else, enters it from its
/// front. What is on its way through a part is so through the one that continues it.
fn enters_from_front(line: &Line, lines: &[Line], disc: &Disc<DiscForces>, acceleration: DVec2) -> bool {
    let path = |t: f64| disc.position + (disc.velocity + acceleration * (0.5 * t)) * t;
    let (mut low, mut high) = (0.0, STEP);
    for _ in 0..40 {
        let t = 0.5 * (low + high);
        let is_in = line.off(path(t), t).0.length() < disc.radius;
        *(if is_in { &mut high } else { &mut low }) = t;
    }
    let at = path(high);
    let (off, is_stretch) = line.off(at, high);
    let speed = (disc.velocity + acceleration * high - line.velocity).dot(line.normal);
    let mut others = lines.iter().filter(|other| other.id != line.id);
    !others.any(|other| other.off(at, high).0.length() < disc.radius - CLEAR)
        && off.dot(line.normal) > CLEAR
        && (is_stretch || speed < -CLEAR)
}

fn is_touched(world: &World<Forces>, id: DiscId) -> bool {
    world.events().iter().any(|event| match event {
        Event::Impact(impact) => impact.involves(id),
        Event::Held(hold) | Event::LetGo(hold) => hold.a == id || hold.b == Partner::Disc(id),
        _ => false,
    })
}

/// Whether a wall holds a disc, which may then overlap it by some gaps of the pieces of its motion.
fn is_held(world: &World<Forces>, id: DiscId, line: &Line) -> bool {
    world.held_to(id).any(|partner| matches!(partner, Partner::Wall { wall, .. } if wall == line.id))
}

/// In small steps of time: a disc overlaps a one-sided wall only if it has come through its back, or around
/// an end against its direction, and it is hit and held only by the surface of the front.
#[test]
fn random_games_are_one_sided() {
    let rng = &mut Rng::new(77);
    let (mut hits, mut passed, mut turned) = (0, 0, 0);
    for number in 0..cases(30) {
        let (mut world, walls) = game(rng);
        for _ in 0..500 {
            let lines: Vec<Line> = walls.iter().map(|&id| Line::now(&world, id)).collect();
            let now = |id| {
                let disc = world.get(id).expect("none goes");
                (id, disc.to_disc(), disc.acceleration())
            };
            let (before, start): (Vec<_>, _) = (world.ids().map(now).collect(), world.now());
            // Where time stands, far from the origin, is for other tests to say.
            if world.advance(STEP).unwrap().end != StopReason::Reached {
                break;
            }
            hits += check_contacts(&world, &lines, start);
            let moved = world
                .events()
                .iter()
                .any(|event| matches!(event, Event::WallMoved { .. } | Event::WallBlocked { .. }));
            for (id, disc, acceleration) in before {
                let after = world.get(id).unwrap().position();
                for line in &lines {
                    let is_in = |at: DVec2, t: f64| line.off(at, t).0.length() < disc.radius - CLEAR;
                    let steps = [is_in(disc.position, 0.0), is_in(after, STEP)];
                    if steps == [true, false] {
                        let is_in_front = line.off(after, STEP).0.dot(line.normal) > 0.0;
                        *(if is_in_front { &mut passed } else { &mut turned }) += 1;
                    }
                    let is_known = steps == [false, true]
                        && !moved
                        && !is_touched(&world, id)
                        && !is_held(&world, id, line);
                    assert!(
                        !is_known || !enters_from_front(line, &lines, &disc, acceleration),
                        "game {number}: {id} passes {:?} from its front",
                        line.id
                    );
                }
            }
        }
    }
    println!("{hits} hits and holds, {passed} passed, {turned} turned back or went around");
    assert!(hits > 150 && passed > 60 && turned > 15);
}

/// The head of a post that stands below the platform, and the pivot of an arm that hangs there, lie on the
/// platform. What has come through from below with its centre hits them as it would without the platform.
/// (Seen: the platform hid them, and the disc went into them.)
#[test]
fn what_is_on_its_way_through_hits_the_ends_that_lie_on_the_platform() {
    let post = Wall::segment([0.0, 0.0], [0.0, -1.0]);
    let bent = Wall::segment([0.0, 0.0], [-0.3, -1.0]);
    for (gravity, wall, is_turning) in [
        (DVec2::ZERO, post.clone(), false),
        (DVec2::Y * -1e-3, post, false),
        (DVec2::Y * -1e-3, bent, false),
        (DVec2::Y * -1e-3, Wall::arm([0.0, 0.0], 1.0, 0.0, -2.0), true),
    ] {
        let play = |has_platform: bool| {
            let mut world = world(gravity);
            let wall = world.add_wall(wall.clone()).unwrap();
            if is_turning {
                world.turn_arm(wall, -2.5, 0.1).unwrap();
            }
            if has_platform {
                world.add_wall(Wall::one_sided_segment([-5.0, 0.0], [5.0, 0.0])).unwrap();
            }
            let disc = Disc::new([2.0, -0.66], 0.5).with_velocity([-1.0, 0.6]);
            let (options, filter) = (CastOptions::new(), QueryFilter::new());
            let cast = world.cast_disc(&disc, &options, &filter).unwrap().expect("it hits");
            world.insert(disc).unwrap();
            let hit = world.step_event().time;
            (cast, hit)
        };
        let (cast, hit) = play(false);
        assert!((hit.as_secs() - 1.6).abs() < 1e-2, "{hit:?}");
        assert_eq!(play(true), (cast, hit));
    }
}

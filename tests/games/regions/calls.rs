//! Regions: times against closed forms, borders, edits, and what is refused.

use crate::forces::scene::under;
use carom_engine::CrossingCause::{self, DiscRemoved, Motion, Placed, RegionRemoved};
use carom_engine::{
    Disc, DiscId, Error, Event, Physics, QueryFilter, Region, RegionId, Rules, Sensor, Settings, StopReason,
    UpcomingKind, Wall, World,
};

fn moving(position: [f64; 2], velocity: [f64; 2]) -> Disc {
    Disc::new(position, 0.5).with_velocity(velocity)
}

/// What happens up to a time: when, whether a disc enters, and by what.
fn crossings<P: Physics>(world: &mut World<P>, until: f64) -> Vec<(f64, bool, CrossingCause)> {
    world.advance_to(until).unwrap();
    let seen = |event: &Event<P::Change>| {
        let crossing = *event.crossing()?;
        Some((event.time().as_secs(), matches!(event, Event::Entered(_)), crossing.cause))
    };
    world.events().iter().filter_map(seen).collect()
}

/// Advances to a time. Up to then the world has crossings of motion alone, at these times: first of a disc
/// that enters, then by turns.
#[track_caller]
fn assert_crossed<P: Physics>(world: &mut World<P>, until: f64, expected: &[f64], slack: f64) {
    let seen = crossings(world, until);
    assert_eq!(seen.len(), expected.len(), "{seen:?}");
    for (k, (seen, expected)) in seen.into_iter().zip(expected).enumerate() {
        assert_eq!((seen.1, seen.2), (k % 2 == 0, Motion), "crossing {k}");
        assert!((seen.0 - expected).abs() < slack, "crossing {k}: {} {expected}", seen.0);
    }
}

/// A disc of radius ½ that flies along the x axis from −4 at speed 2, and regions around the origin: it is at
/// x after (x + 4)/2.
#[test]
fn straight_flights_cross_borders_where_they_are() {
    let cases = [
        (Region::disc([0.0, 0.0], 1.0), -1.0, 1.0),
        (Region::disc([0.0, 0.6], 1.0), -0.8, 0.8),
        (Region::disc([0.0, 0.0], 1.0).by_edge(), -1.5, 1.5),
        (Region::disc([0.0, 1.2], 1.0).by_edge(), -0.9, 0.9),
        (Region::rectangle([-2.0, -1.0], [1.0, 0.0]), -2.0, 1.0),
        (Region::rectangle([-2.0, -1.0], [1.0, 1.0]).by_edge(), -2.5, 1.5),
        // Past the corners, at a height of 0.3: √(½² − 0.3²) = 0.4 from them.
        (Region::rectangle([-2.0, 0.3], [1.0, 2.0]).by_edge(), -2.4, 1.4),
        (Region::half_plane([1.0, 7.0], [-3.0, 0.0]), 1.0, f64::INFINITY),
        (Region::half_plane([1.0, 7.0], [-3.0, 0.0]).by_edge(), 0.5, f64::INFINITY),
    ];
    for (region, enters, leaves) in cases {
        let mut world = World::new();
        let id = world.add_region(region).unwrap();
        let disc = world.insert(moving([-4.0, 0.0], [2.0, 0.0])).unwrap();
        let expected = [enters, leaves].map(|x| 0.5 * (x + 4.0));
        let stays = leaves == f64::INFINITY;
        println!("{region:?}");
        assert_crossed(&mut world, 100.0, &expected[..if stays { 1 } else { 2 }], 1e-15);
        assert_eq!(world.is_inside(id, disc), stays);
    }
}

/// Thrown up at 4 under a gravity of 2 the height is 4t − t²: above 3 from 1 to 3 s; and a throw over a disc
/// crosses it twice.
#[test]
fn parabolas_cross_borders_where_they_are() {
    let mut world = under([0.0, -2.0]);
    world.add_region(Region::half_plane([0.0, 3.0], [0.0, -1.0])).unwrap();
    let thrown = Disc::new([0.0, 0.0], 0.5).with_velocity([0.0, 4.0]);
    let id = world.insert(thrown).unwrap();
    let seen = crossings(&mut world, 10.0);
    assert_eq!(seen, [(1.0, true, Motion), (3.0, false, Motion)]);
    world.remove(id).unwrap();
    // Ahead at 1, with x = t − 2: in the circle about (0, 3.5) of radius 1.2 if x² + (x² − ½)² ≤ 1.44, so
    // between x² = −0 and x² = √1.44 on the way to the top, at which it is at height 4.
    let mut world = under([0.0, -2.0]);
    world.add_region(Region::disc([0.0, 2.0], 1.6)).unwrap();
    world.insert(Disc::new([-2.0, 0.0], 0.5).with_velocity([1.0, 4.0])).unwrap();
    // The height is 4 − x²: |(x, 2 − x²)| = 1.6 where x⁴ − 3x² + 1.44 = 0, at x² = 2.4 and 0.6.
    let [far, near] = [2.4_f64.sqrt(), 0.6_f64.sqrt()];
    assert_crossed(&mut world, 10.0, &[2.0 - far, 2.0 - near, 2.0 + near, 2.0 + far], 1e-14);
}

/// To touch the border from outside, to graze it, and to turn back on it in an impact is not to enter.
#[test]
fn touching_is_no_crossing() {
    let mut world = World::new();
    world.add_wall(Wall::half_plane([0.0, 0.0], [1.0, 0.0])).unwrap();
    world.insert(moving([3.0, 0.0], [-1.0, 0.0])).unwrap();
    // The centre comes to ½, the edge to 0.
    let ids = [
        Region::half_plane([0.5, 0.0], [1.0, 0.0]),
        Region::half_plane([0.0, 0.0], [1.0, 0.0]).by_edge(),
        Region::rectangle([-1.0, -1.0], [0.5, 1.0]),
        Region::disc([-2.0, 0.0], 2.5),
        // Grazed at a height of 1.
        Region::disc([2.0, 1.0], 1.0),
        Region::disc([2.0, 1.5], 1.0).by_edge(),
    ]
    .map(|region| world.add_region(region).unwrap());
    assert_eq!(crossings(&mut world, 10.0), []);
    assert!(ids.iter().all(|id| world.inside(*id).unwrap().next().is_none()));
}

/// From inside, what turns back on the border leaves before the impact and enters after it, by the order of
/// events, where the two are at one moment; else it has not been outside.
#[test]
fn what_turns_back_on_a_border_stays_on_its_side() {
    let mut world = World::new();
    world.add_wall(Wall::container([-1.0, -1.0], [1.0, 1.0])).unwrap();
    let id = world.add_region(Region::rectangle([-0.5, -0.5], [0.5, 0.5])).unwrap();
    let disc = world.insert(moving([0.0, 0.0], [0.25, 1.0])).unwrap();
    let seen = crossings(&mut world, 100.0);
    assert!(world.is_inside(id, disc) && world.counters().wall_impacts > 100);
    for pair in seen[1..].chunks(2) {
        assert!(pair.len() == 2 && pair[0].0 == pair[1].0 && !pair[0].1 && pair[1].1, "{pair:?}");
    }
}

/// At one moment a disc leaves, is hit, and enters: so what a blow at the border drives it out of it has left
/// before, and what it is driven into it enters after.
#[test]
fn a_disc_leaves_before_an_impact_and_enters_after_it() {
    let mut world = World::new();
    world.add_region(Region::half_plane([0.0, 0.0], [-1.0, 0.0])).unwrap();
    world.add_region(Region::half_plane([-8.0, 0.0], [1.0, 0.0])).unwrap();
    let still = world.insert(moving([0.0, 0.0], [0.0, 0.0])).unwrap();
    world.insert(moving([-4.0, 0.0], [1.0, 0.0])).unwrap();
    // The first begins on the border, which is inside, and is driven inwards at 3.
    let seen = crossings(&mut world, 3.5);
    assert_eq!(seen, [(0.0, true, Placed)]);
    // Beyond both, one comes back over the border at the moment at which another one is hit.
    world.set_velocity(still, [-0.5, 0.0]).unwrap();
    let seen = crossings(&mut world, 4.5);
    assert_eq!(seen, [(4.5, false, Motion)]);
}

/// What an edit changes comes with the next call, at the present time, and only as a difference.
#[test]
fn edits_are_reported_as_differences() {
    let mut world = World::new();
    let id = world.add_region(Region::disc([0.0, 0.0], 2.0).with_user_data(8)).unwrap();
    let disc = world.insert(Disc::new([0.0, 0.0], 0.5).with_user_data(7)).unwrap();
    assert!(world.is_inside(id, disc));
    assert_eq!(crossings(&mut world, 1.0), [(0.0, true, Placed)]);
    world.set_position(disc, [1.0, 0.0]).unwrap();
    world.set_velocity(disc, [0.0, 1.0]).unwrap();
    world.set_position(disc, [9.0, 0.0]).unwrap();
    assert!(world.inside(id).unwrap().next().is_none());
    world.set_position(disc, [0.0, 0.0]).unwrap();
    world.set_velocity(disc, [0.0, 0.0]).unwrap();
    assert_eq!(crossings(&mut world, 2.0), []);
    // Put elsewhere, filtered, and seen again.
    world.set_position(disc, [9.0, 0.0]).unwrap();
    assert_eq!(crossings(&mut world, 3.0), [(2.0, false, Placed)]);
    world.set_position(disc, [1.0, 0.0]).unwrap();
    assert_eq!(crossings(&mut world, 4.0), [(3.0, true, Placed)]);
    world.set_rules(disc, Rules::new().with_mask(0)).unwrap();
    assert_eq!(crossings(&mut world, 5.0), [(4.0, false, CrossingCause::Rules)]);
    world.set_rules(disc, Rules::new()).unwrap();
    world.set_rules(disc, Rules::new().with_mask(0)).unwrap();
    world.set_rules(disc, Rules::new()).unwrap();
    assert_eq!(crossings(&mut world, 6.0), [(5.0, true, CrossingCause::Rules)]);
    // The region moves, and changes what it sees.
    world.set_region(id, Region::disc([2.0, 0.0], 1.5)).unwrap();
    assert_eq!(crossings(&mut world, 7.0), []);
    world.set_region(id, Region::disc([2.0, 0.0], 1.5).with_team(3).with_groups(1, 0)).unwrap();
    assert_eq!(crossings(&mut world, 8.0), [(7.0, false, CrossingCause::Rules)]);
    world.set_region(id, Region::disc([5.0, 0.0], 4.5).with_user_data(9)).unwrap();
    assert_eq!(crossings(&mut world, 9.0), [(8.0, true, Placed)]);
    let before = world.remove(disc).unwrap();
    world.advance(1.0).unwrap();
    let left = world.events()[0];
    let crossing = left.crossing().unwrap();
    assert!(matches!(left, Event::Left(_)) && world.events().len() == 1);
    assert_eq!((crossing.cause, crossing.user_data, crossing.disc), (DiscRemoved, [7, 9], disc));
    assert_eq!((crossing.position, crossing.time.as_secs()), (before.position, 9.0));
}

/// By the edge it is the size that counts, too.
#[test]
fn a_disc_that_is_resized_may_enter_by_its_edge() {
    let mut world = World::new();
    let [by_edge, by_centre] = [Region::disc([0.0, 0.0], 1.0).by_edge(), Region::disc([0.0, 0.0], 1.0)]
        .map(|region| world.add_region(region).unwrap());
    let disc = world.insert(Disc::new([2.0, 0.0], 0.5)).unwrap();
    world.set_radius(disc, 1.25).unwrap();
    assert_eq!(crossings(&mut world, 1.0), [(0.0, true, Placed)]);
    assert!(world.is_inside(by_edge, disc) && !world.is_inside(by_centre, disc));
    world.set_radius(disc, 0.25).unwrap();
    assert_eq!(crossings(&mut world, 2.0), [(1.0, false, Placed)]);
}

/// Of two that overlap at the border one is pushed in.
#[test]
fn what_is_pushed_apart_crosses_borders() {
    let mut world = World::new();
    let id = world.add_region(Region::half_plane([0.25, 0.0], [-1.0, 0.0])).unwrap();
    let [_, right] = [-0.125, 0.125].map(|x| world.insert(Disc::new([x, 0.0], 0.5).with_overlap()).unwrap());
    assert_eq!(crossings(&mut world, 1.0), []);
    world.push_apart().unwrap();
    assert!(world.is_inside(id, right));
    assert_eq!(crossings(&mut world, 2.0), [(1.0, true, Placed)]);
}

/// A region goes with its carrier, does not see it, and is gone with it.
#[test]
fn carried_regions_go_with_their_disc() {
    let mut world = World::new();
    let ship = world.insert(moving([0.0, 0.0], [1.0, 0.0])).unwrap();
    let mine = world.insert(Disc::new([10.0, 1.0], 0.25).with_user_data(5)).unwrap();
    let radar = world.add_region(Region::disc([1.0, 1.0], 2.0).carried_by(ship)).unwrap();
    assert_eq!(world.next_event().unwrap().kind, UpcomingKind::Enter(mine, radar));
    assert_eq!(crossings(&mut world, 8.0), [(7.0, true, Motion)]);
    assert_eq!(world.next_event().unwrap().kind, UpcomingKind::Leave(mine, radar));
    world.set_position(ship, [20.0, 0.0]).unwrap();
    assert_eq!(crossings(&mut world, 9.0), [(8.0, false, Placed)]);
    world.set_position(ship, [9.0, 0.0]).unwrap();
    assert_eq!(crossings(&mut world, 9.5), [(9.0, true, Placed)]);
    world.remove(ship).unwrap();
    assert!(world.region(radar).is_none() && world.regions().next().is_none());
    world.advance(1.0).unwrap();
    let crossing = *world.events()[0].crossing().unwrap();
    assert_eq!((crossing.cause, crossing.disc, crossing.user_data), (RegionRemoved, mine, [5, 0]));
}

/// A stay shorter than the clock's least difference has no events, and one of some moments has two.
#[test]
fn a_stay_without_length_is_none() {
    // At 1.0009 s and 10⁻²¹ s after it, or 10⁻⁹ s.
    let counts = [1e-15, 1e-3].map(|width| {
        let mut world = World::new();
        world.add_region(Region::rectangle([0.0, -1.0], [width, 1.0])).unwrap();
        world.insert(moving([-1.0009e6, 0.0], [1e6, 0.0])).unwrap();
        crossings(&mut world, 2.0).len()
    });
    assert_eq!(counts, [0, 2]);
}

/// However often a disc crosses in a frame: 200 times here, back and forth between two walls.
#[test]
fn no_crossing_of_a_long_frame_is_lost() {
    let mut world = World::new();
    world.add_wall(Wall::container([-2.0, -1.0], [2.0, 1.0])).unwrap();
    world.add_region(Region::disc([0.0, 0.0], 0.25)).unwrap();
    world.insert(moving([-1.5, 0.0], [3.0, 0.0])).unwrap();
    let expected: Vec<_> = (0..100).flat_map(|k| [1.25, 1.75].map(|x| f64::from(k) + x / 3.0)).collect();
    assert_crossed(&mut world, 100.0, &expected, 1e-12);
    assert_eq!(world.counters().events, 200 + world.counters().wall_impacts);
}

/// Crossings are events of the budget, of `step_event`, and of what a sink may stop at.
#[test]
fn crossings_are_events_like_others() {
    let mut world = World::new();
    let id = world.add_region(Region::rectangle([1.0, -1.0], [2.0, 1.0])).unwrap();
    let disc = world.insert(moving([0.0, 0.0], [1.0, 0.0])).unwrap();
    assert_eq!(world.step_event().time.as_secs(), 1.0);
    assert_eq!(world.next_event().unwrap().kind, UpcomingKind::Leave(disc, id));
    let ended = world.step_event();
    assert_eq!((ended.time.as_secs(), ended.events, ended.end), (2.0, 1, StopReason::Reached));
    world.set_position(disc, [0.0, 0.0]).unwrap();
    world.set_budget(1);
    assert_eq!(world.advance_to(9.0).unwrap().end, StopReason::OutOfBudget);
    assert_eq!((world.now().as_secs(), world.inside(id).unwrap().count()), (3.0, 1));
    assert_eq!(world.advance_to(9.0).unwrap().end, StopReason::Reached);
    assert_eq!(world.events()[0].to_string(), "4 s: disc 0 leaves region 0 at (2, 0)");
}

/// In a periodic plane a region is at all its images.
#[test]
fn regions_repeat_themselves_in_a_periodic_plane() {
    let settings = Settings::default().with_period([Some(10.0), Some(10.0)]);
    let mut world = World::with_settings(settings).unwrap();
    let id = world.add_region(Region::disc([9.5, 5.0], 1.0)).unwrap();
    let disc = world.insert(moving([5.0, 5.0], [2.0, 0.0])).unwrap();
    let expected: Vec<_> = (0..10).flat_map(|k| [1.75, 2.75].map(|time| 5.0 * f64::from(k) + time)).collect();
    assert_crossed(&mut world, 50.0, &expected, 1e-12);
    world.set_position(disc, [0.25, 5.0]).unwrap();
    assert!(world.is_inside(id, disc));
}

/// With drag the way is v₀ (1 − e^(−γt))/γ: at x after −ln(1 − γx/v₀)/γ.
#[test]
fn drag_delays_crossings() {
    let mut world = World::with_settings(Settings::default().with_drag(0.5)).unwrap();
    world.add_region(Region::rectangle([1.0, -1.0], [3.0, 1.0])).unwrap();
    world.insert(moving([0.0, 0.0], [2.0, 0.0])).unwrap();
    assert_crossed(&mut world, 30.0, &[1.0, 3.0].map(|x: f64| -(1.0 - 0.5 * x / 2.0).ln() / 0.5), 1e-14);
    for (crossing, x) in world.events().iter().filter_map(Event::crossing).zip([1.0, 3.0]) {
        // v₀ − γx.
        assert!((crossing.velocity.x - (2.0 - 0.5 * x)).abs() < 1e-14);
    }
}

fn refusal(region: Region) -> Error {
    World::new().add_region(region).unwrap_err()
}

#[test]
fn what_is_no_region_is_refused() {
    let nan = f64::NAN;
    let field = |region| match refusal(region) {
        Error::OutOfRange { field, .. } | Error::Inconsistent { field, .. } => field,
        other => panic!("{other:?}"),
    };
    assert_eq!(field(Region::disc([nan, 0.0], 1.0)), "center.x");
    assert_eq!(field(Region::disc([0.0, 1e16], 1.0)), "center.y");
    for radius in [0.0, -1.0, nan, f64::INFINITY, 1e-16, 1e16] {
        assert_eq!(field(Region::disc([0.0, 0.0], radius)), "radius");
    }
    assert_eq!(field(Region::rectangle([0.0, nan], [1.0, 1.0])), "min.y");
    assert_eq!(field(Region::rectangle([0.0, 0.0], [f64::INFINITY, 1.0])), "max.x");
    assert_eq!(field(Region::rectangle([0.0, 0.0], [0.0, 1.0])), "max.x - min.x");
    assert_eq!(field(Region::rectangle([0.0, 1.0], [1.0, 0.0])), "max.y - min.y");
    assert_eq!(field(Region::half_plane([0.0, nan], [1.0, 1.0])), "point.y");
    assert_eq!(field(Region::half_plane([0.0, 0.0], [0.0, 0.0])), "length of the normal");
    assert_eq!(field(Region::half_plane([0.0, 0.0], [nan, 0.0])), "normal.x");
}

#[test]
fn what_is_gone_is_refused() {
    let mut world = World::new();
    let disc = world.insert(Disc::new([0.0, 0.0], 0.5)).unwrap();
    let id: RegionId = world.add_region(Region::disc([0.0, 0.0], 1.0)).unwrap();
    world.remove_region(id).unwrap();
    let gone = Err(Error::NoSuchRegion(id));
    assert_eq!(world.remove_region(id).map(drop), gone);
    assert_eq!(world.set_region(id, Region::disc([0.0, 0.0], 1.0)), gone);
    assert_eq!(world.inside(id).map(drop), gone);
    assert!(world.region(id).is_none() && !world.is_inside(id, disc));
    // In the same slot, with another name.
    let again = world.add_region(Region::disc([0.0, 0.0], 1.0)).unwrap();
    assert!(again.slot() == id.slot() && again != id && world.is_inside(again, disc));
    world.remove(disc).unwrap();
    let carried = Region::disc([0.0, 0.0], 1.0).carried_by(disc);
    assert_eq!(world.add_region(carried), Err(Error::NoSuchDisc(disc)));
    assert_eq!(world.set_region(again, carried), Err(Error::NoSuchDisc(disc)));
    assert_eq!(World::new().inside(id).map(drop), gone);
    world.clear();
    assert!(world.regions().next().is_none());
}

/// Where there is no closed form: edges of what grows; and what has no image.
#[test]
fn what_has_no_closed_form_is_refused() {
    let mut world = World::new();
    let by_edge = Region::disc([0.0, 0.0], 1.0).by_edge();
    let id = world.add_region(by_edge).unwrap();
    assert!(matches!(world.set_growth(0.1), Err(Error::Inconsistent { field: "rate", .. })));
    world.set_region(id, Region::disc([0.0, 0.0], 1.0)).unwrap();
    world.set_growth(0.1).unwrap();
    assert!(matches!(world.add_region(by_edge), Err(Error::Inconsistent { field: "extent", .. })));
    world.insert(moving([-3.0, 0.0], [1.0, 0.0])).unwrap();
    assert_eq!(crossings(&mut world, 9.0), [(2.0, true, Motion), (4.0, false, Motion)]);
    let settings = Settings::default().with_period([Some(10.0), None]);
    let mut world = World::with_settings(settings).unwrap();
    for region in [by_edge, Region::disc([0.0, 0.0], 5.0), Region::half_plane([0.0, 0.0], [0.0, 1.0])] {
        assert!(matches!(world.add_region(region), Err(Error::Inconsistent { .. })), "{region:?}");
    }
}

/// In the order of serial numbers, whoever came first or last.
#[test]
fn who_is_inside_is_listed_by_serial_numbers() {
    let mut world = World::new();
    let place = |k: u32| [-2.0 - f64::from(k * 7 % 20), 1.5 * f64::from(k)];
    let ids: Vec<DiscId> = (0..20).map(|k| world.insert(moving(place(k), [1.0, 0.0])).unwrap()).collect();
    let id = world.add_region(Region::half_plane([0.0, 0.0], [-1.0, 0.0])).unwrap();
    world.advance(12.5).unwrap();
    let expected = ids.iter().filter(|id| world.get(**id).unwrap().position().x > 0.0);
    assert!(world.inside(id).unwrap().eq(expected.copied()));
    assert_eq!(world.inside(id).unwrap().count(), 11);
}

/// A light barrier: from where the edge of a disc of radius ½ touches the line to where it leaves it.
#[test]
fn segments_are_crossed_by_edges() {
    let mut world = World::new();
    world.add_region(Region::segment([0.0, -1.0], [0.0, 1.0])).unwrap();
    // Past an end, 0.3 beyond it.
    world.add_region(Region::segment([4.0, 0.3], [6.0, 2.3])).unwrap();
    world.insert(moving([-4.0, 0.0], [1.0, 0.0])).unwrap();
    // From the end at 4 − 0.4 to where the line at 45° is ½ away: x − 3.7 = √½.
    assert_crossed(&mut world, 100.0, &[3.5, 4.5, 7.6, 7.7 + 0.5_f64.sqrt()], 1e-14);
}

/// No impulse, no refusal where it overlaps, no place in queries: it only reports.
#[test]
fn sensors_collide_with_nothing() {
    let mut world = World::new();
    world.add_wall(Wall::container([-10.0, -10.0], [10.0, 10.0])).unwrap();
    let ball = world.insert(moving([0.0, 0.0], [1.0, 0.0]).with_user_data(4)).unwrap();
    let sensor = Disc::new([5.0, 0.0], 1.0).with_user_data(6).with_sensor();
    let over = world.insert(sensor.with_position([0.25, 0.0])).unwrap();
    let ahead = world.insert(sensor).unwrap();
    let seen = crossings(&mut world, 8.0);
    assert_eq!(seen, [(0.0, true, Placed), (1.75, false, Motion), (3.5, true, Motion), (6.5, false, Motion)]);
    assert_eq!((world.counters().disc_impacts, world.get(ball).unwrap().position().x), (0, 8.0));
    let region = world.sensor_region(ahead).unwrap();
    let crossing = *world.events()[2].crossing().unwrap();
    assert_eq!((crossing.region, crossing.user_data), (region, [4, 6]));
    // Queries leave sensors out; one sensor does not detect another.
    let mut found = Vec::new();
    world.overlap_disc([5.0, 0.0], 1.0, &QueryFilter::new(), &mut found).unwrap();
    assert!(found.is_empty());
    world.set_position(over, [5.0, 0.5]).unwrap();
    world.add_region(Region::disc([5.0, 0.0], 2.0).with_sensors()).unwrap();
    assert_eq!(crossings(&mut world, 8.5), []);
    // It goes through walls, and out of the world.
    world.set_velocity(over, [0.0, 100.0]).unwrap();
    world.advance(1.0).unwrap();
    assert_eq!(world.get(over).unwrap().position().y, 100.5);
    let again = world.remove(ahead).unwrap();
    assert_eq!((again.sensor, again.rules), (Sensor::Yes, Rules::new()));
    assert!(world.region(region).is_none() && world.sensor_region(ahead).is_none());
}

/// Two sensors see each other if both ask.
#[test]
fn sensors_see_each_other_if_both_ask() {
    for (a, b, expected) in [(true, true, 2), (true, false, 0), (false, false, 0)] {
        let mut world = World::new();
        for (x, asks) in [(0.0, a), (1.0, b)] {
            let disc = Disc::new([x, 0.0], 1.0);
            let disc = if asks { disc.with_sensor_among_sensors() } else { disc.with_sensor() };
            world.insert(disc).unwrap();
        }
        assert_eq!(crossings(&mut world, 1.0).len(), expected);
    }
}

/// A sensor at x = 2t − 4 that a region does not see, sees, and no longer sees.
#[test]
fn rules_of_a_sensor_say_which_regions_see_it() {
    let mut world = World::new();
    world.add_region(Region::disc([0.0, 0.0], 1.0).with_sensors().with_team(3)).unwrap();
    let unseen = Rules::new().with_team(3);
    let sensor =
        world.insert(moving([-4.0, 0.0], [2.0, 0.0]).with_rules(unseen).with_sensor_among_sensors()).unwrap();
    assert_eq!(crossings(&mut world, 1.0), []);
    world.set_rules(sensor, Rules::new()).unwrap();
    assert_eq!(crossings(&mut world, 1.75), [(1.5, true, Motion)]);
    world.set_rules(sensor, unseen).unwrap();
    assert_eq!(crossings(&mut world, 2.0), [(1.75, false, CrossingCause::Rules)]);
    world.set_rules(sensor, Rules::new()).unwrap();
    assert_eq!(crossings(&mut world, 9.0), [(2.0, true, CrossingCause::Rules), (2.5, false, Motion)]);
}

/// A sensor that lies among discs at rest disturbs none, and falls out of the world.
#[test]
fn sensors_do_not_disturb_rest() {
    let mut world = under([0.0, -2.0]);
    world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_restitution(0.0)).unwrap();
    let ball = world.insert(Disc::new([0.0, 0.5], 0.5).with_restitution(0.0)).unwrap();
    world.advance(1.0).unwrap();
    let held = world.get(ball).unwrap().state_time();
    let sensor = world.insert(Disc::new([0.0, 4.0], 0.5).with_sensor()).unwrap();
    // Edges meet after a fall by 2.5, and part one by 4.5 after the start.
    assert_crossed(&mut world, 9.0, &[2.5_f64, 4.5].map(|fallen| 1.0 + fallen.sqrt()), 1e-14);
    assert_eq!((world.get(ball).unwrap().state_time(), world.counters().disc_impacts), (held, 0));
    assert!(world.get(sensor).unwrap().position().y < -50.0);
}

#[test]
fn what_cannot_be_a_sensor_is_refused() {
    let mut world = World::new();
    let point = Disc::new([0.0, 0.0], 0.0).with_sensor();
    assert!(matches!(world.insert(point), Err(Error::OutOfRange { field: "radius", .. })));
    let id = world.insert(Disc::new([0.0, 0.0], 1.0).with_sensor()).unwrap();
    assert!(matches!(world.set_radius(id, 0.0), Err(Error::OutOfRange { field: "radius", .. })));
    assert!(matches!(world.set_growth(1.0), Err(Error::Inconsistent { field: "rate", .. })));
    assert!(world.len() == 1 && world.regions().count() == 1);
    for region in [Region::segment([0.0, 0.0], [0.0, 0.0]), Region::segment([f64::NAN, 0.0], [0.0, 0.0])] {
        assert!(matches!(refusal(region), Error::OutOfRange { .. }));
    }
    let mut by_centre = Region::segment([0.0, 0.0], [1.0, 0.0]);
    by_centre.extent = carom_engine::Extent::Centre;
    assert!(matches!(refusal(by_centre), Error::Inconsistent { field: "extent", .. }));
}

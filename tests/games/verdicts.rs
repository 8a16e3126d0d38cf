//! What verdicts make of impacts, against closed forms.

use crate::common::record::{bits_of, state_bits};
use crate::common::umpire::{Refereed, Rule, Umpire, asked, refereed};
use crate::forces::scene::heap_by;
use carom_engine::{
    Command, CommandKind, Commands, DVec2, Disc, DiscForces, DiscId, Encounter, Event, Forces, Judged,
    Partner, Physics, Refusal, Rest, Settings, Smooth, StopReason, Verdict, Wall, WallShape, Which, World,
};

pub(crate) type Ruled = World<Refereed<Smooth>>;

/// A world with always the same verdict.
pub(crate) fn always(verdict: Verdict) -> Ruled {
    refereed(Smooth, Umpire::Always(verdict))
}

/// A world with a rule.
pub(crate) fn by(rule: Rule) -> Ruled {
    refereed(Smooth, Umpire::By(rule))
}

/// A world with a gravity.
pub(crate) fn falling(gravity: f64, umpire: Umpire<DiscForces>) -> World<Refereed<Forces>> {
    refereed(Forces::new().with_gravity([0.0, gravity]).unwrap(), umpire)
}

fn x_of<P: Physics>(world: &World<P>, id: DiscId) -> (f64, f64) {
    let disc = world.get(id).unwrap();
    (disc.position().x, disc.velocity().x)
}

/// Velocities after a full hit of a disc of mass 3 at speed 2 on one of mass 1 at rest.
fn after_full_hit(verdict: Verdict) -> (f64, f64) {
    let mut world = always(verdict);
    let a = world.insert(Disc::new([0.0, 0.0], 0.5).with_mass(3.0).with_velocity([2.0, 0.0])).unwrap();
    let b = world.insert(Disc::new([3.0, 0.0], 0.5).with_mass(1.0).with_restitution(0.25)).unwrap();
    world.advance(1.25).unwrap();
    assert_eq!(world.advance(0.0).unwrap().events, 0);
    (x_of(&world, a).1, x_of(&world, b).1)
}

/// Momentum `3 · 2`, effective mass 3/4, common velocity 3/2; combined restitution `√(1 · ¼) = ½`.
#[test]
fn verdicts_on_two_discs_have_closed_forms() {
    let parting = |u: f64| (1.5 - u / 4.0, 1.5 + 3.0 * u / 4.0);
    assert_eq!(after_full_hit(Verdict::Bounce), parting(1.0));
    assert_eq!(after_full_hit(Verdict::Restitution(0.0)), parting(0.0));
    assert_eq!(after_full_hit(Verdict::Restitution(1.5)), parting(3.0));
    assert_eq!(after_full_hit(Verdict::Kick(2.0)), parting(3.0));
    // An impulse J changes the velocities by J/3 and J.
    assert_eq!(after_full_hit(Verdict::Impulse(3.0)), (1.0, 3.0));
    // Less than ¾ · 2 does not stop them: they are stopped.
    assert_eq!(after_full_hit(Verdict::Impulse(1.0)), parting(0.0));
    assert_eq!(after_full_hit(Verdict::Pass), (2.0, 0.0));
}

/// A lift that comes down on a ball, and an arm that sweeps one away: at the point of contact the surface has
/// the velocity of the motion, ω × r for the arm, and a wall at rest has none.
#[test]
fn a_wall_has_the_velocity_of_its_surface() {
    let rules = |met: &Encounter<'_>, _: &mut Commands| {
        let expected = match met.b.user_data {
            0 => DVec2::ZERO,
            1 => DVec2::new(0.0, -2.0),
            _ => (met.point - DVec2::new(10.0, 0.0)).perp() * 0.5,
        };
        assert!((met.b.velocity - expected).length() < 1e-12, "{met:?}");
        Verdict::Restitution(0.0)
    };
    let mut world = World::with_physics(Judged::new(Smooth, rules), Settings::default()).unwrap();
    world.add_wall(Wall::half_plane([0.0, -5.0], [0.0, 1.0])).unwrap();
    let lift = world.add_wall(Wall::segment([-2.0, 3.0], [2.0, 3.0]).with_user_data(1)).unwrap();
    let arm = world.add_wall(Wall::arm([10.0, 0.0], 4.0, 0.2, 0.0).with_user_data(2)).unwrap();
    for x in [0.0, 12.0] {
        world.insert(Disc::new([x, 1.0], 0.5)).unwrap();
    }
    world.insert(Disc::new([30.0, 0.0], 0.5).with_velocity([0.0, -1.0])).unwrap();
    world.move_wall_until(lift, [0.0, -2.0], 1.0).unwrap();
    world.turn_arm(arm, 1.0, 0.5).unwrap();
    world.advance(8.0).unwrap();
    assert!(world.counters().wall_impacts >= 3);
}

/// The rule of the contests: with j₁ half of the elastic impulse, the impulse is j₁ + max(j₁, 120).
#[test]
fn a_least_impulse_is_that_of_the_contests() {
    let judge: Rule = |met, _| Verdict::Impulse(met.stopping_impulse + met.stopping_impulse.max(120.0));
    for (speed, impulse) in [(10.0, 125.0), (400.0, 400.0)] {
        let mut world = by(judge);
        let a = world.insert(Disc::new([0.0, 0.0], 400.0).with_velocity([speed, 0.0])).unwrap();
        let b = world.insert(Disc::new([1000.0, 0.0], 400.0)).unwrap();
        let hit = world.advance_until_event(100.0, |event| event.impact().is_some()).unwrap();
        assert_eq!(hit.end, StopReason::Stopped);
        assert_eq!((x_of(&world, a).1, x_of(&world, b).1), (speed - impulse, impulse));
        assert_eq!(world.events()[0].impact().map(|hit| hit.impulse), Some(impulse));
    }
}

/// A disc of radius ½ at speed 1 passes one of radius ½ at rest from 1 before its centre to 1 after it. There
/// is one verdict a passage, no impulse, and an event at its end; it comes back and is asked again.
#[test]
fn discs_pass_until_they_have_parted() {
    let mut world = by(|met, _| match met.b.disc() {
        Some(_) => Verdict::Pass,
        None => Verdict::Bounce,
    });
    let flier = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    let ghost = world.insert(Disc::new([3.0, 0.0], 0.5)).unwrap();
    world.add_wall(Wall::half_plane([6.0, 0.0], [-1.0, 0.0])).unwrap();
    world.advance(20.0).unwrap();
    let times: Vec<_> = world.events().iter().map(|event| event.time().as_secs()).collect();
    assert_eq!(times, [2.0, 5.5, 7.0]);
    let Event::Passed(first) = world.events()[0] else { panic!("{:?}", world.events()) };
    assert_eq!((first.a, first.b, first.approach_speed), (flier, Partner::Disc(ghost), 1.0));
    assert_eq!((first.point.x, first.normal), (2.5, DVec2::X));
    assert_eq!(x_of(&world, ghost), (3.0, 0.0));
    assert_eq!(x_of(&world, flier).1, -1.0);
    // Two passages and what they end with, and the wall.
    assert_eq!(world.counters().events, 5);
}

/// Three overlapping discs that approach each other and are to pass: one verdict for each pair, where an
/// impact undone by the physics came again without end.
#[test]
fn passing_is_no_storm() {
    let mut world = always(Verdict::Pass);
    for (place, velocity) in [([0.0, 0.0], [1.0, 0.0]), ([1.0, 1.2], [0.0; 2]), ([1.2, -1.2], [0.0; 2])] {
        world.insert(Disc::new(place, 1.0).with_velocity(velocity).with_overlap()).unwrap();
    }
    let done = world.advance(10.0).unwrap();
    assert_eq!((done.end, asked()), (StopReason::Reached, 2));
    assert_eq!(done.events, 4);
}

/// Where paths only graze, to the last bit, a passage ends where it begins.
#[test]
fn a_graze_is_one_passage() {
    for offset in [1.0, 1.0 - f64::EPSILON, 1.0 - 1e-12] {
        let mut world = always(Verdict::Pass);
        world.insert(Disc::new([-3.1, 0.0], 0.5).with_velocity([0.7, 0.0])).unwrap();
        world.insert(Disc::new([0.0, offset], 0.5)).unwrap();
        world.add_wall(Wall::segment([2.0, -0.5], [9.0, -0.5 + 1e-17])).unwrap();
        let done = world.advance(100.0).unwrap();
        assert_eq!(done.end, StopReason::Reached);
        assert!(asked() <= 4, "{} {offset}", asked());
    }
}

/// Through a segment at x = 2, a round post, an arc and a polyline with joints, with and without gravity: a
/// disc that passes keeps its path, and has one verdict a wall and crossing.
#[test]
fn walls_are_passed_until_the_disc_has_left_all_of_them() {
    let walls = [
        (Wall::segment([2.0, -3.0], [2.0, 3.0]), 1.5),
        (Wall::disc([2.5, 0.0], 0.5), 1.5),
        (Wall::new(WallShape::Arc { center: DVec2::ZERO, radius: 2.0, start: -1.0, sweep: 2.0 }), 1.5),
        (Wall::polyline(&[[2.0, -3.0], [2.0, 0.0], [3.0, 0.1], [3.0, 3.0]]), 1.5),
        (Wall::new(WallShape::OneSidedSegment { a: DVec2::new(2.0, -3.0), b: DVec2::new(2.0, 3.0) }), 1.5),
    ];
    for (wall, first) in walls {
        for radius in [0.5, 0.0] {
            let mut world = always(Verdict::Pass);
            world.add_wall(wall.clone()).unwrap();
            let ball = world.insert(Disc::new([0.0, -0.01], radius).with_velocity([1.0, 0.0])).unwrap();
            let done = world.advance(30.0).unwrap();
            assert_eq!(done.end, StopReason::Reached);
            assert_eq!(asked(), 1, "{wall:?} {radius}");
            assert_eq!(x_of(&world, ball), (30.0, 1.0));
            let begins = world.events()[0].time().as_secs();
            assert!((begins - first - 0.5 + radius).abs() < 0.05, "{begins} {wall:?}");
        }
    }
}

#[test]
fn walls_are_passed_on_parabolas() {
    let mut world = falling(-2.0, Umpire::Passes);
    world.add_wall(Wall::segment([-5.0, 1.0], [5.0, 1.0])).unwrap();
    let ball: Disc<DiscForces> = Disc::new([0.0, 0.0], 0.25).with_velocity([0.1, 3.0]);
    let ball = world.insert(ball).unwrap();
    world.advance(6.0).unwrap();
    // Up through it and down again: 3 t − t² = 0.75 and 1.25, on the way up and down.
    let times: Vec<_> = world.events().iter().map(|event| event.time().as_secs()).collect();
    let up = (3.0 - 6.0f64.sqrt()) / 2.0;
    let down = (3.0 + 4.0f64.sqrt()) / 2.0;
    assert_eq!(times.len(), 2, "{:?}", world.events());
    assert!((times[0] - up).abs() < 1e-14 && (times[1] - down).abs() < 1e-14, "{times:?}");
    assert_eq!(asked(), 2);
    let y = world.get(ball).unwrap().position().y;
    assert!((y - (18.0 - 36.0)).abs() < 1e-13);
}

/// Removed without an impulse, or after it; with the commands of the verdict after that; what is refused is
/// said.
#[test]
fn commands_follow_the_impact_in_order() {
    let mut world = by(|met, commands| {
        let place = met.a.position;
        let [Some(a), Some(b)] = [met.a.disc(), met.b.disc()] else { return Verdict::Bounce };
        commands.insert(Disc::new(place, 0.5).with_user_data(9));
        commands.insert(Disc::new(place, 0.5));
        commands.set_velocity(a, [1.0, 1.0]);
        commands.set_velocity(b, [f64::NAN, 1.0]);
        commands.set_user_data(b, 5);
        commands.apply_impulse(b, [0.0, 2.0]);
        Verdict::Remove(Which::First)
    });
    let a = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]).with_user_data(3)).unwrap();
    let b = world.insert(Disc::new([3.0, 0.0], 0.5)).unwrap();
    let done = world.advance(2.0).unwrap();
    assert_eq!((done.end, world.len()), (StopReason::Reached, 2));
    let [Event::Removed(gone), Event::Inserted { user_data: 9, disc, .. }, rest @ ..] = world.events() else {
        panic!("{:?}", world.events())
    };
    assert_eq!((gone.disc, gone.user_data, gone.position.x, gone.velocity.x), (a, 3, 2.0, 1.0));
    assert_eq!(x_of(&world, *disc), (2.0, 0.0));
    let refused = |event: &Event| match *event {
        Event::Refused { what, reason, .. } => (what, reason),
        _ => panic!("{event}"),
    };
    let refused: Vec<_> = rest.iter().map(refused).collect();
    let velocity = CommandKind::Velocity;
    assert_eq!(
        refused,
        [(CommandKind::Insert, Refusal::Overlap), (velocity, Refusal::Gone), (velocity, Refusal::OutOfRange)]
    );
    let left = world.get(b).unwrap();
    assert_eq!((left.user_data(), left.velocity()), (5, DVec2::new(0.0, 2.0)));
}

/// A number out of range is refused, and the two bounce.
#[test]
fn bad_verdicts_are_refused() {
    for bad in [f64::NAN, -1.0, f64::INFINITY] {
        for verdict in [Verdict::Restitution(bad), Verdict::Impulse(bad), Verdict::Kick(bad)] {
            let mut world = always(verdict);
            let a = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
            world.insert(Disc::new([2.0, 0.0], 0.5)).unwrap();
            world.advance(2.0).unwrap();
            assert_eq!(x_of(&world, a), (1.0, 0.0));
            let said = |event: &&Event| matches!(event, Event::Refused { what: CommandKind::Verdict, .. });
            assert_eq!(world.events().iter().filter(said).count(), 1);
        }
    }
}

/// A row of three that touch, hit from the left: the blow goes on through the second contact, of which the
/// verdict is asked though nothing approached there. It passes, so the second disc takes the blow.
#[test]
fn what_others_drive_together_is_judged() {
    let mut world = by(|met, _| match [met.a.user_data, met.b.user_data] {
        [1, 2] => Verdict::Pass,
        _ => Verdict::Bounce,
    });
    let ids = [(-3.0, 1.0, 0), (0.0, 0.0, 1), (1.0, 0.0, 2)].map(|(x, v, note)| {
        world.insert(Disc::new([x, 0.0], 0.5).with_velocity([v, 0.0]).with_user_data(note)).unwrap()
    });
    world.advance(2.0).unwrap();
    assert!(matches!(world.events()[0], Event::Passed(passage) if passage.b == Partner::Disc(ids[2])));
    let velocities: Vec<_> = ids.iter().map(|&id| x_of(&world, id).1).collect();
    assert_eq!(velocities, [0.0, 1.0, 0.0]);
    world.advance(1.5).unwrap();
    // Through it: 1.5 s on it is 0.5 beyond its centre, and goes on.
    assert_eq!(x_of(&world, ids[1]), (1.5, 1.0));
    assert_eq!(x_of(&world, ids[2]), (1.0, 0.0));
}

/// On a floor a disc lies, judged once; a platform that lets it pass drops it.
#[test]
fn what_lies_is_judged_once() {
    for falls in [false, true] {
        let mut world = falling(-1.0, if falls { Umpire::Passes } else { Umpire::Bounces });
        world.add_wall(Wall::segment([-5.0, 0.0], [5.0, 0.0]).with_restitution(0.0)).unwrap();
        let ball = world.insert(Disc::new([0.0, 2.5], 0.5)).unwrap();
        let done = world.advance(50.0).unwrap();
        assert_eq!((done.end, asked()), (StopReason::Reached, 1));
        assert_eq!(world.get(ball).unwrap().position().y < 0.0, falls);
        assert_eq!(world.held_to(ball).count(), usize::from(!falls));
    }
}

/// A chain reaction without end costs its budget and no more: an impact and its command are 2 of the budget,
/// 1 event. So it is before a timer: with one each second they are 3 of the budget, 2 events.
#[test]
fn commands_count_in_the_budget() {
    for (timers, events) in [(0, 15), (20, 20)] {
        let mut world = by(|met, commands| {
            for disc in [met.a.disc(), met.b.disc()].into_iter().flatten() {
                commands.push(Command::SetUserData(disc, 1));
            }
            Verdict::Bounce
        });
        world.set_budget(30);
        world.add_wall(Wall::container([0.0, 0.0], [4.0, 4.0])).unwrap();
        world.insert(Disc::new([2.0, 2.0], 0.5).with_velocity([3.0, 0.0])).unwrap();
        (1..=timers).for_each(|second| _ = world.set_timer(f64::from(second), 0).unwrap());
        let done = world.advance(1e6).unwrap();
        assert_eq!((done.end, done.events), (StopReason::OutOfBudget, events));
        assert!(timers == 0 || world.now().as_secs() == 10.0);
    }
}

/// It is not asked, and the run is that of the physics alone, to the last bit.
#[test]
fn a_judge_without_rules_is_none() {
    for seed in 1..=5 {
        let mut alone = heap_by(Rest::default(), seed, 7, 0.5);
        let mut judged = refereed(*alone.physics(), Umpire::Silent);
        alone.walls().for_each(|(_, wall)| _ = judged.add_wall(wall.clone()).unwrap());
        alone.discs().for_each(|(_, disc)| _ = judged.insert(disc).unwrap());
        alone.advance(60.0).unwrap();
        judged.advance(60.0).unwrap();
        assert!(alone.events().len() > 100, "{} events", alone.events().len());
        assert_eq!(bits_of(judged.events()), bits_of(alone.events()), "{seed}");
        assert_eq!(state_bits(&judged), state_bits(&alone), "{seed}");
    }
}

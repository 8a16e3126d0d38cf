//! Rollback: a world is saved, loaded and advanced in any order, as by two peers of whom one hears late.

use crate::{Random, disc};
use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_math::DVec2;
use bevy_time::prelude::*;
use carom::{Commands as Orders, Encounter, Judged, Settings, Smooth, Verdict, World};
use carom_bevy::{
    CaromPlugin, Mass, Physics, PhysicsStep, Position, Saved, UserData, Velocity, Wall, When, load,
};
use core::time::Duration;

const PLAYER: u64 = 1;
const BRICK: u64 = 2;
const TICKS: usize = 200;

fn judge(met: &Encounter<'_>, _: &mut Orders) -> Verdict {
    let is = |kind: u64| move |party: &carom::Party<'_>| party.user_data == kind;
    match met.pair(is(BRICK), is(PLAYER)) {
        Some([brick, _]) => Verdict::BounceAndRemove(brick.which),
        None => Verdict::Bounce,
    }
}

type Rules = Judged<Smooth, fn(&Encounter<'_>, &mut Orders) -> Verdict>;

struct Peer {
    app: App,
    /// Of the beginning of each tick.
    saved: Vec<Saved<Rules>>,
}

fn time(tick: usize) -> Duration {
    Duration::from_secs(1) * tick as u32 / 60
}

impl Peer {
    /// With some entities of its own, so that those of the world have other names.
    fn new(others: usize) -> Self {
        let physics: Rules = Judged::new(Smooth, judge as fn(&Encounter<'_>, &mut Orders) -> Verdict);
        let world = World::with_physics(physics, Settings::default()).unwrap();
        let mut app = App::new();
        app.init_resource::<Time>().add_plugins(CaromPlugin::new(world).with_steps(When::ByHand));
        let world = app.world_mut();
        for _ in 0..others {
            world.spawn_empty();
        }
        world.spawn(Wall::from(carom::Wall::container([0.0, 0.0], [16.0, 9.0])));
        world.spawn((disc(3.0, 4.0, 0.5, [4.0, 1.0]), UserData(PLAYER)));
        for k in 0..10 {
            let (x, y) = (6.0 + 2.0 * f64::from(k % 5), 2.0 + 4.0 * f64::from(k / 5));
            world.spawn((disc(x, y, 0.5, [0.5, -0.5]), UserData(BRICK), Mass(2.0)));
        }
        Peer { app, saved: Vec::new() }
    }

    fn checksum(&self) -> u64 {
        self.app.world().resource::<Physics<Rules>>().checksum()
    }

    /// From the beginning of a tick to that of the next: input steers, and every 50th tick spawns a disc.
    fn tick(&mut self, tick: usize, input: Option<DVec2>) {
        let world = self.app.world_mut();
        self.saved.truncate(tick);
        self.saved.push(world.resource::<Physics<Rules>>().save());
        let mut players = world.query::<(&mut Velocity, &UserData)>();
        for (mut velocity, data) in players.iter_mut(world) {
            if let (PLAYER, Some(input)) = (data.0, input) {
                velocity.0 = input;
            }
        }
        if tick % 50 == 49 {
            world.spawn((disc(0.5 + tick as f64 / 50.0, 8.0, 0.25, [1.0, 0.0]), UserData(0)));
        }
        let mut now = Time::<()>::default();
        now.advance_to(time(tick + 1));
        world.insert_resource(now);
        world.run_schedule(PhysicsStep);
    }

    fn back_to(&mut self, tick: usize) {
        let saved = self.saved.swap_remove(tick);
        self.saved.truncate(tick);
        load(self.app.world_mut(), &saved);
        assert_eq!(self.checksum(), saved.checksum());
        self.check();
    }

    /// Each disc has an entity with its components, and no entity has another one.
    fn check(&mut self) {
        let world = self.app.world_mut();
        let mut discs = world.query::<(Entity, &Position, &Velocity)>();
        let physics = world.resource::<Physics<Rules>>();
        let mut count = 0;
        for (entity, at, velocity) in discs.iter(world) {
            let now = physics.disc(entity).expect("it is in the world");
            assert_eq!(at.0.to_array(), now.position().to_array());
            assert_eq!(velocity.0.to_array(), now.velocity().to_array());
            count += 1;
        }
        assert_eq!((count, physics.discs().count()), (physics.world().len(), physics.world().len()));
    }
}

/// What the player does at a tick.
fn input(tick: usize) -> Option<DVec2> {
    let turn = (tick / 7) as f64;
    (tick % 7 == 3).then(|| DVec2::new(20.0 * (turn * 1.7).cos(), 20.0 * (turn * 1.7).sin()))
}

/// The checksum at the end of each tick of a run in which all input is in time.
fn straight() -> Vec<u64> {
    let mut peer = Peer::new(0);
    (0..TICKS)
        .map(|tick| {
            peer.tick(tick, input(tick));
            peer.checksum()
        })
        .collect()
}

/// Input comes five ticks late to the second peer, which rolls back each time.
#[test]
fn two_peers_agree_though_one_hears_late() {
    let sums = straight();
    let mut late = Peer::new(5);
    let (mut rolled, mut removed) = (0, 0);
    for tick in 0..TICKS + 5 {
        let known = |of: usize| if of + 5 <= tick { input(of) } else { None };
        if let Some(heard) = tick.checked_sub(5)
            && input(heard).is_some()
        {
            rolled += 1;
            late.back_to(heard);
            (heard..tick).for_each(|again| late.tick(again, known(again)));
        }
        late.tick(tick, known(tick));
        // What nothing can change any more: the world before the ticks whose input is still on its way.
        if let Some(sure) = (tick + 1).checked_sub(5).filter(|&sure| sure > 0 && sure < TICKS) {
            assert_eq!(late.saved[sure].checksum(), sums[sure - 1], "tick {sure}");
        }
        removed = late.saved[0].world().len() + tick / 50 - late.saved[tick].world().len();
    }
    assert!(rolled > 25 && removed > 2, "{rolled} {removed}");
}

/// Save, load and advance in any order lead to the bits of the straight run.
#[test]
fn worlds_are_loaded_in_any_order() {
    let (sums, mut random, mut peer) = (straight(), Random(7), Peer::new(2));
    let (mut tick, mut steps) = (0, 0);
    while steps < 1500 {
        for _ in 0..random.below(40) {
            if tick < TICKS {
                peer.tick(tick, input(tick));
                assert_eq!(peer.checksum(), sums[tick]);
                tick += 1;
            }
            steps += 1;
        }
        if tick > 0 {
            tick = random.below(tick as u64) as usize;
            peer.back_to(tick);
        }
    }
}

/// A restart: the saved start is loaded, and the app's time goes on.
#[test]
fn a_level_begins_again_with_the_same_bits() {
    let mut app = crate::app(CaromPlugin::default());
    app.world_mut().spawn(Wall::from(carom::Wall::container([0.0, 0.0], [16.0, 9.0])));
    app.world_mut().spawn(disc(3.0, 4.0, 0.5, [40.0, 10.0]));
    let start = app.world().resource::<Physics>().save();
    let run = |app: &mut App| {
        (0..32).for_each(|_| crate::frame(app, 15_625));
        app.world().resource::<Physics>().checksum()
    };
    let first = run(&mut app);
    let elapsed = app.world().resource::<Time<Virtual>>().elapsed();
    load(app.world_mut(), &start);
    app.world_mut().resource_mut::<Physics>().align(elapsed);
    assert_eq!(run(&mut app), first);
}

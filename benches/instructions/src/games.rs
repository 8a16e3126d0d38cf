//! What games do: turns, frames and shots.

use crate::random::Random;
use carom_billiards::{Rack, Shot, Table};
use carom_engine::{DVec2, Disc, DiscId, Region, SchedulerKind, Settings, Wall, World};
use std::hint::black_box;

/// Four discs whose velocities are set in each turn, as in a contest; the more they are pulled to the middle,
/// the more they meet.
pub(crate) fn turns(speed: f64, pull: f64, turns: u64) {
    let settings = Settings::default().with_record_events(false);
    let mut world = World::with_settings(settings).expect("the settings are in range");
    let mut random = Random(7);
    let pods = [[-1500.0, -1500.0], [1500.0, -1500.0], [-1500.0, 1500.0], [1500.0, 1500.0]]
        .map(|place| world.insert(Disc::new(place, 400.0)).expect("there is room"));
    // Every second turn takes back the one before, so that a disc that meets none stays where it is.
    let mut wishes: Vec<[DVec2; 4]> = Vec::new();
    for _ in 0..512 {
        let turn: [DVec2; 4] = std::array::from_fn(|_| random.vector(speed));
        wishes.extend([turn, turn.map(|v| -v)]);
    }
    let mut places = [DVec2::ZERO; 4];
    world.read_positions(&mut places).expect("four places");
    for turn in 0..1000 + turns {
        let wishes = &wishes[turn as usize % wishes.len()];
        let edits: [_; 4] = std::array::from_fn(|k| (pods[k], wishes[k] - places[k] * pull));
        world.set_velocities(&edits).expect("the pods are there");
        world.advance(1.0).expect("the time is in range");
        world.read_positions(&mut places).expect("four places");
        black_box(&places);
    }
}

/// A room seen from above: a kinematic disc that the player leads, twelve others that steer, one of
/// which carries a sensor, bullets that come and go, pillars, and two zones.
struct Room {
    world: World,
    player: DiscId,
    others: Vec<DiscId>,
    bullets: Vec<DiscId>,
    random: Random,
}

impl Room {
    fn new() -> Self {
        let settings = Settings::default().with_scheduler(SchedulerKind::Table);
        let mut world = World::with_settings(settings).expect("the settings are in range");
        world.add_wall(Wall::container([-20.0, -12.0], [20.0, 12.0])).expect("it is a box");
        for x in [-9.0, 9.0] {
            world.add_wall(Wall::rectangle([x - 1.0, -4.0], [x + 1.0, 4.0])).expect("it is a pillar");
            world.add_region(Region::disc([x, 8.0], 3.0)).expect("it is a zone");
        }
        let player = Disc::new([0.0, 0.0], 1.0).kinematic().with_max_speed(30.0);
        let player = world.insert(player).expect("there is room");
        let mut others = Vec::new();
        for k in 0..12 {
            let place = [-16.0 + 6.4 * f64::from(k % 6), if k < 6 { -9.0 } else { 9.0 }];
            let disc = Disc::new(place, 0.7).with_restitution(0.6);
            others.push(world.insert(disc).expect("there is room"));
        }
        let eye = Region::disc([0.0, 0.0], 3.0).carried_by(others[0]);
        world.add_region(eye).expect("it is a region");
        Room { world, player, others, bullets: Vec::new(), random: Random(9) }
    }

    /// The edits of a frame, its events, and the places.
    fn frame(&mut self, frame: u64) {
        let Room { world, player, others, bullets, random } = self;
        if frame.is_multiple_of(6) {
            let wanted = DVec2::new(random.next() * 12.0, random.next() * 20.0);
            let by = world.now().as_secs() + 0.1;
            world.move_to_until(*player, wanted, by).expect("it moves");
        }
        for k in [frame, frame + 5] {
            let id = others[k as usize % others.len()];
            let place = world.get(id).expect("it is there").position();
            world.set_velocity(id, random.vector(24.0) - place * 0.3).expect("it is there");
        }
        if frame.is_multiple_of(3) {
            if bullets.len() == 16 {
                world.remove(bullets.remove(0)).expect("it is there");
            }
            let direction = random.vector(2.0).normalize();
            let from = world.get(others[frame as usize % others.len()]).expect("it is there").position();
            let bullet = Disc::new(from + direction, 0.1).with_mass(0.01).with_velocity(direction * 20.0);
            // Where something stands there is no shot.
            bullets.extend(world.insert(bullet));
        }
        world.advance(1.0 / 60.0).expect("the time is in range");
        black_box(world.events());
        for disc in others.iter().chain(&*bullets) {
            black_box(world.get(*disc).expect("it is there").position());
        }
    }
}

/// This many frames of a game.
pub(crate) fn frames(frames: u64) {
    let mut room = Room::new();
    for frame in 0..120 + frames {
        room.frame(frame);
    }
}

/// Nine-ball breaks, from the stroke until all balls rest.
pub(crate) fn breaks(breaks: u64) {
    let (table, rack) = (Table::pool_9ft(), Rack::nine_ball().with_gap(1e-5).expect("it is in range"));
    let place = |seed| rack.place(&table, seed).expect("the rack fits");
    let first = place(0).build(&table).expect("the rack fits");
    for seed in 0..breaks {
        let mut game = first.with_layout(&place(seed)).expect("the rack fits");
        let beside = 0.03 * ((0.618_033_988_749_895 * seed as f64).fract() - 0.5);
        let shot = Shot::new(9.0).aimed_at(std::f64::consts::FRAC_PI_2 + beside);
        black_box(game.shoot(&shot)).expect("it is played");
    }
}

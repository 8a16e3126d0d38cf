//! Random edits through components, and the same edits of a bare world: entities, messages and worlds agree.

use crate::{Random, app, disc, frame};
use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_math::{DVec2, Vec2};
use bevy_time::prelude::*;
use bevy_transform::components::Transform;
use carom::{Disc as Body, DiscId, Event, RegionId, WallId, World};
use carom_bevy::{
    CaromPlugin, Disc, Entered, Impacted, Kinematic, Left, Mass, MoveTo, Physics, Position, Region,
    Restitution, Rules, UserData, Velocity, Wall,
};
use std::collections::HashMap;

/// What the world of a model has of an entity; discs that were refused have no name.
enum Thing {
    Disc(Option<DiscId>, Body),
    Wall(WallId),
    Region(RegionId),
}

struct Model {
    world: World,
    things: Vec<(Entity, Thing)>,
    /// Never forgotten, as events tell of what has gone.
    discs: HashMap<DiscId, Entity>,
    walls: HashMap<WallId, Entity>,
    regions: HashMap<RegionId, Entity>,
}

const SIZE: f64 = 12.0;

fn place(random: &mut Random) -> [f64; 2] {
    [random.between(-SIZE, SIZE), random.between(-SIZE, SIZE)]
}

fn velocity(random: &mut Random) -> [f64; 2] {
    [random.between(-9.0, 9.0), random.between(-9.0, 9.0)]
}

impl Model {
    fn insert(&mut self, entity: Entity, body: Body) -> Option<DiscId> {
        let id = self.world.insert(body).ok()?;
        self.discs.insert(id, entity);
        Some(id)
    }

    fn spawn_disc(&mut self, app: &mut App, random: &mut Random) {
        let ([x, y], velocity, radius) = (place(random), velocity(random), random.between(0.1, 1.0));
        let kinematic = random.below(8) == 0;
        let mut spawned = app.world_mut().spawn_empty();
        let mut body = Body::new([x, y], radius).with_velocity(velocity);
        if kinematic {
            spawned.insert(Kinematic::default());
            body = body.kinematic();
        }
        let entity = spawned.insert((disc(x, y, radius, velocity), UserData(0))).id();
        let id = self.insert(entity, body);
        self.things.push((entity, Thing::Disc(id, body)));
    }

    fn spawn_wall(&mut self, app: &mut App, random: &mut Random) {
        let ([x, y], [dx, dy]) = (place(random), velocity(random));
        let wall = carom::Wall::segment([x, y], [x + dx.abs() + 0.1, y + dy]);
        let entity = app.world_mut().spawn(Wall::from(wall.clone())).id();
        match self.world.add_wall(wall) {
            Ok(id) => {
                self.walls.insert(id, entity);
                self.things.push((entity, Thing::Wall(id)));
            }
            Err(_) => assert!(app.world_mut().despawn(entity)),
        }
    }

    fn spawn_region(&mut self, app: &mut App, random: &mut Random) {
        let region = carom::Region::disc(place(random), random.between(0.5, 3.0));
        let entity = app.world_mut().spawn(Region::from(region)).id();
        let id = self.world.add_region(region).unwrap();
        self.regions.insert(id, entity);
        self.things.push((entity, Thing::Region(id)));
    }

    fn despawn(&mut self, app: &mut App, which: usize) {
        let (entity, thing) = self.things.swap_remove(which);
        assert!(app.world_mut().despawn(entity));
        match thing {
            Thing::Disc(Some(id), _) => drop(self.world.remove(id).unwrap()),
            Thing::Disc(None, _) => {}
            Thing::Wall(id) => drop(self.world.remove_wall(id).unwrap()),
            Thing::Region(id) => drop(self.world.remove_region(id).unwrap()),
        }
    }

    /// Writes one component of something, and does the same to the model.
    fn write(&mut self, app: &mut App, random: &mut Random, which: usize) {
        let (entity, thing) = &mut self.things[which];
        let mut written = app.world_mut().entity_mut(*entity);
        match thing {
            Thing::Disc(id, body) => {
                let edit = write_disc(&mut written, random, body, *id, &mut self.world);
                match id {
                    Some(id) if edit.is_none_or(|edit| edit.is_err()) => {
                        *body = self.world.get(*id).unwrap().to_disc();
                    }
                    Some(_) => {}
                    None => {
                        *id = self.world.insert(*body).ok();
                        id.and_then(|id| self.discs.insert(id, *entity));
                    }
                }
            }
            Thing::Wall(id) => {
                let restitution = random.between(0.0, 1.0);
                written.insert(Restitution(restitution));
                self.world.set_wall_restitution(*id, restitution).unwrap();
            }
            Thing::Region(id) => {
                let region = carom::Region::disc(place(random), random.between(0.5, 3.0));
                written.insert(Region::from(region));
                self.world.set_region(*id, region).unwrap();
            }
        }
    }

    /// Each thing is in the plugin's world as it is in this one, and components say so.
    fn check(&self, app: &mut App) {
        let sum = self.world.checksum();
        let physics = app.world().resource::<Physics>();
        assert_eq!(physics.checksum(), sum, "{:?}", physics.world().diff(&self.world));
        let mut discs = 0;
        for (entity, thing) in &self.things {
            match thing {
                Thing::Disc(id, _) => {
                    assert_eq!(physics.disc_id(*entity), *id);
                    let Some(now) = id.and_then(|id| self.world.get(id)) else { continue };
                    discs += 1;
                    let entity = app.world().entity(*entity);
                    let at = now.position().to_array();
                    let shown = Vec2::new(at[0] as f32, at[1] as f32);
                    assert_eq!(entity.get::<Position>().unwrap().0.to_array(), at);
                    assert_eq!(entity.get::<Transform>().unwrap().translation.truncate(), shown);
                    assert_eq!(entity.get::<Velocity>().unwrap().0.to_array(), now.velocity().to_array());
                    assert_eq!(entity.get::<Mass>().unwrap().0, now.mass());
                    assert_eq!(entity.get::<Disc>().unwrap().radius, now.radius());
                    assert_eq!(entity.get::<Restitution>().unwrap().0, now.restitution());
                    assert_eq!(entity.get::<Rules>().unwrap().0, now.rules());
                    assert_eq!(entity.get::<UserData>().unwrap().0, now.user_data());
                }
                Thing::Wall(id) => assert_eq!(physics.wall_id(*entity), Some(*id)),
                Thing::Region(id) => assert_eq!(physics.region_id(*entity), Some(*id)),
            }
        }
        assert_eq!((self.world.len(), physics.discs().count()), (discs, discs));
    }

    /// The messages are the events, with the entities of the two.
    fn check_messages(&self, app: &mut App) -> usize {
        let told = app.world_mut().resource_mut::<Messages<Impacted>>().drain().collect::<Vec<_>>();
        let impacts = self.world.events().iter().filter_map(Event::impact).map(|hit| {
            let other = hit.b.disc().map(|id| self.discs[&id]);
            let other = other.or(hit.b.wall().map(|id| self.walls[&id]));
            (self.discs[&hit.a], other, hit.time.as_secs(), hit.impulse)
        });
        let same = told.iter().map(|hit| (hit.entity, hit.other, hit.time, hit.impulse));
        assert!(impacts.eq(same));
        let crossings = |enters: bool| {
            let is = move |event: &&Event| matches!(event, Event::Entered(_)) == enters;
            let crossings = self.world.events().iter().filter(is).filter_map(Event::crossing);
            crossings.map(|c| (self.discs[&c.disc], self.regions[&c.region], c.time.as_secs()))
        };
        let entered = app.world_mut().resource_mut::<Messages<Entered>>().drain().collect::<Vec<_>>();
        assert!(crossings(true).eq(entered.iter().map(|c| (c.disc, c.region, c.time))));
        let left = app.world_mut().resource_mut::<Messages<Left>>().drain().collect::<Vec<_>>();
        assert!(crossings(false).eq(left.iter().map(|c| (c.disc, c.region, c.time))));
        told.len() + entered.len() + left.len()
    }
}

/// Writes one component. Of a disc that is there, the result of the same edit; `None` if there is none to it.
fn write_disc(
    written: &mut EntityWorldMut<'_>,
    random: &mut Random,
    body: &mut Body,
    id: Option<DiscId>,
    world: &mut World,
) -> Option<Result<(), carom::Error>> {
    macro_rules! edit {
        ($component:expr, $field:ident = $value:expr, $set:ident) => {{
            written.insert($component);
            body.$field = $value;
            id.map(|id| world.$set(id, $value))
        }};
    }
    match random.below(8) {
        0 | 1 => {
            let [x, y] = velocity(random);
            edit!(Velocity(DVec2::new(x, y)), velocity = carom::DVec2::new(x, y), set_velocity)
        }
        2 => {
            let [x, y] = place(random);
            edit!(Position(DVec2::new(x, y)), position = carom::DVec2::new(x, y), set_position)
        }
        3 => {
            // Beside a position, it is what is read of a disc that is in the world.
            let [x, y] = place(random).map(|at| at as f32);
            written.get_mut::<Transform>().unwrap().translation = Vec2::new(x, y).extend(3.0);
            id.map(|id| world.set_position(id, [f64::from(x), f64::from(y)]))
        }
        4 => {
            let radius = random.between(0.1, 1.5);
            edit!(Disc::new(radius), radius = radius, set_radius)
        }
        5 if body.kinematic && id.is_some() => {
            let ([x, y], seconds) = (place(random), random.between(0.01, 0.2));
            written.insert(MoveTo { target: DVec2::new(x, y), seconds });
            id.map(|id| world.move_to(id, [x, y], seconds).map(|_| ()))
        }
        5 if !body.kinematic => {
            let mass = random.between(0.0, 3.0);
            edit!(Mass(mass), mass = mass, set_mass)
        }
        6 => {
            // One in three is out of range.
            let restitution = random.between(0.5, 1.25);
            edit!(Restitution(restitution), restitution = restitution, set_restitution)
        }
        _ => {
            let rules = carom::Rules::new().with_team(random.below(3) as u32);
            edit!(Rules(rules), rules = rules, set_rules)
        }
    }
}

fn agree(seed: u64, edits: u32) -> usize {
    let mut app = app(CaromPlugin::default());
    let mut random = Random(seed);
    let mut model = Model {
        world: World::new(),
        things: Vec::new(),
        discs: HashMap::new(),
        walls: HashMap::new(),
        regions: HashMap::new(),
    };
    let room = carom::Wall::container([-SIZE - 2.0, -SIZE - 2.0], [SIZE + 2.0, SIZE + 2.0]);
    let entity = app.world_mut().spawn(Wall::from(room.clone())).id();
    model.walls.insert(model.world.add_wall(room).unwrap(), entity);
    let mut told = 0;
    for _ in 0..edits {
        let which = random.below(model.things.len().max(1) as u64) as usize;
        match random.below(20) {
            0 | 1 if model.things.len() < 30 => model.spawn_disc(&mut app, &mut random),
            2 if model.things.len() < 30 => model.spawn_wall(&mut app, &mut random),
            3 if model.things.len() < 30 => model.spawn_region(&mut app, &mut random),
            4..7 if model.things.len() > 15 => model.despawn(&mut app, which),
            _ if model.things.is_empty() => model.spawn_disc(&mut app, &mut random),
            _ => model.write(&mut app, &mut random, which),
        }
        frame(&mut app, random.below(100_000));
        let now = app.world().resource::<Time<Virtual>>().elapsed_secs_f64();
        model.world.advance_to(now).unwrap();
        model.check(&mut app);
        told += model.check_messages(&mut app);
    }
    told
}

#[test]
fn entities_messages_and_world_agree_after_random_edits() {
    let told: usize = (1..=4).map(|seed| agree(seed, 250)).sum();
    assert!(told > 500, "{told}");
}

/// `cargo test --test plugin -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn they_agree_after_a_hundred_thousand_edits() {
    let told: usize = (100..120).map(|seed| agree(seed, 5_000)).sum();
    println!("100000 edits, {told} messages");
    assert!(told > 100_000, "{told}");
}

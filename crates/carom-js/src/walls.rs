//! Walls: put up, moved, taken down.

use crate::body::{own_roughness, roughness_numbers, rules};
use crate::engine::{Engine, exactly, time};
use crate::handle::Numbered;
use crate::laws::Laws;
use crate::refused::Refused;
use crate::room::in_room;
use carom_engine::{Error, RoughWall, Wall, WallId, WallShape, World};
use serde::Deserialize;
use std::borrow::Cow;
use wasm_bindgen::prelude::*;

/// A wall as JSON. Of numbers that JSON does not have only infinity may be missing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct WallText {
    shape: WallShape,
    restitution: f64,
    user_data: u64,
    membership: u32,
    mask: u32,
    team: u32,
    max_speed: Option<f64>,
}

/// How a wall rubs: whether it has a roughness of its own, that, and the speed at which its surface runs.
fn rough_wall(numbers: &[f64]) -> Result<RoughWall, Refused> {
    let [is_own, roughness @ .., speed] = exactly::<5>(numbers)?;
    let own = own_roughness(is_own != 0.0, roughness)?;
    Ok(RoughWall::new(own).with_surface_speed(speed)?)
}

fn add<P: Laws>(world: &mut World<P>, wall: Wall, rough: RoughWall) -> Result<WallId, Error> {
    let Wall { shape, restitution, user_data, rules, max_speed, .. } = wall;
    let wall = Wall::new(shape).with_restitution(restitution).with_user_data(user_data).with_rules(rules);
    world.add_wall(wall.with_max_speed(max_speed).with_surface(P::surface(rough)?))
}

fn set_surface<P: Laws>(world: &mut World<P>, wall: WallId, rough: RoughWall) -> Result<(), Error> {
    world.set_wall_surface(wall, P::surface(rough)?)
}

/// All walls as JSON. Of a roughness only the friction may be infinite, which is `null` here.
fn listed<P: Laws>(world: &World<P>) -> Vec<serde_json::Value> {
    let of = |(id, wall): (WallId, &Wall<P::Surface>)| {
        let shape = world.wall_shape(id).map_or_else(|| wall.shape.clone(), Cow::into_owned);
        let (number, user_data, restitution) = (id.nearest_number(), wall.user_data, wall.restitution);
        let rough = P::rough_wall(&wall.surface);
        let roughness = rough.roughness().map(roughness_numbers);
        serde_json::json!({ "wall": number, "shape": shape, "restitution": restitution, "userData": user_data,
                            "roughness": roughness, "surfaceSpeed": rough.surface_speed() })
    };
    world.walls().map(of).collect()
}

#[wasm_bindgen]
impl Engine {
    /// Puts up a wall: JSON, and how it rubs in the numbers of `rough_wall`.
    ///
    /// # Errors
    /// A number is not allowed, or it would overlap a disc.
    pub fn add_wall(&mut self, text: &str, rough: &[f64]) -> Result<f64, Refused> {
        let given: WallText = serde_json::from_str(text).map_err(|error| Refused::text("wall", error))?;
        let rules = rules(given.membership.into(), given.mask.into(), given.team.into());
        let mut wall: Wall = Wall::new(given.shape).with_restitution(given.restitution);
        wall = wall.with_user_data(given.user_data).with_rules(rules);
        if let Some(max_speed) = given.max_speed {
            wall = wall.with_max_speed(max_speed);
        }
        let rough = rough_wall(rough)?;
        let id = in_room!(&mut self.room, held => add(&mut held.world, wall, rough))?;
        match id.number() {
            Some(number) => Ok(number),
            None => {
                in_room!(&mut self.room, held => held.world.remove_wall(id).map(drop))?;
                Err(Refused::value("wall", id, "at most 2^29 uses of a slot, and 2^24 slots"))
            }
        }
    }

    /// Takes down a wall.
    ///
    /// # Errors
    /// It is gone already.
    pub fn remove_wall(&mut self, wall: f64) -> Result<(), Refused> {
        let id = WallId::of_number(wall)?;
        in_room!(&mut self.room, held => held.world.remove_wall(id).map(|_| ()))?;
        Ok(())
    }

    /// Gives a wall another restitution.
    ///
    /// # Errors
    /// It is gone, or the number is not allowed.
    pub fn set_wall_restitution(&mut self, wall: f64, restitution: f64) -> Result<(), Refused> {
        let id = WallId::of_number(wall)?;
        Ok(in_room!(&mut self.room, held => held.world.set_wall_restitution(id, restitution))?)
    }

    /// Gives a wall another note.
    ///
    /// # Errors
    /// It is gone.
    pub fn set_wall_user_data(&mut self, wall: f64, user_data: f64) -> Result<(), Refused> {
        let id = WallId::of_number(wall)?;
        Ok(in_room!(&mut self.room, held => held.world.set_wall_user_data(id, user_data as u64))?)
    }

    /// Gives a wall another surface: the numbers of `rough_wall`.
    ///
    /// # Errors
    /// It is gone, a number is not allowed, or discs of the world do not rub.
    pub fn set_wall_surface(&mut self, wall: f64, rough: &[f64]) -> Result<(), Refused> {
        let (id, rough) = (WallId::of_number(wall)?, rough_wall(rough)?);
        Ok(in_room!(&mut self.room, held => set_surface(&mut held.world, id, rough))?)
    }

    /// Sets which discs a wall collides with.
    ///
    /// # Errors
    /// It is gone.
    pub fn set_wall_rules(
        &mut self,
        wall: f64,
        membership: f64,
        mask: f64,
        team: f64,
    ) -> Result<(), Refused> {
        let (id, rules) = (WallId::of_number(wall)?, rules(membership, mask, team));
        Ok(in_room!(&mut self.room, held => held.world.set_wall_rules(id, rules))?)
    }

    /// Moves a wall to where it is an offset from where it was put up, within `seconds`.
    ///
    /// # Errors
    /// It is gone or cannot move, or a number is not allowed.
    pub fn move_wall(&mut self, wall: f64, x: f64, y: f64, seconds: f64) -> Result<(), Refused> {
        let id = WallId::of_number(wall)?;
        let arrival = in_room!(&mut self.room, held => held.world.move_wall(id, [x, y], seconds))?;
        self.give(time(arrival));
        Ok(())
    }

    /// As `move_wall`, with the time of arrival.
    ///
    /// # Errors
    /// It is gone or cannot move, or a number is not allowed.
    pub fn move_wall_until(&mut self, wall: f64, x: f64, y: f64, until: f64) -> Result<(), Refused> {
        let id = WallId::of_number(wall)?;
        let arrival = in_room!(&mut self.room, held => held.world.move_wall_until(id, [x, y], until))?;
        self.give(time(arrival));
        Ok(())
    }

    /// Turns an arm to an angle, at a rate in radians a second.
    ///
    /// # Errors
    /// It is gone or no arm, or a number is not allowed.
    pub fn turn_arm(&mut self, wall: f64, to: f64, rate: f64) -> Result<(), Refused> {
        let id = WallId::of_number(wall)?;
        let arrival = in_room!(&mut self.room, held => held.world.turn_arm(id, to, rate))?;
        self.give(time(arrival));
        Ok(())
    }

    /// All walls as JSON, in the order in which they were put up: handles, and forms as they are now.
    #[must_use]
    pub fn walls(&self) -> String {
        serde_json::Value::Array(in_room!(&self.room, held => listed(&held.world))).to_string()
    }
}

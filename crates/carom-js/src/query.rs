//! What is where.

use crate::body::rules;
use crate::engine::{Engine, exactly, time};
use crate::handle::{Numbered, partner};
use crate::refused::Refused;
use crate::room::in_room;
use carom_engine::{CastOptions, Disc, DiscId, Nearest, Partner, QueryFilter, Ray, RayHit};
use wasm_bindgen::prelude::*;

/// A filter in numbers: 0 all, 1 discs, 2 walls; the disc to leave out or −1; membership, mask, team.
fn filter(numbers: &[f64]) -> Result<QueryFilter<'static>, Refused> {
    let [kind, excluded, membership, mask, team] = exactly(numbers)?;
    let mut filter = QueryFilter::new().with_rules(rules(membership, mask, team));
    if kind == 1.0 {
        filter = filter.only_discs();
    } else if kind == 2.0 {
        filter = filter.only_walls();
    }
    if excluded >= 0.0 {
        filter = filter.excluding(DiscId::of_number(excluded)?);
    }
    Ok(filter)
}

#[wasm_bindgen]
impl Engine {
    /// What a point is in: kind, handle and part of each.
    ///
    /// # Errors
    /// A number is not allowed.
    pub fn overlap_point(&mut self, x: f64, y: f64, of: &[f64]) -> Result<(), Refused> {
        let (filter, mut found) = (filter(of)?, Vec::<Partner>::new());
        in_room!(&self.room, held => held.world.overlap_point([x, y], &filter, &mut found))?;
        self.give(found.into_iter().flat_map(partner));
        Ok(())
    }

    /// What a disc would overlap.
    ///
    /// # Errors
    /// A number is not allowed.
    pub fn overlap_disc(&mut self, x: f64, y: f64, radius: f64, of: &[f64]) -> Result<(), Refused> {
        let (filter, mut found) = (filter(of)?, Vec::<Partner>::new());
        in_room!(&self.room, held => held.world.overlap_disc([x, y], radius, &filter, &mut found))?;
        self.give(found.into_iter().flat_map(partner));
        Ok(())
    }

    /// What a box overlaps: lower left and upper right corner.
    ///
    /// # Errors
    /// A number is not allowed.
    pub fn overlap_box(&mut self, corners: &[f64], of: &[f64]) -> Result<(), Refused> {
        let [x0, y0, x1, y1] = exactly(corners)?;
        let (filter, mut found) = (filter(of)?, Vec::<Partner>::new());
        in_room!(&self.room, held => held.world.overlap_box([x0, y0], [x1, y1], &filter, &mut found))?;
        self.give(found.into_iter().flat_map(partner));
        Ok(())
    }

    /// What is nearest to a point: kind, handle, part, distance and point of each.
    ///
    /// # Errors
    /// A number is not allowed.
    pub fn nearest(&mut self, x: f64, y: f64, most: f64, of: &[f64]) -> Result<(), Refused> {
        let (filter, mut found) = (filter(of)?, Vec::<Nearest>::new());
        in_room!(&self.room, held => held.world.nearest([x, y], most as usize, &filter, &mut found))?;
        let numbers = |near: Nearest| {
            let [kind, body, part] = partner(near.body);
            [kind, body, part, near.distance, near.point.x, near.point.y]
        };
        self.give(found.into_iter().flat_map(numbers));
        Ok(())
    }

    /// What a ray meets, the nearest first, or that alone: kind, handle, part, distance, point, normal (0, 0
    /// from inside) of each.
    ///
    /// # Errors
    /// A number is not allowed.
    pub fn cast_ray(&mut self, ray: &[f64], is_first: bool, of: &[f64]) -> Result<(), Refused> {
        let [x, y, dx, dy, max_distance] = exactly(ray)?;
        let ray = Ray::new([x, y], [dx, dy]).with_max_distance(max_distance);
        let (filter, mut hits) = (filter(of)?, Vec::<RayHit>::new());
        if is_first {
            hits.extend(in_room!(&self.room, held => held.world.cast_ray(&ray, &filter))?);
        } else {
            in_room!(&self.room, held => held.world.ray_hits(&ray, &filter, &mut hits))?;
        }
        let numbers = |hit: RayHit| {
            let [kind, body, part] = partner(hit.body);
            let normal = hit.normal.unwrap_or_default();
            [kind, body, part, hit.distance, hit.point.x, hit.point.y, normal.x, normal.y]
        };
        self.give(hits.into_iter().flat_map(numbers));
        Ok(())
    }

    /// What a disc would meet first if it were inserted now: kind, handle, part, time, seconds, position,
    /// point, normal; false if nothing.
    ///
    /// # Errors
    /// A number is not allowed.
    pub fn cast_disc(&mut self, disc: &[f64], of: &[f64]) -> Result<bool, Refused> {
        let [x, y, radius, vx, vy, max_time, frozen] = exactly(disc)?;
        let options = CastOptions::new().with_max_time(max_time).with_frozen(frozen != 0.0);
        let filter = filter(of)?;
        let hit = in_room!(&self.room, held => {
            let disc = Disc::new([x, y], radius).with_velocity([vx, vy]);
            held.world.cast_disc(&disc, &options, &filter)
        })?;
        let Some(hit) = hit else { return Ok(false) };
        let [kind, body, part] = partner(hit.body);
        let [epoch, offset] = time(hit.time);
        let (position, point, normal) = (hit.position, hit.point, hit.normal);
        let places = [position.x, position.y, point.x, point.y, normal.x, normal.y];
        self.give([kind, body, part, epoch, offset, hit.seconds].into_iter().chain(places));
        Ok(true)
    }

    /// What a disc presses on now: kind, handle and part of each.
    ///
    /// # Errors
    /// It is gone.
    pub fn held_to(&mut self, disc: f64) -> Result<(), Refused> {
        let id = DiscId::of_number(disc)?;
        let found: Vec<Partner> = in_room!(&self.room, held => held.world.held_to(id).collect());
        self.give(found.into_iter().flat_map(partner));
        Ok(())
    }
}

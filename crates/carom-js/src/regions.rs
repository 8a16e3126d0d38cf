//! Regions: put up, changed, removed; what is inside.

use crate::body::rules;
use crate::engine::Engine;
use crate::handle::{NONE, Numbered};
use crate::refused::Refused;
use crate::room::in_room;
use carom_engine::{DVec2, DiscId, Extent, Region, RegionId, RegionShape, WallId};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

/// A region as JSON, with handles as numbers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct RegionText {
    shape: ShapeText,
    carrier: Option<f64>,
    extent: Extent,
    membership: u32,
    mask: u32,
    team: u32,
    sensors: bool,
    user_data: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum ShapeText {
    Disc { center: DVec2, radius: f64 },
    Rectangle { min: DVec2, max: DVec2 },
    HalfPlane { point: DVec2, normal: DVec2 },
    Segment { a: DVec2, b: DVec2 },
    Wall { wall: f64 },
}

impl ShapeText {
    fn shape(self) -> Result<RegionShape, Refused> {
        Ok(match self {
            ShapeText::Disc { center, radius } => RegionShape::Disc { center, radius },
            ShapeText::Rectangle { min, max } => RegionShape::Rectangle { min, max },
            ShapeText::HalfPlane { point, normal } => RegionShape::HalfPlane { point, normal },
            ShapeText::Segment { a, b } => RegionShape::Segment { a, b },
            ShapeText::Wall { wall } => RegionShape::Wall { wall: WallId::of_number(wall)? },
        })
    }

    /// `None` for a form that this version does not know.
    fn of(shape: RegionShape) -> Option<Self> {
        Some(match shape {
            RegionShape::Disc { center, radius } => ShapeText::Disc { center, radius },
            RegionShape::Rectangle { min, max } => ShapeText::Rectangle { min, max },
            RegionShape::HalfPlane { point, normal } => ShapeText::HalfPlane { point, normal },
            RegionShape::Segment { a, b } => ShapeText::Segment { a, b },
            RegionShape::Wall { wall } => ShapeText::Wall { wall: wall.nearest_number() },
            _ => return None,
        })
    }
}

fn region(text: &str) -> Result<Region, Refused> {
    let given: RegionText = serde_json::from_str(text).map_err(|error| Refused::text("region", error))?;
    let rules = rules(given.membership.into(), given.mask.into(), given.team.into());
    let mut region = Region::new(given.shape.shape()?).with_rules(rules).with_user_data(given.user_data);
    region.carrier = given.carrier.map(DiscId::of_number).transpose()?;
    region.extent = given.extent;
    region.sensors = given.sensors;
    Ok(region)
}

/// A region as text, with its handle.
fn listed((id, region): (RegionId, &Region)) -> Option<serde_json::Value> {
    let rules = region.rules;
    let text = RegionText {
        shape: ShapeText::of(region.shape)?,
        carrier: region.carrier.map(Numbered::nearest_number),
        extent: region.extent,
        membership: rules.membership,
        mask: rules.mask,
        team: rules.team,
        sensors: region.sensors,
        user_data: region.user_data,
    };
    Some(serde_json::json!({ "region": id.nearest_number(), "options": text }))
}

#[wasm_bindgen]
impl Engine {
    /// Puts up a region: JSON.
    ///
    /// # Errors
    /// A number is not allowed, or what carries it is gone.
    pub fn add_region(&mut self, text: &str) -> Result<f64, Refused> {
        let region = region(text)?;
        let id = in_room!(&mut self.room, held => held.world.add_region(region))?;
        match id.number() {
            Some(number) => Ok(number),
            None => {
                in_room!(&mut self.room, held => held.world.remove_region(id).map(|_| ()))?;
                Err(Refused::value("region", id, "at most 2^29 uses of a slot, and 2^24 slots"))
            }
        }
    }

    /// Puts another region in the place of one: JSON.
    ///
    /// # Errors
    /// As `add_region`, or it is gone.
    pub fn set_region(&mut self, id: f64, text: &str) -> Result<(), Refused> {
        let (id, region) = (RegionId::of_number(id)?, region(text)?);
        Ok(in_room!(&mut self.room, held => held.world.set_region(id, region))?)
    }

    /// Removes a region.
    ///
    /// # Errors
    /// It is gone already.
    pub fn remove_region(&mut self, id: f64) -> Result<(), Refused> {
        let id = RegionId::of_number(id)?;
        in_room!(&mut self.room, held => held.world.remove_region(id).map(|_| ()))?;
        Ok(())
    }

    /// All regions as JSON, by slot: handles and what they were made of.
    #[must_use]
    pub fn regions(&self) -> String {
        let regions = in_room!(&self.room, held => held.world.regions().filter_map(listed).collect());
        serde_json::Value::Array(regions).to_string()
    }

    /// The handles of the discs that are inside of a region.
    ///
    /// # Errors
    /// It is gone.
    pub fn inside(&mut self, region: f64) -> Result<(), Refused> {
        let id = RegionId::of_number(region)?;
        let discs: Vec<DiscId> = in_room!(&self.room, held => held.world.inside(id)?.collect());
        self.give(discs.into_iter().map(Numbered::nearest_number));
        Ok(())
    }

    /// Whether a disc is inside of a region; not if one of them is gone.
    #[must_use]
    pub fn is_inside(&self, region: f64, disc: f64) -> bool {
        let (Ok(region), Ok(disc)) = (RegionId::of_number(region), DiscId::of_number(disc)) else {
            return false;
        };
        in_room!(&self.room, held => held.world.is_inside(region, disc))
    }

    /// The region that a disc is as a sensor, or −1.
    #[must_use]
    pub fn sensor_region(&self, disc: f64) -> f64 {
        let Ok(disc) = DiscId::of_number(disc) else { return NONE };
        in_room!(&self.room, held => held.world.sensor_region(disc)).map_or(NONE, Numbered::nearest_number)
    }
}

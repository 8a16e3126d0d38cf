//! A scene as it stands in a file: what is left out is that of the named table, or of the table's balls.

use super::fault::{field, wrong};
use super::matter::{MatterFile, unless};
use super::table_file::TableFile;
use super::{Scene, SceneBall};
use crate::{Ball, BallState, Cue, Hold, Layout, Place, Placed, Rack, Shot, Table};
use carom_engine::DVec2;
use carom_engine::glam::DVec3;
use carom_scene::{FORMAT, FieldPath, SceneError};
use serde::{Deserialize, Serialize};

/// Simple values come before tables, as TOML needs it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SceneFile {
    format: u64,
    model: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    title: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<f64>,
    table: TableFile,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rack: Option<RackFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shot: Option<ShotFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    balls: Vec<BallFile>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RackFile {
    name: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    gap: f64,
    #[serde(default)]
    seed: u64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShotFile {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ball: Option<String>,
    speed: f64,
    direction: f64,
    #[serde(default, skip_serializing_if = "is_zero")]
    elevation: f64,
    #[serde(default, skip_serializing_if = "is_zero")]
    side: f64,
    #[serde(default, skip_serializing_if = "is_zero")]
    height: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cue: Option<CueFile>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CueFile {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mass: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end_mass: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    miscue: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    length: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tip_radius: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    butt_radius: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contact_time: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    follow_through: Option<f64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BallFile {
    label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<[f64; 2]>,
    #[serde(default, skip_serializing_if = "is_zero_pair")]
    velocity: [f64; 2],
    #[serde(default, skip_serializing_if = "is_zero_triple")]
    spin: [f64; 3],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hold: Option<Hold>,
    #[serde(default, skip_serializing_if = "MatterFile::is_empty")]
    ball: MatterFile,
    #[serde(default, skip_serializing)]
    frozen: Option<FrozenFile>,
}

/// What a ball is frozen to. It is written back as a position.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FrozenFile {
    ball: Option<String>,
    direction: Option<f64>,
    cushion: Option<[f64; 2]>,
}

fn is_zero(value: &f64) -> bool {
    value.to_bits() == 0
}

fn is_zero_pair(value: &[f64; 2]) -> bool {
    value.iter().all(is_zero)
}

fn is_zero_triple(value: &[f64; 3]) -> bool {
    value.iter().all(is_zero)
}

impl RackFile {
    fn rack(&self) -> Result<(Rack, u64), SceneError> {
        let at = |name: &str| field("rack").field(name);
        let rack = Rack::named(&self.name)
            .map_err(|_| SceneError::value(at("name"), format!("{:?}", self.name), Rack::NAMES.join(", ")))?;
        let rack = rack.with_gap(self.gap).map_err(|error| wrong(field("rack"), &error))?;
        Ok((rack, self.seed))
    }
}

impl ShotFile {
    fn of(shot: &Shot) -> Self {
        let (cue, others) = (&shot.cue, &Cue::POOL);
        let cue = CueFile {
            mass: unless(cue.mass, others.mass),
            end_mass: cue.end_mass,
            miscue: unless(cue.miscue, others.miscue),
            length: unless(cue.length, others.length),
            tip_radius: unless(cue.tip_radius, others.tip_radius),
            butt_radius: unless(cue.butt_radius, others.butt_radius),
            contact_time: unless(cue.contact_time, others.contact_time),
            follow_through: unless(cue.follow_through, others.follow_through),
        };
        ShotFile {
            ball: (shot.ball != Layout::CUE).then(|| shot.ball.clone()),
            speed: shot.speed,
            direction: shot.direction,
            elevation: shot.elevation,
            side: shot.side,
            height: shot.height,
            cue: (shot.cue != *others).then_some(cue),
        }
    }

    fn shot(self) -> Shot {
        let others = Cue::POOL;
        let cue = self.cue.map_or(others, |cue| Cue {
            mass: cue.mass.unwrap_or(others.mass),
            end_mass: cue.end_mass.or(others.end_mass),
            miscue: cue.miscue.unwrap_or(others.miscue),
            length: cue.length.unwrap_or(others.length),
            tip_radius: cue.tip_radius.unwrap_or(others.tip_radius),
            butt_radius: cue.butt_radius.unwrap_or(others.butt_radius),
            contact_time: cue.contact_time.unwrap_or(others.contact_time),
            follow_through: cue.follow_through.unwrap_or(others.follow_through),
        });
        Shot {
            ball: self.ball.unwrap_or_else(|| Layout::CUE.into()),
            speed: self.speed,
            direction: self.direction,
            elevation: self.elevation,
            side: self.side,
            height: self.height,
            cue,
        }
    }
}

/// A ball that neither moves nor turns grips the cloth; any other may slip.
fn usual_hold(velocity: DVec2, spin: DVec3) -> Hold {
    if velocity == DVec2::ZERO && spin == DVec3::ZERO { Hold::Grips } else { Hold::Slips }
}

impl BallFile {
    fn of(ball: &SceneBall, of_table: &Ball) -> Self {
        let SceneBall { placed, velocity, state } = ball;
        let hold = (state.hold != usual_hold(*velocity, state.spin)).then_some(state.hold);
        BallFile {
            label: placed.label.clone(),
            position: Some(placed.at.into()),
            frozen: None,
            velocity: (*velocity).into(),
            spin: state.spin.into(),
            hold,
            ball: MatterFile::of(&placed.ball, of_table),
        }
    }

    /// Where it lies, as the ball of this number.
    fn place(&self, k: usize) -> Result<Place, SceneError> {
        let [position, own] = ["position", "frozen"].map(|name| FieldPath::of("balls", k).field(name));
        let Some(frozen) = &self.frozen else {
            let at = self.position.map(|at| Place::At(at.into()));
            return at.ok_or_else(|| SceneError::missing(position, "it is needed without `frozen`"));
        };
        if self.position.is_some() {
            return Err(SceneError::unexpected(own, "it is there instead of `position`"));
        }
        match (&frozen.ball, frozen.direction, frozen.cushion) {
            (Some(ball), Some(direction), None) => Ok(Place::FrozenToBall { ball: ball.clone(), direction }),
            (None, None, Some(near)) => Ok(Place::FrozenToCushion { near: near.into() }),
            _ => {
                let why = "it has `ball` and `direction`, or `cushion` alone";
                Err(SceneError::unexpected(own, why))
            }
        }
    }

    /// The ball of this number, on a table on which others lie.
    fn ball(self, k: usize, table: &Table, others: &Layout) -> Result<SceneBall, SceneError> {
        let (velocity, spin) = (DVec2::from(self.velocity), DVec3::from(self.spin));
        let hold = self.hold.unwrap_or_else(|| usual_hold(velocity, spin));
        let (place, ball) = (self.place(k)?, self.ball.ball(&table.ball));
        let at = others.find(&self.label, &ball, &place, table);
        let at = at.map_err(|error| wrong(FieldPath::of("balls", k).field("frozen"), &error))?;
        let placed = Placed { label: self.label, ball, at };
        Ok(SceneBall { placed, velocity, state: BallState { hold, ..BallState::turning(spin) } })
    }
}

impl SceneFile {
    pub(super) fn of(scene: &Scene) -> Self {
        let rack =
            |(rack, seed): &(Rack, u64)| RackFile { name: rack.name().into(), gap: rack.gap(), seed: *seed };
        SceneFile {
            format: FORMAT,
            model: "billiards".into(),
            name: scene.name.clone(),
            title: scene.title.clone(),
            description: scene.description.clone(),
            until: scene.until,
            table: TableFile::of(&scene.table),
            rack: scene.rack.as_ref().map(rack),
            shot: scene.shot.as_ref().map(ShotFile::of),
            balls: scene.balls.iter().map(|ball| BallFile::of(ball, &scene.table.ball)).collect(),
        }
    }

    pub(super) fn into_scene(self) -> Result<Scene, SceneError> {
        if self.format != FORMAT {
            let path = FieldPath::root().field("format");
            return Err(SceneError::value(path, self.format, FORMAT.to_string()));
        }
        let table = self.table.table()?;
        let mut scene = Scene {
            name: self.name,
            title: self.title,
            description: self.description,
            until: self.until,
            rack: self.rack.as_ref().map(RackFile::rack).transpose()?,
            balls: Vec::with_capacity(self.balls.len()),
            shot: self.shot.map(ShotFile::shot),
            table,
        };
        for (k, ball) in self.balls.into_iter().enumerate() {
            // A ball may be frozen to those of the rack and those before it.
            let others = if ball.frozen.is_some() { scene.layout()? } else { Layout::new() };
            let ball = ball.ball(k, &scene.table, &others)?;
            scene.balls.push(ball);
        }
        Ok(scene)
    }
}

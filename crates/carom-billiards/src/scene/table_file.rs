//! A table as it stands in a file: what is left out is that of the named table.

use super::fault::field;
use super::matter::{MatterFile, unless};
use crate::{
    Billiards, CushionModel, Hole, Mouth, Nose, Outline, PairModel, PocketModel, Pockets, RoundNose, Table,
};
use carom_scene::SceneError;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableFile {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    width: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    length: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nose: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rounding: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rail: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gravity: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pair: Option<PairModel>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cushion: Option<CushionModel>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pocket: Option<PocketModel>,
    #[serde(default, skip_serializing_if = "MatterFile::is_empty")]
    ball: MatterFile,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pockets: Option<PocketsFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    noses: Vec<NoseFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    jaws: Vec<JawFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    holes: Vec<HoleFile>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PocketsFile {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cushion_width: Option<f64>,
    #[serde(default, skip_serializing_if = "MouthFile::is_empty")]
    corner: MouthFile,
    #[serde(default, skip_serializing_if = "MouthFile::is_empty")]
    side: MouthFile,
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MouthFile {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    width: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    radius: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    depth: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    angle: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    jaw_radius: Option<f64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoseFile {
    from: [f64; 2],
    to: [f64; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    height: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rounding: Option<f64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JawFile {
    center: [f64; 2],
    radius: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    height: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rounding: Option<f64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HoleFile {
    center: [f64; 2],
    radius: f64,
}

impl MouthFile {
    pub(super) fn is_empty(&self) -> bool {
        *self == MouthFile::default()
    }

    pub(super) fn of(mouth: &Mouth, otherwise: &Mouth) -> Self {
        MouthFile {
            width: unless(mouth.width, otherwise.width),
            radius: unless(mouth.radius, otherwise.radius),
            depth: unless(mouth.depth, otherwise.depth),
            angle: unless(mouth.angle, otherwise.angle),
            jaw_radius: unless(mouth.jaw_radius, otherwise.jaw_radius),
        }
    }

    fn mouth(&self, otherwise: &Mouth) -> Mouth {
        Mouth {
            width: self.width.unwrap_or(otherwise.width),
            radius: self.radius.unwrap_or(otherwise.radius),
            depth: self.depth.unwrap_or(otherwise.depth),
            angle: self.angle.unwrap_or(otherwise.angle),
            jaw_radius: self.jaw_radius.unwrap_or(otherwise.jaw_radius),
        }
    }
}

impl PocketsFile {
    pub(super) fn of(pockets: &Pockets, otherwise: &Pockets) -> Self {
        PocketsFile {
            cushion_width: unless(pockets.cushion_width, otherwise.cushion_width),
            corner: MouthFile::of(&pockets.corner, &otherwise.corner),
            side: MouthFile::of(&pockets.side, &otherwise.side),
        }
    }

    fn pockets(&self, otherwise: &Pockets) -> Pockets {
        Pockets {
            corner: self.corner.mouth(&otherwise.corner),
            side: self.side.mouth(&otherwise.side),
            cushion_width: self.cushion_width.unwrap_or(otherwise.cushion_width),
        }
    }
}

impl TableFile {
    /// As few fields as say it: those in which it differs from the named table that is most like it.
    pub(super) fn of(table: &Table) -> Self {
        let named = Table::NAMES.iter().filter_map(|&name| Some((name, Table::named(name).ok()?)));
        let is_alike = |base: &Table| base.pockets.is_some() == table.pockets.is_some();
        let differences = |base: &Table| {
            let same = [base.width == table.width, base.length == table.length, base.ball == table.ball];
            same.iter().filter(|same| !**same).count() + usize::from(base.pockets != table.pockets)
        };
        let alike = named.filter(|(_, base)| is_alike(base));
        let (name, base) = alike.min_by_key(|(_, base)| differences(base)).unwrap_or_else(|| {
            // There are tables with pockets and without.
            ("pool-9ft", Table::pool_9ft())
        });
        let (physics, others) = (&table.physics, &base.physics);
        let outline = table.outline.clone().unwrap_or_default();
        let (height, rounding) =
            (|height: f64| unless(height, table.nose), |rounding: f64| unless(rounding, table.rounding));
        let nose = |nose: &Nose| {
            let (from, to) = (nose.from.into(), nose.to.into());
            NoseFile { from, to, height: height(nose.height), rounding: rounding(nose.rounding) }
        };
        let jaw = |jaw: &RoundNose| JawFile {
            center: jaw.center.into(),
            radius: jaw.radius,
            height: height(jaw.height),
            rounding: rounding(jaw.rounding),
        };
        let hole = |hole: &Hole| HoleFile { center: hole.center.into(), radius: hole.radius };
        let pockets = table.pockets.as_ref().zip(base.pockets.as_ref());
        let pockets = pockets.filter(|(own, others)| own != others);
        TableFile {
            name: name.into(),
            width: unless(table.width, base.width),
            length: unless(table.length, base.length),
            nose: unless(table.nose, base.nose),
            rounding: unless(table.rounding, base.rounding),
            rail: unless(table.rail, base.rail),
            gravity: unless(physics.gravity, others.gravity),
            pair: (physics.pair != others.pair).then_some(physics.pair),
            cushion: (physics.cushion != others.cushion).then_some(physics.cushion),
            pocket: (physics.pocket != others.pocket).then_some(physics.pocket),
            ball: MatterFile::of(&table.ball, &base.ball),
            pockets: pockets.map(|(own, others)| PocketsFile::of(own, others)),
            noses: outline.noses.iter().map(nose).collect(),
            jaws: outline.jaws.iter().map(jaw).collect(),
            holes: outline.holes.iter().map(hole).collect(),
        }
    }

    pub(super) fn table(self) -> Result<Table, SceneError> {
        let at = |name: &str| field("table").field(name);
        let base = Table::named(&self.name).map_err(|_| {
            SceneError::value(at("name"), format!("{:?}", self.name), Table::NAMES.join(", "))
        })?;
        let has_outline = !(self.noses.is_empty() && self.jaws.is_empty() && self.holes.is_empty());
        let pockets = match (&self.pockets, &base.pockets) {
            (Some(_), _) if has_outline => {
                let why = "noses, jaws and holes are all that there is beside each other";
                return Err(SceneError::unexpected(at("pockets"), why));
            }
            (Some(_), None) => {
                let why = "the named table has no pockets to be changed";
                return Err(SceneError::unexpected(at("pockets"), why));
            }
            (Some(own), Some(others)) => Some(own.pockets(others)),
            (None, others) => *others,
        };
        let nose = self.nose.unwrap_or(base.nose);
        let rounding = self.rounding.unwrap_or(base.rounding);
        let physics = Billiards {
            gravity: self.gravity.unwrap_or(base.physics.gravity),
            pair: self.pair.unwrap_or(base.physics.pair),
            cushion: self.cushion.unwrap_or(base.physics.cushion),
            pocket: self.pocket.unwrap_or(base.physics.pocket),
        };
        let outline = has_outline.then(|| self.outline(nose, rounding));
        Ok(Table {
            width: self.width.unwrap_or(base.width),
            length: self.length.unwrap_or(base.length),
            pockets,
            nose,
            rounding,
            rail: self.rail.unwrap_or(base.rail),
            ball: self.ball.ball(&base.ball),
            physics,
            outline,
        })
    }

    fn outline(&self, height: f64, rounding: f64) -> Outline {
        let nose = |nose: &NoseFile| Nose {
            from: nose.from.into(),
            to: nose.to.into(),
            height: nose.height.unwrap_or(height),
            rounding: nose.rounding.unwrap_or(rounding),
        };
        let jaw = |jaw: &JawFile| RoundNose {
            center: jaw.center.into(),
            radius: jaw.radius,
            height: jaw.height.unwrap_or(height),
            rounding: jaw.rounding.unwrap_or(rounding),
        };
        let hole = |hole: &HoleFile| Hole { center: hole.center.into(), radius: hole.radius };
        Outline {
            noses: self.noses.iter().map(nose).collect(),
            jaws: self.jaws.iter().map(jaw).collect(),
            holes: self.holes.iter().map(hole).collect(),
        }
    }
}

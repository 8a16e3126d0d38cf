//! Walls as they stand in a file: a shape by its name, with the fields that it has.

use crate::error::SceneError;
use crate::model::{SceneRoughness, SceneShape, SceneWall};
use crate::place::FieldPath;
use crate::values::{self, Pair, Real};
use carom_engine::{Rules, WallShape};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A value as it stands in a file, and as the engine has it.
trait Stored<T>: Sized {
    fn store(value: T) -> Self;
    fn load(self) -> T;
}

impl Stored<DVec2> for Pair {
    fn store(value: DVec2) -> Self {
        Self(value)
    }

    fn load(self) -> DVec2 {
        self.0
    }
}

impl Stored<f64> for Real {
    fn store(value: f64) -> Self {
        Self(value)
    }

    fn load(self) -> f64 {
        self.0
    }
}

impl Stored<Vec<DVec2>> for Vec<Pair> {
    fn store(value: Vec<DVec2>) -> Self {
        value.into_iter().map(Pair).collect()
    }

    fn load(self) -> Vec<DVec2> {
        self.into_iter().map(|pair| pair.0).collect()
    }
}

impl<T> Stored<T> for T {
    fn store(value: T) -> Self {
        value
    }

    fn load(self) -> T {
        self
    }
}

/// The table of shapes: the name in the file, the shape, its fields as
/// which have the engine's names. From it come the flat entry with the fields of all shapes, reading and
/// writing. (A tagged enum would be shorter, but serde reads those through a buffer that forgets
/// where in the file each value stood.)
macro_rules! shapes {
    (
        fields { $($key:ident: $stored:ty,)* }
        $($name:ident $variant:ident { $($field:ident),* })*
    ) => {
        /// The names of the shapes, as a file writes them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[allow(non_camel_case_types, reason = "the names are those of the file")]
        enum ShapeName {
            $($name,)*
            around_gas,
        }

        impl ShapeName {
            fn text(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                    Self::around_gas => "around_gas",
                }
            }

            fn fields(self) -> &'static [&'static str] {
                match self {
                    $(Self::$name => &[$(stringify!($field)),*],)*
                    Self::around_gas => &["gas"],
                }
            }
        }

        /// One entry of `[[walls]]`, with every field that any shape has.
        #[derive(Clone, Debug, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct WallFile {
            shape: ShapeName,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            name: Option<String>,
            $(
                #[serde(default, skip_serializing_if = "Option::is_none")]
                $key: Option<$stored>,
            )*
            #[serde(with = "values::real", default = "values::one")]
            restitution: f64,
            #[serde(default, with = "values::rules", skip_serializing_if = "values::is_default")]
            rules: Rules,
            #[serde(default, with = "values::real_option", skip_serializing_if = "Option::is_none")]
            max_speed: Option<f64>,
            #[serde(default, skip_serializing_if = "Option::is_none")]
            roughness: Option<SceneRoughness>,
            #[serde(default, with = "values::real", skip_serializing_if = "values::is_default")]
            surface_speed: f64,
        }

        impl WallFile {
            fn empty(shape: ShapeName, wall: &SceneWall) -> Self {
                let &SceneWall { restitution, rules, max_speed, roughness, surface_speed, .. } = wall;
                let name = wall.name.clone();
                Self {
                    shape,
                    name,
                    $($key: None,)*
                    restitution,
                    rules,
                    max_speed,
                    roughness,
                    surface_speed,
                }
            }

            /// The fields that are there, of those that belong to a shape.
            fn present(&self) -> impl Iterator<Item = &'static str> {
                let all = [$((stringify!($key), self.$key.is_some())),*];
                all.into_iter().filter(|(_, is_there)| *is_there).map(|(key, _)| key)
            }

            fn shape(self, missing: impl Fn(&str) -> SceneError) -> Result<SceneShape, SceneError> {
                Ok(match self.shape {
                    $(ShapeName::$name => SceneShape::Given(WallShape::$variant {
                        $($field: self.$field.ok_or_else(|| missing(stringify!($field)))?.load(),)*
                    }),)*
                    ShapeName::around_gas => {
                        SceneShape::AroundGas { gas: self.gas.ok_or_else(|| missing("gas"))? }
                    }
                })
            }

            /// `None` for a shape that the format has no name for.
            pub(crate) fn of(wall: &SceneWall) -> Option<Self> {
                Some(match wall.shape.clone() {
                    $(SceneShape::Given(WallShape::$variant { $($field),* }) => Self {
                        $($field: Some(Stored::store($field)),)*
                        ..Self::empty(ShapeName::$name, wall)
                    },)*
                    SceneShape::Given(_) => return None,
                    SceneShape::AroundGas { gas } => {
                        Self { gas: Some(gas), ..Self::empty(ShapeName::around_gas, wall) }
                    }
                })
            }
        }
    };
}

shapes! {
    fields {
        point: Pair,
        normal: Pair,
        a: Pair,
        b: Pair,
        center: Pair,
        half_length: Real,
        radius: Real,
        start: Real,
        sweep: Real,
        pivot: Pair,
        length: Real,
        angle: Real,
        points: Vec<Pair>,
        closed: bool,
        min: Pair,
        max: Pair,
        gas: u64,
    }
    half_plane HalfPlane { point, normal }
    segment Segment { a, b }
    one_sided_segment OneSidedSegment { a, b }
    disc Disc { center, radius }
    circle Circle { center, radius }
    arc Arc { center, radius, start, sweep }
    polyline Polyline { points, closed }
    container Container { min, max }
    arm Arm { pivot, length, radius, angle }
    stadium Stadium { center, half_length, radius }
    capsule Capsule { a, b, radius }
}

impl WallFile {
    /// The wall, when it has the fields of its shape and no others.
    pub(crate) fn into_wall(mut self, path: &FieldPath) -> Result<SceneWall, SceneError> {
        let (text, fields) = (self.shape.text(), self.shape.fields());
        let why = || format!("the fields of the shape `{text}` are {}", fields.join(", "));
        if let Some(field) = self.present().find(|field| !fields.contains(field)) {
            return Err(SceneError::unexpected(path.clone().field(field), why()));
        }
        if self.shape == ShapeName::polyline {
            self.closed.get_or_insert(false);
        }
        let (name, max_speed) = (self.name.take(), self.max_speed);
        let (restitution, rules) = (self.restitution, self.rules);
        let (roughness, surface_speed) = (self.roughness, self.surface_speed);
        let shape = self.shape(|field| SceneError::missing(path.clone().field(field), why()))?;
        Ok(SceneWall { shape, restitution, rules, max_speed, roughness, surface_speed, name })
    }
}

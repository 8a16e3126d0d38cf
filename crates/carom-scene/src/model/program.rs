//! What happens by itself in a scene: regions that say who is inside, and commands at their times.

use crate::error::SceneError;
use crate::place::FieldPath;
use crate::values::{self, Pair, Real};
use carom_engine::{Extent, RegionShape, Rules};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// One entry of `[[regions]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneRegion {
    /// Its form and place; of one that is carried, relative to the centre of the disc.
    pub shape: RegionShape,
    /// The disc that carries it, by its index in file order.
    pub carrier: Option<u64>,
    /// What of a disc is to be inside.
    pub extent: Extent,
    /// Which discs it sees.
    pub rules: Rules,
    /// A name for the region, for people.
    pub name: Option<String>,
}

/// One entry of `[[commands]]`: something that is done at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneCommand {
    /// When, in seconds of the world.
    pub time: f64,
    /// What.
    pub action: SceneAction,
}

/// A value as it stands in a file.
pub(super) trait Stored<T>: Sized {
    fn store(value: T) -> Self;
    fn load(self) -> T;
}

impl Stored<DVec2> for Pair {
    fn store(value: DVec2) -> Self {
        Pair(value)
    }

    fn load(self) -> DVec2 {
        self.0
    }
}

impl Stored<f64> for Real {
    fn store(value: f64) -> Self {
        Real(value)
    }

    fn load(self) -> f64 {
        self.0
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

/// From a table of actions, each with its name in the file and its fields: the enum, the flat entry with the
/// fields of all actions, and the way from one to the other. As `shapes!` for walls.
macro_rules! actions {
    (
        fields { $($key:ident: $stored:ty,)* }
        $($(#[$doc:meta])* $name:ident $variant:ident { $($(#[$of:meta])* $field:ident: $type:ty),* })*
    ) => {
        /// What a command does. Discs and walls are named by their index in file order.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum SceneAction {
            $($(#[$doc])* $variant { $($(#[$of])* $field: $type),* },)*
        }

        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[allow(non_camel_case_types, reason = "the names are those of the file")]
        enum ActionName {
            $($name,)*
        }

        /// One entry of `[[commands]]`, with every field that any action has.
        #[derive(Clone, Debug, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct CommandFile {
            #[serde(with = "values::real")]
            time: f64,
            r#do: ActionName,
            $(
                #[serde(default, skip_serializing_if = "Option::is_none")]
                $key: Option<$stored>,
            )*
        }

        impl CommandFile {
            pub(crate) fn of(command: &SceneCommand) -> Self {
                let empty = |name| Self { time: command.time, r#do: name, $($key: None,)* };
                match command.action {
                    $(SceneAction::$variant { $($field),* } => Self {
                        $($field: Some(Stored::store($field)),)*
                        ..empty(ActionName::$name)
                    },)*
                }
            }

            /// The command, when it has the fields of its action and no others.
            pub(crate) fn into_command(self, path: &FieldPath) -> Result<SceneCommand, SceneError> {
                let (name, fields): (&str, &[&str]) = match self.r#do {
                    $(ActionName::$name => (stringify!($name), &[$(stringify!($field)),*]),)*
                };
                let why = || format!("the fields of `{name}` are {}", fields.join(", "));
                let all = [$((stringify!($key), self.$key.is_some())),*];
                let is_strange = |(field, is_there): &&(&str, bool)| *is_there && !fields.contains(field);
                if let Some((field, _)) = all.iter().find(is_strange) {
                    return Err(SceneError::unexpected(path.clone().field(field), why()));
                }
                let missing = |field: &str| SceneError::missing(path.clone().field(field), why());
                let action = match self.r#do {
                    $(ActionName::$name => SceneAction::$variant {
                        $($field: self.$field.ok_or_else(|| missing(stringify!($field)))?.load(),)*
                    },)*
                };
                Ok(SceneCommand { time: self.time, action })
            }
        }
    };
}

actions! {
    fields {
        disc: u64,
        wall: u64,
        to: Pair,
        offset: Pair,
        seconds: Real,
        angle: Real,
        rate: Real,
        velocity: Pair,
        position: Pair,
        impulse: Pair,
        radius: Real,
        mass: Real,
        restitution: Real,
        enabled: bool,
        note: u64,
    }
    /// Sends a kinematic disc to a place.
    move_disc MoveDisc {
        /// Which.
        disc: u64,
        /// Where.
        to: DVec2,
        /// In how many seconds.
        seconds: f64
    }
    /// Moves a wall by an offset from where it was put up.
    move_wall MoveWall {
        /// Which.
        wall: u64,
        /// How far.
        offset: DVec2,
        /// In how many seconds.
        seconds: f64
    }
    /// Turns an arm.
    turn_arm TurnArm {
        /// Which.
        wall: u64,
        /// To this angle, in radians.
        angle: f64,
        /// How fast, in radians a second.
        rate: f64
    }
    /// Gives a disc a velocity.
    set_velocity SetVelocity {
        /// Which.
        disc: u64,
        /// The velocity.
        velocity: DVec2
    }
    /// Puts a disc elsewhere.
    set_position SetPosition {
        /// Which.
        disc: u64,
        /// Where.
        position: DVec2
    }
    /// Gives a disc an impulse.
    apply_impulse ApplyImpulse {
        /// Which.
        disc: u64,
        /// The impulse.
        impulse: DVec2
    }
    /// Gives a disc a radius.
    set_radius SetRadius {
        /// Which.
        disc: u64,
        /// The radius.
        radius: f64
    }
    /// Gives a disc a mass.
    set_mass SetMass {
        /// Which.
        disc: u64,
        /// The mass.
        mass: f64
    }
    /// Gives a disc a restitution.
    set_restitution SetRestitution {
        /// Which.
        disc: u64,
        /// The restitution.
        restitution: f64
    }
    /// Takes a disc off the plane, or puts it back.
    set_enabled SetEnabled {
        /// Which.
        disc: u64,
        /// Whether it is on the plane.
        enabled: bool
    }
    /// Does nothing but to be a line of the events file.
    timer Timer {
        /// The note of that line.
        note: u64
    }
}

impl SceneAction {
    /// The disc and the wall that it names.
    pub(crate) fn names(&self) -> [Option<u64>; 2] {
        match *self {
            Self::MoveWall { wall, .. } | Self::TurnArm { wall, .. } => [None, Some(wall)],
            Self::MoveDisc { disc, .. }
            | Self::SetVelocity { disc, .. }
            | Self::SetPosition { disc, .. }
            | Self::ApplyImpulse { disc, .. }
            | Self::SetRadius { disc, .. }
            | Self::SetMass { disc, .. }
            | Self::SetRestitution { disc, .. }
            | Self::SetEnabled { disc, .. } => [Some(disc), None],
            Self::Timer { .. } => [None, None],
        }
    }
}

/// The names of the forms of regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FormName {
    Disc,
    Rectangle,
    HalfPlane,
    Segment,
}

/// What of a disc is to be inside, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ExtentName {
    Centre,
    Edge,
}

/// One entry of `[[regions]]`, with every field that any form has.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegionFile {
    shape: FormName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    center: Option<Pair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    radius: Option<Real>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    min: Option<Pair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max: Option<Pair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    point: Option<Pair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    normal: Option<Pair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    a: Option<Pair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    b: Option<Pair>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    carrier: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    extent: Option<ExtentName>,
    #[serde(default, with = "values::rules", skip_serializing_if = "values::is_default")]
    rules: Rules,
}

impl RegionFile {
    /// `None` for a form that the format has no name for.
    pub(crate) fn of(region: &SceneRegion) -> Option<Self> {
        let extent = if region.extent == Extent::Centre { ExtentName::Centre } else { ExtentName::Edge };
        let empty = |shape| Self {
            shape,
            name: region.name.clone(),
            center: None,
            radius: None,
            min: None,
            max: None,
            point: None,
            normal: None,
            a: None,
            b: None,
            carrier: region.carrier,
            extent: Some(extent).filter(|extent| *extent == ExtentName::Edge),
            rules: region.rules,
        };
        Some(match region.shape {
            RegionShape::Disc { center, radius } => {
                Self { center: Some(Pair(center)), radius: Some(Real(radius)), ..empty(FormName::Disc) }
            }
            RegionShape::Rectangle { min, max } => {
                Self { min: Some(Pair(min)), max: Some(Pair(max)), ..empty(FormName::Rectangle) }
            }
            RegionShape::HalfPlane { point, normal } => {
                Self { point: Some(Pair(point)), normal: Some(Pair(normal)), ..empty(FormName::HalfPlane) }
            }
            RegionShape::Segment { a, b } => {
                Self { a: Some(Pair(a)), b: Some(Pair(b)), ..empty(FormName::Segment) }
            }
            _ => return None,
        })
    }

    /// The region, when it has the fields of its form and no others.
    pub(crate) fn into_region(self, path: &FieldPath) -> Result<SceneRegion, SceneError> {
        let (name, fields): (&str, [&str; 2]) = match self.shape {
            FormName::Disc => ("disc", ["center", "radius"]),
            FormName::Rectangle => ("rectangle", ["min", "max"]),
            FormName::HalfPlane => ("half_plane", ["point", "normal"]),
            FormName::Segment => ("segment", ["a", "b"]),
        };
        let why = || format!("the fields of the shape `{name}` are {}", fields.join(", "));
        let pairs = [
            ("center", self.center),
            ("min", self.min),
            ("max", self.max),
            ("point", self.point),
            ("normal", self.normal),
            ("a", self.a),
            ("b", self.b),
        ];
        let there = pairs.iter().filter(|(_, pair)| pair.is_some()).map(|(field, _)| *field);
        let mut there = there.chain(self.radius.map(|_| "radius"));
        if let Some(field) = there.find(|field| !fields.contains(field)) {
            return Err(SceneError::unexpected(path.clone().field(field), why()));
        }
        let missing = |field: &str| SceneError::missing(path.clone().field(field), why());
        let pair = |field: &str| {
            let found = pairs.iter().find(|(name, _)| *name == field).and_then(|(_, pair)| *pair);
            found.map(|pair| pair.0).ok_or_else(|| missing(field))
        };
        let shape = match self.shape {
            FormName::Disc => {
                let radius = self.radius.ok_or_else(|| missing("radius"))?;
                RegionShape::Disc { center: pair("center")?, radius: radius.0 }
            }
            FormName::Rectangle => RegionShape::Rectangle { min: pair("min")?, max: pair("max")? },
            FormName::HalfPlane => RegionShape::HalfPlane { point: pair("point")?, normal: pair("normal")? },
            FormName::Segment => RegionShape::Segment { a: pair("a")?, b: pair("b")? },
        };
        // A line has no inside for a centre to be in.
        let is_line = self.shape == FormName::Segment;
        let extent = match self.extent {
            Some(ExtentName::Edge) => Extent::Edge,
            None if is_line => Extent::Edge,
            _ => Extent::Centre,
        };
        Ok(SceneRegion { shape, carrier: self.carrier, extent, rules: self.rules, name: self.name })
    }
}

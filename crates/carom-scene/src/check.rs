//! The check of a whole scene: every number in its range, fields that belong together, sizes bounded.

mod forces;
mod gas;
mod program;
mod rough;
mod verdicts;

use crate::error::SceneError;
use crate::model::{
    Growth, MAX_SEED, MAX_WALLS, NO_AREA, Overlaps, Pattern, Periodic, Rack, Region, Scene, SceneSettings,
    SceneShape, SceneWall, View,
};
use crate::place::FieldPath;
use carom_engine::limits::{MAX_LENGTH, MAX_MASS, MAX_SPEED, MIN_LENGTH, MIN_MASS};
use carom_engine::math::Shown;
use carom_engine::{Wall, WallShape};
use glam::DVec2;

type Checked = Result<(), SceneError>;

/// The longest name, title, description or label, in bytes.
const LONGEST_TEXT: usize = 4096;

/// The most rows of a triangle: its balls are within the limit on discs.
const MOST_ROWS: u32 = 1000;

impl Scene {
    /// Checks every value: numbers finite and in range, fields that belong together, the number of discs.
    ///
    /// Reading does this already; it is for scenes made or changed in memory. Whether discs overlap is found
    /// when the scene is built. `O(file)`: racks and gases are not expanded.
    ///
    /// # Errors
    /// The first value that is not allowed.
    pub fn check(&self) -> Result<(), SceneError> {
        scene(self)
    }
}

fn scene(scene: &Scene) -> Checked {
    let top = FieldPath::root();
    for (name, text) in [("name", &scene.name), ("title", &scene.title), ("description", &scene.description)]
    {
        short(top.clone().field(name), text)?;
    }
    settings(&scene.settings, &top.clone().field("settings"))?;
    real(top.clone().field("until"), scene.until, scene.until.is_finite(), "a finite number")?;
    if scene.until <= scene.settings.start {
        return Err(SceneError::value(
            top.field("until"),
            Shown(scene.until),
            format!("later than the start, {}", Shown(scene.settings.start)),
        ));
    }
    if let Overlaps::Part(speed) = scene.overlaps {
        let field = top.clone().field("overlaps").field("part");
        real(field, speed, (0.0..=MAX_SPEED).contains(&speed), "a speed from 0 to 1e15")?;
    }
    for (index, disc) in scene.discs.iter().enumerate() {
        let path = FieldPath::of("discs", index);
        disc.to_disc(((), ())).check().map_err(|error| SceneError::refused(path.clone(), error))?;
        if let Some(label) = &disc.label {
            short(path.field("label"), label)?;
        }
    }
    for (index, rack) in scene.racks.iter().enumerate() {
        self::rack(rack, &FieldPath::of("racks", index))?;
    }
    for (index, gas) in scene.gases.iter().enumerate() {
        gas::gas(gas, &FieldPath::of("gases", index))?;
    }
    periodic(scene, &top.clone().field("periodic"))?;
    walls_and_points(&scene.walls)?;
    for (index, wall) in scene.walls.iter().enumerate() {
        self::wall(wall, scene.gases.len(), &FieldPath::of("walls", index))?;
    }
    growth(scene, &top.clone().field("growth"))?;
    forces::forces(scene)?;
    rough::rough(scene)?;
    view(&scene.view, &top.clone().field("view"))?;
    let discs = scene.count_discs()?;
    program::program(scene, discs)?;
    verdicts::verdicts(scene, discs)
}

fn walls_and_points(walls: &[SceneWall]) -> Checked {
    let points = |wall: &SceneWall| match &wall.shape {
        SceneShape::Given(WallShape::Polyline { points, .. }) => points.len(),
        _ => 0,
    };
    let count = walls.iter().map(|wall| 1 + points(wall)).sum::<usize>();
    require(count <= MAX_WALLS, || {
        let allowed = format!("at most {MAX_WALLS} together");
        let given = format!("{} walls with {} points", walls.len(), count - walls.len());
        SceneError::value(FieldPath::root().field("walls"), given, allowed)
    })
}

fn growth(scene: &Scene, path: &FieldPath) -> Checked {
    let Some(Growth { rate, packing }) = scene.growth else { return Ok(()) };
    let at = |field: &str| path.clone().field(field);
    real(at("rate"), rate, rate > 0.0 && rate <= MAX_SPEED, "more than 0 and at most 1e15")?;
    real(at("packing"), packing, packing > 0.0 && packing < 1.0, "more than 0 and less than 1")?;
    let Periodic { x, y, gas } = scene.periodic;
    let has_box = scene.walls.iter().any(|wall| {
        matches!(wall.shape, SceneShape::Given(WallShape::Container { .. }) | SceneShape::AroundGas { .. })
    });
    if gas.is_some() || (x.is_some() && y.is_some()) || has_box {
        return Ok(());
    }
    Err(SceneError::unexpected(path.clone(), NO_AREA))
}

fn periodic(scene: &Scene, path: &FieldPath) -> Checked {
    let Periodic { x, y, gas } = scene.periodic;
    for (axis, period) in [("x", x), ("y", y)] {
        let Some(period) = period else { continue };
        length(path.clone().field(axis), period)?;
        if gas.is_some() {
            return Err(SceneError::unexpected(path.clone().field(axis), "there is a gas already"));
        }
    }
    let Some(index) = gas else { return Ok(()) };
    let Some(gas) = usize::try_from(index).ok().and_then(|index| scene.gases.get(index)) else {
        return Err(no_such_gas(path, index, scene.gases.len()));
    };
    match gas.region {
        None | Some(Region::Rectangle { min: DVec2::ZERO, .. }) => Ok(()),
        Some(_) => Err(SceneError::value(
            path.clone().field("gas"),
            index,
            "a gas whose region is a rectangle with its lower left corner at [0, 0]",
        )),
    }
}

fn settings(settings: &SceneSettings, path: &FieldPath) -> Checked {
    let epoch = path.clone().field("epoch");
    positive(epoch.clone(), settings.epoch)?;
    // A power of two has nothing behind its leading bit. Subnormal numbers are refused with the rest.
    let power_of_two = settings.epoch.is_normal() && settings.epoch.to_bits().trailing_zeros() >= 52;
    real(epoch, settings.epoch, power_of_two, "a power of two, such as 0.0009765625 (2^-10)")?;
    at_least_zero(path.clone().field("start"), settings.start)?;
    let drag = settings.drag;
    let in_range = drag == 0.0 || (1e-12..=1e9).contains(&drag);
    real(path.clone().field("drag"), drag, in_range, "0 or a number from 1e-12 to 1e9")?;
    let growth = settings.growth_rate;
    let in_range = (0.0..=1e15).contains(&growth);
    real(path.clone().field("growth_rate"), growth, in_range, "a number from 0 to 1e15")?;
    if growth > 0.0 && drag > 0.0 {
        let why = "under drag discs that grow meet at times without a closed form";
        return Err(SceneError::unexpected(path.clone().field("growth_rate"), why));
    }
    at_least_zero(path.clone().field("contact_time"), settings.contact_time)?;
    let height = settings.rest_height;
    let is_height = (0.0..=1e-3).contains(&height);
    real(path.clone().field("rest_height"), height, is_height, "a number from 0 to 0.001")?;
    let gap = settings.rest_gap;
    let is_gap = (1e-12..=1e-5).contains(&gap);
    real(path.clone().field("rest_gap"), gap, is_gap, "a number from 1e-12 to 0.00001")?;
    idle(settings, path)?;
    whole(path.clone().field("budget"), settings.budget, 1, MAX_SEED)
}

/// Refuses numbers of rules that are not in force: what is not left at its default is meant to do something.
fn idle(settings: &SceneSettings, path: &FieldPath) -> Checked {
    let usual = SceneSettings::default();
    let (rest, collapse) =
        ("nothing comes to rest with `rest = false`", "there is no collapse after 0 impacts");
    let no_collapse = settings.collapse_after == 0;
    let idle = [
        ("rest_height", !settings.rest && settings.rest_height != usual.rest_height, rest),
        ("rest_gap", !settings.rest && settings.rest_gap != usual.rest_gap, rest),
        ("rest_impacts", !settings.rest && settings.rest_impacts != usual.rest_impacts, rest),
        ("contact_time", no_collapse && settings.contact_time != usual.contact_time, collapse),
    ];
    let first = idle.into_iter().find(|(_, is_idle, _)| *is_idle);
    first.map_or(Ok(()), |(field, _, why)| Err(SceneError::unexpected(path.clone().field(field), why)))
}

fn rack(rack: &Rack, path: &FieldPath) -> Checked {
    let at = |field: &str| path.clone().field(field);
    match (rack.pattern, rack.rows) {
        (Pattern::Triangle, Some(rows)) => {
            whole(at("rows"), u64::from(rows), 1, u64::from(MOST_ROWS))?;
        }
        (Pattern::Triangle, None) => {
            return Err(SceneError::missing(at("rows"), "the pattern `triangle` needs a number of rows"));
        }
        (_, Some(_)) => {
            return Err(SceneError::unexpected(at("rows"), "only the pattern `triangle` has rows"));
        }
        (_, None) => {}
    }
    point(at("apex"), rack.apex)?;
    direction(at("direction"), rack.direction)?;
    length(at("radius"), rack.radius)?;
    mass(at("mass"), rack.mass)?;
    fraction(at("restitution"), rack.restitution)?;
    length_or_zero(at("gap"), rack.gap)?;
    length_or_zero(at("jitter"), rack.jitter)?;
    match rack.seed {
        Some(seed) => whole(at("seed"), seed, 0, MAX_SEED)?,
        None if rack.jitter > 0.0 => {
            return Err(SceneError::missing(at("seed"), "jitter needs a seed"));
        }
        None => {}
    }
    if rack.colour.is_some() && matches!(rack.pattern, Pattern::NineBall | Pattern::EightBall) {
        return Err(SceneError::unexpected(at("colour"), "the balls of this pattern have their own colours"));
    }
    Ok(())
}

fn wall(wall: &SceneWall, gases: usize, path: &FieldPath) -> Checked {
    let at = |field: &str| path.clone().field(field);
    fraction(at("restitution"), wall.restitution)?;
    if let Some(name) = &wall.name {
        short(at("name"), name)?;
    }
    match &wall.shape {
        SceneShape::Given(shape) => Wall::<()>::new(shape.clone())
            .with_max_speed(wall.max_speed.unwrap_or(f64::INFINITY))
            .check()
            .map_err(|error| SceneError::refused(path.clone(), error)),
        SceneShape::AroundGas { gas } if *gas < gases as u64 => Ok(()),
        SceneShape::AroundGas { gas } => Err(no_such_gas(path, *gas, gases)),
    }
}

pub(crate) fn no_such_gas(path: &FieldPath, gas: u64, gases: usize) -> SceneError {
    let allowed = match gases {
        0 => "the number of one of `gases`, of which there are none".to_owned(),
        _ => format!("from 0 to {}, the number of one of `gases`", gases - 1),
    };
    SceneError::value(path.clone().field("gas"), gas, allowed)
}

fn view(view: &View, path: &FieldPath) -> Checked {
    if let Some(bounds) = &view.bounds {
        rectangle(&path.clone().field("bounds"), bounds.min, bounds.max)?;
    }
    for (index, pocket) in view.pockets.iter().enumerate() {
        let at = path.clone().field("pockets").item(index);
        point(at.clone().field("center"), pocket.center)?;
        length(at.field("radius"), pocket.radius)?;
    }
    Ok(())
}

fn rectangle(path: &FieldPath, min: DVec2, max: DVec2) -> Checked {
    point(path.clone().field("min"), min)?;
    point(path.clone().field("max"), max)?;
    let size = max - min;
    require(size.x > 0.0 && size.y > 0.0 && size.is_finite(), || {
        let allowed = format!("larger than `min`, {}, in both coordinates", show(min));
        SceneError::value(path.clone().field("max"), show(max), allowed)
    })
}

fn direction(path: FieldPath, value: DVec2) -> Checked {
    point(path.clone(), value)?;
    let length = carom_math::sqrt(value.x * value.x + value.y * value.y);
    let allowed = "a vector whose length is a number other than 0";
    require(length.is_normal(), || SceneError::value(path, show(value), allowed))
}

fn point(path: FieldPath, value: DVec2) -> Checked {
    // Written so that NaN fails.
    let is_near = value.x.abs() <= MAX_LENGTH && value.y.abs() <= MAX_LENGTH;
    require(is_near, || SceneError::value(path, show(value), "two numbers from -1e15 to 1e15"))
}

fn length(path: FieldPath, value: f64) -> Checked {
    real(path, value, (MIN_LENGTH..=MAX_LENGTH).contains(&value), "a number from 1e-15 to 1e15")
}

fn length_or_zero(path: FieldPath, value: f64) -> Checked {
    let is_length = value == 0.0 || (MIN_LENGTH..=MAX_LENGTH).contains(&value);
    real(path, value, is_length, "0 or a number from 1e-15 to 1e15")
}

fn positive(path: FieldPath, value: f64) -> Checked {
    real(path, value, value > 0.0 && value.is_finite(), "a finite number greater than 0")
}

fn at_least_zero(path: FieldPath, value: f64) -> Checked {
    real(path, value, value >= 0.0 && value.is_finite(), "a finite number, at least 0")
}

fn mass(path: FieldPath, value: f64) -> Checked {
    let is_mass = value == 0.0 || value == f64::INFINITY || (MIN_MASS..=MAX_MASS).contains(&value);
    real(path, value, is_mass, "0, \"inf\", or a number from 1e-50 to 1e50")
}

fn fraction(path: FieldPath, value: f64) -> Checked {
    real(path, value, (0.0..=1.0).contains(&value), "a number from 0 to 1")
}

fn whole(path: FieldPath, value: u64, least: u64, most: u64) -> Checked {
    let is_in = (least..=most).contains(&value);
    require(is_in, || SceneError::value(path, value, format!("from {least} to {most}")))
}

/// Refuses a number that is not what it must be.
fn real(path: FieldPath, value: f64, is_allowed: bool, allowed: &str) -> Checked {
    require(is_allowed, || SceneError::value(path, Shown(value), allowed))
}

fn require(is_allowed: bool, error: impl FnOnce() -> SceneError) -> Checked {
    if is_allowed { Ok(()) } else { Err(error()) }
}

fn short(path: FieldPath, text: &str) -> Checked {
    require(text.len() <= LONGEST_TEXT, || {
        let allowed = format!("at most {LONGEST_TEXT} bytes");
        SceneError::value(path, format!("a text of {} bytes", text.len()), allowed)
    })
}

fn show(point: DVec2) -> String {
    format!("[{}, {}]", Shown(point.x), Shown(point.y))
}

//! Scenes to begin with: the named ones, and the hard cases.

use super::link::{self, PREFIX};
use super::worlds::AnyWorld;
use crate::link::{Promise, linked};
use carom_engine::{DVec2, Forces, Overlap, Rough, Settings, Smooth, WallShape, World};
use carom_scene::{Look, Overlaps, Periodic, Scene, SceneDisc, SceneError, ScenePhysics, SceneWall};
use std::sync::LazyLock;

/// The scene of a new session.
pub(super) const FIRST: &str = "two discs";

/// The cases that are hard for engines.
const HARD: [&str; 10] = [
    FIRST, "cradle", "symmetric hit", "tiny gap", "grazing", "corner", "break", "stack", "held balls",
    "bouncing to rest",
];

/// The most letters of a text that may be a name.
const LONGEST_NAME: usize = 64;

/// A scene as it was opened.
pub(super) struct Opened {
    pub(super) name: String,
    pub(super) world: AnyWorld,
    pub(super) looks: Vec<Look>,
    pub(super) promise: Option<Promise>,
}

/// The names that [`Session::open`](super::Session::open) takes: the hard cases, then the named scenes
/// without verdicts.
pub fn names() -> impl Iterator<Item = &'static str> {
    // A list is asked for in each frame.
    static NAMED: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let is_here = |name: &&str| Scene::named(name).is_ok_and(|scene| !scene.has_verdicts());
        Scene::names().filter(is_here).collect()
    });
    HARD.into_iter().chain(NAMED.iter().copied())
}

pub(super) fn empty() -> AnyWorld {
    match World::with_physics(Forces::new(), Settings::default()) {
        Ok(world) => AnyWorld::from(world),
        Err(_) => unreachable!("the default settings are in range"),
    }
}

pub(super) fn open(text: &str) -> Result<Opened, String> {
    if text.trim().is_empty() {
        return Err("the text is empty: it is no scene".to_owned());
    }
    let mut result = None;
    let scene = if let Some(name) = hard_name(text.trim()) {
        hard(name)
    } else if let Some(payload) = text.trim().strip_prefix(PREFIX) {
        let (json, told) = linked(payload)?;
        result = told;
        Scene::from_json(&json, "link").map_err(|error| format!("the link is broken: {error}"))?
    } else if text.trim_start().starts_with('{') {
        Scene::from_json(text, "scene").map_err(|error| error.to_string())?
    } else if text.contains('=') || text.contains('\n') {
        Scene::from_toml(text, "scene").map_err(|error| error.to_string())?
    } else if text.trim().chars().count() <= LONGEST_NAME && !text.trim().contains(char::is_control) {
        named(text.trim())?
    } else {
        let start = text.trim().escape_debug().take(40).collect::<String>();
        return Err(format!("this is no scene: it begins with `{start}`"));
    };
    // Under forces nothing grows and there is no drag. Planes that repeat themselves begin without forces.
    let grows = scene.growth.is_some() || scene.settings.growth_rate != 0.0;
    let is_smooth = grows || scene.settings.drag != 0.0 || scene.periodic != Periodic::default();
    let mut opened = if scene.is_rough() {
        built::<Rough<Forces>>(scene)
    } else if is_smooth && !scene.has_forces() {
        built::<Smooth>(scene)
    } else {
        built::<Forces>(scene)
    }?;
    opened.promise = result.map(|there| Promise { there, here: link::result(opened.world.clone()) });
    Ok(opened)
}

/// A hard case by its name, with spaces or with hyphens as a shell has it.
fn hard_name(text: &str) -> Option<&'static str> {
    HARD.into_iter().find(|name| *name == text || name.replace(' ', "-") == text)
}

/// A scene by its name, with hyphens or with spaces as the page shows it; or which name may have been meant.
fn named(name: &str) -> Result<Scene, String> {
    Scene::named(&name.replace(' ', "-")).map_err(|error| match error {
        SceneError::NoSuchScene { closest, .. } => {
            let near = closest.map_or_else(String::new, |near| format!("; the nearest name is `{near}`"));
            format!("there is no scene or file `{name}`{near}")
        }
        other => other.to_string(),
    })
}

fn built<P: ScenePhysics>(scene: Scene) -> Result<Opened, String>
where
    AnyWorld: From<World<P>>,
{
    let mut built = scene.build_as::<P>().map_err(|error| error.to_string())?;
    for (&id, entry) in built.discs.iter().zip(&scene.discs) {
        if scene.overlaps == Overlaps::Allow && !entry.allow_overlap {
            // It may overlap where it is, but is not to be dragged onto others.
            built.world.set_overlap(id, Overlap::Refuse).map_err(|error| error.to_string())?;
        }
    }
    Ok(Opened { name: scene.name, world: built.world.into(), looks: built.looks, promise: None })
}

fn disc(at: [f64; 2], radius: f64, velocity: [f64; 2]) -> SceneDisc {
    SceneDisc { velocity: velocity.into(), ..SceneDisc::new(at.into(), radius) }
}

fn room(min: [f64; 2], max: [f64; 2], restitution: f64) -> SceneWall {
    let shape = WallShape::Container { min: min.into(), max: max.into() };
    SceneWall { restitution, ..SceneWall::new(shape) }
}

fn hard(name: &str) -> Scene {
    let mut scene = Scene::new(name);
    let discs = &mut scene.discs;
    match name {
        "cradle" => {
            discs.push(disc([-6.0, 0.0], 0.5, [3.0, 0.0]));
            discs.extend((0..5).map(|k| disc([f64::from(k) - 2.0, 0.0], 0.5, [0.0, 0.0])));
            scene.walls.push(room([-8.0, -3.0], [8.0, 3.0], 1.0));
        }
        "symmetric hit" => {
            discs.push(disc([-4.0, 0.0], 0.5, [2.0, 0.0]));
            discs.extend([0.5, -0.5].map(|y| disc([0.0, y], 0.5, [0.0, 0.0])));
            scene.walls.push(room([-6.0, -4.0], [6.0, 4.0], 1.0));
        }
        "tiny gap" => {
            discs.push(disc([-3.0, 0.0], 0.5, [2.0, 0.0]));
            discs.extend([0.0, 1.0 + 1e-12].map(|x| disc([x, 0.0], 0.5, [0.0, 0.0])));
            scene.walls.push(room([-5.0, -3.0], [5.0, 3.0], 1.0));
        }
        "grazing" => {
            discs.push(disc([-4.0, 1.0 - 1e-9], 0.5, [2.0, 0.0]));
            discs.push(disc([0.0, 0.0], 0.5, [0.0, 0.0]));
            scene.walls.push(room([-6.0, -4.0], [6.0, 4.0], 1.0));
        }
        "corner" => {
            discs.push(disc([0.0, 0.0], 0.5, [-2.0, -2.0]));
            scene.walls.push(room([-3.0, -3.0], [3.0, 3.0], 1.0));
        }
        "break" => {
            discs.push(disc([-6.0, 0.0], 0.5, [12.0, 0.0]));
            for row in 0..5 {
                let x = f64::from(row) * 0.75_f64.sqrt();
                discs.extend(
                    (0..=row).map(|k| disc([x, f64::from(k) - 0.5 * f64::from(row)], 0.5, [0.0, 0.0])),
                );
            }
            scene.walls.push(room([-10.0, -5.0], [10.0, 5.0], 0.9));
        }
        "stack" | "held balls" | "bouncing to rest" => heavy(&mut scene),
        _ => {
            discs.push(disc([-3.0, -0.5], 0.75, [2.0, 0.5]));
            discs.push(disc([3.0, 1.0], 1.0, [-1.0, -0.25]));
            scene.walls.push(room([-6.0, -4.0], [6.0, 4.0], 1.0));
        }
    }
    scene
}

/// The hard cases under gravity.
fn heavy(scene: &mut Scene) {
    scene.gravity = DVec2::new(0.0, -9.81);
    let discs = &mut scene.discs;
    match scene.name.as_str() {
        "stack" => {
            let e = |y: f64, x: f64| SceneDisc { restitution: 0.3, ..disc([x, y], 0.5, [0.0, 0.0]) };
            discs.extend((0..4).map(|k| e(0.5 + f64::from(k), -2.0)));
            discs.extend([e(0.5, 1.0), e(0.5, 2.0), e(0.5 + 0.75_f64.sqrt(), 1.5), e(6.0, 1.7)]);
            scene.walls.push(room([-5.0, 0.0], [5.0, 8.0], 0.3));
        }
        "held balls" => {
            discs.extend((0..6).map(|k| SceneDisc {
                restitution: 0.2,
                ..disc([-2.0 + 0.8 * f64::from(k), 4.0 + f64::from(k % 2)], 0.4, [0.0, 0.0])
            }));
            let points = vec![[-4.0, 3.0].into(), [0.0, 0.0].into(), [4.0, 3.0].into()];
            let shape = WallShape::Polyline { points, closed: false };
            scene.walls.push(SceneWall { restitution: 0.2, ..SceneWall::new(shape) });
        }
        _ => {
            discs.push(SceneDisc { restitution: 0.7, ..disc([0.0, 4.0], 0.5, [0.5, 0.0]) });
            scene.walls.push(room([-4.0, 0.0], [4.0, 6.0], 0.7));
        }
    }
}

//! What can be opened: games, racks, famous shots, files and links.

use super::aim::Aim;
use super::forecast::{MOST_EVENTS, MOST_SECONDS};
use super::referee::Referee;
use crate::link::{Promise, linked};
use carom_billiards::{Cue, Game, Rack, Scene, Table};
use carom_engine::DVec2;
use carom_scene::RunHash;

/// What a link begins with: the version of its form.
pub(super) const PREFIX: &str = "b1.";

/// The gap between the balls of a rack, in metres: real ones are not tight, and each break is another one.
const GAP: f64 = 1e-4;

/// A table as it was opened.
pub(super) struct Opened {
    pub(super) name: String,
    pub(super) game: Game,
    pub(super) referee: Referee,
    pub(super) aim: Aim,
    pub(super) cue: Cue,
    /// The ball that is struck, if it is another than that of the rules.
    pub(super) struck: Option<String>,
    /// The rack, if there is one to be set up again.
    pub(super) rack: Option<Rack>,
    /// What the link that it comes from tells of its result.
    pub(super) promise: Option<Promise>,
}

/// The names that are taken: the games and racks, then the scenes.
pub(super) fn names() -> Vec<&'static str> {
    Rack::NAMES.into_iter().chain(Scene::NAMED.iter().map(|(name, _)| *name)).collect()
}

/// Opens a name, a text or a link; `None` if it is none of billiards.
pub(super) fn open(text: &str) -> Option<Result<Opened, String>> {
    let name = text.trim();
    if let Ok(rack) = Rack::named(if name == "billiards" { "9-ball" } else { name }) {
        return Some(of_rack(rack));
    }
    if let Some(payload) = name.strip_prefix(PREFIX) {
        return Some(of_link(payload));
    }
    let scene = if Scene::NAMED.iter().any(|(known, _)| *known == name) {
        Scene::named(name)
    } else if !is_of_billiards(text) {
        return None;
    } else if name.starts_with('{') {
        Scene::from_json(text, "scene")
    } else {
        Scene::from_toml(text, "scene")
    };
    Some(scene.map_err(|error| error.to_string()).and_then(of_scene))
}

fn of_link(payload: &str) -> Result<Opened, String> {
    let (json, told) = linked(payload)?;
    let scene = Scene::from_json(&json, "link").map_err(|error| format!("the link is broken: {error}"))?;
    let here = told.is_some().then(|| result(&scene)).transpose()?;
    let promise = told.zip(here).map(|(there, here)| Promise { there, here });
    Ok(Opened { promise, ..of_scene(scene)? })
}

/// The hash of where the stroke of a scene leaves the balls: what a link tells.
pub(super) fn result(scene: &Scene) -> Result<u64, String> {
    let mut game = scene.build().map_err(|error| error.to_string())?;
    let budget = game.world().settings().budget;
    game.world_mut().set_budget(MOST_EVENTS);
    // However it ends, it ends for the same stroke in the same way.
    _ = game.record_until(scene.shot.as_ref(), MOST_SECONDS);
    // The hash is of all that is stored, the budget too.
    game.world_mut().set_budget(budget);
    let mut hash = RunHash::new();
    hash.states(game.world());
    Ok(hash.value())
}

/// Whether a text says that it is a scene of billiards.
fn is_of_billiards(text: &str) -> bool {
    let model = text.split("model").skip(1);
    model.into_iter().any(|rest| {
        let rest = rest.trim_start_matches(|c: char| c == '"' || c == '\'' || c.is_whitespace());
        let value = rest.strip_prefix(['=', ':']).unwrap_or("").trim_start();
        value.starts_with("\"billiards\"") || value.starts_with("'billiards'")
    })
}

/// The balls of a rack, set up by a seed.
pub(super) fn set_up(rack: Rack, seed: u64) -> Result<Game, String> {
    let table = Table::named(rack.usual_table()).map_err(|error| error.to_string())?;
    let gap = if rack.name() == "three-cushion" { 0.0 } else { GAP };
    let layout = rack.with_gap(gap).and_then(|rack| rack.place(&table, seed));
    layout.and_then(|layout| layout.build(&table)).map_err(|error| error.to_string())
}

fn of_rack(rack: Rack) -> Result<Opened, String> {
    let game = set_up(rack, 1)?;
    let cue = if rack.name() == "snooker" { Cue::SNOOKER } else { Cue::POOL };
    let speed = if matches!(rack.name(), "snooker" | "three-cushion") { 3.0 } else { 8.0 };
    let referee = Referee::of(rack.name());
    let aim = Aim { speed, ..Aim::START };
    Ok(Opened {
        name: rack.name().to_owned(),
        game,
        referee,
        aim,
        cue,
        struck: None,
        rack: Some(rack),
        promise: None,
    })
}

fn of_scene(scene: Scene) -> Result<Opened, String> {
    let game = scene.build().map_err(|error| error.to_string())?;
    let aim = scene.shot.as_ref().map_or(Aim::START, Aim::of);
    let (cue, struck) = scene.shot.map_or((Cue::POOL, None), |shot| (shot.cue, Some(shot.ball)));
    Ok(Opened {
        name: scene.name,
        game,
        referee: Referee::Practice,
        aim,
        cue,
        struck,
        rack: None,
        promise: None,
    })
}

/// A place in the frame of the table whose image in the frame of worlds is this, if there is one.
pub(super) fn in_frame(table: &Table, at: DVec2) -> DVec2 {
    let near = |at: f64, half: f64| {
        let first = at + half;
        let all = [first, first.next_up(), first.next_down()];
        all.into_iter().find(|place| place - half == at).unwrap_or(first)
    };
    let half = table.centre();
    DVec2::new(near(at.x, half.x), near(at.y, half.y))
}

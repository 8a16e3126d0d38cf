//! Shots as files: a table, the balls on it and how they move, a stroke.

mod fault;
mod file;
mod matter;
mod named;
mod table_file;

use self::fault::{field, out_of_range, wrong};
use crate::{BallState, Error, Game, Layout, Placed, Rack, Recording, Shot, Table};
use carom_engine::DVec2;
use carom_engine::math::Shown;
use carom_scene::{FieldPath, SceneError, Source, Syntax, to_json, to_toml};

/// A file as data: a table, balls, a stroke. `docs/billiard-scenes.md` lists the fields.
///
/// ```
/// use carom_billiards::Scene;
///
/// let scene = Scene::from_toml(
///     r#"
///     format = 1
///     model = "billiards"
///     table = { name = "pool-9ft" }
///     shot = { speed = 2, direction = 1.5707963267948966 }
///
///     [[balls]]
///     label = "cue"
///     position = [0.635, 0.635]
///
///     [[balls]]
///     label = "1"
///     position = [0.635, 1.9]
///     "#,
///     "straight.toml",
/// )?;
/// let (_, recording) = scene.record()?;
/// assert_eq!(recording.outcome.first_hit.as_deref(), Some("1"));
/// # Ok::<(), carom_scene::SceneError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// A short name; that of the file if it has none of its own.
    pub name: String,
    /// One line for people.
    pub title: String,
    /// What it is about.
    pub description: String,
    /// The seconds after which it ends even if balls still move; `None` for no such limit.
    pub until: Option<f64>,
    /// The table.
    pub table: Table,
    /// A rack that is on it, and its seed.
    pub rack: Option<(Rack, u64)>,
    /// Balls one by one. One that has the label of a ball of the rack takes its place.
    pub balls: Vec<SceneBall>,
    /// The stroke; `None` if the balls move by themselves.
    pub shot: Option<Shot>,
}

/// A ball of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneBall {
    /// What it is and where its centre is.
    pub placed: Placed,
    /// Its velocity in m/s.
    pub velocity: DVec2,
    /// Its angular velocity, and whether it slips on the cloth.
    pub state: BallState,
}

/// As many balls as a scene may have.
const MOST_BALLS: usize = 1000;

/// As many sizes of balls as a table with pockets can tell apart.
const MOST_SIZES: usize = 31;

/// The longest text that is kept.
const LONGEST_LABEL: usize = 64;

impl SceneBall {
    /// A ball at rest.
    #[must_use]
    pub fn at_rest(placed: Placed) -> Self {
        SceneBall { placed, velocity: DVec2::ZERO, state: BallState::rolling() }
    }
}

impl Scene {
    /// An empty table.
    #[must_use]
    pub fn new(name: &str, table: Table) -> Self {
        Scene {
            name: name.into(),
            title: String::new(),
            description: String::new(),
            until: None,
            table,
            rack: None,
            balls: Vec::new(),
            shot: None,
        }
    }

    /// Reads a TOML text; `name` stands for the file in errors.
    ///
    /// # Errors
    /// The text is no scene; the error says where and what.
    pub fn from_toml(text: &str, name: &str) -> Result<Self, SceneError> {
        Scene::read(&Source::new(name, text, Syntax::Toml))
    }

    /// Reads a JSON text; `name` stands for the file in errors.
    ///
    /// # Errors
    /// As [`Scene::from_toml`].
    pub fn from_json(text: &str, name: &str) -> Result<Self, SceneError> {
        Scene::read(&Source::new(name, text, Syntax::Json))
    }

    /// Reads and checks the text of a file, or of one of [`Scene::named`].
    ///
    /// # Errors
    /// As [`Scene::from_toml`].
    pub fn read(source: &Source) -> Result<Self, SceneError> {
        let file: file::SceneFile = source.parse("billiards")?;
        let mut scene = file.into_scene().map_err(|error| source.explain(error))?;
        if scene.name.is_empty() {
            scene.name = source.stem();
        }
        scene.build().map_err(|error| source.explain(error))?;
        Ok(scene)
    }

    /// One of the scenes that come with the crate: breaks, famous shots.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn named(name: &str) -> Result<Self, SceneError> {
        let source = Source::find_with(name, Scene::NAMED)?;
        Scene::read(&source)
    }

    /// Names and texts of the scenes that come with the crate, in a good order for showing them.
    pub const NAMED: &'static [(&'static str, &'static str)] = &named::SCENES;

    /// The scene as TOML or JSON. Numbers read back to the same bits.
    ///
    /// # Errors
    /// The scene is not one that could be read again.
    pub fn to_text(&self, syntax: Syntax) -> Result<String, SceneError> {
        match syntax {
            Syntax::Toml => self.to_toml(),
            Syntax::Json => self.to_json(),
        }
    }

    /// As [`Scene::to_text`] in TOML.
    ///
    /// # Errors
    /// As that.
    pub fn to_toml(&self) -> Result<String, SceneError> {
        self.build()?;
        to_toml(&file::SceneFile::of(self))
    }

    /// As [`Scene::to_text`] in JSON.
    ///
    /// # Errors
    /// As that.
    pub fn to_json(&self) -> Result<String, SceneError> {
        self.build()?;
        to_json(&file::SceneFile::of(self))
    }

    /// Where the balls are.
    ///
    /// # Errors
    /// For dimensions that make no table.
    pub fn layout(&self) -> Result<Layout, SceneError> {
        let placed = |(rack, seed): &(Rack, u64)| rack.place(&self.table, *seed);
        let racked = self.rack.as_ref().map_or(Ok(Layout::new()), placed);
        let mut layout = racked.map_err(|error| wrong(field("table"), &error))?;
        let racked = layout.balls.len();
        for ball in &self.balls {
            let same = |known: &&mut Placed| known.label == ball.placed.label;
            match layout.balls[..racked].iter_mut().find(same) {
                Some(known) => known.clone_from(&ball.placed),
                None => layout.balls.push(ball.placed.clone()),
            }
        }
        Ok(layout)
    }

    /// The balls on the table, before the stroke.
    ///
    /// # Errors
    /// What is not on the table, overlaps, or is out of range; the error names the field.
    pub fn build(&self) -> Result<Game, SceneError> {
        self.check()?;
        let refused = |error| self.refused(error);
        let mut game = self.layout()?.build(&self.table).map_err(refused)?;
        for (k, ball) in self.balls.iter().enumerate() {
            let index = game.index_of(&ball.placed.label).map_err(refused)?;
            let (disc, path) = (game.discs()[index], FieldPath::of("balls", k));
            let world = game.world_mut();
            let set =
                world.set_velocity(disc, ball.velocity).and_then(|()| world.set_extra(disc, ball.state));
            set.map_err(|error| wrong(path, &error.into()))?;
        }
        Ok(game)
    }

    /// Plays it until all balls rest, or for as long as it says, and writes it down.
    ///
    /// # Errors
    /// As [`Scene::build`], and for a stroke that is none.
    pub fn record(&self) -> Result<(Game, Recording), SceneError> {
        let mut game = self.build()?;
        let until = self.until.unwrap_or(f64::INFINITY);
        let recorded = game.record_until(self.shot.as_ref(), until);
        let recording = recorded.map_err(|error| wrong(field("shot"), &error))?;
        Ok((game, recording))
    }

    /// Checks what the table and the engine do not.
    fn check(&self) -> Result<(), SceneError> {
        let table = field("table");
        if let Some(outline) = &self.table.outline {
            let at = |list: &str, k: usize| field("table").field(list).item(k);
            for (k, nose) in outline.noses.iter().enumerate() {
                nose.check(self.table.ball.radius).map_err(|error| wrong(at("noses", k), &error))?;
            }
            for (k, jaw) in outline.jaws.iter().enumerate() {
                jaw.check(self.table.ball.radius).map_err(|error| wrong(at("jaws", k), &error))?;
            }
            for (k, hole) in outline.holes.iter().enumerate() {
                hole.check(self.table.ball.radius).map_err(|error| wrong(at("holes", k), &error))?;
            }
        }
        self.table.check().map_err(|error| wrong(table, &error))?;
        if let Some(until) = self.until.filter(|until| !(*until > 0.0 && *until <= 1e9)) {
            return Err(out_of_range(field("until"), until, "a number above 0, at most 1e9"));
        }
        self.check_balls()?;
        self.check_shot()
    }

    fn check_balls(&self) -> Result<(), SceneError> {
        let count = self.balls.len();
        if count > MOST_BALLS {
            let allowed = format!("at most {MOST_BALLS}");
            return Err(SceneError::value(field("balls"), format!("a list of {count}"), allowed));
        }
        let mut sizes = vec![self.table.ball.radius];
        for (k, SceneBall { placed, .. }) in self.balls.iter().enumerate() {
            let path = FieldPath::of("balls", k);
            if !(1..=LONGEST_LABEL).contains(&placed.label.len()) {
                let allowed = format!("a text of 1 to {LONGEST_LABEL} bytes");
                return Err(SceneError::value(path.field("label"), format!("{:?}", placed.label), allowed));
            }
            if self.balls[..k].iter().any(|other| other.placed.label == placed.label) {
                let (value, allowed) = (format!("{:?}", placed.label), "each label once");
                return Err(SceneError::value(path.field("label"), value, allowed));
            }
            placed.ball.check().map_err(|error| wrong(path.clone(), &error))?;
            if !sizes.contains(&placed.ball.radius) {
                sizes.push(placed.ball.radius);
            }
            if sizes.len() > MOST_SIZES {
                let allowed = format!("one of at most {MOST_SIZES} radii on one table");
                return Err(SceneError::value(path.field("radius"), Shown(placed.ball.radius), allowed));
            }
        }
        Ok(())
    }

    fn check_shot(&self) -> Result<(), SceneError> {
        let Some(shot) = &self.shot else { return Ok(()) };
        let layout = self.layout()?;
        let Some(placed) = layout.balls.iter().find(|placed| placed.label == shot.ball) else {
            let path = field("shot").field("ball");
            return Err(SceneError::value(path, format!("{:?}", shot.ball), "the label of a ball"));
        };
        shot.strike(&placed.ball).map(|_| ()).map_err(|error| wrong(field("shot"), &error))
    }

    /// What is wrong with a layout: with one of the balls, or with the rack.
    fn refused(&self, error: Error) -> SceneError {
        let path = |label: &str| {
            let index = self.balls.iter().position(|ball| ball.placed.label == label);
            index.map_or(field("rack"), |index| FieldPath::of("balls", index).field("position"))
        };
        match &error {
            Error::OffTable { label, x, y } => {
                let allowed = "a place on the table, clear of cushions and pockets";
                SceneError::value(path(label), format!("[{}, {}]", Shown(*x), Shown(*y)), allowed)
            }
            Error::Overlap { label, other, depth } => {
                let depth = Shown(*depth);
                let allowed =
                    format!("clear of ball {other:?}, which it overlaps by {depth} m, or touching it");
                SceneError::value(path(label), format!("the place of ball {label:?}"), allowed)
            }
            _ => wrong(field("balls"), &error),
        }
    }
}

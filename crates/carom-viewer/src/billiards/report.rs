use super::opening::{PREFIX, in_frame, result};
use super::{BilliardSession, Phase};
use crate::link::{MOST_LETTERS, Promise, letters, sealed, size};
use carom_billiards::rules::{CueBall, Player};
use carom_billiards::{BallState, Game, Motion, Placed, Scene, SceneBall};
use carom_engine::DVec2;
use carom_scene::RunHash;
use serde_json::{Value, json};

impl BilliardSession {
    /// A hash of the positions and velocities of all balls at the time that is shown, as
    /// `carom_scene::RunHash` has it: of the table itself, run again until then.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let of = |game: &Game| {
            let mut hash = RunHash::new();
            hash.states(game.world());
            hash.value()
        };
        match (&self.replay, self.shown) {
            (Some(replay), Some(time)) => replay.game_at(time).map_or(0, |game| of(&game)),
            _ => of(&self.game),
        }
    }

    /// The table as it lies, with the stroke that is aimed, as a scene.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let mut scene = Scene::new(&self.name, self.table().clone());
        let placed = self.game.layout().balls.iter().filter_map(|placed| {
            let lies = self.lies(&placed.label)?;
            let is_there = self.table().to_world(placed.at) == lies;
            let at = if is_there { placed.at } else { in_frame(self.table(), lies) };
            let ball = SceneBall::at_rest(Placed { at, ..placed.clone() });
            Some(SceneBall { state: BallState::rolling(), ..ball })
        });
        scene.balls = placed.collect();
        scene.shot = Some(self.shot());
        scene
    }

    /// The table and the stroke as text, for a file; the reason if it is none.
    ///
    /// # Errors
    /// If the table or the stroke cannot be read again: a miscue.
    pub fn saved(&self) -> Result<String, String> {
        self.scene().to_json().map_err(|error| error.to_string())
    }

    /// The table and the stroke as what follows the `#` of a link; without the state of a game. It ends with
    /// the hash of where the stroke leaves the balls, by which who opens it knows that it does the same
    /// there: see [`BilliardSession::promise`].
    ///
    /// # Errors
    /// As [`BilliardSession::saved`], or it is longer than an address may be.
    pub fn share(&self) -> Result<String, String> {
        let text = self.saved()?;
        let letters = letters(&text);
        if letters.len() > MOST_LETTERS {
            let (long, most) = (size(letters.len()), size(MOST_LETTERS));
            return Err(format!(
                "the table is too large for a link: {long}, and an address has at most {most}"
            ));
        }
        let scene = Scene::from_json(&text, "link").map_err(|error| error.to_string())?;
        Ok(sealed(PREFIX, &letters, result(&scene)?))
    }

    /// What the link that was opened tells of its result, the hash of where its stroke leaves the balls, and
    /// what it is here.
    #[must_use]
    pub fn promise(&self) -> Option<Promise> {
        self.promise
    }

    /// All that is shown, for tests and for what stands beside the window. `screen` says where a place of the
    /// world is on the screen.
    pub fn report(&mut self, screen: impl Fn(DVec2) -> [f64; 2]) -> Value {
        self.forecast();
        let table = self.table().clone();
        let balls: Vec<Value> = self
            .balls()
            .iter()
            .map(|ball| {
                let at = table.from_world(ball.position);
                json!({
                    "label": ball.label,
                    "position": [at.x, at.y],
                    "motion": motion(ball.motion),
                    "screen": screen(ball.position),
                })
            })
            .collect();
        let aim = self.aim();
        let time = self.time();
        json!({
            "version": 1,
            "room": "billiards",
            "scene": self.name(),
            "has_rules": self.has_rules(),
            "phase": phase(self.phase()),
            "player": self.turn().map(|(player, _)| if player == Player::First { 1 } else { 2 }),
            "cue_ball": self.turn().map(|(_, from)| if from == CueBall::Lies { "lies" } else { "in hand" }),
            "on": self.on(),
            "time": time.map(|time| time.0),
            "duration": time.map(|time| time.1),
            "playing": self.is_playing(),
            "speed": self.speed(),
            "struck": self.struck(),
            "balls": balls,
            "aim": {
                "direction": aim.direction,
                "speed": aim.speed,
                "side": aim.side,
                "height": aim.height,
                "elevation": aim.elevation,
            },
            "forecast": self.forecast_report(&screen),
            "said": self.said(),
            "hash": format!("{:016x}", self.hash()),
            "promise": self.promise().map(Promise::is_kept),
            "message": self.message(),
        })
    }

    fn forecast_report(&self, screen: &impl Fn(DVec2) -> [f64; 2]) -> Value {
        let Some(forecast) = self.known_forecast() else { return Value::Null };
        let contact = forecast.contact.as_ref().map(|contact| {
            let ghost = self.table().from_world(contact.ghost);
            json!({
                "ball": contact.ball,
                "time": contact.time,
                "ghost": [ghost.x, ghost.y],
                "ghost_screen": screen(contact.ghost),
                "cut": contact.cut,
            })
        });
        let outcome = forecast.recording.as_ref().map(|recording| &recording.outcome);
        let potted = outcome.map(|outcome| {
            outcome.potted.iter().map(|potted| json!({ "ball": potted.ball, "pocket": potted.pocket }))
        });
        json!({
            "first_contact": contact,
            "duration": outcome.map(|outcome| outcome.duration),
            "events": outcome.map(|outcome| outcome.events),
            "potted": potted.map(Iterator::collect::<Vec<Value>>),
            "problem": forecast.problem,
        })
    }
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Aiming => "aiming",
        Phase::Thinking => "thinking",
        Phase::Rolling => "rolling",
        Phase::Choosing => "choosing",
        Phase::Over => "over",
    }
}

/// A motion in a word.
pub(crate) fn motion(motion: Motion) -> &'static str {
    match motion {
        Motion::Sliding => "sliding",
        Motion::Rolling => "rolling",
        Motion::Spinning => "spinning",
        Motion::Resting => "resting",
        Motion::Falling => "falling",
    }
}

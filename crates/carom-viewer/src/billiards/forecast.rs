use carom_billiards::{Error, Game, Happening, Obstacle, Recording, Shot, slip};
use carom_engine::DVec2;

/// The most events and seconds that are looked ahead.
pub(super) const MOST_EVENTS: u64 = 4000;
pub(super) const MOST_SECONDS: f64 = 60.0;

/// What a shot is going to do, from the engine.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// The shot, all of it; `None` if it cannot be played.
    pub recording: Option<Recording>,
    /// What the struck ball meets first.
    pub contact: Option<Contact>,
    /// What is wrong with the stroke; empty if nothing is. What the cue meets is no reason not to play.
    pub problem: String,
}

/// What the struck ball meets first.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// The label of the ball that is met.
    pub ball: String,
    /// Seconds since the stroke.
    pub time: f64,
    /// Where the struck ball is then: the ghost ball, in the frame of worlds.
    pub ghost: DVec2,
    /// Where the other one is.
    pub object: DVec2,
    /// The angle between the way of the struck ball and the line of centres, in radians; positive if the
    /// other one leaves to the left.
    pub cut: f64,
    /// The velocities with which both are going to roll: of the struck ball, and of the other.
    pub rolling: [DVec2; 2],
}

impl Forecast {
    /// Runs a copy of the table.
    pub(super) fn new(game: &Game, shot: &Shot) -> Self {
        let mut trial = game.clone();
        trial.world_mut().set_budget(MOST_EVENTS);
        match trial.record_until(Some(shot), MOST_SECONDS) {
            Ok(recording) => Forecast {
                contact: contact(game, &recording, &shot.ball),
                problem: obstruction(&recording),
                recording: Some(recording),
            },
            Err(error) => Forecast { recording: None, contact: None, problem: said(&error) },
        }
    }
}

fn said(error: &Error) -> String {
    match error {
        Error::Miscue { offset, allowed } => {
            format!("miscue: the tip is {offset:.2} radii off the centre, and slips beyond {allowed:.2}")
        }
        error => error.to_string(),
    }
}

fn obstruction(recording: &Recording) -> String {
    let Some(found) = &recording.outcome.obstruction else { return String::new() };
    let by = match &found.by {
        Obstacle::Cushion => "the cushion".to_owned(),
        Obstacle::Rail => "the rail".to_owned(),
        Obstacle::Ball(label) => format!("ball {label}"),
    };
    match found.least_elevation {
        Some(least) => format!("the cue meets {by}: lift it to {:.1}°", least.to_degrees() + 0.05),
        None => format!("the cue meets {by}: it does not get there"),
    }
}

fn contact(game: &Game, recording: &Recording, struck: &str) -> Option<Contact> {
    let index = game.index_of(struck).ok()?;
    let balls = &game.layout().balls;
    recording.moments.iter().filter(|moment| moment.what == Happening::Balls).find_map(|moment| {
        let (_, before, after) = moment.balls.iter().find(|ball| ball.0 == index)?;
        let (other, object, left) = moment.balls.iter().find(|ball| ball.0 != index)?;
        let rolls = |ball: usize, full: &carom_billiards::Full| {
            full.velocity - slip(balls[ball].ball.radius, full.velocity, full.spin) * (2.0 / 7.0)
        };
        let centres = object.position - before.position;
        Some(Contact {
            ball: balls[*other].label.clone(),
            time: moment.time,
            ghost: before.position,
            object: object.position,
            cut: before.velocity.perp_dot(centres).atan2(before.velocity.dot(centres)),
            rolling: [rolls(index, after), rolls(*other, left)],
        })
    })
}

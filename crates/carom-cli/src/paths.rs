//! The paths of a recorded shot, piece by piece, as CSV and JSON Lines.

use crate::error::CliError;
use crate::output::Replacement;
use crate::vary::quoted;
use carom_billiards::{Game, Motion, Recording};
use serde::Serialize;

/// A piece of a ball's path: a parabola.
#[derive(Serialize)]
struct Line<'a> {
    ball: &'a str,
    start: f64,
    end: f64,
    motion: Motion,
    x: f64,
    y: f64,
    vx: f64,
    vy: f64,
    ax: f64,
    ay: f64,
    wx: f64,
    wy: f64,
    wz: f64,
}

const HEAD: &str = "ball,start,end,motion,x,y,vx,vy,ax,ay,wx,wy,wz";

impl Line<'_> {
    /// In the order of the head.
    fn csv(&self) -> String {
        let ball = quoted(self.ball);
        let motion = format!("{:?}", self.motion).to_lowercase();
        let numbers = [self.x, self.y, self.vx, self.vy, self.ax, self.ay, self.wx, self.wy, self.wz];
        let numbers = numbers.map(|number| format!("{number:?}")).join(",");
        format!("{ball},{:?},{:?},{motion},{numbers}", self.start, self.end)
    }
}

/// Writes the pieces on which balls are on the table, ball by ball, if that is asked for.
pub(crate) fn write(to: Option<&Replacement>, game: &Game, recording: &Recording) -> Result<(), CliError> {
    let Some(to) = to else { return Ok(()) };
    let is_json = std::path::Path::new(to.name()).extension().is_some_and(|end| end == "jsonl");
    let failed = |source| CliError::writing(to.name(), source);
    to.write(|out| {
        if !is_json {
            writeln!(out, "{HEAD}").map_err(failed)?;
        }
        for (placed, path) in game.layout().balls.iter().zip(&recording.paths) {
            for (k, piece) in path.iter().enumerate().filter(|(_, piece)| piece.is_on_table) {
                let (at, spin) = (game.table().from_world(piece.at.position), piece.at.spin);
                let end = path.get(k + 1).map_or(recording.outcome.duration, |next| next.start);
                let line = Line {
                    ball: &placed.label,
                    start: piece.start,
                    end,
                    motion: piece.at.motion,
                    x: at.x,
                    y: at.y,
                    vx: piece.at.velocity.x,
                    vy: piece.at.velocity.y,
                    ax: piece.acceleration.x,
                    ay: piece.acceleration.y,
                    wx: spin.x,
                    wy: spin.y,
                    wz: spin.z,
                };
                let text = if is_json {
                    serde_json::to_string(&line).map_err(|error| failed(error.into()))?
                } else {
                    line.csv()
                };
                writeln!(out, "{text}").map_err(failed)?;
            }
        }
        Ok(())
    })
}

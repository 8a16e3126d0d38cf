use super::Game;
use super::table::{BUMPER, BUMPERS, SLING, TARGET};
use crate::Board;
use crate::board::empty_sheet;
use carom::{DVec2, DebugDraw as _, DebugView, Forecast, ForecastOptions, WallShape};
use carom_draw::{DrawError, Rgb, Sheet, film_gif};

/// The colour of the ground.
pub const GROUND: Rgb = Rgb(0x23, 0x1b, 0x38);
const FIELD: Rgb = Rgb(0x33, 0x28, 0x52);
const STEEL: Rgb = Rgb(0xcf, 0xd6, 0xe0);
const GOLD: Rgb = Rgb(0xf4, 0xc1, 0x4e);
const RED: Rgb = Rgb(0xe8, 0x4f, 0x5f);
const TEAL: Rgb = Rgb(0x3f, 0xc1, 0xb0);

/// The rectangle that is shown.
#[must_use]
pub fn bounds() -> (DVec2, DVec2) {
    (DVec2::new(-5.6, -0.4), DVec2::new(6.6, 21.0))
}

/// The game as it is, on a sheet of this width, with what a debug view adds; if that shows next impacts, also
/// the path of the ball for this many seconds.
///
/// # Errors
/// If the width is out of range.
pub fn sheet(game: &Game, width: u32, debug: Option<&DebugView>) -> Result<Sheet, DrawError> {
    let mut sheet = empty_sheet("Pinball", bounds(), GROUND, width)?;
    draw_table(game, &mut sheet);
    let world = game.world();
    if let Some(view) = debug {
        world.debug_draw(view, &mut sheet);
        let mut forecast = Forecast::new();
        if let Ok(pieces) = forecast.path(world, game.ball(), &ForecastOptions::new(view.next_impacts)) {
            sheet.path(pieces, world.clock().at(game.now() + view.next_impacts));
        }
    }
    draw_ball(game, &mut sheet);
    sheet.head(&format!("{} points · {:.1} s", game.points(), game.now()));
    Ok(sheet)
}

/// Draws the game as it is.
pub fn draw(game: &Game, board: &mut dyn Board) {
    draw_table(game, board);
    draw_ball(game, board);
}

fn draw_table(game: &Game, board: &mut dyn Board) {
    field(board);
    walls(board, game);
    flippers(board, game);
    for &(time, place) in game.flashes() {
        let age = ((game.now() - time) / Game::FLASH).clamp(0.0, 1.0);
        board.glow(place, 0.6 + 0.8 * age, GOLD, 1.0 - age);
    }
}

fn draw_ball(game: &Game, board: &mut dyn Board) {
    if game.world().is_enabled(game.ball()) {
        let [place, velocity] = game.ball_state();
        board.fading(place - velocity * 0.04, place, 1.4 * Game::BALL, STEEL, 0.5);
        board.ball(place, Game::BALL, STEEL);
    }
}

/// The game as it is, as a PNG of this width.
///
/// # Errors
/// As [`sheet`].
pub fn picture(game: &Game, width: u32, debug: Option<&DebugView>) -> Result<Vec<u8>, DrawError> {
    sheet(game, width, debug)?.png()
}

/// A GIF of these moments of a game, 25 a second.
///
/// # Errors
/// As [`sheet`]; if there is no frame.
pub fn film(frames: &[Game], width: u32) -> Result<Vec<u8>, DrawError> {
    film_gif(frames.len(), 25, |k| sheet(&frames[k], width, None))
}

fn field(board: &mut dyn Board) {
    let v = DVec2::new;
    board.fill_disc(v(0.5, 15.0), 5.5, FIELD, 1.0);
    board.fill(&[v(-5.0, 5.2), v(5.0, 5.2), v(6.0, 5.2), v(6.0, 15.0), v(-5.0, 15.0)], FIELD, 1.0);
    board.fill(
        &[
            v(-5.0, 5.22),
            v(-2.75, 3.55),
            v(-2.98, 3.1),
            v(-2.98, -1.0),
            v(2.98, -1.0),
            v(2.98, 3.1),
            v(2.75, 3.55),
            v(5.0, 5.22),
        ],
        FIELD,
        1.0,
    );
    board.fill(&[v(5.0, 1.73), v(6.0, 1.73), v(6.0, 6.0), v(5.0, 6.0)], FIELD, 1.0);
    for (k, (center, radius)) in BUMPERS.into_iter().enumerate() {
        board.glow(center, 2.6 * radius, [RED, TEAL, GOLD][k], 0.35);
    }
    for k in 0..6 {
        let y = 6.4 + 0.7 * f64::from(k);
        let arrow = [v(-0.5, y), v(0.0, y + 0.45), v(0.5, y)];
        board.stroke(&arrow, 0.12, TEAL, 0.25 + 0.08 * f64::from(k));
    }
}

fn walls(board: &mut dyn Board, game: &Game) {
    for side in [-1.0, 1.0] {
        let corners = [(3.7, 8.1), (3.7, 6.2), (2.5, 5.3)].map(|(x, y)| DVec2::new(side * x, y));
        board.fill(&corners, GROUND, 0.9);
    }
    for (_, wall) in game.world().walls() {
        match (&wall.shape, wall.user_data) {
            (WallShape::Disc { center, radius }, BUMPER) => {
                let colour = if center.x < -1.0 {
                    RED
                } else if center.x > 1.0 {
                    TEAL
                } else {
                    GOLD
                };
                board.ball(*center, *radius, colour);
                board.ring(*center, 0.62 * radius, 0.1, Rgb(0xff, 0xff, 0xff), 0.85);
            }
            (WallShape::Segment { a, b }, SLING) => board.stroke(&[*a, *b], 0.16, GOLD, 1.0),
            (WallShape::Segment { a, b }, TARGET..) => board.stroke(&[*a, *b], 0.2, RED, 1.0),
            (WallShape::Arm { .. }, _) => {}
            (shape, _) => board.wall(shape),
        }
    }
}

/// Each with a border and its pivot.
fn flippers(board: &mut dyn Board, game: &Game) {
    for (id, wall) in game.world().walls() {
        if let (&WallShape::Arm { pivot, length, radius, .. }, Some(arm)) =
            (&wall.shape, game.world().arm(id))
        {
            let along = DVec2::from_angle(arm.angle);
            let (tip, across) = (pivot + along * length, along.perp());
            for (grown, colour) in [(0.05, GROUND), (0.0, GOLD)] {
                let side = across * (radius + grown);
                board.fill(&[pivot + side, tip + side, tip - side, pivot - side], colour, 1.0);
                board.fill_disc(pivot, radius + grown, colour, 1.0);
                board.fill_disc(tip, radius + grown, colour, 1.0);
            }
            board.fill_disc(pivot, 0.12, GROUND, 0.8);
        }
    }
}

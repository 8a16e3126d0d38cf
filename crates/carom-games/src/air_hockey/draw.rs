use super::Game;
use crate::Board;
use crate::board::empty_sheet;
use carom::{DVec2, DebugDraw as _, DebugView, Forecast, ForecastOptions, Physics};
use carom_draw::{DrawError, Rgb, Sheet, film_gif};

/// The colour of the ground.
pub const GROUND: Rgb = Rgb(0xee, 0xf3, 0xf7);
const LINE: Rgb = Rgb(0x9f, 0xbf, 0xdd);
const DARK: Rgb = Rgb(0x2a, 0x2f, 0x3a);
const PUCK: Rgb = Rgb(0x2c, 0x33, 0x40);
const COLOURS: [Rgb; 2] = [Rgb(0x2e, 0x7f, 0xb8), Rgb(0xd1, 0x49, 0x5b)];

/// The rectangle that is shown.
#[must_use]
pub fn bounds() -> (DVec2, DVec2) {
    let margin = DVec2::new(0.12, 0.04);
    (-Game::HALF - margin, Game::HALF + margin)
}

/// The game as it is, on a sheet of this width, with what a debug view adds; if that shows next impacts, also
/// the path of the puck for this many seconds.
///
/// # Errors
/// If the width is out of range.
pub fn sheet<P: Physics>(game: &Game<P>, width: u32, debug: Option<&DebugView>) -> Result<Sheet, DrawError> {
    let mut sheet = empty_sheet("Air hockey", bounds(), GROUND, width)?;
    draw_table(game, &mut sheet);
    let world = game.world();
    if let Some(view) = debug {
        let mut forecast = Forecast::new();
        if let Ok(pieces) = forecast.path(world, game.puck(), &ForecastOptions::new(view.next_impacts)) {
            sheet.path(pieces, world.clock().at(game.now() + view.next_impacts));
        }
    }
    draw_discs(game, &mut sheet);
    if let Some(view) = debug {
        world.debug_draw(view, &mut sheet);
    }
    let [left, right] = game.score();
    sheet.head(&format!("{left} : {right} · {:.1} s", game.now()));
    Ok(sheet)
}

/// Draws the game as it is.
pub fn draw<P: Physics>(game: &Game<P>, board: &mut dyn Board) {
    draw_table(game, board);
    draw_discs(game, board);
}

fn draw_table<P: Physics>(game: &Game<P>, board: &mut dyn Board) {
    table(board, game);
    hits(board, game);
}

fn draw_discs<P: Physics>(game: &Game<P>, board: &mut dyn Board) {
    if game.world().is_enabled(game.puck()) {
        let [puck, velocity] = game.state(game.puck());
        board.fading(puck - velocity * 0.06, puck, 1.6 * Game::PUCK, PUCK, 0.35);
        board.ball(puck, Game::PUCK, PUCK);
    }
    for (id, colour) in game.mallets().into_iter().zip(COLOURS) {
        let [mallet, _] = game.state(id);
        board.ball(mallet, Game::MALLET, colour);
        board.ring(mallet, 0.55 * Game::MALLET, 0.008, Rgb(0xff, 0xff, 0xff), 0.7);
    }
}

/// The game as it is, as a PNG of this width.
///
/// # Errors
/// As [`sheet`].
pub fn picture<P: Physics>(
    game: &Game<P>,
    width: u32,
    debug: Option<&DebugView>,
) -> Result<Vec<u8>, DrawError> {
    sheet(game, width, debug)?.png()
}

/// A GIF of these moments of a game, 25 a second.
///
/// # Errors
/// As [`sheet`]; if there is no frame.
pub fn film<P: Physics>(frames: &[Game<P>], width: u32) -> Result<Vec<u8>, DrawError> {
    film_gif(frames.len(), 25, |k| sheet(&frames[k], width, None))
}

fn table<P: Physics>(board: &mut dyn Board, game: &Game<P>) {
    let half = Game::HALF;
    board.stroke(&[DVec2::new(0.0, -half.y), DVec2::new(0.0, half.y)], 0.012, LINE, 1.0);
    board.ring(DVec2::ZERO, 0.22, 0.012, LINE, 1.0);
    for (side, colour) in [-1.0, 1.0].into_iter().zip(COLOURS) {
        let at = |x: f64, y: f64| DVec2::new(side * x, y);
        board.ring(at(half.x, 0.0), 0.3, 0.012, LINE, 1.0);
        let goal = [(half.x, Game::GOAL), (1.5, Game::GOAL), (1.5, -Game::GOAL), (half.x, -Game::GOAL)];
        board.fill(&goal.map(|(x, y)| at(x, y)), colour, 0.45);
        // The frame of the table beside the goals.
        for up in [-1.0, 1.0] {
            let frame = [(half.x, Game::GOAL), (1.5, Game::GOAL), (1.5, 1.0), (half.x, 1.0)];
            board.fill(&frame.map(|(x, y)| at(x, up * y)), DARK, 1.0);
            let rail = [(0.0, half.y), (half.x, half.y), (half.x, 1.0), (0.0, 1.0)];
            board.fill(&rail.map(|(x, y)| at(x, up * y)), DARK, 1.0);
        }
    }
    for (_, wall) in game.world().walls() {
        board.wall(&wall.shape);
    }
}

fn hits<P: Physics>(board: &mut dyn Board, game: &Game<P>) {
    for &(time, place) in game.hits() {
        let age = ((game.now() - time) / Game::FLASH).clamp(0.0, 1.0);
        board.ring(place, 0.02 + 0.1 * age, 0.012, Rgb(0xe9, 0xa2, 0x3b), 1.0 - age);
    }
}

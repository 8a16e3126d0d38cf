use super::Game;
use crate::Board;
use crate::board::empty_sheet;
use carom::{DVec2, DebugView};
use carom_draw::{DrawError, Rgb, Sheet, film_gif};

/// The colour of the ground.
pub const GROUND: Rgb = Rgb(0xfb, 0xf1, 0xdc);
const BOX: Rgb = Rgb(0xb9, 0x83, 0x4f);
const INSIDE: Rgb = Rgb(0xff, 0xfb, 0xf2);
const INK: Rgb = Rgb(0x4a, 0x35, 0x24);
const WARNING: Rgb = Rgb(0xd6, 0x3c, 0x36);
const COLOURS: [Rgb; Game::SIZES as usize] = [
    Rgb(0xd1, 0x2f, 0x4a),
    Rgb(0xf0, 0x6a, 0x6a),
    Rgb(0x8e, 0x5f, 0xc4),
    Rgb(0xf5, 0xb0, 0x41),
    Rgb(0xef, 0x7c, 0x2c),
    Rgb(0xe3, 0x4b, 0x3c),
    Rgb(0xd9, 0xc8, 0x4a),
    Rgb(0xf2, 0xa0, 0xb5),
    Rgb(0xf3, 0xdf, 0x5b),
    Rgb(0x9b, 0xc9, 0x4f),
    Rgb(0x3f, 0x8f, 0x4b),
];

/// The colour of a size.
#[must_use]
pub fn colour_of(size: u64) -> Rgb {
    COLOURS[(size.clamp(1, Game::SIZES) - 1) as usize]
}

/// The rectangle that is shown.
#[must_use]
pub fn bounds() -> (DVec2, DVec2) {
    (DVec2::new(-4.6, -0.6), DVec2::new(4.6, 13.0))
}

/// The game as it is, on a sheet of this width, with what a debug view adds.
///
/// # Errors
/// If the width is out of range.
pub fn sheet(game: &Game, width: u32, debug: Option<&DebugView>) -> Result<Sheet, DrawError> {
    let mut sheet = empty_sheet("Merge", bounds(), GROUND, width)?;
    draw(game, &mut sheet);
    if let Some(view) = debug {
        game.world().debug_draw(view, &mut sheet);
    }
    sheet.head(&format!("{} points · {:.1} s", game.score(), game.now()));
    Ok(sheet)
}

/// Draws the game as it is.
pub fn draw(game: &Game, board: &mut dyn Board) {
    draw_box(game, board);
    draw_dropper(game, board);
    for (_, disc) in game.world().discs() {
        draw_disc(board, disc.position, disc.radius, disc.user_data);
    }
    for &(time, place, size) in game.flashes() {
        let age = ((game.now() - time) / Game::FLASH).clamp(0.0, 1.0);
        let radius = Game::radius(size) * (1.0 + age);
        board.ring(place, radius, 0.08, colour_of(size), 1.0 - age);
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

/// The box is open above; half-planes keep in it what is over its brim.
fn draw_box(game: &Game, board: &mut dyn Board) {
    let (half, brim, wall) = (Game::HALF_WIDTH, Game::LINE + 0.4, 0.3);
    let v = DVec2::new;
    board.fill(&[v(-half, 0.0), v(half, 0.0), v(half, brim), v(-half, brim)], INSIDE, 1.0);
    // What falls past it is no warning.
    let is_soon = game.ends_at().is_some_and(|end| end - game.now() < 0.5 * Game::GRACE);
    let (colour, opacity) = if is_soon { (WARNING, 0.9) } else { (INK, 0.3) };
    for k in 0..20 {
        let x = -half + 2.0 * half * (f64::from(k) + 0.25) / 20.0;
        board.stroke(&[v(x, Game::LINE), v(x + 0.2, Game::LINE)], 0.05, colour, opacity);
    }
    for side in [-1.0, 1.0] {
        let at = |x: f64, y: f64| v(side * x, y);
        board.fill(
            &[at(half, -wall), at(half + wall, -wall), at(half + wall, brim), at(half, brim)],
            BOX,
            1.0,
        );
    }
    board.fill(&[v(-half, -wall), v(half, -wall), v(half, 0.0), v(-half, 0.0)], BOX, 1.0);
}

/// What it holds and where that will fall, and what comes next.
fn draw_dropper(game: &Game, board: &mut dyn Board) {
    let (place, size) = (game.dropper(), game.held());
    if game.is_loaded() {
        board.fading(place.with_y(0.0), place, 0.06, INK, 0.35);
        draw_disc(board, place, Game::radius(size), size);
    }
    let corner = DVec2::new(bounds().1.x - 0.8, bounds().1.y - 0.8);
    draw_disc(board, corner, 0.7 * Game::radius(game.next()), game.next());
}

/// A disc with its size written in it, as colours alone do not tell sizes apart for everyone.
fn draw_disc(board: &mut dyn Board, place: DVec2, radius: f64, size: u64) {
    board.ball(place, radius, colour_of(size));
    board.text(place, 0.9 * radius, &size.to_string(), INK);
}

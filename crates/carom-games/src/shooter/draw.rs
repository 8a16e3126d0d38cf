use super::Game;
use crate::Board;
use crate::board::empty_sheet;
use crate::random::Random;
use carom::{DVec2, DebugView, WallShape};
use carom_draw::{DrawError, Rgb, Sheet, film_gif};

/// The colour of the ground.
pub const GROUND: Rgb = Rgb(0x12, 0x18, 0x2b);
const WHITE: Rgb = Rgb(0xff, 0xff, 0xff);

fn colour_of(team: u32) -> Rgb {
    if team == 1 { Rgb(0x3f, 0xb6, 0xe8) } else { Rgb(0xf2, 0x6b, 0x4c) }
}

/// The rectangle that is shown.
#[must_use]
pub fn bounds() -> (DVec2, DVec2) {
    let margin = DVec2::splat(0.15);
    (-Game::HALF - margin, Game::HALF + margin)
}

/// The game as it is, on a sheet of this width, with what a debug view adds.
///
/// # Errors
/// If the width is out of range.
pub fn sheet(game: &Game, width: u32, debug: Option<&DebugView>) -> Result<Sheet, DrawError> {
    let mut sheet = empty_sheet("Shooter", bounds(), GROUND, width)?;
    draw(game, &mut sheet);
    if let Some(view) = debug {
        game.world().debug_draw(view, &mut sheet);
    }
    let [blue, red] = game.score();
    sheet.head(&format!("blue {blue} : {red} red · {:.1} s", game.now()));
    Ok(sheet)
}

/// Draws the game as it is.
pub fn draw(game: &Game, board: &mut dyn Board) {
    stars(board);
    for (_, wall) in game.world().walls() {
        if let WallShape::Disc { center, radius } = wall.shape {
            rock(board, center, radius);
        } else {
            board.wall(&wall.shape);
        }
    }
    bullets(board, game);
    for (player, ship) in game.ships().iter().enumerate() {
        if let Some(place) = game.place(player) {
            draw_ship(board, place, ship.heading, colour_of(ship.team), ship.lives);
        } else {
            board.ring(ship_home(game, player), Game::SHIP, 0.06, colour_of(ship.team), 0.35);
        }
    }
    flashes(board, game);
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

fn ship_home(game: &Game, player: usize) -> DVec2 {
    game.home(player)
}

/// Always the same ones.
fn stars(board: &mut dyn Board) {
    let mut random = Random::new(5);
    for _ in 0..140 {
        let place = random.vector(1.0) * Game::HALF;
        board.fill_disc(place, random.between(0.015, 0.05), WHITE, random.between(0.15, 0.5));
    }
}

fn rock(board: &mut dyn Board, center: DVec2, radius: f64) {
    board.ball(center, radius, Rgb(0x5c, 0x63, 0x70));
    for (k, (x, y)) in [(0.35, 0.3), (-0.4, -0.25), (0.1, -0.5), (-0.2, 0.45)].into_iter().enumerate() {
        let size = radius * (0.2 - 0.03 * k as f64);
        board.fill_disc(center + DVec2::new(x, y) * radius, size, Rgb(0x40, 0x46, 0x52), 0.8);
    }
}

fn bullets(board: &mut dyn Board, game: &Game) {
    for (_, disc) in game.world().discs() {
        let Some(team) = game.bullet_team(disc.user_data) else { continue };
        let colour = colour_of(team);
        board.fading(disc.position - disc.velocity * 0.07, disc.position, 0.14, colour, 0.9);
        board.fill_disc(disc.position, Game::BULLET, WHITE, 1.0);
    }
}

fn draw_ship(board: &mut dyn Board, place: DVec2, heading: DVec2, colour: Rgb, lives: u32) {
    let (along, across) = (heading * Game::SHIP, heading.perp() * Game::SHIP);
    board.ball(place, Game::SHIP, colour);
    let nose = [along * 0.85, across * 0.5 - along * 0.45, -along * 0.2, -across * 0.5 - along * 0.45];
    board.fill(&nose.map(|corner| place + corner), GROUND, 0.85);
    for k in 0..lives {
        let x = (f64::from(k) - 0.5 * f64::from(lives - 1)) * 0.24;
        board.fill_disc(place + DVec2::new(x, Game::SHIP + 0.22), 0.08, colour, 1.0);
    }
}

fn flashes(board: &mut dyn Board, game: &Game) {
    for flash in game.flashes() {
        let age = ((game.now() - flash.time) / Game::FLASH).clamp(0.0, 1.0);
        let size = if flash.is_last { 2.4 } else { 0.8 };
        board.glow(flash.place, size * (0.5 + 0.5 * age), Rgb(0xff, 0xd9, 0x7a), 1.0 - age);
        board.ring(flash.place, size * age, 0.05, colour_of(flash.team), 1.0 - age);
    }
}

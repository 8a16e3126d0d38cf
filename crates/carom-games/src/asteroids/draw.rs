use super::Game;
use crate::Board;
use crate::board::empty_sheet;
use crate::random::Random;
use carom::{DVec2, DebugView};
use carom_draw::{DrawError, Rgb, Sheet, film_gif};

/// The colour of the ground.
pub const GROUND: Rgb = Rgb(0x0d, 0x10, 0x1c);
const WHITE: Rgb = Rgb(0xff, 0xff, 0xff);
const ROCK: Rgb = Rgb(0x6d, 0x70, 0x7c);
const COLOURS: [Rgb; Game::MOST_SHIPS] =
    [Rgb(0x3f, 0xb6, 0xe8), Rgb(0xf2, 0x6b, 0x4c), Rgb(0x8b, 0xd4, 0x50), Rgb(0xe8, 0xc5, 0x3f)];

/// The rectangle that is shown.
#[must_use]
pub fn bounds() -> (DVec2, DVec2) {
    (DVec2::ZERO, Game::SIZE)
}

/// The game as it is, on a sheet of this width, with what a debug view adds.
///
/// # Errors
/// If the width is out of range.
pub fn sheet(game: &Game, width: u32, debug: Option<&DebugView>) -> Result<Sheet, DrawError> {
    let mut sheet = empty_sheet("Asteroids", bounds(), GROUND, width)?;
    draw(game, &mut sheet);
    if let Some(view) = debug {
        game.world().debug_draw(view, &mut sheet);
    }
    let score: u32 = game.ships().iter().map(|ship| ship.score).sum();
    sheet.head(&format!("{score} points · wave {} · {:.1} s", game.wave(), game.now()));
    Ok(sheet)
}

/// Draws the game as it is: what is over a border on both sides.
pub fn draw(game: &Game, board: &mut dyn Board) {
    stars(board);
    for (class, rock) in game.rocks() {
        for place in images(rock.position, rock.radius) {
            draw_rock(board, place, rock.radius, class);
        }
    }
    for (_, disc) in game.world().discs().filter(|(_, disc)| Game::is_bullet(disc.user_data)) {
        for place in images(disc.position, 1.0) {
            board.fading(place - disc.velocity * 0.05, place, 0.12, WHITE, 0.8);
            board.fill_disc(place, Game::BULLET, WHITE, 1.0);
        }
    }
    for (player, ship) in game.ships().iter().enumerate() {
        let Some(place) = game.place(player) else { continue };
        for place in images(place, 2.0 * Game::SHIP) {
            draw_ship(board, place, ship.heading, ship.thrusts, COLOURS[player % COLOURS.len()]);
        }
    }
    for flash in game.flashes() {
        let age = ((game.now() - flash.time) / Game::FLASH).clamp(0.0, 1.0);
        board.glow(flash.place, flash.size * (0.5 + age), Rgb(0xff, 0xd9, 0x7a), 1.0 - age);
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

/// The images of a place, with something of this size around it, that are to be seen.
fn images(place: DVec2, size: f64) -> impl Iterator<Item = DVec2> {
    let shifts = (-1..=1).flat_map(|i| (-1..=1).map(move |j| DVec2::new(f64::from(i), f64::from(j))));
    let shifted = shifts.map(move |shift| place + shift * Game::SIZE);
    shifted.filter(move |at| at.cmpgt(DVec2::splat(-size)).all() && at.cmplt(Game::SIZE + size).all())
}

/// Always the same ones.
fn stars(board: &mut dyn Board) {
    let mut random = Random::new(5);
    for _ in 0..140 {
        let place = 0.5 * Game::SIZE + random.vector(0.5) * Game::SIZE;
        board.fill_disc(place, random.between(0.015, 0.05), WHITE, random.between(0.15, 0.5));
    }
}

fn draw_rock(board: &mut dyn Board, place: DVec2, radius: f64, class: u32) {
    board.ball(place, radius, ROCK);
    let spots = [(0.35, 0.3), (-0.4, -0.25), (0.1, -0.5), (-0.2, 0.45)];
    for (k, (x, y)) in spots.into_iter().take(class as usize + 1).enumerate() {
        let size = radius * (0.2 - 0.03 * k as f64);
        board.fill_disc(place + DVec2::new(x, y) * radius, size, Rgb(0x48, 0x4b, 0x57), 0.8);
    }
}

fn draw_ship(board: &mut dyn Board, place: DVec2, heading: DVec2, thrusts: bool, colour: Rgb) {
    let (along, across) = (heading * Game::SHIP, heading.perp() * Game::SHIP);
    if thrusts {
        board.fading(place - along * 2.2, place - along * 0.6, 0.25, Rgb(0xff, 0xa0, 0x40), 0.9);
    }
    let hull = [along * 1.15, across * 0.75 - along * 0.85, -along * 0.45, -across * 0.75 - along * 0.85];
    board.fill(&hull.map(|corner| place + corner), colour, 1.0);
}

use super::{Game, Pod};
use crate::Board;
use crate::board::empty_sheet;
use carom::{DVec2, DebugDraw as _, DebugView, Forecast, ForecastOptions};
use carom_draw::{DrawError, Rgb, Sheet, film_gif};

/// The colour of the ground.
pub const GROUND: Rgb = Rgb(0x26, 0x2b, 0x33);
const TRACK: Rgb = Rgb(0x39, 0x40, 0x4b);
const PAINT: Rgb = Rgb(0xd9, 0xdd, 0xe3);
const COLOURS: [Rgb; 4] =
    [Rgb(0xf2, 0xa6, 0x3a), Rgb(0x3f, 0xb6, 0xe8), Rgb(0xe2, 0x5d, 0x6f), Rgb(0x6c, 0xc4, 0x7a)];

/// The colour of a player's pod.
#[must_use]
pub fn colour_of(player: usize) -> Rgb {
    COLOURS[player % COLOURS.len()]
}

/// How much more than the field is shown: pods begin and fly across its edge.
const MARGIN: f64 = 0.5 * Game::POD;

/// The rectangle that is shown.
#[must_use]
pub fn bounds() -> (DVec2, DVec2) {
    (DVec2::splat(-MARGIN), Game::SIZE + MARGIN)
}

/// The race as it is, on a sheet of this width, with what a debug view adds; if that shows next impacts, also
/// where each pod flies in this many turns without thrust.
///
/// # Errors
/// If the width is out of range.
pub fn sheet(game: &Game, width: u32, debug: Option<&DebugView>) -> Result<Sheet, DrawError> {
    let mut sheet = empty_sheet("Pod arena", bounds(), GROUND, width)?;
    draw_course(game, &mut sheet);
    if let Some(view) = debug {
        game.world().debug_draw(view, &mut sheet);
        let until = game.world().clock().at(game.now() + view.next_impacts);
        let mut forecast = Forecast::new();
        for pod in game.pods() {
            if let Ok(pieces) =
                forecast.path(game.world(), pod.disc, &ForecastOptions::new(view.next_impacts))
            {
                sheet.path(pieces, until);
            }
        }
    }
    draw_pods(game, &mut sheet);
    let course = game.checkpoints().len() as u32;
    let places: Vec<String> = game
        .ranking()
        .into_iter()
        .map(|player| {
            format!(
                "{}: {}.{}",
                player + 1,
                game.pods()[player].passed / course,
                game.pods()[player].passed % course
            )
        })
        .collect();
    sheet.head(&format!("{} · turn {:.0}", places.join("  "), game.now().floor()));
    Ok(sheet)
}

/// Draws the race as it is.
pub fn draw(game: &Game, board: &mut dyn Board) {
    draw_course(game, board);
    draw_pods(game, board);
}

fn draw_course(game: &Game, board: &mut dyn Board) {
    course(board, game);
    for (player, pod) in game.pods().iter().enumerate() {
        trail(board, game, pod, colour_of(player));
    }
}

fn draw_pods(game: &Game, board: &mut dyn Board) {
    for (player, pod) in game.pods().iter().enumerate() {
        draw_pod(board, game, pod, player);
    }
}

/// The race as it is, as a PNG of this width.
///
/// # Errors
/// As [`sheet`].
pub fn picture(game: &Game, width: u32, debug: Option<&DebugView>) -> Result<Vec<u8>, DrawError> {
    sheet(game, width, debug)?.png()
}

/// A GIF of these moments of a race, 25 a second.
///
/// # Errors
/// As [`sheet`]; if there is no frame.
pub fn film(frames: &[Game], width: u32) -> Result<Vec<u8>, DrawError> {
    film_gif(frames.len(), 25, |k| sheet(&frames[k], width, None))
}

fn course(board: &mut dyn Board, game: &Game) {
    let checkpoints = game.checkpoints();
    let mut round = checkpoints.to_vec();
    round.extend(checkpoints.first());
    board.stroke(&round, 900.0, TRACK, 1.0);
    for (k, pair) in round.windows(2).enumerate() {
        // Dashes along the middle.
        let way = pair[1] - pair[0];
        let dashes = (way.length() / 500.0) as u32;
        for dash in 0..dashes {
            let at = |part: f64| pair[0] + way * ((f64::from(dash) + part) / f64::from(dashes));
            board.stroke(&[at(0.25), at(0.75)], 24.0, PAINT, 0.25);
        }
        let first = if k == 0 { 0.3 } else { 0.16 };
        board.fill_disc(pair[0], Game::CHECKPOINT, PAINT, first);
    }
    for (k, &center) in checkpoints.iter().enumerate() {
        board.ring(center, Game::CHECKPOINT - 25.0, 50.0, PAINT, 0.9);
        board.text(center, 620.0, &format!("{}", k + 1), PAINT);
    }
}

fn trail(board: &mut dyn Board, game: &Game, pod: &Pod, colour: Rgb) {
    let mut places: Vec<DVec2> = pod.trail().collect();
    places.extend(game.world().get(pod.disc).map(|disc| disc.position()));
    let count = places.len() as f64;
    for (k, pair) in places.windows(2).enumerate() {
        let age = (k + 1) as f64 / count;
        board.stroke(pair, 40.0 + 60.0 * age, colour, 0.75 * age * age);
    }
}

fn draw_pod(board: &mut dyn Board, game: &Game, pod: &Pod, player: usize) {
    let Some(disc) = game.world().get(pod.disc) else { return };
    let (place, radius) = (disc.position(), Game::POD);
    let along = pod.heading * radius;
    let across = along.perp();
    if disc.mass() > 1.0 {
        board.glow(place, 2.2 * radius, Rgb(0x9f, 0xd8, 0xff), 0.9);
    }
    board.ball(place, radius, colour_of(player));
    let nose = [along * 0.9, across * 0.55 - along * 0.5, -along * 0.25, -across * 0.55 - along * 0.5];
    board.fill(&nose.map(|corner| place + corner), GROUND, 0.85);
    board.text(place - along * 0.62, 300.0, &format!("{}", player + 1), Rgb(0xff, 0xff, 0xff));
    if disc.mass() > 1.0 {
        board.ring(place, radius + 60.0, 50.0, Rgb(0xdf, 0xf2, 0xff), 1.0);
    }
}

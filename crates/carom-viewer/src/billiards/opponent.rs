//! A simple player: the easiest pot by geometry that the engine confirms, played with the errors of a person.

use super::referee::Referee;
use carom_billiards::aim::Spread;
use carom_billiards::rules::{CueBall, Next, Player};
use carom_billiards::{Cue, Game, Shot};
use carom_engine::DVec2;

/// The most shots that are tried before one is played.
const MOST: usize = 160;
/// Angles, in radians, beside the line of geometry: friction between balls throws.
const BESIDE: [f64; 5] = [0.0, 0.004, -0.004, 0.009, -0.009];
/// Cuts beyond this, in radians, are not tried.
const THINNEST: f64 = 1.3;

/// A player that thinks in slices: a few shots a frame are tried on a copy of the table.
#[derive(Clone, Debug)]
pub(super) struct Opponent {
    /// Where the cue ball is put first, if it is in hand.
    pub(super) place: Option<DVec2>,
    candidates: Vec<Shot>,
    tried: usize,
    best: Option<(u32, usize)>,
    trial: Game,
}

impl Opponent {
    /// Begins to think about a table.
    pub(super) fn new(game: &Game, referee: &Referee, cue: Cue) -> Self {
        let mut game = game.clone();
        let place = place(&mut game, referee);
        let mut candidates = candidates(&game, referee, cue);
        candidates.truncate(MOST);
        Opponent { place, candidates, tried: 0, best: None, trial: game }
    }

    /// Tries some more shots. Gives the one that is played in the end; `number` is that of the shot in the
    /// game, for the errors.
    pub(super) fn think(
        &mut self,
        game: &Game,
        referee: &Referee,
        trials: usize,
        number: u64,
    ) -> Option<Shot> {
        let player = referee.player()?;
        for _ in 0..trials {
            let is_good = self.best.is_some_and(|best| best.0 >= 3);
            let Some(shot) = self.candidates.get(self.tried).filter(|_| !is_good) else {
                let best = self.best.map_or(0, |best| best.1);
                let shot = self.candidates.get(best)?;
                return Some(Spread::TOURNAMENT.played(shot, 1, number));
            };
            self.trial.clone_from(game);
            if let Some(at) = self.place {
                _ = self.trial.place(referee.struck(), at);
            }
            let value = value(&mut self.trial, referee, shot, player);
            if self.best.is_none_or(|best| value > best.0) {
                self.best = Some((value, self.tried));
            }
            self.tried += 1;
        }
        None
    }
}

/// 4 for a shot that wins, 3 for one after which the player goes on, 2 for one without a foul.
fn value(game: &mut Game, referee: &Referee, shot: &Shot, player: Player) -> u32 {
    let Ok(outcome) = game.shoot(shot) else { return 0 };
    let mut referee = referee.clone();
    match referee.judge(&outcome, false, game) {
        Ok(Some(ruling)) => match ruling.next {
            Next::Won { player: winner } => 4 * u32::from(winner == player),
            Next::Shoots { player: next, .. } if next == player => 3,
            _ if ruling.fouls.is_empty() => 2,
            _ => 1,
        },
        _ => 0,
    }
}

/// Where a ball lies, in the frame of worlds.
fn lies(game: &Game, label: &str) -> Option<DVec2> {
    let index = game.index_of(label).ok()?;
    game.world().get(game.discs()[index]).filter(|ball| ball.is_enabled()).map(|ball| ball.position())
}

/// Puts the cue ball, if it is in hand, so that the nearest ball that is on lies between it and a pocket.
fn place(game: &mut Game, referee: &Referee) -> Option<DVec2> {
    let table = game.table().clone();
    if referee.cue_ball() == CueBall::Lies {
        return None;
    }
    let mut places = Vec::new();
    if referee.cue_ball() == CueBall::InHand {
        for label in referee.on() {
            let Some(ball) = lies(game, &label) else { continue };
            for (pocket, _) in table.pocket_circles() {
                let way = pocket - ball;
                let at = ball - way.normalize_or_zero() * 0.35;
                places.push((way.length(), table.from_world(at)));
            }
        }
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    let now = lies(game, referee.struck()).map(|at| (0.0, table.from_world(at)));
    let centre = |y: f64, x: f64| (0.0, DVec2::new(x, y) * DVec2::new(table.width, table.length));
    let behind = [0.5, 0.3, 0.7, 0.4, 0.6].map(|x| centre(0.2, x));
    let mut all = places.into_iter().chain(now.filter(|_| !referee.is_break())).chain(behind);
    let found = all.find(|&(_, at)| game.place(referee.struck(), at).is_ok());
    found.map(|(_, at)| at)
}

fn candidates(game: &Game, referee: &Referee, cue: Cue) -> Vec<Shot> {
    let struck = referee.struck();
    let Some(from) = lies(game, struck) else { return Vec::new() };
    let shot =
        |speed: f64, direction: f64| Shot { cue, ..Shot::new(speed).aimed_at(direction).of_ball(struck) };
    let way_to = |to: DVec2| (to - from).to_angle();
    let mut on = referee.on();
    if referee.is_break() {
        let front = game.layout().balls.get(1).and_then(|placed| lies(game, &placed.label));
        return front.map(|front| shot(8.0, way_to(front))).into_iter().collect();
    }
    if on.is_empty() {
        on = game.layout().balls.iter().map(|placed| placed.label.clone()).collect();
        on.retain(|label| label != struck);
    }
    let mut pots = Vec::new();
    for label in &on {
        for (pocket, _) in game.table().pocket_circles() {
            let target = game.table().from_world(pocket);
            let Ok(Some(aim)) = game.aim_at(struck, label, target) else { continue };
            let way = aim.distance + lies(game, label).map_or(0.0, |ball| ball.distance(pocket));
            if aim.cut.abs() < THINNEST {
                pots.push((aim.cut.abs() + 0.25 * way, aim.direction, 1.1 + 0.6 * way + aim.cut.abs()));
            }
        }
    }
    pots.sort_by(|a, b| a.0.total_cmp(&b.0));
    let near = pots
        .iter()
        .take(12)
        .flat_map(|&(_, way, speed)| BESIDE.into_iter().map(move |beside| (speed.min(4.5), way + beside)));
    let full = on.iter().filter_map(|label| lies(game, label)).map(|ball| (3.0, way_to(ball)));
    let around = (0..48).map(|k| (4.0, f64::from(k) * (std::f64::consts::TAU / 48.0)));
    near.chain(full).chain(around).map(|(speed, direction)| shot(speed, direction)).collect()
}

//! Three-cushion billiards: Union Mondiale de Billard, World Rules of Carom Billiard.

use super::pool::of_stroke;
use super::{CueBall, Foul, Next, Player, Ruling};
use crate::contact::centres_apart;
use crate::motion::length;
use crate::rack::{BESIDE, spots};
use crate::{Error, Game, Layout, Outcome};
use carom_engine::{DVec2, StopReason};

/// Cushions that the cue ball meets before the second object ball.
const CUSHIONS: usize = 3;

/// The balls: of the first player, of the second, and the red one.
const BALLS: [&str; 3] = [Layout::CUE, "yellow", "red"];

/// A game of three-cushion billiards: who shoots, and the points.
///
/// The first player has the ball `cue`, the second one `yellow`, and the third ball is `red`, as in
/// [`Rack::three_cushion`](crate::Rack::three_cushion). A point is a shot on which the cue ball has met both
/// others, and at least three cushions before the second of these (article 83); the player goes on. The
/// opening shot meets the red ball first (article 23). A ball frozen to a cushion may be played into that: it
/// counts once the ball has left and come back. Whoever reaches the target has won, at once or, with equal
/// innings, unless the second player reaches it too in the inning that follows, from the starting position.
///
/// A cue ball that touches others may not be played at these (article 27): the player plays away, or has the
/// balls that touch put on their spots by [`ThreeCushion::respot`] before the shot.
///
/// ```
/// use carom_billiards::rules::{Next, Player, ThreeCushion};
/// use carom_billiards::{Rack, Shot, Table};
///
/// let table = Table::carom_10ft();
/// let mut game = Rack::three_cushion().place(&table, 1)?.build(&table)?;
/// let mut rules = ThreeCushion::new(50);
/// rules.judge(&game.shoot(&Shot::new(2.0).aimed_at(1.7))?)?;
/// assert_eq!(rules.ball_of(Player::Second), "yellow");
/// # Ok::<(), carom_billiards::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreeCushion {
    target: u32,
    has_equal_innings: bool,
    most_innings: Option<u32>,
    next: Next,
    points: [u32; 2],
    innings: [u32; 2],
    /// Whether the next shot is from the starting position.
    is_opening: bool,
}

impl ThreeCushion {
    /// A game to this many points, at least one, before the opening shot.
    #[must_use]
    pub fn new(target: u32) -> Self {
        let next = shoots(Player::First);
        ThreeCushion {
            target: target.max(1),
            has_equal_innings: false,
            most_innings: None,
            next,
            points: [0; 2],
            innings: [0; 2],
            is_opening: true,
        }
    }

    /// With as many innings for the second player as for the first.
    #[must_use]
    pub fn with_equal_innings(self) -> Self {
        ThreeCushion { has_equal_innings: true, ..self }
    }

    /// That ends after this many innings of each, at least one: more points win.
    #[must_use]
    pub fn with_most_innings(self, innings: u32) -> Self {
        ThreeCushion { most_innings: Some(innings.max(1)), ..self }
    }

    /// What is to be done.
    #[must_use]
    pub fn next(&self) -> Next {
        self.next
    }

    /// Points of a player.
    #[must_use]
    pub fn points(&self, player: Player) -> u32 {
        self.points[player.index()]
    }

    /// Turns at the table that a player has ended.
    #[must_use]
    pub fn innings(&self, player: Player) -> u32 {
        self.innings[player.index()]
    }

    /// The label of the ball that a player strikes.
    #[must_use]
    pub fn ball_of(&self, player: Player) -> &'static str {
        BALLS[player.index()]
    }

    /// Whether the next shot is from the starting position, at the red ball.
    #[must_use]
    pub fn is_opening(&self) -> bool {
        self.is_opening
    }

    /// Judges a shot of the player whose turn it is, and says what is next.
    ///
    /// # Errors
    /// [`Error::OutOfTurn`] if no shot is due, or if balls still move; [`Error::NoSuchBall`] for a ball that
    /// is not of the game. The game is then as it was.
    pub fn judge(&mut self, outcome: &Outcome) -> Result<Ruling, Error> {
        let Next::Shoots { player, .. } = self.next else {
            return Err(Error::OutOfTurn("no shot is due"));
        };
        if outcome.end != StopReason::Reached {
            return Err(Error::OutOfTurn("balls still move"));
        }
        let met = outcome.hits.iter().flat_map(|hit| &hit.balls).chain(&outcome.first_hit);
        if let Some(ball) = met.chain([&outcome.ball]).find(|ball| !BALLS.contains(&ball.as_str())) {
            return Err(Error::no_ball(ball, BALLS.into_iter()));
        }
        let fouls = self.fouls_of(outcome, player);
        self.is_opening = false;
        let is_point = fouls.is_empty() && scores(outcome);
        if is_point {
            self.points[player.index()] += 1;
        }
        let has_target = self.points(player) >= self.target;
        let ends_inning = !is_point || has_target;
        self.innings[player.index()] += u32::from(ends_inning);
        if ends_inning {
            self.next = shoots(player.other());
        }
        let is_even = player == Player::Second;
        let is_last = self.most_innings.is_some_and(|most| self.innings(Player::Second) >= most);
        let waits = self.has_equal_innings && !is_even;
        let mut rerack = false;
        if has_target && waits {
            // The inning that follows is from the starting position: article 29.
            (rerack, self.is_opening) = (true, true);
        } else if (has_target && !self.has_equal_innings)
            || (is_even && ends_inning && (self.is_decided() || is_last))
        {
            self.next = self.end();
        }
        Ok(Ruling { fouls, spotted: Vec::new(), rerack, next: self.next })
    }

    fn is_decided(&self) -> bool {
        self.points.iter().any(|&points| points >= self.target)
    }

    fn end(&self) -> Next {
        match self.points[0].cmp(&self.points[1]) {
            core::cmp::Ordering::Equal => Next::Drawn,
            core::cmp::Ordering::Greater => Next::Won { player: Player::First },
            core::cmp::Ordering::Less => Next::Won { player: Player::Second },
        }
    }

    fn fouls_of(&self, outcome: &Outcome, player: Player) -> Vec<Foul> {
        let mut fouls = Vec::new();
        if outcome.first_hit.is_none() {
            fouls.push(Foul::NoContact);
        }
        if self.is_opening && outcome.first_hit.as_deref().is_some_and(|ball| ball != BALLS[2]) {
            fouls.push(Foul::WrongBall);
        }
        if outcome.plays_at_touching() {
            fouls.push(Foul::TouchingBall);
        }
        if outcome.ball != self.ball_of(player) {
            fouls.push(Foul::WrongCueBall);
        }
        fouls.extend(of_stroke(outcome));
        fouls
    }

    /// Puts the balls in the starting position of the player whose turn it is: article 23.
    ///
    /// # Errors
    /// If there is no turn, or the table has not these balls.
    pub fn set_up(&self, game: &mut Game) -> Result<(), Error> {
        let Next::Shoots { player, .. } = self.next else {
            return Err(Error::OutOfTurn("no shot is due"));
        };
        let (bottom, top) = spots(game.table());
        let own = self.ball_of(player);
        put(game, &[(own, bottom + BESIDE), (self.ball_of(player.other()), bottom), (BALLS[2], top)])
    }

    /// Puts the cue ball of the player whose turn it is and the balls that it touches on their spots: article
    /// 27. The own ball belongs on the bottom spot, that of the other player in the centre, the red one on
    /// the top spot; a spot in whose way the third ball lies is exchanged for that of the third ball. Returns
    /// which balls were moved.
    ///
    /// # Errors
    /// If there is no turn, or the table has not these balls.
    pub fn respot(&self, game: &mut Game) -> Result<Vec<&'static str>, Error> {
        let Next::Shoots { player, .. } = self.next else {
            return Err(Error::OutOfTurn("no shot is due"));
        };
        let (bottom, top) = spots(game.table());
        let centre = game.table().centre();
        let spots = [(self.ball_of(player), bottom), (self.ball_of(player.other()), centre), (BALLS[2], top)];
        let touches = |label: &str| Ok::<_, Error>(game.gap(spots[0].0, label)? <= crate::gathered::FROZEN);
        let moves = [true, touches(spots[1].0)?, touches(spots[2].0)?];
        if moves == [true, false, false] {
            return Ok(Vec::new());
        }
        let stays = (0..3).find(|&k| !moves[k]);
        let mut places = Vec::new();
        for k in (0..3).filter(|&k| moves[k]) {
            let (label, spot) = spots[k];
            let masking = stays.filter(|&other| masks(game, spots[other].0, label, spot));
            places.push((label, masking.map_or(spot, |other| spots[other].1)));
        }
        put(game, &places)?;
        Ok(places.into_iter().map(|(label, _)| label).collect())
    }
}

fn shoots(player: Player) -> Next {
    Next::Shoots { player, cue_ball: CueBall::Lies }
}

/// Whether the struck ball has met both others, and enough cushions before the second: article 83.
fn scores(outcome: &Outcome) -> bool {
    let own = outcome.ball.as_str();
    let mut met = outcome.hits.iter().filter(|hit| hit.balls.iter().any(|ball| ball == own));
    let other = |hit: &crate::BallHit| if hit.balls[0] == own { 1 } else { 0 };
    let Some(first) = met.next() else { return false };
    let first = &first.balls[other(first)];
    let Some(second) = met.find(|hit| hit.balls[other(hit)] != *first) else { return false };
    let before = |hit: &&crate::CushionHit| hit.ball == own && hit.time < second.time && !hit.frozen;
    outcome.cushions.iter().filter(before).count() >= CUSHIONS
}

/// Whether a ball lies where another is to be put.
fn masks(game: &Game, ball: &str, other: &str, spot: DVec2) -> bool {
    let of = |label: &str| game.index_of(label).ok().and_then(|k| game.ball(k));
    let (Some(ball), Some(other)) = (of(ball), of(other)) else { return false };
    length(game.table().from_world(ball.position()) - spot) < centres_apart(ball.radius(), other.radius())
}

/// Takes balls from the table and puts them to their places.
fn put(game: &mut Game, places: &[(&str, DVec2)]) -> Result<(), Error> {
    for (label, _) in places {
        let id = game.discs()[game.index_of(label)?];
        game.world_mut().set_enabled(id, false)?;
    }
    places.iter().try_for_each(|&(label, at)| game.place(label, at))
}

//! Ways to pot a ball without a cushion, by geometry alone.

use super::geometry::{Mirror, Scene, Window, jaws, turned, windows};
use crate::contact::centres_apart;
use crate::motion::length;
use crate::{Error, Game, Layout};
use carom_engine::DVec2;

/// The cosine of the thinnest cut that is tried: 83°.
const THINNEST: f64 = 0.12;

/// The same for contacts after the first, where errors add up: 60°.
const THINNEST_LATER: f64 = 0.5;

/// A ball whose centre is nearer than this to where it would touch a rail may go along that, in metres.
const NEAR_RAIL: f64 = 0.06;

/// Directions that are tried along a rail, between that of the rail, 0, and that of the middle of the pocket,
/// 1.
const ALONG: [f64; 6] = [0.5, 0.25, 0.0, 0.75, 1.0, -0.15];

/// One of the four sides of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Rail {
    /// At y = 0, where one breaks from.
    Head,
    /// At x = width.
    Right,
    /// At y = length.
    Foot,
    /// At x = 0.
    Left,
}

impl Rail {
    /// All of them, in the order of their names above.
    pub const ALL: [Rail; 4] = [Rail::Head, Rail::Right, Rail::Foot, Rail::Left];
}

impl Rail {
    /// Whether a cushion is a nose of this side: see [`Table::segments`](crate::Table::segments).
    pub(super) fn has(self, cushion: usize) -> bool {
        match self {
            Rail::Head => cushion == 4,
            Rail::Right => cushion == 2 || cushion == 3,
            Rail::Foot => cushion == 5,
            Rail::Left => cushion < 2,
        }
    }
}

/// How a ball is potted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Route {
    /// The cue ball meets it, and it goes straight into the pocket.
    Direct,
    /// The cue ball meets it, and it goes along a rail into the pocket, whether it touches that or not.
    AlongRail(Rail),
    /// It meets a cushion on its way.
    Bank(Rail),
    /// The cue ball meets a cushion on its way to it.
    Kick(Rail),
    /// The cue ball meets another ball, which meets it.
    Combination(String),
    /// The cue ball meets another ball, and then it.
    Carom(String),
    /// Anything else that a fan of directions finds.
    Several {
        /// How many cushions the cue ball meets before its first ball.
        kicks: usize,
        /// How many cushions the ball meets, the jaws of its pocket among them.
        banks: usize,
        /// The other balls that take part.
        balls: Vec<String>,
    },
}

/// What is to be potted, and what may be met first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// The ball that is struck.
    pub cue_ball: String,
    /// Labels of the balls that may be potted.
    pub pot: Vec<String>,
    /// Labels of the balls that may be met first. An empty list allows all.
    pub meet_first: Vec<String>,
    /// How many straight noses the cue ball meets before its first ball. `None` allows any number.
    pub kicks: Option<usize>,
    /// How many straight noses the ball meets, not counting jaws and facings. `None` allows any number.
    pub banks: Option<usize>,
}

impl Wish {
    /// To pot one of some balls with the cue ball, by any ball.
    #[must_use]
    pub fn pot(balls: &[&str]) -> Wish {
        let pot = balls.iter().map(|&ball| ball.into()).collect();
        Wish { cue_ball: Layout::CUE.into(), pot, ..Wish::default() }
    }

    /// But with one of these met first, as the rules may ask for.
    #[must_use]
    pub fn meeting_first(self, balls: &[&str]) -> Wish {
        Wish { meet_first: balls.iter().map(|&ball| ball.into()).collect(), ..self }
    }

    /// The same wish with these numbers of cushions: of the cue ball before its first ball, and of the ball.
    #[must_use]
    pub fn off_cushions(self, kicks: Option<usize>, banks: Option<usize>) -> Wish {
        Wish { kicks, banks, ..self }
    }

    /// Whether ways off these numbers of noses are asked for.
    pub(super) fn takes(&self, [kicks, banks]: [usize; 2]) -> bool {
        self.kicks.is_none_or(|wished| wished == kicks) && self.banks.is_none_or(|wished| wished == banks)
    }

    /// Whether a ball may be met first.
    #[must_use]
    pub fn may_meet(&self, ball: &str) -> bool {
        self.meet_first.is_empty() || self.meet_first.iter().any(|label| label == ball)
    }
}

/// A way for the cue ball to pot a ball.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) ball: usize,
    pub(super) pocket: usize,
    pub(super) route: Route,
    /// Unit vector of the aim.
    pub(super) aim: DVec2,
    /// Where the cue ball meets its first ball.
    pub(super) ghost: DVec2,
    /// Unit vector in which the ball is to leave, and half of the angle by which it may be off.
    pub(super) way: DVec2,
    pub(super) half: f64,
    /// Cosine of the angle between the last way before the ball is met and its own.
    pub(super) cut: f64,
    /// How far cue ball and balls travel in all.
    pub(super) distance: f64,
}

/// What is asked for, with balls by their numbers.
pub(super) struct Lines<'a> {
    scene: Scene<'a>,
    cue: usize,
    wish: &'a Wish,
    found: Vec<Line>,
}

/// All lines on which one of the wanted balls could be potted without a cushion.
pub(super) fn lines(game: &Game, wish: &Wish) -> Result<Vec<Line>, Error> {
    let cue = game.index_of(&wish.cue_ball)?;
    let scene = Scene::new(game);
    let Some((from, _)) = scene.balls[cue] else { return Err(game.no_ball(&wish.cue_ball)) };
    let mut lines = Lines { scene, cue, wish, found: Vec::new() };
    let wished = if wish.takes([0, 0]) { &wish.pot[..] } else { &[] };
    for label in wished {
        let ball = game.index_of(label)?;
        if let (Some((at, radius)), true) = (lines.scene.balls[ball], ball != cue) {
            for pocket in 0..game.table().pocket_circles().len() {
                lines.potted_in(from, (ball, at, radius), pocket);
            }
        }
    }
    Ok(lines.found)
}

/// A ball: its number, centre and radius.
type Placed = (usize, DVec2, f64);

impl Lines<'_> {
    fn reach(&self, a: usize, b: usize) -> f64 {
        let radius = |k: usize| self.scene.game.layout().balls[k].ball.radius;
        centres_apart(radius(a), radius(b))
    }

    /// The sides of the table for balls of a radius; none, if its cushions are placed one by one.
    fn sides(&self, radius: f64) -> Vec<(Mirror, Rail)> {
        let table = self.scene.game.table();
        if table.outline.is_some() {
            return Vec::new();
        }
        Mirror::sides(table, radius).into_iter().zip(Rail::ALL).collect()
    }

    fn label(&self, ball: usize) -> &str {
        &self.scene.game.layout().balls[ball].label
    }

    /// The ways into one pocket: straight, and along the sides.
    fn potted_in(&mut self, from: DVec2, ball: Placed, pocket: usize) {
        let (index, at, radius) = ball;
        let game = self.scene.game;
        let table = game.table();
        let (center, mouth) = table.pocket_circles()[pocket];
        let jaws = if table.outline.is_none() { jaws(table, center, radius) } else { None };
        let others = self.scene.seen(index, &[self.cue]);
        let open = windows(at, (center, mouth), jaws, &others);
        for window in &open {
            self.onto(from, ball, pocket, *window);
        }
        for (mirror, rail) in self.sides(radius) {
            if mirror.gap(at) < NEAR_RAIL {
                self.along_rail(from, ball, (pocket, center), (mirror, rail));
            }
        }
    }

    /// A ball near a rail to a pocket at the end of that: in directions from a little off the rail to the
    /// middle of the pocket.
    fn along_rail(
        &mut self,
        from: DVec2,
        ball: Placed,
        (pocket, center): (usize, DVec2),
        (mirror, rail): (Mirror, Rail),
    ) {
        let (_, at, radius) = ball;
        let (to, out) = (center - at, mirror.outwards());
        let ahead = to - out * to.dot(out);
        let (along, distance) = (length(ahead), length(to));
        // A pocket in the middle of the rail opens away from it.
        if along <= 2.0 * radius || self.scene.is_beside(center, out) {
            return;
        }
        let ahead = ahead / along;
        let most = super::geometry::angle_between(ahead, to);
        for share in ALONG {
            let way = turned(ahead, share * most);
            let window = Window { way, half: 0.1 * most.abs(), distance };
            self.straight(from, ball, pocket, window, Route::AlongRail(rail));
        }
    }

    /// The ways to send a ball off in a direction: by the cue ball, and by another ball.
    fn onto(&mut self, from: DVec2, ball: Placed, pocket: usize, window: Window) {
        self.straight(from, ball, pocket, window, Route::Direct);
        let (index, ..) = ball;
        for other in 0..self.scene.balls.len() {
            let Some((place, radius)) = self.scene.balls[other] else { continue };
            if other != self.cue && other != index && self.wish.may_meet(self.label(other)) {
                self.combination(from, ball, (pocket, window), (other, place, radius));
            }
        }
    }

    fn push(
        &mut self,
        ball: usize,
        (pocket, window): (usize, Window),
        route: Route,
        line: [DVec2; 2],
        cut: f64,
    ) {
        let [from, ghost] = line;
        let distance = length(ghost - from);
        if distance > 0.0 {
            let (aim, way, half) = ((ghost - from) / distance, window.way, window.half);
            let distance = distance + window.distance;
            self.found.push(Line { ball, pocket, route, aim, ghost, way, half, cut, distance });
        }
    }

    /// The cue ball straight at the ball.
    fn straight(&mut self, from: DVec2, ball: Placed, pocket: usize, window: Window, route: Route) {
        let (index, at, _) = ball;
        let ghost = at - window.way * self.reach(self.cue, index);
        let cut = cosine(ghost - from, window.way);
        let radius = self.scene.game.layout().balls[self.cue].ball.radius;
        let is_open =
            self.scene.is_inside(ghost, radius) && self.scene.is_clear(self.cue, from, ghost, &[index]);
        if cut > THINNEST && is_open && self.wish.may_meet(self.label(index)) {
            self.push(index, (pocket, window), route, [from, ghost], cut);
        }
    }

    /// The cue ball at another one, and that at the ball.
    fn combination(&mut self, from: DVec2, ball: Placed, to: (usize, Window), other: Placed) {
        let ((index, at, _), (by, place, radius)) = (ball, other);
        let place_at_contact = at - to.1.way * self.reach(by, index);
        let way = place_at_contact - place;
        let distance = length(way);
        if distance == 0.0 || !self.scene.is_inside(place_at_contact, radius) {
            return;
        }
        let ghost = place - way / distance * self.reach(self.cue, by);
        let own_radius = self.scene.game.layout().balls[self.cue].ball.radius;
        let cut = cosine(way, to.1.way);
        let is_open = self.scene.is_inside(ghost, own_radius)
            && self.scene.is_clear(by, place, place_at_contact, &[index, self.cue])
            && self.scene.is_clear(self.cue, from, ghost, &[by]);
        if cut > THINNEST_LATER && cosine(ghost - from, way) > THINNEST_LATER && is_open {
            let route = Route::Combination(self.label(by).into());
            self.push(index, to, route, [from, ghost], cut);
        }
    }
}

fn cosine(a: DVec2, b: DVec2) -> f64 {
    let lengths = length(a) * length(b);
    if lengths == 0.0 { -1.0 } else { a.dot(b) / lengths }
}

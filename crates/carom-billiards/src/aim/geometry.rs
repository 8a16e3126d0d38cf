//! Lines on the table: into pockets, off cushions, past balls. All in the frame of worlds.

use crate::elementary::{arc_cos, sin_cos};
use crate::motion::length;
use crate::sight::{Seen, is_in_path};
use crate::{Game, Table};
use carom_engine::DVec2;
use carom_engine::math::sqrt;
use core::f64::consts::{FRAC_PI_2, PI};

/// An angle's sine to the angle, from −π/2 to π/2.
pub(super) fn arc_sin(sine: f64) -> f64 {
    FRAC_PI_2 - arc_cos(sine)
}

/// The angle from one direction to another, from −π to π.
pub(super) fn angle_between(from: DVec2, to: DVec2) -> f64 {
    let lengths = length(from) * length(to);
    if lengths == 0.0 {
        return 0.0;
    }
    let (sin, cos) = (from.perp_dot(to) / lengths, from.dot(to) / lengths);
    let small = arc_sin(sin);
    if cos >= 0.0 { small } else { PI.copysign(small) - small }
}

/// The angle of a direction, counter-clockwise from the x axis.
pub(super) fn direction(way: DVec2) -> f64 {
    angle_between(DVec2::X, way)
}

/// A vector turned counter-clockwise.
pub(super) fn turned(way: DVec2, angle: f64) -> DVec2 {
    let (sin, cos) = sin_cos(angle);
    way * cos + way.perp() * sin
}

/// A straight side of the table, and where the centre of a ball turns round at it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mirror {
    /// Unit vector outwards.
    normal: DVec2,
    /// Where the centre turns round, along the normal.
    at: f64,
}

impl Mirror {
    /// The four sides of a table for balls of a radius: at the head, right, at the foot, left.
    pub(super) fn sides(table: &Table, radius: f64) -> [Mirror; 4] {
        let half = table.centre();
        let side = |normal: DVec2| Mirror { normal, at: half.dot(normal.abs()) - radius };
        [DVec2::NEG_Y, DVec2::X, DVec2::Y, DVec2::NEG_X].map(side)
    }

    /// How far a place is from where centres turn round.
    pub(super) fn gap(self, at: DVec2) -> f64 {
        self.at - at.dot(self.normal)
    }

    /// Unit vector outwards.
    pub(super) fn outwards(self) -> DVec2 {
        self.normal
    }
}

/// The directions in which a ball goes straight to its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    /// Unit vector in the middle of them.
    pub(super) way: DVec2,
    /// Half of the angle between the extreme ones.
    pub(super) half: f64,
    /// How far it is to the middle of the pocket.
    pub(super) distance: f64,
}

/// Steps of bisection for the edge of a window: 10⁻⁷ of it.
const STEPS: usize = 24;

/// A circle on the way of a centre: the direction of its own centre as an angle, the distance to that, and
/// the radius.
#[derive(Clone, Copy)]
struct Round {
    at: f64,
    far: f64,
    radius: f64,
}

impl Round {
    /// How far it is to the circle in a direction, if it is met.
    fn entry(self, angle: f64) -> Option<f64> {
        let (sin, cos) = sin_cos(angle - self.at);
        let beside = self.far * sin;
        let square = self.radius * self.radius - beside * beside;
        (square > 0.0 && cos > 0.0).then(|| self.far * cos - sqrt(square))
    }
}

/// The directions that lead from a place into a circle between two jaws, before anything beside the way is
/// met: discs, each with the distance at which a centre touches it. Behind the jaws are the cushions. The
/// largest window first.
pub(super) fn windows(
    from: DVec2,
    circle: (DVec2, f64),
    jaws: Option<[Seen; 2]>,
    beside: &[Seen],
) -> Vec<Window> {
    let (center, radius) = circle;
    let ahead = center - from;
    let distance = length(ahead);
    if distance <= radius {
        return Vec::new();
    }
    let round = |ball: &Seen| {
        let to = ball.at - from;
        Round { at: angle_between(ahead, to), far: length(to), radius: ball.reach }
    };
    let pocket = Round { at: 0.0, far: distance, radius };
    let reach = arc_sin(radius / distance);
    let mut open = Open { pocket, left: reach, right: -reach };
    if let Some(jaws) = jaws {
        let [a, b] = jaws.map(|jaw| round(&jaw));
        let (on_left, on_right) = if a.at > b.at { (a, b) } else { (b, a) };
        open.left = open.edge(on_left, open.right);
        open.right = open.edge(on_right, open.left);
    }
    let mut all = vec![open];
    for ball in beside {
        let is_ahead = (ball.at - from).dot(ahead) > 0.0;
        let disc = round(ball);
        if !is_ahead || disc.far - disc.radius >= distance {
            continue;
        }
        // What is left on both sides of it.
        let parts = |open: Open| {
            let (to, from) = (open.edge(disc, open.right), open.edge(disc, open.left));
            let is_whole = to == open.left && from == open.right;
            let right = Open { left: to, ..open };
            let left = Open { right: from, ..open };
            [Some(right), (!is_whole).then_some(left)].into_iter().flatten()
        };
        all = all.into_iter().filter(|open| open.right < open.left).flat_map(parts).collect();
    }
    let window = |open: Open| {
        let (half, middle) = (0.5 * (open.left - open.right), 0.5 * (open.left + open.right));
        (half > 0.0).then(|| Window { way: turned(ahead / distance, middle), half, distance })
    };
    let mut windows: Vec<Window> = all.into_iter().filter_map(window).collect();
    windows.sort_by(|a, b| b.half.total_cmp(&a.half));
    windows
}

/// Directions into a circle, from one on the right to one on the left.
#[derive(Clone, Copy)]
struct Open {
    pocket: Round,
    left: f64,
    right: f64,
}

impl Open {
    /// How far one can turn from a free direction towards a disc until that is met first; all the way to the
    /// other end if it never is, nowhere if it is at once.
    fn edge(&self, disc: Round, free: f64) -> f64 {
        let is_met = |angle: f64| match (disc.entry(angle), self.pocket.entry(angle)) {
            (Some(disc), Some(pocket)) => disc < pocket,
            (disc, _) => disc.is_some(),
        };
        let nearest = disc.at.max(self.right).min(self.left);
        if !is_met(nearest) {
            return if free == self.right { self.left } else { self.right };
        }
        if is_met(free) {
            return free;
        }
        let (mut free, mut met) = (free, nearest);
        for _ in 0..STEPS {
            let middle = 0.5 * (free + met);
            *(if is_met(middle) { &mut met } else { &mut free }) = middle;
        }
        free
    }
}

/// The two jaws of a pocket, if it has some, for the centre of a ball of a radius.
pub(super) fn jaws(table: &Table, pocket: DVec2, radius: f64) -> Option<[Seen; 2]> {
    let seen = |(at, jaw): (DVec2, f64)| Seen { at, reach: jaw + radius };
    let mut jaws: Vec<Seen> = table.jaw_circles().into_iter().map(seen).collect();
    jaws.sort_by(|a, b| length(a.at - pocket).total_cmp(&length(b.at - pocket)));
    Some([*jaws.first()?, *jaws.get(1)?])
}

/// A table with balls as a line sees it.
pub(super) struct Scene<'a> {
    pub(super) game: &'a Game,
    /// Where the balls lie, if they are on the table, and their radii.
    pub(super) balls: Vec<Option<(DVec2, f64)>>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(game: &'a Game) -> Self {
        let place = |k: usize| {
            let ball = game.ball(k).filter(carom_engine::DiscRef::is_enabled)?;
            Some((ball.position(), ball.radius()))
        };
        Scene { game, balls: (0..game.discs().len()).map(place).collect() }
    }

    /// The other balls as seen from one, except for some that are passed.
    pub(super) fn seen(&self, of: usize, passed: &[usize]) -> Vec<Seen> {
        let others = (0..self.balls.len()).filter(|k| *k != of && !passed.contains(k));
        others.filter_map(|k| self.game.seen(k, of)).collect()
    }

    /// Whether a ball gets straight from a place to another past the others.
    pub(super) fn is_clear(&self, of: usize, from: DVec2, to: DVec2, passed: &[usize]) -> bool {
        let distance = length(to - from);
        if distance == 0.0 {
            return true;
        }
        let way = (to - from) / distance;
        !self.seen(of, passed).into_iter().any(|ball| is_in_path(from, way, distance, ball))
    }

    /// Whether a pocket is in the middle of the side that faces outwards like this.
    pub(super) fn is_beside(&self, pocket: DVec2, outwards: DVec2) -> bool {
        let along = pocket - outwards * pocket.dot(outwards);
        length(along) < 0.25 * self.game.table().length.min(self.game.table().width)
    }

    /// Whether the centre of a ball can be at a place: between the noses.
    pub(super) fn is_inside(&self, at: DVec2, radius: f64) -> bool {
        at.abs().cmple(self.game.table().centre() - DVec2::splat(radius)).all()
    }
}

//! What is in the way of the cue.

use crate::cushions::{Cushions, Round, Straight};
use crate::motion::length;
use crate::{Cue, Shot};
use carom_engine::DVec2;
use carom_engine::glam::DVec3;
use carom_engine::math::elementary::sin_cos;
use carom_engine::math::sqrt;
use core::f64::consts::FRAC_PI_2;

/// The steepest cue, in radians: that of [`Shot::elevation`].
const STEEPEST: f64 = 1.57;

/// Steps of bisection for an elevation: to a billionth of a radian.
const STEPS: usize = 34;

/// Steps by which the nearest point of a round nose is found, and by how much each narrows the arc: the
/// golden section.
const ARC_STEPS: usize = 30;
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// A cue that touches a ball, in space: a cone that is cut off at the tip and at the butt.
struct Shaft<'a> {
    cue: &'a Cue,
    tip: DVec3,
    /// Unit vector from the tip to the butt.
    way: DVec3,
}

/// What can be in the way: a ball, by its centre and radius, or the upper edge of what stands on the cloth.
#[derive(Clone, Copy)]
enum Solid {
    Ball(DVec3, f64),
    Straight(Straight),
    Round(Round),
}

impl Shaft<'_> {
    /// The signed distance of a point from the surface, less than 0 inside.
    fn distance(&self, at: DVec3) -> f64 {
        let Cue { length, tip_radius, butt_radius, .. } = *self.cue;
        let to = at - self.tip;
        let along = to.dot(self.way);
        let beside = sqrt((to.length_squared() - along * along).max(0.0)) - tip_radius;
        // In the plane of the axis the side is a straight line from (0, 0) to (length, growth).
        let growth = butt_radius - tip_radius;
        let side = sqrt(length * length + growth * growth);
        let off = (beside * length - along * growth) / side;
        let foot = (along * length + beside * growth) / side;
        if off <= 0.0 {
            return off.max(-along).max(along - length);
        }
        let past = foot.clamp(0.0, side) - foot;
        sqrt(off * off + past * past)
    }

    /// How high the axis is over a place of the plan that it passes, if it gets so far.
    fn height_at(&self, far: f64, across: f64) -> Option<f64> {
        let share = far / across;
        (0.0..=self.cue.length).contains(&share).then_some(self.tip.z + self.way.z * share)
    }

    fn is_stopped_by(&self, solid: &Solid) -> bool {
        match solid {
            Solid::Ball(center, radius) => self.distance(*center) < *radius,
            Solid::Straight(edge) => {
                let nearest = self.nearest_of(edge);
                self.is_under(edge) || self.distance(nearest) < 0.0 || {
                    let beside = Straight { height: self.level_at(nearest), ..*edge };
                    self.distance(self.nearest_of(&beside)) < 0.0
                }
            }
            Solid::Round(nose) => {
                let nearest = self.nearest_of_round(nose);
                self.is_under_round(nose) || self.distance(nearest) < 0.0 || {
                    let beside = Round { height: self.level_at(nearest), ..*nose };
                    self.distance(self.nearest_of_round(&beside)) < 0.0
                }
            }
        }
    }

    /// Where the axis is as it passes the edge of a cushion, or that edge if it is lower: there the side of
    /// the cushion may be nearer than its edge.
    fn level_at(&self, edge: DVec3) -> f64 {
        let along = (edge - self.tip).dot(self.way).clamp(0.0, self.cue.length);
        edge.z.min(self.tip.z + self.way.z * along)
    }

    /// Whether the axis goes through a cushion below its edge.
    fn is_under(&self, edge: &Straight) -> bool {
        let [a, b] = edge.ends.map(|end| end - self.tip.truncate());
        let plan = self.way.truncate();
        let (left, right) = (plan.perp_dot(a), plan.perp_dot(b));
        if left * right > 0.0 || left == right {
            return false;
        }
        let crossing = a + (b - a) * (left / (left - right));
        let height = self.height_at(crossing.dot(plan), plan.length_squared());
        height.is_some_and(|height| height < edge.height)
    }

    /// The point of an edge that is nearest to the side of the cone, prolonged.
    fn nearest_of(&self, edge: &Straight) -> DVec3 {
        let [a, b] = edge.ends.map(|end| end.extend(edge.height));
        let across = |vector: DVec3| vector - self.way * vector.dot(self.way);
        let (along, from) = (b - a, a - self.tip);
        let (step, off) = (across(along), across(from));
        let square = step.length_squared();
        let mut share = 0.5;
        if square > 0.0 {
            share = -off.dot(step) / square;
            let gap = sqrt((off + step * share).length_squared());
            let Cue { length, tip_radius, butt_radius, .. } = *self.cue;
            // The root of the derivative of the distance to the axis less the radius there.
            let slope = along.dot(self.way) * (butt_radius - tip_radius) / length;
            let rest = square - slope * slope;
            if rest > 0.0 {
                share += slope * gap / sqrt(square * rest);
            }
        }
        a + along * share.clamp(0.0, 1.0)
    }

    fn is_under_round(&self, nose: &Round) -> bool {
        let (plan, to) = (self.way.truncate(), nose.center - self.tip.truncate());
        let square = plan.length_squared();
        let beside = plan.perp_dot(to);
        let within = nose.radius * nose.radius * square - beside * beside;
        if !(within > 0.0) {
            return false;
        }
        let entry = (to.dot(plan) - sqrt(within)).max(0.0);
        to.dot(plan) + sqrt(within) > 0.0
            && self.height_at(entry, square).is_some_and(|height| height < nose.height)
    }

    /// The point of the edge of a round nose, where that faces the tip, that is nearest.
    fn nearest_of_round(&self, nose: &Round) -> DVec3 {
        let facing = self.tip.truncate() - nose.center;
        let facing = facing / length(facing).max(f64::MIN_POSITIVE);
        let at = |angle: f64| {
            let (sin, cos) = sin_cos(angle);
            let edge = nose.center + (facing * cos + facing.perp() * sin) * nose.radius;
            edge.extend(nose.height)
        };
        let distance = |angle: f64| self.distance(at(angle));
        let (mut from, mut to) = (-FRAC_PI_2, FRAC_PI_2);
        for _ in 0..ARC_STEPS {
            let (left, right) = (to - (to - from) * GOLDEN, from + (to - from) * GOLDEN);
            if distance(left) < distance(right) { to = right } else { from = left }
        }
        at(0.5 * (from + to))
    }
}

/// What stands on the cloth: a cushion, a rail, or the ball of this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Cushion,
    Rail,
    Ball(usize),
}

/// A ball: its number, its centre in the plan and its radius.
pub(crate) type Lying = (usize, DVec2, f64);

/// What asks for the steepest cue where a shot strikes a ball, and from which elevation on the cue is clear.
pub(crate) fn obstruction(
    shot: &Shot,
    (at, radius): (DVec2, f64),
    cushions: &Cushions,
    balls: impl Iterator<Item = Lying>,
) -> Option<(By, Option<f64>)> {
    let (a, b) = (shot.side, shot.height);
    let behind = sqrt((1.0 - a * a - b * b).max(0.0));
    let aim = shot.aim();
    let plan = at - (aim.perp() * a + aim * behind) * radius;
    let tip = plan.extend(radius * (1.0 + b));
    let way = |elevation: f64| {
        let (sin, cos) = sin_cos(elevation);
        (elevation, (-aim * cos).extend(sin))
    };
    let shaft = |(_, way): (f64, DVec3)| Shaft { cue: &shot.cue, tip, way };
    let mut from = way(shot.elevation);
    let (mut worst, mut now, steepest) = (None, shaft(from), way(STEEPEST));
    for (solid, by) in solids(&shot.cue, [plan, -aim], cushions, balls) {
        if !now.is_stopped_by(&solid) {
            continue;
        }
        if shaft(steepest).is_stopped_by(&solid) {
            return Some((by, None));
        }
        let mut clear = steepest;
        for _ in 0..STEPS {
            // The sum of two unit vectors halves their angle, which takes no sine.
            let sum = from.1 + clear.1;
            let middle = (0.5 * (from.0 + clear.0), sum / sqrt(sum.length_squared()));
            *(if shaft(middle).is_stopped_by(&solid) { &mut from } else { &mut clear }) = middle;
        }
        (from, now) = (clear, shaft(clear));
        worst = Some((by, Some(clear.0)));
    }
    worst
}

/// What a cue can meet that lies over a line of the plan.
fn solids(
    cue: &Cue,
    [tip, way]: [DVec2; 2],
    cushions: &Cushions,
    balls: impl Iterator<Item = Lying>,
) -> impl Iterator<Item = (Solid, By)> {
    let (most, far) = (cue.tip_radius.max(cue.butt_radius), cue.length);
    let seen = move |at: DVec2| DVec2::new((at - tip).dot(way), way.perp_dot(at - tip));
    let is_near = move |at: DVec2, radius: f64| {
        let at = seen(at);
        at.y.abs() < radius + most && at.x > -radius - most && at.x < far + radius + most
    };
    let is_near_edge = move |edge: &&Straight| {
        let [a, b] = edge.ends.map(seen);
        let (low, high) = (a.min(b), a.max(b));
        low.y < most && high.y > -most && high.x > -most && low.x < far + most
    };
    let edges = cushions.straight.iter().filter(is_near_edge);
    let edges = edges.map(|edge| (Solid::Straight(*edge), By::Cushion));
    let rails = cushions.rails.iter().filter(is_near_edge);
    let rails = rails.map(|edge| (Solid::Straight(*edge), By::Rail));
    let round = cushions.round.iter().filter(move |nose| is_near(nose.center, nose.radius));
    let round = round.map(|nose| (Solid::Round(*nose), By::Cushion));
    let balls = balls.filter(move |&(_, at, radius)| is_near(at, radius));
    let balls = balls.map(|(k, at, radius)| (Solid::Ball(at.extend(radius), radius), By::Ball(k)));
    // Rails before what they rise over: of the two they mostly ask for more, and that is found once.
    balls.chain(rails).chain(edges).chain(round)
}

//! What lies in the way of a ball that is played straight at another.

use crate::contact::centres_apart;
use crate::motion::length;
use crate::{Error, Game};
use carom_engine::math::sqrt;
use carom_engine::{DVec2, DiscRef};

/// A ball as seen from another: its centre, and how far from it the centre of the other is when they touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) at: DVec2,
    pub(crate) reach: f64,
}

/// Whether a ball is in the way of one that moves straight from a place along a unit vector for some way: it
/// is met before. One that lies behind, or beside at the beginning, is not.
pub(crate) fn is_in_path(from: DVec2, way: DVec2, far: f64, ball: Seen) -> bool {
    let to = ball.at - from;
    let along = to.dot(way);
    if along <= 0.0 {
        return false;
    }
    let nearest = to - way * along.min(far);
    length(nearest) < ball.reach
}

/// The two lines along which a ball that comes from a place grazes another: unit vectors, the right one and
/// the left one, and how far it is to the point in which they touch. `None` from where it is touched already.
fn edges(from: DVec2, target: Seen) -> Option<([DVec2; 2], f64)> {
    let to = target.at - from;
    let square = to.length_squared() - target.reach * target.reach;
    if square <= 0.0 {
        return None;
    }
    let (far, distance) = (sqrt(square), length(to));
    let (cos, sin) = (far / distance, target.reach / distance);
    let ahead = to / distance;
    let turned = |sin: f64| ahead * cos + ahead.perp() * sin;
    Some(([turned(-sin), turned(sin)], far))
}

/// Whether a ball is in the way of one that is played straight at a target, to meet any point of it that
/// faces the place where it comes from, the extreme edges included.
///
/// The centre sweeps the triangle between the two lines that graze the target, as far as the circle around
/// the target on which it touches. What is nearer to that than its reach is in the way.
pub(crate) fn is_in_sight(from: DVec2, target: Seen, ball: Seen) -> bool {
    let Some(([right, left], far)) = edges(from, target) else { return false };
    if [right, left].into_iter().any(|way| is_in_path(from, way, far, ball)) {
        return true;
    }
    let to = ball.at - from;
    let is_between = right.perp_dot(to) > 0.0 && to.perp_dot(left) > 0.0;
    let ahead = target.at - from;
    // The chord between the points in which the two lines touch.
    let is_before_chord = to.dot(ahead) < far * far;
    let off = ball.at - target.at;
    let distance = length(off);
    // Those points of the circle that face the place are where the cosine is at least reach/distance.
    let faces = -off.dot(ahead) >= target.reach * distance;
    (is_between && is_before_chord) || (faces && distance - target.reach < ball.reach)
}

impl Game {
    /// The ball nearest to the cue ball of those in its way to another: that keep it from meeting, in a
    /// straight line, every point of that which faces it, both extreme edges included. `None` if nothing is
    /// in the way. Balls of `passed` are looked through.
    ///
    /// It is what snooker asks for (World Professional Billiards and Snooker Association, Official Rules,
    /// section 2, 17). Cushions do not count.
    ///
    /// # Errors
    /// If one of them is not on the table.
    pub fn in_the_way(&self, of: &str, to: &str, passed: &[&str]) -> Result<Option<&str>, Error> {
        let cue = self.index_of(of)?;
        let Some(ball) = self.ball(cue).filter(DiscRef::is_enabled) else {
            return Err(self.no_ball(of));
        };
        self.in_the_way_from(ball.position(), of, to, passed)
    }

    /// The same from another place than its own, in the frame of worlds.
    pub(crate) fn in_the_way_from(
        &self,
        from: DVec2,
        of: &str,
        to: &str,
        passed: &[&str],
    ) -> Result<Option<&str>, Error> {
        let (of, to) = (self.index_of(of)?, self.index_of(to)?);
        let target = self.seen(to, of).ok_or_else(|| self.no_ball(&self.layout().balls[to].label))?;
        let mut nearest: Option<(f64, &str)> = None;
        for (k, placed) in self.layout().balls.iter().enumerate().filter(|(k, _)| *k != of && *k != to) {
            let label = placed.label.as_str();
            let Some(seen) = self.seen(k, of).filter(|_| !passed.contains(&label)) else { continue };
            let distance = length(seen.at - from);
            if is_in_sight(from, target, seen) && nearest.is_none_or(|(least, _)| distance < least) {
                nearest = Some((distance, label));
            }
        }
        Ok(nearest.map(|(_, label)| label))
    }

    /// A ball on the table as seen from another.
    pub(crate) fn seen(&self, ball: usize, from: usize) -> Option<Seen> {
        let radius = self.layout().balls[from].ball.radius;
        let ball = self.ball(ball).filter(DiscRef::is_enabled)?;
        Some(Seen { at: ball.position(), reach: centres_apart(radius, ball.radius()) })
    }
}

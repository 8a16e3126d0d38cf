//! The exact path of one disc.

use carom_engine::Spin;
use carom_engine::math::elementary::exp_m1;
use glam::DVec2;

/// From `time` on the disc is at `position + velocity · (t − time) + ½ acceleration · (t − time)²`, until the
/// next piece begins; under drag at a rate k, and then without acceleration, at
/// `position + velocity · (1 − e^(−k (t − time)))/k`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Piece {
    /// Seconds since the recording began.
    pub(crate) time: f64,
    pub(crate) position: DVec2,
    pub(crate) velocity: DVec2,
    pub(crate) acceleration: DVec2,
    /// The rate of the drag; 0 for none.
    pub(crate) drag: f64,
    /// How it is turned at `time`, and turns from then on.
    pub(crate) spin: Spin,
}

impl Piece {
    /// Without an acceleration.
    pub(crate) fn straight(time: f64, position: DVec2, velocity: DVec2) -> Self {
        Self { time, position, velocity, acceleration: DVec2::ZERO, drag: 0.0, spin: Spin::default() }
    }

    /// The time in which a disc that keeps its velocity comes as far as this one until `time`.
    fn unslowed(&self, time: f64) -> f64 {
        let dt = time - self.time;
        if self.drag == 0.0 { dt } else { -exp_m1(-self.drag * dt) / self.drag }
    }

    pub(crate) fn at(&self, time: f64) -> DVec2 {
        let dt = self.unslowed(time);
        self.position + (self.velocity + self.acceleration * (0.5 * dt)) * dt
    }

    /// The angle at `time`, in radians, counterclockwise.
    fn angle_at(&self, time: f64) -> f64 {
        let Spin { angle, angular_velocity, angular_acceleration } = self.spin;
        let dt = time - self.time;
        angle + (angular_velocity + angular_acceleration * (0.5 * dt)) * dt
    }

    /// The velocity at `time`.
    pub(crate) fn velocity_at(&self, time: f64) -> DVec2 {
        let slowed = self.velocity * (1.0 - self.drag * self.unslowed(time));
        slowed + self.acceleration * (time - self.time)
    }

    /// Whether a disc at such a place at `time`, with such a velocity, goes on along this piece. Under drag
    /// both are rounded in other ways here than in the world.
    pub(crate) fn leads_to(&self, time: f64, position: DVec2, velocity: DVec2) -> bool {
        let (off, other) = (position - self.at(time), velocity - self.velocity_at(time));
        if self.drag == 0.0 {
            return off == DVec2::ZERO && other == DVec2::ZERO;
        }
        let speed = self.velocity.length();
        off.length() <= ROUNDING * (position.length() + speed / self.drag)
            && other.length() <= ROUNDING * speed
    }

    /// The moments from `from` to `to` at which it turns back along an axis: together with the ends they are
    /// as far as it gets.
    pub(crate) fn turning_points(&self, from: f64, to: f64) -> impl Iterator<Item = f64> {
        let turns = [0, 1].map(|axis| self.time - self.velocity[axis] / self.acceleration[axis]);
        turns.into_iter().filter(move |turn| from < *turn && *turn < to)
    }

    /// Into how many chords of the same duration it is to be cut from `from` to `to`, so that none is further
    /// than `detail` from the parabola: that of a duration T is off by ⅛ |a| T².
    fn chords(&self, from: f64, to: f64, detail: f64) -> u32 {
        let sagitta = 0.125 * self.acceleration.length() * (to - from) * (to - from);
        let chords = (sagitta / detail).sqrt().ceil();
        if chords > 1.0 { chords.min(MOST_CHORDS) as u32 } else { 1 }
    }

    /// Length of the path from `from` to `to`. That of a parabola is a sum of chords, within a hundredth.
    fn length(&self, from: f64, to: f64) -> f64 {
        if self.acceleration == DVec2::ZERO {
            return self.velocity.length() * (self.unslowed(to) - self.unslowed(from));
        }
        let at = |k: u32| self.at(from + (to - from) * f64::from(k) / f64::from(CHORDS_OF_A_LENGTH));
        (0..CHORDS_OF_A_LENGTH).map(|k| at(k).distance(at(k + 1))).sum()
    }

    fn is_finite(&self) -> bool {
        self.time.is_finite()
            && self.position.is_finite()
            && self.velocity.is_finite()
            && self.acceleration.is_finite()
    }
}

/// What may come of rounding, as a fraction, over any number of half-lives that still move anything.
const ROUNDING: f64 = 1e-12;

/// The most chords of one piece, however large the picture is.
const MOST_CHORDS: f64 = 512.0;

/// Chords of a parabola whose length is to be known within a hundredth of it.
const CHORDS_OF_A_LENGTH: u32 = 16;

/// The exact path of one disc: pieces in order of time, never empty, every number finite.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    /// Where the disc was when the recording began; outlives [`Track::forget_before`].
    pub(crate) start: DVec2,
    pieces: Vec<Piece>,
    /// When the disc left the world, if it did.
    pub(crate) left: Option<f64>,
}

impl Track {
    /// A path that begins with `first`; numbers that are not finite become 0.
    pub(crate) fn new(first: Piece) -> Self {
        let first = if first.is_finite() { first } else { Piece::straight(0.0, DVec2::ZERO, DVec2::ZERO) };
        Self { start: first.position, pieces: vec![first], left: None }
    }

    /// Continues the path. Pieces that are not finite, or earlier than the last, are not taken.
    /// Returns the number of pieces that this added: 0 if it replaces one of the same moment.
    pub(crate) fn push(&mut self, piece: Piece) -> usize {
        let last = self.pieces.len() - 1;
        if !piece.is_finite() || piece.time < self.pieces[last].time {
            0
        } else if piece.time == self.pieces[last].time {
            self.pieces[last] = piece;
            0
        } else {
            self.pieces.push(piece);
            1
        }
    }

    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    pub(crate) fn last(&self) -> &Piece {
        &self.pieces[self.pieces.len() - 1]
    }

    /// The piece that holds at `time`; the first one for anything before it.
    fn index_at(&self, time: f64) -> usize {
        self.pieces.partition_point(|p| p.time <= time).saturating_sub(1)
    }

    /// Where the disc is at `time`: before the first piece where that begins.
    pub(crate) fn position_at(&self, time: f64) -> DVec2 {
        let piece = &self.pieces[self.index_at(time)];
        piece.at(time.max(piece.time))
    }

    /// How the disc is turned at `time`.
    pub(crate) fn angle_at(&self, time: f64) -> f64 {
        let piece = &self.pieces[self.index_at(time)];
        piece.angle_at(time.max(piece.time))
    }

    /// Points of the path up to `end` between which it is along either axis: where pieces begin, turn back
    /// and end.
    pub(crate) fn outermost(&self, end: f64) -> impl Iterator<Item = DVec2> {
        let end = self.left.unwrap_or(end);
        let ends = self.pieces.iter().skip(1).map(|next| next.time).chain([end]);
        let turns = self.pieces.iter().zip(ends).flat_map(|(piece, to)| {
            let turns = piece.turning_points(piece.time, to);
            turns.map(|time| piece.at(time))
        });
        self.pieces.iter().map(|piece| piece.position).chain(turns).chain([self.position_at(end)])
    }

    /// Whether the disc is in the world at `time`.
    pub(crate) fn present_at(&self, time: f64) -> bool {
        self.left.is_none_or(|left| time < left)
    }

    /// Corners of the path from `from` to `to` with their times, both ends included; parabolas in chords no
    /// further from them than `detail`. Appended to `corners`.
    pub(crate) fn corners(&self, from: f64, to: f64, detail: f64, corners: &mut Vec<(f64, DVec2)>) {
        let from = from.max(self.pieces[0].time);
        let to = self.left.map_or(to, |left| to.min(left));
        if from > to || from.is_nan() || to.is_nan() {
            return;
        }
        let first = self.index_at(from);
        let mut begin = from;
        for (k, piece) in self.pieces.iter().enumerate().skip(first) {
            let end = self.pieces.get(k + 1).map_or(to, |next| next.time.min(to));
            corners.push((begin, piece.at(begin)));
            let chords = piece.chords(begin, end, detail);
            let inner = (1..chords).map(|n| begin + (end - begin) * f64::from(n) / f64::from(chords));
            corners.extend(inner.map(|time| (time, piece.at(time))));
            if end >= to {
                break;
            }
            begin = end;
        }
        corners.push((to, self.position_at(to)));
    }

    /// Length of the path from `from` to `to`.
    pub(crate) fn length(&self, from: f64, to: f64) -> f64 {
        let to = self.left.map_or(to, |left| to.min(left));
        let mut length = 0.0;
        let mut begin = from.max(self.pieces[0].time);
        for (k, piece) in self.pieces.iter().enumerate().skip(self.index_at(begin)) {
            let end = self.pieces.get(k + 1).map_or(to, |next| next.time.min(to));
            if end <= begin {
                break;
            }
            length += piece.length(begin, end);
            begin = end;
        }
        length
    }

    /// Drops all pieces that end before `time`. Returns how many.
    pub(crate) fn forget_before(&mut self, time: f64) -> usize {
        let keep_from = self.index_at(time);
        self.pieces.drain(..keep_from);
        keep_from
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(time: f64, x: f64, y: f64, vx: f64, vy: f64) -> Piece {
        Piece::straight(time, DVec2::new(x, y), DVec2::new(vx, vy))
    }

    /// Right for 2 s, up for 1 s, then at rest.
    fn corner() -> Track {
        let mut track = Track::new(piece(0.0, 0.0, 0.0, 1.0, 0.0));
        assert_eq!(track.push(piece(2.0, 2.0, 0.0, 0.0, 3.0)), 1);
        assert_eq!(track.push(piece(3.0, 2.0, 3.0, 0.0, 0.0)), 1);
        track
    }

    #[test]
    fn positions_are_exact_at_and_between_the_pieces() {
        let track = corner();
        for (time, x, y) in [
            (-1.0, 0.0, 0.0),
            (0.5, 0.5, 0.0),
            (2.0, 2.0, 0.0),
            (2.25, 2.0, 0.75),
            (3.0, 2.0, 3.0),
            (9.0, 2.0, 3.0),
        ] {
            assert_eq!(track.position_at(time), DVec2::new(x, y), "at {time}");
        }
    }

    #[test]
    fn corners_and_length_of_a_stretch() {
        let track = corner();
        let mut corners = Vec::new();
        track.corners(1.0, 2.5, 1.0, &mut corners);
        assert_eq!(
            corners,
            [(1.0, DVec2::new(1.0, 0.0)), (2.0, DVec2::new(2.0, 0.0)), (2.5, DVec2::new(2.0, 1.5))]
        );
        assert_eq!(track.length(1.0, 2.5), 2.5);
        assert_eq!(track.length(-5.0, 50.0), 5.0);
        assert_eq!(track.length(7.0, 8.0), 0.0);
    }

    #[test]
    fn a_piece_of_the_same_moment_replaces_and_bad_ones_are_not_taken() {
        let mut track = corner();
        assert_eq!(track.push(piece(3.0, 2.0, 3.0, 5.0, 0.0)), 0);
        assert_eq!(track.push(piece(1.0, 9.0, 9.0, 0.0, 0.0)), 0);
        assert_eq!(track.push(piece(4.0, f64::NAN, 0.0, 0.0, 0.0)), 0);
        assert_eq!(track.pieces().len(), 3);
        assert_eq!(track.position_at(4.0), DVec2::new(7.0, 3.0));
    }

    #[test]
    fn forgetting_keeps_the_piece_in_force_and_the_start() {
        let mut track = corner();
        assert_eq!(track.forget_before(2.5), 1);
        assert_eq!(track.position_at(2.5), DVec2::new(2.0, 1.5));
        assert_eq!(track.start, DVec2::ZERO);
        assert_eq!(track.forget_before(100.0), 1);
        assert_eq!(track.pieces().len(), 1);
    }

    /// Thrown up at 8 under a gravity of 8, sideways at 1: back after 2 s, 4 high after 1 s.
    #[test]
    fn a_parabola_is_cut_into_chords_that_are_near_it() {
        let (position, velocity) = (DVec2::ZERO, DVec2::new(1.0, 8.0));
        let acceleration = DVec2::new(0.0, -8.0);
        let thrown = Piece { acceleration, ..Piece::straight(0.0, position, velocity) };
        let track = Track::new(thrown);
        assert_eq!(track.position_at(1.0), DVec2::new(1.0, 4.0));
        assert_eq!(thrown.at(2.0), DVec2::new(2.0, 0.0));
        assert_eq!(thrown.turning_points(0.0, 2.0).collect::<Vec<_>>(), [1.0]);
        for detail in [1e-1, 1e-3] {
            let mut corners = Vec::new();
            track.corners(0.0, 2.0, detail, &mut corners);
            for pair in corners.windows(2) {
                // Halfway in time a chord is as far from the parabola as anywhere: ⅛ a T².
                let (middle, chord) = (0.5 * (pair[0].0 + pair[1].0), 0.5 * (pair[0].1 + pair[1].1));
                assert!(track.position_at(middle).distance(chord) <= detail);
            }
            assert!(corners.len() < 4 + (2.0 / detail.sqrt()) as usize, "{detail}: {}", corners.len());
        }
        // The length of y = 8t − 4t² over x = t: ½ (√65 + asinh(8)/8) on either side of the top.
        let length = 65.0_f64.sqrt() + 8.0_f64.asinh() / 8.0;
        assert!((track.length(0.0, 2.0) / length - 1.0).abs() < 1e-2);
    }

    /// Half of the way that is left, v/k = 4, in each half-life.
    #[test]
    fn drag_slows_a_piece_down() {
        let slowed = Piece { drag: 0.5, ..piece(1.0, 3.0, 0.0, 2.0, 0.0) };
        let half_life = core::f64::consts::LN_2 / 0.5;
        for (half_lives, x, speed) in [(0.0, 3.0, 2.0), (1.0, 5.0, 1.0), (2.0, 6.0, 0.5), (200.0, 7.0, 0.0)] {
            let time = 1.0 + half_lives * half_life;
            assert!((slowed.at(time).x - x).abs() < 1e-14, "{half_lives}");
            assert!((slowed.velocity_at(time).x - speed).abs() < 1e-14, "{half_lives}");
            assert!(slowed.leads_to(time, DVec2::new(x, 0.0), DVec2::new(speed, 0.0)));
        }
        assert!(!slowed.leads_to(1.0 + half_life, DVec2::new(5.0, 1e-9), DVec2::new(1.0, 0.0)));
        let track = Track::new(slowed);
        assert!((track.length(1.0, 1.0 + half_life) - 2.0).abs() < 1e-14);
        assert!((track.length(1.0 + half_life, 1.0 + 2.0 * half_life) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn who_left_stays_where_it_left() {
        let mut track = corner();
        track.left = Some(2.5);
        assert!(track.present_at(2.4) && !track.present_at(2.5));
        let mut corners = Vec::new();
        track.corners(2.25, 10.0, 1.0, &mut corners);
        assert_eq!(corners, [(2.25, DVec2::new(2.0, 0.75)), (2.5, DVec2::new(2.0, 1.5))]);
    }
}

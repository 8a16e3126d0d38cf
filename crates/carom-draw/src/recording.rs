//! What is drawn, apart from any engine: paths, walls, impacts and how they look.

use carom_engine::WallShape;
use glam::DVec2;

use crate::clip::Area;
use crate::outline::Outline as _;
use crate::track::{Piece, Track};
use crate::{Look, Style};

/// One disc with its path.
#[derive(Clone, Debug)]
pub(crate) struct Actor {
    pub(crate) radius: f64,
    pub(crate) look: Look,
    pub(crate) track: Track,
}

/// Where and when there was a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mark {
    pub(crate) time: f64,
    pub(crate) point: DVec2,
    pub(crate) at_wall: bool,
    /// The number of the impact that it is part of.
    pub(crate) impact: u64,
}

/// A run, ready to be drawn. Times are seconds since the recording began.
#[derive(Clone, Debug)]
pub(crate) struct Recording {
    pub(crate) style: Style,
    pub(crate) actors: Vec<Actor>,
    /// Whether discs turn in the plane.
    pub(crate) turns: bool,
    pub(crate) outlines: Vec<WallShape>,
    /// The lengths after which the plane repeats itself from the origin on; 0 along an axis along which it
    /// does not. Paths go on beyond the edges.
    pub(crate) periods: DVec2,
    /// The latest contacts, in order of time.
    marks: Vec<Mark>,
    /// The impact that the latest mark is a contact of.
    latest: Option<u64>,
    /// All impacts, those that are no longer among the marks, too; one may have several contacts.
    pub(crate) impacts: u64,
    /// End of the recording.
    pub(crate) end: f64,
    /// What the clock showed when the recording began.
    pub(crate) clock: f64,
    /// Paths are exact from here on; what came before has been dropped.
    pub(crate) known_from: f64,
    limit: usize,
    /// Pieces of all tracks beyond the first of each.
    pieces: usize,
}

impl Recording {
    pub(crate) fn new(style: Style, clock: f64, limit: usize) -> Self {
        Self {
            style,
            actors: Vec::new(),
            turns: false,
            outlines: Vec::new(),
            periods: DVec2::ZERO,
            marks: Vec::new(),
            latest: None,
            impacts: 0,
            end: 0.0,
            clock,
            known_from: 0.0,
            limit: limit.max(1),
            pieces: 0,
        }
    }

    pub(crate) fn set_limit(&mut self, limit: usize) {
        self.limit = limit.max(1);
        self.keep_to_the_limit();
    }

    /// Continues the path of a disc.
    pub(crate) fn push(&mut self, actor: usize, piece: Piece) {
        let Some(actor) = self.actors.get_mut(actor) else { return };
        self.end = if piece.time.is_finite() { self.end.max(piece.time) } else { self.end };
        self.pieces += actor.track.push(piece);
        self.keep_to_the_limit();
    }

    /// Notes a contact. Those of one impact follow each other.
    pub(crate) fn mark(&mut self, mark: Mark) {
        if self.latest.replace(mark.impact) != Some(mark.impact) {
            self.impacts += 1;
        }
        if mark.time.is_finite() && mark.point.is_finite() {
            self.marks.push(mark);
        }
        if self.marks.len() > self.limit {
            let drop = self.marks.len() - self.limit / 2;
            self.marks.drain(..drop);
        }
    }

    /// Drops the older half of everything when there are more pieces than the limit: half, so that the work
    /// of choosing is spread over as many pieces as are kept.
    fn keep_to_the_limit(&mut self) {
        if self.pieces <= self.limit {
            return;
        }
        let mut times: Vec<f64> =
            self.actors.iter().flat_map(|a| a.track.pieces().iter().skip(1).map(|p| p.time)).collect();
        let middle = times.len() / 2;
        let (_, &mut cut, _) = times.select_nth_unstable_by(middle, f64::total_cmp);
        self.known_from = self.known_from.max(cut);
        for actor in &mut self.actors {
            self.pieces -= actor.track.forget_before(cut);
        }
    }

    /// Contacts from `from` to `to`, both included, in order of time.
    pub(crate) fn marks(&self, from: f64, to: f64) -> &[Mark] {
        let begin = self.marks.partition_point(|m| m.time < from);
        let end = self.marks.partition_point(|m| m.time <= to);
        self.marks.get(begin..end).unwrap_or(&[])
    }

    /// How many impacts there were up to `time`.
    pub(crate) fn impacts_until(&self, time: f64) -> u64 {
        let later = &self.marks[self.marks.partition_point(|m| m.time <= time)..];
        let later = later.chunk_by(|a, b| a.impact == b.impact).count();
        self.impacts.saturating_sub(later as u64)
    }

    /// Whether closed walls, and nothing endless, are the edge of what is shown.
    pub(crate) fn is_framed(&self) -> bool {
        self.outlines.iter().any(|wall| wall.encloses())
            && !self.outlines.iter().any(|o| matches!(o, WallShape::HalfPlane { .. }))
    }

    /// The largest rectangle that is a wall: the table, if this is one.
    pub(crate) fn table(&self) -> Option<(usize, Area)> {
        let is_table = matches!(self.style.surface, crate::Surface::Cloth(_)) || self.style.cushion.is_some();
        let rectangles = self.outlines.iter().enumerate().filter_map(|(k, o)| Some((k, o.rectangle()?)));
        let largest = rectangles.max_by(|a, b| {
            let area = |r: &Area| r.size().x * r.size().y;
            area(&a.1).total_cmp(&area(&b.1)).then(b.0.cmp(&a.0))
        })?;
        (is_table && largest.1.size().min_element() > 0.0).then_some(largest)
    }

    /// What is to be seen, in world units: finite, `min` ≤ `max`, perhaps without area.
    pub(crate) fn bounds(&self) -> Area {
        if let Some((min, max)) = self.style.bounds {
            return Area::new(min, max);
        }
        self.of_a_period(&self.extent())
    }

    /// One period, along the axes that have one.
    pub(crate) fn of_a_period(&self, area: &Area) -> Area {
        let along = |axis: usize| {
            let period = self.periods[axis];
            if period > 0.0 { (0.0, period) } else { (area.min[axis], area.max[axis]) }
        };
        let (x, y) = (along(0), along(1));
        Area::new(DVec2::new(x.0, y.0), DVec2::new(x.1, y.1))
    }

    /// Where walls and paths are.
    fn extent(&self) -> Area {
        let mut core: Option<Area> = None;
        let mut include = |area: Area| {
            if area.min.is_finite() && area.max.is_finite() && area.size().is_finite() {
                core = Some(core.map_or(area, |c| c.union(&area)));
            }
        };
        self.outlines.iter().filter_map(|wall| wall.bounds()).for_each(&mut include);
        for actor in &self.actors {
            include(Area::new(actor.track.start, actor.track.start).grown(actor.radius));
        }
        let Some(mut core) = core else { return Area::new(DVec2::ZERO, DVec2::ZERO) };
        for outline in &self.outlines {
            core = with_edge(&core, outline);
        }
        // A disc that flies off for ever must not shrink the rest to a speck.
        let far = core.grown(core.size().max_element());
        let mut shown = core;
        for actor in &self.actors {
            for p in actor.track.outermost(self.end) {
                let disc = Area::new(p, p).grown(actor.radius);
                let cut = Area::new(disc.min.clamp(far.min, far.max), disc.max.clamp(far.min, far.max));
                if p.is_finite() {
                    shown = shown.union(&cut);
                }
            }
        }
        if shown.size().is_finite() { shown } else { core }
    }
}

/// A half-plane has no bounds, but an edge that is near belongs to the scene, with some of the solid behind
/// it.
pub(crate) fn with_edge(core: &Area, outline: &WallShape) -> Area {
    let WallShape::HalfPlane { point, normal } = outline else { return *core };
    let normal = normal.normalize_or_zero();
    let size = core.size().max_element();
    let foot = core.centre() - normal * (core.centre() - *point).dot(normal);
    let near = foot.is_finite() && core.grown(size).contains(foot);
    let edge = Area::new(foot, foot - normal * (0.06 * size));
    if near { core.union(&Area::new(edge.min.min(edge.max), edge.min.max(edge.max))) } else { *core }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: f64, x: f64) -> Piece {
        Piece::straight(time, DVec2::new(x, 0.0), DVec2::new(1.0, 0.0))
    }

    fn with_discs(count: usize, limit: usize) -> Recording {
        let mut recording = Recording::new(Style::default(), 0.0, limit);
        for _ in 0..count {
            recording.actors.push(Actor {
                radius: 0.5,
                look: Look::default(),
                track: Track::new(at(0.0, 0.0)),
            });
        }
        recording
    }

    #[test]
    fn the_oldest_pieces_go_first_and_the_rest_stays_exact() {
        let mut recording = with_discs(2, 100);
        for k in 1..=1000 {
            let time = f64::from(k);
            recording.push(k as usize % 2, at(time, time));
            let held: usize = recording.actors.iter().map(|a| a.track.pieces().len()).sum();
            assert!(held <= 102, "{held} pieces");
        }
        assert!(recording.known_from >= 900.0 && recording.known_from < 1000.0, "{}", recording.known_from);
        for time in [recording.known_from, 999.25, 1000.0] {
            assert_eq!(recording.actors[0].track.position_at(time).x, time);
            assert_eq!(recording.actors[1].track.position_at(time).x, time);
        }
        assert_eq!(recording.actors[0].track.start.x, 0.0);
    }

    #[test]
    fn marks_are_bounded_but_counted() {
        let mut recording = with_discs(1, 10);
        for k in 0..95_u32 {
            for at_wall in [true, false] {
                recording.mark(Mark { time: f64::from(k), point: DVec2::ZERO, at_wall, impact: k.into() });
            }
        }
        assert_eq!(recording.impacts, 95);
        assert!(recording.marks(0.0, 1e9).len() <= 10);
        assert_eq!(recording.impacts_until(93.5), 94);
        assert_eq!(recording.marks(92.5, 94.0).len(), 4, "two contacts each");
        assert!(recording.marks(5.0, 4.0).is_empty());
    }

    #[test]
    fn bounds_do_not_follow_who_flies_off() {
        let mut recording = with_discs(1, 10);
        recording.outlines.push(WallShape::Container { min: DVec2::ZERO, max: DVec2::new(4.0, 2.0) });
        recording.push(0, at(1e6, 1e6));
        let bounds = recording.bounds();
        assert_eq!(bounds.max, DVec2::new(8.5, 2.0));
        let edge = |x| WallShape::HalfPlane { point: DVec2::new(x, 77.0), normal: DVec2::X };
        recording.outlines = vec![edge(-2.0)];
        assert_eq!(recording.bounds().min.x, -0.5, "too far away to belong to it: it is left out");
        recording.outlines = vec![edge(-0.8)];
        assert!(recording.bounds().min.x < -0.8, "near: seen, with some of its solid");
        recording.style.bounds = Some((DVec2::ZERO, DVec2::ONE));
        assert_eq!(recording.bounds(), Area::new(DVec2::ZERO, DVec2::ONE));
    }
}

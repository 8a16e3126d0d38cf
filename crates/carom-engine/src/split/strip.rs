use crate::state::bodies::Bodies;
use crate::{Physics, Smooth, World};
use carom_broadphase::Slot;
use carom_math::Time;
use glam::DVec2;

/// Discs are known to a part so many mean distances beyond its strip, if that is wide enough.
const MARGIN: f64 = 14.0;

/// How the plane is cut: across one axis, by lines between which there are as many discs each.
#[derive(Clone, Debug)]
pub(super) struct Cuts {
    /// 0 if the lines are x = const, 1 if they are y = const.
    pub(super) axis: usize,
    /// Along that axis, if there is one.
    pub(super) period: Option<f64>,
    /// The borders of the strips: one more than there are strips. In a period the first is the last one's
    /// image; else the outer ones are infinite.
    pub(super) borders: Vec<f64>,
    /// At how far beyond a border two discs cannot touch across it, and what they do is still to be agreed
    /// on.
    pub(super) half_width: f64,
    /// How far beyond its strip discs are known to a part.
    pub(super) margin: f64,
}

/// A strip of the plane: the discs in it, and the impacts, are those of one part.
#[derive(Clone, Debug)]
pub(super) struct Strip {
    pub(super) axis: usize,
    pub(super) period: Option<f64>,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Cuts {
    /// Into at most so many strips; `None` if there are too few discs for two.
    pub(super) fn of(world: &World, strips: usize) -> Option<Self> {
        let (bodies, now) = (&world.bodies, world.now);
        let (low, high) = bounds(bodies, now)?;
        let extents = high - low;
        let axis = usize::from(extents.y > extents.x);
        let spacing = (extents.x * extents.y / bodies.len() as f64).sqrt();
        let half_width = 2.5 * bodies.largest;
        let mut places: Vec<f64> =
            bodies.live().map(|slot| bodies.wrapped_motion_at(slot, now).position[axis]).collect();
        places.sort_unstable_by(f64::total_cmp);
        (2..=strips).rev().find_map(|strips| {
            let inner = (1..strips).map(|k| places[k * places.len() / strips]);
            let period = [bodies.periods.x(), bodies.periods.y()][axis];
            let ends = period.map_or([f64::NEG_INFINITY, f64::INFINITY], |period| [0.0, period]);
            let borders: Vec<f64> =
                core::iter::once(ends[0]).chain(inner).chain(core::iter::once(ends[1])).collect();
            let inside = |x: f64| x.clamp(low[axis], high[axis]);
            let narrowest = borders.windows(2).map(|pair| inside(pair[1]) - inside(pair[0]));
            let narrowest = narrowest.fold(f64::INFINITY, f64::min);
            let margin = (MARGIN * spacing).min(0.25 * narrowest).max(4.0 * half_width);
            let cuts = Cuts { axis, period, borders, half_width, margin };
            (narrowest > 8.0 * half_width).then_some(cuts)
        })
    }

    pub(super) fn strips(&self) -> usize {
        self.borders.len() - 1
    }

    pub(super) fn strip(&self, k: usize) -> Strip {
        Strip { axis: self.axis, period: self.period, low: self.borders[k], high: self.borders[k + 1] }
    }

    /// The lines between two strips: each with its place and the number of the strips before and after it.
    pub(super) fn seams(&self) -> impl Iterator<Item = (f64, [usize; 2])> + '_ {
        let first = usize::from(self.period.is_none());
        (first..self.strips()).map(|k| (self.borders[k], [(k + self.strips() - 1) % self.strips(), k]))
    }
}

/// Where the discs are: within periods, or between the outermost.
fn bounds(bodies: &Bodies<Smooth>, now: Time) -> Option<(DVec2, DVec2)> {
    let places = bodies.live().map(|slot| bodies.wrapped_motion_at(slot, now).position);
    let (mut low, mut high) = places
        .map(|place| (place, place))
        .reduce(|(low, high), (place, _)| (low.min(place), high.max(place)))?;
    for (axis, period) in [bodies.periods.x(), bodies.periods.y()].into_iter().enumerate() {
        if let Some(period) = period {
            (low[axis], high[axis]) = (0.0, period);
        }
    }
    Some((low, high))
}

impl Strip {
    /// Whether a place, wrapped into the period, is in it.
    #[inline]
    pub(super) fn contains(&self, place: DVec2) -> bool {
        (self.low..self.high).contains(&place[self.axis])
    }

    /// How far beyond the strip a place is; 0 inside.
    #[inline]
    pub(super) fn distance(&self, place: DVec2) -> f64 {
        let x = place[self.axis];
        let [below, above] = [self.low - x, x - self.high];
        let direct = below.max(above).max(0.0);
        match self.period {
            Some(period) if direct > 0.0 => {
                direct.min((below + period).max(0.0)).min((above + period).max(0.0))
            }
            _ => direct,
        }
    }

    /// How far beyond it a disc is at a time.
    #[inline]
    pub(super) fn distance_of<P: Physics>(&self, bodies: &Bodies<P>, slot: Slot, time: Time) -> f64 {
        self.distance(bodies.wrapped_motion_at(slot, time).position)
    }
}

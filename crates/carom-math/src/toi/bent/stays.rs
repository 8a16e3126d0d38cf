use super::Motion;
use super::path::{Crossing, Path};
use crate::DVec2;
use crate::toi::Stays;

/// As [`crate::toi::stays_within`], on a parabola.
///
/// The distance from the middle is monotone in at most four pieces, and crosses the circle at most once in
/// each; what is past are the pieces of the path flown backwards.
#[cold]
pub(in crate::toi) fn stays_within(centre: &Motion, radius: f64) -> Stays {
    let ahead = centre.path_from(DVec2::ZERO);
    let starts_inside = !(ahead.gap_decided(0.0, radius) > 0.0);
    if !starts_inside && ahead.stays_outside(0.0, radius) {
        return Stays::NEVER;
    }
    let (future, since) = (from_now(&ahead, radius, starts_inside), Path { v: -ahead.v, ..ahead });
    let past = from_now(&since, radius, starts_inside);
    let mut stays = Stays::NEVER;
    for &[from, to] in past.as_slice().iter().rev() {
        if from > 0.0 {
            stays.push(-to, -from);
        }
    }
    let begun = past.as_slice().first().filter(|_| starts_inside);
    for (k, &[from, to]) in future.as_slice().iter().enumerate() {
        let from = begun.filter(|_| k == 0).map_or(from, |[_, since]| -since);
        stays.push(from, to);
    }
    stays
}

/// The stays from the present on, of which the first begins at 0 if the path starts inside.
fn from_now(path: &Path, radius: f64, starts_inside: bool) -> Stays {
    let (mut stays, mut since) = (Stays::NEVER, starts_inside.then_some(0.0));
    for piece in path.pieces(radius) {
        match since {
            None if piece.falls => since = path.crossing_in(&piece, radius, Crossing::Inwards),
            Some(from) if !piece.falls => {
                if let Some(to) = path.crossing_in(&piece, radius, Crossing::Outwards) {
                    stays.push(from, to);
                    since = None;
                }
            }
            _ => {}
        }
    }
    stays
}

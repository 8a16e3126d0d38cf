//! Disc against half-plane and segment.

use carom_math::toi::{self, Memory, Motion, Side};
use carom_math::{DVec2, HalfPlane, Segment};
use proptest::prelude::*;

use crate::cases::{decades, direction, few_ulps, oriented, scale, slant, ulps};
use crate::judge::{Candidate, judge};
use crate::oracle::{Big, Quadratic, U, Vector};
use crate::run::law;

/// Largest error of a time to reach a line, in units of `U (|p − q| + |v| t)/w`: `q` the line's point, `w`
/// the speed of approach, so that `|v|/w` is the conditioning of a glancing path.
///
/// Derived as 4: the height is off by 3 roundings of `|p − q|` and one of the gap `w t`, the speed of
/// approach by 2 of |v|, the quotient by 1 of `w t`.
const LINE: f64 = 4.0;

/// Largest error of a time to reach the end of a segment, in units of `U S/(|v| s)`, `S` the sum of all
/// coordinates and lengths: `disc_disc`'s 12, and one for the rounding of `p − q`, two for that of the end.
const END: f64 = 15.0;

/// Half width of the band within which a foot on the line may count as on the segment or not, in units of
/// `U S (1 + |v|/w)`: the slack of the seams and the rounding of the foot.
const FOOT: f64 = 64.0;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) disc: Motion,
    pub(crate) segment: Segment,
}

/// A segment somewhere, and a disc that comes from anywhere: steep, or gliding along it; from k ulps off the
/// line or far away; at the stretch, its ends, or past them.
pub(crate) fn cases() -> impl Strategy<Value = Case> {
    let place = (decades(-3.0, 3.0), direction(), one_of![2 => Just(0.0), 1 => decades(0.0, 9.0)]);
    let along = one_of![
        4 => -0.2..1.2,
        1 => (any::<bool>(), -12.0..0.0).prop_map(|(end, e)| f64::from(u8::from(end)) + 10f64.powf(e)),
        2 => prop::sample::select(vec![0.0, 1.0, 0.5]),
    ];
    let radius = one_of![1 => Just(0.0), 3 => decades(-3.0, 1.0)];
    let height = one_of![
        3 => decades(-3.0, 4.0).prop_map(|h| (h, 0)),
        3 => few_ulps().prop_map(|k| (0.0, k)),
        1 => (-1.0..0.0).prop_map(|h| (h, 0)),
    ];
    (place, along, radius, height, any::<bool>(), slant(), scale(), scale()).prop_map(
        |((length, direction, far), foot, radius, (height, k), front, slant, speed, unit)| {
            let (radius, length) = (radius * unit, length * unit);
            let start = DVec2::new(-0.3, 0.7) * (far * unit);
            let shortest = Segment { start, direction: DVec2::X, length: unit };
            let segment = Segment::new(start, start + direction * length).unwrap_or(shortest);
            let sign = if front { 1.0 } else { -1.0 };
            let height = ulps(height * unit + radius, k);
            let velocity = oriented(segment.direction, slant.sin(), -sign * slant.cos()) * speed;
            // Back from the foot along the path, so that a glancing disc meets the stretch as well.
            let back = if slant.cos() > 1e-6 { slant.tan() * height } else { 0.0 };
            let position =
                segment.start + oriented(segment.direction, foot * segment.length - back, sign * height);
            Case { disc: Motion::new(position, velocity, radius), segment }
        },
    )
}

/// Contact with the line through `point`: height of the centre, on side `sign`, down to the radius.
fn approach(disc: &Motion, point: DVec2, normal: &Vector, sign: f64) -> Option<Candidate> {
    let from = Vector::from(disc.position).minus(&point.into());
    let v = Vector::from(disc.velocity);
    let sign = Big::new(sign);
    let height = &sign * &from.dot(normal);
    let speed = -&(&sign * &v.dot(normal));
    let w = speed.f64();
    // Two roundings of the speed of approach decide whether it approaches.
    if w < -2.0 * U * v.length() || w == 0.0 {
        return None;
    }
    let gap = height - Big::new(disc.radius);
    let closing = w > 0.0 && gap.is_positive();
    let time = if closing { gap.over(&speed) } else { Big::zero() };
    let unit = U * (from.length() + v.length() * time.f64() + gap.abs().f64()) / w.abs();
    Some(Candidate { time, unit, certain: w > 2.0 * U * v.length() })
}

#[test]
fn half_plane() {
    law("disc_half_plane", 40_000, LINE, cases(), |case| {
        let plane = HalfPlane { point: case.segment.start, normal: case.segment.normal() };
        let contact = approach(&case.disc, plane.point, &plane.normal.into(), 1.0);
        judge(toi::disc_half_plane(&case.disc, &plane, Memory::None), contact.as_slice())
    });
}

fn size(case: &Case) -> f64 {
    let (p, s) = (case.disc.position, case.segment.start);
    p.length() + s.length() + case.segment.length + case.disc.radius
}

/// The stretch, for a disc on side `sign`.
fn body(case: &Case, sign: f64) -> Option<Candidate> {
    let along = Vector::from(case.segment.direction);
    let a = approach(&case.disc, case.segment.start, &along.left(), sign)?;
    let v = Vector::from(case.disc.velocity);
    let there = Vector::from(case.disc.position).ahead(&v, &a.time);
    let foot = there.minus(&case.segment.start.into()).dot(&along).f64();
    let w = v.dot(&along.left()).abs().f64();
    let band = FOOT * U * (size(case) + v.length() * a.time.f64()) * (1.0 + v.length() / w);
    let inside = foot.min(case.segment.length - foot);
    (inside >= -band).then_some(Candidate { certain: a.certain && inside > band, ..a })
}

/// A round end.
fn end(case: &Case, at: &Vector) -> Vec<Candidate> {
    let d = Vector::from(case.disc.position).minus(at);
    let q = Quadratic::new(&d, &case.disc.velocity.into(), &Big::new(case.disc.radius));
    let mut found = crate::disc_disc::first_contact(&Quadratic { distance: size(case), ..q });
    // In units of LINE, so that one bound serves both.
    found.iter_mut().for_each(|c| c.unit *= END / LINE);
    found
}

/// Sides on which the centre may be, and whether it is certain.
fn sides(case: &Case) -> Vec<(f64, bool)> {
    let from = Vector::from(case.disc.position).minus(&case.segment.start.into());
    let height = from.dot(&Vector::from(case.segment.direction).left()).f64();
    let band = 3.0 * U * from.length();
    match () {
        () if height > band => vec![(1.0, true)],
        () if height < -band => vec![(-1.0, true)],
        () => vec![(1.0, false), (-1.0, false)],
    }
}

/// The stretch, from the sides on which the centre may be and contacts count.
fn stretch(case: &Case, counts: fn(f64) -> bool) -> Vec<Candidate> {
    let sides = sides(case).into_iter().filter(|(sign, _)| counts(*sign));
    sides
        .filter_map(|(sign, sure)| body(case, sign).map(|c| Candidate { certain: c.certain && sure, ..c }))
        .collect()
}

#[test]
fn segment_body() {
    law("disc_segment_body", 40_000, LINE, cases(), |case| {
        let got = toi::disc_segment_body(&case.disc, &case.segment, Memory::None);
        judge(got, &stretch(&case, |_| true))
    });
}

#[test]
fn segment_with_round_ends() {
    law("disc_segment", 40_000, LINE, cases(), |case| {
        let mut candidates = stretch(&case, |_| true);
        let start = Vector::from(case.segment.start);
        let last = start.ahead(&case.segment.direction.into(), &Big::new(case.segment.length));
        candidates.extend([start, last].iter().flat_map(|at| end(&case, at)));
        judge(toi::disc_segment(&case.disc, &case.segment, Memory::None), &candidates)
    });
}

/// Whether a disc at this distance from a one-sided segment, or over it, is stopped by it: not if it overlaps
/// it by more than rounding, as it is on its way through then. Where neither is certain, `None`.
///
/// Rounding is 2⁻³⁰ of the radius and 2⁻⁴⁰ of the `size` of the coordinates, up to a few: what is nearer to
/// that than by a factor of three is uncertain.
fn is_stopped(case: &Case, distance: f64, size: f64) -> Option<bool> {
    let (depth, radius) = (case.disc.radius - distance, case.disc.radius);
    let rounding = 2f64.powi(-30) * radius + 2f64.powi(-40) * size;
    if depth < rounding / 3.0 { Some(true) } else { (depth > 3.0 * rounding).then_some(false) }
}

/// As certain as this, if it is.
fn if_stopped(candidates: &mut Vec<Candidate>, is_stopped: Option<bool>) {
    candidates.retain(|_| is_stopped != Some(false));
    candidates.iter_mut().for_each(|candidate| candidate.certain &= is_stopped.is_some());
}

#[test]
fn one_sided_segment() {
    law("disc_one_sided_segment", 30_000, LINE, cases(), |case| {
        let got = toi::disc_one_sided_segment(&case.disc, &case.segment, Memory::None);
        let mut candidates = stretch(&case, |sign| sign > 0.0);
        let height = (case.disc.position - case.segment.start).dot(case.segment.normal());
        if_stopped(&mut candidates, is_stopped(&case, height, size(&case)));
        judge(got, &candidates)
    });
}

#[test]
fn one_sided_end() {
    law("disc_one_sided_end", 30_000, LINE, cases(), |case| {
        let (point, normal) = (case.segment.start, case.segment.normal());
        let (v, n) = (Vector::from(case.disc.velocity), Vector::from(normal));
        let approach = -v.dot(&n).f64();
        let got = toi::disc_one_sided_end(&case.disc, point, normal, Memory::None);
        if approach < -2.0 * U * v.length() {
            return judge(got, &[]);
        }
        let mut candidates = Vec::new();
        for mut c in end(&case, &point.into()) {
            let at = Vector::from(case.disc.position).ahead(&v, &c.time).minus(&point.into());
            let height = at.dot(&n).f64();
            // The centre is placed as exactly as the time is known.
            let band = END * c.unit * v.length() + 8.0 * U * size(&case);
            c.certain &= approach > 2.0 * U * v.length() && height > band;
            if height > -band {
                candidates.push(c);
            }
        }
        // How long the segment is, its end does not know.
        let size = case.disc.position.length() + point.length();
        if_stopped(&mut candidates, is_stopped(&case, (case.disc.position - point).length(), size));
        judge(got, &candidates)
    });
}

/// Who has just been hit leaves; who remembers a side is on it, wherever rounding has put it.
#[test]
fn memory() {
    law("memory of lines", 10_000, 0.0, cases(), |case| {
        let Case { disc, segment } = &case;
        let plane = HalfPlane { point: segment.start, normal: segment.normal() };
        for side in [Side::Front, Side::Back] {
            let met = Memory::Met(side);
            let times = [
                toi::disc_half_plane(disc, &plane, met),
                toi::disc_segment(disc, segment, met),
                toi::disc_segment_body(disc, segment, met),
                toi::disc_one_sided_segment(disc, segment, met),
                toi::disc_one_sided_end(disc, segment.start, plane.normal, met),
            ];
            if times != [None; 5] {
                return Err(format!("{met:?}: {times:?}"));
            }
            let near = Memory::Near(side);
            let leaves = side.sign() * disc.velocity.dot(plane.normal) >= 0.0;
            let body = toi::disc_segment_body(disc, segment, near);
            if leaves && body.is_some() {
                return Err(format!("{near:?} leaves, but {body:?}"));
            }
            let one_sided = toi::disc_one_sided_segment(disc, segment, near);
            if one_sided != if side == Side::Front { body } else { None } {
                return Err(format!("{near:?}: one-sided {one_sided:?}"));
            }
        }
        Ok(0.0)
    });
}

/// A point an ulp behind the wall that it has just hit, moving into it, is stopped on the side it remembers.
#[test]
fn a_point_remembers_its_side() {
    let wall = Segment::new(DVec2::ZERO, DVec2::new(2.0, 0.0)).unwrap();
    let behind = Motion::new(DVec2::new(1.0, -f64::EPSILON), DVec2::new(0.3, -1.0), 0.0);
    assert_eq!(toi::disc_segment(&behind, &wall, Memory::None), None, "from its coordinates, it flies away");
    assert_eq!(toi::disc_segment(&behind, &wall, Memory::Near(Side::Front)), Some(0.0));
    assert_eq!(toi::disc_segment(&behind, &wall, Memory::Met(Side::Front)), None);
}

/// The end of a one-sided segment counts for what moves against the normal and has its centre in front of the
/// line when it touches. Who glides along the line does not, nor who arrives with its centre on it: by hand,
/// without rounding.
#[test]
fn a_one_sided_end_by_hand() {
    let (point, normal) = (DVec2::new(2.0, 5.0), DVec2::Y);
    let disc = |x, y, velocity| Motion::new(point + DVec2::new(x, y), velocity, 1.0);
    let end = |disc: &Motion| toi::disc_one_sided_end(disc, point, normal, Memory::None);
    assert_eq!(end(&disc(-3.0, 0.6, DVec2::X)), None, "gliding");
    assert_eq!(end(&disc(0.0, 3.0, -DVec2::Y)), Some(2.0));
    // From (−2, 1) towards (1, −1) it touches after 1 s, at (−1, 0): 2 t² − 6 t + 4 = 0. From (−1, 2) it is
    // in front.
    assert_eq!(end(&disc(-2.0, 1.0, DVec2::new(1.0, -1.0))), None, "on the line");
    assert_eq!(end(&disc(-1.0, 2.0, DVec2::new(1.0, -1.0))), Some(1.0));
    let gap = |x, y| {
        let disc = disc(x, y, DVec2::ZERO);
        toi::gap_disc_one_sided_end(&disc, point, normal, Memory::None).map(|g| g.distance)
    };
    assert_eq!([gap(3.0, 4.0), gap(2.0, 0.0), gap(3.0, -4.0)], [Some(4.0), None, None]);
}

/// A centre exactly on the line has no side: there is no contact whichever way it moves, and the gap is that
/// of the front.
#[test]
fn a_centre_on_the_line_has_no_side() {
    let wall = Segment::new(DVec2::ZERO, DVec2::new(2.0, 0.0)).unwrap();
    for velocity in [DVec2::Y, -DVec2::Y] {
        let disc = Motion::new(DVec2::X, velocity, 0.5);
        assert_eq!(toi::disc_segment_body(&disc, &wall, Memory::None), None);
        assert_eq!(toi::disc_one_sided_segment(&disc, &wall, Memory::None), None);
        let gap = toi::gap_disc_segment_body(&disc, &wall, Memory::None).unwrap();
        assert_eq!((gap.distance, gap.normal, gap.side), (-0.5, -DVec2::Y, Side::Front));
        for (side, towards) in [(Side::Front, -1.0), (Side::Back, 1.0)] {
            let hit = toi::disc_segment_body(&disc, &wall, Memory::Near(side));
            assert_eq!(hit, (velocity.y == towards).then_some(0.0), "{side:?}");
        }
    }
}

/// How far past its ends a stretch is met: by 4 · 2⁻⁵² of everything that goes into the contact point, which
/// is the centre's place now and then, the segment's start and length, and the radius; for a gap, of the
/// first, the third and the fourth.
///
/// Head-on along the y axis, with one number the largest at a time, and the ends where x is known far better
/// than that.
#[test]
fn the_ends_are_generous_by_four_ulps_of_what_goes_in() {
    let heights = [0.0, -3.0, 700.0];
    let sizes = heights.iter().flat_map(|&line| [(line, 1.0, 0.0), (line, 5e4, 0.0), (line, 1.0, 400.0)]);
    let lengths = [2f64.powi(-20), 1.0, 6e3];
    for ((line, height, radius), length) in sizes.flat_map(|size| lengths.map(|length| (size, length))) {
        let segment = Segment { start: DVec2::new(0.0, line), direction: DVec2::X, length };
        let (then, now) = (line + radius, line + radius + height);
        let ulp = 4.0 * f64::EPSILON;
        let path = ulp * (now.abs() + then.abs() + line.abs() + length + radius);
        let foot = ulp * (now.abs() + line.abs() + length);
        // The far end of a long stretch is not known well enough to tell.
        let ends: &[f64] = if length < 1e-3 { &[-1.0, 1.0] } else { &[-1.0] };
        for (end, share) in ends.iter().flat_map(|&end| [(end, 0.999), (end, 1.001)]) {
            let past = |slack: f64| {
                let beyond = share * slack;
                let x = if end < 0.0 { -beyond } else { length + beyond };
                Motion::new(DVec2::new(x, now), -DVec2::Y, radius)
            };
            let hit = toi::disc_segment_body(&past(path), &segment, Memory::None);
            assert_eq!(hit, (share < 1.0).then_some(height), "{share} past {segment:?} from {height}");
            let gap = toi::gap_disc_segment_body(&past(foot), &segment, Memory::None);
            assert_eq!(
                gap.map(|gap| gap.distance),
                (share < 1.0).then_some(height),
                "{share} past {segment:?}"
            );
        }
    }
}

/// Distance of the edge from a line, in units of `U (|p − q| + r)`: three roundings of the height, one of the
/// gap.
#[test]
fn gaps() {
    law("gaps to lines", 30_000, 4.0, cases(), |case| {
        let Case { disc, segment } = &case;
        let n = Vector::from(segment.normal());
        let from = Vector::from(disc.position).minus(&segment.start.into());
        let unit = (U * (from.length() + disc.radius)).max(f64::MIN_POSITIVE);
        let height = from.dot(&n);
        let plane = HalfPlane { point: segment.start, normal: segment.normal() };
        let gap = toi::gap_disc_half_plane(disc, &plane);
        assert_eq!((gap.normal, gap.side), (-plane.normal, Side::Front));
        let solid = (&height - &Big::new(disc.radius)).distance(gap.distance) / unit;
        let Some(gap) = toi::gap_disc_segment_body(disc, segment, Memory::None) else {
            let foot = from.dot(&segment.direction.into()).f64();
            let inside = foot.min(segment.length - foot) > FOOT * U * size(&case);
            return if inside { Err("no gap above the stretch".into()) } else { Ok(solid) };
        };
        let body = (height.abs() - Big::new(disc.radius)).distance(gap.distance) / unit;
        assert_eq!(gap.normal, -segment.normal() * gap.side.sign());
        Ok(solid.max(body))
    });
}

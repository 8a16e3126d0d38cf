//! Voronoi cells: against cells cut one by one, against what is known of random points, and on hostile input.

use crate::{lattice, rectangle};
use carom_math::{DVec2, Periods};
use carom_observe::{Facet, ObserveError, for_each_voronoi_cell};
use carom_scene::{Generator, Random};

pub(crate) fn scattered(n: usize, sides: DVec2, random: &mut Random) -> Vec<DVec2> {
    (0..n).map(|_| DVec2::new(random.between(0.0, sides.x), random.between(0.0, sides.y))).collect()
}

/// The lowest and the highest coordinates.
fn bounds(places: &[DVec2]) -> (DVec2, DVec2) {
    let extend = |(low, high): (DVec2, DVec2), p: &DVec2| (low.min(*p), high.max(*p));
    places.iter().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), extend)
}

/// A convex polygon, each corner with what the edge that starts there borders on.
type Polygon = Vec<(DVec2, Option<Facet>)>;

/// Cuts off what is nearer to `facet`'s disc, the polygon's own disc being at the origin.
fn cut(polygon: &Polygon, normal: DVec2, distance: f64, facet: Option<Facet>) -> Polygon {
    let mut result = Polygon::new();
    for (k, &(corner, edge)) in polygon.iter().enumerate() {
        let (next, _) = polygon[(k + 1) % polygon.len()];
        let (here, there) = (corner.dot(normal) - distance, next.dot(normal) - distance);
        if here <= 0.0 {
            result.push((corner, edge));
        }
        if (here <= 0.0) != (there <= 0.0) {
            let crossing = corner + (next - corner) * (here / (here - there));
            result.push((crossing, if here <= 0.0 { facet } else { edge }));
        }
    }
    result
}

/// The cell of a disc, cut by the bisectors to all images up to `around` periods away.
fn oracle(disc: usize, places: &[DVec2], periods: Periods, margin: f64, around: i32) -> Polygon {
    let here = places[disc];
    let (low, high) = bounds(places);
    let huge = 1e3;
    let mut polygon: Polygon =
        [(-huge, -huge), (huge, -huge), (huge, huge), (-huge, huge)].map(|c| (c.into(), None)).into();
    for (axis, period, low, high) in
        [(DVec2::X, periods.x(), low.x, high.x), (DVec2::Y, periods.y(), low.y, high.y)]
    {
        if period.is_none() {
            polygon = cut(&polygon, axis, high + margin - here.dot(axis), None);
            polygon = cut(&polygon, -axis, here.dot(axis) - low + margin, None);
        }
    }
    let turns = |period: Option<f64>| if period.is_some() { -around..=around } else { 0..=0 };
    for (other, place) in places.iter().enumerate() {
        for right in turns(periods.x()) {
            for up in turns(periods.y()) {
                let turns = DVec2::new(f64::from(right), f64::from(up));
                let displacement = *place + turns * periods.lengths() - here;
                let distance = displacement.length();
                if distance > 0.0 {
                    let facet = Facet { disc: other, displacement, length: 0.0 };
                    polygon = cut(&polygon, displacement / distance, 0.5 * distance, Some(facet));
                }
            }
        }
    }
    polygon
}

fn area(polygon: &Polygon) -> f64 {
    let corner = |k: usize| polygon[k % polygon.len()].0;
    (0..polygon.len()).map(|k| 0.5 * corner(k).perp_dot(corner(k + 1))).sum()
}

/// Worlds of 1 to 40 discs, all kinds of boundaries, sides up to 1 : 10.
#[test]
fn cells_are_those_cut_one_by_one() {
    let mut random = Random::new(Generator::default(), 31);
    let mut facets_seen = 0;
    for case in 0..400 {
        let sides =
            DVec2::new(random.between(1.0, 3.0), random.between(1.0, if case % 5 == 0 { 10.0 } else { 3.0 }));
        let [x, y] = [(sides.x, 1), (sides.y, 2)].map(|(side, bit)| (case & bit == 0).then_some(side));
        let periods = Periods::new(x, y).unwrap();
        let n = 1 + random.below(if case % 2 == 0 { 8 } else { 40 });
        let mut places = scattered(n, sides, &mut random);
        if case % 7 == 0 {
            // A cluster and a void.
            places.iter_mut().skip(1).for_each(|place| *place *= 0.1);
        }
        let (low, high) = bounds(&places);
        let (width, height) = (x.unwrap_or(high.x - low.x), y.unwrap_or(high.y - low.y));
        let spacing = (width * height / n as f64).sqrt().max(width.max(height) / n as f64);
        let spacing = if spacing > 0.0 { spacing } else { 1.0 };
        let mut seen = vec![0; n];
        for_each_voronoi_cell(&places, periods, |cell| {
            seen[cell.disc] += 1;
            let polygon = oracle(cell.disc, &places, periods, 0.5 * spacing, 12);
            // Places are rounded to 10⁻¹⁶ of coordinates up to 100; a corner where three edges meet at a
            // small angle is known a thousand times worse.
            let slack = 1e-10;
            assert!((cell.area - area(&polygon)).abs() < slack, "{case}: {} {}", cell.area, area(&polygon));
            let mut total = 0.0;
            for (k, (corner, edge)) in polygon.iter().enumerate() {
                let length = corner.distance(polygon[(k + 1) % polygon.len()].0);
                let Some(edge) = edge else { continue };
                total += length;
                if length > 1e-6 {
                    let same = |facet: &&Facet| {
                        facet.disc == edge.disc && facet.displacement.distance(edge.displacement) < slack
                    };
                    let facet = cell.facets.iter().find(same).expect("a facet is missing");
                    assert!((facet.length - length).abs() < slack, "{case}: {facet:?} {length}");
                    facets_seen += 1;
                }
            }
            let sum: f64 = cell.facets.iter().map(|facet| facet.length).sum();
            assert!((sum - total).abs() < 1e-9, "{case}: {sum} {total}");
        })
        .unwrap();
        assert!(seen.iter().all(|&times| times == 1), "{case}: {seen:?}");
    }
    assert!(facets_seen > 10_000);
}

/// By Euler's formula there are six neighbours on average, exactly, and the areas fill the period. Of random
/// points the second moment of the area is 1.280176 (E. Gilbert, Ann. Math. Statist. 33 (1962) 958), and the
/// variance of the number of neighbours 1.78081 (K. Brakke, Statistics of random plane Voronoi tessellations,
/// 1986).
#[test]
fn random_points_have_the_cells_of_random_points() {
    let n = 60_000;
    let sides = DVec2::new(300.0, 200.0);
    let places = scattered(n, sides, &mut Random::new(Generator::default(), 5));
    let (mut neighbours, mut squares, mut area, mut areas) = (0, 0.0, 0.0, 0.0);
    let (mut fourth, mut eighth) = (0.0, 0.0);
    for_each_voronoi_cell(&places, rectangle(sides), |cell| {
        let spread = (cell.facets.len() as f64 - 6.0).powi(2);
        neighbours += cell.facets.len();
        squares += spread;
        fourth += spread * spread;
        area += cell.area;
        areas += cell.area * cell.area;
        eighth += cell.area.powi(4);
    })
    .unwrap();
    assert_eq!(neighbours, 6 * n);
    assert!((area / 60_000.0 - 1.0).abs() < 1e-11);
    let n = n as f64;
    // Cells know of their neighbours: that may double the variance of a mean over them. Four errors.
    for (mean, square, exact) in [(squares / n, fourth / n, 1.780_81), (areas / n, eighth / n, 1.280_176)] {
        let error = (2.0 * (square - mean * mean) / n).sqrt();
        assert!((mean - exact).abs() < 4.0 * error && error < 0.02 * exact, "{mean} ± {error}, {exact}");
    }
}

/// Tiles, of which there are several here, do not show: each facet is seen from both sides.
#[test]
fn facets_are_mutual_across_tiles() {
    let sides = DVec2::new(260.0, 230.0);
    let places = scattered(60_000, sides, &mut Random::new(Generator::default(), 12));
    for periods in [rectangle(sides), Periods::NONE] {
        let (mut there, mut back) = (0.0, 0.0);
        let mut count = [0u32; 2];
        for_each_voronoi_cell(&places, periods, |cell| {
            for facet in cell.facets {
                // The same sum of products if each is seen from both of its sides.
                let term = facet.length * facet.displacement.length();
                if facet.disc > cell.disc {
                    there += term;
                    count[0] += 1;
                } else {
                    back += term;
                    count[1] += 1;
                }
            }
        })
        .unwrap();
        assert_eq!(count[0], count[1]);
        assert!((there / back - 1.0_f64).abs() < 1e-11, "{there} {back}");
    }
}

#[test]
fn hostile_places() {
    let visited = |places: &[DVec2], periods: Periods| -> Result<usize, ObserveError> {
        let mut count = 0;
        for_each_voronoi_cell(places, periods, |cell| {
            assert!(cell.area.is_finite() && cell.facets.iter().all(|facet| facet.length.is_finite()));
            count += 1;
        })?;
        Ok(count)
    };
    let square = rectangle(DVec2::ONE);
    for periods in [square, Periods::NONE, Periods::new(Some(1.0), None).unwrap()] {
        assert_eq!(visited(&[], periods).unwrap(), 0);
        assert_eq!(visited(&[DVec2::splat(0.3)], periods).unwrap(), 1);
        // All at one place are one.
        assert_eq!(visited(&[DVec2::splat(0.3); 5], periods).unwrap(), 1);
        assert!(visited(&[DVec2::new(0.0, f64::NAN)], periods).is_err());
        // On a line, and nearly.
        let line: Vec<DVec2> = (0..50).map(|k| DVec2::new(f64::from(k) / 50.0, 0.5)).collect();
        assert_eq!(visited(&line, periods).unwrap(), 50);
        let bent: Vec<DVec2> = line.iter().map(|p| DVec2::new(p.x, 0.5 + 1e-17 * p.x.sin())).collect();
        assert_eq!(visited(&bent, periods).unwrap(), 50);
        // Three nearly at one place, in nearly one line.
        let near: Vec<DVec2> =
            (0..6).map(|k| DVec2::new(0.5 + 1e-16 * f64::from(k), 0.5 + 3e-16 * f64::from(k % 2))).collect();
        assert!(visited(&near, periods).unwrap() >= 1);
    }
    // A circle: no three corners of cells but one.
    let circle: Vec<DVec2> = (0..64).map(|k| DVec2::from_angle(f64::from(k) * 0.1)).collect();
    assert_eq!(visited(&circle, Periods::NONE).unwrap(), 64);
    // Far out, and of all sizes.
    let far: Vec<DVec2> = (0..40).map(|k| DVec2::new(10f64.powi(k - 25), -(10f64.powi(15 - k)))).collect();
    assert!(visited(&far, Periods::NONE).is_ok());
    // One disc in a period of 1 : 10⁶ reaches around it too often.
    let thin = rectangle(DVec2::new(1e-6, 1.0));
    assert!(matches!(visited(&[DVec2::ZERO], thin), Err(ObserveError::Elongated { .. })));
}

/// Lattices whose places are off by anything from nothing to a tenth: where four discs nearly share a circle,
/// which pair are neighbours is a matter of the last bits, and must not be a matter of anything else.
#[test]
fn nearly_regular_places() {
    let mut random = Random::new(Generator::default(), 77);
    for noise in (1..=17).map(|k| 10f64.powi(-k)).chain([0.0]) {
        for height in [1.0, 3f64.sqrt() / 2.0] {
            let (mut places, sides) = lattice(20, 20, height);
            for place in &mut places {
                *place += DVec2::new(random.between(-noise, noise), random.between(-noise, noise));
            }
            let (mut seen, mut area, mut neighbours) = (0, 0.0, 0);
            for_each_voronoi_cell(&places, rectangle(sides), |cell| {
                seen += 1;
                area += cell.area;
                neighbours += cell.facets.iter().filter(|facet| facet.length > 0.5).count();
            })
            .unwrap();
            assert_eq!(seen, 400);
            // Areas of 400 cells, with a facet of 10⁻⁹ left out here and there.
            assert!((area / (sides.x * sides.y) - 1.0).abs() < 1e-8, "{noise} {area}");
            // Facets of the triangular lattice are 0.577 long, those of the square one 1; noise of 0.01 takes
            // up to 0.04 off.
            if noise < 0.02 {
                assert_eq!(neighbours, if height < 1.0 { 2400 } else { 1600 });
            }
        }
    }
}

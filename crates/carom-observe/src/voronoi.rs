use crate::ObserveError;
use crate::cells::{Axis, Cells, check_positions};
use carom_math::Periods;
use glam::DVec2;
use spade::{DelaunayTriangulation, HasPosition, Point2, Triangulation};
use std::ops::Range;

/// Facets shorter than this fraction of the mean spacing √(A/N) are none: where four discs lie on a circle,
/// as in a square lattice, rounding gives two of them one of this kind. Places are known to 10⁻¹⁶ of the box,
/// which is 10⁻¹⁰ spacings at most.
const SHORTEST_FACET: f64 = 1e-9;

/// This many cells of the grid on each axis, with two discs each, are triangulated at once.
const TILE: usize = 96;

/// The part of the plane that is nearer to a disc's centre than to any other.
#[derive(Clone, Copy, Debug)]
pub struct VoronoiCell<'a> {
    /// Whose it is: place in the slice of positions.
    pub disc: usize,
    /// Its area, in square length units.
    pub area: f64,
    /// Where it borders on those of others, in any order.
    pub facets: &'a [Facet],
}

/// A common border of two cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facet {
    /// The disc on the other side; on a periodic axis perhaps the same one.
    pub disc: usize,
    /// From centre to centre, of the image that is there.
    pub displacement: DVec2,
    /// How long the border is, in length units.
    pub length: f64,
}

/// Calls `visit` with the Voronoi cell of each disc, in no particular order.
///
/// On an open axis cells end half a mean spacing beyond the outermost centres: what shares a facet there does
/// so inside of the rectangle. There are no neighbours across the void or along the hull. Of several discs at
/// exactly one place, one is visited. Radii do not count.
///
/// Delaunay triangulation with exact predicates, in tiles of some 20 000 discs with as much around them as is
/// found to matter: O(N) time if voids are not much larger than the spacing, 2 µs a disc; 30 bytes a disc,
/// and 10 MB.
///
/// # Errors
/// If a place or a period is out of range, or if the rectangle is so elongated that the cells reach around it
/// a thousand times.
///
/// ```
/// use carom_math::{DVec2, Periods};
/// use carom_observe::for_each_voronoi_cell;
///
/// // Density by place: each disc on its own area.
/// let periods = Periods::new(Some(4.0), Some(1.0)).unwrap();
/// let mut areas = [0.0; 2];
/// for_each_voronoi_cell(&[DVec2::new(1.0, 0.5), DVec2::new(2.0, 0.5)], periods, |cell| {
///     areas[cell.disc] = cell.area;
/// })?;
/// assert!(areas.iter().all(|area| (area - 2.0).abs() < 1e-12));
/// # Ok::<(), carom_observe::ObserveError>(())
/// ```
pub fn for_each_voronoi_cell(
    positions: &[DVec2],
    periods: Periods,
    mut visit: impl FnMut(VoronoiCell<'_>),
) -> Result<(), ObserveError> {
    check_positions(positions, periods)?;
    if positions.is_empty() {
        return Ok(());
    }
    let spacing = mean_spacing(positions, periods);
    let cells = Cells::new(positions, periods, 1.5 * spacing, 0.5 * spacing);
    let [columns, rows] = cells.axes.map(|axis| axis.count);
    let tile = |start: usize, count: usize| start..(start + TILE).min(count);
    for row in (0..rows).step_by(TILE) {
        for column in (0..columns).step_by(TILE) {
            let core = [tile(column, columns), tile(row, rows)];
            let mut margin = 4.5 * spacing;
            while !Patch::new(&cells, &core, margin, spacing)?.visit(&mut visit)? {
                margin *= 2.0;
            }
        }
    }
    Ok(())
}

/// √(A/N), or the mean distance along a line if the discs lie on one.
fn mean_spacing(positions: &[DVec2], periods: Periods) -> f64 {
    let (low, high) = positions.iter().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), place| {
        (low.min(*place), high.max(*place))
    });
    let width = periods.x().unwrap_or(high.x - low.x);
    let height = periods.y().unwrap_or(high.y - low.y);
    let n = positions.len() as f64;
    let spacing = carom_math::sqrt(width * height / n).max(width.max(height) / n);
    if spacing > 0.0 { spacing } else { 1.0 }
}

/// A vertex of the triangulation.
struct Site {
    /// In units of the spacing, and at least 1: a coordinate that is nearly 0 would be refused.
    scaled: Point2<f64>,
    /// Place in the patch.
    index: u32,
}

impl HasPosition for Site {
    type Scalar = f64;

    fn position(&self) -> Point2<f64> {
        self.scaled
    }
}

/// The discs of a tile, and the images of those around it.
struct Patch {
    spacing: f64,
    /// Of these, the first `core` are those of the tile.
    places: Vec<DVec2>,
    /// Whose they are; `None` for a reflection.
    discs: Vec<Option<u32>>,
    core: usize,
    /// Every image there is between these is in the patch, or does not matter.
    low: DVec2,
    high: DVec2,
    origin: DVec2,
    /// Nothing farther away can matter.
    complete: bool,
}

/// Where the images in a cell of the endless grid come from.
#[derive(Clone, Copy)]
struct Image {
    cell: usize,
    scale: f64,
    shift: f64,
}

impl Image {
    /// The grid repeats itself on a periodic axis. On an open one it is reflected at either end, so that
    /// cells end there; what is reflected twice does not reach back into the rectangle.
    fn new(axis: &Axis, cell: isize) -> Self {
        let count = axis.count as isize;
        if axis.periodic {
            let shift = cell.div_euclid(count) as f64 * axis.length;
            Self { cell: cell.rem_euclid(count) as usize, scale: 1.0, shift }
        } else if cell < 0 {
            Self { cell: (-1 - cell) as usize, scale: -1.0, shift: 2.0 * axis.low }
        } else if cell >= count {
            let shift = 2.0 * (axis.low + axis.length);
            Self { cell: (2 * count - 1 - cell) as usize, scale: -1.0, shift }
        } else {
            Self { cell: cell as usize, scale: 1.0, shift: 0.0 }
        }
    }
}

/// The cells of a tile with those around it, on one axis, and what they cover.
struct Reach {
    cells: Range<isize>,
    low: f64,
    high: f64,
}

impl Reach {
    fn new(axis: &Axis, core: &Range<usize>, margin: f64) -> Self {
        let (side, count) = (axis.side(), axis.count as isize);
        // Far more cells than there may be images, and far less than an isize holds.
        let around = (margin / side).ceil().min(1e12) as isize;
        let (mut first, mut end) = (core.start as isize - around, core.end as isize + around);
        let (mut low, mut high) = (axis.low + first as f64 * side, axis.low + end as f64 * side);
        if !axis.periodic {
            if first <= -count {
                (first, low) = (-count, f64::NEG_INFINITY);
            }
            if end >= 2 * count {
                (end, high) = (2 * count, f64::INFINITY);
            }
        }
        Self { cells: first..end, low, high }
    }
}

impl Patch {
    fn new(cells: &Cells, core: &[Range<usize>; 2], margin: f64, spacing: f64) -> Result<Self, ObserveError> {
        let [x, y] = &cells.axes;
        let mut patch = Self {
            spacing,
            places: Vec::new(),
            discs: Vec::new(),
            core: 0,
            low: DVec2::ZERO,
            high: DVec2::ZERO,
            origin: DVec2::ZERO,
            // No place is farther than half a diagonal from some image of a given disc, so that no circle
            // without a disc inside is wider than the diagonal.
            complete: margin >= x.length + y.length,
        };
        for row in core[1].clone() {
            for column in core[0].clone() {
                let range = cells.cell(column, row);
                patch.places.extend_from_slice(&cells.places[range.clone()]);
                patch.discs.extend(cells.discs[range].iter().map(|disc| Some(*disc)));
            }
        }
        patch.core = patch.places.len();
        if patch.core == 0 {
            return Ok(patch);
        }
        let (columns, rows) = (Reach::new(x, &core[0], margin), Reach::new(y, &core[1], margin));
        (patch.low, patch.high) = (DVec2::new(columns.low, rows.low), DVec2::new(columns.high, rows.high));
        let most = 16 * cells.places.len() + 65_536;
        let boxes = (columns.cells.len() as u128) * (rows.cells.len() as u128);
        if boxes > 64 * most as u128 {
            return Err(ObserveError::Elongated { discs: cells.places.len(), images: most });
        }
        let inner = |range: &Range<usize>, cell: isize| cell >= 0 && range.contains(&(cell as usize));
        for row in rows.cells {
            let up = Image::new(y, row);
            for column in columns.cells.clone() {
                if inner(&core[0], column) && inner(&core[1], row) {
                    continue;
                }
                let right = Image::new(x, column);
                let range = cells.cell(right.cell, up.cell);
                let (scale, shift) = (DVec2::new(right.scale, up.scale), DVec2::new(right.shift, up.shift));
                patch.places.extend(cells.places[range.clone()].iter().map(|place| *place * scale + shift));
                let real = scale == DVec2::ONE;
                patch.discs.extend(cells.discs[range].iter().map(|disc| real.then_some(*disc)));
            }
            if patch.places.len() > most {
                return Err(ObserveError::Elongated { discs: cells.places.len(), images: most });
            }
        }
        let lowest = patch.places.iter().fold(DVec2::INFINITY, |low, place| low.min(*place));
        patch.origin = lowest - DVec2::splat(spacing);
        Ok(patch)
    }

    fn scaled(&self, place: DVec2) -> DVec2 {
        (place - self.origin) / self.spacing
    }

    /// Visits the cells of the core; or none, if they reach out of what is covered.
    fn visit(&self, visit: &mut impl FnMut(VoronoiCell<'_>)) -> Result<bool, ObserveError> {
        if self.core == 0 {
            return Ok(true);
        }
        let sites = self.places.iter().enumerate().map(|(index, place)| {
            let DVec2 { x, y } = self.scaled(*place);
            Site { scaled: Point2::new(x, y), index: index as u32 }
        });
        let delaunay = DelaunayTriangulation::<Site>::bulk_load(sites.collect()).map_err(|_| {
            let allowed = "such that the boxes' sides are lengths of one order".into();
            ObserveError::OutOfRange { field: "positions", value: self.spacing, allowed }
        })?;
        // Where the borders of the cells meet: centres of circles without a disc inside.
        let mut corners = vec![None; delaunay.num_all_faces()];
        let (low, high) = (self.scaled(self.low), self.scaled(self.high));
        for face in delaunay.inner_faces() {
            let (centre, squared) = face.circumcircle();
            let centre = DVec2::new(centre.x, centre.y);
            let radius = carom_math::sqrt(squared) * (1.0 + 1e-9);
            let covered = (centre - radius).cmpge(low).all() && (centre + radius).cmple(high).all();
            // Of three discs nearly at one place and in one line, the centre may be lost to rounding.
            let known = covered || (self.complete && centre.is_finite());
            corners[face.fix().index()] = known.then_some(centre);
        }
        let core = |vertex: &Site| (vertex.index as usize) < self.core;
        let mut around =
            delaunay.vertices().filter(|vertex| core(vertex.data())).flat_map(|vertex| vertex.out_edges());
        if !self.complete && !around.all(|edge| corners[edge.face().fix().index()].is_some()) {
            return Ok(false);
        }
        let mut facets = Vec::new();
        for vertex in delaunay.vertices().filter(|vertex| core(vertex.data())) {
            let here = vertex.data().index as usize;
            let mut area = 0.0;
            facets.clear();
            for edge in vertex.out_edges() {
                let sides = (corners[edge.face().fix().index()], corners[edge.rev().face().fix().index()]);
                let (Some(left), Some(right)) = sides else { continue };
                let scaled_length = left.distance(right);
                if scaled_length < SHORTEST_FACET {
                    continue;
                }
                let there = edge.to().data().index as usize;
                let length = scaled_length * self.spacing;
                let displacement = self.places[there] - self.places[here];
                // The facet is half way: a triangle on it has a height of half the distance.
                area += 0.25 * displacement.length() * length;
                if let Some(disc) = self.discs[there] {
                    facets.push(Facet { disc: disc as usize, displacement, length });
                }
            }
            if let Some(disc) = self.discs[here] {
                visit(VoronoiCell { disc: disc as usize, area, facets: &facets });
            }
        }
        Ok(true)
    }
}

//! Numbers along a curve that fills the plane, so that what is near in the plane is near in memory.

use crate::model::{Region, SceneDisc};
use glam::DVec2;

/// Bits of a cell's index along one axis: cells far smaller than the discs of the largest gas.
const BITS: u32 = 16;

/// The discs in the order in which a Hilbert curve through the bounding square of the region comes to the
/// cells of their centres; those of one cell keep their order. `O(N log N)`.
pub(crate) fn along(discs: Vec<SceneDisc>, region: &Region) -> Vec<SceneDisc> {
    let (min, max) = region.bounds();
    let per_length = f64::from(1_u32 << BITS) / (max - min).max_element();
    let cell = |length: f64| ((length * per_length) as u32).min((1 << BITS) - 1);
    let mut order: Vec<(u32, u32)> = discs
        .iter()
        .enumerate()
        .map(|(index, disc)| {
            let DVec2 { x, y } = disc.position - min;
            (on_the_way(cell(x), cell(y)), index as u32)
        })
        .collect();
    order.sort_unstable();
    let mut discs: Vec<Option<SceneDisc>> = discs.into_iter().map(Some).collect();
    order.into_iter().filter_map(|(_, index)| discs[index as usize].take()).collect()
}

/// How many cells a Hilbert curve has passed when it comes to this one. From the largest quarters down, the
/// curve within a quarter is that of the whole, mirrored in a diagonal in the first and the last.
fn on_the_way(mut x: u32, mut y: u32) -> u32 {
    let mut passed = 0;
    for bit in (0..BITS).rev() {
        let (right, up) = ((x >> bit) & 1, (y >> bit) & 1);
        passed = (passed << 2) | ((3 * right) ^ up);
        if up == 0 {
            if right == 1 {
                (x, y) = (!x, !y);
            }
            (x, y) = (y, x);
        }
    }
    passed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What makes it a Hilbert curve (1891): it visits each cell of a square once, steps to a neighbour each
    /// time, and fills each quarter before the next.
    #[test]
    fn the_curve_visits_every_cell_stepping_to_neighbours() {
        const SIDE: u32 = 64;
        // The lower left corner of the plane is a smaller curve of its own, mirrored or not.
        let mut cells: Vec<(u32, u32, u32)> =
            (0..SIDE * SIDE).map(|n| (on_the_way(n % SIDE, n / SIDE), n % SIDE, n / SIDE)).collect();
        cells.sort_unstable();
        for (n, &(passed, x, y)) in cells.iter().enumerate() {
            assert_eq!(passed, n as u32);
            if let Some(&(_, next_x, next_y)) = cells.get(n + 1) {
                assert_eq!(x.abs_diff(next_x) + y.abs_diff(next_y), 1);
            }
        }
        for quarter in cells.chunks((SIDE * SIDE / 4) as usize) {
            let half = |cell: &(u32, u32, u32)| (cell.1 / (SIDE / 2), cell.2 / (SIDE / 2));
            assert!(quarter.iter().all(|cell| half(cell) == half(&quarter[0])));
        }
    }

    #[test]
    fn neighbours_in_the_plane_are_near_in_memory() {
        let side = 200;
        let discs: Vec<SceneDisc> = (0..side * side)
            .map(|n| SceneDisc::new(DVec2::new(f64::from(n % side) + 0.5, f64::from(n / side) + 0.5), 0.5))
            .collect();
        let region = Region::Rectangle { min: DVec2::ZERO, max: DVec2::splat(f64::from(side)) };
        let along = along(discs.clone(), &region);
        let mut index = vec![0_u32; discs.len()];
        for (n, disc) in along.iter().enumerate() {
            index[disc.position.y as usize * side as usize + disc.position.x as usize] = n as u32;
        }
        let mut sorted = index.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(n, &i)| i == n as u32), "each disc once");
        // To the neighbour above it is a row, 200, in the order of placing; along the curve, half of them are
        // within 5 (of n = 4^k cells in a square 2^k wide those that cross the middle are the 2^k far ones).
        let mut apart: Vec<u32> =
            (0..index.len() - side as usize).map(|n| index[n].abs_diff(index[n + side as usize])).collect();
        apart.sort_unstable();
        assert!(apart[apart.len() / 2] <= 5, "{}", apart[apart.len() / 2]);
    }
}

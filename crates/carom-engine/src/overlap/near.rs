use core::ops::ControlFlow;
use glam::DVec2;

/// Calls `found` with the pairs of squares that overlap, the first of each pair being the smaller number,
/// until it breaks.
///
/// `squares` are centres and half sides. A sweep along x: O(N log N) and the pairs that overlap in x.
pub(super) fn near_pairs(squares: &[(DVec2, f64)], mut found: impl FnMut(usize, usize) -> ControlFlow<()>) {
    let start = |i: usize| squares[i].0.x - squares[i].1;
    let mut order: Vec<usize> = (0..squares.len()).collect();
    order.sort_unstable_by(|&i, &j| start(i).total_cmp(&start(j)).then(i.cmp(&j)));
    for (k, &i) in order.iter().enumerate() {
        let (center, half) = squares[i];
        for &j in order[k + 1..].iter().take_while(|&&j| start(j) <= center.x + half) {
            let is_near = (squares[j].0.y - center.y).abs() <= half + squares[j].1;
            if is_near && found(i.min(j), i.max(j)).is_break() {
                return;
            }
        }
    }
}

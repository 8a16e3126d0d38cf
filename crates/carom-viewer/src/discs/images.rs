//! The images of what is in a plane that repeats itself.

use carom_engine::DVec2;

/// The most images of one thing that are drawn along an axis.
const MOST: f64 = 6.0;

/// How far the images of a rectangle that reach into the frame, from the origin up to the periods, are from
/// it: where there are no periods the rectangle alone.
pub(super) fn shifts(period: [Option<f64>; 2], low: DVec2, high: DVec2) -> Vec<DVec2> {
    let [x, y] = [along(period[0], low.x, high.x), along(period[1], low.y, high.y)];
    x.iter().flat_map(|&x| y.iter().map(move |&y| DVec2::new(x, y))).collect()
}

fn along(period: Option<f64>, low: f64, high: f64) -> Vec<f64> {
    let Some(period) = period else { return vec![0.0] };
    // An image at `k` periods reaches into the frame if `low + k period < period` and `high + k period > 0`.
    let (first, last) = ((-high / period).floor() + 1.0, (1.0 - low / period).ceil() - 1.0);
    let count = (last - first + 1.0).clamp(0.0, MOST);
    (0..count as u32).map(|k| (first + f64::from(k)) * period).collect()
}

#[cfg(test)]
mod tests {
    use super::along;

    #[test]
    fn what_crosses_an_edge_is_seen_at_both() {
        assert_eq!(along(None, -1.0, 1.0), [0.0]);
        assert_eq!(along(Some(8.0), 1.0, 2.0), [0.0]);
        assert_eq!(along(Some(8.0), -1.0, 1.0), [0.0, 8.0]);
        assert_eq!(along(Some(8.0), 7.0, 9.0), [-8.0, 0.0]);
        assert_eq!(along(Some(8.0), 17.0, 18.0), [-16.0]);
        assert_eq!(along(Some(8.0), -9.0, 20.0), [-16.0, -8.0, 0.0, 8.0, 16.0]);
    }
}

use carom_engine::DVec2;

/// Whether two discs that move straight from one place to the next pass through each other: apart at both
/// ends, and overlapping between them. `from` and `to` are the one's place from the other's, `reach` is the
/// sum of the radii.
pub(super) fn passes(from: DVec2, to: DVec2, reach: f64) -> bool {
    let way = to - from;
    let square = reach * reach;
    if from.length_squared() < square || to.length_squared() < square {
        return false;
    }
    let (along, length) = (-from.dot(way), way.length_squared());
    // Where they are nearest lies between the ends.
    if !(along > 0.0 && along < length) {
        return false;
    }
    let across = from.perp_dot(way);
    across * across < square * length
}

#[cfg(test)]
mod tests {
    use super::passes;
    use carom_engine::DVec2;

    #[test]
    fn a_way_through_a_disc_passes_and_one_beside_it_or_into_it_does_not() {
        let from = DVec2::new(-3.0, 0.5);
        assert!(passes(from, DVec2::new(3.0, 0.5), 1.0));
        assert!(!passes(from, DVec2::new(3.0, 0.5), 0.5), "it grazes");
        assert!(!passes(from, DVec2::new(-1.5, 0.5), 1.0), "it stops before");
        assert!(!passes(from, DVec2::new(0.0, 0.5), 1.0), "it ends within");
        assert!(!passes(from, DVec2::new(-6.0, 0.5), 1.0), "it goes away");
    }
}

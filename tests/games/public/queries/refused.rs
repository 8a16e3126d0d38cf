//! Bad numbers are refused, by name, and leave the caller's list as it was.

use carom_engine::{DVec2, Disc, Error, QueryFilter, Ray, World};

fn field<T: std::fmt::Debug>(result: Result<T, Error>) -> &'static str {
    match result {
        Err(Error::OutOfRange { field, .. }) => field,
        other => panic!("{other:?}"),
    }
}

#[test]
fn bad_numbers_are_refused_by_name() {
    let mut world = World::new();
    world.insert(Disc::new([0.0, 0.0], 1.0)).unwrap();
    let filter = QueryFilter::new();
    let mut found = Vec::new();
    world.overlap_point([0.0, 0.0], &filter, &mut found).unwrap();
    let before = found.clone();
    for bad in [f64::NAN, f64::INFINITY, -1e16] {
        assert_eq!(field(world.overlap_point([bad, 0.0], &filter, &mut found)), "point.x");
        assert_eq!(field(world.overlap_point([0.0, bad], &filter, &mut found)), "point.y");
        assert_eq!(field(world.overlap_disc([bad, 0.0], 1.0, &filter, &mut found)), "center.x");
        assert_eq!(field(world.overlap_disc([0.0, 0.0], bad, &filter, &mut found)), "radius");
        assert_eq!(field(world.overlap_box([0.0, bad], [1.0, 1.0], &filter, &mut found)), "min.y");
        assert_eq!(field(world.overlap_box([0.0, 0.0], [bad, 1.0], &filter, &mut found)), "max.x");
        assert_eq!(field(world.nearest([0.0, bad], 1, &filter, &mut Vec::new())), "point.y");
        assert_eq!(field(world.cast_ray(&Ray::new([bad, 0.0], [1.0, 0.0]), &filter)), "origin.x");
        assert_eq!(field(world.cast_ray(&Ray::new([0.0, 0.0], [1.0, bad]), &filter)), "direction.y");
    }
    assert_eq!(field(world.overlap_disc([0.0, 0.0], -1.0, &filter, &mut found)), "radius");
    assert_eq!(field(world.overlap_box([0.0, 0.0], [-1.0, 1.0], &filter, &mut found)), "max.x - min.x");
    assert_eq!(field(world.overlap_box([0.0, 2.0], [1.0, 1.0], &filter, &mut found)), "max.y - min.y");
    assert_eq!(field(world.cast_ray(&Ray::new([0.0; 2], [0.0; 2]), &filter)), "length of the direction");
    for bad in [f64::NAN, -1.0] {
        let ray = Ray::new([0.0; 2], DVec2::X).with_max_distance(bad);
        assert_eq!(field(world.cast_ray(&ray, &filter)), "max_distance");
        assert_eq!(field(world.ray_hits(&ray, &filter, &mut Vec::new())), "max_distance");
    }
    assert_eq!(found, before);
    let error = world.cast_ray(&Ray::between([3.0, 4.0], [3.0, 4.0]), &filter).unwrap_err();
    assert_eq!(error.to_string(), "length of the direction is 0, allowed is a number from 1e-15 to 1e15");
}

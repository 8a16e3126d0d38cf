use crate::{app, disc, frame};
use bevy_app::Update;
use bevy_ecs::prelude::*;
use bevy_math::DVec2;
use carom::{ForecastOptions, QueryFilter};
use carom_bevy::{Aim, CaromPlugin, Impacted, Physics, Velocity, Wall};

#[test]
fn rays_and_areas_name_entities() {
    let mut app = app(CaromPlugin::default());
    let ball = app.world_mut().spawn(disc(4.0, 0.0, 0.5, [0.0, 0.0])).id();
    let wall = app.world_mut().spawn(Wall::from(carom::Wall::half_plane([9.0, 0.0], [-1.0, 0.0]))).id();
    let physics = app.world().resource::<Physics>();
    let ray = |filter: &QueryFilter<'_>| physics.cast_ray(DVec2::ZERO, DVec2::X, filter).unwrap().unwrap();
    let (met, hit) = ray(&QueryFilter::new());
    assert_eq!((met, hit.distance), (ball, 3.5));
    assert_eq!(ray(&QueryFilter::new().only_walls()).0, wall);
    let near = physics.overlap_disc(DVec2::new(6.0, 0.0), 3.0, &QueryFilter::new()).unwrap();
    assert_eq!(near, [ball, wall]);
}

/// What the aim line says of the next impact is what comes, to the bit.
#[test]
fn an_aim_line_comes_true() {
    #[derive(Resource, Default)]
    struct Line(Vec<f64>);
    let mut app = app(CaromPlugin::default());
    app.init_resource::<Line>();
    app.world_mut().spawn(Wall::from(carom::Wall::container([0.0, 0.0], [16.0, 9.0])));
    let cue = app.world_mut().spawn(disc(3.0, 4.0, 0.5, [0.0, 0.0])).id();
    app.world_mut().spawn(disc(9.0, 5.0, 0.5, [-1.0, 0.3]));
    let strike = DVec2::new(5.0, 30.0);
    app.add_systems(Update, move |mut aim: Aim, mut line: ResMut<Line>| {
        if line.0.is_empty() {
            let options = ForecastOptions::new(1.0);
            let path = aim.path_with(cue, strike, &options).expect("numbers in range");
            line.0 =
                path.iter().filter(|piece| piece.met.is_some()).map(|piece| piece.end.as_secs()).collect();
        }
    });
    frame(&mut app, 10_000);
    app.world_mut().get_mut::<Velocity>(cue).unwrap().0 = strike;
    let mut times = Vec::new();
    for _ in 0..100 {
        frame(&mut app, 10_000);
        let told = app.world_mut().resource_mut::<Messages<Impacted>>().drain().collect::<Vec<_>>();
        let of_cue = |hit: &&Impacted| hit.entity == cue || hit.other == Some(cue);
        times.extend(told.iter().filter(of_cue).map(|hit| hit.time));
    }
    assert!(times.len() > 3, "{times:?}");
    assert_eq!(app.world().resource::<Line>().0[..], times[..]);
}

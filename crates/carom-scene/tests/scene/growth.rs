//! Scenes whose discs grow before the start.

use carom_engine::math::tolerance::touch_slack;
use carom_engine::{DVec2, Smooth, WallShape};
use carom_scene::{Built, Gas, Growth, Periodic, Radii, Scene, SceneDisc, SceneError, SceneShape, SceneWall};
use std::f64::consts::PI;
use std::ops::ControlFlow;

/// Discs of radius ½ at a packing fraction of 0.3, at a temperature of 1, in a period or a box.
fn scene(count: u64, is_periodic: bool, rate: f64, packing: f64) -> Scene {
    let mut gas = Gas::packed(count, Radii::Same(0.5), 0.3, 7);
    gas.temperature = Some(1.0);
    (gas.zero_momentum, gas.exact_temperature) = (true, true);
    let mut scene = Scene::new("dense");
    scene.gases.push(gas);
    if is_periodic {
        scene.periodic = Periodic { gas: Some(0), ..Periodic::default() };
    } else {
        scene.walls.push(SceneWall::new(SceneShape::AroundGas { gas: 0 }));
    }
    scene.growth = Some(Growth { rate, packing });
    scene.until = 100.0;
    scene
}

fn side(scene: &Scene) -> f64 {
    (scene.gases[0].count as f64 * 0.25 * PI / 0.3).sqrt()
}

/// The packing fraction is the one that was asked for, nothing overlaps, the energy is that of the gas, and
/// it is the start.
fn check(scene: &Scene, built: &Built) {
    let (world, side) = (&built.world, side(scene));
    let goal = scene.growth.unwrap().packing;
    let discs: Vec<_> = built.discs.iter().map(|&id| world.get(id).unwrap().to_disc()).collect();
    let packing = discs.iter().map(|disc| PI * disc.radius * disc.radius).sum::<f64>() / (side * side);
    // Roundings of the time that it takes and of the radii.
    assert!((packing - goal).abs() < 1e-13, "{packing}");
    for (k, a) in discs.iter().enumerate() {
        assert_eq!(a.user_data, k as u64);
        for b in &discs[..k] {
            let d = world.periods().nearest(b.position - a.position).length();
            assert!(a.radius + b.radius - d <= touch_slack(side), "{k} {d}");
        }
        let room = a.position.min(DVec2::splat(side) - a.position).min_element();
        assert!(scene.walls.is_empty() || a.radius - room <= touch_slack(side));
    }
    // Two degrees of freedom are those of the centre of mass, which is at rest at the start.
    let energy = scene.gases[0].count as f64 - 1.0;
    assert!((world.kinetic_energy() / energy - 1.0).abs() < 1e-13, "{}", world.kinetic_energy());
    assert_eq!((world.now().as_secs(), world.growth()), (scene.settings.start, 0.0));
    let grown = built.grown.unwrap();
    assert!((grown.from - 0.3).abs() < 1e-13 && grown.to == goal && grown.events > 0, "{grown:?}");
}

#[test]
fn discs_grow_to_their_packing() {
    for (is_periodic, count, rate, packing) in
        [(true, 200, 0.005, 0.82), (true, 60, 0.05, 0.7), (false, 100, 0.02, 0.75), (false, 5, 0.1, 0.35)]
    {
        let mut scene = scene(count, is_periodic, rate, packing);
        (scene.settings.start, scene.until) = (3.0, 9.0);
        let built = scene.build().unwrap();
        check(&scene, &built);
        // As a file and again, to the last bit; and the run goes on with it.
        let mut again = Scene::from_json(&scene.to_json().unwrap(), "again").unwrap().build().unwrap();
        let mut world = built.world.clone();
        let places = |built: &Built| built.world.discs().map(|(_, disc)| disc).collect::<Vec<_>>();
        assert_eq!(places(&again), places(&built));
        world.advance(0.5).unwrap();
        again.world.advance(0.5).unwrap();
        assert_eq!(again.world.kinetic_energy(), world.kinetic_energy());
        assert!(scene.resume(world).unwrap().grown.is_none());
    }
}

/// Progress runs from 0 to 1, and does not go back.
#[test]
fn progress_is_told() {
    let mut told = vec![0.0];
    let note = &mut |part| {
        told.push(part);
        ControlFlow::Continue(())
    };
    scene(200, true, 0.01, 0.8).build_with::<Smooth>(note).unwrap();
    assert!(told.len() > 20 && told.windows(2).all(|pair| pair[0] <= pair[1]) && told[told.len() - 1] <= 1.0);
}

/// Whoever watches can end it, at any time: nothing is told after that.
#[test]
fn growth_and_placing_can_be_cancelled() {
    let mut many = scene(20_000, true, 0.01, 0.8);
    many.growth = None;
    for (scene, most) in [(scene(200, true, 0.01, 0.8), 20), (many, 8)] {
        for calls in 1..most {
            let mut left = calls;
            let watch = &mut |_: f64| {
                left -= 1;
                if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let cancelled = scene.build_with::<Smooth>(watch);
            assert!(matches!(cancelled, Err(SceneError::Cancelled)) && left == 0, "{calls}");
        }
    }
}

#[test]
fn what_cannot_grow_is_told() {
    let why = |scene: &Scene| {
        let line = scene.build().err().unwrap().to_string();
        line.strip_prefix("scene: ").unwrap_or(&line).to_owned()
    };
    let line = why(&scene(100, true, 50.0, 0.88));
    assert!(line.starts_with("growth: the discs jam at a packing fraction of 0."), "{line}");
    assert_eq!(
        why(&scene(100, true, 0.1, 0.29)),
        "growth.packing: 0.29 is not allowed; must be at least 0.300000, which the discs cover before they \
         grow, and that more than 0"
    );
    for (rate, packing, line) in [
        (0.0, 0.8, "growth.rate: 0 is not allowed; must be more than 0 and at most 1e15"),
        (f64::NAN, 0.8, "growth.rate: NaN is not allowed; must be more than 0 and at most 1e15"),
        (1.0, 1.0, "growth.packing: 1 is not allowed; must be more than 0 and less than 1"),
    ] {
        assert_eq!(why(&scene(100, true, rate, packing)), line);
    }
    let mut bare = scene(10, false, 0.1, 0.5);
    bare.walls.clear();
    let no_area = "growth: has no meaning here; a packing needs an area: periods on both axes, or a wall \
        that is a container";
    assert_eq!(why(&bare), no_area);
    let mut still = scene(10, true, 0.1, 0.5);
    still.gases[0].temperature = None;
    still.gases[0].exact_temperature = false;
    assert!(why(&still).starts_with("growth: has no meaning here; discs at rest"), "{}", why(&still));
    let mut round = scene(10, false, 0.1, 0.5);
    let room = WallShape::Circle { center: DVec2::splat(2.5), radius: 50.0 };
    round.walls.push(SceneWall::new(room));
    assert!(why(&round).starts_with("growth: discs cannot grow beside wall"), "{}", why(&round));
    // It would take years.
    assert!(why(&scene(100, true, 1e-13, 0.5)).starts_with("growth: "));
}

/// The scene of the documentation is one.
#[test]
fn the_example_is_a_scene() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/dense-1000.toml");
    let scene = Scene::load(path).unwrap();
    assert_eq!(scene.growth, Some(Growth { rate: 0.003, packing: 0.88 }));
}

/// Two discs of radius 1 whose centres are 4 apart touch where their radii are 2: at a rate of 1/2 after 2 s.
#[test]
fn radii_grow_from_the_start_on() {
    let mut scene = Scene::new("growing");
    scene.settings.growth_rate = 0.5;
    (scene.settings.start, scene.until) = (3.0, 9.0);
    for x in [0.0, 4.0] {
        scene.discs.push(SceneDisc::new(DVec2::new(x, 0.0), 1.0));
    }
    let read = Scene::from_json(&scene.to_json().unwrap(), "growing.json").unwrap();
    let mut world = read.build().unwrap().world;
    assert_eq!(world.growth(), 0.5);
    assert_eq!(world.next_event().unwrap().time.as_secs(), 5.0);
    world.advance_to(4.0).unwrap();
    assert!(world.discs().all(|(_, disc)| disc.radius == 1.5));
}

#[test]
fn growth_is_refused_where_it_cannot_be() {
    let refused = |edit: &dyn Fn(&mut Scene)| {
        let mut scene = Scene::new("growing");
        scene.settings.growth_rate = 0.5;
        scene.discs.push(SceneDisc::new(DVec2::ZERO, 1.0));
        edit(&mut scene);
        scene.build().err().map_or_else(String::new, |error| error.to_string())
    };
    let round = SceneShape::Given(WallShape::Circle { center: DVec2::ZERO, radius: 9.0 });
    let says = [
        refused(&|scene| scene.settings.growth_rate = f64::NAN),
        refused(&|scene| scene.settings.growth_rate = -1.0),
        refused(&|scene| scene.settings.drag = 1.0),
        refused(&|scene| scene.gravity = DVec2::Y),
        refused(&|scene| scene.walls.push(SceneWall::new(round.clone()))),
    ];
    for line in &says {
        assert!(
            line.starts_with("scene: settings.growth_rate:") || line.starts_with("scene: walls[0]"),
            "{line}"
        );
    }
}

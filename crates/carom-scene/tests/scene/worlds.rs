//! Scenes as worlds.

use carom_engine::{
    Event, Forces, Overlap, Partner, Rough, Rules, SchedulerKind, Smooth, StopReason, WallShape, World,
};
use carom_scene::{Built, Scene, SceneDisc, SceneError, Source, Syntax, in_physics};
use carom_testkit::refused::refusals;
use glam::DVec2;
use std::ops::ControlFlow;

#[test]
fn galperin_counts_the_digits_of_pi() {
    let scene = Scene::named("galperin-pi").unwrap();
    let mut built = scene.build().unwrap();
    built.world.advance_to(scene.until).unwrap();
    let counters = built.world.counters();
    assert_eq!(counters.disc_impacts + counters.wall_impacts, 3141);
}

#[test]
fn the_cradle_moves_one_disc_at_a_time() {
    let scene = Scene::named("newtons-cradle").unwrap();
    let mut built = scene.build().unwrap();
    let mut moved = std::collections::BTreeSet::new();
    for step in 1..=240 {
        built.world.advance_to(f64::from(step) * 0.1).unwrap();
        let moving: Vec<(usize, DVec2)> = (0..6)
            .map(|index| (index, built.world.get(built.discs[index]).unwrap().velocity()))
            .filter(|(_, velocity)| *velocity != DVec2::ZERO)
            .collect();
        assert_eq!(moving.len(), 1, "{moving:?}");
        assert_eq!(moving[0].1.abs(), DVec2::X);
        moved.insert(moving[0].0);
    }
    assert_eq!(moved.into_iter().collect::<Vec<_>>(), [0, 5]);
}

#[test]
fn a_symmetric_break_stays_symmetric() {
    // The rack of nine-ball-discs, hit in the middle.
    let mut scene = Scene::named("nine-ball-discs").unwrap();
    scene.discs[0].position = DVec2::new(-0.6, 0.0);
    scene.discs[0].velocity = DVec2::new(8.0, 0.0);
    let mut built = scene.build().unwrap();
    built.world.advance_to(0.6).unwrap();
    let places: Vec<DVec2> = built.discs.iter().map(|&id| built.world.get(id).unwrap().position()).collect();
    for place in &places {
        let mirrored = DVec2::new(place.x, -place.y);
        assert!(places.contains(&mirrored), "{place} has no mirror image among {places:?}");
    }
    assert!(places.iter().filter(|place| place.y != 0.0).count() >= 4);
}

#[test]
fn the_carom_scores_by_three_cushions() {
    let scene = Scene::named("three-ball-carom").unwrap();
    let mut built = scene.build().unwrap();
    let [cue, yellow, red] = [0, 1, 2].map(|index| built.discs[index]);
    built.world.advance_to(scene.until).unwrap();
    let mut met = String::new();
    for impact in built.world.events().iter().filter_map(|event| event.impact()) {
        match impact.b {
            Partner::Wall { .. } if impact.a == cue => met.push('|'),
            Partner::Disc(b) if [impact.a, b].contains(&cue) => {
                met.push(if [impact.a, b].contains(&red) { 'R' } else { 'Y' });
                assert!([impact.a, b].iter().any(|id| [yellow, red].contains(id)));
            }
            _ => {}
        }
    }
    assert!(met.starts_with("R|||Y"), "{met}");
}

/// The world of a file, or why there is none.
fn build(text: &str) -> Result<Built, SceneError> {
    let source = Source::new("s.toml", text, Syntax::Toml);
    source.scene().and_then(|scene| scene.build().map_err(|error| source.explain(error)))
}

#[test]
fn what_does_not_fit_is_refused_with_the_line_of_the_entry() {
    let one = "format = 1\nmodel = \"discs\"\nuntil = 1\n[[discs]]\nposition = [0, 0]\nradius = 1\n";
    let two = format!("{one}[[discs]]\nposition = [1.5, 0]\nradius = 1\n");
    let wall = format!("{one}[[walls]]\nshape = \"segment\"\na = [-2, 0.5]\nb = [2, 0.5]\n");
    for (text, says) in [
        (&two, "s.toml:7:1: discs[1]: overlaps discs[0] by 0.5; allowed is touching, or"),
        (&wall, "s.toml:4:1: discs[0]: overlaps part 0 of walls[0] by 0.5; allowed is"),
    ] {
        let error = build(text).err().unwrap();
        assert!(
            matches!(error, SceneError::Refused { .. }) && error.to_string().starts_with(says),
            "{error}"
        );
    }
    assert!(build(&two.replace("[1.5, 0]", "[1.5, 0]\nallow_overlap = true")).is_ok());
    // 2^51 epochs of 2^-10 s.
    assert_eq!(
        build("format = 1\nmodel = \"discs\"\nuntil = 1e300\n").err().unwrap().to_string(),
        "s.toml:3:9: until: 1e300 is not allowed; must be at most 2199023255552 s, all that a clock of \
         this epoch holds"
    );
}

#[test]
fn overlaps_are_dealt_with_as_the_scene_says() {
    let text = "format = 1\nmodel = \"discs\"\nuntil = 1\noverlaps = \"refuse\"\n\n[[discs]]\nposition = \
        [0, 0]\nradius = 1\n\n\
                [[discs]]\nposition = [1.5, 0]\nradius = 1\n";
    let by = |policy: &str| build(&text.replace("\"refuse\"", policy));
    assert!(by("\"refuse\"").is_err());
    let built = by("\"allow\"").unwrap();
    assert!(built.moved.is_empty() && built.parted.is_none());
    let built = by("\"push_apart\"").unwrap();
    // A quarter each; the margin is 10⁻¹³ of the contact distance of 2.
    let places = built.discs.iter().map(|&id| built.world.get(id).unwrap().position());
    for (place, x) in places.zip([-0.25, 1.75]) {
        assert!((place - DVec2::new(x, 0.0)).length() < 1e-12);
    }
    assert_eq!(built.moved.iter().map(|moved| moved.disc).collect::<Vec<_>>(), built.discs);
    assert!(built.discs.iter().all(|&id| built.world.get(id).unwrap().overlap() == Overlap::Refuse));
    let built = by("{ part = 3 }").unwrap();
    let velocities: Vec<f64> =
        built.discs.iter().map(|&id| built.world.get(id).unwrap().velocity().x).collect();
    assert_eq!(velocities, [-1.5, 1.5]);
    assert_eq!(built.parted.unwrap().energy_added, 2.25);

    // A corridor that is too narrow.
    let walls = "\n[[walls]]\nshape = \"container\"\nmin = [-9, -0.5]\nmax = [9, 0.5]\n";
    for [from, to, says] in refusals(include_str!("../refused.txt"), "overlaps") {
        let error = build(&(text.replace(&from, &to) + walls)).err().unwrap();
        assert!(error.to_string().starts_with(&says), "{error}\nfor {says}");
    }
}

#[test]
fn more_discs_than_the_table_of_pairs_holds_are_refused_before_it_is_made() {
    let mut scene = Scene::new("many");
    scene.settings.scheduler = SchedulerKind::Table;
    scene.discs = (0..20_000).map(|n| SceneDisc::new(DVec2::new(3.0 * f64::from(n), 0.0), 1.0)).collect();
    let error = scene.build().err().unwrap().to_string();
    assert_eq!(
        error,
        "scene: settings.scheduler: `table` for 20000 discs is not allowed; must be `grid` or `fastest` \
         for more than 16384"
    );
    scene.settings.scheduler = SchedulerKind::default();
    let mut heard = Vec::new();
    let listen = &mut |done| {
        heard.push(done);
        ControlFlow::Continue(())
    };
    let built = scene.build_with::<Smooth>(listen).unwrap();
    assert_eq!(built.world.len(), 20_000);
    // Of 20,000 that are placed as they are and then put there, in steps of 4096.
    assert!(
        heard.len() >= 4 && heard.iter().is_sorted() && heard.iter().all(|done| (0.5..=1.0).contains(done))
    );
}

/// The box of a gas that says only how densely it is packed.
#[test]
fn a_wall_around_a_gas_is_around_its_region() {
    let gas = |more: &str| {
        let text = format!(
            "format = 1\nmodel = \"discs\"\nuntil = 1\n[[gases]]\ncount = 50\nseed = 1\ntemperature = 1\n\
             packing = 0.25\n{more}\n\
             [[walls]]\nshape = \"around_gas\"\ngas = 0\nrestitution = 0.5\n"
        );
        let mut built = Scene::from_toml(&text, "g").unwrap().build().unwrap();
        let wall = built.world.get_wall(built.walls[0]).unwrap().clone();
        assert_eq!((wall.restitution, wall.user_data), (0.5, 0));
        built.world.advance_to(1.0).unwrap();
        built.world.assert_well_formed();
        assert!(built.world.counters().wall_impacts > 0);
        wall.shape
    };
    // 50 π/4 / 0.25 = 50 π.
    let WallShape::Container { min, max } = gas("radius = 0.5") else { panic!() };
    assert!(min == DVec2::ZERO && (max.x * max.y / (50.0 * std::f64::consts::PI) - 1.0).abs() < 1e-13);
    let around = gas("region = { center = [1, 2], radius = 3 }");
    assert_eq!(around, WallShape::Circle { center: DVec2::new(1.0, 2.0), radius: 3.0 });
}

#[test]
fn a_scene_goes_on_with_a_world_of_its_own_only() {
    let scene = Scene::named("nine-ball-discs").unwrap();
    let mut built = scene.build().unwrap();
    built.world.advance_to(0.5).unwrap();
    let again = scene.resume(built.world.clone()).unwrap();
    assert_eq!((&again.discs, &again.walls, &again.looks), (&built.discs, &built.walls, &built.looks));
    assert_eq!(again.origins, built.origins);
    assert_eq!(again.world.now(), built.world.now());

    let refuses = |scene: &Scene, world: &World, why: &str| {
        let line = scene.resume(world.clone()).err().unwrap().to_string();
        assert_eq!(line, format!("the world is not one of this scene: {why}"));
    };
    let other = Scene::named("box-16").unwrap();
    refuses(&other, &built.world, "it has 10 discs, the scene has 16");
    let mut periodic = scene.clone();
    periodic.walls.clear();
    periodic.periodic.x = Some(40.0);
    let why = "its periods are none and none, those of the scene 40 and none";
    refuses(&periodic, &built.world, why);
    built.world.set_user_data(built.discs[3], 4).unwrap();
    refuses(&scene, &built.world, "none of its discs has the number 3");
    // Racks, gases and single discs: who comes from where, without placing the gas again.
    let every = Scene::from_toml(include_str!("../every-field.toml"), "every").unwrap();
    let expanded = every.expand().unwrap();
    let paths = [0, 1, 2, 11, 12, 21].map(|index| expanded.origins.entry(index).to_string());
    assert_eq!(paths, ["discs[0]", "discs[1]", "racks[0]", "racks[0]", "racks[1]", "gases[0]"]);
    assert_eq!(expanded.origins.len(), expanded.discs.len());
    assert!(expanded.origins.entry(expanded.discs.len()).is_root());
}

/// Nothing from outside acts on a gas in a periodic plane, so that its momentum stays what it is.
#[test]
fn a_periodic_gas_keeps_its_momentum() {
    for (placement, packing) in [("random", 0.4), ("square", 0.6), ("hexagonal", 0.72)] {
        let text = format!(
            "format = 1\nmodel = \"discs\"\nuntil = 2\nperiodic = {{ gas = 1 }}\n\
             [[gases]]\ncount = 1\nseed = 1\nradius = 0.1\nspeed = 3\nregion = {{ min = [0.25, 0.1], max = \
             [0.5, 0.4] }}\n\
             [[gases]]\ncount = 240\nseed = 2\nradius = 0.5\npacking = {packing}\nplacement = \
             \"{placement}\"\ntemperature = 1\n"
        );
        let mut scene = Scene::from_toml(&text, "p").unwrap();
        if placement != "random" {
            // A lattice does not look at what stands there.
            scene.gases.remove(0);
            scene.periodic.gas = Some(0);
        }
        let mut built = scene.build().unwrap();
        // 240·π/4/packing.
        let area = 60.0 * std::f64::consts::PI / packing;
        for period in [built.world.periods().x(), built.world.periods().y()] {
            assert!((period.unwrap().powi(2) / area - 1.0).abs() < 1e-13);
        }
        let (momentum, energy) = (built.world.momentum(), built.world.kinetic_energy());
        let advance = built.world.advance_to(2.0).unwrap();
        built.world.assert_well_formed();
        assert_eq!((advance.end, built.world.counters().wall_impacts), (StopReason::Reached, 0));
        assert!(advance.events > 500, "{placement}: {}", advance.events);
        // Each event rounds the momenta of two discs, of some 1 each, by a few ε.
        assert!((built.world.momentum() - momentum).length() < 1e-14 * advance.events as f64);
        assert!((built.world.kinetic_energy() / energy - 1.0).abs() < 1e-14 * advance.events as f64);
    }
}

/// A tube: open to the sides, walls above and below.
#[test]
fn one_axis_alone_may_be_periodic() {
    let text = "format = 1\nmodel = \"discs\"\nuntil = 5\nperiodic = { x = 20 }\n\
                [[gases]]\ncount = 60\nseed = 1\nradius = 0.5\ntemperature = 1\nregion = { min = [0, 0], \
                max = [20, 8] }\n\
                [[walls]]\nshape = \"half_plane\"\npoint = [0, 0]\nnormal = [0, 1]\n\
                [[walls]]\nshape = \"half_plane\"\npoint = [0, 8]\nnormal = [0, -1]\n";
    let mut built = Scene::from_toml(text, "tube").unwrap().build().unwrap();
    assert_eq!((built.world.periods().x(), built.world.periods().y()), (Some(20.0), None));
    let along = built.world.momentum().x;
    let advance = built.world.advance_to(5.0).unwrap();
    built.world.assert_well_formed();
    assert!(built.world.counters().wall_impacts > 10);
    assert!((built.world.momentum().x - along).abs() < 1e-14 * advance.events as f64);
    for &disc in &built.discs {
        let place = built.world.get(disc).unwrap().position();
        assert!((0.0..20.0).contains(&place.x) && (0.5 - 1e-12..=7.5 + 1e-12).contains(&place.y), "{place}");
    }
}

/// What the membrane accepts stays on its side, what it does not goes through, and both hit each other.
#[test]
fn a_membrane_holds_the_large_and_lets_the_small_pass() {
    let scene = Scene::named("membrane").unwrap();
    let mut built = scene.build().unwrap();
    let (mut passed, mut of_both) = (0, 0);
    for _ in 0..60 {
        let before: Vec<f64> = built.world.discs().map(|(_, disc)| disc.position.x).collect();
        built.world.advance(1.0).unwrap();
        for ((_, disc), before) in built.world.discs().zip(before) {
            let is_small = disc.rules == Rules::new().with_mask(1);
            assert!(is_small || disc.position.x > 0.9 - 1e-9, "{disc:?}");
            passed += usize::from(is_small && disc.position.x * before < 0.0);
        }
        let impacts = built.world.events().iter().filter_map(|event| event.impact());
        let is_small = |b: Partner| b.disc().is_some_and(|b| b.slot() >= 20);
        of_both += impacts.filter(|hit| hit.a.slot() < 20 && is_small(hit.b)).count();
    }
    assert!(passed > 100 && of_both > 100, "{passed} passed, {of_both} impacts of large and small");
}

/// Each kind of entry gives its rules to what it makes, and a file that misspells one is refused where it
/// stands.
#[test]
fn rules_reach_the_world_from_every_entry() {
    let text = r#"
        format = 1
        model = "discs"
        name = "rules"
        title = "rules"
        description = "rules"
        until = 1.0
        discs = [{ position = [0, 0], radius = 1, rules = { mask = 6, team = 2 } },
                 { position = [0.5, 0], radius = 1, rules = { team = 2 } }]
        racks = [{ pattern = "triangle", rows = 1, apex = [9, 0], radius = 1, rules = { membership = 4 } }]
        gases = [{ count = 1, radius = 1, seed = 1, rules = { mask = 0 },
                   region = { min = [20, 0], max = [23, 3] } }]
        walls = [{ shape = "disc", center = [0, 0], radius = 1, rules = { membership = 8, team = 2 } }]
    "#;
    let built = Scene::from_toml(text, "rules.toml").unwrap().build().unwrap();
    let rules: Vec<Rules> = built.world.discs().map(|(_, disc)| disc.rules).collect();
    let all = Rules::new();
    let of_discs = [all.with_mask(6).with_team(2), all.with_team(2)];
    assert_eq!(rules, [of_discs[0], of_discs[1], all.with_membership(4), all.with_mask(0)]);
    let wall = built.world.get_wall(built.walls[0]).unwrap().rules;
    assert_eq!(wall, all.with_membership(8).with_team(2));
    for (wrong, message) in [("team = 2 } },", "teams = 2 } },"), ("mask = 6", "mask = -1")] {
        let error =
            Scene::from_toml(&text.replacen(wrong, message, 1), "rules.toml").unwrap_err().to_string();
        assert!(error.contains("rules.toml:8"), "{error}");
    }
}

/// A ball with e = 1 at 2 m/s loses nothing to a wall, gets 0.5 m/s from one that kicks, and a brick is gone
/// after it was hit, when a timer says so; in rough worlds, too. Physics without a judge say what they lack.
#[test]
fn verdicts_are_those_of_the_file() {
    let text = "format = 1\nmodel = \"discs\"\nuntil = 4\n\
                discs = [{ position = [2, 0], radius = 0.5, velocity = [2, 0] }]\n\
                walls = [{ shape = \"segment\", a = [4.5, -1], b = [4.5, 1] }, \
                { shape = \"segment\", a = [0, -1], b = [0, 1] }]\n\
                [[verdicts]]\nsecond = { is = \"wall\", numbers = [0, 0] }\n\
                verdict = \"bounce_and_remove\"\nwhich = \"second\"\n\
                commands = [{ do = \"set_timer\", seconds = 0, note = 7 }]\n\
                [[verdicts]]\nsecond = { is = \"wall\" }\nverdict = \"kick\"\nspeed = 0.5\n";
    for rough in ["", "roughness = { friction = 0 }\n"] {
        let scene = Scene::from_toml(&text.replace("until", &format!("{rough}until")), "v.toml").unwrap();
        let error = scene.build_as::<Forces>().err().unwrap().to_string();
        assert!(scene.has_verdicts() && error.starts_with("scene: verdicts: has no meaning here"), "{error}");
        in_physics!(scene, P => {
            let mut world = scene.build_as::<P>().unwrap().world;
            world.advance_to(scene.until).unwrap();
            // To 4 in 1 s, back to 0.5 in 1.75 s, and from there at 2.5 m/s.
            let (_, disc) = world.discs().next().unwrap();
            let expected = (DVec2::new(0.5 + 1.25 * 2.5, 0.0), DVec2::new(2.5, 0.0));
            assert_eq!((disc.position, disc.velocity), expected);
            assert_eq!(world.walls().count(), 1);
            let notes = world.events().iter().filter_map(|event| match event {
                Event::Timer { note, time, .. } => Some((*note, time.as_secs())),
                _ => None,
            });
            assert_eq!(notes.collect::<Vec<_>>(), [(7, 1.0)]);
        });
    }
}

/// A disc that ignores gravity and one that falls, a thruster, a puck that friction stops: each where the
/// formula says.
#[test]
fn forces_are_those_of_the_file() {
    let text = "format = 1\nmodel = \"discs\"\nuntil = 2\ngravity = [0, -8]\nweight = 10\n\
                discs = [{ position = [0, 0], radius = 1, velocity = [1, 0] }, \
                { position = [10, 0], radius = 1, gravity_scale = 0, acceleration = [0.5, 1] }, \
                { position = [30, 0], radius = 1, gravity_scale = 0, friction = 0.25, velocity = [0, 5] }]\n";
    let scene = Scene::from_toml(text, "f.toml").unwrap();
    assert!(scene.has_forces());
    let mut built = scene.build_as::<Forces>().unwrap();
    built.world.advance_to(scene.until).unwrap();
    // ½ a t² after 2 s; the puck has stopped after v/(μ w) = 2 s, v²/(2 μ w) = 5 from its start.
    let expected = [(2.0, -16.0, 1.0, -16.0), (11.0, 2.0, 1.0, 2.0), (30.0, 5.0, 0.0, 0.0)];
    for (&id, (x, y, vx, vy)) in built.discs.iter().zip(expected) {
        let disc = built.world.get(id).unwrap();
        assert_eq!((disc.position(), disc.velocity()), (DVec2::new(x, y), DVec2::new(vx, vy)));
    }
    // Without forces the same scene is one of straight paths, in either physics.
    let error = scene.build().err().unwrap().to_string();
    assert!(error.starts_with("scene: gravity: has no meaning here"), "{error}");
}

/// Of three uniform discs under a gravity of 10, with a friction of 0.2: one is set on a floor spinning at 3,
/// so slips at 3, and by 2 less a second in its path and 4 in its spin; after half a second it rolls. One
/// rolls at 3 with a resistance of 0.3, which slows it by ρ g/(1 + q) = 2, and lies still after 1.5 s. One
/// lies on a conveyor that runs at 3, and comes to roll on it as the first on the floor.
#[test]
fn friction_is_that_of_the_file() {
    let text = r#"
        format = 1
        model = "discs"
        until = 2
        gravity = [0, -10]
        roughness = { friction = 0.2 }
        discs = [{ position = [0, 1], radius = 1, angular_velocity = 3 },
                 { position = [50, 1], radius = 1, velocity = [3, 0], angular_velocity = -3,
                   roughness = { friction = 0.2, rolling_resistance = 0.3 } },
                 { position = [100, 1], radius = 1 }]
        walls = [{ shape = "segment", a = [-9, 0], b = [9, 0] },
                 { shape = "segment", a = [45, 0], b = [60, 0],
                   roughness = { friction = 0.2, rolling_resistance = 0.3 } },
                 { shape = "segment", a = [90, 0], b = [120, 0], surface_speed = 3 }]
    "#;
    let scene = Scene::from_toml(text, "rough.toml").unwrap();
    let mut built = scene.build_as::<Rough<Forces>>().unwrap();
    let mut states = |time: f64| {
        built.world.advance_to(time).unwrap();
        let discs = built.discs.iter().map(|&id| built.world.get(id).unwrap());
        let state = discs.map(|disc| [disc.position().x, disc.velocity().x, disc.extra().angular_velocity]);
        state.collect::<Vec<_>>()
    };
    for (time, expected) in [
        (0.25, [[-0.0625, -0.5, 2.0], [50.6875, 2.5, -2.5], [100.0625, 0.5, 1.0]]),
        (0.5, [[-0.25, -1.0, 1.0], [51.25, 2.0, -2.0], [100.25, 1.0, 2.0]]),
        (2.0, [[-1.75, -1.0, 1.0], [52.25, 0.0, 0.0], [101.75, 1.0, 2.0]]),
    ] {
        for (state, expected) in states(time).into_iter().flatten().zip(expected.into_iter().flatten()) {
            assert!((state - expected).abs() < 1e-13, "{state} is not {expected} at {time}");
        }
    }
    for error in [scene.build_as::<Smooth>().err(), scene.build_as::<Forces>().err()] {
        let error = error.unwrap().to_string();
        assert!(error.contains("roughness: has no meaning here; the scene is built in a physics"), "{error}");
    }
}

/// Balls that roll come to rest by rolling resistance: marbles in the box of their run and in the bins of the
/// board, and a pinball in its trough, all of them, and not turning. On the first ramp, of slope 0.2 in 1.5,
/// a marble goes down by g (sin α − ρ cos α)/(1 + q).
#[test]
fn balls_that_roll_come_to_rest() {
    for name in ["marble-run-rolling", "galton-board-rolling", "pinball-rolling"] {
        let scene = Scene::named(name).unwrap();
        let mut built = scene.build_as::<Rough<Forces>>().unwrap();
        if name == "marble-run-rolling" {
            let speeds = [0.75, 1.0].map(|time| {
                built.world.advance_to(time).unwrap();
                built.world.get(built.discs[0]).unwrap().velocity().length()
            });
            let length = (1.5_f64 * 1.5 + 0.2 * 0.2).sqrt();
            let expected = 9.81 * (0.2 - 0.005 * 1.5) / length / 1.4;
            let gained = 4.0 * (speeds[1] - speeds[0]);
            assert!((gained - expected).abs() < 1e-9, "{gained} is not {expected}");
        }
        built.world.advance_to(scene.until).unwrap();
        let energy = built.world.kinetic_energy() + built.world.rotational_energy();
        assert_eq!(energy, 0.0, "{name}");
        let lowest = built.world.discs().map(|(_, disc)| disc.position.y).fold(f64::INFINITY, f64::min);
        assert!(lowest > scene.view.bounds.unwrap().min.y, "{name}: one has fallen out");
    }
}

/// Discs of a scene that grow before the start are slowed down from then on, over v/k in all: 2/0.5.
#[test]
fn drag_is_that_of_the_file() {
    let text = "format = 1\nmodel = \"discs\"\nuntil = 200\nsettings = { drag = 0.5 }\n\
                discs = [{ position = [5, 5], radius = 1, velocity = [2, 0] }]\n";
    let scene = Scene::from_toml(text, "d.toml").unwrap();
    let mut built = scene.build().unwrap();
    built.world.advance_to(2.0 * core::f64::consts::LN_2).unwrap();
    let half = built.world.get(built.discs[0]).unwrap();
    assert!((half.velocity().x - 1.0).abs() < 1e-15 && (half.position().x - 7.0).abs() < 1e-14);
    built.world.advance_to(scene.until).unwrap();
    assert!((built.world.get(built.discs[0]).unwrap().position().x - 9.0).abs() < 1e-14);
    let growing = format!(
        "{text}growth = {{ rate = 0.1, packing = 0.04 }}\n\
         walls = [{{ shape = \"container\", min = [0, 0], max = [10, 10] }}]\n"
    );
    let grown = Scene::from_toml(&growing, "d.toml").unwrap().build().unwrap();
    assert!(grown.grown.is_some() && grown.world.settings().drag == 0.5);
}

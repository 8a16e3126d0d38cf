//! Damaged, old and hostile snapshots are refused with an error that names what is wrong, or give a whole
//! world; they never panic, and never take memory that they do not pay for.

use crate::common::rng::{Rng, cases};
use crate::common::stored::Format;
use crate::common::toys::{Toy, Which};
use carom_engine::{DVec2, Disc, Region, Rules, Settings, Wall, World, limits, snapshot};
use serde_json::{Value, json};

/// A small world with something of everything: walls of which one was put up late, one in whose place another
/// came, two whose slots are free; discs that hold the memory of a wall, of a pair and of a group, with gaps
/// between.
fn world() -> World {
    let settings = Settings::default().with_budget(300);
    let mut world = World::with_settings(settings).unwrap();
    let posts: Vec<_> = (0..8)
        .map(|k| world.add_wall(Wall::disc(DVec2::new(f64::from(k) - 2.0, 7.0), 0.25)).unwrap())
        .collect();
    world.add_wall(Wall::container(DVec2::splat(-8.0), DVec2::splat(8.0))).unwrap();
    for k in [1, 3, 2, 5, 6, 7] {
        world.remove_wall(posts[k]).unwrap();
    }
    let line = [DVec2::new(-6.0, -6.0), DVec2::new(-6.0, 2.0), DVec2::new(-7.0, 3.0)];
    world.add_wall(Wall::polyline(&line).with_restitution(0.5)).unwrap();
    let bars = [3.0, 4.0].map(|y| {
        let bar = Wall::segment([-7.9, y], [-6.9, y]).with_max_speed(8.0);
        let bar = world.add_wall(bar).unwrap();
        world.move_wall_until(bar, [0.25, 0.5], 0.75).unwrap();
        bar
    });
    let disc = |x: f64, y: f64, v: DVec2| Disc::new(DVec2::new(x, y), 0.5).with_velocity(v);
    let ids: Vec<_> = [
        disc(0.0, 0.0, DVec2::ZERO),
        disc(1.0, 0.0, DVec2::ZERO),
        disc(2.0, 0.0, DVec2::ZERO).with_restitution(0.3),
        disc(-4.0, 0.0, DVec2::new(5.0, 0.0)),
        disc(4.0, 5.0, DVec2::new(1.0, 4.0)).with_mass(f64::INFINITY),
        disc(4.0, -5.0, DVec2::new(-1.0, 3.0)).with_user_data(u64::MAX),
        disc(-4.0, -5.0, DVec2::new(-4.0, 1.0)).with_mass(0.0),
        disc(-4.0, 5.0, DVec2::ZERO),
        disc(0.0, -4.0, DVec2::ZERO),
        disc(-2.0, 5.0, DVec2::new(-1.0, -1.0)),
    ]
    .into_iter()
    .map(|disc| world.insert(disc).unwrap())
    .collect();
    for id in [ids[7], ids[9], ids[8]] {
        world.remove(id).unwrap();
    }
    let left = Region::rectangle([-8.0, -8.0], [0.5, 8.0]).with_user_data(9);
    world.add_region(left).unwrap();
    world.add_region(Region::disc([0.0, 0.0], 5.0).by_edge().carried_by(ids[0])).unwrap();
    world.advance(1.3).unwrap();
    world.add_wall(Wall::half_plane(DVec2::new(7.75, 0.0), DVec2::NEG_X)).unwrap();
    let second = world.insert(disc(7.0, -7.2, DVec2::new(0.0, -1.0)).with_overlap()).unwrap();
    world.set_velocity(second, DVec2::new(0.3, -0.0)).unwrap();
    world.advance(0.4).unwrap();
    // One that has moved, one that moves, and one that turns.
    let by = world.now().as_secs() + 2.0;
    world.move_wall_until(bars[1], [0.0, -0.75], by).unwrap();
    let arm = world.add_wall(Wall::arm([5.0, 0.0], 0.5, 0.125, 0.25)).unwrap();
    world.turn_arm(arm, 3.25, 1.0).unwrap();
    world
}

/// Whether it was refused. If not, it is a whole world.
fn survives(loaded: Result<World, String>, what: &dyn Fn() -> String) -> bool {
    let Ok(mut world) = loaded else { return true };
    let run = move || {
        world.set_budget(100);
        world.assert_well_formed();
        world.advance(0.5).unwrap_or_else(|_| world.step_event());
        world.assert_well_formed();
        let _ = world.insert(Disc::new(DVec2::new(-7.0, -7.0), 0.25).with_overlap());
        let ids: Vec<_> = world.ids().collect();
        for id in ids {
            world.set_velocity(id, DVec2::new(0.1, -0.7)).unwrap();
        }
        let walls: Vec<_> = world.walls().map(|(id, _)| id).collect();
        for wall in walls.into_iter().take(1) {
            world.remove_wall(wall).unwrap();
        }
        world.advance(0.5).unwrap_or_else(|_| world.step_event());
        world.assert_well_formed();
    };
    if let Err(panic) = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)) {
        eprintln!("{}", what());
        std::panic::resume_unwind(panic);
    }
    false
}

fn tree() -> Value {
    serde_json::from_slice(&Format::Json.save(&world())).unwrap()
}

/// The pointers of all nodes but the root.
fn pointers(value: &Value, at: &str, all: &mut Vec<String>) {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(k, value)| (k.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    for (name, value) in below {
        let pointer = format!("{at}/{name}");
        all.push(pointer.clone());
        pointers(value, &pointer, all);
    }
}

/// The text of a tree, with the node at a pointer written twice.
fn text_with_twice(tree: &Value, pointer: &str) -> String {
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let key = if tree.pointer(parent).unwrap().is_object() { format!("{name:?}:") } else { String::new() };
    let (mut marked, node) = (tree.clone(), tree.pointer(pointer).unwrap());
    *marked.pointer_mut(pointer).unwrap() = json!("twice");
    marked.to_string().replacen(&format!("{key}\"twice\""), &format!("{key}{node},{key}{node}"), 1)
}

/// The world is what it is meant to be.
#[test]
fn the_world_has_something_of_everything() {
    let tree = tree();
    let discs = tree["discs"].as_array().unwrap();
    assert!(tree["free_discs"].as_array().unwrap().len() == 2, "{}", tree["free_discs"]);
    assert!(tree["free_walls"].as_array().unwrap().len() == 1, "{}", tree["free_walls"]);
    // In the order in which they were put up, which is not that of the slots.
    let poses = tree["walls"].as_array().unwrap().iter().map(|wall| &wall["pose"]);
    let poses = poses.filter(|pose| !pose.is_null());
    let walls = tree["walls"].as_array().unwrap();
    let slots: Vec<_> = walls.iter().map(|wall| wall["id"]["slot"].as_u64()).collect();
    assert!(!slots.is_sorted(), "{slots:?}");
    for (what, count) in [
        ("facets", discs.iter().filter(|disc| disc["facets"] != json!([])).count()),
        ("groups", discs.iter().filter(|disc| disc["kind"] == "group").count()),
        ("pairs", discs.iter().filter(|disc| disc["detail"]["partner"] != disc["id"]["slot"]).count()),
        ("inside", tree["regions"][0]["inside"].as_array().unwrap().len()),
        ("in reach", tree["regions"][1]["inside"].as_array().unwrap().len()),
        ("masses", discs.iter().filter(|disc| disc["detail"]["mass"] == "inf").count()),
        ("moved", poses.clone().filter(|pose| pose["course"].is_null()).count()),
        ("moving", poses.clone().filter(|pose| pose["course"]["way"]["drift"].is_object()).count()),
        ("turning", poses.filter(|pose| pose["course"]["way"]["rotation"].is_object()).count()),
    ] {
        assert!(count > 0, "{what}");
    }
    let mut all = Vec::new();
    pointers(&tree, "", &mut all);
    assert_eq!(all.first().map(String::as_str), Some("/chains"));
    assert!(!survives(Format::Json.load(&serde_json::to_vec(&tree).unwrap()), &String::new));
}

/// Each field in turn is of a wrong type, not a number, negative, huge, missing, or there twice: refused, or
/// a whole world. What is missing or there twice is always refused.
#[test]
fn damage_of_a_field_is_refused_or_harmless() {
    let tree = tree();
    let mut all = Vec::new();
    pointers(&tree, "", &mut all);
    assert!(all.len() > 300, "{} nodes", all.len());
    let others = json!([
        null,
        true,
        "NaN",
        "inf",
        "-inf",
        "x",
        [],
        {},
        [0, 0],
        0,
        -0.0,
        -1,
        3,
        0.5,
        1e-310,
        -1e14,
        1e119,
        1e300,
        u32::MAX,
        1_u64 << 60,
        u64::MAX
    ]);
    let (mut refused, mut harmless) = (0, 0);
    for pointer in &all {
        for other in others.as_array().unwrap() {
            let mut damaged = tree.clone();
            *damaged.pointer_mut(pointer).unwrap() = other.clone();
            let loaded = Format::Json.load(&serde_json::to_vec(&damaged).unwrap());
            let refusal = survives(loaded, &|| format!("{pointer} = {other}"));
            (refused, harmless) = (refused + u32::from(refusal), harmless + u32::from(!refusal));
        }
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let mut damaged = tree.clone();
        match damaged.pointer_mut(parent).unwrap() {
            Value::Object(fields) => drop(fields.remove(name)),
            Value::Array(items) => drop(items.remove(name.parse().unwrap())),
            _ => unreachable!(),
        }
        let missing = Format::Json.load::<World>(&serde_json::to_vec(&damaged).unwrap());
        let twice = Format::Json.load::<World>(text_with_twice(&tree, pointer).as_bytes());
        // But for an item of a list that may be of another length.
        let may = ["facets", "points", "inside"].iter().any(|list| parent.ends_with(list));
        for (what, loaded) in [("missing", missing), ("twice", twice)] {
            assert!(survives(loaded, &|| format!("{pointer} {what}")) || may, "{pointer} {what}");
        }
    }
    assert!(refused > 5000 && harmless > 500, "{refused} refused, {harmless} harmless");
}

/// Any bit of a binary snapshot is flipped, and two random ones: refused, or a whole world.
#[test]
fn flipped_bits_are_refused_or_harmless() {
    let bytes = Format::Postcard.save(&world());
    let (mut refused, mut harmless) = (0, 0);
    let mut rng = Rng::new(1);
    let single = (0..8 * bytes.len()).map(|bit| (bit, bit));
    let double = (0..cases(2000)).map(|_| (rng.below(8 * bytes.len()), rng.below(8 * bytes.len())));
    for (one, other) in single.chain(double) {
        let mut damaged = bytes.clone();
        damaged[one / 8] ^= 1 << (one % 8);
        if other != one {
            damaged[other / 8] ^= 1 << (other % 8);
        }
        let refusal =
            survives(Format::Postcard.load(&damaged), &|| format!("bits {one} and {other} of {bytes:?}"));
        (refused, harmless) = (refused + u32::from(refusal), harmless + u32::from(!refusal));
    }
    assert!(refused > 1000 && harmless > 1000, "{refused} refused, {harmless} harmless");
}

/// A snapshot that ends early is refused, wherever it ends.
#[test]
fn truncated_snapshots_are_refused() {
    for format in crate::common::stored::FORMATS {
        let bytes = format.save(&world());
        for length in 0..bytes.len() {
            assert!(format.load::<World>(&bytes[..length]).is_err(), "{format:?} cut to {length}");
        }
    }
}

/// Each damage, of what is at a pointer, is refused, and of what is wrong this is said.
fn assert_refused(tree: &Value, cases: &[(&str, Value, &str)]) {
    for (pointer, value, expected) in cases {
        let mut damaged = tree.clone();
        *damaged.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} in {tree}")) = value.clone();
        let error = Format::Json.load::<World>(&serde_json::to_vec(&damaged).unwrap()).err();
        let is_said = error.as_ref().is_some_and(|error| error.contains(expected));
        assert!(is_said, "{pointer} = {value}: {error:?}");
    }
}

/// What is refused, and what is said about it: field, value and what is allowed.
#[test]
fn refusals_say_what_is_wrong() {
    let tree = tree();
    let now = tree["now"]["epoch_start"].as_f64().unwrap();
    let cases = [
        ("/version", json!(0), "version is 0, allowed is 22"),
        ("/version", json!(6), "version is 6, allowed is 22"),
        ("/settings/epoch", json!(0.3), "settings.epoch is 0.3, allowed is a power of two"),
        ("/settings/start", json!(-1.0), "settings.start is -1"),
        ("/settings/start", json!(5.0), "now is"),
        ("/settings/collapse/impacts", json!(0), "settings.impacts is 0"),
        ("/now/epoch_start", json!(1e-4), "now is 0.0001 + "),
        ("/now/epoch_start", json!(3.0), "the time of the next event is"),
        ("/impacts", json!(u64::MAX), "impacts is 18446744073709551615, allowed is at most"),
        ("/impacts", json!(1), "after is"),
        ("/next_serial", json!(3), "allowed is a serial number below next_serial, 3"),
        ("/counters/events", json!(u64::MAX), "counters.events is"),
        ("/counters/roots", json!(1), "counters.roots is 1, allowed is 0"),
        ("/slots/1", json!(1 << 25), "slots[1] is 33554432, allowed is at most 16777216"),
        ("/slots/1", json!(9), "length of free_discs is 2, allowed is 9, the number of slots, less 8"),
        ("/free_discs", json!([]), "length of free_discs is 0, allowed is 10, the number of slots, less 8"),
        ("/free_discs/0/slot", json!(0), "free_discs[0].slot is 0, allowed is a slot that is named once"),
        ("/free_discs/1/slot", json!(99), "free_discs[1].slot is 99, allowed is a slot below 10"),
        ("/discs/1/id/slot", json!(7777), "discs[1].id.slot is 7777, allowed is a slot below 10"),
        ("/discs/1/id/slot", json!(0), "discs[1].id.slot is 0, allowed is a slot that is named once"),
        (
            "/discs/1/detail/serial",
            json!(0),
            "discs[1].detail.serial is 0, allowed is one of its own, not that of discs[0]",
        ),
        (
            "/discs/1/detail/partner",
            json!(1000),
            "discs[1].detail.partner is 1000, allowed is the slot of a disc",
        ),
        ("/discs/1/state/position/0", json!(1e130), "discs[1].state.position.x is 1e130 (0x"),
        ("/discs/1/state/velocity/1", json!(-1e90), "discs[1].state.velocity.y is -1e90 (0x"),
        ("/discs/1/state/time/epoch_start", json!(now + 1.0), "discs[1].state.time is"),
        ("/discs/1/state/time/offset", json!(1.0), "discs[1].state.time is"),
        ("/discs/1/impact", json!(1_u64 << 40), "discs[1].impact is 1099511627776, allowed is at most"),
        ("/discs/1/facets", json!([[999, "front"]]), "discs[1].facets[0] is 999"),
        (
            "/discs/1/facets",
            json!([[0, "front"], [1, "front"], [2, "front"]]),
            "length of facets is 3, allowed is at most 2",
        ),
        ("/discs/1/state/radius", json!(-1.0), "discs[1].state.radius is -1, allowed is 0 or a number"),
        ("/discs/1/detail/mass", json!("-inf"), "discs[1].detail.mass is -inf, allowed is 0, infinity"),
        ("/discs/1/detail/restitution", json!(1.5), "discs[1].detail.restitution is 1.5"),
        ("/walls/1/id/slot", json!(0), "walls[1].id.slot is 0, allowed is a slot that is named once"),
        ("/walls/1/since/epoch_start", json!(now + 1.0), "walls[1].since is"),
        ("/walls/1/after", json!(1_u64 << 40), "walls[1].after is"),
        ("/walls/1/wall/restitution", json!(-1), "walls[1].wall.restitution is -1"),
        ("/walls/0/wall/shape/disc/radius", json!(1e-200), "walls[0].wall.radius is"),
        ("/walls/0/wall/max_speed", json!(0.0), "walls[0].wall.max_speed is 0"),
        ("/walls/4/pose/offset/0", json!(0.5), "walls[4].pose.offset is"),
        ("/walls/4/pose/home/segment/a/0", json!(2e15), "walls[4].pose.a.x is"),
        ("/walls/6/pose/course/lasts", json!(-1.0), "walls[6].pose.course.lasts is -1"),
        ("/walls/6/pose/course/way/drift/to/1", json!(1e16), "walls[6].pose.course.to.y is"),
        ("/walls/6/pose/course/way/drift/velocity/1", json!(1e16), "walls[6].pose.course.velocity.y is"),
        ("/walls/6/pose/course/timer/1", json!(77), "walls[6].pose.course.timer is"),
        (
            "/walls/6/pose/course/way",
            json!({"rotation": {"angle": 0.0, "rate": 1.0, "to": 1.0}}),
            "walls[6].pose.course.way is a turn of what is no arm",
        ),
        ("/walls/7/pose/course/way/rotation/to", json!(1e7), "walls[7].pose.course.angle is"),
        ("/walls/7/pose/course/way/rotation/rate", json!(0.0), "walls[7].pose.course.rate is"),
        ("/walls/7/pose/course/from/epoch_start", json!(0.0), "walls[7].pose.course.from is"),
        ("/walls/6/pose/course/from/epoch_start", json!(now + 1.0), "walls[6].pose.course.from is"),
        ("/next_region", json!(1), "regions.number is 1, allowed is a number below 1"),
        ("/regions/0/id/slot", json!(9), "regions[0].id.slot is 9, allowed is a slot below 2"),
        (
            "/regions/1/number",
            json!(0),
            "regions[1].number is 0, allowed is one of its own, not that of regions[0]",
        ),
        ("/regions/0/region/shape/rectangle/min/0", json!(1e99), "regions[0].region.min.x is 1e99"),
        ("/regions/1/region/carrier/slot", json!(77), "carrier.slot is 77, allowed is the slot of a disc"),
        ("/regions/0/inside/0", json!(77), "regions[0].inside[0] is 77, allowed is the slot of a disc"),
        ("/discs/1/kind", json!("three"), "unknown variant `three`"),
        ("/discs/1/detail/mass", json!("NaN"), "expected a number, \"inf\" or \"-inf\""),
        ("/now/offset", json!(-1.0), "offset is -1, allowed is a finite number"),
    ];
    assert_refused(&tree, &cases);
    // What is not a number has no text; in a binary format it has bits.
    let mut bytes = Format::Postcard.save(&world());
    let x = tree["discs"][5]["state"]["position"][0].as_f64().unwrap();
    let at = bytes.windows(8).position(|eight| eight == x.to_le_bytes()).unwrap();
    bytes[at..at + 8].copy_from_slice(&f64::NAN.to_le_bytes());
    assert!(Format::Postcard.load::<World>(&bytes).is_err());
}

/// A later version is refused in a format that does not name its fields before the rest is looked at.
#[test]
fn another_version_is_refused_before_the_rest_is_read() {
    assert_eq!(snapshot::VERSION, 22);
    assert!(postcard::from_bytes::<World>(&[23]).is_err());
    let text = r#"{"version":23,"what was added":[]}"#;
    let error = serde_json::from_str::<World>(text).unwrap_err().to_string();
    assert!(error.contains("version is 23, allowed is 22"), "{error}");
}

/// Lists that say that they are longer than anything are refused at once, without the memory; and text
/// without end.
#[test]
fn announced_lengths_are_not_believed() {
    let mut hostile: Vec<(String, Format, Vec<u8>)> = Vec::new();
    let huge = postcard::to_stdvec(&(1_u64 << 60)).unwrap();
    // The lists of an empty world are its last bytes: walls, free slots of walls, discs, free slots of discs,
    // five of contacts, held contacts, chains, unsettled discs, notes of held contacts; regions, free slots
    // of regions, notes of crossings; the number of the next timer, which is no list, and timers.
    let empty = Format::Postcard.save(&World::new());
    for list in (1..=18).filter(|&list| list != 2) {
        let mut bytes = empty[..empty.len() - list].to_vec();
        assert_eq!(empty[empty.len() - list], 0);
        bytes.extend_from_slice(&huge);
        bytes.extend_from_slice(&[0; 1000]);
        hostile.push((format!("list {list} from the end"), Format::Postcard, bytes));
    }
    // The points of a polyline, whose number stands before the first of them.
    let mut world = World::new();
    world.add_wall(Wall::polyline(&[DVec2::new(0.3, 1.0), DVec2::new(2.0, 3.0)])).unwrap();
    let bytes = Format::Postcard.save(&world);
    let at = bytes.windows(8).position(|eight| eight == 0.3_f64.to_le_bytes()).unwrap();
    assert_eq!(bytes[at - 1], 2);
    let points = [&bytes[..at - 1], &huge, &bytes[at..]].concat();
    hostile.push(("points".to_owned(), Format::Postcard, points));
    hostile.push(("brackets".to_owned(), Format::Json, vec![b'['; 1 << 20]));
    hostile.push(("braces".to_owned(), Format::Json, br#"{"version":9,"physics":"#.repeat(1 << 15)));
    for (what, format, bytes) in hostile {
        let taken = allocation_counter::measure(|| assert!(format.load::<World>(&bytes).is_err(), "{what}"));
        // Serde reserves at most a megabyte for each list that it is in the middle of, two in one another
        // here.
        assert!(taken.bytes_max < 4 << 20, "{what}: {} bytes", taken.bytes_max);
    }
    // More slots than a world holds, which are two bytes each.
    let slots = limits::MAX_DISCS + 1;
    let mut bytes = empty[..empty.len() - 21].to_vec();
    bytes.extend(postcard::to_stdvec(&([0, slots, 0], [0_u8; 3], vec![[0_u32; 2]; slots])).unwrap());
    bytes.extend([0; 14]);
    let taken = allocation_counter::measure(|| assert!(Format::Postcard.load::<World>(&bytes).is_err()));
    assert!(taken.bytes_max < 16 * bytes.len() as u64, "{} bytes", taken.bytes_max);
}

/// What could not be loaded is not saved: a physics may make states that are not numbers.
#[test]
fn a_world_that_could_not_be_loaded_is_not_saved() {
    let wild: Toy = Toy { which: Which::Wild, strength: 1.0 };
    let mut world = World::with_physics(wild, Settings::default()).unwrap();
    world.add_wall(Wall::half_plane(DVec2::ZERO, DVec2::Y)).unwrap();
    world.insert(Disc::new(DVec2::Y * 2.0, 1.0).with_velocity(DVec2::NEG_Y)).unwrap();
    assert!(serde_json::to_string(&world).is_ok());
    world.advance(2.0).unwrap();
    let error = serde_json::to_string(&world).unwrap_err().to_string();
    assert!(error.contains("discs[0].state.velocity.y is NaN"), "{error}");
}

/// Rules stand with what few discs have, beside those in force where others have been set since.
#[test]
fn rules_that_make_no_sense_are_refused() {
    let mut world = World::new();
    let a = world.insert(Disc::new([0.0, 0.0], 1.0)).unwrap();
    world.insert(Disc::new([3.0, 0.0], 1.0).with_team(4)).unwrap();
    world.insert(Disc::new([6.0, 0.0], 1.0)).unwrap();
    let wall = world.add_wall(Wall::disc([9.0, 0.0], 1.0)).unwrap();
    world.set_rules(a, Rules::new().with_mask(2)).unwrap();
    world.set_wall_rules(wall, Rules::new().with_membership(8)).unwrap();
    let tree = serde_json::to_value(&world).unwrap();
    let all = json!({"membership": u32::MAX, "mask": u32::MAX, "team": 0});
    assert_eq!(tree["discs"][0]["rare"]["rules"], json!({"membership": u32::MAX, "mask": 2, "team": 0}));
    assert_eq!(tree["discs"][0]["rare"]["in_force"], all);
    let rare = &tree["discs"][1]["rare"];
    assert_eq!(rare["rules"], json!({"membership": u32::MAX, "mask": u32::MAX, "team": 4}));
    assert_eq!((&rare["in_force"], &tree["discs"][2]["rare"]), (&Value::Null, &Value::Null));
    assert_eq!(
        (&tree["walls"][0]["in_force"], &tree["walls"][0]["wall"]["rules"]["membership"]),
        (&all, &json!(8))
    );
    let mut without = rare.clone();
    without.as_object_mut().unwrap().remove("in_force");
    let cases = [
        ("/discs/1/rare", without, "missing field `in_force`"),
        ("/discs/1/rare", json!([]), "invalid length 0"),
        ("/discs/0/rare/rules/mask", json!(-1), "invalid value: integer `-1`"),
        ("/discs/1/rare/rules/team", json!(1_u64 << 32), "invalid value: integer `4294967296`"),
        ("/discs/1/rare/sensor/sensor", json!("perhaps"), "unknown variant `perhaps`"),
        ("/walls/0/in_force", json!(1), "invalid type: integer `1`"),
        ("/walls/0/wall/rules/mask", json!(0.5), "invalid type: floating point"),
    ];
    assert_refused(&tree, &cases);
}

/// A world with drag runs on a clock of its own, and has no growth.
#[test]
fn drag_that_contradicts_the_rest_is_refused() {
    let mut world = World::with_settings(Settings::default().with_drag(1.0)).unwrap();
    world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    let at_start = serde_json::to_value(&world).unwrap();
    world.advance(2.0).unwrap();
    let later = serde_json::to_value(&world).unwrap();
    let without_rate = "drag is there, allowed is null without a rate";
    assert_refused(&at_start, &[("/settings/drag", json!(0.0), without_rate)]);
    let cases = [
        ("/settings/drag", json!(-1.0), "settings.drag is -1"),
        ("/drag", Value::Null, "drag is null"),
        ("/drag/half_life", json!(1_u64 << 61), "drag.half_life"),
        ("/drag/half_life", json!(3), "drag.now"),
        ("/drag/energy/share", json!("x"), "expected"),
        ("/now/epoch_start", json!(1.0), "now is 1 "),
        ("/growth/rate", json!(0.5), "growth.rate is 0.5, allowed is 0 beside drag"),
    ];
    assert_refused(&later, &cases);
    for saved in [at_start, later] {
        assert!(serde_json::from_value::<World>(saved).is_ok());
    }
}

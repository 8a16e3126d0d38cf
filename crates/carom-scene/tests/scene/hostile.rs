//! Files that were made to do harm: an error comes quickly, and without the memory that they announce.

use carom_scene::{Scene, SceneError};

const HEAD: &str = "format = 1\nmodel = \"discs\"\nuntil = 1\n";
const JSON: &str = "\"format\": 1, \"model\": \"discs\", \"until\": 1";

/// Bytes in use at the worst moment for a file of this many: the text, twice; the tree of its values, of
/// which one of two bytes, `0,`, takes some 100, in a vector that grows by doubling, so that old and new
/// are held at once.
fn most_bytes(length: usize) -> u64 {
    (1 << 20) + 400 * length as u64
}

/// Allocations in all, which stand for the work: a value or two of the tree for two bytes, whose paths are
/// made where something is wrong. Work that grows with what is announced, and not with the file, passes it.
fn most_allocations(length: usize) -> u64 {
    (1 << 16) + 8 * length as u64
}

/// Builds the scene; says what went wrong, within the memory and the work allowed.
fn refused(text: &str) -> String {
    let mut outcome = None;
    let used = allocation_counter::measure(|| {
        let json = text.starts_with('{') || text.starts_with('[');
        let scene = if json { Scene::from_json(text, "h") } else { Scene::from_toml(text, "h") };
        outcome = Some(scene.and_then(|scene| scene.build().map(|_| ())));
    });
    let shown: String = text.chars().take(200).collect();
    assert!(used.bytes_max <= most_bytes(text.len()), "{} bytes for {}: {shown}", used.bytes_max, text.len());
    assert!(used.count_total <= most_allocations(text.len()), "{} for {shown}", used.count_total);
    let error: SceneError = outcome.unwrap().expect_err(&shown);
    let line = error.to_string();
    assert!(line.len() < 1000 && !line.contains('\n'), "{} bytes of message", line.len());
    line
}

#[test]
fn what_is_announced_is_not_made() {
    let gas = |count: &str, radius: &str, side: &str, placement: &str| {
        format!(
            "{HEAD}[[gases]]\ncount = {count}\nradius = {radius}\nseed = 1\nplacement = \"{placement}\"\n\
             region = {{ min = [0, 0], max = [{side}, {side}] }}\n"
        )
    };
    for placement in ["random", "square", "hexagonal"] {
        let points = |count: &str| gas(count, "0.0", "1", placement);
        assert!(refused(&points("1000000000")).contains("count: 1000000000 is not allowed"));
        assert!(refused(&points("1e9")).contains("count"));
        // Each is allowed, but not all of them: not one is placed.
        let gases = points("1000000") + &points("1000000")[HEAD.len()..];
        assert!(refused(&gases).contains("gases[1]: makes 2000000 discs; at most 1048576 are allowed"));
        // Allowed, but not with this schedule.
        let table = points("1000000") + "[settings]\nscheduler = \"table\"\n";
        assert!(refused(&table).contains("settings.scheduler: `table` for 1000000 discs"));
    }
    for (count, radius, side, says) in [
        ("9223372036854775807", "0", "1", "count: 9223372036854775807 is not allowed"),
        ("-1", "0.001", "1e6", "count"),
        ("1000000", "1", "1e308", "region.max: [1e308, 1e308] is not allowed"),
        ("1000000", "1e308", "1e3", "radius: 1e308 is not allowed"),
        ("1000000", "1", "1e3", "cover"),
        ("1000000", "nan", "1e3", "radius: NaN"),
        // A range of radii whose mean square says nothing about the places left.
        ("2000", "[0.0, 1.0]", "68.5", "packing fraction"),
    ] {
        let line = refused(&gas(count, radius, side, "random"));
        assert!(line.contains(says), "{line}");
    }
    let rack = |rows: &str| {
        format!("{HEAD}[[racks]]\npattern = \"triangle\"\nrows = {rows}\napex = [0, 0]\nradius = 1\n")
    };
    for rows in ["1000000000", "4294967295"] {
        assert!(refused(&rack(rows)).contains(&format!("rows: {rows} is not allowed")));
    }
    let racks = rack("1000") + &rack("1000").repeat(2).replace(HEAD, "");
    assert!(refused(&racks).contains("racks[2]: makes 1501500 discs"));
    for setting in ["budget", "epoch"] {
        assert!(refused(&format!("{HEAD}[settings]\n{setting} = 1e308\n")).contains(setting));
    }
}

#[test]
fn numbers_beyond_all_bounds_are_refused() {
    for number in [
        "1e308", "-1e308", "1e309", "1e1000000000", "nan", "-nan", "inf", "1e-308", "1e16", "\"NaN\"",
        "\"inf\"",
    ] {
        let disc = |position: &str, radius: &str| {
            refused(&format!("{HEAD}[[discs]]\nposition = [{position}, 0]\nradius = {radius}\n"))
        };
        if number != "1e-308" {
            disc(number, "1");
        }
        disc("0", number);
    }
    for number in
        ["1e308", "1e309", "1e1000000000", "NaN", "Infinity", "-Infinity", "\"NaN\"", "1e-308", "null", "[]"]
    {
        refused(&format!("{{{JSON}, \"discs\": [{{\"position\": [0, 0], \"radius\": {number}}}]}}"));
    }
    for until in ["1e308", "nan", "inf", "-1", "\"1\"", "9223372036854775807000"] {
        refused(&format!("format = 1\nmodel = \"discs\"\nuntil = {until}\n"));
    }
}

#[test]
fn names_given_twice_are_refused() {
    for twice in [
        "until = 2\n",
        "name = \"a\"\nname = \"a\"\n",
        "[settings]\n[settings]\n",
        "[settings]\nepoch = 1\nepoch = 1\n",
        "settings.epoch = 1\nsettings = {}\n",
        "[[discs]]\nposition = [0, 0]\nposition = [0, 0]\nradius = 1\n",
        "discs = []\n[[discs]]\nposition = [0, 0]\nradius = 1\n",
        "\"until\" = 2\n",
    ] {
        let line = refused(&format!("{HEAD}{twice}"));
        assert!(line.contains("duplicate") || line.contains("static array"), "{line}");
    }
    for twice in ["\"until\": 2", "\"discs\": [], \"discs\": []", "\"unt\\u0069l\": 2"] {
        assert!(refused(&format!("{{{JSON}, {twice}}}")).contains("duplicate"));
    }
}

/// Nested beyond the readers' bounds, so that no stack is used up; and files of a million small things.
#[test]
fn depth_and_length_cost_no_more_than_the_file() {
    for open in ["[", "{\"a\":", "[[", "[{\"discs\":"] {
        refused(&format!("{{{JSON}, \"discs\": {}", open.repeat(100_000)));
        refused(&open.repeat(1_000_000));
    }
    for open in ["[", "{a=", "{a.b.c="] {
        refused(&format!("{HEAD}discs = {}", open.repeat(100_000)));
    }
    for (text, says) in [
        (format!("title = {}\n", "[".repeat(100_000)), "recurs"),
        (format!("{} = 1\n", ["a"; 100_000].join(".")), "recurs"),
        (format!("title = \"{}\"\n", "x".repeat(1 << 21)), "title: a text of 2097152 bytes is not allowed"),
        (format!("title = \"{}\"\n", "x".repeat(1 << 22)), "larger than 4194304 bytes"),
    ] {
        let line = refused(&format!("{HEAD}{text}"));
        assert!(line.contains(says), "{line}");
    }
    // Each wall and each point takes memory in the world.
    let (segment, many) =
        ("{\"shape\": \"segment\", \"a\": [0, 0], \"b\": [1, 0]}", vec!["[1,2],[3,4]"; 131_072]);
    for (walls, says) in [
        (vec![segment; 262_145].join(","), "walls: 262145 walls with 0 points is not allowed"),
        (
            format!("{{\"shape\": \"polyline\", \"points\": [{}]}}", many.join(",")),
            "walls: 1 walls with 262144 points is not allowed; must be at most 262144 together",
        ),
    ] {
        let line = refused(&format!("{{{JSON}, \"walls\": [{walls}]}}"));
        assert!(line.contains(says), "{line}");
    }
    refused(&format!("{HEAD}[{}]\n", ["a"; 100_000].join(".")));
    refused(&format!("{HEAD}discs = [{}]\n", "0,".repeat(200_000)));
    refused(&format!("{HEAD}discs = [{}]\n", "{},".repeat(200_000)));
    refused(&format!("{HEAD}{}", "[[discs]]\n".repeat(100_000)));
    refused(&format!("{HEAD}{}", "\n".repeat(1_000_000) + "x"));
    refused(&format!("{HEAD}title = \"\"\"{}", "x".repeat(1_000_000)));
    refused(&format!("{HEAD}title = \"{}", "\\u0000".repeat(100_000)));
    refused(&format!("{{{JSON}, \"discs\": [{}]}}", vec!["{}"; 300_000].join(",")));
    refused(&format!("{{{JSON}, \"title\": \"{}", "\\ud800".repeat(100_000)));
    refused(&format!("{{{JSON}, \"x\": {}}}", "1".repeat(1_000_000)));
    refused(&format!("{{\"format\":{}", "9".repeat(1_000_000)));
    refused(&format!("{{{}}}", (0..100_000).map(|k| format!("\"{k}\": 0")).collect::<Vec<_>>().join(",")));
}

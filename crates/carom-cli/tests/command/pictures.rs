//! Pictures by the order around discs, through the command, and movies of shots.

use crate::common::Folder;
use carom_billiards::{Picture, Rack, Shot, Table};
use carom_engine::math::Shown;

/// Width and height of a PNG, from its header: after the signature, length and name of the first chunk.
fn size(bytes: &[u8]) -> (u32, u32) {
    assert!(bytes.starts_with(b"\x89PNG"));
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn pictures_are_as_wide_as_is_asked() {
    let folder = Folder::new();
    for colour in ["", "--colour hexatic", "--color neighbours"] {
        let run = |name: &str| {
            folder.succeeds(&format!("run box-1000 --until 0.5 --picture {name} --width 300 {colour}"));
            folder.bytes(name)
        };
        let picture = run("a.png");
        let (width, height) = size(&picture);
        assert_eq!(width, 300, "{colour}");
        assert!((300..=360).contains(&height), "a square with words above and below: {height}");
        assert!(picture == run("b.png"), "{colour}");
    }
    folder.succeeds("run box-16 --until 0.1 --movie a.gif --movie-width 200");
    let gif = folder.bytes("a.gif");
    assert_eq!((&gif[..6], u16::from_le_bytes([gif[6], gif[7]])), (&b"GIF89a"[..], 200));
    folder.succeeds("run box-16 --picture a.png --colour hexatic");
    assert_eq!(size(&folder.bytes("a.png")).0, 1600);
}

/// The picture shows the end alone, and that is the same however the run came to it.
#[test]
fn a_run_gone_on_with_has_the_picture_of_the_whole() {
    let folder = Folder::new();
    let how = "--colour hexatic --width 400 --picture";
    folder.succeeds(&format!("run box-100 --until 2 {how} w.png"));
    folder.succeeds("run box-100 --until 1 --save s.carom");
    folder.succeeds(&format!("run --resume s.carom --until 2 {how} p.png"));
    assert!(folder.bytes("w.png") == folder.bytes("p.png"));
    // With a movie, which shows paths, beside it.
    folder.succeeds(&format!("run box-16 --until 0.2 --movie m.gif --speed 1 {how} p.png"));
    assert_eq!(size(&folder.bytes("p.png")).0, 400);
    assert!(folder.bytes("m.gif").starts_with(b"GIF89a"));
}

/// What no movie of a shot has is refused, and not replaced by something else: a speed of 0 was taken for 1.
#[test]
fn speeds_and_rates_of_shots_out_of_range_are_refused() {
    let table = Table::carom_10ft();
    let layout = Rack::three_cushion().place(&table, 1).unwrap();
    let recording = layout.build(&table).unwrap().record(&Shot::new(1.0)).unwrap();
    let drawn = Picture::new(&table, &layout, &recording).with_width(32);
    for speed in [0.0, -1.0, 1e-101, 1e101, f64::NAN, f64::INFINITY] {
        let said = drawn.gif(speed, 25).unwrap_err().to_string();
        assert_eq!(said, format!("speed is {}; allowed: 1e-100 to 1e100", Shown(speed)));
    }
    assert!(drawn.gif(1e100, 0).is_err() && drawn.gif(1e100, 51).is_err());
    assert!(drawn.gif(1e100, 25).unwrap().starts_with(b"GIF89a"));
}

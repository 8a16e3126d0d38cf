//! Pictures by the order around discs, through the command.

use crate::common::{Folder, fails, succeeds};

/// Width and height of a PNG, from its header: after the signature, length and name of the first chunk.
fn size(path: &str) -> (u32, u32) {
    let bytes = std::fs::read(path).unwrap();
    assert!(bytes.starts_with(b"\x89PNG"), "{path}");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn pictures_are_as_wide_as_is_asked() {
    let folder = Folder::new();
    let (picture, again) = (folder.path("a.png"), folder.path("b.png"));
    for colour in [&[][..], &["--colour", "hexatic"], &["--color", "neighbours"]] {
        let run = |path: &str| {
            let args = ["run", "box-1000", "--until", "0.5", "--picture", path, "--width", "300"];
            succeeds(&[&args[..], colour].concat());
        };
        run(&picture);
        let (width, height) = size(&picture);
        assert_eq!(width, 300, "{colour:?}");
        assert!((300..=360).contains(&height), "a square with words above and below: {height}");
        run(&again);
        assert!(std::fs::read(&picture).unwrap() == std::fs::read(&again).unwrap(), "{colour:?}");
    }
    let movie = folder.path("a.gif");
    succeeds(&["run", "box-16", "--until", "0.1", "--movie", &movie, "--movie-width", "200"]);
    let gif = std::fs::read(&movie).unwrap();
    assert_eq!((&gif[..6], u16::from_le_bytes([gif[6], gif[7]])), (&b"GIF89a"[..], 200));
    succeeds(&["run", "box-16", "--picture", &picture, "--colour", "hexatic"]);
    assert_eq!(size(&picture).0, 1600);
}

/// The picture shows the end alone, and that is the same however the run came to it.
#[test]
fn a_run_gone_on_with_has_the_picture_of_the_whole() {
    let folder = Folder::new();
    let (whole, piece, saved) = (folder.path("w.png"), folder.path("p.png"), folder.path("s.carom"));
    let how = ["--colour", "hexatic", "--width", "400", "--picture"];
    succeeds(&[&["run", "box-100", "--until", "2"], &how[..], &[&whole]].concat());
    succeeds(&["run", "box-100", "--until", "1", "--save", &saved]);
    succeeds(&[&["run", "--resume", &saved, "--until", "2"], &how[..], &[&piece]].concat());
    assert!(std::fs::read(&whole).unwrap() == std::fs::read(&piece).unwrap());
    // With a movie, which shows paths, beside it.
    let movie = folder.path("m.gif");
    let args = ["run", "box-16", "--until", "0.2", "--movie", &movie, "--speed", "1"];
    succeeds(&[&args[..], &how, &[&piece]].concat());
    assert_eq!(size(&piece).0, 400);
    assert!(std::fs::read(&movie).unwrap().starts_with(b"GIF89a"));
}

#[test]
fn wrong_colours_and_widths_are_one_line() {
    let says = |args: &[&str], what: &str| {
        let line = fails(2, &[&["run", "box-16"], args].concat());
        assert!(line.contains(what), "{line}");
    };
    says(&["--colour", "hexatic"], "--picture <FILE>");
    says(&["--width", "300"], "--picture <FILE>");
    says(&["--picture", "x", "--colour", "mauve"], "[possible values: hexatic, neighbours]");
    says(&["--movie-width", "300"], "--movie <FILE>");
    for width in ["31", "8193", "0", "x"] {
        says(&["--picture", "x", "--width", width], "--width <PX>");
        says(&["--movie", "x", "--movie-width", width], "--movie-width <PX>");
    }
    says(&["--movie", "x", "--movie-width", "2049"], "--movie-width <PX>");
}

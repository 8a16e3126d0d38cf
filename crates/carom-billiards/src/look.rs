//! What tables and balls look like, for whatever draws them.

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// The rails, and their outer edge.
pub const WOOD: Rgb = [0x5b, 0x36, 0x1f];
/// As `WOOD`.
pub const WOOD_EDGE: Rgb = [0x3d, 0x23, 0x13];
/// The sights on the rails.
pub const DIAMOND: Rgb = [0xe9, 0xdf, 0xc8];
/// The cloth of the bed.
pub const CLOTH: Rgb = [0x1f, 0x7a, 0x66];
/// The cloth of the cushions.
pub const CUSHION: Rgb = [0x18, 0x62, 0x52];
/// The holes of the pockets.
pub const HOLE: Rgb = [0x0c, 0x0d, 0x0e];
/// The path of a ball that slides.
pub const SLIDING: Rgb = [0xf2, 0x8c, 0x28];
/// The ring around a ball that spins in its place.
pub const SPINNING: Rgb = [0xc3, 0x9b, 0xff];
/// Where two balls meet.
pub const CONTACT: Rgb = [0xf7, 0xf4, 0xea];
/// A ball without a colour of its own: the cue ball.
pub const IVORY: Rgb = [0xf8, 0xf4, 0xe6];

/// The colour of a ball by its label, and whether it is a stripe.
#[must_use]
pub fn of_ball(label: &str) -> (Rgb, bool) {
    const POOL: [Rgb; 8] = [
        [0xf2, 0xb7, 0x05],
        [0x1f, 0x4e, 0xb4],
        [0xd3, 0x2f, 0x2f],
        [0x6a, 0x3d, 0x9a],
        [0xee, 0x7a, 0x1b],
        [0x1b, 0x7f, 0x3b],
        [0x7b, 0x1e, 0x2b],
        [0x1a, 0x1a, 0x1c],
    ];
    let plain = match label {
        "yellow" => [0xf2, 0xd0, 0x2b],
        "green" => [0x2f, 0x9e, 0x4f],
        "brown" => [0x7a, 0x4a, 0x24],
        "blue" => [0x2a, 0x6f, 0xc9],
        "pink" => [0xf0, 0x9a, 0xb5],
        "black" => POOL[7],
        _ if label.starts_with("red") => [0xc4, 0x21, 0x21],
        _ => IVORY,
    };
    match label.parse::<usize>() {
        Ok(number @ 1..=15) => (POOL[(number - 1) % 8], number > 8),
        _ => (plain, false),
    }
}

/// The colour of the dots on a ball without a number: red on white, lighter than other colours.
#[must_use]
pub fn of_dots(colour: Rgb) -> Rgb {
    if colour == IVORY { [0xd8, 0x3a, 0x2e] } else { colour.map(|part| part + (u8::MAX - part) / 2) }
}

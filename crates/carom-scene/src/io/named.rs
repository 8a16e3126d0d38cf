//! The scenes that come with the library.

/// Name and text of every scene, in the order in which they are listed.
const SCENES: [(&str, &str); 29] = [
    ("nine-ball-discs", include_str!("../../scenes/nine-ball-discs.toml")),
    ("eight-ball-discs", include_str!("../../scenes/eight-ball-discs.toml")),
    ("snooker-discs", include_str!("../../scenes/snooker-discs.toml")),
    ("three-ball-carom", include_str!("../../scenes/three-ball-carom.toml")),
    ("newtons-cradle", include_str!("../../scenes/newtons-cradle.toml")),
    ("galperin-pi", include_str!("../../scenes/galperin-pi.toml")),
    ("sinai-billiard", include_str!("../../scenes/sinai-billiard.toml")),
    ("stadium", include_str!("../../scenes/stadium.toml")),
    ("gas-mixing", include_str!("../../scenes/gas-mixing.toml")),
    ("membrane", include_str!("../../scenes/membrane.toml")),
    ("pod-arena", include_str!("../../scenes/pod-arena.toml")),
    ("air-table", include_str!("../../scenes/air-table.toml")),
    ("air-hockey", include_str!("../../scenes/air-hockey.toml")),
    ("pinball", include_str!("../../scenes/pinball.toml")),
    ("pinball-rolling", include_str!("../../scenes/pinball-rolling.toml")),
    ("marble-run", include_str!("../../scenes/marble-run.toml")),
    ("marble-run-rolling", include_str!("../../scenes/marble-run-rolling.toml")),
    ("conveyor", include_str!("../../scenes/conveyor.toml")),
    ("breakout", include_str!("../../scenes/breakout.toml")),
    ("asteroids", include_str!("../../scenes/asteroids.toml")),
    ("funnel", include_str!("../../scenes/funnel.toml")),
    ("galton-board", include_str!("../../scenes/galton-board.toml")),
    ("galton-board-rolling", include_str!("../../scenes/galton-board-rolling.toml")),
    ("merge-box", include_str!("../../scenes/merge-box.toml")),
    ("box-16", include_str!("../../scenes/box-16.toml")),
    ("box-100", include_str!("../../scenes/box-100.toml")),
    ("box-1000", include_str!("../../scenes/box-1000.toml")),
    ("unequal-100", include_str!("../../scenes/unequal-100.toml")),
    ("dense-100", include_str!("../../scenes/dense-100.toml")),
];

pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    SCENES.iter().map(|(name, _)| *name)
}

pub(crate) fn text(name: &str) -> Option<&'static str> {
    SCENES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Of these names that most like this one, if any is like it: for messages about names that are not known.
#[must_use]
pub fn closest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const ALIKE: f64 = 0.75;
    // The comparison is quadratic in the length.
    if name.len() > 64 {
        return None;
    }
    known
        .map(|known| (strsim::jaro_winkler(name, known), known))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known)
}

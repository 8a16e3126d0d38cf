//! The scenes that come with the crate.

/// Name and text of every scene, in the order in which they are listed.
pub(super) const SCENES: [(&str, &str); 19] = [
    ("stop-shot", include_str!("../../scenes/stop-shot.toml")),
    ("follow-shot", include_str!("../../scenes/follow-shot.toml")),
    ("draw-shot", include_str!("../../scenes/draw-shot.toml")),
    ("stun-shot", include_str!("../../scenes/stun-shot.toml")),
    ("kill-shot", include_str!("../../scenes/kill-shot.toml")),
    ("masse-shot", include_str!("../../scenes/masse-shot.toml")),
    ("hanger", include_str!("../../scenes/hanger.toml")),
    ("hanger-lip", include_str!("../../scenes/hanger-lip.toml")),
    ("combination", include_str!("../../scenes/combination.toml")),
    ("three-cushion-natural", include_str!("../../scenes/three-cushion-natural.toml")),
    ("twice-around", include_str!("../../scenes/twice-around.toml")),
    ("ticky", include_str!("../../scenes/ticky.toml")),
    ("z-shot", include_str!("../../scenes/z-shot.toml")),
    ("8-ball-break", include_str!("../../scenes/8-ball-break.toml")),
    ("9-ball-break", include_str!("../../scenes/9-ball-break.toml")),
    ("10-ball-break", include_str!("../../scenes/10-ball-break.toml")),
    ("straight-pool-break", include_str!("../../scenes/straight-pool-break.toml")),
    ("snooker-break", include_str!("../../scenes/snooker-break.toml")),
    ("three-cushion-break", include_str!("../../scenes/three-cushion-break.toml")),
];

//! Which vector instructions a world uses. That the bits do not depend on them, random games show
//! (`crates/carom-fuzz/tests/games.rs`).

use carom_engine::{DVec2, Disc, Settings, SimdLevel, World};

/// [`World::instructions`] is the widest kind of this machine up to what was asked for, whatever the number
/// of discs, and never one that the machine lacks.
#[test]
fn a_world_uses_what_was_asked_for_or_the_widest_below() {
    use SimdLevel::{Avx2, Best, Portable};
    let available = SimdLevel::available();
    assert_eq!(available.first(), Some(&Portable));
    assert!(available.is_sorted() && !available.contains(&Best));
    for wanted in [Portable, Avx2] {
        let mut world = World::with_settings(Settings::default().with_instructions(wanted)).unwrap();
        let widest = *available.iter().rfind(|&&has| has <= wanted).unwrap();
        for k in 0..20 {
            assert_eq!(world.instructions(), widest);
            world.insert(Disc::new(DVec2::new(f64::from(k), 0.0), 0.25)).unwrap();
        }
        assert_eq!(world.clone().instructions(), widest);
        world.set_instructions(Best);
        assert_eq!(Some(&world.instructions()), available.last());
        assert_eq!(world.settings().instructions, Best);
        world.set_instructions(Portable);
        assert_eq!(world.instructions(), Portable);
    }
    assert!(available.contains(&World::new().instructions()));
}

//! The bits do not depend on the vector instructions of the machine.

use crate::common::by::By;
use crate::common::program::{Program, Slicing, run_with};
use crate::common::record::{assert_same, events_in};
use crate::common::rng::cases;
use carom_engine::Simultaneous::{OneByOne, Together};
use carom_engine::{DVec2, Disc, Settings, SimdLevel, World};

/// Law 4: every operation is rounded by itself and none is fused, on registers of every width. Random worlds
/// with edits, each with every kind that this machine has: identical events and states. (Sweeps on blocks of
/// eight discs: the worlds have up to some forty, with free slots among them.)
#[test]
fn every_instruction_set_gives_the_same_bits() {
    let available = SimdLevel::available();
    println!("tested with {available:?}");
    let mut events = 0;
    for seed in 0..cases(250) {
        for simultaneous in [Together, OneByOne] {
            let program = Program { seed, simultaneous, edits: true, rules: seed % 3 == 0 };
            let run = |instructions| {
                let settings = Settings::default().with_instructions(instructions);
                run_with(program, By::Table, Slicing::Whole, settings)
            };
            let best = run(SimdLevel::Best);
            for &instructions in &available {
                assert_same(&run(instructions), &best, &format!("{program:?} with {instructions:?}"));
            }
            events += events_in(&best);
        }
    }
    assert!(events > 15_000, "{events} events");
}

/// [`World::instructions`] is the widest kind of this machine up to what was asked for, whatever the number
/// of discs,
/// and never one that the machine lacks.
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

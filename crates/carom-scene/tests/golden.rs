//! The bits of whole runs: the same in debug and release, with and without wide vectors, on every machine.

use carom_engine::{DVec2, End, Event, Partner, Time};
use carom_scene::Scene;

/// FNV-1a over bytes.
struct Hash(u64);

impl Hash {
    fn number(&mut self, x: f64) {
        self.whole(x.to_bits());
    }

    fn whole(&mut self, x: u64) {
        for byte in x.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn time(&mut self, t: Time) {
        self.number(t.epoch_start());
        self.number(t.offset());
    }

    fn vector(&mut self, v: DVec2) {
        self.number(v.x);
        self.number(v.y);
    }
}

/// A hash of every event and of every state at the end of every named scene. The only operations behind them are
/// correctly rounded, so nothing but a change of the program can change a bit: such a change belongs into the
/// changelog, under "Bits", with the new hashes in `golden.hashes`.
#[test]
fn the_named_scenes_run_as_ever() {
    let mut hashes = Vec::new();
    for name in Scene::names() {
        let scene = Scene::named(name).unwrap();
        let mut world = scene.build().unwrap().world;
        let mut hash = Hash(0xcbf2_9ce4_8422_2325);
        let mut events = 0_u64;
        let advance = world.advance_to_with(scene.until, &mut |event: &Event| {
            let impact = event.impact().unwrap();
            events += 1;
            hash.time(impact.time);
            hash.whole(u64::from(impact.a.slot()));
            match impact.with {
                Partner::Disc(b) => hash.whole(u64::from(b.slot())),
                Partner::Wall { wall, part } => hash.whole(u64::from(wall.slot()) << 32 | u64::from(part)),
            }
            for v in impact.before.into_iter().chain(impact.after) {
                hash.vector(v);
            }
            hash.number(impact.impulse);
        });
        assert_eq!(advance.unwrap().end, End::Reached, "{name}");
        for (_, disc) in world.discs() {
            hash.vector(disc.position);
            hash.vector(disc.velocity);
        }
        hashes.push(format!("{name} {events} {:016x}", hash.0));
    }
    let (got, want) = (hashes.join("\n"), include_str!("golden.hashes"));
    assert!(got == want.trim(), "the runs are now\n{got}\nand were\n{want}");
}

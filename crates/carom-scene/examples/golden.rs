//! The bits of whole runs: prints `name events hash` for every named scene.
//!
//! `cargo run -p carom-scene --example golden` prints what is in `tests/golden.hashes`, on every machine and
//! however it is built; `tools/same-bits` builds it in many ways and compares. After `--`, `portable` or
//! `avx2` asks for these vector instructions.

use carom_engine::{DVec2, DiscId, Event, Forces, Partner, SimdLevel, Smooth, StopReason, Time};
use carom_scene::{Scene, ScenePhysics};

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

    fn parties(&mut self, a: DiscId, b: Partner) {
        self.whole(u64::from(a.slot()));
        match b {
            Partner::Disc(b) => self.whole(u64::from(b.slot())),
            Partner::Wall { wall, part } => self.whole(u64::from(wall.slot()) << 32 | u64::from(part)),
            other => unreachable!("{other:?}"),
        }
    }
}

/// A scene's name, the number of its events, and a hash of every event and of every state at the end.
pub(crate) fn line(name: &str, instructions: SimdLevel) -> String {
    let scene = Scene::named(name).unwrap();
    if scene.has_forces() {
        line_in::<Forces>(&scene, instructions)
    } else {
        line_in::<Smooth>(&scene, instructions)
    }
}

fn line_in<P: ScenePhysics>(scene: &Scene, instructions: SimdLevel) -> String {
    let name = &scene.name;
    let mut world = scene.build_as::<P>(&mut |_| ()).unwrap().world;
    world.set_instructions(instructions);
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    let mut events = 0_u64;
    let advance = world.advance_to_with(scene.until, &mut |event: &Event<P::Change>| {
        events += 1;
        hash.time(event.time());
        if let Event::Change { disc, .. } = event {
            hash.whole(u64::from(disc.slot()));
            return;
        }
        if let Event::Held(hold) | Event::LetGo(hold) = event {
            hash.parties(hold.a, hold.b);
            hash.vector(hold.point);
            return;
        }
        let impact = event.impact().unwrap();
        hash.parties(impact.a, impact.b);
        for v in impact.before.into_iter().chain(impact.after) {
            hash.vector(v);
        }
        hash.number(impact.impulse);
    });
    assert_eq!(advance.unwrap().end, StopReason::Reached, "{name}");
    for (_, disc) in world.discs() {
        hash.vector(disc.position);
        hash.vector(disc.velocity);
    }
    format!("{name} {events} {:016x}", hash.0)
}

/// One line for each named scene.
pub(crate) fn lines(instructions: SimdLevel) -> String {
    let lines: Vec<String> = Scene::names().map(|name| line(name, instructions)).collect();
    lines.join("\n")
}

fn main() -> Result<(), String> {
    let wanted = match std::env::args().nth(1).as_deref() {
        None => SimdLevel::Best,
        Some("portable") => SimdLevel::Portable,
        Some("avx2") => SimdLevel::Avx2,
        Some(other) => return Err(format!("`{other}` is neither portable nor avx2")),
    };
    if wanted != SimdLevel::Best && !SimdLevel::available().contains(&wanted) {
        return Err(format!("{wanted:?} is not available here"));
    }
    println!("{}", lines(wanted));
    Ok(())
}

//! The bits of a run as one number.

use carom_engine::{DVec2, DiscId, Event, Fields, Partner, Physics, Time, World};

/// A hash of events and states: FNV-1a over their bits, so that one other bit makes another hash.
///
/// Two runs with the same hash have had the same impacts at the same times with the same velocities,
/// except for a chance of 2⁻⁶⁴. The hashes of the named scenes, of every event and of every state at the
/// end, are in the file `tests/golden.hashes` of this crate.
///
/// ```
/// use carom_engine::Event;
/// use carom_scene::{RunHash, Scene};
///
/// let scene = Scene::named("newtons-cradle")?;
/// let mut world = scene.build()?.world;
/// let mut hash = RunHash::new();
/// world.advance_to_with(scene.until, &mut |event: &Event| hash.event(event))?;
/// hash.states(&world);
/// assert_eq!((hash.events(), hash.value()), (23, 0x5b6e_2b27_b718_a5c4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunHash {
    value: u64,
    events: u64,
}

impl Default for RunHash {
    fn default() -> Self {
        RunHash::new()
    }
}

impl RunHash {
    /// Of nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        RunHash { value: 0xcbf2_9ce4_8422_2325, events: 0 }
    }

    /// Adds an event: its time, and of impacts and held contacts the slots of the parties, velocities and
    /// impulse, or the point; of changes of motion the disc. Of others only the time counts.
    pub fn event<C>(&mut self, event: &Event<C>) {
        self.events += 1;
        self.time(event.time());
        match event {
            Event::Change { disc, .. } => self.whole(u64::from(disc.slot())),
            Event::Held(hold) | Event::LetGo(hold) => {
                self.parties(hold.a, hold.b);
                self.vector(hold.point);
            }
            Event::Impact(impact) => {
                self.parties(impact.a, impact.b);
                for v in impact.before.into_iter().chain(impact.after) {
                    self.vector(v);
                }
                self.number(impact.impulse);
            }
            _ => {}
        }
    }

    /// Adds positions and velocities of all discs at the present; of discs that turn, all that the world
    /// stores. O(N).
    pub fn states<P: Physics + Fields>(&mut self, world: &World<P>) {
        for (_, disc) in world.discs() {
            self.vector(disc.position);
            self.vector(disc.velocity);
        }
        if size_of::<P::Extra>() > 0 {
            self.whole(world.checksum());
        }
    }

    /// The hash.
    #[must_use]
    pub const fn value(&self) -> u64 {
        self.value
    }

    /// How many events have been added.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    fn number(&mut self, x: f64) {
        self.whole(x.to_bits());
    }

    fn whole(&mut self, x: u64) {
        for byte in x.to_le_bytes() {
            self.value = (self.value ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
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
        }
    }
}

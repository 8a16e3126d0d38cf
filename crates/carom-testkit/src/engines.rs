//! What tests call of the worlds that several programs have, compiled here once, as the worlds themselves are
//! by the engine (`carom_engine::instances`).

use crate::by::By;
use crate::grammar::Stored;
use crate::record::{event_bits, state_bits};
use crate::stored::FORMATS;
use carom_engine::{Fields, Forces, Physics, Smooth, World};

/// For the compiler alone.
#[inline(never)]
pub fn all() -> [*const (); 4] {
    [
        calls::<Smooth> as *const (),
        calls::<Forces> as *const (),
        calls_of_stored::<Smooth> as *const (),
        calls_of_stored::<Forces> as *const (),
    ]
}

/// What tests call of a world and the kit has.
fn calls<P: Physics>(world: &mut World<P>) {
    By::Rescan.advance(world, 0.0);
    _ = (event_bits(&world.events()[0]), state_bits(world));
}

/// What tests call of a world that can be stored.
fn calls_of_stored<P>(world: &World<P>) -> Result<World<P>, String>
where
    P: Physics<Body: Stored, Extra: Stored, Surface: Stored> + Stored + Fields,
{
    let [json, postcard] = FORMATS.map(|format| format.load(&format.save(world)));
    _ = (world.checksum(), world.diff(&postcard?));
    json
}

//! The class that the package calls, and its buffers.

use crate::room::Room;
use carom_engine::{DVec2, Time};
use wasm_bindgen::prelude::*;

/// A world as the package sees it. What a call finds is written to `out`; events, positions, states and
/// handles have buffers of their own. JavaScript views all of them in place: a view is good until the next
/// call that may let the buffer, or the memory of the module, grow.
#[wasm_bindgen]
pub struct Engine {
    pub(crate) room: Room,
    /// Numbers that the last call gave.
    pub(crate) out: Vec<f64>,
    /// Events of the last call of `advance`, in records of `record::STRIDE` numbers.
    pub(crate) events: Vec<f64>,
    pub(crate) positions: Vec<DVec2>,
    pub(crate) states: Vec<f64>,
    pub(crate) angles: Vec<f64>,
    /// Angular velocities.
    pub(crate) spins: Vec<f64>,
    pub(crate) handles: Vec<f64>,
    /// What a scene says that the world does not know, as JSON.
    pub(crate) info: String,
}

/// Where a buffer is, and how many numbers it has.
macro_rules! buffer {
    ($($(#[$doc:meta])* $field:ident, $pointer:ident, $length:ident, $each:literal;)*) => {
        #[wasm_bindgen]
        impl Engine {
            $(
                $(#[$doc])*
                ///
                /// The address of its first byte.
                #[must_use]
                pub fn $pointer(&self) -> usize {
                    self.$field.as_ptr() as usize
                }

                $(#[$doc])*
                ///
                /// The count of its numbers.
                #[must_use]
                pub fn $length(&self) -> usize {
                    self.$field.len() * $each
                }
            )*
        }
    };
}

buffer! {
    /// What the last call gave.
    out, out_pointer, out_length, 1;
    /// The events of the last call of `advance`.
    events, events_pointer, events_length, 1;
    /// Positions at the last `read_positions`.
    positions, positions_pointer, positions_length, 2;
    /// States at the last `read_states`.
    states, states_pointer, states_length, 1;
    /// Angles at the last `read_angles`.
    angles, angles_pointer, angles_length, 1;
    /// Angular velocities at the last `read_spins`.
    spins, spins_pointer, spins_length, 1;
    /// Handles at the last `read_handles`.
    handles, handles_pointer, handles_length, 1;
}

impl Engine {
    pub(crate) fn of_room(room: Room, info: String) -> Engine {
        let (out, events, positions, states, angles, spins, handles) = Default::default();
        Engine { room, out, events, positions, states, angles, spins, handles, info }
    }

    /// Gives the numbers of a result to JavaScript.
    pub(crate) fn give(&mut self, numbers: impl IntoIterator<Item = f64>) {
        self.out.clear();
        self.out.extend(numbers);
    }
}

/// A time as the two numbers that it is made of.
pub(crate) fn time(time: Time) -> [f64; 2] {
    [time.epoch_start(), time.offset()]
}

/// The numbers of a call, if there are as many as it takes.
pub(crate) fn exactly<const N: usize>(numbers: &[f64]) -> Result<[f64; N], crate::Refused> {
    let allowed = "as many as the call takes";
    numbers.try_into().map_err(|_| crate::Refused::value("numbers", numbers.len(), allowed))
}

//! Whole worlds: against numbers of physics, against 77 digits, and against what breaks engines.

use carom_testkit as common;

mod accuracy;
mod physics;
mod robust;

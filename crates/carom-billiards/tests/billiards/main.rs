//! The laws of billiards, each against a closed form or a published number.

mod aim;
mod bounds;
mod breaks;
mod builders;
mod campaign;
mod cushions;
#[cfg(feature = "scene")]
mod files;
mod frozen;
mod ledger;
mod lip;
mod motions;
mod obstruction;
mod pairs;
mod pressed;
mod rules;
mod rules_eight_ball;
mod rules_random;
mod rules_snooker;
mod rules_three_cushion;
#[cfg(feature = "scene")]
mod rulings;
#[cfg(feature = "scene")]
mod scenes;
mod scripted;
mod search;
mod strokes;
mod support;
#[cfg(feature = "scene")]
mod turning;

// Unit tests of private modules run here: a test program of the library would compile all of it again.
#[path = "../../src/elementary.rs"]
mod elementary;
#[path = "../../src/cushion/springs.rs"]
mod springs;

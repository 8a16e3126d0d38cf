#![allow(
    clippy::unnecessary_cast,
    clippy::useless_conversion,
    reason = "in the other crate `Real` is single precision"
)]

use rapier2d_f64::prelude;

#[path = "gas.rs"]
mod gas;
pub(crate) use gas::RapierGas;

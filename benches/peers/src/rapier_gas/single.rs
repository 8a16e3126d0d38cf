use rapier2d::prelude;

#[path = "gas.rs"]
mod gas;
pub(crate) use gas::RapierGas;

//! What the tests of accuracy share: closed worlds, the same physics with 77 digits, and a plain program in
//! `f64`.
#![allow(dead_code, reason = "each test file uses its part of this")]

pub(crate) mod big;
pub(crate) mod oracle;
pub(crate) mod plain;
pub(crate) mod scene;

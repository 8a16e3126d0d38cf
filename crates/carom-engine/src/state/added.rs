//! What a physics adds to a disc.

use crate::walk::fields;

/// Properties and state that a physics adds to a disc. A world has a column of these beside
/// [`Bodies`](super::bodies::Bodies); without any it takes no memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Added<B, X> {
    pub(crate) own: B,
    pub(crate) extra: X,
}

fields!(Added<B, X>: extra as Any, own as Any);

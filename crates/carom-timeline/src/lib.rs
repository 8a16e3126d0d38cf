//! Worlds with their past: [`Timeline`].

mod marks;
mod timeline;

pub use timeline::Timeline;

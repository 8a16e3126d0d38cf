//! The fastest published code for hard discs and spheres on one thread: "Single" of F. Smallenburg,
//! "Efficient event-driven simulations of hard spheres", Eur. Phys. J. E 45 (2022) 22, ported to the plane,
//! its list range tuned to the packing.

/// What it does for one size and packing.
pub(crate) struct Reference {
    pub(crate) discs: u32,
    pub(crate) packing: f64,
    /// Million collisions per CPU second on a two-core x86-64 server.
    pub(crate) server: f64,
    /// The same on one with an AMD EPYC at 2.4 GHz (Zen 3).
    pub(crate) zen3: f64,
    /// Bytes per disc on the first.
    pub(crate) bytes: &'static str,
}

const fn of(discs: u32, packing: f64, server: f64, zen3: f64, bytes: &'static str) -> Reference {
    Reference { discs, packing, server, zen3, bytes }
}

pub(crate) const REFERENCES: [Reference; 12] = [
    of(1024, 0.3, 1.54, 1.18, ""),
    of(1024, 0.5, 2.36, 1.88, ""),
    of(1024, 0.7, 3.27, 2.29, ""),
    of(10_000, 0.3, 1.1, 1.04, ""),
    of(10_000, 0.5, 1.85, 1.62, ""),
    of(10_000, 0.7, 2.68, 2.35, ""),
    of(100_000, 0.3, 0.62, 0.41, "424"),
    of(100_000, 0.5, 0.96, 0.74, "424"),
    of(100_000, 0.7, 1.34, 0.79, "424"),
    of(1_000_000, 0.3, 0.31, 0.31, "440–480"),
    of(1_000_000, 0.5, 0.44, 0.51, "440–480"),
    of(1_000_000, 0.7, 0.59, 0.69, "440–480"),
];

/// Per collision, about 1000 discs at packing 0.5: instructions, first-level cache misses, mispredicted
/// branches.
pub(crate) const COST: [u32; 3] = [1351, 59, 41];
/// The same: pair times, and predictions made again.
pub(crate) const WORK: [f64; 2] = [14.7, 2.7];

/// What is known for this size and packing.
pub(crate) fn find(discs: u32, packing: f64) -> Option<&'static Reference> {
    REFERENCES.iter().find(|reference| reference.discs == discs && reference.packing == packing)
}

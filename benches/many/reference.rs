//! The fastest published code for hard discs and spheres on one thread: "Single" of F. Smallenburg,
//! "Efficient event-driven simulations of hard spheres", Eur. Phys. J. E 45 (2022) 22, ported to the plane,
//! its list range tuned to the packing.

/// What it does for one size and packing.
pub(crate) struct Reference {
    pub(crate) discs: u32,
    pub(crate) packing: f64,
    /// Million collisions per CPU second on the server of `docs/benchmarks.md`, an Intel Xeon with AVX-512:
    /// medians of five runs in turn with Carom, of one for a million discs.
    pub(crate) rate: f64,
    /// Bytes per disc.
    pub(crate) bytes: &'static str,
}

const fn of(discs: u32, packing: f64, rate: f64, bytes: &'static str) -> Reference {
    Reference { discs, packing, rate, bytes }
}

pub(crate) const REFERENCES: [Reference; 12] = [
    of(1024, 0.3, 1.24, ""),
    of(1024, 0.5, 1.98, ""),
    of(1024, 0.7, 2.69, ""),
    of(10_000, 0.3, 0.99, ""),
    of(10_000, 0.5, 1.63, ""),
    of(10_000, 0.7, 2.41, ""),
    of(100_000, 0.3, 0.72, "424"),
    of(100_000, 0.5, 1.15, "424"),
    of(100_000, 0.7, 1.65, "424"),
    of(1_000_000, 0.3, 0.42, "440–480"),
    of(1_000_000, 0.5, 0.66, "440–480"),
    of(1_000_000, 0.7, 0.91, "440–480"),
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

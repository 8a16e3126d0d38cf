//! Queries in a gas of 1024 in a box, by the grid.

use crate::gas::Gas;
use crate::random::Random;
use carom_engine::{CastOptions, DVec2, Disc, QueryFilter, Ray};
use std::hint::black_box;

/// Calls a query with two places in the box, this many times.
fn ask(times: u64, mut query: impl FnMut(&Gas, DVec2, DVec2)) {
    let (gas, mut random) = (Gas::boxed(1024), Random(5));
    let mut place = || (random.vector(1.0) + 0.5) * gas.side;
    for _ in 0..times {
        let (at, to) = (place(), place());
        query(&gas, at, to);
    }
}

/// Rays to the first hit.
pub(crate) fn rays(times: u64) {
    ask(times, |gas, at, to| {
        let ray = Ray::new(at, to - at);
        black_box(gas.world.cast_ray(&ray, &QueryFilter::new())).expect("it is in range");
    });
}

/// Small discs that fly among the others to their first hit.
pub(crate) fn discs(times: u64) {
    ask(times, |gas, at, to| {
        let disc = Disc::new(at, 0.25).with_velocity((to - at) / gas.side);
        black_box(gas.world.cast_disc(&disc, &CastOptions::new(), &QueryFilter::new()))
            .expect("it is in range");
    });
}

//! Times of impact on parabolas: what a pair that misses costs, and one that hits.
//!
//! `cargo bench --bench bent`. The pairs are 1000 of each family of the tests.

#[path = "../crates/carom-math/tests/math/bent/families.rs"]
mod families;

use carom_math::toi::{Memory, bent};
use carom_math::{Circle, DVec2};
use carom_testkit::rng::Rng;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use families::{Case, FAMILIES};
use std::hint::black_box;

type Contact = fn(&Case) -> Option<f64>;

const FOREVER: f64 = f64::INFINITY;

fn inside(c: &Case) -> Option<f64> {
    let disc = bent::Motion { position: c.d, velocity: c.v, acceleration: c.a, radius: 0.0 };
    let circle = Circle { center: DVec2::ZERO, radius: c.reach };
    bent::disc_circle_inside(&disc, &circle, Memory::None, FOREVER)
}

const CONTACTS: [(&str, Contact); 3] = [
    ("disc_disc", |c| bent::disc_disc(c.d, c.v, c.a, c.reach, FOREVER)),
    ("disc_disc_again", |c| bent::disc_disc_again(c.d, c.v, c.a, c.reach, FOREVER)),
    ("disc_circle_inside", inside),
];

fn contacts(criterion: &mut Criterion) {
    for (name, contact) in CONTACTS {
        let mut group = criterion.benchmark_group(name);
        for family in FAMILIES {
            let rng = &mut Rng::new(family as u64 + 1);
            let cases: Vec<Case> = (0..1000).map(|_| family.case(rng)).collect();
            let (hits, misses): (Vec<_>, Vec<_>) = cases.iter().partition(|c| contact(c).is_some());
            for (what, cases) in [("hit", hits), ("miss", misses)] {
                if cases.len() < 50 {
                    continue;
                }
                group.throughput(Throughput::Elements(cases.len() as u64));
                group.bench_function(format!("{family:?}, {what}"), |bencher| {
                    bencher.iter(|| {
                        for case in &cases {
                            black_box(contact(black_box(case)));
                        }
                    });
                });
            }
        }
    }
}

criterion_group!(benches, contacts);
criterion_main!(benches);

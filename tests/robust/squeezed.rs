//! What is squeezed out between a body that closes in and a wall leaves as fast as it must, at once.

use crate::common::at as v;
use crate::common::rng::{Rng, cases};
use carom_engine::{Disc, StopReason, Wall, World};

/// A tracer on a wall that an unstoppable disc comes down on at the speed `V`, so that their line of
/// centres is at the angle φ to the wall's normal: it cannot go through either, and leaves along the wall at
/// `V cot φ`, or up to `1 + e` times that, however small φ is. There is no limit but geometry: at φ = 10⁻⁴
/// that is 10⁴ `V`, and more.
#[test]
fn a_tracer_is_squeezed_out_of_a_wedge_at_the_speed_of_its_geometry() {
    for r in [0.05, 0.2, 1.0] {
        for e in [0.0, 0.38, 0.63, 1.0] {
            for off in [0.3, 1e-2, 1e-3, 1e-4] {
                let mut w = World::new();
                w.add_wall(Wall::half_plane(v(0., 0.), v(0., 1.)).with_restitution(e)).unwrap();
                let disc =
                    Disc::new(v(0., 1.5 + 2.0 * r), 1.0).with_velocity(v(0., -1.)).with_mass(f64::INFINITY);
                w.insert(disc.with_restitution(e)).unwrap();
                let tracer = Disc::new(v(off, r), r).with_mass(0.0).with_restitution(e);
                let tracer = w.insert(tracer).unwrap();
                assert_eq!(w.step_event().end, StopReason::Reached);
                let reach = 1.0 + r;
                let least = ((reach - off) * (reach + off)).sqrt() / off;
                let u = w.get(tracer).unwrap().velocity();
                let is_between = u.x > least * (1.0 - 1e-10) && u.x < least * (1.0 + e) * (1.0 + 1e-10);
                assert!(is_between && u.y >= 0.0 && u.y <= u.x, "{u} {least} {e}");
                assert_eq!(w.advance(1.0).unwrap().end, StopReason::Reached);
            }
        }
    }
}

/// Between a disc of any mass that comes down on a wall, bounces or not, and goes along it or not, a
/// tracer is hit at most 200 times: it gets out, or is passed over, and is never in the wall.
#[test]
fn a_tracer_between_a_disc_and_a_wall_costs_few_events() {
    let rng = &mut Rng::new(23);
    let mut fast = 0;
    for _ in 0..cases(1000) {
        let mut w = World::new();
        w.add_wall(Wall::half_plane(v(0., 0.), v(0., 1.))).unwrap();
        let (big, along) = (rng.range(0.5, 1.0), rng.pick(&[0.0, 0.3, 1.0, -1.0]));
        let [e, own] = [0, 1].map(|_| rng.pick(&[0.0, 0.38, 0.63, 1.0]));
        let disc = Disc::new(v(0., big + 0.5), big).with_velocity(v(along, -1.)).with_restitution(e);
        w.insert(disc.with_mass(rng.pick(&[1.0, f64::INFINITY]))).unwrap();
        let r = rng.pick(&[0.0, 0.05, 0.2]);
        let at = v(rng.range(-0.6, 0.6) + 0.4 * along, r + 0.01);
        let tracer = Disc::new(at, r).with_velocity(v(rng.range(-0.5, 0.5), 0.)).with_mass(0.0);
        let tracer = w.insert(tracer.with_restitution(own)).unwrap();
        let end = w.advance(3.0).unwrap();
        assert!(end.end == StopReason::Reached && end.events <= 200, "{end:?}");
        let tracer = w.get(tracer).unwrap();
        assert!(tracer.position().y >= r - 1e-12, "{}", tracer.position());
        fast += u64::from(tracer.velocity().length() > 20.0);
    }
    assert!(fast > 0);
}

//! The whole encounter, past and future.

use carom_math::DVec2;
use carom_math::toi::{self, Encounter};

use crate::cases::pairs;
use crate::disc_disc::{DISCRIMINANT, spheres};
use crate::oracle::{Big, Quadratic};
use crate::run::law;

/// Largest error of a time, in the unit of `disc_disc`. Derived as 15: as there, and for overlapping discs,
/// whose `R` is the larger number, `c ≤ 4 R² U` and the discriminant 7.
const TIME: f64 = 15.0;

/// Compares an encounter with the exact one: the multiple of the unit by which its times err.
fn judge(got: Encounter, q: &Quadratic) -> Result<f64, String> {
    if q.speed == 0.0 {
        let expected = if q.c.is_positive() { Encounter::Never } else { Encounter::Always };
        return if got == expected { Ok(0.0) } else { Err(format!("{got:?} at rest")) };
    }
    let band = DISCRIMINANT * q.discriminant_unit();
    let unit = q.time_unit();
    match got {
        Encounter::Never if q.discriminant.f64() <= band => Ok(0.0),
        Encounter::Graze(t) if q.discriminant.abs().f64() <= band => {
            Ok((-&q.b).over(&q.a).distance(t) / unit)
        }
        Encounter::Through { enter, exit } if q.discriminant.f64() >= -band => {
            if !(enter <= exit) {
                return Err(format!("{enter:e} after {exit:e}"));
            }
            if !q.discriminant.is_positive() {
                // The closest approach stands for roots that do not exist.
                let closest = (-&q.b).over(&q.a);
                return Ok(closest.distance(enter).max(closest.distance(exit)) / unit);
            }
            Ok(q.first().distance(enter).max(q.last().distance(exit)) / unit)
        }
        _ => Err(format!("{got:?} for a discriminant of {:e} ± {band:e}", q.discriminant.f64())),
    }
}

/// The first contact is the entry, unless that is past.
#[test]
fn past_and_future() {
    law("disc_disc_encounter", 40_000, TIME, pairs(), |p| {
        let q = Quadratic::new(&p.d.into(), &p.v.into(), &Big::new(p.reach));
        let got = toi::disc_disc_encounter(p.d, p.v, p.reach);
        let is_entry = match (toi::disc_disc(p.d, p.v, p.reach), got) {
            (Some(t), Encounter::Through { enter, .. }) => t == enter.max(0.0),
            // Receding: what there was is past, or they still overlap.
            (None, Encounter::Through { enter, .. }) => enter <= 0.0,
            (t, _) => t.is_none(),
        };
        assert!(is_entry, "{got:?}");
        judge(got, &q)
    });
}

/// From invariants, which are rounded once each: within the same bound.
#[test]
fn of_spheres() {
    let cases = (pairs(), 0.0..std::f64::consts::TAU);
    law("encounter of spheres", 30_000, TIME, cases, |(p, turn)| {
        let (q, numbers) = spheres(&p, turn);
        judge(numbers.encounter(), &q)
    });
}

#[test]
fn the_kinds_by_hand() {
    let x = |x: f64| DVec2::new(x, 0.0);
    let go = |d, v, r| toi::disc_disc_encounter(d, v, r);
    assert_eq!(go(x(5.0), x(-1.0), 2.0), Encounter::Through { enter: 3.0, exit: 7.0 });
    assert_eq!(go(x(-5.0), x(-1.0), 2.0), Encounter::Through { enter: -7.0, exit: -3.0 });
    assert_eq!(go(x(1.0), x(-1.0), 2.0), Encounter::Through { enter: -1.0, exit: 3.0 });
    assert_eq!(go(DVec2::new(5.0, 2.0), x(-1.0), 2.0), Encounter::Graze(5.0));
    assert_eq!(go(DVec2::new(5.0, 2.5), x(-1.0), 2.0), Encounter::Never);
    // Two points through one place: a graze, without overlap.
    assert_eq!(go(x(5.0), x(-1.0), 0.0), Encounter::Graze(5.0));
    assert_eq!(go(x(2.0), DVec2::ZERO, 2.0), Encounter::Always);
    assert_eq!(go(x(3.0), DVec2::ZERO, 2.0), Encounter::Never);
    assert_eq!(go(x(f64::NAN), x(1.0), 2.0), Encounter::Never);
}

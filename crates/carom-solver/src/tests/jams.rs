//! Packings that just fit: as many contacts as their discs have directions to move in, or more.

use super::{energy, terms};
use crate::group::{Contact, Group, Other, Stuck};
use crate::mass_class::MassClass;
use alloc::vec::Vec;
use carom_math::toi::{Motion, Side};
use carom_testkit::rng::{Rng, cases};
use glam::DVec2;

/// Rows of discs, each between two of the row below, in a room that they fill. Normals are turned by random
/// angles of one size, from none, where many contacts depend on each other, to those of dense packings, which
/// are hardly stiff along some of their directions.
fn packing(rng: &mut Rng, [columns, rows]: [usize; 2], restitution: f64) -> Group {
    let mut group = Group::default();
    group.clear(false);
    let place = |i: usize, j: usize| DVec2::new(i as f64 + 0.5 * (j % 2) as f64, j as f64 * 0.75_f64.sqrt());
    let of_row = |j: usize| columns - j % 2;
    let mut places = Vec::new();
    for j in 0..rows {
        for i in 0..of_row(j) {
            let motion = Motion::new(place(i, j), rng.vector(1.0), 0.5);
            group.add_member(places.len() as u32, MassClass::Finite, 1.0, motion);
            places.push(place(i, j));
        }
    }
    let angle = rng.pick(&[0.0, 1e-3, 1e-2, 0.1]);
    let kept = rng.pick(&[100, 80, 75, 70, 66]);
    for (a, &at) in places.iter().enumerate() {
        for (b, &other) in places.iter().enumerate().skip(a + 1) {
            if at.distance(other) < 1.01 && rng.chance(kept) {
                let turn = DVec2::from_angle(angle * rng.range(-1.0, 1.0));
                group.add_contact(a, Other::Member(b), turn.rotate(other - at), restitution, 0.0);
            }
        }
        let walls = [
            (DVec2::NEG_X, at.x == 0.0),
            (DVec2::X, at.x == (columns - 1) as f64),
            (DVec2::NEG_Y, at.y == 0.0),
            (DVec2::Y, at.y == place(0, rows - 1).y),
        ];
        for (f, (normal, is_at)) in (0..).zip(walls) {
            if is_at {
                group.add_contact(a, Other::Facet(f, Side::Front), normal, restitution, 0.0);
            }
        }
    }
    group
}

/// Whatever changes a velocity is an impulse at a contact: the velocities after a group are those before it
/// with all impulses. No contact approaches after it, energy does not rise, and none is lost to restitution
/// where that is 1.
#[test]
fn what_just_fits_is_moved_by_its_contacts_alone() {
    let mut rng = Rng::new(60);
    for case in 0..cases(8) {
        let size = if case % 4 == 0 { [15, 15] } else { [3 + rng.below(12), 3 + rng.below(12)] };
        let restitution = rng.pick(&[1.0, 1.0, 0.5]);
        let mut group = packing(&mut rng, size, restitution);
        let before = energy(&group).to_f64();
        group.resolve().unwrap();
        let mut velocities: Vec<_> = group.members.iter().map(|m| m.motion.velocity).collect();
        let mut most = 1.0_f64;
        for &Contact { a, with, normal, impulse, .. } in &group.contacts {
            velocities[a] -= normal * impulse;
            if let Other::Member(b) = with {
                velocities[b] += normal * impulse;
            }
            most = most.max(impulse);
        }
        for (m, velocity) in velocities.into_iter().enumerate() {
            let off = (velocity - group.velocity(m)).length();
            assert!(off <= 1e-13 * most, "case {case} {size:?}: disc {m} is off its impulses by {off:e}");
        }
        for contact in &group.contacts {
            let opening = group.opening_speed(contact);
            assert!(opening >= -1e-14, "case {case} {size:?}: closes at {opening:e}");
        }
        let rounding = 1e-15 * terms(&group, 1.0);
        assert!(energy(&group).to_f64() <= before + rounding, "case {case}: energy rises");
        let lost = group.book.restitution.value();
        assert!(
            restitution < 1.0 || lost.abs() <= rounding,
            "case {case} {size:?}: restitution takes {lost:e}"
        );
    }
}

/// What gets stuck between walls moves as one, or stands still at last. Each disc whose velocity changes has
/// an impulse at a contact, and the energy that is taken is noted.
#[test]
fn what_gets_stuck_names_who_stops_it() {
    let mut rng = Rng::new(61);
    for stuck in [Stuck::AsOne, Stuck::Still] {
        for case in 0..cases(20) {
            let size = [0, 1].map(|_| 2 + rng.below(4));
            let mut group = packing(&mut rng, size, 1.0);
            group.stuck = Some(stuck);
            let before = energy(&group).to_f64();
            group.resolve().unwrap();
            let lost = before - energy(&group).to_f64();
            assert!((lost - group.book.collapse.value()).abs() <= 1e-12 * before, "case {case}: {lost}");
            for (m, member) in group.members.iter().enumerate() {
                let names = |contact: &&Contact| contact.ends().contains(&Some(m));
                let is_named = group.contacts.iter().filter(names).any(|contact| contact.impulse > 0.0);
                assert!(is_named || group.velocity(m) == member.motion.velocity, "case {case}: {m}");
            }
            let is_still = (0..group.members.len()).any(|m| group.velocity(m) == DVec2::ZERO);
            assert!(is_still || stuck == Stuck::AsOne, "case {case}");
        }
    }
}

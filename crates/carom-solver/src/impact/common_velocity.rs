//! One velocity for all of a part: the last resort where its contacts or masses are too unlike for the
//! arithmetic.

use crate::complementarity::Infeasible;
use crate::contact_problem::RowKind;
use crate::group::Group;
use crate::mass_class::MassClass;
use carom_math::eft::DoubleDouble as Dd;
use core::ops::Range;

/// Gives the part one common velocity: that of its momentum, less what would lead into what it cannot
/// move. Always possible between walls, and never a gain of energy.
pub(crate) fn move_as_one(
    group: &mut Group,
    contacts: &Range<usize>,
    class: MassClass,
    speed: f64,
) -> Result<(), Infeasible> {
    group.with_part(contacts, |group, part| {
        if !may_move_as_one(group, part, class) {
            return Err(Infeasible);
        }
        group.gather_bodies(part, class);
        let mass = take_common_velocity(group, class);
        let result = keep_out(group, part, class, mass, speed);
        if result.is_err() {
            for (&m, &velocity) in group.scratch.bodies.iter().zip(&group.scratch.saved) {
                group.members[m as usize].velocity = velocity;
            }
        }
        result
    })
}

fn moves(group: &Group, member: usize, class: MassClass) -> bool {
    group.members[member].class == class
}

/// Whether one velocity is an answer. It is not where discs of the part press on each other by growing.
fn may_move_as_one(group: &Group, part: &[u32], class: MassClass) -> bool {
    part.iter().map(|&c| &group.contacts[c as usize]).all(|contact| {
        let inner = contact.ends().iter().all(|end| end.is_some_and(|m| moves(group, m, class)));
        !inner || contact.growth_speed <= 0.0
    })
}

/// Sets the velocities of the bodies to that of their momentum, and saves what they were. Their mass.
fn take_common_velocity(group: &mut Group, class: MassClass) -> Dd {
    let (mut mass, mut momentum) = (Dd::ZERO, [Dd::ZERO; 2]);
    for &m in &group.scratch.bodies {
        let member = &group.members[m as usize];
        let of_m = Dd::from(if class == MassClass::Finite { member.mass } else { 1.0 });
        let [x, y] = member.velocity;
        mass = mass + of_m;
        momentum = [momentum[0] + of_m * x, momentum[1] + of_m * y];
    }
    let velocity = momentum.map(|p| p / mass);
    group.scratch.saved.clear();
    for &m in &group.scratch.bodies {
        group.scratch.saved.push(core::mem::replace(&mut group.members[m as usize].velocity, velocity));
    }
    mass
}

/// Turns the common velocity out of what the part cannot move.
fn keep_out(
    group: &mut Group,
    part: &[u32],
    class: MassClass,
    mass: Dd,
    speed: f64,
) -> Result<(), Infeasible> {
    let mut outer = core::mem::take(&mut group.pass);
    outer.clear();
    group.scratch.problem.reset();
    let body = group.scratch.problem.add_body(mass.to_f64());
    let mut crushable = false;
    for &c in part {
        let contact = group.contacts[c as usize];
        let ends = contact.ends().map(|end| end.filter(|&m| moves(group, m, class)).map(|_| body));
        if ends.iter().flatten().count() == 1 {
            group.scratch.problem.add_row(
                ends,
                contact.normal,
                group.closing_speed(&contact),
                RowKind::OneSided,
            );
            let unmoved = contact.ends().into_iter().flatten().find(|&m| !moves(group, m, class));
            crushable |= contact.growth_speed != 0.0
                || unmoved.is_some_and(|m| group.members[m].velocity != [Dd::ZERO; 2]);
            outer.push(c);
        }
    }
    let result = group.scratch.problem.solve(speed, crushable);
    if result.is_ok()
        && let Some(&[x, y]) = group.scratch.problem.solution.changes.first()
    {
        for &m in &group.scratch.bodies {
            let velocity = &mut group.members[m as usize].velocity;
            *velocity = [velocity[0] + x, velocity[1] + y];
        }
        for (&c, impulse) in outer.iter().zip(&group.scratch.problem.solution.impulses) {
            group.contacts[c as usize].impulse += impulse.to_f64().max(0.0);
        }
    }
    group.pass = outer;
    result
}

//! What follows once the physics has added to the velocities, contact by contact, and kicks have: either may
//! make contacts approach, which have met and do not meet again. So each part in which a contact approaches
//! is solved once more, with e = 0 and normal impulses only. No contact approaches after it.

use super::common_velocity::move_as_one;
use super::count_pushes;
use super::crush::crush;
use super::passes::{join, select_approaching};
use crate::complementarity::Infeasible;
use crate::energy::energy_less_work;
use crate::group::Group;
use crate::tolerances::APPROACH_AFTER_PHYSICS;

/// See [`Group::stop_approaching`].
pub(crate) fn stop_approaching(group: &mut Group) -> Result<(), Infeasible> {
    for class in group.classes() {
        group.find_parts(class, false);
        let mut parts = core::mem::take(&mut group.parts);
        let result = (0..parts.len()).try_for_each(|k| {
            let contacts = parts[k].contacts();
            let speed = group.speed_of(&contacts);
            if !select_approaching(group, &contacts, APPROACH_AFTER_PHYSICS * speed) {
                return Ok(());
            }
            let before = energy_less_work(group, &contacts, class);
            if join(group, &contacts, class, speed).is_err()
                && move_as_one(group, &contacts, class, speed).is_err()
            {
                return crush(group, &mut parts, &[k], class);
            }
            group.round_velocities(&contacts, class, speed);
            let after = energy_less_work(group, &contacts, class);
            group.book.look_again.add(before - after);
            Ok(())
        });
        group.parts = parts;
        result?;
    }
    count_pushes(group);
    Ok(())
}

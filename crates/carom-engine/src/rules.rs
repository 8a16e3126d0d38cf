use crate::walk::fields;

/// Which others a disc or a part of a wall collides with.
///
/// Two bodies collide if each one's `mask` has a bit in common with the other's `membership`, unless both are
/// of the same `team`, other than 0. The default is a member of all groups, accepts all, and is of no team.
/// Bodies that do not collide pass through each other as if the other were not there: they may overlap when
/// they are inserted, moved or resized, and the part of a wall that a disc does not collide with is no part
/// of a joint for it.
///
/// Rules belong to the state of a disc: a time of impact depends on nothing but the stored states of two
/// discs and their rules. They cost no memory and no time in a world in which all have the default. A disc
/// that collides with no other that is there costs what the walls cost that it hits.
///
/// ```
/// # use carom_engine as carom;
/// use carom::{Disc, Rules, Wall, World};
///
/// const SHIPS: u32 = 1 << 0;
/// const BULLETS: u32 = 1 << 1;
/// const FENCES: u32 = 1 << 2;
///
/// let mut world = World::new();
/// let ship = Disc::new([0.0, 0.0], 1.0).with_groups(SHIPS, !0).with_team(7);
/// let bullet = Disc::new([0.5, 0.0], 0.1).with_groups(BULLETS, SHIPS).with_team(7);
/// world.insert(ship)?;
/// // Inside its own ship, which it flies out of.
/// let bullet = world.insert(bullet.with_velocity([10.0, 0.0]))?;
/// // Bullets do not accept fences, so they pass.
/// world.add_wall(Wall::segment([2.0, -1.0], [2.0, 1.0]).with_groups(FENCES, !0))?;
/// world.insert(Disc::new([4.0, 0.0], 1.0).with_groups(SHIPS, !0).with_team(8))?;
/// let hit = world.next_event().map(|next| next.time.as_secs());
/// assert!((hit.unwrap_or(0.0) - 0.24).abs() < 1e-15);
/// // Peace.
/// world.set_rules(bullet, Rules::new().with_mask(0))?;
/// assert_eq!(world.next_event(), None);
/// # Ok::<(), carom::Error>(())
/// ```
#[doc(alias = "filter")]
#[doc(alias = "collision groups")]
#[doc(alias = "layer")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Rules {
    /// The groups that it is a member of, a bit for each.
    pub membership: u32,
    /// The groups that it accepts, a bit for each.
    pub mask: u32,
    /// Bodies of the same team do not collide; 0 is no team.
    pub team: u32,
}

fields!(Rules: membership, mask, team);

impl Default for Rules {
    fn default() -> Self {
        Rules::new()
    }
}

impl Rules {
    /// A member of all groups that accepts all, of no team.
    #[must_use]
    pub const fn new() -> Self {
        Rules { membership: u32::MAX, mask: u32::MAX, team: 0 }
    }

    /// Of what collides with nothing.
    pub(crate) const NONE: Rules = Rules { membership: 0, mask: 0, team: 0 };

    setters! {
        /// With these memberships.
        const with_membership(membership: u32);

        /// With this mask.
        const with_mask(mask: u32);

        /// With this team.
        const with_team(team: u32);
    }

    /// Whether bodies with these rules collide. Symmetric.
    #[inline(always)]
    #[must_use]
    pub const fn collides_with(&self, other: &Rules) -> bool {
        self.mask & other.membership != 0
            && other.mask & self.membership != 0
            && (self.team == 0 || self.team != other.team)
    }

    /// Whether these rules differ from the default.
    #[inline]
    pub(crate) fn is_default(&self) -> bool {
        *self == Rules::new()
    }

    /// Whether there are rules that these may collide with and `before` does not: a property of the two
    /// alone, so that what follows from it does not depend on who else is there.
    pub(crate) fn may_add_to(&self, before: &Rules) -> bool {
        let adds = (self.mask & !before.mask) | (self.membership & !before.membership) != 0;
        let leaves_team = before.team != 0 && before.team != self.team;
        self.mask != 0 && self.membership != 0 && (adds || leaves_team)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_small() -> impl Iterator<Item = Rules> {
        (0..48).map(|k| Rules { membership: k & 3, mask: k >> 2 & 3, team: k >> 4 })
    }

    #[test]
    fn collide_by_the_definition_and_either_way() {
        for a in all_small() {
            for b in all_small() {
                let accept = (a.mask & b.membership) * (b.mask & a.membership) > 0;
                let friends = a.team == b.team && [a.team, b.team] != [0, 0];
                assert_eq!(a.collides_with(&b), accept && !friends);
                assert_eq!(a.collides_with(&b), b.collides_with(&a));
            }
        }
    }

    /// What is not said to add collides with nothing new.
    #[test]
    fn what_does_not_add_collides_with_no_more() {
        for before in all_small() {
            for after in all_small().filter(|after| !after.may_add_to(&before)) {
                let more = all_small().filter(|other| after.collides_with(other));
                assert!(more.into_iter().all(|other| before.collides_with(&other)), "{before:?} {after:?}");
            }
        }
    }
}

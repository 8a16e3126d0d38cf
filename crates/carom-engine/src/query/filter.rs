use crate::{DiscId, Partner, Rules};
use core::fmt;

/// Which discs and walls a query finds. By default all.
///
/// ```
/// # use carom_engine as carom;
/// use carom::{Disc, Partner, QueryFilter, World};
///
/// const SHIPS: u32 = 1 << 0;
///
/// let mut world = World::new();
/// let ship = world.insert(Disc::new([0.0, 0.0], 1.0).with_groups(SHIPS, !0))?;
/// let rock = world.insert(Disc::new([3.0, 0.0], 1.0).with_groups(!SHIPS, !0))?;
/// let mut found = Vec::new();
/// world.overlap_disc([1.5, 0.0], 1.0, &QueryFilter::new(), &mut found)?;
/// assert_eq!(found, [Partner::Disc(ship), Partner::Disc(rock)]);
/// // What the ship sees around it.
/// world.overlap_disc([1.5, 0.0], 1.0, &QueryFilter::new().excluding(ship), &mut found)?;
/// assert_eq!(found, [Partner::Disc(rock)]);
/// // Ships alone.
/// world.overlap_disc([1.5, 0.0], 1.0, &QueryFilter::new().with_groups(!0, SHIPS), &mut found)?;
/// assert_eq!(found, [Partner::Disc(ship)]);
/// // Any condition.
/// let is_right = |body: Partner| {
///     body.disc().and_then(|id| world.get(id)).is_some_and(|disc| disc.position().x > 1.0)
/// };
/// let filter = QueryFilter::new().with_predicate(&is_right);
/// world.overlap_disc([1.5, 0.0], 1.0, &filter, &mut found)?;
/// assert_eq!(found, [Partner::Disc(rock)]);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy)]
#[must_use]
pub struct QueryFilter<'a> {
    pub(super) discs: bool,
    pub(super) walls: bool,
    pub(super) rules: Rules,
    pub(super) excluded: Option<DiscId>,
    pub(super) predicate: Option<&'a dyn Fn(Partner) -> bool>,
}

impl<'a> QueryFilter<'a> {
    /// All discs and walls.
    pub const fn new() -> Self {
        QueryFilter { discs: true, walls: true, rules: Rules::new(), excluded: None, predicate: None }
    }

    /// Discs, no walls.
    pub const fn only_discs(mut self) -> Self {
        (self.discs, self.walls) = (true, false);
        self
    }

    /// Walls, no discs.
    pub const fn only_walls(mut self) -> Self {
        (self.discs, self.walls) = (false, true);
        self
    }

    /// Leaves one disc out, say the one that looks. The last one given counts; one that has been removed
    /// leaves nothing out.
    #[doc(alias = "exclude_rigid_body")]
    pub const fn excluding(mut self, id: DiscId) -> Self {
        self.excluded = Some(id);
        self
    }

    /// Only what a body with these rules collides with: see [`Rules::collides_with`].
    #[doc(alias = "groups")]
    pub const fn with_rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// As [`QueryFilter::with_rules`], of a member of the groups of `membership` that accepts those of
    /// `mask`: to find the members of some groups, `with_groups(!0, groups)`.
    pub const fn with_groups(mut self, membership: u32, mask: u32) -> Self {
        self.rules = self.rules.with_membership(membership).with_mask(mask);
        self
    }

    /// As [`QueryFilter::with_rules`], of a member of this team: leaves the others of the team out.
    pub const fn with_team(mut self, team: u32) -> Self {
        self.rules = self.rules.with_team(team);
        self
    }

    /// Only what this returns true for. It is called with what passes all other tests, perhaps more than once
    /// and in any order, and is to be pure.
    pub const fn with_predicate(mut self, predicate: &'a dyn Fn(Partner) -> bool) -> Self {
        self.predicate = Some(predicate);
        self
    }
}

impl Default for QueryFilter<'_> {
    fn default() -> Self {
        QueryFilter::new()
    }
}

impl fmt::Debug for QueryFilter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("QueryFilter");
        shown.field("discs", &self.discs).field("walls", &self.walls).field("rules", &self.rules);
        shown.field("excluded", &self.excluded).field("has_predicate", &self.predicate.is_some()).finish()
    }
}

use super::facet::{Drift, Facet, Shape};
use super::motion::{Course, WallPose};
use super::planes::Planes;
use crate::limits::MAX_WALL_PARTS;
use crate::{Error, Partner, Rules, WallId, WallShape};
use carom_math::Time;
use core::ops::Range;
use std::borrow::Cow;

/// The facets that walls consist of, and how walls stand: what events at them follow from, beside what the
/// physics knows of them.
#[derive(Debug)]
pub(crate) struct Walls {
    /// How often each slot was freed.
    generations: Vec<u32>,
    /// The user's note on each, as events have it: by slot.
    pub(crate) user_data: Vec<u64>,
    /// The last is taken next.
    pub(crate) free: Vec<u32>,
    /// The number of the first facet of the wall in each slot, [`NO_FACET`] in a free one; those of a wall
    /// are in sequence.
    firsts: Vec<u32>,
    /// In the order of insertion. A facet keeps its number until [`Walls::renumber`].
    pub(crate) facets: Vec<Facet>,
    /// How many of the facets are those of removed walls.
    gone: usize,
    /// Whether a wall has other rules than the default, or had.
    is_ruled: bool,
    /// Walls whose rules have changed since the schedule was brought up to date, with the new ones.
    edited: Vec<(u32, Rules)>,
    pub(crate) planes: Planes,
    /// Of the walls that turn or move, or stand elsewhere than where they were put up, by slot.
    poses: Vec<(u32, WallPose)>,
}

carom_broadphase::clone_fields!(
    Walls: generations, user_data, free, firsts, facets, gone, is_ruled, edited, planes, poses
);

/// With fewer facets of removed walls than this they are not worth the renumbering.
const FEW: usize = 1024;

/// The number of no facet.
const NO_FACET: u32 = u32::MAX;

impl Walls {
    pub(crate) fn new() -> Self {
        Walls::of(Vec::new(), Vec::new(), Vec::new())
    }

    /// Those of these facets: each wall has its own in sequence.
    pub(crate) fn of(generations: Vec<u32>, free: Vec<u32>, facets: Vec<Facet>) -> Self {
        let mut walls = Walls {
            firsts: vec![NO_FACET; generations.len()],
            user_data: vec![0; generations.len()],
            generations,
            free,
            planes: Planes::default(),
            gone: 0,
            is_ruled: facets.iter().any(|facet| !facet.rules.is_default()),
            edited: Vec::new(),
            poses: Vec::new(),
            facets,
        };
        walls.note_firsts();
        walls.planes.add(&walls.facets, 0);
        walls
    }

    pub(crate) fn slot(&self, id: WallId) -> Result<u32, Error> {
        let slot = id.slot();
        if self.is_live(slot) && self.id(slot) == id { Ok(slot) } else { Err(Error::NoSuchWall(id)) }
    }

    fn is_live(&self, slot: u32) -> bool {
        self.firsts.get(slot as usize).is_some_and(|first| *first != NO_FACET)
    }

    pub(crate) fn id(&self, slot: u32) -> WallId {
        WallId::new(slot, self.generations[slot as usize])
    }

    /// A facet, as users know it.
    pub(crate) fn partner(&self, f: u32) -> Partner {
        let facet = &self.facets[f as usize];
        Partner::Wall { wall: self.id(facet.wall), part: facet.part }
    }

    /// The slots of all walls, in order.
    pub(crate) fn live(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.slots() as u32).filter(|&slot| self.is_live(slot))
    }

    /// The facets that are there, by number.
    pub(crate) fn present(&self) -> impl Iterator<Item = (u32, &Facet)> + '_ {
        (0..).zip(&self.facets).filter(|(_, facet)| !facet.is_gone())
    }

    /// Slots in use or free.
    pub(crate) fn slots(&self) -> usize {
        self.firsts.len()
    }

    /// The number of the first facet of a wall: in the order of insertion.
    pub(crate) fn first_of(&self, slot: u32) -> u32 {
        self.firsts[slot as usize]
    }

    /// The facets of a wall.
    pub(crate) fn facets_of(&self, slot: u32) -> &[Facet] {
        &self.facets[self.numbers_of(slot)]
    }

    fn numbers_of(&self, slot: u32) -> Range<usize> {
        let first = self.firsts[slot as usize] as usize;
        let other = self.facets[first..].iter().position(|facet| facet.wall != slot);
        first..other.map_or(self.facets.len(), |other| first + other)
    }

    /// The facets that a wall of these parts and rules would consist of, if it were inserted at `since`,
    /// after that many impacts.
    pub(crate) fn plan(&self, parts: Vec<Shape>, rules: Rules, since: Time, after: u64) -> Vec<Facet> {
        let slot = self.free.last().copied().unwrap_or(self.slots() as u32);
        planned(slot, parts, None, rules, (since, after))
    }

    /// Refuses more parts than a world holds.
    pub(crate) fn check_room(&self, more: usize) -> Result<(), Error> {
        let (parts, most) = (self.facets.len() - self.gone + more, MAX_WALL_PARTS);
        if parts <= most { Ok(()) } else { Err(Error::TooManyParts { parts, most }) }
    }

    /// The facets of a wall on a course as they are with another end of that, and since a time if they are
    /// elsewhere from then on.
    pub(crate) fn plan_onward(
        &self,
        slot: u32,
        pose: &WallPose,
        aimed: Option<Time>,
    ) -> Result<Vec<Facet>, Error> {
        let Facet { since, after, .. } = self.facets[self.first_of(slot) as usize];
        self.plan_pose(slot, pose, aimed.unwrap_or(since), after)
    }

    /// The facets that a wall that is there would have in another pose, if they were put up at `since`.
    pub(crate) fn plan_pose(
        &self,
        slot: u32,
        pose: &WallPose,
        since: Time,
        after: u64,
    ) -> Result<Vec<Facet>, Error> {
        Ok(planned(slot, pose.parts()?, pose.drift(), self.rules_in_force(slot), (since, after)))
    }

    /// Gives a wall other facets. The old ones keep their places, without a wall.
    pub(crate) fn exchange(&mut self, slot: u32, facets: Vec<Facet>) {
        self.take_down(slot);
        self.put_up(slot, facets);
    }

    /// Says of the facets of a wall that moves how they go on, for another time.
    pub(crate) fn prolong(&mut self, slot: u32, facets: &[Facet]) {
        let numbers = self.numbers_of(slot);
        for (f, facet) in numbers.zip(facets) {
            self.planes.exchange(f as u32, &self.facets[f], facet);
            self.facets[f] = *facet;
        }
    }

    fn put_up(&mut self, slot: u32, facets: Vec<Facet>) {
        let first = self.facets.len();
        self.firsts[slot as usize] = first as u32;
        self.facets.extend(facets);
        self.planes.add(&self.facets, first);
    }

    fn find_pose(&self, slot: u32) -> Result<usize, usize> {
        self.poses.binary_search_by_key(&slot, |&(slot, _)| slot)
    }

    /// The pose of a wall that turns or moves, or stands elsewhere than where it was put up. O(log n) in the
    /// number of those.
    pub(crate) fn stored_pose(&self, slot: u32) -> Option<&WallPose> {
        self.find_pose(slot).ok().map(|at| &self.poses[at].1)
    }

    /// How a wall that has this form stands, or on what course it is.
    pub(crate) fn pose(&self, slot: u32, shape: &WallShape) -> WallPose {
        self.stored_pose(slot).cloned().unwrap_or_else(|| WallPose::at_home(shape.clone()))
    }

    /// Notes how a wall stands, or on what course it is.
    pub(crate) fn set_pose(&mut self, slot: u32, pose: WallPose) {
        match self.find_pose(slot) {
            Ok(at) if pose.is_at_home() => drop(self.poses.remove(at)),
            Ok(at) => self.poses[at].1 = pose,
            Err(_) if pose.is_at_home() => {}
            Err(at) => self.poses.insert(at, (slot, pose)),
        }
    }

    /// How a wall turns or moves, if it does.
    pub(crate) fn course(&self, slot: u32) -> Option<Course> {
        self.stored_pose(slot)?.course
    }

    /// The form and place at a time of a wall that has this form, or had it as it set out.
    pub(crate) fn shape_at<'s>(&self, slot: u32, shape: &'s WallShape, time: Time) -> Cow<'s, WallShape> {
        match self.stored_pose(slot) {
            Some(pose) if pose.course.is_some() => Cow::Owned(pose.stopped(Some(time)).shape()),
            _ => Cow::Borrowed(shape),
        }
    }

    /// The walls on a course: arms that turn in the order in which they began, and then others by slot.
    pub(crate) fn on_course(&self) -> Vec<u32> {
        let courses = self.poses.iter().filter_map(|(slot, pose)| Some((*slot, pose.course?)));
        let (mut turning, moving): (Vec<_>, Vec<_>) =
            courses.partition(|(_, course)| course.way.is_rotation());
        turning.sort_by_key(|&(slot, _)| self.first_of(slot));
        turning.into_iter().chain(moving).map(|(slot, _)| slot).collect()
    }

    /// Whether a wall is an arm at rest, with sides of their own.
    pub(crate) fn is_thick_at_rest(&self, slot: u32) -> bool {
        // Of a thin one there are a segment and its ends.
        self.facets_of(slot).len() > 3
    }

    /// Inserts a wall of the facets that `plan` gave. O(facets of the wall).
    pub(crate) fn insert(&mut self, facets: Vec<Facet>, user_data: u64) -> WallId {
        self.is_ruled |= facets.iter().any(|facet| !facet.rules.is_default());
        let slot = self.free.pop().unwrap_or(self.slots() as u32);
        if slot as usize == self.slots() {
            self.generations.push(0);
            self.user_data.push(0);
            self.firsts.push(NO_FACET);
        }
        self.user_data[slot as usize] = user_data;
        self.put_up(slot, facets);
        self.id(slot)
    }

    /// Removes a wall. Its facets keep their places, without a wall.
    pub(crate) fn remove(&mut self, slot: u32) {
        self.take_down(slot);
        self.edited.retain(|&(edited, _)| edited != slot);
        _ = self.find_pose(slot).map(|at| self.poses.remove(at));
        let generation = &mut self.generations[slot as usize];
        *generation = generation.wrapping_add(1);
        self.firsts[slot as usize] = NO_FACET;
        self.free.push(slot);
    }

    /// Leaves the facets of a wall without it.
    fn take_down(&mut self, slot: u32) {
        let numbers = self.numbers_of(slot);
        self.gone += numbers.len();
        for f in numbers {
            self.planes.remove(f as u32, &self.facets[f]);
            self.facets[f].wall = Facet::NO_WALL;
        }
    }

    /// Whether there are walls with other rules than the default, or were.
    #[inline(always)]
    pub(crate) fn is_ruled(&self) -> bool {
        self.is_ruled
    }

    /// Sets rules that come into force when the schedule is brought up to date.
    pub(crate) fn edit_rules(&mut self, slot: u32, rules: Rules) {
        match self.edited.iter_mut().find(|(edited, _)| *edited == slot) {
            Some(edited) => edited.1 = rules,
            None => self.edited.push((slot, rules)),
        }
    }

    #[inline(always)]
    pub(crate) fn has_edited(&self) -> bool {
        !self.edited.is_empty()
    }

    /// A wall with rules that are not in force yet; it is not named again.
    pub(crate) fn next_edited(&mut self) -> Option<(u32, Rules)> {
        self.edited.pop()
    }

    /// The rules of the wall that a facet is of, as they were set last.
    pub(crate) fn latest_rules(&self, f: u32) -> Rules {
        let facet = &self.facets[f as usize];
        let edited = self.edited.iter().find(|(slot, _)| *slot == facet.wall);
        edited.map_or(facet.rules, |&(_, rules)| rules)
    }

    pub(crate) fn rules_in_force(&self, slot: u32) -> Rules {
        self.facets_of(slot).first().map_or(Rules::new(), |facet| facet.rules)
    }

    /// Puts rules of a wall into force; given a time and a number of impacts, as if it were put up then.
    pub(crate) fn put_in_force(&mut self, slot: u32, rules: Rules, anew: Option<(Time, u64)>) {
        let numbers = self.numbers_of(slot);
        self.is_ruled |= !rules.is_default();
        for facet in &mut self.facets[numbers] {
            facet.rules = rules;
            if let Some((since, after)) = anew {
                if facet.arm().is_some() {
                    facet.shape = *facet.shape_at(since);
                }
                (facet.since, facet.after) = (since, after);
                self.planes.complete_since = self.planes.complete_since.latest(since);
            }
        }
        let first = &self.facets[self.first_of(slot) as usize];
        if let (Some(arm), Ok(at)) = (first.arm(), self.find_pose(slot)) {
            self.poses[at].1.restate(arm, first.since);
        }
    }

    /// To be called at the beginning of another clock: all walls are there from then on.
    pub(crate) fn begin(&mut self, now: Time) {
        self.facets.iter_mut().for_each(|facet| facet.since = now);
        self.planes.complete_since = now;
    }

    /// Whether facets of removed walls are more than the present ones, by as much as it takes for
    /// [`Walls::renumber`] and its consequences, which are O(facets + discs), to be O(1) a removal.
    pub(crate) fn is_sparse(&self, discs: usize) -> bool {
        self.gone > FEW + discs + self.facets.len() / 2
    }

    /// The number that each facet has if those of removed walls are left out.
    pub(crate) fn numbers(&self) -> Vec<Option<u32>> {
        let mut next = 0;
        let number = |facet: &Facet| {
            (!facet.is_gone()).then(|| {
                next += 1;
                next - 1
            })
        };
        self.facets.iter().map(number).collect()
    }

    /// Leaves out the facets of removed walls. Returns the new number of each old facet; their order is as it
    /// was.
    pub(crate) fn renumber(&mut self) -> Vec<Option<u32>> {
        let numbers = self.numbers();
        self.facets.retain(|facet| !facet.is_gone());
        self.gone = 0;
        self.note_firsts();
        self.planes = Planes::default();
        self.planes.add(&self.facets, 0);
        numbers
    }

    fn note_firsts(&mut self) {
        for (f, facet) in (0..).zip(&self.facets) {
            if facet.part == 0 {
                self.firsts[facet.wall as usize] = f;
            }
        }
    }
}

/// The facets of a wall of given parts, drift and rules. A facet notes when it was put up: the time, and the
/// number of impacts before it.
pub(crate) fn planned(
    slot: u32,
    shapes: Vec<Shape>,
    drift: Option<Drift>,
    rules: Rules,
    (since, after): (Time, u64),
) -> Vec<Facet> {
    let facet = |(part, shape)| {
        let facet = Facet::new(shape, slot, part, since, after).with_rules(rules);
        drift.map_or(facet, |drift| facet.with_drift(drift))
    };
    (0..).zip(shapes).map(facet).collect()
}

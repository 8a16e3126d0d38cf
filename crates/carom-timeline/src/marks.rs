use carom_engine::{Physics, World};

/// A copy of the world.
#[derive(Clone, Debug)]
pub(crate) struct Mark<P: Physics> {
    pub(crate) world: World<P>,
    /// Whether it cannot be made again by running on from an earlier one: the start, or the world after
    /// an edit.
    is_fixed: bool,
    bytes: usize,
}

impl<P: Physics> Mark<P> {
    /// How many events there were before it.
    pub(crate) fn events(&self) -> u64 {
        self.world.counters().events
    }

    pub(crate) fn is_after(&self, world: &World<P>) -> bool {
        self.events() > world.counters().events || self.world.now() > world.now()
    }
}

/// The copies of a timeline, in the order of time.
#[derive(Clone, Debug)]
pub(crate) struct Marks<P: Physics> {
    pub(crate) list: Vec<Mark<P>>,
    /// What all copies take.
    pub(crate) bytes: usize,
    limit: usize,
    /// Events between two copies.
    pub(crate) interval: u64,
    /// A copy whose memory is used again.
    spare: Option<World<P>>,
}

impl<P: Physics> Marks<P> {
    pub(crate) fn new(limit: usize, interval: u64) -> Self {
        Marks { list: Vec::new(), bytes: 0, limit, interval, spare: None }
    }

    /// The latest one of those that come first and are as wanted.
    pub(crate) fn latest(&self, is_wanted: impl Fn(&Mark<P>) -> bool) -> Option<&Mark<P>> {
        let number = self.list.partition_point(is_wanted);
        self.list.get(number.checked_sub(1)?)
    }

    /// In how many events the next one is due.
    pub(crate) fn to_next(&self, events: u64) -> u64 {
        let last = self.latest(|mark| mark.events() <= events).map_or(0, Mark::events);
        self.interval.saturating_sub(events.saturating_sub(last)).max(1)
    }

    /// Whether one is due after this many events, which are not fewer than those of the last one.
    pub(crate) fn is_due(&self, events: u64) -> bool {
        self.list.last().is_none_or(|last| events >= last.events().saturating_add(self.interval))
    }

    /// Keeps a copy of the world as the last one. A fixed one takes the place of the one before, if that
    /// is of the same time.
    pub(crate) fn keep(&mut self, world: &World<P>, is_fixed: bool) {
        let same =
            |last: &Mark<P>| last.world.now() == world.now() && last.events() == world.counters().events;
        if is_fixed && self.list.last().is_some_and(same) {
            self.drop_last();
        }
        let copy = self.spare(world);
        let bytes = copy.bytes();
        self.bytes += bytes;
        self.list.push(Mark { world: copy, is_fixed, bytes });
        self.thin();
    }

    /// Forgets the copies that are later than a world.
    pub(crate) fn cut(&mut self, world: &World<P>) {
        while self.list.last().is_some_and(|last| last.is_after(world)) {
            self.drop_last();
        }
    }

    /// A copy of the world, in memory that has been used before if there is any.
    pub(crate) fn spare(&mut self, world: &World<P>) -> World<P> {
        match self.spare.take() {
            Some(mut spare) => {
                spare.clone_from(world);
                spare
            }
            None => world.clone(),
        }
    }

    pub(crate) fn put_back(&mut self, spare: World<P>) {
        self.spare = Some(spare);
    }

    fn drop_last(&mut self) {
        if let Some(last) = self.list.pop() {
            self.bytes -= last.bytes;
            self.spare = Some(last.world);
        }
    }

    /// Drops what can be made again, every second one as often as it takes, and then the oldest.
    fn thin(&mut self) {
        while self.bytes > self.limit && self.list.iter().any(|mark| !mark.is_fixed) {
            let mut number = 0_u64;
            self.list.retain(|mark| {
                number += u64::from(!mark.is_fixed);
                mark.is_fixed || number.is_multiple_of(2)
            });
            self.interval = self.interval.saturating_mul(2);
            self.bytes = self.list.iter().map(|mark| mark.bytes).sum();
        }
        while self.bytes > self.limit && self.list.len() > 1 {
            self.bytes -= self.list.remove(0).bytes;
            if let Some(first) = self.list.first_mut() {
                first.is_fixed = true;
            }
        }
    }
}

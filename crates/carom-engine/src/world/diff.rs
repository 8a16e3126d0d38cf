use crate::drag::{Drag, DragEnergy, Pacing};
use crate::sense::Sensing;
use crate::walk::{Place, StoredValue, Walk};
use crate::{Counters, Physics, Settings, World};
use core::fmt::{self, Debug};

/// The first part in which two worlds differ: see [`World::diff`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// Where it is, in the first world.
    pub place: Place,
    /// What it is: `velocity.x`, say.
    pub field: &'static str,
    /// What it is in the first world, and in the second.
    pub values: [StoredValue; 2],
}

/// `disc 3: velocity.x is 1 (0x3ff0000000000000) vs 1.0000000000000002 (0x3ff0000000000001)`.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { place, field, values: [one, other] } = self;
        write!(f, "{place}: {field} is {one} vs {other}")
    }
}

impl<P: Physics> World<P> {
    /// The first part of what two worlds' futures depend on that has other bits in the other one; `None` if
    /// they go on alike, to the last bit. For tests of rollback, of a restored world against one that never
    /// was rolled back.
    ///
    /// Compared is all that a snapshot holds: settings and time, walls, discs with their stored states and
    /// the impacts that wrote them, records of contacts, free slots and serial numbers, counters, the
    /// ledger. In this order, and of discs first where they are and how they move; so what is found is near
    /// the cause. Not compared are the schedule, with what schedulers count, and with it the settings that
    /// change no bits ([`Settings::scheduler`], [`Settings::instructions`], [`Settings::record_events`]); nor
    /// the events of the last call. With drag, positions and velocities are those on the clock that slows
    /// down.
    ///
    /// A physics and what it adds to discs and walls is compared by what its `Debug` shows, which tells all
    /// bits of numbers apart where it is derived. An edit that waits for the next call of `advance` is part
    /// of the state: two worlds of which one has begun to follow it differ. O(discs + walls), and an
    /// allocation.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// let ball = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0]))?;
    /// let mut other = world.clone();
    /// assert_eq!(world.diff(&other), None);
    /// other.set_velocity(ball, [1.0_f64.next_up(), 0.0])?;
    /// assert_eq!(
    ///     world.diff(&other).expect("they differ").to_string(),
    ///     "disc 0: velocity.x is 1 (0x3ff0000000000000) vs 1.0000000000000002 (0x3ff0000000000001)"
    /// );
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn diff(&self, other: &World<P>) -> Option<Difference>
    where
        P: Debug,
    {
        let mut words = Vec::new();
        self.walk(&mut Walk::new(&mut |_, _, seen| words.push(seen.words())));
        let (mut visited, mut found) = (0, None);
        other.walk(&mut Walk::new(&mut |place, field, seen| {
            if found.is_none() && words.get(visited) != Some(&seen.words()) {
                found = Some((visited, place, field, seen.stored()));
            }
            visited += 1;
        }));
        let (at, place, field, of_other) = found?;
        let missing = || StoredValue::Text("nothing".to_owned());
        let mut difference = Difference { place, field, values: [missing(), of_other] };
        let mut visited = 0;
        self.walk(&mut Walk::new(&mut |place, field, seen| {
            if visited == at {
                (difference.place, difference.field) = (place, field);
                difference.values[0] = seen.stored();
            }
            visited += 1;
        }));
        Some(difference)
    }

    fn walk(&self, walk: &mut Walk<'_>)
    where
        P: Debug,
    {
        let World {
            physics,
            settings,
            clock: _,
            now,
            bodies,
            walls,
            // The schedule, and what waits for it, can be derived.
            scheduler: _,
            dirty: _,
            solo_marks: _,
            unsettled,
            hold_notes,
            impacts,
            counters,
            book,
            chains,
            events: _,
            positions_now: _,
            group: _,
            before: _,
            after: _,
            judging: _,
            timers,
            simd: _,
            drag,
            sensing,
            edition: _,
        } = self;
        walk_settings(settings, walk);
        walk.text("physics", physics);
        walk.time("time", *now);
        let numbers = walls.numbers();
        walls.walk(walk);
        bodies.walk(walk, &numbers);
        chains.walk(walk, &numbers, &|slot| bodies.place_of(slot));
        walk.at(Place::World);
        // What is gone is settled with what it touched, and what is named twice once.
        let mut unsettled: Vec<_> = unsettled.iter().copied().filter(|&slot| bodies.is_live(slot)).collect();
        unsettled.sort_unstable();
        unsettled.dedup();
        walk.text("slots of discs to be settled", &unsettled);
        walk.size("number of holds to be reported", hold_notes.len());
        hold_notes.iter().for_each(|note| note.walk(walk));
        walk.count("number of the latest impact", *impacts);
        match sensing {
            Some(sensing) => sensing.walk(walk),
            None => Sensing::default().walk(walk),
        }
        timers.walk(walk);
        walk_drag(drag.as_ref(), walk);
        walk_counters(counters, walk);
        book.walk(walk);
    }
}

fn walk_settings(settings: &Settings, walk: &mut Walk<'_>) {
    let Settings {
        epoch,
        start,
        period,
        drag,
        time_scale,
        restitution,
        simultaneous,
        collapse,
        crush,
        sliding,
        rest,
        budget,
        record_events: _,
        instructions: _,
        scheduler: _,
    } = settings;
    walk.number("settings.epoch", *epoch);
    walk.number("settings.start", *start);
    walk.text("settings.period", period);
    walk.number("settings.drag", *drag);
    walk.number("settings.time_scale", *time_scale);
    walk.text("settings.restitution", restitution);
    walk.text("settings.simultaneous", simultaneous);
    walk.text("settings.collapse", collapse);
    walk.text("settings.crush", crush);
    walk.text("settings.sliding", sliding);
    walk.text("settings.rest", rest);
    walk.count("settings.budget", *budget);
}

fn walk_drag(drag: Option<&Drag>, walk: &mut Walk<'_>) {
    let Some(Drag { pacing: Pacing { clock: _, base }, now, energy, counted: _ }) = drag else { return };
    let DragEnergy { book, kinetic, share } = energy;
    walk.count("half-life with which the slow clock began", *base);
    walk.time("true time", *now);
    book.walk(walk);
    kinetic.walk(walk, "kinetic energy on the slow clock");
    walk.number("share of it that was left", *share);
}

fn walk_counters(counters: &Counters, walk: &mut Walk<'_>) {
    let Counters {
        events,
        disc_impacts,
        wall_impacts,
        groups,
        changes,
        slides,
        pieces,
        made_plastic,
        // Made of the book where it is asked for.
        ledger: _,
        clamped,
        // Of the scheduler.
        pair_times: _,
        roots: _,
        solo_times: _,
        queue_operations: _,
        row_searches: _,
    } = counters;
    walk.count("counters.events", *events);
    walk.count("counters.disc_impacts", *disc_impacts);
    walk.count("counters.wall_impacts", *wall_impacts);
    walk.count("counters.groups", *groups);
    walk.count("counters.changes", *changes);
    walk.count("counters.slides", *slides);
    walk.count("counters.pieces", *pieces);
    walk.count("counters.made_plastic", *made_plastic);
    walk.count("counters.clamped", *clamped);
}

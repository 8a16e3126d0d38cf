use super::{Blocked, ContactRecords, Held, HeldTo, HoldNote, Passing, PassingWall, Slide};
use crate::Hold;
use crate::walk::{Place, Walk};
use carom_broadphase::Slot;

impl ContactRecords {
    /// `numbers` are those of the facets if those of removed walls are left out; `place_of` says which disc
    /// is in a slot.
    pub(crate) fn walk(
        &self,
        walk: &mut Walk<'_>,
        numbers: &[Option<u32>],
        place_of: &dyn Fn(Slot) -> Place,
    ) {
        let ContactRecords { held, holds, blocked, passing, passing_walls, excluded, scratch: _ } = self;
        let number = |facet: u32| numbers.get(facet as usize).copied().flatten().unwrap_or(facet);
        walk.at(Place::World);
        walk.size("number of discs that slide", held.iter().count());
        for (slot, &Slide { facet, turns_left, at_end, speed, until }) in held.iter() {
            walk.at(place_of(slot));
            walk.count("slot of the slide", slot.into());
            walk.count("facet of the slide", number(facet).into());
            walk.flag("whether the slide turns left", turns_left);
            walk.flag("whether the chord is the last", at_end);
            walk.number("speed of the slide", speed);
            walk.time("end of the chord", until);
        }
        walk.at(Place::World);
        walk.size("number of held contacts", holds.iter().count());
        for (slot, Held { to, presses }) in holds.iter() {
            walk.at(place_of(slot));
            let (facet, to, side) = match to {
                HeldTo::Disc(other) => (false, other, None),
                HeldTo::Facet(facet, side) => (true, number(facet), Some(side)),
            };
            walk.count("slot of the held contact", slot.into());
            walk.flag("whether it is held to a wall", facet);
            walk.count("what it is held to", to.into());
            walk.text("side of the wall", &side);
            walk.flag("whether it presses", presses);
        }
        walk.at(Place::World);
        walk.size("number of bodies that have given way", blocked.len());
        blocked.iter().for_each(|record| record.walk(walk, place_of));
        walk_passing(walk, passing, passing_walls, place_of);
        walk.at(Place::World);
        walk.size("number of excluded pairs", excluded.iter().count());
        for [a, b] in excluded.iter() {
            walk.at(place_of(a));
            walk.count("slot of an excluded pair", a.into());
            walk.count("slot of what it is excluded with", b.into());
        }
    }
}

fn walk_passing(
    walk: &mut Walk<'_>,
    passing: &[Passing],
    passing_walls: &[PassingWall],
    place_of: &dyn Fn(Slot) -> Place,
) {
    walk.at(Place::World);
    walk.size("number of pairs that pass", passing.len());
    for &Passing { disc, through, since, end: _, is_judged } in passing {
        walk.at(place_of(disc));
        walk.count("slot of what passes", disc.into());
        walk.count("slot of what it passes through", through.into());
        walk.time("begin of the passage", since);
        walk.flag("whether it ends where they do not touch", is_judged);
    }
    walk.at(Place::World);
    walk.size("number of discs that pass through walls", passing_walls.len());
    for &PassingWall { disc, wall, since, end: _ } in passing_walls {
        walk.at(place_of(disc));
        walk.count("slot of what passes through a wall", disc.into());
        walk.count("slot of that wall", wall.into());
        walk.time("begin of the passage", since);
    }
}

impl Blocked {
    fn walk(&self, walk: &mut Walk<'_>, place_of: &dyn Fn(Slot) -> Place) {
        let Blocked {
            body,
            wanted,
            given,
            on,
            against,
            since,
            is_over,
            is_free,
            links,
            between,
            jaws,
            end: _,
        } = self;
        walk.at(place_of(*body));
        walk.count("slot of what has given way", (*body).into());
        walk.vector(["wanted.x", "wanted.y"], *wanted);
        walk.vector(["given.x", "given.y"], *given);
        walk.text("what it was pressed on", on);
        walk.text("what it was pressed against", against);
        walk.time("when it gave way", *since);
        walk.flag("whether it has another velocity", *is_over);
        walk.flag("whether it goes on at once", *is_free);
        walk.text("contacts of the jam", links);
        walk.text("discs in the jam", between);
        walk.text("jaws of the jam", jaws);
    }
}

impl HoldNote {
    pub(crate) fn walk(&self, walk: &mut Walk<'_>) {
        let HoldNote { hold: Hold { time, a, b, user_data, point, normal }, serials, was_held } = self;
        walk.time("time of a hold to be reported", *time);
        walk.text("discs of a hold to be reported", &(a, b, serials, user_data));
        walk.vector(["point.x of a hold", "point.y of a hold"], *point);
        walk.vector(["normal.x of a hold", "normal.y of a hold"], *normal);
        walk.flag("whether it was held", *was_held);
    }
}

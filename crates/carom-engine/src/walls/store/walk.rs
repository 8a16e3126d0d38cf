use super::{Moved, Turn, Walls};
use crate::Wall;
use crate::walk::{Place, Walk};
use core::fmt::Debug;

impl<S: Copy + Default + Debug> Walls<S> {
    pub(crate) fn walk(&self, walk: &mut Walk<'_>) {
        // The facets are made of the walls, but for when these were put up and which rules are in force.
        let Walls {
            walls,
            generations,
            firsts: _,
            facets: _,
            gone: _,
            is_ruled: _,
            edited: _,
            planes: _,
            turns,
            moved,
        } = self;
        walk.at(Place::World);
        walk.size("number of walls", walls.len());
        walk.size("slots of walls", generations.len());
        for (slot, &generation) in (0..).zip(generations) {
            walk.at(Place::WallSlot(slot));
            walk.flag("is taken", walls.contains(slot as usize));
            walk.count("generation", generation.into());
        }
        // A slab tells in which order it takes its free slots only by taking them.
        let mut full = walls.as_ref().clone();
        for k in 0..(generations.len() - walls.len()) as u64 {
            let slot = full.insert(Wall::disc(glam::DVec2::ZERO, 0.0)) as u32;
            walk.at(Place::WallSlot(slot));
            walk.count("place among the free ones", k);
        }
        // In the order in which they were put up, which decides ties.
        let firsts = self.present().map(|(_, facet)| facet).filter(|facet| facet.part == 0);
        for facet in firsts {
            let Wall { shape, restitution, user_data, rules, max_speed, surface } = self.get(facet.wall);
            walk.at(Place::Wall(self.id(facet.wall)));
            walk.count("slot", facet.wall.into());
            walk.text("shape", shape);
            walk.number("restitution", *restitution);
            walk.count("user data", *user_data);
            walk.text("rules", rules);
            walk.number("largest speed", *max_speed);
            walk.text("rules in force", &facet.rules);
            walk.text("surface", surface);
            walk.time("when it was put up", facet.since);
            walk.count("impacts before it was put up", facet.after);
            if let Some(arm) = facet.arm() {
                walk.number("angle of the arm", arm.angle);
                walk.number("rate of the arm", arm.rate);
                walk.number("time for which it turns", arm.lasts);
            }
        }
        walk.at(Place::World);
        walk.size("number of walls that move or have moved", moved.len());
        moved.iter().for_each(|moved| self.walk_moved(moved, walk));
        walk.size("number of arms that turn", turns.len());
        for Turn { wall, to, timer: (_, number) } in turns {
            walk.count("arm that turns", (*wall).into());
            walk.number("angle at which it stops", *to);
            walk.count("number of its timer", *number);
        }
    }
    fn walk_moved(&self, moved: &Moved, walk: &mut Walk<'_>) {
        let Moved { wall, home, offset, travel } = moved;
        walk.at(Place::Wall(self.id(*wall)));
        walk.text("shape where it was put up", home);
        walk.vector(["offset.x", "offset.y"], *offset);
        walk.text("how it moves", travel);
        walk.at(Place::World);
    }
}

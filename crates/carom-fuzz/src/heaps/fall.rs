//! Discs that fall, and edits of them.

use super::heap::{Heap, RATE};
use super::piled::Piled;
use super::room::Room;
use carom_engine::{DVec2, Disc, DiscId, Wall, WallId, World};
use carom_testkit::grammar::Stored;

impl<P: Piled> Heap<P>
where
    World<P>: Stored,
{
    /// Puts the walls of the room up.
    pub(super) fn put_room(&mut self) -> Vec<WallId> {
        let walls = self.room.walls::<P::Surface>(|place| self.at(place.x, place.y));
        let put = |wall: Wall<P::Surface>| self.world.add_wall(wall.with_restitution(self.restitution));
        walls.into_iter().map(put).map(|wall| wall.expect("a wall in range")).collect()
    }

    /// In one of three boxes a lift or a piston.
    pub(super) fn put_mover(&mut self) {
        let (Room::Box(half) | Room::Pit(half)) = self.room else { return };
        let (ends, way) = match self.rng.below(6) {
            0 => ([self.at(-0.9 * half, 0.0), self.at(0.9 * half, 0.0)], DVec2::new(0.0, 1.0)),
            1 => ([self.at(-half, 0.0), self.at(-half, 6.0)], DVec2::new(0.5 * half, 0.0)),
            _ => return,
        };
        let wall = Wall::segment(ends[0], ends[1]).with_restitution(self.restitution);
        let id = self.world.add_wall(wall.with_surface(P::Surface::default())).expect("a mover in range");
        self.mover = Some((id, way));
    }

    pub(super) fn fall(&mut self, count: usize) {
        let mut left = count;
        let apart = self.rng.pick(&[4, 10, 20]);
        let edits = self.rng.pick(&[0, 0, 30, 100]);
        for _ in 0..count * apart * 2 + 120 {
            if left > 0 && self.frame.is_multiple_of(apart) {
                left -= usize::from(self.drop_disc());
                self.is_edited = true;
            }
            if edits > 0 && self.rng.below(edits) == 0 {
                self.outcome.edits += usize::from(self.edit());
                self.is_edited = true;
            }
            if let Some((id, way)) = self.mover
                && self.rng.below(40) == 0
            {
                let seconds = self.rng.range(0.2, 2.0);
                let offset = self.way(way) * self.rng.pick(&[0.0, 0.3, 1.0]);
                if self.world.move_wall(id, offset, seconds).is_ok() {
                    self.moves_until = self.frame + (seconds * RATE) as usize + 2;
                }
            }
            self.send_things();
            self.advance();
        }
    }

    fn disc(&mut self, place: DVec2, radius: f64) -> Disc<P::Body, P::Extra> {
        let spin = self.rng.pick(&[0.0, -10.0, 3.0]);
        let heavy = self.rng.pick(&[1.0, 1.0, 1.0, 10.0, 0.1]);
        Disc::new(place, radius)
            .with_body(P::Body::default())
            .with_extra(P::spin(self.play.up() * spin))
            .with_mass(heavy * radius * radius)
            .with_restitution(self.restitution)
    }

    fn drop_disc(&mut self) -> bool {
        let radius = self.rng.pick(&[0.25, 0.5, self.rng.clone().range(0.15, 0.6)]);
        let [half, height] = self.room.door(self.top());
        let x = self.rng.range(-1.0, 1.0) * (half - radius).max(0.0);
        let (x, speed) = (self.rng.pick(&[x, x, 0.0]), self.rng.pick(&[0.0, 1.0, -3.0]));
        let mut disc = self.disc(self.at(x, height), radius);
        disc.velocity = DVec2::new(speed, 0.0);
        let disc = self.vary(disc);
        self.world.insert(disc).is_ok()
    }

    /// Makes an edit; false if there was nothing to edit, or it was refused.
    fn edit(&mut self) -> bool {
        if self.things.as_mut().is_some_and(|things| things.rng.chance(40)) {
            return self.edit_thing();
        }
        let is_moved = |disc: &Disc<P::Body, P::Extra>| disc.mass > 0.0 && disc.mass < f64::INFINITY;
        let ids: Vec<DiscId> =
            self.world.discs().filter(|(_, disc)| is_moved(disc)).map(|(id, _)| id).collect();
        if ids.is_empty() {
            return false;
        }
        let id = self.rng.pick(&ids);
        let radius = self.world.get(id).expect("it is there").radius();
        match self.rng.below(6) {
            0 => self.world.remove(id).is_ok(),
            1 => {
                let kick = DVec2::new(self.rng.range(-5.0, 5.0), self.rng.range(-5.0, 5.0));
                self.world.set_velocity(id, self.way(kick)).is_ok()
            }
            2 => self.world.set_radius(id, radius * self.rng.range(0.7, 1.02)).is_ok(),
            3 => self.world.set_mass(id, self.rng.range(0.01, 1.0)).is_ok(),
            4 => self.world.set_restitution(id, self.rng.pick(&[0.0, 0.5])).is_ok(),
            _ => self.merge(&ids),
        }
    }

    /// Two that touch become one of their area in the middle, or of the larger one's where that has no room.
    fn merge(&mut self, ids: &[DiscId]) -> bool {
        let of = |id: DiscId| self.world.get(id).map(|disc| (disc.position(), disc.radius()));
        let place = |id: DiscId| of(id).expect("it is there").0;
        let radius = |id: DiscId| of(id).expect("it is there").1;
        let touch =
            |a: DiscId, b: DiscId| place(a).distance(place(b)) < (radius(a) + radius(b)) * (1.0 + 1e-6);
        let pair = ids
            .iter()
            .enumerate()
            .find_map(|(k, &a)| ids[k + 1..].iter().find(|&&b| touch(a, b)).map(|&b| (a, b)));
        let Some((a, b)) = pair else { return false };
        let (middle, size) = (0.5 * (place(a) + place(b)), radius(a).hypot(radius(b)));
        let (first, second) = (self.world.remove(a), self.world.remove(b));
        let (first, second) = (first.expect("it is there"), second.expect("it is there"));
        let larger = if second.radius > first.radius { second } else { first };
        let merged = self.disc(middle, size);
        self.world.insert(merged).or_else(|_| self.world.insert(larger)).is_ok()
    }
}

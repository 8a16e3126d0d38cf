//! Things are put up, are sent about while discs fall, and stand still in the end.

use super::heap::Heap;
use super::piled::{GRAVITY, Piled};
use super::room::Room;
use super::things::Things;
use carom_engine::{DVec2, Disc, DiscId, Error, Region, Wall, WallId, WallShape, World};
use carom_testkit::grammar::Stored;

/// The mean number of frames between two commands to a belt, an arm, a kinematic disc or a peg.
const SELDOM: usize = 60;

/// What is done with things, in the order of their numbers.
impl<P: Piled> Heap<P>
where
    World<P>: Stored,
{
    /// Puts up what a heap has beside discs; `walls` are those of the room.
    pub(super) fn put_things(&mut self, mut things: Things, walls: &[WallId], size: f64) {
        let kinds = things.kinds;
        if kinds.belts {
            things.belts.extend(walls);
        }
        things.has_image = kinds.arms + kinds.platforms == 0;
        for _ in 0..kinds.pegs {
            let peg = self.peg(&mut things, size);
            things.pegs.extend(self.world.add_wall(peg));
        }
        for _ in 0..kinds.arms {
            self.put_arm(&mut things, size);
        }
        for _ in 0..kinds.platforms {
            let [from, to] = [0, 1].map(|_| self.somewhere(&mut things, size));
            let [from, to] = if self.play.is_mirrored { [to, from] } else { [from, to] };
            let platform = self.faced(&mut things, Wall::one_sided_segment(from, to));
            _ = self.world.add_wall(platform);
        }
        for _ in 0..kinds.pushers {
            let (at, radius) = (self.somewhere(&mut things, size), things.rng.range(0.15, 0.8));
            let body = P::body(kinds.rubbing(&mut things.rng), DVec2::ZERO);
            let disc = Disc::new(at, radius).with_body(body).with_extra(P::spin(0.0));
            let pusher = disc.with_restitution(self.restitution).kinematic();
            things.pushers.extend(self.world.insert(pusher));
        }
        if kinds.region {
            let low = DVec2::new(things.rng.range(-1.0, 0.0), things.rng.range(-0.1, 1.0)) * size;
            let high = low + DVec2::new(things.rng.range(0.2, 1.0), things.rng.range(0.2, 1.0)) * size;
            let [a, b] = [low, high].map(|corner| self.at(corner.x, corner.y));
            let region = self.world.add_region(Region::rectangle(a.min(b), a.max(b)));
            things.region = Some((region.expect("a region in range"), [low, high]));
        }
        self.things = Some(things);
    }

    /// A place in the room, or near it.
    fn somewhere(&self, things: &mut Things, size: f64) -> DVec2 {
        let half = match self.room {
            Room::Box(half) | Room::Pit(half) => half,
            Room::Vee(_) => 1.5 * size,
            Room::Bowl(round) => 0.7 * round,
        };
        let x = things.rng.range(-half, half);
        self.at(things.rng.pick(&[x, x, 0.0, -half]), things.rng.range(0.0, 3.0 * size))
    }

    /// A wall with the restitution of all, and maybe with coefficients of its own.
    fn faced(&self, things: &mut Things, wall: Wall<P::Surface>) -> Wall<P::Surface> {
        let own = things.kinds.rubbing(&mut things.rng);
        wall.with_restitution(self.restitution).with_surface(P::surface(own))
    }

    fn peg(&self, things: &mut Things, size: f64) -> Wall<P::Surface> {
        let (a, radius) = (self.somewhere(things, size), things.rng.pick(&[0.0, 0.05, 0.3, 0.6]));
        let way = self.way(DVec2::new(things.rng.range(-1.0, 1.0), things.rng.range(-1.0, 1.0)));
        let peg = match things.rng.below(4) {
            0 => {
                things.has_image &= radius == 0.0;
                Wall::capsule(a, a + way, radius)
            }
            1 => Wall::segment(a, a + way),
            _ => Wall::disc(a, radius),
        };
        self.faced(things, peg)
    }

    fn put_arm(&mut self, things: &mut Things, size: f64) {
        let (pivot, length) = (self.somewhere(things, size), things.rng.range(0.5, 2.0) * size);
        let (radius, angle) = (things.rng.pick(&[0.0, 0.05, 0.15]), things.rng.range(-3.2, 3.2));
        let arm = self.faced(things, Wall::arm(pivot, length, radius, self.play.up() * angle));
        let arm = self.world.add_wall(arm).expect("an arm in range");
        things.arms.push((arm, angle));
    }

    /// Sends things about, each now and then.
    pub(super) fn send_things(&mut self) {
        let Some(mut things) = self.things.take() else { return };
        let up = self.play.up();
        for belt in things.belts.clone() {
            if things.rng.below(SELDOM) == 0 {
                let speed = things.rng.pick(&[0.0, 1.0, -1.0, 4.0, -0.3]);
                self.run_belt(belt, up * speed);
            }
        }
        for (arm, angle) in things.arms.clone() {
            if things.rng.below(SELDOM) == 0 {
                let to = angle + things.rng.pick(&[0.0, 0.0, -1.5, 1.0, 3.0]);
                let rate = things.rng.pick(&[0.3, 2.0, 8.0]);
                self.world.turn_arm(arm, up * to, rate).expect("a turn in range");
            }
        }
        for pusher in things.pushers.clone() {
            if things.rng.below(SELDOM) == 0 {
                self.send_pusher(&mut things, pusher);
            }
        }
        for peg in things.pegs.clone() {
            if things.rng.below(4 * SELDOM) == 0 {
                let way = DVec2::new(things.rng.range(-1.0, 1.0), things.rng.range(0.0, 1.0));
                let seconds = things.rng.range(0.2, 2.0);
                self.world.move_wall(peg, self.way(way), seconds).expect("a way in range");
            }
        }
        self.things = Some(things);
    }

    fn run_belt(&mut self, belt: WallId, speed: f64) {
        let surface = self.world.get_wall(belt).expect("it stands").surface;
        self.world.set_wall_surface(belt, P::run(&surface, speed)).expect("a speed in range");
    }

    /// A pusher is sent somewhere, gets a velocity, stands, or turns.
    fn send_pusher(&mut self, things: &mut Things, pusher: DiscId) {
        let speed = things.rng.pick(&[0.1, 1.0, 5.0]);
        let way = DVec2::new(things.rng.range(-1.0, 1.0), things.rng.range(-1.0, 1.0));
        let sent = match things.rng.below(4) {
            0 => {
                let (to, seconds) = (self.somewhere(things, 1.0), things.rng.range(0.2, 2.0));
                self.world.move_to(pusher, to, seconds).map(drop)
            }
            1 => self.world.set_velocity(pusher, self.way(way) * speed),
            2 => self.world.set_extra(pusher, P::spin(self.play.up() * way.x * 5.0 * speed)),
            _ => self.world.set_velocity(pusher, DVec2::ZERO),
        };
        sent.expect("a pusher that goes");
    }

    /// Stops all that would not stop by itself.
    pub(super) fn stop_things(&mut self) {
        let Some(things) = self.things.take() else { return };
        things.belts.iter().for_each(|&belt| self.run_belt(belt, 0.0));
        for &pusher in &things.pushers {
            self.world.set_velocity(pusher, DVec2::ZERO).expect("it is there");
            self.world.set_extra(pusher, P::spin(0.0)).expect("it is there");
        }
        self.is_edited = true;
        self.things = Some(things);
    }

    /// Changes a disc that is to fall into something else now and then.
    pub(super) fn vary(&mut self, disc: Disc<P::Body, P::Extra>) -> Disc<P::Body, P::Extra> {
        let Some(things) = self.things.as_mut() else { return disc };
        let (kinds, kind) = (things.kinds, things.rng.below(8));
        let mass = match kind {
            0 if kinds.boulders => f64::INFINITY,
            1 | 2 if kinds.tracers => 0.0,
            _ => disc.mass,
        };
        let own = kinds.rubbing(&mut things.rng);
        disc.with_mass(mass).with_body(P::body(own, self.pull(mass)))
    }

    /// The acceleration of a disc beside gravity, which does not move infinite masses.
    fn pull(&self, mass: f64) -> DVec2 {
        if mass == f64::INFINITY { self.way(DVec2::new(0.0, -GRAVITY)) } else { DVec2::ZERO }
    }

    /// Makes an edit of a thing, or of what a disc has beside mass and size; false if it was refused.
    pub(super) fn edit_thing(&mut self) -> bool {
        let Some(mut things) = self.things.take() else { return false };
        let is_done = self.edit_one_of(&mut things);
        self.things = Some(things);
        is_done
    }

    fn edit_one_of(&mut self, things: &mut Things) -> bool {
        let (which, speed) = (things.rng.bits() as usize, things.rng.range(-10.0, 10.0));
        let own = things.kinds.rubbing(&mut things.rng);
        let discs: Vec<_> = self.world.discs().filter(|(_, disc)| !disc.kinematic).collect();
        let disc = (!discs.is_empty()).then(|| discs[which % discs.len()]);
        let walls: Vec<_> = self.world.walls().map(|(id, wall)| (id, P::speed(&wall.surface))).collect();
        let (wall, runs) = walls[which % walls.len()];
        let to = self.somewhere(things, 1.0);
        let id_of = |ids: &[WallId]| (!ids.is_empty()).then(|| which % ids.len());
        let edited = match things.rng.below(6) {
            0 => disc.map(|(disc, _)| self.world.set_extra(disc, P::spin(self.play.up() * speed))),
            1 => disc.map(|(disc, now)| self.world.set_body(disc, P::body(own, self.pull(now.mass)))),
            2 => Some(self.world.set_wall_surface(wall, P::run(&P::surface(own), runs))),
            3 => Some(self.world.set_wall_restitution(wall, if speed > 0.0 { 0.0 } else { 0.5 })),
            4 => id_of(&things.pegs).map(|k| {
                let peg = things.pegs.swap_remove(k);
                self.put_elsewhere(peg, to).map(|peg| things.pegs.push(peg))
            }),
            _ => things.pushers.first().map(|&pusher| self.world.set_position(pusher, to)),
        };
        edited.is_some_and(|edited| edited.is_ok())
    }

    /// Takes a peg down and puts a disc of its middle up elsewhere, or itself again where that has no room.
    /// It is refused where it stood if discs that press on it overlap it by what a piece of motion leaves.
    fn put_elsewhere(&mut self, peg: WallId, to: DVec2) -> Result<WallId, Error> {
        let shape = self.world.wall_shape(peg).expect("it stands").into_owned();
        let mut wall = self.world.remove_wall(peg)?;
        let radius = if let WallShape::Disc { radius, .. } = shape { radius } else { 0.1 };
        wall.shape = WallShape::Disc { center: to, radius };
        let moved = self.world.add_wall(wall.clone());
        wall.shape = shape;
        moved.or_else(|_| self.world.add_wall(wall))
    }
}

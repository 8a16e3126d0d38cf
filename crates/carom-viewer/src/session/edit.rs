use super::worlds::WorldMut;
use super::{Before, Session, UNDO, UNDO_BYTES};
use carom_engine::{DVec2, Disc, DiscId, Error, Moved, Spin, Wall, WallId};

/// Walls that are drawn are longer than this: a press is no wall.
const SEGMENT: f64 = 1e-9;

/// The largest number of discs for which each frame of a drag shows where they would be pushed. With more,
/// this takes too long for a frame, and they are pushed when the disc is dropped.
const PUSHED: usize = 200;

/// What is refused, as whoever drags it sees it.
fn said(error: &Error) -> String {
    match error {
        Error::OverlapsDisc { .. } => "there is no room: another disc is there".to_owned(),
        Error::OverlapsWall { .. } => "there is no room: a wall is there".to_owned(),
        Error::WallOverlapsDisc { .. } => "there is no room for a wall: a disc is there".to_owned(),
        other => other.to_string(),
    }
}

impl Session {
    /// One edit, or several that are one step to undo. What is refused leaves all as it was.
    fn edit<R>(&mut self, edit: impl FnOnce(WorldMut<'_>) -> Result<R, Error>) -> Option<R> {
        self.change(|session| session.timeline.edit(edit))
    }

    /// What changes the world, as one step to undo unless it is part of a drag.
    pub(super) fn change<R>(&mut self, change: impl FnOnce(&mut Session) -> Result<R, Error>) -> Option<R> {
        let is_held = self.held.is_some();
        if !is_held {
            let before = self.before();
            self.remember(before);
        }
        match change(self) {
            Ok(done) => {
                self.message.clear();
                self.after_edit();
                Some(done)
            }
            Err(error) => {
                if !is_held {
                    self.undo.pop();
                }
                self.message = said(&error);
                None
            }
        }
    }

    fn after_edit(&mut self) {
        self.version += 1;
        self.flashes.clear();
        let number = self.timeline.event();
        self.edited = Some((self.world().now(), number));
        self.resolved = None;
        self.log.retain(|logged| logged.0 <= number);
        self.note_sample();
    }

    fn before(&self) -> Before {
        Before { world: self.world().cloned(), run: self.run, version: self.version }
    }

    fn remember(&mut self, before: Before) {
        self.undo.push(before);
        let bytes = |undo: &[Before]| undo.iter().map(|before| before.world.bytes()).sum::<usize>();
        while self.undo.len() > UNDO || (self.undo.len() > 1 && bytes(&self.undo) > UNDO_BYTES) {
            self.undo.remove(0);
        }
    }

    /// Begins a drag: what is done until [`Session::release`] is one step to undo, and time stands still.
    pub fn hold(&mut self) {
        self.held = Some(self.before());
    }

    /// Ends a drag. What has been dropped onto others is pushed apart with them, or goes back.
    pub fn release(&mut self) {
        if let Some((disc, free)) = self.lying.take() {
            self.part(disc, free);
        }
        let Some(held) = self.held.take() else { return };
        if held.version != self.version {
            self.remember(held);
        }
    }

    /// Whether something can be undone.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Takes the last edit back, with all that has happened since.
    pub fn undo(&mut self) {
        let Some(before) = self.undo.pop() else {
            self.message = "there is nothing to undo".to_owned();
            return;
        };
        if before.run == self.run {
            self.timeline.overwrite(&before.world);
        } else {
            self.begin_run(before.world);
        }
        self.message.clear();
        self.outlook.reset();
        self.after_edit();
        self.went_back();
    }

    /// Puts a disc somewhere, if there is room. While it is dragged it may lie on others.
    pub fn put(&mut self, disc: DiscId, place: DVec2) {
        let is_dragged = self.held.is_some();
        let before = self.world().get(disc).map(|disc| disc.position());
        let lies = self.edit(|mut world| match world.set_position(disc, place) {
            Err(Error::OverlapsDisc { .. }) if is_dragged => world.put_onto(disc, place).map(|()| true),
            done => done.map(|()| false),
        });
        match lies {
            Some(true) => {
                self.lying = self.lying.or(before.map(|free| (disc, free)));
                self.message = "it lies on another disc: let go, and they are pushed apart".to_owned();
            }
            Some(false) => self.lying = None,
            None => {}
        }
    }

    /// Pushes apart what overlaps, or puts a disc back where it had room.
    fn part(&mut self, disc: DiscId, free: DVec2) {
        match self.edit(|mut world| world.push_apart()) {
            Some(moved) if moved.len() == 1 => self.message = "pushed apart: one disc moved".to_owned(),
            Some(moved) => self.message = format!("pushed apart: {} discs moved", moved.len()),
            None => {
                _ = self.edit(|mut world| world.set_position(disc, free));
                self.message = "there is no room for it there: it is back where it last had some".to_owned();
            }
        }
    }

    /// Where discs are pushed if a disc that lies on others is let go: none of very many.
    #[must_use]
    pub fn pushed(&self) -> Vec<Moved> {
        if self.lying.is_none() || self.world().len() > PUSHED {
            return Vec::new();
        }
        self.world().cloned().pushed_apart()
    }

    /// Gives a disc a velocity.
    pub fn send(&mut self, disc: DiscId, velocity: DVec2) {
        _ = self.edit(|mut world| world.set_velocity(disc, velocity));
    }

    /// Has a disc turn with an angular velocity, in radians a second, where discs turn.
    pub fn spin(&mut self, disc: DiscId, angular_velocity: f64) {
        let Some(spin) = self.world().get(disc).and_then(|disc| disc.spin()) else { return };
        _ = self.edit(|mut world| world.set_spin(disc, Spin { angular_velocity, ..spin }));
    }

    /// Changes the radius of a disc.
    pub fn resize(&mut self, disc: DiscId, radius: f64) {
        _ = self.edit(|mut world| world.set_radius(disc, radius));
    }

    /// Changes the mass of a disc, infinite or from 0 on.
    pub fn weigh(&mut self, disc: DiscId, mass: f64) {
        _ = self.edit(|mut world| world.set_mass(disc, mass));
    }

    /// Changes the coefficient of restitution of one disc.
    pub fn set_restitution_of(&mut self, disc: DiscId, restitution: f64) {
        _ = self.edit(|mut world| world.set_restitution(disc, restitution));
    }

    /// Changes the coefficient of restitution of all discs and walls.
    pub fn set_restitution(&mut self, restitution: f64) {
        _ = self.edit(|mut world| {
            let discs: Vec<DiscId> = world.read().ids().collect();
            let walls: Vec<WallId> = world.read().walls().collect();
            discs.into_iter().try_for_each(|id| world.set_restitution(id, restitution))?;
            walls.into_iter().try_for_each(|id| world.set_wall_restitution(id, restitution))
        });
    }

    /// Adds a disc at rest and selects it. Its radius is that of the selected disc, or smaller, so that
    /// it fits.
    pub fn add(&mut self, place: DVec2) {
        let like = self.selected().and_then(|id| self.world().get(id)).map(|disc| disc.to_disc());
        let like = like.unwrap_or_else(|| Disc::new(place, 0.5));
        let note = self.looks.len() as u64;
        let disc = like
            .with_position(place)
            .with_velocity(DVec2::ZERO)
            .with_extra(Spin::default())
            .with_user_data(note);
        let radii = (0..5).map(|k| disc.radius * 0.5_f64.powi(k));
        let done = self.edit(|mut world| {
            let mut last = Ok(None);
            for radius in radii {
                last = world.insert(disc.with_radius(radius)).map(Some);
                if last.is_ok() {
                    break;
                }
            }
            last
        });
        if let Some(Some(id)) = done {
            self.looks.push(carom_scene::Look::default());
            self.select(Some(id));
        }
    }

    /// Removes a disc.
    pub fn remove(&mut self, disc: DiscId) {
        _ = self.edit(|mut world| world.remove(disc));
    }

    /// Puts up a straight wall.
    pub fn draw_wall(&mut self, from: DVec2, to: DVec2) {
        if from.distance(to) > SEGMENT {
            _ = self.edit(|mut world| world.add_wall(Wall::segment(from, to)));
        }
    }

    /// Removes the wall that was put up last.
    pub fn remove_wall(&mut self) {
        let last = self.world().walls().last();
        match last {
            Some(id) => _ = self.edit(|mut world| world.remove_wall(id)),
            None => self.message = "there is no wall".to_owned(),
        }
    }
}

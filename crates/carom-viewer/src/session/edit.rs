use super::{Session, UNDO, UNDO_BYTES};
use carom_engine::{DVec2, Disc, DiscForces, DiscId, Error, Forces, Wall, WallId, World};

/// Walls that are drawn are longer than this: a press is no wall.
const SEGMENT: f64 = 1e-9;

impl Session {
    /// One edit, or several that are one step to undo. What is refused leaves all as it was.
    fn edit<R>(&mut self, edit: impl FnOnce(&mut World<Forces>) -> Result<R, Error>) -> Option<R> {
        let is_held = self.held.is_some();
        if !is_held {
            self.remember();
        }
        match self.timeline.edit(edit) {
            Ok(done) => {
                self.message.clear();
                self.after_edit();
                Some(done)
            }
            Err(error) => {
                if !is_held {
                    self.undo.pop();
                }
                self.message = error.to_string();
                None
            }
        }
    }

    fn after_edit(&mut self) {
        self.version += 1;
        self.flashes.clear();
        let number = self.timeline.event();
        self.log.retain(|logged| logged.0 <= number);
        self.note_sample();
    }

    fn remember(&mut self) {
        let world = self.world().clone();
        self.undo.push(world);
        let bytes = |undo: &[World<Forces>]| undo.iter().map(World::bytes).sum::<usize>();
        while self.undo.len() > UNDO || (self.undo.len() > 1 && bytes(&self.undo) > UNDO_BYTES) {
            self.undo.remove(0);
        }
    }

    /// Begins a drag: what is done until [`Session::release`] is one step to undo, and time stands still.
    pub fn hold(&mut self) {
        self.held = Some(self.world().clone());
    }

    /// Ends a drag.
    pub fn release(&mut self) {
        let Some(held) = self.held.take() else { return };
        if held.edits() != self.world().edits() {
            self.remember();
            if let Some(last) = self.undo.last_mut() {
                *last = held;
            }
        }
    }

    /// Whether something can be undone.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Takes the last edit back, with all that has happened since.
    pub fn undo(&mut self) {
        let Some(world) = self.undo.pop() else {
            self.message = "there is nothing to undo".to_owned();
            return;
        };
        let done: Result<(), Error> = self.timeline.edit(|present| {
            present.clone_from(&world);
            Ok(())
        });
        self.message = done.map_or_else(|error| error.to_string(), |()| String::new());
        self.outlook.reset();
        self.after_edit();
        self.went_back();
    }

    /// Puts a disc somewhere, if there is room.
    pub fn put(&mut self, disc: DiscId, place: DVec2) {
        _ = self.edit(|world| world.set_position(disc, place));
    }

    /// Gives a disc a velocity.
    pub fn send(&mut self, disc: DiscId, velocity: DVec2) {
        _ = self.edit(|world| world.set_velocity(disc, velocity));
    }

    /// Changes the radius of a disc.
    pub fn resize(&mut self, disc: DiscId, radius: f64) {
        _ = self.edit(|world| world.set_radius(disc, radius));
    }

    /// Changes the mass of a disc, infinite or from 0 on.
    pub fn weigh(&mut self, disc: DiscId, mass: f64) {
        _ = self.edit(|world| world.set_mass(disc, mass));
    }

    /// Changes the coefficient of restitution of one disc.
    pub fn set_restitution_of(&mut self, disc: DiscId, restitution: f64) {
        _ = self.edit(|world| world.set_restitution(disc, restitution));
    }

    /// Changes the coefficient of restitution of all discs and walls.
    pub fn set_restitution(&mut self, restitution: f64) {
        _ = self.edit(|world| {
            let discs: Vec<DiscId> = world.ids().collect();
            let walls: Vec<WallId> = world.walls().map(|(id, _)| id).collect();
            discs.into_iter().try_for_each(|id| world.set_restitution(id, restitution))?;
            walls.into_iter().try_for_each(|id| world.set_wall_restitution(id, restitution))
        });
    }

    /// Changes the gravity. Friction ends, since under gravity its paths are no parabolas.
    pub fn set_gravity(&mut self, gravity: DVec2) {
        _ = self.edit(|world| {
            if gravity != DVec2::ZERO {
                set_friction(world, 0.0)?;
            }
            let forces = world.physics().with_gravity(gravity)?;
            world.set_physics(forces)
        });
    }

    /// Changes the sliding friction of all discs, by the deceleration that it makes. Gravity ends.
    pub fn set_friction(&mut self, deceleration: f64) {
        _ = self.edit(|world| {
            let mut forces = world.physics().with_weight(1.0)?;
            if deceleration > 0.0 {
                forces = forces.with_gravity(DVec2::ZERO)?;
            }
            world.set_physics(forces)?;
            set_friction(world, deceleration)
        });
    }

    /// The friction of the first disc, as a deceleration.
    #[must_use]
    pub fn friction(&self) -> f64 {
        let world = self.world();
        let first = world.ids().next().and_then(|id| world.get(id));
        first.map_or(0.0, |disc| disc.body().friction * world.physics().weight())
    }

    /// Adds a disc at rest and selects it. Its radius is that of the selected disc, or smaller, so that
    /// it fits.
    pub fn add(&mut self, place: DVec2) {
        let like = self.selected().and_then(|id| self.world().get(id)).map(|disc| disc.to_disc());
        let like = like.unwrap_or_else(|| Disc::new(place, 0.5));
        let note = self.looks.len() as u64;
        let disc = like.with_position(place).with_velocity(DVec2::ZERO).with_user_data(note);
        let radii = (0..5).map(|k| disc.radius * 0.5_f64.powi(k));
        let done = self.edit(|world| {
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
        _ = self.edit(|world| world.remove(disc));
    }

    /// Puts up a straight wall.
    pub fn draw_wall(&mut self, from: DVec2, to: DVec2) {
        if from.distance(to) > SEGMENT {
            _ = self.edit(|world| world.add_wall(Wall::segment(from, to)));
        }
    }

    /// Removes the wall that was put up last.
    pub fn remove_wall(&mut self) {
        let last = self.world().walls().last().map(|(id, _)| id);
        match last {
            Some(id) => _ = self.edit(|world| world.remove_wall(id)),
            None => self.message = "there is no wall".to_owned(),
        }
    }
}

fn set_friction(world: &mut World<Forces>, friction: f64) -> Result<(), Error> {
    let discs: Vec<DiscId> = world.ids().collect();
    for id in discs {
        let Some(body) = world.get(id).map(|disc| disc.body()) else { continue };
        if body.friction != friction {
            world.set_body(id, DiscForces { friction, ..body })?;
        }
    }
    Ok(())
}

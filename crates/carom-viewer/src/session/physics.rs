//! What holds for all discs of a session: gravity, friction, drag, growth.

use super::Session;
use super::worlds::{AnyWorld, WorldMut, WorldRef, made_anew};
use carom_engine::{DVec2, DiscForces, DiscId, Error, Forces, Smooth, World};

impl Session {
    /// Changes the gravity. Friction, drag and growth end, beside which paths are no parabolas.
    pub fn set_gravity(&mut self, gravity: DVec2) {
        self.with_forces(|world| {
            if gravity != DVec2::ZERO {
                set_friction(world, 0.0)?;
            }
            let forces = world.physics().with_gravity(gravity)?;
            world.set_physics(forces)
        });
    }

    /// Changes the sliding friction of all discs, by the deceleration that it makes. Gravity, drag and growth
    /// end.
    pub fn set_friction(&mut self, deceleration: f64) {
        self.with_forces(|world| {
            let mut forces = world.physics().with_weight(1.0)?;
            if deceleration > 0.0 {
                forces = forces.with_gravity(DVec2::ZERO)?;
            }
            world.set_physics(forces)?;
            set_friction(world, deceleration)
        });
    }

    /// Changes the rate of the drag, a second. Gravity, friction and growth end, and the past begins anew.
    pub fn set_drag(&mut self, rate: f64) {
        self.replace(|world| made_anew(world, Smooth, world.settings().clone().with_drag(rate)));
    }

    /// Changes how fast the radii grow, a second and in proportion to themselves. Gravity, friction and drag
    /// end.
    pub fn set_growth(&mut self, rate: f64) {
        self.change(|session| {
            let is_smooth = matches!(session.world(), WorldRef::Smooth(_));
            if !is_smooth || session.drag() != 0.0 {
                let settings = session.world().settings().clone().with_drag(0.0);
                let world = made_anew(session.world(), Smooth, settings)?;
                // Nothing is replaced where growth is refused.
                let mut tried = world.clone();
                if let AnyWorld::Smooth(tried) = &mut tried {
                    tried.set_growth(rate)?;
                }
                session.take_anew(world);
            }
            session.timeline.edit(|world| match world {
                WorldMut::Smooth(world) => world.set_growth(rate),
                WorldMut::Forces(_) => Ok(()),
            })
        });
    }

    /// The rate of the drag, a second.
    #[must_use]
    pub fn drag(&self) -> f64 {
        self.world().settings().drag
    }

    /// The friction of the first disc, as a deceleration.
    #[must_use]
    pub fn friction(&self) -> f64 {
        let first = self.world().discs().next();
        first.map_or(0.0, |disc| disc.body().friction * self.world().forces().weight())
    }

    /// An edit of the forces of a world, which is made one with forces if it is none.
    fn with_forces(&mut self, edit: impl FnOnce(&mut World<Forces>) -> Result<(), Error>) {
        self.change(|session| {
            if matches!(session.world(), WorldRef::Smooth(_)) {
                let settings = session.world().settings().clone().with_drag(0.0);
                let mut world = made_anew(session.world(), Forces::new(), settings)?;
                if let AnyWorld::Forces(world) = &mut world {
                    edit(world)?;
                }
                session.take_anew(world);
                return Ok(());
            }
            session.timeline.edit(|world| match world {
                WorldMut::Forces(world) => edit(world),
                WorldMut::Smooth(_) => Ok(()),
            })
        });
    }

    /// Puts another world in place of the present one.
    fn replace(&mut self, make: impl FnOnce(WorldRef<'_>) -> Result<AnyWorld, Error>) {
        self.change(|session| {
            let world = make(session.world())?;
            session.take_anew(world);
            Ok(())
        });
    }

    /// Takes a world that has been made anew of the present one; its discs are the same, one by one.
    fn take_anew(&mut self, world: AnyWorld) {
        let place = |disc: Option<DiscId>| disc.and_then(|disc| self.world().ids().position(|id| id == disc));
        let places = [place(self.selected()), place(self.other())];
        self.begin_run(world);
        [self.selected, self.other] = places.map(|place| self.world().ids().nth(place?));
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

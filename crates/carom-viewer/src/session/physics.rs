//! What holds for all discs of a session: gravity, friction, roughness, drag, growth.

use super::Session;
use super::worlds::{AnyWorld, WorldMut, WorldRef, made_anew};
use carom_engine::{DVec2, DiscForces, DiscId, Error, Forces, Rough, RoughDisc, Roughness, Smooth};

impl Session {
    /// Changes the gravity. Friction, drag and growth end, beside which paths are no parabolas.
    pub fn set_gravity(&mut self, gravity: DVec2) {
        self.with_forces(|mut world| {
            if gravity != DVec2::ZERO {
                set_friction(&mut world, 0.0)?;
            }
            let forces = world.read().forces().with_gravity(gravity)?;
            world.set_forces(forces)
        });
    }

    /// Changes the sliding friction of all discs, by the deceleration that it makes. Gravity, drag and growth
    /// end.
    pub fn set_friction(&mut self, deceleration: f64) {
        self.with_forces(|mut world| {
            let mut forces = world.read().forces().with_weight(1.0)?;
            if deceleration > 0.0 {
                forces = forces.with_gravity(DVec2::ZERO)?;
            }
            world.set_forces(forces)?;
            set_friction(&mut world, deceleration)
        });
    }

    /// Changes the coefficient of friction of all surfaces that do not say how they rub. Discs turn from then
    /// on; drag and growth end.
    pub fn set_roughness(&mut self, friction: f64) {
        self.change(|session| {
            let world = session.world();
            let like = world.roughness().unwrap_or_default();
            let roughness = Roughness::new(friction, like.tangential_restitution())?
                .with_rolling_resistance(like.rolling_resistance())?;
            if world.roughness().is_some() {
                return session.timeline.edit(|mut world| world.set_roughness(roughness));
            }
            let settings = world.settings().clone().with_drag(0.0);
            let world = made_anew(world, Rough::new(world.forces(), roughness), settings)?;
            session.take_anew(world);
            Ok(())
        });
    }

    /// Changes the rate of the drag, a second. Gravity, friction and growth end, and the past begins anew.
    /// Discs that rub are refused it.
    pub fn set_drag(&mut self, rate: f64) {
        self.replace(|world| {
            let settings = world.settings().clone().with_drag(rate);
            match world.roughness() {
                Some(roughness) => made_anew(world, Rough::new(world.forces(), roughness), settings),
                None => made_anew(world, Smooth, settings),
            }
        });
    }

    /// Changes how fast the radii grow, a second and in proportion to themselves. Gravity, friction and drag
    /// end. Discs that rub are refused it.
    pub fn set_growth(&mut self, rate: f64) {
        self.change(|session| {
            let is_plain = matches!(session.world(), WorldRef::Smooth(_)) && session.drag() == 0.0;
            if !is_plain && session.world().roughness().is_none() {
                let settings = session.world().settings().clone().with_drag(0.0);
                let world = made_anew(session.world(), Smooth, settings)?;
                // Nothing is replaced where growth is refused.
                world.clone().write().set_growth(rate)?;
                session.take_anew(world);
            }
            session.timeline.edit(|mut world| world.set_growth(rate))
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
    fn with_forces(&mut self, edit: impl FnOnce(WorldMut<'_>) -> Result<(), Error>) {
        self.change(|session| {
            if matches!(session.world(), WorldRef::Smooth(_)) {
                let settings = session.world().settings().clone().with_drag(0.0);
                let mut world = made_anew(session.world(), Forces::new(), settings)?;
                edit(world.write())?;
                session.take_anew(world);
                return Ok(());
            }
            session.timeline.edit(edit)
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

fn set_friction(world: &mut WorldMut<'_>, friction: f64) -> Result<(), Error> {
    let discs: Vec<DiscId> = world.read().ids().collect();
    for id in discs {
        let Some(body) = world.read().get(id).map(|disc| disc.to_disc().body) else { continue };
        if body.own.friction != friction {
            world.set_body(id, RoughDisc { own: DiscForces { friction, ..body.own }, ..body })?;
        }
    }
    Ok(())
}

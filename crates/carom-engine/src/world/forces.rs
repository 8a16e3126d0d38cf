use crate::edit::restate;
use crate::ledger::Ledger;
use crate::state::contacts::HeldTo;
use crate::{DiscId, Error, Partner, Physics, World};
use carom_solver::MassClass;

/// What accelerates discs, and the energy that it gives them.
impl<P: Physics> World<P> {
    /// Replaces the physics from now on: turns gravity, say, or switches it off.
    ///
    /// All states are rewritten at the present time, as by other edits, and all discs are scheduled again:
    /// O(N), and O(N²) with the table. The distance at which discs touch is to be the same
    /// ([`Physics::REACH`]).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{DVec2, Disc, Forces, Settings, World};
    ///
    /// let falling = Forces::new().with_gravity([0.0, -2.0])?;
    /// let mut world = World::with_physics(falling, Settings::default())?;
    /// let ball = world.insert(Disc::new([0.0, 0.0], 0.5))?;
    /// world.advance(1.0)?;
    /// world.set_physics(falling.with_gravity([0.0, 2.0])?)?;
    /// world.advance(1.0)?;
    /// let ball = world.get(ball).expect("it has not been removed");
    /// assert_eq!((ball.position().y, ball.velocity()), (-2.0, DVec2::ZERO));
    /// # Ok::<(), carom::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it refuses a disc ([`Physics::check`]).
    pub fn set_physics(&mut self, physics: P) -> Result<(), Error> {
        self.store.bodies.live().try_for_each(|slot| physics.check(&self.store.bodies.detail(slot).own))?;
        // To the present by the old one, and on from there by the new one.
        restate(&mut self.store, |state| state);
        self.store.physics = physics;
        restate(&mut self.store, |state| state);
        self.store.edited();
        Ok(())
    }

    /// Kinetic and potential energy now, of the discs of finite mass: `Σ m (½ v² + φ)` with the
    /// [`Physics::potential`] φ. O(N).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Forces, Settings, World};
    ///
    /// let forces = Forces::new().with_gravity([0.0, -9.81])?;
    /// let mut world = World::with_physics(forces, Settings::default())?;
    /// world.insert(Disc::new([0.0, 3.0], 0.5).with_mass(2.0).with_velocity([0.0, 1.0]))?;
    /// let before = world.energy();
    /// world.advance(4.0)?;
    /// assert!((world.energy() - before).abs() < 1e-12 * world.kinetic_energy());
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn energy(&self) -> f64 {
        self.kinetic_energy() + self.potential_energy()
    }

    /// Potential energy now, of the discs of finite mass: see [`World::energy`]. O(N).
    #[must_use]
    pub fn potential_energy(&self) -> f64 {
        let of = |slot| {
            let position = self.store.bodies.unwrapped_at(slot, self.store.now);
            self.store.bodies.detail(slot).mass
                * self.store.physics.potential(&self.store.bodies.body(slot), position)
        };
        self.store
            .bodies
            .live()
            .filter(|&slot| self.store.bodies.class(slot) == MassClass::Finite)
            .map(of)
            .sum()
    }

    /// Where the kinetic energy came from and went, up to the present: what forces have done since the stored
    /// states included, which the [`Counters`](crate::Counters) only have as of these. O(N) where discs
    /// accelerate, else O(1).
    #[must_use]
    pub fn ledger(&self) -> Ledger {
        let mut book = self.store.entries();
        if P::ACCELERATED {
            self.store
                .bodies
                .live()
                .for_each(|slot| book.forces.add(self.store.work_on_path(slot, self.store.now)));
        }
        book.ledger()
    }

    /// What a disc is held to now: discs and parts of walls that press on it, and that it presses on, without
    /// parting or approaching. See [`Rest`](crate::Rest). Empty for a disc that is gone.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Forces, Partner, Settings, Wall, World};
    ///
    /// let forces = Forces::new().with_gravity([0.0, -10.0])?;
    /// let mut world = World::with_physics(forces, Settings::default())?;
    /// let floor = world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_restitution(0.0))?;
    /// let ball = world.insert(Disc::new([0.0, 1.0], 0.5).with_restitution(0.0))?;
    /// assert_eq!(world.held_to(ball).count(), 0);
    /// world.advance(1.0)?;
    /// assert!(world.held_to(ball).eq([Partner::Wall { wall: floor, part: 0 }]));
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn held_to(&self, id: DiscId) -> impl Iterator<Item = Partner> + '_ {
        let held =
            self.store.bodies.slot(id).map_or(&[][..], |slot| self.store.bodies.contacts.holds.of(slot));
        held.iter().filter(|held| held.presses).map(|held| match held.to {
            HeldTo::Disc(other) => Partner::Disc(self.store.bodies.id(other)),
            HeldTo::Facet(f, _) => self.store.walls.partner(f),
        })
    }
}

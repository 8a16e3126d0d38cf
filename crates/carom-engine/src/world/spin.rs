use crate::{Physics, RoughDisc, Spin, World};
use carom_broadphase::Slot;
use carom_solver::MassClass;
use glam::DVec2;

/// What discs that turn add to energy and momentum: see [`Rough`](crate::Rough).
impl<P, B> World<P>
where
    P: Physics<Extra = Spin, Body = RoughDisc<B>>,
    B: Copy,
{
    /// Energy of rotation now, `Σ ½ I ω²` over the discs of finite mass and inertia. O(N).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Rough, Settings, Spin, World};
    ///
    /// let mut world: World<Rough> = World::with_physics(Rough::default(), Settings::default())?;
    /// world.insert(Disc::new([0.0, 0.0], 2.0).with_mass(3.0).with_extra(Spin::new(4.0)))?;
    /// // ½ · (½ · 3 · 2²) · 4².
    /// assert_eq!(world.rotational_energy(), 48.0);
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn rotational_energy(&self) -> f64 {
        let of = |(inertia, spin): (f64, f64)| 0.5 * inertia * spin * spin;
        self.turning().map(of).sum()
    }

    /// Angular momentum now about a point, `Σ m (r − point) × v + I ω` over the discs of finite mass, the
    /// second term over those of finite inertia. O(N).
    #[must_use]
    pub fn angular_momentum(&self, about: impl Into<DVec2>) -> f64 {
        let about = about.into();
        let of_centres = self.of_finite_mass().map(|slot| {
            let motion = self.store.bodies.motion_at(slot, self.store.now);
            self.store.bodies.detail(slot).mass * (motion.position - about).perp_dot(motion.velocity)
        });
        of_centres.sum::<f64>() + self.turning().map(|(inertia, spin)| inertia * spin).sum::<f64>()
    }

    fn of_finite_mass(&self) -> impl Iterator<Item = Slot> + '_ {
        self.store.bodies.live().filter(|&slot| self.store.bodies.class(slot) == MassClass::Finite)
    }

    /// Moments of inertia, of those on the plane that have a finite one, and angular velocities.
    fn turning(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let of = |slot| {
            let body = self.store.bodies.body(slot);
            let inertia = body.own.moment_of_inertia(body.mass, body.radius);
            (inertia < f64::INFINITY).then(|| (inertia, self.store.bodies.state(slot).extra.angular_velocity))
        };
        self.of_finite_mass().filter(|&slot| !self.store.bodies.off.contains(slot)).filter_map(of)
    }
}

use crate::edit::restate;
use crate::error::check;
use crate::state::growth::Growth;
use crate::state::positions_now::PositionsNow;
use crate::{Error, Extent, Physics, State, World};

/// Radii that grow at a constant rate, all in proportion to themselves: the way to dense packings of
/// Lubachevsky and Stillinger, J. Stat. Phys. 60 (1990) 561.
impl<P: Physics> World<P> {
    /// Lets all radii grow from now on: each by `rate` times its present length every second, 0 to 10¹⁵; 0
    /// stops it.
    ///
    /// With rates in proportion to the radii, as Lubachevsky and Stillinger take them for mixtures, radii
    /// keep their ratios, and the packing fraction grows by the square of `1 + rate · t`. All that is said
    /// of radii elsewhere holds for the present ones: what is inserted or set, read or saved. Whoever grows
    /// pushes: it is the surfaces that meet and bounce, with the speed at which both move outwards, so
    /// impacts add energy, and between impacts there is none to be seen. Keep it in bounds with
    /// [`World::scale_velocities`]; as discs jam, their impacts come ever faster, and the budget ends a
    /// call. Those that share an impact are resolved together, as ever. Where things are so tight that
    /// nothing can give way growth ends for all, with an [`Event::GrowthEnded`](crate::Event::GrowthEnded);
    /// or the call does, with [`CrushRule::Stop`](crate::CrushRule::Stop).
    ///
    /// Growth ends at [`StopReason::Outgrown`](crate::StopReason::Outgrown): when two discs would touch more
    /// than 0.49 periods apart, or one is larger than 10¹⁵.
    ///
    /// All states are rewritten at the present time, as by other edits, and all discs are scheduled again:
    /// O(N), and O(N²) with the table.
    ///
    /// # Errors
    /// If the rate is out of range; if there is a wall with a hollow side, a round room or an arc
    /// ([`Error::CannotGrow`]); if the physics is not one for discs that grow ([`Physics::GROWS`]); or if
    /// there is drag.
    pub fn set_growth(&mut self, rate: f64) -> Result<(), Error> {
        check::rate(rate)?;
        if rate > 0.0 {
            if !P::GROWS || P::ACCELERATED {
                let reason = "this physics does not say that its discs may grow";
                return Err(Error::Inconsistent { field: "rate", value: rate, reason });
            }
            if self.store.drag().is_some() {
                let reason = "under drag discs that grow meet at times without a closed form";
                return Err(Error::Inconsistent { field: "rate", value: rate, reason });
            }
            if let Some(facet) =
                self.store.walls.present().map(|(_, facet)| facet).find(|facet| !facet.takes_growth())
            {
                return Err(Error::CannotGrow { wall: self.store.walls.id(facet.wall) });
            }
            if self.regions().any(|(_, region)| region.extent == Extent::Edge) {
                let reason = "a region sees the edges of discs: when they cross its border is not known";
                return Err(Error::Inconsistent { field: "rate", value: rate, reason });
            }
        } else if !self.store.bodies.growth.is_on() {
            return Ok(());
        }
        self.change_growth(rate);
        self.store.edited();
        Ok(())
    }

    /// Sets the rate of growth, which is possible.
    pub(crate) fn change_growth(&mut self, rate: f64) {
        self.tell_scheduler(|scheduler, predictor| scheduler.rewind_to_now(predictor));
        restate(&mut self.store, |state| state);
        let before = self.store.bodies.growth;
        // The sizes are those of the present from here on, and so are the stored radii.
        self.store.bodies.growth = Growth { rate, since: self.store.now, limit: None };
        self.store.for_each_live(|store, slot| {
            store.bodies.set_radius(slot, before.grown(store.bodies.radius(slot), store.now));
        });
        self.store.bodies.note_size(before.grown(self.store.bodies.largest, self.store.now));
        self.store.bodies.set_sweeping(self.scheduler.sweeps());
        self.positions_now = PositionsNow::default();
    }

    /// How fast the radii grow now, per second and in proportion to themselves; 0 if they do not. It falls
    /// as they grow: what is constant is the growth in lengths.
    #[must_use]
    pub fn growth(&self) -> f64 {
        self.store.bodies.growth.rate_at(self.store.now)
    }

    /// Multiplies all velocities by a factor, ≥ 0: a thermostat, in one blow. The kinetic energy changes by
    /// its square.
    ///
    /// All states are rewritten at the present time, and all discs are scheduled again: O(N), and O(N²) with
    /// the table.
    ///
    /// # Errors
    /// If the factor is negative or not finite, or a velocity would be out of range.
    pub fn scale_velocities(&mut self, factor: f64) -> Result<(), Error> {
        check::not_negative("factor", factor)?;
        let pace = self.store.pace();
        for slot in self.store.bodies.live() {
            check::velocity(self.store.bodies.state(slot).velocity * pace * factor)?;
        }
        // On a clock that has run down any velocity is in range that is as good as none.
        self.renewed_pace();
        self.store.end_journeys(None);
        restate(&mut self.store, |state| State { velocity: state.velocity * factor, ..state });
        self.store.bodies.contacts.scale(factor);
        self.store.bodies.off.iter_mut().for_each(|(_, off)| off.velocity *= factor);
        Ok(())
    }
}

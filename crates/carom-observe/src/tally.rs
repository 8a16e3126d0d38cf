use carom_engine::{DiscId, Event, Partner, Physics, Sink, World};
use std::ops::ControlFlow;

/// Impacts of disc on disc: how many, and their virial.
///
/// The virial of an impact is r·Δp, with r from one centre to the other and Δp what the other one gains:
/// contact distance times impulse. All pressures are made of these two sums.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// The number of impacts.
    pub impacts: u64,
    /// The sum of contact distance × impulse.
    pub virial: f64,
}

impl Tally {
    /// Adds an impact at a contact distance with a normal impulse.
    #[inline]
    pub fn add(&mut self, reach: f64, impulse: f64) {
        self.impacts += 1;
        self.virial += reach * impulse;
    }
}

/// Keeps a [`Tally`] of a world's impacts: hand it to `advance_with`.
///
/// What is not handed over costs nothing. Impacts on walls are left out; of a group of impacts each contact
/// counts. Impulses of tracers and of infinite masses are not what a pressure is made of: see
/// [`carom_engine::Impact::impulse`].
///
/// ```
/// use carom_engine::{DVec2, Disc, World};
/// use carom_observe::TallySink;
///
/// let mut world = World::new();
/// world.insert(Disc::new(DVec2::ZERO, 0.5).with_velocity(DVec2::new(3.0, 0.0)))?;
/// world.insert(Disc::new(DVec2::new(4.0, 0.0), 1.5))?;
/// let mut sink = TallySink::by_radii(&world);
/// world.advance_with(1.0, &mut sink)?;
/// let tally = sink.take();
/// // Equal masses at 3 length units a second, at a distance of 2.
/// assert_eq!((tally.impacts, tally.virial), (1, 6.0));
/// # Ok::<(), carom_engine::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TallySink<R> {
    tally: Tally,
    reach: R,
}

impl TallySink<()> {
    /// For discs of one diameter.
    pub fn equal(diameter: f64) -> TallySink<impl FnMut(DiscId, DiscId) -> f64 + Clone> {
        TallySink::new(move |_, _| diameter)
    }

    /// For discs that touch at the sum of their radii, which are read now: O(N) memory. Discs that are
    /// inserted later have none.
    pub fn by_radii<P: Physics>(
        world: &World<P>,
    ) -> TallySink<impl FnMut(DiscId, DiscId) -> f64 + Clone + use<P>> {
        let radii = Radii::of(world);
        TallySink::new(move |a, b| radii.get(a) + radii.get(b))
    }
}

impl<R: FnMut(DiscId, DiscId) -> f64> TallySink<R> {
    /// With a contact distance of one's own for two discs.
    pub fn new(reach: R) -> Self {
        Self { tally: Tally::default(), reach }
    }

    /// What has been counted since the last [`TallySink::take`].
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// The same, and starts again at 0.
    pub fn take(&mut self) -> Tally {
        std::mem::take(&mut self.tally)
    }
}

impl<P: Physics, R: FnMut(DiscId, DiscId) -> f64> Sink<P> for TallySink<R> {
    #[inline]
    fn event(&mut self, event: &Event<P::Change>) -> ControlFlow<()> {
        if let Event::Impact(impact) = event
            && let Partner::Disc(other) = impact.b
        {
            let reach = (self.reach)(impact.a, other);
            self.tally.add(reach, impact.impulse);
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_engine::{DVec2, Disc, Wall};

    /// A mass 1 at speed 1 hits a mass 3 that stands before a wall: impulse 2·(3/4)·1, and at last back from
    /// the wall.
    #[test]
    fn walls_are_left_out_and_taking_starts_again() {
        let mut world = World::new();
        world.add_wall(Wall::container(DVec2::ZERO, DVec2::new(10.0, 2.0))).unwrap();
        let light = Disc::new(DVec2::new(2.0, 1.0), 0.5).with_velocity(DVec2::new(1.0, 0.0));
        world.insert(light).unwrap();
        world.insert(Disc::new(DVec2::new(5.0, 1.0), 0.25).with_mass(3.0)).unwrap();
        let (mut by_radii, mut equal) = (TallySink::by_radii(&world), TallySink::equal(4.0));
        // They meet at 2.25 s; the heavy one is at the wall at 11.75 s, the light one at its wall at 4.5 +
        // 1/2 s.
        world.clone().advance_with(15.0, &mut equal).unwrap();
        world.advance_with(15.0, &mut by_radii).unwrap();
        assert_eq!(world.counters().disc_impacts, by_radii.tally().impacts);
        assert!(world.counters().wall_impacts > 0);
        assert_eq!(by_radii.tally().impacts, 1);
        assert!((by_radii.take().virial - 0.75 * 1.5).abs() < 1e-15);
        assert!((equal.take().virial - 4.0 * 1.5).abs() < 1e-14);
        assert_eq!(by_radii.tally(), Tally::default());
    }
}

/// The radii of the discs of a world, as they were at one time.
#[derive(Clone, Debug)]
pub(crate) struct Radii(Vec<f64>);

impl Radii {
    pub(crate) fn of<P: Physics>(world: &World<P>) -> Self {
        let mut radii = Vec::new();
        for (id, disc) in world.discs() {
            let slot = id.slot() as usize;
            if radii.len() <= slot {
                radii.resize(slot + 1, 0.0);
            }
            radii[slot] = disc.radius;
        }
        Radii(radii)
    }

    /// That of a disc; 0 of one that was inserted later.
    pub(crate) fn get(&self, id: DiscId) -> f64 {
        self.0.get(id.slot() as usize).copied().unwrap_or(0.0)
    }
}

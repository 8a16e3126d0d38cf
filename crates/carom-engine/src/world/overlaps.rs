use crate::edit::rewrite_here;
use crate::error::check;
use crate::overlap::{apart, check_open, part};
use crate::predict::StatePredictor;
use crate::{Error, Moved, Parted, Physics, State, World};

/// What to do about discs that overlap: part them gently, or push them apart at once.
impl<P: Physics> World<P> {
    /// Pushes discs that overlap each other or walls apart, at the present time, moving as little as it can,
    /// and returns the discs moved, by serial number. Afterwards nothing overlaps by more than touching; a
    /// second call moves nothing.
    ///
    /// Places change, velocities do not. As little as it can: `Σ |to − from|²` over all discs, each counting
    /// alike whatever its mass, has a local minimum at the places found, so two discs that overlap by δ move
    /// by δ/2 each along the line of centres. Discs never push infinite masses, only walls do, which never
    /// move; tracers are pushed but do not push. No centre is pushed through a wall. Discs inserted with
    /// leave to overlap are pushed as well. Gaps that it opens are 10⁻¹³ of the contact distance wide,
    /// and 4 ulp of the coordinates. A disc that was in no other's way keeps its stored state to the last
    /// bit; that of a moved one is rewritten as by [`World::set_position`].
    ///
    /// Discs with coincident centres go different ways, by their serial numbers; otherwise the order of
    /// insertion changes nothing beyond rounding.
    ///
    /// Rounds of quadratic programming: the demand that no two overlap is taken along the line of their
    /// centres, the least moves from the places at the start that meet all demands are found, and so on from
    /// there. Between discs this only ever asks for too much, so each round's places are good and not worse
    /// than those before (the concave-convex procedure: Yuille and Rangarajan, Neural Comput. 15 (2003) 915).
    /// Discs in an exact row that must buckle are shaken. Where that leads nowhere, and for hundreds of discs
    /// on one point, they are pushed from place to place first, and the least moves are sought from there.
    /// O(N log N + N · walls) a round and what the least push costs. 10⁴ discs at random, at a packing
    /// fraction of one half, take some seconds, and so do 1000 on one point; for these work ends before the
    /// last per cents of the minimum, and several thousand on one point are too much.
    ///
    /// # Errors
    /// [`Error::NoRoom`] if it finds no room in a bounded number of rounds, because there is none or because
    /// it would have to look too far; [`Error::OutOfRange`] if a disc would be pushed out of the range of
    /// coordinates; [`Error::Inconsistent`] in a periodic world. The world is as it was.
    pub fn push_apart(&mut self) -> Result<Vec<Moved>, Error> {
        check_open(&self.store.bodies.periods)?;
        self.enforce_rules();
        let moved = apart(StatePredictor::of(&self.store))?;
        let places: Vec<_> = moved.iter().map(|moved| (moved.disc.slot(), moved.to)).collect();
        self.put_at(&places);
        Ok(moved)
    }

    /// Gives discs that overlap velocities at which they separate, each pair along its normal at `speed` at
    /// least, and says what it did. Places stay.
    ///
    /// A disc that overlaps a wall separates from it as well, on the side on which its centre is; pairs
    /// that pass through each other are left alone. The change of velocities is the least in the metric
    /// of the masses, `Σ m |Δv|²` (Gauss's principle): impulses that only push, and only where the speed
    /// would not be reached without. So it keeps the momentum of finite masses, but for what walls and
    /// infinite masses take, and leaves pairs alone that separate fast enough. Energy can rise: the
    /// report says by how much. After it the ordinary rule holds: a pair that separates is ignored while
    /// it overlaps, and collides as any other when it meets again. Discs that merely touch are not looked
    /// at: one that is driven into them hits them in the ordinary way.
    ///
    /// `speed` in length units per second, 0 to 10¹⁵; 0 only stops approaches. Infinite masses yield to walls
    /// alone; tracers yield to all and push nothing. Coincident centres part in the
    /// direction at the golden section of the turn times the serial number of the disc that yields, or of the
    /// later one. Of an end of a wall whose straight or round part is nearer it is only asked that it is not
    /// approached. The changed states are rewritten as by [`World::set_velocity`].
    ///
    /// O(N log N + N · walls), and O(n³) for up to 48 discs that hang together. More are solved by iteration,
    /// until every pair is as fast as asked and none faster than needed by more than 3·10⁻¹⁰ of the largest
    /// velocity, or 3·10⁻⁶ for discs of very unequal masses on one point; in at most 30 000 times
    /// O(overlaps).
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if `speed` is, or a velocity would be; [`Error::CannotPart`] if no velocities
    /// will do, as for a disc between walls or infinite masses, or a tracer among others; or if more than
    /// 48 discs of very unequal masses take too many iterations; [`Error::Inconsistent`] in a periodic
    /// world. The world is as it was.
    pub fn separate_overlaps(&mut self, speed: f64) -> Result<Parted, Error> {
        check::coefficient("speed", speed)?;
        check_open(&self.store.bodies.periods)?;
        self.enforce_rules();
        // Velocities are stored as of now.
        self.renewed_pace();
        let (parted, changed) = part(&StatePredictor::of(&self.store), speed)?;
        for (slot, velocity) in changed {
            self.store.bodies.contacts.end_by_velocity(slot, self.store.now);
            let state = State { velocity, ..self.store.state_now(slot) };
            rewrite_here(&mut self.store, slot, &state);
        }
        Ok(parted)
    }
}

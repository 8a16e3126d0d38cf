use super::stamp::Stamp;
use crate::simd::{F64x4, WIDTH};
use carom_math::Time;
use carom_math::toi::Motion;
use carom_solver::MassClass;
use glam::DVec2;

/// A disc's stored state and what else a pair time needs, in one cache line: the truth of which all else is a
/// copy.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Record {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) vx: f64,
    pub(crate) vy: f64,
    /// The two parts of the time at which it holds.
    pub(crate) start: f64,
    pub(crate) offset: f64,
    pub(crate) radius: f64,
    pub(crate) tag: Tag,
}

/// The stamp of the impact that wrote a state and the class of the disc's mass, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Tag(u64);

// Vectors load a record as eight numbers.
const _: () = assert!(size_of::<Record>() == 64);

impl Tag {
    const CLASS: u32 = 62;

    fn new(stamp: Stamp, class: MassClass) -> Self {
        // Impacts are numbered below 2⁶⁰.
        Tag(stamp.bits() | (class as u64) << Self::CLASS)
    }

    /// Of the same class.
    #[inline(always)]
    fn with(self, stamp: Stamp) -> Self {
        Tag(stamp.bits() | self.0 >> Self::CLASS << Self::CLASS)
    }

    #[inline(always)]
    pub(crate) fn stamp(self) -> Stamp {
        Stamp::from_bits(self.0 & ((1 << Self::CLASS) - 1))
    }

    #[inline(always)]
    pub(crate) fn is_of_finite_mass(self) -> bool {
        self.0 >> Self::CLASS == MassClass::Finite as u64
    }

    /// The word that it is.
    #[inline(always)]
    pub(crate) fn bits(self) -> u64 {
        self.0
    }

    #[inline(always)]
    pub(crate) fn class(self) -> MassClass {
        MassClass::from_bits(self.0 >> Self::CLASS)
    }
}

impl Record {
    /// What a free slot holds: no comparison with its place is true, and its state is newer than any.
    pub(crate) const FREE: Record = Record {
        x: f64::NAN,
        y: f64::NAN,
        vx: 0.0,
        vy: 0.0,
        start: f64::INFINITY,
        offset: 0.0,
        radius: 0.0,
        tag: Tag(0),
    };

    #[inline(always)]
    pub(crate) fn is_free(&self) -> bool {
        self.start == f64::INFINITY
    }

    #[inline(always)]
    pub(crate) fn position(&self) -> DVec2 {
        DVec2::new(self.x, self.y)
    }

    #[inline(always)]
    pub(crate) fn velocity(&self) -> DVec2 {
        DVec2::new(self.vx, self.vy)
    }

    #[inline(always)]
    pub(crate) fn time(&self) -> Time {
        Time::from_stored(self.start, self.offset)
    }

    /// Its numbers in the order in which they lie in memory; the last are the bits of the tag.
    #[inline(always)]
    #[allow(unsafe_code, reason = "vectors load the numbers where they lie")]
    fn halves(&self) -> &[[f64; 4]; 2] {
        // SAFETY: a record is `repr(C)` and eight times eight bytes, of which all patterns are numbers; it is
        // borrowed for as long as they are.
        unsafe { &*core::ptr::from_ref(self).cast() }
    }

    /// Number `k` of each of four records, for both halves.
    #[inline(always)]
    pub(crate) fn columns<V: F64x4>([a, b, c, d]: [&Record; WIDTH]) -> [[V; WIDTH]; 2] {
        let (a, b, c, d) = (a.halves(), b.halves(), c.halves(), d.halves());
        let first = [V::load(&a[0]), V::load(&b[0]), V::load(&c[0]), V::load(&d[0])];
        let second = [V::load(&a[1]), V::load(&b[1]), V::load(&c[1]), V::load(&d[1])];
        [V::transposed(first), V::transposed(second)]
    }

    /// As it is stored.
    #[inline(always)]
    pub(crate) fn motion(&self) -> Motion {
        Motion::new(self.position(), self.velocity(), self.radius)
    }

    /// Centre and velocity at `time`.
    #[inline(always)]
    pub(crate) fn motion_at(&self, time: Time) -> Motion {
        let velocity = self.velocity();
        let position = self.position() + velocity * time.since(self.time());
        Motion::new(position, velocity, self.radius)
    }

    /// The disc as it is in another state, of no impact.
    #[inline(always)]
    pub(crate) fn changed(&self, time: Time, position: DVec2, velocity: DVec2) -> Record {
        Record {
            x: position.x,
            y: position.y,
            vx: velocity.x,
            vy: velocity.y,
            start: time.epoch_start(),
            offset: time.offset(),
            radius: self.radius,
            tag: self.tag.with(Stamp::NONE),
        }
    }

    #[inline(always)]
    pub(crate) fn set_velocity(&mut self, velocity: DVec2) {
        (self.vx, self.vy) = (velocity.x, velocity.y);
    }

    #[inline(always)]
    pub(crate) fn set_stamp(&mut self, stamp: Stamp) {
        self.tag = self.tag.with(stamp);
    }

    pub(crate) fn set_class(&mut self, class: MassClass) {
        self.tag = Tag::new(self.tag.stamp(), class);
    }
}

#[cfg(test)]
mod tests {
    use super::super::stamp::ImpactKind;
    use super::*;

    #[test]
    fn a_record_is_a_cache_line_and_a_tag_holds_both_parts() {
        assert_eq!((size_of::<Record>(), align_of::<Record>()), (64, 64));
        let mut record = Record::FREE;
        for class in [MassClass::Finite, MassClass::Infinite, MassClass::Tracer] {
            for stamp in [
                Stamp::NONE,
                Stamp::impact(1, ImpactKind::Two),
                Stamp::impact((1 << 60) - 1, ImpactKind::Cluster),
            ] {
                record.set_class(class);
                record.set_stamp(stamp);
                assert_eq!((record.tag.class(), record.tag.stamp()), (class, stamp));
            }
        }
    }
}

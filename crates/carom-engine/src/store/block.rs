use crate::Physics;
use crate::simd::Vector;
use crate::touch::{CLUSTER, NEARBY, clustered, touching};
use carom_math::Time;
use carom_math::toi::Motion;
use carom_math::tolerance::TOUCH_ULPS;
use glam::DVec2;

/// Discs a block.
pub(crate) const LANES: usize = 8;

/// One number of each of the discs of a block.
pub(crate) type Lanes = [f64; LANES];

/// The numbers of eight discs that a pair time needs, side by side: what the sweeps read.
///
/// Blocks of lanes instead of whole columns, because a world is then one allocation, a disc's numbers share
/// eight cache lines with its neighbours', and the sweeps have loops of fixed length without remainders.
/// Lanes of free slots hold positions that are not numbers, so that every comparison leaves them out.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Block {
    pub(crate) x: Lanes,
    pub(crate) y: Lanes,
    pub(crate) vx: Lanes,
    pub(crate) vy: Lanes,
    pub(crate) start: Lanes,
    pub(crate) offset: Lanes,
    pub(crate) radius: Lanes,
    pub(crate) stamp: [Stamp; LANES],
    pub(crate) class: [MassClass; LANES],
}

/// The positions of the discs of a block at one instant.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Places {
    pub(crate) x: Lanes,
    pub(crate) y: Lanes,
}

/// Which impact wrote a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp(u64);

impl Stamp {
    /// Written by no impact: put there by the user, or a motion changed by itself.
    pub(crate) const NONE: Stamp = Stamp(0);

    /// The impact with this number, counted from 1.
    pub(crate) fn impact(number: u64, meeting: Meeting) -> Self {
        Stamp(4 * number + meeting as u64)
    }

    /// Whether both states were written by one impact.
    #[inline(always)]
    pub(crate) fn same_impact(self, other: Stamp) -> bool {
        self == other && self != Stamp::NONE
    }

    /// The impact's number; 0 if it was none.
    #[inline(always)]
    pub(crate) fn number(self) -> u64 {
        self.0 >> 2
    }

    /// Who took part.
    pub(crate) fn meeting(self) -> Meeting {
        match self.0 & 3 {
            1 => Meeting::Group,
            3 => Meeting::Cluster,
            _ => Meeting::Two,
        }
    }

    /// Whether more than two took part.
    #[inline(always)]
    pub(crate) fn is_group(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Who took part in an impact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub(crate) enum Meeting {
    /// Two discs, or a disc and a wall.
    Two = 0,
    /// All that touch.
    #[default]
    Group = 1,
    /// All that overlap or nearly touch, within [`CLUSTER`]: joined by the rule against collapse.
    Cluster = 3,
}

impl Meeting {
    /// Whether discs at these places both take part.
    pub(crate) fn takes_in(self, a: DVec2, b: DVec2, reach: f64) -> bool {
        match self {
            Meeting::Two | Meeting::Group => touching(a, b, reach),
            Meeting::Cluster => clustered(a, b, reach),
        }
    }

    /// Whether a disc at this distance from a facet takes part, given the slack of touching.
    pub(crate) fn takes_in_at(self, distance: f64, slack: f64) -> bool {
        match self {
            Meeting::Two | Meeting::Group => distance.abs() <= slack,
            Meeting::Cluster => distance <= CLUSTER * slack,
        }
    }
}

/// Who can feel whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum MassClass {
    #[default]
    Finite,
    Infinite,
    Tracer,
}

impl MassClass {
    pub(crate) fn of(mass: f64) -> Self {
        if mass == 0.0 {
            MassClass::Tracer
        } else if mass == f64::INFINITY {
            MassClass::Infinite
        } else {
            MassClass::Finite
        }
    }

    /// Whether discs of these classes pass through each other.
    #[inline(always)]
    pub(crate) fn pass_through(self, other: MassClass) -> bool {
        self == other && self != MassClass::Finite
    }
}

impl Block {
    /// Eight free slots.
    pub(crate) const FREE: Block = Block {
        x: [f64::NAN; LANES],
        y: [f64::NAN; LANES],
        vx: [0.0; LANES],
        vy: [0.0; LANES],
        start: [0.0; LANES],
        offset: [0.0; LANES],
        radius: [0.0; LANES],
        stamp: [Stamp::NONE; LANES],
        class: [MassClass::Finite; LANES],
    };

    #[inline(always)]
    pub(crate) fn position(&self, lane: usize) -> DVec2 {
        DVec2::new(self.x[lane], self.y[lane])
    }

    #[inline(always)]
    pub(crate) fn velocity(&self, lane: usize) -> DVec2 {
        DVec2::new(self.vx[lane], self.vy[lane])
    }

    /// Notes where the discs are at `time`: the arithmetic of [`Time::since`] and `position + velocity · age`.
    #[inline(always)]
    pub(crate) fn note_places<V: Vector>(&self, time: Time, places: &mut Places) {
        let started = V::splat(time.epoch_start()).minus(V::load(&self.start));
        let age = started.plus(V::splat(time.offset()).minus(V::load(&self.offset)));
        V::load(&self.x).plus(V::load(&self.vx).times(age)).store(&mut places.x);
        V::load(&self.y).plus(V::load(&self.vy).times(age)).store(&mut places.y);
    }

    /// Distances of the centres at contact with the probe.
    #[inline(always)]
    fn reaches<V: Vector, P: Physics>(&self, probe: &Probe, physics: &P) -> V {
        if P::OWN_REACH {
            V::load(&core::array::from_fn(|l| physics.reach(probe.radius, self.radius[l])))
        } else {
            V::splat(probe.radius).plus(V::load(&self.radius))
        }
    }

    /// Bit `l` is set if disc `l` is within the probe's slack of touching it: a superset of those that touch.
    #[inline(always)]
    pub(crate) fn near<V: Vector, P: Physics>(&self, places: &Places, probe: &Probe, physics: &P) -> u8 {
        let dx = V::load(&places.x).minus(V::splat(probe.position.x));
        let dy = V::load(&places.y).minus(V::splat(probe.position.y));
        let limit = self.reaches::<V, P>(probe, physics).times(V::splat(NEAR)).plus(V::splat(probe.slack));
        dx.times(dx).plus(dy.times(dy)).at_most(limit.times(limit))
    }

    /// Bit `l` is set if disc `l` and the probe are on paths that meet: the tests of
    /// [`carom_math::toi::disc_disc`] up to its square root, in the same operations.
    #[inline(always)]
    pub(crate) fn on_course<V: Vector, P: Physics>(&self, places: &Places, probe: &Probe, physics: &P) -> u8 {
        let dx = V::load(&places.x).minus(V::splat(probe.position.x));
        let dy = V::load(&places.y).minus(V::splat(probe.position.y));
        let vx = V::load(&self.vx).minus(V::splat(probe.velocity.x));
        let vy = V::load(&self.vy).minus(V::splat(probe.velocity.y));
        let reach = self.reaches::<V, P>(probe, physics);
        let approach = dx.times(vx).plus(dy.times(vy));
        let cross = dx.times(vy).minus(dy.times(vx));
        let speed2 = vx.times(vx).plus(vy.times(vy));
        let disc = speed2.times(reach.times(reach)).minus(cross.times(cross));
        let zero = V::splat(0.0);
        approach.less(zero) & zero.less(disc)
    }
}

/// How much further than its contact distance a disc is looked for when those that touch are sought, as the
/// exact test follows.
const NEAR: f64 = 1.0 + NEARBY * TOUCH_ULPS * f64::EPSILON;

/// A disc to be held against all others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    pub(crate) position: DVec2,
    pub(crate) velocity: DVec2,
    pub(crate) radius: f64,
    /// Extra distance within which others count as near.
    slack: f64,
}

impl Probe {
    /// A disc that may touch others. Their coordinates are at most its own and the contact distance apart, so
    /// its own and [`NEAR`] bound the slack of touching.
    #[inline(always)]
    pub(crate) fn new(motion: &Motion) -> Self {
        let Motion { position, velocity, radius } = *motion;
        let slack = NEARBY * TOUCH_ULPS * f64::EPSILON * (position.x.abs() + position.y.abs());
        Probe { position, velocity, radius, slack }
    }

    /// Whether this one disc is within the slack: the test of [`Block::near`].
    #[inline(always)]
    pub(crate) fn is_near<P: Physics>(&self, other: &Motion, physics: &P) -> bool {
        let d = other.position - self.position;
        let limit = physics.reach(self.radius, other.radius) * NEAR + self.slack;
        d.x * d.x + d.y * d.y <= limit * limit
    }
}

/// Which masses can deflect which.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MassClass {
    /// A mass above 0: moved by all others of finite mass, by infinite ones and by walls.
    #[default]
    Finite,
    /// An infinite mass: moved by walls alone.
    Infinite,
    /// A mass of 0, which moves no other.
    Tracer,
}

impl MassClass {
    /// In the order in which impacts are resolved: what one moves, those after it do not.
    pub const ALL: [MassClass; 3] = [MassClass::Infinite, MassClass::Finite, MassClass::Tracer];

    /// Its place in that order, in which discs also make way: each for those of the classes before it.
    #[must_use]
    pub fn rank(self) -> Option<usize> {
        Self::ALL.iter().position(|&class| class == self)
    }

    /// That of a mass ≥ 0.
    #[must_use]
    pub fn of(mass: f64) -> Self {
        if mass == 0.0 {
            MassClass::Tracer
        } else if mass == f64::INFINITY {
            MassClass::Infinite
        } else {
            MassClass::Finite
        }
    }

    /// The class that `self as u64` is.
    #[inline(always)]
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        match bits {
            0 => MassClass::Finite,
            1 => MassClass::Infinite,
            _ => MassClass::Tracer,
        }
    }

    /// Whether a disc of this class is moved by one of the other without moving it: tracers by all others,
    /// finite masses by infinite ones.
    #[must_use]
    pub fn yields_to(self, other: MassClass) -> bool {
        match self {
            MassClass::Infinite => false,
            MassClass::Finite => other == MassClass::Infinite,
            MassClass::Tracer => other != MassClass::Tracer,
        }
    }

    /// Whether discs of these classes pass through each other.
    #[inline(always)]
    #[must_use]
    pub fn pass_through(self, other: MassClass) -> bool {
        self == other && self != MassClass::Finite
    }
}

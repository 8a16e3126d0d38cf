use carom_math::eft::DoubleDouble as Dd;
use glam::DVec2;

/// A body that the contacts can move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    pub(super) mass: f64,
    /// Velocity per impulse, and the same in double-double once `System::note_exact_mobilities` was called.
    pub(super) mobility: f64,
    pub(super) exact_mobility: Dd,
}

/// A contact between two bodies, or between one and something that does not move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) ends: Ends,
    /// Where the factor has its block.
    pub(super) place: u32,
    pub(super) normal: DVec2,
    /// Speed of opening before.
    pub(super) opening: Dd,
    /// By how much a step is to change it, and the impulse that does; of rows that rub, the impulse with
    /// which the search begins.
    pub(super) wanted: f64,
    pub(super) trial: f64,
    /// The entry of `A` on the diagonal.
    pub(super) diagonal: f64,
    /// Whether it is to neither approach nor part, and may pull for that.
    pub(super) is_bilateral: bool,
    /// Whether it is in the active set: it may push, and neither approaches nor parts.
    pub(super) pushes: bool,
    /// While it is sought by pivoting: whether this is the wrong side.
    pub(super) is_wrong: bool,
    /// The softness with which it is factored, as a fraction of the diagonal:
    /// [`SOFTNESS`](crate::tolerances::SOFTNESS), or that of a step from the interior.
    pub(super) softness: f64,
    pub(super) iterate: Iterate,
}

/// What a search in `f64` has come to at a row. `F64Solver` has plain impulses in it, and uses the first two
/// fields; the other searches have impulses times the diagonal, which are speeds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Iterate {
    /// The impulse.
    pub(super) impulse: f64,
    /// The speed of opening; from the interior, with what the softness adds to it.
    pub(super) speed: f64,
    /// How a step changes them.
    pub(super) impulse_change: f64,
    pub(super) speed_change: f64,
    /// By how much the speed is off that which the impulses make.
    pub(super) residual: f64,
    /// What the product of impulse and speed is to become.
    pub(super) target: f64,
}

impl Row {
    /// The speed at which it closes before; or opens, where it is not to.
    pub(super) fn closing(&self) -> f64 {
        let opening = self.opening.to_f64();
        if self.is_bilateral { opening.abs() } else { -opening }
    }

    // No closures over arrays in these two, which are the innermost loops: they are not always inlined.

    /// Adds what an impulse does to the momenta of the bodies.
    #[inline(always)]
    pub(super) fn add_momentum(&self, impulse: f64, momenta: &mut [[f64; 2]]) {
        let DVec2 { x: nx, y: ny } = self.normal;
        let [a, b] = self.ends;
        if let Some(a) = a {
            let [x, y] = &mut momenta[a as usize];
            (*x, *y) = (*x + -impulse * nx, *y + -impulse * ny);
        }
        if let Some(b) = b {
            let [x, y] = &mut momenta[b as usize];
            (*x, *y) = (*x + impulse * nx, *y + impulse * ny);
        }
    }

    /// By how much velocities change the speed of opening.
    #[inline(always)]
    pub(super) fn opened_by(&self, velocities: &[[f64; 2]]) -> f64 {
        let [a, b] = self.ends;
        let [ax, ay] = if let Some(a) = a { velocities[a as usize] } else { [0.0; 2] };
        let [bx, by] = if let Some(b) = b { velocities[b as usize] } else { [0.0; 2] };
        (bx - ax) * self.normal.x + (by - ay) * self.normal.y
    }
}

/// The bodies of a contact that can move, by index: the normal points from the first to the second.
pub(crate) type Ends = [Option<u32>; 2];

/// What a contact is to do, and where the search for those that push begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// Not to approach. It is taken to push if it does.
    #[default]
    OneSided,
    /// Not to approach, with a guess whether it pushes.
    Pushing,
    Idle,
    /// Neither to approach nor to part: its impulse may pull.
    TwoSided,
}

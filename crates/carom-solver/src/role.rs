/// How precise a solution is to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Precision {
    /// Velocities do not depend on the order of contacts.
    #[default]
    Full,
    /// That of `f64`, if it is a solution: see `rough.rs`.
    Rounded,
    /// As that, but for what two proximal steps leave where contacts that depend on each other contradict
    /// each other.
    Soft,
}

/// What a contact is to do, and where the search for those that push begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// Not to approach. It is taken to push if it does.
    #[default]
    OneSided,
    /// Not to approach, with a guess whether it pushes.
    Pushing,
    Idle,
    /// Neither to approach nor to part: its impulse may pull.
    TwoSided,
}

use carom_math::eft::Sum;

/// How the energy of the finite masses of a group changes, entry by entry: in units of mass × speed². What
/// the first three add, and what the others take.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entries {
    /// Added by infinite masses and arms that move: the impulses that they exert, times their speeds.
    pub work: Sum,
    /// Added by surfaces that move outwards as radii grow.
    pub growth: Sum,
    /// Added by restitutions above 1.
    pub kicks: Sum,
    /// Taken by restitutions below 1.
    pub restitution: Sum,
    /// Taken by the rule against collapse, beyond restitution.
    pub collapse: Sum,
    /// Taken between bodies that close in, beyond restitution.
    pub crush: Sum,
    /// Taken by coming to rest.
    pub rest: Sum,
    /// Taken where the motion of held contacts is renewed.
    pub held: Sum,
    /// Taken there by friction of what slides.
    pub friction: Sum,
    /// Taken by what stops the contacts that approach after the physics.
    pub look_again: Sum,
}

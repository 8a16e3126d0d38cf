use super::Pressing;
use carom_math::toi::Side;
use glam::DVec2;

/// Two members, or a member and a facet, that touch.
#[derive(Clone, Copy, Debug)]
pub struct Contact {
    /// The first member.
    pub a: usize,
    /// What it touches.
    pub with: Other,
    /// Unit normal from `a` to the other.
    pub normal: DVec2,
    /// At least 0; what is beyond 1 is a kick: see [`Group::kick`](crate::Group::kick).
    pub restitution: f64,
    /// Speed at which the two come nearer by growing alone; of a facet that turns also by that, or less than
    /// 0 if that takes it away.
    pub growth_speed: f64,
    /// What it is with, if that turns.
    pub(crate) driven: Option<Driven>,
    /// The velocity of what it is with, if that is a part of a wall that moves; else 0.
    pub surface: DVec2,
    /// The normal impulse ≥ 0, the sum over the passes. Between a tracer and another body, and of an
    /// infinite mass at a wall, per unit of mass.
    pub impulse: f64,
    /// What brings it to rest, of either sign.
    pub(crate) rest_impulse: f64,
    /// Of this, what is noted in the book.
    pub(crate) noted: f64,
    /// By how much a kick is to let it open faster.
    pub(crate) kick: f64,
    /// By how much a verdict lets it open faster, ≥ 0.
    pub added_kick: f64,
    /// For whoever has a physics: the normal impulse that this adds.
    pub own_impulse: f64,
    /// Whether the member meets another facet along the very same normal: a vertex or a line that two
    /// facets share. That contact stands for both.
    pub is_twin: bool,
    /// How it comes to rest.
    pub pressing: Pressing,
}

/// A contact with an arm that turns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Driven {
    /// The speed at which its surface comes nearer.
    pub(crate) surface_speed: f64,
    /// The least speed at which the contact is to open.
    pub(crate) least_opening: f64,
}

/// What a [`Member`](crate::Member) touches.
#[derive(Clone, Copy, Debug)]
pub enum Other {
    /// Another member.
    Member(usize),
    /// A facet of a wall, by its number, and the side of it on which the member is.
    Facet(u32, Side),
}

impl Contact {
    /// Lets it be with what turns, from which the member is to part at no less than this speed: the speed of
    /// growth is that of its surface.
    pub fn drive(&mut self, least_opening: f64) {
        self.driven = Some(Driven { surface_speed: self.growth_speed, least_opening });
    }

    /// The part of the impulses that is not noted in the book.
    pub(crate) fn not_noted(&self) -> f64 {
        self.impulse + self.rest_impulse - self.noted
    }

    /// The stable identities of those that it joins, given those of members: whether the second is a facet,
    /// between them.
    pub fn key(&self, serial: impl Fn(usize) -> u64) -> (u64, bool, u64) {
        let of_a = serial(self.a);
        match self.with {
            Other::Facet(f, _) => (of_a, true, u64::from(f)),
            Other::Member(b) => (of_a.min(serial(b)), false, of_a.max(serial(b))),
        }
    }

    /// Lets it be from its other member, which is `b`, to `a`.
    pub(super) fn turn(&mut self, b: usize) {
        (self.a, self.with, self.normal) = (b, Other::Member(self.a), -self.normal);
        if let Some(round) = &mut self.pressing.round {
            round.d = -round.d;
        }
    }

    /// The members that it joins.
    pub fn ends(&self) -> [Option<usize>; 2] {
        let b = if let Other::Member(b) = self.with { Some(b) } else { None };
        [Some(self.a), b]
    }
}

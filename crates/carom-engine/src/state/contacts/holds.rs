use crate::walk::{fields, variants};
use carom_broadphase::Slot;
use carom_math::toi::Side;
use smallvec::SmallVec;

/// The tag of the change of motion at which a piece of the motion of held discs ends.
pub(crate) const PIECE: u32 = 3;

/// What a disc is held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub(crate) enum HeldTo {
    Disc(Slot),
    /// A facet, on this side of it.
    Facet(u32, Side),
}

/// One side of a contact that has come to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Held {
    pub(crate) to: HeldTo,
    /// Whether the two press on each other. Else they have only just not met: while both states are those of
    /// then, they meet again only if they come nearer than rounding lets them.
    pub(crate) presses: bool,
    /// Whether they stick to each other, so that they do not slip, and do not roll: see
    /// [`Turning`](crate::Turning).
    pub(crate) sticks: [bool; 2],
    /// Of what rubs, the forces with which the search for who presses begins: see
    /// [`ContactGrip::still`](carom_solver::ContactGrip::still).
    pub(crate) still: [f64; 3],
    /// Of what rubs, the power that friction takes at the beginning of the piece, and its rate: see
    /// [`Group::heat_of`](carom_solver::Group::heat_of).
    pub(crate) heat: [f64; 2],
}

impl Held {
    /// The same contact as the other disc has it, which is held to this one. Rolling has a direction as seen
    /// from one of the two.
    pub(crate) fn of_other(self, slot: Slot) -> Self {
        let [along, rolling, normal] = self.still;
        Held { to: HeldTo::Disc(slot), still: [along, -rolling, normal], ..self }
    }

    /// Of what has just not met.
    pub(crate) fn settled(to: HeldTo) -> Self {
        Held { to, presses: false, sticks: [false; 2], still: [0.0; 3], heat: [0.0; 2] }
    }

    /// What friction has taken this long after the piece began.
    pub(crate) fn heat_after(&self, age: f64) -> f64 {
        let [power, rate] = self.heat;
        (power + 0.5 * rate * age) * age
    }
}

fields!(Held: to, presses, sticks, still, heat);
variants!(HeldTo: Disc(slot as Disc), Facet(facet as Facet, side));

/// The held contacts: pairs, and discs and walls, that press on each other and neither part nor approach
/// while their motions last.
///
/// Discs that hang together through held contacts are a *cluster*: their states are stored at one time, and
/// their accelerations come from the forces between them. A contact of two discs stands with both. No memory
/// until a disc is held, and none is freed, so that what comes to rest again and again allocates nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Holds {
    of: Vec<SmallVec<[Held; 6]>>,
    /// How many discs have any.
    held: usize,
}

impl Holds {
    /// What a disc is held to, in the order in which that was found.
    #[inline(always)]
    pub(crate) fn of(&self, slot: Slot) -> &[Held] {
        if self.held == 0 { &[] } else { self.of.get(slot as usize).map_or(&[], |list| list) }
    }

    /// Whether something presses on a disc.
    #[inline(always)]
    pub(crate) fn is_held(&self, slot: Slot) -> bool {
        self.of(slot).iter().any(|held| held.presses)
    }

    /// Whether two discs press on each other.
    #[inline(always)]
    pub(crate) fn are_held(&self, a: Slot, b: Slot) -> bool {
        self.with_disc(a, b) == Some(true)
    }

    /// Whether two discs press on each other, if they have come to rest against each other.
    #[inline(always)]
    pub(crate) fn with_disc(&self, a: Slot, b: Slot) -> Option<bool> {
        self.of(a).iter().find(|held| held.to == HeldTo::Disc(b)).map(|held| held.presses)
    }

    /// As `with_disc`, of a disc and a facet, with its side.
    #[inline(always)]
    pub(crate) fn with_facet(&self, slot: Slot, facet: u32) -> Option<(bool, Side)> {
        self.of(slot).iter().find_map(|held| match held.to {
            HeldTo::Facet(f, side) if f == facet => Some((held.presses, side)),
            _ => None,
        })
    }

    /// Whether a disc is held to a facet.
    #[inline(always)]
    pub(crate) fn is_held_to(&self, slot: Slot, facet: u32) -> bool {
        matches!(self.with_facet(slot, facet), Some((true, _)))
    }

    /// By slot.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Slot, Held)> + '_ {
        (0..).zip(&self.of).flat_map(|(slot, list)| list.iter().map(move |&held| (slot, held)))
    }

    /// Notes one side of a held contact.
    pub(crate) fn add(&mut self, slot: Slot, held: Held) {
        if self.of.len() <= slot as usize {
            self.of.resize_with(slot as usize + 1, SmallVec::new);
        }
        let list = &mut self.of[slot as usize];
        self.held += usize::from(list.is_empty());
        list.push(held);
    }

    /// Forgets what a disc is held to, on both sides.
    #[inline(always)]
    pub(crate) fn forget(&mut self, slot: Slot) {
        if self.held > 0 {
            self.forget_all(slot);
        }
    }

    fn forget_all(&mut self, slot: Slot) {
        let count = self.of.get(slot as usize).map_or(0, SmallVec::len);
        for k in 0..count {
            if let HeldTo::Disc(other) = self.of[slot as usize][k].to {
                self.remove(other, HeldTo::Disc(slot));
            }
        }
        if count > 0 {
            self.of[slot as usize].clear();
            self.held -= 1;
        }
    }

    /// Forgets one side of a held contact.
    fn remove(&mut self, slot: Slot, to: HeldTo) {
        if let Some(list) = self.of.get_mut(slot as usize)
            && let Some(at) = list.iter().position(|held| held.to == to)
        {
            list.remove(at);
            self.held -= usize::from(list.is_empty());
        }
    }

    /// Forgets what is not to be kept.
    pub(crate) fn retain(&mut self, keep: impl Fn(Slot, HeldTo) -> bool) {
        if self.held == 0 {
            return;
        }
        for (slot, list) in (0..).zip(&mut self.of).filter(|(_, list)| !list.is_empty()) {
            list.retain(|held| keep(slot, held.to));
            self.held -= usize::from(list.is_empty());
        }
    }

    /// After facets were given other numbers.
    pub(crate) fn renumber(&mut self, number: impl Fn(u32) -> Option<u32>) {
        self.retain(|_, held| !matches!(held, HeldTo::Facet(f, _) if number(f).is_none()));
        for held in self.of.iter_mut().flatten() {
            if let HeldTo::Facet(f, _) = &mut held.to
                && let Some(new) = number(*f)
            {
                *f = new;
            }
        }
    }
}

use super::disc_disc::{Encounter, earlier_root};

/// What a time of impact depends on, free of coordinates: the same formulas serve discs in the plane and
/// spheres in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Invariants {
    /// `v·v`, squared relative speed.
    pub speed2: f64,
    /// `d·v`, negative while they approach.
    pub approach: f64,
    /// `|d × v|²`, squared angular momentum per mass.
    pub cross2: f64,
    /// `|d|`, distance of the centres.
    pub distance: f64,
    /// Distance of the centres at contact.
    pub reach: f64,
}

impl Invariants {
    /// `|d|² − reach²` in its factored form, which does not cancel beyond the subtraction of the inputs.
    fn squared_gap(&self) -> f64 {
        (self.distance - self.reach) * (self.distance + self.reach)
    }

    fn discriminant(&self) -> f64 {
        self.speed2 * (self.reach * self.reach) - self.cross2
    }

    /// Time to the first contact, like [`super::disc_disc`].
    #[must_use]
    pub fn time_of_impact(&self) -> Option<f64> {
        let disc = self.discriminant();
        (self.approach < 0.0 && disc > 0.0).then(|| earlier_root(self.approach, self.squared_gap(), disc))
    }

    /// All contacts, past ones too, like [`super::disc_disc_encounter`].
    #[must_use]
    pub fn encounter(&self) -> Encounter {
        super::disc_disc::encounter(self.speed2, self.approach, self.squared_gap(), self.discriminant())
    }
}

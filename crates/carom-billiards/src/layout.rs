//! Balls on a table.

use crate::motion::length;
use crate::{Ball, Error, Table};
use carom_engine::DVec2;

/// Where balls lie on a table, at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The balls; a shot is played with that labelled [`Layout::CUE`].
    pub balls: Vec<Placed>,
}

/// A ball at its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// What it is called: `cue`, `1`, `pink`. No two of a layout are called the same.
    pub label: String,
    /// What it is.
    pub ball: Ball,
    /// Where it lies, in the frame of the table.
    pub at: DVec2,
}

impl Layout {
    /// The label of the ball that the cue strikes, unless a shot names another.
    pub const CUE: &'static str = "cue";

    /// No balls.
    #[must_use]
    pub fn new() -> Self {
        Layout::default()
    }

    /// With one more.
    #[must_use]
    pub fn with(mut self, label: impl Into<String>, ball: Ball, at: impl Into<DVec2>) -> Self {
        self.balls.push(Placed { label: label.into(), ball, at: at.into() });
        self
    }

    /// With a ball elsewhere.
    ///
    /// # Errors
    /// If there is no ball of this label.
    pub fn moved(mut self, label: &str, at: impl Into<DVec2>) -> Result<Self, Error> {
        let Some(k) = self.balls.iter().position(|placed| placed.label == label) else {
            return Err(Error::no_ball(label, self.balls.iter().map(|placed| placed.label.as_str())));
        };
        self.balls[k].at = at.into();
        Ok(self)
    }

    /// Refuses a ball whose centre is not between the noses, or whose label is another's.
    pub(crate) fn check_place(&self, k: usize, table: &Table) -> Result<(), Error> {
        let placed = &self.balls[k];
        if !placed.is_on(table) || !(placed.ball.radius > 0.0) {
            return Err(placed.off_table());
        }
        if self.balls[..k].iter().any(|other| other.label == placed.label) {
            let known = "each label once".into();
            return Err(Error::Unknown { what: "second ball", name: placed.label.clone(), known });
        }
        Ok(())
    }
}

impl Placed {
    /// Whether its centre is between the noses, and in no pocket.
    pub(crate) fn is_on(&self, table: &Table) -> bool {
        let inside = DVec2::new(table.width, table.length);
        let at = table.to_world(self.at);
        let falls = |&(center, mouth): &(DVec2, f64)| length(at - center) <= mouth;
        let is_inside = self.at.cmpge(DVec2::ZERO).all() && self.at.cmple(inside).all();
        is_inside && !table.pocket_circles().iter().any(falls)
    }

    pub(crate) fn off_table(&self) -> Error {
        Error::OffTable { label: self.label.clone(), x: self.at.x, y: self.at.y }
    }
}

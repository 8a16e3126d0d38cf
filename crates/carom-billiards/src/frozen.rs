//! Balls that touch others, or a cushion.

use crate::contact::centres_apart;
use crate::cushions::Cushions;
use crate::error::within;
use crate::motion::length;
use crate::{Ball, Error, Layout, Placed, Table};
use carom_engine::DVec2;
use carom_engine::math::elementary::unit_vector;
use carom_engine::math::toi::squared_gap;
use carom_engine::math::tolerance::touch_slack;

/// Where a ball is to lie, in the frame of the table: for [`Layout::find`].
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// At a point.
    At(DVec2),
    /// Frozen to another ball: it touches that, and its centre is in a direction from that of the other, in
    /// radians counter-clockwise from the x axis.
    FrozenToBall {
        /// The label of the other one.
        ball: String,
        /// The direction.
        direction: f64,
    },
    /// Frozen to the cushion that is nearest to a point on the table: it touches that where the point is
    /// nearest to it.
    FrozenToCushion {
        /// The point.
        near: DVec2,
    },
}

/// How often a ball that touches several others is moved. Each time halves what is left, or better.
const PASSES: usize = 32;

impl Layout {
    /// The point that a place is for a ball of this label.
    ///
    /// # Errors
    /// If it is to be frozen to a ball that is not there, or to a cushion near a point that is not on the
    /// table. Whether the place is free is seen by [`Layout::build`].
    ///
    /// ```
    /// # use carom_billiards::{Layout, Place, Table};
    /// let table = Table::pool_9ft();
    /// let layout = Layout::new().with("1", table.ball, [0.6, 1.2]);
    /// let beside = Place::FrozenToBall { ball: "1".into(), direction: 0.5 };
    /// let at = layout.find("2", &table.ball, &beside, &table)?;
    /// let game = layout.with("2", table.ball, at).build(&table)?;
    /// assert!(game.gap("1", "2")?.abs() < 1e-15);
    /// # Ok::<(), carom_billiards::Error>(())
    /// ```
    pub fn find(&self, label: &str, ball: &Ball, place: &Place, table: &Table) -> Result<DVec2, Error> {
        match place {
            Place::At(at) => Ok(*at),
            Place::FrozenToBall { ball: other, direction } => {
                within("direction", *direction, -1e6..=1e6, "a number from -1e6 to 1e6")?;
                let others = || self.balls.iter().filter(|placed| placed.label != label);
                let unknown = || {
                    let known: Vec<&str> = others().map(|placed| placed.label.as_str()).collect();
                    let known = if known.is_empty() { "none so far".into() } else { known.join(", ") };
                    Error::Unknown { what: "ball to be frozen to:", name: other.clone(), known }
                };
                let other = others().find(|placed| placed.label == *other).ok_or_else(unknown)?;
                let apart = centres_apart(other.ball.radius, ball.radius);
                Ok(other.at + unit_vector(*direction) * apart)
            }
            Place::FrozenToCushion { near } => {
                table.check()?;
                let point = Placed { label: label.into(), ball: *ball, at: *near };
                let touching = Cushions::of(table).touching(table.to_world(*near), ball.radius);
                touching
                    .filter(|_| point.is_on(table))
                    .map(|at| table.from_world(at))
                    .ok_or(point.off_table())
            }
        }
    }
}

impl Cushions {
    /// The place nearest to a point at which a ball touches the cushion that is nearest to the point.
    fn touching(&self, near: DVec2, radius: f64) -> Option<DVec2> {
        // From the nearest point of each, or from the axis of a round one, and how far from there.
        let straight = self.straight.iter().map(|nose| (nose.nearest(near), 0.0, nose.away(near)));
        let round = self.round.iter().map(|nose| (nose.center, nose.radius, near - nose.center));
        let gap = |(from, round, _): &(DVec2, f64, DVec2)| length(near - *from) - round;
        let nearest = straight.chain(round).min_by(|a, b| gap(a).total_cmp(&gap(b)));
        let (from, round, away) = nearest.filter(|(.., away)| length(*away) > 0.0)?;
        Some(from + away * ((round + radius) / length(away)))
    }
}

impl Placed {
    /// Where it is in the world. What touches as far as places in the frame of the table can say so touches
    /// there, too: near the centre of the table worlds have places that are closer together.
    pub(crate) fn settled(
        &self,
        table: &Table,
        cushions: &Cushions,
        others: impl Iterator<Item = (DVec2, f64)>,
    ) -> DVec2 {
        let (mut at, radius) = (table.to_world(self.at), self.ball.radius);
        let scale = |at: DVec2, point: DVec2, reach: f64| at.abs().max(point.abs()).max_element().max(reach);
        let touches = |(point, reach): &(DVec2, f64)| {
            let scale = scale(self.at, table.from_world(*point), *reach);
            (length(at - *point) - reach).abs() <= touch_slack(scale)
        };
        let mut touched: Vec<(DVec2, f64)> = others
            .map(|(other, other_radius)| (other, centres_apart(other_radius, radius)))
            .filter(touches)
            .collect();
        // The noses of a table without an outline are far from the centre.
        if table.outline.is_some() {
            let straight = cushions.straight.iter().map(|nose| (nose.nearest(at), radius));
            let round = cushions.round.iter().map(|nose| (nose.center, nose.radius + radius));
            touched.extend(straight.chain(round).filter(touches));
        }
        for _ in 0..PASSES {
            let mut is_settled = true;
            for &(point, reach) in &touched {
                let gap = squared_gap(at - point, reach) / (2.0 * reach);
                if gap.abs() > touch_slack(scale(at, point, reach)) {
                    at -= (at - point) * (gap / reach);
                    is_settled = false;
                }
            }
            if is_settled {
                break;
            }
        }
        at
    }
}

//! Ends that a part of a wall hides: over it the nearest place is no end.

use super::facet::{Shape, is_near};
use carom_math::DVec2;
use carom_math::toi::{self, Memory, Motion};

impl Shape {
    /// Whether another facet is an end that lies on it, within `slack`, and a disc is over it, not past its
    /// end. What is on its way through a one-sided wall passes ends of such walls, and hits all others;
    /// `memory` is what the disc remembers.
    pub(crate) fn covers(
        &self,
        end: &Shape,
        disc: &Motion,
        slack: f64,
        memory: impl FnOnce() -> Memory,
    ) -> bool {
        let Some(place) = end.end() else { return false };
        match self {
            Shape::Segment(segment) | Shape::OneSided(segment) => {
                let (to_end, to_center) = (place - segment.start, disc.position - segment.start);
                let (at_end, along) = (to_end.dot(segment.direction), to_center.dot(segment.direction));
                let is_held = || toi::gap_disc_one_sided_segment(disc, segment, memory()).is_some();
                let is_in_front = || {
                    to_center.dot(segment.normal()) > 0.0
                        && (matches!(end, Shape::OneSidedEnd { .. }) || is_held())
                };
                along > 0.0
                    && along < segment.length
                    && (-slack..=segment.length + slack).contains(&at_end)
                    && to_end.dot(segment.normal()).abs() <= slack
                    && (matches!(self, Shape::Segment(_)) || is_in_front())
            }
            Shape::Arc(arc) => {
                let (to_end, to_center) = (place - arc.circle.center, disc.position - arc.circle.center);
                (to_end.length() - arc.circle.radius).abs() <= slack
                    && arc.spans_within(to_end, slack)
                    && arc.spans_within(to_center, 0.0)
            }
            _ => false,
        }
    }

    /// Whether `end` is one of its ends, within `slack`, and what starts at `from` and runs straight to the
    /// end runs along it.
    pub(crate) fn leads(&self, from: DVec2, end: DVec2, slack: f64) -> bool {
        match self {
            Shape::Segment(segment) | Shape::OneSided(segment) => {
                let to_start = from - segment.start;
                let along = to_start.dot(segment.direction);
                (-slack..=segment.length + slack).contains(&along)
                    && to_start.dot(segment.normal()).abs() <= 2.0 * slack
                    && (from - end).abs().max_element() > slack
                    && self.ends().into_iter().flatten().any(|own| is_near(own.place, end, slack))
            }
            _ => false,
        }
    }
}

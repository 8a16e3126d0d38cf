//! Facets that are elsewhere at another time: arms that turn.

use super::facet::{Facet, Shape};
use carom_math::Time;
use carom_math::toi::Arm;
use core::ops::Deref;

/// The form of a facet at a time.
pub(crate) enum Posed<'a> {
    Kept(&'a Shape),
    Turned(Shape),
}

impl Deref for Posed<'_> {
    type Target = Shape;

    #[inline(always)]
    fn deref(&self) -> &Shape {
        match self {
            Posed::Kept(shape) => shape,
            Posed::Turned(shape) => shape,
        }
    }
}

impl Facet {
    /// Its form as it is at a time, not before that at which it was put up: an arm that turns is at the angle
    /// that it has then.
    #[inline(always)]
    pub(crate) fn shape_at(&self, time: Time) -> Posed<'_> {
        match &self.shape {
            Shape::Arm(arm) => Posed::Turned(Shape::Arm(arm.after(time.since(self.since)))),
            shape => Posed::Kept(shape),
        }
    }

    /// As `shape_at`, standing still from then on.
    pub(crate) fn frozen_at(&self, time: Time) -> Shape {
        match *self.shape_at(time) {
            Shape::Arm(arm) => Shape::Arm(Arm { rate: 0.0, lasts: f64::INFINITY, ..arm }),
            shape => shape,
        }
    }

    /// The arm that it is while that turns.
    #[inline(always)]
    pub(crate) fn arm(&self) -> Option<&Arm> {
        if let Shape::Arm(arm) = &self.shape { Some(arm) } else { None }
    }
}

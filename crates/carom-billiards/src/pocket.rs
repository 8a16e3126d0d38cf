//! Pockets: mouths, jaws and the circles into which balls fall.

use crate::Error;
use crate::error::within;
use carom_engine::DVec2;
use carom_engine::math::elementary::sin_cos;
use carom_engine::math::sqrt;
use core::f64::consts::FRAC_PI_4;

/// The six pockets of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pockets {
    /// At the corners.
    pub corner: Mouth,
    /// In the middle of the long cushions.
    pub side: Mouth,
    /// How deep cushions are, from the nose backwards: facings end there. In metres.
    pub cushion_width: f64,
}

/// One kind of pocket. A ball is potted as its centre reaches the circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mouth {
    /// Distance between the points in which the lines of noses and facings intersect, in metres.
    pub width: f64,
    /// Radius of the circle.
    pub radius: f64,
    /// Distance of its centre from the corner of the noses, or from the line of the noses at the side.
    pub depth: f64,
    /// By how much the two facings close in towards each other, each, in radians: the facing of a corner
    /// makes an angle of 135° and this with the nose, that of a side 90° and this.
    pub angle: f64,
    /// Radius of the jaws, where nose and facing meet.
    pub jaw_radius: f64,
}

impl Pockets {
    /// Of a 7-foot table.
    pub const SEVEN_FOOT: Pockets = Pockets {
        corner: Mouth {
            width: 0.118,
            radius: 0.062,
            depth: 0.0417,
            angle: degrees(5.3),
            jaw_radius: 0.02095,
        },
        side: Mouth {
            width: 0.137,
            radius: 0.0645,
            depth: 0.0685,
            angle: degrees(7.14),
            jaw_radius: 0.00795,
        },
        cushion_width: 0.0508,
    };

    /// In the middle of what the rules of pool allow (WPA, Tournament Table and Equipment Specifications):
    /// mouths of 4 9/16 and 5 1/16 inches, angles of 142° and 104°.
    pub const REGULATION: Pockets = Pockets {
        corner: Mouth { width: 0.1159, angle: degrees(7.0), ..Pockets::SEVEN_FOOT.corner },
        side: Mouth { width: 0.1286, angle: degrees(14.0), ..Pockets::SEVEN_FOOT.side },
        cushion_width: 0.0508,
    };

    /// Of a snooker table: the facings are parallel, and round into the noses.
    pub const SNOOKER: Pockets = Pockets {
        corner: Mouth { width: 0.0889, radius: 0.05, depth: 0.036, angle: 0.0, jaw_radius: 0.0762 },
        side: Mouth { width: 0.1048, radius: 0.05, depth: 0.054, angle: 0.0, jaw_radius: 0.0381 },
        cushion_width: 0.0508,
    };

    pub(crate) fn check(&self, ball_radius: f64) -> Result<(), Error> {
        within("pockets.cushion_width", self.cushion_width, 0.01..=0.5, "a number from 0.01 to 0.5")?;
        let names = [
            ["corner.width", "corner.radius", "corner.depth", "corner.angle", "corner.jaw_radius"],
            ["side.width", "side.radius", "side.depth", "side.angle", "side.jaw_radius"],
        ];
        for (mouth, [width, radius, depth, angle, jaw]) in [self.corner, self.side].into_iter().zip(names) {
            // A ball that has passed the jaws meets the circle, wherever it is.
            let passage = 0.5 * mouth.width - ball_radius;
            let allowed = "more than a ball and at most 0.5";
            within(width, mouth.width, 2.0 * ball_radius..=0.5, allowed)?;
            let allowed =
                "more than a ball's radius and half of the play of a ball in the mouth, at most 0.5";
            within(radius, mouth.radius, passage.max(1.01 * ball_radius)..=0.5, allowed)?;
            within(depth, mouth.depth, 0.0..=0.5, "a number from 0 to 0.5")?;
            within(angle, mouth.angle, 0.0..=0.5, "a number from 0 to 0.5 rad")?;
            within(jaw, mouth.jaw_radius, 1e-4..=0.5, "a number from 0.0001 to 0.5")?;
        }
        Ok(())
    }
}

/// Degrees in radians, for constants.
const fn degrees(angle: f64) -> f64 {
    angle * (core::f64::consts::PI / 180.0)
}

/// One side of a mouth: where the nose ends, the jaw, and the facing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Jaw {
    pub(crate) nose_end: DVec2,
    pub(crate) center: DVec2,
    pub(crate) radius: f64,
    pub(crate) facing: [DVec2; 2],
}

impl Mouth {
    /// The jaw of a nose along the y axis that comes from +y, the cushion at x < 0; its line meets that of
    /// the facing at `(0, tip)`. The facing goes in the direction `(−cos, −sin)`.
    fn jaw(&self, tip: f64, [sin, cos]: [f64; 2], cushion_width: f64) -> Jaw {
        // The tangents from the tip to the circle: r tan(½ of the angle by which the line turns).
        let tangent = self.jaw_radius * (1.0 - sin) / cos;
        let along = |reach: f64| DVec2::new(-reach * cos, tip - reach * sin);
        Jaw {
            nose_end: DVec2::new(0.0, tip + tangent),
            center: DVec2::new(-self.jaw_radius, tip + tangent),
            radius: self.jaw_radius,
            facing: [along(tangent), along((cushion_width / cos).max(tangent + 1e-3))],
        }
    }

    /// The jaw above a corner at the origin, of a table at x > 0 and y > 0.
    pub(crate) fn corner_jaw(&self, cushion_width: f64) -> Jaw {
        let (sin, cos) = sin_cos(FRAC_PI_4 + self.angle);
        self.jaw(self.width * sqrt(0.5), [sin, cos], cushion_width)
    }

    /// The jaw above a side pocket at the origin, of a table at x > 0.
    pub(crate) fn side_jaw(&self, cushion_width: f64) -> Jaw {
        let (sin, cos) = sin_cos(self.angle);
        self.jaw(0.5 * self.width, [sin, cos], cushion_width)
    }
}

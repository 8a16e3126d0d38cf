//! One disc as a ball: shadow, colour, stripe, number, light.

use glam::{DQuat, DVec2};

use crate::Rgb;
use crate::canvas::{Canvas, Opacity};
use crate::lettering::{Anchor, Lettering, Weight};
use crate::turned::{BALL_WHITE, Marks, SPOT};

/// How much work goes into a ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Finish {
    /// Round: soft shadow, shading, soft highlight.
    Round,
    /// A flat disc with an edge and a speck of light. In a movie of many discs soft shading is most of the
    /// file.
    Flat,
}

/// A disc as it is drawn, in pixels.
pub(crate) struct Ball<'a> {
    pub(crate) centre: DVec2,
    pub(crate) radius: f64,
    pub(crate) colour: Rgb,
    pub(crate) stripe: bool,
    pub(crate) label: Option<&'a str>,
    pub(crate) finish: Finish,
    /// The angle by which it is turned in the plane, counterclockwise, if it turns.
    pub(crate) turned: Option<f64>,
}

const BLACK: Rgb = Rgb(0, 0, 0);
/// Balls smaller than this, in pixels, get no shading: it would be noise.
const SHADED_FROM: f64 = 5.0;
/// Shadows grow with the ball up to here, in pixels, and then little.
const NARROWEST_SHADOW: f64 = 24.0;
/// Names that would have to be smaller than this on their ball, in pixels, stand in the legend.
const LEAST_NAME: f64 = 11.0;
/// How balls smaller than this, in pixels, are turned cannot be seen.
const TURNED_FROM: f64 = 2.0;
/// Labels on balls smaller than this cannot be read.
const LABELLED_FROM: f64 = 9.0;
/// Points and discs smaller than a pixel are still shown.
pub(crate) const LEAST_RADIUS: f64 = 0.9;

/// How a label stands on its ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lettered {
    /// A number: on a white spot, at this size.
    Spot(f64),
    /// A name: on the ball's colour, at this size.
    Plain(f64),
    /// Not at all: there is no room. A name may stand in the legend.
    Nowhere,
}

/// Whether and how there is room for a label on a ball of this radius.
pub(crate) fn lettered(label: &str, radius: f64, lettering: &Lettering) -> Lettered {
    let count = label.chars().count();
    if radius < LABELLED_FROM || count == 0 {
        return Lettered::Nowhere;
    }
    let fit = |size: f64, room: f64| {
        let width = lettering.width(label, size, Weight::Bold);
        if width > room { size * room / width } else { size }
    };
    if count <= 2 {
        return Lettered::Spot(fit(0.82 * radius, 1.72 * SPOT * radius));
    }
    let size = fit(0.6 * radius, 1.55 * radius);
    if size >= LEAST_NAME { Lettered::Plain(size) } else { Lettered::Nowhere }
}

impl Ball<'_> {
    /// The soft shadow on the cloth; all shadows are drawn before any ball.
    pub(crate) fn shadow(&self, canvas: &mut Canvas) {
        let r = self.radius;
        if r < SHADED_FROM || self.finish == Finish::Flat {
            return;
        }
        // A large disc is not high above the cloth: its shadow is as narrow as that of a ball.
        let high = r.min(NARROWEST_SHADOW + 0.15 * r);
        let centre = self.centre + DVec2::new(0.16, 0.22) * high;
        let reach = r + 0.3 * high;
        let at = |out: f64| (r + out * high) / reach;
        let fade = [(0.0, BLACK, 0.42), (at(-0.2), BLACK, 0.36), (at(0.06), BLACK, 0.16), (1.0, BLACK, 0.0)];
        canvas.shaded_disc(centre, reach, centre, reach, &fade);
    }

    /// The ball itself. An unlabelled, unstriped ball has exactly its colour at its centre.
    pub(crate) fn draw(&self, canvas: &mut Canvas, lettering: &Lettering) {
        let (c, r) = (self.centre, self.radius.max(LEAST_RADIUS));
        if self.stripe && r >= 3.0 {
            canvas.disc(c, r, BALL_WHITE, 1.0);
            canvas.polygon(&band(c, r, self.turned.unwrap_or(0.0)), self.colour, 1.0);
        } else {
            canvas.disc(c, r, self.colour, 1.0);
            if let Some(angle) = self.turned.filter(|_| r >= TURNED_FROM) {
                canvas.polygon(&half(c, r, angle), self.other_half(), 1.0);
            }
        }
        if let Some(label) = self.label {
            self.letter(canvas, lettering, label);
        }
        if r >= SHADED_FROM {
            match self.finish {
                Finish::Round => shading(canvas, c, r),
                Finish::Flat => canvas.disc(c + DVec2::new(-0.36, -0.4) * r, 0.17 * r, Rgb::WHITE, 0.7),
            }
        }
        self.edge(canvas);
    }

    /// As [`Ball::draw`], for a ball that has turned.
    pub(crate) fn draw_turned(
        &self,
        canvas: &mut Canvas,
        lettering: &Lettering,
        marks: &Marks<'_>,
        turned: DQuat,
    ) {
        let (c, r) = (self.centre, self.radius.max(LEAST_RADIUS));
        marks.paint(canvas, lettering, (c, r), turned);
        if r >= SHADED_FROM {
            shading(canvas, c, r);
        }
        self.edge(canvas);
    }

    /// The colour of the half by which one sees how a disc is turned.
    fn other_half(&self) -> Rgb {
        let is_dark = self.colour.lightness() < 0.72;
        if is_dark { self.colour.mix(Rgb::WHITE, 0.55) } else { self.colour.mix(BLACK, 0.4) }
    }

    fn edge(&self, canvas: &mut Canvas) {
        let (c, r) = (self.centre, self.radius.max(LEAST_RADIUS));
        if r >= 2.5 {
            let edge = self.colour.mix(BLACK, 0.55);
            let width = (0.06 * r).clamp(0.6, 2.5);
            canvas.circle(c, r - 0.5 * width, width, edge, 0.55);
        }
    }

    fn letter(&self, canvas: &mut Canvas, lettering: &Lettering, label: &str) {
        let (size, ink) = match lettered(label, self.radius, lettering) {
            Lettered::Spot(size) => {
                // A white ball needs no spot: the number stands on it as it is.
                if self.stripe || self.colour.distance(BALL_WHITE) > 0.08 {
                    canvas.disc(self.centre, SPOT * self.radius, BALL_WHITE, 1.0);
                }
                (size, Rgb::INK)
            }
            Lettered::Plain(size) => {
                (size, if self.colour.lightness() < 0.7 { Rgb::WHITE } else { Rgb::INK })
            }
            Lettered::Nowhere => return,
        };
        lettering.write(canvas, label, self.centre, Anchor::Middle, size, Weight::Bold, ink);
    }
}

/// Light from the upper left: darker towards the far edge, and a highlight. Neither reaches the centre.
fn shading(canvas: &mut Canvas, c: DVec2, r: f64) {
    let focus = c + DVec2::new(-0.28, -0.34) * r;
    let fade: [(f64, Rgb, Opacity); 4] =
        [(0.0, BLACK, 0.0), (0.55, BLACK, 0.0), (0.82, BLACK, 0.12), (1.0, BLACK, 0.34)];
    canvas.shaded_disc(c, r, focus, 1.45 * r, &fade);
    let light = c + DVec2::new(-0.38, -0.44) * r;
    let glow = [(0.0, Rgb::WHITE, 0.85), (0.35, Rgb::WHITE, 0.5), (1.0, Rgb::WHITE, 0.0)];
    canvas.shaded_disc(light, 0.36 * r, light, 0.36 * r, &glow);
}

/// The coloured band of a striped ball: the part of the circle within 0.56 radii of its equator.
fn band(c: DVec2, r: f64, turned: f64) -> Vec<DVec2> {
    let half = libm::asin(0.56);
    let steps = ((r * 1.5) as usize).clamp(6, 64);
    let side = |from: f64| arc(c, r, steps, [from - half - turned, from + half - turned]);
    side(0.0).chain(side(std::f64::consts::PI)).collect()
}

/// The half of a circle to the left of where it is turned to.
fn half(c: DVec2, r: f64, turned: f64) -> Vec<DVec2> {
    let steps = ((r * 2.0) as usize).clamp(8, 96);
    arc(c, r, steps, [-turned - std::f64::consts::PI, -turned]).collect()
}

/// Points of a circle from an angle to another, clockwise on the sheet.
fn arc(c: DVec2, r: f64, steps: usize, [from, to]: [f64; 2]) -> impl Iterator<Item = DVec2> {
    (0..=steps).map(move |k| {
        let (sin, cos) = libm::sincos(from + (to - from) * (k as f64 / steps as f64));
        c + DVec2::new(cos, sin) * r
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixel(canvas: &Canvas, width: usize, x: usize, y: usize) -> Rgb {
        let at = 4 * (y * width + x);
        Rgb(canvas.rgba()[at], canvas.rgba()[at + 1], canvas.rgba()[at + 2])
    }

    fn drawn_turned(radius: f64, stripe: bool, label: Option<&str>, turned: Option<f64>) -> Canvas {
        let mut canvas = Canvas::new(200, 200, Rgb::WHITE).unwrap();
        let ball = Ball {
            centre: DVec2::splat(100.5),
            radius,
            colour: Rgb(0xd1, 0x49, 0x5b),
            stripe,
            label,
            finish: Finish::Round,
            turned,
        };
        ball.shadow(&mut canvas);
        ball.draw(&mut canvas, &Lettering::new());
        canvas
    }

    fn drawn(radius: f64, stripe: bool, label: Option<&str>) -> Canvas {
        drawn_turned(radius, stripe, label, None)
    }

    #[test]
    fn the_centre_has_exactly_the_colour_at_every_size() {
        for radius in [1.5, 4.0, 8.0, 30.0, 80.0] {
            assert_eq!(pixel(&drawn(radius, false, None), 200, 100, 100), Rgb(0xd1, 0x49, 0x5b), "{radius}");
        }
    }

    /// The other half is to the left of where the disc is turned to: above it at first, to the left after a
    /// quarter turn counterclockwise. The stripe of a striped one stands upright then.
    #[test]
    fn a_disc_that_turns_shows_it() {
        let red = Rgb(0xd1, 0x49, 0x5b);
        let is_red = |stripe, turned, [x, y]: [usize; 2]| {
            pixel(&drawn_turned(60.0, stripe, None, Some(turned)), 200, x, y).distance(red) < 0.1
        };
        let (right, above, left, below) = ([125, 100], [100, 75], [75, 100], [100, 125]);
        let quarter = std::f64::consts::FRAC_PI_2;
        assert!(!is_red(false, 0.0, above) && is_red(false, 0.0, below));
        assert!(!is_red(false, quarter, left) && is_red(false, quarter, right));
        assert!(!is_red(false, 2.0 * quarter, below) && is_red(false, 2.0 * quarter, above));
        let (top, edge) = ([100, 55], [140, 100]);
        assert!(!is_red(true, 0.0, top) && is_red(true, 0.0, edge));
        assert!(is_red(true, quarter, top) && !is_red(true, quarter, edge));
    }

    #[test]
    fn a_stripe_has_white_poles_and_a_coloured_belt() {
        let canvas = drawn(60.0, true, None);
        assert_eq!(pixel(&canvas, 200, 100, 100), Rgb(0xd1, 0x49, 0x5b));
        assert!(pixel(&canvas, 200, 100, 55).distance(BALL_WHITE) < 0.1);
        assert!(pixel(&canvas, 200, 140, 100).distance(Rgb(0xd1, 0x49, 0x5b)) < 0.1);
    }

    #[test]
    fn a_number_stands_on_a_white_spot_inside_the_ball() {
        let (plain, numbered) = (drawn(60.0, false, None), drawn(60.0, false, Some("8")));
        assert_eq!(pixel(&numbered, 200, 100 + 26, 100), BALL_WHITE);
        let mut dark = 0;
        for y in 0..200 {
            for x in 0..200 {
                let far = (x as f64 - 100.0).hypot(y as f64 - 100.0) > 0.56 * 60.0;
                let now = pixel(&numbered, 200, x, y);
                assert!(!far || now == pixel(&plain, 200, x, y), "the spot leaks at {x} {y}");
                dark += u32::from(now == Rgb::INK);
            }
        }
        assert!(dark > 150, "{dark} pixels of ink");
        // A name needs a larger ball than a number; where there is no room nothing is written.
        assert_ne!(drawn(60.0, false, Some("name")).rgba(), plain.rgba());
        assert!(drawn(10.0, false, Some("name")).rgba() == drawn(10.0, false, None).rgba());
        assert!(drawn(8.0, false, Some("8")).rgba() == drawn(8.0, false, None).rgba());
    }
}

//! A ball that has turned: its stripe, numbers and dots where they are on the sphere.

use glam::{DQuat, DVec2, DVec3};

use crate::Rgb;
use crate::canvas::Canvas;
use crate::lettering::{Anchor, Lettering, Weight};

/// What is painted on a ball, from which one sees how it turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marks<'a> {
    /// The colour of the ball, or of its stripe.
    pub colour: Rgb,
    /// Whether the rest is white: the stripe goes round the middle.
    pub stripe: bool,
    /// A number, on white spots on two opposite sides.
    pub label: Option<&'a str>,
    /// The colour of dots on six sides, of a ball without a number.
    pub dots: Option<Rgb>,
}

/// The white of a striped ball, and of the spot under a number.
pub(crate) const BALL_WHITE: Rgb = Rgb(0xfb, 0xf8, 0xf0);
/// Radius of the spot under a number, as a share of the ball's.
pub(crate) const SPOT: f64 = 0.52;
/// Half the height of the stripe, in radii.
const STRIPE: f64 = 0.56;
/// Radius of the dots, in radii of the ball.
const DOT: f64 = 0.17;
/// Samples of a pixel along each axis.
const SAMPLES: u32 = 3;
/// Pixels across the picture of a number.
const STAMP: u32 = 64;

/// What is at a point of a ball.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Paint {
    Own,
    White,
    Ink,
    Dot,
}

/// A number on its white spot: how dark it is, from the lower left up.
struct Stamp(Option<Canvas>);

impl Stamp {
    fn new(label: Option<&str>, lettering: &Lettering) -> Self {
        let Some(label) = label else { return Self(None) };
        let Ok(mut canvas) = Canvas::new(STAMP, STAMP, Rgb::WHITE) else { return Self(None) };
        let across = f64::from(STAMP);
        let size = 0.79 * across;
        let width = lettering.width(label, size, Weight::Bold);
        let size = if width > 0.86 * across { size * 0.86 * across / width } else { size };
        let middle = DVec2::splat(0.5 * across);
        lettering.write(&mut canvas, label, middle, Anchor::Middle, size, Weight::Bold, Rgb(0, 0, 0));
        Self(Some(canvas))
    }

    /// Whether there is ink at a place of the spot, from −1 to 1 to the right and upwards.
    fn is_ink(&self, right: f64, up: f64) -> bool {
        let Some(canvas) = &self.0 else { return false };
        let pixel = |share: f64| ((0.5 + 0.5 * share) * f64::from(STAMP)) as usize;
        let (column, row) = (pixel(right).min(STAMP as usize - 1), pixel(-up).min(STAMP as usize - 1));
        canvas.rgba()[4 * (row * STAMP as usize + column)] < 128
    }
}

impl Marks<'_> {
    /// The colour at a point of the unit sphere, in the frame of the ball: the number is at x and −x, upright
    /// along z, and the stripe around z.
    fn at(&self, place: DVec3, stamp: &Stamp) -> Paint {
        let on = if self.stripe && place.z.abs() > STRIPE { Paint::White } else { Paint::Own };
        if self.label.is_some() && place.y * place.y + place.z * place.z < SPOT * SPOT {
            let right = place.y.copysign(place.y * place.x);
            let is_ink = stamp.is_ink(right / SPOT, place.z / SPOT);
            return if is_ink { Paint::Ink } else { Paint::White };
        }
        match self.dots {
            Some(_) if place.abs().max_element() > 1.0 - 0.5 * DOT * DOT => Paint::Dot,
            _ => on,
        }
    }

    /// Paints the disc of a ball that has turned like this from its first place, in which the number is in
    /// front and upright. The centre and the radius are in pixels; the frame has x to the right, y up the
    /// sheet and z towards the eye.
    pub(crate) fn paint(
        &self,
        canvas: &mut Canvas,
        lettering: &Lettering,
        (centre, radius): (DVec2, f64),
        turned: DQuat,
    ) {
        let stamp = Stamp::new(self.label, lettering);
        let back = turned.conjugate();
        let in_ball = |place: DVec3| {
            let place = back * place;
            DVec3::new(place.z, place.x, place.y)
        };
        let size = DVec2::new(f64::from(canvas.width()), f64::from(canvas.height()));
        let first = (centre - radius).floor().clamp(DVec2::ZERO, size);
        let last = (centre + radius).ceil().clamp(DVec2::ZERO, size);
        let paints = [self.colour, BALL_WHITE, Rgb::INK, self.dots.unwrap_or(self.colour)].map(Rgb::light);
        let share = 1.0 / f64::from(SAMPLES);
        let mut light = Vec::new();
        for row in first.y as u32..last.y as u32 {
            light.clear();
            for column in first.x as u32..last.x as u32 {
                let mut sum = [0.0_f32; 4];
                for k in 0..SAMPLES * SAMPLES {
                    let within =
                        DVec2::new(f64::from(k % SAMPLES) + 0.5, f64::from(k / SAMPLES) + 0.5) * share;
                    let off = (DVec2::new(f64::from(column), f64::from(row)) + within - centre) / radius;
                    let height = 1.0 - off.length_squared();
                    if height < 0.0 {
                        continue;
                    }
                    let place = in_ball(DVec3::new(off.x, -off.y, height.sqrt()));
                    let [red, green, blue] = paints[self.at(place, &stamp) as usize];
                    let of_pixel = (share * share) as f32;
                    for (sum, part) in sum.iter_mut().zip([red, green, blue, 1.0]) {
                        *sum += part * of_pixel;
                    }
                }
                light.push(sum);
            }
            canvas.cover(first.x as usize, row as usize, &light);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    const RED: Rgb = Rgb(0xd1, 0x30, 0x30);

    fn painted(marks: &Marks<'_>, turned: DQuat) -> Canvas {
        let mut canvas = Canvas::new(200, 200, Rgb(0, 90, 0)).unwrap();
        marks.paint(&mut canvas, &Lettering::new(), (DVec2::splat(100.0), 80.0), turned);
        canvas
    }

    fn pixel(canvas: &Canvas, x: usize, y: usize) -> Rgb {
        let at = 4 * (y * 200 + x);
        Rgb(canvas.rgba()[at], canvas.rgba()[at + 1], canvas.rgba()[at + 2])
    }

    fn is_near(a: Rgb, b: Rgb) -> bool {
        a.distance(b) < 0.02
    }

    /// A stripe lies across at first, upright after a quarter turn about the line of sight, and is a ring
    /// round the white pole when the ball has been tipped over.
    #[test]
    fn a_stripe_turns_with_its_ball() {
        let marks = Marks { colour: RED, stripe: true, label: None, dots: None };
        let first = painted(&marks, DQuat::IDENTITY);
        assert!(is_near(pixel(&first, 160, 100), RED) && is_near(pixel(&first, 100, 40), BALL_WHITE));
        let upright = painted(&marks, DQuat::from_rotation_z(FRAC_PI_2));
        assert!(is_near(pixel(&upright, 160, 100), BALL_WHITE) && is_near(pixel(&upright, 100, 40), RED));
        let tipped = painted(&marks, DQuat::from_rotation_x(FRAC_PI_2));
        assert!(is_near(pixel(&tipped, 100, 100), BALL_WHITE) && is_near(pixel(&tipped, 172, 100), RED));
        assert_eq!(pixel(&tipped, 5, 5), Rgb(0, 90, 0));
    }

    /// The number is in front, and upright; behind it is another one, which is not a mirror image.
    #[test]
    fn the_number_can_be_read_from_both_sides() {
        let marks = Marks { colour: RED, stripe: false, label: Some("4"), dots: None };
        let ink = |turned: DQuat| -> Vec<bool> {
            let canvas = painted(&marks, turned);
            let dark = |k: usize| pixel(&canvas, 60 + k % 80, 60 + k / 80).distance(Rgb::INK) < 0.3;
            (0..6400).map(dark).collect()
        };
        let front = ink(DQuat::IDENTITY);
        assert!(front.iter().filter(|dark| **dark).count() > 300);
        let behind = ink(DQuat::from_rotation_y(PI));
        let differ = front.iter().zip(&behind).filter(|(a, b)| a != b).count();
        assert!(differ < 40, "{differ}");
        // From the side there is none.
        assert!(ink(DQuat::from_rotation_y(FRAC_PI_2)).iter().all(|dark| !dark));
    }

    /// A turn to the right about the upright axis takes the dot in front to the right edge.
    #[test]
    fn dots_go_where_the_turn_takes_them() {
        let marks = Marks { colour: Rgb::WHITE, stripe: false, label: None, dots: Some(RED) };
        let turned = painted(&marks, DQuat::from_rotation_y(0.5));
        let x = 100.0 + 80.0 * 0.5_f64.sin();
        assert!(
            is_near(pixel(&turned, x as usize, 100), RED) && is_near(pixel(&turned, 100, 100), Rgb::WHITE)
        );
    }
}

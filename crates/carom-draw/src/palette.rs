//! Colours: of the sheet and what stands on it, and of discs without one.

use crate::recording::Recording;
use crate::{Rgb, Surface};

/// The colours of everything but the discs.
#[derive(Clone, Debug)]
pub(crate) struct Theme {
    pub(crate) page: Rgb,
    pub(crate) surface: Rgb,
    pub(crate) ink: Rgb,
    /// Text of less weight.
    pub(crate) grey: Rgb,
    pub(crate) wall: Rgb,
    /// How much thicker than an ordinary line walls are.
    pub(crate) wall_weight: f64,
    /// The inside of what is solid, and the hatching on it.
    pub(crate) solid: Rgb,
    pub(crate) hatch: Rgb,
    /// Impact points, and what makes them stand out.
    pub(crate) mark: Rgb,
    pub(crate) mark_edge: Rgb,
    pub(crate) cushion: Rgb,
}

/// The frame of a table.
pub(crate) const WOOD_LIGHT: Rgb = Rgb(0x9a, 0x6b, 0x42);
pub(crate) const WOOD: Rgb = Rgb(0x80, 0x53, 0x2f);
pub(crate) const WOOD_DARK: Rgb = Rgb(0x5a, 0x37, 0x1d);
pub(crate) const IVORY: Rgb = Rgb(0xf3, 0xe9, 0xd2);
pub(crate) const POCKET: Rgb = Rgb(0x17, 0x15, 0x14);

impl Theme {
    pub(crate) fn new(recording: &Recording) -> Self {
        let surface = recording.style.surface.colour();
        let dark = surface.lightness() < 0.65;
        let cloth = matches!(recording.style.surface, Surface::Cloth(_));
        let ink = Rgb::INK;
        let on_surface = if dark { Rgb(0xf4, 0xf2, 0xec) } else { Rgb(0x3a, 0x40, 0x4d) };
        let wall = if cloth { WOOD_DARK } else { on_surface };
        Self {
            page: Rgb(0xf8, 0xf6, 0xf1),
            surface,
            ink,
            grey: Rgb(0x5c, 0x5f, 0x68),
            wall,
            // Wood has to look like some.
            wall_weight: if cloth { 2.2 } else { 1.0 },
            solid: surface.mix(wall, 0.16),
            hatch: surface.mix(wall, 0.38),
            mark: if dark { Rgb(0xff, 0xfd, 0xf2) } else { ink },
            mark_edge: if dark { surface.mix(Rgb(0, 0, 0), 0.55) } else { surface },
            cushion: recording.style.cushion.unwrap_or(surface.mix(Rgb(0, 0, 0), 0.22)),
        }
    }

    /// Colour of a disc's trail on the surface, at this strength, 0..=1.
    pub(crate) fn trail(&self, disc: Rgb, strength: f64) -> Rgb {
        // A cue ball on white, or a green ball on green cloth, would draw nothing that one can see.
        let away = if self.surface.lightness() < 0.65 { Rgb::WHITE } else { Rgb::INK };
        let visible = (0..=4)
            .map(|k| disc.mix(away, 0.15 * f64::from(k)))
            .find(|c| c.distance(self.surface) > 0.2)
            .unwrap_or(away);
        self.surface.mix(visible, strength)
    }
}

/// Distinct for most eyes, on white and on cloth; as calm as colours can be that must be distinct.
const DISTINCT: [Rgb; 10] = [
    Rgb(0xd1, 0x49, 0x5b),
    Rgb(0x2e, 0x7f, 0xb8),
    Rgb(0xe9, 0xa2, 0x3b),
    Rgb(0x3a, 0x9d, 0x75),
    Rgb(0x7b, 0x5e, 0xa7),
    Rgb(0x17, 0xa2, 0xb0),
    Rgb(0xc6, 0x5d, 0x9b),
    Rgb(0x8c, 0x6d, 0x46),
    Rgb(0x5a, 0x6b, 0x7b),
    Rgb(0x9a, 0xa8, 0x2f),
];

/// From left to right for a crowd: where each disc came from stays visible when they mix.
const CROWD: [Rgb; 5] = [
    Rgb(0x2f, 0x4b, 0x9c),
    Rgb(0x2a, 0x8f, 0xb8),
    Rgb(0x63, 0xb5, 0x88),
    Rgb(0xee, 0xae, 0x45),
    Rgb(0xd2, 0x4b, 0x3e),
];

/// A colour along [`CROWD`], 0..=1.
fn along(t: f64) -> Rgb {
    let steps = (CROWD.len() - 1) as f64;
    let place = if t.is_nan() { 0.0 } else { t.clamp(0.0, 1.0) * steps };
    let k = (place as usize).min(CROWD.len() - 2);
    CROWD[k].mix(CROWD[k + 1], place - k as f64)
}

/// The colour of each disc: its own; else one of ten, by order; in a crowd by where it started, from left to
/// right.
pub(crate) fn disc_colours(recording: &Recording) -> Vec<Rgb> {
    let unnamed = recording.actors.iter().filter(|a| a.look.colour.is_none());
    let few = unnamed.clone().count() <= DISTINCT.len();
    let (left, right) = unnamed
        .map(|a| a.track.start.x)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, r), x| (l.min(x), r.max(x)));
    let mut next = DISTINCT.iter();
    recording
        .actors
        .iter()
        .map(|actor| {
            actor.look.colour.unwrap_or_else(|| match next.next() {
                Some(colour) if few => *colour,
                // Halves first: the difference of two huge coordinates could overflow.
                _ => along((actor.track.start.x * 0.5 - left * 0.5) / (right * 0.5 - left * 0.5)),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;
    use crate::recording::Actor;
    use crate::track::{Piece, Track};
    use crate::{Look, Style};

    fn in_a_row(count: usize) -> Recording {
        let mut recording = Recording::new(Style::default(), 0.0, 1);
        for k in 0..count {
            let first = Piece::straight(0.0, DVec2::new(k as f64, 0.0), DVec2::ZERO);
            let actor = Actor { radius: 0.5, look: Look::default(), track: Track::new(first) };
            recording.actors.push(actor);
        }
        recording
    }

    #[test]
    fn a_few_discs_get_colours_that_differ() {
        let mut recording = in_a_row(10);
        recording.actors[3].look.colour = Some(Rgb::WHITE);
        let colours = disc_colours(&recording);
        assert_eq!(colours[3], Rgb::WHITE);
        for (i, a) in colours.iter().enumerate() {
            for b in &colours[..i] {
                assert!(a.distance(*b) > 0.06, "{a} {b}");
            }
        }
    }

    #[test]
    fn a_crowd_is_coloured_from_left_to_right() {
        let colours = disc_colours(&in_a_row(1001));
        assert_eq!((colours[0], colours[500], colours[1000]), (CROWD[0], CROWD[2], CROWD[4]));
        assert!(colours.windows(2).all(|w| w[0].distance(w[1]) < 0.02));
        // All at one place: any colour, but no panic and no division by zero that shows.
        let mut same = in_a_row(50);
        same.actors.iter_mut().for_each(|a| a.track.start = DVec2::ZERO);
        assert_eq!(disc_colours(&same)[7], CROWD[0]);
    }

    #[test]
    fn trails_can_be_seen_on_every_surface() {
        for surface in [Rgb::WHITE, Rgb(0x1f, 0x7a, 0x5a), Rgb(0x20, 0x24, 0x30), Rgb(0x2a, 0x5c, 0x99)] {
            let style = Style { surface: Surface::Plain(surface), ..Style::default() };
            let theme = Theme::new(&Recording::new(style, 0.0, 1));
            for disc in [Rgb::WHITE, surface, Rgb(0, 0, 0), Rgb(0xf2, 0xc1, 0x2e)] {
                assert!(theme.trail(disc, 0.8).distance(surface) > 0.12, "{disc} on {surface}");
            }
        }
    }
}

//! The picture: the whole run on one sheet, as a PNG.

use crate::DrawError;
use crate::ball::Finish;
use crate::canvas::Canvas;
use crate::legend;
use crate::recording::Recording;
use crate::stage::Stage;
use crate::trail::Trails;

/// Draws a recording.
pub(crate) fn draw(recording: &Recording, width: u32) -> Result<Canvas, DrawError> {
    let stage = Stage::new(recording, width, true);
    let mut canvas = stage.ground()?;
    let end = recording.end;
    let few = stage.is_few();
    let mut trails = Trails {
        from: recording.known_from,
        to: end,
        strength: if few { (0.28, 0.95) } else { (0.08, 0.6) },
        widest: if few { stage.view.line(2.4, 1.2) } else { stage.view.line(1.2, 0.9) },
        // What a few discs draw is the picture; what many draw is its background.
        ink: if few { 0.45 } else { 0.12 },
    };
    trails.from = trails.legible_from(&stage.view, recording);

    stage.ghosts(&mut canvas, end);
    trails.draw(&mut canvas, &stage.view, &stage.theme, recording, &stage.colours);
    stage.fixtures(&mut canvas);
    stage.marks(&mut canvas, trails.from, end);
    stage.discs(&mut canvas, end, Finish::Round);
    stage.trim(&mut canvas);
    let clock = stage.clock(end, 3);
    stage.title(&mut canvas, &clock);
    stage.aside(&mut canvas, &clock);
    legend::draw(&mut canvas, &stage, &trails);
    Ok(canvas)
}

/// A recording as a PNG.
pub(crate) fn png(recording: &Recording, width: u32) -> Result<Vec<u8>, DrawError> {
    encode(&draw(recording, width)?)
}

/// A sheet as a PNG.
pub(crate) fn encode(canvas: &Canvas) -> Result<Vec<u8>, DrawError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, canvas.width(), canvas.height());
    // Every pixel is opaque: three bytes each are enough.
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&canvas.rgb())?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use carom_testkit::property::config;
    use glam::DVec2;
    use proptest::prelude::*;

    use super::*;
    use crate::demo;
    use crate::recording::{Actor, Mark};
    use crate::track::{Piece, Track};
    use crate::{Look, MovieOptions, Rgb, Style, Surface};
    use carom_engine::WallShape;

    /// A picture read back.
    struct Read {
        width: u32,
        height: u32,
        rgb: Vec<u8>,
    }

    impl Read {
        fn new(bytes: &[u8]) -> Self {
            let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
            let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut rgb).unwrap();
            assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
            Self { width: info.width, height: info.height, rgb }
        }

        fn of(recording: &Recording, width: u32) -> Self {
            Self::new(&png(recording, width).unwrap())
        }

        fn at(&self, p: DVec2) -> Rgb {
            let at = 3 * (p.y as usize * self.width as usize + p.x as usize);
            Rgb(self.rgb[at], self.rgb[at + 1], self.rgb[at + 2])
        }

        /// The box around all pixels that differ from another picture's.
        fn changes(&self, other: &Self) -> crate::clip::Area {
            assert_eq!((self.width, self.height), (other.width, other.height));
            let (mut min, mut max) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
            for (k, (a, b)) in self.rgb.chunks(3).zip(other.rgb.chunks(3)).enumerate() {
                if a != b {
                    let p = DVec2::new((k % self.width as usize) as f64, (k / self.width as usize) as f64);
                    (min, max) = (min.min(p), max.max(p + DVec2::ONE));
                }
            }
            crate::clip::Area::new(min, max)
        }
    }

    fn v(x: f64, y: f64) -> DVec2 {
        DVec2::new(x, y)
    }

    fn flying(from: DVec2, velocity: DVec2, radius: f64, colour: Rgb) -> Actor {
        let first = Piece::straight(0.0, from, velocity);
        let look = Look { colour: Some(colour), ..Look::default() };
        Actor { radius, look, track: Track::new(first) }
    }

    #[test]
    fn every_ball_is_where_it_ended_in_its_colour() {
        let mut recording = demo::nine_ball(1.6);
        recording.actors.iter_mut().for_each(|a| a.look.label = None);
        let read = Read::of(&recording, 1200);
        let view = Stage::new(&recording, 1200, true).view;
        assert_eq!((read.width, read.height), (1200, view.height));
        for actor in &recording.actors {
            let centre = view.place(actor.track.position_at(recording.end));
            assert_eq!(Some(read.at(centre)), actor.look.colour, "at {centre}");
        }
        // Between the balls is cloth, exactly; around the table is page.
        assert_eq!(read.at(view.place(v(1.0, 0.25))), recording.style.surface.colour());
        assert_eq!(read.at(v(2.0, 2.0)), Rgb(0xf8, 0xf6, 0xf1));
        // The frame is wood: brown, that is red over green over blue.
        let Rgb(r, g, b) = read.at(view.place(v(0.1, -0.12)));
        assert!(r > g && g > b, "{r} {g} {b}");
    }

    #[test]
    fn a_trail_covers_its_path_and_nothing_else() {
        let red = Rgb(0xd1, 0x20, 0x30);
        let mut recording = Recording::new(Style::default(), 0.0, 100);
        recording.outlines.push(WallShape::Container { min: v(0.0, 0.0), max: v(10.0, 6.0) });
        let empty = Read::of(&recording, 1000);
        recording.actors.push(flying(v(2.0, 1.0), v(1.0, 0.0), 0.3, red));
        recording.push(0, Piece::straight(4.0, v(6.0, 1.0), v(0.0, 1.0)));
        recording.end = 7.0;
        let view = Stage::new(&recording, 1000, true).view;
        // Without the words below and above, which of course differ.
        let (top, bottom) = (view.plot.min.y as usize, view.plot.max.y as usize);
        let row = 3 * 1000;
        let mut drawn = Read::of(&recording, 1000);
        drawn.rgb[..top * row].copy_from_slice(&empty.rgb[..top * row]);
        drawn.rgb[bottom * row..].copy_from_slice(&empty.rgb[bottom * row..]);

        let changes = drawn.changes(&empty);
        let r = view.length(0.3);
        let (ghost, disc) = (view.place(v(2.0, 1.0)), view.place(v(6.0, 4.0)));
        assert!((changes.min.x - (ghost.x - r)).abs() <= 1.5, "{changes:?} {ghost} {r}");
        assert!((changes.max.y - (ghost.y + r)).abs() <= 1.5, "{changes:?} {ghost} {r}");
        // The disc's shadow reaches a little further, mostly to the right and below.
        assert!(changes.min.y <= disc.y - r && changes.min.y >= disc.y - 1.1 * r, "{changes:?} {disc} {r}");
        assert!(changes.max.x >= disc.x + r && changes.max.x <= disc.x + 1.5 * r, "{changes:?} {disc} {r}");

        // On the path there is trail, the older the fainter; beside it there is nothing.
        let strength = |p: DVec2| drawn.at(view.place(p)).distance(Rgb::WHITE);
        let along: Vec<f64> = [v(3.0, 1.0), v(5.0, 1.0), v(6.0, 2.0), v(6.0, 3.4)].map(strength).to_vec();
        assert!(along[0] > 0.05 && along.windows(2).all(|w| w[0] < w[1]), "{along:?}");
        assert_eq!(strength(v(4.0, 2.0)), 0.0);
        assert!(drawn.at(ghost).distance(red) > 0.2, "the start is only faint");
    }

    #[test]
    fn impacts_are_marked_where_they_were() {
        let mut recording = demo::cradle();
        recording.mark(Mark { time: 3.5, point: v(-1.5, 0.3), at_wall: false, impact: 1 });
        recording.mark(Mark { time: 3.5, point: v(-2.0, 0.3), at_wall: true, impact: 2 });
        let (read, view) = (Read::of(&recording, 1600), Stage::new(&recording, 1600, true).view);
        assert_eq!(read.at(view.place(v(-1.5, 0.3))), Rgb::INK, "a dot is full");
        assert_eq!(read.at(view.place(v(-2.0, 0.3))), Rgb::WHITE, "a ring is hollow");
        assert_ne!(read.at(view.place(v(-2.0, 0.3)) + v(3.3, 0.0)), Rgb::WHITE);
    }

    #[test]
    fn the_solid_side_of_a_half_plane_is_shaded() {
        let mut recording =
            Recording::new(Style { bounds: Some((v(-1.0, -1.0), v(1.0, 1.0))), ..Style::default() }, 0.0, 1);
        recording.outlines.push(WallShape::HalfPlane { point: v(0.0, 0.0), normal: v(0.6, 0.8) });
        let (read, view) = (Read::of(&recording, 400), Stage::new(&recording, 400, true).view);
        for (p, solid) in
            [(v(0.5, 0.5), false), (v(0.5, -0.3), false), (v(0.5, -0.5), true), (v(-0.7, -0.7), true)]
        {
            assert_eq!(read.at(view.place(p)) != Rgb::WHITE, solid, "{p}");
        }
    }

    #[test]
    fn a_crowd_is_drawn_whole() {
        let recording = demo::gas(30, 0.4);
        let (read, view) = (Read::of(&recording, 1200), Stage::new(&recording, 1200, true).view);
        let colours = crate::palette::disc_colours(&recording);
        for (actor, colour) in recording.actors.iter().zip(colours) {
            assert_eq!(read.at(view.place(actor.track.position_at(recording.end))), colour);
        }
    }

    #[test]
    fn the_same_recording_gives_the_same_bytes() {
        for recording in
            [demo::nine_ball(0.8), demo::gas(8, 1.0), demo::all_walls(), demo::cloth_without_table()]
        {
            let again = recording.clone();
            assert!(png(&recording, 500).unwrap() == png(&again, 500).unwrap());
        }
    }

    #[test]
    fn scenes_without_anything_in_them_can_be_drawn() {
        for surface in [Surface::default(), Surface::Cloth(Rgb(0x1f, 0x7a, 0x66))] {
            let style = Style { surface, title: Some(String::new()), ..Style::default() };
            let mut recording = Recording::new(style, 0.0, 1);
            assert_eq!(Read::of(&recording, 320).width, 320);
            // One point at rest.
            recording.actors.push(flying(v(3.0, 4.0), DVec2::ZERO, 0.0, Rgb(1, 2, 3)));
            let (read, view) = (Read::of(&recording, 320), Stage::new(&recording, 320, true).view);
            assert!(read.at(view.place(v(3.0, 4.0))).distance(Rgb(1, 2, 3)) < 0.25);
            // A table without area.
            recording.outlines.push(WallShape::Container { min: v(3.0, 4.0), max: v(3.0, 4.0) });
            assert_eq!(Read::of(&recording, 320).width, 320);
        }
    }

    /// A pocket as large as the world and a disc as small as an atom on one small sheet: its circle, cut to
    /// the sheet, has edges that the rasteriser's fixed-point numbers round across the sheet's border.
    #[test]
    fn a_huge_pocket_beside_a_tiny_disc_can_be_drawn() {
        let style = Style { pockets: vec![(v(0.0, -6.99), 1e15)], ..Style::default() };
        let mut recording = Recording::new(style, 0.0, 8);
        recording.actors.push(flying(DVec2::ZERO, DVec2::ZERO, 1e-15, Rgb(1, 2, 3)));
        for width in [32, 33, 90, 240, 1600] {
            assert_eq!(Read::of(&recording, width).width, width);
        }
    }

    fn nasty() -> impl Strategy<Value = f64> {
        prop_oneof![
            4 => -10.0..10.0_f64,
            2 => (-16.0..18.0_f64, any::<bool>()).prop_map(|(exponent, negative)| {
                let size = 10_f64.powf(exponent);
                if negative { -size } else { size }
            }),
            1 => prop::sample::select(vec![
                0.0, -0.0, 1e-15, -1e-15, 1e15, -1e15, 1e150, -1e150, 1e308, -1e308, 5e-324,
                f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.0,
            ]),
        ]
    }

    fn place() -> impl Strategy<Value = DVec2> {
        (nasty(), nasty()).prop_map(|(x, y)| v(x, y))
    }

    fn any_outline() -> impl Strategy<Value = WallShape> {
        (0..9, place(), place(), nasty(), nasty(), prop::collection::vec(place(), 0..6)).prop_map(
            |(kind, a, b, r, s, points)| match kind {
                0 => WallShape::HalfPlane { point: a, normal: b.normalize_or_zero() },
                1 => WallShape::Segment { a, b },
                2 => WallShape::OneSidedSegment { a, b },
                3 => WallShape::Disc { center: a, radius: r },
                4 => WallShape::Circle { center: a, radius: r },
                5 => WallShape::Arc { center: a, radius: r, start: s, sweep: b.x },
                6 => WallShape::Polyline { points, closed: s > 0.0 },
                7 => WallShape::Container { min: a, max: b },
                _ => WallShape::Stadium { center: a, half_length: r, radius: s },
            },
        )
    }

    proptest! {
        #![proptest_config(config(400))]
        #[test]
        fn nothing_panics_or_hangs_whatever_the_numbers(
            outlines in prop::collection::vec(any_outline(), 0..5),
            discs in prop::collection::vec((place(), place(), nasty()), 0..5),
            pieces in prop::collection::vec((0..5_usize, nasty(), place(), place()), 0..12),
            table in any::<bool>(),
            pocket in (place(), nasty()),
            end in nasty(),
            width in prop::sample::select(vec![32_u32, 90, 240, 333]),
        ) {
            let surface = if table { Surface::Cloth(Rgb(20, 120, 80)) } else { Surface::default() };
            let title = Some("Ωåß\u{0}🎱".into());
            let style = Style { surface, pockets: vec![pocket], title, ..Style::default() };
            let mut recording = Recording::new(style, end, 8);
            recording.outlines = outlines;
            for (position, velocity, radius) in discs {
                let track = Track::new(Piece::straight(0.0, position, velocity));
                let look = Look { label: Some("7".into()), stripe: table, ..Look::default() };
                recording.actors.push(Actor { radius, look, track });
            }
            for (k, time, position, velocity) in pieces {
                recording.push(k, Piece::straight(time, position, velocity));
                let (time, impact) = (recording.end, k as u64);
                recording.mark(Mark { time, point: position, at_wall: table, impact });
            }
            let read = Read::of(&recording, width);
            prop_assert_eq!(read.width, width);
            let options = MovieOptions { width: 48, max_frames: 3, ..MovieOptions::default() };
            crate::movie::write(&recording, std::io::sink(), &options, &mut |_, _| ()).unwrap();
        }
    }
}

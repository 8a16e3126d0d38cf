//! A recorder on real worlds: what it draws is where the engine has the discs.

use carom_draw::{DrawError, Look, MovieOptions, Recorder, Rgb, Style, Surface};
use carom_engine::{DVec2, Disc, DiscId, Settings, Wall, World};

const RED: Rgb = Rgb(0xd1, 0x20, 0x30);
const BLUE: Rgb = Rgb(0x1f, 0x4e, 0xa8);

fn v(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

/// A picture read back, of a scene whose bounds are its style's.
struct Picture {
    width: usize,
    rgb: Vec<u8>,
    min: DVec2,
    scale: f64,
    bottom: f64,
}

/// Width, height and pixels.
fn decoded(png: &[u8]) -> (usize, usize, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut rgb = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut rgb).unwrap();
    (info.width as usize, info.height as usize, rgb)
}

impl Picture {
    /// `min` and `max` are the bounds that the style names, wider than high.
    fn new(png: &[u8], min: DVec2, max: DVec2) -> Self {
        let (width, height, rgb) = decoded(png);
        // The white sheet between the page's margins: found, not assumed.
        let white = |x: usize, y: usize| rgb[3 * (y * width + x)..][..3] == [255, 255, 255];
        let middle = height / 2;
        let left = (0..width).find(|x| white(*x, middle)).unwrap();
        let right = (0..width).rfind(|x| white(*x, middle)).unwrap() + 1;
        let near_left = left + 20;
        let bottom = (middle..height).take_while(|y| white(near_left, *y)).last().unwrap() + 1;
        let scale = (right - left) as f64 / (max.x - min.x);
        Self { width, rgb, min: min - v(left as f64 / scale, 0.0), scale, bottom: bottom as f64 }
    }

    fn at(&self, p: DVec2) -> Rgb {
        let d = (p - self.min) * self.scale;
        let at = 3 * ((self.bottom - d.y) as usize * self.width + d.x as usize);
        Rgb(self.rgb[at], self.rgb[at + 1], self.rgb[at + 2])
    }
}

fn coloured(colours: &[Rgb]) -> Vec<Look> {
    colours.iter().map(|c| Look { colour: Some(*c), ..Look::default() }).collect()
}

fn white_sheet(min: DVec2, max: DVec2) -> Style {
    Style { bounds: Some((min, max)), width: 1000, ..Style::default() }
}

/// Two discs that meet head on in the open; the second is at rest before and the first after.
fn two_discs() -> (World, [DiscId; 2]) {
    let mut world = World::new();
    let a = world.insert(Disc::new(v(1.0, 1.0), 0.25).with_velocity(v(2.0, 0.0))).unwrap();
    let b = world.insert(Disc::new(v(3.0, 1.0), 0.25)).unwrap();
    (world, [a, b])
}

#[test]
fn discs_trails_and_impacts_are_where_the_engine_has_them() {
    let (min, max) = (v(0.0, 0.0), v(8.0, 4.0));
    let (mut world, ids) = two_discs();
    let mut recorder = Recorder::new(&world, &ids, coloured(&[RED, BLUE]), white_sheet(min, max)).unwrap();
    // They meet at 0.75 s, where the centres are at 2.5 and 3.
    world.advance_with(2.0, &mut recorder).unwrap();
    recorder.finish(&world);
    let picture = Picture::new(&recorder.picture_png().unwrap(), min, max);
    for (id, colour) in ids.into_iter().zip([RED, BLUE]) {
        assert_eq!(picture.at(world.get(id).unwrap().position()), colour);
    }
    assert_eq!(world.get(ids[1]).unwrap().position().x, 5.5);
    for trail in [v(1.5, 1.0), v(2.0, 1.0), v(4.0, 1.0), v(5.0, 1.0)] {
        assert_ne!(picture.at(trail), Rgb(255, 255, 255), "{trail}");
    }
    for empty in [v(6.5, 1.0), v(0.5, 1.0), v(2.0, 1.5), v(4.0, 2.0)] {
        assert_eq!(picture.at(empty), Rgb(255, 255, 255), "{empty}");
    }
}

/// One period is drawn. A disc that flies over its edge comes in at the other one, its trail is cut there,
/// and one that hangs over an edge is seen at both. After 3 s the disc is at 0.5 + 3 · 2 = 6.5, which is 2.5
/// with a period of 4.
#[test]
fn in_a_periodic_world_paths_go_on_at_the_other_edge() {
    let (min, max) = (v(0.0, 0.0), v(4.0, 2.0));
    let settings = Settings::default().with_period([Some(4.0), Some(2.0)]);
    let mut world = World::with_settings(settings).unwrap();
    let flying = world.insert(Disc::new(v(0.5, 1.5), 0.1).with_velocity(v(2.0, 0.0))).unwrap();
    let resting = world.insert(Disc::new(v(2.0, 0.05), 0.25)).unwrap();
    let style = Style { width: 1000, ..Style::default() };
    let mut recorder = Recorder::new(&world, &[flying, resting], coloured(&[RED, BLUE]), style).unwrap();
    world.advance_with(3.0, &mut recorder).unwrap();
    recorder.finish(&world);
    assert_eq!(world.get(flying).unwrap().position().x, 2.5);
    // Without bounds in the style those of the period are shown.
    let picture = Picture::new(&recorder.picture_png().unwrap(), min, max);
    assert_eq!(picture.at(v(2.5, 1.5)), RED);
    assert_eq!(picture.at(v(2.0, 0.05)), BLUE);
    assert_eq!(picture.at(v(2.0, 1.95)), BLUE, "hangs over the lower edge, and is seen at the upper one");
    for trail in [v(1.5, 1.5), v(3.5, 1.5), v(3.9, 1.5)] {
        assert_ne!(picture.at(trail), Rgb(255, 255, 255), "{trail}");
    }
    for empty in [v(1.5, 1.0), v(3.5, 0.5), v(0.5, 0.5)] {
        assert_eq!(picture.at(empty), Rgb(255, 255, 255), "{empty}");
    }
    // A movie of it has frames with the disc on either side.
    assert!(
        recorder.movie_gif(&MovieOptions { width: 100, ..MovieOptions::default() }).unwrap().len() > 1000
    );
}

#[test]
fn slicing_the_run_changes_no_byte() {
    let draw = |slices: u32| {
        let mut world = World::new();
        world.add_wall(Wall::container(v(0.0, 0.0), v(4.0, 2.0))).unwrap();
        let mut ids = Vec::new();
        for k in 0..6 {
            let x = 0.4 + 0.6 * f64::from(k);
            let disc = Disc::new(v(x, 1.0), 0.15).with_velocity(v(1.0 - 0.3 * f64::from(k), 0.7 * x));
            ids.push(world.insert(disc).unwrap());
        }
        let style = Style { surface: Surface::Cloth(Rgb(0x1f, 0x7a, 0x66)), width: 400, ..Style::default() };
        let mut recorder = Recorder::new(&world, &ids, Vec::new(), style).unwrap();
        for k in 1..=slices {
            world.advance_to_with(4.0 * f64::from(k) / f64::from(slices), &mut recorder).unwrap();
        }
        recorder.finish(&world);
        let options = MovieOptions { width: 200, ..MovieOptions::default() };
        (recorder.picture_png().unwrap(), recorder.movie_gif(&options).unwrap())
    };
    let (whole, sliced) = (draw(1), draw(64));
    assert!(whole.0 == sliced.0, "the picture");
    assert!(whole.1 == sliced.1, "the movie");
}

#[test]
fn edits_are_followed_with_a_note() {
    let (min, max) = (v(0.0, 0.0), v(8.0, 4.0));
    let (mut world, ids) = two_discs();
    let mut recorder = Recorder::new(&world, &ids, coloured(&[RED, BLUE]), white_sheet(min, max)).unwrap();
    world.advance_with(0.5, &mut recorder).unwrap();
    world.set_velocity(ids[0], v(0.0, 4.0)).unwrap();
    world.remove(ids[1]).unwrap();
    recorder.note(&world);
    world.advance_with(0.5, &mut recorder).unwrap();
    recorder.finish(&world);
    let picture = Picture::new(&recorder.picture_png().unwrap(), min, max);
    assert_eq!(picture.at(v(2.0, 3.0)), RED);
    assert_ne!(picture.at(v(2.0, 2.0)), Rgb(255, 255, 255), "the trail turns where the disc was edited");
    assert_eq!(picture.at(v(3.0, 1.0)), Rgb(255, 255, 255), "a removed disc is not there at the end");
}

#[test]
fn a_small_limit_keeps_the_end_right() {
    let mut world = World::new();
    world.add_wall(Wall::container(v(0.0, 0.0), v(8.0, 4.0))).unwrap();
    let id = world.insert(Disc::new(v(1.0, 1.0), 0.25).with_velocity(v(31.0, 17.0))).unwrap();
    let style = white_sheet(v(0.0, 0.0), v(8.0, 4.0));
    let mut recorder = Recorder::new(&world, &[id], coloured(&[RED]), style).unwrap().with_limit(10);
    world.advance_with(100.0, &mut recorder).unwrap();
    recorder.finish(&world);
    let picture = Picture::new(&recorder.picture_png().unwrap(), v(0.0, 0.0), v(8.0, 4.0));
    assert_eq!(picture.at(world.get(id).unwrap().position()), RED);
    // A run of 100 s would have 2501 frames; what is still known has a handful.
    let mut frames = 0;
    let options = MovieOptions { width: 100, ..MovieOptions::default() };
    recorder.write_movie(std::io::sink(), &options, &mut |_, all| frames = all).unwrap();
    assert!((2..200).contains(&frames), "{frames}");
}

#[test]
fn every_kind_of_wall_is_drawn() {
    let (min, max) = (v(-2.0, -1.5), v(2.0, 1.5));
    let walls = [
        (Wall::half_plane(v(0.0, -0.5), v(0.0, 3.0)), v(0.5, -0.9)),
        (Wall::segment(v(-1.0, -1.0), v(1.0, 1.0)), v(0.5, 0.5)),
        (Wall::one_sided_segment(v(-1.0, 0.5), v(1.0, 0.5)), v(0.3, 0.5)),
        (Wall::disc(v(0.5, 0.5), 0.4), v(0.5, 0.5)),
        (Wall::circle(v(0.0, 0.0), 1.0), v(0.6, 0.8)),
        (Wall::arc(v(0.0, 0.0), 1.0, 0.0, 1.5), v(0.6, 0.8)),
        (Wall::polyline(&[v(-1.0, 0.0), v(0.0, 1.0), v(1.0, 0.0)]), v(0.5, 0.5)),
        (Wall::polygon(&[v(-1.0, 0.0), v(0.0, 1.0), v(1.0, 0.0)]), v(0.5, 0.0)),
        (Wall::rectangle(v(-1.0, -1.0), v(1.0, 1.0)), v(1.0, 0.5)),
        (Wall::container(v(-1.0, -1.0), v(1.0, 1.0)), v(0.2, 1.0)),
        (Wall::stadium(v(0.0, 0.0), 0.5, 0.5), v(0.5 + 0.3, 0.4)),
    ];
    for (wall, on) in walls {
        let mut world = World::new();
        // A corner post keeps the whole sheet white, where otherwise only what is enclosed would be.
        world.add_wall(Wall::half_plane(v(-100.0, 0.0), v(1.0, 0.0))).unwrap();
        let bare = Recorder::new(&world, &[], Vec::new(), white_sheet(min, max)).unwrap();
        let bare = Picture::new(&bare.picture_png().unwrap(), min, max);
        let empty = bare.at(on) == Rgb(255, 255, 255);
        let shape = format!("{:?}", wall.shape);
        world.add_wall(wall).unwrap();
        let recorder = Recorder::new(&world, &[], Vec::new(), white_sheet(min, max)).unwrap();
        let picture = Picture { rgb: decoded(&recorder.picture_png().unwrap()).2, ..bare };
        // A line is a pixel or two wide: look at the nearest pixels.
        let near = [-1.0, 0.0, 1.0].into_iter().flat_map(|x| [-1.0, 0.0, 1.0].map(|y| v(x, y) / bare.scale));
        let seen = near.map(|d| on + d).any(|p| picture.at(p) != Rgb(255, 255, 255));
        assert!(empty && seen, "{shape}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let (mut world, ids) = two_discs();
    world.remove(ids[1]).unwrap();
    let new = |ids: &[DiscId], style| Recorder::new(&world, ids, Vec::new(), style).map(|_| ());
    let dead = new(&ids, Style::default()).unwrap_err();
    assert!(matches!(dead, DrawError::UnknownDisc { index: 1, .. }), "{dead}");
    let twice = new(&[ids[0], ids[0]], Style::default()).unwrap_err();
    assert!(matches!(twice, DrawError::RepeatedDisc { index: 1, .. }), "{twice}");
    let nan = v(f64::NAN, 0.0);
    for (style, field, value) in [
        (Style { width: 0, ..Style::default() }, "width", "0"),
        (Style { width: u32::MAX, ..Style::default() }, "width", "4294967295"),
        (Style { bounds: Some((v(1.0, 0.0), v(0.0, 1.0))), ..Style::default() }, "bounds max x", "0"),
        (Style { bounds: Some((nan, v(0.0, 1.0))), ..Style::default() }, "bounds min x", "NaN"),
        (Style { pockets: vec![(v(0.0, 0.0), -1.0)], ..Style::default() }, "pockets radius", "-1"),
        (Style { pockets: vec![(nan, 1.0)], ..Style::default() }, "pockets centre x", "NaN"),
    ] {
        let error = new(&ids[..1], style).unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, DrawError::OutOfRange { .. }), "{text}");
        assert!(text.contains(field) && text.contains(value) && text.contains("allowed"), "{text}");
    }
}

#[test]
fn the_ends_of_the_engine_s_ranges_can_be_drawn() {
    use carom_engine::limits::{MAX_LENGTH, MAX_SPEED, MIN_LENGTH};
    for (place, radius, speed) in [
        (v(MAX_LENGTH, -MAX_LENGTH), MIN_LENGTH, MAX_SPEED),
        (v(0.0, 0.0), MAX_LENGTH, 1e-300),
        (v(MIN_LENGTH, 0.0), MIN_LENGTH, 1.0),
        (v(-MAX_LENGTH, 0.0), 0.0, 0.0),
    ] {
        let mut world = World::new();
        let id = world.insert(Disc::new(place, radius).with_velocity(v(-speed, 0.0))).unwrap();
        let style = Style { width: 300, ..Style::default() };
        let mut recorder = Recorder::new(&world, &[id], Vec::new(), style).unwrap();
        world.advance_with(1.0, &mut recorder).unwrap();
        recorder.finish(&world);
        let png = recorder.picture_png().unwrap();
        assert!(png.len() > 1000, "{place} {radius} {speed}");
        let options = MovieOptions { width: 100, max_frames: 5, ..MovieOptions::default() };
        assert!(recorder.movie_gif(&options).unwrap().len() > 500);
    }
}

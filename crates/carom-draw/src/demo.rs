//! Made-up scenes for tests.

use glam::DVec2;

use crate::recording::{Actor, Mark, Recording};
use crate::track::{Piece, Track};
use crate::{Look, Recorder, Rgb, Style, Surface};
use carom_engine::{Disc, DiscId, Wall, WallShape, World};

fn v(x: f64, y: f64) -> DVec2 {
    DVec2::new(x, y)
}

/// One disc of a made-up scene.
#[derive(Clone)]
pub(crate) struct Puck {
    pub(crate) p: DVec2,
    pub(crate) v: DVec2,
    pub(crate) r: f64,
    pub(crate) look: Look,
}

pub(crate) fn puck(p: DVec2, v: DVec2, r: f64) -> Puck {
    Puck { p, v, r, look: Look::default() }
}

/// Runs discs of equal mass in a box until `until` with restitution `e` and records them.
pub(crate) fn run(style: Style, min: DVec2, max: DVec2, pucks: &[Puck], e: f64, until: f64) -> Recording {
    let mut world = World::new();
    world.add_wall(Wall::container(min, max).with_restitution(e)).unwrap();
    let disc = |puck: &Puck| Disc::new(puck.p, puck.r).with_velocity(puck.v).with_restitution(e);
    let discs: Vec<DiscId> = pucks.iter().map(|puck| world.insert(disc(puck)).unwrap()).collect();
    let looks = pucks.iter().map(|puck| puck.look.clone()).collect();
    let mut recorder = Recorder::new(&world, &discs, looks, style).unwrap();
    world.advance_with(until, &mut recorder).unwrap();
    recorder.finish(&world);
    recorder.recording
}

pub(crate) const POOL: [Rgb; 9] = [
    Rgb(0xf2, 0xb7, 0x05),
    Rgb(0x1f, 0x4e, 0xa8),
    Rgb(0xcf, 0x2e, 0x2e),
    Rgb(0x5b, 0x2a, 0x86),
    Rgb(0xf0, 0x7a, 0x1a),
    Rgb(0x1d, 0x7a, 0x3e),
    Rgb(0x85, 0x1f, 0x2b),
    Rgb(0x1b, 0x1b, 0x1d),
    Rgb(0xf2, 0xb7, 0x05),
];

/// A nine-ball break on a 9-foot table.
pub(crate) fn nine_ball(until: f64) -> Recording {
    let (w, h, r) = (2.54, 1.27, 0.028575);
    let pocket = 0.06;
    let style = Style {
        title: Some("Nine-ball break".into()),
        surface: Surface::Cloth(Rgb(0x1f, 0x7a, 0x66)),
        pockets: [0.0, 0.5, 1.0]
            .into_iter()
            .flat_map(|x| [0.0, 1.0].map(|y| (x, y)))
            .map(|(x, y)| (v(x * w, y * h) + v((x - 0.5) * 0.04, (y - 0.5) * 0.06), pocket))
            .collect(),
        ..Style::default()
    };
    let mut pucks = vec![puck(v(0.635, 0.635 + 0.012), v(9.0, -0.05), r)];
    pucks[0].look.colour = Some(Rgb(0xfa, 0xf7, 0xee));
    let mut number = 1;
    for (column, rows) in [1, 2, 3, 2, 1].into_iter().enumerate() {
        for row in 0..rows {
            let x = 1.905 + column as f64 * r * 3f64.sqrt() * 1.004;
            let y = 0.635 + (row as f64 - 0.5 * (rows - 1) as f64) * 2.008 * r;
            let mut ball = puck(v(x, y), DVec2::ZERO, r);
            ball.look.label = Some(number.to_string());
            ball.look.colour = Some(POOL[number - 1]);
            ball.look.stripe = number == 9;
            pucks.push(ball);
            number += 1;
        }
    }
    run(style, DVec2::ZERO, v(w, h), &pucks, 0.93, until)
}

/// A gas: `side`² discs in a square box.
pub(crate) fn gas(side: usize, until: f64) -> Recording {
    let mut pucks = Vec::new();
    for k in 0..side * side {
        let (i, j) = (k % side, k / side);
        // Any directions will do, as long as they are always the same ones.
        let (sin, cos) = libm::sincos(k as f64 * 2.399963);
        pucks.push(puck(v(i as f64 + 0.5, j as f64 + 0.5), v(cos, sin), 0.3));
    }
    let style = Style { title: Some(format!("Gas of {} discs", side * side)), ..Style::default() };
    run(style, DVec2::ZERO, DVec2::splat(side as f64), &pucks, 1.0, until)
}

/// Every kind of wall.
pub(crate) fn all_walls() -> Recording {
    let style = Style { title: Some("Every kind of wall".into()), ..Style::default() };
    let mut pucks = vec![puck(v(-3.5, -1.5), v(3.0, 2.0), 0.25), puck(v(3.5, 1.5), v(-1.0, 0.4), 0.25)];
    pucks[0].look.label = Some("A".into());
    pucks[1].look.label = Some("a longer name".into());
    let mut recording = run(style, v(-6.0, -4.0), v(6.0, 4.0), &pucks, 1.0, 3.0);
    recording.outlines.extend([
        WallShape::HalfPlane { point: v(-4.5, -4.0), normal: v(0.8, 0.6) },
        WallShape::HalfPlane { point: v(0.0, -3.4), normal: v(0.0, 1.0) },
        WallShape::Segment { a: v(-2.0, 0.5), b: v(-1.0, 2.0) },
        WallShape::OneSidedSegment { a: v(-1.0, -2.0), b: v(2.0, -1.5) },
        WallShape::Disc { center: v(1.0, 0.5), radius: 0.7 },
        WallShape::Circle { center: v(4.5, -1.5), radius: 1.1 },
        WallShape::Arc { center: v(-4.0, 2.5), radius: 1.0, start: 0.3, sweep: 4.0 },
        WallShape::Polyline {
            points: vec![v(2.0, 3.5), v(2.5, 2.5), v(3.0, 3.5), v(3.5, 2.5)],
            closed: false,
        },
        WallShape::Polyline { points: vec![v(4.2, 2.4), v(5.5, 2.2), v(5.0, 3.4)], closed: true },
        WallShape::Stadium { center: v(-0.5, 3.0), half_length: 0.8, radius: 0.5 },
    ]);
    recording
}

/// Newton's cradle, without walls; one striker.
pub(crate) fn cradle() -> Recording {
    let style = Style { title: Some("Newton's cradle".into()), ..Style::default() };
    let mut recording = Recording::new(style, 0.0, 1000);
    for k in 0..5 {
        let x = if k == 0 { -3.0 } else { f64::from(k) };
        let velocity = if k == 0 { v(1.0, 0.0) } else { DVec2::ZERO };
        let first = Piece::straight(0.0, v(x, 0.0), velocity);
        recording.actors.push(Actor { radius: 0.5, look: Look::default(), track: Track::new(first) });
    }
    for k in 0..4 {
        recording.mark(Mark {
            time: 3.0,
            point: v(f64::from(k) + 0.5, 0.0),
            at_wall: false,
            impact: recording.impacts + 1,
        });
    }
    recording.push(0, Piece::straight(3.0, v(0.0, 0.0), DVec2::ZERO));
    recording.push(4, Piece::straight(3.0, v(4.0, 0.0), v(1.0, 0.0)));
    recording.end = 5.5;
    recording
}

/// A cloth in a stadium: no table, since that has corners.
pub(crate) fn cloth_without_table() -> Recording {
    let style = Style { surface: Surface::Cloth(Rgb(0x2a, 0x5c, 0x99)), ..Style::default() };
    let mut recording = Recording::new(style, 0.0, 1000);
    recording.outlines.push(WallShape::Stadium { center: v(0.0, 0.0), half_length: 2.0, radius: 1.5 });
    let first = Piece::straight(0.0, v(-2.0, 0.3), v(1.0, 0.2));
    recording.actors.push(Actor { radius: 0.12, look: Look::default(), track: Track::new(first) });
    recording.end = 4.0;
    recording
}

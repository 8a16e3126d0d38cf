//! Tables and racks: what is taken and what is refused.

use carom_billiards::rules::CueBall;
use carom_billiards::{Ball, Error, Game, Layout, Nose, Outline, Pockets, Rack, RoundNose, Shot, Table};
use carom_engine::DVec2;

/// Every rack lies on every table that it is played on, tight and with gaps, no ball over another.
#[test]
fn racks_are_legal() {
    for name in Rack::NAMES {
        let rack = Rack::named(name).unwrap();
        let tables = match rack.usual_table() {
            "pool-9ft" => vec!["pool-7ft", "pool-8ft", "pool-9ft"],
            other => vec![other],
        };
        for table in tables.into_iter().map(|name| Table::named(name).unwrap()) {
            for (gap, seed) in [(0.0, 1), (0.0, 2), (1e-5, 1), (1e-3, 3)] {
                let layout = rack.with_gap(gap).unwrap().place(&table, seed).unwrap();
                layout.build(&table).unwrap();
                for (k, a) in layout.balls.iter().enumerate() {
                    for b in &layout.balls[..k] {
                        // Rounding of coordinates up to 4 m.
                        assert!(a.at.distance(b.at) >= 2.0 * a.ball.radius - 2e-15, "{name} {gap}");
                    }
                }
            }
        }
    }
}

/// The places that the rules give: 1 in front and 9 in the middle; 8 in the middle and one of each kind in
/// the corners; 10 in the middle; and each number once.
#[test]
fn racks_keep_the_rules() {
    let table = Table::pool_9ft();
    for seed in 0..50 {
        let labels = |rack: Rack| -> Vec<u32> {
            let layout = rack.place(&table, seed).unwrap();
            layout.balls[1..].iter().map(|placed| placed.label.parse().unwrap()).collect()
        };
        let all = |mut numbers: Vec<u32>, count: u32| {
            numbers.sort_unstable();
            assert_eq!(numbers, (1..=count).collect::<Vec<_>>());
        };
        let (eight, nine, ten) =
            (labels(Rack::eight_ball()), labels(Rack::nine_ball()), labels(Rack::ten_ball()));
        assert_eq!([nine[0], nine[4], ten[0], ten[4], eight[4]], [1, 9, 1, 10, 8]);
        assert_ne!(eight[10] < 8, eight[14] < 8);
        for (numbers, count) in [(eight, 15), (nine, 9), (ten, 10), (labels(Rack::straight_pool()), 15)] {
            all(numbers, count);
        }
    }
    // The foot spot is a quarter of the length from the foot cushion.
    let layout = Rack::nine_ball().place(&table, 0).unwrap();
    assert_eq!([0, 1].map(|k| layout.balls[k].at.to_array()), [[0.635, 0.635], [0.635, 1.905]]);
}

/// Tables are their own mirror images, to the last bit, in the frame of worlds.
#[test]
fn tables_are_symmetric() {
    for table in Table::NAMES.map(|name| Table::named(name).unwrap()) {
        for mirror in [DVec2::new(-1.0, 1.0), DVec2::new(1.0, -1.0)] {
            let has = |circles: &[(DVec2, f64)], (at, radius): (DVec2, f64)| {
                circles.iter().any(|&circle| circle == (at * mirror, radius))
            };
            for circles in [table.jaw_circles(), table.pocket_circles()] {
                assert!(circles.iter().all(|&circle| has(&circles, circle)));
            }
            let segments = table.segments();
            let image = |[a, b]: [DVec2; 2]| {
                let wanted = [a * mirror, b * mirror];
                segments.iter().any(|&[c, d]| [c, d] == wanted || [d, c] == wanted)
            };
            assert!(segments.iter().all(|&segment| image(segment)));
        }
    }
}

/// Noses, jaws and facings join, and mouths are as wide as they say.
#[test]
fn mouths() {
    for table in [Table::pool_7ft(), Table::pool_9ft(), Table::snooker_12ft()] {
        let Pockets { corner, side, .. } = table.pockets.unwrap();
        let (segments, jaws) = (table.segments(), table.jaw_circles());
        assert_eq!((segments.len(), jaws.len(), table.pocket_circles().len()), (18, 12, 6));
        for (k, &(center, radius)) in jaws.iter().enumerate() {
            let distance = |[a, b]: [DVec2; 2]| {
                let along = (b - a).normalize();
                let at = (center - a).dot(along).clamp(0.0, a.distance(b));
                center.distance(a + along * at)
            };
            let near = segments.iter().filter(|&&s| (distance(s) - radius).abs() < 1e-12).count();
            assert_eq!(near, 2, "jaw {k}");
        }
        // Jaws of the same corner and of the same side are mirror images; noses end a tangent before tips.
        let half = table.centre();
        let nose = segments[0];
        let tip = |mouth: carom_billiards::Mouth, turn: f64| mouth.jaw_radius * (0.5 * turn).tan();
        let of_corner = tip(corner, core::f64::consts::FRAC_PI_4 - corner.angle);
        let of_side = tip(side, core::f64::consts::FRAC_PI_2 - side.angle);
        assert!((nose[0].y + half.y - of_corner - corner.width * 0.5_f64.sqrt()).abs() < 1e-12);
        assert!((-nose[1].y - of_side - 0.5 * side.width).abs() < 1e-12);
    }
}

/// What is no table, no ball or no place is refused, by name.
#[test]
fn refusals() {
    let table = Table::pool_9ft();
    let field = |table: Table| match table.check() {
        Err(Error::OutOfRange { field, .. }) => field,
        other => panic!("{other:?}"),
    };
    assert_eq!(field(Table { width: f64::NAN, ..table.clone() }), "width");
    assert_eq!(field(Table { length: 0.3, ..table.clone() }), "length");
    assert_eq!(field(Table { nose: 1.5, ..table.clone() }), "nose");
    assert_eq!(field(Table { ball: Ball { radius: 0.07, ..Ball::POOL }, ..table.clone() }), "corner.width");
    let layout = |at: [f64; 2]| Layout::new().with("cue", Ball::POOL, at).build(&table).map(drop);
    assert!(layout([0.5, 0.5]).is_ok());
    for at in [[-0.1, 0.5], [0.5, 3.0], [0.0, 0.0], [0.02, 0.6], [f64::NAN, 0.5]] {
        assert!(matches!(layout(at), Err(Error::OffTable { .. })), "{at:?}");
    }
    let two = Layout::new().with("cue", Ball::POOL, [0.5, 0.5]).with("1", Ball::POOL, [0.5, 0.55]);
    let Err(Error::Overlap { label, other, depth }) = two.build(&table) else { panic!() };
    assert_eq!((label.as_str(), other.as_str()), ("1", "cue"));
    assert!((depth - 0.00715).abs() < 1e-12);
    let mut slippery = Ball::POOL;
    slippery.coefficients.restitution = 1.5;
    let refused = Layout::new().with("cue", slippery, [0.5, 0.5]).build(&table).unwrap_err();
    assert!(refused.to_string().contains("restitution is 1.5"), "{refused}");
    assert!(Table::named("pool-10ft").unwrap_err().to_string().contains("pool-9ft"));
}

/// Balls are frozen to the cushions of an outline, straight or round, as to those of a table (WPA, The Rules
/// of Play, 8.4): what does not leave is not driven there; a ball a millimetre away is.
#[test]
fn frozen_in_an_outline() {
    let (height, rounding, radius) = (Table::POOL_NOSE, 0.0, Ball::POOL.radius);
    let corners = [[0.0, 0.0], [2.0, 0.0], [1.0, 2.0]].map(DVec2::from);
    let nose = |k: usize| Nose { from: corners[k], to: corners[(k + 1) % 3], height, rounding };
    let jaws = vec![RoundNose { center: DVec2::new(1.0, 0.5), radius: 0.1, height, rounding }];
    let outline = Outline { noses: (0..3).map(nose).collect(), jaws, holes: Vec::new() };
    let table = Table { width: 2.0, length: 2.0, outline: Some(outline), ..Table::pool_9ft() };
    let right = (corners[2] - corners[1]).perp().normalize();
    for (gap, is_frozen) in [(1e-9, true), (1e-3, false)] {
        // Into the right cushion, and at the post from below.
        let at_right = 0.5 * (corners[1] + corners[2]) + right * (radius + gap);
        let at_post = DVec2::new(1.0, 0.4 - radius - gap);
        for (at, way, cushion) in [(at_right, -right, 1), (at_post, DVec2::Y, 3)] {
            let mut game = Layout::new().with("cue", Ball::POOL, at).build(&table).unwrap();
            let outcome = game.shoot(&Shot::new(0.5).aimed_at(way.to_angle())).unwrap();
            let hit = &outcome.cushions[0];
            assert_eq!((hit.cushion, hit.frozen), (cushion, is_frozen), "{gap}");
        }
    }
}

/// A ball is put back touching an object ball that is on the spot, and a tenth of a millimetre from the cue
/// ball (WPA, The Rules of Play, 1.4); a cue ball in hand goes where the rules let it (6.10; D of snooker).
#[test]
fn balls_are_put_where_rules_say() {
    let table = Table::pool_9ft();
    let foot = [0.635, 0.75 * 2.54];
    for (label, gap) in [("2", 0.0), ("cue", Game::SEPARATION)] {
        let other = if label == "cue" { "2" } else { "cue" };
        let balls = [(label, foot), (other, [0.2, 0.2]), ("9", [0.3, 1.0])];
        let mut game = crate::support::lay(&table, balls).build(&table).unwrap();
        let at = game.spot("9").unwrap();
        assert!(at.y > foot[1]);
        assert!((game.gap("9", label).unwrap() - gap).abs() < 1e-12, "{label}");
    }
    let mut game = crate::support::lay(&table, [("cue", [0.3, 1.0])]).build(&table).unwrap();
    assert!(CueBall::BehindHeadString.place(&mut game, [0.4, 0.63]).is_ok());
    let refused = CueBall::BehindHeadString.place(&mut game, [0.4, 0.635]);
    assert!(matches!(refused, Err(Error::Misplaced { .. })), "{refused:?}");
    assert!(CueBall::InHand.place(&mut game, [0.4, 2.0]).is_ok());
    assert!(CueBall::Lies.place(&mut game, [0.4, 2.1]).is_err());
    let table = Table::snooker_12ft();
    let mut game = crate::support::lay(&table, [("cue", [0.3, 1.0])]).build(&table).unwrap();
    assert!(CueBall::InD.place(&mut game, [0.889 + 0.292, 0.737]).is_ok());
    assert!(CueBall::InD.place(&mut game, [0.889, 0.75]).is_err());
}

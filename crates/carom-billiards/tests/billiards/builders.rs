//! Whatever a builder accepts works, and what does not is refused with a reason: every number of tables,
//! balls, racks, cues and strokes is replaced by zeros, infinities, NaN and extreme numbers.

use carom_billiards::aim::{Search, Spread, Stroke, Wish};
use carom_billiards::rules::ThreeCushion;
use carom_billiards::{Cue, Error, Friction, Layout, Pockets, Rack, Shot, Table};
use carom_engine::DVec2;
use carom_testkit::odd::{Numbers, ODD, works_or_says_why};

/// Plays one ball at another. The strike has finite numbers.
fn play(table: &Table, at: [DVec2; 2], shot: &Shot) -> Result<(), Error> {
    let layout = Layout::new().with(Layout::CUE, table.ball, at[0]).with("1", table.ball, at[1]);
    let mut game = layout.build(table)?;
    game.world_mut().set_budget(2000);
    let outcome = game.shoot(shot)?;
    assert!(outcome.strike.velocity.is_finite() && outcome.strike.spin.is_finite(), "{shot:?}");
    for (id, disc) in game.world().discs() {
        let state = disc.position.is_finite() && disc.velocity.is_finite();
        assert!(state, "{id}: {disc:?} of {table:?} {shot:?}");
    }
    Ok(())
}

const PLACES: [DVec2; 2] = [DVec2::new(0.6, 0.6), DVec2::new(0.65, 1.2)];

#[test]
fn tables_and_balls() {
    works_or_says_why::<Error>("table", 40, |n| {
        let mut table = Table { width: n.get(1.27), length: n.get(2.54), ..Table::pool_9ft() };
        (table.nose, table.physics.gravity) = (n.get(table.nose), n.get(9.81));
        (table.rounding, table.rail) = (n.get(0.002), n.get(table.rail));
        play(&table, PLACES, &Shot::new(2.0).aimed_at(1.5))
    });
    works_or_says_why::<Error>("pockets", 40, |n| {
        let mut pockets = Pockets::REGULATION;
        pockets.cushion_width = n.get(pockets.cushion_width);
        for mouth in [&mut pockets.corner, &mut pockets.side] {
            (mouth.width, mouth.radius) = (n.get(mouth.width), n.get(mouth.radius));
            (mouth.depth, mouth.angle) = (n.get(mouth.depth), n.get(mouth.angle));
            mouth.jaw_radius = n.get(mouth.jaw_radius);
        }
        let table = Table { pockets: Some(pockets), ..Table::pool_9ft() };
        play(&table, PLACES, &Shot::new(2.0).aimed_at(1.5))
    });
    works_or_says_why::<Error>("ball", 40, |n| {
        let mut table = Table::pool_9ft();
        let ball = &mut table.ball;
        (ball.radius, ball.mass) = (n.get(ball.radius), n.get(ball.mass));
        let own = &mut ball.coefficients;
        (own.sliding, own.rolling, own.spinning) = (n.get(0.2), n.get(0.01), n.get(0.0127));
        (own.restitution, own.cushion_friction) = (n.get(0.95), n.get(0.2));
        own.cushion_restitution = n.get(0.85);
        own.friction = Friction::FallsWithSpeed { least: n.get(0.01), more: n.get(0.1), fall: n.get(1.0) };
        play(&table, PLACES, &Shot::new(2.0).aimed_at(1.5))
    });
    works_or_says_why::<Error>("places", 40, |n| {
        play(&Table::pool_9ft(), [n.place(0.6, 0.6), n.place(0.65, 1.2)], &Shot::new(2.0).aimed_at(1.5))
    });
    works_or_says_why::<Error>("rack", 40, |n| {
        let rack = Rack::nine_ball().with_gap(n.get(1e-5))?;
        rack.place(&Table { width: n.get(1.27), ..Table::pool_9ft() }, n.count(3))?
            .build(&Table::pool_9ft())?;
        Ok(())
    });
}

#[test]
fn strokes_and_searches() {
    works_or_says_why::<Error>("stroke", 40, |n| {
        let shot = Shot::new(n.get(2.0)).aimed_at(n.get(1.5)).with_offset(n.get(0.1), n.get(0.2));
        let cue = Cue {
            mass: n.get(0.5),
            end_mass: Some(n.get(0.01)),
            miscue: n.get(0.5),
            length: n.get(1.4),
            tip_radius: n.get(0.006),
            butt_radius: n.get(0.015),
            contact_time: n.get(0.001),
            follow_through: n.get(0.05),
        };
        play(&Table::pool_9ft(), PLACES, &Shot { cue, ..shot.with_elevation(n.get(0.1)) })
    });
    works_or_says_why::<Error>("strike", 40, |n| {
        let mut ball = Table::pool_9ft().ball;
        (ball.radius, ball.mass) = (n.get(ball.radius), n.get(ball.mass));
        let strike = Shot::new(2.0).with_offset(0.1, 0.2).strike(&ball)?;
        assert!(strike.velocity.is_finite() && strike.spin.is_finite(), "{ball:?}: {strike:?}");
        Ok(())
    });
    let search = |n: &mut Numbers| {
        let layout = Layout::new().with(Layout::CUE, Table::pool_9ft().ball, PLACES[0]);
        let game = layout.with("1", Table::pool_9ft().ball, PLACES[1]).build(&Table::pool_9ft())?;
        let spread = Spread {
            direction: n.get(0.001),
            speed: n.get(0.01),
            side: n.get(0.01),
            height: n.get(0.01),
            elevation: n.get(0.001),
        };
        let stroke =
            Stroke { speed: n.get(2.0), side: n.get(0.0), height: n.get(0.0), elevation: n.get(0.1) };
        let search = Search::default().with_simulations(8).with_spread(spread).with_strokes(vec![stroke]);
        search.run(&game, &Wish::pot(&["1"])).map(drop)
    };
    works_or_says_why::<Error>("search", 40, search);
}

/// Counts of simulations that never end are refused; no strokes give no shots.
#[test]
fn counts() {
    let layout = Layout::new().with(Layout::CUE, Table::pool_9ft().ball, PLACES[0]);
    let game = layout.with("1", Table::pool_9ft().ball, PLACES[1]).build(&Table::pool_9ft()).unwrap();
    let wish = Wish::pot(&["1"]);
    let error = Search::default().with_simulations(usize::MAX).run(&game, &wish).unwrap_err();
    assert_eq!(error.to_string(), "simulations is 1.8446744073709552e19, allowed is a number up to 1e9");
    assert!(Search::default().with_simulations(0).run(&game, &wish).is_ok());
    assert_eq!(Search::default().with_strokes(Vec::new()).run(&game, &wish).unwrap(), []);
    for count in ODD.map(|odd| odd as u32) {
        _ = ThreeCushion::new(count).with_most_innings(count);
    }
}

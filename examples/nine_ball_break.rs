//! A nine-ball break: simulated exactly from the stroke to rest, printed as a table, drawn as a picture and a
//! movie at real speed.
//!
//! `cargo run --release -p carom --example nine_ball_break [SEED]`

use carom::StopReason;
use carom_billiards::{Happening, Picture, Rack, Shot, Table};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let seed = std::env::args().nth(1).unwrap_or_else(|| "8".into());
    let seed =
        seed.parse().map_err(|_| format!("the seed is a whole number from 0 to 2^64 - 1, not {seed}"))?;
    let table = Table::pool_9ft();
    // Balls that were racked by hand: tenths of a millimetre apart.
    let rack = Rack::nine_ball().with_gap(1e-4)?;
    let layout = rack.place(&table, seed)?.moved("cue", [0.56, 0.6])?;
    let mut game = layout.build(&table)?;
    // At the 1, from the side, with a little follow and the cue clear of the cushion behind.
    let aim = (layout.balls[1].at - layout.balls[0].at).to_angle();
    let shot = Shot::new(8.0).aimed_at(aim).with_offset(0.0, 0.1).with_elevation(0.04);
    let recording = game.record(&shot)?;

    let name = |ball: usize| layout.balls[ball].label.as_str();
    println!("  time (ms)  what             who          speed (m/s)  spin (rad/s)");
    for moment in &recording.moments {
        let who: Vec<&str> = moment.balls.iter().map(|&(ball, ..)| name(ball)).collect();
        let what = match moment.what {
            Happening::Balls => "balls meet".into(),
            Happening::Cushion(number) => format!("cushion {number}"),
            Happening::Change(change) => format!("{change:?}").to_lowercase(),
            Happening::Potted => "falls".into(),
            Happening::Held => "press".into(),
            Happening::LetGo => "part".into(),
            Happening::OverLip => "over the lip".into(),
        };
        let after = |pick: fn(&carom_billiards::Full) -> f64| {
            let each: Vec<String> =
                moment.balls.iter().map(|(_, _, full)| format!("{:.3}", pick(full))).collect();
            each.join(", ")
        };
        let (speed, spin) = (after(|full| full.velocity.length()), after(|full| full.spin.length()));
        println!("{:11.3}  {what:<15}  {:<11}  {speed:<11}  {spin}", 1e3 * moment.time, who.join(", "));
    }
    let outcome = &recording.outcome;
    assert_eq!(outcome.end, StopReason::Reached);
    for potted in &outcome.potted {
        println!("{} falls into pocket {} at {:.3} s", potted.ball, potted.pocket, potted.time);
    }
    println!("{} events in {:.3} s of play; all balls rest", outcome.events, outcome.duration);

    let folder = Path::new("out");
    std::fs::create_dir_all(folder)?;
    let (picture, movie) = (folder.join("nine_ball_break.png"), folder.join("nine_ball_break.gif"));
    let drawn = Picture::new(&table, &layout, &recording).with_title("Nine-ball break");
    std::fs::write(&picture, drawn.png()?)?;
    std::fs::write(&movie, drawn.with_width(800).gif(1.0, 25)?)?;
    println!("picture: {}\nmovie:   {} (real speed)", picture.display(), movie.display());
    Ok(())
}

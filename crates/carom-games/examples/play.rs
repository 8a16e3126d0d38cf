//! Plays a game by itself and writes a picture, a picture of what the world knows, and a movie.
//!
//! `cargo run --release -p carom-games --example play -- shooter`

use carom::DebugView;
use carom_games::{air_hockey, asteroids, merge, pinball, pod_arena, shooter};
use std::error::Error;
use std::path::Path;

/// Plays a game and writes what it looks like.
type Play = fn() -> Result<(), Box<dyn Error>>;

/// Writes `out/<name>.<ending>`.
fn write(name: &str, ending: &str, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let folder = Path::new("out");
    std::fs::create_dir_all(folder)?;
    let path = folder.join(format!("{name}{ending}"));
    std::fs::write(&path, bytes)?;
    println!("{}: {} kB", path.display(), bytes.len() / 1000);
    Ok(())
}

fn play_shooter() -> Result<(), Box<dyn Error>> {
    let mut game = shooter::Game::new(&shooter::Options::default())?;
    let mut pilot = shooter::Pilot::new(7);
    let mut frames = Vec::new();
    for frame in 0..=300 {
        pilot.play(&mut game, f64::from(frame) / 25.0)?;
        frames.push(game.clone());
    }
    println!("shooter: {} events, {:?} points", game.world().counters().events, game.score());
    write("shooter", ".png", &shooter::picture(&game, 1600, None)?)?;
    let view = DebugView::nothing().with_velocities(0.15).with_next_impacts(2.0).with_discs(true);
    write("shooter", "_debug.png", &shooter::picture(&game, 1600, Some(&view))?)?;
    write("shooter", ".gif", &shooter::film(&frames, 640)?)
}

fn play_air_hockey() -> Result<(), Box<dyn Error>> {
    let mut game = air_hockey::Game::new(&air_hockey::Options::default())?;
    let mut pilot = air_hockey::Pilot::new(4);
    let mut frames = Vec::new();
    for frame in 0..=400 {
        pilot.play(&mut game, f64::from(frame) / 25.0)?;
        frames.push(game.clone());
    }
    println!("air hockey: {} impacts, {:?} goals", game.world().counters().disc_impacts, game.score());
    write("air_hockey", ".png", &air_hockey::picture(&frames[130], 1600, None)?)?;
    let view = DebugView::nothing().with_regions(true).with_velocities(0.1).with_next_impacts(1.5);
    write("air_hockey", "_debug.png", &air_hockey::picture(&frames[130], 1600, Some(&view))?)?;
    write("air_hockey", ".gif", &air_hockey::film(&frames, 640)?)
}

fn play_asteroids() -> Result<(), Box<dyn Error>> {
    let mut game = asteroids::Game::new(&asteroids::Options { ships: 2, ..asteroids::Options::default() })?;
    let mut pilot = asteroids::Pilot::new(4);
    let mut frames = Vec::new();
    for frame in 0..=500 {
        pilot.play(&mut game, f64::from(frame) / 25.0)?;
        frames.push(game.clone());
    }
    println!("asteroids: {} events, wave {}", game.world().counters().events, game.wave());
    write("asteroids", ".png", &asteroids::picture(&frames[250], 1600, None)?)?;
    let view = DebugView::nothing().with_discs(true).with_velocities(0.3).with_next_impacts(2.0);
    write("asteroids", "_debug.png", &asteroids::picture(&frames[250], 1600, Some(&view))?)?;
    write("asteroids", ".gif", &asteroids::film(&frames, 640)?)
}

fn play_merge() -> Result<(), Box<dyn Error>> {
    let mut game = merge::Game::new(&merge::Options::default())?;
    let mut pilot = merge::Pilot::new(1);
    let mut frames = Vec::new();
    for frame in 0..=900 {
        pilot.play(&mut game, f64::from(frame) / 25.0)?;
        frames.push(game.clone());
    }
    println!("merge: {} drops, {} discs, {} points", game.dropped(), game.world().len(), game.score());
    write("merge", ".png", &merge::picture(&game, 1000, None)?)?;
    let view = DebugView::nothing().with_discs(true).with_contacts(true).with_velocities(0.1);
    write("merge", "_debug.png", &merge::picture(&game, 1000, Some(&view))?)?;
    write("merge", ".gif", &merge::film(&frames[..500], 360)?)
}

fn play_pinball() -> Result<(), Box<dyn Error>> {
    let mut game = pinball::Game::new(&pinball::Options::default())?;
    let mut pilot = pinball::Pilot::new(2);
    let mut frames = Vec::new();
    for frame in 0..=500 {
        pilot.play(&mut game, f64::from(frame) / 25.0)?;
        frames.push(game.clone());
    }
    println!("pinball: {} wall impacts, {} points", game.world().counters().wall_impacts, game.points());
    write("pinball", ".png", &pinball::picture(&frames[72], 1000, None)?)?;
    let view = DebugView::nothing().with_discs(true).with_contacts(true).with_next_impacts(1.5);
    write("pinball", "_debug.png", &pinball::picture(&frames[72], 1000, Some(&view))?)?;
    write("pinball", ".gif", &pinball::film(&frames, 360)?)
}

fn play_pod_arena() -> Result<(), Box<dyn Error>> {
    let mut game = pod_arena::Game::new(&pod_arena::Options::default())?;
    let mut pilot = pod_arena::Pilot::new(3);
    let mut frames = Vec::new();
    for frame in 0..=400 {
        pilot.play(&mut game, f64::from(frame) * 0.25)?;
        frames.push(game.clone());
    }
    println!(
        "pod arena: {} impacts, first to last {:?}",
        game.world().counters().disc_impacts,
        game.ranking()
    );
    write("pod_arena", ".png", &pod_arena::picture(&frames[150], 1600, None)?)?;
    let view = DebugView::nothing().with_regions(true).with_next_impacts(8.0);
    write("pod_arena", "_debug.png", &pod_arena::picture(&frames[150], 1600, Some(&view))?)?;
    write("pod_arena", ".gif", &pod_arena::film(&frames, 640)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let wanted = std::env::args().nth(1);
    let games: [(&str, Play); 6] = [
        ("air_hockey", play_air_hockey),
        ("asteroids", play_asteroids),
        ("merge", play_merge),
        ("pinball", play_pinball),
        ("pod_arena", play_pod_arena),
        ("shooter", play_shooter),
    ];
    let mut found = false;
    for (name, play) in games {
        if wanted.as_deref().is_none_or(|wanted| wanted == name) {
            found = true;
            play()?;
        }
    }
    if !found {
        let names: Vec<_> = games.iter().map(|(name, _)| *name).collect();
        return Err(format!("there is no such game; there are: {}", names.join(", ")).into());
    }
    Ok(())
}

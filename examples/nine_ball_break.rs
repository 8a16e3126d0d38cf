//! A nine-ball break: simulated exactly, printed as a table, drawn as a picture and a movie.
//!
//! `cargo run --release --example nine_ball_break`

use carom::{Event, StopReason};
use carom_draw::{MovieOptions, Recorder};
use carom_scene::Scene;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let scene = Scene::named("nine-ball-discs")?;
    let mut built = scene.build()?;
    let mut recorder = Recorder::of_scene(&scene, &built)?;

    let name = |id| match built.discs.iter().position(|&disc| disc == id) {
        Some(index) => built.looks[index].label.clone().unwrap_or_else(|| "cue".into()),
        None => "?".into(),
    };
    let energy = built.world.kinetic_energy();
    println!("    time (ms)  who    meets     impulse (N s)");
    let run = built.world.advance_to_with(scene.until, &mut |event: &Event| {
        let flow = carom::Sink::<carom::Smooth>::event(&mut recorder, event);
        let Event::Impact(impact) = event else { return flow };
        let with = impact.b.disc().map_or("cushion".into(), &name);
        let time = 1e3 * impact.time.as_secs();
        println!("{time:13.6}  {:<5}  {with:<8} {:13.6}", name(impact.a), impact.impulse);
        flow
    })?;
    recorder.finish(&built.world);

    assert_eq!(run.end, StopReason::Reached);
    let left = built.world.kinetic_energy();
    println!(
        "\n{} events in {} s of play; energy {energy:.4} J before, {left:.4} J after",
        run.events, scene.until
    );

    let folder = Path::new("out");
    std::fs::create_dir_all(folder)?;
    let (picture, movie) = (folder.join("nine_ball_break.png"), folder.join("nine_ball_break.gif"));
    std::fs::write(&picture, recorder.picture_png()?)?;
    let slow = MovieOptions { width: 960, speed: 0.25, ..MovieOptions::default() };
    std::fs::write(&movie, recorder.movie_gif(&slow)?)?;
    println!("picture: {}\nmovie:   {} (four times slower than life)", picture.display(), movie.display());
    Ok(())
}

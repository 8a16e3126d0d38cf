//! Elastic gas in a box, a rack that is broken, and heaps: Carom beside crates that one might take instead.
//! See README.md.

#[cfg(feature = "box2d")]
mod box2d_gas;
mod carom_gas;
mod collider_gas;
mod heap;
mod rack;
mod rapier_gas;
mod report;
mod run;
mod scene;

use carom_gas::CaromGas;
use collider_gas::ColliderGas;
use rapier_gas::{Ccd, double, single};
use report::Row;
use run::{Gas, Limits, Run};
use scene::Scene;

const USAGE: &str = "usage: carom-peers [--cap CPU-SECONDS-PER-RUN] [DISCS]...\n       \
                     carom-peers rack [PICTURE.png]\n       \
                     carom-peers heap [DISCS]...";

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let is_heap = words.first().is_some_and(|word| word == "heap");
    if is_heap {
        words.remove(0);
    }
    if words.first().is_some_and(|word| word == "rack") && words.len() <= 2 {
        if let Err(wrong) = rack::show(words.get(1).map(String::as_str)) {
            eprintln!("{wrong}");
            std::process::exit(1);
        }
        return;
    }
    let (limits, sizes) = match arguments(words, is_heap) {
        Ok(chosen) => chosen,
        Err(wrong) => {
            eprintln!("{wrong}\n{USAGE}");
            std::process::exit(2);
        }
    };
    if is_heap {
        return heap::show(&sizes);
    }
    report::preamble(&limits);
    for discs in sizes {
        let scene = Scene::new(discs);
        let truth = Run::of("Carom", &limits, || Box::new(CaromGas::new(&scene, 1)));
        report::heading(&scene, &truth);
        report::row(&Row { run: &truth, truth: &truth });
        for (name, make) in peers(&scene) {
            report::row(&Row { run: &Run::of(&name, &limits, make), truth: &truth });
        }
    }
}

type Make<'a> = Box<dyn Fn() -> Box<dyn Gas> + 'a>;

fn peers(scene: &Scene) -> Vec<(String, Make<'_>)> {
    let mut peers: Vec<(String, Make)> = Vec::new();
    for per_frame in [1, 4] {
        if per_frame > 1 && scene.states.len() > 1000 {
            continue;
        }
        let hertz = per_frame * scene::FRAMES_PER_SECOND;
        let kinds: &[Ccd] =
            if per_frame == 1 { &[Ccd::Off, Ccd::Walls, Ccd::Bullets, Ccd::Soft] } else { &[Ccd::Walls] };
        for &ccd in kinds {
            peers.push((
                format!("rapier2d, {hertz} Hz{}", ccd.name()),
                Box::new(move || Box::new(single::RapierGas::new(scene, per_frame, ccd))),
            ));
        }
        peers.push((
            format!("rapier2d-f64, {hertz} Hz"),
            Box::new(move || Box::new(double::RapierGas::new(scene, per_frame, Ccd::Walls))),
        ));
    }
    #[cfg(feature = "box2d")]
    for (name, per_frame, bullets) in [("60 Hz", 1, false), ("60 Hz, bullets", 1, true), ("240 Hz", 4, false)]
    {
        if per_frame == 1 || scene.states.len() <= 1000 {
            peers.push((
                format!("Box2D, {name}"),
                Box::new(move || Box::new(box2d_gas::Box2dGas::new(scene, per_frame, bullets))),
            ));
        }
    }
    peers.push(("collider".to_owned(), Box::new(|| Box::new(ColliderGas::new(scene)))));
    peers
}

fn arguments(words: Vec<String>, is_heap: bool) -> Result<(Limits, Vec<usize>), String> {
    let mut limits = Limits::default();
    let mut sizes = Vec::new();
    let mut rest = words.into_iter();
    while let Some(word) = rest.next() {
        if word == "--cap" && !is_heap {
            let cap = rest.next().ok_or("--cap needs a number of seconds")?;
            limits.cap = match cap.parse() {
                Ok(seconds) if seconds > 0.0 => seconds,
                _ => return Err(format!("{cap} is not a number of seconds above 0")),
            };
        } else {
            match word.parse() {
                Ok(discs) if (2..=1_000_000).contains(&discs) => sizes.push(discs),
                _ => return Err(format!("{word} is not a number of discs")),
            }
        }
    }
    if sizes.is_empty() {
        sizes = if is_heap { vec![20, 40, 73] } else { vec![16, 100, 1000, 10_000] };
    }
    Ok((limits, sizes))
}

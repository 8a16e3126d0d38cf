//! Runs a scene for a number of events or turns: `carom-instructions SCENE COUNT`. The difference between two
//! counts is what these take. See `count`, beside it, which has the list of the scenes. `timed-gas DISCS`
//! prints the events per CPU second of a large gas, for `tools/in-turn`.

mod casts;
mod forces;
mod games;
mod gas;
mod random;

use carom_engine::World;
use gas::{Gas, Way};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let [_, scene, count] = &args[..] else { return usage() };
    let Ok(count) = count.parse() else { return usage() };
    match &**scene {
        "box-of-4" => Gas::boxed(4).run(Way::Fast, count),
        "box-of-16" => Gas::boxed(16).run(Way::Fast, count),
        "box-of-100" => Gas::boxed(100).run(Way::Fast, count),
        "periodic-1024" => Gas::periodic(1024).run(Way::Fast, count),
        "observed-16" => Gas::boxed(16).run(Way::Observed, count),
        "observed-100" => Gas::boxed(100).run(Way::Observed, count),
        "general-16" => Gas::boxed(16).run(Way::General, count),
        "general-100" => Gas::boxed(100).run(Way::General, count),
        "clone-200" => Gas::boxed(200).clones(count),
        "turn-race" => games::turns(100.0, 0.0, count),
        "turn-scrum" => games::turns(1500.0, 0.25, count),
        "game-frame" => games::frames(count),
        "gravity-16" => forces::gas_under_gravity(count),
        "heap-of-10" => forces::heaps(count),
        "break-on-cloth" => games::breaks(count),
        "ray-cast" => casts::rays(count),
        "disc-cast" => casts::discs(count),
        "timed-gas" => println!("{:.0}", Gas::periodic(count).rate(3_000_000)),
        "vectors" => println!("{:?}", World::new().instructions()),
        _ => return usage(),
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("usage: carom-instructions SCENE COUNT");
    ExitCode::FAILURE
}

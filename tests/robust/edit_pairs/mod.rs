//! Two edits at one instant, of each kind after each other kind, in each kind of world: the world goes on as
//! one that is saved and loaded after them and scheduled in another way, and as one that is looked at between
//! them. So what an edit leaves out of the schedule, or out of a snapshot, shows. What it leaves out of the
//! state is the same in all of them: random games show that (`crates/carom-fuzz`).
//!
//! Each flag of a row that is taken out, changed or widened makes a random game or a test fail, except
//! these:
//! - `memory` where a state is written in place (`Arrived`, `Extra`, `TakenOff`, `InForce` that
//!   adds), and the sides that `Pushed` leaves out: what is not forgotten now is forgotten at the next
//!   event, and until then a disc is asked again whether it is still there.
//! - `records` of `Arrived` and `Deflected`: a body that has given way arrives late, and is deflected by
//!   walls alone.
//! - `places` and `sense` of `Arrived`: the disc is where its path has led, up to a rounding
//!   of the target, which no case here has at a border.
//! - `releases` and `neighbours` of `InForce` that adds: `restates` settles the disc, and `passes` looks at
//!   all discs that are near.
//! - `slides` and `facets` of `Posed` and `Gone`: `touching` has ended the slides of the discs near by, and
//!   numbers of facets that are gone cost memory alone.

mod edits;
mod worlds;

use crate::common::grammar::Played;
use crate::common::record::bits_of;
use crate::common::rng::cases;
use crate::common::stored::Format;
use carom_engine::{
    Advance, DVec2, DiscId, Event, Forecast, ForecastOptions, QueryFilter, Ray, RegionId, TimerId, WallId,
    World,
};
use edits::{Edit, flip};
use serde::Serialize;
use serde::de::DeserializeOwned;
use worlds::{FORCES, Kind, ROUGH, SMOOTH};

/// Events after the edits, also of a forecast, and the seconds for which worlds go on if there are fewer.
const EVENTS: u64 = 50;
const SECONDS: f64 = 8.0;

/// What is edited of a world.
struct Parts {
    a: DiscId,
    b: Option<DiscId>,
    mover: Option<DiscId>,
    wall: Option<WallId>,
    last: Option<WallId>,
    arm: Option<WallId>,
    region: Option<RegionId>,
    timer: Option<TimerId>,
}

impl Parts {
    fn of<P: Played>(world: &World<P>) -> Self {
        let mut ids = world.ids();
        Parts {
            a: ids.next().expect("a world has a disc"),
            b: ids.next(),
            mover: world.discs().find(|(_, disc)| disc.kinematic).map(|(id, _)| id),
            wall: world.walls().next().map(|(id, _)| id),
            last: world.walls().last().map(|(id, _)| id),
            arm: world.walls().map(|(id, _)| id).find(|id| world.arm(*id).is_some()),
            region: world.regions().next().map(|(id, _)| id),
            timer: world.timers().next().map(|(id, _)| id),
        }
    }
}

/// What must change nothing.
fn look<P: Played>(world: &mut World<P>, parts: &Parts)
where
    World<P>: Serialize,
{
    let copy = world.clone();
    _ = (world.next_event(), world.energy(), world.checksum(), world.diff(&copy));
    world.reserve(9);
    flip(world);
    let ray = Ray::between(DVec2::new(-2.0, -1.0), DVec2::new(2.5, 1.5));
    _ = (world.cast_ray(&ray, &QueryFilter::new()), Format::Postcard.save(world));
    _ = Forecast::new().path(world, parts.a, &ForecastOptions::new(0.5)).map(<[_]>::len);
    flip(world);
    _ = world.next_event();
    // The schedule and what is inside of regions are as they follow from the states.
    world.assert_well_formed();
}

type Run<P> = (Advance, Vec<Event<<P as carom_engine::Physics>::Change>>);

fn run<P: Played>(world: &mut World<P>) -> Run<P> {
    let until = world.clock().after(world.now(), SECONDS);
    let advance = world.advance_to(until).expect("a time to come");
    (advance, world.events().to_vec())
}

/// What two worlds that went on show of difference.
fn difference<P: Played>(worlds: [&World<P>; 2], runs: [&Run<P>; 2]) -> Option<String> {
    let [bits, other] = runs.map(|(_, events)| bits_of(events));
    if let Some(k) = (0..bits.len().max(other.len())).find(|&k| bits.get(k) != other.get(k)) {
        return Some(format!("event {k}: {:?} and {:?}", runs[0].1.get(k), runs[1].1.get(k)));
    }
    if runs[0].0 != runs[1].0 {
        return Some(format!("{:?} and {:?}", runs[0].0, runs[1].0));
    }
    worlds[0].diff(worlds[1]).map(|difference| format!("{difference:?}"))
}

/// Two edits of a world, and one of what has come of it after them.
struct Edits<'e, P: Played> {
    two: [&'e Edit<P>; 2],
    later: Option<&'e Edit<P>>,
    is_looked: bool,
}

/// Makes the edits, and goes on in three ways. Returns what differs.
fn faults<P: Played>(start: &World<P>, parts: &Parts, edits: &Edits<'_, P>) -> Vec<String>
where
    World<P>: Serialize + DeserializeOwned,
{
    let mut found = Vec::new();
    let mut world = start.clone();
    let mut looked = edits.is_looked.then(|| start.clone());
    for (_, edit) in edits.two {
        let outcome = edit(&mut world, parts);
        if let Some(looked) = &mut looked {
            if edit(looked, parts) != outcome {
                found.push(format!("{outcome:?} when looked at"));
            }
            look(looked, parts);
        }
    }
    let mut loaded: World<P> = Format::Postcard.load(&Format::Postcard.save(&world)).expect("it was saved");
    flip(&mut loaded);
    found.extend(world.diff(&loaded).map(|difference| format!("loaded: {difference:?}")));
    let seen = run(&mut world);
    let of_loaded = run(&mut loaded);
    found.extend(difference([&world, &loaded], [&seen, &of_loaded]).map(|what| format!("loaded: {what}")));
    if let Some(looked) = &mut looked {
        let of_looked = run(looked);
        found.extend(
            difference([&world, looked], [&seen, &of_looked]).map(|what| format!("looked at: {what}")),
        );
    }
    if let Some((name, edit)) = edits.later {
        let outcomes = [edit(&mut world, parts), edit(&mut loaded, parts)];
        let runs = [run(&mut world), run(&mut loaded)];
        let what = difference([&world, &loaded], [&runs[0], &runs[1]]);
        let what = what.or((outcomes[0] != outcomes[1]).then(|| format!("{outcomes:?}")));
        found.extend(what.map(|what| format!("loaded, and later {name}: {what}")));
    }
    found
}

/// Checks pairs of edits in a world of each kind: one in `usual` of them in a test run, all in a campaign.
fn check<P: Played>(kinds: &[Kind<P>], usual: u64)
where
    World<P>: Serialize + DeserializeOwned,
{
    let every = (usual / cases(1)).max(1) as usize;
    let edits = edits::all::<P>();
    let (mut found, mut count) = (Vec::new(), 0);
    for (k, (kind, world)) in kinds.iter().enumerate() {
        let mut start = world();
        start.set_budget(EVENTS);
        let parts = Parts::of(&start);
        let mut starts = [start.clone(), start];
        // At the instant of an event.
        starts[1].step_event();
        for (i, first) in edits.iter().enumerate() {
            // After one that is refused the other is as if it were alone.
            if !matches!(first.1(&mut starts[0].clone(), &parts), Some(Ok(()))) {
                continue;
            }
            for (j, second) in edits.iter().enumerate() {
                if !(i * edits.len() + j + k).is_multiple_of(every) {
                    continue;
                }
                let mut start = starts[(i + j) % 2].clone();
                if (i / 2 + j).is_multiple_of(2) {
                    flip(&mut start);
                }
                let later = (i + 5 * j).is_multiple_of(4).then(|| &edits[(3 * i + j) % edits.len()]);
                let of = Edits { two: [first, second], later, is_looked: (i + 3 * j).is_multiple_of(4) };
                let seen = faults(&start, &parts, &of);
                found.extend(seen.iter().map(|what| format!("{kind}: {} and {}: {what}", first.0, second.0)));
                count += 1;
            }
        }
    }
    println!("{count} pairs");
    assert!(found.is_empty(), "{} faults\n{}", found.len(), found.join("\n"));
}

#[test]
fn pairs_of_edits_of_smooth_discs() {
    check(&SMOOTH, 16);
}

#[test]
fn pairs_of_edits_under_forces() {
    check(&FORCES, 16);
}

#[test]
fn pairs_of_edits_of_rough_discs() {
    check(&ROUGH, 32);
}

//! What every game must do, whatever its rules.

use carom::{Event, SchedulerKind};
use carom_games::{Error, Input};
use carom_testkit::record::event_bits;
use carom_testkit::rng::Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// A game, as the tests play it.
pub(crate) trait Arcade: Clone + Debug + Serialize + DeserializeOwned {
    type Action: Copy;

    fn start(scheduler: SchedulerKind) -> Self;
    /// What a pilot does until the end, by a seed.
    fn script(seed: u64, end: f64) -> Vec<Input<Self::Action>>;
    fn give(&mut self, input: Input<Self::Action>) -> Result<(), Error>;
    fn run(&mut self, time: f64, seen: &mut Seen) -> Result<(), Error>;
    /// All bits of the world, and of the rules' own state.
    fn bits(&self) -> Vec<u64>;
}

/// Implements [`Arcade`] for the type `Game` of a file, and writes the tests that every game has.
///
/// It takes the type of the game's actions, a function from a scheduler to the start, one to the bits of
/// the rules' own state, for how many seconds frames are compared, and for how many schedulers, clones and
/// saved games, the least number of events in that time, and the seconds for which late input is tried.
macro_rules! arcade {
    ($action:ty, $start:expr, $bits:expr, $times:expr, $events:literal, $seconds:literal) => {
        impl crate::arcade::Arcade for Game {
            type Action = $action;

            fn start(scheduler: carom::SchedulerKind) -> Self {
                let start: fn(_) -> Result<Game, Error> = $start;
                start(scheduler).unwrap()
            }

            fn script(seed: u64, end: f64) -> Vec<Input<$action>> {
                let mut game = <Game as crate::arcade::Arcade>::start(carom::SchedulerKind::Fastest);
                let mut script = Pilot::new(seed).play(&mut game, end).unwrap();
                script.sort_by(|a, b| a.time.total_cmp(&b.time));
                script
            }

            fn give(&mut self, input: Input<$action>) -> Result<(), Error> {
                self.input(input)
            }

            fn run(&mut self, time: f64, seen: &mut crate::arcade::Seen) -> Result<(), Error> {
                self.advance_to_with(time, &mut |event| seen.add(event))
            }

            fn bits(&self) -> Vec<u64> {
                let bits: fn(&Game) -> Vec<u64> = $bits;
                [carom_testkit::record::state_bits(self.world()), bits(self)].concat()
            }
        }

        #[test]
        fn the_same_bits_in_all_frames() {
            let seen = crate::arcade::assert_same_bits::<Game>($times);
            assert!(seen.events > $events, "{seen:?}");
        }

        #[test]
        fn late_input_rolls_back() {
            crate::arcade::assert_rolls_back::<Game>($seconds);
        }

        #[test]
        fn no_game_goes_back() {
            crate::arcade::assert_goes_on::<Game>();
        }
    };
}

/// FNV-1a of the bits of all events, and their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) hash: u64,
    pub(crate) events: u64,
}

impl Default for Seen {
    fn default() -> Self {
        Seen { hash: 0xcbf2_9ce4_8422_2325, events: 0 }
    }
}

impl Seen {
    pub(crate) fn add<C: Debug>(&mut self, event: &Event<C>) {
        self.events += 1;
        for word in event_bits(event) {
            self.hash = (self.hash ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// How time is cut into frames.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Frames {
    /// This many a second.
    Rate(u32),
    /// From a tenth of a millisecond to a tenth of a second, and some of no length.
    Random(u64),
}

impl Frames {
    /// The ends of frames until `end`.
    fn ends(self, end: f64) -> impl Iterator<Item = f64> {
        let mut rng = Rng::new(match self {
            Frames::Rate(_) => 0,
            Frames::Random(seed) => seed,
        });
        let (mut frame, mut time) = (0_u32, 0.0);
        std::iter::from_fn(move || {
            if time >= end {
                return None;
            }
            frame += 1;
            time = match self {
                Frames::Rate(rate) => f64::from(frame) / f64::from(rate),
                Frames::Random(_) if rng.chance(5) => time,
                Frames::Random(_) => time + 10_f64.powf(rng.range(-4.0, -1.0)),
            };
            time = time.min(end);
            Some(time)
        })
    }
}

/// Plays a script; each input is given in the frame into which it falls. After each frame `between` may
/// exchange the game.
pub(crate) fn replay<G: Arcade>(
    mut game: G,
    script: &[Input<G::Action>],
    frames: Frames,
    end: f64,
    mut between: impl FnMut(usize, &mut G),
) -> (Seen, G) {
    let (mut seen, mut given) = (Seen::default(), 0);
    for (frame, time) in frames.ends(end).enumerate() {
        while let Some(input) = script.get(given).filter(|input| input.time <= time) {
            game.give(*input).unwrap();
            given += 1;
        }
        game.run(time, &mut seen).unwrap();
        between(frame, &mut game);
    }
    (seen, game)
}

/// A hundred thousand frames, and a tenth of them.
pub(crate) const LONG: [f64; 2] = [100_000.0 / 60.0, 10_000.0 / 60.0];

/// A script gives the same events and the same end at all frame rates, and, until another end, under each
/// scheduler, and when the game is exchanged for a clone of itself or for what was saved.
pub(crate) fn assert_same_bits<G: Arcade>([end, end_elsewhere]: [f64; 2]) -> Seen {
    let script = &G::script(1, end);
    let start = || G::start(SchedulerKind::Table);
    let (seen, game) = replay(start(), script, Frames::Rate(60), end, |_, _| {});
    for frames in [Frames::Rate(30), Frames::Rate(144), Frames::Random(1)] {
        let (other, there) = replay(start(), script, frames, end, |_, _| {});
        assert_eq!(seen, other, "{frames:?}");
        assert!(game.bits() == there.bits(), "{frames:?}: the ends differ");
    }
    assert_same_bits_elsewhere::<G>(script, end_elsewhere);
    seen
}

fn assert_same_bits_elsewhere<G: Arcade>(script: &[Input<G::Action>], end: f64) {
    let start = || G::start(SchedulerKind::Table);
    let (seen, game) = replay(start(), script, Frames::Rate(60), end, |_, _| {});
    let check = |what: &str, (other, there): (Seen, G)| {
        assert_eq!(seen, other, "{what}");
        assert!(game.bits() == there.bits(), "{what}: the ends differ");
    };
    for kind in [SchedulerKind::Grid, SchedulerKind::Fastest] {
        check(&format!("{kind:?}"), replay(G::start(kind), script, Frames::Random(2), end, |_, _| {}));
    }
    // The clone goes on, the original is left.
    let mut kept = start();
    let clones = replay(start(), script, Frames::Rate(60), end, |frame, game| match frame % 50 {
        0 => *game = game.clone(),
        25 => {
            kept.clone_from(game);
            std::mem::swap(&mut kept, game);
        }
        _ => {}
    });
    check("clones", clones);
    let saved = replay(start(), script, Frames::Random(3), end, |frame, game| {
        if frame % 97 == 0 {
            let bytes = postcard::to_stdvec(game).unwrap();
            *game = postcard::from_bytes(&bytes).unwrap();
        }
    });
    check("saved games", saved);
}

/// Half of the input arrives late: the game is played without it, taken back to a clone from before, and
/// played again with all of it. That gives what input in time does.
pub(crate) fn assert_rolls_back<G: Arcade>(end: f64) {
    let script = &G::script(2, end);
    let start = || G::start(SchedulerKind::Fastest);
    let (_, in_time) = replay(start(), script, Frames::Rate(60), end, |_, _| {});
    let (mut game, mut saved, mut given, mut late) = (start(), start(), 0, 0);
    let blocks = (end / 0.2).ceil() as u32;
    for block in 1..=blocks {
        let until = (0.2 * f64::from(block)).min(end);
        let from = given;
        given += script[from..].iter().take_while(|input| input.time <= until).count();
        saved.clone_from(&game);
        for (k, input) in script[from..given].iter().enumerate() {
            if k.is_multiple_of(2) {
                game.give(*input).unwrap();
            } else {
                late += 1;
            }
        }
        game.run(until, &mut Seen::default()).unwrap();
        game.clone_from(&saved);
        script[from..given].iter().for_each(|input| game.give(*input).unwrap());
        game.run(until, &mut Seen::default()).unwrap();
    }
    assert!(late > 100, "{late} inputs were late");
    assert!(in_time.bits() == game.bits(), "the ends differ");
}

/// What is late, and a time before the present or none, is refused, and changes nothing.
pub(crate) fn assert_goes_on<G: Arcade>() {
    let mut game = G::start(SchedulerKind::Fastest);
    let now = 2.0;
    game.run(now, &mut Seen::default()).unwrap();
    let before = game.bits();
    let late = Input { time: 0.5, ..G::script(1, 5.0)[0] };
    assert_eq!(game.give(late), Err(Error::Late { time: 0.5, now }));
    for time in [0.5, f64::NAN, f64::INFINITY] {
        assert!(game.run(time, &mut Seen::default()).is_err(), "{time}");
    }
    assert!(game.bits() == before);
}

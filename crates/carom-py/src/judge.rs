//! The rules of a game: a table, and the slow door, a function of Python.

use crate::handle::{self, Body};
use crate::table;
use crate::vector::{Pair, pair};
use carom_engine::{Commands, Judge, Verdict};
use carom_scene::SceneJudge;
use carom_scene::verdicts::{Known, Rule, Rulebook};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};

/// A function that is asked where no rule fits, and what it has raised.
pub(crate) struct Callback {
    function: Py<PyAny>,
    raised: Mutex<Option<PyErr>>,
}

/// A list of rules. When two bodies meet, the first rule that fits them decides the verdict.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct GameRules {
    pub(crate) table: Rulebook,
    #[serde(skip)]
    pub(crate) callback: Option<Arc<Callback>>,
}

/// Two that meet, as a function of Python sees them.
#[pyclass(frozen, get_all, module = "carom")]
pub(crate) struct Encounter {
    time: f64,
    a: Option<Body>,
    b: Option<Body>,
    user_data: (u64, u64),
    positions: (Pair, Pair),
    velocities: (Pair, Pair),
    masses: (f64, f64),
    point: Pair,
    normal: Pair,
    approach_speed: f64,
    restitution: f64,
    stopping_impulse: f64,
}

impl Encounter {
    fn of<B, X, F>(met: &carom_engine::Encounter<'_, B, X, F>) -> Self {
        let (a, b) = (&met.a, &met.b);
        Encounter {
            time: met.time.as_secs(),
            a: handle::body(a.body),
            b: handle::body(b.body),
            user_data: (a.user_data, b.user_data),
            positions: (pair(a.position), pair(b.position)),
            velocities: (pair(a.velocity), pair(b.velocity)),
            masses: (a.mass, b.mass),
            point: pair(met.point),
            normal: pair(met.normal),
            approach_speed: met.approach_speed,
            restitution: met.restitution,
            stopping_impulse: met.stopping_impulse,
        }
    }
}

impl Callback {
    pub(crate) fn new(function: Py<PyAny>) -> Arc<Self> {
        Arc::new(Callback { function, raised: Mutex::new(None) })
    }

    /// What has been raised since it was last asked.
    pub(crate) fn take_raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn ask<B: Known, F>(
        &self,
        met: &carom_engine::Encounter<'_, B, B::Extra, F>,
        commands: &mut Commands<B, B::Extra>,
    ) -> Verdict {
        let answer = Python::attach(|py| {
            let answer = self.function.bind(py).call1((Encounter::of(met),))?;
            if answer.is_none() { Ok(None) } else { table::ruling(&answer, "the verdict").map(Some) }
        });
        match answer {
            Ok(None) => Verdict::Bounce,
            Ok(Some(ruling)) => ruling.say([&met.a, &met.b], met, commands),
            Err(raised) => {
                self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(raised);
                Verdict::Bounce
            }
        }
    }
}

impl SceneJudge for GameRules {
    fn of_rules(rules: Vec<Rule>) -> Self {
        GameRules { table: Rulebook { rules }, callback: None }
    }
}

impl<B: Known, F> Judge<B, B::Extra, F> for GameRules {
    fn verdict(
        &self,
        met: &carom_engine::Encounter<'_, B, B::Extra, F>,
        commands: &mut Commands<B, B::Extra>,
    ) -> Verdict {
        let ask = |commands: &mut _| {
            self.callback.as_ref().map_or(Verdict::Bounce, |callback| callback.ask(met, commands))
        };
        self.table.say(met, commands).unwrap_or_else(|| ask(commands))
    }

    fn has_rules(&self) -> bool {
        !self.table.rules.is_empty() || self.callback.is_some()
    }
}

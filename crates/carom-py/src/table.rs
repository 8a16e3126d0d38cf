//! The verdict table, from lists and dictionaries of Python.

use crate::body::Disc;
use crate::errors::{self, Given, Value};
use crate::vector::Vector;
use crate::words::{of_word, rules};
use carom_engine::{DVec2, WallId};
use carom_scene::verdicts::{Meets, Order, Rule, Rulebook, Ruling, Says, Who};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

const SIDES: &[(&str, Who)] = &[("first", Who::First), ("second", Who::Second)];
const SIDES_OR_BOTH: &[(&str, Who)] = &[("first", Who::First), ("second", Who::Second), ("both", Who::Both)];

/// A dictionary, with the place where it stands.
struct Options<'py> {
    dict: Bound<'py, PyDict>,
    at: String,
}

impl<'py> Options<'py> {
    fn of(given: &Bound<'py, PyAny>, at: String) -> PyResult<Self> {
        match given.cast::<PyDict>() {
            Ok(dict) => Ok(Options { dict: dict.clone(), at }),
            Err(_) => {
                Err(PyTypeError::new_err(format!("{at} is a {}, wanted is a dict", given.get_type().name()?)))
            }
        }
    }

    /// Refuses keys that are not known.
    fn only(&self, known: &[&str]) -> PyResult<()> {
        for key in self.dict.keys() {
            let key: String = key.extract()?;
            if !known.contains(&key.as_str()) {
                return Err(errors::text(
                    &format!("a key of {}", self.at),
                    &key,
                    &format!("one of {known:?}"),
                ));
            }
        }
        Ok(())
    }

    fn field(&self, key: &str) -> String {
        format!("{}.{key}", self.at)
    }

    fn get<T>(&self, key: &str) -> PyResult<Option<T>>
    where
        T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>,
    {
        match self.dict.get_item(key)? {
            None => Ok(None),
            Some(value) if value.is_none() => Ok(None),
            Some(value) => value.extract::<T>().map(Some).map_err(|error| {
                let error: PyErr = error.into();
                PyTypeError::new_err(format!("{}: {}", self.field(key), error.value(self.dict.py())))
            }),
        }
    }

    fn need<T>(&self, key: &str) -> PyResult<T>
    where
        T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>,
    {
        self.get(key)?.ok_or_else(|| errors::text(&self.field(key), "missing", "to be given"))
    }

    /// A number from 0 on.
    fn amount(&self, key: &str) -> PyResult<f64> {
        let number: f64 = self.need(key)?;
        let is_amount = number >= 0.0 && number.is_finite();
        let refused = || errors::value(&self.field(key), Value::Number(number), "a finite number from 0 on");
        if is_amount { Ok(number) } else { Err(refused()) }
    }

    /// A vector of finite numbers.
    fn vector(&self, key: &str) -> PyResult<DVec2> {
        let Vector(v) = self.need(key)?;
        let refused = || errors::text(&self.field(key), &format!("({}, {})", v.x, v.y), "two finite numbers");
        if v.is_finite() { Ok(v) } else { Err(refused()) }
    }

    fn word<T: Copy>(&self, key: &str, words: &[(&str, T)]) -> PyResult<T> {
        let word: String = self.need(key)?;
        of_word(&self.field(key), &word, words)
    }
}

/// All rules of a table.
pub(crate) fn rules_of(given: &Bound<'_, PyAny>) -> PyResult<Rulebook> {
    let rules = given.try_iter()?.enumerate();
    let rules = rules.map(|(index, rule)| self::rule(&rule?, format!("verdicts[{index}]")));
    Ok(Rulebook { rules: rules.collect::<PyResult<_>>()? })
}

const RULING: [&str; 6] = ["verdict", "restitution", "impulse", "speed", "which", "commands"];

fn rule(given: &Bound<'_, PyAny>, at: String) -> PyResult<Rule> {
    let of = Options::of(given, at)?;
    let mut known = RULING.to_vec();
    known.extend(["first", "second", "min_speed", "max_speed", "toward"]);
    of.only(&known)?;
    let least = of.get("min_speed")?.unwrap_or(Rule::<WallId>::ANY_SPEED[0]);
    let most = of.get("max_speed")?.unwrap_or(Rule::<WallId>::ANY_SPEED[1]);
    if !(most >= 0.0) || least.is_nan() {
        let (field, speed) = if least.is_nan() { ("min_speed", least) } else { ("max_speed", most) };
        return Err(errors::value(&of.field(field), Value::Number(speed), "a number from 0 on, or infinity"));
    }
    let toward = if of.dict.contains("toward")? { Some(of.vector("toward")?) } else { None };
    if toward == Some(DVec2::ZERO) {
        return Err(errors::text(&of.field("toward"), "(0, 0)", "another vector than 0"));
    }
    let [first, second] = ["first", "second"].map(|side| meets(&of, side));
    Ok(Rule { first: first?, second: second?, speeds: [least, most], toward, ruling: ruling_of(&of)? })
}

fn meets(of: &Options<'_>, side: &str) -> PyResult<Meets> {
    let empty = PyDict::new(of.dict.py()).into_any();
    let given = of.dict.get_item(side)?.unwrap_or(empty);
    let side = Options::of(&given, of.field(side))?;
    side.only(&["is", "user_data", "membership", "team"])?;
    let is_disc = if side.dict.contains("is")? {
        Some(side.word("is", &[("disc", true), ("wall", false)])?)
    } else {
        None
    };
    let user_data = match side.dict.get_item("user_data")? {
        None => [0, u64::MAX],
        Some(one) if one.extract::<u64>().is_ok() => [one.extract()?; 2],
        Some(_) => {
            let (least, most): (u64, u64) = side.need("user_data")?;
            [least, most]
        }
    };
    Ok(Meets { is_disc, user_data, membership: side.get("membership")?, team: side.get("team")? })
}

/// A verdict with its commands, as a rule has them and as a function of Python gives them.
pub(crate) fn ruling(given: &Bound<'_, PyAny>, at: &str) -> PyResult<Ruling> {
    let of = Options::of(given, at.to_owned())?;
    of.only(&RULING)?;
    ruling_of(&of)
}

fn ruling_of(of: &Options<'_>) -> PyResult<Ruling> {
    type Reads = fn(&Options<'_>) -> PyResult<Says>;
    let verdicts: &[(&str, Reads)] = &[
        ("bounce", |_| Ok(Says::Bounce)),
        ("restitution", |of| of.amount("restitution").map(Says::Restitution)),
        ("impulse", |of| of.amount("impulse").map(Says::Impulse)),
        ("least_impulse", |of| of.amount("impulse").map(Says::LeastImpulse)),
        ("kick", |of| of.amount("speed").map(Says::Kick)),
        ("pass", |_| Ok(Says::Pass)),
        ("capture", |of| of.word("which", SIDES_OR_BOTH).map(Says::Capture)),
        ("remove", |of| of.word("which", SIDES_OR_BOTH).map(Says::Remove)),
        ("bounce_and_remove", |of| of.word("which", SIDES_OR_BOTH).map(Says::BounceAndRemove)),
    ];
    let says = of.word("verdict", verdicts)?(of)?;
    let mut orders = Vec::new();
    if let Some(given) = of.dict.get_item("commands")? {
        for (index, command) in given.try_iter()?.enumerate() {
            orders.push(order(&command?, format!("{}[{index}]", of.field("commands")))?);
        }
    }
    Ok(Ruling { says, orders })
}

fn order(given: &Bound<'_, PyAny>, at: String) -> PyResult<Order> {
    type Reads = fn(&Options<'_>) -> PyResult<Order>;
    let orders: &[(&str, (&[&str], Reads))] = &[
        ("set_user_data", (&["of", "user_data"], |o| Ok(Order::SetUserData(one(o)?, o.need("user_data")?)))),
        ("set_velocity", (&["of", "velocity"], |o| Ok(Order::SetVelocity(one(o)?, o.vector("velocity")?)))),
        ("set_position", (&["of", "position"], |o| Ok(Order::SetPosition(one(o)?, o.vector("position")?)))),
        ("apply_impulse", (&["of", "impulse"], |o| Ok(Order::ApplyImpulse(one(o)?, o.vector("impulse")?)))),
        ("set_enabled", (&["of", "enabled"], |o| Ok(Order::SetEnabled(one(o)?, o.need("enabled")?)))),
        ("set_rules", (&["of", "membership", "mask", "team"], set_rules)),
        ("set_radius", (&["of", "radius"], |o| Ok(Order::SetRadius(one(o)?, o.amount("radius")?)))),
        ("set_mass", (&["of", "mass"], |o| Ok(Order::SetMass(one(o)?, o.need("mass")?)))),
        (
            "set_restitution",
            (&["of", "restitution"], |o| Ok(Order::SetRestitution(one(o)?, o.amount("restitution")?))),
        ),
        (
            "set_timer",
            (&["seconds", "note"], |o| {
                Ok(Order::SetTimer(o.amount("seconds")?, o.get("note")?.unwrap_or(0)))
            }),
        ),
        (
            "turn_arm",
            (&["wall", "angle", "rate"], |o| {
                Ok(Order::TurnArm(WallId::given(o.need("wall")?)?, o.need("angle")?, o.amount("rate")?))
            }),
        ),
        (
            "move_wall",
            (&["wall", "offset", "seconds"], |o| {
                Ok(Order::MoveWall(
                    WallId::given(o.need("wall")?)?,
                    o.vector("offset")?,
                    o.amount("seconds")?,
                ))
            }),
        ),
        ("insert", (&["at", "disc"], insert)),
    ];
    let of = Options::of(given, at)?;
    let (known, read) = of.word("do", orders)?;
    of.only(&[&["do"], known].concat())?;
    read(&of)
}

fn one(of: &Options<'_>) -> PyResult<Who> {
    of.word("of", SIDES)
}

fn set_rules(of: &Options<'_>) -> PyResult<Order> {
    let groups = |key: &str| of.get(key).map(|groups| groups.unwrap_or(u32::MAX));
    let team = of.get("team")?.unwrap_or(0);
    Ok(Order::SetRules(one(of)?, rules(groups("membership")?, groups("mask")?, team)))
}

fn insert(of: &Options<'_>) -> PyResult<Order> {
    let at = if of.dict.contains("at")? {
        of.word("at", &[("contact", None), ("first", Some(Who::First)), ("second", Some(Who::Second))])?
    } else {
        None
    };
    let disc: Py<Disc> = of.need("disc")?;
    let whole = disc.get().whole;
    whole.check().map_err(errors::refused)?;
    Ok(Order::Insert(at, Box::new(whole)))
}

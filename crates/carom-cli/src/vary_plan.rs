//! Which shots are played when some of their values vary.

use crate::args::ShotArgs;
use crate::error::CliError;
use carom_billiards::Shot;
use carom_engine::math::Shown;
use carom_scene::{Generator, Random, closest};

/// As many shots as are played at most.
const MOST_SHOTS: u64 = 4_000_000;

/// What of a shot can vary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parameter {
    Speed,
    Angle,
    Elevation,
    Side,
    Height,
    X,
    Y,
}

impl Parameter {
    const ALL: [(&'static str, Parameter); 7] = [
        ("speed", Parameter::Speed),
        ("angle", Parameter::Angle),
        ("elevation", Parameter::Elevation),
        ("side", Parameter::Side),
        ("height", Parameter::Height),
        ("x", Parameter::X),
        ("y", Parameter::Y),
    ];

    pub(crate) fn name(self) -> &'static str {
        Parameter::ALL.iter().find(|(_, known)| *known == self).map_or("", |(name, _)| name)
    }

    pub(crate) fn unit(self) -> &'static str {
        match self {
            Parameter::Speed => "m/s",
            Parameter::Angle | Parameter::Elevation => "degrees",
            Parameter::Side | Parameter::Height => "radii",
            Parameter::X | Parameter::Y => "m",
        }
    }
}

/// Which values something takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Spread {
    /// Evenly from one to the other.
    Even { from: f64, to: f64 },
    /// Normal.
    Normal { mean: f64, deviation: f64 },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Varied {
    pub(crate) what: Parameter,
    pub(crate) spread: Spread,
}

impl Varied {
    fn parse(text: &str) -> Result<Varied, CliError> {
        let allowed = "NAME=FROM..TO or NAME=MEAN~DEVIATION, such as speed=2..4 or angle=90~0.3";
        let refused = || CliError::option("--vary", text, allowed);
        let (name, values) = text.split_once('=').ok_or_else(refused)?;
        let known = Parameter::ALL.iter().find(|(known, _)| *known == name);
        let (_, what) = known.ok_or_else(|| unknown(name))?;
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let pair = |(a, b): (&str, &str)| number(a).zip(number(b));
        let spread = if let Some((from, to)) = values.split_once("..").and_then(pair) {
            Spread::Even { from, to }
        } else {
            let (mean, deviation) = values.split_once('~').and_then(pair).ok_or_else(refused)?;
            Spread::Normal { mean, deviation }
        };
        match spread {
            Spread::Even { from, to } if from >= to => {
                Err(CliError::option("--vary", text, "a range from a number to a greater one"))
            }
            Spread::Normal { deviation, .. } if deviation < 0.0 => {
                Err(CliError::option("--vary", text, "a normal distribution with a deviation of at least 0"))
            }
            _ => Ok(Varied { what: *what, spread }),
        }
    }

    /// What is said of it.
    pub(crate) fn words(&self) -> String {
        let (name, unit) = (self.what.name(), self.what.unit());
        match self.spread {
            Spread::Even { from, to } => format!("{name} from {} to {} {unit}", Shown(from), Shown(to)),
            Spread::Normal { mean, deviation } => {
                format!("{name} {} ± {} {unit}", Shown(mean), Shown(deviation))
            }
        }
    }
}

/// A value that no shot has.
fn unknown(name: &str) -> CliError {
    let names = Parameter::ALL.map(|(name, _)| name);
    let near = closest(name, names.into_iter());
    let meant = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    let end = if meant.is_empty() { "; there are" } else { " There are" };
    CliError::Usage(format!("--vary: `{name}` is no value of a shot{meant}{end} {}", names.join(", ")))
}

/// The shots that are played.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    pub(crate) varied: Vec<Varied>,
    /// The cells of a row and the rows, of two ranges.
    pub(crate) grid: Option<[u64; 2]>,
    pub(crate) count: u64,
    /// What is drawn at random, shot by shot.
    drawn: Vec<f64>,
}

impl Plan {
    pub(crate) fn new(args: &ShotArgs) -> Result<Plan, CliError> {
        let varied: Vec<Varied> =
            args.vary.iter().map(|text| Varied::parse(text)).collect::<Result<_, _>>()?;
        for (k, one) in varied.iter().enumerate() {
            if varied[..k].iter().any(|other| other.what == one.what) {
                return Err(CliError::option("--vary", one.what.name(), "given once"));
            }
        }
        if !(1..=MOST_SHOTS).contains(&args.count) {
            let allowed = format!("from 1 to {MOST_SHOTS}");
            return Err(CliError::option("--count", &args.count.to_string(), &allowed));
        }
        let mut plan = Plan { varied, grid: None, count: args.count, drawn: Vec::new() };
        let is_even = plan.varied.iter().all(|one| matches!(one.spread, Spread::Even { .. }));
        match (is_even, plan.varied.len()) {
            (true, 1) => {}
            (true, 2) => {
                let columns = (args.count as f64).sqrt().ceil() as u64;
                let rows = args.count.div_ceil(columns);
                plan.grid = Some([columns, rows]);
                plan.count = columns * rows;
            }
            _ => plan.drawn = plan.draw(args.balls.seed),
        }
        Ok(plan)
    }

    fn draw(&self, seed: u64) -> Vec<f64> {
        let mut random = Random::new(Generator::default(), seed);
        let mut of = |one: &Varied| match one.spread {
            Spread::Even { from, to } => random.between(from, to),
            Spread::Normal { mean, deviation } => mean + deviation * random.normal_pair().x,
        };
        (0..self.count).flat_map(|_| self.varied.iter().map(&mut of).collect::<Vec<_>>()).collect()
    }

    /// The values of the shot of this number.
    pub(crate) fn values(&self, shot: u64) -> Vec<f64> {
        let count = self.varied.len();
        let drawn = (shot as usize).checked_mul(count).and_then(|from| self.drawn.get(from..from + count));
        if let Some(drawn) = drawn.filter(|drawn| !drawn.is_empty()) {
            return drawn.to_vec();
        }
        let [columns, rows] = self.grid.unwrap_or([self.count, 1]);
        let places = [(shot % columns, columns), (shot / columns, rows)];
        let value = |(one, (place, of)): (&Varied, (u64, u64))| match one.spread {
            Spread::Even { from, to } => from + (to - from) * ((place as f64 + 0.5) / of as f64),
            Spread::Normal { mean, .. } => mean,
        };
        self.varied.iter().zip(places).map(value).collect()
    }

    /// A shot with these values; where the cue ball lies is not part of it.
    pub(crate) fn shot(&self, base: &Shot, values: &[f64]) -> Shot {
        let mut shot = base.clone();
        for (one, &value) in self.varied.iter().zip(values) {
            match one.what {
                Parameter::Speed => shot.speed = value,
                Parameter::Angle => shot.direction = value.to_radians(),
                Parameter::Elevation => shot.elevation = value.to_radians(),
                Parameter::Side => shot.side = value,
                Parameter::Height => shot.height = value,
                Parameter::X | Parameter::Y => {}
            }
        }
        shot
    }

    /// Where the cue ball lies instead of its place.
    pub(crate) fn place(&self, at: [f64; 2], values: &[f64]) -> Option<[f64; 2]> {
        let of = |what| self.varied.iter().position(|one| one.what == what).and_then(|k| values.get(k));
        let (x, y) = (of(Parameter::X), of(Parameter::Y));
        (x.is_some() || y.is_some()).then_some([*x.unwrap_or(&at[0]), *y.unwrap_or(&at[1])])
    }
}

//! What came of a shot.

use crate::cue::{Obstruction, Strike, Tip};
use carom_engine::glam::DVec3;
use carom_engine::{DVec2, StopReason};

/// What came of a shot: from the stroke until all balls rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The ball that was struck; empty without a stroke.
    pub ball: String,
    /// What the stroke made of the ball; zeros without a stroke.
    pub strike: Strike,
    /// Where the ball lay that was struck, in the frame of the table.
    pub from: DVec2,
    /// Whether that was behind the head string, a quarter of the length from the head cushion, or on it, as
    /// the head spot is, where racks have the cue ball.
    pub from_behind_string: bool,
    /// How often the tip met the ball.
    pub tip: Tip,
    /// Whether a referee has called a foul that only an eye sees: a ball that is touched, no foot on the
    /// floor, slow play. No shot that is played has one; see [`Outcome::with_call`].
    pub is_called: bool,
    /// What is in the way of the cue, if the elevation is not enough. The shot is played all the same.
    pub obstruction: Option<Obstruction>,
    /// Which balls fell, where and when, in order.
    pub potted: Vec<Potted>,
    /// The first ball that the struck one met.
    pub first_hit: Option<String>,
    /// When it did, in seconds since the stroke.
    pub first_hit_at: Option<f64>,
    /// Whether that ball lay behind the head string, and the struck one had not been on or beyond the string
    /// before, anywhere on its path.
    pub met_behind_string: bool,
    /// Which balls met when, in order.
    pub hits: Vec<BallHit>,
    /// Who met which cushion when, in order.
    pub cushions: Vec<CushionHit>,
    /// The balls that the struck one touched before the stroke, with a gap of at most a micrometre.
    pub touching: Vec<String>,
    /// Seconds from the stroke to the last event, or to where it was stopped.
    pub duration: f64,
    /// `Reached` if all balls rest.
    pub end: StopReason,
    /// How many events the engine counted.
    pub events: u64,
    /// Contacts of balls, and of balls with cushions, that had an impulse.
    pub impacts: u64,
    /// Changes of motion: to rolling, spinning, rest.
    pub changes: u64,
    /// Pieces of the motion of balls that press on each other or on a cushion.
    pub pieces: u64,
}

impl Outcome {
    /// A stroke on a ball behind the head string after which nothing has happened and all balls rest: for
    /// tests of rules, which say what happens instead. The `with_` methods add to it.
    ///
    /// ```
    /// use carom_billiards::Outcome;
    /// use carom_billiards::rules::{Foul, Intent, NineBall};
    ///
    /// let outcome = Outcome::of("cue").with_hit("1", 0.2).with_potted("cue", 3, 0.9);
    /// let ruling = NineBall::new().judge(&outcome, Intent::Play)?;
    /// assert_eq!(ruling.fouls, [Foul::Scratch, Foul::WeakBreak]);
    /// # Ok::<(), carom_billiards::Error>(())
    /// ```
    #[must_use]
    pub fn of(ball: impl Into<String>) -> Outcome {
        Outcome {
            ball: ball.into(),
            strike: Strike { velocity: DVec2::ZERO, spin: DVec3::ZERO, squirt: 0.0, downwards: 0.0 },
            from: DVec2::ZERO,
            from_behind_string: true,
            tip: Tip::Once,
            is_called: false,
            obstruction: None,
            potted: Vec::new(),
            first_hit: None,
            first_hit_at: None,
            met_behind_string: false,
            hits: Vec::new(),
            cushions: Vec::new(),
            touching: Vec::new(),
            duration: 0.0,
            end: StopReason::Reached,
            events: 0,
            impacts: 0,
            changes: 0,
            pieces: 0,
        }
    }

    /// In which the struck ball meets another, at a time in seconds since the stroke.
    #[must_use]
    pub fn with_hit(mut self, ball: impl Into<String>, time: f64) -> Outcome {
        let ball = ball.into();
        if self.first_hit_at.is_none_or(|first| time < first) {
            (self.first_hit, self.first_hit_at) = (Some(ball.clone()), Some(time));
        }
        self.hits.push(BallHit { balls: [self.ball.clone(), ball], time });
        self
    }

    /// On which a referee has called a foul that only an eye sees, for the rules to judge. Where a referee
    /// sees otherwise what is seen here, the fields say it: [`Outcome::tip`], [`Outcome::touching`],
    /// [`CushionHit::frozen`].
    #[must_use]
    pub fn with_call(self) -> Outcome {
        Outcome { is_called: true, ..self }
    }

    /// In which a ball meets a cushion to which it was not frozen.
    #[must_use]
    pub fn with_cushion(mut self, ball: impl Into<String>, cushion: usize, time: f64) -> Outcome {
        self.cushions.push(CushionHit { ball: ball.into(), cushion, time, frozen: false });
        self
    }

    /// In which a ball falls.
    #[must_use]
    pub fn with_potted(mut self, ball: impl Into<String>, pocket: usize, time: f64) -> Outcome {
        self.potted.push(Potted { ball: ball.into(), pocket, time });
        self
    }

    /// The balls that the struck one met first: several, if it met them at the same instant.
    #[must_use]
    pub fn first_met(&self) -> Vec<&str> {
        let mut met: Vec<&str> = self.first_hit.iter().map(String::as_str).collect();
        for hit in self.hits.iter().filter(|hit| Some(hit.time) == self.first_hit_at) {
            let [a, b] = [&hit.balls[0], &hit.balls[1]].map(String::as_str);
            let other = if a == self.ball { b } else { a };
            if (a == self.ball || b == self.ball) && !met.contains(&other) {
                met.push(other);
            }
        }
        met
    }

    /// Whether the struck ball has been played at a ball that it touched: it meets that before anything else.
    #[must_use]
    pub fn plays_at_touching(&self) -> bool {
        let Some(at) = self.first_hit_at else { return false };
        let was_elsewhere = self.cushions.iter().any(|hit| hit.ball == self.ball && hit.time < at);
        let meets_touching = self.first_hit.as_ref().is_some_and(|ball| self.touching.contains(ball));
        meets_touching && !was_elsewhere
    }
}

/// A ball that fell.
#[derive(Clone, Debug, PartialEq)]
pub struct Potted {
    /// Its label.
    pub ball: String,
    /// The number of the pocket: see [`Table::pocket_circles`](crate::Table::pocket_circles).
    pub pocket: usize,
    /// Seconds since the stroke.
    pub time: f64,
}

/// A ball that met a cushion.
#[derive(Clone, Debug, PartialEq)]
pub struct CushionHit {
    /// The ball's label.
    pub ball: String,
    /// The number of the wall: see [`Table::segments`](crate::Table::segments), and jaws after these.
    pub cushion: usize,
    /// Seconds since the stroke.
    pub time: f64,
    /// Whether it has lain at this cushion since before the stroke, with a gap of at most a micrometre, and
    /// has not left: such a ball is not driven there (World Pool-Billiard Association, The Rules of Play,
    /// 8.4).
    pub frozen: bool,
}

/// Two balls that met.
#[derive(Clone, Debug, PartialEq)]
pub struct BallHit {
    /// Their labels.
    pub balls: [String; 2],
    /// Seconds since the stroke.
    pub time: f64,
}

use super::opening::{self, in_frame};
use super::{Before, BilliardSession, Opponent, Phase, Player, Referee, Replay, SHOWN, TRIALS, UNDO};
use carom_billiards::rules::{CueBall, Next, Ruling};
use carom_billiards::{Layout, Outcome, Shot};
use carom_engine::DVec2;
use carom_engine::glam::DQuat;

/// What is done at the table, and what comes of it.
impl BilliardSession {
    /// A frame of the window, `seconds` long: a shot goes on, the simple player thinks.
    pub fn frame(&mut self, seconds: f64) {
        let seconds = seconds.clamp(0.0, 0.1);
        if let (Some(time), Some(replay), true) = (self.shown, &self.replay, self.is_playing) {
            let time = time + seconds * self.speed;
            if time >= replay.duration() {
                self.settle();
            } else {
                self.shown = Some(time);
            }
        }
        if self.phase() == Phase::Thinking && self.shown.is_none() {
            self.simple_player(seconds);
        }
    }

    /// Plays the shot that is aimed. Says whether it could.
    pub fn shoot(&mut self) -> bool {
        if self.phase() != Phase::Aiming {
            return false;
        }
        self.shown = None;
        self.run(Some(self.shot()))
    }

    /// Lets a shot run.
    pub(super) fn run(&mut self, shot: Option<Shot>) -> bool {
        let before = Before {
            game: self.game.clone(),
            referee: self.referee.clone(),
            turned: self.turned.clone(),
            aim: self.aim,
        };
        match Replay::play(&mut self.game, shot, self.turned.clone()) {
            Ok(replay) => {
                self.undo.push(before);
                if self.undo.len() > UNDO {
                    self.undo.remove(0);
                }
                self.replay = Some(replay);
                (self.shown, self.is_settled, self.is_playing) = (Some(0.0), false, true);
                self.shots += 1;
                self.forecast = None;
                self.message.clear();
                true
            }
            Err(error) => {
                self.message = error.to_string();
                false
            }
        }
    }

    /// The shot is over: the balls lie where they came to rest, and the rules say what is next.
    fn settle(&mut self) {
        self.shown = None;
        if self.is_settled {
            return;
        }
        self.is_settled = true;
        let Some(replay) = &mut self.replay else { return };
        self.turned = replay.turned(replay.duration()).to_vec();
        let outcome = replay.recording().outcome.clone();
        let is_push_out = std::mem::take(&mut self.is_push_out);
        match self.referee.judge(&outcome, is_push_out, &self.game) {
            Ok(Some(ruling)) => self.follow(&outcome, &ruling),
            Ok(None) => self.said = fallen(&outcome),
            // A shot that is stopped before all balls rest is judged by no rule.
            Err(error) => self.message = error.to_string(),
        }
        self.put_cue_ball_back();
        (self.opponent, self.announced, self.forecast) = (None, None, None);
        self.aim_at_next();
        self.lift();
    }

    fn follow(&mut self, outcome: &Outcome, ruling: &Ruling) {
        let mut said: Vec<String> = Vec::new();
        said.extend(Some(fallen(outcome)).filter(|fallen| !fallen.is_empty()));
        if !ruling.fouls.is_empty() {
            let fouls: Vec<String> = ruling.fouls.iter().map(ToString::to_string).collect();
            said.push(format!("Foul: {}.", fouls.join("; ")));
        }
        said.push(match ruling.next {
            Next::Won { player } => format!("{} wins.", self.called(player)),
            Next::Chooses { player } => format!("{} chooses.", self.called(player)),
            Next::Shoots { player, cue_ball } => {
                let from = match cue_ball {
                    CueBall::Lies => "",
                    CueBall::BehindHeadString => ", cue ball in hand behind the head string",
                    CueBall::InD => ", cue ball in hand in the D",
                    _ => ", cue ball in hand",
                };
                format!("{} shoots{from}.", self.called(player))
            }
            _ => "Nobody wins.".to_owned(),
        });
        self.said = said.join(" ");
        self.put_back(&ruling.spotted, ruling.rerack);
    }

    /// Puts balls back on their spots, or all of them.
    fn put_back(&mut self, spotted: &[String], rerack: bool) {
        if rerack {
            self.seed += 1;
            match (self.rack.map(|rack| opening::set_up(rack, self.seed)), &self.referee) {
                (_, Referee::ThreeCushion(rules)) => {
                    if let Err(error) = rules.set_up(&mut self.game) {
                        self.message = error.to_string();
                    }
                }
                (Some(Ok(game)), _) => self.game = game,
                (Some(Err(message)), _) => self.message = message,
                (None, _) => {}
            }
        } else if let Err(error) = self.referee.spot(&mut self.game, spotted) {
            self.message = error.to_string();
        }
        for label in spotted {
            if let Ok(number) = self.game.index_of(label) {
                self.turned[number] = DQuat::IDENTITY;
            }
        }
    }

    /// A cue ball that has fallen is put near the head spot, from where it can be moved.
    fn put_cue_ball_back(&mut self) {
        let struck = self.struck().to_owned();
        if self.game.index_of(&struck).is_err() || self.lies(&struck).is_some() {
            return;
        }
        let table = self.game.table().clone();
        let [x, y] = if matches!(self.referee, Referee::Snooker(_)) { [0.54, 0.19] } else { [0.5, 0.25] };
        let size = DVec2::new(table.width, table.length);
        let steps = (0..20).map(|k| f64::from((k + 1) / 2) * if k % 2 == 0 { 0.02 } else { -0.02 });
        for off in steps {
            if self.game.place(&struck, DVec2::new(x + off, y) * size).is_ok() {
                return;
            }
        }
    }

    /// Turns the cue to the nearest ball that is on, so that something is seen.
    pub(super) fn aim_at_next(&mut self) {
        let (Some(from), true) = (self.lies(self.struck()), self.has_rules()) else { return };
        let mut on = self.referee.on();
        if on.is_empty() {
            on = self.game.layout().balls.iter().map(|placed| placed.label.clone()).collect();
            on.retain(|label| label != self.struck());
        }
        let places = on.iter().filter_map(|label| self.lies(label));
        let nearest = places.min_by(|a, b| a.distance(from).total_cmp(&b.distance(from)));
        if let Some(place) = nearest {
            self.aim.direction = (place - from).to_angle();
            (self.aim.side, self.aim.height) = (0.0, 0.0);
            self.lifts = true;
        }
        if !self.referee.is_break() {
            self.aim.speed = self.aim.speed.min(3.0);
        }
    }

    /// The simple player thinks, shows its shot, and plays it.
    fn simple_player(&mut self, seconds: f64) {
        if !self.referee.choices().is_empty() {
            // It takes the first of what there is.
            self.decide(0);
            return;
        }
        if let Some((shot, left)) = &mut self.announced {
            *left -= seconds;
            if *left <= 0.0 {
                let shot = shot.clone();
                self.run(Some(shot));
            }
            return;
        }
        let begin = || Opponent::new(&self.game, &self.referee, self.cue);
        let opponent = self.opponent.get_or_insert_with(begin);
        if let Some(shot) = opponent.think(&self.game, &self.referee, TRIALS, self.shots) {
            if let Some(at) = opponent.place {
                _ = self.game.place(self.referee.struck(), at);
            }
            self.announced = Some((shot, SHOWN));
            self.opponent = None;
        }
    }

    /// Whether the next shot may be a push-out, which need not meet anything; and whether it is one.
    #[must_use]
    pub fn push_out(&self) -> (bool, bool) {
        let is_possible = self.phase() == Phase::Aiming && self.referee.may_push_out();
        (is_possible, is_possible && self.is_push_out)
    }

    /// Says that the next shot is a push-out, where it may be.
    pub fn set_push_out(&mut self, is_push_out: bool) {
        self.is_push_out = is_push_out && self.push_out().0;
    }

    /// Chooses by the number among [`BilliardSession::choices`].
    pub fn choose(&mut self, number: usize) {
        if self.phase() == Phase::Choosing {
            self.decide(number);
        }
    }

    fn decide(&mut self, number: usize) {
        match self.referee.choose(number) {
            Ok((spotted, rerack)) => {
                self.put_back(&spotted, rerack);
                self.put_cue_ball_back();
                self.aim_at_next();
                self.lift();
                self.message.clear();
            }
            Err(error) => self.message = error.to_string(),
        }
        (self.opponent, self.announced, self.forecast) = (None, None, None);
    }

    /// Whether a ball can be moved by hand.
    #[must_use]
    pub fn is_movable(&self, label: &str) -> bool {
        let in_hand = self.referee.cue_ball() != CueBall::Lies && label == self.struck();
        self.phase() == Phase::Aiming && self.shown.is_none() && (!self.has_rules() || in_hand)
    }

    /// Puts a ball somewhere, in the frame of worlds, if it can be moved and there is room.
    pub fn put(&mut self, label: &str, place: DVec2) {
        if !self.is_movable(label) {
            return;
        }
        let at = in_frame(self.game.table(), place);
        let head = 0.25 * self.game.table().length;
        if self.referee.cue_ball() == CueBall::BehindHeadString && self.has_rules() && at.y > head {
            self.message = "the cue ball is played from behind the head string".to_owned();
            return;
        }
        if self.referee.cue_ball() == CueBall::InD && !is_in_d(self.game.table(), at) {
            self.message = "the cue ball is played from the D".to_owned();
            return;
        }
        match self.game.place(label, at) {
            Ok(()) => {
                self.message.clear();
                self.forecast = None;
                self.lift();
            }
            Err(error) => self.message = error.to_string(),
        }
    }

    /// Stops the shot that is shown, or lets it go on.
    pub fn play(&mut self, is_playing: bool) {
        if self.shown.is_none() && is_playing && self.replay.is_some() {
            self.shown = Some(0.0);
        }
        self.is_playing = is_playing;
    }

    /// Shows the last shot at a time, in seconds since the stroke; at its end the table as it lies.
    pub fn go_to(&mut self, time: f64) {
        let Some(replay) = &self.replay else { return };
        self.is_playing = false;
        if time >= replay.duration() {
            self.settle();
        } else if time >= 0.0 {
            self.shown = Some(time);
        }
    }

    /// Shows the next event of the shot, or the one before.
    pub fn step(&mut self, is_forward: bool) {
        let (Some(replay), Some((now, end))) = (&self.replay, self.time()) else { return };
        let times = replay.recording().moments.iter().map(|moment| moment.time);
        let found = if is_forward {
            times.filter(|&time| time > now).fold(end, f64::min)
        } else {
            times.filter(|&time| time < now).fold(0.0, f64::max)
        };
        self.go_to(found);
    }

    /// Goes to the end of the shot at once.
    pub fn finish(&mut self) {
        self.settle();
    }

    /// Takes the last shot back; against the simple player also those that it played since.
    pub fn undo(&mut self) {
        let is_mine =
            |before: &Before| !self.is_against_simple || before.referee.player() != Some(Player::Second);
        let Some(at) = self.undo.iter().rposition(is_mine) else {
            self.message = "there is nothing to undo".to_owned();
            return;
        };
        self.undo.truncate(at + 1);
        let Some(before) = self.undo.pop() else { return };
        (self.game, self.referee, self.turned, self.aim) =
            (before.game, before.referee, before.turned, before.aim);
        (self.replay, self.shown, self.is_settled) = (None, None, true);
        (self.opponent, self.announced, self.forecast) = (None, None, None);
        (self.said, self.message) = (String::new(), String::new());
        self.lift();
    }

    /// Whether a shot can be taken back.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Begins anew: the rack is set up by another seed; a scene as it was.
    pub fn restart(&mut self) {
        let seed = self.seed + 1;
        let text = self.rack.map(|rack| rack.name());
        match (text, self.undo.first().cloned()) {
            (Some(name), _) => {
                let Some(Ok(opened)) = opening::open(name) else { return };
                let (speed, is_against_simple) = (self.speed, self.is_against_simple);
                *self = BilliardSession::of(opened);
                (self.seed, self.speed, self.is_against_simple) = (seed, speed, is_against_simple);
                if let Some(Ok(game)) = self.rack.map(|rack| opening::set_up(rack, seed)) {
                    self.game = game;
                    self.lift();
                }
            }
            (None, Some(first)) => {
                self.undo = vec![first];
                self.undo();
            }
            (None, None) => {}
        }
    }
}

fn is_in_d(table: &carom_billiards::Table, at: DVec2) -> bool {
    // As the rack has it: a full-size table, others in proportion.
    let scale = table.length / 3.569;
    let off = at - DVec2::new(0.5 * table.width, 0.737 * scale);
    off.y <= 1e-12 && off.length() <= 0.292 * scale
}

/// Which balls fell, in words.
fn fallen(outcome: &Outcome) -> String {
    let labels = outcome.potted.iter().map(|potted| match potted.ball.as_str() {
        Layout::CUE => "the cue ball".to_owned(),
        label if label.parse::<u32>().is_ok() => format!("the {label}"),
        label => label.to_owned(),
    });
    let labels: Vec<String> = labels.collect();
    match labels.as_slice() {
        [] => String::new(),
        [one] => format!("Potted: {one}."),
        many => format!("Potted: {}.", many.join(", ")),
    }
}

use carom_billiards::{Error, Game, Motion, Piece, Recording, Shot, Turning};
use carom_engine::DVec2;
use carom_engine::glam::DQuat;

/// A shot that is played: the table before it, and what happened.
#[derive(Clone, Debug)]
pub(super) struct Replay {
    before: Game,
    shot: Option<Shot>,
    recording: Recording,
    /// How the balls had turned before.
    turned_before: Vec<DQuat>,
    /// How they have turned at the time that was looked at last.
    turned: (f64, Vec<DQuat>),
}

impl Replay {
    /// Plays a shot on a table, which is afterwards as that left it.
    pub(super) fn play(game: &mut Game, shot: Option<Shot>, turned: Vec<DQuat>) -> Result<Self, Error> {
        let before = game.clone();
        let recording = game.record_until(shot.as_ref(), f64::INFINITY)?;
        Ok(Replay { before, shot, recording, turned: (0.0, turned.clone()), turned_before: turned })
    }

    pub(super) fn recording(&self) -> &Recording {
        &self.recording
    }

    pub(super) fn duration(&self) -> f64 {
        self.recording.outcome.duration
    }

    /// The piece of a ball's path at a time.
    pub(super) fn piece(&self, ball: usize, time: f64) -> Option<&Piece> {
        let path = &self.recording.paths[ball];
        path.get(path.partition_point(|piece| piece.start <= time).max(1) - 1)
    }

    /// Where a ball is at a time, and how it moves; `None` once it has fallen.
    pub(super) fn place(&self, ball: usize, time: f64) -> Option<(DVec2, Motion)> {
        let piece = self.piece(ball, time).filter(|piece| piece.is_on_table)?;
        Some((piece.position(time.min(self.duration())), piece.at.motion))
    }

    /// How the balls have turned at a time.
    pub(super) fn turned(&mut self, time: f64) -> &[DQuat] {
        let time = time.clamp(0.0, self.duration());
        if time < self.turned.0 {
            self.turned = (0.0, self.turned_before.clone());
        }
        let from = self.turned.0;
        let gravity = self.before.table().physics.gravity;
        let balls = self.before.layout().balls.iter().zip(&self.recording.paths);
        for (turned, (placed, path)) in self.turned.1.iter_mut().zip(balls) {
            let first = path.partition_point(|piece| piece.start <= from).max(1) - 1;
            let last = path.partition_point(|piece| piece.start <= time);
            let Some(rest) = path.get(first..last.max(first)) else { continue };
            if rest.iter().all(|piece| !piece.is_on_table || piece.at.motion == Motion::Resting) {
                continue;
            }
            let mut rest = rest.to_vec();
            rest[0] = Piece { start: from, at: rest[0].state(&placed.ball, gravity, from), ..rest[0] };
            *turned = (Turning::new(&rest, &placed.ball, gravity).at(time) * *turned).normalize();
        }
        self.turned.0 = time;
        &self.turned.1
    }

    /// The table at a time: the table before the shot, run again until then. Exact, like all times.
    pub(super) fn game_at(&self, time: f64) -> Result<Game, Error> {
        let mut game = self.before.clone();
        let start = game.world().now().as_secs();
        game.record_until(self.shot.as_ref(), time)?;
        game.world_mut().advance_to(start + time)?;
        Ok(game)
    }
}

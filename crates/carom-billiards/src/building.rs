//! Games from layouts.

use crate::cushions::{Bare, Cushions};
use crate::table::class_membership;
use crate::{BallState, Coefficients, Error, Game, Layout, Placed, Table};
use carom_engine::{DVec2, Disc, DiscId, Error as EngineError, Rules};
use std::sync::Arc;

impl Layout {
    /// The balls on a table, at rest.
    ///
    /// # Errors
    /// For dimensions that make no table, a ball that is not on it, balls that overlap.
    pub fn build(&self, table: &Table) -> Result<Game, Error> {
        let radii = self.radii();
        let mut world = table.build(&radii)?;
        // What is prepared with the first call is prepared for all games.
        world.advance(0.0)?;
        let bare = Bare { world, cushions: Cushions::of(table), radii };
        self.put_on(table, Arc::new(bare))
    }

    /// The different radii of the balls, in order.
    pub(crate) fn radii(&self) -> Vec<f64> {
        let mut radii: Vec<f64> = Vec::new();
        for placed in &self.balls {
            if !radii.contains(&placed.ball.radius) {
                radii.push(placed.ball.radius);
            }
        }
        radii
    }

    /// The balls on a table that is there.
    pub(crate) fn put_on(&self, table: &Table, bare: Arc<Bare>) -> Result<Game, Error> {
        let mut game = Game::without_balls(table, self, bare);
        for (k, placed) in self.balls.iter().enumerate() {
            self.check_place(k, table)?;
            let at = placed.settled(table, game.cushions(), game.lying_beside(k));
            let radii = game.radii();
            let mut disc = placed.disc(at).with_user_data(k as u64);
            if radii.len() > 1 {
                let class = radii.iter().position(|&radius| radius == placed.ball.radius).unwrap_or(0);
                disc = disc.with_rules(Rules::new().with_membership(class_membership(class)));
            }
            let added = game.add(disc);
            added.map_err(|error| self.refused(placed, game.discs(), error))?;
        }
        Ok(game)
    }

    /// Why a ball cannot lie at its place, in terms of the table: `ids` are the discs of the first balls.
    pub(crate) fn refused(&self, placed: &Placed, ids: &[DiscId], error: EngineError) -> Error {
        match error {
            EngineError::OverlapsDisc { other, depth } => {
                let other = ids.iter().position(|&id| id == other).unwrap_or(0);
                Error::Overlap { label: placed.label.clone(), other: self.balls[other].label.clone(), depth }
            }
            EngineError::OverlapsWall { .. } => placed.off_table(),
            error => error.into(),
        }
    }
}

impl Placed {
    fn disc(&self, at: DVec2) -> Disc<Coefficients, BallState> {
        let Placed { ball, .. } = self;
        let disc = Disc::new(at, ball.radius).with_mass(ball.mass);
        disc.with_body(ball.coefficients).with_extra(BallState::rolling())
    }
}

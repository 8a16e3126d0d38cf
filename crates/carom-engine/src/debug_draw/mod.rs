//! Drawing what a world knows, through a trait: the engine draws nothing itself.

mod draw;
mod outline;
mod view;

pub(crate) use draw::Drawing;
pub use view::DebugView;

use crate::{DiscId, PathPiece, RegionId, WallId};
use carom_math::Time;
use carom_math::elementary::unit_vector;
use core::f64::consts::TAU;
use glam::DVec2;

/// What draws for debugging: a window, the gizmos of a game engine, a picture.
///
/// Three functions are enough; the others are made of them. Each stroke says what it shows; the
/// implementation chooses colours and widths. Lengths are those of the world.
///
/// ```
/// # use carom_engine as carom;
/// use carom::{DVec2, DebugDraw, DebugView, Disc, Mark, Wall, World};
///
/// /// Counts what it is asked to draw.
/// #[derive(Default)]
/// struct Count {
///     lines: usize,
///     discs: usize,
/// }
///
/// impl DebugDraw for Count {
///     fn line(&mut self, _from: DVec2, _to: DVec2, _mark: Mark) {
///         self.lines += 1;
///     }
///     fn circle(&mut self, _center: DVec2, _radius: f64, mark: Mark) {
///         self.discs += usize::from(matches!(mark, Mark::Disc(_)));
///     }
///     fn point(&mut self, _at: DVec2, _mark: Mark) {}
/// }
///
/// let mut world = World::new();
/// world.add_wall(Wall::container([0.0, 0.0], [16.0, 9.0]))?;
/// world.insert(Disc::new([3.0, 4.0], 1.0).with_velocity([2.0, 0.0]))?;
/// let mut count = Count::default();
/// world.debug_draw(&DebugView::default(), &mut count);
/// // Four walls and a velocity.
/// assert_eq!((count.discs, count.lines), (1, 5));
/// # Ok::<(), carom::Error>(())
/// ```
#[doc(alias = "gizmo")]
pub trait DebugDraw {
    /// A straight line.
    fn line(&mut self, from: DVec2, to: DVec2, mark: Mark);

    /// A circle, or what is in it.
    fn circle(&mut self, center: DVec2, radius: f64, mark: Mark);

    /// A point, of a size that can be seen.
    fn point(&mut self, at: DVec2, mark: Mark);

    /// A part of a circle, from the angle `start` on, counter-clockwise by `sweep`, in radians. In 64 chords
    /// a turn, unless it is written.
    fn arc(&mut self, center: DVec2, radius: f64, start: f64, sweep: f64, mark: Mark) {
        let chords = (sweep.abs() / TAU * 64.0).ceil().clamp(1.0, 64.0);
        let at = |k: f64| center + unit_vector(start + sweep * (k / chords)) * radius;
        for k in 0..chords as u32 {
            self.line(at(f64::from(k)), at(f64::from(k + 1)), mark);
        }
    }

    /// A path that was forecast, up to a time, and the points of what is met on it. A parabola is drawn in 16
    /// chords.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{DVec2, DebugDraw, Disc, Forecast, ForecastOptions, Mark, Wall, World};
    ///
    /// struct Print;
    /// impl DebugDraw for Print {
    ///     fn line(&mut self, from: DVec2, to: DVec2, _: Mark) {
    ///         println!("{from} to {to}");
    ///     }
    ///     fn circle(&mut self, _: DVec2, _: f64, _: Mark) {}
    ///     fn point(&mut self, at: DVec2, _: Mark) {
    ///         println!("meets something at {at}");
    ///     }
    /// }
    ///
    /// let mut world = World::new();
    /// world.add_wall(Wall::container([0.0, 0.0], [16.0, 9.0]))?;
    /// let puck = world.insert(Disc::new([3.0, 4.0], 1.0).with_velocity([2.0, 3.0]))?;
    /// let mut forecast = Forecast::new();
    /// forecast.path(&world, puck, &ForecastOptions::new(10.0))?;
    /// Print.path(forecast.pieces(), world.clock().at(10.0));
    /// # Ok::<(), carom::Error>(())
    /// ```
    fn path(&mut self, pieces: &[PathPiece], until: Time) {
        for piece in pieces.iter().take_while(|piece| piece.start < until) {
            let end = piece.end.min(until);
            let chords = if piece.acceleration == DVec2::ZERO { 1 } else { 16 };
            let seconds = end.since(piece.start);
            let since = piece.start.since(piece.time);
            let mut from = piece.position_at(piece.start);
            for k in 1..=chords {
                let age = since + seconds * (f64::from(k) / f64::from(chords));
                let to = if k == chords {
                    piece.position_at(end)
                } else {
                    piece.position + (piece.velocity + piece.acceleration * (0.5 * age)) * age
                };
                self.line(from, to, Mark::Path);
                from = to;
            }
            if let Some(met) = piece.met.filter(|_| piece.end <= until) {
                self.point(met.point, Mark::Contact);
            }
        }
    }
}

/// What a stroke shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mark {
    /// A disc that is on the plane.
    Disc(DiscId),
    /// A disc that collides with nothing: a sensor.
    Sensor(DiscId),
    /// A part of a wall.
    Wall(WallId),
    /// The border of a region with nothing inside.
    Region(RegionId),
    /// The border of a region that a disc is in.
    Entered(RegionId),
    /// From the centre of a disc to where its velocity leads in [`DebugView::velocities`] seconds.
    Velocity(DiscId),
    /// Where two touched in the last call of `advance`, with a line from there along the normal, or where
    /// they press on each other now.
    Contact,
    /// The disc as it will be at its next impact, and where it touches then.
    NextImpact(DiscId),
    /// A piece of a path that was forecast.
    Path,
}

use crate::Partner;
use carom_math::Time;
use carom_math::elementary::exp_m1;
use glam::DVec2;

/// A piece of the path of a disc, between two changes of its motion: a line or a parabola.
///
/// `position + velocity s + ½ acceleration s²`, s seconds after `time`. It is evaluated in the operations of
/// the world, so that [`PathPiece::position_at`] has the bits of the disc's position at that time. In a world
/// with drag ([`Settings::drag`](crate::Settings::drag)) it is straight, on a clock that slows down: then the
/// functions here are right to a few ulp.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PathPiece {
    /// When it begins.
    pub start: Time,
    /// When it ends; [`Time::NEVER`] if it goes on for ever.
    pub end: Time,
    /// When the disc has the position and velocity below: at the start; of the first piece before that, at
    /// the disc's last event, unless there is drag.
    pub time: Time,
    /// The centre then; in a periodic world that of the image from which the piece leads on, over the edge
    /// if it does.
    pub position: DVec2,
    /// The velocity then.
    pub velocity: DVec2,
    /// The acceleration from then on.
    pub acceleration: DVec2,
    /// What the disc meets at the end; `None` if its motion changes there without an impact of its own (a
    /// change of its law, a chord of a slide, the end of a piece of held motion, an impact at something that
    /// carries it), or the forecast ends.
    pub met: Option<Meeting>,
    /// The rate of the drag.
    pub(crate) drag: f64,
    /// Whether discs accelerate in its world.
    pub(crate) bends: bool,
}

/// What a disc meets at the end of a piece of its path: of a group of contacts the one with the largest
/// impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Meeting {
    /// What it meets.
    pub body: Partner,
    /// Where they touch: midway between the two surfaces.
    pub point: DVec2,
    /// Unit normal from the disc to what it meets, as the [`Impact`](crate::Impact) of the disc `a` has it.
    pub normal: DVec2,
}

impl PathPiece {
    /// Where the centre is at a time from its start to its end; beyond these, where it would be. In a
    /// periodic world not wrapped: see [`World::periods`](crate::World::periods).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{DVec2, Disc, Forecast, ForecastOptions, World};
    ///
    /// let mut world = World::new();
    /// let id = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([2.0, 1.0]))?;
    /// let mut forecast = Forecast::new();
    /// let path = forecast.path(&world, id, &ForecastOptions::new(4.0))?;
    /// assert_eq!(path[0].position_at(path[0].end), DVec2::new(8.0, 4.0));
    /// # Ok::<(), carom::Error>(())
    /// ```
    #[must_use]
    pub fn position_at(&self, time: Time) -> DVec2 {
        let (age, v, a) = (time.since(self.time), self.velocity, self.acceleration);
        if self.drag > 0.0 {
            self.position + v * (-exp_m1(-(self.drag * age)) / self.drag)
        } else if self.bends {
            self.position + (v + a * (0.5 * age)) * age
        } else {
            self.position + v * age
        }
    }

    /// The velocity of the centre at a time from its start to its end.
    #[must_use]
    pub fn velocity_at(&self, time: Time) -> DVec2 {
        let age = time.since(self.time);
        if self.drag > 0.0 {
            self.velocity * (1.0 + exp_m1(-(self.drag * age)))
        } else if self.bends {
            self.velocity + self.acceleration * age
        } else {
            self.velocity
        }
    }
}

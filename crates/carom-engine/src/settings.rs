use crate::drag::SlowClock;
use crate::error::check;
use crate::walk::{fields, variants};
use crate::{Error, SimdLevel};
use carom_broadphase::SchedulerKind;
use carom_math::{Clock, Periods, sqrt};

/// What holds for a whole world, chosen when it is made: the default, with what differs from it.
///
/// ```
/// # use carom_engine as carom;
/// use carom::{Settings, World};
///
/// let settings = Settings::default().with_period([Some(20.0), None]).with_budget(1_000_000);
/// let world = World::with_settings(settings)?;
/// assert_eq!(world.settings().budget, 1_000_000);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Settings {
    /// Length of an epoch of the clock in seconds: a power of two from 2⁻⁶⁰ to 2⁶⁰. Moments are at most
    /// `epoch · 2⁻⁵³` s apart, and the world may become 2⁵¹ epochs old. Default 2⁻¹⁰ s.
    pub epoch: f64,
    /// Time at which the world starts, in seconds, ≥ 0. Default 0.
    pub start: f64,
    /// The lengths along x and y after which the plane repeats itself, from 10⁻¹⁵ to 10¹⁵; `None`, the
    /// default, on an axis that has none.
    ///
    /// In a periodic world a disc's position is from 0 up to the period, and it may meet any image of
    /// another. No disc meets an image of itself, so a period is at least 2.041 radii: see
    /// [`crate::World::insert`]. Walls are those that repeat themselves, too.
    ///
    /// Where discs accelerate ([`Physics::ACCELERATED`](crate::Physics::ACCELERATED)), a disc that has gone a
    /// period along an axis is stored there, and goes on: one event, which is not reported, and is counted in
    /// [`Counters::pieces`](crate::Counters::pieces).
    pub period: [Option<f64>; 2],
    /// The rate at which drag slows all discs down, `v′ = −k v`, from 10⁻¹² to 10⁹ a second; 0, the default,
    /// for none.
    ///
    /// After t seconds a velocity is `e^(−k t)` of what it was, and a disc that meets nothing comes `v/k`
    /// far. That of infinite masses falls as well. Events, times and all that is read are true ones, to
    /// within a few ulp: the world runs on a clock that slows down with the discs.
    /// On that clock a velocity that is set after its beginning is rounded, and reads back to within an ulp
    /// or two. Only for a physics that says that it stands drag
    /// ([`Physics::DRAGS`](crate::Physics::DRAGS)), and not for one that accelerates discs; radii cannot
    /// grow beside it. The energy that it takes is [`Ledger::drag`](crate::Ledger::drag).
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, Settings, World};
    ///
    /// let mut world = World::with_settings(Settings::default().with_drag(0.5))?;
    /// let puck = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([3.0, 0.0]))?;
    /// world.advance(2.0)?;
    /// let now = world.get(puck).expect("it has not been removed");
    /// assert!((now.velocity().x - 3.0 * (-1.0_f64).exp()).abs() < 1e-15);
    /// assert!((now.position().x - 6.0 * (1.0 - (-1.0_f64).exp())).abs() < 1e-15);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub drag: f64,
    /// How many seconds of the world pass in a second of [`World::advance`](crate::World::advance), from 0
    /// to 10¹⁵; default 1. See [`World::set_time_scale`](crate::World::set_time_scale).
    pub time_scale: f64,
    /// How the restitutions of two bodies combine.
    pub restitution: CombineRule,
    /// How impacts of the same instant that share discs are resolved.
    pub simultaneous: Simultaneous,
    /// What ends an inelastic collapse; `None` for science: then only the budget does.
    // Stored settings must have this field; it is `null` where the value is `None`.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    pub collapse: Option<Collapse>,
    /// What happens where unstoppable bodies close in on something that has no room.
    pub crush: CrushRule,
    /// When a disc slides along the inside of a curved wall; `None` for science: then it bounces off it,
    /// however flatly.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    pub sliding: Option<Sliding>,
    /// When contacts that press come to rest, where discs accelerate; `None` for science: then they bounce
    /// ever lower until the budget ends a call.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    pub rest: Option<Rest>,
    /// Most events that one call of `advance` resolves, so that it always comes back. Default 10⁷. A group
    /// of impacts counts as one more for each 64 of its contacts: in a heap of overlapping discs every
    /// impact is one of the whole heap. What verdicts command counts, too.
    pub budget: u64,
    /// Whether `advance` keeps the events of the call for [`crate::World::events`]. Default true.
    /// Off, or with a sink of one's own, nothing is stored.
    pub record_events: bool,
    /// The widest vector instructions to use. They change the speed and not the bits.
    pub instructions: SimdLevel,
    /// How the next event is found: the table of all pairs or the grid, or the faster one for the number of
    /// discs. It changes the speed and not the bits.
    pub scheduler: SchedulerKind,
}

fields!(
    Settings: epoch, start, period, drag, time_scale, restitution, simultaneous, collapse, crush, sliding,
    rest, budget; without record_events, instructions, scheduler
);

fields!(Collapse: contact_time, impacts);
variants!(CombineRule: GeometricMean, Minimum, Maximum, Average, Product);
variants!(CrushRule: GiveWay, Stop);
fields!(Rest: height, gap, impacts);
variants!(Simultaneous: Together, OneByOne);
fields!(Sliding: angle, elastic_angle);

impl Default for Settings {
    fn default() -> Self {
        Settings {
            epoch: Clock::DEFAULT_EPOCH,
            start: 0.0,
            period: [None; 2],
            drag: 0.0,
            time_scale: 1.0,
            restitution: CombineRule::default(),
            simultaneous: Simultaneous::default(),
            collapse: Some(Collapse::default()),
            crush: CrushRule::default(),
            sliding: Some(Sliding::default()),
            rest: Some(Rest::default()),
            budget: 10_000_000,
            record_events: true,
            instructions: SimdLevel::default(),
            scheduler: SchedulerKind::default(),
        }
    }
}

impl Settings {
    setters! {
        /// With this [`Settings::epoch`].
        with_epoch(epoch: f64);

        /// With this [`Settings::start`].
        with_start(start: f64);

        /// With this [`Settings::period`].
        with_period(period: [Option<f64>; 2]);

        /// With this [`Settings::drag`].
        with_drag(drag: f64);

        /// With this [`Settings::time_scale`].
        with_time_scale(time_scale: f64);

        /// With this [`Settings::restitution`].
        with_restitution(restitution: CombineRule);

        /// With this [`Settings::simultaneous`].
        with_simultaneous(simultaneous: Simultaneous);

        /// With this [`Settings::collapse`].
        with_collapse(collapse: Option<Collapse>);

        /// With this [`Settings::crush`].
        with_crush(crush: CrushRule);

        /// With this [`Settings::sliding`].
        with_sliding(sliding: Option<Sliding>);

        /// With this [`Settings::rest`].
        with_rest(rest: Option<Rest>);

        /// With this [`Settings::budget`].
        with_budget(budget: u64);

        /// With this [`Settings::record_events`].
        with_record_events(record_events: bool);

        /// With this [`Settings::instructions`].
        with_instructions(instructions: SimdLevel);

        /// With this [`Settings::scheduler`].
        with_scheduler(scheduler: SchedulerKind);
    }

    pub(crate) fn periods(&self) -> Result<Periods, Error> {
        for (field, period) in ["period[0]", "period[1]"].into_iter().zip(self.period) {
            if let Some(period) = period {
                check::length(field, period)?;
            }
        }
        let [x, y] = self.period;
        Ok(Periods::new(x, y).unwrap_or_default())
    }

    /// The clock of a world with drag.
    pub(crate) fn slow_clock(&self) -> Result<Option<SlowClock>, Error> {
        if self.drag == 0.0 {
            return Ok(None);
        }
        if !(1e-12..=1e9).contains(&self.drag) {
            let allowed = "0 or a number from 1e-12 to 1e9";
            return Err(Error::OutOfRange { field: "drag", value: self.drag, allowed });
        }
        let clock = SlowClock::new(self.drag, self.clock()?, self.start);
        let reason = "velocities halve in less time than the moments of a clock with this epoch are apart";
        clock.map(Some).ok_or(Error::Inconsistent { field: "drag", value: self.drag, reason })
    }

    pub(crate) fn clock(&self) -> Result<Clock, Error> {
        let allowed = "a power of two from 2^-60 to 2^60";
        let refused = Error::OutOfRange { field: "epoch", value: self.epoch, allowed };
        let clock = Clock::new(self.epoch).ok_or(refused)?;
        check::not_negative("start", self.start)?;
        check::coefficient("time_scale", self.time_scale)?;
        if clock.at(self.start).is_never() {
            let reason = "it is beyond the clock's horizon of 2^51 epochs";
            return Err(Error::Inconsistent { field: "start", value: self.start, reason });
        }
        self.collapse.iter().try_for_each(Collapse::check)?;
        self.sliding.iter().try_for_each(Sliding::check)?;
        self.rest.iter().try_for_each(Rest::check)?;
        Ok(clock)
    }
}

/// The rule that makes inelastic collapse finite.
///
/// Three discs on a line with e < 7 − 4√3 ≈ 0.0718 meet infinitely often in a finite time, ever faster
/// (McNamara and Young, Phys. Fluids A 4 (1992) 496), and so do columns against a wall and clusters of a
/// cooling gas. A real contact lasts for a while, and impacts within that time are one touch (Luding and
/// McNamara, Granular Matter 1 (1998) 113). Their rule acts from the second impact on and so changes what
/// is no collapse: a row of touching discs that is hit. This one acts on a disc only after `impacts`
/// impacts in a row, each within `contact_time` of the disc's event before; from then on, and as long as
/// they come so fast, its impacts have e = 0: the two join, with all that touch or nearly touch them. An
/// elastic impact is not joined, and neither counts nor ends a row if it comes in time; except for 1024 at
/// one and the same instant, which is a locked group or a heap of overlapping discs.
///
/// What just fits a room gets nowhere, also without restitution: round walls turn what slides along them
/// into what fits beside. Where 1024 impacts of a disc in a row, however long they take, find all that take
/// part no further than some 10⁵ ulp of their coordinates from where their last ones left them (or
/// [`Rest::gap`] of their radii, with a physics that accelerates discs), its impacts have e = 0, too. After
/// 32 more of that kind what touches goes on as one, and after another 32 it stands still, if walls and other
/// infinite masses around it do. That impact has a contact for each disc whose velocity it changes. There
/// [`Impact::impulse`](crate::Impact::impulse) is the size of the momentum that the disc gets, which need not
/// be along the normal.
///
/// The energy that it takes, beyond what restitution takes, is reported in
/// [`Ledger::collapse`](crate::Ledger::collapse), the number of times in
/// [`Counters::made_plastic`](crate::Counters::made_plastic).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Collapse {
    /// Seconds, ≥ 0. Default 10⁻⁹: to be far below any time between impacts that matters in the units of
    /// the scene. A collapse passes every such bound, so that a smaller one costs a few more impacts and
    /// nothing else.
    pub contact_time: f64,
    /// How many in a row, at least 1, which is the rule of Luding and McNamara. Default 32.
    pub impacts: u32,
}

impl Default for Collapse {
    fn default() -> Self {
        Collapse { contact_time: 1e-9, impacts: 32 }
    }
}

impl Collapse {
    /// The rule with this contact time, in seconds, and after this many impacts in a row.
    #[must_use]
    pub fn new(contact_time: f64, impacts: u32) -> Self {
        Collapse { contact_time, impacts }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        check::not_negative("contact_time", self.contact_time)?;
        if self.impacts == 0 {
            return Err(Error::OutOfRange { field: "impacts", value: 0.0, allowed: "at least 1" });
        }
        Ok(())
    }
}

/// When contacts come to rest, in worlds of a physics that accelerates discs
/// ([`Physics::ACCELERATED`](crate::Physics::ACCELERATED)).
///
/// A disc that bounces on a floor with e < 1 has infinitely many impacts in a finite time. Its contact comes
/// to rest as soon as the next bounce would be no higher than the height that counts as touching, 4 ulp of
/// the coordinates: after 25 bounces from a metre at e = 0.5. From then on it is *held*: the two press on
/// each other and neither part nor approach, until something else hits them, the force between them falls to
/// zero, or an edit. Discs that touch something else as well come to rest from a height of
/// [`Rest::height`]: else each blow sets all below it bouncing, whose bounces set others bouncing.
///
/// What is lost is in [`Ledger::rest`](crate::Ledger::rest).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Rest {
    /// The height, as a fraction of the size, from which a contact comes to rest whose bodies have other
    /// slow contacts. From 0 to 10⁻³, default 10⁻⁴. Where contacts rub, a slip that passes less than it in a
    /// piece of motion has no event when it stops.
    pub height: f64,
    /// How closely a held contact is followed: the largest gap inside of a piece of motion, as a fraction of
    /// the diameter, or of the mean of two. From 10⁻¹² to 10⁻⁵, default 10⁻⁶. Pieces
    /// that are cut leave gaps open. Of the mean radius, overlaps in heaps were measured up to 3.4 times it,
    /// and up to six times where discs rub.
    pub gap: f64,
    /// The number of impacts of a disc that doubles this height for it, up to 10⁻³ of the radius, until it
    /// rises a tenth of it again; default 32, and 0 for never.
    pub impacts: u32,
}

impl Default for Rest {
    fn default() -> Self {
        Rest { height: 1e-4, gap: 1e-6, impacts: 32 }
    }
}

impl Rest {
    /// The rule with this height, as a fraction of the radius.
    #[must_use]
    pub fn new(height: f64) -> Self {
        Rest { height, ..Rest::default() }
    }

    /// The rule for science: a height of 10⁻⁹ and gaps of 10⁻¹⁰, at which closed forms hold to ten digits.
    #[must_use]
    pub fn strict() -> Self {
        Rest { height: 1e-9, gap: 1e-10, ..Rest::default() }
    }

    /// This rule, no less strict than [`Rest::strict`].
    pub(crate) fn at_least_strict(&self) -> Self {
        let Rest { height, gap, .. } = Rest::strict();
        Rest { height: self.height.min(height), gap: self.gap.min(gap), ..*self }
    }

    setters! {
        /// With another largest gap.
        with_gap(gap: f64);
        /// With another number of impacts that double the height.
        with_impacts(impacts: u32);
    }

    fn check(&self) -> Result<(), Error> {
        if !(0.0..=1e-3).contains(&self.height) {
            let allowed = "a number from 0 to 1e-3";
            return Err(Error::OutOfRange { field: "height", value: self.height, allowed });
        }
        if !(1e-12..=1e-5).contains(&self.gap) {
            return Err(Error::OutOfRange {
                field: "gap",
                value: self.gap,
                allowed: "a number from 1e-12 to 1e-5",
            });
        }
        Ok(())
    }
}

/// What happens where unstoppable bodies close in on something that has no room: infinite masses on discs
/// of finite mass, and anything but tracers on a tracer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum CrushRule {
    /// The unstoppable ones give way, and all else goes on. The default.
    ///
    /// What is between them takes e = 0, and infinite masses change their velocities by as little as possible
    /// (the least sum of squares) for nothing to close any more, while their speeds along the normals of
    /// their contacts stay between the old ones and 0: a paddle stops at what a wall holds, two that close in
    /// stop, of two that go the same way the faster takes the slower's speed, those at rest stay. A body that
    /// has given way stays so until it is given a velocity or what is between is gone; then it takes up the
    /// velocity that it had. What closes on a tracer passes over it, until they part; walls are never passed.
    /// Positions are rounded, and a gap that may be rounding does not count as room: discs that a piston
    /// presses to a wall in a straight row stay in it, and the piston stops. Events say so:
    /// [`Event::Crushed`](crate::Event::Crushed), [`Event::Released`](crate::Event::Released).
    ///
    /// Before that, what is between bounces ever faster. From 64 impacts a disc on, of discs that have had
    /// impacts only among themselves and with bodies that close in on each other at constant velocities,
    /// their impacts have e = 0. This cuts short an honest adiabatic compression, too.
    ///
    /// Where radii grow and there is no room, growth ends for all:
    /// [`Event::GrowthEnded`](crate::Event::GrowthEnded).
    #[default]
    GiveWay,
    /// The call ends with [`StopReason::Crushed`](crate::StopReason::Crushed), or
    /// [`StopReason::Jammed`](crate::StopReason::Jammed) where radii grow, and so does every other one
    /// until an edit helps. Nothing is made plastic. For science.
    Stop,
}

/// When a disc slides along the inside of a curved wall.
///
/// Along the inside of an arc or a round room every moment is a contact, and the flatter a disc bounces, the
/// sooner it bounces again: 10⁸ impacts a turn for one that slides up to rounding. Therefore a disc that
/// leaves such a wall, after an impact, at a grazing angle of at most this slides along it instead, at the
/// same speed; where the restitution is below 1, without the normal part of its velocity, whose energy is
/// counted in [`Ledger::slides`](crate::Ledger::slides). It slides on chords, 2244 a turn,
/// which are at most 10⁻⁶ of its path's radius inside the circle. Each is a change of motion, which counts
/// in the budget and in [`Counters::slides`](crate::Counters::slides), and is no event. It ends when
/// something hits the disc, where the wall ends, or with an edit of the disc.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Sliding {
    /// Radians, 0 to 10⁻²; where the restitution applied is below 1. Default 2⁻¹¹; 0 is never.
    pub angle: f64,
    /// Radians, 0 to 10⁻²; where it is 1. Default 2⁻²⁰; 0 is never.
    pub elastic_angle: f64,
}

impl Default for Sliding {
    fn default() -> Self {
        Sliding { angle: 1.0 / (1u64 << 11) as f64, elastic_angle: 1.0 / (1u64 << 20) as f64 }
    }
}

impl Sliding {
    /// The rule with these angles, in radians: where the restitution applied is below 1, and where it is 1.
    #[must_use]
    pub fn new(angle: f64, elastic_angle: f64) -> Self {
        Sliding { angle, elastic_angle }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        for (field, value) in [("angle", self.angle), ("elastic_angle", self.elastic_angle)] {
            if !(0.0..=1e-2).contains(&value) {
                return Err(Error::OutOfRange { field, value, allowed: "an angle from 0 to 1e-2" });
            }
        }
        Ok(())
    }
}

/// How the coefficients of restitution of two bodies give that of their impact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum CombineRule {
    /// `√(e_a e_b)`: a body that does not bounce keeps others from bouncing off it.
    #[default]
    GeometricMean,
    /// The smaller one.
    Minimum,
    /// The larger one.
    Maximum,
    /// `(e_a + e_b) / 2`.
    Average,
    /// `e_a e_b`.
    Product,
}

impl CombineRule {
    /// The combined coefficient. Exactly `e` for `e` and `e`, except for `Product`.
    #[inline]
    #[must_use]
    pub fn combine(self, a: f64, b: f64) -> f64 {
        match self {
            CombineRule::GeometricMean => sqrt(a * b),
            CombineRule::Minimum => a.min(b),
            CombineRule::Maximum => a.max(b),
            CombineRule::Average => 0.5 * (a + b),
            CombineRule::Product => a * b,
        }
    }
}

/// How impacts of the same instant that share discs are resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Simultaneous {
    /// All at once: a blow passes through a row, a symmetric hit stays symmetric.
    #[default]
    Together,
    /// One pair after another in the order of events, as contest games do.
    OneByOne,
}

use crate::{DiscId, Event, Physics, Smooth};
use carom_math::Time;
use core::ops::ControlFlow;
use glam::DVec2;

/// Takes events as they happen, in order.
///
/// A closure is one; it returns nothing, or a [`ControlFlow`] if it may stop the run. A list of events is
/// one, too.
///
/// ```
/// # use carom_engine as carom;
/// use carom::{Disc, Event, StopReason, World};
/// use std::ops::ControlFlow;
///
/// let mut world = World::new();
/// for x in [0.0, 3.0, 6.0] {
///     world.insert(Disc::new([x, 0.0], 0.5))?;
/// }
/// let first = world.ids().next().expect("there are three");
/// world.set_velocity(first, [1.0, 0.0])?;
/// let mut impacts = 0;
/// let ended = world.advance_with(10.0, &mut |_: &Event| {
///     impacts += 1;
///     if impacts == 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
/// })?;
/// assert_eq!((ended.end, world.now().as_secs()), (StopReason::Stopped, 2.0));
/// # Ok::<(), carom::Error>(())
/// ```
pub trait Sink<P: Physics = Smooth> {
    /// Whether events are wanted at all; if not, none are made.
    const ACTIVE: bool = true;

    /// Takes one, and says whether the run goes on. If not, `advance` returns with
    /// [`StopReason::Stopped`](crate::StopReason::Stopped) once the event is over: a group of impacts at one
    /// instant is reported to its end.
    fn event(&mut self, event: &Event<P::Change>) -> ControlFlow<()>;

    /// Takes a turn of a path that is no event: the next chord of a disc that slides along a curved wall, see
    /// [`Sliding`](crate::Sliding). For what draws paths; does nothing unless it is written.
    #[inline(always)]
    fn turn(&mut self, turn: &Turn) {
        let _ = turn;
    }
}

/// The state of a disc from a time on, where its path turns without an event.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Turn {
    /// When.
    pub time: Time,
    /// Which disc.
    pub disc: DiscId,
    /// Its centre then.
    pub position: DVec2,
    /// Its velocity from then on.
    pub velocity: DVec2,
}

impl<P: Physics> Sink<P> for Vec<Event<P::Change>> {
    #[inline]
    fn event(&mut self, event: &Event<P::Change>) -> ControlFlow<()> {
        self.push(*event);
        ControlFlow::Continue(())
    }
}

impl<P: Physics, F: FnMut(&Event<P::Change>) -> R, R: SinkFlow> Sink<P> for F {
    #[inline]
    fn event(&mut self, event: &Event<P::Change>) -> ControlFlow<()> {
        self(event).into_flow()
    }
}

/// What a closure that takes events returns: nothing, or whether the run goes on.
pub trait SinkFlow: sealed::Sealed {
    /// Whether the run goes on.
    fn into_flow(self) -> ControlFlow<()>;
}

impl SinkFlow for () {
    #[inline(always)]
    fn into_flow(self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl SinkFlow for ControlFlow<()> {
    #[inline(always)]
    fn into_flow(self) -> ControlFlow<()> {
        self
    }
}

mod sealed {
    use core::ops::ControlFlow;

    pub trait Sealed {}

    impl Sealed for () {}
    impl Sealed for ControlFlow<()> {}
}

/// Wants no events.
pub(crate) struct Nothing;

impl<P: Physics> Sink<P> for Nothing {
    const ACTIVE: bool = false;

    #[inline(always)]
    fn event(&mut self, _: &Event<P::Change>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// A sink of any kind. What runs is compiled for this one and for [`Nothing`] (in WebAssembly for this one
/// alone), and not for each kind that a program has: a call through a pointer an event, against minutes of
/// compiling.
pub(crate) struct AnySink<'s, P: Physics> {
    sink: &'s mut dyn Receiver<P>,
}

impl<'s, P: Physics> AnySink<'s, P> {
    pub(crate) fn new<K: Sink<P>>(sink: &'s mut K) -> Self {
        AnySink { sink }
    }
}

impl<P: Physics> Sink<P> for AnySink<'_, P> {
    fn event(&mut self, event: &Event<P::Change>) -> ControlFlow<()> {
        self.sink.receive(event)
    }

    fn turn(&mut self, turn: &Turn) {
        self.sink.receive_turn(turn);
    }
}

/// To whom the events of a call go.
pub(crate) enum Listener<'s, P: Physics> {
    /// Into the list of events, if they are recorded.
    List,
    Sink(AnySink<'s, P>),
    Nobody,
}

impl<'s, P: Physics> Listener<'s, P> {
    pub(crate) fn of<K: Sink<P>>(sink: &'s mut K) -> Self {
        if K::ACTIVE { Listener::Sink(AnySink::new(sink)) } else { Listener::Nobody }
    }

    /// The sink for the events, if anyone wants them; `list` is the list if they are recorded.
    pub(crate) fn sink<'a>(self, list: Option<&'a mut Vec<Event<P::Change>>>) -> Option<AnySink<'a, P>>
    where
        's: 'a,
    {
        match self {
            Listener::List => list.map(|list| AnySink::new(list)),
            Listener::Sink(AnySink { sink }) => Some(AnySink { sink }),
            Listener::Nobody => None,
        }
    }
}

/// [`Sink`] without its constant.
trait Receiver<P: Physics> {
    fn receive(&mut self, event: &Event<P::Change>) -> ControlFlow<()>;
    fn receive_turn(&mut self, turn: &Turn);
}

impl<P: Physics, K: Sink<P>> Receiver<P> for K {
    fn receive(&mut self, event: &Event<P::Change>) -> ControlFlow<()> {
        self.event(event)
    }

    fn receive_turn(&mut self, turn: &Turn) {
        self.turn(turn);
    }
}

/// Passes events on, and notes whether the sink has asked to stop.
pub(crate) struct Watched<'s, K> {
    sink: &'s mut K,
    pub(crate) is_stopped: bool,
}

impl<'s, K> Watched<'s, K> {
    pub(crate) fn new(sink: &'s mut K) -> Self {
        Watched { sink, is_stopped: false }
    }
}

impl<P: Physics, K: Sink<P>> Sink<P> for Watched<'_, K> {
    const ACTIVE: bool = K::ACTIVE;

    #[inline(always)]
    fn event(&mut self, event: &Event<P::Change>) -> ControlFlow<()> {
        self.is_stopped |= self.sink.event(event).is_break();
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn turn(&mut self, turn: &Turn) {
        self.sink.turn(turn);
    }
}

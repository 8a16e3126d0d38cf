//! Strips of the plane in which the paths of discs are noted: where two parts of a world that are advanced
//! apart must agree.

#[cfg(feature = "threads")]
pub(crate) use on::{ImpactNote, Seam, Strips, Watch};

/// Nothing is watched.
#[cfg(not(feature = "threads"))]
#[derive(Debug, Default)]
pub(crate) struct Watch;

#[cfg(not(feature = "threads"))]
impl Watch {
    pub(crate) const OFF: Watch = Watch;

    #[inline(always)]
    pub(crate) fn is_on(&self) -> bool {
        false
    }

    #[inline(always)]
    pub(crate) fn note(&mut self, _: u64, _: &super::record::Record, _: &super::record::Record) {}

    #[inline(always)]
    pub(crate) fn note_impact(&mut self, _: u64, _: [u64; 2], _: &super::record::Record) {}
}

#[cfg(feature = "threads")]
mod on {
    use crate::state::record::Record;
    use carom_math::Time;

    /// The strips that are watched, if any are.
    #[derive(Debug, Default)]
    pub(crate) struct Watch(Option<Box<Strips>>);

    /// Strips across one axis, each around a line.
    #[derive(Debug)]
    pub(crate) struct Strips {
        /// 0 for lines x = const, 1 for y = const.
        pub(crate) axis: usize,
        pub(crate) period: Option<f64>,
        pub(crate) half_width: f64,
        /// Paths before this time are not looked at.
        pub(crate) since: Time,
        pub(crate) seams: Vec<Seam>,
        /// The strip between two of the lines whose impacts are noted: those of which the disc with the
        /// smaller serial number is there.
        pub(crate) own: [f64; 2],
        /// These, in order, and how many of them are at walls.
        pub(crate) inside: Vec<ImpactNote>,
        pub(crate) at_walls: u64,
        /// The others.
        pub(crate) outside: Vec<ImpactNote>,
    }

    /// An impact of two discs, or of one, named twice, at a wall.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(crate) struct ImpactNote {
        pub(crate) time: Time,
        /// In order.
        serials: [u64; 2],
        pub(crate) number: u64,
    }

    impl ImpactNote {
        /// Whether they are the same, whatever their numbers.
        pub(crate) fn is(&self, other: &Self) -> bool {
            (self.time, self.serials) == (other.time, other.serials)
        }

        /// The order of [`EventKey`](carom_broadphase::EventKey).
        pub(crate) fn is_before(&self, other: &Self) -> bool {
            self.time.is_before(other.time) || (self.time == other.time && self.serials < other.serials)
        }
    }

    /// The line of a strip, and the pieces of paths that lead through it.
    #[derive(Debug)]
    pub(crate) struct Seam {
        pub(crate) at: f64,
        pub(crate) pieces: Vec<Piece>,
    }

    /// A piece of a path: a stored state and the one that follows it, bit by bit.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct Piece {
        /// Of the disc.
        pub(crate) serial: u64,
        from: [u64; 6],
        /// Zeros of a piece that goes on.
        to: [u64; 6],
    }

    impl Watch {
        pub(crate) const OFF: Watch = Watch(None);

        pub(crate) fn of(strips: Strips) -> Self {
            Watch(Some(Box::new(strips)))
        }

        #[inline(always)]
        pub(crate) fn is_on(&self) -> bool {
            self.0.is_some()
        }

        pub(crate) fn strips(&self) -> Option<&Strips> {
            self.0.as_deref()
        }

        pub(crate) fn strips_mut(&mut self) -> Option<&mut Strips> {
            self.0.as_deref_mut()
        }

        /// Notes an impact whose states have been stored: its number, the serial numbers of its discs, the
        /// smaller one first, and the state of that disc.
        #[inline(always)]
        pub(crate) fn note_impact(&mut self, number: u64, serials: [u64; 2], first: &Record) {
            if let Some(strips) = &mut self.0 {
                strips.note_impact(ImpactNote { time: first.time(), serials, number }, first);
            }
        }

        /// Notes the path of a disc from one stored state to the next.
        #[inline(never)]
        pub(crate) fn note(&mut self, serial: u64, old: &Record, new: &Record) {
            if let Some(strips) = &mut self.0 {
                strips.note(serial, old, new.time(), new.motion_bits());
            }
        }
    }

    impl Strips {
        /// Forgets what was noted, and notes from a time on.
        pub(crate) fn begin(&mut self, since: Time) {
            self.since = since;
            self.inside.clear();
            self.outside.clear();
            self.at_walls = 0;
            self.seams.iter_mut().for_each(|seam| seam.pieces.clear());
        }

        fn note_impact(&mut self, note: ImpactNote, first: &Record) {
            let x = if self.axis == 0 { first.x } else { first.y };
            if (self.own[0]..self.own[1]).contains(&x) {
                self.inside.push(note);
                self.at_walls += u64::from(note.serials[0] == note.serials[1]);
            } else {
                self.outside.push(note);
            }
        }

        /// Notes the path of a disc up to a time at which it goes on.
        pub(crate) fn note_open(&mut self, serial: u64, record: &Record, until: Time) {
            self.note(serial, record, until, [0; 6]);
        }

        fn note(&mut self, serial: u64, old: &Record, until: Time, to: [u64; 6]) {
            let begin = old.time().latest(self.since);
            let (x, v) = if self.axis == 0 { (old.x, old.vx) } else { (old.y, old.vy) };
            let (first, way) = (x + v * begin.since(old.time()), v * until.since(begin));
            for seam in &mut self.seams {
                let mut from = first - seam.at;
                if let Some(period) = self.period {
                    from -= period * (from / period).round();
                }
                let is_through =
                    from.min(from + way) <= self.half_width && from.max(from + way) >= -self.half_width;
                // Of long ways all are noted, as they may lead through an image of the strip.
                if is_through || self.period.is_some_and(|period| way.abs() >= 0.25 * period) {
                    seam.pieces.push(Piece { serial, from: old.motion_bits(), to });
                }
            }
        }
    }
}

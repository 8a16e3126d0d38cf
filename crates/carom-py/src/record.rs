//! Events as rows of a structured array.

use crate::handle::{NONE, Numbered, partner};
use crate::laws::{Laws, Told};
use carom_engine::{
    CommandKind, Crossing, CrossingCause, DVec2, Departure, Event, Hold, Impact, Partner, Refusal,
};
use numpy::{Element, PyArrayDescr};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The kinds of events, by their numbers: those of `carom.EventKind`.
pub(crate) const KINDS: [&str; 22] = [
    "impact", "change", "crushed", "held", "let_go", "released", "timer", "move_blocked", "turned",
    "turn_blocked", "wall_moved", "wall_blocked", "entered", "left", "other", "growth_ended", "passed",
    "captured", "removed", "wall_removed", "inserted", "refused",
];

/// An event, as numpy sees it. `python/carom/_core.pyi` says what the fields are.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) time: f64,
    pub(crate) epoch: f64,
    pub(crate) offset: f64,
    pub(crate) kind: u32,
    pub(crate) b_kind: u32,
    pub(crate) a: u64,
    pub(crate) b: u64,
    pub(crate) part: u32,
    pub(crate) code: u32,
    pub(crate) group: u64,
    pub(crate) other: u64,
    pub(crate) note: u64,
    pub(crate) point: [f64; 2],
    pub(crate) normal: [f64; 2],
    pub(crate) target: [f64; 2],
    pub(crate) approach_speed: f64,
    pub(crate) impulse: f64,
    pub(crate) angle: f64,
    pub(crate) before: [[f64; 2]; 2],
    pub(crate) after: [[f64; 2]; 2],
    pub(crate) user_data: [u64; 2],
}

/// The fields with their types, for `numpy.dtype`.
const FIELDS: &std::ffi::CStr =
    c"[('time','f8'),('epoch','f8'),('offset','f8'),('kind','u4'),('b_kind','u4'),\
    ('a','u8'),('b','u8'),('part','u4'),('code','u4'),('group','u8'),('other','u8'),('note','u8'),\
    ('point','f8',2),('normal','f8',2),('target','f8',2),('approach_speed','f8'),('impulse','f8'),\
    ('angle','f8'),('before','f8',(2,2)),('after','f8',(2,2)),('user_data','u8',2)]";

fn dtype(py: Python<'_>) -> PyResult<Py<PyArrayDescr>> {
    let fields = py.eval(FIELDS, None, None)?;
    let dtype = py.import("numpy")?.getattr("dtype")?.call1((fields, true))?;
    Ok(dtype.cast_into::<PyArrayDescr>()?.unbind())
}

// SAFETY: plain numbers, and the descriptor has the offsets of `repr(C)`, as numpy aligns its fields.
#[expect(unsafe_code, reason = "the trait says that memory of the type is what the descriptor describes")]
unsafe impl Element for Record {
    const IS_COPY: bool = true;

    fn get_dtype(py: Python<'_>) -> Bound<'_, PyArrayDescr> {
        static DTYPE: PyOnceLock<Py<PyArrayDescr>> = PyOnceLock::new();
        let descr = DTYPE.get_or_try_init(py, || dtype(py)).expect("numpy takes the fields");
        descr.clone_ref(py).into_bound(py)
    }

    fn clone_ref(&self, _: Python<'_>) -> Self {
        *self
    }
}

impl Record {
    fn new(kind: u32, at: carom_engine::Time) -> Self {
        let nowhere = [f64::NAN; 2];
        Record {
            time: at.as_secs(),
            epoch: at.epoch_start(),
            offset: at.offset(),
            kind,
            b_kind: 0,
            a: NONE,
            b: NONE,
            part: 0,
            code: 0,
            group: 0,
            other: NONE,
            note: 0,
            point: nowhere,
            normal: nowhere,
            target: nowhere,
            approach_speed: f64::NAN,
            impulse: f64::NAN,
            angle: f64::NAN,
            before: [nowhere; 2],
            after: [nowhere; 2],
            user_data: [0; 2],
        }
    }

    fn met(self, b: Partner) -> Self {
        let (kind, b, part) = partner(b);
        Record { b_kind: kind.into(), b, part, ..self }
    }

    fn at_wall(self, wall: carom_engine::WallId) -> Self {
        Record { b_kind: 2, b: wall.number(), ..self }
    }

    fn moving(self, velocity: DVec2) -> Self {
        Record { after: [velocity.to_array(), [f64::NAN; 2]], ..self }
    }

    fn impact(hit: &Impact) -> Self {
        Record {
            a: hit.a.number(),
            group: hit.group,
            point: hit.point.to_array(),
            normal: hit.normal.to_array(),
            approach_speed: hit.approach_speed,
            impulse: hit.impulse,
            before: hit.before.map(|v| v.to_array()),
            after: hit.after.map(|v| v.to_array()),
            user_data: hit.user_data,
            ..Record::new(0, hit.time)
        }
        .met(hit.b)
    }

    fn hold(kind: u32, hold: &Hold) -> Self {
        let (a, point, normal) = (hold.a.number(), hold.point.to_array(), hold.normal.to_array());
        Record { a, point, normal, user_data: hold.user_data, ..Record::new(kind, hold.time) }.met(hold.b)
    }

    fn crossing(kind: u32, crossing: &Crossing) -> Self {
        let cause = match crossing.cause {
            CrossingCause::Motion => 0,
            CrossingCause::Placed => 1,
            CrossingCause::Rules => 2,
            CrossingCause::Disabled => 3,
            CrossingCause::DiscRemoved => 4,
            CrossingCause::RegionRemoved => 5,
            _ => 6,
        };
        Record {
            a: crossing.disc.number(),
            other: crossing.region.number(),
            code: cause,
            point: crossing.position.to_array(),
            user_data: crossing.user_data,
            ..Record::new(kind, crossing.time)
        }
        .moving(crossing.velocity)
    }

    fn departure(kind: u32, gone: &Departure) -> Self {
        let (a, point) = (gone.disc.number(), gone.position.to_array());
        let user_data = [gone.user_data, gone.by_user_data];
        let record = Record { a, point, user_data, ..Record::new(kind, gone.time) }.moving(gone.velocity);
        gone.by.map_or(record, |by| record.met(by))
    }

    /// The row of an event.
    pub(crate) fn of<P: Laws<Change: Told>>(event: &Event<P::Change>) -> Self {
        let at = event.time();
        match event {
            Event::Impact(hit) => Record::impact(hit),
            Event::Change { disc, change, .. } => {
                Record { a: disc.number(), code: change.number() as u32, ..Record::new(1, at) }
            }
            Event::Crushed { body, by, against, impulse, velocity, .. } => {
                let (a, other) = (body.number(), by.number());
                Record { a, other, impulse: *impulse, ..Record::new(2, at) }.met(*against).moving(*velocity)
            }
            Event::Held(hold) => Record::hold(3, hold),
            Event::LetGo(hold) => Record::hold(4, hold),
            Event::Released { body, velocity, .. } => {
                Record { a: body.number(), ..Record::new(5, at) }.moving(*velocity)
            }
            Event::Timer { timer, note, .. } => {
                Record { other: timer.number(), note: *note, ..Record::new(6, at) }
            }
            Event::MoveBlocked { disc, position, target, .. } => {
                let (point, target) = (position.to_array(), target.to_array());
                Record { a: disc.number(), point, target, ..Record::new(7, at) }
            }
            Event::Entered(crossing) => Record::crossing(12, crossing),
            Event::Left(crossing) => Record::crossing(13, crossing),
            Event::GrowthEnded { .. } => Record::new(15, at),
            _ => Record::of_wall(event, at),
        }
    }

    fn of_wall<C>(event: &Event<C>, at: carom_engine::Time) -> Self {
        match event {
            Event::Turned { wall, angle, .. } => {
                Record { angle: *angle, ..Record::new(8, at) }.at_wall(*wall)
            }
            Event::TurnBlocked { wall, angle, .. } => {
                Record { angle: *angle, ..Record::new(9, at) }.at_wall(*wall)
            }
            Event::WallMoved { wall, offset, .. } => {
                Record { point: offset.to_array(), ..Record::new(10, at) }.at_wall(*wall)
            }
            Event::WallBlocked { wall, offset, target, .. } => {
                let (point, target) = (offset.to_array(), target.to_array());
                Record { point, target, ..Record::new(11, at) }.at_wall(*wall)
            }
            _ => Record::of_verdict(event, at),
        }
    }

    fn of_verdict<C>(event: &Event<C>, at: carom_engine::Time) -> Self {
        match event {
            Event::Passed(passage) => Record {
                a: passage.a.number(),
                point: passage.point.to_array(),
                normal: passage.normal.to_array(),
                approach_speed: passage.approach_speed,
                user_data: passage.user_data,
                ..Record::new(16, at)
            }
            .met(passage.b),
            Event::Captured(gone) => Record::departure(17, gone),
            Event::Removed(gone) => Record::departure(18, gone),
            Event::WallRemoved { wall, user_data, .. } => {
                Record { user_data: [*user_data, 0], ..Record::new(19, at) }.at_wall(*wall)
            }
            Event::Inserted { disc, user_data, .. } => {
                Record { a: disc.number(), user_data: [*user_data, 0], ..Record::new(20, at) }
            }
            Event::Refused { what, reason, .. } => {
                let (code, note) = refusal(*what, *reason);
                Record { code, note, ..Record::new(21, at) }
            }
            _ => Record::new(14, at),
        }
    }
}

/// What a rule has asked for in vain, and why.
fn refusal(what: CommandKind, reason: Refusal) -> (u32, u64) {
    let code = match what {
        CommandKind::Verdict => 0,
        CommandKind::Insert => 1,
        CommandKind::Remove => 2,
        CommandKind::Velocity => 3,
        CommandKind::Position => 4,
        CommandKind::Property => 5,
        CommandKind::Timer => 6,
        _ => 7,
    };
    let note = match reason {
        Refusal::OutOfRange => 0,
        Refusal::Gone => 1,
        Refusal::Overlap => 2,
        Refusal::Full => 3,
        _ => 4,
    };
    (code, note)
}

/// The words for `code` of changes, of entered and left, and of refused; and for `note` of refused.
pub(crate) const CHANGES: [&str; 4] = ["", "stops", "reaches_limit", "resumes"];
pub(crate) const CAUSES: [&str; 7] =
    ["motion", "placed", "rules", "disabled", "disc_removed", "region_removed", "other"];
pub(crate) const COMMANDS: [&str; 8] =
    ["verdict", "insert", "remove", "velocity", "position", "property", "timer", "other"];
pub(crate) const REASONS: [&str; 5] = ["out_of_range", "gone", "overlap", "full", "other"];

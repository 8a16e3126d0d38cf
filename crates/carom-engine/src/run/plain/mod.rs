//! Impacts of two bodies in a plain world, one after the other: what `resolve` does, without what such a
//! world does not have.

mod grid;
mod refresh;
pub(crate) mod run;
mod schedule;
mod table;
mod table_within;
mod times;

use self::run::PlainGoal;
use self::schedule::PlainSchedule;
use crate::apply::fast::{PlainImpact, apply_plain};
use crate::apply::token::GuardedStore;
use crate::predict::StatePredictor;
use crate::predict::wall::hit_after;
use crate::respond::contact::{ContactNow, With, gap_between};
use crate::respond::two_body::{Bounce, MassShares, bounce};
use crate::simd::{F64x4, Kernel};
use crate::sink::{Sink, Watched};
use crate::state::positions_now::PositionsNow;
use crate::state::stamp::{ImpactKind, Stamp};
use crate::state::sweep_lanes::Probe;
use crate::state::wall_memory::WallMemory;
use crate::store::Common;
use crate::touch::point_between;
use crate::walls::facet::Shape;
use crate::walls::planes::FirstHit;
use crate::{CombineRule, Event, Impact, Partner, Physics};
use carom_broadphase::{Kind, Scheduled, Slot, Solo};
use carom_math::Time;
use carom_math::toi::{self, Motion};
use glam::DVec2;

/// The event loop of a plain world, compiled as a whole for each kind of vector. Ends before what is not an
/// impact of two bodies away from all others.
struct PlainRun<'a, 's, P: Physics, K, T> {
    schedule: &'a mut T,
    discs: PlainDiscs<'a, P>,
    combine: CombineRule,
    /// Impacts that are no longer than this after the disc's last are rapid.
    contact_time: f64,
    goal: PlainGoal,
    sink: &'a mut Watched<'s, K>,
}

/// What predictions follow from.
struct PlainDiscs<'a, P: Physics> {
    store: &'a mut GuardedStore<P>,
    positions_now: &'a PositionsNow,
}

/// How the run of a plain world ended.
struct PlainEnd {
    events: u64,
    /// The next event, which was not carried out.
    due: Option<Scheduled>,
    /// Whether rows of its discs have to be written in any case.
    is_spoiled: bool,
}

/// What became of an impact.
enum Outcome {
    Stored,
    /// Not one of a plain world; nothing has been changed.
    Refused,
    /// As `Refused`, except for the rows of the discs.
    Spoiled,
}

impl<P: Physics, K: Sink<P>, T: PlainSchedule> Kernel for PlainRun<'_, '_, P, K, T> {
    type Output = PlainEnd;

    #[inline(always)]
    fn run<V: F64x4>(mut self) -> PlainEnd {
        let mut events = 0;
        loop {
            let due = self.schedule.next::<P, V>(&self.discs, self.goal.until);
            let end = |is_spoiled| PlainEnd { events, due, is_spoiled };
            let Some(next) = due else { return end(false) };
            if self.goal.until.is_before(next.time) || events == self.goal.most || self.sink.is_stopped {
                return end(false);
            }
            let outcome = match With::of(&next) {
                _ if next.kind != Kind::Impact => Outcome::Refused,
                With::Disc(b) => self.meet::<V>([next.a, b], next.time),
                With::Facet(f) => self.hit::<V>(next.a, f, next.time),
            };
            match outcome {
                Outcome::Stored => events += 1,
                Outcome::Refused => return end(false),
                Outcome::Spoiled => return end(true),
            }
        }
    }
}

impl<P: Physics> PlainDiscs<'_, P> {
    #[inline(always)]
    fn predictor(&self) -> StatePredictor<'_, P> {
        StatePredictor::new(self.store, self.positions_now)
    }
}

impl<P: Physics, K: Sink<P>, T: PlainSchedule> PlainRun<'_, '_, P, K, T> {
    /// The motion of a disc at an impact, unless its mass is not finite, or it has had one a short time ago.
    #[inline(always)]
    fn at_impact(&self, slot: Slot, now: Time) -> Option<Motion> {
        let (record, detail) = (self.discs.store.bodies.record(slot), self.discs.store.bodies.detail(slot));
        let is_late = now.since(record.time()) > self.contact_time;
        let is_usual = record.tag.is_of_finite_mass() & is_late & (detail.rapid_impacts == 0);
        is_usual.then(|| record.motion_at(now))
    }

    /// The shortest of all images of a displacement.
    #[inline(always)]
    fn nearest(&self, d: DVec2) -> DVec2 {
        if T::PERIODIC { self.discs.store.bodies.periods.nearest(d) } else { d }
    }

    /// A place in the rectangle that repeats itself, and by how many periods it was beyond that.
    #[inline(always)]
    fn wrap(&self, place: DVec2) -> (DVec2, [i64; 2]) {
        if T::PERIODIC { self.discs.store.bodies.periods.wrap(place) } else { (place, [0; 2]) }
    }

    /// An impact of two discs.
    #[inline(always)]
    fn meet<V: F64x4>(&mut self, [a, b]: [Slot; 2], now: Time) -> Outcome {
        let [a, b] = self.discs.store.bodies.in_order([a, b]);
        let (Some(of_a), Some(of_b)) = (self.at_impact(a, now), self.at_impact(b, now)) else {
            return Outcome::Refused;
        };
        let (detail_a, detail_b) = (self.discs.store.bodies.detail(a), self.discs.store.bodies.detail(b));
        let velocity = of_a.velocity - of_b.velocity;
        let apart = self.nearest(of_b.position - of_a.position);
        let gap = gap_between(apart, velocity, of_a.radius + of_b.radius);
        let restitution = self.combine.combine(detail_a.restitution, detail_b.restitution);
        let contact = ContactNow::of(gap, velocity, restitution);
        let masses = MassShares::of_discs([detail_a.mass, detail_b.mass]);
        let Bounce { after, impulse } = bounce(&contact, [of_a.velocity, of_b.velocity], masses, restitution);
        let (place_a, turns_a) = self.wrap(of_a.position);
        let (place_b, turns_b) = self.wrap(of_b.position);
        let impact = PlainImpact {
            slots: [a, b],
            records: [
                self.discs.store.bodies.record(a).changed(now, place_a, after[0]),
                self.discs.store.bodies.record(b).changed(now, place_b, after[1]),
            ],
            turns: [turns_a, turns_b],
            places: [of_a.position, of_b.position],
            met: WallMemory::EMPTY,
            velocities: [of_a.velocity, of_b.velocity],
            contact,
            impulse,
        };
        self.store::<V, 2>(impact, now)
    }

    /// An impact of a disc at a half-plane.
    #[inline(always)]
    fn hit<V: F64x4>(&mut self, slot: Slot, f: u32, now: Time) -> Outcome {
        let Some(motion) = self.at_impact(slot, now) else { return Outcome::Refused };
        let facet = &self.discs.store.walls.facets[f as usize];
        let Shape::HalfPlane(plane) = &facet.shape else { return Outcome::Refused };
        let (gap, detail) = (toi::gap_disc_half_plane(&motion, plane), self.discs.store.bodies.detail(slot));
        let restitution =
            self.combine.combine(detail.restitution, self.discs.store.wall(facet.wall).restitution);
        let contact = ContactNow::of(gap, motion.velocity, restitution);
        let masses = MassShares::at_wall(detail.mass);
        let Bounce { after, impulse } = bounce(&contact, [motion.velocity, DVec2::ZERO], masses, restitution);
        let impact = PlainImpact {
            slots: [slot],
            records: [self.discs.store.bodies.record(slot).changed(now, motion.position, after[0])],
            turns: [[0; 2]],
            places: [motion.position],
            met: WallMemory::met(f, gap.side),
            velocities: [motion.velocity],
            contact,
            impulse,
        };
        self.store::<V, 1>(impact, now)
    }

    /// Stores and reports an impact, with the rows of its discs, if nothing else is near these.
    #[inline(always)]
    fn store<V: F64x4, const N: usize>(&mut self, mut impact: PlainImpact<N>, now: Time) -> Outcome {
        let stamp = Stamp::impact(self.discs.store.impacts + 1, ImpactKind::Two);
        let mut solos = [Solo::NEVER; N];
        let has_walls = N == 1 || !self.discs.store.walls.facets.is_empty();
        for (record, solo) in impact.records.iter_mut().zip(&mut solos) {
            record.set_stamp(stamp);
            let motion = &record.motion();
            // What is within the slack of touching is within that of being nearly touching, too.
            if !(Probe::new(motion).slack() <= MOST_SLACK * motion.radius) {
                return Outcome::Refused;
            }
            if !has_walls {
                continue;
            }
            let (planes, met) = (&self.discs.store.walls.planes, impact.met.just_met_facets());
            let hit = FirstHit::<true> { planes, motion, met }.run::<V>();
            if hit.is_near {
                return Outcome::Refused;
            }
            *solo = hit_after(&self.discs.store.clock, now, hit.dt, hit.facet);
        }
        match self.schedule.look::<P, V, N>(&mut self.discs, impact.slots, &impact.records) {
            Ok(firsts) => {
                self.commit::<V, N>(&impact, now, &solos, firsts);
                Outcome::Stored
            }
            Err(outcome) => outcome,
        }
    }

    #[inline(always)]
    fn commit<V: F64x4, const N: usize>(
        &mut self,
        impact: &PlainImpact<N>,
        now: Time,
        solos: &[Solo; N],
        met: [T::First; N],
    ) {
        apply_plain(self.discs.store.common(), impact, now, T::PERIODIC);
        let mut firsts = [(solos[0], met[0]); N];
        for k in 1..N {
            firsts[k] = (solos[k], met[k]);
        }
        self.schedule.take_in::<P, V, N>(&self.discs, impact.slots, &firsts);
        if K::ACTIVE {
            let shown = shown(self.discs.store, impact, now);
            _ = self.sink.event(&Event::Impact(shown));
        }
    }
}

/// The record of an impact that has been stored.
#[inline(never)]
fn shown<const N: usize>(store: &Common, impact: &PlainImpact<N>, time: Time) -> Impact {
    let (bodies, normal) = (&store.bodies, impact.contact.gap.normal);
    let [of_a, of_b] = [0, N - 1].map(|k| &impact.records[k]);
    let (a, b) = (impact.slots[0], impact.slots[N - 1]);
    let places = [impact.places[0], impact.places[N - 1]];
    let mut shown = Impact {
        time,
        group: store.impacts,
        a: bodies.id(a),
        b: Partner::Disc(bodies.id(b)),
        user_data: [bodies.user_data.get(a), bodies.user_data.get(b)],
        point: point_between(&bodies.periods, places, [of_a.radius, of_b.radius], normal),
        normal,
        approach_speed: impact.contact.approach_speed,
        impulse: impact.impulse,
        before: [impact.velocities[0], impact.velocities[N - 1]],
        after: [of_a.velocity(), of_b.velocity()],
    };
    if let Some((f, _)) = impact.met.known().next() {
        shown.b = store.walls.partner(f);
        shown.user_data[1] = store.user_data_of(With::Facet(f));
        shown.point = places[0] + normal * of_a.radius;
        (shown.before[1], shown.after[1]) = (DVec2::ZERO, DVec2::ZERO);
    }
    shown.point = bodies.periods.wrap(shown.point).0;
    shown
}

/// By how much of its radius a disc may be further from others and yet touch them: they are then nearly
/// touching by [`NEARLY_TOUCHING`](carom_math::tolerance::NEARLY_TOUCHING), since `(1 + m)² < 1 + 1/1024`.
const MOST_SLACK: f64 = 1.0 / 4096.0;

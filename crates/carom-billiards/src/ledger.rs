//! Where the energy of a shot goes.

use crate::known::{Full, Known};
use crate::motion::{Law, Lift, Motion, kinetic_energy, slip};
use carom_engine::{Counters, DVec2};

/// Where the kinetic energy of the balls, of their velocities and their rotation, comes from and goes in a
/// shot, in joules.
///
/// It closes: [`EnergyLedger::total`] is the energy of the balls on the table after the shot less that before
/// the stroke, up to rounding: 10⁻¹² of what the stroke brought. What the cloth takes from a free ball is
/// computed as the work of friction along the closed form of its path, independently of the states between
/// which that leads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct EnergyLedger {
    /// Added by the stroke.
    pub cue: f64,
    /// Taken by sliding friction: `μ_s m g` times the way that the lowest point of a ball slips.
    pub sliding: f64,
    /// Taken by rolling friction: `7/5 μ_r m g` times the way of a rolling ball, whose rotation slows down
    /// with it.
    pub rolling: f64,
    /// Taken by the friction that slows down the spin about the vertical, in all motions.
    pub spinning: f64,
    /// Taken by restitution at balls and at cushions, along the lines of contact.
    pub restitution: f64,
    /// Taken by friction at the points of contact of impacts; of models without restitution along the line
    /// of contact, all that they take beyond that of the horizontal velocity.
    pub friction: f64,
    /// Taken by the table: the energy of the vertical velocities that impacts would give.
    pub table: f64,
    /// Gone with the balls that fell.
    pub potted: f64,
    /// Taken by the liner and the lip of pockets from balls that fall ([`PocketModel::Lip`]): of the
    /// horizontal velocity, as the vertical one of a fall is in no entry.
    ///
    /// [`PocketModel::Lip`]: crate::PocketModel::Lip
    pub pocket: f64,
    /// Taken by coming to rest at a contact, where a ball would bounce no higher than the rest height.
    pub rest: f64,
    /// Taken by balls that press on each other or on a cushion, beyond the friction of the cloth. May be
    /// negative by what directions that turn within a piece of their motion are off.
    pub held: f64,
    /// Taken by the look after an impact: a model left two approaching.
    pub look_again: f64,
    /// Taken by what ends groups of impacts that would go on for ever.
    pub collapse: f64,
    /// Taken by all else that the engine books: edits during a shot, bodies that close in, clamped speeds.
    pub other: f64,
}

impl EnergyLedger {
    /// What came less what went.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.entries().map(|(_, added)| added).sum()
    }

    /// The entries by name, each with what it added: losses are negative.
    pub fn entries(&self) -> impl Iterator<Item = (&'static str, f64)> {
        [
            ("cue", self.cue),
            ("sliding", -self.sliding),
            ("rolling", -self.rolling),
            ("spinning", -self.spinning),
            ("restitution", -self.restitution),
            ("friction", -self.friction),
            ("table", -self.table),
            ("potted", -self.potted),
            ("pocket", -self.pocket),
            ("rest", -self.rest),
            ("held", -self.held),
            ("look_again", -self.look_again),
            ("collapse", -self.collapse),
            ("other", -self.other),
        ]
        .into_iter()
    }
}

/// A ledger in which entries are made, event by event.
#[derive(Default)]
pub(crate) struct Book {
    ledger: EnergyLedger,
    /// What impacts added to the energy of rotation.
    turned: f64,
    /// What the engine takes for losses of restitution, and the table takes: of normal impulses alone.
    lifted: f64,
    /// The energy of the velocities with which balls fell: the engine takes it for an edit.
    fell: f64,
}

impl Book {
    pub(crate) fn new(cue: f64) -> Self {
        Book { ledger: EnergyLedger { cue, ..EnergyLedger::default() }, ..Book::default() }
    }

    /// The way of a ball from one event to the next.
    pub(crate) fn pass(&mut self, known: &Known, dt: f64, gravity: f64) {
        if !known.is_on_table || !(dt > 0.0) {
            return;
        }
        let law = known.law(gravity);
        let taken = Cloth::takes(known, &law, dt);
        self.ledger.sliding += taken.sliding;
        self.ledger.rolling += taken.rolling;
        self.ledger.spinning += taken.spinning;
        if law.acceleration() != known.acceleration {
            // Others press on it: they do the rest of the work, which adds up to none but for the held entry.
            let (before, after) = (known.full(), known.after(dt, gravity));
            let gained = known.energy(&after) - known.energy(&before);
            self.ledger.held -= gained + taken.sliding + taken.rolling + taken.spinning;
        }
    }

    /// What an event does to a ball: `before` is what was known of it, `dt` earlier.
    pub(crate) fn jump(&mut self, before: &Known, dt: f64, now: &Known, gravity: f64, is_impact: bool) {
        let turned = now.rotation(&now.full()) - before.rotation(&before.after(dt, gravity));
        if is_impact {
            self.turned += turned;
            let was = if dt > 0.0 { Lift::default() } else { before.state.extra.lift };
            let is = now.state.extra.lift;
            let (normal, friction) = (is.normal - was.normal, is.friction - was.friction);
            self.ledger.table += 0.5 * now.mass * (normal + friction) * (normal + friction);
            self.lifted += 0.5 * now.mass * normal * normal;
        } else {
            self.ledger.held -= turned;
        }
    }

    /// A ball at the liner or the lip of a pocket.
    pub(crate) fn meet_pocket(&mut self, before: &Known, dt: f64, now: &Known, gravity: f64) {
        let (was, is) = (before.after(dt, gravity), now.full());
        let of_centre = |at: &Full| now.energy(at) - now.rotation(at);
        self.ledger.pocket += of_centre(&was) - of_centre(&is);
    }

    /// A ball that falls.
    pub(crate) fn fall(&mut self, known: &Known, dt: f64, gravity: f64) {
        let at = known.after(dt, gravity);
        self.ledger.potted += known.energy(&at);
        self.fell += known.energy(&at) - known.rotation(&at);
    }

    /// The ledger, with what the engine booked since the stroke.
    pub(crate) fn close(mut self, before: &Counters, now: &Counters) -> EnergyLedger {
        let engine = now.ledger.since(&before.ledger);
        let ledger = &mut self.ledger;
        ledger.restitution = engine.restitution - self.lifted;
        ledger.friction = -(engine.physics + self.turned) - (ledger.table - self.lifted) - ledger.pocket;
        ledger.rest = engine.rest;
        ledger.held += engine.held;
        ledger.look_again = engine.look_again;
        ledger.collapse = engine.collapse;
        let edits = engine.edits + self.fell;
        ledger.other = engine.crush + engine.slides + engine.clamps - edits - engine.work - engine.kicks;
        *ledger
    }
}

/// What the friction of the cloth takes from a ball on a piece of its path.
#[derive(Default)]
struct Cloth {
    sliding: f64,
    rolling: f64,
    spinning: f64,
}

impl Cloth {
    /// Works of friction, a constant force each: over the way of the lowest point, of the centre, and over
    /// the angle about the vertical.
    fn takes(known: &Known, law: &Law<'_>, dt: f64) -> Cloth {
        let (mut taken, mass) = (Cloth::default(), known.mass);
        if law.motion() == Motion::Falling {
            return taken;
        }
        let at = known.full();
        let half = 0.5 * dt;
        match law.motion() {
            Motion::Sliding => {
                let friction = law.acceleration();
                // du/dt = a + 5/2 of what friction alone is.
                let slips = slip(known.radius, at.velocity, at.spin);
                let slipping = known.acceleration + friction * 2.5;
                taken.sliding = -mass * friction.dot((slips + slipping * half) * dt);
            }
            Motion::Rolling => {
                let way: DVec2 = (at.velocity + known.acceleration * half) * dt;
                taken.rolling = -1.4 * mass * law.acceleration().dot(way);
            }
            Motion::Spinning | Motion::Resting | Motion::Falling => {}
        }
        let (spin, falls) = (at.spin.z.abs(), law.spin_falls());
        if spin > 0.0 {
            // It may be over before the piece is.
            let lasts = if falls * dt < spin { dt } else { spin / falls };
            taken.spinning = known.inertia() * falls * (spin - falls * lasts * 0.5) * lasts;
        }
        taken
    }
}

impl Known {
    /// The moment of inertia of a solid sphere.
    fn inertia(&self) -> f64 {
        0.4 * self.mass * self.radius * self.radius
    }

    fn rotation(&self, at: &Full) -> f64 {
        0.5 * self.inertia() * at.spin.length_squared()
    }

    pub(crate) fn energy(&self, at: &Full) -> f64 {
        kinetic_energy(self.mass, self.radius, at.velocity, at.spin)
    }
}

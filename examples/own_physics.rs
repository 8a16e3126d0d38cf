//! A physics of one's own: discs whose restitution depends on the speed of approach, and which carry charges
//! that drive them apart. `docs/own-physics.md` explains the door from the simplest to the richest.
//!
//! `cargo run --release --example own_physics`

use carom::math::elementary::{exp, ln};
use carom::{
    Approach, Body, Contact, Disc, Error, Met, Never, Physics, Settings, Smooth, State, World, fields,
};

/// What a disc has beside radius, mass and restitution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Grain {
    /// A multiple of the unit charge; discs of one sign repel each other.
    charge: f64,
}

/// What a disc stores beside position and velocity: how often it was hit, and how hard at most.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Worn {
    hits: u64,
    hardest: f64,
}

/// The physics itself: numbers that hold for the whole world.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Powder {
    /// β^(1/2) of the source below: how much a collision at speed 1 dissipates; 0 is elastic.
    damping: f64,
    /// By how much faster two discs of charge 1 part.
    push: f64,
}

// One line for each type shows its parts, by which worlds are compared and checksums made.
fields!(Grain: charge);
fields!(Worn: hits, hardest);
fields!(Powder: damping, push);

impl Powder {
    /// The restitution of viscoelastic spheres, by the Padé approximant of Müller and Pöschel, Phys. Rev. E
    /// 84 (2011) 021302: at small speeds `1 − 1.153 β v^(1/5)`.
    fn restitution_at(&self, speed: f64) -> f64 {
        if speed <= 0.0 {
            return 1.0;
        }
        // Functions of the platform may differ in their last bit from machine to machine; these do not.
        let v = self.damping * exp(0.1 * ln(speed));
        let above = 1.0 + 0.501086 * v;
        above / (above + v * v * (1.15345 + v * (0.577977 + v * 0.532178)))
    }
}

impl Physics for Powder {
    type Extra = Worn;
    type Body = Grain;
    type Surface = ();
    type Change = Never;

    fn check(&self, own: &Grain) -> Result<(), Error> {
        if own.charge.abs() <= 1e3 {
            return Ok(());
        }
        Err(Error::OutOfRange { field: "charge", value: own.charge, allowed: "a number from -1e3 to 1e3" })
    }

    fn restitution(&self, approach: &Approach<'_, Grain, ()>) -> f64 {
        let restitution = self.restitution_at(approach.speed);
        match approach.with {
            // Above 1 it is a kick, and the ledger has an entry for these.
            Met::Disc(other) if approach.speed > 0.0 => {
                let charges = approach.body.own.charge * other.own.charge;
                restitution + (self.push * charges).max(0.0) / approach.speed
            }
            _ => restitution,
        }
    }

    fn pair(&self, contact: &Contact<Worn>, _: [&Body<Grain>; 2], a: &mut State<Worn>, b: &mut State<Worn>) {
        for worn in [&mut a.extra, &mut b.extra] {
            *worn = Worn { hits: worn.hits + 1, hardest: worn.hardest.max(contact.impulse) };
        }
    }
}

/// A gas of equal discs in a periodic square, in the order of a lattice, with velocities of mean size 1.
fn gas<P: Physics>(physics: P, restitution: f64, body: P::Body) -> Result<World<P>, Error> {
    const COLUMNS: u32 = 16;
    let side = 2.0 * f64::from(COLUMNS);
    let settings = Settings::default().with_period([Some(side); 2]).with_record_events(false);
    let mut world = World::with_physics(physics, settings)?;
    for k in 0..COLUMNS * COLUMNS {
        let place = [2.0 * f64::from(k % COLUMNS), 2.0 * f64::from(k / COLUMNS)];
        let velocity = carom::DVec2::from_angle(2.399963 * f64::from(k));
        let disc = Disc::new(place, 0.5).with_velocity(velocity).with_restitution(restitution);
        world.insert(disc.with_body(body))?;
    }
    Ok(world)
}

/// How fast the logarithm of the energy falls with that of time, between two times.
fn exponent<P: Physics>(world: &mut World<P>, from: f64, to: f64) -> Result<f64, Error> {
    world.advance_to(from)?;
    let before = world.kinetic_energy();
    world.advance_to(to)?;
    Ok((world.kinetic_energy() / before).ln() / (to / from).ln())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let powder = Powder { damping: 0.4, push: 0.0 };
    println!("speed of approach   restitution");
    for speed in [1e-6, 1e-4, 1e-2, 1.0, 100.0] {
        println!("{speed:17e}   {:.4}", powder.restitution_at(speed));
    }

    // Gases approach t^(-2) at a constant restitution (Haff 1983), and t^(-5/3) if it rises towards 1 for
    // slow impacts (Schwager and Pöschel, Phys. Rev. E 57 (1998) 650).
    let mut haff = gas(Smooth, 0.9, ())?;
    let mut viscoelastic = gas(powder, 1.0, Grain::default())?;
    println!("cooling, constant restitution: t^{:.2}", exponent(&mut haff, 1e2, 1e3)?);
    println!("cooling, viscoelastic discs:   t^{:.2}", exponent(&mut viscoelastic, 1e3, 1e4)?);

    // Charged discs part faster than they came. What the kicks add and what restitution takes is the change
    // of the energy, to rounding.
    let mut charged = gas(Powder { push: 0.1, ..powder }, 1.0, Grain { charge: 1.0 })?;
    let (start, before) = (charged.kinetic_energy(), charged.ledger());
    charged.advance(10.0)?;
    let (now, ledger) = (charged.kinetic_energy(), charged.ledger().since(&before));
    println!("charged discs: energy {start:.3} -> {now:.3}, kicks {:+.3}", ledger.kicks);
    assert!((start + ledger.total - now).abs() < 1e-9 * now);
    let hits: u64 = charged.discs().map(|(_, disc)| disc.extra.hits).sum();
    assert_eq!(hits, 2 * charged.counters().disc_impacts);
    let refused = charged.insert(Disc::new([1.0, 1.0], 0.5).with_body(Grain { charge: f64::NAN }));
    println!("a charge that is none: {}", refused.unwrap_err());
    Ok(())
}

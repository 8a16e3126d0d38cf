use crate::walk::{Fields, Walk, fields};
use carom_math::eft::Sum;
use core::ops::AddAssign;
use glam::DVec2;

impl Fields for Sum {
    fn walk(&self, walk: &mut Walk<'_>) {
        self.parts().iter().for_each(|part| part.walk(walk));
    }
}

/// Writes the ledger as the user sees it and as the engine keeps it, from one list of its entries.
macro_rules! entries {
    ($(#[$attribute:meta])* added { $($(#[$of_added:meta])* $added:ident,)* }
     taken { $($(#[$of_taken:meta])* $taken:ident,)* }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
        #[non_exhaustive]
        pub struct Ledger {
            /// All entries together: what was added less what was taken. Summed before the entries are
            /// rounded, so that it is as good where they are large and cancel.
            pub total: f64,
            $($(#[$of_added])* pub $added: f64,)*
            $($(#[$of_taken])* pub $taken: f64,)*
        }

        impl Ledger {
            /// What has come to each entry since an earlier ledger of the same world.
            #[must_use]
            pub fn since(&self, earlier: &Ledger) -> Ledger {
                Ledger {
                    total: self.total - earlier.total,
                    $($added: self.$added - earlier.$added,)*
                    $($taken: self.$taken - earlier.$taken,)*
                }
            }

            /// The entries by name, in order, each with what it added: losses are negative.
            pub fn entries(&self) -> impl Iterator<Item = (&'static str, f64)> {
                [$((stringify!($added), self.$added),)* $((stringify!($taken), -self.$taken),)*].into_iter()
            }
        }

        /// A [`Ledger`] in which entries are made.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
        pub(crate) struct Book {
            $(pub(crate) $added: Sum,)*
            $(pub(crate) $taken: Sum,)*
        }

        impl Book {
            /// All entries together.
            pub(crate) fn total(&self) -> Sum {
                let mut total = Sum::default();
                $(total += self.$added;)*
                $(total -= self.$taken;)*
                total
            }

            /// Adds the entries of another book, each multiplied by a factor.
            pub(crate) fn add_scaled(&mut self, other: &Book, factor: f64) {
                $(self.$added += other.$added.scaled(factor);)*
                $(self.$taken += other.$taken.scaled(factor);)*
            }

            pub(crate) fn ledger(&self) -> Ledger {
                Ledger {
                    total: self.total().value(),
                    $($added: self.$added.value(),)*
                    $($taken: self.$taken.value(),)*
                }
            }
        }

        fields!(Book: $($added,)* $($taken),*);
        fields!(Ledger: total, $($added,)* $($taken),*);

        impl AddAssign<&Book> for Book {
            fn add_assign(&mut self, other: &Book) {
                $(self.$added += other.$added;)*
                $(self.$taken += other.$taken;)*
            }
        }
    };
}

entries! {
    /// Where the kinetic energy of the discs of finite mass comes from and goes: sums since the world was
    /// made, in units of mass × length² / time².
    ///
    /// It closes: [`World::kinetic_energy`](crate::World::kinetic_energy) is [`Ledger::total`] of
    /// [`World::ledger`](crate::World::ledger) except for
    /// rounding, 10⁻¹² of the largest energy that was there, over millions of events (more only where what
    /// comes and goes is more than a thousand times as much). Entries are computed from impulses, speeds and
    /// masses; only what groups and crushing take is measured, as the energy that the impulses of a group do
    /// not account for.
    ///
    /// In each part of an impact energy falls by −½ Σ λ(D′₋ + D′₊) ≥ 0, λ the impulses and D′ the speeds at
    /// which the contacts open before and after: a law that does not depend on the frame. That loss stands
    /// under `restitution` and, where a rule sets the restitution to 0, under the name of the rule.
    ///
    /// ```
    /// # use carom_engine as carom;
    /// use carom::{Disc, World};
    ///
    /// let mut world = World::new();
    /// world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([4.0, 0.0]).with_restitution(0.5))?;
    /// world.insert(Disc::new([3.0, 0.0], 0.5).with_restitution(0.5))?;
    /// world.advance(2.0)?;
    /// let ledger = world.counters().ledger;
    /// // ½ μ (1 − e²) u² with μ = ½, e = ½, u = 4.
    /// assert_eq!((ledger.edits, ledger.restitution), (8.0, 3.0));
    /// assert_eq!(world.kinetic_energy(), ledger.total);
    /// # Ok::<(), carom::Error>(())
    /// ```
    added {
        /// By edits: insertion and removal, velocities, masses, scaling. May be negative.
        edits,
        /// By infinite masses and arms that move: the impulses that they exert, times their speeds. May be
        /// negative.
        work,
        /// By surfaces that move outwards as radii grow.
        growth,
        /// By the accelerations between events: gravity, thrust, friction of the ground, and the forces of
        /// held contacts without what [`friction`](Self::friction) has taken. Energy that held contacts turn
        /// into rotation or back stands here. May be negative.
        forces,
        /// By restitutions above 1.
        kicks,
        /// By the physics: what it changes at impacts beyond the normal impulses, and at changes of motion.
        /// May be negative.
        physics,
    }
    taken {
        /// By drag: see [`Settings::drag`](crate::Settings::drag).
        drag,
        /// By restitutions below 1.
        restitution,
        /// By the rule against collapse, and by what ends locked groups, beyond restitution: see
        /// [`Collapse`](crate::Collapse).
        collapse,
        /// Between bodies that close in, where these give way or impacts are made plastic, beyond
        /// restitution: see [`CrushRule`](crate::CrushRule).
        crush,
        /// By slides along curved walls, of the speed towards the wall: see [`Sliding`](crate::Sliding).
        slides,
        /// By coming to rest, where a contact would bounce no higher than a rest height: see
        /// [`Rest`](crate::Rest). Negative where slow bodies are brought together by faster ones, and
        /// where friction without a limit turns rotation into motion.
        rest,
        /// By what sets the speeds at which held contacts open or close to 0 where their motion is renewed.
        held,
        /// By friction and rolling resistance in contacts that are held and slip or roll: the energy of
        /// motion and rotation that becomes heat, `∫ −τ s dt` of the force `τ` and the slip `s`. What sticks
        /// and what rolls without resistance takes none. That of impacts stands under `physics`.
        friction,
        /// By the look after the physics, where contacts approached again.
        look_again,
        /// By shortening velocities that the physics made larger than
        /// [`MAX_SPEED`](crate::limits::MAX_SPEED).
        clamps,
    }
}

impl Book {
    /// Notes what friction in held contacts has taken of the work on the paths of discs.
    pub(crate) fn note_heat(&mut self, taken: f64) {
        self.forces.add(taken);
        self.friction.add(taken);
    }

    /// Notes that the physics gave a disc the velocity `wanted`, which was shortened to `limited`.
    pub(crate) fn note_physics(&mut self, mass: f64, before: DVec2, wanted: DVec2, limited: DVec2) {
        let added = energy_of_change(mass, before, wanted);
        self.physics.add(added);
        if limited != wanted {
            // Apart, as what was shortened may be so large that the rest is lost in its rounding.
            self.clamps.add(added);
            self.clamps.add(-energy_of_change(mass, before, limited));
        }
    }
}

/// What a change of velocity adds to the kinetic energy of a disc of this mass; 0 for tracers and infinite
/// masses.
#[inline(always)]
pub(crate) fn energy_of_change(mass: f64, before: DVec2, after: DVec2) -> f64 {
    if mass < f64::INFINITY { 0.5 * mass * (after - before).dot(after + before) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_what_was_added_less_what_was_taken() {
        let mut book = Book::default();
        book.edits.add(8.0);
        book.restitution.add(3.0);
        book.crush.add(1.5);
        let mut twice = book;
        twice += &book;
        assert_eq!((book.ledger().total, twice.ledger().total), (3.5, 7.0));
        assert_eq!(twice.ledger().since(&book.ledger()), book.ledger());
        let of_all: f64 = book.ledger().entries().map(|(_, added)| added).sum();
        assert_eq!(of_all, 3.5);
    }
}

//! What is done with a [`Group`] once it is filled, in this order.

use crate::complementarity::Infeasible;
use crate::group::{Contact, Driven, Group, Member};
use crate::rest::{self, Began, FreeAt};
use crate::{energy, impact};
use glam::DVec2;

impl Group {
    /// Keeps contacts that were held from opening or closing, and each cluster of them at its energy: scales
    /// its velocities so that the energy since its piece began has changed by the work of the accelerations
    /// without contacts, and nothing else, as forces of contact do none. Seen from the infinite masses that
    /// carry it, if these move.
    ///
    /// `began` gives what a held member was when its piece began, for the velocity of that frame.
    /// Contacts that stuck do not slip afterwards, and rotation counts in the energy; where one slides,
    /// friction has done work, and the energy is what came out.
    pub fn keep_held(&mut self, began: impl Fn(&Member, DVec2) -> Began) {
        rest::keep_held(self, began);
    }

    /// Sets the rest speeds of all contacts, from the free accelerations of the members.
    ///
    /// What presses on a body that is held falls with the rest of its cluster: there the largest of the
    /// accelerations counts. The rest height counts where a body of the contact has another one that is
    /// slow. A disc alone on a floor bounces until it touches.
    pub fn note_rest_speeds(&mut self) {
        rest::note_rest_speeds(self);
    }

    /// Finds the velocities after the impact. Infinite masses first, which only walls deflect; then the
    /// finite ones; then the tracers, which deflect nothing.
    ///
    /// In passes, each of the contacts that approach, until none does (generalised reflections: Smith,
    /// Kaufman, Vouga, Tamstorf and Grinspun, ACM TOG 31 (2012) 106); after 256 + 8 times its contacts a part
    /// is solved once with e = 0. Bodies that close in on what has no room give way: they are `yielded`
    /// then, or pass over tracers, `passed`.
    ///
    /// # Errors
    /// [`Infeasible`] where surfaces that grow or turn have no room.
    pub fn resolve(&mut self) -> Result<(), Infeasible> {
        for class in self.classes() {
            impact::resolve_class(self, class)?;
        }
        impact::count_pushes(self);
        Ok(())
    }

    /// Notes the work of what moves and of what grows, from the impulses that the finite discs have got since
    /// the last time. To be called before a velocity that infinite masses had is changed.
    pub fn note_work(&mut self) {
        energy::note_work(self);
    }

    /// Adds the kicks of the contacts that pushed with a restitution above 1, (e − 1) times the speed of
    /// approach before the impact, or by a verdict, as an impulse.
    pub fn kick(&mut self) {
        impact::kick(self);
    }

    /// Lets contacts with what turns count as approaching until they open at their least speed. Returns
    /// whether there are any.
    pub fn raise_openings(&mut self) -> bool {
        let is_any = self.contacts.iter().any(|contact| contact.driven.is_some());
        for contact in &mut self.contacts {
            if let Some(Driven { surface_speed, least_opening }) = contact.driven {
                contact.growth_speed = surface_speed + least_opening;
            }
        }
        is_any
    }

    /// Finds the velocities, into `friction.rubbed`, and the speeds of rims to which friction leads at all
    /// contacts of an impact together, with the normal impulses so far as its limits. Velocities stay as
    /// they are: what rubbing lets approach is stopped by [`Group::stop_approaching`].
    pub fn rub(&mut self) {
        impact::rub(self);
    }

    /// Lets no contact approach: solves those that do with e = 0, normal impulses only.
    ///
    /// # Errors
    /// As of [`Group::resolve`].
    pub fn stop_approaching(&mut self) -> Result<(), Infeasible> {
        impact::stop_approaching(self)
    }

    /// Lets what is slow enough come to rest, and finds the forces of all that press, from the free
    /// accelerations of the members: the least constraint (Gauss). What is held has a piece of motion then:
    /// an acceleration that is constant while it lasts, over which no gap exceeds [`Group::max_gap`].
    ///
    /// `free_at` gives how a member moves without contacts at another velocity than its own; it is asked
    /// where the ground holds it. What has no answer is left without held contacts.
    pub fn come_to_rest(&mut self, free_at: FreeAt) {
        self.note_rest_speeds();
        let taken = self.classes().map(|class| rest::rest_class(self, class, free_at)).sum();
        self.book.rest.add(taken);
        rest::plan_pieces(self);
        rest::settle_twins(self);
    }

    /// The power that friction and rolling resistance take at a contact that is held, at the beginning of its
    /// piece of motion, and the rate at which that changes: force times slip. To be called after
    /// [`Group::come_to_rest`]; 0 where it sticks, and where no finite mass takes part.
    #[must_use]
    pub fn heat_of(&self, contact: usize) -> [f64; 2] {
        rest::heat_of(self, contact as u32)
    }

    /// Lets tracers go that were held by what passes over them.
    pub fn let_passed_go(&mut self) {
        for &(tracer, over) in &self.passed {
            let is_of = |contact: &&mut Contact| {
                let ends = contact.ends();
                ends.contains(&Some(tracer)) && ends.contains(&Some(over))
            };
            self.contacts.iter_mut().filter(is_of).for_each(|contact| contact.pressing.leave_open());
        }
    }

    /// Undoes `raise_openings`, and notes what has been done since: it is the work of what turns.
    pub fn lower_openings(&mut self) {
        if self.contacts.iter().all(|contact| contact.driven.is_none()) {
            return;
        }
        self.note_work();
        for contact in &mut self.contacts {
            if let Some(driven) = contact.driven {
                contact.growth_speed = driven.surface_speed;
            }
        }
    }
}

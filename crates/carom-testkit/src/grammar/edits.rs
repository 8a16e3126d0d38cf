use super::{Game, Played};
use carom_engine::{DVec2, DiscId, Overlap};

impl<P: Played> Game<'_, P> {
    /// One random edit of discs or walls.
    pub fn edit(&mut self) {
        match self.draw.below(12) {
            0 => {
                let disc = self.draw.disc::<P>();
                self.insert(disc);
            }
            1 => {
                let wall = self.draw.wall::<P>();
                self.add_wall(wall);
            }
            2 => self.edit_wall(),
            3 => self.send(),
            _ => self.edit_disc(),
        }
    }

    /// Changes one disc. A dead handle stays in the list: it must be refused from then on.
    pub(super) fn edit_disc(&mut self) {
        let (Some(id), Some(other)) = (self.disc(), self.disc()) else { return };
        let (draw, world) = (&mut self.draw, &mut self.world);
        let which = draw.below(20);
        let outcome = match which {
            0 | 1 => world.set_position(id, draw.place()),
            2..=4 => world.set_velocity(id, draw.velocity()),
            5 => world.set_radius(id, draw.radius()),
            6 => world.set_mass(id, draw.mass()),
            7 => world.set_restitution(id, draw.restitution()),
            8 => world.set_rules(id, draw.rules()),
            9 => world.exclude(id, other).map(drop),
            10 => world.include(id, other).map(drop),
            11 => world.set_overlap(id, draw.pick(&[Overlap::Allow, Overlap::Refuse])),
            12 => world.set_enabled(id, draw.chance(40)),
            13 => world.set_user_data(id, draw.below(256) as u64),
            14 => world.set_body(id, P::body(draw)),
            15 => world.set_extra(id, P::extra(draw)),
            16 => world.apply_impulse(id, draw.velocity()),
            17 => world.remove(id).map(drop),
            _ => {
                let odd = draw.odd();
                match draw.below(6) {
                    0 => world.set_position(id, [odd, 0.0]),
                    1 => world.set_velocity(id, [0.0, odd]),
                    2 => world.set_radius(id, odd),
                    3 => world.set_mass(id, odd),
                    4 => world.set_restitution(id, odd),
                    _ => world.apply_impulse(id, [odd, 0.0]),
                }
            }
        };
        if let (Some(oracle), Ok(())) = (&mut self.oracle, &outcome) {
            match which {
                0 | 1 => _ = oracle.resized.remove(&id),
                5 => _ = oracle.resized.insert(id),
                _ => {}
            }
        }
        self.tape.outcome("edit", outcome.map(|()| which));
    }

    pub(super) fn edit_wall(&mut self) {
        let Some(id) = self.wall() else { return };
        let (draw, world) = (&mut self.draw, &mut self.world);
        let which = draw.below(6);
        let outcome = match which {
            0 | 1 => world.set_wall_restitution(id, draw.restitution()),
            2 => world.set_wall_rules(id, draw.rules()),
            3 => world.set_wall_surface(id, P::surface(draw)),
            4 => world.set_wall_user_data(id, draw.below(256) as u64),
            _ => world.remove_wall(id).map(drop),
        };
        self.tape.outcome("edit wall", outcome.map(|()| which));
    }

    /// Changes many discs at once.
    pub(super) fn edit_many(&mut self) {
        let which = self.draw.below(8);
        let outcome = match which {
            0..=2 => {
                let list = self.list(|game| game.draw.velocity());
                if let Some(oracle) = &mut self.oracle {
                    list.iter().for_each(|&(id, velocity)| oracle.gives(&self.world, id, velocity));
                }
                self.world.set_velocities(&list)
            }
            3..=5 => {
                let list = self.list(|game| game.draw.place());
                self.world.set_positions(&list)
            }
            6 => {
                let bit = self.draw.below(8);
                self.world.retain(|disc| disc.user_data() >> bit & 1 == 0);
                Ok(())
            }
            _ if self.draw.chance(20) => {
                self.world.clear();
                Ok(())
            }
            _ => {
                self.world.reserve(self.draw.below(64));
                Ok(())
            }
        };
        self.tape.outcome("edit many", outcome.map(|()| which));
    }

    /// Some live discs, each with a vector; at times one twice, or a dead one.
    fn list(&mut self, mut value: impl FnMut(&mut Self) -> DVec2) -> Vec<(DiscId, DVec2)> {
        let ids: Vec<DiscId> = self.world.ids().collect();
        let mut list: Vec<(DiscId, DVec2)> = Vec::new();
        for id in ids {
            if self.draw.chance(60) {
                list.push((id, value(self)));
            }
        }
        if self.draw.chance(10)
            && let Some(id) = self.disc()
        {
            list.push((id, value(self)));
        }
        list
    }
}

//! The gas in collider, which finds the times of impact; what happens then is up to its user.

use crate::run::Gas;
use crate::scene::{FRAMES_PER_SECOND, RADIUS, Scene, State};
use collider::geom::{Shape, Vec2, v2};
use collider::{Collider, HbEvent, HbId, HbProfile, HbVel};

#[derive(Clone, Copy)]
struct Profile {
    id: HbId,
    is_disc: bool,
}

impl HbProfile for Profile {
    fn id(&self) -> HbId {
        self.id
    }

    fn can_interact(&self, other: &Self) -> bool {
        self.is_disc || other.is_disc
    }

    /// Its manual asks for slightly more than a hitbox.
    fn cell_width() -> f64 {
        2.2 * RADIUS
    }

    /// Two that met can meet again when they have been so far apart.
    fn padding() -> f64 {
        1e-6 * RADIUS
    }
}

pub(crate) struct ColliderGas {
    collider: Collider<Profile>,
    size: [f64; 2],
    discs: HbId,
    frames: usize,
    collisions: u64,
}

impl ColliderGas {
    pub(crate) fn new(scene: &Scene) -> ColliderGas {
        let mut collider = Collider::new();
        let discs = scene.states.len() as HbId;
        for (id, state) in (0..).zip(&scene.states) {
            let velocity = v2(state.velocity[0], state.velocity[1]);
            let place = v2(state.position[0], state.position[1]);
            let moving = Shape::circle(2.0 * RADIUS).place(place).moving(velocity);
            collider.add_hitbox(Profile { id, is_disc: true }, moving);
        }
        for (id, [place, half]) in (discs..).zip(scene.walls()) {
            let (place, size) = (v2(place[0], place[1]), v2(2.0 * half[0], 2.0 * half[1]));
            collider.add_hitbox(Profile { id, is_disc: false }, Shape::rect(size).place(place).still());
        }
        ColliderGas { collider, size: scene.size, discs, frames: 0, collisions: 0 }
    }

    fn bounce(&mut self, a: Profile, b: Profile) {
        let (mut first, mut second) = (self.collider.get_hitbox(a.id), self.collider.get_hitbox(b.id));
        let normal: Vec2 = second.value.normal_from(&first.value).dir();
        let closing = (first.vel.value - second.vel.value) * normal;
        if closing <= 0.0 {
            return;
        }
        if a.is_disc && b.is_disc {
            self.collisions += 1;
            first.vel.value -= normal * closing;
            second.vel.value += normal * closing;
            self.collider.set_hitbox_vel(b.id, HbVel::moving(second.vel.value));
            self.collider.set_hitbox_vel(a.id, HbVel::moving(first.vel.value));
        } else {
            let (disc, velocity) = if a.is_disc { (a, first.vel.value) } else { (b, second.vel.value) };
            let turned = velocity - normal * (2.0 * (velocity * normal));
            self.collider.set_hitbox_vel(disc.id, HbVel::moving(turned));
        }
    }
}

impl Gas for ColliderGas {
    fn frame(&mut self) {
        self.frames += 1;
        let until = self.frames as f64 / FRAMES_PER_SECOND as f64;
        while self.collider.time() < until {
            let next = self.collider.next_time().min(until);
            self.collider.set_time(next);
            while let Some((event, a, b)) = self.collider.next() {
                if event == HbEvent::Collide {
                    self.bounce(a, b);
                }
            }
        }
    }

    fn collisions(&self) -> u64 {
        self.collisions
    }

    fn states(&mut self, into: &mut Vec<State>) {
        into.clear();
        into.extend((0..self.discs).map(|id| {
            let hitbox = self.collider.get_hitbox(id);
            let (p, v) = (hitbox.value.pos, hitbox.vel.value);
            State { position: [p.x, p.y], velocity: [v.x, v.y] }
        }));
    }

    fn size(&self) -> [f64; 2] {
        self.size
    }
}

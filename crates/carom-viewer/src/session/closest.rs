use super::worlds::each;
use super::{Session, WorldRef};
use carom_engine::{DVec2, Nearest, Physics, QueryFilter, World};

/// In worlds with more discs than this nothing is said: all pairs are compared.
const MANY: usize = 600;

impl Session {
    /// The least distance of the surfaces of two discs, or of a disc and a wall: negative where they overlap,
    /// by rounding or because they are allowed to. `None` if there are no two things, or too many discs to
    /// compare all of them in a frame.
    #[must_use]
    pub fn closest(&self) -> Option<f64> {
        let world = self.world();
        if world.len() > MANY {
            return None;
        }
        let discs: Vec<(DVec2, f64)> = world.discs().map(|disc| (disc.position(), disc.radius())).collect();
        let mut least = f64::INFINITY;
        for (k, &(a, radius)) in discs.iter().enumerate() {
            for &(b, other) in discs.iter().take(k) {
                least = least.min(world.periods().nearest(b - a).length() - (radius + other));
            }
        }
        least = least.min(each!(world, WorldRef, world => to_walls(world, &discs)));
        least.is_finite().then_some(least)
    }
}

fn to_walls<P: Physics>(world: &World<P>, discs: &[(DVec2, f64)]) -> f64 {
    let mut found: Vec<Nearest> = Vec::with_capacity(1);
    let filter = QueryFilter::new().only_walls();
    let gaps = discs.iter().map(|&(place, radius)| match world.nearest(place, 1, &filter, &mut found) {
        Ok(()) => found.first().map_or(f64::INFINITY, |near| near.distance - radius),
        Err(_) => f64::INFINITY,
    });
    gaps.fold(f64::INFINITY, f64::min)
}

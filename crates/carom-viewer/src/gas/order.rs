use carom_engine::DVec2;
use carom_math::Periods;
use carom_observe::{BondOrder, Weights};

/// The side of the part of a gas that is looked at in one frame, in mean distances of the discs.
const TILE: f64 = 32.0;
/// So far around it lie the discs that may be neighbours, in mean distances: in a fluid no Voronoi cell is so
/// large that its borders depend on what is further away.
const MARGIN: f64 = 6.0;

/// The order ψ₆ around each disc and the number of its neighbours, brought up to date tile by tile: to do so
/// for a gas of 10⁵ at once takes a fifth of a second.
#[derive(Debug)]
pub(super) struct Order {
    side: f64,
    spacing: f64,
    is_periodic: bool,
    /// The number of tiles along a side.
    tiles: usize,
    next: usize,
    /// This many tiles have not been looked at since something moved.
    stale: usize,
    psi: Vec<[f32; 2]>,
    neighbours: Vec<u8>,
    patch: Vec<DVec2>,
    /// The discs of the patch, and whether they lie in the tile itself.
    of_patch: Vec<(u32, bool)>,
}

impl Order {
    pub(super) fn new(count: usize, side: f64, is_periodic: bool) -> Self {
        let spacing = side / (count.max(1) as f64).sqrt();
        let tiles = (side / (TILE * spacing)).round().max(1.0) as usize;
        Order {
            side,
            spacing,
            is_periodic,
            tiles,
            next: 0,
            stale: tiles * tiles,
            psi: vec![[0.0; 2]; count],
            neighbours: vec![6; count],
            patch: Vec::new(),
            of_patch: Vec::new(),
        }
    }

    pub(super) fn moved(&mut self) {
        self.stale = self.tiles * self.tiles;
    }

    pub(super) fn is_behind(&self) -> bool {
        self.stale > 0
    }

    pub(super) fn local(&self) -> (&[[f32; 2]], &[u8]) {
        (&self.psi, &self.neighbours)
    }

    /// Looks at the next tile; says whether it had to.
    pub(super) fn update(&mut self, places: &[DVec2], periods: Periods) -> bool {
        if self.stale == 0 {
            return false;
        }
        self.stale -= 1;
        self.patch.clear();
        self.of_patch.clear();
        if self.tiles == 1 {
            self.patch.extend_from_slice(places);
            self.of_patch.extend((0..places.len() as u32).map(|disc| (disc, true)));
            self.look(periods);
        } else {
            self.cut(places);
            self.look(Periods::default());
        }
        self.next = (self.next + 1) % (self.tiles * self.tiles);
        true
    }

    /// The patch: the discs of a tile and those around it, where they are nearest to its centre.
    fn cut(&mut self, places: &[DVec2]) {
        let size = self.side / self.tiles as f64;
        let at = |tile: usize| (tile as f64 + 0.5) * size;
        let center = DVec2::new(at(self.next % self.tiles), at(self.next / self.tiles));
        let (core, reach) = (0.5 * size, 0.5 * size + MARGIN * self.spacing);
        for (disc, place) in places.iter().enumerate() {
            let mut from = *place - center;
            if self.is_periodic {
                from -= (from / self.side).round() * self.side;
            }
            let distance = from.abs().max_element();
            if distance <= reach {
                self.patch.push(from);
                self.of_patch.push((disc as u32, distance <= core));
            }
        }
    }

    fn look(&mut self, periods: Periods) {
        // What cannot be measured stays as it is.
        let Ok(order) = BondOrder::new(&self.patch, periods, 6, Weights::Equal) else { return };
        let measured = order.local().iter().zip(order.neighbours());
        for (&(disc, is_core), (psi, &neighbours)) in self.of_patch.iter().zip(measured) {
            if is_core {
                self.psi[disc as usize] = [psi.x as f32, psi.y as f32];
                self.neighbours[disc as usize] = neighbours.min(255) as u8;
            }
        }
    }
}

//! What the colours of a gas mean.

use super::instances::Instance;
use super::model::{Gas, RADIUS};
use carom_engine::DVec2;
use eframe::egui::Color32;
use eframe::egui::ecolor::Hsva;

/// What the colour of a disc says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colouring {
    /// How fast it is.
    #[default]
    Speed,
    /// How long ago its last impact was.
    Last,
    /// How often it has had an impact, compared with the mean.
    Impacts,
    /// The hexatic order around it: hue for the direction of the lattice, grey where there is none.
    Order,
    /// The number of its neighbours: other than six is a defect of the lattice.
    Neighbours,
}

impl Colouring {
    /// All of them, with their names.
    pub(super) const ALL: [(Colouring, &'static str); 5] = [
        (Colouring::Speed, "speed"),
        (Colouring::Last, "last impact"),
        (Colouring::Impacts, "impacts"),
        (Colouring::Order, "hexatic order"),
        (Colouring::Neighbours, "neighbours"),
    ];

    /// Whether it needs [`Gas::update_order`].
    pub(super) fn is_of_order(self) -> bool {
        matches!(self, Colouring::Order | Colouring::Neighbours)
    }

    /// What the ends of the scale mean, or which colours mean what.
    pub(super) fn legend(self) -> &'static str {
        match self {
            Colouring::Speed => "at rest, to three times the thermal speed",
            Colouring::Last => "just now, to a mean time between impacts ago",
            Colouring::Impacts => "half as many as the mean, to half as many again",
            Colouring::Order => "hue: direction of the lattice; grey: no order",
            Colouring::Neighbours => "grey: six; blue: five; orange: seven; black: others",
        }
    }

    /// The colour at a place of the scale from 0 to 1, if there is one.
    pub(super) fn scale(self, is_dark: bool) -> Option<impl Fn(f32) -> Color32> {
        let palette = Palette::new(is_dark);
        match self {
            Colouring::Order | Colouring::Neighbours => None,
            Colouring::Last => Some(Box::new(move |x: f32| palette.scaled(1.0 - x)) as Box<dyn Fn(f32) -> _>),
            _ => Some(Box::new(move |x: f32| palette.scaled(x)) as Box<dyn Fn(f32) -> _>),
        }
    }
}

/// Colours in small steps, made once for a frame.
pub(super) struct Palette {
    scale: [Color32; 256],
    hues: [Color32; 256],
    grey: Color32,
    defects: [Color32; 3],
}

/// Dark blue to yellow, as even in lightness as `viridis` of matplotlib, through whose colours it runs.
const STOPS: [[u8; 3]; 9] = [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
];

impl Palette {
    pub(super) fn new(is_dark: bool) -> Self {
        let stop = |k: usize| Color32::from_rgb(STOPS[k][0], STOPS[k][1], STOPS[k][2]);
        let scale = std::array::from_fn(|k| {
            let x = k as f32 / 255.0 * (STOPS.len() - 1) as f32;
            let below = (x as usize).min(STOPS.len() - 2);
            stop(below).lerp_to_gamma(stop(below + 1), x - below as f32)
        });
        let hues = std::array::from_fn(|k| Hsva::new(k as f32 / 256.0, 0.75, 0.85, 1.0).into());
        let grey = if is_dark { Color32::from_rgb(72, 76, 84) } else { Color32::from_rgb(196, 196, 192) };
        let other = if is_dark { Color32::WHITE } else { Color32::BLACK };
        let defects = [Color32::from_rgb(60, 130, 246), Color32::from_rgb(240, 120, 20), other];
        Palette { scale, hues, grey, defects }
    }

    fn scaled(&self, x: f32) -> Color32 {
        self.scale[(x * 255.0).clamp(0.0, 255.0) as usize]
    }

    fn of_order(&self, psi: [f32; 2]) -> Color32 {
        let turn = psi[1].atan2(psi[0]) / std::f32::consts::TAU;
        let hue = self.hues[((turn + 1.0).fract() * 256.0) as usize & 255];
        let size = (psi[0] * psi[0] + psi[1] * psi[1]).sqrt();
        self.grey.lerp_to_gamma(hue, (1.2 * size - 0.2).clamp(0.0, 1.0))
    }

    fn of_neighbours(&self, count: u8) -> Color32 {
        match count {
            6 => self.grey,
            5 => self.defects[0],
            7 => self.defects[1],
            _ => self.defects[2],
        }
    }
}

/// Writes all discs, as they are seen from a place in the plane; those that reach over the edge of a periodic
/// box are there twice.
pub(super) fn write(gas: &Gas, colouring: Colouring, is_dark: bool, from: DVec2, to: &mut Vec<Instance>) {
    let palette = Palette::new(is_dark);
    let notes = gas.notes();
    let (psi, neighbours) = gas.order();
    let now = gas.world().now().as_secs();
    let (_, impacts) = gas.rates();
    let count = gas.places().len() as f64;
    // Two discs have part in each impact.
    let free_time = if impacts > 0.0 { (0.5 * count / impacts) as f32 } else { 1.0 };
    let mean = (2.0 * notes.tally.impacts as f64 / count) as f32;
    let colour = |slot: usize| match colouring {
        // At a temperature and mass of 1, the mean square of the speed is 2.
        Colouring::Speed => palette.scaled(notes.speeds[slot] / 4.2),
        Colouring::Last => palette.scaled(1.0 - (now - notes.lasts[slot]) as f32 / free_time),
        Colouring::Impacts if mean > 0.0 => palette.scaled(notes.counts[slot] as f32 / mean - 0.5),
        Colouring::Impacts => palette.scaled(0.5),
        Colouring::Order => palette.of_order(psi[slot]),
        Colouring::Neighbours => palette.of_neighbours(neighbours[slot]),
    };
    let side = gas.side();
    let is_periodic = gas.options().is_periodic;
    for (slot, &place) in gas.places().iter().enumerate() {
        let tint = u32::from_le_bytes(colour(slot).to_array());
        let mut add = |place: DVec2| {
            let seen = place - from;
            to.push([(seen.x as f32).to_bits(), (seen.y as f32).to_bits(), tint]);
        };
        add(place);
        let edge = (place - 0.5 * side).abs().max_element();
        if is_periodic && edge > 0.5 * side - RADIUS {
            let over = |x: f64| {
                if x < RADIUS {
                    side
                } else if x > side - RADIUS {
                    -side
                } else {
                    0.0
                }
            };
            let by = DVec2::new(over(place.x), over(place.y));
            let images = [DVec2::new(by.x, 0.0), DVec2::new(0.0, by.y), by];
            let is_two = by.x != 0.0 && by.y != 0.0;
            images
                .into_iter()
                .take(if is_two { 3 } else { 2 })
                .filter(|by| *by != DVec2::ZERO)
                .for_each(|by| add(place + by));
        }
    }
}

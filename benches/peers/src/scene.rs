//! What all start from: a gas in a square, or a rack of balls on a table.

use std::f64::consts::PI;

/// How often a frame is wanted.
pub(crate) const FRAMES_PER_SECOND: usize = 60;
/// Of every disc.
pub(crate) const RADIUS: f64 = 0.5;
/// Mean speed: one radius per frame.
pub(crate) const SPEED: f64 = RADIUS * FRAMES_PER_SECOND as f64;
/// Area of the discs over area of the box.
pub(crate) const PACKING: f64 = 0.3;

/// Where a disc is and how it moves.
#[derive(Clone, Copy)]
pub(crate) struct State {
    pub(crate) position: [f64; 2],
    pub(crate) velocity: [f64; 2],
}

/// Equal discs in the rectangle from the origin to `size`.
pub(crate) struct Scene {
    pub(crate) size: [f64; 2],
    pub(crate) states: Vec<State>,
}

impl Scene {
    /// Discs on a jittered square lattice, with Maxwell velocities. The same for the same number.
    pub(crate) fn new(discs: usize) -> Scene {
        let side = (discs as f64 * PI * RADIUS * RADIUS / PACKING).sqrt();
        let columns = (discs as f64).sqrt().ceil() as usize;
        let cell = side / columns as f64;
        // Nine tenths of what keeps neighbours apart: no two are so near that single precision makes them
        // overlap.
        let jitter = 0.9 * (cell / 2.0 - RADIUS);
        let mut random = Random(discs as u64);
        let mut states: Vec<State> = (0..discs)
            .map(|i| {
                let place = |k: usize, random: &mut Random| {
                    (k as f64 + 0.5) * cell + jitter * (2.0 * random.unit() - 1.0)
                };
                let position = [place(i % columns, &mut random), place(i / columns, &mut random)];
                State { position, velocity: random.normal_pair() }
            })
            .collect();
        let mean = states.iter().map(|s| s.velocity[0].hypot(s.velocity[1])).sum::<f64>() / discs as f64;
        for state in &mut states {
            state.velocity = state.velocity.map(|v| v * SPEED / mean);
        }
        Scene { size: [side; 2], states }
    }

    /// A rack of 15 balls on a table of 9 feet, and a cue ball on its way to it at 8 m/s, 5 mm off centre.
    /// Neighbours are 10 µm apart. The unit of length is the diameter of a ball.
    pub(crate) fn rack() -> Scene {
        let (table, ball) = ([2.54, 1.27], 0.05715);
        let size = table.map(|length| length / ball);
        let apart = 1.0 + 10e-6 / ball;
        let at_rest = |position| State { position, velocity: [0.0; 2] };
        let cue = [0.25 * size[0], 0.5 * size[1] + 5e-3 / ball];
        let mut states = vec![State { position: cue, velocity: [8.0 / ball, 0.0] }];
        for row in 0..5_u8 {
            for place in 0..=row {
                let across = (f64::from(place) - 0.5 * f64::from(row)) * apart;
                let along = f64::from(row) * apart * 0.75_f64.sqrt();
                states.push(at_rest([0.75 * size[0] + along, 0.5 * size[1] + across]));
            }
        }
        Scene { size, states }
    }
}

impl Scene {
    /// Rectangles around the box, ten radii thick, that overlap in the corners: their centres, and half of
    /// their sides.
    pub(crate) fn walls(&self) -> [[[f64; 2]; 2]; 4] {
        let thick = 5.0 * RADIUS;
        let ([w, h], half) = (self.size, self.size.map(|side| 0.5 * side));
        let long = half.map(|half| half + 2.0 * thick);
        [
            [[half[0], -thick], [long[0], thick]],
            [[half[0], h + thick], [long[0], thick]],
            [[-thick, half[1]], [thick, long[1]]],
            [[w + thick, half[1]], [thick, long[1]]],
        ]
    }
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In (0, 1).
    fn unit(&mut self) -> f64 {
        ((self.next() >> 12) as f64 + 0.5) * (0.5f64).powi(52)
    }

    fn normal_pair(&mut self) -> [f64; 2] {
        let length = (-2.0 * self.unit().ln()).sqrt();
        let (sin, cos) = (2.0 * PI * self.unit()).sin_cos();
        [length * cos, length * sin]
    }
}

//! One palette for a whole movie.

use std::collections::{BTreeMap, HashMap};

use color_quant::NeuQuant;

use crate::canvas::Canvas;

/// Index of the colour that stands for "as before".
pub(crate) const UNCHANGED: u8 = 0;
/// Colours that can be shown; one more stands for "as before".
const COLOURS: usize = 255;
/// Colours that cover much are kept exactly, as many as this: a cloth or a page that is off by one step
/// shows.
const EXACT: usize = 128;
/// Colours that are not exactly in the palette are looked up with this many bits of each channel.
const BITS: usize = 6;

type Pixel = [u8; 3];

/// Counts the colours of sample frames.
#[derive(Default)]
pub(crate) struct Census {
    counts: HashMap<Pixel, u64>,
}

impl Census {
    pub(crate) fn add(&mut self, canvas: &Canvas) {
        for pixel in canvas.rgba().chunks_exact(4) {
            *self.counts.entry([pixel[0], pixel[1], pixel[2]]).or_insert(0) += 1;
        }
    }

    /// A palette for these colours.
    pub(crate) fn palette(&self) -> Palette {
        // By count, then by colour: the order of a hash map is not the same twice.
        let mut order: Vec<(u64, Pixel)> = self.counts.iter().map(|(p, n)| (*n, *p)).collect();
        order.sort_unstable_by_key(|&(n, p)| (std::cmp::Reverse(n), p));
        let exact = if order.len() <= COLOURS { order.len() } else { EXACT };
        let mut colours: Vec<Pixel> = order[..exact].iter().map(|(_, p)| *p).collect();
        if order.len() > exact {
            // By colour again, so that neighbours in the stream are neighbours in colour: the network learns
            // from a stride through it.
            let rest: BTreeMap<Pixel, u64> = order[exact..].iter().map(|&(n, p)| (p, n)).collect();
            colours.extend(learnt(&rest, COLOURS - exact));
        }
        colours.truncate(COLOURS);
        Palette::new(colours)
    }
}

/// A network's choice of `count` colours for a census.
fn learnt(census: &BTreeMap<Pixel, u64>, count: usize) -> Vec<Pixel> {
    let mut stream = Vec::new();
    for (pixel, n) in census {
        // The root: a small ball's colours must not drown in a long gradient's.
        let times = ((*n as f64).sqrt() as usize).clamp(1, 64);
        for _ in 0..times {
            stream.extend([pixel[0], pixel[1], pixel[2], 255]);
        }
    }
    // The network walks the stream in strides of some five hundred pixels and wants more than one.
    let once = stream.len();
    while stream.len() < 4 * 4096 {
        stream.extend_from_within(..once);
    }
    let factor = (stream.len() / (4 * 60_000)).clamp(1, 30) as i32;
    let network = NeuQuant::new(factor, count, &stream);
    (0..count).filter_map(|k| network.lookup(k)).map(|[r, g, b, _]| [r, g, b]).collect()
}

/// At most 255 colours, and for every colour the nearest of them, or nearly so. The same colour gets the same
/// index in every frame, so nothing flickers.
pub(crate) struct Palette {
    colours: Vec<Pixel>,
    /// The palette's own colours.
    exact: HashMap<Pixel, u8>,
    /// For all others: the index of the colour nearest to the middle of their cell; 0 where it is not known
    /// yet.
    cells: Vec<u8>,
}

impl Palette {
    fn new(colours: Vec<Pixel>) -> Self {
        let exact = colours.iter().zip(1..=u8::MAX).map(|(c, k)| (*c, k)).collect();
        Self { colours, exact, cells: vec![UNCHANGED; 1 << (3 * BITS)] }
    }

    /// Red, green and blue of each index, [`UNCHANGED`] first.
    pub(crate) fn table(&self) -> Vec<u8> {
        let mut table = vec![0, 0, 0];
        table.extend(self.colours.iter().flatten());
        table
    }

    /// The index of a colour.
    pub(crate) fn index(&mut self, pixel: Pixel) -> u8 {
        if let Some(&index) = self.exact.get(&pixel) {
            return index;
        }
        let low = 8 - BITS;
        let cell = pixel.iter().fold(0, |cell, c| (cell << BITS) | usize::from(c >> low));
        if self.cells[cell] == UNCHANGED {
            let middle = pixel.map(|c| ((c >> low) << low) | (1 << (low - 1)));
            let nearest = self.colours.iter().zip(1..=u8::MAX).min_by_key(|(c, _)| difference(**c, middle));
            self.cells[cell] = nearest.map_or(UNCHANGED, |(_, k)| k);
        }
        self.cells[cell]
    }

    /// The indices of a sheet's pixels.
    pub(crate) fn indices(&mut self, canvas: &Canvas, indices: &mut Vec<u8>) {
        indices.clear();
        let mut last = None;
        for pixel in canvas.rgba().chunks_exact(4) {
            let pixel = [pixel[0], pixel[1], pixel[2]];
            let index = match last {
                Some((p, index)) if p == pixel => index,
                _ => self.index(pixel),
            };
            last = Some((pixel, index));
            indices.push(index);
        }
    }
}

/// How different two colours look, roughly: squares, weighted as the eye does.
fn difference(a: Pixel, b: Pixel) -> u32 {
    let square = |k: usize| u32::from(a[k].abs_diff(b[k])).pow(2);
    3 * square(0) + 6 * square(1) + 2 * square(2)
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;
    use crate::Rgb;

    #[test]
    fn few_colours_are_all_exact() {
        let mut canvas = Canvas::new(40, 40, Rgb(250, 240, 230)).unwrap();
        canvas.disc(DVec2::splat(20.0), 10.0, Rgb(200, 10, 20), 1.0);
        let mut census = Census::default();
        census.add(&canvas);
        let mut palette = census.palette();
        let table = palette.table();
        for pixel in canvas.rgba().chunks_exact(4) {
            let index = usize::from(palette.index([pixel[0], pixel[1], pixel[2]]));
            assert!(index > 0);
            assert_eq!(&table[3 * index..3 * index + 3], &pixel[..3]);
        }
    }

    #[test]
    fn many_colours_are_near_and_large_areas_exact() {
        let mut canvas = Canvas::new(200, 200, Rgb(0x1f, 0x7a, 0x66)).unwrap();
        for k in 0..20 {
            let centre = DVec2::new(20.0 + 8.0 * f64::from(k), 60.0 + 3.0 * f64::from(k));
            let colour = crate::demo::POOL[k as usize % 9].mix(Rgb::WHITE, 0.02 * f64::from(k));
            canvas.shaded_disc(centre, 15.0, centre, 15.0, &[(0.0, colour, 1.0), (1.0, Rgb::INK, 1.0)]);
        }
        let mut census = Census::default();
        census.add(&canvas);
        assert!(census.counts.len() > 1000);
        let mut palette = census.palette();
        let table = palette.table();
        assert_eq!(table.len(), 256 * 3);
        let cloth = usize::from(palette.index([0x1f, 0x7a, 0x66]));
        assert_eq!(table[3 * cloth..3 * cloth + 3], [0x1f, 0x7a, 0x66]);
        let pixels: Vec<Pixel> = canvas.rgba().chunks_exact(4).map(|p| [p[0], p[1], p[2]]).collect();
        let error: f64 = pixels
            .iter()
            .map(|&p| {
                let index = usize::from(palette.index(p));
                f64::from(difference(p, [table[3 * index], table[3 * index + 1], table[3 * index + 2]]))
                    / 11.0
            })
            .sum();
        let rms = (error / pixels.len() as f64).sqrt();
        assert!(rms < 5.0, "off by {rms} steps of 255 on average");
        assert_eq!(census.palette().table(), table, "the same census, the same palette");
    }
}

use super::lane_minima::LaneMinima;
use super::record::Record;
use super::row_sweep::{FillRows, HALVES, Spread};
use super::sweep_lanes::SweepLanes;
use crate::simd::{F64x4, Kernel, LANES, Lanes, WIDTH, half_of, place};
use carom_broadphase::{RowLanes, RowMin, Slot};
use carom_math::sqrt;
use carom_math::tolerance::NEARLY_TOUCHING;
use glam::DVec2;

/// Most slots of which columns fit into bytes.
const MOST_SLOTS: usize = u8::MAX as usize;

/// A power of two that is more.
const SLOTS: usize = MOST_SLOTS + 1;

/// With fewer slots the roots of all take no longer than to choose among them. Measured: see
/// `docs/benchmarks-tried.md`.
const LEAST_SLOTS: usize = 81;

/// By how much distances may be larger than they should: for rounding, and so that all that are nearly
/// touching are within reach.
const MARGIN: f64 = 1.0 + NEARLY_TOUCHING;

/// As [`FillRows`], of what can be met within the horizon; the rest may be left out.
///
/// The discs of the impact are hidden from the lanes. First those are listed, for all of them together, that
/// the sum of speeds lets come near enough; roots are then of these alone.
pub(crate) struct FillRowsWithin<'a, const N: usize> {
    pub(crate) fill: FillRows<'a, N>,
    pub(crate) ranges: &'a Ranges,
    /// Of all discs, as they are stored.
    pub(crate) stored: &'a [Record],
}

/// What comes of filling rows within a horizon.
pub(crate) enum RowFill<const N: usize> {
    Filled([RowMin; N]),
    /// Another disc touches or nearly touches one of these: the rows mean nothing then.
    Spoiled,
    /// This many are within reach that it is no use. Nothing has been written.
    Crowded,
}

/// How far from where its centre is now the rim of each disc may be within the horizon, by slots.
pub(crate) struct Ranges {
    ranges: [Lanes; SLOTS / LANES],
    /// Seconds; 0 if there is none.
    horizon: f64,
}

impl Ranges {
    /// Whether with this many slots there is something to gain.
    #[inline(always)]
    pub(crate) fn suit(slots: usize) -> bool {
        (LEAST_SLOTS..=MOST_SLOTS).contains(&slots)
    }

    /// Of no horizon.
    pub(crate) fn new() -> Ranges {
        Ranges { ranges: [[0.0; LANES]; SLOTS / LANES], horizon: 0.0 }
    }

    /// Looks this many seconds ahead.
    #[inline(always)]
    pub(crate) fn look_ahead<V: F64x4>(&mut self, horizon: f64, blocks: &[SweepLanes]) {
        if self.horizon == horizon {
            return;
        }
        self.horizon = horizon;
        let (horizon, margin) = (V::splat(horizon), V::splat(MARGIN));
        for (ranges, block) in self.ranges.iter_mut().zip(blocks) {
            for (half, ranges) in ranges.as_chunks_mut().0.iter_mut().enumerate() {
                let (vx, vy) = (half_of::<V>(&block.vx, half), half_of::<V>(&block.vy, half));
                let way = (vx * vx + vy * vy).sqrt() * horizon;
                ((half_of::<V>(&block.radius, half) + way) * margin).store(ranges);
            }
        }
    }

    /// Notes a state that is stored.
    #[inline(always)]
    pub(crate) fn note(&mut self, slot: Slot, record: &Record) {
        let (block, lane) = place(slot);
        self.ranges[block % (SLOTS / LANES)][lane] = self.of_record(record);
    }

    #[inline(always)]
    fn of_record(&self, record: &Record) -> f64 {
        (record.radius + sqrt(record.velocity().length_squared()) * self.horizon) * MARGIN
    }
}

impl<const N: usize> Kernel for FillRowsWithin<'_, N> {
    type Output = RowFill<N>;

    #[inline(always)]
    fn run<V: F64x4>(self) -> RowFill<N> {
        let mut list = List { columns: [0; SLOTS + WIDTH], count: 0 };
        self.fill_list::<V>(&mut list);
        // Picked out, four take twice as long as four side by side.
        if 2 * list.count > self.fill.slots {
            return RowFill::Crowded;
        }
        let FillRows { records, rows, resolution, .. } = self.fill;
        let own = &records[0];
        let mut spread = [Spread::<V>::new(&own.motion(), 0.0); N];
        for k in 0..N {
            spread[k] = Spread::new(&records[k].motion(), 0.0);
            rows[k].fill(RowLanes::INFINITE);
        }
        let (mut minima, mut close) = ([LaneMinima::<V>::new(); N], V::splat(0.0));
        for columns in list.fours() {
            let ([a, b, c, d], stored) = (*columns, self.stored);
            let [[x, y, vx, vy], [start, offset, radius, _]] = Record::columns::<V>([
                record_of(stored, a),
                record_of(stored, b),
                record_of(stored, c),
                record_of(stored, d),
            ]);
            let age = (V::splat(own.start) - start) + (V::splat(own.offset) - offset);
            let place = (x + vx * age, y + vy * age);
            for k in 0..N {
                let (dt, meets, is_close) = spread[k].seconds_to(place, (vx, vy), radius + spread[k].radius);
                close = close.or(is_close);
                let dt = dt.select(meets, V::splat(f64::INFINITY));
                minima[k].add(dt);
                scatter(dt, *columns, RowLanes::flat(rows[k]));
            }
        }
        if close.mask() != 0 {
            return RowFill::Spoiled;
        }
        let mut all = [RowMin { seconds: f64::INFINITY, column: 0, is_tied: false }; N];
        for k in 0..N {
            let (seconds, is_tied) = minima[k].least(resolution);
            let (four, lane) = minima[k].place_of(seconds + resolution);
            all[k] = RowMin { seconds, column: list.column(WIDTH * four + lane), is_tied };
        }
        RowFill::Filled(all)
    }
}

impl<const N: usize> FillRowsWithin<'_, N> {
    /// Lists those within reach.
    ///
    /// The time of a meeting is at least `(|d| − R) / |v|`, however it is rounded, so that within the
    /// horizon `|d| < R + |v| · horizon`, and `|v|` is at most the sum of the speeds.
    #[inline(always)]
    fn fill_list<V: F64x4>(&self, list: &mut List) {
        let FillRows { time, records, blocks, slots, .. } = &self.fill;
        let (first, last) = (records[0].position(), records[N - 1].position());
        let middle = (first + last) * 0.5;
        let mut reach = 0.0_f64;
        for record in *records {
            let aside = sqrt((record.position() - middle).length_squared());
            reach = reach.max(aside * MARGIN + self.ranges.of_record(record));
        }
        let DVec2 { x, y } = middle;
        let (x, y, reach) = (V::splat(x), V::splat(y), V::splat(reach));
        let blocks = &blocks[..slots.div_ceil(LANES)];
        for (number, (block, ranges)) in (0..).zip(blocks.iter().zip(&self.ranges.ranges)) {
            for half in 0..HALVES {
                let place = block.places_at::<V>(half, *time);
                let (dx, dy) = (place.0 - x, place.1 - y);
                let limit = reach + half_of(ranges, half);
                let is_within = (dx * dx + dy * dy).less(limit * limit);
                list.add(HALVES as u32 * number + half as u32, is_within.mask());
            }
        }
        list.end();
    }
}

/// Those within reach: columns in ascending order.
struct List {
    columns: [u8; SLOTS + WIDTH],
    count: usize,
}

impl List {
    /// Adds those of a four of which the bits are set.
    #[inline(always)]
    fn add(&mut self, four: u32, bits: u32) {
        let columns =
            four * u32::from_le_bytes([WIDTH as u8; WIDTH]) + SET_BITS[bits as usize % SET_BITS.len()];
        let at = self.count % SLOTS;
        self.columns[at..at + WIDTH].copy_from_slice(&columns.to_le_bytes());
        self.count += bits.count_ones() as usize;
    }

    /// Fills the last four up with a column that there is not.
    #[inline(always)]
    fn end(&mut self) {
        let at = self.count % SLOTS;
        self.columns[at..at + WIDTH].fill(u8::MAX);
    }

    #[inline(always)]
    fn column(&self, at: usize) -> Slot {
        Slot::from(self.columns[at % SLOTS])
    }

    #[inline(always)]
    fn fours(&self) -> &[[u8; WIDTH]] {
        let fours = self.columns.as_chunks().0;
        &fours[..self.count.div_ceil(WIDTH).min(fours.len())]
    }
}

/// The numbers of the bits that are set, a byte each, the lowest first.
const SET_BITS: [u32; 1 << WIDTH] = set_bits();

const fn set_bits() -> [u32; 1 << WIDTH] {
    let mut all = [0; 1 << WIDTH];
    let mut bits = 0;
    while bits < all.len() {
        let (mut lane, mut at) = (0, 0);
        while lane < WIDTH as u32 {
            if bits >> lane & 1 != 0 {
                all[bits] |= lane << at;
                at += u8::BITS;
            }
            lane += 1;
        }
        bits += 1;
    }
    all
}

/// The record of a slot; a free one if there is no such slot.
#[inline(always)]
fn record_of(records: &[Record], column: u8) -> &Record {
    records.get(usize::from(column)).unwrap_or(&Record::FREE)
}

/// Writes four numbers to columns of a row, as far as there are such.
#[inline(always)]
fn scatter<V: F64x4>(numbers: V, columns: [u8; WIDTH], row: &mut [f64]) {
    let mut lanes = [0.0; WIDTH];
    numbers.store(&mut lanes);
    for l in 0..WIDTH {
        if let Some(seconds) = row.get_mut(usize::from(columns[l])) {
            *seconds = lanes[l];
        }
    }
}

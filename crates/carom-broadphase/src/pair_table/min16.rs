/// Places in a group.
pub(crate) const FAN: usize = 16;

/// When sixteen things are due, in seconds rounded to nearest, side by side.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Min16(pub(crate) [f64; FAN]);

impl Min16 {
    pub(crate) const EMPTY: Min16 = Min16([f64::INFINITY; FAN]);

    /// The least, and a bit for each place that has it.
    #[inline(always)]
    pub(crate) fn earliest(&self) -> (f64, u16) {
        let min = |a: f64, b: f64| if a < b { a } else { b };
        let eight: [f64; 8] = core::array::from_fn(|i| min(self.0[i], self.0[i + 8]));
        let four: [f64; 4] = core::array::from_fn(|i| min(eight[i], eight[i + 4]));
        let least = min(min(four[0], four[2]), min(four[1], four[3]));
        let bits = (0..FAN).fold(0, |bits, i| bits | u16::from(self.0[i] == least) << i);
        (least, bits)
    }
}

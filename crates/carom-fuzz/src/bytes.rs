use carom_engine::DVec2;

/// Bytes as a source of choices. After its end it gives zeros.
pub(crate) struct Bytes<'a> {
    rest: &'a [u8],
    in_range: bool,
}

/// Where formulas change their mind, and what no formula should see.
const SPECIAL: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    1e15,
    -1e15,
    1e-15,
    1e308,
    5e-324,
    1e50,
    1e-50,
    f64::EPSILON,
    2.2e-308,
];

impl<'a> Bytes<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Bytes { rest: bytes, in_range: true }
    }

    /// Whether every number so far is 0 or of a magnitude that the engine takes for a length or speed, and no
    /// radius is negative.
    pub(crate) fn are_in_range(&self, radii: &[f64]) -> bool {
        self.in_range && radii.iter().all(|&radius| radius >= 0.0)
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.rest.split_first() else { return 0 };
        self.rest = rest;
        first
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n
    }

    fn word(&mut self) -> u64 {
        u64::from_le_bytes(core::array::from_fn(|_| self.byte()))
    }

    /// A number of the kind that breaks things: on a lattice, so that ties and touching come by themselves;
    /// an ulp beside it; of any size; of any bits.
    pub(crate) fn number(&mut self) -> f64 {
        let number = self.any_number();
        self.in_range &= number == 0.0 || (1e-15..=1e15).contains(&number.abs());
        number
    }

    fn any_number(&mut self) -> f64 {
        match self.byte() {
            0..=159 => self.lattice(),
            160..=191 => {
                let x = self.lattice();
                let ulps = i64::from(self.byte() as i8);
                if x == 0.0 { x } else { f64::from_bits(x.to_bits().wrapping_add_signed(ulps)) }
            }
            192..=223 => self.lattice() * 10.0_f64.powi(i32::from(self.byte() as i8) / 4),
            224..=239 => SPECIAL[self.below(SPECIAL.len())],
            _ => f64::from_bits(self.word()),
        }
    }

    /// From −16 to 15.875 in eighths.
    pub(crate) fn lattice(&mut self) -> f64 {
        f64::from(self.byte() as i8) / 8.0
    }

    pub(crate) fn vector(&mut self) -> DVec2 {
        DVec2::new(self.number(), self.number())
    }
}

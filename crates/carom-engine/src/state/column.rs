use carom_broadphase::Slot;

/// A number of each slot which nearly all discs leave at its default: takes no memory until one does not.
#[derive(Debug, Default)]
pub(crate) struct Column<T>(Vec<T>);

impl<T: Clone> Clone for Column<T> {
    fn clone(&self) -> Self {
        Column(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl<T: Copy + Default + PartialEq> Column<T> {
    pub(crate) fn new() -> Self {
        Column(Vec::new())
    }

    #[inline(always)]
    pub(crate) fn get(&self, slot: Slot) -> T {
        self.0.get(slot as usize).copied().unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, slot: Slot, value: T) {
        match self.0.get_mut(slot as usize) {
            Some(place) => *place = value,
            None => self.add(slot, value),
        }
    }

    #[cold]
    fn add(&mut self, slot: Slot, value: T) {
        if value != T::default() {
            self.0.resize(slot as usize + 1, T::default());
            self.0[slot as usize] = value;
        }
    }

    /// The values that there is memory for.
    pub(crate) fn stored_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut()
    }

    /// The bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<T>()
    }
}

/// With the values of the slots, in order.
impl<T: Copy + Default + PartialEq> FromIterator<T> for Column<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        let mut column = Column::new();
        for (slot, value) in (0..).zip(values) {
            column.set(slot, value);
        }
        column
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_take_no_memory() {
        let mut column = Column::new();
        for slot in [3, 0, 1_000_000] {
            column.set(slot, 0);
        }
        assert_eq!(column.bytes(), 0);
        column.set(2, 7);
        assert_eq!(column.bytes(), column.0.capacity() * 4);
        column.set(1, 0);
        assert_eq!([0, 1, 2, 3].map(|slot| column.get(slot)), [0, 0, 7, 0]);
        column.set(2, 0);
        assert_eq!(column.get(2), 0);
    }
}

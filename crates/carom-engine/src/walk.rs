use crate::{DiscId, RegionId, WallId};
use carom_math::toi::Side;
use carom_math::{DVec2, Shown, Time};
use core::fmt;
use glam::DVec3;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where in a world something is: see [`Difference`](crate::Difference).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// What is of no disc, wall or region: the time, settings, free slots, counters, the ledger.
    World,
    /// A disc, or a record of it.
    Disc {
        /// Its handle.
        id: DiscId,
        /// Its serial number: how many discs had been inserted before it.
        serial: u64,
    },
    /// A wall.
    Wall(WallId),
    /// A region.
    Region(RegionId),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::World => write!(f, "world"),
            Place::Disc { id, .. } => write!(f, "disc {id}"),
            Place::Wall(id) => write!(f, "wall {id}"),
            Place::Region(id) => write!(f, "region {id}"),
        }
    }
}

/// A part of what a world's future depends on, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum StoredValue {
    /// A number; which bits it has is what counts.
    Number(f64),
    /// A count, a slot, a serial number, or a yes or no: 1 or 0.
    Count(u64),
    /// A time.
    Time(Time),
    /// The name of a variant, of what has several.
    Name(&'static str),
}

/// A number with its bits: `1.5 (0x3ff8000000000000)`.
impl fmt::Display for StoredValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoredValue::Number(x) => write!(f, "{} (0x{:016x})", Shown(*x), x.to_bits()),
            StoredValue::Count(count) => write!(f, "{count}"),
            StoredValue::Time(time) => {
                let [start, offset] = [time.epoch_start(), time.offset()].map(Shown);
                write!(f, "{start} + {offset} s")
            }
            StoredValue::Name(name) => f.write_str(name),
        }
    }
}

impl StoredValue {
    /// Its bits; of a name a hash.
    pub(crate) fn words(&self) -> [u64; 2] {
        match self {
            StoredValue::Number(x) => [x.to_bits(), 0],
            StoredValue::Count(count) => [*count, 0],
            StoredValue::Time(time) => [time.epoch_start().to_bits(), time.offset().to_bits()],
            StoredValue::Name(name) => [name.bytes().fold(0, |hash, byte| mixed(hash, u64::from(byte))), 0],
        }
    }
}

/// A hash that goes on with a word, by the last step of MurmurHash3 (Appleby 2011, `fmix64`): each bit of
/// both changes half of the bits of the result. It has no key, and is the same on every machine.
#[inline]
pub(crate) fn mixed(hash: u64, word: u64) -> u64 {
    let mut hash = hash.rotate_left(5) ^ word;
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

/// What a stored word stands for, which says what it may be: loading checks each by it.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// Any count, name or time, and any finite number.
    Plain,
    /// Anything: it is checked elsewhere.
    Any,
    /// What is kept elsewhere.
    Zero,
    /// The slot of a disc that is there.
    Disc,
    /// The slot of a wall that is there.
    Wall,
    /// The number of a facet.
    Facet,
    /// The serial number of a disc that is there, or was.
    Serial,
    /// The number of an impact that has been; 0 of none.
    Impact,
    /// A count that is going to be added to.
    Tally,
    /// A time that is not after the present.
    Past,
    /// A time that is not before the present.
    Future,
    /// A coordinate.
    Length,
    /// A part of a velocity.
    Speed,
    /// Seconds, which may be without end.
    Span,
}

/// Parts that stand for this: what an `as` in [`fields!`](crate::fields) makes.
pub(crate) struct As<'a>(pub(crate) Kind, pub(crate) &'a dyn Fields);

impl Fields for As<'_> {
    fn walk(&self, walk: &mut Walk<'_>) {
        let outer = core::mem::replace(&mut walk.spot.kind, self.0);
        self.1.walk(walk);
        walk.spot.kind = outer;
    }
}

/// What shows the parts that it consists of: all that [`World::checksum`](crate::World::checksum) takes in
/// and [`World::diff`](crate::World::diff) compares.
///
/// A physics has it, and what it stores with discs and walls. Numbers, times, vectors, arrays, lists, pairs,
/// options and `()` have it; [`fields!`](crate::fields) and [`variants!`](crate::variants) give it to the
/// types of a physics of one's own.
///
/// ```
/// # use carom_engine as carom;
/// use carom::DVec2;
///
/// #[derive(Clone, Copy, Debug, Default, PartialEq)]
/// struct Balloon {
///     lift: DVec2,
///     leaks: Option<f64>,
/// }
///
/// carom::fields!(Balloon: lift, leaks);
/// ```
pub trait Fields {
    /// Shows the parts, in an order that depends on nothing else: each by [`Walk::field`].
    fn walk(&self, walk: &mut Walk<'_>);
}

/// Implements [`Fields`](crate::Fields) for a struct by the names of its fields. A field that is left out
/// does not compile.
///
/// `fields!(Puck: charge, kind)`; with parameters, which are to have [`Fields`](crate::Fields), too,
/// `fields!(Puck<B>: charge, own)`. What stands after `; within` is shown first, as parts of the whole; what
/// stands after `; without` is not shown: it is to follow from the others.
// In this crate also: `charge as Tally` for what is of another kind than `Kind::Plain`, `at` the place where
// the whole is, and a parameter after a semicolon that has no fields.
#[macro_export]
macro_rules! fields {
    (@part $part:ident) => { $part };
    (@part $part:ident $kind:ident) => { &$crate::walk::As($crate::walk::Kind::$kind, $part) };
    (
        $name:ident $(<$($parameter:ident),+ $(; $plain:ident)?>)?: $($field:ident $(as $kind:ident)?),*
        $(; within $($inner:ident),+)? $(; without $($left:ident),+)? $(; at $place:expr)?
    ) => {
        impl $(<$($parameter: $crate::Fields),+ $(, $plain)?>)? $crate::Fields
            for $name $(<$($parameter),+ $(, $plain)?>)?
        {
            fn walk(&self, walk: &mut $crate::Walk<'_>) {
                let Self { $($field,)* $($($inner,)+)? $($($left: _,)+)? } = self;
                $(walk.at($place);)?
                $($(walk.part(stringify!($inner), $inner);)+)?
                $(walk.field(stringify!($field), $crate::fields!(@part $field $($kind)?));)*
            }
        }
    };
}

/// Implements [`Fields`](crate::Fields) for an enum by the names of its variants and of what they hold. A
/// variant or a field that is left out does not compile.
///
/// ```
/// # use carom_engine as carom;
/// enum Fuse {
///     Wet,
///     Lit(f64),
///     Cut { length: f64, tool: u32 },
/// }
///
/// carom::variants!(Fuse: Wet, Lit(seconds), Cut { length, tool });
/// ```
#[macro_export]
macro_rules! variants {
    (
        $name:ident $(<$($parameter:ident),+>)?:
        $($variant:ident $(($($item:ident $(as $kind:ident)?),+))? $({ $($field:ident),+ })?),+
    ) => {
        impl $(<$($parameter: $crate::Fields),+>)? $crate::Fields for $name $(<$($parameter),+>)? {
            fn walk(&self, walk: &mut $crate::Walk<'_>) {
                match self {
                    $(Self::$variant $(($($item),+))? $({ $($field),+ })? => {
                        walk.variant(stringify!($variant));
                        $($(walk.field(stringify!($item), $crate::fields!(@part $item $($kind)?));)+)?
                        $($(walk.field(stringify!($field), $field);)+)?
                    })+
                }
            }
        }
    };
}

pub(crate) use {fields, variants};

#[derive(Clone, Copy)]
enum Step {
    Field(&'static str),
    /// Parts that stand together for their own sake: their names are enough.
    Part(&'static str),
    Item(usize),
}

/// Where in the walk a word is.
pub(crate) struct Spot {
    pub(crate) place: Place,
    pub(crate) kind: Kind,
    /// The way to it from the whole, of which the first steps lead to the place.
    steps: SmallVec<[Step; 8]>,
    to_place: usize,
}

impl Spot {
    /// The way from the place: `contacts.passing[2].since`, or `velocity.x`.
    pub(crate) fn field(&self) -> String {
        self.way(self.to_place, false)
    }

    /// The way from the whole: `discs[3].state.velocity.x`.
    pub(crate) fn path(&self) -> String {
        self.way(0, true)
    }

    fn way(&self, from: usize, has_parts: bool) -> String {
        let mut way = String::new();
        for step in &self.steps[from..] {
            match step {
                Step::Part(_) if !has_parts => {}
                Step::Field(name) | Step::Part(name) if way.is_empty() => way.push_str(name),
                Step::Field(name) | Step::Part(name) => way.extend([".", name]),
                Step::Item(k) => way.push_str(&format!("[{k}]")),
            }
        }
        way
    }
}

/// Visits all that a world's future depends on, in an order that depends on nothing else: what a snapshot
/// holds, part by part. See [`Fields`].
pub struct Walk<'w> {
    spot: Spot,
    visit: &'w mut dyn FnMut(&Spot, StoredValue),
}

impl<'w> Walk<'w> {
    pub(crate) fn new(visit: &'w mut dyn FnMut(&Spot, StoredValue)) -> Self {
        let spot = Spot { place: Place::World, kind: Kind::Plain, steps: SmallVec::new(), to_place: 0 };
        Walk { spot, visit }
    }

    /// Sets the place of the parts that follow, until the end of the current step.
    pub(crate) fn at(&mut self, place: Place) {
        (self.spot.place, self.spot.to_place) = (place, self.spot.steps.len());
    }

    fn see(&mut self, value: StoredValue) {
        (self.visit)(&self.spot, value);
    }

    /// Shows a part that has this name.
    pub fn field(&mut self, name: &'static str, value: &dyn Fields) {
        self.step(Step::Field(name), |walk| value.walk(walk));
    }

    /// Shows parts that stand together under this name, each of which is a part of the whole.
    pub fn part(&mut self, name: &'static str, value: &dyn Fields) {
        self.step(Step::Part(name), |walk| value.walk(walk));
    }

    /// Says which of several forms what follows has.
    pub fn variant(&mut self, name: &'static str) {
        self.see(StoredValue::Name(name));
    }

    /// Shows one of several.
    pub(crate) fn item(&mut self, k: usize, show: impl FnOnce(&mut Self)) {
        self.step(Step::Item(k), show);
    }

    fn step(&mut self, step: Step, show: impl FnOnce(&mut Self)) {
        let outer = (self.spot.place, self.spot.to_place);
        self.spot.steps.push(step);
        show(self);
        self.spot.steps.pop();
        (self.spot.place, self.spot.to_place) = outer;
    }
}

impl fmt::Debug for Walk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Walk").field("place", &self.spot.place).finish_non_exhaustive()
    }
}

impl Fields for f64 {
    fn walk(&self, walk: &mut Walk<'_>) {
        walk.see(StoredValue::Number(*self));
    }
}

impl Fields for Time {
    fn walk(&self, walk: &mut Walk<'_>) {
        walk.see(StoredValue::Time(*self));
    }
}

macro_rules! counts {
    ($($type:ty),+) => {
        $(impl Fields for $type {
            fn walk(&self, walk: &mut Walk<'_>) {
                walk.see(StoredValue::Count(*self as u64));
            }
        })+
    };
}

counts!(u8, u16, u32, u64, usize, i8, i16, i32, i64);

impl Fields for bool {
    fn walk(&self, walk: &mut Walk<'_>) {
        As(Kind::Plain, &u8::from(*self)).walk(walk);
    }
}

fields!(DVec2: x, y);
fields!(DVec3: x, y, z);

impl<A: Fields, B: Fields> Fields for (A, B) {
    fn walk(&self, walk: &mut Walk<'_>) {
        self.0.walk(walk);
        self.1.walk(walk);
    }
}

impl<T: Fields, const N: usize> Fields for [T; N] {
    fn walk(&self, walk: &mut Walk<'_>) {
        self.iter().enumerate().for_each(|(k, item)| walk.item(k, |walk| item.walk(walk)));
    }
}

impl<T: Fields> Fields for Vec<T> {
    fn walk(&self, walk: &mut Walk<'_>) {
        walk.field("length", &As(Kind::Plain, &self.len()));
        self.iter().enumerate().for_each(|(k, item)| walk.item(k, |walk| item.walk(walk)));
    }
}

impl<T: Fields> Fields for Option<T> {
    fn walk(&self, walk: &mut Walk<'_>) {
        self.is_some().walk(walk);
        if let Some(value) = self {
            value.walk(walk);
        }
    }
}

impl<K: Fields, V: Fields> Fields for BTreeMap<K, V> {
    fn walk(&self, walk: &mut Walk<'_>) {
        self.iter().collect::<Vec<_>>().walk(walk);
    }
}

impl<T: Fields> Fields for &T {
    fn walk(&self, walk: &mut Walk<'_>) {
        T::walk(self, walk);
    }
}

impl<T: Fields> Fields for Arc<T> {
    fn walk(&self, walk: &mut Walk<'_>) {
        T::walk(self, walk);
    }
}

impl Fields for () {
    fn walk(&self, _: &mut Walk<'_>) {}
}

macro_rules! handles {
    ($($type:ty),+) => {
        $(impl Fields for $type {
            fn walk(&self, walk: &mut Walk<'_>) {
                walk.field("slot", &self.slot());
                walk.field("generation", &As(Kind::Plain, &self.generation()));
            }
        })+
    };
}

handles!(DiscId, WallId, RegionId);
variants!(Side: Front, Back);

/// Implements `Clone` field by field, and `clone_from` as well, which a derived `Clone` leaves to `clone`:
/// with the fields' own it keeps the memory that it has.
#[doc(hidden)]
#[macro_export]
macro_rules! clone_fields {
    ($name:ident $(<$($parameter:ident),+>)?: $($field:ident),+) => {
        impl $(<$($parameter: Clone),+>)? Clone for $name $(<$($parameter),+>)? {
            fn clone(&self) -> Self {
                let Self { $($field),+ } = self;
                Self { $($field: $field.clone()),+ }
            }

            fn clone_from(&mut self, source: &Self) {
                let Self { $($field),+ } = source;
                $(self.$field.clone_from($field);)+
            }
        }
    };
}

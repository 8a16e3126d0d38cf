/// Implements `Clone` field by field, and `clone_from` as well, which a derived `Clone` leaves to `clone`:
/// with the fields' own it keeps the memory that it has. What is named `scratch` is not copied: a clone
/// begins with none, and `clone_from` leaves what there is.
#[doc(hidden)]
#[macro_export]
macro_rules! clone_fields {
    (
        $(#[$doc:meta])*
        $name:ident $(<$($parameter:ident $(: $bound:path)?),+>)?:
        $($field:ident),+ $(; scratch $($scratch:ident),+)?
    ) => {
        $(#[$doc])*
        impl $(<$($parameter: Clone $(+ $bound)?),+>)? Clone for $name $(<$($parameter),+>)? {
            fn clone(&self) -> Self {
                let Self { $($field,)+ $($($scratch: _),+)? } = self;
                Self { $($field: $field.clone(),)+ $($($scratch: Default::default()),+)? }
            }

            fn clone_from(&mut self, source: &Self) {
                let Self { $($field,)+ $($($scratch: _),+)? } = source;
                $(self.$field.clone_from($field);)+
            }
        }
    };
}

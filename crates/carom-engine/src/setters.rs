/// Methods that set a field each and return the whole, for chains of calls.
macro_rules! setters {
    ($($(#[$attribute:meta])* const $name:ident($field:ident: $type:ty);)+) => {
        $(
            $(#[$attribute])*
            #[must_use]
            pub const fn $name(mut self, $field: $type) -> Self {
                self.$field = $field;
                self
            }
        )+
    };
    ($($(#[$attribute:meta])* $name:ident($field:ident: $type:ty);)+) => {
        $(
            $(#[$attribute])*
            #[must_use]
            pub fn $name(mut self, $field: $type) -> Self {
                self.$field = $field;
                self
            }
        )+
    };
}

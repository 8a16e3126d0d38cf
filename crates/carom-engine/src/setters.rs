/// Methods that set a field each and return the whole, for chains of calls: to what they take, or to a value
/// that is made of it.
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
        setters! { $($(#[$attribute])* $name($field: $type) => $field = $field;)+ }
    };
    ($($(#[$attribute:meta])* $name:ident($($given:ident: $type:ty)?) => $field:ident = $value:expr;)+) => {
        $(
            $(#[$attribute])*
            #[must_use]
            pub fn $name(mut self $(, $given: $type)?) -> Self {
                self.$field = $value;
                self
            }
        )+
    };
}

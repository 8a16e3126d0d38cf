//! The values of a text, for serde: one kind for both syntaxes, which knows where a value stands and on
//! which path.
//!
//! What reads a scene is compiled once for it, and not for each syntax and for the paths in each. Values are
//! looked at one level at a time, as they are asked for: a JSON text is scanned as often as it is deep, and
//! no tree is made of it.

use crate::place::Step;
use serde::de::value::{CowStrDeserializer, StrDeserializer};
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer as _, Unexpected, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::vec::IntoIter;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

/// Values are nested no deeper; scenes are to 6.
const DEEPEST: u32 = 64;

/// What is wrong with a value.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) what: String,
    /// From the value up to the top.
    path: Vec<Step>,
    /// The byte of the text at which it stands.
    pub(crate) at: Option<usize>,
}

impl Fault {
    fn new(what: &str) -> Self {
        Fault { what: what.to_owned(), path: Vec::new(), at: None }
    }

    /// The path to the value, from the top.
    pub(crate) fn take_path(&mut self) -> impl Iterator<Item = Step> {
        std::mem::take(&mut self.path).into_iter().rev()
    }

    fn below(mut self, step: Step) -> Self {
        self.path.push(step);
        self
    }

    fn at(mut self, at: usize) -> Self {
        self.at.get_or_insert(at);
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(what: T) -> Self {
        Fault::new(&what.to_string())
    }
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Self {
        let what = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        // Line and column are those of the value alone.
        Fault::new(what.strip_suffix(&place).unwrap_or(&what))
    }
}

/// A value of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'a> {
    value: Value<'a>,
    /// The address of the text for a value of JSON, which is a slice of it.
    base: usize,
    depth: u32,
}

#[derive(Clone, Copy, Debug)]
enum Value<'a> {
    Document(&'a Spanned<DeTable<'a>>),
    Toml(&'a Spanned<DeValue<'a>>),
    Json(&'a RawValue),
}

/// A value, looked at: of a list or a table the values in it are not.
enum Open<'a> {
    Null,
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Text(Cow<'a, str>),
    /// A date, as TOML has them: nothing in a scene is one.
    Date,
    List(Items<'a>),
    Table(Entries<'a>),
}

impl<'a> Node<'a> {
    /// A TOML text as a whole.
    pub(crate) fn of_toml(table: &'a Spanned<DeTable<'a>>) -> Self {
        Node { value: Value::Document(table), base: 0, depth: 0 }
    }

    /// A JSON text as a whole; `value` is a slice of `text`.
    pub(crate) fn of_json(text: &'a str, value: &'a RawValue) -> Self {
        Node { value: Value::Json(value), base: text.as_ptr() as usize, depth: 0 }
    }

    /// The text of a field of a table of JSON; the last one, if there are more.
    pub(crate) fn json_field(self, name: &str) -> Option<&'a str> {
        let Ok(Open::Table(mut entries)) = self.open() else { return None };
        match entries.left.rfind(|entry| entry.key == name)?.node.value {
            Value::Json(raw) => Some(raw.get()),
            _ => None,
        }
    }

    /// The byte of the text at which it begins.
    fn start(self) -> usize {
        match self.value {
            Value::Document(table) => table.span().start,
            Value::Toml(value) => value.span().start,
            Value::Json(raw) => (raw.get().as_ptr() as usize).saturating_sub(self.base),
        }
    }

    fn inner(self, value: Value<'a>) -> Self {
        Node { value, base: self.base, depth: self.depth + 1 }
    }

    fn open(self) -> Result<Open<'a>, Fault> {
        if self.depth > DEEPEST {
            return Err(Fault::new("nested too deep"));
        }
        match self.value {
            Value::Document(table) => Ok(self.open_table(table.get_ref())),
            Value::Toml(value) => self.open_toml(value.get_ref()),
            Value::Json(raw) => self.open_json(raw.get()),
        }
    }

    fn open_table(self, table: &'a DeTable<'a>) -> Open<'a> {
        let entry = |(key, value): (&'a Spanned<Cow<'a, str>>, &'a Spanned<DeValue<'a>>)| Entry {
            key: Cow::Borrowed(key.get_ref()),
            key_at: key.span().start,
            node: self.inner(Value::Toml(value)),
        };
        Open::Table(Entries::of(table.iter().map(entry).collect()))
    }

    fn open_toml(self, value: &'a DeValue<'a>) -> Result<Open<'a>, Fault> {
        Ok(match value {
            DeValue::String(text) => Open::Text(Cow::Borrowed(text)),
            DeValue::Integer(number) => return integer(number),
            DeValue::Float(number) => {
                let float = number.as_str().parse::<f64>().ok();
                let is_finite = |float: &f64| float.is_finite() || number.as_str().contains(['n', 'i']);
                let overflow = || Fault::new("floating-point number overflowed");
                Open::Float(float.filter(is_finite).ok_or_else(overflow)?)
            }
            DeValue::Boolean(is) => Open::Bool(*is),
            DeValue::Datetime(_) => Open::Date,
            DeValue::Array(items) => {
                Open::List(Items::of(items.iter().map(|item| self.inner(Value::Toml(item))).collect()))
            }
            DeValue::Table(table) => self.open_table(table),
        })
    }

    fn open_json(self, text: &'a str) -> Result<Open<'a>, Fault> {
        Ok(match text.as_bytes().first() {
            Some(b'{') => {
                let JsonTable(fields) = serde_json::from_str(text)?;
                let entry = |(JsonKey(key), value)| {
                    let node = self.inner(Value::Json(value));
                    Entry { key, key_at: node.start(), node }
                };
                Open::Table(Entries::of(fields.into_iter().map(entry).collect()))
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text)?;
                Open::List(Items::of(items.into_iter().map(|item| self.inner(Value::Json(item))).collect()))
            }
            Some(b'"') => {
                let JsonKey(text) = serde_json::from_str(text)?;
                Open::Text(text)
            }
            Some(b't') => Open::Bool(true),
            Some(b'f') => Open::Bool(false),
            Some(b'n') => Open::Null,
            _ => {
                let number: serde_json::Number = serde_json::from_str(text)?;
                match (number.as_u64(), number.as_i64(), number.as_f64()) {
                    (Some(number), ..) => Open::Unsigned(number),
                    (_, Some(number), _) => Open::Signed(number),
                    (.., number) => Open::Float(number.unwrap_or(f64::NAN)),
                }
            }
        })
    }
}

fn integer<'a>(number: &DeInteger<'_>) -> Result<Open<'a>, Fault> {
    let (digits, radix) = (number.as_str(), number.radix());
    let signed = i64::from_str_radix(digits, radix).map(Open::Signed);
    let either = signed.or_else(|_| u64::from_str_radix(digits, radix).map(Open::Unsigned));
    either.map_err(|_| Fault::new("integer number overflowed"))
}

/// A text of JSON, without a copy where nothing in it is escaped.
struct JsonKey<'a>(Cow<'a, str>);

impl<'de> de::Deserialize<'de> for JsonKey<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Key;

        impl<'de> Visitor<'de> for Key {
            type Value = JsonKey<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<JsonKey<'de>, E> {
                Ok(JsonKey(Cow::Borrowed(text)))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<JsonKey<'de>, E> {
                Ok(JsonKey(Cow::Owned(text.to_owned())))
            }
        }

        deserializer.deserialize_str(Key)
    }
}

/// The fields of a table of JSON, in order, also those that are there twice.
struct JsonTable<'a>(Vec<(JsonKey<'a>, &'a RawValue)>);

impl<'de> de::Deserialize<'de> for JsonTable<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Table;

        impl<'de> Visitor<'de> for Table {
            type Value = JsonTable<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<JsonTable<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(JsonTable(fields))
            }
        }

        deserializer.deserialize_map(Table)
    }
}

impl<'de> Deserializer<'de> for Node<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let read = match self.open() {
            Err(fault) => Err(fault),
            Ok(Open::Null) => visitor.visit_unit(),
            Ok(Open::Bool(is)) => visitor.visit_bool(is),
            Ok(Open::Signed(number)) => visitor.visit_i64(number),
            Ok(Open::Unsigned(number)) => visitor.visit_u64(number),
            Ok(Open::Float(number)) => visitor.visit_f64(number),
            Ok(Open::Text(text)) => visitor.visit_str(&text),
            Ok(Open::Date) => Err(de::Error::invalid_type(Unexpected::Other("date"), &visitor)),
            Ok(Open::List(items)) => visitor.visit_seq(items),
            Ok(Open::Table(entries)) => visitor.visit_map(entries),
        };
        read.map_err(|fault| fault.at(self.start()))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.value {
            Value::Json(raw) if raw.get() == "null" => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let read = match self.open() {
            Err(fault) => Err(fault),
            Ok(Open::Text(text)) => visitor.visit_enum(StrDeserializer::new(&text)),
            Ok(Open::Table(mut entries)) => match (entries.left.next(), entries.left.next()) {
                (Some(entry), None) => visitor.visit_enum(entry),
                (None, _) => Err(Fault::new("wanted exactly 1 element, found 0 elements")),
                _ => Err(Fault::new("wanted exactly 1 element, more than 1 element")),
            },
            Ok(_) => Err(Fault::new("wanted string or table")),
        };
        read.map_err(|fault| fault.at(self.start()))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier
    }
}

/// What is left of a list.
struct Items<'a> {
    left: IntoIter<Node<'a>>,
    index: usize,
}

impl<'a> Items<'a> {
    fn of(items: Vec<Node<'a>>) -> Self {
        Items { left: items.into_iter(), index: 0 }
    }
}

impl<'de> de::SeqAccess<'de> for Items<'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let Some(node) = self.left.next() else { return Ok(None) };
        let index = self.index;
        self.index += 1;
        seed.deserialize(node).map(Some).map_err(|fault| fault.at(node.start()).below(Step::Item(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.len())
    }
}

/// A field of a table.
struct Entry<'a> {
    key: Cow<'a, str>,
    /// The byte of the text at which an unknown key is shown.
    key_at: usize,
    node: Node<'a>,
}

impl Entry<'_> {
    fn step(&self) -> Step {
        Step::Field(self.key.clone().into_owned())
    }
}

/// What is left of a table.
struct Entries<'a> {
    left: IntoIter<Entry<'a>>,
    /// That of which the key has been read.
    read: Option<Entry<'a>>,
}

impl<'a> Entries<'a> {
    fn of(entries: Vec<Entry<'a>>) -> Self {
        Entries { left: entries.into_iter(), read: None }
    }
}

impl<'de> de::MapAccess<'de> for Entries<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let Some(entry) = self.left.next() else { return Ok(None) };
        let key: CowStrDeserializer<'_, Fault> = Cow::Borrowed(entry.key.as_ref()).into_deserializer();
        let key = seed.deserialize(key).map(Some);
        let key = key.map_err(|fault| fault.at(entry.key_at).below(entry.step()));
        self.read = Some(entry);
        key
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let Some(entry) = self.read.take() else {
            return Err(Fault::new("a value was asked for before its key"));
        };
        seed.deserialize(entry.node).map_err(|fault| fault.at(entry.node.start()).below(entry.step()))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.len())
    }
}

/// A variant with what it holds.
impl<'de> de::EnumAccess<'de> for Entry<'de> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Fault> {
        let key: CowStrDeserializer<'_, Fault> = Cow::Borrowed(self.key.as_ref()).into_deserializer();
        let variant = seed.deserialize(key).map_err(|fault| fault.at(self.key_at))?;
        Ok((variant, self))
    }
}

impl<'de> de::VariantAccess<'de> for Entry<'de> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        let is_empty = match self.node.open()? {
            Open::Null => true,
            Open::List(items) => items.left.len() == 0,
            Open::Table(entries) => entries.left.len() == 0,
            _ => false,
        };
        let not_empty = || Fault::new("expected empty table").at(self.node.start());
        if is_empty { Ok(()) } else { Err(not_empty().below(self.step())) }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        seed.deserialize(self.node).map_err(|fault| fault.at(self.node.start()).below(self.step()))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.node.deserialize_any(visitor).map_err(|fault| fault.below(self.step()))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.node.deserialize_any(visitor).map_err(|fault| fault.below(self.step()))
    }
}

//! JSON objects and arrays that are read member by member, without a tree of the whole file.

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A receiver of the members of an object or the elements of an array.
pub(super) trait Parts: Sized {
    /// The name of what is read, for errors.
    const EXPECTED: &'static str;

    /// Reads the value of a member. By default, objects are an error.
    fn member<'de, A: MapAccess<'de>>(&mut self, _name: &str, _map: &mut A) -> Result<(), A::Error> {
        Err(invalid("an object", Self::EXPECTED))
    }

    /// Reads the next element; `false` if there is none. By default, arrays are an error.
    fn element<'de, A: SeqAccess<'de>>(&mut self, _seq: &mut A) -> Result<bool, A::Error> {
        Err(invalid("an array", Self::EXPECTED))
    }

    /// Checks that nothing is missing, at the end.
    fn finish<E: serde::de::Error>(&mut self) -> Result<(), E> {
        Ok(())
    }
}

fn invalid<E: serde::de::Error>(found: &'static str, expected: &'static str) -> E {
    E::custom(format_args!("expected {expected}, found {found}"))
}

/// Reads the parts of an object or an array.
pub(super) struct Whole<P>(pub(super) P);

impl<'de, P: Parts> DeserializeSeed<'de> for Whole<P> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, P: Parts> Visitor<'de> for Whole<P> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(P::EXPECTED)
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            self.0.member(&name, &mut map)?;
        }
        self.0.finish()
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        while self.0.element(&mut seq)? {}
        self.0.finish()
    }
}

//! Hashes of values: the SHA-256 of their `Debug` output.
//!
//! A derived `Debug` writes all members of a value, including members that the type gets later, and texts in quotes. So
//! different values of a type have different outputs. The output may change with the version of this program or of its
//! compiler, so that hashes are compared within one build only.

use sha2::{Digest, Sha256};
use std::fmt::{self, Debug, Write};

/// The hash of a sequence of values, which are not kept.
#[derive(Clone)]
pub(crate) struct ValueHash(Sha256);

impl ValueHash {
    /// Returns the hash of no values.
    pub(crate) fn new() -> Self {
        Self(Sha256::new())
    }

    /// Adds a value.
    pub(crate) fn add(&mut self, value: &dyn Debug) {
        // Writing into a hash does not fail.
        let _ = writeln!(self, "{value:?}");
    }

    /// Adds bytes.
    pub(crate) fn add_bytes(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the hash as text.
    pub(crate) fn hexadecimal(self) -> String {
        self.0.finalize().iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }

    /// Returns the hash of bytes.
    pub(crate) fn of_bytes(bytes: &[u8]) -> String {
        let mut hash = Self::new();
        hash.add_bytes(bytes);
        hash.hexadecimal()
    }
}

impl Write for ValueHash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.add_bytes(text.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::ValueHash;
    use std::fmt::Debug;

    #[test]
    fn what_is_different_has_different_hashes() {
        let hash = |values: &[&dyn Debug]| {
            let mut hash = ValueHash::new();
            values.iter().for_each(|value| hash.add(value));
            hash.hexadecimal()
        };
        let all: [&[&dyn Debug]; 6] =
            [&[], &[&"a"], &[&"a", &"b"], &[&"a\"\n\"b"], &[&vec!["a", "b"]], &[&vec!["a\", \"b"]]];
        for (place, one) in all.iter().enumerate() {
            for other in &all[..place] {
                assert_ne!(hash(one), hash(other), "{one:?} {other:?}");
            }
            assert_eq!(hash(one), hash(one));
        }
        // printf abc | sha256sum
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(ValueHash::of_bytes(b"abc"), known);
    }
}

//! Hashes that are the same on every machine and in every version: SHA-256.

use asercheck::records::Shard;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Returns the hash of a text, in hexadecimal.
pub(crate) fn content_hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Returns a number for a sequence of texts: the first eight bytes, most significant first, of the hash of the texts
/// with a line feed after each.
pub(crate) fn number<'a>(parts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part.as_bytes());
        hasher.update(b"\n");
    }
    let digest = hasher.finalize();
    digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Whether the class of this name belongs to the part.
pub(crate) fn has_class(shard: Shard, name: &str) -> bool {
    shard.has(number([name]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_other_programs() {
        // printf abc | sha256sum
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(content_hash("abc"), hash);
        // printf 'a\nb\n' | sha256sum | cut -c1-16
        assert_eq!(number(["a", "b"]), 0x9111_69dd_aaf1_46af);
    }

    #[test]
    fn each_class_is_in_one_part() {
        let parts: Vec<Shard> = (1..=4).map(|index| format!("{index}/4").parse().expect("a shard")).collect();
        let mut sizes = [0; 4];
        for number in 0..400 {
            let name = format!("com.example.Pool{number}");
            let places: Vec<usize> = (0..4).filter(|place| has_class(parts[*place], &name)).collect();
            assert_eq!(places.len(), 1, "{name}: {places:?}");
            sizes[places[0]] += 1;
        }
        assert!(sizes.iter().all(|size| (70..130).contains(size)), "{sizes:?}");
    }
}

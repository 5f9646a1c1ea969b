//! Names and their numbers.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A bijection between names and numbers from 0, in the order of their first use. All names lie in one string.
#[derive(Clone, Debug, Default)]
pub struct Names {
    text: String,
    ends: Vec<u32>,
    table: HashTable<u32>,
}

impl Names {
    /// The number of names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The name with this number.
    ///
    /// # Panics
    /// If no name has this number.
    pub fn name(&self, number: usize) -> &str {
        slice(&self.text, &self.ends, number)
    }

    /// The number of a name, if it has one.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.table.find(hash(name), |number| self.name(*number as usize) == name).copied()
    }

    /// All names, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|number| self.name(number))
    }

    /// Returns the number of a name, and adds it if it is new; none if there are too many.
    pub(crate) fn intern(&mut self, name: &str) -> Option<u32> {
        if let Some(number) = self.find(name) {
            return Some(number);
        }
        // Numbers from 2^31 on have other meanings in states and heads.
        let number = u32::try_from(self.ends.len()).ok().filter(|number| *number < i32::MAX as u32)?;
        let end = u32::try_from(self.text.len() + name.len()).ok()?;
        self.text.push_str(name);
        self.ends.push(end);
        let (text, ends) = (&self.text, &self.ends);
        self.table.insert_unique(hash(name), number, |number| hash(slice(text, ends, *number as usize)));
        Some(number)
    }
}

fn slice<'a>(text: &'a str, ends: &[u32], number: usize) -> &'a str {
    let first = number.checked_sub(1).map_or(0, |before| ends[before]);
    &text[first as usize..ends[number] as usize]
}

fn hash(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(name.as_bytes());
    hasher.finish()
}

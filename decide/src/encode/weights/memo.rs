//! Memoized results of operations on two numbers, in bounded memory.
//!
//! Each result has one place and replaces the one before it, so the contents affect only the running time. A memo grows
//! with the number of inserted results, up to a limit.

/// The maximal number of entries.
const LIMIT: usize = 1 << 20;

/// Results of one operation on two numbers.
#[derive(Clone, Debug)]
pub(super) struct Memo<V> {
    /// Empty, or a power of two of entries.
    entries: Vec<Option<(u32, u32, V)>>,
    /// The number of inserted results.
    count: usize,
}

impl<V> Default for Memo<V> {
    fn default() -> Self {
        Self { entries: Vec::new(), count: 0 }
    }
}

impl<V: Copy> Memo<V> {
    pub(super) fn get(&self, a: u32, b: u32) -> Option<V> {
        match self.entries.get(self.place(a, b)) {
            Some(Some((first, second, result))) if (*first, *second) == (a, b) => Some(*result),
            _ => None,
        }
    }

    pub(super) fn insert(&mut self, a: u32, b: u32, result: V) {
        self.count += 1;
        if self.entries.len() < self.count.min(LIMIT) {
            let known = std::mem::take(&mut self.entries);
            self.entries = vec![None; (4 * known.len()).max(1 << 8)];
            for (a, b, result) in known.into_iter().flatten() {
                let place = self.place(a, b);
                self.entries[place] = Some((a, b, result));
            }
        }
        let place = self.place(a, b);
        self.entries[place] = Some((a, b, result));
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    fn place(&self, a: u32, b: u32) -> usize {
        let word = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (word >> 32) as usize & self.entries.len().saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memoized_results_are_those_inserted() {
        let mut memo = Memo::default();
        for number in 0..5000 {
            memo.insert(number, 7, number / 2);
            assert_eq!(memo.get(number, 7), Some(number / 2));
        }
        let known: Vec<_> = (0..5000).filter_map(|number| Some((number, memo.get(number, 7)?))).collect();
        assert!(known.len() > 2000, "{}", known.len());
        assert!(known.iter().all(|(number, result)| *result == number / 2));
        assert_eq!(memo.get(7, 3), None);
        memo.clear();
        assert_eq!(memo.get(4999, 7), None);
    }
}

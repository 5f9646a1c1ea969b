//! A heap of items by weight, the best first, for a semiring whose weights are ordered.

/// Children of a node. More than two, since a heap makes more comparisons than moves.
const ARITY: usize = 4;

/// A heap: the weight of an item does not precede that of the item's parent.
#[derive(Clone, Debug)]
pub(crate) struct WeightHeap<W, T> {
    entries: Vec<(W, T)>,
}

impl<W, T> Default for WeightHeap<W, T> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<W, T> WeightHeap<W, T> {
    pub(crate) fn first(&self) -> Option<&(W, T)> {
        self.entries.first()
    }

    /// Adds an item. Logarithmic time.
    pub(crate) fn push(&mut self, weight: W, item: T, precedes: impl Fn(&W, &W) -> bool) {
        let mut place = self.entries.len();
        self.entries.push((weight, item));
        while place > 0 {
            let parent = (place - 1) / ARITY;
            if !precedes(&self.entries[place].0, &self.entries[parent].0) {
                return;
            }
            self.entries.swap(place, parent);
            place = parent;
        }
    }

    /// Takes an item whose weight no other one precedes. Logarithmic time.
    pub(crate) fn pop(&mut self, precedes: impl Fn(&W, &W) -> bool) -> Option<(W, T)> {
        if self.entries.is_empty() {
            return None;
        }
        let taken = self.entries.swap_remove(0);
        let mut place = 0;
        loop {
            let children = place * ARITY + 1..self.entries.len().min(place * ARITY + 1 + ARITY);
            let better = |left: &usize, right: &usize| {
                if precedes(&self.entries[*right].0, &self.entries[*left].0) { *right } else { *left }
            };
            let best = children.reduce(|left, right| better(&left, &right));
            match best.filter(|child| precedes(&self.entries[*child].0, &self.entries[place].0)) {
                None => return Some(taken),
                Some(child) => {
                    self.entries.swap(place, child);
                    place = child;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_items_are_sorted() {
        let mut heap = WeightHeap::default();
        let weights: Vec<u32> = (0..500).map(|number| number * 7919 % 307).collect();
        for (item, weight) in weights.iter().enumerate() {
            heap.push(*weight, item, |left, right| left < right);
        }
        let taken: Vec<_> = std::iter::from_fn(|| heap.pop(|left, right| left < right)).collect();
        assert!(taken.is_sorted_by_key(|(weight, _)| *weight));
        assert!(taken.iter().all(|(weight, item)| weights[*item] == *weight));
        let mut items: Vec<_> = taken.iter().map(|(_, item)| *item).collect();
        items.sort_unstable();
        assert!(items.into_iter().eq(0..500));
    }
}

//! The partitions of a set into blocks.

/// All partitions of the numbers below a count, each as a list of blocks in the order of their first members. There are
/// Bell(count) of them.
#[derive(Clone, Debug)]
pub(crate) struct Partitions {
    /// The block of each number: at most one more than the greatest block before it. None at the end.
    block_of: Option<Vec<usize>>,
    finest_first: bool,
}

impl Partitions {
    /// Begins with the partition whose blocks have one member each.
    pub(crate) fn finest_first(count: usize) -> Self {
        Self { block_of: Some((0..count).collect()), finest_first: true }
    }

    /// Begins with the partition that has a single block.
    pub(crate) fn coarsest_first(count: usize) -> Self {
        Self { block_of: Some(vec![0; count]), finest_first: false }
    }

    fn advance(&self, block_of: &[usize]) -> Option<Vec<usize>> {
        let mut greatest = 0;
        // The greatest possible block of each number, given the blocks before it.
        let limits: Vec<usize> = block_of
            .iter()
            .enumerate()
            .map(|(number, block)| {
                let limit = if number == 0 { 0 } else { greatest + 1 };
                greatest = greatest.max(*block);
                limit
            })
            .collect();
        let mut next = block_of.to_vec();
        if self.finest_first {
            let last = (0..next.len()).rfind(|number| next[*number] > 0)?;
            next[last] -= 1;
            let mut greatest = next[..=last].iter().copied().max().unwrap_or(0);
            for block in &mut next[last + 1..] {
                greatest += 1;
                *block = greatest;
            }
        } else {
            let last = (0..next.len()).rfind(|number| next[*number] < limits[*number])?;
            next[last] += 1;
            next[last + 1..].fill(0);
        }
        Some(next)
    }
}

impl Iterator for Partitions {
    type Item = Vec<Vec<usize>>;

    fn next(&mut self) -> Option<Vec<Vec<usize>>> {
        let block_of = self.block_of.take()?;
        let mut blocks = vec![Vec::new(); block_of.iter().max().map_or(0, |greatest| greatest + 1)];
        block_of.iter().enumerate().for_each(|(number, block)| blocks[*block].push(number));
        self.block_of = self.advance(&block_of);
        Some(blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_partition_comes_once_in_both_orders() {
        for (count, bell) in [1, 1, 2, 5, 15, 52, 203].into_iter().enumerate() {
            let finest: Vec<_> = Partitions::finest_first(count).collect();
            let coarsest: Vec<_> = Partitions::coarsest_first(count).collect();
            assert_eq!([finest.len(), coarsest.len()], [bell; 2]);
            assert_eq!(finest.iter().collect::<BTreeSet<_>>().len(), bell);
            assert_eq!(finest.iter().collect::<BTreeSet<_>>(), coarsest.iter().collect::<BTreeSet<_>>());
            assert!(finest[0].iter().all(|block| block.len() == 1) && coarsest[0].len() <= 1);
        }
    }
}

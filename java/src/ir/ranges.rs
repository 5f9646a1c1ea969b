//! Sets of blocks by variable, as ranges of block indices.

use super::body::Variable;
use super::graph::number;

/// Sets of blocks, one for each variable.
#[derive(Clone, Debug)]
pub(super) struct Ranges {
    /// The number of blocks.
    blocks: usize,
    /// For each variable, half-open ranges of block indices in order.
    of: Vec<Box<[(u32, u32)]>>,
    /// A segment tree over the blocks: a variable is stored at the roots of the largest subtrees that its ranges cover.
    /// Node 1 is the root, `2n` and `2n + 1` are the children of `n`, and the leaves come last.
    tree: Vec<Vec<Variable>>,
}

impl Ranges {
    /// Builds the ranges from sorted sets. Nearly linear.
    pub(super) fn new(blocks: usize, sets: Vec<Vec<u32>>) -> Self {
        let of: Vec<Box<[(u32, u32)]>> = sets.into_iter().map(|set| ranges(&set)).collect();
        let mut tree = vec![Vec::new(); 2 * blocks];
        for (variable, ranges) in (0..).map(Variable).zip(&of) {
            for (start, end) in ranges {
                let (mut low, mut high) = (*start as usize + blocks, *end as usize + blocks);
                while low < high {
                    if low % 2 == 1 {
                        tree[low].push(variable);
                        low += 1;
                    }
                    if high % 2 == 1 {
                        high -= 1;
                        tree[high].push(variable);
                    }
                    (low, high) = (low / 2, high / 2);
                }
            }
        }
        Self { blocks, of, tree }
    }

    /// Whether a block is in the set of a variable.
    pub(super) fn contains(&self, variable: Variable, block: u32) -> bool {
        let ranges = &self.of[variable.index()];
        let place = ranges.partition_point(|(_, end)| *end <= block);
        ranges.get(place).is_some_and(|(start, _)| *start <= block)
    }

    /// The variables whose sets contain a block.
    pub(super) fn of(&self, block: u32) -> Vec<Variable> {
        let mut found = Vec::new();
        let mut node = block as usize + self.blocks;
        while node > 0 {
            found.extend_from_slice(&self.tree[node]);
            node /= 2;
        }
        found
    }
}

fn ranges(set: &[u32]) -> Box<[(u32, u32)]> {
    let groups = set.chunk_by(|one, next| one + 1 == *next);
    groups.map(|group| (group[0], group[0] + number(group.len()))).collect()
}

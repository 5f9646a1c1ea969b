//! Directed graphs over nodes numbered from 0.

/// A graph as adjacency lists in one array (compressed sparse rows).
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// The start of the targets of each node, and the end of the last ones.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    /// The graph of some edges. The edges of a node keep their order. Linear.
    pub(super) fn new(nodes: usize, edges: &[(u32, u32)]) -> Self {
        let mut starts = vec![0; nodes + 1];
        for (from, _) in edges {
            starts[*from as usize + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; edges.len()];
        for (from, to) in edges {
            let place = &mut next[*from as usize];
            targets[*place as usize] = *to;
            *place += 1;
        }
        Self { starts, targets }
    }

    /// The graph with all edges reversed.
    pub(super) fn reversed(&self) -> Self {
        let edges = |node: usize| self.successors(node).iter().map(move |target| (*target, number(node)));
        let edges: Vec<_> = (0..self.len()).flat_map(edges).collect();
        Self::new(self.len(), &edges)
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of edges.
    pub(super) fn edges(&self) -> usize {
        self.targets.len()
    }

    /// The successors of a node.
    pub(super) fn successors(&self, node: usize) -> &[u32] {
        &self.targets[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

/// An index as a 32-bit number.
pub(super) fn number(index: usize) -> u32 {
    u32::try_from(index).expect("the limits of register form keep all numbers small")
}

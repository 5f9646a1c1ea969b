//! Strongly connected components of parts of graphs, by R. Tarjan, *Depth-first search and linear graph algorithms*
//! (1972).

/// Room for the search, for any number of parts of one graph.
#[derive(Debug)]
pub(super) struct Components {
    /// The place of each node in the order in which nodes are found; [`NEW`] before that, [`OUTSIDE`] if it is not in
    /// the part, or in a component that is found already.
    places: Vec<u32>,
}

const NEW: u32 = 0;
const OUTSIDE: u32 = u32::MAX;

/// A node whose successors are visited.
struct Open {
    node: u32,
    /// The first node on the way to which a path leads back.
    lowest: u32,
    /// How many successors have been visited.
    visited: usize,
}

impl Components {
    /// For a graph with so many nodes.
    pub(super) fn new(nodes: usize) -> Self {
        Self { places: vec![OUTSIDE; nodes] }
    }

    /// The components of some nodes, each after all those to which it leads, where the successors of a node are counted
    /// from 0. Linear in the nodes and their edges; successors that are not among the nodes are left out.
    pub(super) fn of(&mut self, nodes: &[u32], mut successor: impl FnMut(u32, usize) -> Option<u32>) -> Vec<Vec<u32>> {
        nodes.iter().for_each(|node| self.places[*node as usize] = NEW);
        let mut components = Vec::new();
        let mut waiting: Vec<u32> = Vec::new();
        let mut clock = 0;
        for root in nodes {
            if self.places[*root as usize] != NEW {
                continue;
            }
            let mut open: Vec<Open> = Vec::new();
            let mut entered = Some(*root);
            loop {
                if let Some(node) = entered.take() {
                    clock += 1;
                    self.places[node as usize] = clock;
                    waiting.push(node);
                    open.push(Open { node, lowest: clock, visited: 0 });
                }
                let Some(last) = open.last_mut() else { break };
                let next = successor(last.node, last.visited);
                last.visited += 1;
                match next.map(|next| (next, self.places[next as usize])) {
                    Some((next, NEW)) => entered = Some(next),
                    Some((_, OUTSIDE)) => {}
                    Some((_, place)) => last.lowest = last.lowest.min(place),
                    None => {
                        let Open { node, lowest, .. } = open.pop().expect("it is there");
                        if let Some(above) = open.last_mut() {
                            above.lowest = above.lowest.min(lowest);
                        }
                        if lowest == self.places[node as usize] {
                            components.push(self.close(node, &mut waiting));
                        }
                    }
                }
            }
        }
        components
    }

    /// Takes a component from what waits: its first node and what was found after it.
    fn close(&mut self, first: u32, waiting: &mut Vec<u32>) -> Vec<u32> {
        let start = waiting.iter().rposition(|node| *node == first).expect("a node waits until its component is found");
        let component = waiting.split_off(start);
        component.iter().for_each(|node| self.places[*node as usize] = OUTSIDE);
        component
    }
}

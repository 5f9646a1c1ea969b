//! Strongly connected components of subgraphs, by the algorithm of R. Tarjan, *Depth-first search and linear graph
//! algorithms* (SIAM J. Comput. 1972).

/// The memory of the search. It can be used for any number of subgraphs of one graph.
#[derive(Debug)]
pub(super) struct Components {
    /// The discovery number of each node, from 1: [`NEW`] before discovery, [`OUTSIDE`] for nodes outside of the
    /// subgraph and nodes of completed components.
    places: Vec<u32>,
}

const NEW: u32 = 0;
const OUTSIDE: u32 = u32::MAX;

/// A node on the search path.
struct Open {
    node: u32,
    /// The lowest discovery number that is known to be reachable from its subtree (`lowlink`).
    lowest: u32,
    /// The number of visited successors.
    visited: usize,
}

impl Components {
    /// Memory for a graph with this number of nodes.
    pub(super) fn new(nodes: usize) -> Self {
        Self { places: vec![OUTSIDE; nodes] }
    }

    /// The components of the subgraph of some nodes, in reverse topological order: each after all components that it
    /// can reach. `successor` returns a successor of a node by its index from 0; successors outside of the subgraph are
    /// ignored. Linear in the nodes and their edges.
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
                        let Open { node, lowest, .. } = open.pop().expect("the path is not empty");
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

    /// Removes a completed component from the stack: its first node and all nodes discovered after it.
    fn close(&mut self, first: u32, waiting: &mut Vec<u32>) -> Vec<u32> {
        let start = waiting.iter().rposition(|node| *node == first).expect("a node waits until its component is found");
        let component = waiting.split_off(start);
        component.iter().for_each(|node| self.places[*node as usize] = OUTSIDE);
        component
    }
}

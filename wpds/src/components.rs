//! Strongly connected components of a graph of numbers.

/// Returns the components, each before those that edges lead to. Tarjan's algorithm, with a stack of its own. Linear.
pub(crate) fn components(count: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Vec<Vec<u32>> {
    let graph = Successors::new(count, edges);
    let mut search =
        Search { number: vec![0; count], low: vec![0; count], next: 1, open: Vec::new(), found: Vec::new() };
    for node in 0..count as u32 {
        if search.number[node as usize] == 0 {
            search.visit(node, &graph);
        }
    }
    search.found.reverse();
    search.found
}

/// The successors of each node, one after the other.
struct Successors {
    ends: Vec<usize>,
    nodes: Vec<u32>,
}

impl Successors {
    fn new(count: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut ends = vec![0; count + 1];
        for (from, _) in edges.clone() {
            ends[from as usize + 1] += 1;
        }
        for node in 0..count {
            ends[node + 1] += ends[node];
        }
        let (mut nodes, mut next) = (vec![0; ends[count]], ends.clone());
        for (from, to) in edges {
            nodes[next[from as usize]] = to;
            next[from as usize] += 1;
        }
        Self { ends, nodes }
    }

    fn of(&self, node: u32) -> &[u32] {
        &self.nodes[self.ends[node as usize]..self.ends[node as usize + 1]]
    }
}

struct Search {
    /// The order of the visits, from 1; 0 before, the greatest number once the component is known.
    number: Vec<usize>,
    low: Vec<usize>,
    next: usize,
    open: Vec<u32>,
    found: Vec<Vec<u32>>,
}

impl Search {
    fn visit(&mut self, root: u32, graph: &Successors) {
        let mut path = vec![(self.enter(root), 0)];
        while let Some((node, place)) = path.last_mut() {
            let (at, node) = (*node as usize, *node);
            if let Some(successor) = graph.of(node).get(*place) {
                *place += 1;
                match self.number[*successor as usize] {
                    0 => path.push((self.enter(*successor), 0)),
                    usize::MAX => {}
                    number => self.low[at] = self.low[at].min(number),
                }
                continue;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                self.low[*before as usize] = self.low[*before as usize].min(self.low[at]);
            }
            if self.low[at] == self.number[at] {
                let first = self.open.iter().rposition(|open| *open == node).expect("it is open");
                let members = self.open.split_off(first);
                members.iter().for_each(|member| self.number[*member as usize] = usize::MAX);
                self.found.push(members);
            }
        }
    }

    fn enter(&mut self, node: u32) -> u32 {
        (self.number[node as usize], self.low[node as usize]) = (self.next, self.next);
        self.next += 1;
        self.open.push(node);
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_in_the_order_of_the_edges() {
        let edges = [(5, 0), (0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3), (6, 6), (5, 6)];
        let mut found = components(7, edges.iter().copied());
        found.iter_mut().for_each(|members| members.sort_unstable());
        let place = |node| found.iter().position(|members| members.contains(&node)).expect("a component");
        assert!(edges.iter().all(|(from, to)| place(*from) <= place(*to)));
        found.sort();
        assert_eq!(found, [vec![0, 1, 2], vec![3, 4], vec![5], vec![6]]);
    }
}

//! Regions: the nodes of some lines of a method in one function.

use eml::model::{FileId, Model, NodeId, Operation, ProcedureId};
use std::collections::BTreeSet;

/// The lines over which a lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Lines {
    pub(super) first: u32,
    pub(super) last: u32,
    /// Whether they are the whole method.
    pub(super) is_whole: bool,
}

impl Lines {
    fn has(self, model: &Model, file: FileId, node: NodeId) -> bool {
        let position = model.node(node).position;
        self.is_whole || (position.file == file && (self.first..=self.last).contains(&position.line))
    }
}

/// The nodes of a function that are in a region, by their numbers in the function; none if the lines are no statements
/// of it. Linear in the function.
pub(super) fn region(model: &Model, function: ProcedureId, file: FileId, lines: Lines) -> Option<Vec<bool>> {
    let procedure = model.procedure(function);
    let nodes: Vec<NodeId> = procedure.nodes().collect();
    let first = nodes.first()?.index();
    let is_return = |node: NodeId| model.node(node).operation == Operation::Return;
    let mut inside: Vec<bool> = nodes.iter().map(|node| !is_return(*node) && lines.has(model, file, *node)).collect();
    let Some(head) = entered(model, function, &inside, None)?.into_iter().next() else { return Some(inside) };
    let depth = open_at(model, head);
    let closes = |node: NodeId| {
        let operation = model.node(node).operation;
        matches!(operation, Operation::Release(..) | Operation::End) && open_at(model, node) <= depth
    };
    for node in &nodes {
        inside[node.index() - first] &= !closes(*node);
    }
    let heads = entered(model, function, &inside, Some(head))?;
    let is_one_block = || are_on_one_line(model, &heads) && are_on_one_line(model, &targets(model, function, &inside));
    (lines.is_whole || is_one_block()).then_some(inside)
}

/// Whether nodes are on one line. A statement may have several nodes, one for each state before it.
fn are_on_one_line(model: &Model, nodes: &BTreeSet<NodeId>) -> bool {
    let place = |node: &NodeId| (model.node(*node).position.file, model.node(*node).position.line);
    nodes.iter().map(place).collect::<BTreeSet<_>>().len() <= 1
}

/// The nodes at which control enters a region; none if not all have the same number of open locks and units.
fn entered(model: &Model, function: ProcedureId, inside: &[bool], head: Option<NodeId>) -> Option<BTreeSet<NodeId>> {
    let procedure = model.procedure(function);
    let first = procedure.nodes().next()?.index();
    let is_inside = |node: NodeId| inside[node.index() - first];
    let outside = procedure.nodes().filter(|node| !is_inside(*node));
    let mut found: BTreeSet<NodeId> = outside.flat_map(|node| model.successors(node)).copied().collect();
    found.insert(procedure.entry());
    found.retain(|node| is_inside(*node));
    let depth = head.or(found.first().copied()).map(|node| open_at(model, node));
    found.iter().all(|node| Some(open_at(model, *node)) == depth).then_some(found)
}

/// The number of locks and units that are open before a node.
fn open_at(model: &Model, node: NodeId) -> usize {
    model.opened(node).iter().count()
}

/// The nodes to which control leaves a region, apart from ways on which only locks and units are closed up to a return.
fn targets(model: &Model, function: ProcedureId, inside: &[bool]) -> BTreeSet<NodeId> {
    let procedure = model.procedure(function);
    let Some(first) = procedure.nodes().next() else { return BTreeSet::new() };
    let is_inside = |node: NodeId| inside[node.index() - first.index()];
    let own = procedure.nodes().filter(|node| is_inside(*node));
    let left = own.flat_map(|node| model.successors(node)).filter(|node| !is_inside(**node));
    left.copied().filter(|node| !only_returns(model, *node, inside.len())).collect()
}

/// Whether a node begins a way without branches to a return, on which only locks and units are closed.
fn only_returns(model: &Model, mut node: NodeId, most: usize) -> bool {
    for _ in 0..=most {
        match (model.node(node).operation, model.successors(node)) {
            (Operation::Return, _) => return true,
            (Operation::Release(..) | Operation::End | Operation::Skip, [next]) => node = *next,
            _ => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts have a statement a line; lines count from 1.
    fn lines_of(text: &str, first: u32, last: u32) -> Option<Vec<u32>> {
        let model = eml::model::from_text("m.eml", text).unwrap_or_else(|error| panic!("{error}")).model;
        let function = model.processes()[0].body();
        let procedure = model.procedure(function);
        let inside = region(&model, function, procedure.position().file, Lines { first, last, is_whole: false })?;
        let nodes = procedure.nodes().zip(inside).filter(|(_, is_inside)| *is_inside);
        let lines: BTreeSet<u32> = nodes.map(|(node, _)| model.node(node).position.line).collect();
        Some(lines.into_iter().collect())
    }

    #[test]
    fn statements_are_a_region() {
        let text = "shared x; process P {\nread x;\nchoose {\nread x;\n} or {\nwrite x;\n}\nwrite x;\n}";
        assert_eq!(lines_of(text, 2, 8), Some(vec![2, 3, 4, 6, 8]));
        assert_eq!(lines_of(text, 4, 4), Some(vec![4]));
        assert_eq!(lines_of(text, 3, 7), Some(vec![3, 4, 6]));
    }

    #[test]
    fn parts_of_two_blocks_are_none() {
        let text = "shared x; process P {\nread x;\nchoose {\nread x;\n} or {\nwrite x;\n}\nwrite x;\n}";
        assert_eq!(lines_of(text, 6, 8), None, "one branch enters in the middle");
        assert_eq!(lines_of(text, 2, 4), None, "one branch leaves before its end");
    }

    #[test]
    fn returns_and_outer_releases_are_outside() {
        let text = "lock l; shared x; process P {\nsync l {\nread x;\nchoose { return; } or { }\nwrite x;\n}\n}";
        assert_eq!(lines_of(text, 3, 5), Some(vec![3, 4, 5]));
        let text = "lock l; shared x; process P {\nacquire l;\nread x; release l;\n}";
        assert_eq!(lines_of(text, 3, 3), Some(vec![3]));
        let model = eml::model::from_text("m.eml", text).unwrap_or_else(|error| panic!("{error}")).model;
        let function = model.processes()[0].body();
        let file = model.procedure(function).position().file;
        let inside = region(&model, function, file, Lines { first: 3, last: 3, is_whole: false }).expect("a region");
        let releases =
            model.procedure(function).nodes().zip(inside).filter(|(node, is_inside)| {
                *is_inside && matches!(model.node(*node).operation, Operation::Release(..))
            });
        assert_eq!(releases.count(), 0);
    }
}

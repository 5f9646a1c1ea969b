//! Reads of a field that can use the value of an earlier read in the same function.

use super::methods::Method;
use eml::model::{LocationId, Model, NodeId, Operation, ProcedureId};
use std::collections::{BTreeSet, VecDeque};

/// The lines of a method on which reads of a location can use the value of an earlier read; none if the method may
/// write the location, or if the reads of a line could be changed in some of its functions only. Linear in the method.
///
/// A read is *dominated* if each path to it in its function has another read of the location: it is not reachable from
/// the entry on nodes that do not read it.
pub(super) fn repeated_reads(
    model: &Model,
    method: &Method,
    location: LocationId,
    writes: &[BTreeSet<usize>],
) -> BTreeSet<u32> {
    if method.functions.iter().any(|function| writes[function.index()].contains(&location.index())) {
        return BTreeSet::new();
    }
    let (mut repeated, mut first) = (BTreeSet::new(), BTreeSet::new());
    for function in &method.functions {
        let firsts = first_reads(model, *function, location);
        for node in model.procedure(*function).nodes().filter(|node| reads(model, *node, location)) {
            let line = model.node(node).position.line;
            let of_line = if firsts.contains(&node) { &mut first } else { &mut repeated };
            of_line.insert(line);
        }
    }
    &repeated - &first
}

fn reads(model: &Model, node: NodeId, location: LocationId) -> bool {
    model.node(node).operation == Operation::Read(location)
}

/// The reads of a location in a function that are reached without another one.
fn first_reads(model: &Model, function: ProcedureId, location: LocationId) -> BTreeSet<NodeId> {
    let entry = model.procedure(function).entry();
    let (mut seen, mut open, mut found) = (BTreeSet::from([entry]), VecDeque::from([entry]), BTreeSet::new());
    while let Some(node) = open.pop_front() {
        if reads(model, node, location) {
            found.insert(node);
            continue;
        }
        open.extend(model.successors(node).iter().copied().filter(|next| seen.insert(*next)));
    }
    found
}

//! Calls that acquire a lock only if nobody holds it. A thread does not wait there, so it is not part of a deadlock.

use crate::facts::heap::Heap;
use crate::graph::names::source_path;
use java::ir::Operation;
use java::library::Action;
use java::{Member, MethodId};
use std::collections::BTreeSet;

/// Methods of semaphores and of atomic variables that act as locks, by the beginnings of their names.
const TRYING: [&str; 4] = ["tryAcquire", "compareAnd", "weakCompareAnd", "getAndSet"];

/// The source files and lines of such calls in some methods.
pub(super) fn tries(heap: &Heap<'_>, methods: impl Iterator<Item = MethodId>) -> BTreeSet<(String, u32)> {
    let methods: BTreeSet<MethodId> = methods.collect();
    let mut found = BTreeSet::new();
    for method in methods {
        let Some(body) = heap.body(method) else { continue };
        let statements = body.blocks().flat_map(|(_, block)| &*block.statements);
        let tries = statements.filter(|statement| match &statement.operation {
            Operation::Invoke { member, .. } => is_try(heap, *member),
            _ => false,
        });
        let file = source_path(heap.program, heap.program.method(method).class);
        found.extend(tries.map(|statement| (file.clone(), statement.line)));
    }
    found
}

fn is_try(heap: &Heap<'_>, member: Member) -> bool {
    let name = heap.program.text(member.name);
    let tries = |action: &Action| matches!(action, Action::Tries { .. });
    TRYING.iter().any(|start| name.starts_with(start))
        || heap.row_of_member(member).is_some_and(|row| row.actions.iter().any(tries))
}

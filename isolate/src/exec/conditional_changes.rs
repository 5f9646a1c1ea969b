//! Reads before a change that repeats the test.
//!
//! **Definition.** A *conditional change* is a compare-and-set of an atomic, or `putIfAbsent` or `computeIfAbsent` of a
//! concurrent map. Control *repeats a read in a conditional change* after a branch if each path from there, before it
//! ends, makes such a change of the object that was read, for a map under the same key. A method of the program on the
//! way counts if it does so itself, for an object that a field leads to and a key that it gets as an argument.
//!
//! **Rule** [`Retests`](crate::Rule::Retests). A read of an atomic or of a concurrent map whose value is used only for
//! a branch is no access on the side of the branch that repeats the read in a conditional change:
//! `if (map.get(k) == null) map.putIfAbsent(k, v);`.
//!
//! *Why it suffices.* The change itself finds out whether it may happen. The unit is as one that tries to change at
//! once.

use super::context::{Point, Steps};
use super::execution::{Execution, Position};
use super::interpreter::Interpreter;
use super::retests::{DEEPEST, Place, is_dead_on};
use crate::Rule;
use crate::graph::Step;
use crate::value::Lock;
use java::ir::{BlockId, Body, Definition, Edge, End, Operation, Variable};
use java::library::{Action, Guard};
use java::{InvokeKind, Member};
use rustc_hash::FxHashSet;

impl Interpreter<'_> {
    /// The branch before the read that an edge repeats in a conditional change.
    pub(super) fn before_conditional_change(
        &self,
        execution: &Execution,
        at: Position<'_>,
        edge: &Edge,
    ) -> Option<Option<usize>> {
        if !self.heap.modality.omits(Rule::Retests) {
            return None;
        }
        let (read_at, before) = read_in_one_step(execution, at)?;
        let statement = at.code.body.block(read_at.block).statements.get(read_at.index as usize)?;
        let Operation::Invoke { member, arguments, .. } = &statement.operation else { return None };
        let row = self.heap.row_of_member(*member)?;
        let is_repeated = !row.writes_state()
            && is_dead_on(at, edge, statement.to?)
            && self.leads_to_change(at, edge.target, arguments);
        is_repeated.then_some(before)
    }

    /// Whether each path from a block makes a conditional change of the first of these arguments, under the second one
    /// as the key.
    fn leads_to_change(&self, at: Position<'_>, block: BlockId, read: &[Variable]) -> bool {
        let sought = read.first().and_then(|object| self.field_read_into(&at.code.body, *object));
        all_paths(&at.code.body, block, |operation| {
            let Operation::Invoke { kind, member, arguments } = operation else { return false };
            if self.changes_if_unchanged(at, *member, arguments, read) {
                return true;
            }
            let sought = sought.map(|place| Sought { place, key: read.get(1).copied() });
            sought.is_some_and(|sought| self.callee_changes((*kind, *member), arguments, sought, DEEPEST))
        })
    }

    fn changes_if_unchanged(
        &self,
        at: Position<'_>,
        member: Member,
        arguments: &[Variable],
        read: &[Variable],
    ) -> bool {
        let terms = &at.code.terms;
        let is_same = |place: usize| match (read.get(place), arguments.get(place)) {
            (Some(one), Some(other)) => one == other || terms.of(*one) == terms.of(*other),
            _ => false,
        };
        is_same(0) && self.is_conditional_change(member, || is_same(1))
    }

    /// Whether a call is a conditional change of its receiver; of a map, if the key is the one that was read.
    fn is_conditional_change(&self, member: Member, is_same_key: impl Fn() -> bool) -> bool {
        let Some(row) = self.heap.row_of_member(member) else { return false };
        let compares = row.actions.iter().any(|action| matches!(action, Action::ComparesAndSets(_)));
        let adds = self.heap.adds_if_absent(member) && row.guard() == Guard::Operations;
        compares || (adds && is_same_key())
    }

    /// The field that an operation reads into a variable, if the field does not change.
    fn field_read_into(&self, body: &Body, variable: Variable) -> Option<Place> {
        let Definition::Statement(id) = body.variable(variable).definition else { return None };
        self.read_place(&body.statement(id).operation).filter(|place| self.heap.is_unchanging(place.field))
    }

    /// Whether each path of a called method makes a conditional change of the object that was read.
    fn callee_changes(&self, call: (InvokeKind, Member), arguments: &[Variable], sought: Sought, depth: usize) -> bool {
        let Some((_, body)) = self.only_callee(call).filter(|_| depth > 0) else { return false };
        let parameter = |of: Variable| {
            let position = arguments.iter().position(|argument| *argument == of)?;
            body.parameters.get(position).copied()
        };
        let object = match sought.place.object.map(parameter) {
            Some(None) => return false,
            Some(object) => object,
            None => None,
        };
        let sought = Sought { place: Place { object, ..sought.place }, key: sought.key.and_then(parameter) };
        all_paths(&body, BlockId::ENTRY, |operation| {
            let Operation::Invoke { kind, member, arguments } = operation else { return false };
            let receiver = arguments.first().and_then(|object| self.field_read_into(&body, *object));
            let is_same_key = || sought.key.is_some() && arguments.get(1).copied() == sought.key;
            let is_change = receiver == Some(sought.place) && self.is_conditional_change(*member, is_same_key);
            is_change || self.callee_changes((*kind, *member), arguments, sought, depth - 1)
        })
    }
}

/// The object that was read, by the field that leads to it, and the key that was looked up.
#[derive(Clone, Copy)]
struct Sought {
    place: Place,
    key: Option<Variable>,
}

/// Whether each path from a block that ends executes one of these operations before. Linear.
fn all_paths(body: &Body, from: BlockId, is_sought: impl Fn(&Operation) -> bool) -> bool {
    let mut known = FxHashSet::default();
    let mut open = vec![from];
    while let Some(block) = open.pop() {
        if !known.insert(block) {
            continue;
        }
        let of = body.block(block);
        if of.statements.iter().any(|statement| is_sought(&statement.operation)) {
            continue;
        }
        match &of.end {
            End::Goto(edge) => open.push(edge.target),
            End::Branch { holds, fails, .. } => open.extend([holds.target, fails.target]),
            End::Switch { .. } | End::Return(_) | End::Throw(_) => return false,
        }
    }
    true
}

/// The point of a read in one step that ends before a branch, with the branch before it.
fn read_in_one_step(execution: &Execution, at: Position<'_>) -> Option<(Point, Option<usize>)> {
    let branch = |number: usize| &execution.tree[number];
    let last = at.after?;
    let point = branch(last).at;
    let step = |number: usize| match &branch(number).steps {
        Some(Steps::One(step)) if branch(number).at == point => Some(*step),
        _ => None,
    };
    let Step::Release(lock @ Lock::Operations(_), _) = step(last)? else { return None };
    let read = branch(last).after?;
    let Step::Read(_) = step(read)? else { return None };
    let begin = branch(read).after?;
    let Step::Acquire(begun, _) = step(begin)? else { return None };
    (begun == lock && point.block == at.point.block).then(|| (point, branch(begin).after))
}

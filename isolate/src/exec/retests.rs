//! Tests that are repeated under a lock.
//!
//! **Definition.** Control *retests* a field after a branch if each path from there, before it ends and before it
//! accesses anything that changes, acquires a lock, then reads the field of the same object again, and tests the value.
//! A method of the program on the way counts if it does so itself.
//!
//! **Rule** [`Retests`](crate::Rule::Retests). A read whose value is used only for a branch is no access on the side of
//! the branch that retests the field: `if (x == null) synchronized (this) { if (x == null) x = ...; }`.
//!
//! *Why it suffices.* The value of the first read decides only whether control looks again. The unit is as one that
//! looks under the lock at once. On the other side the read stays: there its value is the answer.

use super::context::{Point, Steps};
use super::execution::{Execution, Position};
use super::interpreter::Interpreter;
use super::state::State;
use crate::Rule;
use crate::facts::set_once::unset_side;
use crate::graph::Step;
use crate::value::{RegionId, Value};
use java::ir::{Block, BlockId, Body, Definition, Edge, End, Operation, Variable};
use java::library::Action;
use java::{Condition, FieldId, InvokeKind, Member, MethodId};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Maximal depth of calls in the search for the second read.
pub(super) const DEEPEST: usize = 2;

/// A field of an object, or a static field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) object: Option<Variable>,
    pub(super) field: FieldId,
}

/// The search for a second read.
#[derive(Default)]
struct Search {
    known: FxHashSet<(BlockId, bool)>,
    /// Whether the second read is in the method itself.
    is_here: bool,
}

/// The result of a search for a second read in a block.
enum Found {
    /// The field is read and tested again.
    Retest,
    /// Something else that changes is accessed, or the field is read for another use.
    Other,
    /// Nothing; the flag says whether a lock is held after the block.
    Nothing(bool),
}

/// Whether the branch at the end of a block depends on a value that the block reads.
fn tests(of: &Block, read: Variable) -> bool {
    let mut derived = FxHashSet::from_iter([read]);
    for statement in &of.statements {
        if let Some(to) = statement.to
            && statement.operation.uses().iter().any(|used| derived.contains(used))
        {
            derived.insert(to);
        }
    }
    let is_branch = matches!(of.end, End::Branch { .. } | End::Switch { .. });
    is_branch && of.end.uses().iter().any(|value| derived.contains(value))
}

/// Whether a variable is not used on an edge and after it.
pub(super) fn is_dead_on(at: Position<'_>, edge: &Edge, variable: Variable) -> bool {
    let live = at.code.live(Point { block: edge.target, index: 0 });
    live.binary_search(&variable).is_err() && !edge.arguments.contains(&variable)
}

impl Interpreter<'_> {
    /// The branch before an edge without the read that the edge retests.
    pub(super) fn before_retest(&self, execution: &Execution, at: Position<'_>, edge: &Edge) -> Option<usize> {
        let before = self.retested(execution, at, edge).map(|(before, ..)| before);
        before.or_else(|| self.before_conditional_change(execution, at, edge)).unwrap_or(at.after)
    }

    /// Whether a branch has an edge that retests the field that was read before it.
    pub(super) fn has_retest(&self, execution: &Execution, at: Position<'_>, end: &End) -> bool {
        match end {
            End::Branch { holds, fails, .. } => [holds, fails].into_iter().any(|edge| {
                self.retested(execution, at, edge).is_some()
                    || self.before_conditional_change(execution, at, edge).is_some()
            }),
            _ => false,
        }
    }

    /// If an edge retests the field that was read before it: the branch before the read, the field, and whether this
    /// method reads it again itself.
    fn retested(&self, execution: &Execution, at: Position<'_>, edge: &Edge) -> Option<(Option<usize>, Place, bool)> {
        if !self.heap.modality.omits(Rule::Retests) {
            return None;
        }
        let branch = &execution.tree[at.after?];
        let is_read = matches!(branch.steps, Some(Steps::One(Step::Read(_)))) && branch.at.block == at.point.block;
        let body = &at.code.body;
        let statement = is_read.then(|| body.block(branch.at.block).statements.get(branch.at.index as usize))??;
        let place = self.read_place(&statement.operation)?;
        let read = statement.to?;
        let mut search = Search::default();
        let is_retested =
            is_dead_on(at, edge, read) && self.retests(body, edge.target, place, (false, DEEPEST), &mut search);
        is_retested.then_some((branch.after, place, search.is_here))
    }

    /// Notes that a branch has found a field set that is set once.
    pub(super) fn settle_tested(
        &self,
        at: Position<'_>,
        state: &mut State,
        (condition, values): (Condition, &[Variable]),
        is_taken: bool,
    ) {
        let is_asked = self.heap.modality.omits(Rule::Retests);
        if !unset_side(condition).is_some_and(|unset| is_asked && unset != is_taken) {
            return;
        }
        for value in values {
            let Definition::Statement(id) = at.code.body.variable(*value).definition else { continue };
            if let Some(place) = self.read_place(&at.code.body.statement(id).operation) {
                self.settle_place(state, place);
            }
        }
    }

    /// Notes that a field that is set once is set after the method that a branch calls to set it.
    pub(super) fn settle_in_callee(&self, execution: &Execution, at: Position<'_>, edge: &Edge, state: &mut State) {
        if let Some((_, place, false)) = self.retested(execution, at, edge) {
            self.settle_place(state, place);
        }
    }

    fn settle_place(&self, state: &mut State, place: Place) {
        let region = match place.object.map(|object| state.value(object)) {
            None => None,
            Some(Value::Region(region)) => Some(region),
            Some(_) => return,
        };
        if self.heap.is_set_once(place.field) {
            state.settle((region, place.field));
        }
    }

    /// Whether reads of a field are no accesses, since the thread has found it set, and it is set once.
    pub(super) fn is_settled(&self, state: &State, region: Option<RegionId>, field: FieldId) -> bool {
        self.heap.modality.omits(Rule::Retests) && state.is_settled((region, field))
    }

    /// Notes an assignment to a field that is set once.
    pub(super) fn settle_assigned(&self, state: &mut State, region: Option<RegionId>, field: FieldId) {
        if self.heap.modality.omits(Rule::Retests) && self.heap.is_set_once(field) {
            state.settle((region, field));
        }
    }

    /// The field that an operation reads.
    pub(super) fn read_place(&self, operation: &Operation) -> Option<Place> {
        let field = |member: &Member| self.heap.program.resolve_field(*member).found();
        match operation {
            Operation::GetField { object, field: member } => {
                Some(Place { object: Some(*object), field: field(member)? })
            }
            Operation::GetStatic(member) => Some(Place { object: None, field: field(member)? }),
            _ => None,
        }
    }

    /// Whether each path from a block retests a place.
    fn retests(
        &self,
        body: &Body,
        block: BlockId,
        place: Place,
        (is_locked, depth): (bool, usize),
        search: &mut Search,
    ) -> bool {
        let mut open = vec![(block, is_locked)];
        while let Some((block, is_locked)) = open.pop() {
            if !search.known.insert((block, is_locked)) {
                continue;
            }
            match self.retests_in(body.block(block), place, (is_locked, depth), search) {
                Found::Retest => {}
                Found::Nothing(is_locked) => match &body.block(block).end {
                    End::Goto(edge) => open.push((edge.target, is_locked)),
                    End::Branch { holds, fails, .. } => {
                        open.extend([holds, fails].map(|edge| (edge.target, is_locked)));
                    }
                    End::Switch { .. } | End::Return(_) | End::Throw(_) => return false,
                },
                Found::Other => return false,
            }
        }
        true
    }

    /// Looks for a retest in the statements of a block.
    fn retests_in(
        &self,
        of: &Block,
        place: Place,
        (mut is_locked, depth): (bool, usize),
        search: &mut Search,
    ) -> Found {
        let retest = |is_it: bool| if is_it { Found::Retest } else { Found::Other };
        for statement in &of.statements {
            match &statement.operation {
                Operation::MonitorEnter(_) => is_locked = true,
                operation @ (Operation::GetField { .. } | Operation::GetStatic(_)) => {
                    let Some(read) = self.read_place(operation) else { return Found::Other };
                    if read == place {
                        search.is_here = true;
                        return retest(is_locked && statement.to.is_some_and(|read| tests(of, read)));
                    }
                    if !self.heap.is_unchanging(read.field) {
                        return Found::Other;
                    }
                }
                Operation::Invoke { kind, member, arguments } => {
                    if self.acquires_receiver(*member) {
                        is_locked = true;
                        continue;
                    }
                    if let Some(holds) = self.changes_locks_only(*member) {
                        is_locked &= holds;
                        continue;
                    }
                    return retest(self.callee_retests((*kind, *member), arguments, place, (is_locked, depth)));
                }
                Operation::Constant(_)
                | Operation::Binary(..)
                | Operation::Negate(..)
                | Operation::Convert(..)
                | Operation::Narrow(..)
                | Operation::Compare(..)
                | Operation::CheckCast(..)
                | Operation::InstanceOf(..) => {}
                _ => return Found::Other,
            }
        }
        Found::Nothing(is_locked)
    }

    /// Whether the thread still holds its locks after a call of a library method that gives or releases locks only.
    fn changes_locks_only(&self, member: Member) -> Option<bool> {
        let row = self.heap.row_of_member(member)?;
        let is_one = |action: &Action| matches!(action, Action::ReadLock | Action::WriteLock | Action::Releases(_));
        let releases = |action: &Action| matches!(action, Action::Releases(_));
        let only_locks = !row.actions.is_empty() && row.actions.iter().all(is_one);
        only_locks.then(|| !row.actions.iter().any(releases))
    }

    /// Whether a called method of the program retests a place.
    fn callee_retests(
        &self,
        call: (InvokeKind, Member),
        arguments: &[Variable],
        place: Place,
        (is_locked, depth): (bool, usize),
    ) -> bool {
        let Some((method, body)) = self.only_callee(call).filter(|_| depth > 0) else { return false };
        let object = match place.object {
            None => None,
            Some(object) => {
                let Some(position) = arguments.iter().position(|argument| *argument == object) else { return false };
                let Some(parameter) = body.parameters.get(position) else { return false };
                Some(*parameter)
            }
        };
        let is_locked = is_locked || self.heap.program.method(method).flags.is_synchronized();
        let place = Place { object, ..place };
        self.retests(&body, BlockId::ENTRY, place, (is_locked, depth - 1), &mut Search::default())
    }

    /// The method of the program that a call runs, with its code, if no class overrides it.
    pub(super) fn only_callee(&self, (kind, member): (InvokeKind, Member)) -> Option<(MethodId, Arc<Body>)> {
        let program = self.heap.program;
        let method = program.resolve_method(member).found()?;
        let body = self.heap.body(method)?;
        let is_other =
            matches!(kind, InvokeKind::Virtual | InvokeKind::Interface) && program.overriders(method).methods.len() > 1;
        (!is_other).then_some((method, body))
    }
}

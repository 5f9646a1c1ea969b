//! Objects that are taken out of containers: `poll`, `take`, `remove`, `getAndSet(null)`.
//!
//! **Definition.** A call *takes* its result if it removes the object from its receiver and returns it. A call *puts
//! back* an argument if each value that the argument may have was taken from the same receiver before, or is newly
//! made, and at least one was taken, or if the call stands where `remove` of the same object has returned true; if the
//! take does not block, one is newly made, so that an empty container changes nothing but the object's age.
//!
//! **Rule** [`TakenObjects`](crate::Rule::TakenObjects). A unit that has taken a followed object holds a lock of it
//! until it stores the object again ([`Lock::Owner`](crate::value::Lock::Owner)). To put an object back is no access of
//! the container.
//!
//! *Why it suffices.* An object that is in a container once is taken by one unit at a time. Accesses by units that have
//! not taken it hold no lock, so their conflicts remain. A pool does not say which of its objects it gives, so no unit
//! notices when an object comes back.

use super::heap::Heap;
use crate::Rule;
use java::ir::{BlockId, Body, Definition, Dominators, End, Operation, Variable};
use java::library::Action;
use java::{Comparison, Condition, Constant, Member};
use rustc_hash::FxHashSet;

const TAKING: [&str; 9] =
    ["poll", "pollFirst", "pollLast", "take", "takeFirst", "takeLast", "removeFirst", "removeLast", "pop"];

/// Values of a variable that a call stores.
#[derive(Default)]
struct Sources {
    taken: bool,
    blocks: bool,
    made: bool,
    other: bool,
}

impl Heap<'_> {
    /// Whether a call takes its result, by [`TakenObjects`](Rule::TakenObjects).
    pub(crate) fn takes_result(&self, body: &Body, member: Member, arguments: &[Variable]) -> bool {
        if !self.modality.omits(Rule::TakenObjects) {
            return false;
        }
        let Some(row) = self.row_of_member(member) else { return false };
        let name = self.program.text(member.name);
        let gives = row.actions.iter().any(|action| matches!(action, Action::Gives(_)));
        let is_removal = name == "remove" && !self.program.text(member.descriptor).ends_with(")Z");
        let sets_null = || {
            let given = arguments.get(1).map(|given| body.variable(*given).definition);
            let is_null = matches!(given, Some(Definition::Statement(id))
                if body.statement(id).operation == Operation::Constant(Constant::Null));
            row.actions.iter().any(|action| matches!(action, Action::GetsAndSets(_))) && is_null
        };
        gives && (TAKING.contains(&name) || is_removal) && row.writes_state() || sets_null()
    }

    /// Whether a call puts an argument back.
    pub(crate) fn puts_back(
        &self,
        body: &Body,
        (receiver, stored): (Variable, Variable),
        block: BlockId,
        is_same: &dyn Fn(Variable, Variable) -> bool,
    ) -> bool {
        if !self.modality.omits(Rule::TakenObjects) {
            return false;
        }
        if self.is_removed_before(body, (receiver, stored), block, is_same) {
            return true;
        }
        let mut sources = Sources::default();
        let mut known = FxHashSet::from_iter([stored]);
        let mut open = vec![stored];
        while let Some(variable) = open.pop() {
            match body.variable(variable).definition {
                Definition::Statement(id) => match &body.statement(id).operation {
                    Operation::CheckCast(_, value) => open.extend(known.insert(*value).then_some(*value)),
                    Operation::New(_) | Operation::NewArray(..) => sources.made = true,
                    Operation::Invoke { member, arguments, .. }
                        if arguments.first().is_some_and(|first| is_same(*first, receiver))
                            && self.takes_result(body, *member, arguments) =>
                    {
                        sources.taken = true;
                        let name = self.program.text(member.name);
                        sources.blocks |= name.starts_with("take");
                    }
                    _ => sources.other = true,
                },
                Definition::Joined(block, place) => {
                    let edges = body.blocks().flat_map(|(_, of)| super::method::Method::edges(&of.end));
                    let passed = edges.filter(|edge| edge.target == block);
                    let values: Vec<Variable> =
                        passed.filter_map(|edge| edge.arguments.get(place as usize).copied()).collect();
                    open.extend(values.into_iter().filter(|value| known.insert(*value)));
                }
                Definition::Parameter(_) | Definition::Caught(_) => sources.other = true,
            }
        }
        sources.taken && !sources.other && (sources.made || sources.blocks)
    }

    /// Whether a block stands where `remove` of an object from a receiver has returned true.
    fn is_removed_before(
        &self,
        body: &Body,
        (receiver, stored): (Variable, Variable),
        block: BlockId,
        is_same: &dyn Fn(Variable, Variable) -> bool,
    ) -> bool {
        let removes = |value: &Variable| {
            let Definition::Statement(id) = body.variable(*value).definition else { return false };
            let Operation::Invoke { member, arguments, .. } = &body.statement(id).operation else { return false };
            let [from, removed] = arguments[..] else { return false };
            self.program.text(member.name) == "remove"
                && self.program.text(member.descriptor).ends_with(")Z")
                && is_same(from, receiver)
                && is_same(removed, stored)
        };
        let mut dominators = None;
        body.blocks().any(|(_, of)| {
            let End::Branch { condition, values, holds, fails } = &of.end else { return false };
            let removed = match condition {
                Condition::Zero(Comparison::NotEqual) => holds,
                Condition::Zero(Comparison::Equal) => fails,
                _ => return false,
            };
            values.iter().any(removes)
                && holds.target != fails.target
                && dominators.get_or_insert_with(|| Dominators::new(body)).dominates(removed.target, block)
        })
    }
}

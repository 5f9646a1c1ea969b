//! The effect of a violation for a caller: an exception, a lost change, a wrong result, or a value that has changed.
//!
//! The code at the accesses of the witness shows the effect. An exception is named only if three things hold: the unit
//! tests a value, it later uses the value so that the use fails unless the test holds, and the interfering access
//! stores or removes exactly what makes the use fail. So `average()`, which divides by a counter that it has found not
//! to be 0, can fail because of `reset()`, which stores 0, and not because of `record()`, which adds 1. Among several
//! interfering calls that violate a unit, the one with the strongest effect is shown (see `interferers`). The effect
//! decides no verdict.

use super::calls::{Call, removes, shrinks, structural};
use super::code::{self, AccessSite, Flows};
use super::{Case, Judge, only_reads, simple_field};
use crate::violations::section::{accesses_of, is_access, own_accesses};
use decide::findings::Group;
use decide::witness::{Action, Step};
use java::ir::{Body, Operation, Variable};
use java::{Constant, Operator};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The effect of a violation for a caller, the strongest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// A call can throw an exception.
    Exception,
    /// A change or an element is lost.
    Loss,
    /// A result or a decision is wrong, or values that belong together stay different.
    WrongResult,
    /// A value differs from the one that was read or written before.
    #[default]
    ChangedValue,
}

/// An exception that the unit throws in the interleaving, with the step that causes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// An integer that was not 0 is, where it divides.
    Division,
    /// A reference that was not null is, where it is used.
    Null,
    /// An element that was found is no longer there, and its absence is null.
    NullElement,
    /// An element is no longer there; with the name of the exception.
    Missing(&'static str),
    /// A collection changes during an iteration.
    Iteration,
    /// An index that was inside an array is outside.
    Index,
}

impl Failure {
    /// The simple name of the exception.
    pub(super) fn exception(self) -> &'static str {
        match self {
            Self::Division => "ArithmeticException",
            Self::Null | Self::NullElement => "NullPointerException",
            Self::Missing(name) => name,
            Self::Iteration => "ConcurrentModificationException",
            Self::Index => "ArrayIndexOutOfBoundsException",
        }
    }
}

/// An access of the witness with the code that makes it.
pub(super) struct Place<'w> {
    step: &'w Step,
    body: Arc<Body>,
}

impl Place<'_> {
    pub(super) fn step(&self) -> &Step {
        self.step
    }

    pub(super) fn body(&self) -> &Body {
        &self.body
    }
}

impl Judge<'_> {
    /// The exception that the unit throws in the interleaving, as far as the code shows it.
    pub(super) fn failure(&self, case: &Case<'_>, flows: Flows) -> Option<Failure> {
        let own = own_accesses(case.witness);
        let [first, .., last] = *own else { return None };
        let steps = &case.witness.steps;
        if steps[first].action != Action::Read || !self.is_same_object(case, first, last) {
            return None;
        }
        let between = (first..last).filter(|place| {
            let step = &steps[*place];
            step.thread != 0 && is_access(step) && step.action == Action::Write && step.object == steps[last].object
        });
        let writes: Vec<Place<'_>> = between.filter_map(|place| self.place(case, place)).collect();
        let used = self.place(case, last)?;
        let found = self.place(case, first)?;
        let is_tested = flows.is_known && flows.to_condition;
        let location = case.meanings.location(steps[last].object.as_deref()?);
        let some = |holds: &dyn Fn(&Place<'_>) -> bool| writes.iter().any(holds);
        if location.ends_with(']') {
            let calls = |place: &Place<'_>| self.calls(case, place);
            let uses = calls(&used);
            if some(&|write| calls(write).iter().any(|call| structural(call.name)))
                && self.is_fail_fast(location)
                && self.iterates(case, &used)
            {
                return Some(Failure::Iteration);
            }
            if is_tested && some(&|write| calls(write).iter().any(|call| call.stores_zero)) && self.divides(case, &used)
            {
                return Some(Failure::Division);
            }
            let is_looked_up = calls(&found).iter().any(|call| call.looks_up());
            if is_tested && is_looked_up && some(&|write| calls(write).iter().any(|call| shrinks(call.name))) {
                let missing = uses.iter().find_map(Call::exception_if_missing);
                let absent = uses.iter().any(Call::is_null_if_missing) && flows.later_is_dereferenced;
                return missing.map(Failure::Missing).or(absent.then_some(Failure::NullElement));
            }
            return None;
        }
        if !is_tested {
            return None;
        }
        if some(&|write| self.stores(case, write, is_zero)) && self.divides(case, &used) {
            return Some(Failure::Division);
        }
        let lowers = |write: &Place<'_>| self.stores(case, write, is_zero) || self.subtracts(case, write);
        if some(&lowers) && self.indexes(case, &used) {
            return Some(Failure::Index);
        }
        None
    }

    /// Whether two steps access one location.
    pub(super) fn is_same_object(&self, case: &Case<'_>, one: usize, other: usize) -> bool {
        case.witness.steps[one].object == case.witness.steps[other].object
    }

    pub(super) fn place<'w>(&self, case: &Case<'w>, place: usize) -> Option<Place<'w>> {
        let step = case.witness.steps.get(place)?;
        let body = self.method_of(&step.function, case.meanings).and_then(|method| self.body(method))?;
        Some(Place { step, body })
    }

    pub(super) fn site<'a>(&self, case: &'a Case<'_>, step: &'a Step) -> AccessSite<'a> {
        let full = case.meanings.location(step.object.as_deref().unwrap_or_default());
        AccessSite {
            line: step.line,
            is_direct: true,
            called: None,
            action: step.action,
            field: simple_field(full),
            is_content: full.ends_with(']'),
        }
    }

    /// The library calls that make an access.
    pub(super) fn calls<'a>(&'a self, case: &Case<'_>, place: &Place<'_>) -> Vec<Call<'a>> {
        let site = self.site(case, place.step);
        let operations = code::operations(self.program, &place.body, &site);
        operations.into_iter().filter_map(|operation| Call::of(self.program, &place.body, operation)).collect()
    }

    /// Whether the line of an access takes the next element of an iterator.
    fn iterates(&self, case: &Case<'_>, place: &Place<'_>) -> bool {
        let site = self.site(case, place.step);
        let mut calls = code::operations_of_line(self.program, &place.body, &site)
            .into_iter()
            .filter_map(|operation| Call::of(self.program, &place.body, operation));
        calls.any(|call| call.owner == "java/util/Iterator" && call.name == "next")
    }

    /// Whether an access of a field stores a constant of a kind.
    fn stores(&self, case: &Case<'_>, place: &Place<'_>, is_one: fn(&Constant) -> bool) -> bool {
        let site = self.site(case, place.step);
        code::operations(self.program, &place.body, &site).into_iter().any(|operation| match operation {
            Operation::PutField { value, .. } | Operation::PutStatic(_, value) => {
                code::constant(&place.body, *value).is_some_and(is_one)
            }
            _ => false,
        })
    }

    /// Whether an access of a field stores a difference.
    fn subtracts(&self, case: &Case<'_>, place: &Place<'_>) -> bool {
        let site = self.site(case, place.step);
        code::operations(self.program, &place.body, &site).into_iter().any(|operation| match operation {
            Operation::PutField { value, .. } | Operation::PutStatic(_, value) => code::is_lowered(&place.body, *value),
            _ => false,
        })
    }

    /// The values that an access gets.
    fn values(&self, case: &Case<'_>, place: &Place<'_>) -> Vec<Variable> {
        // A counter that is written back was read by the same method.
        let site = AccessSite { action: Action::Read, ..self.site(case, place.step) };
        code::results(self.program, &place.body, &site)
    }

    /// Whether the value of an access divides an integer.
    fn divides(&self, case: &Case<'_>, place: &Place<'_>) -> bool {
        code::numbers_from(&place.body, self.values(case, place)).iter().any(|(value, operation)| match operation {
            Operation::Binary(Operator::Divide | Operator::Remainder, kind, [_, divisor]) => {
                divisor == value && code::is_integer(*kind)
            }
            _ => false,
        })
    }

    /// Whether the value of an access, or a sum or difference of it, is the index of an array.
    fn indexes(&self, case: &Case<'_>, place: &Place<'_>) -> bool {
        code::numbers_from(&place.body, self.values(case, place)).iter().any(|(value, operation)| match operation {
            Operation::LoadElement { index, .. } | Operation::StoreElement { index, .. } => index == value,
            _ => false,
        })
    }

    /// Whether a location is the content of a collection whose iterators fail if it changes.
    fn is_fail_fast(&self, location: &str) -> bool {
        const NAMES: [&str; 11] = [
            "ArrayList",
            "LinkedList",
            "ArrayDeque",
            "PriorityQueue",
            "HashMap",
            "LinkedHashMap",
            "TreeMap",
            "HashSet",
            "LinkedHashSet",
            "TreeSet",
            "Vector",
        ];
        let class = self.collection_class(location);
        class.is_some_and(|class| class.strip_prefix("java/util/").is_some_and(|name| NAMES.contains(&name)))
    }

    /// The effect of a violation, and the sentence that describes it.
    pub(super) fn effect(&self, case: &Case<'_>, flows: Flows, failure: Option<Failure>) -> Effect {
        let only_reads = only_reads(case.witness);
        let is_used = flows.is_known && (flows.to_condition || flows.to_result);
        if failure.is_some() {
            return Effect::Exception;
        }
        match case.group {
            Group::Deadlock => Effect::Exception,
            Group::LostUpdate if self.loses_nothing(case) => match flows.is_known && flows.to_condition {
                true => Effect::WrongResult,
                false => Effect::ChangedValue,
            },
            Group::LostUpdate if flows.is_known && flows.to_later && !only_reads => Effect::Loss,
            Group::LostUpdate if flows.is_known && flows.to_condition => match self.replaces(case) {
                true => Effect::Loss,
                false => Effect::WrongResult,
            },
            Group::InconsistentValues => Effect::WrongResult,
            Group::InconsistentReads if is_used => Effect::WrongResult,
            Group::UnrepeatableRead if is_used && flows.later_is_dereferenced => Effect::WrongResult,
            _ => Effect::ChangedValue,
        }
    }

    /// Whether the last write of the unit keeps the changes of others.
    pub(super) fn loses_nothing(&self, case: &Case<'_>) -> bool {
        let last = own_accesses(case.witness).last().and_then(|place| self.place(case, *place));
        last.is_some_and(|place| place.step().action == Action::Write && self.keeps_changes(case, &place))
    }

    /// Whether the unit looks for an element, finds none, and replaces the one that the interfering call has put in.
    /// Two calls of one method put what is computed from the key, and usually the same.
    pub(super) fn replaces(&self, case: &Case<'_>) -> bool {
        let own = own_accesses(case.witness);
        let [first, .., last] = *own else { return false };
        let [found, used] = [first, last].map(|place| self.place(case, place));
        let (Some(found), Some(used)) = (found, used) else { return false };
        let other = accesses_of(case.witness, 1).into_iter().filter(|place| *place > first && *place < last);
        let puts = |place: &Place<'_>| self.calls(case, place).iter().any(|call| call.name == "put");
        let is_other = |place: &Place<'_>| place.step.function != used.step.function;
        let is_looked_up = self.calls(case, &found).iter().any(|call| call.looks_up());
        let mut others = other.filter_map(|place| self.place(case, place));
        is_looked_up
            && puts(&used)
            && others.any(|place| puts(&place) && is_other(&place))
            && !removes(&self.calls(case, &used))
    }
}

/// Whether a constant is the number 0.
fn is_zero(constant: &Constant) -> bool {
    matches!(constant, Constant::Int(0) | Constant::Long(0))
}

impl Effect {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exception => "exception",
            Self::Loss => "loss",
            Self::WrongResult => "wrong-result",
            Self::ChangedValue => "changed-value",
        }
    }
}

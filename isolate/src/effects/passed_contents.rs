//! Collections and arrays that are passed to unknown methods.
//!
//! For findings, rule [`UnknownCode`](crate::Rule::UnknownCode), a method without code and without a row accesses
//! nothing of the subject, but it *reads the content* of a followed collection or array that it gets as an argument. A
//! callee has no other use for one, unless it stores it: constructors, and methods without a result whose name begins
//! with `set` or `add`, are taken to store it, and read nothing. Whether the callee changes the content as well is not
//! known, and left out. By rule [`PassedFunctions`](crate::Rule::PassedFunctions), it calls each function that it gets
//! at most once in a call, unless its name says that it traverses something: `Mono.defer(() -> ...)` is one round, and
//! what two rounds in one call would do to each other is a guess.

use crate::Rule;
use crate::exec::context::{ContextId, Steps};
use crate::exec::execution::{Call, Execution, Position};
use crate::exec::interpreter::Interpreter;
use crate::graph::{Exit, Step};
use crate::value::RegionId;
use java::InvokeKind;

/// Parts of the names of methods that call a function for each of several objects, or again and again.
const TRAVERSING: [&str; 24] = [
    "all",
    "any",
    "apply",
    "collect",
    "count",
    "each",
    "exists",
    "filter",
    "find",
    "fold",
    "generate",
    "group",
    "iterate",
    "loop",
    "map",
    "merge",
    "partition",
    "reduce",
    "repeat",
    "replace",
    "sort",
    "times",
    "traverse",
    "visit",
];

impl Interpreter<'_> {
    /// Adds the reads of the collections and arrays that an unknown method gets.
    pub(super) fn read_passed_contents(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        mut after: Option<usize>,
        call: &Call<'_>,
    ) -> Option<usize> {
        if self.only_stores(call) {
            return after;
        }
        let receivers = usize::from(call.kind != InvokeKind::Static);
        for value in call.values.iter().skip(receivers) {
            for region in self.own_contents(*value) {
                if !self.is_passed_container(region) {
                    continue;
                }
                for location in self.content_locations(region) {
                    after = execution.add_steps(after, Steps::One(Step::Read(location)), at.line());
                }
            }
        }
        after
    }

    /// Whether an unknown method calls each function that it gets at most once, by
    /// [`PassedFunctions`](Rule::PassedFunctions).
    pub(super) fn runs_each_once(&self, call: &Call<'_>) -> bool {
        let name = self.heap.program.text(call.member.name).to_ascii_lowercase();
        self.heap.modality.omits(Rule::PassedFunctions) && !TRAVERSING.iter().any(|part| name.contains(part))
    }

    /// Runs at most one function of each argument, in the order of the arguments.
    pub(super) fn run_each_once(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        mut after: Option<usize>,
        by_argument: Vec<Vec<ContextId>>,
    ) -> Option<usize> {
        for contexts in by_argument {
            for context in &contexts {
                self.contexts[context.index()].callers.insert(at.caller());
            }
            let calls = contexts.into_iter().map(|context| Step::Call(context, Exit::Any)).collect();
            after = execution.add_steps(after, Steps::Optional(calls), at.line());
        }
        after
    }

    /// Whether a method, by its name, stores its arguments for later.
    fn only_stores(&self, call: &Call<'_>) -> bool {
        let program = self.heap.program;
        let name = program.text(call.member.name);
        let has_result = program.result_type(call.member.descriptor).is_some();
        name == "<init>" || !has_result && (name.starts_with("set") || name.starts_with("add"))
    }

    /// Whether a region is a collection or an array.
    fn is_passed_container(&self, region: RegionId) -> bool {
        let objects = &self.regions.regions[region.index()].objects;
        !objects.is_empty() && objects.iter().all(|object| self.heap.is_container(*object))
    }
}

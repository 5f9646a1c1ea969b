//! Methods that the library calls of what it comes across, such as `hashCode` of what a collector puts into a set.
//!
//! What a row calls of its own arguments and contents is found by their values. But the elements of a stream are what
//! functions give, and comparators and collectors call methods of elements that no argument of the call holds.
//!
//! **Definition.** *Hooks* are the methods `equals`, `hashCode`, `compareTo`, `compare` and `toString`, those by which
//! containers show what they hold, and, where a stream is run, all functions. A row *moves* objects if it runs what it
//! is given, calls methods of anything, or calls an object of the library as a function.
//!
//! **Invariant.** If a row moves objects, then each hook that the pointer analysis finds to run at the call is run by
//! it, with what the pointer analysis says of its parameters, unless the row has run the method already. *Why it is
//! enough.* The pointer analysis follows all objects that are moved, and calls what rows of any depth call of them. It
//! does not tell calls of one statement apart, so perhaps more is run than can be, which is coarser.

use super::super::execution::{Execution, Here};
use super::super::interpreter::{Interpreter, Kind};
use super::Doing;
use crate::isolate::Stuck;
use crate::isolate::value::Value;
use java::MethodId;
use java::ir::StatementId;
use java::library::{Action, Source, Subject, TRAVERSAL, Thread};

/// The methods that all objects have, and those that compare.
const HOOKS: [&str; 5] = ["equals", "hashCode", "compareTo", "compare", "toString"];

impl Interpreter<'_> {
    /// What the row has not run of the hooks is run, any number of times.
    pub(super) fn runs_hooks(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
    ) -> Result<(), Stuck> {
        if !doing.row.actions.iter().any(|action| self.moves(at, doing, action)) {
            return Ok(());
        }
        let method = self.contexts[at.id.index()].method;
        let site = StatementId { block: at.point.block, index: at.point.index };
        let Some(callees) = self.heap.points.callees(method, site) else { return Ok(()) };
        let runs_stream = self.runs_stream(doing);
        let program = self.heap.program;
        let is_hook = |function: &MethodId| {
            let declared = program.method(*function);
            let name = program.text(declared.name);
            declared.has_code() && (runs_stream || HOOKS.contains(&name) || TRAVERSAL.contains(&name))
        };
        let functions = callees.functions.iter().copied().filter(is_hook);
        let missed: Vec<MethodId> = functions.filter(|function| !doing.ran.contains(function)).collect();
        let mut contexts = Vec::new();
        for function in missed {
            contexts.extend(self.context_with_unknown(function, Vec::new())?.iter());
        }
        self.runs_contexts(execution, at, doing, (contexts, Vec::new()), (Thread::Caller, false))
    }

    /// Whether an action moves objects.
    fn moves(&self, at: Here<'_>, doing: &Doing<'_, '_>, action: &Action) -> bool {
        match action {
            Action::Runs(_) | Action::Traverses { .. } => true,
            Action::Calls(call) => match (call.whom, &call.method) {
                (Source::Itself(whom), None) => self.is_of_library_function(at, doing, whom),
                (Source::Itself(_), Some(_)) => false,
                (Source::Content(_) | Source::Any | Source::Yielded | Source::Value, _) => true,
            },
            _ => false,
        }
    }

    /// Whether a function may be an object of the library: a comparator.
    fn is_of_library_function(&self, at: Here<'_>, doing: &Doing<'_, '_>, whom: Subject) -> bool {
        let value = Self::value_of(doing.call, whom);
        match (value, Self::variable_of(doing.call, whom)) {
            (Value::Made(made), _) => matches!(self.made(made).kind, Kind::Library(_)),
            (Value::Region(region), _) => !self.is_given(region),
            (_, Some(variable)) => {
                let held = self.heap.variable(self.contexts[at.id.index()].method, variable);
                held.into_iter().any(|object| self.heap.is_of_library(object))
            }
            (_, None) => false,
        }
    }

    /// Whether the row runs a stream.
    fn runs_stream(&self, doing: &Doing<'_, '_>) -> bool {
        let class = self.heap.program.text(doing.call.member.class);
        class.starts_with("java/util/stream/")
            && doing.row.actions.iter().any(|action| matches!(action, Action::Runs(_)))
    }
}

//! Doubtful call stacks at the accesses of a witness.
//!
//! If the analysis does not know the receiver of a call, it assumes all possible ones. Call stacks of a witness show
//! this: a method is on the stack twice, as a wrapper calls the same method of the wrapped object; the library calls a
//! method that it was never given; another object of the class accesses the parts of the first one. Each of these
//! happens in real programs, too, so this is evidence for the order of a report, never for a verdict.

use super::{Case, Judge};
use crate::violations::section::{Frame, accesses_of, frames};
use decide::witness::Witness;
use isolate::{Claim, Meanings};
use java::ir::Operation;
use java::{ClassId, FieldId, MethodId, Program};
use std::collections::BTreeSet;

/// Methods that the library calls on its arguments.
const CALLED_BY_LIBRARY: [&str; 12] = [
    "equals",
    "hashCode",
    "toString",
    "compareTo",
    "compare",
    "iterator",
    "accept",
    "apply",
    "test",
    "applyAsInt",
    "applyAsLong",
    "applyAsDouble",
];

impl Judge<'_> {
    /// Whether a method is twice on the call stack of an access. Linear in the witness.
    pub(super) fn is_recursive(&self, witness: &Witness, meanings: &Meanings) -> bool {
        frames_of_all(witness).iter().any(|frames| {
            let mut seen = BTreeSet::new();
            // The first frame is the thread itself.
            frames
                .iter()
                .skip(1)
                .filter_map(|frame| self.method_of(&frame.function, meanings))
                .any(|it| !seen.insert(it))
        })
    }

    /// Whether the library or code that is not given, not the program, makes a call that leads to an access. Linear in
    /// the witness and in the code of the methods on its call stacks.
    pub(super) fn is_called_back(&self, witness: &Witness, meanings: &Meanings) -> bool {
        frames_of_all(witness).iter().any(|frames| {
            let inner = frames.get(1..).unwrap_or_default();
            inner.windows(2).any(|pair| self.is_by_library(&pair[0], &pair[1], meanings))
        })
    }

    fn is_by_library(&self, caller: &Frame, callee: &Frame, meanings: &Meanings) -> bool {
        let program = self.program;
        let Some(called) = self.method_of(&callee.function, meanings) else { return false };
        let Some(body) = self.method_of(&caller.function, meanings).and_then(|method| self.body(method)) else {
            return false;
        };
        let name = program.text(program.method(called).name);
        if program.is_constructor(called) || name.contains('$') || CALLED_BY_LIBRARY.contains(&name) {
            return false;
        }
        let mut is_any = false;
        for (_, block) in body.blocks() {
            for statement in block.statements.iter().filter(|statement| statement.line == caller.line) {
                match &statement.operation {
                    Operation::InvokeDynamic { .. } => return false,
                    Operation::Invoke { member, .. } if program.text(member.name) == name => return false,
                    Operation::Invoke { .. } => is_any = true,
                    _ => {}
                }
            }
        }
        is_any
    }

    /// Whether the unit, or all interfering calls, are methods of another object of the subject's class, but all
    /// locations are parts of the subject.
    pub(super) fn is_of_another_object(&self, case: &Case<'_>) -> bool {
        if case.is_program || case.claim == Claim::Statics {
            return false;
        }
        let is_part = |name: &String| {
            let field = self.first_field(case.meanings.location(name));
            field.is_some_and(|field| !self.program.field(field).flags.is_static())
        };
        let is_other = |name: &str, label: &str| {
            let is_own = ["this.", "new ", "other."].iter().any(|begin| label.starts_with(begin));
            !is_own && self.method(name).is_some_and(|method| is_instance_method(self.program, method, case.class))
        };
        let begin = format!("{}.", case.by_label.split('.').next().unwrap_or_default());
        let are_others = || {
            case.by.first().is_some_and(|by| is_other(by, case.by_label))
                && case.other_by_labels.iter().all(|label| label.starts_with(&begin))
        };
        (is_other(case.unit, case.unit_label) || are_others())
            && case.locations.iter().all(is_part)
            && !self.is_in_lambda(case.witness, case.meanings)
    }

    /// Whether a lambda makes an access: it belongs to the object that created it, whichever thread runs it.
    fn is_in_lambda(&self, witness: &Witness, meanings: &Meanings) -> bool {
        frames_of_all(witness).iter().filter_map(|frames| frames.last()).any(|frame| {
            let method = self.method_of(&frame.function, meanings);
            method.is_some_and(|method| self.program.text(self.program.method(method).name).starts_with("lambda$"))
        })
    }

    /// The first field in the full name of a location.
    fn first_field(&self, location: &str) -> Option<FieldId> {
        let program = self.program;
        // The longest prefix that names a class is the class.
        let mut ends = location.rmatch_indices('.').map(|(place, _)| place);
        let (end, class) = ends.find_map(|end| program.find(&location[..end]).map(|class| (end, class)))?;
        let name = location[end + 1..].split(['.', '[']).next()?;
        let mut fields = program.superclasses(class).flat_map(|class| program.class(class).fields());
        fields.find(|field| program.text(program.field(*field).name) == name)
    }
}

/// The frames at all accesses of all threads.
fn frames_of_all(witness: &Witness) -> Vec<Vec<Frame>> {
    (0..witness.threads.len()).flat_map(|thread| frames(witness, &accesses_of(witness, thread))).collect()
}

/// Whether a method is an instance method of a class, of a superclass or of a subclass.
fn is_instance_method(program: &Program, method: MethodId, class: ClassId) -> bool {
    let declared = program.method(method);
    let related = |one: ClassId, of: ClassId| program.is_subtype(one, of);
    !declared.flags.is_static()
        && !program.is_constructor(method)
        && (related(declared.class, class) || related(class, declared.class))
}

//! Whether the interfering write stores null.
//!
//! A unit that tests a reference for null and reads it again fails if null is written in between. If another object is
//! written, the unit uses that one. The value is that of the write in the witness: a constant, a new object, or a
//! parameter, whose value is found in the calls of the witness. If it is unknown, the values of all writes of the field
//! count, except in constructors.

use super::code::Flows;
use super::{Case, Judge, Kind, only_reads, simple_field};
use crate::violations::section::{Frame, accesses_of, frames, own_accesses};
use decide::witness::{Action, Witness};
use isolate::Meanings;
use java::ir::{Body, Definition, Operation, Variable};
use java::{Constant, FieldId, Member};
use std::sync::Arc;

/// A written value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Written {
    /// Null.
    Null,
    /// An unknown value.
    Unknown,
    /// An object, or a number.
    Value,
}

impl Judge<'_> {
    /// Notes the evidence of the value that the unit finds at its second access.
    pub(super) fn note_replacement(&self, case: &Case<'_>, flows: Flows, note: &mut dyn FnMut(Kind, bool)) {
        let is_setter = self.interferes_by_setter(case);
        let is_read_again = only_reads(case.witness);
        let is_reference = is_read_again && self.holds_reference(case.witness, case.meanings);
        let written = match is_setter || is_reference {
            true => self.written_meanwhile(case.witness, case.meanings),
            false => Written::Unknown,
        };
        // A setter that stores null ends the use of the old object.
        note(Kind::PlainSetter, is_setter && written != Written::Null);
        let is_used = flows.is_known && flows.to_condition && is_read_again && flows.later_is_dereferenced;
        // A client passes null to a setter only on purpose.
        let is_never_null = match written {
            Written::Value => true,
            Written::Unknown => flows.to_condition && is_setter,
            Written::Null => false,
        };
        let is_replaced = flows.is_known && is_reference && !flows.is_dereferenced && is_never_null;
        note(Kind::UsedAfterTest, is_used && !is_replaced);
        let own = own_accesses(case.witness);
        let is_same = own.first().zip(own.last()).is_some_and(|(first, last)| self.is_same_object(case, *first, *last));
        note(Kind::SetToNull, is_used && is_reference && is_same && written == Written::Null);
        note(Kind::OnlyReplaced, is_replaced);
    }

    /// The value that other threads write to the location of the unit's first access: null if one of the writes is of
    /// null. If that is unknown, the value that the program writes. Linear in the witness, in the code of the methods
    /// on its call stacks, and of those that access the field.
    fn written_meanwhile(&self, witness: &Witness, meanings: &Meanings) -> Written {
        let Some(object) = own_accesses(witness).first().map(|place| &witness.steps[*place].object) else {
            return Written::Unknown;
        };
        let location = meanings.location(object.as_deref().unwrap_or_default());
        if location.ends_with(']') {
            return Written::Unknown;
        }
        // The shown call counts, as the sentence says that it stores null; each other one is judged by itself.
        match self.written_in(witness, object, simple_field(location), meanings) {
            Written::Unknown => self.field(location).map_or(Written::Unknown, |field| self.written_anywhere(field)),
            known => known,
        }
    }

    /// The value that the program writes to a field outside constructors.
    fn written_anywhere(&self, field: FieldId) -> Written {
        let program = self.program;
        let mut found: Option<Written> = None;
        for method in self.callers().accessing(field) {
            let Some(body) = self.body(method) else { return Written::Unknown };
            for statement in body.blocks().flat_map(|(_, block)| &block.statements) {
                let (Operation::PutField { field: member, value, .. } | Operation::PutStatic(member, value)) =
                    &statement.operation
                else {
                    continue;
                };
                if program.resolve_field(*member).found() == Some(field) {
                    let written = match body.variable(*value).definition {
                        Definition::Statement(id) => of_operation(&body.statement(id).operation),
                        _ => Written::Unknown,
                    };
                    found = Some(found.map_or(written, |known| known.min(written)));
                }
            }
        }
        found.unwrap_or(Written::Unknown)
    }

    /// The value that other threads write in a witness to a location, which is a field of this name.
    fn written_in(&self, witness: &Witness, object: &Option<String>, field: &str, meanings: &Meanings) -> Written {
        let threads = 1..witness.threads.len();
        let writes = threads.flat_map(|thread| {
            let all = accesses_of(witness, thread);
            let at = frames(witness, &all);
            all.into_iter().zip(at).filter(|(place, _)| {
                let step = &witness.steps[*place];
                step.action == Action::Write && step.object == *object
            })
        });
        let written = writes.map(|(_, frames)| self.written(&frames, field, meanings));
        written.min().unwrap_or(Written::Unknown)
    }

    /// The value that the innermost frame writes to a field of this name.
    fn written(&self, frames: &[Frame], field: &str, meanings: &Meanings) -> Written {
        let program = self.program;
        let Some(frame) = frames.last() else { return Written::Unknown };
        let Some(body) = self.body_of(frame, meanings) else { return Written::Unknown };
        let is_named = |member: &Member| program.text(member.name) == field;
        let mut stored =
            body.blocks().flat_map(|(_, block)| &block.statements).filter_map(|statement| match &statement.operation {
                Operation::PutField { field, value, .. } | Operation::PutStatic(field, value)
                    if statement.line == frame.line && is_named(field) =>
                {
                    Some(*value)
                }
                _ => None,
            });
        let first = stored.next();
        first.map_or(Written::Unknown, |value| self.value(frames, frames.len() - 1, value, meanings))
    }

    /// The value of a variable of the method of a frame.
    fn value(&self, frames: &[Frame], depth: usize, value: Variable, meanings: &Meanings) -> Written {
        let (mut depth, mut value) = (depth, value);
        loop {
            let Some(body) = self.body_of(&frames[depth], meanings) else { return Written::Unknown };
            match body.variable(value).definition {
                Definition::Statement(id) => return of_operation(&body.statement(id).operation),
                // The frame of the thread itself has no code, and clients pass any values.
                Definition::Parameter(number) if depth > 1 => {
                    let Some(argument) = self.argument(&frames[depth - 1], &frames[depth], number, meanings) else {
                        return Written::Unknown;
                    };
                    (depth, value) = (depth - 1, argument);
                }
                _ => return Written::Unknown,
            }
        }
    }

    /// The argument for a parameter in the caller's current call.
    fn argument(&self, caller: &Frame, callee: &Frame, number: u32, meanings: &Meanings) -> Option<Variable> {
        let program = self.program;
        let body = self.body_of(caller, meanings)?;
        let called = program.method(self.method_of(&callee.function, meanings)?);
        let mut calls =
            body.blocks().flat_map(|(_, block)| &block.statements).filter_map(|statement| match &statement.operation {
                Operation::Invoke { member, arguments, .. }
                    if statement.line == caller.line
                        && program.text(member.name) == program.text(called.name)
                        && member.descriptor == called.descriptor =>
                {
                    arguments.get(number as usize).copied()
                }
                _ => None,
            });
        calls.next()
    }

    fn body_of(&self, frame: &Frame, meanings: &Meanings) -> Option<Arc<Body>> {
        self.method_of(&frame.function, meanings).and_then(|method| self.body(method))
    }

    /// Whether the location that the unit accesses first may hold null.
    fn holds_reference(&self, witness: &Witness, meanings: &Meanings) -> bool {
        let first = own_accesses(witness).first().and_then(|place| witness.steps[*place].object.as_deref());
        let location = meanings.location(first.unwrap_or_default());
        let is_reference = |of: &str| of.starts_with(['L', '[']);
        !location.ends_with(']') && self.field_type(location).is_some_and(|of| is_reference(&of))
    }
}

fn of_operation(operation: &Operation) -> Written {
    match operation {
        Operation::Constant(Constant::Null) => Written::Null,
        Operation::Constant(_) | Operation::New(_) | Operation::NewArray(..) | Operation::InvokeDynamic { .. } => {
            Written::Value
        }
        _ => Written::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_the_least_value() {
        assert_eq!([Written::Value, Written::Unknown, Written::Null].into_iter().min(), Some(Written::Null));
        assert_eq!([Written::Value, Written::Unknown].into_iter().min(), Some(Written::Unknown));
        assert_eq!(of_operation(&Operation::Constant(Constant::Null)), Written::Null);
        assert_eq!(of_operation(&Operation::Constant(Constant::Int(0))), Written::Value);
    }
}

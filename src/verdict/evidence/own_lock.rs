//! Whether each side locks the object whose parts are accessed, as its code says.
//!
//! Where several objects of a class count as one, the analysis does not see that two monitors of such objects are one,
//! and reports accesses that each class makes under the monitor of the very object: of a static constant whose methods
//! others call, too, or of a part that each object makes for itself.
//!
//! **Definition.** Some accesses of a thread *lock their object* if a call of an instance method is open at all of them
//! which is synchronized, or stands at all of them between taking the monitor of its receiver, or a lock in a field of
//! it, and letting it go; and if each location has a field on its way that is an instance field of the method's class,
//! or of one above. The lines of the code are compared, so this is evidence for the order of a report, never
//! for a verdict.

use super::super::section::{Frame, accesses_of, frames};
use super::Judge;
use crate::isolate::Meanings;
use crate::witness::Witness;
use java::ir::{Body, Definition, Operation, Variable};
use java::{ClassId, InvokeKind, MethodId, Program};

impl Judge<'_> {
    /// Whether the accesses of the unit, and those that interfere, lock their object. Linear in the witness and in the
    /// code of the methods that are open.
    pub(super) fn locks_its_object(&self, witness: &Witness, meanings: &Meanings) -> bool {
        let all = (0..witness.threads.len()).map(|thread| accesses_of(witness, thread));
        let sides: Vec<Vec<usize>> = all.filter(|side| !side.is_empty()).collect();
        sides.len() > 1 && sides.iter().all(|side| self.is_inside_own_lock(witness, side, meanings))
    }

    fn is_inside_own_lock(&self, witness: &Witness, side: &[usize], meanings: &Meanings) -> bool {
        let at = frames(witness, side);
        let Some(first) = at.first() else { return false };
        let locations: Vec<&str> = side
            .iter()
            .map(|place| meanings.location(witness.steps[*place].object.as_deref().unwrap_or_default()))
            .collect();
        (0..first.len()).any(|depth| {
            let standing: Vec<&Frame> = at.iter().filter_map(|frames| frames.get(depth)).collect();
            let is_open =
                standing.len() == at.len() && standing.iter().all(|frame| frame.activation == first[depth].activation);
            is_open && self.locks_receiver(&standing, &locations, meanings)
        })
    }

    /// Whether the method of a call locks its receiver, of which all locations are parts, at all of its lines.
    fn locks_receiver(&self, standing: &[&Frame], locations: &[&str], meanings: &Meanings) -> bool {
        let Some(method) = self.method_of(&standing[0].function, meanings) else { return false };
        let declared = self.program.method(method);
        if declared.flags.is_static() || !locations.iter().all(|one| self.is_part_of(one, declared.class)) {
            return false;
        }
        let lines = || standing.iter().map(|frame| frame.line);
        declared.flags.is_synchronized()
            || self.locked_lines(method).is_some_and(|[from, to]| lines().all(|line| from <= line && line <= to))
    }

    /// Whether a field on the way to a location is an instance field of a class, or of one above.
    fn is_part_of(&self, location: &str, class: ClassId) -> bool {
        let program = self.program;
        let names: Vec<&str> = location.split(['.', '[', ']']).collect();
        program.superclasses(class).flat_map(|of| program.class(of).fields()).any(|field| {
            let declared = program.field(field);
            !declared.flags.is_static() && names.contains(&program.text(declared.name))
        })
    }

    /// The first and the last line of the code in which a method holds the monitor of its receiver, or a lock of it.
    fn locked_lines(&self, method: MethodId) -> Option<[u32; 2]> {
        let body = self.body(method)?;
        let (mut first, mut last) = (None, None);
        for (_, block) in body.blocks() {
            for statement in &block.statements {
                match handles_own_lock(self.program, &body, &statement.operation) {
                    Some(true) => first = first.into_iter().chain([statement.line]).min(),
                    Some(false) => last = last.into_iter().chain([statement.line]).max(),
                    None => {}
                }
            }
        }
        Some([first?, last?])
    }
}

/// Whether an operation takes the monitor of the receiver or a lock that a field of it holds, or lets it go.
fn handles_own_lock(program: &Program, body: &Body, operation: &Operation) -> Option<bool> {
    match operation {
        Operation::MonitorEnter(of) => is_receiver(body, *of).then_some(true),
        Operation::MonitorExit(of) => is_receiver(body, *of).then_some(false),
        Operation::Invoke { kind: InvokeKind::Virtual | InvokeKind::Interface, member, arguments } => {
            let is_lock = program.text(member.class).starts_with("java/util/concurrent/locks/");
            let is_own = is_lock && is_field_of_receiver(body, *arguments.first()?);
            match program.text(member.name) {
                "lock" | "lockInterruptibly" | "tryLock" if is_own => Some(true),
                "unlock" if is_own => Some(false),
                _ => None,
            }
        }
        _ => None,
    }
}

fn is_receiver(body: &Body, of: Variable) -> bool {
    body.parameters.first() == Some(&of)
}

fn is_field_of_receiver(body: &Body, of: Variable) -> bool {
    match body.variable(of).definition {
        Definition::Statement(id) => match body.statement(id).operation {
            Operation::GetField { object, .. } => is_receiver(body, object),
            _ => false,
        },
        _ => false,
    }
}

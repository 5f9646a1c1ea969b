//! Whether the code of each side locks the object whose parts it accesses.
//!
//! If several objects of a class count as one, the analysis cannot identify two monitors of such objects, and reports
//! accesses that are made under the monitor of the accessed object: of a static constant whose methods other classes
//! call, too, or of a part that each object allocates for itself.
//!
//! **Definition.** Accesses of a thread *lock their object* if one call of an instance method is in progress at all of
//! them that meets two conditions. First, the method is synchronized, or its current line is at all accesses between an
//! acquisition and a release of a lock of its receiver: the monitor of the receiver, the monitor of an object in one of
//! its fields (the outer object, an object that is only a lock), or an explicit lock in one of its fields. Second, the
//! path of each location contains an instance field of the method's class, of a superclass, or of the class of the
//! object with that monitor. Lines of code are compared, so this is evidence for the order of a report, never for a
//! verdict.

use super::Judge;
use crate::violations::section::{Frame, accesses_of, frames};
use decide::witness::Witness;
use isolate::Meanings;
use java::ir::{Body, Definition, Operation, Variable};
use java::{ClassId, InvokeKind, Member, MethodId, Program, Type};

impl Judge<'_> {
    /// Whether the accesses of the unit and the interfering ones lock their object. Linear in the witness and in the
    /// code of the methods on its call stacks.
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

    /// Whether the method of a call locks its receiver at all accesses, and all locations are parts of the receiver.
    fn locks_receiver(&self, standing: &[&Frame], locations: &[&str], meanings: &Meanings) -> bool {
        let Some(method) = self.method_of(&standing[0].function, meanings) else { return false };
        let declared = self.program.method(method);
        if declared.flags.is_static() {
            return false;
        }
        let are_parts = |of: ClassId| locations.iter().all(|one| self.is_part_of(one, of));
        if declared.flags.is_synchronized() && are_parts(declared.class) {
            return true;
        }
        self.locked_lines(method).is_some_and(|LockedLines { lines: [from, to], owner }| {
            standing.iter().all(|frame| from <= frame.line && frame.line <= to)
                && (are_parts(declared.class) || owner.is_some_and(are_parts))
        })
    }

    /// Whether the path of a location contains an instance field of a class or of a superclass.
    fn is_part_of(&self, location: &str, class: ClassId) -> bool {
        let program = self.program;
        let names: Vec<&str> = location.split(['.', '[', ']']).collect();
        program.superclasses(class).flat_map(|of| program.class(of).fields()).any(|field| {
            let declared = program.field(field);
            !declared.flags.is_static() && names.contains(&program.text(declared.name))
        })
    }

    /// The lines of a method that hold a lock of its receiver.
    fn locked_lines(&self, method: MethodId) -> Option<LockedLines> {
        let body = self.body(method)?;
        let (mut first, mut last, mut owner) = (None, None, None);
        for (_, block) in body.blocks() {
            for statement in &block.statements {
                match own_lock_step(self.program, &body, &statement.operation) {
                    Some(LockStep { takes: true, of }) => {
                        first = first.into_iter().chain([statement.line]).min();
                        owner = owner.or(of);
                    }
                    Some(LockStep { takes: false, .. }) => last = last.into_iter().chain([statement.line]).max(),
                    None => {}
                }
            }
        }
        Some(LockedLines { lines: [first?, last?], owner })
    }
}

/// The first and last line at which a lock is held, and the class of the object in a field whose monitor it is.
struct LockedLines {
    lines: [u32; 2],
    owner: Option<ClassId>,
}

/// An acquisition or a release of a lock of the receiver.
struct LockStep {
    takes: bool,
    /// The class of the object in a field whose monitor it is, if that class is given.
    of: Option<ClassId>,
}

/// The acquisition or release in an operation of the monitor of the receiver, of the monitor of an object in one of its
/// fields, or of an explicit lock in one of its fields.
fn own_lock_step(program: &Program, body: &Body, operation: &Operation) -> Option<LockStep> {
    let monitor = |of: Variable, takes: bool| {
        let field = field_of_receiver(body, of);
        let class = field.and_then(|field| match program.field_type(field.descriptor) {
            Some(Type::Class(name)) => program.named(name),
            _ => None,
        });
        (is_receiver(body, of) || field.is_some()).then_some(LockStep { takes, of: class })
    };
    match operation {
        Operation::MonitorEnter(of) => monitor(*of, true),
        Operation::MonitorExit(of) => monitor(*of, false),
        Operation::Invoke { kind: InvokeKind::Virtual | InvokeKind::Interface, member, arguments } => {
            let is_lock = program.text(member.class).starts_with("java/util/concurrent/locks/");
            let is_own = is_lock && field_of_receiver(body, *arguments.first()?).is_some();
            match program.text(member.name) {
                "lock" | "lockInterruptibly" | "tryLock" if is_own => Some(LockStep { takes: true, of: None }),
                "unlock" if is_own => Some(LockStep { takes: false, of: None }),
                _ => None,
            }
        }
        _ => None,
    }
}

fn is_receiver(body: &Body, of: Variable) -> bool {
    body.parameters.first() == Some(&of)
}

/// The field of the receiver that a variable was loaded from.
fn field_of_receiver(body: &Body, of: Variable) -> Option<Member> {
    match body.variable(of).definition {
        Definition::Statement(id) => match body.statement(id).operation {
            Operation::GetField { object, field } if is_receiver(body, object) => Some(field),
            _ => None,
        },
        _ => None,
    }
}

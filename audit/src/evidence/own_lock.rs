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
//! object with that monitor. The two sides lock their object if the locks of both can be one: the monitor of an object
//! of one class, of the object in a field of one name, or an explicit lock. Two different locks protect nothing. Lines
//! of code are compared, so this is evidence for the order of a report, never for a verdict.

use super::Judge;
use crate::violations::section::{Frame, accesses_of, frames};
use decide::witness::Witness;
use isolate::Meanings;
use java::ir::{Body, Definition, Operation, Variable};
use java::{ClassId, InvokeKind, Member, MethodId, Name, Program, Type};

/// A lock of a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OwnLock {
    /// The monitor of an object of a class of the program.
    Monitor(ClassId),
    /// The monitor of another object in a field of this name.
    Field(Name),
    /// A lock of `java.util.concurrent.locks`.
    Explicit,
}

impl Judge<'_> {
    /// Whether the accesses of the unit and the interfering ones lock their object. Linear in the witness and in the
    /// code of the methods on its call stacks.
    pub(super) fn locks_its_object(&self, witness: &Witness, meanings: &Meanings) -> bool {
        let all = (0..witness.threads.len()).map(|thread| accesses_of(witness, thread));
        let locks = all.filter(|side| !side.is_empty()).map(|side| self.own_locks(witness, &side, meanings));
        let locks: Vec<Vec<OwnLock>> = locks.collect();
        let [first, others @ ..] = &*locks else { return false };
        let is_one = |lock: &OwnLock| others.iter().all(|side| side.iter().any(|other| self.may_be_one(*lock, *other)));
        !others.is_empty() && first.iter().any(is_one)
    }

    /// Whether two locks can be one.
    fn may_be_one(&self, one: OwnLock, other: OwnLock) -> bool {
        match (one, other) {
            (OwnLock::Monitor(one), OwnLock::Monitor(other)) => {
                self.program.is_subtype(one, other) || self.program.is_subtype(other, one)
            }
            (one, other) => one == other,
        }
    }

    /// The locks of a receiver that are held at all accesses of a side.
    fn own_locks(&self, witness: &Witness, side: &[usize], meanings: &Meanings) -> Vec<OwnLock> {
        let at = frames(witness, side);
        let Some(first) = at.first() else { return Vec::new() };
        let locations: Vec<&str> = side
            .iter()
            .map(|place| meanings.location(witness.steps[*place].object.as_deref().unwrap_or_default()))
            .collect();
        let lock = |depth: usize| {
            let standing: Vec<&Frame> = at.iter().filter_map(|frames| frames.get(depth)).collect();
            let is_open =
                standing.len() == at.len() && standing.iter().all(|frame| frame.activation == first[depth].activation);
            if is_open { self.lock_of_receiver(&standing, &locations, meanings) } else { None }
        };
        (0..first.len()).filter_map(lock).collect()
    }

    /// The lock of its receiver that the method of a call holds at all accesses, if all locations are parts of the
    /// receiver.
    fn lock_of_receiver(&self, standing: &[&Frame], locations: &[&str], meanings: &Meanings) -> Option<OwnLock> {
        let method = self.method_of(&standing[0].function, meanings)?;
        let declared = self.program.method(method);
        if declared.flags.is_static() {
            return None;
        }
        let are_parts = |of: ClassId| locations.iter().all(|one| self.is_part_of(one, of));
        if declared.flags.is_synchronized() && are_parts(declared.class) {
            return Some(OwnLock::Monitor(declared.class));
        }
        let LockedLines { lines: [from, to], lock } = self.locked_lines(method)?;
        let is_held = standing.iter().all(|frame| from <= frame.line && frame.line <= to);
        let is_of_owner = matches!(lock, OwnLock::Monitor(owner) if are_parts(owner));
        (is_held && (is_of_owner || are_parts(declared.class))).then_some(lock)
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

    /// The lines of a method that hold a lock of its receiver, the first one that it takes.
    fn locked_lines(&self, method: MethodId) -> Option<LockedLines> {
        let body = self.body(method)?;
        let class = self.program.method(method).class;
        let (mut first, mut last, mut taken) = (None, None, None);
        for (_, block) in body.blocks() {
            for statement in &block.statements {
                match own_lock_step(self.program, (&body, class), &statement.operation) {
                    Some(LockStep { takes: true, lock }) => {
                        first = first.into_iter().chain([statement.line]).min();
                        taken = taken.or(Some(lock));
                    }
                    Some(LockStep { takes: false, .. }) => last = last.into_iter().chain([statement.line]).max(),
                    None => {}
                }
            }
        }
        Some(LockedLines { lines: [first?, last?], lock: taken? })
    }
}

/// The first and last line at which a lock is held.
struct LockedLines {
    lines: [u32; 2],
    lock: OwnLock,
}

/// An acquisition or a release of a lock of the receiver.
struct LockStep {
    takes: bool,
    lock: OwnLock,
}

/// The acquisition or release in an operation of the monitor of the receiver, of the monitor of an object in one of its
/// fields, or of an explicit lock in one of its fields.
fn own_lock_step(program: &Program, (body, class): (&Body, ClassId), operation: &Operation) -> Option<LockStep> {
    let monitor = |of: Variable, takes: bool| {
        let lock = match field_of_receiver(body, of) {
            _ if is_receiver(body, of) => OwnLock::Monitor(class),
            Some(field) => match program.field_type(field.descriptor) {
                Some(Type::Class(name)) => program.named(name).map_or(OwnLock::Field(field.name), OwnLock::Monitor),
                _ => OwnLock::Field(field.name),
            },
            None => return None,
        };
        Some(LockStep { takes, lock })
    };
    match operation {
        Operation::MonitorEnter(of) => monitor(*of, true),
        Operation::MonitorExit(of) => monitor(*of, false),
        Operation::Invoke { kind: InvokeKind::Virtual | InvokeKind::Interface, member, arguments } => {
            let is_lock = program.text(member.class).starts_with("java/util/concurrent/locks/");
            let is_own = is_lock && field_of_receiver(body, *arguments.first()?).is_some();
            match program.text(member.name) {
                "lock" | "lockInterruptibly" | "tryLock" if is_own => {
                    Some(LockStep { takes: true, lock: OwnLock::Explicit })
                }
                "unlock" if is_own => Some(LockStep { takes: false, lock: OwnLock::Explicit }),
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

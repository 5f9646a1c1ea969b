//! The sources of the values on the operand stack, within straight-line code.

use super::operand_stack;
use java::{Code, Instruction, InstructionIndex, Kind, Name, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// The source of a value, perhaps through local variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueSource {
    /// Local variable 0, in a method that never assigns it.
    Local0,
    /// The constant null.
    Null,
    /// A new object of exactly this class.
    New(Name),
    /// A new collection of the library of exactly this class.
    Library(&'static str),
    /// Anything.
    Unknown,
}

/// Visits every instruction with the sources of the values on the stack, the top last; see [`operand_stack::walk`].
pub(super) fn walk(
    program: &Program,
    code: &Code,
    mut visit: impl FnMut(InstructionIndex, Instruction, &[ValueSource]),
) {
    let assigned: FxHashSet<usize> = code
        .instructions()
        .filter_map(|(_, instruction)| match instruction {
            Instruction::Store(_, local) => Some(local.index()),
            _ => None,
        })
        .collect();
    // The values stored in local variables since the last join.
    let mut stored: FxHashMap<usize, ValueSource> = FxHashMap::default();
    operand_stack::walk(program, code, |at, instruction, stack, takes, joined| {
        if joined {
            stored.clear();
        }
        visit(at, instruction, stack);
        match instruction {
            Instruction::Store(_, local) => {
                stored.insert(local.index(), stack.last().copied().unwrap_or(ValueSource::Unknown));
            }
            // A subroutine may store anything.
            Instruction::Jsr(_) => stored.clear(),
            Instruction::Load(Kind::Reference, local) if stored.contains_key(&local.index()) => {
                return stored[&local.index()];
            }
            _ => {}
        }
        result(program, instruction, &stack[stack.len().saturating_sub(takes)..], &assigned)
    });
}

/// Returns the source of the result of an instruction with these operands, in code that assigns these local variables.
fn result(
    program: &Program,
    instruction: Instruction,
    taken: &[ValueSource],
    assigned: &FxHashSet<usize>,
) -> ValueSource {
    match instruction {
        Instruction::Load(Kind::Reference, local) if local.index() == 0 && !assigned.contains(&0) => {
            ValueSource::Local0
        }
        Instruction::Constant(java::Constant::Null) => ValueSource::Null,
        Instruction::New(class) => ValueSource::New(class),
        Instruction::CheckCast(_) => taken.last().copied().unwrap_or(ValueSource::Unknown),
        Instruction::Invoke(java::InvokeKind::Static, member) => {
            let [class, name] = [member.class, member.name].map(|name| program.text(name));
            let argument = match taken {
                [ValueSource::New(class)] => Some(program.text(*class)),
                _ => None,
            };
            library_result(class, name, argument).map_or(ValueSource::Unknown, ValueSource::Library)
        }
        _ => ValueSource::Unknown,
    }
}

/// Returns the exact class of the result of a library method; for some it depends on the class of their only argument.
fn library_result(class: &str, name: &str, argument: Option<&str>) -> Option<&'static str> {
    const KEYS: &str = "java/util/concurrent/ConcurrentHashMap$KeySetView";
    match (class, name) {
        ("java/util/concurrent/ConcurrentHashMap", "newKeySet") => Some(KEYS),
        ("java/util/Collections", "newSetFromMap") if argument == Some("java/util/concurrent/ConcurrentHashMap") => {
            Some(KEYS)
        }
        ("java/util/Collections", "synchronizedCollection") => Some("java/util/Collections$SynchronizedCollection"),
        ("java/util/Collections", "synchronizedList") => Some("java/util/Collections$SynchronizedList"),
        ("java/util/Collections", "synchronizedSet") => Some("java/util/Collections$SynchronizedSet"),
        ("java/util/Collections", "synchronizedSortedSet") => Some("java/util/Collections$SynchronizedSortedSet"),
        ("java/util/Collections", "synchronizedNavigableSet") => Some("java/util/Collections$SynchronizedNavigableSet"),
        ("java/util/Collections", "synchronizedMap") => Some("java/util/Collections$SynchronizedMap"),
        ("java/util/Collections", "synchronizedSortedMap") => Some("java/util/Collections$SynchronizedSortedMap"),
        ("java/util/Collections", "synchronizedNavigableMap") => Some("java/util/Collections$SynchronizedNavigableMap"),
        _ => None,
    }
}

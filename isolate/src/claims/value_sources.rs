//! Where the values on the operand stack come from, as far as straight-line code tells.

use super::operand_stack;
use java::{Code, Instruction, InstructionIndex, Kind, Name, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueSource {
    /// Local variable 0, in a method that never assigns it; like all of these, perhaps through other local variables.
    Local0,
    /// It is null.
    Null,
    /// An object that was made of exactly this class.
    New(Name),
    /// A collection of the library that is made of exactly this class.
    Library(&'static str),
    /// Anything.
    Unknown,
}

/// Shows every instruction with the origins of the values on the stack, the top last; see [`straight::walk`].
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
    // What was stored in local variables since control came together.
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
        made(program, instruction, &stack[stack.len().saturating_sub(takes)..], &assigned)
    });
}

/// What an instruction gives that takes these, where these local variables are assigned.
fn made(
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
            library(class, name, argument).map_or(ValueSource::Unknown, ValueSource::Library)
        }
        _ => ValueSource::Unknown,
    }
}

/// The class of what a method of the library makes; some depend on the class of their only argument.
fn library(class: &str, name: &str, argument: Option<&str>) -> Option<&'static str> {
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

//! Where the values on the operand stack come from, as far as straight-line code tells.

use super::straight;
use super::subject::LOCKS;
use java::{Code, FieldId, Instruction, InstructionIndex, Kind, Name, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Local variable 0, in a method that never assigns it; like all of these, perhaps through other local variables.
    First,
    /// Another local variable that is never assigned.
    Argument,
    /// It is null.
    Null,
    /// An object that was made of exactly this class.
    New(Name),
    /// A collection of the library that is made of exactly this class.
    Library(&'static str),
    /// What a field of local variable 0 holds, or a static field.
    Field(FieldId),
    /// A part of a lock of `java.util.concurrent`, of the one that such a field holds if it is known.
    Part(Part, Option<FieldId>),
    /// Anything.
    Unknown,
}

impl Origin {
    /// The same, but a part of a lock whose field is none of these is one of any lock.
    pub(super) fn if_of(self, is_one: impl Fn(FieldId) -> bool) -> Self {
        match self {
            Self::Part(part, Some(field)) if !is_one(field) => Self::Part(part, None),
            known => known,
        }
    }
}

/// A part of a lock of `java.util.concurrent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The side for reading of a read-write lock.
    Read,
    /// The side for writing.
    Write,
    /// A condition.
    Condition,
}

impl Part {
    /// What a method of a lock gives.
    fn given_by(class: &str, name: &str) -> Option<Self> {
        let part = match name {
            "readLock" | "asReadLock" => Self::Read,
            "writeLock" | "asWriteLock" => Self::Write,
            "newCondition" => Self::Condition,
            _ => return None,
        };
        class.starts_with(LOCKS).then_some(part)
    }
}

/// Shows every instruction with the origins of the values on the stack, the top last; see [`straight::walk`].
pub(super) fn walk(program: &Program, code: &Code, mut visit: impl FnMut(InstructionIndex, Instruction, &[Origin])) {
    let assigned: FxHashSet<usize> = code
        .instructions()
        .filter_map(|(_, instruction)| match instruction {
            Instruction::Store(_, local) => Some(local.index()),
            _ => None,
        })
        .collect();
    // What was stored in local variables since control came together.
    let mut stored: FxHashMap<usize, Origin> = FxHashMap::default();
    straight::walk(program, code, |at, instruction, stack, takes, joined| {
        if joined {
            stored.clear();
        }
        visit(at, instruction, stack);
        match instruction {
            Instruction::Store(_, local) => {
                stored.insert(local.index(), stack.last().copied().unwrap_or(Origin::Unknown));
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
fn made(program: &Program, instruction: Instruction, taken: &[Origin], assigned: &FxHashSet<usize>) -> Origin {
    let field = |member| program.resolve_field(member).found().map_or(Origin::Unknown, Origin::Field);
    match instruction {
        Instruction::Load(Kind::Reference, local) if !assigned.contains(&local.index()) => match local.index() {
            0 => Origin::First,
            _ => Origin::Argument,
        },
        Instruction::Constant(java::Constant::Null) => Origin::Null,
        Instruction::New(class) => Origin::New(class),
        Instruction::CheckCast(_) => taken.last().copied().unwrap_or(Origin::Unknown),
        Instruction::Invoke(java::InvokeKind::Static, member) => {
            let [class, name] = [member.class, member.name].map(|name| program.text(name));
            let argument = match taken {
                [Origin::New(class)] => Some(program.text(*class)),
                _ => None,
            };
            library(class, name, argument).map_or(Origin::Unknown, Origin::Library)
        }
        Instruction::GetField(member) if taken == [Origin::First] => field(member),
        Instruction::GetStatic(member) => field(member),
        Instruction::Invoke(_, member) => {
            let [class, name] = [member.class, member.name].map(|name| program.text(name));
            let of = match taken {
                [Origin::Field(field)] => Some(*field),
                _ => None,
            };
            Part::given_by(class, name).map_or(Origin::Unknown, |part| Origin::Part(part, of))
        }
        _ => Origin::Unknown,
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

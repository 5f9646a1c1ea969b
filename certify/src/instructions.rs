//! Instructions, as the page on certificates defines them.

use eml::syntax::ast::Mode;

/// A lock of the model, by its position in the order of the declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Lock(pub(crate) u32);

/// A shared location of the model, by its position in the order of the declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Location(pub(crate) u32);

/// A body of a function or process, by its position in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BodyId(pub(crate) u32);

/// The operation of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Skip,
    Read(Location),
    Write(Location),
    /// The instant before an acquisition.
    Want(Lock, Mode),
    Acquire(Lock, Mode),
    /// Of the last acquisition, or of the last one in a mode.
    Release(Lock, Option<Mode>),
    Wait(Lock),
    /// The instant before a resume.
    WantBack(Lock),
    Resume(Lock),
    Begin,
    End,
    Call(BodyId),
    /// The process that it starts.
    Start(BodyId),
    Return,
}

/// An entry of the open list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opened {
    Lock(Lock, Mode),
    Unit,
}

#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    pub(crate) operation: Operation,
    /// The numbers of its successors in the body.
    pub(crate) next: Vec<usize>,
    /// The locks and units that the body has opened and not closed before it. Empty if it is not reachable.
    pub(crate) open: Vec<Opened>,
}

/// The number of instances of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instances {
    /// The body is a function.
    None,
    AtMost(u32),
    Any,
}

#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) name: String,
    pub(crate) instances: Instances,
    pub(crate) instructions: Vec<Instruction>,
}

impl Body {
    pub(crate) fn is_process(&self) -> bool {
        self.instances != Instances::None
    }
}

/// Computes the open lists: those of all paths to an instruction are equal, so the first path decides. Takes their
/// entries from those that are `left`; `None` if these do not suffice.
pub(crate) fn find_open(instructions: &mut [Instruction], left: &mut usize) -> Option<()> {
    let mut is_seen = vec![false; instructions.len()];
    let mut found = vec![0];
    is_seen[0] = true;
    while let Some(number) = found.pop() {
        let after = open_after(&instructions[number]);
        for next in instructions[number].next.clone() {
            if !std::mem::replace(&mut is_seen[next], true) {
                *left = left.checked_sub(after.len())?;
                instructions[next].open.clone_from(&after);
                found.push(next);
            }
        }
    }
    Some(())
}

/// The open list after an instruction.
pub(crate) fn open_after(instruction: &Instruction) -> Vec<Opened> {
    let mut open = instruction.open.clone();
    let closed = match instruction.operation {
        Operation::Acquire(lock, mode) => {
            open.push(Opened::Lock(lock, mode));
            None
        }
        Operation::Begin => {
            open.push(Opened::Unit);
            None
        }
        Operation::Release(lock, mode) => open.iter().rposition(
            |entry| matches!(entry, Opened::Lock(own, of) if *own == lock && mode.is_none_or(|mode| mode == *of)),
        ),
        Operation::End => open.iter().rposition(|entry| *entry == Opened::Unit),
        _ => None,
    };
    if let Some(place) = closed {
        open.remove(place);
    }
    open
}

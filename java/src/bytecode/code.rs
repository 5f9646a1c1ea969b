//! The decoded code of a method: instructions, handlers, lines.

use super::call_site::CallSite;
use super::instruction::{CallSiteId, Instruction, InstructionIndex, SwitchId};
use crate::class_file::Name;
use std::ops::Range;

/// The decoded code of a method. The program does not cache it.
#[derive(Clone, Debug, PartialEq)]
pub struct Code {
    /// The maximum number of operand stack slots that the class file declares.
    pub max_stack: u16,
    /// The number of local variable slots. The receiver and the parameters come first.
    pub max_locals: u16,
    pub(crate) instructions: Box<[Instruction]>,
    /// The byte offset of each instruction.
    pub(crate) bytes: Box<[u16]>,
    /// The source line of each instruction; 0 if unknown.
    pub(crate) lines: Box<[u16]>,
    pub(crate) handlers: Box<[Handler]>,
    pub(crate) switches: Box<[Switch]>,
    pub(crate) call_sites: Box<[CallSite]>,
}

/// An exception handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    /// The covered instructions. They may include the first instructions of the handler: the handlers by which javac
    /// leaves monitors cover themselves.
    pub covers: Range<usize>,
    /// Its first instruction. The stack then holds only the exception.
    pub target: InstructionIndex,
    /// The class whose instances it catches; none for all exceptions.
    pub catches: Option<Name>,
}

/// A `tableswitch` or `lookupswitch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The values with their targets, in the order of the class file.
    pub cases: Box<[(i32, InstructionIndex)]>,
    /// The target of all other values.
    pub default: InstructionIndex,
}

/// The first line number that stands for a byte offset: `FIRST_OFFSET + n` is byte `n` of code that was compiled
/// without lines. Real line numbers are at most 65,535.
pub const FIRST_OFFSET: u32 = 1 << 16;

/// The byte offset that a line number stands for, if it stands for one: see [`FIRST_OFFSET`].
pub fn code_offset(line: u32) -> Option<u32> {
    line.checked_sub(FIRST_OFFSET)
}

impl Code {
    /// The instructions in order. Execution begins at the first one.
    pub fn instructions(&self) -> impl Iterator<Item = (InstructionIndex, Instruction)> {
        (0..).map(InstructionIndex).zip(self.instructions.iter().copied())
    }

    /// The number of instructions, at least 1.
    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Whether there is no instruction; always false.
    pub fn is_empty(&self) -> bool {
        self.instructions.is_empty()
    }

    /// The instruction at an index.
    ///
    /// # Panics
    /// If the index belongs to the code of another method with more instructions.
    pub fn instruction(&self, index: InstructionIndex) -> Instruction {
        self.instructions[index.index()]
    }

    /// The next instruction. It exists after each instruction that [falls through](Instruction::falls_through).
    pub fn next(&self, index: InstructionIndex) -> InstructionIndex {
        InstructionIndex(index.0 + 1)
    }

    /// The byte offset of an instruction in the code array.
    pub fn byte(&self, index: InstructionIndex) -> u16 {
        self.bytes[index.index()]
    }

    /// The source line of an instruction; none if the class was compiled without lines.
    pub fn line(&self, index: InstructionIndex) -> Option<u16> {
        Some(self.lines[index.index()]).filter(|line| *line != 0)
    }

    /// The source line of an instruction; without lines, its byte offset plus [`FIRST_OFFSET`].
    pub fn place(&self, index: InstructionIndex) -> u32 {
        self.line(index).map_or_else(|| FIRST_OFFSET + u32::from(self.byte(index)), u32::from)
    }

    /// The switch of an index.
    pub fn switch(&self, id: SwitchId) -> &Switch {
        &self.switches[usize::from(id.0)]
    }

    /// The call site of an index.
    pub fn call_site(&self, id: CallSiteId) -> &CallSite {
        &self.call_sites[usize::from(id.0)]
    }

    /// All handlers in the order in which they are tried.
    pub fn handlers(&self) -> &[Handler] {
        &self.handlers
    }

    /// The handlers that cover an instruction, in the order in which they are tried, up to the first one that catches
    /// all exceptions.
    pub fn handlers_at(&self, index: InstructionIndex) -> impl Iterator<Item = &Handler> {
        let mut is_caught = false;
        self.handlers.iter().filter(move |handler| handler.covers.contains(&index.index())).take_while(move |handler| {
            let goes_on = !is_caught;
            is_caught |= handler.catches.is_none();
            goes_on
        })
    }

    /// The distinct successors of an instruction when nothing is thrown. For a branch, the successor for a false
    /// condition comes first. A `ret` has none, as its successors are unknown here; a `jsr` has the subroutine and,
    /// because that returns, the next instruction.
    pub fn successors(&self, index: InstructionIndex) -> Vec<InstructionIndex> {
        let instruction = self.instruction(index);
        let mut successors = Vec::new();
        if instruction.falls_through() {
            successors.push(self.next(index));
        }
        match instruction {
            Instruction::Branch(_, target) | Instruction::Goto(target) | Instruction::Jsr(target) => {
                successors.push(target);
            }
            Instruction::Switch(id) => {
                let switch = self.switch(id);
                successors.push(switch.default);
                successors.extend(switch.cases.iter().map(|case| case.1));
                successors.sort_unstable();
            }
            _ => {}
        }
        successors.dedup();
        successors
    }
}

//! The code of a method: instructions, handlers, lines.

use super::call_site::CallSite;
use super::instruction::{CallSiteId, Instruction, InstructionIndex, SwitchId};
use crate::class_file::Name;
use std::ops::Range;

/// A method's code, decoded. It is not kept by the program: whoever needs it longer keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct Code {
    /// The most slots that the operand stack takes, as the class file says.
    pub max_stack: u16,
    /// How many slots the local variables take; the receiver and the parameters are the first ones.
    pub max_locals: u16,
    pub(crate) instructions: Box<[Instruction]>,
    /// The byte at which each instruction begins.
    pub(crate) bytes: Box<[u16]>,
    /// The source line of each instruction, 0 where none is known.
    pub(crate) lines: Box<[u16]>,
    pub(crate) handlers: Box<[Handler]>,
    pub(crate) switches: Box<[Switch]>,
    pub(crate) call_sites: Box<[CallSite]>,
}

/// Where control goes when something is thrown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    /// The instructions that it covers. Its own first instructions may be among them: javac lets a handler that leaves
    /// a monitor cover itself.
    pub covers: Range<usize>,
    /// Where it begins, with nothing but the exception on the stack.
    pub target: InstructionIndex,
    /// The exceptions that it catches, with their subclasses; none for all.
    pub catches: Option<Name>,
}

/// A `tableswitch` or `lookupswitch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The values that are looked for, with where they lead; in the order of the class file.
    pub cases: Box<[(i32, InstructionIndex)]>,
    /// Where all other values lead.
    pub default: InstructionIndex,
}

/// From here on numbers of lines, of which a class file has at most 65,535, mean bytes of the code array: of code that
/// was compiled without lines.
pub const FIRST_OFFSET: u32 = 1 << 16;

/// The byte of a method's code that is meant instead of a line, if one is.
pub fn code_offset(line: u32) -> Option<u32> {
    line.checked_sub(FIRST_OFFSET)
}

impl Code {
    /// The instructions in order; control begins at the first one.
    pub fn instructions(&self) -> impl Iterator<Item = (InstructionIndex, Instruction)> {
        (0..).map(InstructionIndex).zip(self.instructions.iter().copied())
    }

    /// How many instructions there are: at least one.
    pub fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Whether there is no instruction: never.
    pub fn is_empty(&self) -> bool {
        self.instructions.is_empty()
    }

    /// One instruction.
    ///
    /// # Panics
    /// If the index belongs to the code of another method with more instructions.
    pub fn instruction(&self, index: InstructionIndex) -> Instruction {
        self.instructions[index.index()]
    }

    /// The instruction behind one; there is always one behind an instruction that
    /// [falls through](Instruction::falls_through).
    pub fn next(&self, index: InstructionIndex) -> InstructionIndex {
        InstructionIndex(index.0 + 1)
    }

    /// The byte of the code array at which an instruction begins.
    pub fn byte(&self, index: InstructionIndex) -> u16 {
        self.bytes[index.index()]
    }

    /// The source line of an instruction, if the class was compiled with lines.
    pub fn line(&self, index: InstructionIndex) -> Option<u16> {
        Some(self.lines[index.index()]).filter(|line| *line != 0)
    }

    /// The source line of an instruction; without one, [`FIRST_OFFSET`] more than the byte at which it begins.
    pub fn place(&self, index: InstructionIndex) -> u32 {
        self.line(index).map_or_else(|| FIRST_OFFSET + u32::from(self.byte(index)), u32::from)
    }

    /// A switch.
    pub fn switch(&self, id: SwitchId) -> &Switch {
        &self.switches[usize::from(id.0)]
    }

    /// A call site.
    pub fn call_site(&self, id: CallSiteId) -> &CallSite {
        &self.call_sites[usize::from(id.0)]
    }

    /// All handlers; where several catch an exception, the first one takes it.
    pub fn handlers(&self) -> &[Handler] {
        &self.handlers
    }

    /// The handlers that cover an instruction, in the order in which they are tried. Those behind one that catches
    /// everything are left out.
    pub fn handlers_at(&self, index: InstructionIndex) -> impl Iterator<Item = &Handler> {
        let mut is_caught = false;
        self.handlers.iter().filter(move |handler| handler.covers.contains(&index.index())).take_while(move |handler| {
            let goes_on = !is_caught;
            is_caught |= handler.catches.is_none();
            goes_on
        })
    }

    /// Where control can go from an instruction when nothing is thrown, without repetition: of a branch, first where
    /// the condition does not hold. Behind a `ret` it is not known; a `jsr` leads into its subroutine and, as this
    /// comes back, behind itself.
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

//! The code of one method: instructions with branch targets, handlers, lines, call sites, and the operand stack.
//!
//! [`decode`](decode::decode) turns the bytes of a method into [`Code`]; [`Stacks`] computes the operand stack before
//! each instruction.
//!
//! Source: JVMS 4.7.3 (the attribute `Code`), 4.7.4 (`StackMapTable`) and chapter 6 (instructions).

mod call_site;
mod code;
mod decode;
mod instruction;
mod operand_stack;
mod reference;
mod stack_map;

pub use call_site::{CallSite, CallSiteAction};
pub use code::{Code, FIRST_OFFSET, Handler, Switch, code_offset};
pub use instruction::{
    CallSiteId, Comparison, Condition, Constant, Element, Instruction, InstructionIndex, InvokeKind, Local, Operator,
    StackOperation, SwitchId,
};
pub use operand_stack::{Effect, Rearrangement, StackError, StackProblem, Stacks, rearrange};

pub(crate) use decode::{decode, stack_map_frames};
pub(crate) use operand_stack::effect;
pub(crate) use reference::reference_code;

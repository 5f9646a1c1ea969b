//! Methods in register form: static single assignment, three addresses, typed, with exception edges.
//!
//! A [`Body`] is a control-flow graph of [`Block`]s. Every [`Variable`] has one definition: a parameter of the method,
//! a parameter of a block, or a [`Statement`]. Where paths join, an [`Edge`] passes arguments to the parameters of its
//! target; these are the phi functions of R. Cytron et al., *Efficiently computing static single assignment form and
//! the control dependence graph* (TOPLAS 1991), written as arguments. The operand stack, local variables, `dup` and
//! `swap` are gone; so are subroutines (`jsr`, `ret`), which are inlined.
//!
//! **Invariants.**
//! - Every instruction that control can reach has a statement or an end, unless it only moves values or control.
//! - The definition of a variable dominates its uses.
//! - A statement that can throw lists each handler that covers it, in the order in which the virtual machine tries
//!   them; the last one may catch everything. An exception that none of them catches leaves the method. Statements
//!   before it in the block have happened.

mod bodies;
mod body;
mod build;
mod components;
mod cover;
mod dominators;
mod draft;
mod effort;
mod error;
mod exceptions;
mod finish;
mod flow;
mod graph;
mod joins;
mod liveness;
mod loops;
mod pieces;
mod print;
mod ranges;
mod rename;
mod shapes;
mod simplify;
mod subroutines;
mod translate;
mod types;
mod uses;
mod verify;

pub use bodies::{Bodies, Made};
pub use body::{
    Block, BlockId, Body, Definition, Edge, End, ExceptionEdge, Operation, Statement, StatementId, Variable,
    VariableInfo,
};
pub use dominators::Dominators;
pub use error::{BodyError, Cancelled};
pub use liveness::Liveness;
pub use loops::{LoopId, Loops};
pub use print::Printed;
pub use uses::{Use, Uses};
pub use verify::{Flaw, verify};

//! Methods in register form: typed three-address code in static single assignment form, with exception edges.
//!
//! A [`Body`] is a control-flow graph of [`Block`]s. Every [`Variable`] has one definition: a parameter of the method,
//! a parameter of a block, a caught exception, or a [`Statement`]. At a join, each [`Edge`] passes arguments to the
//! parameters of its target; these replace the phi functions of R. Cytron et al., *Efficiently computing static single
//! assignment form and the control dependence graph* (TOPLAS 1991). There is no operand stack, no local variable slot
//! and no subroutine (`jsr`, `ret`); subroutines are inlined.
//!
//! **Invariants.**
//! - Every reachable instruction has a statement or a block end, unless it only moves values or control.
//! - The definition of a variable dominates its uses.
//! - A statement that can throw lists each handler that covers it, in the order in which the virtual machine tries
//!   them; the last one may catch everything. An exception that none of them catches leaves the method. The preceding
//!   statements of the block have been executed.
//!
//! [`verify`] checks these invariants.

mod bodies;
mod body;
mod budget;
mod build;
mod components;
mod covering_handlers;
mod dominators;
mod draft;
mod error;
mod exceptions;
mod finish;
mod flow;
mod graph;
mod liveness;
mod loops;
mod phi_placement;
mod print;
mod ranges;
mod rename;
mod segments;
mod shapes;
mod simplify;
mod subroutines;
mod translate;
mod types;
mod uses;
mod verify;

pub use bodies::{Bodies, BodyResult};
pub use body::{
    Block, BlockId, Body, Definition, Edge, End, ExceptionEdge, Operation, Statement, StatementId, Variable,
    VariableInfo,
};
pub use dominators::Dominators;
pub use error::{BodyError, Cancelled};
pub use liveness::Liveness;
pub use loops::{LoopId, Loops};
pub use print::DisplayBody;
pub use uses::{Use, Uses};
pub use verify::{Flaw, verify};

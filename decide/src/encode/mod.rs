//! From queries about a model to weighted pushdown systems, and back to paths through the model.
//!
//! [`encoder`] goes down to the saturation, [`solve`] goes back:
//!
//! ```text
//! Encoder::scenarios        query -> participants -> scenarios -> one local word for each participant
//! Encoder::arrangement      scenario -> the locks that matter, as plain locks
//! (the engine)              words for one process -> word tree
//! Encoder::reduce           process -> clone without reentrancy -> reduced flow graph --+
//! Encoder::solve            word tree --------------------------------------------------+-> product -> post* -> total
//! (the engine)              totals of the participants -> a compatible choice, or the scenario is impossible
//! Solved::local_path        element of a total -> run of the product -> path through the model
//! ```
//!
//! The semirings are in [`weights`]: [`Diagrams`], sets of segment sequences; [`PowerSeries`], relations between lock
//! histories as binary decision diagrams; and [`Matrices`] over the positions of a word tree, with either as entries.
//!
//! # One query from text to verdict
//!
//! The model is `models/stack.eml`, Fig. 1 of the paper:
//!
//! ```text
//! fn empty() { sync stack { read item; } }
//! fn pop() { sync stack { read item; read storage; read item; write storage; write item; } }
//! fn get() { call empty; choose { call pop; } or { } }
//! process T1 { sync client1 { atomic { call get; } } }
//! process T2 { sync client2 { atomic { call get; } } }
//! ```
//!
//! The query is pattern 12 with a = item, b = storage, 1 = T1 and 2 = T2: `R1(a) W2(b) W2(a) R1(b)`. The engine is
//! `explicit` with all reductions. A test, `worked_example`, recomputes the values.
//!
//! *Participants.* T1 and T2. No process starts another one, so there are no spawners, and there is one scenario.
//!
//! *Local words.* Each has four phases. The table shows the step that ends each phase; `tick` is a step of the other
//! process. Both units begin before the first of their accesses. That the unit has begun is a property of this access,
//! so it takes no phase of its own.
//!
//! ```text
//! phase  T1                       T2
//!     1  read item in a unit      tick
//!     2  tick, no end of a unit   write storage in a unit
//!     3  tick, no end of a unit   write item, no end of a unit
//!     4  read storage, likewise   tick
//! ```
//!
//! *Contended locks.* Only stack: client1 and client2 are acquired by one process each.
//!
//! *Word tree.* With one word it is a line. T1 has five positions p0 to p4: its four phases, and the end, since it ends
//! the last phase itself. T2 has four.
//!
//! *Reduced process.* The model has 28 nodes. The clone of each process has 22: its body and the three functions, with
//! client1 and client2 as plain steps. The word of T1 mentions both reads and the end of a unit, so writes become plain
//! and are left out. Nodes with the same future are one: `read item; release stack; return` ends both empty and pop.
//! That leaves 12 nodes. The word of T2 mentions both writes; 11 nodes are left.
//!
//! *Product.* Some rules of T1, position by position. In the saturation all rules of an edge are one, whose weight is
//! the matrix of their weights. `+` and `-` stand for acquire and release of stack, `|` for the boundary between two
//! phases. A step that ends a phase by an access has the location between two boundaries. Ticks come together with the
//! next operation on a lock.
//!
//! ```text
//! <p0, acquire stack>  ->  <p0, read item>       +           same phase
//! <p0, read item>      ->  <p1, release stack>   | item |    T1 ends the phase
//! <p1, release stack>  ->  <p1, return>          -           same phase
//! <p1, release stack>  ->  <p2, return>          | -         after one tick
//! <p1, acquire stack>  ->  <p3, read item>       | | +       after two ticks
//! <p3, read storage>   ->  <p4, read item>       | storage | T1 ends the last phase
//! <p1, return>         ->  <p1, >                            a return pops the node
//! ```
//!
//! *Totals.* After post* the total of a process is the set of the segment sequences of all paths that complete its
//! word. These are the segments of the four phases; `.` is the empty one, `+-` uses stack, `-+` releases it and
//! acquires it again, and `+-+` uses it and then acquires it and keeps it.
//!
//! ```text
//! T1 (7)                  T2 (8)
//! +-+  .   .   .          +-+  .   .   .        +-+  .   .   -
//! +   -+   .   .          +-   +   .   .        +-   +   .   -
//! +   -    +   .          .   +-+  .   .        .   +-+  .   -
//! +   .   -+   .          +   -+   .   .        +   -+   .   -
//! +   -    .   +
//! +   .    -   +
//! +   .    .  -+
//! ```
//!
//! *Compatible choice.* In no phase may one process acquire a lock that the other one holds throughout, and the orders
//! that the acquisitions require must have no cycle. T1: `+ - . +`. T2: `+- + . -`. Phase 1: T2 uses stack before T1
//! acquires it. Phase 2: T1 releases it, then T2 acquires it. Phase 4: T2 releases it, then T1 acquires it.
//!
//! *Local paths.* The run of T1 with this element is expanded to nodes of the model. The call of empty in T2 lies
//! within one phase and is one step of its path.
//!
//! ```text
//! phase  T1                                        T2
//!     1  acquire client1, begin, call get,         acquire client2, begin, call get,
//!        call empty, acquire stack, read item      call empty ... return, choose, call pop
//!     2  release stack, return, choose, call pop   acquire stack, read item, read storage, read item, write storage
//!     3  nothing                                   write item
//!     4  acquire stack, read item, read storage    release stack
//! ```
//!
//! *Interleaving.* `witness` orders the steps: T1 up to `read item` and then `release stack`, all of T2, the rest of
//! T1. These are 28 steps without the branching points, with two context switches. The replay accepts them, and the
//! verdict is `violation`; the readme shows the interleaving.

mod clone;
mod compatibility;
mod encoder;
mod flow;
mod locks;
mod participants;
mod reduce;
mod scenario;
mod solve;
mod weights;
mod words;
#[cfg(test)]
mod worked_example;

pub(crate) use compatibility::CompatibilityCheck;
pub(crate) use encoder::Encoder;
pub(crate) use flow::{EdgeId, FlowNode, Instants, Label};
pub(crate) use locks::{Arrangement, ContendedLocks, Variant};
pub(crate) use participants::with_spawners;
pub(crate) use reduce::ReducedProcess;
pub(crate) use scenario::{Scenario, Scenarios};
pub(crate) use solve::{Executed, Solved, Trace, TracedRule, expand, subruns_giving_up};
pub(crate) use weights::{DiagramId, Diagrams, Matrices, PowerSeries, SegmentId, metered, sequence};
pub(crate) use words::{Allowed, LocalAction, LocalWord, Position, WordTree};

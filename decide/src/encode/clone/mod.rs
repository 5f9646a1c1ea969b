//! From a process of the model to a flow graph: cloning removes reentrancy.
//!
//! Nesting is proper, so the held locks, their modes and the open units are functions of the call stack: the procedures
//! on the stack have opened and not closed them. Each procedure is cloned for every pair of held locks and open unit at
//! its entry. Inside a clone an acquisition is *real* iff neither the locks held at the entry nor those opened in the
//! clone contain the lock; the release that closes a real acquisition is real, too. All other acquisitions and
//! releases, and the boundaries of inner units, do nothing. The held locks are restricted to the
//! [slots](super::locks::LockSlots) that matter to the clone or its callees, which keeps the number of clones small.
//! (The paper's introduction calls this language strength reduction.) In [`recursion`] they are bounded.
//!
//! A real acquisition of a contended lock is a chain of edges, one for each of the plain locks that stand for it
//! ([`locks`](super::locks)); the last edge executes the node of the model. A real release is a chain as well; its
//! first edge executes the node. Operations on other locks are plain steps. Two operations have no edge, whether the
//! lock is contended or not, since the process blocks for ever: to acquire a read-write lock in write mode that is held
//! in read mode only, and to wait for a lock that is not held.
//!
//! # Instants of wanting
//!
//! If the words mention wanting a lock, an edge for this instant precedes each real acquisition of it, so that other
//! processes can act in between. Otherwise the instant can happen right before the acquisition in the same phase: only
//! a phase that forbids all steps forbids the instant, and that phase forbids the acquisition as well.
//!
//! # Waiting
//!
//! `wait` releases a lock that is really held, however often it is acquired and in whichever function, and acquires it
//! again. In between the process does nothing else, and afterwards it holds the same locks as before, so the held locks
//! stay a function of the stack; that the lock is not held in between is taken into account where the second edge is
//! made. The edges are not part of the nesting of blocks. They are part of the nesting of plain locks as long as no
//! contended lock was really acquired after the lock and is still held: then the lock is the innermost, and the release
//! and the acquisition are the end of one block and the beginning of another one. Otherwise the lock is *buried*. There
//! the clone has no edge, and the lock is recorded if the process can reach the wait. Then a violation that is found is
//! real, but the absence of violations proves nothing (see [`ClonedProcess::buried`]).

mod cloned_process;
mod cloner;
mod effects;
mod reachability;
mod recursion;

pub(crate) use cloned_process::ClonedProcess;
pub(crate) use cloner::clone_process;

//! From a model's process to a flow graph: reentrancy is removed by cloning.
//!
//! Nesting is proper, so which locks are held in which modes and whether a unit is open are functions of the call
//! stack: they are what the procedures on the stack have opened and not closed. Each procedure is cloned for every pair
//! of locks held and open unit with which it is reached. Inside a clone an acquisition is *real* iff neither what is
//! held there nor what the clone has opened itself contain the lock, and the release that closes it likewise; all
//! others, and the boundaries of inner units, do nothing. What is held is restricted to the [slots](super::locks::LockSlots)
//! that matter to the clone or its callees, which keeps the number of clones down. (The paper's introduction calls this
//! language strength reduction.)
//!
//! A real acquisition of a contended lock is a chain of edges, one for each of the plain locks that stand for it
//! ([`locks`](super::locks)), and the node of the model is executed by the last of them; a real release
//! likewise, by the first. Operations on other locks are plain steps. Two things that need a lock itself lead nowhere,
//! contended or not: to acquire a read-write lock in write mode that is held in read mode only, and to wait for a lock
//! that is not held.
//!
//! # Instants of wanting
//!
//! Where the words speak of wanting a lock, an edge for this instant stands in front of each real acquisition of it, so
//! that other processes can have their turn in between. Where they do not, the instant can happen right before the
//! acquisition in the same phase: only a phase that forbids all steps forbids it, and that forbids the acquisition as
//! well.
//!
//! # Waiting
//!
//! `wait` releases a lock that is really held, however often it is acquired and in whichever function, and acquires it
//! again. In between the process does nothing else, and afterwards it holds what it held, so what is held stays a
//! function of the stack: that it does not hold the lock in between is known where the second edge is made. Neither
//! edge is part of the nesting of blocks, but of that of plain locks, as long as no contended lock was really acquired
//! behind the lock and is still held: then the lock is the innermost, and to release and to acquire it is the end of
//! one block and the beginning of another one. Otherwise it is *buried*. There the clone leads nowhere, and this is
//! written down if the process can come there: what is found all the same is found, but that nothing is found means
//! nothing (see [`ClonedProcess::buried`]).

mod cloned_process;
mod cloner;
mod effects;
mod reached;

pub(crate) use cloned_process::ClonedProcess;
pub(crate) use cloner::clone_process;

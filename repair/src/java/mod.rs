//! Repairs of Java classes: changes of their methods after which the queries of a finding are safe.
//!
//! A class is analysed on its model ([`Isolated`](isolate::Isolated)), in which each method has some functions, one for
//! each choice of its arguments. A [`Change`] names a method and lines of it. It is made in the graphs of all functions
//! of the method, and the changed model is decided. [`java_repairs`] searches the lightest changes.
//!
//! # A lock that is held over lines
//!
//! In each function, the nodes of these lines form a *region*. The change acquires the lock on each edge into the
//! region and releases it on each edge out of it. A release of a lock that was acquired before the region is no part of
//! it, and no return is. Over the whole method, all nodes but returns are the region.
//!
//! This is the effect of `synchronized (lock) { ... }` around the lines, under these conditions; a change that does not
//! meet them is not tried:
//!
//! - *The lines are statements.* In each function, control enters the region on one line, and leaves it to one line,
//!   apart from ways to a return. So no branch leads into the middle of the block, and none but a return out of it. (A
//!   statement may have several nodes, one for each state before it.)
//! - *The functions are the method.* No graph of another method is copied into one of them, whose lines would be
//!   confused with its own; then only the whole method can be locked. The method's graph is not copied elsewhere. The
//!   code of an inherited library method, which stands for a call of the method, is not changed.
//! - *The expression has the same meaning.* `this` is the followed object in a method that is called on it. A method
//!   that also runs on other objects locks those, which the model does not have; so such a method does not lock `this`
//!   or a field of it.
//! - *Locks nest.* A model in which the new lock crosses another one is no model.
//! - *No lock waits for itself.* An explicit lock is reentrant, and a read-write lock is not held for writing where the
//!   thread may hold it for reading.
//! - *No wait.* The region does not wait on another lock, directly or in a call: it would keep the new one.
//!
//! # A field that is read once
//!
//! In a method that writes a volatile field nowhere, not even in its calls, a read of the field on the subject's object
//! that is dominated by another one in the same function may use the value of that read: the thread keeps it in a local
//! variable. The change removes these reads. A line must be changed alike in all functions of the method.
//!
//! # The meaning of a repair
//!
//! A changed model is decided by an engine, and its deadlocks are compared with those of the model before the change.
//! A changed model has no interleaving that the model before has not, apart from the new lock and removed reads. So no
//! other query becomes violated. The model is that of the finding: if it has only the steps that the code certainly
//! takes, so has the repaired one, and a repair is no proof of the class.

mod change;
mod choices;
mod methods;
mod read_once;
mod region;
mod search;
mod weights;

pub use change::{Change, ChangeKind, HeldLock};
pub use search::{JavaBounds, JavaRepair, JavaRepairs, java_repairs};

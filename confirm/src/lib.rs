//! Runs findings of an audit on a Java virtual machine.
//!
//! A finding of [`audit`] is a possible interleaving of a model. [`confirm`] tries to reproduce it with the real
//! classes.
//!
//! - A *client* creates an object, calls the violated unit in one thread and the interfering method in a second thread,
//!   and then inspects the object. An *outcome* is everything that the client observes.
//! - A *schedule* says where the threads are stopped, and in which order they continue.
//! - A finding is *confirmed* if the outcome of a client under a schedule differs from the outcomes of all serial
//!   orders of the same calls.
//!
//! Invariant: a confirmed outcome really occurred, and it differs from every serial run that was observed, on entries
//! that were equal in all runs of the same order (`outcome`). So the selection of clients and schedules
//! (`client_exploration`) decides only how much is found. Effects of time are ruled out: serial runs are
//! paused as long as forced runs, and a candidate is repeated in other virtual machines.
//!
//! If the audit began at a method `main`, no client is made: the program itself runs, and its threads are stopped where
//! the finding says (`program_exploration`).
//!
//! The Java side is in `java/`. A virtual machine, `Target`, makes clients (`Planner`), searches for schedules
//! (`Search`) and runs them (`Attempt`). Its classes are an agent, which rewrites the classes of clients and of the
//! library (`ClassRewriter`), so that they call a scheduler of two threads (`Scheduler`). A run that would reach
//! outside of the target's folder ends the machine before it does so (`Guards`). This protects from accidents, not from
//! malicious code. Whole programs have more threads than two: their hooks are only at the lines of the finding
//! (`PlaceHooks`), and stop some threads while the others run (`ProgramRun`).
//!
//! Source: the criterion is that of M. Pradel, T. R. Gross, *Fully automatic and precise detection of thread safety
//! violations* (PLDI 2012). The schedules come from the finding instead of from chance.

mod answers;
mod attribution;
mod child_process;
mod class_path;
mod client;
mod client_exploration;
mod confirm;
mod controller;
mod embedded_sources;
mod error;
mod event;
mod exploration;
mod factories;
mod finding_places;
mod jdk;
mod machine;
mod options;
mod outcome;
mod program_exploration;
mod question;
mod reproduction;
mod schedule;
mod search_end;
mod sentence;
mod stop;
mod store;
mod test_objects;
mod torn_section;
mod verification;

pub use class_path::class_path;
pub use confirm::{LeftOut, Unreproduced, confirm};
pub use error::{Error, Operation};
pub use event::Event;
pub use factories::Factories;
pub use jdk::Jdk;
pub use options::{Options, ReproductionStyle, Reproductions};
pub use store::ConfirmationStore;

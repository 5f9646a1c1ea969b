//! From a Java program to models, by *random isolation*: one object of a class, whichever it is, is followed exactly, and all
//! others are forgotten. What is proved of it holds of every object of the class. (N. Kidd, T. Reps, J. Dolby, M. Vaziri: Finding
//! concurrency-related bugs using random isolation, VMCAI 2009.)
//!
//! The fields of the object are locations of the model, the locks that are certainly its own (or certainly one for all) are its
//! locks, and everything else does nothing. Leaving out a lock only adds interleavings, so `safe` stays a proof, of what the
//! assumptions say:
//!
//! - constructors do not publish their object;
//! - what a field of the object holds is reached through the object only;
//! - elements of arrays and collections are other objects;
//! - methods that are not there, native or reached by reflection do to their arguments what the table of summaries says, else
//!   nothing;
//! - a method that is not given the object does not find it in a static field.
//!
//! So far clients are unknown (*client mode*): any thread may call any public method, and any other one that the classes of the
//! package call, which are taken to be given all. Classes of the same nest (iterators, for example) are entries, too, where they
//! find the object in their own fields. Parameters of the type `Object` are other objects, but for the receiver.
//!
//! Not followed yet: which element of an array or list it is, conditions that are tested twice, inner objects with the object in
//! their fields that other packages use, static fields as subjects, and programs with their own threads.

mod call;
mod decide;
mod facts;
mod fault;
mod flow;
mod follow;
mod frame;
mod harmless;
mod model;
mod names;
mod subject;
mod value;

pub use decide::{Broken, Decided, Focus, Listed, decide, decide_on};
pub use facts::Facts;
pub use follow::Stuck;
pub use harmless::harmless;
pub use model::{Isolated, NotIsolated};
pub use names::{Meanings, printable};
pub use subject::{Claim, NoSubject, Subject};

use java::{Program, Summaries};

/// The model of one object of a subject's class, used by any number of threads.
///
/// # Errors
/// If there is no model, for the reason that is given.
pub fn isolate(
    program: &Program,
    facts: &Facts,
    summaries: &Summaries,
    subject: &Subject,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Isolated, NotIsolated> {
    model::isolate(follow::Context { program, facts, summaries }, subject, is_cancelled)
}

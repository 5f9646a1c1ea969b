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
//! - methods that are not there, native or reached by reflection do to their arguments what the table of summaries says, else
//!   nothing;
//! - in client mode, a method that is not given the object does not find it in a static field or an array.
//!
//! *Client mode* ([`isolate`]): clients are unknown, and any thread may call any public method; see `entries`. *Program mode*
//! ([`isolate_program`]): the threads are those that the program starts; see `threads`.
//!
//! Parameters of the type `Object` are other objects until they are cast; what is cast, and in program mode an element of an array,
//! may be the object.
//! What other objects hold that are made from the object is remembered; see `object`.
//!
//! The static fields of a class are followed instead of an object where a subject asks for them.
//!
//! What is too large is followed without some calls, and nothing is safe then; see `partial`.
//!
//! Of arrays whose elements are locks, one element is followed; see `element`. Conditions that are tested twice agree; see `agree`.

mod agree;
mod alike;
mod bookkeeping;
mod broken;
mod call;
mod clone_graph;
mod conditions;
mod decide;
mod element;
mod emit;
mod entries;
mod exits;
mod expression;
mod facts;
mod fault;
mod fields;
mod finding;
mod flow;
mod follow;
mod frame;
#[allow(dead_code, unused_imports, reason = "the analysis that uses it is being written")]
mod graph;
mod handles;
mod harmless;
mod held;
mod initial;
#[expect(dead_code, reason = "the analysis that uses it is being written")]
mod interpret;
mod join;
mod locks;
mod model;
mod modes;
mod names;
mod object;
mod origin;
mod outer;
mod partial;
mod program;
mod quotient;
mod reach;
mod refine;
mod retry;
mod rounds;
mod straight;
mod subject;
mod threads;
mod touching;
mod value;

pub use bookkeeping::Bookkeeping;
pub use broken::Broken;
pub use decide::{Decided, Focus, Listed, decide, decide_on};
pub use facts::Facts;
pub use graph::{Isolated, Meanings, NotIsolated, Stuck, printable};
pub use harmless::{harmless, is_settled};
pub use interpret::{Assumption, Coarsening};
pub use modes::{Analysis, isolate_client, isolate_client_within, isolate_main};
pub use program::Main;
pub use subject::{Claim, NoSubject, Subject};

use java::{Program, Summaries};

/// So many states of methods are made for one subject.
const MOST_STATES: usize = 300_000;

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
    isolate_within(program, facts, summaries, subject, MOST_STATES, is_cancelled)
}

/// The same, with at most so many states of methods. A class that has more is followed [in part](Isolated::partial).
///
/// # Errors
/// If there is no model, for the reason that is given.
pub fn isolate_within(
    program: &Program,
    facts: &Facts,
    summaries: &Summaries,
    subject: &Subject,
    most_states: usize,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Isolated, NotIsolated> {
    model::isolate(follow::Context { program, facts, summaries, most_states }, subject, is_cancelled)
}

/// The models of one object of a subject's class as a program uses it that begins at `main`: what holds the object differs between
/// them, and what is a unit of work. What can be broken in any of them can be broken.
///
/// # Errors
/// If there is no model, for the reason that is given.
pub fn isolate_program(
    program: &Program,
    facts: &Facts,
    summaries: &Summaries,
    subject: &Subject,
    main: Main,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Isolated>, NotIsolated> {
    let context = follow::Context { program, facts, summaries, most_states: MOST_STATES };
    model::isolate_program(context, subject, main, is_cancelled)
}

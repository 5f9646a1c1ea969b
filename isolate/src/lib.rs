//! From Java classes to models, by *random isolation*: one object of a class, whichever it is, is analysed exactly, and
//! with it one object of each region that is reached from it. What is proved of them holds of every object of the
//! class. (N. Kidd, T. Reps, J. Dolby, M. Vaziri: Finding concurrency-related bugs using random isolation, VMCAI 2009.)
//!
//! | module | what |
//! |---|---|
//! | `claims` | which classes are subjects |
//! | `interpret` | abstract interpretation of the methods, on regions that a pointer analysis finds |
//! | `modes` | who calls what: clients ([`isolate_client`]), or the threads of a program ([`isolate_main`]) |
//! | `value` | abstract values, and what locations and locks stand for |
//! | `graph` | abstract states become control-flow graphs of a model, made smaller where nobody can notice |
//!
//! Nothing vanishes: an access that cannot be followed exactly goes to a coarser location, a call that cannot be
//! resolved goes to all its targets, and a lock that is not certain is left out, which only adds interleavings. What a
//! proof rests on beside that is an [`Assumption`], and is printed with it.

mod claims;
mod entry_point;
mod graph;
mod interpret;
mod modes;
mod value;

pub use claims::instance_fields;
pub use claims::{Claim, Facts, NoSubject, Subject};
pub use entry_point::Main;
pub use graph::{Isolated, Meanings, MethodMeaning, NotIsolated, Stuck, printable};
pub use interpret::{Assumption, Coarsening, Shared};
pub use modes::{Analysis, Entering, Stage, isolate_client, isolate_client_within, isolate_main};

/// So many states of methods are made for one subject.
pub const MOST_STATES: usize = 300_000;

//! From Java classes to models, by *random isolation*: one arbitrary object of a class is analysed exactly, together
//! with one object of each region that is reachable from it. A proof for these objects holds for every object of the
//! class. (N. Kidd, T. Reps, J. Dolby, M. Vaziri: Finding concurrency-related bugs using random isolation, VMCAI 2009.)
//!
//! | module | contents |
//! |---|---|
//! | `claims` | choice of the classes that are subjects |
//! | `facts` | what is true of the whole program: heap, regions, ownership, escape, configurations |
//! | `exec` | abstract interpretation of the methods: contexts, abstract states, transfer functions |
//! | `effects` | effects of library rows on abstract states |
//! | `translation` | the contexts of the fixpoint as control-flow graphs |
//! | `modality` | the two questions: findings with the steps that the code shows, proofs with all possible ones |
//! | `modes` | the callers: clients ([`isolate_client`]), or the threads of a program ([`isolate_main`]) |
//! | `net` | an independent pass under a proof: accesses that a model does not cover |
//! | `value` | abstract values, locations and locks |
//! | `graph` | control-flow graphs of method contexts, their reductions, and the model |
//!
//! The analysis over-approximates: an access that cannot be resolved exactly goes to a coarser location, an unresolved
//! call goes to all its targets, and an uncertain lock is omitted, which only adds interleavings. Every further
//! condition of a proof is an [`Assumption`], and is printed with the proof.

mod assumption;
mod claims;
mod effects;
mod entry_point;
mod exec;
mod facts;
mod graph;
mod modality;
mod modes;
mod net;
mod translation;
mod value;

pub use assumption::{Assumption, Coarsening};
pub use claims::instance_fields;
pub use claims::{Claim, Facts, NoSubject, Subject};
pub use entry_point::Main;
pub use facts::entering::Entering;
pub use facts::hidden_classes::is_exported;
pub use facts::shared::Shared;
pub use graph::{Covered, Isolated, LockMeaning, Meanings, MethodMeaning, NotIsolated, Stuck, printable};
pub use modality::{Modality, Rule, Rules};
pub use modes::{
    Analysis, changes_of_process, isolate_client, isolate_client_within, isolate_firm, isolate_for_deadlocks,
    isolate_main, reaches_static_state, subclasses_of_factories, uncovered,
};
pub use net::Uncovered;

/// Maximal number of abstract states for one subject.
pub const MAX_STATES: usize = 300_000;

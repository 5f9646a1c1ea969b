//! Which objects variables and fields can hold, what calls run, and what code that is not given can get: for a whole
//! program.
//!
//! **What it computes.** For each variable and each field of each abstract object (`objects`) the least set of abstract
//! objects that satisfies what the code says, whatever the order of its statements is, and however methods are called.
//! Sets flow along the edges of a constraint graph (`graph`), filtered (`masks`) by types; the call graph is built
//! (`calls`) while receivers are found.
//!
//! **Invariant.** Every variable and field that holds an object at some time of some execution has an abstract object
//! in its set that stands for it (`objects` says how). This is so for executions in which code that is not given does
//! what the [library table](crate::library) says of it, and otherwise what the language lets it do (`mode`, `escape`).
//!
//! **Why it is enough.** Each step of an execution moves objects along an edge or constraint that the code
//! (`generate`), the table (`library`) or the environment (`escape`) has added: by induction over the steps, what is
//! moved stands in the set already. Reflection and native methods without a row are assumed to move nothing but what
//! they are given.
//!
//! Sources: L. O. Andersen, *Program analysis and specialization for the C programming language* (1994); O. Lhoták and
//! L. Hendren, *Scaling Java points-to analysis using Spark* (CC 2003), for fields, types and call graphs of Java.

mod call_graph;
mod constraints;
mod copy_sites;
mod error;
mod external_calls;
mod find_uses;
mod graph;
mod heap;
mod instances;
mod library_calls;
mod masks;
mod mode;
mod objects;
mod order;
mod result;
mod rules;
mod sets;
mod solution_check;
mod solve;
mod state;
mod stores;
mod type_filter;
mod types;
mod uses;

pub use constraints::Field;
pub use error::PointsToError;
pub use mode::{Access, Clients, Mode};
pub use objects::{Exactness, Object, ObjectId, Site, Target};
pub use result::{Callees, ObjectSet, PointsTo, SetKey, Statistics};
pub use stores::Store;
pub use types::TypeId;
pub use uses::{Uses, UsesOf};

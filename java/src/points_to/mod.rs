//! A whole-program pointer analysis: points-to sets of variables and fields, the call graph, and the objects that
//! escape to external code.
//!
//! *External code* is all code that is not part of the program: clients, and the library. A *program class* is one
//! whose class file was read.
//!
//! **Result.** For each variable and each field of each abstract object (`objects`), the least set of abstract objects
//! that satisfies the constraints of the code. The analysis is flow-insensitive and context-insensitive. Sets flow
//! along the edges of a constraint graph (`graph`) and are filtered by types (`type_filter`); the call graph is built
//! on the fly (`rules::calls`), while receivers are found.
//!
//! **Layers.** `state` is the solver's data, with the steps that change it. The `rules` turn code, the library table
//! and new objects into edges, objects and constraints. `solve` is the driver. `result` is the public view.
//!
//! **Invariant.** If a variable or field holds an object at some time of some execution, its set has an abstract object
//! that stands for this object (`objects` says how). This holds for executions in which external code does no more than
//! the [library table](crate::library) says, or, where the table says nothing, than the language allows (`mode`,
//! `rules::escape`).
//!
//! **Argument.** Each step of an execution moves objects along an edge or constraint that was added for the code
//! (`rules::statements`), for the table (`rules::row_actions`) or for the environment (`rules::escape`). By induction
//! over the steps, each moved object has its abstract object in the set of the target. Reflection, and native methods
//! without a row, are assumed to move no objects but their arguments.
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
pub use objects::{Bound, Exactness, Object, ObjectId, Site, Target};
pub use result::{Callees, ObjectSet, PointsTo, SetKey, Statistics};
pub use stores::Store;
pub use types::TypeId;
pub use uses::{Uses, UsesOf};

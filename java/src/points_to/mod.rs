//! Pointer analysis: which objects a variable or field can hold, which methods a call can run, what clients can get.
//!
//! Inclusion constraints over the register form (L. O. Andersen, *Program analysis and specialization for the C programming language*, 1994), field by field, with the
//! call graph built on the fly (O. Lhoták, L. Hendren, *Scaling Java points-to analysis using Spark*, CC 2003), difference propagation, over the whole input at once.
//!
//! **Objects.** Every allocation site, lambda and row of the library that makes something is an object; so is each class object and string constant. An
//! [external](Object::External) object of a type T stands for all that clients hold of that type, or of a subtype. An object that clients get *escapes*: it stays an object of its
//! own, and its fields are those of external objects.
//!
//! **Roots.** Clients can call all methods that are not private, of classes that they can name, with external arguments; and the methods of other objects that
//! they get. In program mode `main` is the only root.
//!
//! **Invariant.** If at run time a variable or field holds an object, its set has an abstract object that stands for it: its site, a class object or constant, or
//! an external object of a type that it has. *Why it is enough:* each statement's rule keeps the invariant, whatever other threads do, as all rules are flow-insensitive; what code
//! does that is not given is a row of the library, else its arguments escape and its result is external.

mod build;
mod calls;
mod escape;
mod fields;
mod generate;
mod objects;
mod result;
mod rows;
mod solver;
mod types;

pub use fields::Store;
pub use objects::{Field, LibraryClass, Object, ObjectId, Site};
pub use result::{PointsTo, PointsToError};

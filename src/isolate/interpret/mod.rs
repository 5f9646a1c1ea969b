//! Abstract interpretation of methods for one subject.
//!
//! The pointer analysis says which objects values may be, for all of the program. What stands here follows the
//! subject's object and what is reached from it exactly: method contexts ([`context`]) are executed statement by
//! statement ([`transfer`]) on abstract states ([`state`]) until nothing is new ([`interpreter`]), and become
//! control-flow graphs ([`flows`]).

mod accesses;
mod among_any;
mod assumption;
mod atomic;
mod became;
mod bulk;
mod calls;
mod closures;
mod completing;
mod conditions;
mod confinement;
mod construction;
mod context;
mod control;
mod dependence;
mod dispatch;
mod elements;
mod entries;
mod execution;
mod finding;
mod flows;
mod globals;
mod handed;
mod handles;
mod heap;
mod immutable;
mod inherited;
mod inherited_calls;
mod interpreter;
mod kept_once;
mod keyed;
mod library_calls;
mod loads;
mod locks;
mod memo;
mod method;
mod mode;
mod monitors;
mod naming;
mod nested;
mod new_objects;
mod objects;
mod open_functions;
mod origins;
mod outside;
mod passing;
mod publication;
mod regions;
mod represented;
mod rows;
mod scala;
mod sets;
mod shared;
mod single;
mod special;
mod spin;
mod stamped;
mod state;
mod storings;
mod terms;
mod threads;
mod transfer;

pub(super) use assumption::told;
pub use assumption::{Assumption, Coarsening};
pub(in crate::isolate) use completing::Completing;
pub(in crate::isolate) use context::Point;
pub(in crate::isolate) use finding::Found;
pub(in crate::isolate) use heap::Heap;
pub(in crate::isolate) use interpreter::Interpreter;
pub(in crate::isolate) use mode::Mode;
pub(in crate::isolate) use objects::is_visible;
pub(in crate::isolate) use regions::Regions;
pub(in crate::isolate) use scala::is_private_method;
pub use shared::Shared;

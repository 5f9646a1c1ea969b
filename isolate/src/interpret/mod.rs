//! Abstract interpretation of methods for one subject.
//!
//! The pointer analysis gives the possible objects of values for the whole program. This module analyses the subject's
//! object, and the objects reached from it, more exactly: it executes method contexts ([`context`]) statement by
//! statement ([`transfer`]) on abstract states ([`state`]) up to a fixpoint ([`interpreter`]), and translates them to
//! control-flow graphs ([`flows`]).

mod accesses;
mod argument_flows;
mod atomic;
mod calls;
mod client_callbacks;
mod client_values;
mod conditional_effects;
mod conditions;
mod configuration;
mod confinement;
mod construction;
mod content_closures;
mod context;
mod control;
mod dependence;
mod dispatch;
mod entering;
mod execution;
mod flag_protocol;
mod flows;
mod function_arguments;
mod globals;
mod handles;
mod heap;
mod immutable;
mod inherited_calls;
mod inherited_methods;
mod inherited_units;
mod interpreter;
mod key_stores;
mod keyed_classes;
mod library_calls;
mod library_effects;
mod library_fields;
mod library_recursion;
mod loads;
mod locks;
mod may_touch;
mod memo;
mod method;
mod mode;
mod monitors;
mod new_objects;
mod object_sets;
mod objects;
mod one_thread;
mod open_references;
mod optimistic_reads;
mod origins;
mod publication;
mod reclassified;
mod region_names;
mod regions;
mod representatives;
mod returned_objects;
mod scala;
mod shared;
mod single_key;
mod singletons;
mod spin_locks;
mod state;
mod static_state;
mod symbolic_indices;
mod terms;
mod thread_runs;
mod threads;
mod transfer;
mod traversals;
mod universal_arguments;

pub(crate) use configuration::{Configuration, configurations};
pub(crate) use context::Point;
pub use entering::Entering;
pub(crate) use flows::FinalJoins;
pub(crate) use heap::Heap;
pub(crate) use interpreter::Interpreter;
pub(crate) use may_touch::SubjectFacts;
pub(crate) use mode::Mode;
pub(crate) use objects::is_visible;
pub(crate) use regions::Regions;
pub(crate) use scala::is_private_method;
pub use shared::Shared;

//! The effects of library rows on abstract states: accesses to contents, callbacks, locks, atomic operations, and
//! values that the library makes.
//!
//! The machine calls [`LibraryRows`](library_code::LibraryRows). Effects use the machine and the facts; other methods
//! of this folder are not visible to the machine.

pub(crate) mod access;
pub(crate) mod atomic;
pub(crate) mod conditional_effects;
pub(crate) mod contents;
pub(crate) mod element_callbacks;
pub(crate) mod flag_fields;
pub(crate) mod function_contexts;
pub(crate) mod functions;
pub(crate) mod handles;
pub(crate) mod inherited_calls;
pub(crate) mod key_functions;
pub(crate) mod latches;
pub(crate) mod library_calls;
pub(crate) mod library_code;
pub(crate) mod library_objects;
pub(crate) mod locks;
pub(crate) mod map_swaps;
pub(crate) mod once_values;
pub(crate) mod optimistic_reads;
pub(crate) mod passed_contents;
pub(crate) mod rows;
pub(crate) mod spin_locks;
pub(crate) mod synchronizers;
pub(crate) mod taken_objects;
pub(crate) mod traversals;
mod work_counters;

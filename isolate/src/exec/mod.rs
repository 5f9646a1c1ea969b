//! The abstract machine: method contexts ([`context`]) are executed statement by statement ([`transfer`]) on abstract
//! states ([`state`]) up to a fixpoint ([`interpreter`]).
//!
//! The pointer analysis gives the possible objects of values for the whole program. The machine analyses the subject's
//! object, and the objects reached from it, more exactly. It reads the [facts](crate::facts) of the subject, and calls
//! library code by the trait [`LibraryCode`](interpreter::LibraryCode).
//!
//! | part | files |
//! |---|---|
//! | states and contexts | `state`, `context`, `execution`, `worklist`, `interpreter`, `notes`, `memo` |
//! | statements | `transfer`, `loads`, `control`, `conditions`, `continuations`, `escapes` |
//! | tests | `retests`, `conditional_changes` |
//! | calls | `calls`, `dispatch`, `client_callbacks`, `function_contexts`, `open_references`, `callback_stack` |
//! | locations | `accesses`, `cas_locations`, `flag_fields`, `library_fields`, `numbers`, `symbolic_indices`,
//! | | `once_marks` |
//! | locks | `monitors`, `locks`, `lock_effects`, `waits` |
//! | where control is | `viewpoint`, `foreign`, `extent`, `threads`, `dependence` |

pub(crate) mod accesses;
pub(crate) mod callback_stack;
pub(crate) mod calls;
pub(crate) mod cas_locations;
pub(crate) mod client_callbacks;
pub(crate) mod conditional_changes;
pub(crate) mod conditions;
pub(crate) mod context;
pub(crate) mod continuations;
pub(crate) mod control;
pub(crate) mod dependence;
pub(crate) mod dispatch;
pub(crate) mod escapes;
pub(crate) mod execution;
pub(crate) mod extent;
pub(crate) mod flag_fields;
pub(crate) mod foreign;
pub(crate) mod function_contexts;
pub(crate) mod interpreter;
pub(crate) mod library_fields;
pub(crate) mod loads;
pub(crate) mod lock_effects;
pub(crate) mod locks;
pub(crate) mod memo;
pub(crate) mod monitors;
pub(crate) mod notes;
pub(crate) mod numbers;
pub(crate) mod once_marks;
pub(crate) mod open_references;
pub(crate) mod retests;
pub(crate) mod state;
pub(crate) mod symbolic_indices;
pub(crate) mod threads;
pub(crate) mod transfer;
pub(crate) mod unknown_locks;
pub(crate) mod viewpoint;
pub(crate) mod waits;
pub(crate) mod worklist;

//! The choice of subjects: the classes that appear thread-safe, and the reasons.

mod constructor_writes;
mod facts;
mod field_classes;
mod field_handles;
mod loop_ranges;
mod null_checks;
mod operand_stack;
mod subject;
mod value_sources;

pub use facts::Facts;
pub use subject::instance_fields;
pub use subject::{Claim, NoSubject, Subject};

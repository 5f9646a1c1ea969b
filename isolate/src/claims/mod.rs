//! Which classes are looked at, and why: those that appear thread-safe.

mod facts;
mod handles;
mod held;
mod initial;
mod origin;
mod rounds;
mod straight;
mod subject;

pub use facts::Facts;
pub use subject::instance_fields;
pub use subject::{Claim, NoSubject, Subject};

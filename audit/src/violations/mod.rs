//! From the model of a subject to its violations: the queries, the violations of each unit, the torn section of a
//! violation, and the reasons why it is possibly benign.

mod benign;
mod bookkeeping;
mod fault;
mod interferers;
mod queries;
pub(crate) mod section;
mod violated_unit;
pub(crate) mod witness_locks;

pub(crate) use benign::is_task;
pub use benign::{benign_reason, is_settled};
pub use bookkeeping::Bookkeeping;
pub use interferers::{Interference, Sought, interferers};
pub use queries::{Focus, IsSettled, Listed, UnitAnswers, decide, decide_units};
pub use section::{Section, SectionLine, faulty_accesses, section, section_lines};
pub use violated_unit::{LocationViolations, ViolatedUnit};

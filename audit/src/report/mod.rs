//! Reports of audits: subjects, findings with their causes, and what is undecided.

mod cause;
mod confirmation;
mod finding;
mod grouping;
mod repeats;
mod report;
mod shard;
mod subject;
mod undecided;

pub use cause::{Cause, Member, TornAccess};
pub use confirmation::{Confirmation, ConfirmationVerdict, Demonstration, Difference};
pub use finding::{Fault, Finding, Labels};
pub use report::{BaselineComparison, Report, Summary, Suppressed, VERSION};
pub use shard::ShardPart;
pub use subject::{SubjectKind, SubjectReport};
pub use undecided::Undecided;

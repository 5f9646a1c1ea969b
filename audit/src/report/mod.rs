//! Reports of audits: subjects, findings with their causes, and undecided parts.

mod cause;
mod confirmation;
mod finding;
mod grouping;
mod order;
mod repeats;
mod report;
mod shard;
mod subject;
mod summary;
mod undecided;

pub use cause::{Cause, Member, TornAccess};
pub use confirmation::{Confirmation, ConfirmationVerdict, Demonstration, Difference};
pub use finding::{Fault, Finding, Labels};
pub use report::{Report, VERSION};
pub use shard::ShardPart;
pub use subject::{SubjectKind, SubjectReport};
pub use summary::{BaselineComparison, Summary, Suppressed};
pub use undecided::Undecided;

//! Reports of audits: subjects, findings with their causes, and undecided parts.

mod audit_report;
mod cause;
mod client_counts;
mod confirmation;
mod deadlocks;
mod finding;
mod grouping;
mod head;
mod lock_wait;
mod observed;
mod order;
mod repair;
mod repeats;
mod shard;
mod stored;
mod subject;
mod summary;
mod undecided;
mod verdict;

pub(crate) use audit_report::EXCLUDED;
pub use audit_report::{Report, VERSION};
pub use cause::{Cause, Member, Place, TornAccess};
pub use client_counts::{ClientCounts, ClientWay, TestCounts};
pub use confirmation::{Confirmation, ConfirmationEffort, ConfirmationVerdict, Demonstration, Difference};
pub use finding::{Fault, Finding, Labels};
pub(crate) use grouping::{distance, groups};
pub use head::Head;
pub use lock_wait::LockWait;
pub use observed::ObservedCalls;
pub use repair::{RepairChange, RepairKind, RepairRecord};
pub use shard::ShardPart;
pub use stored::{Run, StoredRun, StoredSubject, is_whole};
pub use subject::{SubjectKind, SubjectReport};
pub use summary::{BaselineComparison, Summary, Suppressed};
pub use undecided::Undecided;
pub use verdict::ClassVerdict;

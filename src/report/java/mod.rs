//! Reports about Java programs: the subjects with their findings, as JSON and as text, and in the form that other tools take.

mod baseline;
mod causes;
mod combined;
mod confirmation;
mod junit;
mod merge;
mod record;
mod repeats;
mod shard;
mod text;

pub use super::record::ProblemRecord;
pub use baseline::Baseline;
pub use causes::{AccessRecord, CauseRecord, MemberRecord};
pub use combined::combined;
pub use confirmation::{ConfirmationRecord, ConfirmationVerdict, DemonstrationRecord, DifferenceRecord};
pub use junit::junit_report;
pub use merge::{MergeError, merge, parse};
pub use record::{
    BaselineRecord, Fault, FindingRecord, JavaReport, JavaSummary, Labels, OpenRecord, SubjectKind, SubjectRecord,
    SuppressedRecord, VERSION,
};
pub use shard::ShardRecord;
pub use text::java_text;

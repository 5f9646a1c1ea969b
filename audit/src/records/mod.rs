//! What a run of `asercheck java` finds out: the subjects with their findings, one for each cause.

mod causes;
mod confirmation;
mod record;
mod repeats;
mod shard;

pub use causes::{AccessRecord, CauseRecord, MemberRecord};
pub use confirmation::{ConfirmationRecord, ConfirmationVerdict, DemonstrationRecord, DifferenceRecord};
pub use decide::records::ProblemRecord;
pub use record::{
    BaselineRecord, Fault, FindingRecord, JavaReport, JavaSummary, Labels, OpenRecord, SubjectKind, SubjectRecord,
    SuppressedRecord, VERSION,
};
pub use shard::ShardRecord;

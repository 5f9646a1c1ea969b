//! Audits Java programs: from loaded classes to a report of findings.
//!
//! [`audit`] selects the classes that claim to be thread-safe, or that the [`Options`] name, makes a model of each
//! ([`isolate`]), decides the queries about it ([`decide`](mod@::decide)), and unites violations with one cause in one
//! [`Finding`]. Evidence from the code says how likely a finding is one to repair.
//!
//! Invariant: every violated unit and location is named by exactly one finding of its subject, and a subject is proved
//! only if at least one query about it was asked and each was answered `Safe`. Source: N. Kidd, T. Reps, J. Dolby, M.
//! Vaziri, *Finding concurrency-related bugs using random isolation* (VMCAI 2009), and N. Kidd, P. Lammich, T. Touili,
//! T. Reps, *A decision procedure for detecting atomicity violations for communicating processes with locks* (SPIN
//! 2009).
//!
//! | module | content |
//! |---|---|
//! | `audit`, `options` | the call, and its options |
//! | `selection` | the classes that are subjects |
//! | `subjects` | the subjects of an analysed program, to be decided in any order |
//! | `pipeline` | a subject: its models, its queries, its report |
//! | `violations` | the queries about a model, and the violations of each unit |
//! | `evidence` | the likelihood of a finding |
//! | `deadlocks` | the deadlocks of a subject |
//! | `report` | subjects, findings and their causes, as they are written as JSON |

mod audit;
mod deadlocks;
mod error;
mod evidence;
mod name_pattern;
mod options;
mod pipeline;
mod progress;
mod question;
mod report;
mod selection;
mod subjects;
mod violations;

pub use audit::{audit, audit_hiding};
pub use error::Error;
pub use evidence::{Case, Effect, Evidence, Judge, Judgement, Kind, Likelihood};
pub use name_pattern::{any_matches, matches};
pub use options::{IsOwn, Options, RunStore, STEPS};
pub use progress::{Event, Progress};
pub use question::{Answer, AnswerStore, Common, Question};
pub use report::{
    BaselineComparison, Cause, ClassVerdict, ClientCounts, ClientWay, Confirmation, ConfirmationEffort,
    ConfirmationVerdict, Demonstration, Difference, Fault, Finding, Head, Labels, LockWait, Member, ObservedCalls,
    Place, RepairChange, RepairKind, RepairRecord, Report, Run, ShardPart, StoredRun, StoredSubject, SubjectKind,
    SubjectReport, Summary, Suppressed, TestCounts, TornAccess, Undecided, VERSION, is_whole,
};
pub use selection::Selection;
pub use subjects::{Subjects, with_subjects};
pub use violations::{
    Bookkeeping, Focus, Interference, IsSettled, Listed, LocationViolations, Section, SectionLine, Sought, UnitAnswers,
    ViolatedUnit, benign_reason, decide, decide_units, faulty_accesses, interferers, is_settled, section,
    section_lines,
};

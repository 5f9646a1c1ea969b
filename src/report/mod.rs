//! Reports over finished results: records and JSON for programs, tables for people. Nothing in here decides anything.

mod cycles;
#[cfg(feature = "cli")]
mod digits;
#[cfg(feature = "cli")]
mod excerpts;
#[cfg(feature = "cli")]
mod github;
#[cfg(feature = "cli")]
mod html;
#[cfg(feature = "cli")]
pub mod java;
mod ledger;
#[cfg(feature = "cli")]
mod listing;
mod locations;
#[cfg(feature = "cli")]
mod lock_tables;
#[cfg(feature = "cli")]
mod narrative;
#[cfg(feature = "cli")]
mod outline;
#[cfg(feature = "cli")]
mod page;
mod record;
#[cfg(feature = "cli")]
mod sarif;
#[cfg(feature = "cli")]
mod sources;
#[cfg(feature = "cli")]
mod style;
#[cfg(feature = "cli")]
mod summary;
#[cfg(feature = "cli")]
mod table;
mod tally;
#[cfg(feature = "cli")]
mod text;
#[cfg(feature = "cli")]
mod witness;

pub use cycles::{CycleRecord, CycleRecords};
#[cfg(feature = "cli")]
pub(crate) use digits::in_threes;
#[cfg(feature = "cli")]
pub use github::{github_report, github_unread};
#[cfg(feature = "cli")]
pub(crate) use html::page;
pub use ledger::{Entries, Ledger};
#[cfg(feature = "cli")]
pub use listing::findings_text;
pub use locations::{LocationRecord, LocationStatus, RaceUnderLock};
#[cfg(feature = "cli")]
pub use narrative::Steps;
#[cfg(feature = "cli")]
pub use outline::Checked;
#[cfg(feature = "cli")]
pub use page::html_report;
pub use record::{
    CheckReport, ProblemRecord, QueryRecord, Summary, Unread, VERSION, VerdictKind, units_name, units_named,
};
#[cfg(feature = "cli")]
pub use sarif::sarif_report;
#[cfg(feature = "cli")]
pub use sources::Sources;
#[cfg(feature = "cli")]
pub(crate) use style::Role;
#[cfg(feature = "cli")]
pub use style::{Charset, Style};
#[cfg(feature = "cli")]
pub use summary::summary_table;
#[cfg(feature = "cli")]
pub(crate) use table::{Align, Cell, Table};
pub use tally::Tally;
#[cfg(feature = "cli")]
pub use text::{Detail, explain_pattern, text_report};
#[cfg(feature = "cli")]
pub use witness::{View, step_table, witness_table};

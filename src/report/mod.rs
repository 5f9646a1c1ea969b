//! Reports over finished results: records and JSON for programs, tables for people. Nothing in here decides anything.

mod cycles;
mod ledger;
mod locations;
#[cfg(feature = "cli")]
mod lock_tables;
mod record;
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
pub use ledger::{Entries, Ledger};
pub use locations::{LocationRecord, LocationStatus, RaceUnderLock};
pub use record::{CheckReport, QueryRecord, Summary, VerdictKind, units_name};
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
pub use text::{explain_pattern, text_report};
#[cfg(feature = "cli")]
pub use witness::witness_table;

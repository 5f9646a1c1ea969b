//! Answers as plain data: the record of a query, and what the records of many queries say together.
//!
//! Nothing in here decides anything, and nothing knows how a report looks.

mod cycles;
mod ledger;
mod locations;
mod query;
mod tally;

pub use cycles::{CycleRecord, CycleRecords};
pub use ledger::{Entries, Ledger};
pub use locations::{LocationRecord, LocationStatus, RaceUnderLock};
pub use query::{QueryRecord, Summary, VerdictKind, units_name, units_named};
pub use tally::Tally;

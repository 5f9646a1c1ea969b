//! Answers as plain data: records of queries, and the results of many queries for locations, cycles and properties.
//!
//! This module neither decides queries nor formats reports.

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

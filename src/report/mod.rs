//! Reports over finished results: records and JSON for programs, tables for people. Nothing in here decides anything.

mod record;
mod style;
mod summary;
mod table;
mod text;
mod witness;

pub use record::{CheckReport, QueryRecord, Summary, VerdictKind, units_name};
pub(crate) use style::Role;
pub use style::{Charset, Style};
pub use summary::summary_table;
pub(crate) use table::{Align, Cell, Table};
pub use text::{explain_pattern, text_report};
pub use witness::witness_table;

//! Reports over finished results: records and JSON for programs, tables for people. Nothing in here decides anything.

mod counts;
mod digits;
mod excerpts;
pub mod forms;
mod github;
mod html;
pub mod java;
mod listing;
mod lock_tables;
mod narrative;
mod outline;
mod page;
mod places;
mod sarif;
mod sources;
mod style;
mod summary;
mod table;
mod text;
mod witness;

pub use counts::Counts;
pub(crate) use digits::in_threes;
pub use github::{github_report, github_unread};
pub(crate) use html::page;
pub use listing::findings_text;
pub use narrative::Steps;
pub use outline::Checked;
pub use page::html_report;
pub use sarif::sarif_report;
pub use sources::Sources;
pub(crate) use style::Role;
pub use style::{Charset, Style};
pub(crate) use table::{Align, Cell, Table};
pub use text::{Detail, explain_pattern, text_report};
pub use witness::{View, step_table};

//! Reports about Java programs: as text, as JUnit's XML, and in the form of a report of `check` for other forms;
//! baselines; the union of shards.

mod about;
mod baseline;
mod classes;
mod combined;
mod junit;
mod merge;
mod text;
mod torn_section;

pub use about::{About, abouts};
pub use baseline::Baseline;
pub use combined::combined;
pub use junit::junit_report;
pub use merge::{merge, parse};
pub use text::{java_text, last_lines};

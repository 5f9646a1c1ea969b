//! Reports about Java programs: as text, as JUnit's XML, and in the form of a report of `check` for other forms;
//! baselines; the union of shards.

mod baseline;
mod classes;
mod combined;
mod confirmation_lines;
mod finding_data;
mod finding_text;
mod junit;
mod merge;
mod open;
mod text;
mod torn_section;

pub use baseline::Baseline;
pub use combined::combined;
pub use confirmation_lines::confirmation_lines;
pub use finding_data::{FindingData, Side, SourceLine, finding_data};
pub use junit::junit_report;
pub use merge::{merge, parse};
pub use text::{Listings, java_text, last_lines};

//! Reports about Java programs: the subjects with their findings, as JSON and as text, and in the form that other tools
//! take.

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

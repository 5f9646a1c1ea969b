//! Audits Java programs.

pub mod records;
pub mod verdict;

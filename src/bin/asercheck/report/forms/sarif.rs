//! The Static Analysis Results Interchange Format.

use super::{Form, Program, Run};
use crate::report::sarif_report;

/// The form `sarif`.
#[derive(Debug)]
pub struct Sarif;

impl Form for Sarif {
    fn name(&self) -> &'static str {
        "sarif"
    }

    fn help(&self) -> &'static str {
        "The Static Analysis Results Interchange Format 2.1.0: a result for each finding"
    }

    fn models(&self, run: &Run<'_>) -> serde_json::Result<String> {
        if run.models.is_empty() && run.unread.problems.is_empty() {
            return Ok(String::new());
        }
        Ok(serde_json::to_string(&sarif_report(run.models, run.unread, run.exit_code))? + "\n")
    }

    fn java(&self, program: &Program<'_>) -> serde_json::Result<String> {
        Ok(serde_json::to_string(&sarif_report(&[program.together], program.unread, program.exit_code))? + "\n")
    }
}

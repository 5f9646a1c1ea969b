//! The XML of JUnit.

use super::{Form, Program, Run};
use crate::report::java::junit_report;

/// The form `junit`.
#[derive(Debug)]
pub struct Junit;

impl Form for Junit {
    fn name(&self) -> &'static str {
        "junit"
    }

    fn help(&self) -> &'static str {
        "The XML of JUnit, of `java` only: a test case for each class"
    }

    fn is_for_models(&self) -> bool {
        false
    }

    fn models(&self, _run: &Run<'_>) -> serde_json::Result<String> {
        Ok(String::new())
    }

    fn java(&self, program: &Program<'_>) -> serde_json::Result<String> {
        Ok(junit_report(program.report, program.together.sources))
    }
}

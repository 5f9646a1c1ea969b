//! A page for a browser.

use super::{Form, Program, Run};
use crate::report::html_report;
use crate::report::java::{finding_data, last_lines};
use std::collections::BTreeMap;

/// The form `html`.
#[derive(Debug)]
pub struct Html;

impl Form for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn help(&self) -> &'static str {
        "A page for a browser, as --report writes it into a file"
    }

    fn models(&self, run: &Run<'_>) -> serde_json::Result<String> {
        Ok(html_report(run.models, run.unread, &BTreeMap::new(), &[]))
    }

    fn java(&self, program: &Program<'_>) -> serde_json::Result<String> {
        Ok(html_report(
            &[program.together],
            program.unread,
            &finding_data(program.report, program.together.sources),
            &last_lines(program.report),
        ))
    }
}

//! JSON: one object.

use super::{Form, Program, Run};
use crate::report::Detail;
use asercheck::audit::Listed;
use asercheck::records::{ProblemRecord, VERSION};
use serde_json::json;

/// The form `json`.
#[derive(Debug)]
pub struct Json;

impl Form for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn help(&self) -> &'static str {
        "One JSON object"
    }

    fn tells_queries(&self) -> bool {
        true
    }

    fn listed(&self, is_all: bool, _detail: Detail) -> Listed {
        if is_all { Listed::All } else { Listed::None }
    }

    fn models(&self, run: &Run<'_>) -> serde_json::Result<String> {
        let refused = run.unread.problems;
        let text = match run.models {
            [] if refused.is_empty() => return Ok(String::new()),
            [one] if run.is_of_one => serde_json::to_string_pretty(one.report)?,
            all => {
                let reports: Vec<_> = all.iter().map(|model| model.report).collect();
                let mut whole = json!({ "version": VERSION, "reports": reports });
                if !refused.is_empty() {
                    let one = |one: &ProblemRecord| json!({ "model": one.path, "error": one.message });
                    whole["refused"] = refused.iter().map(one).collect();
                }
                serde_json::to_string_pretty(&whole)?
            }
        };
        Ok(text + "\n")
    }

    fn java(&self, program: &Program<'_>) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(program.report)? + "\n")
    }
}

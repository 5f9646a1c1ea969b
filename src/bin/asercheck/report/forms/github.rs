//! Annotations of GitHub workflows.

use super::{Form, How, Program, Run};
use crate::report::{Checked, github_report, github_unread};
use asercheck::answers::Tally;

/// The form `github`.
#[derive(Debug)]
pub struct Github;

impl Form for Github {
    fn name(&self) -> &'static str {
        "github"
    }

    fn help(&self) -> &'static str {
        "Annotations of GitHub workflows: a line for each finding"
    }

    fn is_written_last(&self) -> bool {
        false
    }

    fn model(&self, model: &Checked<'_>, _tally: &Tally, how: &How) -> String {
        github_report(model, how.most)
    }

    fn unread_model(&self, model: &Checked<'_>) -> String {
        github_report(model, 0)
    }

    fn models(&self, run: &Run<'_>) -> serde_json::Result<String> {
        Ok(github_unread(run.unread))
    }

    fn java(&self, program: &Program<'_>) -> serde_json::Result<String> {
        Ok(github_report(&program.together, program.how.most) + &github_unread(program.unread))
    }
}

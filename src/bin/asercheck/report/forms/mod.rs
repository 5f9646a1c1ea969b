//! The forms in which reports are written.
//!
//! A form is a type that is [`Form`], in a file here, and a line in [`FORMS`]: arguments, help and both commands go by
//! that list. All forms get the same findings; none of them chooses.

mod github;
mod html;
mod json;
mod junit;
mod sarif;
mod text;

use super::{Checked, Detail, Style};
use asercheck::answers::Tally;
use asercheck::audit::Listed;
use asercheck::audit::Report;
use asercheck::records::Unread;
use std::fmt;

pub use html::Html;

/// Every form, in the order of the help.
pub const FORMS: [&dyn Form; 6] =
    [&text::Text, &json::Json, &sarif::Sarif, &github::Github, &junit::Junit, &html::Html];

/// A form of reports.
pub trait Form: fmt::Debug + Sync {
    /// The name by which it is asked for.
    fn name(&self) -> &'static str;

    /// What it is, for the help.
    fn help(&self) -> &'static str;

    /// Whether models have this form, and not only Java programs.
    fn is_for_models(&self) -> bool {
        true
    }

    /// Whether it also tells queries of which nothing is to be found.
    fn tells_queries(&self) -> bool {
        false
    }

    /// Which queries about Java code it tells beside the findings, if all are wanted or all violations are shown.
    fn listed(&self, _is_all: bool, _detail: Detail) -> Listed {
        Listed::None
    }

    /// Whether it is written when all models are decided, so that these are kept.
    fn is_written_last(&self) -> bool {
        true
    }

    /// What is printed of a model as soon as it is decided.
    fn model(&self, _model: &Checked<'_>, _tally: &Tally, _how: &How) -> String {
        String::new()
    }

    /// The same of one that was not read to its end.
    fn unread_model(&self, _model: &Checked<'_>) -> String {
        String::new()
    }

    /// What is printed of all models at the end.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    fn models(&self, run: &Run<'_>) -> serde_json::Result<String>;

    /// What is printed of a Java program.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    fn java(&self, program: &Program<'_>) -> serde_json::Result<String>;
}

/// How much is told, and for which terminal.
#[derive(Clone, Copy, Debug)]
pub struct How {
    pub style: Style,
    pub detail: Detail,
    /// So many findings are told where each takes more than a line.
    pub most: usize,
    /// Whether everything is told that is known of a finding.
    pub is_verbose: bool,
}

/// A run over models.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    pub models: &'a [Checked<'a>],
    /// Whether one model was asked for.
    pub is_of_one: bool,
    pub unread: Unread<'a>,
    pub exit_code: u8,
}

/// What was found out about a Java program.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    pub report: &'a Report,
    /// The same as one model, and its sources.
    pub together: Checked<'a>,
    pub how: How,
    pub unread: Unread<'a>,
    pub exit_code: u8,
}

//! The forms of reports.
//!
//! A form is a type that implements [`Form`], in a file of this folder, and an entry of [`FORMS`]. The arguments, the
//! help and both commands go by that list. All forms get the same findings, and none selects among them.

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
use std::path::Path;

/// All forms, in the order of the help.
pub const FORMS: [&dyn Form; 6] =
    [&text::Text, &json::Json, &sarif::Sarif, &github::Github, &junit::Junit, &html::Html];

/// Returns the form of a file that is written beside the form on standard output: SARIF or the page. Both contain the
/// findings alone, which each run has; so a run with such files answers the same as one without.
pub fn of_file(path: &Path) -> &'static dyn Form {
    let is_sarif = path.extension().is_some_and(|extension| extension == "sarif");
    if is_sarif { &sarif::Sarif } else { &html::Html }
}

/// A form of reports.
pub trait Form: fmt::Debug + Sync {
    /// Returns the name of the form on the command line.
    fn name(&self) -> &'static str;

    /// Returns the description for the help.
    fn help(&self) -> &'static str;

    /// Whether the form exists for models, and not only for Java programs.
    fn is_for_models(&self) -> bool {
        true
    }

    /// Whether it also lists safe queries.
    fn tells_queries(&self) -> bool {
        false
    }

    /// Returns the queries about Java code that it lists besides the findings, if all are requested or all violations
    /// are shown.
    fn listed(&self, _is_all: bool, _detail: Detail) -> Listed {
        Listed::None
    }

    /// Whether it is written after all models are decided, so that these have to be kept.
    fn is_written_last(&self) -> bool {
        true
    }

    /// Returns the text that is printed for a model as soon as it is decided.
    fn model(&self, _model: &Checked<'_>, _tally: &Tally, _how: &How) -> String {
        String::new()
    }

    /// Returns the text that is printed for a model that was not read to its end.
    fn unread_model(&self, _model: &Checked<'_>) -> String {
        String::new()
    }

    /// Returns the text that is printed for all models at the end.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    fn models(&self, run: &Run<'_>) -> serde_json::Result<String>;

    /// Returns the text that is printed for a Java program.
    ///
    /// # Errors
    /// If it cannot be written as JSON.
    fn java(&self, program: &Program<'_>) -> serde_json::Result<String>;
}

/// The detail of a report, and the style of its terminal.
#[derive(Clone, Copy, Debug)]
pub struct How {
    pub style: Style,
    pub detail: Detail,
    /// Largest number of findings that are shown where each takes more than a line.
    pub most: usize,
    /// The same number, if the user names it.
    pub wanted: Option<usize>,
    /// Whether all data of a finding is shown.
    pub is_verbose: bool,
    /// Whether the reasons of each open class are listed.
    pub lists_open: bool,
}

/// A run over models.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    pub models: &'a [Checked<'a>],
    /// Whether the command line names a single model.
    pub is_of_one: bool,
    pub unread: Unread<'a>,
    pub exit_code: u8,
}

/// The results about a Java program.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    pub report: &'a Report,
    /// The same results as one model, with the sources.
    pub together: Checked<'a>,
    pub how: How,
    pub unread: Unread<'a>,
    pub exit_code: u8,
}
